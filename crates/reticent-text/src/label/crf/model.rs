//! A trained model as bytes that are used where they lie: nothing is unpacked but the transitions.

use std::sync::Arc;

use super::lattice::{Lattice, Transitions, best};
use super::train::Weights;
use crate::label::scheme::{Run, Scheme};
use crate::label::table::Table;
use crate::{Error, ErrorKind};

/// Bytes that a model lies in: embedded, read, or mapped into memory.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Weights that can be asked.
pub struct Model {
    bytes: Bytes,
    states: usize,
    transitions: Transitions,
    table: Table,
    /// Where the weights begin.
    weights: usize,
    scale: f32,
}

/// How runs are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// How much less probable nothing is: more is found.
    pub lean: f32,
    /// If it is not zero: those runs are chosen that do not overlap and together are most above this
    /// probability. Otherwise those of the most probable way to label the whole sequence, one mistake in which
    /// may draw others with it.
    pub least: f32,
}

/// A weight is its state and 16 bits.
const WEIGHT: usize = 3;
/// So many features are looked up together.
const AT_ONCE: usize = 64;

impl Model {
    /// Weights as bytes: transitions, a table of hashes, weights of 16 bits. Weights that change
    /// nothing at this precision are left out.
    pub fn write(weights: &Weights) -> Vec<u8> {
        let largest =
            weights.features.iter().flat_map(|(_, own)| own).map(|(_, w)| w.abs()).fold(1e-6, f32::max);
        let scale = largest / f32::from(i16::MAX);
        let mut packed = Vec::new();
        let mut places: Vec<(u64, u32)> = Vec::new();
        for (hash, own) in &weights.features {
            #[allow(clippy::cast_possible_truncation)]
            let own: Vec<(u8, i16)> =
                own.iter().map(|(s, w)| (*s, (w / scale).round() as i16)).filter(|(_, w)| *w != 0).collect();
            if own.is_empty() {
                continue;
            }
            places.push((*hash, u32::try_from(packed.len()).unwrap_or(u32::MAX - 1)));
            packed.push(u8::try_from(own.len()).unwrap_or(u8::MAX));
            for (state, weight) in own {
                packed.push(state);
                packed.extend(weight.to_le_bytes());
            }
        }
        let mut bytes = Vec::new();
        bytes.extend(u32::try_from(weights.states).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(scale.to_le_bytes());
        weights.transitions.iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
        Table::write(places.into_iter(), &mut bytes);
        bytes.extend(packed);
        bytes
    }

    /// Opens bytes that [`Model::write`] made, from a place on.
    pub fn open(bytes: Bytes, from: usize, scheme: &Scheme) -> Result<Self, Error> {
        let all = (*bytes).as_ref();
        let damaged = || Error::new(ErrorKind::Model, "the NER model's weights are damaged");
        let number = |at: usize| {
            all.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).ok_or_else(damaged)
        };
        let states = number(from)? as usize;
        let scale = f32::from_bits(number(from + 4)?);
        if states != scheme.states() || !scale.is_finite() {
            return Err(damaged());
        }
        let first = from + 8;
        let between: Vec<f32> = (0..states * states)
            .map(|at| number(first + at * 4).map(f32::from_bits))
            .collect::<Result<_, _>>()?;
        if between.iter().any(|weight| !weight.is_finite()) {
            return Err(damaged());
        }
        let (table, weights) = Table::open(all, first + states * states * 4)?;
        let transitions = Transitions::new(states, &between);
        Ok(Self { bytes, states, transitions, table, weights, scale })
    }

    /// Adds what features say about the states of a token.
    pub fn add(&self, hashes: &[u64], row: &mut [f32]) {
        let all = (*self.bytes).as_ref();
        let packed = all.get(self.weights..).unwrap_or_default();
        // Slots, and then weights, are read for many features before any is used: one by one, each would wait
        // for memory.
        for hashes in hashes.chunks(AT_ONCE) {
            std::hint::black_box(self.table.touch(all, hashes));
            let mut places = [0; AT_ONCE];
            let mut known = 0;
            for place in hashes.iter().filter_map(|hash| self.table.get(all, *hash)) {
                places[known] = place as usize;
                known += 1;
            }
            let places = &places[..known];
            std::hint::black_box(
                places.iter().fold(0, |sum, at| sum ^ packed.get(*at).copied().unwrap_or(0)),
            );
            for place in places {
                let Some((count, own)) = packed.get(*place..).and_then(<[u8]>::split_first) else { continue };
                for weight in own.chunks_exact(WEIGHT).take(usize::from(*count)) {
                    if let Some(row) = row.get_mut(usize::from(weight[0])) {
                        *row += f32::from(i16::from_le_bytes([weight[1], weight[2]])) * self.scale;
                    }
                }
            }
        }
    }

    /// How many states there are: a row of scores has as many.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// The runs of a sequence, each with its probability, which is that without leaning.
    #[must_use]
    pub(in crate::label) fn label(
        &self,
        scores: &[f32],
        choice: Choice,
        lattice: &mut Lattice,
    ) -> Vec<(Run, f32)> {
        let leaning: Vec<f32>;
        let chosen_by = if choice.lean == 0.0 {
            scores
        } else {
            let lower =
                |(at, score): (usize, &f32)| score - if at % self.states == 0 { choice.lean } else { 0.0 };
            leaning = scores.iter().enumerate().map(lower).collect();
            &leaning
        };
        let runs = if choice.least > 0.0 {
            lattice.fill(chosen_by, &self.transitions);
            apart(lattice.likely(&self.transitions, choice.least), scores.len() / self.states, choice.least)
        } else {
            Scheme::runs(&best(chosen_by, &self.transitions))
        };
        if runs.is_empty() {
            return Vec::new();
        }
        if choice.lean != 0.0 || choice.least <= 0.0 {
            lattice.fill(scores, &self.transitions);
        }
        runs.into_iter()
            .map(|run| {
                let probability = lattice.probability(&run, &self.transitions).clamp(0.0, 1.0);
                (run, probability)
            })
            .collect()
    }
}

/// Of runs with their probabilities those that do not overlap and together are most above `least`.
fn apart(mut likely: Vec<(Run, f32)>, length: usize, least: f32) -> Vec<Run> {
    likely.sort_by_key(|(run, _)| run.tokens.end);
    // For each place: how much can be gained up to it, and which run ends there if it is taken.
    let mut gained: Vec<(f32, Option<usize>)> = vec![(0.0, None)];
    let mut next = 0;
    for end in 1..=length {
        let mut top = (gained[end - 1].0, None);
        while let Some((run, probability)) = likely.get(next).filter(|(run, _)| run.tokens.end == end) {
            let with = gained[run.tokens.start].0 + probability - least;
            if with > top.0 {
                top = (with, Some(next));
            }
            next += 1;
        }
        gained.push(top);
    }
    let mut taken = Vec::new();
    let mut end = length;
    while end > 0 {
        if let Some(run) = gained[end].1 {
            end = likely[run].0.tokens.start;
            taken.push(likely[run].0.clone());
        } else {
            end -= 1;
        }
    }
    taken.reverse();
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(likely: &[(usize, usize, f32)]) -> Vec<(usize, usize)> {
        let runs = likely.iter().map(|(start, end, p)| (Run { tokens: *start..*end, kind: 0 }, *p));
        apart(runs.collect(), 6, 0.3).iter().map(|run| (run.tokens.start, run.tokens.end)).collect()
    }

    #[test]
    fn takes_runs_that_are_together_most_probable() {
        assert_eq!(taken(&[(0, 2, 0.9), (4, 6, 0.4)]), [(0, 2), (4, 6)]);
        assert_eq!(taken(&[(0, 2, 0.5), (2, 4, 0.5), (0, 4, 0.45)]), [(0, 2), (2, 4)]);
    }

    #[test]
    fn leaves_what_overlaps_something_better() {
        assert_eq!(taken(&[(0, 3, 0.4), (2, 5, 0.6)]), [(2, 5)]);
        assert_eq!(taken(&[(0, 2, 0.35), (1, 3, 0.6), (0, 3, 0.55)]), [(1, 3)]);
        assert!(taken(&[]).is_empty());
    }
}
