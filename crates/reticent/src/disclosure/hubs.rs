//! Which term of risky pairs yields.
//!
//! H3 of the paper looks at one pair at a time and keeps what tells most. The rarer word stays, which is risky beside many
//! others, and all of these go. Here all risky pairs of a context are looked at together: first yields what settles most of them
//! for what it costs, in bits that are no longer told and places where they stood. What remains tells more and reads
//! better; that nothing risky remains is the same.

use std::collections::HashMap;

use super::sanitize::{Risk, Sanitizer};
use crate::Error;

/// A pair that several items say is shared among them in whole numbers: by all up to ten this can be divided.
const WHOLE: u64 = 2520;

/// What is not known tells no more than this, in bits; and nothing costs less than one.
const MOST_BITS: f64 = 32.0;

/// A term of which nothing is said costs as much as so many bits more; and where not even `something` fits, so that a gap stays in
/// its sentence, as so many.
const NOTHING: f64 = 4.0;
const GAP: f64 = 24.0;

/// What is said in a context, and what of it is risky together.
#[derive(Default)]
struct Pairs {
    /// How many items say a part.
    said: HashMap<u32, u64>,
    /// What it was found to be risky with, whether that is still said or not.
    risky: HashMap<u32, Vec<(u32, Risk)>>,
}

impl Pairs {
    fn is_said(&self, part: u32) -> bool {
        self.said.get(&part).is_some_and(|count| *count > 0)
    }

    /// What is said and risky with a part.
    fn with(&self, part: u32) -> impl Iterator<Item = Risk> + '_ {
        let all = self.risky.get(&part).into_iter().flatten();
        all.filter(|(other, _)| self.is_said(*other)).map(|(_, risk)| *risk)
    }

    /// How much of what is risky these parts say, shared with others that say it, and the worst of it.
    fn weight(&self, parts: &[u32]) -> (u64, Option<Risk>) {
        let (mut weight, mut worst) = (0, None);
        for part in parts {
            let shared = self.said.get(part).copied().unwrap_or(1).max(1);
            for risk in self.with(*part) {
                weight += WHOLE / shared;
                worst = Some(worse(worst, risk));
            }
        }
        (weight, worst)
    }
}

/// A rung that an item could say instead, and how much that settles for what it costs.
struct Step {
    item: usize,
    rung: usize,
    gain: f64,
}

impl Sanitizer<'_, '_, '_> {
    /// Replaces until no two parts that are said in a context are risky together; true if something was replaced.
    pub(super) fn settle_pairs(&mut self, context: &[usize]) -> Result<bool, Error> {
        let mut pairs = Pairs::default();
        for &item in context {
            self.say(item, &mut pairs)?;
        }
        let mut changed = false;
        while let Some(step) = self.next_step(context, &mut pairs)? {
            let Step { item, rung, .. } = step;
            let from = self.at[item];
            self.unsay(item, &mut pairs);
            for passed in from..rung {
                let why = match self.risk_of_one(item, passed) {
                    Some(why) => Some(why),
                    None => self.left_by(item, passed, &mut pairs)?.1,
                };
                self.risks[item] = self.risks[item].or(why);
                self.rejected[item].extend(why.map(|why| (passed, why)));
            }
            self.at[item] = rung;
            self.say(item, &mut pairs)?;
            changed = true;
        }
        Ok(changed)
    }

    /// What settles most for what it costs; nothing if no pair is risky.
    fn next_step(&mut self, context: &[usize], pairs: &mut Pairs) -> Result<Option<Step>, Error> {
        let mut best: Option<Step> = None;
        for &item in context {
            let weight = pairs.weight(&self.telling(item, self.at[item])).0;
            if weight == 0 {
                continue;
            }
            self.climb_once(item)?;
            self.unsay(item, pairs);
            for rung in self.at[item] + 1..self.items[item].rungs.len() {
                if self.risk_of_one(item, rung).is_some() {
                    continue;
                }
                let left = self.left_by(item, rung, pairs)?.0;
                let gain = weight.saturating_sub(left) as f64 / self.costs(item, rung);
                // Of equals the first.
                if gain > 0.0 && best.as_ref().is_none_or(|best| gain > best.gain) {
                    best = Some(Step { item, rung, gain });
                }
            }
            self.say(item, pairs)?;
        }
        Ok(best)
    }

    /// The parts of a rung that may tell something together with others.
    fn telling(&self, item: usize, rung: usize) -> Vec<u32> {
        let parts = self.parts_at(item, rung).iter().copied();
        parts.filter(|part| self.parts.get(*part).may_combine()).collect()
    }

    fn say(&mut self, item: usize, pairs: &mut Pairs) -> Result<(), Error> {
        for part in self.telling(item, self.at[item]) {
            self.meet(part, pairs)?;
            *pairs.said.entry(part).or_default() += 1;
        }
        Ok(())
    }

    /// Finds out what a part is risky with, of all that was ever said.
    fn meet(&mut self, part: u32, pairs: &mut Pairs) -> Result<(), Error> {
        if pairs.said.contains_key(&part) {
            return Ok(());
        }
        let mut risky = Vec::new();
        for &other in pairs.said.keys() {
            if let Some(risk) = self.combine(&[part, other])?.risk {
                risky.push((other, risk));
            }
        }
        for (other, risk) in &risky {
            pairs.risky.entry(*other).or_default().push((part, *risk));
        }
        pairs.risky.insert(part, risky);
        pairs.said.insert(part, 0);
        Ok(())
    }

    fn unsay(&self, item: usize, pairs: &mut Pairs) {
        for part in self.telling(item, self.at[item]) {
            pairs.said.entry(part).and_modify(|count| *count -= 1);
        }
    }

    /// The same of what an item would say at a rung.
    fn left_by(&mut self, item: usize, rung: usize, pairs: &mut Pairs) -> Result<(u64, Option<Risk>), Error> {
        let parts = self.telling(item, rung);
        for part in &parts {
            self.meet(*part, pairs)?;
            pairs.said.entry(*part).and_modify(|count| *count += 1);
        }
        let left = pairs.weight(&parts);
        for part in &parts {
            pairs.said.entry(*part).and_modify(|count| *count -= 1);
        }
        Ok(left)
    }

    /// What is lost at all places of an item.
    fn costs(&self, item: usize, rung: usize) -> f64 {
        let item_at = &self.items[item];
        let bits = |rung: usize| item_at.rungs.get(rung).map_or(0.0, |rung| rung.bits.min(MOST_BITS));
        let lost = (bits(self.at[item]) - bits(rung)).max(1.0);
        let places = item_at.spans.len().max(1) as f64;
        if item_at.rungs.get(rung).is_some_and(|rung| !rung.text.is_empty()) {
            return lost * places;
        }
        let is_vague = item_at.rungs.get(rung).is_some_and(|rung| rung.is_vague);
        (lost + NOTHING) * places + GAP * if is_vague { item_at.gaps as f64 } else { places }
    }
}

fn worse(one: Option<Risk>, two: Risk) -> Risk {
    let over = |risk: &Risk| risk.bits.map_or(f64::INFINITY, |bits| bits - risk.bound);
    match one {
        Some(one) if over(&one) > over(&two) || (over(&one) >= over(&two) && one.secret <= two.secret) => one,
        _ => two,
    }
}
