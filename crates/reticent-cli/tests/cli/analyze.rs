//! `reticent analyze`.

use serde_json::Value;

use crate::common::Folder;

fn analyze(folder: &Folder, args: &[&str]) -> (String, i32) {
    let run = folder.run(&[&["analyze"], args].concat());
    (run.out, run.code)
}

#[test]
fn writes_conllu_and_json() {
    let folder = Folder::new();
    folder.write("note.txt", "He has never had a stroke.\n- no fever\n");
    let (conllu, code) = analyze(&folder, &["note.txt"]);
    assert_eq!(code, 0);
    assert_eq!(conllu.matches("# sent_id").count(), 3);
    let stroke = conllu.lines().find(|line| line.contains("\tstroke\t")).unwrap();
    assert!(stroke.contains("Polarity=Downward"), "{stroke}");
    let (json, code) = analyze(&folder, &["note.txt", "--format", "json"]);
    assert_eq!(code, 0);
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["operators"][0]["rule"], "never");
    assert_eq!(lines[1]["kind"], "marker");
    assert_eq!(lines[2]["words"][1]["polarity"], "downward");
    assert_eq!((lines[2]["start"].as_u64(), lines[2]["end"].as_u64()), (Some(29), Some(37)));
}

#[test]
fn refuses_what_it_cannot_parse() {
    let folder = Folder::new();
    folder.write("rows.csv", "a,b\n1,2\n");
    folder.write("note.txt", "Der Hund bellt.\n");
    for args in [&["rows.csv"][..], &["missing.txt"], &["note.txt", "--language", "de"]] {
        let (output, code) = analyze(&folder, args);
        assert_eq!((output.as_str(), code), ("", 2), "{args:?}");
    }
}
