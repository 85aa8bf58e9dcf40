//! The disclosure certificate: the disclosure of a released text, measured again from the file and the corpus alone.
//!
//! This shares no code with detection and replacement. It splits the released text into its words, and the word sequences
//! of its noun phrases that the corpus knows, and tests every combination against every claim: by definition,
//! `PMI(c;T) > IC(g)`, or for a claim without `at_most`, `PMI(c;T) = IC(c)`; and, under the confident criterion, by an exact
//! binomial test of whether the counts show that this does not hold.

mod binomial;
mod claim;
mod held;
mod words;

use std::collections::HashMap;

use reticent_knowledge::corpus::Counts;
use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Document, Span};
use serde::Serialize;

pub use self::claim::Claim;
use self::held::{Entry, Judged, Knowledge};
pub use self::words::Excluded;
use crate::plan::Unknown;
use crate::policy::{Criterion, Disclosure};
use crate::{Error, ErrorKind};

/// A combination of terms in the released text and its disclosure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remaining {
    /// The index of the claim, from 0.
    pub subject: usize,
    /// The spans of its terms, in bytes of the released text.
    #[serde(skip)]
    pub places: Vec<Span>,
    /// The number of terms.
    pub terms: usize,
    /// The disclosure in bits.
    pub bits: f64,
    /// The maximum disclosure allowed, in bits.
    pub bound: f64,
}

/// A combination of terms of which the corpus says too little.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    /// The spans of its terms, in bytes of the released text.
    pub places: Vec<Span>,
}

/// The result of measuring the disclosure of a released text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// The fingerprint of the corpus.
    pub knowledge: String,
    /// A description of the corpus.
    pub corpus: String,
    /// The maximum number of terms in a combination.
    pub max_terms: usize,
    /// What makes a term safe.
    pub criterion: Criterion,
    /// The confidence at which a term must be shown to be safe.
    pub confidence: f64,
    /// The number of names that count as each claim.
    pub names: Vec<usize>,
    /// The claims that are measured by standard probabilities only, since they hardly ever occur with their `at_most`.
    pub without_context: Vec<usize>,
    /// The number of distinct terms in the released text.
    pub terms: usize,
    /// The number of combinations tested against the claims.
    pub counted: u64,
    /// The number of pairs of known terms.
    pub pairs: u64,
    /// The number of these that never co-occur in the corpus.
    pub never_together: u64,
    /// The number of combinations with few documents, some with a claim, that are judged by their parts and literally.
    pub by_parts: u64,
    /// The largest share of pairs that may never co-occur.
    pub max_unseen: f64,
    /// What was not counted as a term, by the reason.
    pub excluded: Excluded,
    /// The terms and combinations of which the corpus says too little.
    #[serde(skip)]
    pub unknown: Vec<Unsettled>,
    /// The combination with the highest disclosure, for each claim.
    pub worst: Vec<Remaining>,
    /// The combinations that exceed the bound.
    pub violations: Vec<Remaining>,
}

/// The verdict of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything was measured, and nothing exceeds the bound.
    Safe,
    /// Nothing measured exceeds the bound, but not all could be measured.
    NotAllCounted,
    /// A combination exceeds the bound.
    Violated,
}

impl Certificate {
    /// Returns the verdict. Terms that could not be measured are never considered safe.
    pub fn verdict(&self) -> Verdict {
        if !self.violations.is_empty() {
            Verdict::Violated
        } else if self.unknown.is_empty() && !self.has_unseen() {
            Verdict::Safe
        } else {
            Verdict::NotAllCounted
        }
    }

    /// Returns whether a larger share of pairs than allowed never co-occurs in the corpus.
    pub fn has_unseen(&self) -> bool {
        self.never_together as f64 > self.max_unseen * self.pairs as f64
    }

    /// What is not known to be safe; nothing if all is.
    pub(crate) fn unsettled(&self) -> Option<Unknown> {
        let terms = self.unknown.iter().filter(|unknown| unknown.places.len() == 1).count();
        let combinations = self.unknown.len() - terms;
        let unseen_pairs = if self.has_unseen() { self.never_together } else { 0 };
        let any = terms + combinations > 0 || unseen_pairs > 0;
        any.then_some(Unknown::TermsNotCounted { terms, combinations, unseen_pairs })
    }
}

/// Measures the disclosure of a released text, which must be analyzed.
pub fn certify(
    released: &Document,
    counts: &dyn Counts,
    claims: &[Claim],
    taxonomies: &Stack,
    settings: &Disclosure,
) -> Result<Certificate, Error> {
    let knowledge = Knowledge::new(counts, claims, taxonomies, settings, released.text())?;
    let words = words::of(released, &knowledge, settings.context)?;
    let without_context = (0..claims.len()).filter(|claim| knowledge.lacks_context(*claim, settings));
    let mut check = Check {
        certificate: Certificate {
            knowledge: counts.fingerprint(),
            corpus: counts.name(),
            max_terms: settings.max_terms,
            criterion: settings.criterion,
            confidence: settings.confidence,
            names: claims.iter().map(|claim| claim.names.len()).collect(),
            without_context: without_context.collect(),
            terms: 0,
            counted: 0,
            pairs: 0,
            never_together: 0,
            by_parts: 0,
            max_unseen: settings.max_unseen,
            excluded: words.excluded,
            unknown: Vec::new(),
            worst: Vec::new(),
            violations: Vec::new(),
        },
        knowledge,
        entries: Vec::new(),
        numbers: HashMap::new(),
    };
    for context in &words.contexts {
        check.context(context, settings.max_terms)?;
    }
    Ok(check.certificate)
}

pub(super) fn cannot_count() -> Error {
    Error::new(
        ErrorKind::Knowledge,
        "a protected term cannot be counted in this corpus: nothing is certified",
    )
}

/// Words without case and without what stands between them.
fn plain(words: &str) -> String {
    let parts = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

struct Check<'a> {
    knowledge: Knowledge<'a>,
    entries: Vec<Entry>,
    numbers: HashMap<String, usize>,
    certificate: Certificate,
}

impl Check<'_> {
    fn context(&mut self, words: &[words::Word<'_>], max_terms: usize) -> Result<(), Error> {
        let mut here: Vec<(usize, Span)> = Vec::new();
        for word in words {
            let number = self.number(word)?;
            if self.entries[number].written > 0 {
                here.push((number, word.place));
            }
        }
        if max_terms < 2 {
            return Ok(());
        }
        for (at, one) in here.iter().enumerate() {
            for (next, two) in here.iter().enumerate().skip(at + 1) {
                let grows = self.several(&[*one, *two])?;
                if max_terms < 3 || !grows {
                    continue;
                }
                for three in &here[next + 1..] {
                    self.several(&[*one, *two, *three])?;
                }
            }
        }
        Ok(())
    }

    /// The number of a word, which is judged by itself when it is first met.
    fn number(&mut self, word: &words::Word<'_>) -> Result<usize, Error> {
        let key = plain(word.text);
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let mut entry = self.knowledge.entry(word.text, &key)?;
        if entry.is_unknown() && key.contains(' ') {
            let parts = word.text.split(|c: char| !c.is_alphanumeric()).filter(|part| words::is_word(part));
            let parts = parts.map(|part| self.knowledge.entry(part, &plain(part)));
            let parts: Vec<Entry> = parts.collect::<Result<_, _>>()?;
            let backed = self.knowledge.back_off(&mut entry, &parts);
            self.certificate.by_parts += u64::from(backed);
        }
        self.certificate.terms += 1;
        self.certificate.counted += u64::from(entry.written > 0);
        for view in 0..self.knowledge.held.len() {
            let held = &self.knowledge.held[view];
            let risky = entry.judged[view] == Judged::Risky || entry.names == Some(held.claim);
            let (with, all) = entry.counts[view];
            self.tell(view, &[word.place], with, all, risky);
        }
        if entry.is_unknown() && entry.names.is_none() {
            self.certificate.unknown.push(Unsettled { places: vec![word.place] });
        }
        self.entries.push(entry);
        self.numbers.insert(key, self.entries.len() - 1);
        Ok(self.entries.len() - 1)
    }

    /// Judges several terms together; whether more terms beside them could reveal more.
    fn several(&mut self, terms: &[(usize, Span)]) -> Result<bool, Error> {
        let mut three = [&self.entries[terms[0].0]; 3];
        three.iter_mut().zip(terms).for_each(|(entry, (number, _))| *entry = &self.entries[*number]);
        let entries = &three[..terms.len()];
        let places = || terms.iter().map(|(_, place)| *place).collect::<Vec<Span>>();
        let mut apart = false;
        if terms.len() == 2 {
            self.certificate.pairs += 1;
            apart = self.knowledge.are_apart(entries)?;
            self.certificate.never_together += u64::from(apart);
        }
        let (mut grows, mut unknown, mut by_parts) = (false, false, false);
        let mut told = Vec::new();
        for (view, held) in self.knowledge.held.iter().enumerate() {
            let little = self.knowledge.tells_little(view, entries);
            let with = if apart { 0 } else { self.knowledge.with(view, entries)? };
            grows |= with > 0 || !little;
            if with == 0 && little {
                continue;
            }
            // More documents than these make it neither too much nor the most that is told.
            let worst = self.certificate.worst.iter().find(|worst| worst.subject == held.claim);
            let most =
                worst.map_or(f64::INFINITY, |worst| self.knowledge.documents_at(held, with, worst.bits));
            let enough = if little { most.max(held.enough(with)) } else { f64::INFINITY };
            let all = match held.within {
                _ if apart => 0,
                Some(_) => self.knowledge.all_within(view, entries)?,
                None => self.knowledge.all(entries, enough)?,
            };
            if with > 0 && all as f64 <= enough {
                told.push((view, with, all, held.is_too_much(with, all)));
            }
            by_parts |= little && all as f64 <= enough;
            // Wherever one of them stands, so do the others.
            let same = all > 0 && entries.iter().any(|entry| entry.counts[view].1 == all);
            unknown |= !(little || same || all > 0 && held.refutes(with, all));
        }
        self.certificate.counted += 1;
        self.certificate.by_parts += u64::from(by_parts);
        let risky = told.iter().any(|(.., risky)| *risky);
        for (view, with, all, risky) in told {
            self.tell(view, &places(), with, all, risky);
        }
        if unknown && !risky {
            self.certificate.unknown.push(Unsettled { places: places() });
        }
        Ok(grows)
    }

    fn tell(&mut self, view: usize, places: &[Span], with: u64, all: u64, risky: bool) {
        let held = &self.knowledge.held[view];
        let (subject, bound) = (held.claim, self.knowledge.bound(held));
        let bits = self.knowledge.bits(held, with, all);
        let worst = self.certificate.worst.iter_mut().find(|worst| worst.subject == subject);
        if !risky && (!bits.is_finite() || worst.as_ref().is_some_and(|worst| worst.bits >= bits)) {
            return;
        }
        let remaining = Remaining { subject, places: places.to_vec(), terms: places.len(), bits, bound };
        if risky {
            self.certificate.violations.push(remaining.clone());
        }
        match worst {
            _ if !bits.is_finite() => {}
            Some(worst) if worst.bits >= bits => {}
            Some(worst) => *worst = remaining,
            None => self.certificate.worst.push(remaining),
        }
    }
}

#[cfg(test)]
mod tests;
