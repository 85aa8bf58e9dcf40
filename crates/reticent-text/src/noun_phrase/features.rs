//! What the chunker looks at.

use crate::Tag;
use crate::tag::Word;
use crate::tag::weights::{Feature, feature};

/// A window of words and tags around one word.
struct Window<'a> {
    words: &'a [Word],
    tags: &'a [Tag],
    at: usize,
}

impl Window<'_> {
    fn word(&self, distance: isize) -> u64 {
        let at = self.at.checked_add_signed(distance);
        at.and_then(|at| self.words.get(at)).map_or(Word::BORDER.key, |word| word.key)
    }

    fn tag(&self, distance: isize) -> u64 {
        let at = self.at.checked_add_signed(distance);
        at.and_then(|at| self.tags.get(at)).map_or(255, |tag| u64::from(tag.number()))
    }
}

/// The tags around the word at `at`, on which [`tag_features`] and [`edges`] depend.
pub(crate) fn tags_around(tags: &[Tag], at: usize) -> u64 {
    let window = Window { words: &[], tags, at };
    (-2..=2).fold(0, |row, distance| row << 8 | window.tag(distance))
}

/// Features that depend on tags alone. See [`crate::tag`] for `domain`.
pub(crate) fn tag_features(around: u64, domain: u8) -> [Feature; 9] {
    let domain = u64::from(domain);
    [
        feature(201, around >> 16 & 0xff, 0),
        feature(202, around >> 16 & 0xffff, 0),
        feature(203, around >> 8 & 0xffff, 0),
        feature(204, around >> 8 & 0x00ff_ffff, 0),
        feature(205, around >> 16, 0),
        feature(206, around & 0x00ff_ffff, 0),
        feature(207, around >> 8, 0),
        feature(208, around & 0xffff_ffff, 0),
        feature(220, around >> 8 & 0x00ff_ffff, domain),
    ]
}

/// Features of a pair of labels, of which `before` is the first: they too depend on tags alone.
pub(crate) fn edges(around: u64, domain: u8, before: u8) -> [Feature; 2] {
    let before = u64::from(before);
    [
        feature(231, before, around >> 8 & 0x00ff_ffff),
        feature(232, before, u64::from(domain) << 32 | around >> 16 & 0xffff),
    ]
}

/// Features that depend on words.
pub(crate) fn word_features(words: &[Word], tags: &[Tag], at: usize, domain: u8) -> [Feature; WORD_FEATURES] {
    let window = Window { words, tags, at };
    let (word, left, right) = (window.word(0), window.word(-1), window.word(1));
    let (t0, t1, r1) = (window.tag(0), window.tag(-1), window.tag(1));
    let case = words[at].case as u64;
    [
        feature(209, word, t0),
        feature(210, left, t0),
        feature(211, right, t0),
        feature(212, left, word),
        feature(213, word, right),
        feature(214, word, t1 << 8 | t0),
        feature(215, word, t0 << 8 | r1),
        feature(218, case << 16 | t1 << 8 | t0, 0),
        feature(221, word, u64::from(domain) << 8 | t0),
    ]
}

/// How many they are.
pub(crate) const WORD_FEATURES: usize = 9;
