//! All ways to label one sequence, weighed: forward and backward sums, the best way, and how probable a
//! run is.

use crate::label::scheme::{Run, Scheme};

/// States are padded to a multiple of this, so that loops over them run on whole vectors.
const LANES: usize = 8;
/// No state is less probable than this beside the best: keeps sums away from zero.
const LEAST: f32 = 1e-30;
/// What weighs less is passed over.
const NOTHING: f32 = 1e-25;

/// What it costs to go from a state to the next.
pub(super) struct Transitions {
    states: usize,
    stride: usize,
    scores: Vec<f32>,
    /// Exponentials, a row for the state before; zero where the scheme forbids.
    exp: Vec<f32>,
    /// The same, a row for the state after.
    turned: Vec<f32>,
}

impl Transitions {
    /// From scores in rows for the state before.
    pub(super) fn new(states: usize, scores: &[f32]) -> Self {
        let stride = states.next_multiple_of(LANES);
        let mut exp = vec![0.0; stride * stride];
        let mut turned = vec![0.0; stride * stride];
        for before in 0..states {
            for after in (0..states).filter(|after| Scheme::may_follow(before, *after)) {
                let weight = scores[before * states + after].exp();
                exp[before * stride + after] = weight;
                turned[after * stride + before] = weight;
            }
        }
        Self { states, stride, scores: scores.to_vec(), exp, turned }
    }

    /// The score of a transition.
    pub(super) fn score(&self, before: usize, after: usize) -> f32 {
        self.scores[before * self.states + after]
    }

    /// The exponential of a transition; zero if the scheme forbids it.
    pub(super) fn weight(&self, before: usize, after: usize) -> f32 {
        self.exp[before * self.stride + after]
    }
}

/// The sums of one sequence; used again for the next.
#[derive(Default)]
pub(in crate::label) struct Lattice {
    length: usize,
    stride: usize,
    /// Exponentials of the scores of each token's states, beside the best of them.
    exp: Vec<f32>,
    alpha: Vec<f32>,
    beta: Vec<f32>,
    sums: Vec<f32>,
    /// `exp · beta / sum`: what a state and all after it weigh.
    after: Vec<f32>,
}

impl Lattice {
    /// Sums over all ways. `scores` has a row of `states` for each token. Gives the logarithm of the
    /// sum of all.
    pub(super) fn fill(&mut self, scores: &[f32], transitions: &Transitions) -> f64 {
        let (states, stride) = (transitions.states, transitions.stride);
        let length = scores.len() / states;
        self.length = length;
        self.stride = stride;
        for row in [&mut self.exp, &mut self.alpha, &mut self.beta, &mut self.after] {
            row.clear();
            row.resize(length * stride, 0.0);
        }
        self.sums.clear();
        let mut logarithm = 0.0;
        for (token, scores) in scores.chunks_exact(states).enumerate() {
            let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            logarithm += f64::from(best);
            let (before, row) = self.alpha.split_at_mut(token * stride);
            let row = &mut row[..stride];
            let exp = &mut self.exp[token * stride..(token + 1) * stride];
            for (exp, score) in exp.iter_mut().zip(scores) {
                *exp = (score - best).exp().max(LEAST);
            }
            match before.len().checked_sub(stride) {
                Some(last) => combine(row, &before[last..], &transitions.exp, stride),
                None => (0..states).filter(|s| Scheme::may_follow(0, *s)).for_each(|s| row[s] = 1.0),
            }
            let mut sum = 0.0;
            for (row, exp) in row.iter_mut().zip(exp) {
                *row *= *exp;
                sum += *row;
            }
            for row in row.iter_mut() {
                *row /= sum;
            }
            self.sums.push(sum);
            logarithm += f64::from(sum.ln());
        }
        for token in (0..length).rev() {
            let here = token * stride..(token + 1) * stride;
            if token + 1 == length {
                self.beta[here.clone()][..states].fill(1.0);
            } else {
                let after = &self.after[(token + 1) * stride..(token + 2) * stride];
                combine(&mut self.beta[here.clone()], after, &transitions.turned, stride);
            }
            let sum = self.sums[token];
            for at in here {
                self.after[at] = self.exp[at] * self.beta[at] / sum;
            }
        }
        logarithm
    }

    /// How probable each state of a token is.
    pub(super) fn marginals(&self, token: usize) -> impl Iterator<Item = f32> + '_ {
        let row = token * self.stride..(token + 1) * self.stride;
        self.alpha[row.clone()].iter().zip(&self.beta[row]).map(|(a, b)| a * b)
    }

    /// Adds how often each pair of states is expected, but for the transition's own weight.
    pub(super) fn add_pairs(&self, into: &mut [f32]) {
        for token in 1..self.length {
            let before = &self.alpha[(token - 1) * self.stride..token * self.stride];
            let after = &self.after[token * self.stride..(token + 1) * self.stride];
            for (state, weight) in before.iter().enumerate().filter(|(_, weight)| **weight > NOTHING) {
                let row = &mut into[state * self.stride..(state + 1) * self.stride];
                for (row, after) in row.iter_mut().zip(after) {
                    *row += weight * after;
                }
            }
        }
    }

    /// All runs that are at least so probable, in the order of their beginnings.
    pub(super) fn likely(&self, transitions: &Transitions, least: f32) -> Vec<(Run, f32)> {
        let mut likely = Vec::new();
        let stride = self.stride;
        for start in 0..self.length {
            for kind in 0..transitions.states / 2 {
                let (begin, inside) = (Scheme::begin(kind), Scheme::inside(kind));
                let mut weight = self.alpha[start * stride + begin];
                let mut state = begin;
                // While what begins here and is still going on is probable enough. At a token that holds for
                // at most `1 / least` beginnings, so that long lines cost no more than short ones.
                for token in start..self.length {
                    if token > start {
                        weight *= transitions.exp[state * stride + inside]
                            * self.exp[token * stride + inside]
                            / self.sums[token];
                        state = inside;
                    }
                    if weight * self.beta[token * stride + state] < least {
                        break;
                    }
                    let probability = weight * self.ends(token + 1, state, inside, transitions);
                    if probability >= least {
                        likely.push((Run { tokens: start..token + 1, kind }, probability));
                    }
                }
            }
        }
        likely
    }

    /// How probable it is that exactly this run is there: it begins, goes on, and ends here.
    pub(super) fn probability(&self, run: &Run, transitions: &Transitions) -> f32 {
        let (begin, inside) = (Scheme::begin(run.kind), Scheme::inside(run.kind));
        let stride = self.stride;
        let mut weight = self.alpha[run.tokens.start * stride + begin];
        let mut state = begin;
        for token in run.tokens.start + 1..run.tokens.end {
            weight *= transitions.exp[state * stride + inside] * self.exp[token * stride + inside]
                / self.sums[token];
            state = inside;
        }
        weight * self.ends(run.tokens.end, state, inside, transitions)
    }

    /// What all that may come from `next` on weighs, but for going on inside.
    fn ends(&self, next: usize, state: usize, inside: usize, transitions: &Transitions) -> f32 {
        if next == self.length {
            return 1.0;
        }
        let others = (0..transitions.states).filter(|after| *after != inside);
        let (from, to) = (state * self.stride, next * self.stride);
        others.map(|after| transitions.exp[from + after] * self.after[to + after]).sum()
    }
}

/// `into[y] = Σ weights[x] · rows[x][y]`.
fn combine(into: &mut [f32], weights: &[f32], rows: &[f32], stride: usize) {
    for (weight, row) in weights.iter().zip(rows.chunks_exact(stride)) {
        if *weight > NOTHING {
            for (into, row) in into.iter_mut().zip(row) {
                *into += weight * row;
            }
        }
    }
}

/// The most probable states of a sequence.
pub(super) fn best(scores: &[f32], transitions: &Transitions) -> Vec<u8> {
    let states = transitions.states;
    let length = scores.len() / states;
    let mut from = vec![0u8; length * states];
    let mut now: Vec<f32> = vec![f32::NEG_INFINITY; states];
    let mut next = now.clone();
    for (token, scores) in scores.chunks_exact(states).enumerate() {
        for state in 0..states {
            let (mut top, mut top_from) = (f32::NEG_INFINITY, 0);
            if token == 0 {
                top = if Scheme::may_follow(Scheme::OUTSIDE, state) { 0.0 } else { f32::NEG_INFINITY };
            } else if state != 0 && state % 2 == 0 {
                // Only its own beginning and itself may come before.
                for before in [state - 1, state] {
                    let score = now[before] + transitions.scores[before * states + state];
                    if score > top {
                        (top, top_from) = (score, before);
                    }
                }
            } else {
                for (before, now) in now.iter().enumerate() {
                    let score = now + transitions.scores[before * states + state];
                    if score > top {
                        (top, top_from) = (score, before);
                    }
                }
            }
            next[state] = top + scores[state];
            from[token * states + state] = u8::try_from(top_from).unwrap_or(0);
        }
        std::mem::swap(&mut now, &mut next);
    }
    let last = (0..states).max_by(|a, b| now[*a].total_cmp(&now[*b])).unwrap_or(0);
    let mut path = vec![0; length];
    let mut state = u8::try_from(last).unwrap_or(0);
    for token in (0..length).rev() {
        path[token] = state;
        state = from[token * states + usize::from(state)];
    }
    path
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every allowed way, with its score.
    fn ways(length: usize, states: usize) -> Vec<Vec<usize>> {
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..length {
            ways = ways
                .iter()
                .flat_map(|way| (0..states).map(move |state| [way.as_slice(), &[state]].concat()))
                .filter(|way| {
                    let before = way.len().checked_sub(2).map_or(0, |at| way[at]);
                    Scheme::may_follow(before, way[way.len() - 1])
                })
                .collect();
        }
        ways
    }

    fn score(way: &[usize], scores: &[f32], between: &[f32], states: usize) -> f64 {
        let own: f32 = way.iter().enumerate().map(|(t, s)| scores[t * states + s]).sum();
        let pairs: f32 = way.windows(2).map(|pair| between[pair[0] * states + pair[1]]).sum();
        f64::from(own + pairs)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Sums, marginals, runs and the best way equal those found by trying every way.
        #[test]
        fn equals_trying_every_way(
            length in 1usize..5,
            scores in prop::collection::vec(-3.0f32..3.0, 25),
            between in prop::collection::vec(-2.0f32..2.0, 25),
        ) {
            let states = 5;
            let scores = &scores[..length * states];
            let transitions = Transitions::new(states, &between);
            let mut lattice = Lattice::default();
            let logarithm = lattice.fill(scores, &transitions);
            let ways = ways(length, states);
            let weight = |way: &Vec<usize>| score(way, scores, &between, states).exp();
            let all: f64 = ways.iter().map(weight).sum();
            prop_assert!((logarithm - all.ln()).abs() < 1e-4, "{} {}", logarithm, all.ln());
            for token in 0..length {
                for (state, found) in lattice.marginals(token).take(states).enumerate() {
                    let true_share: f64 = ways.iter().filter(|way| way[token] == state).map(weight).sum();
                    prop_assert!((f64::from(found) - true_share / all).abs() < 1e-4);
                }
            }
            let likely = lattice.likely(&transitions, 0.1);
            for (run, p) in &likely {
                prop_assert!(*p >= 0.1 && (p - lattice.probability(run, &transitions)).abs() < 1e-6);
            }
            for start in 0..length {
                for end in start + 1..=length {
                    let run = Run { tokens: start..end, kind: 1 };
                    let there = |way: &&Vec<usize>| {
                        let states: Vec<u8> = way.iter().map(|s| u8::try_from(*s).unwrap()).collect();
                        Scheme::runs(&states).contains(&run)
                    };
                    let true_share: f64 = ways.iter().filter(there).map(weight).sum();
                    let found = f64::from(lattice.probability(&run, &transitions));
                    prop_assert!((found - true_share / all).abs() < 1e-4, "{} {}", found, true_share / all);
                    let is_likely = likely.iter().any(|(likely, _)| *likely == run);
                    prop_assert!(is_likely == (found >= 0.1) || (found - 0.1).abs() < 1e-5);
                }
            }
            let top = ways.iter().map(|way| score(way, scores, &between, states)).fold(f64::MIN, f64::max);
            let found: Vec<usize> = best(scores, &transitions).into_iter().map(usize::from).collect();
            prop_assert!((score(&found, scores, &between, states) - top).abs() < 1e-4);
        }

        #[test]
        fn far_scores_lose_no_way(scores in prop::collection::vec(-25.0f32..25.0, 15)) {
            let transitions = Transitions::new(5, &[0.0; 25]);
            let mut lattice = Lattice::default();
            prop_assert!(lattice.fill(&scores, &transitions).is_finite());
            prop_assert!((lattice.marginals(1).sum::<f32>() - 1.0).abs() < 1e-3);
        }
    }
}
