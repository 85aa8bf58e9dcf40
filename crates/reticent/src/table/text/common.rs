//! Words that so many texts have that they identify nobody.
//!
//! In clinical notes detectors take abbreviations and words with capitals for names: `HTN`, `WBC`, `Hx`. A word list
//! would never be complete. What tells them from names is that the notes of many persons have them. What is written
//! like a name and found as a person, a place or an organization (`Lyon`, `Smith`) stays a term however many say it: a
//! town that every tenth person comes from still tells these from the others. Unless it is a common word that has its
//! capital only where sentences begin: `Inhaler technique checked.`

use std::collections::{HashMap, HashSet};

use reticent_knowledge::taxonomy::{Taxonomy, wordnet};
use reticent_text::{Language, is_ordinary};

use super::find::{Finder, Found, form};
use crate::resolve::surface::{Surfaces, folded, words};
use crate::table::parallel::in_order;
use crate::{EntityType, Error};

/// In so many texts at least.
const FEWEST: usize = 10;
/// In one of so many.
const SHARE: usize = 100;
/// So many texts are looked at.
const SAMPLE: usize = 20_000;

/// What is common in the texts of one table.
#[derive(Default)]
pub(crate) struct CommonWords {
    words: HashSet<String>,
}

/// How often words must occur.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Least {
    /// In the original.
    Original,
    /// In a released table, of which some texts may be withheld: half as often is enough there.
    Released,
}

impl CommonWords {
    /// Counts them.
    pub(crate) fn count(texts: &[&str], finder: &Finder, least: Least) -> Result<Self, Error> {
        if texts.len() < FEWEST {
            return Ok(Self::default());
        }
        let sample: Vec<&str> = texts.iter().step_by(texts.len().div_ceil(SAMPLE)).copied().collect();
        let found = in_order(&sample, finder.threads(), |text| finder.find(text))?;
        let mut forms: HashMap<&str, &EntityType> = HashMap::new();
        for (text, found) in sample.iter().zip(&found) {
            for found in found.found.iter().filter(|found| may_be_common(found, text)) {
                forms.entry(found.span.of(text)).or_insert(&found.kind);
            }
        }
        let forms: Vec<(&str, &EntityType)> = forms.into_iter().collect();
        let surfaces = Surfaces::new(forms.iter().map(|(surface, kind)| form(surface, kind)));
        let there = in_order(&sample, finder.threads(), |text| {
            let places = surfaces.find(text).into_iter();
            let mut there: Vec<(usize, bool)> =
                places.map(|(at, span)| (at, is_first(&text[..span.start]))).collect();
            // Once for each text: as a first word if it is nothing else.
            there.sort_unstable();
            there.dedup_by_key(|(at, _)| *at);
            Ok(there)
        })?;
        let mut counts = vec![(0usize, 0usize); forms.len()];
        for (at, is_first) in there.into_iter().flatten() {
            counts[at].0 += 1;
            counts[at].1 += usize::from(is_first);
        }
        let least = FEWEST.max(sample.len() / SHARE) / if least == Least::Released { 2 } else { 1 };
        let common = forms.iter().zip(&counts).filter(|((surface, kind), (all, first))| {
            *all >= least
                && (!is_name_like(kind, surface) || (first * 20 >= all * 19 && is_common_word(surface)))
        });
        Ok(Self { words: common.map(|((surface, _), _)| folded(surface)).collect() })
    }

    /// Whether what was found is said by so many that it identifies nobody.
    pub(crate) fn has(&self, found: &Found, text: &str) -> bool {
        !self.words.is_empty()
            && may_be_common(found, text)
            && self.words.contains(&folded(found.span.of(text)))
    }
}

/// Whether a sentence begins after this text.
fn is_first(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?', ':', ';', '\n', '-', '*'])
}

/// Whether dictionaries know all of its words in small letters.
fn is_common_word(surface: &str) -> bool {
    words(surface).all(|word| {
        let word = word.of(surface).to_lowercase();
        is_ordinary(&word, Language::English)
            || wordnet().is_ok_and(|wordnet| !wordnet.senses(&word).is_empty())
    })
}

/// Whether a detector placed it, and it is written as a name is: not in small letters, and no abbreviation.
fn is_name_like(kind: &EntityType, surface: &str) -> bool {
    let letters = surface.chars().filter(|c| c.is_alphabetic()).count();
    let is_abbreviation = letters <= 5 && !surface.contains(char::is_lowercase);
    kind.as_str() != "NAME" && !is_abbreviation && surface.contains(char::is_uppercase)
}

/// Whether a finding may be a common word.
fn may_be_common(found: &Found, text: &str) -> bool {
    let kinds = ["NAME", "PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "NRP"];
    kinds.contains(&found.kind.as_str()) && found.span.of(text).contains(char::is_alphabetic)
}
