//! A trained labeller, opened and asked.

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::attribute::Sources;
use super::crf::{Bytes, Choice, Lattice, Model};
use super::lists::Lists;
use super::memory::Memory;
use super::rules::{Rule, Rules};
use super::scheme::Scheme;
use super::table::hash;
use super::template::{Numbering, Templates};
use super::tokens::{Tokens, stretches};
use crate::{Document, Error, ErrorKind, Language, Layers, Span};

/// Something that was labelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// The span.
    pub span: Span,
    /// What kind, as a number of [`Labeller::kinds`].
    pub kind: usize,
    /// How probable it is that exactly this is there; calibrated where the labeller was.
    pub probability: f32,
}

/// Turns what the field calls probable into how often it is right: a logistic curve over the log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// How much more or less certain.
    pub slope: f32,
    /// How much more or less in all.
    pub shift: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { slope: 1.0, shift: 0.0 }
    }
}

impl Calibration {
    /// How often something of this probability is right.
    #[must_use]
    pub fn apply(self, probability: f32) -> f32 {
        let p = probability.clamp(1e-6, 1.0 - 1e-6);
        1.0 / (1.0 + (-(self.slope * (p / (1.0 - p)).ln() + self.shift)).exp())
    }
}

/// What stands before lists and weights in the file.
#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) language: String,
    pub(super) kinds: Vec<String>,
    pub(super) templates: String,
    pub(super) lists: Vec<String>,
    pub(super) rules: Vec<Rule>,
    pub(super) calibration: Calibration,
    /// How runs are chosen: see [`Choice`].
    #[serde(default)]
    pub(super) lean: f32,
    #[serde(default)]
    pub(super) least: f32,
    pub(super) trained_on: String,
}

const MAGIC: &[u8; 8] = b"RETLABEL";
const VERSION: u32 = 2;
/// The oldest version that is still read; see [`Numbering`].
const OLDEST: u32 = 1;
const CHECKED_FROM: usize = 20;
/// The smallest probability that runs are chosen by.
const LEAST: f32 = 0.05;

/// A labeller that can be asked.
pub struct Labeller {
    language: Language,
    scheme: Scheme,
    templates: Templates,
    lists: Lists,
    rules: Rules,
    calibration: Calibration,
    choice: Choice,
    trained_on: String,
    model: Model,
}

impl std::fmt::Debug for Labeller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Labeller").field("kinds", &self.scheme.kinds()).finish_non_exhaustive()
    }
}

impl Labeller {
    /// Opens a labeller that ships with the program, or that was read or mapped.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, Error> {
        let bytes: Bytes = Arc::new(bytes);
        let all = (*bytes).as_ref();
        let damaged = || {
            Error::new(ErrorKind::Model, "the NER model is damaged: checksum mismatch")
                .with_hint("train it again, or obtain a new copy")
        };
        if all.len() < CHECKED_FROM + 4 || all[..8] != MAGIC[..] {
            return Err(Error::new(ErrorKind::Model, "the file is not a reticent NER model"));
        }
        let version = u32::from_le_bytes([all[8], all[9], all[10], all[11]]);
        if !(OLDEST..=VERSION).contains(&version) {
            let message =
                format!("the NER model has version {version}; this program supports {OLDEST} to {VERSION}");
            return Err(Error::new(ErrorKind::Model, message).with_hint("train it again with this program"));
        }
        if hash(&all[CHECKED_FROM..]).to_le_bytes()[..] != all[12..CHECKED_FROM] {
            return Err(damaged());
        }
        Self::opened(&bytes, if version == 1 { Numbering::Plain } else { Numbering::Apart })
    }

    /// Opens a labeller without looking at its magic, version and checksum: for fuzzing only, where they would
    /// keep all but the first bytes from being reached.
    #[doc(hidden)]
    pub fn open_unchecked(bytes: Vec<u8>) -> Result<Self, Error> {
        if bytes.len() < CHECKED_FROM + 4 {
            return Err(Error::new(ErrorKind::Model, "the file is not a reticent NER model"));
        }
        let bytes: Bytes = Arc::new(bytes);
        Self::opened(&bytes, Numbering::Apart)
    }

    /// Opens what lies behind the checksum.
    fn opened(bytes: &Bytes, numbering: Numbering) -> Result<Self, Error> {
        let all = (**bytes).as_ref();
        let damaged = || {
            Error::new(ErrorKind::Model, "the NER model is damaged: checksum mismatch")
                .with_hint("train it again, or obtain a new copy")
        };
        let size = u32::from_le_bytes([
            all[CHECKED_FROM],
            all[CHECKED_FROM + 1],
            all[CHECKED_FROM + 2],
            all[CHECKED_FROM + 3],
        ]) as usize;
        let start = CHECKED_FROM + 4;
        let header = all.get(start..start.saturating_add(size)).ok_or_else(damaged)?;
        let header: Header = serde_json::from_slice(header).map_err(|_| damaged())?;
        let scheme = Scheme::new(header.kinds.iter().cloned())?;
        if scheme.kinds() != header.kinds {
            return Err(damaged());
        }
        let choice = Choice { lean: header.lean, least: header.least };
        // Too many runs would be looked at if any were probable enough.
        if !choice.lean.is_finite() || !(choice.least == 0.0 || (LEAST..1.0).contains(&choice.least)) {
            return Err(damaged());
        }
        let (lists, next) = Lists::open(bytes.clone(), start + size, header.lists)?;
        let model = Model::open(bytes.clone(), next, &scheme)?;
        Ok(Self {
            language: Language::from_code(&header.language),
            templates: Templates::parse(&header.templates)?.numbered(numbering),
            rules: Rules::new(header.rules)?,
            calibration: header.calibration,
            choice,
            trained_on: header.trained_on,
            scheme,
            lists,
            model,
        })
    }

    /// A labeller as bytes.
    pub(super) fn write(header: &Header, lists: &[u8], model: &[u8]) -> Result<Vec<u8>, Error> {
        let header = serde_json::to_vec(header)
            .map_err(|_| Error::new(ErrorKind::Model, "cannot write the header of the NER model"))?;
        let size = u32::try_from(header.len())
            .map_err(|_| Error::new(ErrorKind::Limit, "the header of the NER model is too large"))?;
        let rest = [&size.to_le_bytes()[..], &header, lists, model].concat();
        Ok([&MAGIC[..], &VERSION.to_le_bytes(), &hash(&rest).to_le_bytes(), &rest].concat())
    }

    /// The names of the kinds.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        self.scheme.kinds()
    }

    /// The language that it was trained for.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// What it was trained on, in words.
    #[must_use]
    pub fn trained_on(&self) -> &str {
        &self.trained_on
    }

    /// The learnt rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What is in a document. Layers give sentences and tags; they must be of the same document.
    #[must_use]
    pub fn label(&self, document: &Document, layers: &Layers) -> Vec<Labelled> {
        if !self.templates.stay_in_sentences() {
            return self.scored(document, layers).runs(self, self.choice);
        }
        // Tokens and features take many times the room of the text, so a long document is labelled in parts, by as many
        // threads as there are.
        let stretches = stretches(document, layers, self.templates.unit());
        let parts = in_parts(&stretches, BYTES_AT_ONCE);
        let label = |part: &&[Span]| -> Vec<Labelled> {
            let tokens = Tokens::of(document.text(), part.iter().copied(), &layers.tokens);
            let parts = tokens.parts(TOKENS_AT_ONCE);
            parts.flat_map(|part| self.scored_tokens(part).runs(self, self.choice)).collect()
        };
        match parts.as_slice() {
            [part] => label(part),
            parts => parts.par_iter().flat_map_iter(label).collect(),
        }
    }

    /// The same as [`label`](Self::label), but that a sentence is labelled once, in however many documents it stands. The
    /// memory must be of this labeller.
    ///
    /// ```
    /// use reticent_text::label::{Memory, shipped};
    /// use reticent_text::{Analyzer, Document, Language};
    /// let (analyzer, memory) = (Analyzer::shipped()?, Memory::default());
    /// let labeller = shipped(Language::English)?.unwrap();
    /// for text in ["She lives in London. No change.", "Seen again. She lives in London."] {
    ///     let document = Document::plain("note", text);
    ///     let layers = analyzer.analyze(&document, None)?;
    ///     assert_eq!(labeller.label_once(&document, &layers, &memory), labeller.label(&document, &layers));
    /// }
    /// # Ok::<(), reticent_text::Error>(())
    /// ```
    #[must_use]
    pub fn label_once(&self, document: &Document, layers: &Layers, memory: &Memory) -> Vec<Labelled> {
        let text = document.text();
        // Signs of other alphabets may belong to what stands before them, across the end of a sentence.
        if !self.templates.stay_in_sentences() || !text.is_ascii() {
            return self.label(document, layers);
        }
        let (mut known, mut unknown) = (Vec::with_capacity(layers.sentences.len()), Vec::new());
        let mut key = Vec::new();
        for (sentence, tokens) in layers.sentences.iter().zip(layers.sentence_tokens()) {
            Memory::key(text, *sentence, &layers.tokens[tokens], &mut key);
            known.push(memory.get(&key));
            if known.last().is_some_and(Option::is_none) {
                unknown.push((*sentence, key.clone()));
            }
        }
        let mut new = Vec::new();
        if !unknown.is_empty() {
            let sentences = unknown.iter().map(|(sentence, _)| *sentence);
            new = self.scored_tokens(Tokens::of(text, sentences, &layers.tokens)).runs(self, self.choice);
            let mut rest = new.as_slice();
            for (sentence, key) in &unknown {
                let own = rest.partition_point(|labelled| labelled.span.start < sentence.end);
                let (here, after) = rest.split_at(own);
                let from_its_start = |labelled: &Labelled| Labelled {
                    span: Span::new(labelled.span.start - sentence.start, labelled.span.end - sentence.start),
                    ..*labelled
                };
                memory.put(key, here.iter().map(from_its_start).collect());
                rest = after;
            }
        }
        let known = layers.sentences.iter().zip(&known);
        let known = known.filter_map(|(sentence, known)| Some((sentence.start, known.as_ref()?)));
        new.extend(known.flat_map(|(start, labelled)| {
            let shifted = move |one: &Labelled| Labelled { span: one.span.shifted(start), ..*one };
            labelled.iter().map(shifted)
        }));
        new.sort_by_key(|labelled| labelled.span);
        new
    }

    /// The scores of a document's tokens, from which runs can be chosen.
    pub(super) fn scored<'t>(&self, document: &'t Document, layers: &Layers) -> Scored<'t> {
        self.scored_tokens(Tokens::new(document, layers, self.templates.unit()))
    }

    fn scored_tokens<'t>(&self, tokens: Tokens<'t>) -> Scored<'t> {
        let rules = if self.templates.uses_rules() { self.rules.values(&tokens) } else { Vec::new() };
        let sources = Sources::new(self.language, &self.lists, &rules);
        let states = self.model.states();
        let mut scores = vec![0.0; tokens.spans.len() * states];
        let mut features = Vec::new();
        self.templates.each(&tokens, &sources, |token, feature, _| {
            features.push(feature);
            if feature == Templates::LAST {
                self.model.add(&features, &mut scores[token * states..(token + 1) * states]);
                features.clear();
            }
        });
        Scored { tokens, scores }
    }
}

/// About how many tokens are labelled at once.
const TOKENS_AT_ONCE: usize = 16_384;
/// About how many bytes a thread labels at once.
const BYTES_AT_ONCE: usize = 1 << 16;

/// Runs of whole stretches, each of at least so many bytes but for the last.
fn in_parts(stretches: &[Span], least: usize) -> Vec<&[Span]> {
    let mut parts = Vec::new();
    let mut rest = stretches;
    while let Some(first) = rest.first() {
        let count = rest.partition_point(|stretch| stretch.end < first.start + least) + 1;
        let (part, after) = rest.split_at(count.min(rest.len()));
        parts.push(part);
        rest = after;
    }
    parts
}

/// A document whose tokens have scores.
pub(super) struct Scored<'t> {
    tokens: Tokens<'t>,
    scores: Vec<f32>,
}

impl Scored<'_> {
    /// The runs that are chosen so.
    pub(super) fn runs(&self, labeller: &Labeller, choice: Choice) -> Vec<Labelled> {
        let states = labeller.model.states();
        let mut labelled = Vec::new();
        let mut lattice = Lattice::default();
        for sequence in &self.tokens.sequences {
            let scores = &self.scores[sequence.start * states..sequence.end * states];
            for (run, probability) in labeller.model.label(scores, choice, &mut lattice) {
                let within = sequence.start + run.tokens.start..sequence.start + run.tokens.end;
                labelled.push(Labelled {
                    span: self.tokens.span(&within),
                    kind: run.kind,
                    probability: labeller.calibration.apply(probability),
                });
            }
        }
        labelled
    }
}
