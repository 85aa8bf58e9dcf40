//! What the network sees of a word: rows of tables, found by hashes of its spelling.
#![expect(clippy::cast_possible_truncation, reason = "hashes are cut on purpose")]

use crate::Tag;
use crate::tag::weights::Index;

/// Rows for endings.
pub(crate) const SUFFIXES: usize = 4096;
/// Rows for tags.
pub(crate) const TAGS: usize = 256;
/// Rows for shapes.
pub(crate) const SHAPES: usize = 64;
/// Longest part of a word that is looked at.
const LONGEST: usize = 40;

/// Rows of the tables for one word. Row 0 of `vector` and `word` is that of unknown words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    pub(crate) vector: u32,
    pub(crate) word: u32,
    pub(crate) suffix: u32,
    pub(crate) tag: u32,
    pub(crate) shape: u32,
}

/// The words that have rows of their own.
pub(crate) struct Vocabulary {
    vectors: Index,
    words: Index,
}

impl Vocabulary {
    /// Rows are counted from 1, in the order of the keys.
    pub(crate) fn new(
        vectors: impl ExactSizeIterator<Item = u32>,
        words: impl ExactSizeIterator<Item = u32>,
    ) -> Self {
        let (mut fixed, mut trained) =
            (Index::with_room_for(vectors.len()), Index::with_room_for(words.len()));
        vectors.zip(1..).for_each(|(key, row)| fixed.insert(key, row));
        words.zip(1..).for_each(|(key, row)| trained.insert(key, row));
        Self { vectors: fixed, words: trained }
    }

    pub(crate) fn look(&self, form: &str, tag: Tag, first: bool) -> Seen {
        let find = |key| (self.vectors.get(key), self.words.get(key));
        let (vector, word) = find(key(form));
        Seen {
            vector: vector.unwrap_or(0),
            word: word.unwrap_or(0),
            suffix: suffix(form),
            tag: u32::from(tag.number()),
            shape: shape(form, first),
        }
    }
}

/// The key of a word: a hash of its lower-case letters, with digits made equal and quotes and dashes written plainly.
pub(crate) fn key(form: &str) -> u32 {
    hash(form.chars().take(LONGEST))
}

fn suffix(form: &str) -> u32 {
    1 + hash(form.chars().rev().take(3)) % (SUFFIXES as u32 - 1)
}

fn hash(letters: impl Iterator<Item = char>) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut push = |c: char| {
        hash = (hash ^ u64::from(u32::from(c))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    };
    for c in letters {
        match c {
            '0'..='9' => push('0'),
            '’' | '‘' | '`' => push('\''),
            '“' | '”' => push('"'),
            '–' | '—' | '−' => push('-'),
            _ if c.is_ascii() => push(c.to_ascii_lowercase()),
            _ => c.to_lowercase().for_each(&mut push),
        }
    }
    (hash >> 32) as u32 ^ hash as u32
}

/// The case of a word, and whether it has digits or hyphens or begins the sentence.
fn shape(form: &str, first: bool) -> u32 {
    let (mut lower, mut upper, mut digit, mut hyphen, mut initial, mut letters) =
        (false, 0, false, false, false, 0);
    for c in form.chars().take(LONGEST) {
        if c.is_alphabetic() {
            if c.is_uppercase() {
                upper += 1;
                initial |= letters == 0;
            } else {
                lower = true;
            }
            letters += 1;
        } else {
            digit |= c.is_numeric();
            hyphen |= matches!(c, '-' | '.' | '/' | '@');
        }
    }
    let case = match (lower, upper) {
        (false, 0) => 0,
        (true, 0) => 1,
        (true, 1) if initial => 2,
        (false, 1) => 3,
        (false, _) => 4,
        _ if initial => 5,
        _ => 6,
    };
    case << 3 | u32::from(digit) << 2 | u32::from(hyphen) << 1 | u32::from(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_word_are_one() {
        assert_eq!(key("Don’T"), key("don't"));
        assert_eq!(key("12/05"), key("31/12"));
        assert_ne!(key("form"), key("from"));
        let vocabulary = Vocabulary::new([key("dog"), key("cat")].into_iter(), [key("cat")].into_iter());
        let (cat, dog) =
            (vocabulary.look("CAT", Tag::UNKNOWN, false), vocabulary.look("dog", Tag::UNKNOWN, false));
        assert_eq!((cat.vector, cat.word, dog.vector, dog.word), (2, 1, 1, 0));
    }

    #[test]
    fn rows_lie_in_their_tables() {
        for form in ["", "x", "Ana", "NHS", "eBay", "McDonald", "A", "a-1", "12.5", "😀", &"é".repeat(99)]
        {
            for first in [false, true] {
                assert!((shape(form, first) as usize) < SHAPES && (suffix(form) as usize) < SUFFIXES);
            }
        }
    }
}
