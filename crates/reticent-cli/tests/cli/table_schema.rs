//! `reticent table schema`.

use crate::common::Folder;

const TABLE: &str = "id,age,text\n1,36,My name is Pedro and I am an engineer.\n2,24,I will start working for a big company.\n";

#[test]
fn proposes_a_schema_that_fits() {
    let folder = Folder::new();
    folder.write("data.csv", TABLE);
    let run = folder.run(&["table", "schema", "data.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains(
        "name = \"age\"\nrole = \"quasi-identifier\" # sure: its name contains `age`\nkind = \"number\"\n"
    ));
    assert!(run.err.contains("1 identifiers, 1 quasi-identifiers, 0 sensitive, 1 texts"), "{}", run.err);
    let run = folder.run(&["table", "schema", "data.csv", "-o", "reticent-table.toml"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    let run = folder.run(&["table", "schema", "data.csv", "--check", "reticent-table.toml"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.run_with(&["table", "schema", "-", "--input-format", "csv"], TABLE.as_bytes());
    assert_eq!(run.out, folder.read("reticent-table.toml"));
}

#[test]
fn overwrites_nothing_and_says_what_is_wrong() {
    let folder = Folder::new();
    folder.write("data.csv", TABLE);
    folder.write("ragged.csv", "a,b\n1,2\nsecret\n");
    folder.write("data.odt", TABLE);
    folder.write("mine.toml", "# edited");
    folder.write("slip.toml", "columns = [{ name = 'id', role = 'identifer' }]");
    folder.write(
        "levels.toml",
        "columns = [{ name = 'age', role = 'quasi-identifier', hierarchy = { file = 'no.csv' } }]",
    );
    folder.write("short.toml", "columns = [{ name = 'id', role = 'identifier' }, { name = 'age', role = 'quasi-identifier', kind = 'date' }, { name = 'text', role = 'text' }]");
    folder.write("rx.yaml", "attributes:\n  id:\n    anonymization_type: direct_identifier\n  note:\n    anonymization_type: text\n");
    for (args, expected) in [
        (&["data.csv", "-o", "mine.toml"][..], "mine.toml: the file already exists"),
        (&["none.csv"], "none.csv: cannot open"),
        (&["ragged.csv"], "ragged.csv: row 2 (line 3): the row has 1 values, but the table has 2 columns"),
        (&["data.odt"], "data.odt: unknown table format"),
        (&["data.csv", "--encoding", "klingon"], "unknown encoding"),
        (&["data.csv", "--check", "slip.toml"], "hint: did you mean `identifier`?"),
        (&["data.csv", "--check", "levels.toml"], "no.csv: cannot open"),
        (
            &["data.csv", "--check", "short.toml"],
            "data.csv: row 1, column `age`: the value is not a recognized date",
        ),
        (
            &["data.csv", "--check", "rx.yaml"],
            "data.csv: the table has no column `note`, which the schema declares as a text",
        ),
    ] {
        let args: Vec<&str> = ["table", "schema"].iter().chain(args).copied().collect();
        let run = folder.run(&args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
        assert!(!run.err.contains("secret"));
    }
    assert_eq!(folder.read("mine.toml"), "# edited");
}
