//! Measuring and attacking.

use serde_json::{Value, json};

use crate::common::{Folder, Run};

const GOLD: &str = r#"{"id": "a", "text": "Ana Ruiz left Metz in né.", "spans": [[0, 8, "PERSON"], [14, 18, "PLACE"]]}
{"id": "b", "text": "Nobody is here.", "spans": []}
"#;

fn lines(run: &Run) -> Vec<Value> {
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn spans_as_a_table_and_as_json() {
    let folder = Folder::new();
    folder.write("gold.jsonl", GOLD);
    folder.write(
        "pred.jsonl",
        "{\"id\":\"a\",\"edits\":[{\"start\":0,\"end\":8,\"type\":\"NAME\"}]}\n{\"id\":\"b\",\"spans\":[]}",
    );
    let table = folder.run(&["evaluate", "spans", "gold.jsonl", "pred.jsonl", "--types", "--documents"]);
    assert!(
        table.out.contains("2 documents") && table.out.contains("PLACE") && table.err.is_empty(),
        "{}",
        table.out
    );
    assert!(!table.out.contains("Ruiz"));
    let rows = lines(&folder.run(&[
        "evaluate",
        "spans",
        "gold.jsonl",
        "pred.jsonl",
        "--types",
        "--documents",
        "--json",
    ]));
    assert_eq!(rows[0]["entity_recall"], json!(0.75));
    assert_eq!(
        rows[2],
        json!({"type": "PERSON", "gold": 1, "recall": 1.0, "predicted": 0, "precision": null})
    );
    assert_eq!((rows.len(), &rows[4]["id"]), (6, &json!("a")));
}

#[test]
fn all_forms_of_the_same_marks_score_the_same() {
    let folder = Folder::new();
    let text = "Ana Ruiz left Metz";
    folder.write(
        "gold.jsonl",
        json!({"id": "a", "text": text, "spans": [[0, 8, "PER"], [14, 18, "LOC"]]}).to_string(),
    );
    folder.write("gold/a.txt", text);
    folder.write("gold/a.ann", "T1\tPER 0 8\tAna Ruiz\nT2\tLOC 14 18\tMetz\n");
    folder.write("pred/a.ann", "T1\tPER 0 3\tAna\nT2\tLOC 14 18\tMetz\n");
    folder.write("gold.conll", "Ana B-PER\nRuiz I-PER\nleft O\nMetz B-LOC\n");
    folder.write("pred.conll", "Ana B-PER\nRuiz O\nleft O\nMetz B-LOC\n");
    let mention = |start: usize, end: usize, kind: &str| json!({"entity_type": "X", "start_offset": start, "end_offset": end, "identifier_type": kind});
    let mentions = [mention(0, 8, "DIRECT"), mention(9, 13, "NO_MASK"), mention(14, 18, "QUASI")];
    let tab =
        json!([{"doc_id": "a", "text": text, "annotations": {"annotator1": {"entity_mentions": mentions}}}]);
    folder.write("gold.json", tab.to_string());
    folder.write("pred.json", "{\"a\": [[0, 3], [14, 18]]}");
    let score =
        |gold: &str, pred: &str| lines(&folder.run(&["evaluate", "spans", gold, pred, "--json"]))[0].clone();
    let first = score("gold", "pred");
    assert_eq!((&first["term_precision"], &first["entity_recall"]), (&json!(1.0), &json!(0.5)));
    for (gold, pred) in [
        ("gold.conll", "pred.conll"),
        ("gold.json", "pred.json"),
        ("gold.jsonl", "pred"),
        ("gold", "pred.json"),
    ] {
        assert_eq!(score(gold, pred), first, "{gold} {pred}");
    }
}

#[test]
fn a_document_without_predictions_is_told() {
    let folder = Folder::new();
    folder.write("gold.jsonl", GOLD);
    folder.write("pred.jsonl", "{\"id\":\"b\",\"spans\":[]}\n{\"id\":\"c\",\"spans\":[]}");
    let run = folder.run(&["evaluate", "spans", "gold.jsonl", "pred.jsonl", "--json"]);
    assert!(
        run.err.contains("1 of 2 gold documents")
            && run.err.contains("1 predicted documents are not in the gold"),
        "{}",
        run.err
    );
    assert_eq!(lines(&run)[0]["entity_recall"], json!(0.5));
    let run = folder.run(&["evaluate", "sweep", "gold.jsonl", "pred.jsonl"]);
    assert!(run.code == 0 && run.err.contains("1 of 2 gold documents"), "{}", run.err);
}

#[test]
fn bad_rows_are_refused_by_file_and_row_without_their_text() {
    let folder = Folder::new();
    folder.write("gold.jsonl", GOLD);
    folder.write("empty.jsonl", "");
    folder.write("gold/a.txt", "Ana");
    folder.write("gold/a.ann", "T1\tPER 0 99\tAna");
    folder.write("pred/a.ann", "");
    folder.write("conll.tsv", "Ruiz O\n");
    folder.write("other.tsv", "Ruiz O\nleft O\n");
    for (pred, says) in [
        (
            "{\"id\":\"a\",\"spans\":[[0,99]]}",
            "row 1 of the predictions: span 1 ends at 99, outside the text of 25",
        ),
        ("\n{\"id\":\"a\",\"spans\":[[8,0]]}", "pred.jsonl: row 2: span 1 ends at 0, before its start at 8"),
        (
            "{\"id\":\"a\",\"spans\":[[0.5,8]]}",
            "pred.jsonl: row 1: span 1 has no valid start and end (in code points)",
        ),
        ("{\"id\":\"Ruiz\",\"spans\":[]}", "the gold file and the predictions have no document in common"),
        ("Ruiz", "pred.jsonl: row 1: invalid JSON at column 1"),
        ("{\"id\":\"a\"}", "pred.jsonl: row 1: neither `spans` nor `edits` is a list"),
    ] {
        folder.write("pred.jsonl", pred);
        let run = folder.run(&["evaluate", "spans", "gold.jsonl", "pred.jsonl"]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(says) && !run.err.contains("Ruiz") && run.out.is_empty(), "{}", run.err);
    }
    for (args, says) in [
        (&["spans", "empty.jsonl", "pred.jsonl"][..], "neither `spans` nor"),
        (&["spans", "empty.jsonl", "gold.jsonl"], "the gold file has no documents"),
        (&["spans", "missing.jsonl", "gold.jsonl"], "missing.jsonl: cannot open"),
        (&["brat", "gold", "pred"], "a.ann: the annotation lies outside the text"),
        (&["brat", "pred", "gold"], "a.txt: cannot open"),
        (
            &["conll", "conll.tsv", "other.tsv"],
            "the tokens of the sentence ending on line 1 of the gold file differ",
        ),
        (&["conll", "empty.jsonl", "other.tsv"], "the gold file has no tokens"),
        (&["sweep", "gold.jsonl", "gold.jsonl"], "row 1 of the predictions: span 1 has no score"),
        (&["sweep", "gold.jsonl", "gold.jsonl", "--step", "0"], "has no score"),
        (&["utility", "gold.jsonl", "empty.jsonl"], "no row has a text in `text`"),
        (&["utility", "empty.jsonl", "gold.jsonl"], "there are no original documents"),
        (&["utility", "gold.jsonl", "gold.jsonl", "--corpus", "empty.jsonl"], "the corpus has no documents"),
        (
            &["utility", "gold.jsonl", "gold.jsonl", "--corpus", "conll.tsv"],
            "conll.tsv: row 1: not a JSON object",
        ),
        (&["frontier", "empty.jsonl"], "the input has no data points"),
        (&["frontier", "gold.jsonl"], "gold.jsonl: row 1: `series` is missing"),
    ] {
        let run = folder.run(&[&["evaluate"], args].concat());
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.err.contains(says) && !run.err.contains("Ruiz"), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_sweep_finds_the_best_threshold_and_draws_it() {
    let folder = Folder::new();
    folder.write("gold.jsonl", GOLD);
    folder.write("pred.jsonl", "{\"id\":\"a\",\"spans\":[[0,8,\"X\",0.7],[14,18,\"X\",0.4],[22,24,\"X\",0.1]]}\n{\"id\":\"b\",\"spans\":[]}");
    let args = ["evaluate", "sweep", "gold.jsonl", "pred.jsonl", "--plot", "sweep.svg", "--force"];
    let table = folder.run(&args);
    assert!(table.out.contains("best F1"), "{}", table.out);
    let rows = lines(
        &folder.run(&[&args[..], &["--json", "--from", "-0.1", "--to", "0.9", "--step", "0.1"]].concat()),
    );
    assert_eq!(rows.len(), 12);
    assert_eq!((&rows[11]["best_threshold"], &rows[11]["best_f1"]), (&json!(0.2), &json!(0.5)));
    let svg = folder.read("sweep.svg");
    assert!(svg.contains("threshold") && svg.contains("recall") && !svg.contains("Ruiz"));
}

#[test]
fn a_frontier_tells_who_is_beaten() {
    let folder = Folder::new();
    folder.write(
        "points.jsonl",
        "{\"series\":\"ours\",\"label\":\"t=0.3\",\"kept\":0.4,\"attack\":0.3}\n{\"series\":\"paper\",\"kept\":0.2,\"attack\":0.7}",
    );
    let rows = lines(&folder.run(&[
        "evaluate",
        "frontier",
        "points.jsonl",
        "--utility",
        "kept",
        "--plot",
        "f.svg",
        "--json",
    ]));
    assert_eq!((&rows[0]["beaten_by"], &rows[1]["beaten_by"]), (&json!([]), &json!(["ours"])));
    assert!(folder.read("f.svg").contains("t=0.3"));
}

#[test]
fn utility_by_words_and_by_terms() {
    let folder = Folder::new();
    folder.write("original.jsonl", "{\"id\":1,\"text\":\"Maria Sharapova is a tennis player.\"}");
    folder.write(
        "released.jsonl",
        "{\"id\":1,\"text\":\"[PERSON] is an athlete.\",\"edits\":[{\"start\":0,\"end\":15,\"replacement\":\"[PERSON]\"},{\"start\":19,\"end\":34,\"replacement\":\"an athlete\"}]}",
    );
    folder.write("corpus.jsonl", "{\"text\":\"an athlete\"}\n{\"text\":\"a tennis player\"}\n{\"text\":\"is\"}\n{\"text\":\"nothing\"}");
    let words = lines(&folder.run(&[
        "evaluate",
        "utility",
        "original.jsonl",
        "released.jsonl",
        "--corpus",
        "corpus.jsonl,corpus.jsonl",
        "--json",
    ]));
    assert_eq!(
        (&words[0]["kept"], words[0]["utility"].as_f64() > Some(0.1)),
        (&json!(0.0), true),
        "{words:?}"
    );
    folder.write("hits.tsv", "maria sharapova\t100\ntennis player\t1000\nathlete\t10000\n");
    let hits = [
        "evaluate",
        "utility",
        "original.jsonl",
        "released.jsonl",
        "--hits",
        "hits.tsv",
        "--total",
        "1000000",
        "--json",
        "--documents",
    ];
    let terms = lines(&folder.run(&hits));
    assert_eq!(
        (&terms[0]["suppression"], &terms[0]["masked"], &terms[0]["unknown"]),
        (&json!(0.0), &json!(2.0), &json!(0))
    );
    assert!(terms[0]["generalization"].as_f64() > Some(0.2) && terms[1]["row"] == json!(1), "{terms:?}");
    // Without any counts of the user's, those that ship answer.
    assert_eq!(folder.run(&["evaluate", "utility", "original.jsonl", "released.jsonl"]).code, 0);
}

const PUBLIC: &str = r#"{"entity": "Ana", "text": "She played the violin in Metz. The violin was old. Her violin concerts sold out."}
{"entity": "Ben", "text": "He baked bread in Cork. The bread was fresh. His bread sold out."}
"#;

#[test]
fn attacks_tell_what_gave_a_text_away() {
    let folder = Folder::new();
    folder.write("public.jsonl", PUBLIC);
    folder.write(
        "released.jsonl",
        "{\"entity\":\"Ana\",\"text\":\"PERSON liked her violin concerts.\"}\n{\"entity\":\"Ben\"}",
    );
    let text = folder.run(&["attack", "public.jsonl", "released.jsonl", "--method", "all"]);
    assert!(
        text.out.contains("1.0000 re-identified of 1 documents among 2 candidates")
            && text.out.contains("violin"),
        "{}",
        text.out
    );
    let rows = lines(&folder.run(&[
        "attack",
        "public.jsonl",
        "released.jsonl",
        "--method",
        "all",
        "--clues",
        "1",
        "--json",
    ]));
    let methods: Vec<&str> = rows.iter().filter_map(|row| row["method"].as_str()).collect();
    let each = ["tfidf", "words", "letters", "bm25", "classifier", "embedding"];
    assert_eq!(methods, each.map(|method| [method; 2]).concat());
    assert_eq!((&rows[1]["rank"], rows[1]["clues"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    assert_eq!(
        lines(&folder.run(&["attack", "public.jsonl", "released.jsonl", "--json", "--summary"])).len(),
        1
    );
}

#[test]
fn attacks_refuse_what_does_not_fit() {
    let folder = Folder::new();
    folder.write("public.jsonl", PUBLIC);
    folder.write("one.jsonl", "{\"entity\":\"Ana\",\"text\":\"x\"}");
    folder.write("empty.jsonl", "\n");
    folder.write(
        "stranger.jsonl",
        "{\"entity\":\"Ana\",\"text\":\"x\"}\n{\"entity\":\"Zoltan\",\"text\":\"Zoltan\"}",
    );
    for (args, says) in [
        (
            ["public.jsonl", "stranger.jsonl", "--field=text"],
            "stranger.jsonl: row 2: the entity of this row is not among the public candidates",
        ),
        (["public.jsonl", "one.jsonl", "--field=manual"], "one.jsonl: no row has a text in `manual`"),
        (["one.jsonl", "one.jsonl", "--field=text"], "one.jsonl: an attack needs at least two candidates"),
        (
            ["empty.jsonl", "one.jsonl", "--field=text"],
            "empty.jsonl: an attack needs at least two candidates",
        ),
        (["public.jsonl", "one.jsonl", "--vectors=one.jsonl"], ""),
    ] {
        let run = folder.run(&[&["attack"], &args[..]].concat());
        assert!(run.err.contains(says) && !run.err.contains("Zoltan"), "{args:?}: {}", run.err);
        assert_eq!(run.code, if says.is_empty() { 0 } else { 2 });
    }
    let run = folder.run(&[
        "attack",
        "public.jsonl",
        "one.jsonl",
        "--method",
        "embedding",
        "--vectors",
        "one.jsonl",
    ]);
    assert!(run.code == 2 && run.err.contains("one.jsonl"), "{}", run.err);
}

#[test]
fn ranks_compare_attacks() {
    let folder = Folder::new();
    folder.write("public.jsonl", PUBLIC);
    folder.write(
        "released.jsonl",
        "{\"entity\":\"Ana\",\"text\":\"violinists\"}\n{\"entity\":\"Ben\",\"text\":\"[BREAD 1] sic\"}",
    );
    let args = ["attack", "public.jsonl", "released.jsonl", "--ranks"];
    let rows = lines(&folder.run(&[&args[..], &["--json"]].concat()));
    let nothing = json!({"at1": 0.0, "at5": 1.0, "at10": 1.0, "median": 1.5});
    let letters = json!({"at1": 0.5, "at5": 1.0, "at10": 1.0, "median": 1.5});
    let expected = json!({"documents": 2, "candidates": 2, "words": nothing, "letters": letters, "bm25": nothing, "worst": 0.5});
    assert_eq!(rows, [expected]);
    let table = folder.run(&[&args[..], &["--method", "bm25,tfidf"]].concat());
    assert!(
        table.out.contains("tfidf") && table.out.contains("any") && !table.out.contains("letters"),
        "{}",
        table.out
    );
    assert_eq!(folder.run(&[&args[..], &["--summary"]].concat()).code, 2);
}

#[test]
fn releases_are_scored_as_tables_and_as_json() {
    let folder = Folder::new();
    let text = "Ana Ruiz was not ill.";
    let gold = json!({
        "id": 1, "genre": "note", "text": text, "direct": [[0, 8]], "disclosive": [], "harmless": [[13, 20]], "others": [],
        "people": [{"attributes": [{"type": "NAME", "value": "Ana Ruiz", "certainty": 4}]}],
        "generalizations": {"0-8": ["PERSON 1"]},
    });
    folder.write("gold.jsonl", format!("{gold}\n{}", gold.to_string().replace("\"id\":1", "\"id\":2")));
    let edits = json!([{"start": 0, "end": 8, "replacement": "[NAME]"}]);
    folder
        .write("released.jsonl", json!({"id": 1, "text": "[NAME] was not ill.", "edits": edits}).to_string());
    for (what, name, value) in [
        ("people", "collective", json!(1.0)),
        (
            "rungs",
            "all",
            json!({"mentions": 1, "same": 1.0, "label": 0.0, "above": 0.0, "below": 0.0, "other": 0.0, "kept": 0.0}),
        ),
        ("genres", "direct_recall", json!(0.5)),
    ] {
        let args = ["evaluate", what, "gold.jsonl", "released.jsonl"];
        let run = folder.run(&[&args[..], &["--json"]].concat());
        assert_eq!(lines(&run)[0][name], value, "{what}");
        assert!(run.err.contains("1 gold documents are not in released.jsonl"), "{}", run.err);
        let table = folder.run(&args);
        assert!(
            table.code == 0 && !table.out.contains("Ruiz") && table.out.contains("1.0000"),
            "{}",
            table.out
        );
        let other = folder.write("other.jsonl", "{\"id\":\"Ruiz\",\"text\":\"Ruiz\",\"edits\":[]}");
        let run = folder.run(&["evaluate", what, "gold.jsonl", other.to_str().unwrap()]);
        assert!(run.code == 2 && run.err.contains("no document in common"), "{}", run.err);
        assert!(!run.err.contains("Ruiz") && run.out.is_empty(), "{}", run.err);
    }
    let by_genre =
        folder.run(&["evaluate", "genres", "gold.jsonl", "released.jsonl", "--by-genre", "--json"]);
    assert_eq!(lines(&by_genre)[1]["genre"], json!("note"));
    let kept = folder.run(&["evaluate", "rungs", "gold.jsonl", "gold.jsonl", "--json"]);
    assert_eq!(lines(&kept)[0]["all"]["kept"], json!(1.0));
    assert!(kept.err.contains("2 documents of gold.jsonl have no `edits`"), "{}", kept.err);
}
