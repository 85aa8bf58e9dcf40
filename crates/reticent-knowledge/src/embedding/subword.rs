//! Sequences of letters that words are made of, hashed into buckets as fastText does: with them no
//! word is unknown.

/// Which sequences, and into how many buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subwords {
    /// The shortest, in characters.
    pub shortest: u32,
    /// The longest.
    pub longest: u32,
    /// The number of buckets.
    pub buckets: u32,
}

impl Subwords {
    /// Longer terms are taken for text that is no term, and have no sequences.
    const LONGEST_TERM: usize = 1000;

    /// Returns whether these numbers make sense.
    pub fn is_sound(self) -> bool {
        (1..=self.longest).contains(&self.shortest) && self.longest <= 32 && self.buckets > 0
    }

    /// The buckets of a term's sequences, with `<` and `>` at its ends, as often as they occur.
    ///
    /// ```
    /// use reticent_knowledge::embedding::Subwords;
    /// let subwords = Subwords { shortest: 3, longest: 3, buckets: 1000 };
    /// assert_eq!(subwords.of("cat").len(), 3); // <ca cat at>
    /// assert!(subwords.of("").is_empty());
    /// ```
    pub fn of(self, term: &str) -> Vec<u32> {
        if term.is_empty() || term.len() > Self::LONGEST_TERM {
            return Vec::new();
        }
        let marked = format!("<{term}>");
        let starts: Vec<usize> = marked.char_indices().map(|(at, _)| at).chain([marked.len()]).collect();
        let count = starts.len() - 1;
        let mut found = Vec::new();
        for first in 0..count {
            for length in self.shortest as usize..=self.longest as usize {
                if first + length > count {
                    break;
                }
                // A mark alone says nothing.
                if length == 1 && (first == 0 || first + 1 == count) {
                    continue;
                }
                found.push(hash(&marked.as_bytes()[starts[first]..starts[first + length]]) % self.buckets);
            }
        }
        found
    }
}

/// FNV-1a over bytes that are taken as signed: so fastText does, and so files of it ask for.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(2_166_136_261, |hash, byte| {
        let byte = i32::from(i8::from_le_bytes([*byte])).cast_unsigned();
        (hash ^ byte).wrapping_mul(16_777_619)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_fasttext_does() {
        assert_eq!(hash(b""), 2_166_136_261);
        assert_eq!(hash(b"a"), 0xe40c_292c);
        // Bytes of accented letters are negative there.
        assert_ne!(hash("é".as_bytes()), {
            "é".bytes().fold(2_166_136_261u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
        });
    }

    #[test]
    fn counts_characters_not_bytes() {
        let subwords = Subwords { shortest: 3, longest: 4, buckets: 1 << 20 };
        assert_eq!(subwords.of("año").len(), subwords.of("ano").len());
        assert_ne!(subwords.of("año"), subwords.of("ano"));
    }

    #[test]
    fn leaves_out_what_is_no_term() {
        let subwords = Subwords { shortest: 1, longest: 2, buckets: 10 };
        assert!(subwords.of(&"a".repeat(10_000)).is_empty());
        assert_eq!(subwords.of("a").len(), 3, "<a, a, a>");
        assert!(!Subwords { shortest: 4, longest: 3, buckets: 1 }.is_sound());
        assert!(!Subwords { shortest: 1, longest: 3, buckets: 0 }.is_sound());
    }
}
