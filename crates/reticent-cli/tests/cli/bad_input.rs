//! What happens when something is wrong: a clear error with a hint, the other files go on, nothing
//! half-written, and never the text itself.

use crate::common::Folder;

#[test]
fn not_utf8_names_the_way_out() {
    let folder = Folder::new();
    folder.write("letter.txt", b"El ni\xf1o de Ruiz duerme: ana@example.org");
    let run = folder.run(&["protect", "letter.txt", "-o", "out.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("letter.txt") && run.err.contains("--encoding"), "{}", run.err);
    assert!(!run.err.contains("Ruiz"), "{}", run.err);
    assert_eq!(folder.names(), ["letter.txt"]);

    let run = folder.run(&["protect", "letter.txt", "-o", "out.txt", "--encoding", "windows-1252"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let bytes = std::fs::read(folder.path("out.txt")).unwrap();
    assert!(bytes.windows(4).any(|part| part == b"ni\xf1o"), "the output has the encoding of the input");
    assert!(!bytes.windows(7).any(|part| part == b"example"));
}

#[test]
fn empty_is_fine_binary_is_not() {
    let folder = Folder::new();
    folder.write("empty.txt", "");
    folder.write("binary.txt", b"\x00\x01\x02");
    let run = folder.run(&["protect", "empty.txt", "-o", "out.txt"]);
    assert_eq!((run.code, folder.read("out.txt").as_str()), (0, ""), "{}", run.err);
    let run = folder.run(&["protect", "binary.txt", "-o", "out2.txt"]);
    assert_eq!(run.code, 2);
    assert!(!folder.path("out2.txt").exists());
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = Folder::new();
    folder.write("in/a.txt", "mail a.b@example.org");
    folder.write("in/b.docx", b"PK\x03\x04 truncated");
    folder.write("in/deep/c.md", "mail c.d@example.org");
    folder.write("in/d.xyz", "what is this");
    let run = folder.run(&["protect", "in", "-o", "out"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("b.docx") && run.err.contains("d.xyz"), "{}", run.err);
    assert_eq!(folder.read("out/a.txt"), "mail [EMAIL_ADDRESS]");
    assert_eq!(folder.read("out/deep/c.md"), "mail [EMAIL_ADDRESS]");
    assert!(!folder.path("out/b.docx").exists());
}

#[test]
fn a_row_without_a_field_that_was_asked_for_is_named_by_its_line() {
    let folder = Folder::new();
    folder.write("rows.jsonl", "{\"text\": \"fine\"}\n{\"body\": \"secret words\"}\n");
    let run = folder.run(&["protect", "--text-field", "text", "rows.jsonl", "-o", "out.jsonl"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("line 2") && run.err.contains("text"), "{}", run.err);
    assert!(!run.err.contains("secret"));
    assert_eq!(folder.names(), ["rows.jsonl"], "nothing half-written");
}

#[test]
fn broken_rows_are_named_by_their_line() {
    let folder = Folder::new();
    folder.write("rows.jsonl", "{\"text\": \"fine\"}\n{\"text\": \"secret wor\n");
    let run = folder.run(&["protect", "rows.jsonl", "-o", "out.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("line 2") && !run.err.contains("secret"), "{}", run.err);
    assert!(!folder.read("out.jsonl").contains("secret"));
}

#[test]
fn policies_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    folder.write("letter.txt", "hello");
    for (policy, told) in [
        ("subjcts = []", "did you mean `subjects`"),
        ("[masks]\nPERSN = \"label\"", "did you mean `PERSON`"),
        ("[masks]\nDATE_TIME = { operator = \"generalize\", finest = \"yer\" }", "year"),
        ("[masks]\nEMAIL_ADDRESS = { operator = \"generalize\" }", "cannot be generalized"),
        ("[masks]\nPERSON = \"labl\"", "label"),
        ("[detect]\nmin_score = 2.0", "between 0 and 1"),
        (
            "[detect]\nallow = [\"Ana\"]\ndeny = [{ text = \"Ana\", type = \"PERSON\" }]",
            "both allows and denies",
        ),
        (
            "[detect]\nallow = [\"Ana Ruiz\"]\n[[subjects]]\nname = \"Ana Ruiz\"",
            "protects a subject and allows",
        ),
        ("[[subjects]]\nname = \" \"", "empty name"),
        ("[detect]\ndisable = [\"emial\"]", "unknown detector"),
        ("[detect]\nallow_regex = [\"(\"]", "invalid regular expression"),
        ("[detect]\nallow_regex = [\"a*\"]", "matches the empty string"),
        ("extends = \"hippa\"", "unknown preset"),
    ] {
        folder.write("policy.toml", policy);
        let run = folder.run(&["protect", "letter.txt", "--policy", "policy.toml", "-o", "out.txt"]);
        assert_eq!(run.code, 2, "{policy}");
        assert!(run.err.contains(told), "{policy}: {}", run.err);
        assert!(!folder.path("out.txt").exists());
    }
}

#[test]
fn nothing_is_edited_in_place() {
    let folder = Folder::new();
    folder.write("letter.txt", "mail a.b@example.org");
    let run = folder.run(&["protect", "letter.txt", "-o", "letter.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("overwrite"), "{}", run.err);
    assert_eq!(folder.read("letter.txt"), "mail a.b@example.org");
}

#[test]
fn an_unwritable_output_is_told() {
    let folder = Folder::new();
    folder.write("letter.txt", "hello");
    folder.write("file", "not a folder");
    let run = folder.run(&["protect", "letter.txt", "-o", "file/out.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("file"), "{}", run.err);
}

#[test]
fn a_missing_file_is_told() {
    let folder = Folder::new();
    let run = folder.run(&["protect", "nothing.txt", "-o", "out.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("nothing.txt"), "{}", run.err);
}

#[test]
fn a_policy_that_needs_a_key_says_so() {
    let folder = Folder::new();
    folder.write("letter.txt", "hello");
    folder.write("policy.toml", "[masks]\nEMAIL_ADDRESS = \"hash\"");
    let run = folder.run(&["protect", "letter.txt", "--policy", "policy.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("key new"), "{}", run.err);
}
