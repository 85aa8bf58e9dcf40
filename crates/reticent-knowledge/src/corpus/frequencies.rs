//! How frequent words are, by default: what ships with the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::ops::Range;

use reticent_text::Language;

use super::phrase::Phrase;
use super::{Count, Counts};
use crate::packed::{Kind, Packed, u32_at, write};
use crate::{Error, ErrorKind, Folding};

const KIND: Kind = Kind { tag: *b"FREQ", name: "list of word frequencies", version: 1 };
static SHIPPED: &[u8] = include_bytes!("../../data/frequencies.bin");

/// Frequencies are for so many words of running text.
const TOTAL: u64 = 1_000_000_000;

/// The frequencies of English or Spanish words in running text, from subtitles, books, news and the web.
///
/// They stand in for an index when there is none. Words are known one by one: a phrase is at most as
/// frequent as its rarest word, and of terms together nothing is known. The lists do not tell `aids` from
/// `AIDS`: both have the frequency of both.
///
/// ```
/// use reticent_knowledge::corpus::{Count, Counts, WordFrequencies};
/// use reticent_text::Language;
/// let words = WordFrequencies::new(Language::English)?;
/// let Count::Exact(blood) = words.count(&["blood"])? else { panic!() };
/// assert!(matches!(words.count(&["blood transfusion"])?, Count::AtMost(few) if few < blood));
/// assert_eq!(words.count(&["blood", "HIV"])?, Count::Unknown);
/// assert_eq!(words.count(&["Xylquorp"])?, Count::Unknown);
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub struct WordFrequencies {
    packed: Packed,
    language: Language,
    words: Range<usize>,
    ends: Range<usize>,
    counts: Range<usize>,
}

impl fmt::Debug for WordFrequencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WordFrequencies").field("language", &self.language).finish_non_exhaustive()
    }
}

impl WordFrequencies {
    /// Those that ship with the program. There are none for other languages.
    pub fn new(language: Language) -> Result<Self, Error> {
        Self::open(Packed::embedded(KIND, SHIPPED)?, language)
    }

    fn open(packed: Packed, language: Language) -> Result<Self, Error> {
        if language == Language::Other {
            return Err(Error::new(
                ErrorKind::Argument,
                "no word frequencies are available for this language",
            )
            .with_hint("build an index of a corpus in this language with `reticent index build`"));
        }
        let code = language.code();
        let words = packed.range(&format!("{code}words"))?;
        let ends = packed.range(&format!("{code}ends"))?;
        let counts = packed.range(&format!("{code}count"))?;
        Ok(Self { packed, language, words, ends, counts })
    }

    /// Returns the number of words that are known.
    pub fn words(&self) -> usize {
        self.ends.len() / 4
    }

    fn word(&self, number: usize) -> &[u8] {
        let ends = self.packed.at(&self.ends);
        let start = if number == 0 { 0 } else { u32_at(ends, 4 * number - 4) };
        &self.packed.at(&self.words)[start as usize..u32_at(ends, 4 * number) as usize]
    }

    fn frequency(&self, folded: &str) -> Option<u64> {
        let (mut low, mut high) = (0, self.words());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.word(middle).cmp(folded.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    return Some(u64::from(u32_at(self.packed.at(&self.counts), 4 * middle)));
                }
            }
        }
        None
    }
}

impl Counts for WordFrequencies {
    fn name(&self) -> String {
        let language = if self.language == Language::Spanish { "Spanish" } else { "English" };
        format!("frequencies of {} {language} words", super::with_commas(self.words() as u64))
    }

    fn fingerprint(&self) -> String {
        format!("{}-{}", self.packed.fingerprint(), self.language)
    }

    fn total(&self) -> u64 {
        TOTAL
    }

    fn count(&self, terms: &[&str]) -> Result<Count, Error> {
        let term = match terms {
            [] => return Ok(Count::Exact(TOTAL)),
            [term] => term,
            _ => return Ok(Count::Unknown),
        };
        let Some(phrase) = Phrase::new(term, Folding::new(self.language)) else { return Ok(Count::Unknown) };
        let mut least = u64::MAX;
        for word in &phrase.words {
            let Some(frequency) = self.frequency(&word.folded) else { return Ok(Count::Unknown) };
            least = least.min(frequency);
        }
        Ok(if phrase.words.len() == 1 { Count::Exact(least) } else { Count::AtMost(least) })
    }
}

/// Packs lists of words with their frequency in a billion (`word<TAB>count`, one a line), one list for each
/// language, into the file that ships with the program.
pub fn pack(lists: &[(Language, &str)], into: &mut impl Write) -> Result<(), Error> {
    let mut sections: Vec<(String, Vec<u8>)> = Vec::new();
    for (language, list) in lists {
        let folding = Folding::new(*language);
        let mut folded: BTreeMap<String, u64> = BTreeMap::new();
        for (line, row) in (1..).zip(list.lines()) {
            let (word, count) = row
                .split_once('\t')
                .and_then(|(word, count)| Some((word, count.parse::<u32>().ok()?)))
                .ok_or_else(|| {
                    Error::new(ErrorKind::Malformed, "expected a word, a tab and a number").at_line(line)
                })?;
            // The list has no capitals, so that it may mean each of these.
            let capital: String = word.chars().take(1).flat_map(char::to_uppercase).collect::<String>()
                + &word.chars().skip(1).collect::<String>();
            let forms = [word.to_owned(), capital, word.to_uppercase()];
            for form in forms.iter().map(|form| folding.word(form)).collect::<BTreeSet<_>>() {
                *folded.entry(form).or_default() += u64::from(count);
            }
        }
        let (mut words, mut ends, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for (word, count) in folded {
            words.extend_from_slice(word.as_bytes());
            let number = |number: u64| u32::try_from(number.min(TOTAL)).unwrap_or(u32::MAX).to_le_bytes();
            ends.extend(number(words.len() as u64));
            counts.extend(number(count));
        }
        let code = language.code();
        sections.push((format!("{code}words"), words));
        sections.push((format!("{code}ends"), ends));
        sections.push((format!("{code}count"), counts));
    }
    let sections: Vec<(&str, &[u8])> =
        sections.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    write(KIND, &sections, into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_whole() {
        let packed = Packed::from_bytes(KIND, SHIPPED.to_vec()).unwrap();
        let english = WordFrequencies::open(packed, Language::English).unwrap();
        let spanish = WordFrequencies::new(Language::Spanish).unwrap();
        for words in [&english, &spanish] {
            assert!(words.words() > 40_000);
            assert_eq!(words.counts.len(), words.ends.len());
            assert!((1..words.words()).all(|at| words.word(at - 1) < words.word(at)));
        }
        assert_ne!(english.fingerprint(), spanish.fingerprint());
    }

    #[test]
    fn frequent_words_are_more_frequent() {
        let english = WordFrequencies::new(Language::English).unwrap();
        let count = |term: &str| match english.count(&[term]).unwrap() {
            Count::Exact(count) => count,
            other => panic!("{other:?}"),
        };
        assert!(count("time") > count("virus") && count("virus") > count("transfusion"));
        assert!(count("AIDS") > 0 && count("Williams") > 0);
        assert_eq!(count("the viruses"), count("virus"));
    }

    #[test]
    fn says_nothing_where_it_knows_nothing() {
        let english = WordFrequencies::new(Language::English).unwrap();
        for terms in [&["…"][..], &["zzqxv"], &["blood zzqxv"], &["blood", "virus"]] {
            assert_eq!(english.count(terms).unwrap(), Count::Unknown);
        }
        assert_eq!(
            english.count(&[&"blood ".repeat(2000)]).unwrap(),
            Count::AtMost(match english.count(&["blood"]).unwrap() {
                Count::Exact(count) => count,
                _ => 0,
            })
        );
        assert_eq!(WordFrequencies::new(Language::Other).unwrap_err().kind(), ErrorKind::Argument);
    }

    #[test]
    fn refuses_a_list_that_is_none() {
        let error = pack(&[(Language::English, "the\t5\nof")], &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "expected a word, a tab and a number (line 2)");
    }
}
