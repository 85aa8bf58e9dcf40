//! How wide attributes are within a class, and what a class would lose.

use std::cmp::Reverse;

use super::Dimension;
use crate::table::person::{Attribute, People, TermSets};

/// What one thread needs to think: sized once, cleaned after each use.
pub(super) struct Scratch {
    /// Whether a value was seen in the class at hand.
    seen: Vec<u32>,
    stamp: u32,
    /// How often each term is said in the class, and which are.
    pub(super) counts: Vec<u32>,
    pub(super) touched: Vec<u32>,
    /// The place of each term, or of each cell, when they are ordered by how often they are said in the class.
    pub(super) rank: Vec<u32>,
    cells: Vec<u32>,
    pub(super) keys: Vec<u32>,
    pub(super) sorted: Vec<u32>,
}

impl Scratch {
    pub(super) fn new(people: &People) -> Self {
        let values = people.attributes.iter().map(|attribute| attribute.values.len()).max().unwrap_or(0);
        let terms = people.terms.vocabulary();
        let cells = people.attributes.iter().map(|attribute| attribute.cells.len()).max().unwrap_or(0);
        Self {
            seen: vec![0; values],
            stamp: 0,
            counts: vec![0; terms],
            touched: Vec::new(),
            rank: vec![0; terms.max(cells)],
            cells: vec![0; cells],
            keys: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Counts who says which term. [`clear`](Self::clear) it before counting another class.
    pub(super) fn count(&mut self, terms: &TermSets, persons: &[u32]) {
        for person in persons {
            for term in terms.of(*person).iter().filter(|term| terms.may_stay[**term as usize]) {
                let count = &mut self.counts[*term as usize];
                if *count == 0 {
                    self.touched.push(*term);
                }
                *count += 1;
            }
        }
    }

    pub(super) fn clear(&mut self) {
        for term in self.touched.drain(..) {
            self.counts[term as usize] = 0;
        }
    }

    /// Gives each person a key by how many of the class have the same value, most first: a cut can then leave the
    /// most frequent one alone. Who has none stays first.
    pub(super) fn key_by_frequency(&mut self, attribute: &Attribute, persons: &[u32]) {
        let mut known: Vec<u32> = Vec::new();
        for person in persons {
            let cell = attribute.of_person[*person as usize];
            if self.cells[cell as usize] == 0 {
                known.push(cell);
            }
            self.cells[cell as usize] += 1;
        }
        let missing = |cell: u32| attribute.cells[cell as usize].is_empty();
        known.sort_unstable_by_key(|cell| (!missing(*cell), Reverse(self.cells[*cell as usize]), *cell));
        let first = u32::from(!known.first().is_some_and(|cell| missing(*cell)));
        for (rank, cell) in (first..).zip(&known) {
            self.rank[*cell as usize] = rank;
            self.cells[*cell as usize] = 0;
        }
        let keys = persons.iter().map(|person| self.rank[attribute.of_person[*person as usize] as usize]);
        self.keys.extend(keys);
    }

    /// How wide a column is in a class, of its width in the whole table: 0 if all have one value, 1 at most.
    pub(super) fn width(&mut self, attribute: &Attribute, persons: &[u32]) -> f64 {
        if attribute.is_line() { line(attribute, persons) } else { self.categories(attribute, persons) }
    }

    fn categories(&mut self, attribute: &Attribute, persons: &[u32]) -> f64 {
        if self.stamp == u32::MAX {
            self.seen.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        let (mut distinct, mut missing, total) = (0usize, false, attribute.values.len());
        for person in persons {
            let values = attribute.of(*person);
            missing |= values.is_empty();
            for value in values {
                let seen = &mut self.seen[*value as usize];
                distinct += usize::from(*seen != self.stamp);
                *seen = self.stamp;
            }
        }
        match (distinct, missing) {
            (0 | 1, false) | (0, true) => 0.0,
            // Nothing covers a value and none at once but `anything`.
            (_, true) => 1.0,
            (distinct, false) => distinct as f64 / total as f64,
        }
    }
}

fn line(attribute: &Attribute, persons: &[u32]) -> f64 {
    let (mut low, mut high) = (u32::MAX, 0);
    let mut several = false;
    for person in persons {
        let cell = attribute.of_person[*person as usize];
        low = low.min(cell);
        high = high.max(cell);
        several |= attribute.cells[cell as usize].len() > 1;
    }
    let first = |cell: u32| attribute.cells[cell as usize].first().copied();
    match (first(low), first(high)) {
        (_, None) => 0.0,
        (None, Some(_)) => 1.0,
        (Some(low), Some(mut high)) => {
            // Cells are ordered by their lowest values: if some have several, the highest may be elsewhere.
            if several {
                let last = |person: &u32| attribute.of(*person).last().copied().unwrap_or(0);
                high = persons.iter().map(last).max().unwrap_or(high).max(high);
            }
            let (low, high) = (&attribute.values[low as usize], &attribute.values[high as usize]);
            let span = attribute.span();
            if span > 0.0 { ((high.high - low.low) / span).clamp(0.0, 1.0) } else { 0.0 }
        }
    }
}

/// How wide each column and each type of term is in the whole table and in a class; and what would be lost.
pub(super) struct Widths<'a> {
    people: &'a People,
    lambda: f64,
    weights: f64,
    /// How many different terms of each type the whole table has, with one more if some persons have none.
    terms: Vec<f64>,
}

impl<'a> Widths<'a> {
    pub(super) fn new(people: &'a People, lambda: f64) -> Self {
        let mut scratch = Scratch::new(people);
        let everyone: Vec<u32> = (0..).take(people.count()).collect();
        scratch.count(&people.terms, &everyone);
        let terms = distinct_terms(&people.terms, &everyone, &scratch);
        let weights = people.attributes.iter().map(|attribute| attribute.rule.weight).sum();
        Self { people, lambda, weights, terms }
    }

    /// Every dimension that can be cut at all in a class, with its score, the best first. The terms of the class
    /// must be counted.
    pub(super) fn ranked(&self, persons: &[u32], scratch: &mut Scratch) -> Vec<(Dimension, f64)> {
        let mut ranked = Vec::new();
        if self.lambda > 0.0 {
            for (at, attribute) in self.people.attributes.iter().enumerate() {
                let score = scratch.width(attribute, persons) * attribute.rule.weight * self.lambda;
                ranked.push((Dimension::Column(at), score));
            }
        }
        if self.lambda < 1.0 && self.people.terms.types > 0 {
            let here = distinct_terms(&self.people.terms, persons, scratch);
            for (at, (here, all)) in here.iter().zip(&self.terms).enumerate() {
                let width = if *here > 1.0 { here / all } else { 0.0 };
                ranked.push((Dimension::Terms(at), width * (1.0 - self.lambda)));
            }
        }
        ranked.retain(|(_, score)| *score > 0.0);
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    /// What a class would lose: its columns by their widths, its texts by the terms that not all say. Leaves the
    /// scratch as it was, but for counts, which must be clear.
    pub(super) fn loss(&self, persons: &[u32], scratch: &mut Scratch) -> f64 {
        let mut columns = 0.0;
        for attribute in &self.people.attributes {
            columns += scratch.width(attribute, persons) * attribute.rule.weight;
        }
        if self.weights > 0.0 {
            columns *= persons.len() as f64 / self.weights;
        }
        if self.people.terms.vocabulary() == 0 || self.lambda >= 1.0 {
            return columns;
        }
        scratch.count(&self.people.terms, persons);
        let all = u32::try_from(persons.len()).unwrap_or(u32::MAX);
        let mut texts = 0.0;
        for person in persons {
            let terms = self.people.terms.of(*person);
            if !terms.is_empty() {
                let lost = terms.iter().filter(|term| scratch.counts[**term as usize] < all).count();
                texts += lost as f64 / terms.len() as f64;
            }
        }
        scratch.clear();
        self.lambda * columns + (1.0 - self.lambda) * texts
    }
}

/// How many different terms of each type are said, and one more if some persons say none.
fn distinct_terms(terms: &TermSets, persons: &[u32], scratch: &Scratch) -> Vec<f64> {
    let mut distinct = vec![0.0; terms.types];
    for term in &scratch.touched {
        distinct[usize::from(terms.type_of[*term as usize])] += 1.0;
    }
    let mut with = vec![0usize; terms.types];
    for person in persons {
        // A person's terms are in order, and those of one type next to each other.
        let mut last = usize::MAX;
        for term in terms.of(*person).iter().filter(|term| terms.may_stay[**term as usize]) {
            let kind = usize::from(terms.type_of[*term as usize]);
            if kind != last {
                with[kind] += 1;
                last = kind;
            }
        }
    }
    for (distinct, with) in distinct.iter_mut().zip(with) {
        if *distinct > 0.0 && with < persons.len() {
            *distinct += 1.0;
        }
    }
    distinct
}
