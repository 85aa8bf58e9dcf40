//! Words and characters as numbers.

use std::collections::{BTreeMap, HashMap};

/// The words and characters that a network knows. Row 0 is a word that it does not know; characters 0, 1
/// and 2 are an unknown one, the beginning and the end of a token.
pub(super) struct Vocabulary {
    words: HashMap<String, u32>,
    characters: HashMap<char, u32>,
}

/// Rows before those of words, and numbers before those of characters.
pub(super) const UNKNOWN_WORD: u32 = 0;
const FIRST_WORD: u32 = 1;
const FIRST_CHARACTER: u32 = 3;
/// Of a longer token only the first characters are looked at.
const LONGEST: usize = 40;

impl Vocabulary {
    pub(super) fn new(words: &[String], characters: &str) -> Self {
        Self {
            words: words.iter().cloned().zip(FIRST_WORD..).collect(),
            characters: characters.chars().zip(FIRST_CHARACTER..).collect(),
        }
    }

    /// How many rows its words need.
    pub(super) fn words(&self) -> usize {
        self.words.len() + 1
    }

    /// How many rows its characters need.
    pub(super) fn characters(&self) -> usize {
        self.characters.len() + 3
    }

    /// The row of a token.
    pub(super) fn word(&self, token: &str) -> u32 {
        self.words.get(&fold(token)).copied().unwrap_or(UNKNOWN_WORD)
    }

    /// Adds the numbers of a token's characters, with its beginning and end.
    pub(super) fn spell(&self, token: &str, into: &mut Vec<u32>) {
        into.push(1);
        into.extend(token.chars().take(LONGEST).map(|c| self.characters.get(&c).copied().unwrap_or(0)));
        into.push(2);
    }
}

/// A token as vocabularies write it: without case, all digits 0.
pub(super) fn fold(token: &str) -> String {
    token.chars().flat_map(char::to_lowercase).map(|c| if c.is_numeric() { '0' } else { c }).collect()
}

/// Folded tokens and characters with how often they occur.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) words: BTreeMap<String, u32>,
    pub(super) characters: BTreeMap<char, u32>,
}

impl Seen {
    pub(super) fn add(&mut self, token: &str) {
        *self.words.entry(fold(token)).or_default() += 1;
        token.chars().for_each(|c| *self.characters.entry(c).or_default() += 1);
    }

    /// The characters that occur more than once.
    pub(super) fn alphabet(&self) -> String {
        self.characters.iter().filter(|(_, count)| **count > 1).map(|(c, _)| c).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_digits_make_no_other_word() {
        let vocabulary = Vocabulary::new(&["año".to_owned(), "00".to_owned()], "añ");
        assert_eq!((vocabulary.word("AÑO"), vocabulary.word("73"), vocabulary.word("735")), (1, 2, 0));
        assert_eq!((vocabulary.words(), vocabulary.characters()), (3, 5));
    }

    #[test]
    fn spells_what_it_knows() {
        let vocabulary = Vocabulary::new(&[], "ab");
        let mut spelt = Vec::new();
        vocabulary.spell("bxa", &mut spelt);
        assert_eq!(spelt, [1, 4, 0, 3, 2]);
        spelt.clear();
        vocabulary.spell(&"a".repeat(1000), &mut spelt);
        assert_eq!(spelt.len(), LONGEST + 2);
    }
}
