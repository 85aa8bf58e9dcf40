//! How fast documents are searched and released, on the court cases in `../shared` (or, without them,
//! on the example letter), one thread.

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use reticent::detect::Detector;
use reticent::detect::pattern::PatternDetector;
use reticent::{Policy, Protector};
use reticent_text::Document;

static TEXTS: LazyLock<Vec<String>> = LazyLock::new(texts);

fn texts() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tab/dev.jsonl.gz");
    let Ok(file) = std::fs::File::open(path) else {
        return vec![include_str!("../../../examples/letter.txt").repeat(50)];
    };
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).expect("the court cases can be read");
    let rows = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a row"));
    rows.map(|row| row["text"].as_str().expect("a text").to_owned()).collect()
}

fn bytes() -> usize {
    TEXTS.iter().map(String::len).sum()
}

fn main() {
    divan::main();
}

#[divan::bench]
fn patterns(bencher: Bencher<'_, '_>) {
    let detector = PatternDetector::builtin().expect("the patterns are valid");
    let documents: Vec<Document> = TEXTS.iter().map(|text| Document::plain("case", text.clone())).collect();
    bencher.counter(BytesCount::new(bytes())).bench_local(|| {
        for document in &documents {
            black_box(detector.detect(document).expect("patterns run"));
        }
    });
}

#[divan::bench(args = ["basic", "hipaa-safe-harbor", "gdpr"])]
fn protect(bencher: Bencher<'_, '_>, preset: &str) {
    let protector = Protector::new(Policy::preset(preset).expect("a preset"), None).expect("a protector");
    bencher.counter(BytesCount::new(bytes())).bench_local(|| {
        for text in TEXTS.iter() {
            let mut document = Document::plain("case", text.clone());
            black_box(protector.protect(&mut document, text.as_bytes(), &[]).expect("released"));
        }
    });
}

/// One document that grows: the time for a byte must stay the same.
#[divan::bench(args = [1, 4, 16, 64])]
fn growth(bencher: Bencher<'_, '_>, cases: usize) {
    let protector = Protector::new(Policy::preset("basic").expect("a preset"), None).expect("a protector");
    let text = TEXTS.iter().cycle().take(cases).cloned().collect::<Vec<_>>().join("\n\n");
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        let mut document = Document::plain("case", text.clone());
        black_box(protector.protect(&mut document, text.as_bytes(), &[]).expect("released"));
    });
}

/// Texts that make patterns begin and fail again and again, short and ten times as long.
#[divan::bench(args = HOSTILE, consts = [20_000, 200_000])]
fn hostile<const LENGTH: usize>(bencher: Bencher<'_, '_>, unit: &str) {
    let detector = PatternDetector::builtin().expect("the patterns are valid");
    let document = Document::plain("hostile", unit.repeat(LENGTH / unit.len()));
    bencher.counter(BytesCount::new(LENGTH)).bench_local(|| black_box(detector.detect(&document)));
}

const HOSTILE: [&str; 10] =
    ["12 34 56 78 ", "1", "a.", "Mr ", "Ana ", "4111 1111 1111 1112 ", "Calle de la ", "1/1/", ":a", "@a."];
