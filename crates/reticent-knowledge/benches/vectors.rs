//! How fast vectors are trained and searched, on terms that are drawn by chance as text has them.

use divan::Bencher;
use divan::counter::ItemsCount;
use reticent_knowledge::embedding::train::{Options, train};
use reticent_knowledge::embedding::{TokenStream, Vectors, glove};
use reticent_text::Language;

fn main() {
    divan::main();
}

/// Sentences of 15 terms out of 50,000, the frequent ones more often.
fn corpus() -> TokenStream {
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 40) as f64 / (1u64 << 24) as f64;
        format!("term {:.0}", 50_000f64.powf(share))
    };
    let mut stream = TokenStream::new(Language::English);
    for _ in 0..2000 {
        let sentence: Vec<String> = (0..15).map(|_| draw()).collect();
        stream.add(sentence.iter().map(String::as_str)).expect("it fits");
    }
    stream
}

#[divan::bench(args = [1, 2], sample_count = 5)]
fn training(bencher: Bencher<'_, '_>, threads: usize) {
    let corpus = corpus();
    let options = Options { epochs: 1, threads, subsample: None, ..Options::default() };
    bencher.counter(ItemsCount::new(corpus.len())).bench(|| train(&corpus, &options, "bench", &mut |_| {}));
}

#[divan::bench]
fn nearest(bencher: Bencher<'_, '_>) {
    let vectors = glove().expect("it ships");
    let row = vectors.vector(vectors.find("cancer").expect("it is there"));
    bencher.bench(|| vectors.nearest(&row, 10));
}

#[divan::bench]
fn lookup_composed(bencher: Bencher<'_, '_>) {
    let vectors = glove().expect("it ships");
    bencher.bench(|| vectors.lookup("metastatic breast cancer"));
}

#[divan::bench]
fn open_embedded(bencher: Bencher<'_, '_>) {
    let bytes: &[u8] = include_bytes!("../data/glove.vec");
    bencher
        .with_inputs(|| bytes.to_vec())
        .bench_values(reticent_knowledge::embedding::TermVectors::from_bytes);
}
