//! Vectors of terms in their sentences, from a BERT-like model.

mod config;
mod model;
mod open;
mod pieces;
#[cfg(test)]
mod tests;
mod windows;

use std::path::Path;

use candle_core::{Device, Tensor};
use reticent_text::Span;

use self::model::Bert;
use self::pieces::Pieces;
use super::{Found, How, Lookup, Vectors};
use crate::{Error, ErrorKind};

/// A BERT or `MiniLM` model: the vector of a term is the mean of what the last layer says of its word
/// pieces, so that the same word has other vectors in other sentences.
///
/// A term is unknown if the model has no piece for some of it. Sentences that are longer than the model
/// reads are cut into overlapping windows, and a term is read where it has words on both sides. On one
/// machine and number of threads the same call gives the same bits; a sentence alone and among others
/// may differ in the last ones.
///
/// ```no_run
/// use std::path::Path;
/// use reticent_knowledge::embedding::{ContextualVectors, Vectors};
/// use reticent_text::Span;
/// let vectors = ContextualVectors::open(Path::new("all-MiniLM-L6-v2"))?;
/// let bank = vectors.lookup_in("the bank of the river", Span::new(4, 8))?;
/// let others = vectors.vectors_in(&[("the bank gave a loan", &[Span::new(4, 8), Span::new(16, 20)])])?;
/// println!("{:?}", bank.similarity(&others[0][0]));
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub struct ContextualVectors {
    model: Bert,
    pieces: Pieces,
    dimension: usize,
    /// How many pieces fit between the marks at both ends.
    room: usize,
    name: String,
    fingerprint: String,
}

/// What the model reads at once, and which of its pieces belong to which term.
struct Window {
    ids: Vec<u32>,
    wanted: Vec<(usize, usize)>,
}

/// What becomes of pieces that the model does not know.
#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    /// The whole term is unknown.
    Refused,
    /// The others speak for it.
    PassedOver,
}

impl ContextualVectors {
    /// Opens a directory with `config.json`, `model.safetensors`, and `tokenizer.json` or `vocab.txt`.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        open::open(directory)
    }

    /// The vectors of all terms of a document: for each sentence one for each span, in the same order.
    pub fn vectors_in(&self, sentences: &[(&str, &[Span])]) -> Result<Vec<Vec<Lookup>>, Error> {
        self.read(sentences, Unknown::Refused, &How::Context)
    }

    fn read(
        &self,
        sentences: &[(&str, &[Span])],
        unknown: Unknown,
        how: &How,
    ) -> Result<Vec<Vec<Lookup>>, Error> {
        let mut windows = Vec::new();
        let mut terms = 0;
        for (sentence, spans) in sentences {
            self.cut(sentence, spans, unknown, terms, &mut windows)?;
            terms += spans.len();
        }
        let mut sums = vec![Sum::default(); terms];
        let lengths: Vec<usize> = windows.iter().map(|window| window.ids.len()).collect();
        for batch in windows::batches(&lengths) {
            let batch: Vec<&Window> = batch.into_iter().map(|at| &windows[at]).collect();
            self.run(&batch, &mut sums)
                .map_err(|_| Error::new(ErrorKind::Malformed, "evaluating the model failed"))?;
        }
        let mut sums = sums.into_iter();
        let mut lookups = |spans: &[Span]| sums.by_ref().take(spans.len()).map(|sum| sum.mean(how)).collect();
        sentences.iter().map(|(_, spans)| lookups(spans)).collect()
    }

    /// Adds the windows of a sentence in which there is a term.
    fn cut(
        &self,
        sentence: &str,
        spans: &[Span],
        unknown: Unknown,
        terms: usize,
        windows: &mut Vec<Window>,
    ) -> Result<(), Error> {
        if spans.iter().any(|span| !span.fits(sentence)) {
            return Err(Error::new(ErrorKind::Argument, "a term lies outside its sentence"));
        }
        if spans.is_empty() {
            return Ok(());
        }
        let cut = self.pieces.cut(sentence)?;
        let starts = windows::starts(cut.ids.len(), self.room);
        let mut wanted = vec![Vec::new(); starts.len()];
        for (at, span) in spans.iter().enumerate() {
            let term = cut.touched(*span);
            let is_unknown = |piece: usize| self.pieces.is_unknown(cut.ids[piece]);
            if unknown == Unknown::Refused && term.clone().any(is_unknown) {
                continue;
            }
            for (window, piece) in windows::places(&starts, self.room, term) {
                if !is_unknown(piece) {
                    // One further, since the mark of the beginning comes first.
                    wanted[window].push((terms + at, piece - starts[window] + 1));
                }
            }
        }
        for (start, wanted) in starts.into_iter().zip(wanted) {
            if !wanted.is_empty() {
                let end = (start + self.room).min(cut.ids.len());
                let ids = [&[self.pieces.first], &cut.ids[start..end], &[self.pieces.last]].concat();
                windows.push(Window { ids, wanted });
            }
        }
        Ok(())
    }

    /// Computes a batch. Shorter windows are filled up with what the others do not look at.
    fn run(&self, batch: &[&Window], sums: &mut [Sum]) -> candle_core::Result<()> {
        let width = batch.iter().map(|window| window.ids.len()).max().unwrap_or_default();
        let shape = (batch.len(), width);
        let filled = |window: &&Window| {
            let mut ids = window.ids.clone();
            ids.resize(width, self.pieces.last);
            ids
        };
        let is_used = |window: &&Window| {
            (0..width).map(|at| if at < window.ids.len() { 1.0f32 } else { 0.0 }).collect()
        };
        let ids = Tensor::from_vec(batch.iter().flat_map(filled).collect(), shape, &Device::Cpu)?;
        let used =
            Tensor::from_vec(batch.iter().flat_map::<Vec<f32>, _>(is_used).collect(), shape, &Device::Cpu)?;
        let states = self.model.states(&ids, &used)?;
        for (at, window) in batch.iter().enumerate() {
            let rows = states.get(at)?.to_vec2::<f32>()?;
            for (term, piece) in &window.wanted {
                sums[*term].add(&rows[*piece]);
            }
        }
        Ok(())
    }

    fn one(&self, sentence: &str, term: Span, unknown: Unknown, how: &How) -> Result<Lookup, Error> {
        let found = self.read(&[(sentence, &[term])], unknown, how)?;
        Ok(found.into_iter().flatten().next().unwrap_or(Lookup::Unknown))
    }
}

impl Vectors for ContextualVectors {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    /// The term is taken as a sentence of its own, and found [`How::Alone`].
    fn lookup(&self, term: &str) -> Result<Lookup, Error> {
        self.one(term, Span::new(0, term.len()), Unknown::Refused, &How::Alone)
    }

    fn lookup_in(&self, sentence: &str, term: Span) -> Result<Lookup, Error> {
        self.one(sentence, term, Unknown::Refused, &How::Context)
    }

    /// The mean of what the model says of the gloss.
    fn expand_from_gloss(&self, _term: &str, gloss: &str) -> Result<Lookup, Error> {
        self.one(gloss, Span::new(0, gloss.len()), Unknown::PassedOver, &How::Gloss)
    }
}

/// Tells what it is, nothing of what it was asked.
impl std::fmt::Debug for ContextualVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContextualVectors").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The pieces of a term, added up.
#[derive(Clone, Default)]
struct Sum {
    pieces: u32,
    total: Vec<f64>,
}

impl Sum {
    fn add(&mut self, row: &[f32]) {
        self.total.resize(row.len(), 0.0);
        self.total.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x));
        self.pieces += 1;
    }

    fn mean(self, how: &How) -> Result<Lookup, Error> {
        if self.pieces == 0 {
            return Ok(Lookup::Unknown);
        }
        #[allow(clippy::cast_possible_truncation)]
        let vector: Vec<f32> = self.total.iter().map(|sum| (sum / f64::from(self.pieces)) as f32).collect();
        if vector.iter().all(|x| x.is_finite()) {
            return Ok(Lookup::Found(Found { vector, how: how.clone() }));
        }
        Err(Error::new(
            ErrorKind::Inconsistent,
            "the output of the model is not a number; its weights are damaged",
        ))
    }
}
