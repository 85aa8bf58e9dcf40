//! Speed of the shipped labeller of English names on court cases, on one core: text to labelled spans with sentences,
//! tokens and tags on the way, labelling alone, and opening.
//!
//! Needs `../shared/data/tab/dev.jsonl.gz` beside the workspace; without it there is no text to measure with, and it
//! says so.

use std::fs::File;
use std::io::Read;

use divan::Bencher;
use divan::counter::BytesCount;
use flate2::read::GzDecoder;
use reticent_text::label::{Labeller, shipped};
use reticent_text::{Analyzer, Document, Language, Layers, PartOfSpeech, SentenceSplitter, Tokenizer};

fn main() {
    divan::main();
}

#[divan::bench]
fn text_to_spans(bencher: Bencher<'_, '_>) {
    let (documents, bytes) = court_cases();
    let (analyzer, labeller) = (analyzer(), shipped(Language::English).expect("model").expect("English"));
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let each =
            documents.iter().map(|document| labeller.label(document, &layers(&analyzer, document)).len());
        each.sum::<usize>()
    });
}

#[divan::bench]
fn labelling_alone(bencher: Bencher<'_, '_>) {
    let (documents, bytes) = court_cases();
    let (analyzer, labeller) = (analyzer(), shipped(Language::English).expect("model").expect("English"));
    let analyzed: Vec<(&Document, Layers)> =
        documents.iter().map(|document| (document, layers(&analyzer, document))).collect();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        analyzed.iter().map(|(document, layers)| labeller.label(document, layers).len()).sum::<usize>()
    });
}

#[divan::bench]
fn opening(bencher: Bencher<'_, '_>) {
    let model: &[u8] = include_bytes!("../models/english-names.bin");
    bencher.bench_local(|| Labeller::open(model).expect("model"));
}

fn analyzer() -> Analyzer {
    Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])
        .expect("order")
}

fn layers(analyzer: &Analyzer, document: &Document) -> Layers {
    analyzer.analyze(document, Some(Language::English)).expect("layers")
}

/// The documents, and how many bytes of text they have.
#[expect(clippy::print_stderr, reason = "says why there is nothing to measure")]
fn court_cases() -> (Vec<Document>, usize) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/tab/dev.jsonl.gz");
    let Ok(file) = File::open(path) else {
        eprintln!("skipped: ../shared/data/tab is missing");
        return (Vec::new(), 0);
    };
    let mut rows = String::new();
    GzDecoder::new(file).read_to_string(&mut rows).expect("court cases are text");
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).expect("a row is JSON"));
    let documents: Vec<Document> =
        rows.map(|row| Document::plain("case", row["text"].as_str().unwrap_or_default())).collect();
    let bytes = documents.iter().map(|document| document.text().len()).sum();
    (documents, bytes)
}
