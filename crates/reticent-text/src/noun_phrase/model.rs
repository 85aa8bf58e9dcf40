//! A linear model over pairs of labels, decoded exactly.

use std::ops::Range;

use super::{edges, phrases, tag_features, tags_around, word_features};
use crate::tag::weights::{Feature, Rows, Trios};
use crate::tag::{Reader, Word, Writer};
use crate::{Error, Tag};

/// A phrase begins here.
pub(crate) const BEGIN: u8 = 0;
/// A phrase goes on here.
pub(crate) const INSIDE: u8 = 1;
/// No phrase.
pub(crate) const OUTSIDE: u8 = 2;
const LABELS: usize = 3;

const MAGIC: &[u8] = b"reticent chunker 1\n";

/// Finds English noun phrases: an averaged structured perceptron, decoded by Viterbi.
pub struct NounPhraseModel {
    weights: Trios,
}

impl NounPhraseModel {
    /// Reads a model.
    pub fn read(model: &[u8]) -> Result<Self, Error> {
        let mut bytes = Reader::new(model);
        bytes.magic(MAGIC)?;
        let weights = Trios::read(&mut bytes)?;
        bytes.end()?;
        Ok(Self { weights })
    }

    pub(crate) fn write(rows: &Rows, most: usize) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(MAGIC);
        rows.write(&mut out, most);
        out.finish()
    }

    /// The phrases of one sentence, as ranges of its tokens. A decoder must stay with its model.
    pub(crate) fn find(&self, words: &[Word], tags: &[Tag], decoder: &mut Decoder) -> Vec<Range<usize>> {
        let domain = crate::tag::OUR_DOMAIN;
        phrases(decoder.decode(words, tags, domain, |feature, scores| self.weights.add(feature, scores)))
    }
}

/// Scores of each label, after each label.
type Scores = [[i32; LABELS]; LABELS];

/// Finds the best row of labels, in room that is kept from one sentence to the next.
#[derive(Default)]
pub(crate) struct Decoder {
    labels: Vec<u8>,
    back: Vec<[u8; LABELS]>,
    /// What the tags around a word add up to: the same few rows of tags come again and again.
    memory: Vec<(u64, Scores)>,
}

const MEMORY: usize = 2048;

impl Decoder {
    /// For a model whose weights do not change, with memory that is worth its while for so many tokens.
    pub(crate) fn remembering(tokens: usize) -> Self {
        let room = tokens.clamp(1, MEMORY).next_power_of_two();
        Self { memory: vec![(u64::MAX, [[0; LABELS]; LABELS]); room], ..Self::default() }
    }

    /// `add` adds the weights of a feature to the scores of the labels.
    pub(crate) fn decode(
        &mut self,
        words: &[Word],
        tags: &[Tag],
        domain: u8,
        add: impl Fn(Feature, &mut [i32; LABELS]),
    ) -> &[u8] {
        self.back.clear();
        let mut best = [0i64; LABELS];
        for at in 0..words.len() {
            let mut own = [0; LABELS];
            for feature in word_features(words, tags, at, domain) {
                add(feature, &mut own);
            }
            let pairs = self.pairs(tags_around(tags, at), domain, &add);
            let mut next = [i64::MIN / 2; LABELS];
            let mut back = [OUTSIDE; LABELS];
            // Before the first word there is no phrase.
            let first = if at == 0 { OUTSIDE } else { BEGIN };
            for before in first..=OUTSIDE {
                for label in BEGIN..=OUTSIDE {
                    if before == OUTSIDE && label == INSIDE {
                        continue;
                    }
                    let (from, to) = (usize::from(before), usize::from(label));
                    let score = best[from] + i64::from(own[to]) + i64::from(pairs[from][to]);
                    if score > next[to] {
                        next[to] = score;
                        back[to] = before;
                    }
                }
            }
            best = next;
            self.back.push(back);
        }
        self.labels.clear();
        self.labels.resize(words.len(), OUTSIDE);
        let mut label =
            (BEGIN..=OUTSIDE).rev().max_by_key(|&label| best[usize::from(label)]).unwrap_or(OUTSIDE);
        for at in (0..words.len()).rev() {
            self.labels[at] = label;
            label = self.back[at][usize::from(label)];
        }
        &self.labels
    }

    fn pairs(&mut self, around: u64, domain: u8, add: &impl Fn(Feature, &mut [i32; LABELS])) -> Scores {
        let spread = around.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let place = usize::try_from(spread).unwrap_or(0) & self.memory.len().wrapping_sub(1);
        if let Some((key, scores)) = self.memory.get(place)
            && *key == around
        {
            return *scores;
        }
        let mut own = [0; LABELS];
        for feature in tag_features(around, domain) {
            add(feature, &mut own);
        }
        let mut scores = [own; LABELS];
        for (before, scores) in (BEGIN..).zip(&mut scores) {
            for feature in edges(around, domain, before) {
                add(feature, scores);
            }
        }
        if let Some(place) = self.memory.get_mut(place) {
            *place = (around, scores);
        }
        scores
    }
}
