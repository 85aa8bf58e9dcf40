//! The arithmetic of skip-gram: some input vectors against some output vectors, all at once.
//!
//! Each input of a window meets the same outputs (its middle term, and terms drawn by chance), so that
//! each number is fetched once for many products. Sums are kept in eight lanes and never fused, so that
//! every processor comes to the same bits.

use super::matrix::Chunk;
use super::sample::Sigmoid;

/// How many outputs are worked on together: as many as the registers hold.
pub(super) const BLOCK: usize = 6;

/// A chunk of each output of a block.
pub(super) type Chunks = [Chunk; BLOCK];

/// What a step works on.
pub(super) struct Step<'a> {
    /// Copies of input rows, each `outputs.len()` chunks long.
    pub(super) inputs: &'a mut [Chunk],
    /// Which of them take part.
    pub(super) slots: &'a [usize],
    /// Copies of output rows, chunk by chunk.
    pub(super) outputs: &'a mut [Chunks],
    /// What each output should be: one for the middle term, zero for those drawn by chance; nothing if
    /// the place is empty.
    pub(super) labels: &'a [Option<f32>; BLOCK],
    /// The learning rate.
    pub(super) rate: f32,
    /// Room for the gradients.
    pub(super) gradients: &'a mut Vec<[f32; BLOCK]>,
}

/// Moves inputs and outputs a little towards what the labels say.
pub(super) fn step(step: Step<'_>, sigmoid: &Sigmoid) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // Sound: the processor has just said that it has these instructions.
        #[allow(unsafe_code)]
        return unsafe { wide(step, sigmoid) };
    }
    portable(step, sigmoid);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn wide(step: Step<'_>, sigmoid: &Sigmoid) {
    portable(step, sigmoid);
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "so that it is compiled for the instructions of its caller")]
fn portable(step: Step<'_>, sigmoid: &Sigmoid) {
    let Step { inputs, slots, outputs, labels, rate, gradients } = step;
    let chunks = outputs.len();
    gradients.clear();
    for slot in slots {
        let products = products(&inputs[slot * chunks..][..chunks], outputs);
        let mut gradient = [0.0; BLOCK];
        for at in 0..BLOCK {
            if let Some(label) = labels[at] {
                gradient[at] = (label - sigmoid.at(products[at])) * rate;
            }
        }
        gradients.push(gradient);
    }
    for (at, output) in outputs.iter_mut().enumerate() {
        let old = *output;
        let mut new = old;
        for (slot, gradient) in slots.iter().zip(gradients.iter()) {
            let input = &mut inputs[slot * chunks + at];
            let was = *input;
            let mut now = was;
            for n in 0..BLOCK {
                for lane in 0..8 {
                    now[lane] += gradient[n] * old[n][lane];
                    new[n][lane] += gradient[n] * was[lane];
                }
            }
            *input = now;
        }
        *output = new;
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "so that it is compiled for the instructions of its caller")]
fn products(input: &[Chunk], outputs: &[Chunks]) -> [f32; BLOCK] {
    // Each in a name of its own, or the compiler keeps them in memory.
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5] = [[0.0; 8]; BLOCK];
    for (x, y) in input.iter().zip(outputs) {
        add_product(&mut s0, x, &y[0]);
        add_product(&mut s1, x, &y[1]);
        add_product(&mut s2, x, &y[2]);
        add_product(&mut s3, x, &y[3]);
        add_product(&mut s4, x, &y[4]);
        add_product(&mut s5, x, &y[5]);
    }
    across(&[s0, s1, s2, s3, s4, s5])
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "so that it is compiled for the instructions of its caller")]
fn add_product(sum: &mut Chunk, x: &Chunk, y: &Chunk) {
    for lane in 0..8 {
        sum[lane] += x[lane] * y[lane];
    }
}

/// The sum of the lanes of each. Not inlined, or the compiler shuffles lanes in the loop before.
#[inline(never)]
fn across(sums: &[Chunk; BLOCK]) -> [f32; BLOCK] {
    sums.map(|s| ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7])))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The plain way, pair by pair, in double precision.
        #[test]
        fn does_what_the_formulas_say(
            inputs in prop::collection::vec(prop::array::uniform8(-1.0f32..1.0), 6),
            outputs in prop::collection::vec(prop::collection::vec(prop::array::uniform8(-1.0f32..1.0), BLOCK), 2),
            empty in 1..BLOCK,
        ) {
            let outputs: Vec<Chunks> = outputs.iter().map(|row| std::array::from_fn(|n| row[n])).collect();
            let mut labels = [Some(0.0); BLOCK];
            labels[0] = Some(1.0);
            labels[empty] = None;
            let (mut new_inputs, mut new_outputs) = (inputs.clone(), outputs.clone());
            let (slots, rate, sigmoid) = ([0, 2], 0.1, Sigmoid::new());
            let gradients = &mut Vec::new();
            let (inputs_now, outputs_now) = (&mut new_inputs[..], &mut new_outputs[..]);
            step(Step { inputs: inputs_now, slots: &slots, outputs: outputs_now, labels: &labels, rate, gradients }, &sigmoid);

            let (mut other_inputs, mut other_outputs) = (inputs.clone(), outputs.clone());
            let gradients = &mut Vec::new();
            let (inputs_now, outputs_now) = (&mut other_inputs[..], &mut other_outputs[..]);
            portable(Step { inputs: inputs_now, slots: &slots, outputs: outputs_now, labels: &labels, rate, gradients }, &sigmoid);
            prop_assert_eq!(&new_inputs, &other_inputs, "all processors come to the same bits");
            prop_assert_eq!(&new_outputs, &other_outputs);

            let cell = |chunks: &[Chunk], slot: usize, at: usize| f64::from(chunks[slot * 2 + at / 8][at % 8]);
            for n in 0..BLOCK {
                for at in 0..16 {
                    let mut expected = f64::from(outputs[at / 8][n][at % 8]);
                    for slot in slots {
                        let product: f64 = (0..16).map(|at| cell(&inputs, slot, at) * f64::from(outputs[at / 8][n][at % 8])).sum();
                        if let Some(label) = labels[n] {
                            expected += (f64::from(label) - 1.0 / (1.0 + (-product).exp())) * 0.1 * cell(&inputs, slot, at);
                        }
                    }
                    prop_assert!((expected - f64::from(new_outputs[at / 8][n][at % 8])).abs() < 2e-3);
                }
            }
            prop_assert_eq!(&new_inputs[2..4], &inputs[2..4], "what takes no part stays");
        }
    }
}
