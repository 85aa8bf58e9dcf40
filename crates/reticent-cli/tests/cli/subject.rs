//! Protecting one person, and what to do when that cannot be done.

use crate::common::Folder;

const TEXT: &str = "Ana Linehan (born 3 May 1962) is an actress. Tom Baxter (born 7 July 1971) is a painter. Linehan \
                    lives in Cork. Baxter moved to Lisbon.\n";

#[test]
fn what_is_told_of_the_subject_goes_and_of_another_stays() {
    let folder = Folder::new();
    folder.write("two.txt", TEXT);
    let run = folder.run(&["protect", "two.txt", "--subject", "Ana Linehan"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for gone in ["Linehan", "3 May", "Cork"] {
        assert!(!run.out.contains(gone), "{gone}: {}", run.out);
    }
    for stays in ["Tom Baxter (born 7 July 1971) is a painter", "Baxter moved to Lisbon"] {
        assert!(run.out.contains(stays), "{stays}: {}", run.out);
    }
}

#[test]
fn another_policy_protects_everyone() {
    let folder = Folder::new();
    folder.write("two.txt", TEXT);
    let run = folder.run(&["protect", "two.txt", "--subject", "Ana Linehan", "--preset", "basic"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.contains("Baxter") && !run.out.contains("Linehan"), "{}", run.out);
}

#[test]
fn rows_name_their_own_subjects() {
    let folder = Folder::new();
    let row = |who: &str| format!("{}\n", serde_json::json!({ "who": who, "text": TEXT }));
    folder.write("rows.jsonl", &(row("Ana Linehan") + &row("Tom Baxter")));
    let run = folder.run(&["protect", "rows.jsonl", "--subject-field", "who"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains("Lisbon") && !lines[0].contains("Cork"), "{}", lines[0]);
    assert!(lines[1].contains("Cork") && !lines[1].contains("Lisbon"), "{}", lines[1]);
}

#[test]
fn a_text_that_never_names_the_subject_is_warned_of() {
    let folder = Folder::new();
    folder.write("two.txt", TEXT);
    let run = folder.run(&["protect", "two.txt", "--subject", "Maria Quint"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("subject not mentioned"), "{}", run.err);
    assert!(!run.out.contains("Cork") && !run.out.contains("Lisbon"), "{}", run.out);
}

#[test]
fn says_that_what_leads_to_an_unknown_subject_cannot_be_checked() {
    let folder = Folder::new();
    folder.write("two.txt", TEXT);
    for (subject, checked) in [("Qzxjwv Pfflgrm", false), ("Tom Baxter", true)] {
        let run = folder.run(&["protect", "two.txt", "--subject", subject, "--report", "report.json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let report = std::fs::read_to_string(folder.path("report.json")).unwrap();
        assert_eq!(report.contains("subject_without_vector"), !checked, "{report}");
        std::fs::remove_file(folder.path("report.json")).unwrap();
    }
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("two.txt", TEXT);
    folder.write("crowd.toml", "extends = \"subject\"\n[related]\ncrowd = 1.5\n");
    for (arguments, said) in [
        (&["--subject", " "][..], "empty name"),
        (&["--subject", "Ana Linehan", "--threshold", "1.5"], "between -1 and 1"),
        (&["--subject", "Ana Linehan", "--threshold", "-1.01"], "between -1 and 1"),
        (&["--subject", "Ana Linehan", "--policy", "crowd.toml"], "between 0 and 1"),
        (&["--subject", "Ana Linehan", "--vectors", "absent.vec"], "absent.vec"),
        (&["--subject", "Ana Linehan", "--vectors", "two.txt"], "two.txt"),
        (&["--subject", "Qzxjwv Pfflgrm", "--method", "similar"], "has no word vector"),
    ] {
        let mut all = vec!["protect", "two.txt", "-o", "out.txt"];
        all.extend(arguments);
        let run = folder.run(&all);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(said), "{arguments:?}: {}", run.err);
        assert!(!folder.path("out.txt").exists());
    }
}
