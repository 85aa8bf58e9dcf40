//! `reticent table protect`, `verify` and `sweep`.

use crate::common::Folder;

const TABLE: &str = "\
name,age,city,ill,note
Ana Ruiz,31,Lyon,flu,I live in Lyon. Write to ana.ruiz@example.org.
Ben Oder,34,Paris,cold,I moved to Paris.
Cid Lund,61,Bonn,flu,\"Ana Ruiz, a teacher, lives next door.\"
Dora Hein,66,Kiel,cold,I am 66 years old.
";

const SCHEMA: &str = r#"
columns = [
  { name = "name", role = "identifier", entities = ["PERSON"] },
  { name = "age", role = "quasi-identifier", kind = "number", entities = ["AGE"] },
  { name = "city", role = "quasi-identifier", entities = ["LOCATION"] },
  { name = "ill", role = "sensitive" },
  { name = "note", role = "text" },
]
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", TABLE);
    folder.write("reticent-table.toml", SCHEMA);
    folder
}

#[test]
fn protects_and_counts_on_the_file() {
    let folder = folder();
    let run =
        folder.run(&["table", "protect", "data.csv", "--k", "2", "-o", "out.csv", "--report", "out.html"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("2 classes, the smallest of 2 persons"), "{}", run.err);
    let out = folder.read("out.csv");
    assert!(out.starts_with("name,age,city,ill,note\n"), "{out}");
    for secret in ["Ruiz", "ana.ruiz", "Lyon.", "moved to Paris", "am 66", "34,"] {
        assert!(!out.contains(secret), "{secret} in {out}");
    }
    assert!(out.contains("[31-34],\"(Lyon,Paris)\",flu,"), "{out}");
    assert!(out.contains("61 to 66 years old"), "{out}");
    assert!(folder.read("out.html").contains("<table>"));
    let run = folder.run(&["table", "verify", "out.csv", "--k", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("k = 2: 2 classes of 4 persons\n"), "{}", run.out);
    let run = folder.run(&["table", "verify", "out.csv", "--k", "3", "--json"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("2 classes have fewer than 3 persons"), "{}", run.err);
    assert!(run.out.contains("\"k\": 2"), "{}", run.out);
}

#[test]
fn other_models_and_wordings() {
    let folder = folder();
    let run = folder.run(&[
        "table",
        "protect",
        "data.csv",
        "--k",
        "2",
        "-l",
        "2",
        "-t",
        "0.5",
        "--wording",
        "paper",
        "-o",
        "-",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("I am [61-66] years old."), "{}", run.out);
    let run =
        folder.run(&["table", "protect", "data.csv", "--k", "2", "--identifiers", "remove", "-o", "out.tsv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("out.tsv").starts_with("age\tcity\till\tnote\n"));
    let run = folder.run(&["table", "verify", "out.tsv", "--k", "2"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(
        run.err.contains("the identifier was removed") && run.err.contains("--rows-are-persons"),
        "{}",
        run.err
    );
    for more in [&["--rows-are-persons"][..], &["--most-rows", "1"]] {
        let run = folder.run(&[&["table", "verify", "out.tsv", "--k", "2"], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
    }
    // Of two rows, both may be one person's.
    let run = folder.run(&["table", "verify", "out.tsv", "--k", "2", "--most-rows", "2"]);
    assert_eq!(run.code, 1, "{}", run.out);
    folder.write("stated.toml", format!("{SCHEMA}[protect]\nmost_rows = 1\nidentifiers = \"remove\"\n"));
    let stated = ["-s", "stated.toml", "--k", "2"];
    let run = folder.run(&[&["table", "protect", "data.csv", "-o", "stated.csv"][..], &stated].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run(&[&["table", "verify", "stated.csv"][..], &stated].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    folder.write("twice.csv", format!("{TABLE}Ana Ruiz,31,Lyon,flu,Again.\n"));
    let run = folder.run(&[&["table", "protect", "twice.csv", "-o", "twice.out.csv"][..], &stated].concat());
    assert!(run.code == 2 && run.err.contains("most_rows = 1"), "{}", run.err);
    assert!(!folder.path("twice.out.csv").exists());
    let run = folder.run(&["table", "sweep", "data.csv", "--k", "2", "--lambda", "0,1", "--gdf"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("lambda 1") && run.out.contains("GDF"), "{}", run.out);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_goes_in_and_out() {
    let folder = folder();
    let run = folder.run(&["table", "protect", "data.csv", "--k", "1", "-o", "own.parquet", "--force"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run(&["table", "protect", "own.parquet", "--k", "2", "-o", "out.parquet"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let bytes = std::fs::read(folder.path("out.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1"));
    let run = folder.run(&["table", "verify", "out.parquet", "--k", "2"]);
    assert_eq!((run.code, run.out.lines().next()), (0, Some("k = 2: 2 classes of 4 persons")), "{}", run.err);
    let run = folder.run(&["table", "verify", "own.parquet", "--k", "2"]);
    assert_eq!(run.code, 1, "{}", run.out);
}

#[test]
fn tables_released_together_are_counted_together() {
    let folder = folder();
    folder.write("visits.csv", "name,ward\nAna Ruiz,A\nAna Ruiz,B\nBen Oder,A\nCid Lund,C\nDora Hein,C\n");
    folder.write(
        "both.toml",
        SCHEMA.replace(
            "{ name = \"ill\"",
            "{ name = \"ward\", role = \"quasi-identifier\" },\n  { name = \"ill\"",
        ),
    );
    let run = folder.run(&[
        "table",
        "protect",
        "data.csv",
        "visits.csv",
        "-s",
        "both.toml",
        "--k",
        "2",
        "-o",
        "out",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let visits = folder.read("out/visits.csv");
    assert_eq!(visits.matches(",\"(A,B)\"\n").count(), 3, "{visits}");
    // Persons are numbered in the order of what they say, in all tables alike.
    let numbers = |name: &str| -> Vec<String> {
        let table = folder.read(name);
        table.lines().skip(1).filter_map(|line| Some(line.split_once(',')?.0.to_owned())).collect()
    };
    assert_eq!(numbers("out/data.csv"), ["1", "2", "3", "4"]);
    assert!(numbers("out/visits.csv").is_sorted() && visits.lines().count() == 6, "{visits}");
    let run =
        folder.run(&["table", "verify", "out/data.csv", "out/visits.csv", "-s", "both.toml", "--k", "2"]);
    assert_eq!((run.code, run.out.lines().next()), (0, Some("k = 2: 2 classes of 4 persons")), "{}", run.err);
    let run = folder.run(&["table", "verify", "out/data.csv", "-s", "both.toml", "--k", "2"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("no column `ward`"), "{}", run.err);
}

#[test]
fn a_population_is_counted_by_both() {
    let folder = folder();
    folder.write("all.csv", "age,city\n31,Lyon\n33,Lyon\n34,Paris\n61,Bonn\n66,Kiel\n62,Bonn\n");
    let population = ["--population", "all.csv", "--k-map", "3"];
    let run = folder
        .run(&[&["table", "protect", "data.csv", "--k", "2", "-o", "out.csv"][..], &population].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("every class matches at least 3 of 6 persons of the population"), "{}", run.err);
    let run = folder.run(&[&["table", "verify", "out.csv", "--k", "2"][..], &population].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("journalist's risk 0.3333"), "{}", run.out);
    let run = folder.run(&["table", "verify", "out.csv", "--population", "all.csv", "--k-map", "4"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("a class matches 3 persons of the population, fewer than 4"), "{}", run.err);
    let run = folder.run(&["table", "protect", "data.csv", "--k", "2", "--relaxed", "-o", "relaxed.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.run(&["table", "verify", "relaxed.csv", "--k", "2"]).code, 0);
}

#[test]
fn the_example_is_what_is_released() {
    let folder = Folder::new();
    let example = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/table").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    for name in ["visits.csv", "reticent-table.toml"] {
        folder.write(name, example(name));
    }
    let run = folder.run(&["table", "protect", "visits.csv", "-o", "released.csv", "--report", "report.txt"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.read("released.csv"), example("released.csv"));
    assert!(folder.read("report.txt").contains("texts withheld   0 in `note`"));
    let run = folder.run(&["table", "verify", "released.csv"]);
    assert_eq!(
        (run.code, run.out.lines().next()),
        (0, Some("k = 3: 7 classes of 24 persons")),
        "{}",
        run.err
    );
}

#[test]
fn verify_tells_what_survives() {
    let folder = folder();
    let out = "name,age,city,ill,note\n1,[31-34],\"(Lyon,Paris)\",flu,I love Lyon.\n2,[31-34],\"(Lyon,Paris)\",cold,I am 31 years old.\n";
    folder.write("out.csv", out);
    let run = folder.run(&["table", "verify", "out.csv", "--k", "1"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("row 1: a value of `city` survives in `note`"), "{}", run.out);
    assert!(run.out.contains("row 2: a value of `age` survives in `note`"), "{}", run.out);
}

#[test]
fn writes_nothing_if_it_cannot_be_done() {
    let folder = folder();
    folder.write(
        "both.toml",
        SCHEMA.replace(
            "{ name = \"ill\"",
            "{ name = \"name\", role = \"quasi-identifier\" },\n  { name = \"ill\"",
        ),
    );
    folder.write("number.csv", TABLE.replace("34", "thirty"));
    folder
        .write("empty.csv", TABLE.replace("31", "").replace("34", "").replace("61", "").replace("66,", ","));
    folder.write("short.csv", "name,age,city,ill\nAna,31,Lyon,flu\nBen,34,Paris,cold\n");
    for (args, expected) in [
        (&["data.csv", "--k", "5"][..], "the table has 4 persons, fewer than the 5 required in a class"),
        (&["data.csv"], "no privacy model is specified"),
        (&["number.csv", "--k", "2"], "number.csv: row 2, column `age`: the value is not a number"),
        (&["empty.csv", "--k", "2"], "the column `age` has no value in any row"),
        (&["short.csv", "--k", "2"], "the table has no column `note`, which the schema declares as a text"),
        (&["data.csv", "--k", "2", "-s", "both.toml"], "an identifier and a quasi-identifier at once"),
        (&["data.csv", "--k", "2", "-l", "3"], "does not satisfy distinct 3-diversity of `ill`"),
        (&["data.csv", "--k", "2", "--lambda", "2"], "`lambda` must be between 0 and 1"),
    ] {
        let args: Vec<&str> =
            ["table", "protect"].iter().chain(args).chain(&["-o", "out.csv"]).copied().collect();
        let run = folder.run(&args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
        assert!(!folder.names().contains(&"out.csv".to_owned()));
    }
}

/// Informal posts are read otherwise once words of them changed, so that persons of a class seemed to differ.
#[test]
fn small_classes_of_posts_are_reached() {
    let Some(root) = crate::reference::shared() else { return };
    let folder = Folder::new();
    let posts = root.join("data/rx/personal-posts.csv");
    let posts = posts.to_str().unwrap();
    assert_eq!(folder.run(&["table", "schema", posts, "-o", "posts.toml"]).code, 0);
    for lambda in ["0", "0.5", "1"] {
        let asked = ["-s", "posts.toml", "--k", "2"];
        let run = folder.run(
            &[&["table", "protect", posts, "--lambda", lambda, "-o", "out.csv", "--force"], &asked[..]]
                .concat(),
        );
        assert_eq!(run.code, 0, "lambda {lambda}: {}", run.err);
        let run = folder.run(&[&["table", "verify", "out.csv"], &asked[..]].concat());
        assert_eq!(run.code, 0, "lambda {lambda}: {}", run.out);
    }
}
