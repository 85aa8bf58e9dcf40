//! Measuring models on annotated text.

use super::Corpus;
use crate::noun_phrase::{Decoder, phrases};
use crate::tag::Room;
use crate::{NounPhraseModel, Tagger};

/// The counts of correct, predicted and gold spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Found and true.
    pub right: usize,
    /// Found.
    pub found: usize,
    /// True.
    pub truth: usize,
}

impl Score {
    /// Share of what was found that is true.
    #[must_use]
    pub fn precision(self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    /// Share of what is true that was found.
    #[must_use]
    pub fn recall(self) -> f64 {
        self.right as f64 / self.truth.max(1) as f64
    }

    /// Their harmonic mean.
    #[must_use]
    pub fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.truth).max(1) as f64
    }
}

/// Share of right tags, on the corpus's own tokens.
#[must_use]
pub fn tags(tagger: &Tagger, corpus: &Corpus) -> f64 {
    let (mut right, mut all) = (0, 0);
    for sentence in &corpus.sentences {
        let found = tagger.tag(sentence.words());
        right += found.iter().zip(&sentence.tags).filter(|(found, truth)| found == truth).count();
        all += found.len();
    }
    right as f64 / all.max(1) as f64
}

/// Exact noun phrases, on the corpus's own tokens and the tagger's tags.
#[must_use]
pub fn noun_phrases(tagger: &Tagger, model: &NounPhraseModel, corpus: &Corpus) -> Score {
    let mut score = Score::default();
    let (mut room, mut decoder) = (Room::default(), Decoder::default());
    for sentence in &corpus.sentences {
        tagger.tag_into(sentence.words(), &mut room);
        let tags: Vec<_> = room.labels.iter().map(|&label| tagger.tag_of(label)).collect();
        let found = model.find(&room.words.words, &tags, &mut decoder);
        let truth = phrases(&sentence.labels);
        score.right += found.iter().filter(|phrase| truth.contains(phrase)).count();
        score.found += found.len();
        score.truth += truth.len();
    }
    score
}
