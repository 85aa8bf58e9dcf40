//! Utility: the share of the original's information content that a release keeps.
//!
//! [`word_utility`] weighs words by their document frequency in a corpus, as the reference scorer does;
//! [`term_utility`] weighs terms by any source of counts, as the papers do with a search engine.

mod rows;
mod terms;
mod words;

pub use rows::{Original, ReleasedRow, read_originals, read_released};
pub use terms::{TermOptions, TermUtility, term_utility};
pub use words::{Utility, WordWeights, word_utility};

// Both lists are in alphabetical order, and those of the reference scorer.

/// Function words, which carry no information of their own.
const STOP: [&str; 47] = [
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "for", "from", "had", "has", "have",
    "he", "her", "his", "i", "in", "into", "is", "it", "its", "of", "on", "or", "she", "so", "such", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "was", "were", "which",
    "who", "will", "with",
];

/// Words that say nothing about what they replace.
const EMPTY: [&str; 31] = [
    "anonymized",
    "anybody",
    "anyone",
    "anything",
    "certain",
    "confidential",
    "entity",
    "individual",
    "known",
    "mask",
    "masked",
    "name",
    "object",
    "one",
    "other",
    "people",
    "person",
    "persons",
    "place",
    "redacted",
    "sensitive",
    "some",
    "somebody",
    "someone",
    "something",
    "somewhere",
    "thing",
    "things",
    "unknown",
    "unspecified",
    "world",
];

/// Stop words carry no information of their own.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

fn is_empty_word(word: &str) -> bool {
    EMPTY.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(STOP.is_sorted() && EMPTY.is_sorted());
    }
}
