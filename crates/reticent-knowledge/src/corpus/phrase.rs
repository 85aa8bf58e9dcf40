//! A term as an index looks for it.

use crate::Folding;
use crate::fold::words;

/// Folded words that follow each other, without stop words at the ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) words: Vec<PhraseWord>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhraseWord {
    pub(super) folded: String,
    /// Whether the term itself has a comma or the like before it, as `Austin, Texas` has: then the
    /// text may have one there too.
    pub(super) apart: bool,
}

impl Phrase {
    /// Nothing if the term has no word.
    pub(super) fn new(term: &str, folding: Folding) -> Option<Self> {
        let all: Vec<_> = words(term).collect();
        let core = folding.core(&all);
        let words: Vec<PhraseWord> = core
            .iter()
            .map(|word| PhraseWord { folded: folding.word(word.text), apart: word.apart })
            .collect();
        (!words.is_empty()).then_some(Self { words })
    }
}
