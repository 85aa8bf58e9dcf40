//! Rows of JSONL, CSV and TSV: every field is examined, and one bad row does not spoil the others.

use serde_json::{Value, json};

use crate::common::{Folder, Run};

fn protect(folder: &Folder, name: &str, content: &str, more: &[&str]) -> Run {
    folder.write(name, content);
    let out = format!("out.{name}");
    let mut args = vec!["protect", "--preset", "basic", name, "-o", &out];
    args.extend(more);
    folder.run(&args)
}

/// The released rows.
fn rows(folder: &Folder, name: &str) -> Vec<Value> {
    folder.read(&format!("out.{name}")).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_field_is_examined_with_its_name_as_context() {
    let folder = Folder::new();
    let row = json!({
        "text": "Seen today.", "name": "ana ruiz", "author": { "email": "ana@example.org" },
        "visits": [{ "note": "Called John Smith." }], "ssn": 123_456_789, "phone": "5551234567",
    });
    let run = protect(&folder, "a.jsonl", &format!("{row}\n"), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let out = folder.read("out.a.jsonl");
    for leak in ["ana", "ruiz", "John", "Smith", "123456789", "5551234567"] {
        assert!(!out.contains(leak), "{leak} in {out}");
    }
    let row = &rows(&folder, "a.jsonl")[0];
    assert_eq!((&row["text"], &row["ssn"]), (&json!("Seen today."), &json!("[US_SSN]")));
    let run = folder.run(&["verify", "--preset", "basic", "out.a.jsonl"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn values_that_identify_nobody_stay() {
    let folder = Folder::new();
    let jsonl = concat!(
        r#"{"text":"Fine.","count":1234567,"score":0.8734,"ok":true,"none":null,"status":"Active","#,
        r#""code":"A1","kind":"discharge summary","tags":["urgent","en-US"],"n":{"total":42,"mean":-1e3}}"#,
        "\n"
    );
    let run = protect(&folder, "a.jsonl", jsonl, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let expected = jsonl.replace("}}\n", "},\"spans\":[],\"edits\":[]}\n");
    assert_eq!(folder.read("out.a.jsonl"), expected);
    let csv = "id,text,status,count\n7,Fine.,Active,1234567\n8,,\"PENDING\",0.5\n";
    let run = protect(&folder, "a.csv", csv, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.read("out.a.csv"), csv);
}

#[test]
fn kept_fields_stay_as_they_are() {
    let folder = Folder::new();
    let row = r#"{"id":"Ana Ruiz","text":"","author":{"name":"John Smith","team":"Maria Lopez"}}"#;
    let more = ["--id-field", "id", "--keep-field", "author.name"];
    let run = protect(&folder, "a.jsonl", &format!("{row}\n"), &more);
    assert_eq!(run.code, 0, "{}", run.err);
    let row = &rows(&folder, "a.jsonl")[0];
    assert_eq!((&row["id"], &row["author"]["name"]), (&json!("Ana Ruiz"), &json!("John Smith")));
    assert_ne!(row["author"]["team"], json!("Maria Lopez"));
}

#[test]
fn names_of_members_are_examined_and_stay_different() {
    let folder = Folder::new();
    let row = r#"{"scores":{"ana@example.org":5,"ben@example.org":"Ana Ruiz","total":11},"text":"ok"}"#;
    let run = protect(&folder, "a.jsonl", &format!("{row}\n"), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let out = folder.read("out.a.jsonl");
    assert!(!out.contains("example.org") && !out.contains("Ruiz"), "{out}");
    let scores = rows(&folder, "a.jsonl")[0]["scores"].as_object().unwrap().clone();
    assert_eq!(scores.len(), 3);
    assert_eq!((&scores["[EMAIL_ADDRESS]"], &scores["total"]), (&json!(5), &json!(11)));
}

#[test]
fn a_missing_default_text_field_is_no_error() {
    let folder = Folder::new();
    let run = protect(&folder, "a.csv", "who;note\nAna Ruiz;call 555-123-4567\n", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let out = folder.read("out.a.csv");
    assert!(out.starts_with("who;note\n") && !out.contains("Ruiz") && !out.contains("4567"), "{out}");
    let run = protect(&folder, "b.csv", "who;note\nAna Ruiz;x\n", &["--text-field", "text"]);
    assert_eq!(run.code, 2);
    assert!(!folder.path("out.b.csv").exists());
}

#[test]
fn the_field_of_the_subject_is_not_released() {
    let folder = Folder::new();
    let row = r#"{"entity":"Maria Quint","text":"Maria Quint lives in Cork."}"#;
    folder.write("a.jsonl", format!("{row}\n"));
    let args = ["protect", "a.jsonl", "--subject-field", "entity", "-o", "out.a.jsonl"];
    assert!(folder.run(&args).code < 2);
    let out = folder.read("out.a.jsonl");
    assert!(!out.contains("Quint"), "{out}");
    let released = &rows(&folder, "a.jsonl")[0];
    let entity = released["entity"].as_str().unwrap();
    assert!(!entity.is_empty() && released["text"].as_str().unwrap().contains(entity), "{out}");
    assert_eq!(folder.run(&["verify", "out.a.jsonl", "--subject-field", "entity"]).code, 0);
    assert_eq!(folder.run(&["verify", "a.jsonl", "--subject-field", "entity"]).code, 1);
    let kept = ["protect", "a.jsonl", "--subject-field", "entity", "--keep-field", "entity", "-o", "k.jsonl"];
    assert!(folder.run(&kept).code < 2);
    assert!(folder.read("k.jsonl").starts_with(r#"{"entity":"Maria Quint","text""#));
}

#[test]
fn rows_that_cannot_be_read_are_withheld_and_the_others_released() {
    let folder = Folder::new();
    let jsonl = "{\"text\":\"one\"}\n{\"text\":\"Ana Ru\n[1]\n{\"text\":\"\\ud800\"}\n{\"text\":\"two\"}\n";
    let run = protect(&folder, "a.jsonl", jsonl, &["--report", "report.json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err.contains("3 rows were withheld (malformed 3)") && !run.err.contains("Ana"),
        "{}",
        run.err
    );
    let rows = rows(&folder, "a.jsonl");
    assert_eq!((&rows[0]["text"], &rows[4]["text"]), (&json!("one"), &json!("two")));
    assert_eq!(rows[1..4], [(); 3].map(|()| json!({ "withheld": "malformed" })));
    let report: Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["withheld"][0], json!({ "file": "a.jsonl", "line": 2, "reason": "malformed" }));

    let run = protect(&folder, "a.csv", "id,text\n1,one\n2,Ana,Ruiz\n3,two\n", &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("line 3"), "{}", run.err);
    assert_eq!(folder.read("out.a.csv"), "id,text\n1,one\n,\n3,two\n");

    let run = protect(&folder, "b.csv", "id,text\n1,one\n2,\"Ana Ruiz\n3,two\n", &[]);
    assert_eq!(run.code, 2, "no later line can be trusted: {}", run.err);
    assert!(!folder.path("out.b.csv").exists());
}

#[test]
fn a_row_that_fails_is_withheld_without_anything_that_was_examined() {
    let folder = Folder::new();
    // The name of a subject without any letters is refused.
    let rows_in = concat!(
        r#"{"id":1,"who":"--","name":"Ana Ruiz","n":5551234567,"k":{"John Smith":"x"},"keep":"Bo","text":"Hi Ana"}"#,
        "\n",
        r#"{"id":2,"who":"Maria Quint","text":"Maria Quint came."}"#,
        "\n"
    );
    let more = ["--subject-field", "who", "--id-field", "id", "--keep-field", "keep", "--report", "r.json"];
    let run = protect(&folder, "a.jsonl", rows_in, &more);
    assert_eq!(run.code, 1, "{}", run.err);
    let rows = rows(&folder, "a.jsonl");
    let expected = json!({
        "id": 1, "who": "", "name": "", "n": null, "k": { "": "" }, "keep": "Bo", "text": "",
        "spans": [], "edits": [], "withheld": "subject",
    });
    assert_eq!(rows[0], expected);
    assert!(rows[1].get("withheld").is_none() && !rows[1]["text"].as_str().unwrap().contains("Quint"));
    let report: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(report["withheld"][0]["reason"], "subject");
}

#[test]
fn a_row_without_the_subject_that_alone_is_protected_is_withheld() {
    let folder = Folder::new();
    let rows =
        "{\"text\": \"Ana Ruiz left Leeds.\"}\n{\"text\": \"Ana Ruiz left.\", \"who\": \"Ana Ruiz\"}\n";
    folder.write("a.jsonl", rows);
    let run = folder.run(&["protect", "a.jsonl", "--subject-field", "who", "-o", "out.jsonl"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let out = folder.read("out.jsonl");
    assert!(
        !out.contains("Ruiz")
            && out.contains("\"withheld\":\"subject\"") | out.contains("\"withheld\": \"subject\""),
        "{out}"
    );
    let run = folder.run(&["protect", "a.jsonl", "--subject-field", "who", "--preset", "basic"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn an_identifier_in_the_name_of_a_column_is_refused() {
    let folder = Folder::new();
    let run = protect(&folder, "a.csv", "text,ana@example.org\nok,1\n", &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("column 2") && !run.err.contains("ana@"), "{}", run.err);
    assert!(!folder.path("out.a.csv").exists());
    let run = folder.run(&["verify", "--preset", "basic", "a.csv"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let run = protect(&folder, "b.csv", "text,E-mail,Date of Birth,2024-01-05\nok,,,1\n", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn detect_lists_all_fields_and_goes_on_after_a_bad_row() {
    let folder = Folder::new();
    folder
        .write("a.jsonl", "{\"text\":\"Hi John Smith\",\"to\":\"ana@example.org\"}\n{\n{\"text\":\"ok\"}\n");
    let run = folder.run(&["detect", "--preset", "basic", "a.jsonl"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0]["spans"], json!([[3, 13, "PERSON"]]));
    assert_eq!(rows[0]["field_spans"], json!([[0, 15, "EMAIL_ADDRESS", "to"]]));
    assert_eq!(rows[0]["to"], "ana@example.org", "nothing is changed");
    assert_eq!((&rows[1]["withheld"], &rows[2]["spans"]), (&json!("malformed"), &json!([])));
}

#[test]
fn verify_examines_all_fields() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"text\":\"ok\",\"to\":{\"mail\":\"ana@example.org\"}}\n");
    let run = folder.run(&["verify", "--preset", "basic", "a.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("`to.mail`:0-15") && !run.out.contains("ana@"), "{}", run.out);
    let run = folder.run(&["verify", "--preset", "basic", "a.jsonl", "--keep-field", "to"]);
    assert_eq!(run.code, 0, "{}", run.out);
}

#[test]
fn a_kept_word_does_not_keep_the_same_word_of_a_name() {
    let folder = Folder::new();
    let row = r#"{"text":"Mr F. Zimmermann - Lawyer practising in Cork. A lawyer came.","role":"Lawyer"}"#;
    let run = protect(&folder, "a.jsonl", &format!("{row}\n"), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!folder.read("out.a.jsonl").contains("Zimmermann"));
}
