//! Expanding: vectors for new terms, while the old ones stay as they are.

use reticent_text::{Analyzer, Document};

use super::lookup::dot;
use super::train::sample::{Random, Sigmoid};
use super::train::{Options, Progress, start, train_new_rows};
use super::{TermVectors, TokenStream, VectorTable, sentences};
use crate::{Error, ErrorKind, Folding};

/// How often a gloss is gone through: it is short.
const GLOSS_EPOCHS: usize = 50;

impl TermVectors {
    /// A stream that knows these terms, to which new documents are added for [`expand()`].
    pub fn stream(&self) -> TokenStream {
        let terms = (0..self.len()).map(|row| self.term(row).to_owned()).collect();
        TokenStream::with_terms(self.language(), terms)
    }
}

/// Vectors for the terms that are new in a stream, trained against the old ones, which are kept to the
/// bit. The stream comes from [`TermVectors::stream`]. Dimension, folding and subwords are those of the
/// old vectors, whatever the options say.
pub fn expand(
    old: &TermVectors,
    more: &TokenStream,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<VectorTable, Error> {
    options.check()?;
    if !old.can_expand() {
        return Err(cannot_expand());
    }
    if more.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "the documents contain no terms to add")
            .with_hint("use files with text; for rows, set the field with --text-field"));
    }
    let known = old.len();
    if more.terms.len() < known || (0..known).any(|row| more.terms[row] != old.term(row)) {
        return Err(Error::new(ErrorKind::Argument, "the stream was not created from these vectors"));
    }
    let mut table = old.to_table();
    table.terms.clone_from(&more.terms);
    table.counts.resize(more.terms.len(), 0);
    table.counts.iter_mut().zip(&more.counts).for_each(|(count, new)| *count = count.saturating_add(*new));
    let mut random = Random::new(options.seed);
    for term in &more.terms[known..] {
        let mut row = vec![0.0; table.dimension];
        match old.by_subwords(term) {
            Some(near) => row = near,
            None => start(&mut row, &mut random),
        }
        table.rows.extend(row);
    }
    table.context.resize(table.terms.len() * table.dimension, 0.0);
    train_new_rows(&mut table, more, known, options, progress);
    Ok(table)
}

/// A vector that predicts the terms of a gloss; nothing if none of them is known.
pub(super) fn from_gloss(vectors: &TermVectors, term: &str, gloss: &str) -> Result<Option<Vec<f32>>, Error> {
    let folding = Folding::new(vectors.language());
    let document = Document::plain("gloss", gloss);
    let layers = Analyzer::shipped()
        .and_then(|analyzer| analyzer.analyze(&document, Some(vectors.language())))
        .map_err(|error| Error::new(ErrorKind::Malformed, error.to_string()))?;
    let own = folding.term(term);
    let rows: Vec<usize> = sentences(gloss, &layers, folding)
        .iter()
        .flatten()
        .filter(|term| term.folded != own)
        .filter_map(|term| vectors.find(&term.folded))
        .collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let (sampler, sigmoid) = (vectors.sampler(), Sigmoid::new());
    let options = Options::default();
    let mut random = Random::new(options.seed);
    let mut vector = vec![0.0; vectors.width()];
    start(&mut vector, &mut random);
    let steps = GLOSS_EPOCHS * rows.len();
    for (at, row) in rows.iter().cycle().take(steps).enumerate() {
        let rate = options.rate * (1.0 - at as f32 / steps as f32);
        let mut change = vec![0.0; vector.len()];
        for n in 0..=options.negative {
            let target = if n == 0 { *row } else { sampler.draw(&mut random) as usize };
            if n > 0 && target == *row {
                continue;
            }
            let context = vectors.context(target);
            #[allow(clippy::cast_possible_truncation)]
            let product = dot(&vector, &context) as f32;
            let gradient = (if n == 0 { 1.0 } else { 0.0 } - sigmoid.at(product)) * rate;
            change.iter_mut().zip(&context).for_each(|(change, x)| *change += gradient * x);
        }
        vector.iter_mut().zip(&change).for_each(|(x, change)| *x += change);
    }
    Ok(Some(vector))
}

fn cannot_expand() -> Error {
    Error::new(
        ErrorKind::Argument,
        "these vectors cannot be expanded: the output half of the model is missing",
    )
    .with_hint("use a file written by `vectors train` without --final and --eight-bit")
}
