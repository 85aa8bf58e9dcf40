//! Identifiers in disguise: other digits, spaces, letters and encodings.

use crate::common::Folder;

/// Ways to write one NHS number, and one e-mail address.
const DISGUISED: &[&str] = &[
    "NHS number 943&nbsp;476&nbsp;5919.",
    "NHS number 943\u{2009}476\u{3000}5919.",
    "NHS number 943\u{2011}476–5919.",
    "NHS number ９４３ ４７６ ５９１９.",
    "NHS number ٩٤٣ ٤٧٦ ٥٩١٩.",
    "NHS number 9\u{ad}43 47\u{200b}6 59\u{202e}19.",
    "NHS number 943\u{fe0f} 476 5919.",
    "NHS number 9&shy;43 476 5919.",
    "NHS number 943/476/5919.",
    "NHS number 9 4 3 4 7 6 5 9 1 9.",
    "NHS number 943 476\n5919.",
    "Write to ana.ruiz\\u0040example.org.",
    "Write to ana.ruiz=40example.org.",
    "Write to ana.ruiz%40example.org.",
    "Write to ana.ruiz (at) example (dot) org.",
    "Write to ana.ruiz[at]example[dot]org.",
    "Write to аnа.ruiz@example.org.",
    "Write to 𝐚𝐧𝐚.𝐫𝐮𝐢𝐳@example.org.",
    "The server at 81[.]2[.]69[.]160 answered.",
    "Signed by Mаeve Lineһan.",
    "Signed by 𝓜𝓪𝓮𝓿𝓮 𝓛𝓲𝓷𝓮𝓱𝓪𝓷.",
];

#[test]
fn a_disguise_hides_nothing() {
    for text in DISGUISED {
        let folder = Folder::new();
        folder.write("a.txt", text);
        let args = ["protect", "a.txt", "--preset", "basic", "--subject", "Maeve Linehan"];
        let run = folder.run(&args);
        assert_eq!(run.code, 0, "{text}: {}", run.err);
        let kept = ["NHS number ", "Write to ", "The server at ", "Signed by "];
        let rest = kept.iter().find_map(|start| run.out.strip_prefix(start)).unwrap_or(&run.out);
        assert!(rest.starts_with('['), "{text} becomes {}", run.out);
        let digits = rest.chars().filter(|c| c.is_numeric()).count();
        assert!(digits <= 1, "{text} becomes {}", run.out);
        folder.write("out.txt", text);
        let run = folder.run(&["verify", "out.txt", "--preset", "basic", "--subject", "Maeve Linehan"]);
        assert_eq!(run.code, 1, "verify: {text}: {}", run.out);
    }
}

#[test]
fn a_name_is_found_again_in_another_spelling() {
    let folder = Folder::new();
    folder.write("a.txt", "Mrs Maeve Linehan was seen. The chart of Lıne\u{200b}han, ＬＩＮＥＨＡＮ and Line&shy;han is closed.");
    let run = folder.run(&["protect", "a.txt", "--preset", "basic"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for part in ["Linehan", "han,", "ＬＩＮＥ", "Line"] {
        assert!(!run.out.contains(part), "{}", run.out);
    }
}

#[test]
fn signs_with_a_meaning_stay_as_they_are() {
    for text in [
        "BMI 31 kg/m², n=40, 50% of ½ cup, Acme™ … and 3 × 10⁶ cells.\n",
        "Ωμέγα and Москва are words; α-blockers and β₂-agonists are drugs.\n",
        "See figure 2(a) [1] and section 4.2 — the rest is unchanged.\n",
        "120/80 and 118/76 at rest; 1 2 3 4 5 6 7 8 9 steps.\n",
    ] {
        let folder = Folder::new();
        folder.write("a.txt", text);
        let policy = "[detect]\nunplaced_names = \"keep\"\n";
        folder.write("p.toml", policy);
        let run = folder.run(&["protect", "a.txt", "--preset", "presidio"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let mut left: String = run.out.clone();
        for name in ["[PERSON]", "[LOCATION]"] {
            left = left.replace(name, "");
        }
        for sign in text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()) {
            assert_eq!(text.matches(sign).count(), left.matches(sign).count(), "{sign} in {}", run.out);
        }
    }
}

#[test]
fn detect_lists_what_protect_masks() {
    let folder = Folder::new();
    folder.write("a.txt", "Call Mina Aaltonen @ 608 555 0134 w/ any changes.");
    let detected = folder.run(&["detect", "a.txt"]);
    let released = folder.run(&["protect", "a.txt"]);
    assert!(!released.out.contains("0134"), "{}", released.out);
    assert!(detected.out.contains("PHONE_NUMBER"), "{}", detected.out);
}
