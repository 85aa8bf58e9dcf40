//! The conditional random field at the end: how improbable the true labels of some lines are.

use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};

use super::batch::Steps;
use super::operations::numbers;
use crate::label::scheme::Scheme;

/// The sum over lines of the negative logarithm of the probability of `states`. `scores` has a row of
/// scores for each token, `transitions` a row for the state before. What the scheme forbids is no way.
pub(super) fn improbability(
    steps: &Arc<Steps>,
    scores: &Tensor,
    transitions: &Tensor,
    states: Arc<Vec<u8>>,
) -> Result<Tensor> {
    let operation = Improbability { steps: steps.clone(), states, back: Mutex::default() };
    scores.contiguous()?.apply_op2(transitions, operation)
}

struct Improbability {
    steps: Arc<Steps>,
    states: Arc<Vec<u8>>,
    /// The derivatives (expected minus true), which are half done when the value is.
    back: Mutex<(Vec<f32>, Vec<f32>)>,
}

/// The sums of one line.
struct Sums {
    /// Exponentials of the scores beside the best of their row.
    weights: Vec<f64>,
    forward: Vec<f64>,
    scales: Vec<f64>,
}

impl Improbability {
    /// Adds the derivatives of one line, whose tokens are these rows; gives its value.
    fn line(
        &self,
        rows: &[usize],
        scores: &[f32],
        between: &[f32],
        exp: &[f64],
        back: &mut (Vec<f32>, Vec<f32>),
    ) -> f64 {
        let states = between.len().isqrt();
        let mut value = 0.0;
        let mut before: Option<usize> = None;
        for row in rows {
            let state = usize::from(self.states[*row]);
            value -= f64::from(scores[row * states + state]);
            back.0[row * states + state] -= 1.0;
            if let Some(before) = before {
                value -= f64::from(between[before * states + state]);
                back.1[before * states + state] -= 1.0;
            }
            before = Some(state);
        }
        let mut sums =
            Sums { weights: Vec::new(), forward: vec![0.0; rows.len() * states], scales: Vec::new() };
        for (token, row) in rows.iter().enumerate() {
            let scores = &scores[row * states..(row + 1) * states];
            let best = f64::from(scores.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            let (before, here) = sums.forward.split_at_mut(token * states);
            let here = &mut here[..states];
            if token == 0 {
                (0..states).filter(|state| Scheme::may_follow(0, *state)).for_each(|state| here[state] = 1.0);
            } else {
                combine(here, &before[(token - 1) * states..], exp);
            }
            for (here, score) in here.iter_mut().zip(scores) {
                let weight = (f64::from(*score) - best).exp();
                sums.weights.push(weight);
                *here *= weight;
            }
            let scale = here.iter().sum::<f64>();
            for here in here.iter_mut() {
                *here /= scale;
            }
            sums.scales.push(scale);
            value += best + scale.ln();
        }
        sums.add_expected(rows, exp, back);
        value
    }
}

impl Sums {
    /// Adds how often each state and each pair of states is expected.
    fn add_expected(&self, rows: &[usize], exp: &[f64], back: &mut (Vec<f32>, Vec<f32>)) {
        let states = exp.len().isqrt();
        let mut backward = vec![1.0; states];
        for (token, row) in rows.iter().enumerate().rev() {
            let forward = &self.forward[token * states..(token + 1) * states];
            for ((back, forward), backward) in back.0[row * states..].iter_mut().zip(forward).zip(&backward) {
                *back += narrow(forward * backward);
            }
            if token == 0 {
                break;
            }
            let weights = &self.weights[token * states..(token + 1) * states];
            let after: Vec<f64> = weights
                .iter()
                .zip(&backward)
                .map(|(weight, backward)| weight * backward / self.scales[token])
                .collect();
            let before = &self.forward[(token - 1) * states..token * states];
            for (state, backward) in backward.iter_mut().enumerate() {
                let row = &exp[state * states..(state + 1) * states];
                let pairs = &mut back.1[state * states..(state + 1) * states];
                let mut sum = 0.0;
                for ((exp, after), pair) in row.iter().zip(&after).zip(pairs) {
                    sum += exp * after;
                    *pair += narrow(before[state] * exp * after);
                }
                *backward = sum;
            }
        }
    }
}

/// `into[y] = Σ weights[x] · rows[x][y]`.
fn combine(into: &mut [f64], weights: &[f64], rows: &[f64]) {
    for (weight, row) in weights.iter().zip(rows.chunks_exact(into.len())) {
        into.iter_mut().zip(row).for_each(|(into, row)| *into += weight * row);
    }
}

#[allow(clippy::cast_possible_truncation)]
fn narrow(number: f64) -> f32 {
    number as f32
}

impl CustomOp2 for Improbability {
    fn name(&self) -> &'static str {
        "improbability of labels"
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (scores, between) = (numbers(s1, l1)?, numbers(s2, l2)?);
        let (count, states) = l1.shape().dims2()?;
        let known = self.states.iter().all(|state| usize::from(*state) < states);
        if between.len() != states * states
            || count != self.steps.count()
            || count != self.states.len()
            || !known
        {
            bail!("the scores of the CRF do not match its states");
        }
        let exp: Vec<f64> = between
            .iter()
            .enumerate()
            .map(
                |(at, score)| {
                    if Scheme::may_follow(at / states, at % states) { f64::from(*score).exp() } else { 0.0 }
                },
            )
            .collect();
        let mut back = (vec![0.0; scores.len()], vec![0.0; between.len()]);
        let mut value = 0.0;
        for line in 0..self.steps.lines() {
            value += self.line(&self.steps.rows_of(line), scores, between, &exp, &mut back);
        }
        *self.back.lock().unwrap_or_else(PoisonError::into_inner) = back;
        Ok((CpuStorage::F32(vec![narrow(value)]), Shape::from(())))
    }

    fn bwd(
        &self,
        scores: &Tensor,
        between: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let scale = gradient.to_scalar::<f32>()?;
        let (mut one, mut other) =
            std::mem::take(&mut *self.back.lock().unwrap_or_else(PoisonError::into_inner));
        one.iter_mut().chain(&mut other).for_each(|number| *number *= scale);
        Ok((
            Some(Tensor::from_vec(one, scores.shape(), scores.device())?),
            Some(Tensor::from_vec(other, between.shape(), between.device())?),
        ))
    }
}
