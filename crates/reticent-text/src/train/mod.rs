//! Making the models: from annotated text to bytes, the same bytes each time.
//!
//! The first training set of a language is the one whose guidelines the models follow; the others
//! widen what they have seen. See `models/README.md` for what the shipped models were made of.

mod chunker;
mod corpus;
pub mod evaluate;
mod ordinary;
pub mod parser;
mod perceptron;
mod tagger;

pub use chunker::chunker;
pub use corpus::{Corpus, Guidelines, Layout, Sentence};
pub use tagger::tagger;

use std::io::BufRead;

use crate::{Error, ErrorKind, Language, NounPhraseModel, Tagger};
use evaluate::Score;

/// What a set is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To learn from.
    Train,
    /// To learn from all but a twentieth, on which the result is measured.
    TrainAndMeasure,
    /// To measure on only.
    Measure,
    /// To measure on that twentieth only: what training without the set gives.
    MeasureHeldOut,
}

/// An annotated text in columns.
pub struct TrainingSet<'a> {
    /// Its name, for the report.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Which column is what.
    pub layout: Layout,
    /// How much a mistake in it counts.
    pub weight: u8,
    /// What it is for.
    pub role: Role,
    /// The lines.
    pub input: Box<dyn BufRead + 'a>,
}

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often all sentences are seen.
    pub epochs: usize,
    /// Features that are rarer than this are not learnt.
    pub rarest: u8,
    /// How many weights a tagger keeps.
    pub tag_weights: usize,
    /// How many weights a chunker keeps.
    pub phrase_weights: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { epochs: 6, rarest: 3, tag_weights: 700_000, phrase_weights: 450_000 }
    }
}

/// How far training is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being trained: `en tagger`.
    pub what: String,
    /// How often all sentences have been seen.
    pub epoch: usize,
    /// How often they will be.
    pub epochs: usize,
    /// Mistakes in this pass.
    pub mistakes: usize,
}

/// What training made.
pub struct Trained {
    /// File names and bytes of the models.
    pub models: Vec<(String, Vec<u8>)>,
    /// What each set gave.
    pub report: Vec<SetReport>,
}

/// What was measured on one set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetReport {
    /// The set.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Tokens learnt from.
    pub trained_on: usize,
    /// Tokens measured on.
    pub measured_on: usize,
    /// Share of right tags.
    pub tags: Option<f64>,
    /// Exact noun phrases, with our own tags.
    pub phrases: Option<Score>,
}

impl std::fmt::Display for SetReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:<24} {} trained {:>8}", self.name, self.language, self.trained_on)?;
        if let Some(tags) = self.tags {
            write!(f, "  tested {:>7}  tags {:.4}", self.measured_on, tags)?;
        }
        if let Some(score) = self.phrases {
            let (p, r) = (score.precision(), score.recall());
            write!(f, "  phrases P {p:.4} R {r:.4} F1 {:.4}", score.f1())?;
        }
        Ok(())
    }
}

/// The sets of `data/lang`: file name, language, layout, weight, role.
const SHIPPED_SETS: [(&str, Language, Layout, u8, Role); 7] = [
    ("conll2000-train.conll.gz", Language::English, Layout::CONLL2000, 3, Role::Train),
    ("wikiactors-silver.conll.gz", Language::English, Layout::WIKIACTORS, 1, Role::TrainAndMeasure),
    ("mixed-silver.conll.gz", Language::English, Layout::MIXED, 1, Role::TrainAndMeasure),
    ("conll2000-test.conll.gz", Language::English, Layout::CONLL2000, 1, Role::Measure),
    ("conll2002-esp.train.conll.gz", Language::Spanish, Layout::CONLL2002, 3, Role::Train),
    ("conll2002-esp.testa.conll.gz", Language::Spanish, Layout::CONLL2002, 1, Role::Measure),
    ("conll2002-esp.testb.conll.gz", Language::Spanish, Layout::CONLL2002, 1, Role::Measure),
];

/// Opens (and unpacks) a file of the data by its name.
pub type Open<'f, 'a> = dyn FnMut(&str) -> Result<Box<dyn BufRead + 'a>, Error> + 'f;

/// Makes the shipped models again.
pub fn train_directory(
    open: &mut Open<'_, '_>,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Trained, Error> {
    let mut sets = Vec::new();
    for (file, language, layout, weight, role) in SHIPPED_SETS {
        let name = file.strip_suffix(".conll.gz").unwrap_or(file).to_owned();
        sets.push(TrainingSet { name, language, layout, weight, role, input: open(file)? });
    }
    train(sets, options, progress)
}

/// Trains a tagger for each language, and a chunker where there are phrases to learn from.
pub fn train(
    sets: Vec<TrainingSet<'_>>,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Trained, Error> {
    let mut trained = Trained { models: Vec::new(), report: Vec::new() };
    let mut read: Vec<(TrainingSet<'_>, Corpus)> = Vec::new();
    for mut set in sets {
        let corpus = Corpus::read(&mut set.input, set.layout)?;
        read.push((set, corpus));
    }
    for (language, name) in [(Language::English, "english"), (Language::Spanish, "spanish")] {
        let mut learn: Vec<(Corpus, u8)> = Vec::new();
        let mut measure: Vec<(String, usize, Option<Corpus>)> = Vec::new();
        for (set, corpus) in read.extract_if(.., |(set, _)| set.language == language) {
            let (train, held) = corpus.divide(set.role);
            let learnt = train.tokens();
            if learnt > 0 {
                learn.push((train, set.weight));
            }
            measure.push((set.name, learnt, (held.tokens() > 0).then_some(held)));
        }
        if learn.is_empty() {
            continue;
        }
        let bytes = tagger(&learn, options, &mut named(&format!("{language} tagger"), progress))?;
        let model = Tagger::read(&bytes)?;
        let phrases = if learn.iter().any(|(corpus, _)| corpus.has_phrases()) {
            let bytes =
                chunker(&learn, &model, options, &mut named(&format!("{language} chunker"), progress))?;
            let phrases = NounPhraseModel::read(&bytes)?;
            trained.models.push((format!("{name}-chunker.bin"), bytes));
            Some(phrases)
        } else {
            None
        };
        trained.models.push((format!("{name}-tagger.bin"), bytes));
        trained.models.push((format!("{name}-ordinary.txt"), ordinary::ordinary(&learn)));
        for (name, trained_on, held) in measure {
            let tags = held.as_ref().map(|held| evaluate::tags(&model, held));
            let score = held.as_ref().filter(|held| held.has_phrases()).zip(phrases.as_ref());
            let score = score.map(|(held, phrases)| evaluate::noun_phrases(&model, phrases, held));
            let measured_on = held.as_ref().map_or(0, Corpus::tokens);
            trained.report.push(SetReport { name, language, trained_on, measured_on, tags, phrases: score });
        }
    }
    if trained.models.is_empty() || !read.is_empty() {
        return Err(Error::new(
            ErrorKind::Model,
            "the training data is empty, or its language is not supported",
        ));
    }
    Ok(trained)
}

/// Called after each pass with its number, the number of passes and the mistakes.
type Passed<'a> = dyn FnMut(usize, usize, usize) + 'a;

fn named<'a>(what: &'a str, progress: &'a mut dyn FnMut(Progress)) -> impl FnMut(usize, usize, usize) + 'a {
    move |epoch, epochs, mistakes| progress(Progress { what: what.to_owned(), epoch, epochs, mistakes })
}

#[cfg(test)]
mod tests;
