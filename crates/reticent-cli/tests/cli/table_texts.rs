//! Texts of tables: values of columns are found by value, and what survives is named.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Folder, Run};

/// Two persons, the notes of whom say everything about them.
const TABLE: &str = "\
id,name,age,born,city,marital,hba1c,income,seen,ill,note
1,Ana Ruiz,34,1988-03-14,\"Zurich, Switzerland\",Married,7.2,77500,2023-02-05,flu,NOTE
2,Ben Oder,36,1986-11-02,\"Bern, Switzerland\",Single,6.1,61000,2023-06-20,cold,No complaints.
";

const SCHEMA: &str = r#"
columns = [
  { name = "id", role = "identifier" },
  { name = "name", role = "identifier", entities = ["PERSON"] },
  { name = "age", role = "quasi-identifier", kind = "number" },
  { name = "born", role = "quasi-identifier", kind = "date" },
  { name = "city", role = "quasi-identifier" },
  { name = "marital", role = "quasi-identifier" },
  { name = "hba1c", role = "quasi-identifier", kind = "number" },
  { name = "income", role = "quasi-identifier", kind = "number" },
  { name = "seen", role = "quasi-identifier", kind = "date" },
  { name = "ill", role = "sensitive" },
  { name = "note", role = "text" },
]
[protect]
k = 2
"#;

fn folder(note: &str) -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", TABLE.replace("NOTE", &format!("\"{note}\"")));
    folder.write("reticent-table.toml", SCHEMA);
    folder
}

fn protect(folder: &Folder) -> Run {
    folder.run(&["table", "protect", "data.csv", "-o", "out.csv", "--force"])
}

/// The released note of the first person.
fn released(note: &str) -> String {
    let folder = folder(note);
    let run = protect(&folder);
    assert_eq!(run.code, 0, "{note}: {}", run.err);
    let out = folder.read("out.csv");
    let line = out.lines().find(|line| line.contains(",flu,")).unwrap();
    line.rsplit_once(",flu,").unwrap().1.trim_matches('"').to_owned()
}

#[test]
fn values_are_replaced_in_any_form() {
    for (note, expected) in [
        ("HbA1c 7.2 %.", "HbA1c 6.1 to 7.2 %."),
        ("HbA1c 7,2%.", "HbA1c 6,1 to 7,2%."),
        ("Income $77,500.", "Income $61,000 to $77,500."),
        ("Income 77.500 a year.", "Income 61.000 to 77.500 a year."),
        ("Income $77.5k.", "Income $61,000 to $77,500."),
        ("She is 34.", "She is 34 to 36."),
        ("A 34-year-old woman.", "A 34-to-36-year-old woman."),
        ("She is thirty-four now.", "She is 34 to 36 now."),
        ("She is married.", "She is married or single."),
        ("Lives in zurich.", "Lives in Bern, Switzerland or Zurich, Switzerland."),
        ("Seen on 5 February 2023.", "Seen in 2023."),
        ("Born in 1988.", "Born in 1986 to 1988."),
    ] {
        assert_eq!(released(note), expected, "{note}");
    }
}

#[test]
fn no_form_of_a_value_survives() {
    for (note, gone) in [
        ("Paciente de 34 años, casada.", vec!["34 a", "casad"]),
        ("Tiene treinta y cuatro años.", vec!["treinta"]),
        ("Spoke with ana ruiz.", vec!["ana", "ruiz"]),
        ("RUIZ was seen on 05.02.23.", vec!["RUIZ", "05.02"]),
        ("DOB 03/14/1988.", vec!["14/1988", "03/14"]),
        ("Birthday on March 14.", vec!["March 14"]),
        ("Seen Feb 5th.", vec!["Feb 5"]),
        ("Income seventy-seven thousand five hundred dollars.", vec!["seventy"]),
        ("Earns CHF 77’500.", vec!["500.", "CHF 77’500."]),
        ("Pt is a 34yo.", vec![" 34yo"]),
    ] {
        let note_ = released(note);
        let allowed = ["34 to 36", "34 a 36", "61000 to 77500", "61’000 to 77’500", "61’000 to CHF 77’500"];
        let rest = allowed.iter().fold(note_.clone(), |text, words| text.replace(words, ""));
        for gone in gone {
            assert!(!rest.contains(gone), "{note}: {note_}");
        }
    }
}

#[test]
fn what_is_no_value_stays() {
    for note in [
        "Walks 36 km a day.",
        "Saw 34 people.",
        "BP 134/84.",
        "Takes 7 tablets.",
        "Lives in Switzerland.",
        "Seen in 2023.",
    ] {
        assert_eq!(released(note), note);
    }
}

/// A released table that holds, and its original.
fn held() -> Folder {
    let folder = folder("She is 34 and married, from Zurich. Ana Ruiz earns $77,500.");
    let run = protect(&folder);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run(&["table", "verify", "out.csv", "--original", "data.csv"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("compared with the original: 0 values survive in texts"), "{}", run.out);
    folder
}

#[test]
fn verify_catches_what_is_changed() {
    let folder = held();
    let out = folder.read("out.csv");
    let flu = out.lines().find(|line| line.contains(",flu,")).unwrap();
    let note = flu.rsplit_once(",flu,").unwrap().1.to_owned();
    let with = |text: &str| out.replace(&note, &format!("\"{}\"", text.trim_matches('"')));
    for (changed, expected) in [
        (with("She is 34."), "`age`"),
        (with("From Zurich."), "`city`"),
        (with("Lives in zürich now."), "`city`"),
        (with("Spoke with ruiz."), "`name`"),
        (with("Está casada."), "`marital`"),
        (with("HbA1c: 7,2"), "`hba1c`"),
        (with("Makes 77.5 k."), "`income`"),
        (with("Seventy-seven thousand five hundred a year."), "`income`"),
        (with("Seen on Feb 5."), "`seen`"),
        (with("She was born 14.3.88."), "`born`"),
        (with("\"She is 34 and married, from Zurich. Ana Ruiz earns $77,500.\""), "`name`"),
        (out.replace(",flu,", ",cold,"), "of no row of the original"),
        (out.replace(flu, &flu.replace("[34-36]", "[35-36]")), "of no row of the original"),
        (out.replacen("[34-36]", "[30-33]", 2), "of no row of the original"),
    ] {
        folder.write("changed.csv", &changed);
        let run = folder.run(&["table", "verify", "changed.csv", "--original", "data.csv"]);
        assert_eq!(run.code, 1, "{changed}: {}", run.out);
        assert!(run.err.contains(expected), "{changed}: {}", run.err);
        for secret in ["34", "zurich", "Zurich", "Ruiz", "ruiz", "77"] {
            let named = run.err.replace("(rows 1)", "");
            assert!(!named.contains(secret), "{named}");
        }
    }
}

#[test]
fn verify_leaves_alone_what_was_released() {
    let folder = held();
    let out = folder.read("out.csv");
    // Rows may be in any order, and texts may say what the columns say, or less.
    let mut lines: Vec<&str> = out.lines().collect();
    lines[1..].reverse();
    folder.write("other.csv", lines.join("\n") + "\n");
    let run = folder.run(&["table", "verify", "other.csv", "--original", "data.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let note = out.lines().find(|line| line.contains(",flu,")).unwrap().rsplit_once(",flu,").unwrap().1;
    for same in ["She is 34 to 36.", "Walks 34 km.", "Seen in 2023.", "Lives in Switzerland.", "[TEXT]"] {
        folder.write("same.csv", out.replace(note, same));
        let run = folder.run(&["table", "verify", "same.csv", "--original", "data.csv", "-k", "1"]);
        assert_eq!(run.code, 0, "{same}: {}", run.err);
    }
}

#[test]
fn texts_in_other_languages_are_withheld() {
    let notes = [
        "Die Patientin ist 34 Jahre alt und wohnt seit 2019 in Zurich.",
        "Elle a 34 ans et habite dans une maison avec son mari.",
        "Patient ist 34 Jahre alt und wohnt in Zurich.",
    ];
    for note in notes {
        let folder = folder(note);
        let run = protect(&folder);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.contains("1 of them in a language without tools"), "{}", run.err);
        assert!(folder.read("out.csv").contains(",flu,[TEXT]"));
        let args = ["table", "protect", "data.csv", "-o", "kept.csv", "--keep-unsupported-languages"];
        let run = folder.run(&args);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains("`note`: 1 text is in a language without tools"), "{}", run.err);
        let kept = folder.read("kept.csv");
        assert!(!kept.contains(" 34 J") && !kept.contains("a 34 ans") && kept.contains("34–36"), "{kept}");
        let run = folder.run(&["table", "verify", "kept.csv"]);
        assert_eq!(run.code, 1, "{}", run.out);
        assert!(run.err.contains("in a language without tools"), "{}", run.err);
    }
}

#[test]
fn a_column_may_be_left_out() {
    let folder = folder("She is married.");
    folder.write(
        "reticent-table.toml",
        SCHEMA.replace(r#"name = "marital","#, r#"name = "marital", in_texts = false,"#),
    );
    assert_eq!(protect(&folder).code, 0);
    assert!(folder.read("out.csv").contains("She is married."));
    let run = folder.run(&["table", "verify", "out.csv", "--original", "data.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("`marital`: its values are not searched for in texts"), "{}", run.out);
}

#[test]
fn a_long_text_takes_linear_time() {
    let sentence = "She is 34 and married, from Zurich, and earns $77,500. ";
    let took = |times: usize| {
        let folder = folder(&sentence.repeat(times));
        let start = Instant::now();
        let run = protect(&folder);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(!folder.read("out.csv").contains("is 34 and"));
        start.elapsed()
    };
    let (short, long) = (took(700), took(7_000));
    // Ten times the text takes about ten times as long, and not a hundred times.
    assert!(long < short * 30 + Duration::from_secs(2), "{short:?} {long:?}");
}

#[test]
fn values_of_patients_do_not_survive() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success()) {
        reticent_testing::skip("python3");
        return;
    }
    let tables = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reproduce/tables");
    let folder = Folder::new();
    let python = |args: &[&str]| {
        let run = Command::new("python3")
            .arg(tables.join("patients.py"))
            .args(args)
            .current_dir(folder.path(""))
            .output();
        run.unwrap()
    };
    assert!(python(&["generate", "patients.csv", "300"]).status.success());
    let schema = tables.join("patients.toml");
    let schema = schema.to_str().unwrap();
    let run = folder.run(&["table", "protect", "patients.csv", "-s", schema, "-o", "out.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let found = python(&["search", "patients.csv", "out.csv"]);
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
    let run = folder.run(&["table", "verify", "out.csv", "-s", schema, "--original", "patients.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
}
