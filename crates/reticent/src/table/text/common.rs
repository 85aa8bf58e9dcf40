//! Words that so many texts have that they identify nobody.
//!
//! In clinical notes detectors take abbreviations and words with capitals for names: `HTN`, `WBC`, `Hx`. A word list
//! would never be complete. What tells them from names is that the notes of many persons have them. Names that a
//! detector is sure of, and words that look like one (`Lyon`, `Smith`), stay terms however many say them: a town that
//! every tenth person comes from still tells these from the others.

use std::collections::{HashMap, HashSet};

use super::find::{Finder, Found, form, in_order};
use crate::resolve::surface::{Surfaces, folded};
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
            let mut there: Vec<usize> = surfaces.find(text).into_iter().map(|(at, _)| at).collect();
            there.sort_unstable();
            there.dedup();
            Ok(there)
        })?;
        let mut counts = vec![0usize; forms.len()];
        there.into_iter().flatten().for_each(|at| counts[at] += 1);
        let least = FEWEST.max(sample.len() / SHARE) / if least == Least::Released { 2 } else { 1 };
        let common = forms.iter().zip(&counts).filter(|(_, count)| **count >= least);
        Ok(Self { words: common.map(|((surface, _), _)| folded(surface)).collect() })
    }

    /// Whether what was found is said by so many that it identifies nobody.
    pub(crate) fn has(&self, found: &Found, text: &str) -> bool {
        !self.words.is_empty() && may_be_common(found, text) && self.words.contains(&folded(found.span.of(text)))
    }
}

/// Whether a finding may be a common word: nothing could place it, or it is not written as a name is.
fn may_be_common(found: &Found, text: &str) -> bool {
    let surface = found.span.of(text);
    let letters = surface.chars().filter(|c| c.is_alphabetic()).count();
    if letters == 0 {
        return false;
    }
    let is_abbreviation = letters <= 5 && !surface.contains(char::is_lowercase);
    match found.kind.as_str() {
        "NAME" => true,
        "PERSON" | "LOCATION" | "ORGANIZATION" | "ADDRESS" | "NRP" => {
            is_abbreviation || !surface.contains(char::is_uppercase)
        }
        _ => false,
    }
}
