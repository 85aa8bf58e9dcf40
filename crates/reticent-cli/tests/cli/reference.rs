//! The same figures as the project's reference scorer, digit by digit.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::Folder;

/// The scorer and the data, if they are there.
pub(crate) fn shared() -> Option<PathBuf> {
    reticent_testing::shared("data")?;
    let scorer = reticent_testing::shared("tools/score.py")?;
    if !Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success()) {
        reticent_testing::skip("python3");
        return None;
    }
    Some(scorer.ancestors().nth(2).unwrap().canonicalize().unwrap())
}

/// What the scorer says.
fn reference(root: &Path, args: &[&str]) -> Value {
    let run = Command::new("python3").arg(root.join("tools/score.py")).args(args).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

/// What we say: the first line.
fn ours(folder: &Folder, args: &[&str]) -> Value {
    let run = folder.run(&[args, &["--json"]].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    serde_json::from_str(run.out.lines().next().unwrap()).unwrap()
}

fn jsonl(rows: &[Value]) -> String {
    rows.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

fn lines(path: &Path) -> Vec<Value> {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    if path.extension().is_some_and(|ending| ending == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    } else {
        text = std::io::read_to_string(file).unwrap();
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn spans_agree() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let check = |gold: &Path, from: &Path, field: &str| {
        let gold = gold.to_str().unwrap();
        let spans = |row: &Value| field.split('.').fold(row, |value, name| &value[name]).clone();
        let rows = lines(from);
        let rows: Vec<Value> = rows.iter().map(|row| json!({"id": row["id"], "spans": spans(row)})).collect();
        let pred = folder.write("pred.jsonl", jsonl(&rows));
        let expected = reference(&root, &["spans", gold, pred.to_str().unwrap()]);
        assert_eq!(ours(&folder, &["evaluate", "spans", gold, "pred.jsonl"]), expected, "{field}");
        let by_field = ["evaluate", "spans", gold, from.to_str().unwrap(), "--pred-field", field];
        assert_eq!(ours(&folder, &by_field), expected, "{field}");
    };
    let actors = root.join("data/wikiactors");
    for field in ["ner3", "ner4", "ner7"] {
        check(&actors.join("gold-dev.jsonl"), &actors.join("ner-spans-dev.jsonl"), field);
    }
    let cases = root.join("data/tab/dev.jsonl.gz");
    for tool in ["presidio", "ner3", "ner4", "ner7", "spacy"] {
        check(&cases, &cases, &format!("baselines.{tool}"));
    }
}

/// Marks, signs and numbers of many scripts, spans that begin and end within words, empty spans, documents without
/// gold or without predictions.
#[test]
fn spans_agree_on_odd_texts() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let alphabet: Vec<char> = "ab Zé ñ_-’½²①Ⓐ‿e\u{301}\u{200d}हिन्दी日本ǅ٣😀\n\t.,ⅷﬁ".chars().collect();
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let (mut gold, mut pred) = (Vec::new(), Vec::new());
    for id in 0..300 {
        let length = random(40);
        let text: String = (0..length).map(|_| alphabet[random(alphabet.len())]).collect();
        let mut spans = || -> Vec<[usize; 2]> {
            let count = random(5);
            (0..count)
                .map(|_| (random(length + 1), random(length + 1)))
                .map(|(a, b)| [a.min(b), a.max(b)])
                .collect()
        };
        let (marked, found) = (spans(), spans());
        gold.push(json!({"id": id, "text": text, "spans": marked}));
        if id % 10 != 9 {
            pred.push(json!({"id": id, "spans": found}));
        }
    }
    let (gold, pred) = (folder.write("gold.jsonl", jsonl(&gold)), folder.write("pred.jsonl", jsonl(&pred)));
    let expected = reference(&root, &["spans", gold.to_str().unwrap(), pred.to_str().unwrap()]);
    assert_eq!(ours(&folder, &["evaluate", "spans", "gold.jsonl", "pred.jsonl"]), expected);
}

#[test]
fn brat_agrees() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let gold = root.join("data/meddocan/dev");
    // Predictions with mistakes: every third is gone, others are cut, named otherwise, or marked twice.
    for entry in std::fs::read_dir(&gold).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "ann") {
            continue;
        }
        let mut out: Vec<String> = Vec::new();
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let columns: Vec<&str> = line.split('\t').collect();
            let place: Vec<&str> = columns[1].split(' ').collect();
            let (start, end): (usize, usize) = (place[1].parse().unwrap(), place[2].parse().unwrap());
            out.push(match at % 7 {
                0 | 3 => continue,
                1 => format!("T{at}\tOTHER {start} {end}\t\n"),
                2 if end > start + 1 => format!("T{at}\t{} {start} {}\t\n", place[0], end - 1),
                _ => format!("{line}\n{line}\n"),
            });
        }
        folder.write(&format!("pred/{}", path.file_name().unwrap().to_str().unwrap()), out.concat());
    }
    let (gold, pred) = (gold.to_str().unwrap(), folder.path("pred"));
    let expected = reference(&root, &["brat", gold, pred.to_str().unwrap()]);
    assert_eq!(ours(&folder, &["evaluate", "brat", gold, "pred"]), expected);
}

#[test]
fn conll_agrees() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    for (file, kind) in
        [("ncbi-disease/devel.tsv", "Disease"), ("ner/wikigold.conll", "PER"), ("ner/btc-e.conll", "LOC")]
    {
        let gold = root.join("data").join(file);
        let text = std::fs::read_to_string(&gold).unwrap();
        let mut pred: Vec<String> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                pred.push("\n".to_owned());
                continue;
            }
            let tag = line.split_whitespace().last().unwrap();
            let tag = match at % 11 {
                3 => "O".to_owned(),
                5 => format!("B-{kind}"),
                8 => format!("I-{kind}"),
                _ => tag.to_owned(),
            };
            pred.push(format!("{line} {tag}\n"));
        }
        let pred = folder.write("pred.conll", pred.concat());
        let expected = reference(&root, &["conll", gold.to_str().unwrap(), pred.to_str().unwrap()]);
        assert_eq!(
            ours(&folder, &["evaluate", "conll", gold.to_str().unwrap(), "pred.conll"]),
            expected,
            "{file}"
        );
    }
}

#[test]
fn attacks_agree() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let (public, released) = (
        root.join("data/wikiactors/public-knowledge.jsonl.gz"),
        root.join("data/wikiactors/baselines-dev.jsonl"),
    );
    let (public, released) = (public.to_str().unwrap(), released.to_str().unwrap());
    for field in ["original", "presidio", "spacy", "word2vec_t=0.25", "manual"] {
        let expected = reference(&root, &["attack", public, released, "--field", field]);
        let found = ours(&folder, &["attack", public, released, "--field", field, "--summary"]);
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&found[name], value, "{field}: {name}");
        }
    }
    // Texts that tell nothing: all candidates are equal.
    let entity = lines(Path::new(released))[3]["entity"].clone();
    let nothing = folder.write("nothing.jsonl", json!({"entity": entity, "text": "qzxjwv"}).to_string());
    let expected = reference(&root, &["attack", public, nothing.to_str().unwrap()]);
    let found = ours(&folder, &["attack", public, "nothing.jsonl", "--summary"]);
    assert_eq!(
        (&found["median_rank"], &found["reidentified"]),
        (&expected["median_rank"], &expected["reidentified"])
    );
}

#[test]
fn utility_agrees() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let data = |name: &str| root.join("data").join(name).to_str().unwrap().to_owned();
    let corpora = format!("{},{}", data("corpora/brown.jsonl.gz"), data("corpora/movie-reviews.jsonl.gz"));
    let (gold, released) = (data("wikiactors/gold-dev.jsonl"), data("wikiactors/baselines-dev.jsonl"));
    for field in ["presidio", "manual"] {
        let expected = reference(&root, &["utility", &corpora, &gold, &released, "--field", field]);
        let found =
            ours(&folder, &["evaluate", "utility", &gold, &released, "--field", field, "--corpus", &corpora]);
        assert_eq!(found, expected, "{field}");
    }
    // Our own release, with edits and what they say instead.
    let run = folder.run(&["protect", &gold, "-o", "released.jsonl", "--id-field", "id"]);
    assert!(run.code < 2, "{}", run.err);
    let own = folder.path("released.jsonl");
    let expected = reference(&root, &["utility", &corpora, &gold, own.to_str().unwrap()]);
    assert!(expected["utility"].is_number());
    assert_eq!(
        ours(&folder, &["evaluate", "utility", &gold, "released.jsonl", "--corpus", &corpora]),
        expected
    );
}
