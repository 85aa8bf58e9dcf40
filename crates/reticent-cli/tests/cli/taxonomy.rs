//! `reticent taxonomy`, as a user would call it.

use crate::common::Folder;
use serde_json::Value;

#[test]
fn shows_a_ladder() {
    let folder = Folder::new();
    let run = folder.run(&["taxonomy", "ladder", "metastatic breast cancer"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("known as breast cancer") && run.out.contains("bits"), "{}", run.out);
    let run = folder.run(&["taxonomy", "ladder", "--json", "Boston", "Tom Cruise"]);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0]["rungs"][0]["text"], "Massachusetts");
    assert_eq!(rows[0]["rungs"][0]["kind"], "hypernym");
    assert_eq!(rows[1]["rungs"].as_array().unwrap().len(), 1);
    assert_eq!(rows[1]["rungs"][0]["kind"], "root");
}

#[test]
fn imports_and_asks_the_users_first() {
    let folder = Folder::new();
    folder.write("jobs.csv", "child,parent,label\nj1,j0,teacher\nj0,,employee\n");
    let run = folder.run(&["taxonomy", "import", "jobs.csv", "-o", "jobs.taxonomy"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("2 concepts"), "{}", run.err);
    let run = folder.run(&["taxonomy", "ladder", "teacher", "--json", "--taxonomy", "jobs.taxonomy"]);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&row["rungs"][0]["text"], &row["rungs"][0]["taxonomy"]),
        (&"employee".into(), &"jobs".into())
    );
    let run = folder.run(&["taxonomy", "show", "jobs.taxonomy", "teacher"]);
    assert!(run.out.contains("broader: employee"), "{}", run.out);
    let run = folder.run(&["taxonomy", "show", "jobs.taxonomy"]);
    assert!(run.out.contains("concepts  2") && run.out.contains("depth     1"), "{}", run.out);
}

#[test]
fn shows_what_ships() {
    let folder = Folder::new();
    for name in ["wordnet", "places", "nationalities"] {
        assert_eq!(folder.run(&["taxonomy", "show", name]).code, 0);
    }
    let run = folder.run(&["taxonomy", "show", "wordnet", "actress", "--json"]);
    let row: Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    assert_eq!(row["broader"][0], "actor");
}

#[test]
fn refuses_bad_files_in_plain_words() {
    let folder = Folder::new();
    folder.write("cycle.csv", "child,parent\na,b\nb,a\n");
    folder.write("empty.obo", "");
    folder.write("odd.bin", "nothing that we know");
    folder.write("links.obo", "[Term]\nid: a\nname: a\nis_a: missing\n");
    for (file, said) in [
        ("cycle.csv", "cycle.csv: the taxonomy has a cycle: a < b < a"),
        ("empty.obo", "empty.obo: the file is empty"),
        ("odd.bin", "hint:"),
        ("missing.csv", "missing.csv"),
    ] {
        let run = folder.run(&["taxonomy", "import", file, "-o", "out.taxonomy"]);
        assert_eq!(run.code, 2, "{file}");
        assert!(run.err.contains(said), "{file}: {}", run.err);
        assert!(!folder.path("out.taxonomy").exists());
    }
    let run = folder.run(&["taxonomy", "import", "links.obo", "-o", "out.taxonomy"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("1 links"), "{}", run.err);
    let run = folder.run(&["taxonomy", "ladder", "x", "--taxonomy", "cycle.csv"]);
    assert!(
        run.code == 2 && run.err.contains("cycle.csv: the file is not a reticent taxonomy"),
        "{}",
        run.err
    );
}
