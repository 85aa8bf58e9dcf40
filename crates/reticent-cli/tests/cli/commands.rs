//! Every command, as a user would call it.

use crate::common::Folder;
use serde_json::Value;

const LETTER: &str =
    "Dear Dr. Okafor,\n\nMrs Maeve Linehan was born on 3 July 1962. Write to m.l@example.org.\n";

#[test]
fn a_plan_of_rows_knows_the_text_of_each() {
    let folder = Folder::new();
    folder.write("rows.jsonl", "{\"text\": \"Write to ana@example.org.\"}\n{\"text\": \"Nothing.\"}\n");
    folder.run(&["plan", "rows.jsonl", "-o", "plan.jsonl"]);
    let plans = folder.read("plan.jsonl");
    let hash = |line: &str| line.split("\"sha256\":\"").nth(1).map(|rest| rest[..64].to_owned());
    let hashes: Vec<_> = plans.lines().filter_map(hash).collect();
    // Of no bytes at all.
    let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hashes.len(), 2);
    assert!(hashes[0] != hashes[1] && !hashes.contains(&of_nothing.to_owned()));
}

#[test]
fn protects_standard_input() {
    let folder = Folder::new();
    let run = folder.run_with(&["protect", "-"], b"write to a.b@example.org");
    assert_eq!((run.code, run.out.as_str()), (0, "write to [EMAIL_ADDRESS]"), "{}", run.err);
}

#[test]
fn rows_keep_their_other_fields_and_tell_their_edits() {
    let folder = Folder::new();
    let rows = "{\"id\": 7, \"x\": [1.50, null], \"text\": \"né: a.b@example.org\"}\n{\"id\": 8, \"text\": \"nothing\"}\n";
    folder.write("rows.jsonl", rows);
    let run =
        folder.run(&["protect", "rows.jsonl", "--text-field", "text", "--id-field", "id", "-o", "out.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let out = folder.read("out.jsonl");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with("{\"id\": 7, \"x\": [1.50, null], \"text\": \"né: [EMAIL_ADDRESS]\""),
        "{out}"
    );
    let row: Value = serde_json::from_str(lines[0]).unwrap();
    let edit = &row["edits"][0];
    assert_eq!((edit["start"].as_u64(), edit["end"].as_u64()), (Some(4), Some(19)));
    assert_eq!(edit["type"], "EMAIL_ADDRESS");
    assert_eq!(edit["identifies"], "directly");
    assert!(edit["detector"].is_string() && edit["score"].is_number() && edit["replacement"].is_string());
    assert_eq!(serde_json::from_str::<Value>(lines[1]).unwrap()["edits"], serde_json::json!([]));

    let run = folder.run(&["protect", "rows.jsonl", "--offsets", "bytes"]);
    let row: Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    assert_eq!(row["edits"][0]["start"], 5);
}

#[test]
fn detect_writes_nothing_if_nothing_could_be_looked_at() {
    let folder = Folder::new();
    folder.write("bad.csv", "text\n\"Ann lives in Leeds.\n");
    let run = folder.run(&["detect", "bad.csv", "-o", "found.jsonl"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(!folder.path("found.jsonl").exists());
}

#[test]
fn detect_writes_spans_and_leaves_the_text() {
    let folder = Folder::new();
    folder.write("rows.jsonl", "{\"id\": 1, \"text\": \"naïf, a.b@example.org\"}\n");
    let run = folder.run(&["detect", "rows.jsonl"]);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(row["text"], "naïf, a.b@example.org");
    assert_eq!(row["spans"], serde_json::json!([[6, 21, "EMAIL_ADDRESS"]]));

    folder.write("letter.txt", "naïf, a.b@example.org");
    let run = folder.run(&["detect", "letter.txt", "--format", "brat", "-o", "ann"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.read("ann/letter.ann"), "T1\tEMAIL_ADDRESS 6 21\ta.b@example.org\n");
}

#[test]
fn a_plan_holds_no_text_and_can_be_changed() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    let run = folder.run(&["plan", "letter.txt", "-o", "plan.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let plan = folder.read("plan.json");
    for secret in ["Okafor", "Linehan", "July", "example.org"] {
        assert!(!plan.contains(secret), "{secret} is in the plan");
    }
    let run = folder.run(&["apply", "letter.txt", "--plan", "plan.json", "-o", "out.txt"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let released = folder.read("out.txt");
    assert!(released.contains("born in 1962") && !released.contains("Linehan"), "{released}");

    // A person chooses a coarser level: the edit is removed, the level changed.
    let mut changed: Value = serde_json::from_str(&plan).unwrap();
    let date =
        changed["entities"].as_array_mut().unwrap().iter_mut().find(|e| e["type"] == "DATE_TIME").unwrap();
    date["level"] = "decade".into();
    date["mentions"][0].as_object_mut().unwrap().remove("edit");
    folder.write("coarser.json", changed.to_string());
    let run = folder.run(&["apply", "letter.txt", "--plan", "coarser.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("born in the 1960s"), "{}", run.out);

    // A person keeps something: not without approval.
    let mut kept: Value = serde_json::from_str(&plan).unwrap();
    let mail =
        kept["entities"].as_array_mut().unwrap().iter_mut().find(|e| e["type"] == "EMAIL_ADDRESS").unwrap();
    mail["mask"] = serde_json::json!({"operator": "keep"});
    folder.write("kept.json", kept.to_string());
    let run = folder.run(&["apply", "letter.txt", "--plan", "kept.json"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("approved") && run.out.is_empty(), "{}", run.err);
    let mail =
        kept["entities"].as_array_mut().unwrap().iter_mut().find(|e| e["type"] == "EMAIL_ADDRESS").unwrap();
    mail["review"] = "approved".into();
    folder.write("kept.json", kept.to_string());
    let run = folder.run(&["apply", "letter.txt", "--plan", "kept.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("m.l@example.org"));

    // A mention that was cut out of the plan is found again, and nothing is released.
    let mut cut: Value = serde_json::from_str(&plan).unwrap();
    cut["entities"].as_array_mut().unwrap().retain(|e| e["type"] != "EMAIL_ADDRESS");
    folder.write("cut.json", cut.to_string());
    let run = folder.run(&["apply", "letter.txt", "--plan", "cut.json"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
}

#[test]
fn a_plan_is_for_its_document_only() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    folder.run(&["plan", "letter.txt", "-o", "plan.json"]);
    folder.write("letter.txt", format!("{LETTER} "));
    let run = folder.run(&["apply", "letter.txt", "--plan", "plan.json", "-o", "out.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("has changed"), "{}", run.err);
    assert!(!folder.path("out.txt").exists());
}

#[test]
fn verify_sees_what_is_left_and_passes_what_is_released() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    let run = folder.run(&["verify", "letter.txt"]);
    assert_eq!(run.code, 1);
    for told in ["e-mail", "date", "title"] {
        assert!(run.out.contains(told), "{}", run.out);
    }
    assert!(!run.out.contains("Linehan") && !run.err.contains("Linehan"));

    folder.run(&["protect", "letter.txt", "-o", "out.txt"]);
    folder.run(&["plan", "letter.txt", "-o", "plan.json"]);
    let run = folder.run(&["verify", "out.txt"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let against = ["verify", "out.txt", "--original", "letter.txt", "--plan", "plan.json"];
    let run = folder.run(&against);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);

    let tampered = folder.read("out.txt").replace("Write to", "Write soon to");
    folder.write("out.txt", tampered);
    let run = folder.run(&against);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("does not match the plan"), "{}", run.out);
}

#[test]
fn review_holds_a_document_back() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    folder.write("policy.toml", "[review]\nrequire_types = [\"EMAIL_ADDRESS\"]");
    let run = folder.run(&["protect", "letter.txt", "--policy", "policy.toml", "-o", "out.txt"]);
    assert_eq!(run.code, 1);
    assert!(!folder.path("out.txt").exists());
    folder.write("rows.jsonl", "{\"text\": \"a.b@example.org\"}\n{\"text\": \"fine\"}\n");
    let run = folder.run(&["protect", "rows.jsonl", "--policy", "policy.toml"]);
    assert_eq!(run.code, 1);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["text"], &rows[0]["review"]), (&"".into(), &"required".into()));
    assert_eq!(rows[1]["text"], "fine");
}

#[test]
fn subjects_are_protected_from_the_command_line_and_by_row() {
    let folder = Folder::new();
    folder.write("bio.txt", "tom cruise is an actor. Cruise was born here.");
    let run = folder.run(&["protect", "bio.txt", "--subject", "Tom Cruise"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.to_lowercase().contains("cruise"), "{}", run.out);
    folder.write("rows.jsonl", "{\"who\": \"ana ruiz\", \"text\": \"so ana ruiz said\"}\n{\"who\": \"x y\", \"text\": \"so ana ruiz said\"}\n");
    let run = folder.run(&["protect", "rows.jsonl", "--subject-field", "who", "--method", "names"]);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows[0]["text"].as_str().unwrap().contains("ruiz"));
    assert!(rows[1]["text"].as_str().unwrap().contains("ruiz"));
}

#[test]
fn encrypts_and_decrypts() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    folder.write(
        "policy.toml",
        "[masks]\nEMAIL_ADDRESS = \"encrypt\"\nDATE_TIME = \"encrypt\"\nPERSON = \"encrypt\"",
    );
    assert_eq!(folder.run(&["key", "new", "-o", "my.key"]).code, 0);
    assert_eq!(folder.run(&["key", "new", "-o", "my.key"]).code, 2, "a key is never overwritten");
    let run =
        folder.run(&["protect", "letter.txt", "--policy", "policy.toml", "--key", "my.key", "-o", "out.txt"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!folder.read("out.txt").contains("Linehan"));
    let run = folder.run(&["decrypt", "out.txt", "--key", "my.key"]);
    assert_eq!((run.code, run.out.as_str()), (0, LETTER), "{}", run.err);
    folder.run(&["key", "new", "-o", "other.key"]);
    let run = folder.run(&["decrypt", "out.txt", "--key", "other.key"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new();
    let row = |n| format!("{{\"text\": \"Dr. Ruiz wrote to a{n}@example.org on 3 May 20{:02}\"}}", n % 24);
    let rows = (0..300).map(row).collect::<Vec<_>>().join("\n");
    folder.write("rows.jsonl", rows);
    let one = folder.run(&["protect", "rows.jsonl", "--jobs", "1"]);
    let many = folder.run(&["protect", "rows.jsonl", "--jobs", "4"]);
    assert_eq!(one.code, 0, "{}", one.err);
    assert_eq!(one.out, many.out);
}

#[test]
fn reports_in_three_forms() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    for name in ["report.txt", "report.json", "report.html"] {
        let run = folder.run(&["protect", "letter.txt", "-o", "out.txt", "--force", "--report", name]);
        assert_eq!(run.code, 0, "{}", run.err);
        let report = folder.read(name);
        assert!(report.contains("EMAIL_ADDRESS"), "{name}");
        assert_eq!(report.contains("Linehan"), name == "report.html", "only the page shows the original");
        assert_eq!(report.contains("Confidential"), name == "report.html");
    }
    assert_eq!(folder.run(&["protect", "letter.txt", "--report", "report.pdf"]).code, 2);
}

#[test]
fn explains_detectors() {
    let folder = Folder::new();
    let run = folder.run(&["detectors"]);
    assert!(run.out.lines().count() > 40);
    for line in run.out.lines() {
        let name = line.split_whitespace().next().unwrap();
        let run = folder.run(&["explain", name]);
        assert_eq!(run.code, 0, "{name}");
        assert!(run.out.contains("## False positives"), "{name}");
    }
    let run = folder.run(&["explain", "ibna"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("hint"), "{}", run.err);
}

#[test]
fn makes_completions_and_a_manual_page() {
    let folder = Folder::new();
    assert!(folder.run(&["completions", "bash"]).out.contains("reticent"));
    assert!(folder.run(&["man"]).out.contains(".TH"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced_by_one() {
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::new();
    folder.write("letter.txt", "Write to ana@example.org.");
    let socket = folder.path("device");
    let _open = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let run = folder.run(&["protect", "letter.txt", "-o", "device"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(std::fs::metadata(&socket).unwrap().file_type().is_socket());
}
