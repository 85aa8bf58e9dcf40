//! What the models see of a word: a hash of its letters, its case, and whether it is known.

use super::Lexicon;

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Case {
    Lower,
    Initial,
    /// A capital where every sentence has one.
    First,
    Upper,
    Mixed,
    /// No letters.
    None,
    /// The whole sentence is in one case: it says nothing.
    Flat,
}

/// A word as the models see it.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    /// Hash of the lower-case letters with digits made equal; for unknown words, of their shape.
    pub(crate) key: u64,
    /// What the lexicon says, or nothing for an unknown word.
    pub(crate) entry: Option<u16>,
    pub(crate) case: Case,
}

impl Word {
    /// What stands before the first and after the last word.
    pub(crate) const BORDER: Self = Self { key: 0x5eed, entry: None, case: Case::None };

    /// What the lexicon says, as a value of a feature.
    pub(crate) fn class(self) -> u64 {
        self.entry.map_or(0xffff, u64::from)
    }
}

/// Room for the words of one sentence, kept from one to the next.
#[derive(Default)]
pub(crate) struct Words {
    pub(crate) words: Vec<Word>,
}

/// Longest stretch of a word that is looked at: what is longer is no word of a lexicon.
const LONGEST: usize = 64;

impl Words {
    /// Looks at the words of one sentence.
    pub(crate) fn read<'a>(&mut self, lexicon: &Lexicon, tokens: impl Iterator<Item = &'a str> + Clone) {
        self.words.clear();
        for (token, hash, case) in written(tokens) {
            let entry = lexicon.look_up(hash, case);
            let key = if entry.is_some() { hash } else { unknown_key(token, case) };
            self.words.push(Word { key, entry, case });
        }
    }

    /// The word at a distance, or the border.
    #[inline]
    pub(crate) fn at(&self, index: usize, distance: isize) -> Word {
        index.checked_add_signed(distance).and_then(|at| self.words.get(at)).copied().unwrap_or(Word::BORDER)
    }
}

/// Each word of a sentence in its normal form, with its hash and case.
pub(crate) fn written<'a>(
    tokens: impl Iterator<Item = &'a str> + Clone,
) -> impl Iterator<Item = (&'a str, u64, Case)> {
    let flat = is_flat(tokens.clone());
    let mut first = true;
    tokens.map(move |token| {
        let token = normal(token);
        let mut case = case_of(token);
        if case != Case::None {
            if flat {
                case = Case::Flat;
            } else if first && case == Case::Initial {
                case = Case::First;
            }
            first = false;
        }
        (token, hash_word(token), case)
    })
}

/// The treebanks write brackets and quotes in their own way.
pub(crate) fn normal(token: &str) -> &str {
    match token {
        "-LRB-" => "(",
        "-RRB-" => ")",
        "-LCB-" => "{",
        "-RCB-" => "}",
        "-LSB-" => "[",
        "-RSB-" => "]",
        "“" => "``",
        "”" => "''",
        "‘" => "`",
        "’" => "'",
        "’s" => "'s",
        "n’t" => "n't",
        "’re" => "'re",
        "’ve" => "'ve",
        "’ll" => "'ll",
        "’m" => "'m",
        "’d" => "'d",
        "–" | "—" | "−" => "--",
        "…" => "...",
        _ => token,
    }
}

/// Whether all letters are capitals, or none is. One word alone is not flat: it may be a name.
fn is_flat<'a>(tokens: impl Iterator<Item = &'a str>) -> bool {
    let (mut lower, mut upper, mut letter, mut words) = (false, false, false, 0);
    for token in tokens {
        let case = case_of(token);
        words += usize::from(case != Case::None);
        match case {
            Case::Lower => lower = true,
            Case::Upper => upper = true,
            // One capital letter alone fits among capitals.
            Case::Initial if token.len() == 1 => letter = true,
            Case::None => {}
            _ => return false,
        }
        if lower && (upper || letter) {
            return false;
        }
    }
    words > 1
}

fn case_of(token: &str) -> Case {
    let (mut lower, mut upper, mut first_upper, mut seen) = (false, 0, false, false);
    for c in token.chars().take(LONGEST) {
        if !c.is_alphabetic() {
            continue;
        }
        if c.is_uppercase() {
            upper += 1;
            first_upper |= !seen;
        } else {
            lower = true;
        }
        seen = true;
    }
    match (seen, lower, upper) {
        (false, ..) => Case::None,
        (_, _, 0) => Case::Lower,
        (_, false, 2..) => Case::Upper,
        (_, _, 1) if first_upper => Case::Initial,
        _ if first_upper && token.contains(['-', '.']) => Case::Initial,
        _ => Case::Mixed,
    }
}

/// Lower-case letters; digits are all the same, and more than four in a row are four.
fn hash_word(token: &str) -> u64 {
    let mut hash = Hasher::default();
    let mut digits = 0;
    for c in token.chars().take(LONGEST) {
        if c.is_ascii_digit() {
            digits += 1;
            if digits <= 4 {
                hash.push('0');
            }
            continue;
        }
        digits = 0;
        hash.push_lower(c);
    }
    hash.0
}

fn unknown_key(token: &str, case: Case) -> u64 {
    let mut hash = Hasher(0x0ddb_a115);
    for c in token.chars().rev().take(3) {
        hash.push_lower(if c.is_ascii_digit() { '0' } else { c });
    }
    hash.0 ^ ((case as u64) << 56)
}

/// One multiplication per letter.
pub(crate) struct Hasher(pub(crate) u64);

impl Default for Hasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher {
    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        self.0 = (self.0 ^ u64::from(u32::from(c))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    }

    #[inline]
    pub(crate) fn push_lower(&mut self, c: char) {
        if c.is_ascii() {
            self.push(c.to_ascii_lowercase());
        } else {
            c.to_lowercase().for_each(|c| self.push(c));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_cases_apart() {
        for (token, case) in [
            ("lower", Case::Lower),
            ("Ana", Case::Initial),
            ("NHS", Case::Upper),
            ("eBay", Case::Mixed),
            ("McDonald", Case::Mixed),
            ("12/05", Case::None),
            ("Anglo-Saxon", Case::Initial),
            ("Ñandú", Case::Initial),
            ("A", Case::Initial),
        ] {
            assert_eq!(case_of(token), case, "{token}");
        }
    }

    #[test]
    fn digits_are_equal() {
        assert_eq!(hash_word("1,250.40"), hash_word("9,999.99"));
        assert_eq!(hash_word("12345678"), hash_word("123456789"));
        assert_ne!(hash_word("12"), hash_word("1990"));
    }

    #[test]
    fn sees_sentences_in_one_case() {
        assert!(is_flat("PAST MEDICAL HISTORY".split(' ')));
        assert!(is_flat("i went home".split(' ')));
        assert!(!is_flat("I went home".split(' ')));
        assert!(!is_flat(["NHS"].into_iter()));
    }
}
