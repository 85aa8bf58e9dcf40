//! What a phrase tells: its words, and the runs of them that the corpus knows.

use std::collections::HashMap;

use reticent_knowledge::Folding;
use reticent_knowledge::fold::{self, Word};
use reticent_text::{Language, is_stop_word};

use super::measure::{Measure, Tally};
use crate::Error;
use crate::mask::vague;

/// Runs of more words than this are hardly ever written twice.
const LONGEST: usize = 4;

/// A word or a run of words, counted once for all phrases that have it.
pub(crate) struct Part {
    /// As it was first written.
    pub(crate) text: String,
    /// `IC`; nothing if the corpus does not know it.
    pub(crate) ic: Option<f64>,
    /// Whether it is a name of this secret.
    pub(crate) names: Option<usize>,
    /// For each secret, how often it is written with it.
    pub(crate) tallies: Vec<Option<Tally>>,
    /// The same strictly where probabilities are taken: for combinations.
    pub(crate) within: Vec<Option<Tally>>,
}

impl Part {
    /// Whether it may be in a combination that tells something.
    pub(crate) fn may_combine(&self) -> bool {
        self.within.iter().flatten().any(|tally| tally.with_secret > 0)
    }
}

/// All parts of a document's terms and of what may be said instead, by number.
pub(crate) struct Parts<'m, 'k> {
    pub(crate) measure: &'m Measure<'k>,
    folding: Folding,
    names: HashMap<String, usize>,
    longest: usize,
    known: HashMap<String, Option<u32>>,
    pub(crate) all: Vec<Part>,
}

impl<'m, 'k> Parts<'m, 'k> {
    pub(crate) fn new(measure: &'m Measure<'k>, language: Language) -> Self {
        let folding = Folding::new(language);
        let names: HashMap<String, usize> = measure.names(folding).into_iter().collect();
        let longest = names.keys().map(|name| name.split(' ').count()).max().unwrap_or(1).max(LONGEST);
        Self { measure, folding, names, longest, known: HashMap::new(), all: Vec::new() }
    }

    /// A term without what does not make it another.
    pub(crate) fn key(&self, term: &str) -> String {
        self.folding.term(term)
    }

    /// The parts of a phrase, each once, in order of their numbers.
    pub(crate) fn of(&mut self, phrase: &str) -> Result<Vec<u32>, Error> {
        let words: Vec<Word<'_>> = fold::words(phrase).collect();
        let mut parts = Vec::new();
        for first in 0..words.len() {
            for end in first + 1..=words.len().min(first + self.longest) {
                if end - first > 1 && words[end - 1].apart {
                    break;
                }
                if !tells(words[first].text, self.folding.language())
                    || !tells(words[end - 1].text, self.folding.language())
                {
                    continue;
                }
                let last = words[end - 1];
                let run = &phrase[words[first].start..last.start + last.text.len()];
                parts.extend(self.number(run, end - first == 1)?);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        Ok(parts)
    }

    /// The number of a run. Longer runs count only if the corpus knows them, or if they name a secret.
    fn number(&mut self, run: &str, single: bool) -> Result<Option<u32>, Error> {
        let key = self.folding.term(run);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let names = self.names.get(&key).copied();
        let ic = self.measure.ic(&[run])?;
        let number = if single || ic.is_some() || names.is_some() {
            let (mut tallies, mut within) = (Vec::new(), Vec::new());
            for secret in 0..self.measure.len() {
                let at = self.measure.tally(secret, &[run])?;
                within.push(at);
                tallies.push(match at {
                    Some(tally) => Some(tally),
                    None => self.measure.tally_one(secret, run)?,
                });
            }
            self.all.push(Part { text: run.to_owned(), ic, names, tallies, within });
            u32::try_from(self.all.len() - 1).ok()
        } else {
            None
        };
        self.known.insert(key, number);
        Ok(number)
    }

    pub(crate) fn get(&self, number: u32) -> &Part {
        &self.all[number as usize]
    }
}

/// Whether a word says something: no stop word, no single letter, no small number, not the word `something` itself or what is
/// as vague.
pub(crate) fn tells(word: &str, language: Language) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let stop = word.starts_with(char::is_lowercase) && is_stop_word(word, language);
    let vague =
        language == Language::English && vague::WORDS.iter().any(|vague| word.eq_ignore_ascii_case(vague));
    !stop && !vague && (letters > 1 || digits > 3 || (letters == 1 && digits > 0))
}
