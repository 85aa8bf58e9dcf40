//! How fast what tells too much of HIV is found and said otherwise, counting in all corpora of `../shared` on one thread, and how that
//! grows with the length of the document; nothing is measured without them.
#![allow(clippy::print_stderr)]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use flate2::read::MultiGzDecoder;
use reticent::disclosure::Corpus;
use reticent::{Policy, Protector};
use reticent_knowledge::corpus::{Index, Item, Options, build};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::Document;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
const FILES: [&str; 4] = [
    "corpora/brown.jsonl.gz",
    "corpora/medquad.jsonl.gz",
    "corpora/movie-reviews.jsonl.gz",
    "wikiactors/corpus.jsonl.gz",
];

static DOCUMENTS: LazyLock<Vec<Document>> =
    LazyLock::new(|| FILES.iter().flat_map(|name| read(name)).collect());
static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let mut bytes = Vec::new();
    let items = DOCUMENTS.iter().map(|document| Item::new(0, document.clone()));
    build(&["corpora".to_owned()], items, &Options::default(), &mut bytes).expect("an index");
    Corpus::new(Index::from_bytes(bytes).expect("the same index"), Stack::standard().expect("what ships"))
});

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

/// Answers that name HIV, one after the other, none of them twice: a longer text has more different terms.
fn text(kilobytes: usize) -> String {
    let answers =
        DOCUMENTS.iter().map(Document::text).filter(|text| text.contains("HIV") && text.len() < 3_000);
    let mut text = String::new();
    for answer in answers {
        text.push_str(answer);
        text.push_str("\n\n");
        if text.len() >= kilobytes * 1024 {
            break;
        }
    }
    assert!(text.len() >= kilobytes * 1024, "there are too few answers");
    text.truncate(text.floor_char_boundary(kilobytes * 1024));
    text
}

#[divan::bench(args = [1, 4, 16, 64], sample_count = 3, sample_size = 1, max_time = 20)]
fn single_terms(bencher: Bencher<'_, '_>, kilobytes: usize) {
    measure(bencher, kilobytes, 1);
}

#[divan::bench(args = [1, 4, 16, 64], sample_count = 3, sample_size = 1, max_time = 20)]
fn pairs(bencher: Bencher<'_, '_>, kilobytes: usize) {
    measure(bencher, kilobytes, 2);
}

fn measure(bencher: Bencher<'_, '_>, kilobytes: usize, max_terms: usize) {
    let policy = format!(
        "extends = \"disclosure\"\n[[subjects]]\nname = \"HIV\"\nat_most = \"virus\"\n[disclosure]\nmax_terms = {max_terms}\n"
    );
    let protector = Protector::new(Policy::from_toml(&policy).expect("a policy"), None);
    let protector =
        protector.and_then(|protector| protector.with_corpus(CORPUS.clone())).expect("a protector");
    let text = text(kilobytes);
    let mut refused = None;
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        let mut document = Document::plain("answers", text.clone());
        refused = black_box(protector.protect(&mut document, b"", &[])).err();
    });
    if let Some(error) = refused {
        eprintln!("{kilobytes} kB, {max_terms}: {error}");
    }
}
