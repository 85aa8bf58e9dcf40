//! Learning the weights: a stochastic start, then L-BFGS on all cores.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::lattice::{Lattice, Transitions};
use super::optimize::{Stop, minimize};
use crate::label::scheme::Scheme;
use crate::label::table::mix;

/// A labelled sequence: what each token shows (hashes of features) and its state.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The features of all tokens, one after the other. One that a token shows several times in a row costs as little
    /// as so many equal features would that share its weight.
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
        Self { l1: 0.0, l2: 0.1, min_count: 1, start: 0, stop, threads: 1 }
    }
}

/// What was learnt: for each feature the states that it speaks for or against.
pub struct Weights {
    /// The number of states.
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

/// What numbers of tokens are hashed from.
const TOKEN: u64 = 0x746f_6b65_6e73;

type Numbers = HashMap<u64, u32, BuildHasherDefault<AsItIs>>;

/// The data with features as numbers, and which (feature, state) pairs have a weight.
struct Data {
    states: usize,
    sequences: Vec<Range<usize>>,
    /// Features of all tokens; `ends[token]` is where a token's end.
    features: Vec<u32>,
    ends: Vec<usize>,
    /// The same for features with many states, which have a row of all states in tables beside the
    /// weights: adding whole rows is several times faster than adding one by one.
    rows: Vec<u32>,
    row_ends: Vec<usize>,
    /// The features that have a row, in the order of their rows.
    dense: Vec<u32>,
    gold: Vec<u8>,
    /// The weights of feature `f` are `first[f]..first[f + 1]`, for the states `state[…]`.
    first: Vec<u32>,
    state: Vec<u8>,
    /// The hashes of each feature. Those that always show together are one feature here: their weights
    /// stay equal, so one number does for all, and most of the work is saved.
    hashes: Vec<Vec<u64>>,
    /// For each weight: the root of how many hashes share it, with repetitions, which makes the shared weight cost as
    /// much as all of them would (L2), and lets the optimizer go the same way.
    scale: Vec<f32>,
}

impl Data {
    fn new(sequences: &[Sequence], states: usize, min_count: u32, together: bool) -> Self {
        // How often each hash shows, and a sum over the tokens that show it: equal for those that always
        // show together, and only by a chance of one in 2^64 for others.
        let mut shown: HashMap<u64, (u32, u64), BuildHasherDefault<AsItIs>> = HashMap::default();
        let mut token = 0;
        for sequence in sequences {
            let mut start = 0;
            for end in &sequence.ends {
                token += 1;
                let own = mix(TOKEN, token);
                for equal in sequence.features[start..*end as usize].chunk_by(|a, b| a == b) {
                    let entry = shown.entry(equal[0]).or_insert((0, 0));
                    entry.0 += 1;
                    entry.1 = entry.1.wrapping_add(own.wrapping_mul(equal.len() as u64));
                }
                start = *end as usize;
            }
        }
        // In the order in which they are met: what is looked at together lies together.
        let mut hashes: Vec<Vec<u64>> = Vec::new();
        let mut numbers = Numbers::default();
        let mut groups = Numbers::default();
        for hash in sequences.iter().flat_map(|sequence| &sequence.features) {
            let Some((count, sum)) = shown.get_mut(hash) else { continue };
            if *count < min_count || *count == 0 {
                continue;
            }
            let group = if together { mix(*sum, u64::from(*count)) } else { *hash };
            let number = *groups.entry(group).or_insert_with(|| {
                hashes.push(Vec::new());
                let number = u32::try_from(hashes.len() - 1).unwrap_or(u32::MAX);
                numbers.insert(*hash, number);
                number
            });
            hashes[number as usize].push(*hash);
            // Met.
            *count = 0;
        }
        drop((shown, groups));
        let mut data = Self {
            states,
            sequences: Vec::new(),
            features: Vec::new(),
            ends: Vec::new(),
            rows: Vec::new(),
            row_ends: Vec::new(),
            dense: Vec::new(),
            gold: Vec::new(),
            first: Vec::new(),
            state: Vec::new(),
            hashes,
            scale: Vec::new(),
        };
        let mut seen = vec![[0u64; 4]; data.hashes.len()];
        let mut repeated = vec![1u32; data.hashes.len()];
        for sequence in sequences {
            let from = data.ends.len();
            let mut start = 0;
            for (end, state) in sequence.ends.iter().zip(&sequence.states) {
                let own = &sequence.features[start..*end as usize];
                for equal in own.chunk_by(|a, b| a == b) {
                    if let Some(number) = numbers.get(&equal[0]) {
                        data.features.push(*number);
                        seen[*number as usize][usize::from(state >> 6)] |= 1 << (state & 63);
                        repeated[*number as usize] = u32::try_from(equal.len()).unwrap_or(u32::MAX);
                    }
                }
                start = *end as usize;
                data.ends.push(data.features.len());
                data.gold.push(*state);
            }
            data.sequences.push(from..data.ends.len());
        }
        for ((states, hashes), repeated) in seen.into_iter().zip(&data.hashes).zip(repeated) {
            data.first.push(u32::try_from(data.state.len()).unwrap_or(u32::MAX));
            data.state.extend((0..=u8::MAX).filter(|s| states[usize::from(s >> 6)] >> (s & 63) & 1 == 1));
            data.scale.resize(data.state.len(), (hashes.len() as f32 * repeated as f32).sqrt());
        }
        data.first.push(u32::try_from(data.state.len()).unwrap_or(u32::MAX));
        data.scale.resize(data.size(), 1.0);
        data.split_dense();
        data
    }

    fn size(&self) -> usize {
        self.state.len() + self.states * self.states
    }

    /// Takes features with many states out of the tokens' features, into rows.
    fn split_dense(&mut self) {
        let mut row_of: Vec<u32> = vec![u32::MAX; self.hashes.len()];
        for (feature, row) in row_of.iter_mut().enumerate() {
            let feature = u32::try_from(feature).unwrap_or(u32::MAX);
            if self.weights_of(feature).len() > self.states / 4 {
                *row = u32::try_from(self.dense.len()).unwrap_or(u32::MAX);
                self.dense.push(feature);
            }
        }
        let (mut kept, mut start) = (0, 0);
        for end in &mut self.ends {
            for at in start..*end {
                let feature = self.features[at];
                match row_of[feature as usize] {
                    u32::MAX => {
                        self.features[kept] = feature;
                        kept += 1;
                    }
                    row => self.rows.push(row),
                }
            }
            start = *end;
            *end = kept;
            self.row_ends.push(self.rows.len());
        }
        self.features.truncate(kept);
        self.features.shrink_to_fit();
    }

    fn features_of(&self, token: usize) -> &[u32] {
        let start = if token == 0 { 0 } else { self.ends[token - 1] };
        &self.features[start..self.ends[token]]
    }

    fn rows_of(&self, token: usize) -> &[u32] {
        let start = if token == 0 { 0 } else { self.row_ends[token - 1] };
        &self.rows[start..self.row_ends[token]]
    }

    /// The features of a token that have a row.
    fn dense_of(&self, token: usize) -> impl Iterator<Item = &u32> {
        self.rows_of(token).iter().map(|row| &self.dense[*row as usize])
    }

    fn weights_of(&self, feature: u32) -> Range<usize> {
        self.first[feature as usize] as usize..self.first[feature as usize + 1] as usize
    }

    fn stride(&self) -> usize {
        self.states.next_multiple_of(8)
    }

    /// The table of rows with these weights.
    fn spread(&self, weights: &[f32]) -> Vec<f32> {
        let stride = self.stride();
        let mut table = vec![0.0; self.dense.len() * stride];
        for (feature, row) in self.dense.iter().zip(table.chunks_exact_mut(stride)) {
            for at in self.weights_of(*feature) {
                row[usize::from(self.state[at])] = weights[at];
            }
        }
        table
    }

    /// Adds what a table of rows says to the weights that are.
    fn gather(&self, table: &[f64], into: &mut [f64]) {
        for (feature, row) in self.dense.iter().zip(table.chunks_exact(self.stride())) {
            for at in self.weights_of(*feature) {
                into[at] += row[usize::from(self.state[at])];
            }
        }
    }

    /// Scores of the states of some tokens. `table` is what [`Data::spread`] made.
    fn score(&self, tokens: Range<usize>, weights: &[f32], table: &[f32], scores: &mut Vec<f32>) {
        let stride = self.stride();
        scores.clear();
        let mut sum = vec![0.0; stride];
        for token in tokens {
            sum.fill(0.0);
            for row in self.rows_of(token) {
                add_row(&mut sum, &table[*row as usize * stride..(*row as usize + 1) * stride]);
            }
            for feature in self.features_of(token) {
                for at in self.weights_of(*feature) {
                    sum[usize::from(self.state[at])] += weights[at];
                }
            }
            scores.extend_from_slice(&sum[..self.states]);
        }
    }
}

/// Adds numbers to numbers, eight at a time.
fn add_row<T: Copy + std::ops::AddAssign + From<f32>>(into: &mut [T], row: &[f32]) {
    for (into, row) in into.as_chunks_mut::<8>().0.iter_mut().zip(row.as_chunks::<8>().0) {
        for lane in 0..8 {
            into[lane] += T::from(row[lane]);
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
    let data = Data::new(sequences, scheme.states(), options.min_count, options.l1 == 0.0);
    let mut x = start(&data, options.start);
    let parts = parts(&data);
    let gradients: Vec<Mutex<Part>> = (0..PARTS).map(|_| Mutex::new(Part::new(&data))).collect();
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
    gradients: &[Mutex<Part>],
    x: &[f64],
    gradient: &mut [f64],
    options: &Options,
) -> f64 {
    #[allow(clippy::cast_possible_truncation)]
    let small: Vec<f32> = x.iter().zip(&data.scale).map(|(x, scale)| *x as f32 * scale).collect();
    let (own, between) = small.split_at(data.state.len());
    let transitions = Transitions::new(data.states, between);
    let table = data.spread(own);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, PARTS) {
            scope.spawn(|| {
                let mut space = Workspace::default();
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    let Some(range) = parts.get(part) else { return };
                    let Ok(mut slot) = gradients[part].lock() else { return };
                    part_value(data, range.clone(), (own, &table), &transitions, &mut slot, &mut space);
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
            sum += part.value;
            let part = part.gradient.iter().zip(&data.scale).map(|(part, scale)| part * f64::from(*scale));
            gradient.iter_mut().zip(part).for_each(|(into, part)| *into += part);
        }
    }
    sum
}

/// Minus the logarithm of the probability of the gold states of some sequences, and its gradient.
struct Part {
    value: f64,
    gradient: Vec<f64>,
    rows: Vec<f64>,
}

impl Part {
    fn new(data: &Data) -> Self {
        Self {
            value: 0.0,
            gradient: vec![0.0; data.size()],
            rows: vec![0.0; data.dense.len() * data.stride()],
        }
    }
}

fn part_value(
    data: &Data,
    sequences: Range<usize>,
    (own, table): (&[f32], &[f32]),
    transitions: &Transitions,
    part: &mut Part,
    space: &mut Workspace,
) {
    let states = data.states;
    let stride = data.stride();
    let mut sum = 0.0;
    space.pairs.clear();
    space.pairs.resize(stride * stride, 0.0);
    part.gradient.fill(0.0);
    part.rows.fill(0.0);
    let (of_states, of_pairs) = part.gradient.split_at_mut(data.state.len());
    for sequence in &data.sequences[sequences] {
        data.score(sequence.clone(), own, table, &mut space.scores);
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
            for row in data.rows_of(token) {
                add_row(&mut part.rows[*row as usize * stride..(*row as usize + 1) * stride], &space.row);
            }
            for feature in data.features_of(token) {
                for at in data.weights_of(*feature) {
                    of_states[at] += f64::from(space.row[usize::from(data.state[at])]);
                }
            }
        }
    }
    data.gather(&part.rows, of_states);
    for before in 0..states {
        for after in (0..states).filter(|after| Scheme::may_follow(before, *after)) {
            let weight = transitions.weight(before, after);
            of_pairs[before * states + after] += f64::from(space.pairs[before * stride + after] * weight);
        }
    }
    part.value = sum;
}

/// Goes through the data a few times with steps that shrink for what was often changed (`AdaGrad`).
fn start(data: &Data, rounds: usize) -> Vec<f64> {
    const STEP: f32 = 0.1;
    let mut weights = vec![0f32; data.size()];
    let mut changed = vec![1e-6f32; data.size()];
    let states = data.states;
    let first_pair = data.state.len();
    let stride = data.stride();
    let mut space = Workspace::default();
    // A fixed order that mixes: far steps that share no factor with the number of sequences.
    let count = data.sequences.len();
    let far = (count / 2 + 1..2 * count + 2).find(|far| gcd(*far, count) == 1).unwrap_or(1);
    for _ in 0..rounds {
        for turn in 0..count {
            let sequence = data.sequences[turn * far % count].clone();
            let transitions = Transitions::new(states, &weights[first_pair..]);
            space.scores.clear();
            for token in sequence.clone() {
                let mut row = vec![0.0; states];
                for feature in data.features_of(token).iter().chain(data.dense_of(token)) {
                    data.weights_of(*feature).for_each(|at| row[usize::from(data.state[at])] += weights[at]);
                }
                space.scores.extend(row);
            }
            space.lattice.fill(&space.scores, &transitions);
            space.pairs.clear();
            space.pairs.resize(stride * stride, 0.0);
            space.lattice.add_pairs(&mut space.pairs);
            let mut change = |at: usize, slope: f32| {
                changed[at] += slope * slope;
                weights[at] -= STEP * data.scale[at] * data.scale[at] * slope / changed[at].sqrt();
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
                for feature in data.features_of(token).iter().chain(data.dense_of(token)) {
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
    weights.into_iter().zip(&data.scale).map(|(weight, scale)| f64::from(weight / scale)).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn weights(data: &Data, x: &[f64]) -> Weights {
    #[allow(clippy::cast_possible_truncation)]
    let small = |x: &f64| *x as f32;
    let features = data.hashes.iter().enumerate().flat_map(|(at, hashes)| {
        let range = data.weights_of(u32::try_from(at).unwrap_or(u32::MAX));
        let scale = data.scale.get(range.start).copied().unwrap_or(1.0);
        let share = scale / hashes.len() as f32;
        let own = data.state[range.clone()].iter().copied().zip(x[range].iter().map(|x| small(x) * share));
        let own: Vec<(u8, f32)> = own.filter(|(_, weight)| *weight != 0.0).collect();
        hashes.iter().map(move |hash| (*hash, own.clone()))
    });
    let mut features: Vec<_> = features.filter(|(_, own)| !own.is_empty()).collect();
    features.sort_unstable_by_key(|(hash, _)| *hash);
    Weights { states: data.states, features, transitions: x[data.state.len()..].iter().map(small).collect() }
}

#[cfg(test)]
mod tests;
