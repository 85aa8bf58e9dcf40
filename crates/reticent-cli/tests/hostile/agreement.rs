//! `protect` and `verify` apply the same policy, and a verdict says what it rests on.

use serde_json::Value;

use crate::common::Folder;

const LETTER: &str =
    "Mary Linehan is a baker. Mary Linehan was born on 3 July 1962. Write to m.l@example.org.\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn verify_applies_the_policy_of_the_report() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    let protect = ["protect", "letter.txt", "--preset", "gdpr", "-o", "out.txt", "--report", "report.json"];
    assert_eq!(folder.run(&protect).code, 0);
    let report = json(&folder.read("report.json"));
    assert_eq!(report["policy"]["preset"], "gdpr");
    let run = folder.run(&["verify", "out.txt", "--report", "report.json", "--json"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let verdict = json(run.out.lines().last().unwrap());
    assert_eq!(verdict["policy"]["sha256"], report["policy"]["sha256"]);
    assert!(run.err.contains("policy gdpr (fingerprint") && run.err.contains("holds for what was checked"));

    let run = folder.run(&["verify", "out.txt", "--report", "report.json", "--preset", "basic"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("--preset gdpr"), "{}", run.err);
}

#[test]
fn verify_refuses_another_policy_file() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    folder.write("mine.toml", "name = \"mine\"\n[masks]\nDATE_TIME = \"keep\"\n");
    let protect =
        ["protect", "letter.txt", "--policy", "mine.toml", "-o", "out.txt", "--report", "report.json"];
    assert_eq!(folder.run(&protect).code, 0);
    let run = folder.run(&["verify", "out.txt", "--report", "report.json"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("policy file named `mine`"), "{}", run.err);
    let run = folder.run(&["verify", "out.txt", "--report", "report.json", "--policy", "mine.toml"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("DATE_TIME"), "kept types are named: {}", run.err);
}

#[test]
fn subjects_are_chosen_alike_and_named_in_no_report() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    for report in ["report.json", "report.txt"] {
        let protect = [
            "protect",
            "letter.txt",
            "--subject",
            "Mary Linehan",
            "-o",
            "out.txt",
            "--report",
            report,
            "--force",
        ];
        let run = folder.run(&protect);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(!folder.read(report).contains("Linehan"));
    }
    assert_eq!(json(&folder.read("report.json"))["policy"]["preset"], "subject");
    let verify = ["verify", "out.txt", "--report", "report.json"];
    let run = folder.run(&verify);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("--preset subject") && run.err.contains("--subject"), "{}", run.err);
    let run = folder.run(&[&verify[..], &["--subject", "Mary Linehan"]].concat());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    // Without the report, the same rule chooses the same policy.
    let run = folder.run(&["verify", "out.txt", "--subject", "Mary Linehan"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("policy subject"), "{}", run.err);
}

#[test]
fn a_report_does_not_let_subjects_be_guessed() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    let fingerprint = |subject: &str| {
        let protect =
            ["protect", "letter.txt", "--subject", subject, "-o", "out.txt", "--report", "report.json"];
        folder.run(&protect);
        json(&folder.read("report.json"))["policy"]["sha256"].clone()
    };
    assert_eq!(fingerprint("Mary Linehan"), fingerprint("Someone Else"));
}

#[test]
fn verify_refuses_a_plan_of_another_policy() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    folder.run(&["plan", "letter.txt", "--preset", "gdpr", "-o", "plan.json"]);
    folder.run(&["protect", "letter.txt", "--preset", "gdpr", "-o", "out.txt"]);
    let verify = ["verify", "out.txt", "--original", "letter.txt", "--plan", "plan.json"];
    let run = folder.run(&verify);
    assert_eq!(run.code, 0, "the plan names its preset: {}{}", run.out, run.err);
    assert!(run.err.contains("policy gdpr"), "{}", run.err);
    let run = folder.run(&[&verify[..], &["--preset", "basic"]].concat());
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("--preset gdpr"), "{}", run.err);
}

#[test]
fn a_verdict_names_what_was_not_checked() {
    let folder = Folder::new();
    folder.write("out.txt", "[PERSON] was born in 1962.\n");
    folder.write("mine.toml", "[detect]\nallow = [\"Leeds\", \"York\"]\n[masks]\nLOCATION = \"keep\"\n");
    let run = folder.run(&["verify", "out.txt", "--policy", "mine.toml", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let verdict = json(run.out.lines().last().unwrap());
    let list = verdict["not_checked"].as_array().unwrap();
    let kinds: Vec<&str> = list.iter().map(|item| item["kind"].as_str().unwrap()).collect();
    for kind in ["names", "quasi_identifiers", "kept_types", "allow_list", "original"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(run.err.contains("not checked: terms that the policy allows: 2 entries"), "{}", run.err);
    assert!(!run.err.contains("Leeds"), "{}", run.err);
    folder.write("rows.jsonl", "{\"text\": \"[PERSON] left.\", \"note\": \"x\"}\n");
    let run = folder.run(&["verify", "rows.jsonl", "--keep-field", "note"]);
    assert!(run.err.contains("kept fields: note"), "{}", run.err);
}

#[test]
fn verify_finds_disguised_identifiers() {
    for text in [
        "Write to ana (at) example (dot) org.",
        "Write to ana[at]example[.]org.",
        "Write to ana&#64;example.org or not.",
        "Write to ana&commat;example&period;org.",
        "Write to ana\\u0040example.org.",
        "Write to ana=40example.org.",
        "Write to ana%40example.org.",
        "Write to ana＠example．org.",
        "Write to an\u{ad}a@exam\u{200b}ple.org.",
        "Call 608&nbsp;555&nbsp;0134.",
        "Call ６０８ ５５５ ０１３４.",
        "Call ٦٠٨٥٥٥٠١٣٤.",
        "Call 608\u{2011}555\u{2011}0134.",
        "Call 6\u{200b}0\u{200b}8\u{200b}5550134.",
        "Call 608 555\n0134 today.",
        "Call 6 0 8 5 5 5 0 1 3 4.",
        "Born on 3\u{a0}July\u{a0}1962.",
        "Born on ３/７/1962.",
        "Born on 3 / 7 / 1962.",
        "Born on 3 Ju\u{ad}ly 1962.",
        "Seen by D\u{200b}r. Hale.",
        "Seen by Dr.\u{2009}Hale.",
    ] {
        let folder = Folder::new();
        folder.write("out.txt", text);
        let run = folder.run(&["verify", "out.txt"]);
        assert_eq!(run.code, 1, "{text}: {}", run.err);
    }
    for text in
        ["A note on M\u{0430}ry Linehan.", "A note on MARY LINÉHAN.", "A note on Mary\u{2028}Line\u{ad}han."]
    {
        let folder = Folder::new();
        folder.write("out.txt", text);
        let run = folder.run(&["verify", "out.txt", "--subject", "Mary Linehan"]);
        assert_eq!(run.code, 1, "{text}: {}", run.err);
    }
}

#[test]
fn verify_leaves_ordinary_text_alone() {
    for text in [
        "A density of 70 kg/m² and 10⁵ cells per mm³.",
        "With n=40 and p=0.05, r=0.31, 50% of 40% agreed.",
        "At 5% per year, x=3f and y=2E are code; a%20b.",
        "f(x) = a[i] + b[j]; g(at) and h(dot) are functions.",
        "He was (at) home. See [dot] and (at) once.",
        "R&D and AT&T; a && b; &c.",
        "C:\\users\\notes and \\begin{table}.",
        "Мария живёт в Москве и любит чай.",
        "Η Ελένη ζει στην Αθήνα.",
        "田中さくらは東京に住んでいます。",
        "הוא גר בחיפה. يعيش في القاهرة.",
        "See the footnote¹ and the note²³ below.",
        "The years 1990–1999 and pages 120–135.",
        "Scores: 3 - 2 - 1, 2 - 3 - 10, and 120 / 80.",
        "1500\n2300\n1800\n1750\n",
        "1 2 3 4 5 6 7 8 9 10 and 0 1 0 0 1 0 1 1 0 0.",
        "½ cup at 25 °C ± 3, ×10, 5 ª and nº 3, “quoted” … text.",
        "Müller-Lyer, naïve, façade, Ångström, El Niño.",
        "[PERSON] met [PERSON 2] in the 1960s – early on.",
    ] {
        let folder = Folder::new();
        folder.write("out.txt", text);
        let run = folder.run(&["verify", "out.txt"]);
        assert_eq!(run.code, 0, "{text}: {}", run.out);
    }
}
