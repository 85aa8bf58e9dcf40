//! When two ways of writing are looked up as one word of a taxonomy.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::fold::words;

/// A term without case, accents, hyphens and possessives: under this it is filed. Number stays, which
/// [`super::morphology`] sees to.
pub(crate) fn key(term: &str) -> String {
    let mut key = String::with_capacity(term.len());
    for word in words(term) {
        if !key.is_empty() {
            key.push(' ');
        }
        if word.text.is_ascii() {
            key.extend(word.text.chars().map(|c| c.to_ascii_lowercase()));
        } else {
            let plain = word.text.nfkd().filter(|c| !is_combining_mark(*c) && !c.is_whitespace());
            key.extend(plain.flat_map(char::to_lowercase));
        }
    }
    key
}

/// How well the case of a term agrees with that of a word in a taxonomy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Case {
    /// Written the same.
    Same,
    /// The term has more capitals, as at the start of a sentence or in a heading.
    Raised,
    /// The word has capitals that the term lacks: `aids` for `AIDS`.
    Lowered,
}

impl Case {
    pub(crate) fn of(term: &str, word: &str) -> Self {
        let letters = |text: &str| -> Vec<char> { text.nfd().filter(|c| c.is_alphabetic()).collect() };
        let (term, word) = (letters(term), letters(word));
        let lowered = |(term, word): (&char, &char)| word.is_uppercase() && term.is_lowercase();
        if term == word {
            Self::Same
        } else if term.iter().zip(&word).any(lowered) {
            Self::Lowered
        } else {
            Self::Raised
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn files_what_differs_in_writing_only_together() {
        for (one, other) in [
            ("Parkinson's disease", "parkinson disease"),
            ("X-ray", "x ray"),
            ("Île-de-France", "ile de france"),
            ("heart_attack", "Heart Attack"),
        ] {
            assert_eq!(key(one), key(other));
        }
    }

    #[test]
    fn leaves_other_words_apart() {
        for (one, other) in [("heart attack", "heartattack"), ("aid", "aids"), ("the who", "who"), ("C", "D")]
        {
            assert_ne!(key(one), key(other));
        }
        assert_eq!(key("..."), "");
    }

    #[test]
    fn compares_case() {
        assert_eq!(Case::of("Turkey", "Turkey"), Case::Same);
        assert_eq!(Case::of("Turkey", "turkey"), Case::Raised);
        assert_eq!(Case::of("turkey", "Turkey"), Case::Lowered);
        assert_eq!(Case::of("HEART ATTACK", "heart attack"), Case::Raised);
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key(term in ".{0,40}") {
            let once = key(&term);
            // Possessives and letters that change under case may take a second pass, no more.
            let twice = key(&once);
            prop_assert_eq!(key(&twice), twice);
        }
    }
}
