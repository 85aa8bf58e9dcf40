//! What counts in a corpus tell, from the command line.

use crate::common::Folder;

const LETTER: &str = "The patient has HIV. He takes antiretroviral drugs every month.\n";

/// A folder with an index of texts about viruses and about other things.
fn folder() -> Folder {
    let folder = Folder::new();
    let kinds = [
        ("The HIV is a virus. Antiretroviral drugs treat HIV.", 8),
        ("A virus such as influenza causes fever.", 20),
        ("The patient came back after a month, was treated by the provider and takes things.", 30),
        ("A virus: the patient was treated by the provider every month and takes something or things.", 30),
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
    assert!(run.out.contains("too little is known") && !run.out.contains(": safe"), "{}", run.out);
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

/// A folder with an index of rows, each so many times.
fn folder_of(kinds: &[(&str, usize)]) -> Folder {
    let folder = Folder::new();
    let texts = kinds.iter().flat_map(|(text, many)| std::iter::repeat_n(text, *many)).enumerate();
    let rows: Vec<String> = texts
        .map(|(at, text)| serde_json::json!({ "id": format!("d{at}"), "text": text }).to_string() + "\n")
        .collect();
    folder.write("corpus.jsonl", rows.concat());
    let run = folder.run(&["index", "build", "corpus.jsonl", "-o", "k.idx", "--language", "en"]);
    assert_eq!(run.code, 0, "{}", run.err);
    folder
}

/// What is released of a text, and the exit codes of `protect` and `verify`.
fn released(folder: &Folder, text: &str, options: &[&str]) -> (String, i32, i32) {
    folder.write("note.txt", text);
    let options = [options, &["--index", "k.idx"]].concat();
    let run = folder.run(&[&["protect", "note.txt", "-o", "out.txt", "--force"], &options[..]].concat());
    assert!(run.code < 2, "{text}: {}", run.err);
    let verified = folder.run(&[&["verify", "out.txt"], &options[..]].concat());
    (folder.read("out.txt"), run.code, verified.code)
}

#[test]
fn kinds_of_the_secret_are_the_secret() {
    let folder = folder_of(&[
        ("A sexually transmitted disease needs treatment at the clinic.", 20),
        ("Gonorrhea and chancroid need treatment at the clinic.", 4),
        ("Rheumatoid arthritis, osteoarthritis and gout are arthritis.", 8),
        ("Heroin and morphine relieve the pain.", 9),
        ("An opiate is a drug, and a drug is a substance.", 9),
        ("Havana is far away. Cuba is far away, and so is Paris.", 9),
        ("The doctor saw the patient with the drug at the clinic last year.", 80),
        ("The patient had a disease or a condition. The patient felt the pain.", 80),
    ]);
    for (secret, text, gone) in [
        (
            "sexually transmitted disease",
            "She had gonorrhea and chancroid last year.",
            &["gonorrhea", "chancroid"][..],
        ),
        ("sexually transmitted disease", "She had an STD last year.", &["STD"]),
        ("opiate", "The patient took heroin last year.", &["heroin"]),
        ("opiate", "Morphine relieved the pain.", &["orphine"]),
        ("arthritis", "The doctor saw the rheumatoid arthritis.", &["rheumatoid", "arthritis"]),
        ("arthritis", "The patient had osteoarthritis last year.", &["osteoarthritis"]),
        ("Cuba", "The patient came from Havana last year.", &["Havana"]),
    ] {
        let (out, protected, verified) = released(&folder, text, &["--protect", secret]);
        assert!(gone.iter().all(|word| !out.contains(word)), "{secret}: {out}");
        assert_eq!((protected, verified), (0, 0), "{secret}: {out}");
        // The original is not certified.
        folder.write("note.txt", text);
        let run = folder.run(&["verify", "note.txt", "--protect", secret, "--index", "k.idx"]);
        assert_eq!(run.code, 1, "{secret}: {}", run.out);
    }
}

#[test]
fn what_nearly_always_occurs_with_the_secret_is_the_secret_unless_declined() {
    let folder = folder_of(&[
        ("HIV leads to acquired immunodeficiency syndrome, called AIDS.", 12),
        ("AIDS and acquired immunodeficiency syndrome are in the news.", 5),
        ("HIV and seroconversion.", 9),
        ("HIV, a virus.", 9),
        ("Seroconversion is in the news.", 2),
        ("The zidovudine is a drug. HIV.", 9),
        ("A syndrome is in the news. The patient had a syndrome and a drug last year.", 90),
    ]);
    let hiv = ["--protect", "HIV"];
    for (text, gone) in [
        ("The patient had acquired immunodeficiency syndrome last year.", "immunodeficiency"),
        ("The patient had AIDS last year.", "AIDS"),
        ("The patient had seroconversion last year.", "seroconversion"),
        ("The patient had zidovudine last year.", "zidovudine"),
        ("The patient had the virus last year.", "virus"),
    ] {
        let (out, protected, verified) = released(&folder, text, &hiv);
        assert!(!out.contains(gone) && out.contains("last year"), "{out}");
        assert_eq!((protected, verified), (0, 0), "{out}");
    }
    // Declined, it is judged as published: AIDS also occurs without HIV.
    let (out, ..) =
        released(&folder, "The patient had AIDS last year.", &["--protect", "HIV", "--decline", "AIDS"]);
    assert!(out.contains("AIDS"), "{out}");
    let run = folder.run(&["explain", "AIDS", "--protect", "HIV", "--index", "k.idx"]);
    assert!(run.out.contains("hardly ever occurs without it"), "{}", run.out);
}

#[test]
fn a_bound_that_tells_more_than_the_secret_is_refused() {
    let folder = folder_of(&[
        ("HIV is an organism and a virus. An infection is a condition.", 6),
        ("HIV and a virus.", 6),
        ("The influenza is a virus of the flu. Asthma is a disease of the lung.", 30),
        ("Asthma is a respiratory disease.", 2),
        ("A microorganism and a virus. An infection is a condition, and a disease.", 40),
    ]);
    for (secret, most) in
        [("HIV", "organism"), ("asthma", "respiratory disease"), ("influenza", "respiratory disease")]
    {
        for kind in ["both", "standard", "contextual", "within"] {
            folder.write("note.txt", "The patient came.\n");
            let bound = [
                "--protect",
                secret,
                "--at-most",
                most,
                "--probabilities",
                kind,
                "--index",
                "k.idx",
                "--force-at-most",
            ];
            for verb in ["protect", "verify"] {
                let run = folder.run(&[&[verb, "note.txt"], &bound[..]].concat());
                assert_eq!(run.code, 2, "{secret}, {kind}: {}", run.out);
                assert!(run.err.contains("more informative"), "{secret}, {kind}: {}", run.err);
                assert!(run.err.contains("frequent enough"), "{secret}, {kind}: {}", run.err);
            }
        }
    }
    let run =
        folder.run(&["protect", "note.txt", "--protect", "HIV", "--at-most", "organism", "--index", "k.idx"]);
    assert!(run.err.contains("virus"), "what is valid is suggested: {}", run.err);
    for most in ["virus", "microorganism"] {
        let run =
            folder.run(&["protect", "note.txt", "--protect", "HIV", "--at-most", most, "--index", "k.idx"]);
        assert!(run.code < 2, "{most}: {}", run.err);
    }
}

#[test]
fn few_documents_are_no_evidence_of_safety() {
    // No document has the secret, the term and what may be told together.
    let folder = folder_of(&[
        ("Cuba is a country.", 6),
        ("Cuba and the Malecon.", 2),
        ("The cigar is from Cuba.", 3),
        ("The Malecon is a road.", 1),
        ("A mojito at the beach.", 2),
        ("A zarzuela and a guaguancó at night.", 1),
        ("The bolero is a dance of the night.", 3),
        ("The family went to the beach, to a country and by the road at night in March.", 60),
    ]);
    let cuba = ["--protect", "Cuba", "--at-most", "country"];
    for word in ["Malecon", "cigar", "mojito", "zarzuela", "bolero", "guaguancó"] {
        let text = format!("The family went to the {word} in March.\n");
        folder.write("note.txt", &text);
        let run = folder.run(&[&["verify", "note.txt", "--index", "k.idx"], &cuba[..]].concat());
        assert_eq!(run.code, 1, "{word}: {}", run.out);
        let (out, protected, verified) = released(&folder, &text, &cuba);
        assert!(!out.contains(word) && out.contains("March"), "{out}");
        assert_eq!((protected, verified), (0, 0), "{out}");
        // Kept, it is named and not called safe.
        let keep = [&cuba[..], &["--unknown-terms", "keep"]].concat();
        let (out, protected, verified) = released(&folder, &text, &keep);
        assert_eq!((protected, verified), if out.contains(word) { (1, 1) } else { (0, 0) }, "{word}: {out}");
    }
    // Well attested words stay.
    for word in ["beach", "road", "country"] {
        let (out, protected, verified) =
            released(&folder, &format!("The family went to the {word} in March.\n"), &cuba);
        assert!(out.contains(word), "{out}");
        assert_eq!((protected, verified), (0, 0), "{out}");
    }
}

#[test]
fn all_content_words_count() {
    let folder = folder_of(&[
        (
            "Depression: she feels sad, anxious and worthless, cannot sleep, and wants to hurt herself at 37 years.",
            9,
        ),
        ("Depression is a disorder. She takes 50 mg daily, wearily.", 9),
        ("A disorder of the skin. The skin itches badly. The patient came by bus, and later went home.", 90),
    ]);
    let sad = ["--protect", "depression", "--at-most", "disorder"];
    for (text, gone) in [
        (
            "She feels sad, anxious and worthless, cannot sleep and wants to hurt herself.",
            &["sad", "anxious", "worthless", "sleep", "hurt"][..],
        ),
        ("The patient came wearily.", &["wearily"]),
        ("The patient sleeps.", &["sleeps"]),
        ("The patient, worthless, went home.", &["worthless"]),
        ("The patient takes 50 mg of it.", &["50 mg"]),
        ("The patient wants to go home.", &["wants"]),
    ] {
        folder.write("note.txt", text);
        let run = folder.run(&[&["verify", "note.txt", "--index", "k.idx"], &sad[..]].concat());
        assert_eq!(run.code, 1, "{text}: {}", run.out);
        let (out, _, verified) = released(&folder, text, &sad);
        assert!(gone.iter().all(|word| !out.contains(word)), "{out}");
        assert_eq!(verified, 0, "{out}");
    }
    // Words without content are counted like others, and what is not counted is said.
    folder.write("note.txt", "The patient came home with something in 3 things.\n");
    let run = folder.run(&[&["verify", "note.txt", "--index", "k.idx"], &sad[..]].concat());
    assert_eq!(run.code, 1, "something and things are unknown to this corpus: {}", run.out);
    assert!(run.out.contains("not counted as terms: 3 function words"), "{}", run.out);
    let (out, protected, verified) = released(&folder, "The patient later went home by bus.\n", &sad);
    assert_eq!((out.as_str(), protected, verified), ("The patient later went home by bus.\n", 0, 0));
}

#[test]
fn too_many_unseen_pairs_are_not_called_safe() {
    let folder = folder_of(&[
        ("HIV is a virus.", 9),
        ("A virus and a fever.", 60),
        ("The patient saw the provider.", 60),
        ("A month later.", 60),
    ]);
    folder.write("note.txt", "The patient had a fever a month later.\n");
    let verify = |share: &str| {
        folder.write(
            "p.toml",
            format!("extends = \"disclosure\"\n[disclosure]\nmax_terms = 2\nmax_unseen = {share}\n"),
        );
        folder.run(&[
            "verify",
            "note.txt",
            "--policy",
            "p.toml",
            "--protect",
            "HIV",
            "--at-most",
            "virus",
            "--index",
            "k.idx",
        ])
    };
    let run = verify("0.1");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("unresolved") && run.out.contains("pairs never occur together"), "{}", run.out);
    let run = verify("0.95");
    assert_eq!(run.code, 0, "{}", run.out);
}

#[test]
fn masked_terms_that_the_corpus_does_not_know_are_reported() {
    let folder = folder();
    let detect = |spans: &str, text: &str| {
        folder.write("spans.jsonl", format!("{{\"id\": \"a\", \"spans\": {spans}}}\n"));
        folder.write("rows.jsonl", format!("{}\n", serde_json::json!({ "id": "a", "text": text })));
        folder.run(&[
            "protect",
            "rows.jsonl",
            "--id-field",
            "id",
            "--spans",
            "spans.jsonl",
            "--index",
            "k.idx",
            "--correlated",
        ])
    };
    for (text, spans) in [
        ("He has zoonosis.", "[[7, 15]]"),
        ("Ebolavirus and HIV.", "[[0, 10]]"),
        ("He has HIV and kuru.", "[[7, 10], [15, 19]]"),
        ("Tularemia.", "[[0, 9]]"),
        ("The xyzzy of HIV.", "[[4, 9]]"),
    ] {
        let run = detect(spans, text);
        assert_eq!(run.code, 1, "{text}: {}", run.err);
        assert!(
            run.err.contains("masked terms are unknown") || run.err.contains("could not be measured"),
            "{}",
            run.err
        );
    }
    assert_eq!(detect("[[16, 19]]", LETTER).code, 0);
    // By concept: the corpus knows it under another name.
    let run = detect("[[7, 35]]", "He has human immunodeficiency virus.");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn spans_belong_to_a_document_however_its_path_is_typed() {
    let folder = folder();
    folder.write("notes/letter.txt", LETTER);
    folder.write("notes/letter.ann", "T1\tDISEASE 16 19\tHIV\n");
    let absolute = folder.path("notes/letter.txt");
    let absolute = absolute.to_str().unwrap();
    for path in
        ["notes/letter.txt", "./notes/letter.txt", "notes/../notes/letter.txt", "notes//letter.txt", absolute]
    {
        for id in ["notes/letter.txt", "letter.txt", "./notes/letter.txt", "letter"] {
            folder
                .write("spans.jsonl", format!("{{\"id\": \"{id}\", \"spans\": [[16, 19, \"DISEASE\"]]}}\n"));
            let run = folder.run(&["protect", path, "--spans", "spans.jsonl"]);
            assert_eq!(
                (run.code, run.out.as_str()),
                (0, &*LETTER.replace("HIV", "[DISEASE]")),
                "{path} {id}: {}",
                run.err
            );
        }
        // brat, whose ids are names of files without their ending.
        let run = folder.run(&["protect", path, "--spans", "notes"]);
        assert_eq!(
            (run.code, run.out.as_str()),
            (0, &*LETTER.replace("HIV", "[DISEASE]")),
            "{path}: {}",
            run.err
        );
    }
    for ids in [["other.txt", "a/other"], ["a/letter.txt", "b/letter.txt"], ["letter.md", "letters"]] {
        let rows = ids.map(|id| format!("{{\"id\": \"{id}\", \"spans\": []}}\n"));
        folder.write("spans.jsonl", rows.concat());
        let run = folder.run(&["protect", "notes/letter.txt", "--spans", "spans.jsonl"]);
        assert_eq!(run.code, 2, "{ids:?}: {}", run.out);
    }
}

#[test]
fn combinations_name_their_partners() {
    let folder = folder_of(&[
        ("HIV is a virus. The needle had blood.", 6),
        ("HIV is a virus.", 6),
        ("The needle is at the clinic.", 150),
        ("The blood is at the clinic.", 150),
        ("A virus is at the clinic. The needle. A month.", 40),
        ("A virus is at the clinic. The blood. A month.", 40),
    ]);
    let hiv = [&HIV[..], &["--max-terms", "2"]].concat();
    folder.write("note.txt", "The needle had blood.\n");
    let run = folder.run(&[&["plan", "note.txt"], &hiv[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"with\": ["), "{}", run.out);
    let run = folder.run(&[&["explain", "needle", "--with", "blood"], &hiv[..]].concat());
    assert!(run.out.contains("needle with blood") && run.out.contains("too high"), "{}", run.out);
    let run = folder.run(&[&["explain", "needle"], &hiv[..]].concat());
    assert!(run.out.contains("allowed"), "{}", run.out);
    let options = ["protect", "note.txt", "-o", "out.txt", "--report", "report.html"];
    let run = folder.run(&[&options[..], &hiv[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("report.html").contains("with the term at byte"));
}
