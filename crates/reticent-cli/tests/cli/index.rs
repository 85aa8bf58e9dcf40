//! `reticent index`: built, added to, asked, and refused.

use std::io::Write;

use crate::common::Folder;

const ROWS: &str = concat!(
    "{\"id\": \"a\", \"text\": \"He got a blood transfusion during the influenza season.\"}\n",
    "{\"id\": \"b\", \"text\": \"Blood transfusions can transmit HIV, which is a virus.\"}\n",
    "{\"id\": \"c\", \"text\": \"HIV is a virus.\\n\\nInfluenza is another virus.\"}\n",
    "{\"id\": \"d\", \"text\": \"They were in the house with all of their friends.\"}\n",
);

fn built(args: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.write("rows.jsonl", ROWS);
    let run = folder.run(&[&["index", "build", "rows.jsonl", "-o", "k.idx"], args].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    folder
}

#[test]
fn counts_terms_and_conjunctions() {
    let folder = built(&[]);
    let ask = |args: &[&str]| folder.run(&[&["index", "count", "--index", "k.idx"], args].concat());
    assert_eq!(ask(&["blood transfusion"]).out, "2\n");
    assert_eq!(ask(&["the blood transfusions", "AND", "influenza"]).out, "1\n");
    assert_eq!(ask(&["malaria"]).out, "0\n");
    assert_eq!(ask(&["--without", "a", "blood transfusion"]).out, "1\n");
    let run = ask(&["..."]);
    assert_eq!((run.code, run.out.as_str()), (1, "unknown\n"));
    let run = ask(&["--json", "HIV"]);
    let row: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&row["count"], &row["bound"], &row["total"]), (&2.into(), &"exact".into(), &4.into()));
    for bad in [&["blood", "transfusion"][..], &["blood", "AND"], &["AND"], &["--without", "zz", "blood"]] {
        let run = ask(bad);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    }
    assert_eq!(ask(&[&"word ".repeat(2000)]).out, "0\n");
}

#[test]
fn tells_information() {
    let folder = built(&[]);
    let ask = |args: &[&str]| folder.run(&[&["index"], args].concat());
    assert_eq!(ask(&["ic", "--index", "k.idx", "HIV"]).out, "1.0000\n");
    assert_eq!(ask(&["ic", "--index", "k.idx", "HIV", "malaria"]).out, "1.0000\tHIV\nunknown\tmalaria\n");
    assert_eq!(ask(&["pmi", "--index", "k.idx", "HIV", "--", "blood transfusion"]).out, "0.0000\n");
    assert_eq!(ask(&["pmi", "--index", "k.idx", "HIV", "--", "blood transfusion", "virus"]).out, "1.0000\n");
    assert_eq!(ask(&["pmi", "--index", "k.idx", "HIV", "--", "friends"]).out, "-inf\n");
    assert_eq!(ask(&["pmi", "--index", "k.idx", "--context", "virus", "HIV", "--", "virus"]).out, "1.0000\n");
    let run = ask(&["pmi", "--index", "k.idx", "HIV", "--", "malaria"]);
    assert_eq!((run.code, run.out.as_str()), (1, "unknown\n"));
}

#[test]
fn word_frequencies_and_tables_answer_too() {
    let folder = Folder::new();
    folder.write("hits.tsv", "blood transfusion\t900\n");
    let run = folder.run(&["index", "count", "--hits", "hits.tsv", "--total", "1000", "Blood Transfusions"]);
    assert_eq!(run.out, "900\n", "{}", run.err);
    let run = folder.run(&["index", "count", "blood transfusion"]);
    assert!(run.code == 0 && run.out.starts_with("at most "), "{}", run.out);
    assert!(run.err.contains("word frequencies"));
    let run = folder.run(&["index", "count", "--hits", "hits.tsv", "--total", "10", "x"]);
    assert!(run.code == 2 && run.err.contains("hits.tsv") && run.err.contains("line 1"), "{}", run.err);
    let run = folder.run(&["index", "count", "--language", "es", "sangre"]);
    assert!(run.code == 0 && run.out.trim().parse::<u64>().is_ok(), "{}", run.err);
}

#[test]
fn a_search_engine_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    let run =
        folder.run(&["index", "count", "--engine", "http://127.0.0.1:1/a", "--timeout", "1", "secretword"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("search engine") && !run.err.contains("secretword"), "{}", run.err);
    let run = folder.run(&["index", "count", "--engine", "https://me:pass@host/a", "x"]);
    assert!(run.code == 2 && run.err.contains("RETICENT_ENGINE_AUTHORIZATION"), "{}", run.err);
}

#[test]
fn units_are_remembered() {
    let folder = built(&["--unit", "paragraph"]);
    let run = folder.run(&["index", "count", "--index", "k.idx", "HIV", "AND", "influenza"]);
    assert_eq!(run.out, "0\n");
    let run = folder.run(&["index", "show", "k.idx"]);
    assert!(
        run.out.contains("paragraphs      5\n") && run.out.contains("language        en\n"),
        "{}",
        run.out
    );
    assert_eq!(folder.run(&["index", "show", "k.idx", "--ids"]).out, "a\nb\nc\nd\n");
    let about: serde_json::Value =
        serde_json::from_str(&folder.run(&["index", "show", "k.idx", "--json"]).out).unwrap();
    assert_eq!((&about["documents"], &about["unit"]), (&4.into(), &"paragraph".into()));
}

#[test]
fn adding_gives_the_index_of_all() {
    let folder = built(&[]);
    folder.write("more.jsonl", "{\"id\": \"e\", \"text\": \"They were told that HIV is in the blood.\"}\n");
    let run = folder.run(&["index", "add", "k.idx", "more.jsonl", "-o", "both.idx"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        folder.run(&["index", "build", "rows.jsonl", "more.jsonl", "-o", "all.idx", "-j", "3"]).code,
        0
    );
    let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(read("both.idx") == read("all.idx"), "not the same bytes");
    assert_eq!(folder.run(&["index", "count", "--index", "both.idx", "HIV"]).out, "3\n");
    assert_eq!(folder.run(&["index", "count", "--index", "k.idx", "HIV"]).out, "2\n");
}

#[test]
fn reads_all_formats_and_gz() {
    let folder = Folder::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(ROWS.as_bytes()).unwrap();
    folder.write("in/rows.jsonl.gz", packed.finish().unwrap());
    folder.write("in/one.txt", "The blood transfusion was in the morning.");
    folder
        .write("in/deep/two.md", "# The *blood* transfusion\n\nThis is [a link](http://influenza.example).");
    folder.write("in/three.html", "<p>The <b>blood</b> transfusion</p><script>var influenza</script>");
    folder.write("in/four.csv", "name,text\nx,the blood transfusion\n");
    let letter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/letter.docx");
    std::fs::copy(letter, folder.path("in/letter.docx")).unwrap();
    let run = folder.run(&["index", "build", "in", "-o", "k.idx"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let count = |terms: &[&str]| folder.run(&[&["index", "count", "--index", "k.idx"], terms].concat()).out;
    assert_eq!(count(&["blood transfusion"]), "6\n");
    // Addresses and scripts are not what a reader sees.
    assert_eq!(count(&["influenza"]), "2\n");
    let ids = folder.run(&["index", "show", "k.idx", "--ids"]).out;
    assert!(ids.contains("letter.docx\n") && ids.contains("four.csv, line 2\n"), "{ids}");
    let run =
        folder.run_with(&["index", "build", "-", "-o", "stdin.idx"], b"Some words of text that were given.");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_row_without_the_field_is_named_and_the_others_go_on() {
    let folder = Folder::new();
    folder.write("rows.jsonl", format!("{ROWS}{{\"body\": \"secret\"}}\n{ROWS}"));
    let run = folder.run(&["index", "build", "rows.jsonl", "-o", "k.idx"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("rows.jsonl") && run.err.contains("line 5") && run.err.contains("text"),
        "{}",
        run.err
    );
    assert!(!run.err.contains("secret"));
    assert_eq!(folder.run(&["index", "count", "--index", "k.idx", "HIV"]).out, "4\n");
}

#[test]
fn an_empty_corpus_is_refused() {
    let folder = Folder::new();
    folder.write("empty.txt", " \n");
    folder.write("bad.txt", b"\x00\x01");
    for name in ["empty.txt", "bad.txt", "none.txt"] {
        let run = folder.run(&["index", "build", name, "-o", "k.idx"]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains("no text"), "{}", run.err);
    }
    assert_eq!(folder.names(), ["bad.txt", "empty.txt"], "nothing half-written");
}

#[test]
fn another_language_than_asked_for_is_told() {
    let folder = Folder::new();
    folder.write("rows.jsonl", ROWS);
    let run = folder.run(&["index", "build", "rows.jsonl", "-o", "k.idx", "--language", "es"]);
    assert_eq!(run.code, 0);
    assert!(
        run.err.contains("warning") && run.err.contains("`en`") && run.err.contains("`es`"),
        "{}",
        run.err
    );
    let run = folder.run(&["index", "build", "rows.jsonl", "-o", "k.idx", "--language", "fr"]);
    assert!(run.code == 2 && run.err.contains("`fr`"), "{}", run.err);
    let run = folder.run(&["index", "build", "rows.jsonl", "-o", "k.idx"]);
    assert!(!run.err.contains("warning"), "{}", run.err);
}

#[test]
fn a_damaged_or_newer_or_other_file_is_refused() {
    let folder = built(&[]);
    let good = std::fs::read(folder.path("k.idx")).unwrap();
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let mut newer = good.clone();
    newer[12] = 99;
    for (bytes, says) in [
        (damaged, "damaged"),
        (good[..good.len() - 5].to_vec(), "damaged"),
        (newer, "version 99"),
        (b"hello".to_vec(), "not a"),
        (Vec::new(), "not a"),
    ] {
        folder.write("bad.idx", bytes);
        for command in [&["index", "show", "bad.idx"][..], &["index", "count", "--index", "bad.idx", "HIV"]] {
            let run = folder.run(command);
            assert_eq!((run.code, run.out.as_str()), (2, ""));
            assert!(run.err.contains("bad.idx") && run.err.contains(says), "{}", run.err);
        }
    }
    let run = folder.run(&["index", "show", "none.idx"]);
    assert!(run.code == 2 && run.err.contains("none.idx"), "{}", run.err);
}
