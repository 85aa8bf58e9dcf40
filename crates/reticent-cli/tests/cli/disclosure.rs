//! What counts in a corpus tell, from the command line.

use crate::common::Folder;

const LETTER: &str = "The patient has HIV. He takes antiretroviral drugs every month.\n";

/// A folder with an index of texts about viruses and about other things.
fn folder() -> Folder {
    let folder = Folder::new();
    let kinds = [
        ("The HIV is a virus. Antiretroviral drugs treat HIV.", 8),
        ("A virus such as influenza causes fever.", 20),
        ("The patient came back after a month and saw the provider.", 30),
    ];
    let texts = kinds.iter().flat_map(|(text, many)| std::iter::repeat_n(text, *many)).enumerate();
    let rows: Vec<String> = texts
        .map(|(at, text)| serde_json::json!({ "id": format!("d{at}"), "text": text }).to_string() + "\n")
        .collect();
    folder.write("corpus.jsonl", rows.concat());
    folder.write("letter.txt", LETTER);
    let run = folder.run(&["index", "build", "corpus.jsonl", "-o", "k.idx", "--language", "en"]);
    assert_eq!(run.code, 0, "{}", run.err);
    folder
}

const HIV: [&str; 6] = ["--protect", "HIV", "--at-most", "virus", "--index", "k.idx"];

#[test]
fn what_tells_too_much_goes_and_the_rest_stays() {
    let folder = folder();
    for terms in ["1", "2"] {
        let options =
            [&["protect", "letter.txt", "-o", "out.txt", "--force", "--max-terms", terms], &HIV[..]].concat();
        let run = folder.run(&options);
        assert_eq!(run.code, 0, "{}", run.err);
        let out = folder.read("out.txt");
        for gone in ["HIV", "antiretroviral", "drugs"] {
            assert!(!out.contains(gone), "{gone}: {out}");
        }
        for stays in ["The patient has a virus", "every month"] {
            assert!(out.contains(stays), "{stays}: {out}");
        }
        let run = folder.run(&[&["verify", "out.txt", "--max-terms", terms], &HIV[..]].concat());
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(run.out.contains("highest remaining disclosure"), "{}", run.out);
    }
    let run = folder.run(&[&["verify", "letter.txt", "--json"], &HIV[..]].concat());
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("\"verdict\":\"violated\""), "{}", run.out);
}

#[test]
fn what_is_unknown_is_not_called_safe() {
    let folder = folder();
    folder.write("odd.txt", "The patient saw the zoologist.\n");
    let run = folder.run(&[&["verify", "odd.txt"], &HIV[..]].concat());
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("unknown to the corpus") && !run.out.contains(": safe"), "{}", run.out);
}

#[test]
fn a_term_is_explained() {
    let folder = folder();
    let run = folder.run(&[&["explain", "antiretroviral drugs"], &HIV[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("too high"), "{}", run.out);
    let run = folder.run(&[&["explain", "month", "--json"], &HIV[..]].concat());
    assert!(run.out.contains("\"risky\":false"), "{}", run.out);
}

#[test]
fn bad_input_releases_nothing() {
    let folder = folder();
    folder.write(
        "carta.txt",
        "El paciente tiene el virus de la inmunodeficiencia y toma su medicina todos los meses.\n",
    );
    let cases: [(&[&str], &str); 5] = [
        (
            &["letter.txt", "--protect", "poliovirus", "--at-most", "virus", "--index", "k.idx"],
            "does not occur in the index",
        ),
        (&["letter.txt", "--protect", "HIV", "--at-most", "bacterium", "--index", "k.idx"], "generalization"),
        (&["letter.txt", "--protect", "HIV", "--at-most", "virus"], "index"),
        (&["carta.txt", "--protect", "HIV", "--at-most", "virus", "--index", "k.idx"], "language"),
        (&["letter.txt", "--protect", "HIV", "--index", "k.idx", "--max-terms", "9"], "max_terms"),
    ];
    for (options, what) in cases {
        let before = folder.names();
        let run = folder.run(&[&["protect"], options].concat());
        assert_eq!(run.code, 2, "{options:?}: {}", run.out);
        assert!(run.out.is_empty() && run.err.contains(what), "{options:?}: {}", run.err);
        let run = folder.run(&[&["protect"], options, &["-o", "out.txt"]].concat());
        assert_eq!((run.code, folder.names()), (2, before), "{options:?}: nothing is written: {}", run.err);
        for word in ["paciente", "inmunodeficiencia", "antiretroviral", "month"] {
            assert!(!run.err.contains(word), "{options:?} tells of the text: {}", run.err);
        }
    }
}

#[test]
fn what_cannot_be_counted_is_not_verified() {
    let folder = folder();
    folder.write("carta.txt", "El paciente volvió después de un mes y habló con el médico de la clínica.\n");
    let run = folder.run(&[&["verify", "carta.txt"], &HIV[..]].concat());
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("language"), "{}", run.err);
    let options = ["verify", "letter.txt", "--protect", "HIV", "--at-most", "bacterium", "--index", "k.idx"];
    let run = folder.run(&options);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("generalization") && !run.out.contains("safe"), "{}", run.err);
}

#[test]
fn a_word_put_back_is_found() {
    let folder = folder();
    let run = folder.run(&[&["protect", "letter.txt", "-o", "out.txt"], &HIV[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let released = folder.read("out.txt");
    let verify = |text: &str, options: &[&str]| {
        folder.write("tampered.txt", text);
        folder.run(&[&["verify", "tampered.txt"], &HIV[..], options].concat())
    };
    let run = verify(&released, &[]);
    assert_eq!(run.code, 0, "as it was released: {}{}", run.out, run.err);
    for (from, to) in [("a virus", "HIV"), ("every month", "antiretroviral drugs every month")] {
        let tampered = released.replacen(from, to, 1);
        assert_ne!(tampered, released, "{from} is not there");
        let run = verify(&tampered, &["--json"]);
        assert_eq!(run.code, 1, "{to}: {}", run.out);
        assert!(run.out.contains("\"verdict\":\"violated\""), "{to}: {}", run.out);
    }
    let run = verify(&released.replacen("every month", "each month", 1), &[]);
    assert_eq!(run.code, 0, "other words may change: {}{}", run.out, run.err);
}

#[test]
fn the_report_shows_what_is_told_against_what_may_be() {
    let folder = folder();
    let options = ["protect", "letter.txt", "-o", "out.txt", "--report", "report.html"];
    let run = folder.run(&[&options[..], &HIV[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let page = folder.read("report.html");
    assert!(
        page.contains("<h3>Disclosure in bits</h3>") && page.contains("<div class=\"bar\"><i style=\"width:")
    );
    let options = ["protect", "letter.txt", "-o", "plain.txt", "--report", "plain.html", "--preset", "basic"];
    let run = folder.run(&options);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        !folder.read("plain.html").contains("Disclosure in bits"),
        "there is nothing to draw without a corpus"
    );
}

#[test]
fn spans_that_do_not_belong_to_the_text_are_refused() {
    let folder = folder();
    let refused = |json: &str, inputs: &[&str], what: &str| {
        folder.write("presidio.json", json);
        let before = folder.names();
        let run = folder.run(&[&["protect"], inputs, &["--spans", "presidio.json", "-o", "out"]].concat());
        assert_eq!((run.code, folder.names()), (2, before), "{json}: {}{}", run.out, run.err);
        assert!(run.err.contains(what), "{json}: {}", run.err);
    };
    let whole = r#"{"entity_type": "DISEASE", "start": 16, "end": 19}"#;
    refused(&format!("[{whole}, {{\"start\": 1}}]"), &["letter.txt"], "presidio.json: result 2");
    refused(
        r#"[{"entity_type": "DISEASE", "start": 16, "end": 9999}]"#,
        &["letter.txt"],
        "lies outside the text",
    );
    folder.write("second.txt", LETTER);
    refused(&format!("[{whole}]"), &["letter.txt", "second.txt"], "do not name their document");
    folder.write("rows.jsonl", format!("{}\n", serde_json::json!({ "id": "a", "text": LETTER })));
    refused(&format!("[{whole}]"), &["rows.jsonl"], "do not name their document");
}

#[test]
fn another_tools_spans_are_taken_and_what_gives_them_away_is_found() {
    let folder = folder();
    folder.write("spans.jsonl", "{\"id\": \"a\", \"spans\": [[16, 19, \"DISEASE\"]]}\n");
    folder.write("rows.jsonl", format!("{}\n", serde_json::json!({ "id": "a", "text": LETTER })));
    let options = [
        "detect",
        "rows.jsonl",
        "--id-field",
        "id",
        "--spans",
        "spans.jsonl",
        "--index",
        "k.idx",
        "--correlated",
    ];
    let run = folder.run(&options);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("[16,19,\"DISEASE\"]"), "{}", run.out);
    let run = folder.run(&[&options[..], &["--max-terms", "2"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let presidio = r#"[{"entity_type": "DISEASE", "start": 16, "end": 19, "score": 0.85}]"#;
    folder.write("presidio.json", presidio);
    let run = folder.run(&["protect", "letter.txt", "--spans", "presidio.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out, LETTER.replace("HIV", "[DISEASE]"));
    folder.write("none.jsonl", "{\"id\": \"b\", \"spans\": []}\n");
    for verb in ["detect", "protect"] {
        let run = folder.run(&[verb, "rows.jsonl", "--id-field", "id", "--spans", "none.jsonl"]);
        assert_eq!(run.code, 1, "{verb}: {}", run.err);
        assert!(run.out.contains("\"withheld\":\"detector\""), "{verb}: {}", run.out);
        assert!(run.err.contains("no entry for this document"), "{verb}: {}", run.err);
    }
}

#[test]
fn something_is_said_where_nothing_broader_is_safe() {
    let folder = folder();
    folder.write("note.txt", "The patient with HIV was treated by antiretroviral drugs every month.\n");
    let run = folder.run(&[&["protect", "note.txt", "-o", "out.txt"], &HIV[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let out = folder.read("out.txt");
    assert!(out.contains("treated by things every month"), "{out}");
    // The corpus need not know the word.
    let run = folder.run(&[&["verify", "out.txt"], &HIV[..]].concat());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}
