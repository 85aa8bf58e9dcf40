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
    reference_lines(root, args).swap_remove(0)
}

/// All lines of the scorer.
fn reference_lines(root: &Path, args: &[&str]) -> Vec<Value> {
    let run = Command::new("python3").arg(root.join("tools/score.py")).args(args).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    parse(std::str::from_utf8(&run.stdout).unwrap())
}

/// Our first line.
fn ours(folder: &Folder, args: &[&str]) -> Value {
    ours_lines(folder, args).swap_remove(0)
}

/// All our lines.
fn ours_lines(folder: &Folder, args: &[&str]) -> Vec<Value> {
    let run = folder.run(&[args, &["--json"]].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    parse(&run.out)
}

fn parse(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Compares both scorers, the order of names included.
fn agree(root: &Path, folder: &Folder, args: &[&str]) {
    let ours = match args[0] {
        "ranks" => ours_lines(folder, &[&["attack", "--ranks"], &args[1..]].concat()),
        _ => ours_lines(folder, &[&["evaluate"], args].concat()),
    };
    let expected = reference_lines(root, args);
    assert_eq!(ours, expected, "{args:?}");
    let written = |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>();
    assert_eq!(written(&ours), written(&expected), "{args:?}");
}

/// A release of a data set by masked spans, with the text that comes of it.
fn released(rows: &[Value], edits: impl Fn(&Value) -> Vec<(usize, usize, String)>) -> String {
    let row = |row: &Value| {
        let text: Vec<char> = row["text"].as_str().unwrap().chars().collect();
        let (mut out, mut at, mut kept) = (String::new(), 0, Vec::new());
        let mut edits = edits(row);
        edits.sort();
        for (start, end, replacement) in edits {
            if start >= at {
                out.extend(&text[at..start]);
                out += &replacement;
                at = end;
                kept.push(json!({"start": start, "end": end, "replacement": replacement}));
            }
        }
        out.extend(&text[at..]);
        json!({"id": row["id"], "entity": row["entity"], "text": out, "edits": kept})
    };
    jsonl(&rows.iter().map(row).collect::<Vec<_>>())
}

/// Spans in a field of a row, with a replacement that says their number.
fn masked(
    row: &Value,
    field: &str,
    replacement: impl Fn(usize, &Value) -> String,
) -> Vec<(usize, usize, String)> {
    let spans = row[field].as_array().into_iter().flatten().enumerate();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    spans.map(|(at, span)| (number(&span[0]), number(&span[1]), replacement(at, span))).collect()
}

/// Our own release of a data set.
fn protect(folder: &Folder, input: &str, more: &[&str]) {
    let args = ["protect", input, "-o", "own.jsonl", "--id-field", "id"];
    let run = folder.run(&[&args[..], more].concat());
    assert!(run.code < 2, "{}", run.err);
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

/// The originals, masks by hand as labels and as bracketed words, masks of tools, and our own release.
#[test]
fn ranks_agree() {
    let Some(root) = shared() else { return };
    for set in ["wikipeople", "courtpeople"] {
        let folder = Folder::new();
        let data = |name: &str| root.join("data").join(set).join(name).to_str().unwrap().to_owned();
        let (background, dev) = (data("background.jsonl.gz"), data("dev.jsonl.gz"));
        let rows = lines(Path::new(&dev));
        agree(&root, &folder, &["ranks", &background, &dev]);
        let labels = released(&rows, |row| masked(row, "spans", |at, _| format!("[MASKED {at}]")));
        let labels = folder.write("labels.jsonl", labels);
        agree(&root, &folder, &["ranks", &background, labels.to_str().unwrap()]);
        let words = released(&rows, |row| {
            masked(row, "spans", |at, _| ["█", "[sic]", "***", "X"][at % 4].to_owned())
        });
        let words = folder.write("words.jsonl", words.replace("\"text\"", "\"out\""));
        agree(&root, &folder, &["ranks", &background, words.to_str().unwrap(), "--field", "out"]);
        let tool = rows[0]["baselines"].as_object().unwrap().keys().next().unwrap().clone();
        let by_tool = released(&rows, |row| {
            masked(&row["baselines"], &tool, |_, span| span[2].as_str().unwrap_or("[MASKED]").to_owned())
        });
        let by_tool = folder.write("tool.jsonl", by_tool);
        agree(&root, &folder, &["ranks", &background, by_tool.to_str().unwrap()]);
        // Nothing is left: all candidates are equal.
        let nothing = json!({"entity": rows[0]["entity"], "text": "[PERSON 1]"}).to_string();
        let nothing = folder.write("nothing.jsonl", nothing);
        agree(&root, &folder, &["ranks", &background, nothing.to_str().unwrap()]);
        protect(&folder, &dev, &["--subject-field", "entity", "--keep-field", "entity"]);
        let own = folder.path("own.jsonl");
        agree(&root, &folder, &["ranks", &background, own.to_str().unwrap()]);
    }
}

#[test]
fn people_agree() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let gold = root.join("data/manypeople/dev.jsonl.gz").to_str().unwrap().to_owned();
    let rows = lines(Path::new(&gold));
    agree(&root, &folder, &["people", &gold, &gold]);
    agree(&root, &folder, &["people", &gold, &gold, "--certainty", "1"]);
    // Every other document without some of its words, in upper case, or with bracketed ones.
    let odd = rows.iter().enumerate().filter(|(at, _)| at % 5 != 4).map(|(at, row)| {
        let words = row["text"].as_str().unwrap().split(' ').enumerate();
        let text: Vec<String> = words
            .map(|(place, word)| match (at + place) % 7 {
                0 => "[NAME 1]".to_owned(),
                1 => word.to_uppercase(),
                2 => format!("[{}]", word.to_uppercase()),
                3 => format!("x{word}y"),
                _ => word.to_owned(),
            })
            .collect();
        json!({"id": row["id"], "masked": text.join(" ")})
    });
    let odd = folder.write("odd.jsonl", jsonl(&odd.collect::<Vec<_>>()));
    for certainty in ["3", "5"] {
        let odd = odd.to_str().unwrap();
        agree(&root, &folder, &["people", &gold, odd, "--field", "masked", "--certainty", certainty]);
    }
    protect(&folder, &gold, &[]);
    agree(&root, &folder, &["people", &gold, folder.path("own.jsonl").to_str().unwrap()]);
}

#[test]
fn rungs_agree() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let gold = root.join("data/wikipeople/dev.jsonl.gz").to_str().unwrap().to_owned();
    let rows = lines(Path::new(&gold));
    let check = |release: &str| {
        let path = folder.write("released.jsonl", release);
        agree(&root, &folder, &["rungs", &gold, path.to_str().unwrap()]);
    };
    agree(&root, &folder, &["rungs", &gold, &gold]);
    let wording = |row: &Value, field: &str, at: usize| {
        let mentions = row[field].as_object().unwrap().iter().enumerate();
        let edit = mentions.filter_map(|(number, (span, list))| {
            let (start, end) = span.split_once('-').unwrap();
            let list = list.as_array()?;
            let one = list.get(at.wrapping_add(number) % list.len().max(1))?.as_str()?;
            let said = match number % 5 {
                0 => format!("the {one}"),
                1 => format!("[{}]", one.to_uppercase()),
                2 => format!("{one}s"),
                _ => one.to_owned(),
            };
            Some((start.parse().unwrap(), end.parse().unwrap(), said))
        });
        edit.collect::<Vec<(usize, usize, String)>>()
    };
    for at in 0..3 {
        check(&released(&rows, |row| wording(row, "generalizations", at)));
        check(&released(&rows, |row| wording(row, "offered", at)));
    }
    let tools = rows[0]["baselines"].as_object().unwrap();
    for tool in tools.keys().take(3) {
        check(&released(&rows[3..], |row| {
            masked(&row["baselines"], tool, |at, _| ["[DATE]", "", "X", "1950s"][at % 4].to_owned())
        }));
    }
    protect(&folder, &gold, &["--subject-field", "entity", "--keep-field", "entity"]);
    agree(&root, &folder, &["rungs", &gold, folder.path("own.jsonl").to_str().unwrap()]);
}

#[test]
fn genres_agree() {
    let Some(root) = shared() else { return };
    for file in ["dev", "train-health", "train-law-work", "train-people"] {
        let folder = Folder::new();
        let gold = root.join(format!("data/genres/{file}.jsonl")).to_str().unwrap().to_owned();
        let rows = lines(Path::new(&gold));
        let check = |release: &str| {
            let path = folder.write("released.jsonl", release);
            agree(&root, &folder, &["genres", &gold, path.to_str().unwrap()]);
            agree(&root, &folder, &["genres", &gold, path.to_str().unwrap(), "--by-genre"]);
        };
        // Each kind of span masked; the acceptable wordings, said otherwise; some documents are missing.
        for kind in ["direct", "disclosive", "harmless", "others"] {
            check(&released(&rows, |row| {
                masked(row, kind, |at, _| ["[NAME 1]", "", "[sic], [X].", "not any"][at % 4].to_owned())
            }));
        }
        check(&released(&rows[2..], |row| {
            let say = |at: usize, span: &Value| {
                let wordings = row["say"][format!("{}-{}", span[0], span[1])].as_array();
                let one = wordings.and_then(|all| all.get(at % all.len())).and_then(Value::as_str);
                let one = one.unwrap_or("[DETAIL]");
                match at % 3 {
                    0 => one.to_uppercase(),
                    1 => format!("the  {one}."),
                    _ => one.to_owned(),
                }
            };
            masked(row, "disclosive", say)
        }));
        // Edits that begin and end within words and cross the borders of spans; one text that its edits do not give.
        let crossing = released(&rows, |row| {
            let length = row["text"].as_str().unwrap().chars().count();
            (0..length / 37)
                .map(|at| (at * 37 + 5, at * 37 + 5 + at % 29, "never the cannot n't".to_owned()))
                .collect()
        });
        check(&crossing.replacen("\"text\":\"", "\"text\":\"x", 1));
        protect(&folder, &gold, &["--subject-field", "entity", "--keep-field", "entity"]);
        agree(&root, &folder, &["genres", &gold, folder.path("own.jsonl").to_str().unwrap(), "--by-genre"]);
    }
}

/// Odd scripts and signs, in all new measures: what counts as a word, a digit, a letter of either case, or white space.
#[test]
fn odd_texts_agree() {
    let Some(root) = shared() else { return };
    let folder = Folder::new();
    let pieces = [
        "no",
        "NOT",
        "fırst",
        "İ",
        "ſ",
        "suſpected",
        "cannot",
        "isn’t",
        "n't",
        "No. 12",
        "no\u{1c}#9",
        "[X]",
        "[NAME 1]",
        "***",
        "██",
        "straße",
        "STRASSE",
        "ﬁrm",
        "é",
        "e\u{301}",
        "ΟΔΟΣ",
        "ς",
        "①",
        "❶",
        "٣",
        "²",
        "½",
        "ǅ",
        "Ꭰ",
        "a_b",
        "the",
        "a",
        "of",
        "1950s",
        "date in the",
        "\u{85}",
        "\u{1f}",
        "\u{a0}",
        "日本",
        "हिन्दी",
        "😀",
        "'",
        "’",
        ".",
        ",",
        "-",
    ];
    let mut state = 11_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let (mut gold, mut release, mut public) = (Vec::new(), Vec::new(), Vec::new());
    for id in 0..300 {
        let mut words = |most: usize| {
            let count = 1 + random(most);
            (0..count)
                .map(|_| pieces[random(pieces.len())].to_owned() + ["", " ", " "][random(3)])
                .collect::<String>()
        };
        let (text, other) = (words(20), words(20));
        let values: Vec<String> = (0..4).map(|_| words(2)).collect();
        let says: Vec<String> = (0..6).map(|_| words(3)).collect();
        let length = text.chars().count();
        let mut spans = |count: usize| -> Vec<[usize; 2]> {
            let mut cuts: Vec<usize> = (0..2 * count).map(|_| random(length + 1)).collect();
            cuts.sort_unstable();
            cuts.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
        };
        let (marks, cuts) = (spans(8), spans(3));
        let part = |kind: usize| -> Vec<[usize; 2]> { marks.iter().skip(kind).step_by(4).copied().collect() };
        let say = |list: &[[usize; 2]]| -> Value {
            list.iter().map(|span| (format!("{}-{}", span[0], span[1]), json!(says[..3]))).collect()
        };
        let kinds = ["NAME", "X_NUMBER", "EMAIL_ADDRESS", "AGE"];
        let attributes: Vec<Value> =
            (0..4).map(|at| json!({"type": kinds[at], "value": values[at], "certainty": at + 1})).collect();
        gold.push(json!({
            "id": id, "genre": "odd", "text": text, "direct": part(0), "disclosive": part(1), "harmless": part(2),
            "others": part(3), "say": say(&part(1)), "people": [{"attributes": attributes}],
            "generalizations": say(&marks), "offered": say(&marks),
        }));
        let edits: Vec<Value> = cuts
            .iter()
            .enumerate()
            .map(|(at, span)| json!({"start": span[0], "end": span[1], "replacement": says[at + id % 4]}))
            .collect();
        release.push(json!({"id": id, "entity": id.to_string(), "text": other, "edits": edits}));
        public.push(json!({"entity": id.to_string(), "text": text}));
    }
    let write = |name: &str, rows: &[Value]| folder.write(name, jsonl(rows)).to_str().unwrap().to_owned();
    let (gold, release, public) =
        (write("gold.jsonl", &gold), write("release.jsonl", &release), write("public.jsonl", &public));
    agree(&root, &folder, &["genres", &gold, &release]);
    agree(&root, &folder, &["people", &gold, &release, "--certainty", "1"]);
    agree(&root, &folder, &["rungs", &gold, &release]);
    agree(&root, &folder, &["ranks", &public, &release]);
}
