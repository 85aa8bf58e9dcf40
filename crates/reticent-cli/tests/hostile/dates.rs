//! Shifted dates: one offset per person and key.

use crate::common::Folder;

const POLICY: &str = "extends = \"basic\"\n[masks]\nDATE_TIME = { operator = \"shift\", max_days = 300 }\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("shift.toml", POLICY);
    for key in ["a.key", "b.key"] {
        assert_eq!(folder.run(&["key", "new", "-o", key]).code, 0);
    }
    folder
}

/// The released text of a file.
fn shifted(folder: &Folder, file: &str, key: &str, more: &[&str]) -> String {
    let mut args =
        vec!["protect", "-q", "--policy", "shift.toml", "--key", key, file, "-o", "out", "--force"];
    args.extend(more);
    let run = folder.run(&args);
    assert!(run.code < 2, "{}", run.err);
    folder.read("out")
}

#[test]
fn files_about_one_subject_shift_alike() {
    let folder = folder();
    folder.write("one.txt", "Ana Ruiz came on 3 July 2019.");
    folder.write("two.txt", "Ana Ruiz came on 3 July 2019.");
    let ana = ["--subject", "Ana Ruiz"];
    let one = shifted(&folder, "one.txt", "a.key", &ana);
    assert!(!one.contains("3 July 2019") && one.contains(" on "), "{one}");
    assert_eq!(one, shifted(&folder, "two.txt", "a.key", &ana));
    assert_eq!(one, shifted(&folder, "one.txt", "a.key", &ana), "another run");
    assert_ne!(one, shifted(&folder, "one.txt", "b.key", &ana), "another key");
}

#[test]
fn a_file_without_a_subject_shifts_by_its_own_name() {
    let folder = folder();
    for name in ["x/one.txt", "y/one.txt", "y/two.txt"] {
        folder.write(name, "Came on 3 July 2019.");
    }
    let one = shifted(&folder, "x/one.txt", "a.key", &[]);
    assert_eq!(one, shifted(&folder, "y/one.txt", "a.key", &[]), "wherever the folder lies");
    assert_ne!(one, shifted(&folder, "y/two.txt", "a.key", &[]));
}

#[test]
fn rows_of_one_person_shift_alike() {
    let folder = folder();
    let row = |person: &str| format!("{{\"pid\":\"{person}\",\"text\":\"Came on 3 July 2019.\"}}\n");
    folder.write("a.jsonl", row("P-17") + &row("P-18") + &row("P-17"));
    folder.write("b.csv", "pid,text\nP-18,Came on 3 July 2019.\n");
    let more = ["--person-field", "pid"];
    let out = shifted(&folder, "a.jsonl", "a.key", &more);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], lines[2]);
    assert_ne!(lines[0], lines[1]);
    assert!(!out.contains("P-1"), "the person is not released: {out}");
    let csv = shifted(&folder, "b.csv", "a.key", &more);
    let date = csv.lines().nth(1).unwrap().trim_start_matches(',').to_owned();
    assert!(lines[1].contains(&date), "{csv} and {}", lines[1]);
    let kept = shifted(&folder, "b.csv", "a.key", &["--person-field", "pid", "--keep-field", "pid"]);
    assert!(kept.contains("P-18,"), "{kept}");
}

#[test]
fn a_person_is_harmless_where_nothing_is_shifted() {
    let folder = Folder::new();
    folder.write("b.csv", "pid,text\nP-18,Came on 3 July 2019.\n");
    let run = folder.run(&["protect", "--preset", "basic", "--person-field", "pid", "b.csv"]);
    assert_eq!((run.code, run.out.as_str()), (0, "pid,text\n,Came in 2019.\n"), "{}", run.err);
}
