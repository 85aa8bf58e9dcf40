//! Speed of the layers on court cases, in bytes of text per second on one core.
//!
//! Needs `../shared/data/tab/dev.jsonl.gz` beside the workspace; without it there is nothing to
//! measure, and it says so.

use std::fs::File;
use std::io::Read;

use divan::Bencher;
use divan::counter::BytesCount;
use flate2::read::GzDecoder;
use reticent_text::parse::{Syntax, Tree};
use reticent_text::{Analyzer, Annotator, Document, Language, SentenceSplitter, Tokenizer};

fn main() {
    divan::main();
}

#[divan::bench]
fn sentences(bencher: Bencher<'_, '_>) {
    measure(
        bencher,
        &Analyzer::new(vec![Box::new(SentenceSplitter)]).expect("order"),
        Some(Language::English),
    );
}

#[divan::bench]
fn tokens(bencher: Bencher<'_, '_>) {
    let annotators: Vec<Box<dyn Annotator>> = vec![Box::new(SentenceSplitter), Box::new(Tokenizer)];
    measure(bencher, &Analyzer::new(annotators).expect("order"), Some(Language::English));
}

#[divan::bench]
fn full_analysis(bencher: Bencher<'_, '_>) {
    measure(bencher, &Analyzer::shipped().expect("models"), None);
}

/// Trees of all segments, from layers that are there.
#[divan::bench]
fn trees(bencher: Bencher<'_, '_>) {
    let analyzer = Analyzer::shipped().expect("models");
    let documents = court_cases();
    let bytes: usize = documents.iter().map(|document| document.text().len()).sum();
    let analysed: Vec<_> = documents
        .iter()
        .map(|document| (document, analyzer.analyze(document, Some(Language::English)).expect("layers")))
        .collect();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let parsed = analysed.iter().map(|(document, layers)| {
            let syntax = Syntax::new(document, layers).expect("models");
            (0..syntax.segments().len()).filter_map(|at| syntax.tree(at)).map(Tree::len).sum::<usize>()
        });
        parsed.sum::<usize>()
    });
}

fn measure(bencher: Bencher<'_, '_>, analyzer: &Analyzer, language: Option<Language>) {
    let documents = court_cases();
    let bytes: usize = documents.iter().map(|document| document.text().len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let layers = documents.iter().map(|document| analyzer.analyze(document, language).expect("layers"));
        layers.map(|layers| layers.noun_phrases.len()).sum::<usize>()
    });
}

#[expect(clippy::print_stderr, reason = "says why there is nothing to measure")]
fn court_cases() -> Vec<Document> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/tab/dev.jsonl.gz");
    let Ok(file) = File::open(path) else {
        eprintln!("skipped: ../shared/data/tab is missing");
        return Vec::new();
    };
    let mut rows = String::new();
    GzDecoder::new(file).read_to_string(&mut rows).expect("court cases are text");
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).expect("a row is JSON"));
    rows.map(|row| Document::plain("case", row["text"].as_str().unwrap_or_default())).collect()
}
