//! Learning the weights: a stochastic start, then L-BFGS on all cores.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::lattice::{Lattice, Transitions};
use super::optimize::{Stop, minimize};
use crate::label::scheme::Scheme;

/// A labelled sequence: what each token shows (hashes of features) and its state.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The features of all tokens, one after the other.
    pub features: Vec<u64>,
    /// Where the features of each token end.
    pub ends: Vec<u32>,
    /// The state of each token.
    pub states: Vec<u8>,
}

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What every weight costs by its size: makes weights zero.
    pub l1: f64,
    /// What every weight costs by its square: keeps weights small.
    pub l2: f64,
    /// Features that fewer tokens show are left out.
    pub min_count: u32,
    /// How often the stochastic start goes through the data.
    pub start: usize,
    /// When to stop.
    pub stop: Stop,
    /// How many threads. The result does not depend on it.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        let stop = Stop { iterations: 150, period: 10, tolerance: 1e-4 };
        Self { l1: 0.0, l2: 0.1, min_count: 1, start: 2, stop, threads: 1 }
    }
}

/// What was learnt: for each feature the states that it speaks for or against.
pub struct Weights {
    /// How many states there are.
    pub states: usize,
    /// Features with their states and weights, in the order of their hashes.
    pub features: Vec<(u64, Vec<(u8, f32)>)>,
    /// A row for each state before.
    pub transitions: Vec<f32>,
}

/// Hashes are hashed already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type Numbers = HashMap<u64, u32, BuildHasherDefault<AsItIs>>;

/// The data with features as numbers, and which (feature, state) pairs have a weight.
struct Data {
    states: usize,
    sequences: Vec<Range<usize>>,
    /// Features of all tokens; `ends[token]` is where a token's end.
    features: Vec<u32>,
    ends: Vec<usize>,
    gold: Vec<u8>,
    /// The weights of feature `f` are `first[f]..first[f + 1]`, for the states `state[…]`.
    first: Vec<u32>,
    state: Vec<u8>,
    hashes: Vec<u64>,
}

impl Data {
    fn new(sequences: &[Sequence], states: usize, min_count: u32) -> Self {
        let mut counts = Numbers::default();
        for hash in sequences.iter().flat_map(|sequence| &sequence.features) {
            *counts.entry(*hash).or_insert(0) += 1;
        }
        // In the order in which they are met: what is looked at together lies together.
        let mut hashes: Vec<u64> = Vec::new();
        let mut numbers = Numbers::default();
        for hash in sequences.iter().flat_map(|sequence| &sequence.features) {
            if counts.get(hash).is_some_and(|count| *count >= min_count) {
                numbers.entry(*hash).or_insert_with(|| {
                    hashes.push(*hash);
                    u32::try_from(hashes.len() - 1).unwrap_or(u32::MAX)
                });
            }
        }
        let mut data = Self {
            states,
            sequences: Vec::new(),
            features: Vec::new(),
            ends: Vec::new(),
            gold: Vec::new(),
            first: Vec::new(),
            state: Vec::new(),
            hashes,
        };
        let mut seen = vec![[0u64; 4]; data.hashes.len()];
        for sequence in sequences {
            let from = data.ends.len();
            let mut start = 0;
            for (end, state) in sequence.ends.iter().zip(&sequence.states) {
                for hash in &sequence.features[start..*end as usize] {
                    if let Some(number) = numbers.get(hash) {
                        data.features.push(*number);
                        seen[*number as usize][usize::from(state >> 6)] |= 1 << (state & 63);
                    }
                }
                start = *end as usize;
                data.ends.push(data.features.len());
                data.gold.push(*state);
            }
            data.sequences.push(from..data.ends.len());
        }
        for states in seen {
            data.first.push(u32::try_from(data.state.len()).unwrap_or(u32::MAX));
            data.state.extend((0..=u8::MAX).filter(|s| states[usize::from(s >> 6)] >> (s & 63) & 1 == 1));
        }
        data.first.push(u32::try_from(data.state.len()).unwrap_or(u32::MAX));
        data
    }

    fn size(&self) -> usize {
        self.state.len() + self.states * self.states
    }

    fn features_of(&self, token: usize) -> &[u32] {
        let start = if token == 0 { 0 } else { self.ends[token - 1] };
        &self.features[start..self.ends[token]]
    }

    fn weights_of(&self, feature: u32) -> Range<usize> {
        self.first[feature as usize] as usize..self.first[feature as usize + 1] as usize
    }

    fn score(&self, tokens: Range<usize>, weights: &[f32], scores: &mut Vec<f32>) {
        scores.clear();
        scores.resize(tokens.len() * self.states, 0.0);
        for (token, row) in tokens.zip(scores.chunks_exact_mut(self.states)) {
            for feature in self.features_of(token) {
                let range = self.weights_of(*feature);
                for (state, weight) in self.state[range.clone()].iter().zip(&weights[range]) {
                    row[usize::from(*state)] += weight;
                }
            }
        }
    }
}

/// Room for one sequence after the other.
#[derive(Default)]
struct Workspace {
    scores: Vec<f32>,
    lattice: Lattice,
    row: Vec<f32>,
    pairs: Vec<f32>,
}

/// The same whatever the number of threads: so many parts, summed in order.
const PARTS: usize = 8;

/// Learns from labelled sequences. `seen` is told each step and the value that falls.
pub fn train(
    sequences: &[Sequence],
    scheme: &Scheme,
    options: &Options,
    mut seen: impl FnMut(usize, f64),
) -> Weights {
    let data = Data::new(sequences, scheme.states(), options.min_count);
    let mut x = start(&data, options.start);
    let parts = parts(&data);
    let gradients: Vec<Mutex<(f64, Vec<f64>)>> =
        (0..PARTS).map(|_| Mutex::new((0.0, vec![0.0; data.size()]))).collect();
    minimize(
        &mut x,
        options.l1,
        options.stop,
        |x, gradient| value(&data, &parts, &gradients, x, gradient, options),
        &mut seen,
    );
    weights(&data, &x)
}

fn parts(data: &Data) -> Vec<Range<usize>> {
    let share = data.ends.len().div_ceil(PARTS).max(1);
    let mut parts = vec![0..0; PARTS];
    for (at, sequence) in data.sequences.iter().enumerate() {
        let part = &mut parts[(sequence.start / share).min(PARTS - 1)];
        *part = if part.start == part.end { at..at + 1 } else { part.start..at + 1 };
    }
    parts
}

fn value(
    data: &Data,
    parts: &[Range<usize>],
    gradients: &[Mutex<(f64, Vec<f64>)>],
    x: &[f64],
    gradient: &mut [f64],
    options: &Options,
) -> f64 {
    #[allow(clippy::cast_possible_truncation)]
    let small: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let (own, between) = small.split_at(data.state.len());
    let transitions = Transitions::new(data.states, between);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, PARTS) {
            scope.spawn(|| {
                let mut space = Workspace::default();
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    let Some(range) = parts.get(part) else { return };
                    let Ok(mut slot) = gradients[part].lock() else { return };
                    let (value, gradient) = &mut *slot;
                    gradient.fill(0.0);
                    *value = part_value(data, range.clone(), own, &transitions, gradient, &mut space);
                }
            });
        }
    });
    let mut sum = 0.0;
    gradient.iter_mut().zip(x).for_each(|(gradient, x)| {
        *gradient = options.l2 * x;
        sum += options.l2 * x * x / 2.0;
    });
    for part in gradients {
        if let Ok(part) = part.lock() {
            sum += part.0;
            gradient.iter_mut().zip(&part.1).for_each(|(into, part)| *into += part);
        }
    }
    sum
}

/// Minus the logarithm of the probability of the gold states, and its gradient.
fn part_value(
    data: &Data,
    sequences: Range<usize>,
    own: &[f32],
    transitions: &Transitions,
    gradient: &mut [f64],
    space: &mut Workspace,
) -> f64 {
    let states = data.states;
    let stride = states.next_multiple_of(8);
    let mut sum = 0.0;
    space.pairs.clear();
    space.pairs.resize(stride * stride, 0.0);
    let (of_states, of_pairs) = gradient.split_at_mut(data.state.len());
    for sequence in &data.sequences[sequences] {
        data.score(sequence.clone(), own, &mut space.scores);
        sum += space.lattice.fill(&space.scores, transitions);
        space.lattice.add_pairs(&mut space.pairs);
        let mut before: Option<usize> = None;
        for (at, token) in sequence.clone().enumerate() {
            let gold = usize::from(data.gold[token]);
            sum -= f64::from(space.scores[at * states + gold]);
            if let Some(before) = before {
                sum -= f64::from(transitions.score(before, gold));
                of_pairs[before * states + gold] -= 1.0;
            }
            before = Some(gold);
            space.row.clear();
            space.row.extend(space.lattice.marginals(at));
            space.row[gold] -= 1.0;
            for feature in data.features_of(token) {
                let range = data.weights_of(*feature);
                for (state, gradient) in data.state[range.clone()].iter().zip(&mut of_states[range]) {
                    *gradient += f64::from(space.row[usize::from(*state)]);
                }
            }
        }
    }
    for before in 0..states {
        for after in (0..states).filter(|after| Scheme::may_follow(before, *after)) {
            let weight = transitions.weight(before, after);
            of_pairs[before * states + after] += f64::from(space.pairs[before * stride + after] * weight);
        }
    }
    sum
}

/// Goes through the data a few times with steps that shrink for what was often changed (`AdaGrad`).
fn start(data: &Data, rounds: usize) -> Vec<f64> {
    const STEP: f32 = 0.1;
    let mut weights = vec![0f32; data.size()];
    let mut changed = vec![1e-6f32; data.size()];
    let states = data.states;
    let first_pair = data.state.len();
    let stride = states.next_multiple_of(8);
    let mut space = Workspace::default();
    // A fixed order that mixes: far steps that share no factor with the number of sequences.
    let count = data.sequences.len();
    let far = (count / 2 + 1..2 * count + 2).find(|far| gcd(*far, count) == 1).unwrap_or(1);
    for _ in 0..rounds {
        for turn in 0..count {
            let sequence = data.sequences[turn * far % count].clone();
            let transitions = Transitions::new(states, &weights[first_pair..]);
            data.score(sequence.clone(), &weights[..first_pair], &mut space.scores);
            space.lattice.fill(&space.scores, &transitions);
            space.pairs.clear();
            space.pairs.resize(stride * stride, 0.0);
            space.lattice.add_pairs(&mut space.pairs);
            let mut change = |at: usize, slope: f32| {
                changed[at] += slope * slope;
                weights[at] -= STEP * slope / changed[at].sqrt();
            };
            let gold = &data.gold[sequence.clone()];
            let mut pairs = vec![0f32; states * states];
            for before in 0..states {
                for after in (0..states).filter(|after| Scheme::may_follow(before, *after)) {
                    let weight = transitions.weight(before, after);
                    pairs[before * states + after] = space.pairs[before * stride + after] * weight;
                }
            }
            for pair in gold.windows(2) {
                pairs[usize::from(pair[0]) * states + usize::from(pair[1])] -= 1.0;
            }
            for (at, slope) in pairs.into_iter().enumerate().filter(|(_, slope)| slope.abs() > 1e-4) {
                change(first_pair + at, slope);
            }
            for (at, token) in sequence.enumerate() {
                space.row.clear();
                space.row.extend(space.lattice.marginals(at));
                space.row[usize::from(data.gold[token])] -= 1.0;
                for feature in data.features_of(token) {
                    for weight in data.weights_of(*feature) {
                        let slope = space.row[usize::from(data.state[weight])];
                        if slope.abs() > 1e-4 {
                            change(weight, slope);
                        }
                    }
                }
            }
        }
    }
    weights.into_iter().map(f64::from).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn weights(data: &Data, x: &[f64]) -> Weights {
    #[allow(clippy::cast_possible_truncation)]
    let small = |x: &f64| *x as f32;
    let features = data.hashes.iter().enumerate().map(|(at, hash)| {
        let range = data.weights_of(u32::try_from(at).unwrap_or(u32::MAX));
        let own = data.state[range.clone()].iter().copied().zip(x[range].iter().map(small));
        (*hash, own.filter(|(_, weight)| *weight != 0.0).collect::<Vec<_>>())
    });
    let mut features: Vec<_> = features.filter(|(_, own)| !own.is_empty()).collect();
    features.sort_unstable_by_key(|(hash, _)| *hash);
    Weights { states: data.states, features, transitions: x[data.state.len()..].iter().map(small).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::best;
    use super::*;

    /// Tokens that show a number; 1 begins kind 0, and 2 after it goes on.
    fn toy() -> Vec<Sequence> {
        let of = |shown: &[u64], states: &[u8]| Sequence {
            features: shown.to_vec(),
            ends: (1..=u32::try_from(shown.len()).unwrap()).collect(),
            states: states.to_vec(),
        };
        vec![
            of(&[9, 1, 2, 9], &[0, 1, 2, 0]),
            of(&[1, 9, 2], &[1, 0, 0]),
            of(&[2, 9, 1, 2, 2], &[0, 0, 1, 2, 2]),
        ]
    }

    fn predict(weights: &Weights, sequence: &Sequence) -> Vec<u8> {
        let mut scores = Vec::new();
        for hash in &sequence.features {
            let mut row = vec![0.0; weights.states];
            if let Ok(at) = weights.features.binary_search_by_key(hash, |(hash, _)| *hash) {
                weights.features[at].1.iter().for_each(|(state, weight)| row[usize::from(*state)] += weight);
            }
            scores.extend(row);
        }
        best(&scores, &Transitions::new(weights.states, &weights.transitions))
    }

    #[test]
    fn learns_what_only_the_order_tells() {
        let scheme = Scheme::new(["NAME".to_owned()]).unwrap();
        for (l1, start) in [(0.0, 0), (0.0, 3), (0.01, 0)] {
            let options = Options { l1, l2: 0.01, start, ..Options::default() };
            let weights = train(&toy(), &scheme, &options, |_, _| {});
            for sequence in toy() {
                assert_eq!(predict(&weights, &sequence), sequence.states);
            }
        }
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let scheme = Scheme::new(["NAME".to_owned()]).unwrap();
        let learn = |threads| train(&toy(), &scheme, &Options { threads, ..Options::default() }, |_, _| {});
        assert_eq!(learn(1).transitions, learn(4).transitions);
        assert_eq!(learn(1).features, learn(4).features);
    }

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let data = Data::new(&toy(), 3, 1);
        let parts = parts(&data);
        let slots: Vec<_> = (0..PARTS).map(|_| Mutex::new((0.0, vec![0.0; data.size()]))).collect();
        let options = Options::default();
        let x: Vec<f64> = (0..data.size()).map(|at| (at as f64 * 0.37).sin()).collect();
        let mut gradient = vec![0.0; data.size()];
        value(&data, &parts, &slots, &x, &mut gradient, &options);
        for at in 0..data.size() {
            let at_side = |by: f64| {
                let mut x = x.clone();
                x[at] += by;
                value(&data, &parts, &slots, &x, &mut vec![0.0; data.size()], &options)
            };
            let slope = (at_side(1e-2) - at_side(-1e-2)) / 2e-2;
            assert!((slope - gradient[at]).abs() < 2e-3, "{at}: {slope} {}", gradient[at]);
        }
    }
}
