//! Building an index and asking it, over the corpora in `../shared`; nothing is measured without them.
#![allow(clippy::print_stderr)]

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use flate2::read::MultiGzDecoder;
use reticent_knowledge::corpus::{Counts, Index, Item, Options, build};
use reticent_text::Document;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
const FILES: [&str; 4] = [
    "corpora/brown.jsonl.gz",
    "corpora/medquad.jsonl.gz",
    "corpora/movie-reviews.jsonl.gz",
    "wikiactors/corpus.jsonl.gz",
];
/// So many terms make 100,128 pairs.
const TERMS: usize = 448;

static DOCUMENTS: LazyLock<Vec<Document>> =
    LazyLock::new(|| FILES.iter().flat_map(|name| read(name)).collect());

fn main() {
    if !Path::new(SHARED).is_dir() {
        eprintln!("skipped: {SHARED} is not there");
        return;
    }
    divan::main();
}

fn read(name: &str) -> Vec<Document> {
    let file = File::open(Path::new(SHARED).join(name)).expect("the corpus opens");
    let rows = BufReader::new(MultiGzDecoder::new(file)).lines();
    rows.map(|row| {
        let row: serde_json::Value = serde_json::from_str(&row.expect("a line")).expect("a row");
        Document::plain(row["id"].as_str().unwrap_or_default(), row["text"].as_str().unwrap_or_default())
    })
    .collect()
}

fn built() -> Vec<u8> {
    let mut bytes = Vec::new();
    let items = DOCUMENTS.iter().map(|document| Item::new(0, document.clone()));
    build(&["corpora".to_owned()], items, &Options::default(), &mut bytes).expect("an index");
    bytes
}

/// Terms of one and two words that stand at the start of documents from all over the corpus.
fn terms() -> Vec<String> {
    let mut terms = BTreeSet::new();
    for (at, document) in DOCUMENTS.iter().step_by(DOCUMENTS.len() / (3 * TERMS)).enumerate() {
        let words: Vec<&str> = document.text().split_whitespace().skip(3).take(1 + at % 2).collect();
        let term = words.join(" ");
        if term.contains(char::is_alphanumeric) && terms.len() < TERMS {
            terms.insert(term);
        }
    }
    terms.into_iter().collect()
}

/// All cores.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn build_index(bencher: Bencher<'_, '_>) {
    let bytes: usize = DOCUMENTS.iter().map(|document| document.text().len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench(built);
}

/// One thread; the terms are known, the pairs are not.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn pair_counts_after_warm_up(bencher: Bencher<'_, '_>) {
    let index = Index::from_bytes(built()).expect("an index");
    let terms = terms();
    assert_eq!(terms.len(), TERMS, "the corpus is smaller than it was");
    for term in &terms {
        index.count(&[term]).expect("a count");
    }
    let pairs = TERMS * (TERMS - 1) / 2;
    bencher.counter(ItemsCount::new(pairs)).bench(|| {
        for (at, one) in terms.iter().enumerate() {
            for two in &terms[..at] {
                divan::black_box(index.count(&[one, two]).expect("a count"));
            }
        }
    });
}

/// One thread; each term is looked up for the first time.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn terms_before_warm_up(bencher: Bencher<'_, '_>) {
    let bytes = built();
    let terms = terms();
    bencher
        .counter(ItemsCount::new(terms.len()))
        .with_inputs(|| Index::from_bytes(bytes.clone()))
        .bench_values(|index| {
            let index = index.expect("an index");
            for term in &terms {
                divan::black_box(index.count(&[term]).expect("a count"));
            }
        });
}
