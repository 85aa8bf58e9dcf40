//! Utility by the information content of words, as in the reference scorer.

use std::collections::HashMap;

use super::rows::{Original, ReleasedRow, original_of};
use super::{is_empty_word, is_stop_word};
use crate::Error;
use crate::evaluate::words::{is_placeholder, without_placeholders, words};
use crate::evaluate::{error, mean};

/// The document frequencies of words in a corpus. Use a broad corpus: in a narrow one common words look rare.
#[derive(Default)]
pub struct WordWeights {
    documents: u64,
    /// For each word, how many documents have it, and the last one that does.
    with: HashMap<String, (u64, u64)>,
}

impl std::fmt::Debug for WordWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WordWeights").field("documents", &self.documents).finish_non_exhaustive()
    }
}

impl WordWeights {
    /// Counts a document.
    pub fn add(&mut self, text: &str) {
        self.documents += 1;
        for word in words(text).map(str::to_lowercase) {
            let (with, last) = self.with.entry(word).or_default();
            if *last != self.documents {
                (*with, *last) = (*with + 1, self.documents);
            }
        }
    }

    /// Returns the number of documents counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    fn knows(&self, word: &str) -> bool {
        self.with.contains_key(word)
    }

    /// The bits of a word; of one that no document has, those of a word that only one has.
    fn bits(&self, word: &str) -> f64 {
        let with = self.with.get(word).map_or(1, |(with, _)| *with);
        (self.documents as f64 / with as f64).log2()
    }

    /// How often each word is in a text, without placeholders, in the order of the text.
    fn count(text: &str) -> Bag {
        let mut bag = Bag::default();
        for word in words(text).filter(|word| !is_placeholder(word)) {
            bag.add(word.to_lowercase());
        }
        bag
    }

    /// What each word that says something says in all.
    fn weigh<'b>(&self, bag: &'b Bag) -> Vec<(&'b str, f64)> {
        let saying = bag.words.iter().filter(|(word, _)| !is_stop_word(word));
        saying.map(|(word, count)| (word.as_str(), *count as f64 * self.bits(word))).collect()
    }
}

/// Words with how often they are, in the order in which they first came.
#[derive(Default)]
struct Bag {
    words: Vec<(String, u64)>,
    places: HashMap<String, usize>,
}

impl Bag {
    fn add(&mut self, word: String) {
        if let Some(&at) = self.places.get(&word) {
            self.words[at].1 += 1;
        } else {
            self.places.insert(word.clone(), self.words.len());
            self.words.push((word, 1));
        }
    }

    fn of(&self, word: &str) -> u64 {
        self.places.get(word).map_or(0, |&at| self.words[at].1)
    }
}

/// The utility of a release, as a share of the original's information content.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    /// The number of released documents.
    pub documents: usize,
    /// The mean share in kept words of the original: the utility if all replacements were suppressed.
    pub kept: f64,
    /// The mean share including replacements; `None` if no row has edits.
    pub utility: Option<f64>,
    /// For each row: its number, the share kept, and the share including replacements.
    pub rows: Vec<(usize, f64, Option<f64>)>,
}

/// Weighs released texts against their originals by their words.
///
/// Only words of the original that remain are kept. A replacement counts the information content of its new words,
/// but never more than the replaced text; a placeholder such as `[DATE]` or `PERSON`, a content-free word such as
/// `something` and a word unknown to the corpus count nothing.
pub fn word_utility(
    original: &Original,
    released: &[ReleasedRow],
    weights: &WordWeights,
) -> Result<Utility, Error> {
    if weights.documents == 0 {
        return Err(error("the corpus has no documents"));
    }
    let mut rows = Vec::with_capacity(released.len());
    for row in released {
        let text = original_of(original, row)?;
        let at = || format!("row {} of the release", row.row);
        let (before, after) = (WordWeights::count(text), WordWeights::count(&row.text));
        let old = weights.weigh(&before);
        let total: f64 = old.iter().map(|(_, bits)| bits).sum();
        if total <= 0.0 {
            return Err(
                error("the original of this row has no word with information content").in_document(at())
            );
        }
        let share = |word: &str| (after.of(word) as f64 / before.of(word) as f64).min(1.0);
        let left: f64 = old.iter().map(|(word, bits)| bits * share(word)).sum();
        let said = match &row.edits {
            None => None,
            Some(edits) => {
                let gained = gained(text, edits, weights).map_err(|error| error.in_document(at()))?;
                Some(((left + gained) / total).min(1.0))
            }
        };
        rows.push((row.row, left / total, said));
    }
    let kept: Vec<f64> = rows.iter().map(|row| row.1).collect();
    let said: Vec<f64> = rows.iter().filter_map(|row| row.2).collect();
    let utility = (!said.is_empty()).then(|| mean(&said));
    Ok(Utility { documents: rows.len(), kept: mean(&kept), utility, rows })
}

/// What all replacements of a text say.
fn gained(text: &str, edits: &[(usize, usize, String)], weights: &WordWeights) -> Result<f64, Error> {
    let offsets = reticent_text::Offsets::new(text, reticent_text::OffsetUnit::Chars);
    let mut gained = 0.0;
    for (number, (start, end, replacement)) in (1..).zip(edits) {
        let span = offsets.inside(*start, *end).ok_or_else(|| {
            error(format!("edit {number} lies outside the original"))
                .with_hint("offsets are Unicode code points of the original text")
        })?;
        let (was, now) =
            (WordWeights::count(span.of(text)), WordWeights::count(&without_placeholders(replacement)));
        let fresh = weights
            .weigh(&now)
            .into_iter()
            .filter(|(word, _)| was.of(word) == 0 && weights.knows(word) && !is_empty_word(word));
        let lost = weights.weigh(&was).into_iter().filter(|(word, _)| now.of(word) == 0);
        let sum = |all: &mut dyn Iterator<Item = (&str, f64)>| all.map(|(_, bits)| bits).sum::<f64>();
        gained += sum(&mut fresh.into_iter()).min(sum(&mut lost.into_iter()));
    }
    Ok(gained)
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::super::{read_originals, read_released};
    use super::*;

    fn weights() -> WordWeights {
        let mut weights = WordWeights::default();
        for text in ["rome metz", "metz city city", "city", "city"] {
            weights.add(text);
        }
        weights
    }

    fn run(released: &str) -> Result<Utility, Error> {
        // Rome and xyz have 2 bits each, Metz 1, city 0.415.
        let original = read_originals("{\"id\":1,\"text\":\"the Rome of Metz\"}").unwrap();
        word_utility(&original, &read_released(released, "text").unwrap(), &weights())
    }

    #[test]
    fn words_that_stay_are_kept() {
        assert_eq!(run("{\"id\":1,\"text\":\"metz ROME\"}").unwrap().kept, 1.0);
        let one = run("{\"id\":1,\"text\":\"the LOCATION of Metz\"}").unwrap();
        assert_eq!((one.kept, one.utility), (1.0 / 3.0, None));
    }

    #[test]
    fn replacements_say_no_more_than_what_they_replace() {
        let edit = |start: usize, end: usize, by: &str| {
            let row = format!(
                "{{\"id\":1,\"text\":\"-\",\"edits\":[{{\"start\":{start},\"end\":{end},\"replacement\":\"{by}\"}}]}}"
            );
            run(&row).unwrap().utility.unwrap()
        };
        assert_eq!(edit(12, 16, "rome"), 1.0 / 3.0);
        assert!((edit(12, 16, "a city") - 0.415 / 3.0).abs() < 1e-3);
        for nothing in ["something", "PERSON", "xyz", "metz", "", "[CITY]", "[ROME 2]", "***"] {
            assert_eq!(edit(12, 16, nothing), 0.0, "{nothing}");
        }
        // Brackets alone make no placeholder, nor do capitals of four letters alone.
        for something in ["[rome]", "[Rome]", "ROME", "[ROME"] {
            assert_eq!(edit(12, 16, something), 1.0 / 3.0, "{something}");
        }
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let says = |row: &str| run(row).unwrap_err().to_string();
        assert!(says("{\"id\":2,\"text\":\"x\"}").starts_with("row 1 of the release: the original"));
        let outside = "{\"id\":1,\"text\":\"x\",\"edits\":[{\"start\":1,\"end\":99,\"replacement\":\"\"}]}";
        assert!(says(outside).contains("edit 1 lies outside"));
        let empty = read_originals("{\"id\":1,\"text\":\"the of\"}").unwrap();
        let released = read_released("{\"id\":1,\"text\":\"x\"}", "text").unwrap();
        assert!(word_utility(&empty, &released, &weights()).is_err());
        assert!(word_utility(&empty, &released, &WordWeights::default()).is_err());
    }
}
