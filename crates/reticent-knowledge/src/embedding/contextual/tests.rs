//! On a tiny model that the tests write themselves, and on a real one where there is one.

use std::collections::HashMap;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::embedding::{Similarity, cosine};

const WORDS: [&str; 30] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "a", "bank", "river", "loan", "gave", "of", "was", "near",
    "old", "##ing", "##s", "play", "actor", "film", "in", "house", "doctor", "saw", "she", "he", ".", ",",
    "and", "red", "young",
];
const HIDDEN: usize = 8;
const POSITIONS: usize = 12;

fn settings() -> Value {
    json!({
        "model_type": "bert", "vocab_size": 30, "hidden_size": HIDDEN, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 16, "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
    })
}

/// Numbers as by chance, the same each time.
struct Chance(u64);

impl Chance {
    fn tensor(&mut self, shape: &[usize]) -> Tensor {
        let numbers: Vec<f32> = (0..shape.iter().product())
            .map(|_| {
                self.0 =
                    self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                #[allow(clippy::cast_possible_truncation)]
                let number = (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0;
                number
            })
            .collect();
        Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
    }
}

fn weights() -> HashMap<String, Tensor> {
    let mut chance = Chance(7);
    let mut all = HashMap::new();
    let mut add = |name: String, shape: &[usize]| {
        all.insert(name, chance.tensor(shape));
    };
    for (name, rows) in [("word", 30), ("position", POSITIONS), ("token_type", 2)] {
        add(format!("embeddings.{name}_embeddings.weight"), &[rows, HIDDEN]);
    }
    let mut layer = |name: &str, shape: &[usize]| {
        add(format!("{name}.weight"), shape);
        add(format!("{name}.bias"), &shape[..1]);
    };
    layer("embeddings.LayerNorm", &[HIDDEN]);
    for at in 0..2 {
        let at = |name: &str| format!("encoder.layer.{at}.{name}");
        for name in ["query", "key", "value"] {
            layer(&at(&format!("attention.self.{name}")), &[HIDDEN, HIDDEN]);
        }
        layer(&at("attention.output.dense"), &[HIDDEN, HIDDEN]);
        layer(&at("attention.output.LayerNorm"), &[HIDDEN]);
        layer(&at("intermediate.dense"), &[16, HIDDEN]);
        layer(&at("output.dense"), &[HIDDEN, 16]);
        layer(&at("output.LayerNorm"), &[HIDDEN]);
    }
    all
}

fn directory(weights: &HashMap<String, Tensor>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.json"), settings().to_string()).unwrap();
    std::fs::write(folder.path().join("vocab.txt"), WORDS.join("\n")).unwrap();
    candle_core::safetensors::save(weights, folder.path().join("model.safetensors")).unwrap();
    folder
}

fn tiny() -> ContextualVectors {
    ContextualVectors::open(directory(&weights()).path()).unwrap()
}

/// What the model itself says of these words between the marks.
fn states(words: &[&str]) -> Vec<Vec<f32>> {
    let config = config::read(settings().to_string().as_bytes()).unwrap();
    let model = Bert::load(&VarBuilder::from_tensors(weights(), DType::F32, &Device::Cpu), &config).unwrap();
    let all = [&["[CLS]"], words, &["[SEP]"]].concat();
    let id = |word: &&str| u32::try_from(WORDS.iter().position(|known| known == word).unwrap()).unwrap();
    let ids = Tensor::new(vec![all.iter().map(id).collect::<Vec<u32>>()], &Device::Cpu).unwrap();
    let used = Tensor::ones(ids.shape(), DType::F32, &Device::Cpu).unwrap();
    let states = model.states(&ids, &used).unwrap();
    states.get(0).unwrap().to_vec2().unwrap()
}

fn mean(rows: &[Vec<f32>]) -> Vec<f32> {
    (0..HIDDEN).map(|at| rows.iter().map(|row| row[at]).sum::<f32>() / rows.len() as f32).collect()
}

fn vector(lookup: &Lookup) -> &[f32] {
    match lookup {
        Lookup::Found(found) => &found.vector,
        Lookup::Unknown => panic!("unknown"),
    }
}

#[track_caller]
fn assert_alike(one: &[f32], other: &[f32]) {
    assert_eq!(one.len(), other.len());
    assert!(one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-5), "{one:?} {other:?}");
}

fn span(sentence: &str, term: &str) -> Span {
    let start = sentence.find(term).unwrap();
    Span::new(start, start + term.len())
}

fn how(lookup: &Lookup) -> &How {
    match lookup {
        Lookup::Found(found) => &found.how,
        Lookup::Unknown => panic!("unknown"),
    }
}

#[test]
fn a_term_is_the_mean_of_its_pieces() {
    let vectors = tiny();
    let sentence = "The old banking houses.";
    let states = states(&["the", "old", "bank", "##ing", "house", "##s", "."]);
    let found = vectors.lookup_in(sentence, span(sentence, "banking houses")).unwrap();
    assert_alike(vector(&found), &mean(&states[3..7]));
    assert_eq!(how(&found), &How::Context);
    let one = vectors.lookup_in(sentence, span(sentence, "old")).unwrap();
    assert_alike(vector(&one), &states[2]);
    assert_eq!((vectors.dimension(), vectors.name().as_str()), (HIDDEN, "BERT, 2 layers, 8 dimensions"));
}

#[test]
fn the_sentence_matters() {
    let vectors = tiny();
    let one = vectors.lookup_in("the bank of the river", Span::new(4, 8)).unwrap();
    let other = vectors.lookup_in("the bank gave a loan", Span::new(4, 8)).unwrap();
    let differs = vector(&one).iter().zip(vector(&other)).any(|(a, b)| (a - b).abs() > 1e-3);
    assert!(differs, "{:?} {:?}", vector(&one), vector(&other));
}

#[test]
fn a_term_alone_says_so() {
    let vectors = tiny();
    let alone = vectors.lookup("Banking").unwrap();
    assert_eq!(how(&alone), &How::Alone);
    assert_alike(vector(&alone), &mean(&states(&["bank", "##ing"])[1..3]));
}

#[test]
fn what_the_model_does_not_know_is_unknown() {
    let vectors = tiny();
    for term in ["", "  ", "zebra", "old zebra", "☃", &"x".repeat(10_000)] {
        assert!(vectors.lookup(term).unwrap().is_unknown(), "{term}");
    }
    let sentence = "the zebra saw a bank";
    let spans = [span(sentence, "zebra"), span(sentence, "bank"), Span::new(4, 4), Span::new(3, 4)];
    let found = vectors.vectors_in(&[(sentence, &spans)]).unwrap();
    assert_eq!(found[0].iter().map(Lookup::is_unknown).collect::<Vec<_>>(), [true, false, true, true]);
    let gloss = vectors.expand_from_gloss("zebra", "old zebra").unwrap();
    assert_eq!(how(&gloss), &How::Gloss);
    assert_alike(vector(&gloss), &states(&["old", "[UNK]"])[1]);
    assert!(vectors.expand_from_gloss("zebra", "zebra").unwrap().is_unknown());
}

#[test]
fn a_span_outside_is_an_error_without_text() {
    let error = tiny().lookup_in("the café", Span::new(4, 8)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    let error = tiny().lookup_in("the secret", Span::new(4, 80)).unwrap_err();
    assert!(!format!("{error} {error:?} {:?}", tiny()).contains("secret"));
}

#[test]
fn many_at_once_are_as_one_by_one() {
    let vectors = tiny();
    let long =
        "the old actor saw a film in the red house and a young doctor gave the river a loan. ".repeat(40);
    let texts =
        ["the bank", "a river near the old bank was red", &long, "", "she saw he saw she", "the film"];
    let spans: Vec<Vec<Span>> = texts
        .iter()
        .map(|text| {
            let starts = text.match_indices(' ').map(|(at, _)| at + 1).filter(|at| *at < text.len());
            starts.map(|at| Span::new(at, text[at..].find(' ').map_or(text.len(), |end| at + end))).collect()
        })
        .collect();
    let sentences: Vec<(&str, &[Span])> =
        texts.iter().zip(&spans).map(|(text, spans)| (*text, &spans[..])).collect();
    let all = vectors.vectors_in(&sentences).unwrap();
    assert_eq!(all, vectors.vectors_in(&sentences).unwrap(), "the same bits");
    assert_eq!(all.len(), texts.len());
    for ((text, spans), found) in sentences.iter().zip(&all) {
        assert_eq!(found.len(), spans.len());
        for (span, found) in spans.iter().zip(found) {
            assert_alike(vector(found), vector(&vectors.lookup_in(text, *span).unwrap()));
        }
    }
    assert!(vectors.vectors_in(&[]).unwrap().is_empty());
}

#[test]
fn long_sentences_are_cut_around_the_term() {
    let vectors = tiny();
    // Ten pieces fit: windows begin at 0, 5 and 10.
    let words: Vec<&str> =
        "the old actor saw a film in the red house and a young doctor gave the river a loan ."
            .split(' ')
            .collect();
    let sentence = words.join(" ");
    let young = vectors.lookup_in(&sentence, span(&sentence, "young doctor")).unwrap();
    let seen = states(&words[10..20]);
    assert_eq!(words.len(), 20);
    assert_alike(vector(&young), &mean(&seen[3..5]));
    let film = vectors.lookup_in(&sentence, span(&sentence, "red house")).unwrap();
    assert_alike(vector(&film), &mean(&states(&words[5..15])[4..6]));
    // A term that is longer than the model reads: each piece counts once.
    let whole = vectors.lookup(&sentence).unwrap();
    let parts: Vec<Vec<f32>> = [(0, 0..8), (5, 3..8), (10, 3..10)]
        .into_iter()
        .flat_map(|(start, rows)| {
            let states = states(&words[start..start + 10]);
            rows.map(move |row| states[row + 1].clone()).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(parts.len(), 20);
    assert_alike(vector(&whole), &mean(&parts));
}

#[test]
fn the_fingerprint_is_of_all_files() {
    let folder = directory(&weights());
    let print = || ContextualVectors::open(folder.path()).unwrap().fingerprint();
    let first = print();
    assert_eq!(first, print());
    std::fs::write(folder.path().join("README.md"), "of no matter").unwrap();
    assert_eq!(first, print());
    std::fs::write(folder.path().join("vocab.txt"), WORDS.join("\n").replace("young", "small")).unwrap();
    let second = print();
    std::fs::write(folder.path().join("tokenizer_config.json"), r#"{"do_lower_case": false}"#).unwrap();
    let third = print();
    let mut other = weights();
    other.insert("embeddings.LayerNorm.bias".to_owned(), Chance(8).tensor(&[HIDDEN]));
    candle_core::safetensors::save(&other, folder.path().join("model.safetensors")).unwrap();
    assert!(first != second && second != third && third != print());
}

#[test]
fn reads_the_names_of_a_model_with_a_head() {
    let named = weights().into_iter().map(|(name, tensor)| (format!("bert.{name}"), tensor)).collect();
    let vectors = ContextualVectors::open(directory(&named).path()).unwrap();
    assert_eq!(vectors.lookup("bank").unwrap(), tiny().lookup("bank").unwrap());
    let old = weights().into_iter().map(|(name, tensor)| {
        (
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"),
            tensor,
        )
    });
    let vectors = ContextualVectors::open(directory(&old.collect()).path()).unwrap();
    assert_eq!(vectors.lookup("bank").unwrap(), tiny().lookup("bank").unwrap());
}

fn fails(folder: &Path, name: &str, bytes: Option<&[u8]>) -> Error {
    let path = folder.join(name);
    let before = std::fs::read(&path).ok();
    match bytes {
        Some(bytes) => std::fs::write(&path, bytes).unwrap(),
        None => std::fs::remove_file(&path).unwrap(),
    }
    let error = ContextualVectors::open(folder).unwrap_err();
    if let Some(before) = before {
        std::fs::write(&path, before).unwrap();
    }
    assert!(error.to_string().contains(name), "{error}");
    error
}

#[test]
fn says_what_is_wrong_with_a_directory() {
    let folder = directory(&weights());
    let folder = folder.path();
    for name in ["config.json", "vocab.txt", "model.safetensors"] {
        let error = fails(folder, name, None);
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.hint().unwrap().contains("directory"));
    }
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    for end in [0, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(fails(folder, "model.safetensors", Some(&bytes[..end])).kind(), ErrorKind::Malformed);
    }
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 90868376\n";
    let error = fails(folder, "model.safetensors", Some(pointer));
    assert!(error.hint().unwrap().contains("Git LFS"));
    for (name, value) in [("model_type", json!("t5")), ("quantization_config", json!({}))] {
        let mut settings = settings();
        settings[name] = value;
        assert_eq!(
            fails(folder, "config.json", Some(settings.to_string().as_bytes())).kind(),
            ErrorKind::Argument
        );
    }
    for (name, value) in [("hidden_size", 16), ("num_hidden_layers", 3), ("max_position_embeddings", 512)] {
        let mut settings = settings();
        settings[name] = json!(value);
        std::fs::write(folder.join("config.json"), settings.to_string()).unwrap();
        let error = ContextualVectors::open(folder).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Inconsistent);
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
}

#[test]
fn refuses_weights_that_are_quantized_or_no_numbers() {
    let mut coarse = weights();
    coarse.insert(
        "embeddings.word_embeddings.weight".to_owned(),
        Tensor::zeros((30, HIDDEN), DType::U8, &Device::Cpu).unwrap(),
    );
    let error = ContextualVectors::open(directory(&coarse).path()).unwrap_err();
    assert!(error.to_string().contains("quantized"), "{error}");
    let mut broken = weights();
    broken.insert(
        "encoder.layer.1.output.dense.bias".to_owned(),
        Tensor::new(&[f32::NAN; HIDDEN], &Device::Cpu).unwrap(),
    );
    let vectors = ContextualVectors::open(directory(&broken).path()).unwrap();
    assert_eq!(vectors.lookup("bank").unwrap_err().kind(), ErrorKind::Inconsistent);
}

/// The similarities that the documentation of sentence-transformers tells for all-MiniLM-L6-v2, where the
/// vector of a sentence is the mean of all its pieces and both marks.
fn assert_as_published(vectors: &ContextualVectors) {
    let texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."];
    let sentences = texts.map(|text| {
        let cut = vectors.pieces.cut(text).unwrap();
        let ids = [&[vectors.pieces.first], &cut.ids[..], &[vectors.pieces.last]].concat();
        let ids = Tensor::new(vec![ids], &Device::Cpu).unwrap();
        let used = Tensor::ones(ids.shape(), DType::F32, &Device::Cpu).unwrap();
        vectors.model.states(&ids, &used).unwrap().get(0).unwrap().mean(0).unwrap().to_vec1::<f32>().unwrap()
    });
    for (one, other, published) in [(0, 1, 0.6660), (0, 2, 0.1046), (1, 2, 0.1411)] {
        let ours = cosine(&sentences[one], &sentences[other]);
        assert!(
            matches!(ours, Similarity::Cosine(ours) if (ours - published).abs() < 1e-4),
            "{ours:?} {published}"
        );
    }
}

/// `RETICENT_BERT` names the directory of the real model all-MiniLM-L6-v2.
#[test]
#[allow(clippy::print_stderr)]
fn a_real_model_tells_senses_apart() {
    let Some(directory) = std::env::var_os("RETICENT_BERT") else {
        eprintln!("skipped: RETICENT_BERT names no directory of a model");
        return;
    };
    let vectors = ContextualVectors::open(Path::new(&directory)).unwrap();
    assert_as_published(&vectors);
    let look = |sentence: &str, term: &str| vectors.lookup_in(sentence, span(sentence, term)).unwrap();
    let near = |one: &Lookup, other: &Lookup| match one.similarity(other) {
        Similarity::Cosine(cosine) => cosine,
        Similarity::Unknown => panic!("unknown"),
    };
    let (shore, money) = (look("the bank of the river", "bank"), look("the bank gave a loan", "bank"));
    for (term, nearer_shore) in [("river", true), ("shore", true), ("loan", false), ("credit", false)] {
        let alone = vectors.lookup(term).unwrap();
        let (one, other) = (near(&shore, &alone), near(&money, &alone));
        eprintln!("{term}: {one:.3} to the bank of the river, {other:.3} to the bank that gave a loan");
        assert_eq!(one > other, nearer_shore, "{term}");
    }

    let texts: Vec<String> = (0..400)
        .map(|at| {
            format!(
                "The doctor saw {at} patients with breast cancer in the old hospital{}.",
                " near the river".repeat(at % 5)
            )
        })
        .collect();
    let spans: Vec<[Span; 3]> = texts
        .iter()
        .map(|text| ["doctor", "breast cancer", "old hospital"].map(|term| span(text, term)))
        .collect();
    let sentences: Vec<(&str, &[Span])> =
        texts.iter().zip(&spans).map(|(text, spans)| (text.as_str(), &spans[..])).collect();
    let started = std::time::Instant::now();
    let all = vectors.vectors_in(&sentences).unwrap();
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "1,200 terms of 400 sentences: {:.0} terms/s, {:.0} sentences/s",
        1_200.0 / seconds,
        400.0 / seconds
    );
    for at in [0, 77, 399] {
        let one = vectors.lookup_in(&texts[at], spans[at][1]).unwrap();
        assert!(near(&all[at][1], &one) > 0.99999);
    }
}
