//! Averaged weights, learnt by mistakes.
#![expect(clippy::cast_possible_truncation, reason = "rows are counted in 32 bits, averages kept in 32")]

use crate::tag::weights::{Feature, Index, Rows};

/// Weights of every feature for every label, with the sums that their averages need.
pub(super) struct Perceptron {
    index: Index,
    features: Vec<(Feature, bool)>,
    labels: usize,
    weights: Vec<i32>,
    /// Sum of each change times the moment of the change.
    moments: Vec<i64>,
    clock: i64,
}

impl Perceptron {
    /// For these features, in an order that does not depend on anything but the data.
    pub(super) fn new(counter: Counter, labels: usize) -> Self {
        let features = counter.frequent;
        let mut index = Index::with_room_for(features.len());
        for (at, &(feature, _)) in features.iter().enumerate() {
            index.insert(feature, at as u32);
        }
        let size = features.len() * labels;
        Self { index, features, labels, weights: vec![0; size], moments: vec![0; size], clock: 1 }
    }

    pub(super) fn add(&self, feature: Feature, scores: &mut [i32]) {
        if let Some(row) = self.index.get(feature) {
            let from = row as usize * self.labels;
            let row = &self.weights[from..from + self.labels];
            for (score, weight) in scores.iter_mut().zip(row) {
                *score += weight;
            }
        }
    }

    /// Time goes on, whether there was a mistake or not.
    pub(super) fn tick(&mut self) {
        self.clock += 1;
    }

    pub(super) fn change(&mut self, feature: Feature, label: u8, by: i32) {
        if let Some(row) = self.index.get(feature) {
            let at = row as usize * self.labels + usize::from(label);
            self.weights[at] += by;
            self.moments[at] += i64::from(by) * self.clock;
        }
    }

    /// The averages over all time, of features that can occur at run time.
    pub(super) fn rows(&self) -> Rows {
        let mut rows = Vec::new();
        for (at, &(feature, _)) in self.features.iter().enumerate().filter(|(_, (_, ours))| *ours) {
            let mut row = Vec::new();
            for label in 0..self.labels {
                let place = at * self.labels + label;
                if self.moments[place] != 0 || self.weights[place] != 0 {
                    let average =
                        f64::from(self.weights[place]) - self.moments[place] as f64 / self.clock as f64;
                    row.push((label as u8, average as f32));
                }
            }
            if !row.is_empty() {
                rows.push((feature, row));
            }
        }
        Rows(rows)
    }
}

/// Counts features roughly, in little room: those that are frequent enough are then collected.
pub(super) struct Counter {
    counts: Vec<u8>,
    rarest: u8,
    seen: Vec<u64>,
    /// Each with whether it can occur at run time: not if it tells that the set is another than ours.
    frequent: Vec<(Feature, bool)>,
}

const PLACES: u32 = 27;

impl Counter {
    pub(super) fn new(rarest: u8) -> Self {
        Self { counts: vec![0; 1 << PLACES], rarest, seen: vec![0; 1 << 26], frequent: Vec::new() }
    }

    pub(super) fn count(&mut self, feature: Feature, times: u8, ours: bool) {
        let count = &mut self.counts[(feature >> (32 - PLACES)) as usize];
        *count = count.saturating_add(times);
        if *count < self.rarest {
            return;
        }
        let (word, bit) = ((feature >> 6) as usize, 1u64 << (feature & 63));
        if self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.frequent.push((feature, ours));
        }
    }
}

/// A shuffle that is the same on every machine.
pub(super) fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, (state % (at as u64 + 1)) as usize);
    }
}
