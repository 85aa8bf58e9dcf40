//! Algorithm 1 of (C, g(C))-sanitization: what to say instead, so that nothing that remains tells too much.
//!
//! Single terms first, then combinations of growing size (H1); within each, what tells most first (H2); a risky
//! combination is replaced by the combination of generalizations that tells most and is still safe for all secrets
//! (H3). What was replaced takes part in later combinations as its replacement. Other than in the paper a term is
//! replaced at all its places at once, whatever the context it was found in, and combinations are looked at again
//! until none is risky: what a term became in one context may be risky in another. At last, what was replaced for the
//! sake of a term that was itself replaced later is told again as finely as is safe.

use std::collections::HashMap;

use super::measure::{Measure, Standing, Tally};
use super::parts::Parts;
use super::terms::{Item, Rung};
use crate::Error;
use crate::policy::{Disclosure, UnknownTerms, Yields};

/// The reason why a term exceeds the bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risk {
    /// The index of the secret, from 0.
    pub secret: usize,
    /// The disclosure in bits; `None` if the corpus says too little of the term.
    pub bits: Option<f64>,
    /// The maximum disclosure allowed, in bits.
    pub bound: f64,
    /// Of how many terms together.
    pub terms: usize,
    /// Which parts these are, as far as there are several.
    pub(crate) parts: [Option<u32>; 3],
}

impl Risk {
    /// The risk of a term by itself.
    fn of_one(measure: &Measure<'_>, view: usize, bits: Option<f64>) -> Self {
        let (secret, bound) = (measure.secret(view), measure.bound(view));
        Self { secret, bits, bound, terms: 1, parts: [None; 3] }
    }
}

/// A term that is replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Disclosed {
    /// The index of the item.
    pub item: usize,
    /// The index of the chosen replacement; the last one is empty.
    pub rung: usize,
    /// The reason why the term itself is replaced.
    pub risk: Risk,
    /// The more specific replacements that were rejected, with the reason.
    pub rejected: Vec<(usize, Risk)>,
}

/// The result of sanitization.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sanitized {
    /// The replaced terms, in the order of the items.
    pub disclosed: Vec<Disclosed>,
    /// The items that the corpus does not know and that stay.
    pub unknown: Vec<usize>,
}

/// What is known of parts together, by their numbers: counted once, however often a document is sanitized.
#[derive(Default)]
pub(crate) struct Together(HashMap<[u32; 3], Combined>);

/// What is known of several parts together.
#[derive(Clone, Copy)]
pub(super) struct Combined {
    /// Whether they are ever written together with a secret.
    met: bool,
    pub(super) risk: Option<Risk>,
}

/// Makes the broader rungs of an item.
pub(crate) type Climb<'a, 'm, 'k> = dyn FnMut(&Item, &mut Parts<'m, 'k>) -> Result<Vec<Rung>, Error> + 'a;

pub(crate) struct Sanitizer<'a, 'm, 'k> {
    pub(super) parts: &'a mut Parts<'m, 'k>,
    pub(super) items: &'a mut [Item],
    /// Which rung each item stands at.
    pub(super) at: Vec<usize>,
    pub(super) risks: Vec<Option<Risk>>,
    pub(super) rejected: Vec<Vec<(usize, Risk)>>,
    combined: &'a mut Together,
    unknown: UnknownTerms,
    yields: Yields,
    max_terms: usize,
    /// Makes the rungs of an item when they are first needed.
    climb: &'a mut Climb<'a, 'm, 'k>,
}

impl<'a, 'm, 'k> Sanitizer<'a, 'm, 'k> {
    pub(crate) fn new(
        parts: &'a mut Parts<'m, 'k>,
        items: &'a mut [Item],
        combined: &'a mut Together,
        settings: &Disclosure,
        climb: &'a mut Climb<'a, 'm, 'k>,
    ) -> Self {
        let count = items.len();
        Self {
            parts,
            items,
            at: vec![0; count],
            risks: vec![None; count],
            rejected: vec![Vec::new(); count],
            combined,
            unknown: settings.unknown,
            yields: settings.yields,
            max_terms: settings.max_terms,
            climb,
        }
    }

    /// Replaces until nothing is risky. `contexts` are the items that stand together.
    pub(crate) fn run(mut self, contexts: &[Vec<usize>]) -> Result<Sanitized, Error> {
        for item in 0..self.items.len() {
            if self.items[item].is_masked && !self.parts.measure.is_empty() {
                let risk = Risk::of_one(self.parts.measure, 0, None);
                self.items[item].rungs.extend(last_rungs(&self.items[item]));
                // What stands for nothing is said once; where that told too much, a placeholder is left.
                let vague = self.items[item].rungs[1].is_vague && !self.items[item].is_blank;
                let vague = vague && self.risk_of_one(item, 1).is_none();
                self.at[item] = if vague { 1 } else { self.items[item].rungs.len() - 1 };
                self.risks[item] = Some(Risk { terms: self.max_terms, ..risk });
            } else if let Some(risk) = self.risk_of_one(item, 0) {
                self.replace(&[item], 1, risk)?;
            }
        }
        loop {
            let mut changed = false;
            for size in 2..=self.max_terms {
                for context in contexts {
                    changed |= match self.yields {
                        Yields::Together if size == 2 => self.settle_pairs(context)?,
                        _ => self.look(context, size)?,
                    };
                }
            }
            if !changed {
                break;
            }
        }
        self.restore(contexts)?;
        let mut sanitized = Sanitized::default();
        for item in 0..self.items.len() {
            match self.risks[item] {
                Some(risk) => sanitized.disclosed.push(Disclosed {
                    item,
                    rung: self.at[item],
                    risk,
                    rejected: std::mem::take(&mut self.rejected[item]),
                }),
                None if self.is_unknown(item, 0) => sanitized.unknown.push(item),
                None => {}
            }
        }
        Ok(sanitized)
    }

    pub(super) fn parts_at(&self, item: usize, rung: usize) -> &[u32] {
        &self.items[item].rungs[rung].parts
    }

    /// Whether the corpus says too little of what an item says at a rung.
    fn is_unknown(&self, item: usize, rung: usize) -> bool {
        let confident = self.parts.measure.is_confident();
        self.parts_at(item, rung).iter().any(|part| {
            let part = self.parts.get(*part);
            let unknown = |(_, standing, _)| standing == Standing::Unknown;
            part.ic.is_none() || (confident && part.standing().any(unknown))
        })
    }

    /// Why a rung may not be said, whatever stands around it.
    pub(super) fn risk_of_one(&self, item: usize, rung: usize) -> Option<Risk> {
        let measure = self.parts.measure;
        let mut worst: Option<Risk> = None;
        for part in self.parts_at(item, rung) {
            let part = self.parts.get(*part);
            for (view, standing, tally) in part.standing() {
                let named = part.names == Some(measure.secret(view));
                if !named && standing != Standing::Risky {
                    continue;
                }
                let risk = Risk::of_one(measure, view, tally.map(|tally| measure.bits(tally)));
                let over = |risk: &Risk| risk.bits.map_or(f64::INFINITY, |bits| bits - risk.bound);
                if worst.as_ref().is_none_or(|worst| over(&risk) > over(worst)) {
                    worst = Some(risk);
                }
            }
        }
        if worst.is_some() || !self.is_unknown(item, rung) || measure.is_empty() {
            return worst;
        }
        // What is said instead is never taken from what the corpus does not know.
        let masked = match self.unknown {
            _ if rung > 0 => true,
            UnknownTerms::Mask => true,
            UnknownTerms::Keep => false,
            UnknownTerms::NamesAndRare => self.items[item].is_name_or_rare,
        };
        masked.then(|| Risk::of_one(measure, 0, None))
    }

    /// Looks at all combinations of a size in a context; true if something was replaced.
    fn look(&mut self, context: &[usize], size: usize) -> Result<bool, Error> {
        let mut here: Vec<u32> = context
            .iter()
            .flat_map(|item| self.parts_at(*item, self.at[*item]))
            .copied()
            .filter(|part| self.parts.get(*part).may_combine())
            .collect();
        self.most_telling_first(&mut here);
        let mut changed = false;
        for (at, &one) in here.iter().enumerate() {
            for (next, &two) in here.iter().enumerate().skip(at + 1) {
                let pair = self.combine(&[one, two])?;
                if size == 2 {
                    changed |= self.settle(context, &[one, two], pair.risk)?;
                    continue;
                }
                if !pair.met {
                    continue;
                }
                for &three in &here[next + 1..] {
                    let risk = self.combine(&[one, two, three])?.risk;
                    changed |= self.settle(context, &[one, two, three], risk)?;
                }
            }
        }
        Ok(changed)
    }

    /// Tells again what need not have been replaced, where most is won first.
    fn restore(&mut self, contexts: &[Vec<usize>]) -> Result<(), Error> {
        let mut replaced: Vec<usize> =
            (0..self.items.len()).filter(|item| self.at[*item] > 0 && !self.items[*item].is_masked).collect();
        let won = |item: &usize| {
            let rungs = &self.items[*item].rungs;
            (rungs[0].bits - rungs[self.at[*item]].bits) * self.items[*item].spans.len() as f64
        };
        // Of equals the order of the items stays.
        replaced.sort_by(|a, b| won(b).total_cmp(&won(a)));
        for item in replaced {
            for rung in 0..self.at[item] {
                if self.risk_of_one(item, rung).is_some() || self.clashes(item, rung, contexts)? {
                    continue;
                }
                self.at[item] = rung;
                self.rejected[item].retain(|(passed, _)| *passed < rung);
                if rung == 0 {
                    self.risks[item] = None;
                }
                break;
            }
        }
        Ok(())
    }

    /// Whether a rung would be risky with what is said around it.
    fn clashes(&mut self, item: usize, rung: usize, contexts: &[Vec<usize>]) -> Result<bool, Error> {
        if self.max_terms == 1 {
            return Ok(false);
        }
        let own = self.parts_at(item, rung).to_vec();
        for context in contexts.iter().filter(|context| context.contains(&item)) {
            let others = context.iter().filter(|other| **other != item);
            let mut here: Vec<u32> = others
                .flat_map(|other| self.parts_at(*other, self.at[*other]))
                .chain(&own)
                .copied()
                .collect();
            here.retain(|part| self.parts.get(*part).may_combine());
            here.sort_unstable();
            here.dedup();
            for &part in own.iter().filter(|part| here.contains(part)) {
                if self.clashes_with(part, &here)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn clashes_with(&mut self, part: u32, here: &[u32]) -> Result<bool, Error> {
        for (at, &two) in here.iter().enumerate().filter(|(_, two)| **two != part) {
            let pair = self.combine(&[part, two])?;
            if pair.risk.is_some() {
                return Ok(true);
            }
            if self.max_terms < 3 || !pair.met {
                continue;
            }
            for &three in here[at + 1..].iter().filter(|three| **three != part) {
                if self.combine(&[part, two, three])?.risk.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// By how much they tell, then by their words, so that the order of the text does not matter.
    fn most_telling_first(&self, parts: &mut Vec<u32>) {
        parts.sort_by(|a, b| {
            let (one, two) = (self.parts.get(*a), self.parts.get(*b));
            let bits = |part: &super::parts::Part| part.ic.unwrap_or(f64::INFINITY);
            bits(two)
                .total_cmp(&bits(one))
                .then_with(|| self.parts.key(&one.text).cmp(&self.parts.key(&two.text)))
        });
        parts.dedup();
    }

    /// Replaces whatever says a risky combination, until it is not said any more.
    fn settle(&mut self, context: &[usize], combination: &[u32], risk: Option<Risk>) -> Result<bool, Error> {
        let Some(risk) = risk else { return Ok(false) };
        let mut changed = false;
        while let Some(owners) = self.owners(context, combination) {
            self.replace(&owners, combination.len(), risk)?;
            changed = true;
        }
        Ok(changed)
    }

    /// The first items of a context that say these parts; nothing if one is not said any more.
    fn owners(&self, context: &[usize], combination: &[u32]) -> Option<Vec<usize>> {
        let says = |part: &u32| {
            context.iter().copied().find(|item| self.parts_at(*item, self.at[*item]).contains(part))
        };
        let mut owners: Vec<usize> = combination.iter().map(says).collect::<Option<_>>()?;
        owners.sort_unstable();
        owners.dedup();
        Some(owners)
    }

    /// Makes the rungs of an item, unless that was done.
    pub(super) fn climb_once(&mut self, item: usize) -> Result<(), Error> {
        if self.items[item].rungs.len() == 1 {
            let rungs = (self.climb)(&self.items[item], self.parts)?;
            self.items[item].rungs.extend(rungs);
            self.items[item].rungs.extend(last_rungs(&self.items[item]));
        }
        Ok(())
    }

    /// Takes the combination of rungs that tells most and is safe in itself.
    fn replace(&mut self, owners: &[usize], size: usize, risk: Risk) -> Result<(), Error> {
        for &owner in owners {
            self.climb_once(owner)?;
        }
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for &owner in owners {
            let rungs = self.at[owner]..self.items[owner].rungs.len();
            choices = choices
                .iter()
                .flat_map(|choice| {
                    rungs.clone().map(move |rung| choice.iter().copied().chain([rung]).collect())
                })
                .collect();
        }
        let told = |choice: &Vec<usize>| -> f64 {
            owners.iter().zip(choice).map(|(owner, rung)| self.items[*owner].rungs[*rung].bits).sum()
        };
        let mut choices: Vec<(f64, Vec<usize>)> =
            choices.into_iter().map(|choice| (told(&choice), choice)).collect();
        choices.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let before: Vec<usize> = owners.iter().map(|owner| self.at[*owner]).collect();
        for (_, choice) in choices {
            if choice == before || self.risk_of(owners, &choice, size)?.is_some() {
                continue;
            }
            for ((owner, rung), from) in owners.iter().zip(&choice).zip(&before) {
                if rung == from {
                    continue;
                }
                self.risks[*owner].get_or_insert(risk);
                for passed in *from..*rung {
                    let others = owners.iter().zip(&choice).map(
                        |(other, rung)| {
                            if other == owner { passed } else { *rung }
                        },
                    );
                    let others: Vec<usize> = others.collect();
                    let why = self.risk_of(owners, &others, size)?.or((passed == *from).then_some(risk));
                    self.rejected[*owner].extend(why.map(|why| (passed, why)));
                }
                self.at[*owner] = *rung;
            }
            return Ok(());
        }
        // Nothing at all is always safe, so that this is not reached; it is safe all the same.
        for owner in owners {
            self.at[*owner] = self.items[*owner].rungs.len() - 1;
            self.risks[*owner].get_or_insert(risk);
        }
        Ok(())
    }

    /// Why these rungs may not be said together.
    fn risk_of(&mut self, owners: &[usize], choice: &[usize], size: usize) -> Result<Option<Risk>, Error> {
        for (owner, rung) in owners.iter().zip(choice) {
            if let Some(risk) = self.risk_of_one(*owner, *rung) {
                return Ok(Some(risk));
            }
        }
        if size == 1 {
            return Ok(None);
        }
        let mut parts: Vec<u32> = owners
            .iter()
            .zip(choice)
            .flat_map(|(owner, rung)| self.parts_at(*owner, *rung))
            .copied()
            .collect();
        parts.retain(|part| self.parts.get(*part).may_combine());
        parts.sort_unstable();
        parts.dedup();
        for (at, &one) in parts.iter().enumerate() {
            for (next, &two) in parts.iter().enumerate().skip(at + 1) {
                let pair = self.combine(&[one, two])?;
                if pair.risk.is_some() {
                    return Ok(pair.risk);
                }
                for &three in &parts[next + 1..] {
                    if size > 2 && pair.met {
                        let risk = self.combine(&[one, two, three])?.risk;
                        if risk.is_some() {
                            return Ok(risk);
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// What several parts tell together; counted once, and only if single counts do not rule it out.
    pub(super) fn combine(&mut self, combination: &[u32]) -> Result<Combined, Error> {
        let measure = self.parts.measure;
        let mut with = [0_u64; MOST_VIEWS];
        let mut is_plain = measure.len() <= MOST_VIEWS;
        for (view, with) in with.iter_mut().enumerate().take(measure.len()) {
            is_plain &= self.parts.is_listed(view) && self.tells_little(view, combination);
            if is_plain {
                *with = self.parts.with_secret(view, combination)?;
                is_plain = *with == 0;
            }
        }
        if is_plain {
            return Ok(Combined { met: false, risk: None });
        }
        let mut key = [u32::MAX; 3];
        key[..combination.len()].copy_from_slice(combination);
        key.sort_unstable();
        if let Some(known) = self.combined.0.get(&key) {
            return Ok(*known);
        }
        let mut found = Combined { met: false, risk: None };
        for view in 0..measure.len() {
            let combined = self.combine_in(view, combination)?;
            found.met |= combined.met;
            let worse = match (combined.risk, found.risk) {
                (Some(new), Some(old)) => new.bits.is_some() && old.bits.is_none(),
                (new, None) => new.is_some(),
                (None, Some(_)) => false,
            };
            if worse {
                found.risk = combined.risk;
            }
        }
        self.combined.0.insert(key, found);
        Ok(found)
    }

    /// Whether the parts of a combination, taken independently, tell too little for it to be risky unless counts say so.
    fn tells_little(&self, view: usize, combination: &[u32]) -> bool {
        let measure = self.parts.measure;
        let masks = measure.is_confident() && self.unknown == UnknownTerms::Mask;
        !masks || self.parts.lift(view, combination).is_none_or(|lift| lift <= measure.most_lift(view))
    }

    fn combine_in(&self, view: usize, combination: &[u32]) -> Result<Combined, Error> {
        let measure = self.parts.measure;
        let none = Combined { met: false, risk: None };
        let singles: Option<Vec<Tally>> =
            combination.iter().map(|part| self.parts.get(*part).within[view]).collect();
        let Some(singles) = singles else { return Ok(none) };
        let little = self.tells_little(view, combination);
        if little && !self.parts.is_listed(view) {
            let apart = singles.iter().any(|one| one.with_secret == 0);
            let ruled_out = self.max_terms == combination.len() && !measure.can_be_too_much(view, &singles);
            if apart || ruled_out {
                return Ok(none);
            }
        }
        let with = self.parts.with_secret(view, combination)?;
        if with == 0 && little {
            return Ok(none);
        }
        let risk = |bits: Option<f64>| {
            let mut parts = [None; 3];
            parts.iter_mut().zip(combination).for_each(|(to, part)| *to = Some(*part));
            Some(Risk { terms: combination.len(), parts, ..Risk::of_one(measure, view, bits) })
        };
        let enough = if little { measure.enough(view, with) } else { u64::MAX };
        let tally = self.parts.tally(view, combination, with, enough)?;
        let risk = match tally {
            Some(tally) if with > 0 && measure.is_too_much(view, tally) => risk(Some(measure.bits(tally))),
            // Wherever one of them is, so are the others: then they were judged by it.
            Some(tally) if singles.iter().any(|one| one.terms == tally.terms) => None,
            Some(tally) if little || measure.shows(view, tally) => None,
            None if little => None,
            _ => risk(None),
        };
        Ok(Combined { met: with > 0 || !little, risk })
    }
}

/// More views than these are combined one by one.
const MOST_VIEWS: usize = 8;

/// What is said last: words that stand for whatever was there, and then nothing at all.
fn last_rungs(item: &Item) -> Vec<Rung> {
    let vague = item.vague.clone().map(|parts| Rung { is_vague: true, parts, ..Rung::default() });
    vague.into_iter().chain([Rung::default()]).collect()
}
