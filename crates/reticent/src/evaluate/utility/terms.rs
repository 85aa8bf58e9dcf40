//! Utility by the information content of terms, as in the papers.

use std::collections::HashMap;

use reticent_knowledge::Folding;
use reticent_knowledge::corpus::{Counts, Information, information};
use reticent_text::{Analyzer, Document, Language};

use super::is_empty_word;
use super::rows::{Original, ReleasedRow, original_of};
use crate::Error;
use crate::evaluate::words::{is_placeholder, words};
use crate::evaluate::{error, mean};

/// Of so many words of a term all parts are looked at.
const LONGEST: usize = 8;

/// Options for weighting terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermOptions {
    /// The language of the texts; detected if not given.
    pub language: Option<Language>,
    /// `true` if placeholders such as PERSON have the information content of their word, as in the paper. By default
    /// they have none.
    pub count_placeholders: bool,
}

/// The utility of a release, by terms.
#[derive(Clone, Debug, PartialEq)]
pub struct TermUtility {
    /// The number of released documents.
    pub documents: usize,
    /// The mean share of the information content in terms of the original that are kept: the utility if all others
    /// were suppressed.
    pub suppression: f64,
    /// The mean share including replacements, which never count more than the terms that they replace.
    pub generalization: f64,
    /// The mean number of masked terms per document.
    pub masked: f64,
    /// The number of terms in the originals that are unknown to the source of counts, as are their parts. They are
    /// weighted as if they occurred once.
    pub unknown: usize,
    /// The number of terms in the originals.
    pub terms: usize,
    /// For each row: its number, its utility under suppression, and its utility with replacements.
    pub rows: Vec<(usize, f64, f64)>,
}

/// Weighs released texts against their originals by their terms: `Semantics(D') / Semantics(D)`, where the semantics of a
/// text is the sum of the information content of its terms.
///
/// A term of the original is kept if it is still there, as often as it is. New terms of the released text
/// count with their own information content. A term unknown to the source counts as its most informative known part,
/// which is a lower bound. A new term without a known part, and an empty one, count nothing.
pub fn term_utility(
    original: &Original,
    released: &[ReleasedRow],
    counts: &dyn Counts,
    options: TermOptions,
) -> Result<TermUtility, Error> {
    let mut weigher = Weigher { counts, analyzer: Analyzer::shipped()?, options, known: HashMap::new() };
    let mut rows = Vec::with_capacity(released.len());
    let (mut masked, mut unknown, mut terms) = (0_usize, 0, 0);
    for row in released {
        let at = |error: Error| error.in_document(format!("row {} of the release", row.row));
        let before = weigher.terms(original_of(original, row)?).map_err(at)?;
        let mut after: HashMap<String, Vec<Term>> = HashMap::new();
        for term in weigher.terms(&row.text).map_err(at)? {
            after.entry(term.folded.clone()).or_default().push(term);
        }
        let (mut total, mut kept) = (0.0, 0.0);
        let once = (counts.total().max(1) as f64).log2();
        terms += before.len();
        for term in &before {
            let bits = term.bits.unwrap_or(once);
            unknown += usize::from(term.bits.is_none());
            total += bits;
            if after.get_mut(&term.folded).and_then(Vec::pop).is_some() {
                kept += bits;
            } else {
                masked += 1;
            }
        }
        if total <= 0.0 {
            return Err(at(error("the original of this row has no term with information content")));
        }
        // What is left over is new. Sums of floats need an order.
        let mut fresh: Vec<f64> =
            after.into_values().flatten().filter(|term| !term.empty).filter_map(|term| term.bits).collect();
        fresh.sort_by(f64::total_cmp);
        let said = fresh.iter().sum::<f64>().min(total - kept);
        rows.push((row.row, kept / total, (kept + said) / total));
    }
    let column = |of: fn(&(usize, f64, f64)) -> f64| mean(&rows.iter().map(of).collect::<Vec<f64>>());
    Ok(TermUtility {
        documents: rows.len(),
        suppression: column(|row| row.1),
        generalization: column(|row| row.2),
        masked: masked as f64 / rows.len().max(1) as f64,
        unknown,
        terms,
        rows,
    })
}

struct Weigher<'a> {
    counts: &'a dyn Counts,
    analyzer: Analyzer,
    options: TermOptions,
    known: HashMap<String, Option<f64>>,
}

struct Term {
    folded: String,
    /// Nothing where the source of counts knows nothing.
    bits: Option<f64>,
    /// Whether it says nothing in the place of another.
    empty: bool,
}

impl Weigher<'_> {
    fn terms(&mut self, text: &str) -> Result<Vec<Term>, Error> {
        let document = Document::plain("", text);
        let layers = self.analyzer.analyze(&document, self.options.language)?;
        let folding = Folding::new(layers.language);
        let mut found = Vec::new();
        for term in layers.terms(text) {
            let core = term.core.of(text);
            let folded = folding.term(core);
            if folded.is_empty() {
                continue;
            }
            let bits = if let Some(bits) = self.known.get(core) {
                *bits
            } else {
                let bits = self.bits(core)?;
                self.known.insert(core.to_owned(), bits);
                bits
            };
            let says = |word: &str| {
                (self.options.count_placeholders || !is_placeholder(word))
                    && !is_empty_word(&word.to_lowercase())
            };
            let empty = !self.options.count_placeholders && !words(core).any(says);
            found.push(Term { folded, bits, empty });
        }
        Ok(found)
    }

    /// The bits of a term, or of its most telling part.
    fn bits(&self, term: &str) -> Result<Option<f64>, Error> {
        if let Some(bits) = self.ask(term)? {
            return Ok(Some(bits));
        }
        let words: Vec<&str> = term.split_whitespace().take(LONGEST).collect();
        let mut most: Option<f64> = None;
        for start in 0..words.len() {
            for end in start + 1..=words.len() {
                let bits =
                    if end - start < words.len() { self.ask(&words[start..end].join(" "))? } else { None };
                most = most.map_or(bits, |most| Some(bits.map_or(most, |bits| most.max(bits))));
            }
        }
        Ok(most)
    }

    fn ask(&self, term: &str) -> Result<Option<f64>, Error> {
        let found = information::ic(self.counts, term).map_err(|problem| {
            let own = error(format!("cannot read the counts: {problem}"));
            problem.hint().map_or_else(|| own.clone(), |hint| own.clone().with_hint(hint))
        })?;
        Ok(match found {
            Information::Bits(bits) | Information::AtLeast(bits) => Some(bits),
            Information::Never | Information::Unknown => None,
        })
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use reticent_knowledge::corpus::WebHits;

    use super::super::{read_originals, read_released};
    use super::*;

    fn run(released: &str, count_placeholders: bool) -> TermUtility {
        let table = "Tom Cruise\t1\nactor\t16\nperson\t32\nAmerican actor\t4\n";
        let hits = WebHits::read(table.as_bytes(), 64, Language::English).unwrap();
        let original = read_originals("{\"id\":1,\"text\":\"Tom Cruise is an American actor.\"}").unwrap();
        let released = format!("{{\"id\":1,\"text\":\"{released}\"}}");
        let options = TermOptions { language: Some(Language::English), count_placeholders };
        term_utility(&original, &read_released(&released, "text").unwrap(), &hits, options).unwrap()
    }

    #[test]
    fn what_stays_is_kept_and_what_is_new_counts() {
        let same = run("Tom Cruise is an American actor.", false);
        assert_eq!((same.suppression, same.generalization, same.masked, same.unknown), (1.0, 1.0, 0.0, 0));
        // Six bits are gone, an actor says two.
        let less = run("Tom Cruise is an actor.", false);
        assert_eq!((less.suppression, less.generalization, less.masked), (0.6, 0.8, 1.0));
    }

    #[test]
    fn placeholders_say_nothing_unless_they_are_counted() {
        let released = "PERSON is an American actor.";
        assert_eq!(run(released, false).generalization, 0.4);
        assert_eq!(run(released, true).generalization, 0.5);
        // What the source does not know says nothing either; of what it knows in part, that part counts.
        assert_eq!(run("Xyzzy is an American actor.", true).generalization, 0.4);
        assert_eq!(run("Xyzzy Tom Cruise is an American actor.", true).generalization, 1.0);
    }
}
