//! A trained network, opened and asked.

use super::batch::Batch;
use super::file::{self, Header};
use super::network::Network;
use super::vocabulary::Vocabulary;
use super::weights::Weights;
use super::{failed, lines::pieces};
use crate::label::crf;
use crate::label::labeller::Labelled;
use crate::label::scheme::{Run, Scheme};
use crate::label::tokens::{Tokens, Unit};
use crate::{Document, Error, ErrorKind, Language, Layers};

/// So many tokens are read at once.
const TOKENS: usize = 2048;

/// A neural labeller that can be asked.
pub struct NeuralLabeller {
    header: Header,
    reader: Reader,
}

/// What labels lines.
pub(super) struct Reader {
    vocabulary: Vocabulary,
    weights: Weights,
    tensors: Vec<candle_core::Tensor>,
    word: usize,
    states: usize,
    /// Decodes; it has transitions alone.
    chain: crf::Model,
}

impl std::fmt::Debug for NeuralLabeller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NeuralLabeller").field("kinds", &self.header.kinds).finish_non_exhaustive()
    }
}

impl NeuralLabeller {
    /// Opens a labeller that [`super::train`] made.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        Self::opened(file::open(bytes)?)
    }

    /// Opens what stands behind the checksum: for fuzzing only, where it would keep all but the first bytes from being
    /// reached.
    #[doc(hidden)]
    pub fn open_unchecked(rest: &[u8]) -> Result<Self, Error> {
        Self::opened(file::inside(rest)?)
    }

    fn opened((header, scheme, weights): (file::Header, Scheme, Weights)) -> Result<Self, Error> {
        let reader = Reader::new(header.vocabulary(), weights, header.sizes.word, &scheme)?;
        Ok(Self { header, reader })
    }

    /// The names of the kinds.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        &self.header.kinds
    }

    /// The language that it was trained for.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::from_code(&self.header.language)
    }

    /// What it was trained on, in words.
    #[must_use]
    pub fn trained_on(&self) -> &str {
        &self.header.trained_on
    }

    /// What is in a document. An error means that it was not looked at, not that nothing is in it.
    pub fn label(&self, document: &Document) -> Result<Vec<Labelled>, Error> {
        let mut all = self.label_all(&[document])?;
        all.pop().ok_or_else(|| Error::new(ErrorKind::Model, "the NER model did not process the document"))
    }

    /// What is in each of some documents: faster than one by one, since lines of like length are read at once.
    pub fn label_all(&self, documents: &[&Document]) -> Result<Vec<Vec<Labelled>>, Error> {
        let layers = Layers::default();
        let tokens: Vec<Tokens<'_>> =
            documents.iter().map(|document| Tokens::new(document, &layers, Unit::Line)).collect();
        let mut places = Vec::new();
        let mut lines: Vec<Vec<&str>> = Vec::new();
        for (number, tokens) in tokens.iter().enumerate() {
            let words: Vec<&str> = (0..tokens.spans.len()).map(|token| tokens.word(token)).collect();
            for sequence in &tokens.sequences {
                for piece in pieces(&words[sequence.clone()]) {
                    let start = sequence.start + piece.start;
                    places.push((number, start));
                    lines.push(words[start..sequence.start + piece.end].to_vec());
                }
            }
        }
        let mut found: Vec<Vec<Labelled>> = vec![Vec::new(); documents.len()];
        let runs = self.reader.label(&lines)?;
        for ((number, start), runs) in places.into_iter().zip(runs) {
            for (run, probability) in runs {
                let within = start + run.tokens.start..start + run.tokens.end;
                found[number].push(Labelled {
                    span: tokens[number].span(&within),
                    kind: run.kind,
                    probability: self.header.calibration.apply(probability),
                });
            }
        }
        Ok(found)
    }
}

impl Reader {
    pub(super) fn new(
        vocabulary: Vocabulary,
        weights: Weights,
        word: usize,
        scheme: &Scheme,
    ) -> Result<Self, Error> {
        let tensors = weights.tensors().map_err(|error| failed(&error))?;
        let transitions = weights.parts.last().map(|part| part.numbers.clone()).unwrap_or_default();
        let states = scheme.states();
        let chain = crf::Model::write(&crf::Weights { states, features: Vec::new(), transitions });
        let chain = crf::Model::open(std::sync::Arc::new(chain), 0, scheme)?;
        Ok(Self { vocabulary, weights, tensors, word, states, chain })
    }

    /// The runs of each line, with their probabilities.
    pub(super) fn label<'l>(&self, lines: &[Vec<&'l str>]) -> Result<Vec<Vec<(Run, f32)>>, Error> {
        let mut order: Vec<usize> = (0..lines.len()).filter(|line| !lines[*line].is_empty()).collect();
        order.sort_by_key(|line| std::cmp::Reverse(lines[*line].len()));
        let mut found = vec![Vec::new(); lines.len()];
        let mut rest = order.as_slice();
        while let Some(first) = rest.first() {
            let count = (TOKENS / lines[*first].len()).clamp(1, rest.len());
            let (now, later) = rest.split_at(count);
            rest = later;
            let some: Vec<&[&'l str]> = now.iter().map(|line| lines[*line].as_slice()).collect();
            let runs = self.batch(&some).map_err(|error| failed(&error))?;
            for (line, runs) in now.iter().zip(runs) {
                found[*line] = runs;
            }
        }
        Ok(found)
    }

    fn batch(&self, lines: &[&[&str]]) -> candle_core::Result<Vec<Vec<(Run, f32)>>> {
        let batch = Batch::new(lines, &self.vocabulary, |token| self.vocabulary.word(token));
        let network = Network::new(&self.tensors)?;
        let words = self.weights.some_words(&batch.words, self.word)?;
        let scores = network.read(&batch, &words, None)?.scores.flatten_all()?.to_vec1::<f32>()?;
        let mut found = vec![Vec::new(); lines.len()];
        for (place, line) in batch.order.iter().enumerate() {
            let rows = batch.steps.rows_of(place);
            let own: Vec<f32> = rows
                .iter()
                .flat_map(|row| &scores[row * self.states..(row + 1) * self.states])
                .copied()
                .collect();
            if own.iter().any(|score| !score.is_finite()) {
                candle_core::bail!("a score is not a number");
            }
            found[*line] = self.chain.label(&own, crf::Choice::default(), &mut crf::Lattice::default());
        }
        Ok(found)
    }
}
