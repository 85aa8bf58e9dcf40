//! Training: skip-gram with negative sampling over terms.
//!
//! As word2vec does it, with two differences that make it faster (what they cost in detection stands in
//! `benches/README.md`): the terms of a window share those drawn by chance, so that a window is a small
//! product of matrices (`kernel`); and the vectors of a stretch of text are worked on in copies
//! (`worker`), which go back when it is done.

mod kernel;
mod matrix;
mod options;
pub(super) mod sample;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use options::{Options, Progress};

use self::matrix::Matrix;
use self::sample::{Random, Sampler, Sigmoid};
use self::worker::Worker;
use super::{TokenStream, VectorTable};
use crate::{Error, ErrorKind};

/// What training works on.
struct Job<'a> {
    stream: &'a TokenStream,
    options: &'a Options,
    inputs: Matrix,
    outputs: Matrix,
    sampler: Sampler,
    sigmoid: Sigmoid,
    /// The rows of each term's sequences of letters; empty if there are none.
    subwords: Vec<Vec<u32>>,
    /// Terms before this one keep their vectors.
    frozen: usize,
    /// How likely each term stays in a sentence; empty if all do.
    stays: Vec<f32>,
    done: AtomicU64,
}

/// Trains vectors. With one thread and the same seed, corpus and options, the result is the same to the
/// bit; with more threads it is not, because they do not wait for each other.
///
/// ```
/// use reticent_knowledge::embedding::{Precision, Similarity, TermVectors, TokenStream, Vectors, train};
/// use reticent_text::Language;
/// let mut corpus = TokenStream::new(Language::English);
/// for _ in 0..300 {
///     corpus.add(["emma watson", "hermione", "harry potter"])?;
///     corpus.add(["hugh jackman", "wolverine", "x men"])?;
/// }
/// let options = train::Options { dimension: 16, threads: 1, subsample: None, ..train::Options::default() };
/// let table = train(&corpus, &options, "examples", &mut |_| {})?;
/// let vectors = TermVectors::from_table(&table, Precision::Full)?;
/// let Similarity::Cosine(near) = vectors.similarity("Emma Watson", "Hermione")? else { unreachable!() };
/// let Similarity::Cosine(far) = vectors.similarity("Emma Watson", "Wolverine")? else { unreachable!() };
/// assert!(near > far);
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub fn train(
    corpus: &TokenStream,
    options: &Options,
    name: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<VectorTable, Error> {
    options.check()?;
    let stream = corpus.sorted(options.min_count);
    if stream.is_empty() {
        let error = if corpus.is_empty() {
            Error::new(ErrorKind::Empty, "the corpus contains no terms to train on")
                .with_hint("use files with text; for rows, set the field with --text-field")
        } else {
            Error::new(ErrorKind::Empty, "no term of the corpus reaches the minimum frequency")
                .with_hint("lower --min-count")
        };
        return Err(error);
    }
    let terms = stream.terms.len();
    let subwords: Vec<Vec<u32>> = options.subwords.map_or_else(Vec::new, |subwords| {
        let first = u32::try_from(terms).unwrap_or(u32::MAX);
        let rows = |term: &String| {
            subwords.of(term).into_iter().map(|bucket| first.saturating_add(bucket)).collect()
        };
        stream.terms.iter().map(rows).collect()
    });
    let buckets = options.subwords.map_or(0, |subwords| subwords.buckets as usize);
    let mut random = Random::new(options.seed);
    let job = Job {
        inputs: Matrix::new(terms + buckets, options.dimension, |_, row| start(row, &mut random)),
        outputs: Matrix::new(terms, options.dimension, |_, _| {}),
        sampler: Sampler::new(&stream.counts),
        sigmoid: Sigmoid::new(),
        subwords,
        frozen: 0,
        stays: stays(&stream, options),
        done: AtomicU64::new(0),
        stream: &stream,
        options,
    };
    job.run(progress);
    let Job { inputs, outputs, subwords, .. } = job;
    let mut rows = inputs.into_rows(terms + buckets, options.dimension);
    let bucket_rows = rows.split_off(terms * options.dimension);
    compose(&mut rows, &bucket_rows, &subwords, options.dimension);
    let context = outputs.into_rows(terms, options.dimension);
    Ok(VectorTable {
        name: name.to_owned(),
        language: stream.language(),
        trained: true,
        terms: stream.terms,
        counts: stream.counts,
        dimension: options.dimension,
        rows,
        context,
        subwords: options.subwords,
        buckets: bucket_rows,
    })
}

/// Trains the rows of a table from this term on; those before keep their vectors.
pub(super) fn train_new_rows(
    table: &mut VectorTable,
    stream: &TokenStream,
    frozen: usize,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) {
    let dimension = table.dimension;
    let terms = table.terms.len();
    let copy = |rows: &[f32], at: usize, into: &mut [f32]| {
        into.copy_from_slice(&rows[at * dimension..][..dimension]);
    };
    let job = Job {
        inputs: Matrix::new(terms, dimension, |at, row| copy(&table.rows, at, row)),
        outputs: Matrix::new(terms, dimension, |at, row| copy(&table.context, at, row)),
        sampler: Sampler::new(&table.counts),
        sigmoid: Sigmoid::new(),
        subwords: Vec::new(),
        frozen,
        stays: Vec::new(),
        done: AtomicU64::new(0),
        stream,
        options,
    };
    job.run(progress);
    // Frozen rows were never written, so that they are the old ones to the bit.
    let Job { inputs, outputs, .. } = job;
    table.rows = inputs.into_rows(terms, dimension);
    table.context = outputs.into_rows(terms, dimension);
}

/// Small numbers by chance, as word2vec starts with.
pub(super) fn start(row: &mut [f32], random: &mut Random) {
    let dimension = row.len() as f32;
    for x in row {
        *x = (random.unit() - 0.5) / dimension;
    }
}

/// The vector of a term is the mean of its own row and those of its sequences.
fn compose(rows: &mut [f32], buckets: &[f32], subwords: &[Vec<u32>], dimension: usize) {
    let first = rows.len() / dimension;
    for (row, parts) in rows.chunks_exact_mut(dimension).zip(subwords) {
        for part in parts {
            let bucket = &buckets[(*part as usize - first) * dimension..][..dimension];
            row.iter_mut().zip(bucket).for_each(|(x, y)| *x += y);
        }
        let count = (parts.len() + 1) as f32;
        for x in row {
            *x /= count;
        }
    }
}

/// How likely each term stays in a sentence, after word2vec: the more frequent, the less.
fn stays(stream: &TokenStream, options: &Options) -> Vec<f32> {
    let Some(share) = options.subsample else { return Vec::new() };
    let threshold = share * stream.len() as f64;
    #[allow(clippy::cast_possible_truncation)]
    let stay = |count: &u64| {
        let ratio = threshold / (*count).max(1) as f64;
        (ratio.sqrt() + ratio).min(1.0) as f32
    };
    stream.counts.iter().map(stay).collect()
}

impl Job<'_> {
    fn run(&self, progress: &mut dyn FnMut(Progress)) {
        let threads = self.options.threads.clamp(1, self.stream.ends.len().max(1));
        let started = Instant::now();
        let total = self.total();
        let mut tell = |done: u64| progress(Progress { done, total, elapsed: started.elapsed() });
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || Worker::new(self, thread as u64).run(thread, threads)))
                .collect();
            let mut waited = 0;
            while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                std::thread::park_timeout(Duration::from_millis(5));
                waited += 1;
                if waited % 20 == 0 {
                    tell(self.done.load(Ordering::Relaxed));
                }
            }
        });
        tell(total);
    }

    /// How many terms are looked at in all epochs.
    fn total(&self) -> u64 {
        self.options.epochs as u64 * self.stream.len() as u64
    }
}

#[cfg(test)]
mod tests;
