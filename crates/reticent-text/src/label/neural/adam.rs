//! Adam (Kingma and Ba, 2015). Rows of words are moved only when a batch had them: a table of many words
//! costs no more than the words that were read.

use std::collections::BTreeMap;

use super::weights::Weights;

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const LEAST: f32 = 1e-8;
/// Gradients that are longer are made as short.
const LONGEST: f64 = 5.0;

/// Derivatives of all parts, and of the words that were read.
pub(super) struct Gradients {
    pub(super) parts: Vec<Vec<f32>>,
    pub(super) words: BTreeMap<u32, Vec<f32>>,
}

impl Gradients {
    /// Adds others.
    pub(super) fn add(&mut self, other: Self) {
        for (own, other) in self.parts.iter_mut().zip(other.parts) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
        for (row, other) in other.words {
            match self.words.get_mut(&row) {
                Some(own) => own.iter_mut().zip(other).for_each(|(own, other)| *own += other),
                None => {
                    self.words.insert(row, other);
                }
            }
        }
    }

    fn length(&self) -> f64 {
        let square = |numbers: &Vec<f32>| -> f64 {
            // In eight sums, so that they are taken at once.
            let mut sums = [0.0f32; 8];
            let chunks = numbers.chunks_exact(8);
            let rest: f32 = chunks.remainder().iter().map(|number| number * number).sum();
            for chunk in chunks {
                sums.iter_mut().zip(chunk).for_each(|(sum, number)| *sum += number * number);
            }
            f64::from(sums.iter().sum::<f32>() + rest)
        };
        self.parts.iter().chain(self.words.values()).map(square).sum::<f64>().sqrt()
    }
}

/// How numbers moved so far.
struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Moments {
    fn new(count: usize) -> Self {
        Self { first: vec![0.0; count], second: vec![0.0; count] }
    }
}

/// The optimizer.
pub(super) struct Adam {
    parts: Vec<Moments>,
    words: Moments,
    word: usize,
    steps: i32,
}

impl Adam {
    pub(super) fn new(weights: &Weights, word: usize) -> Self {
        let parts = weights.parts.iter().map(|part| Moments::new(part.numbers.len())).collect();
        Self { parts, words: Moments::new(weights.words.len()), word, steps: 0 }
    }

    /// Moves all numbers against their gradients.
    pub(super) fn step(&mut self, weights: &mut Weights, gradients: &Gradients, rate: f32) {
        self.steps += 1;
        let length = gradients.length();
        #[allow(clippy::cast_possible_truncation)]
        let scale = if length > LONGEST { (LONGEST / length) as f32 } else { 1.0 };
        let rate = rate / (1.0 - FIRST.powi(self.steps));
        let second = 1.0 / (1.0 - SECOND.powi(self.steps));
        let pace = Pace { scale, rate, second };
        for ((part, moments), gradient) in weights.parts.iter_mut().zip(&mut self.parts).zip(&gradients.parts)
        {
            pace.move_on(&mut part.numbers, &mut moments.first, &mut moments.second, gradient);
        }
        for (row, gradient) in &gradients.words {
            let own = *row as usize * self.word..(*row as usize + 1) * self.word;
            pace.move_on(
                &mut weights.words[own.clone()],
                &mut self.words.first[own.clone()],
                &mut self.words.second[own],
                gradient,
            );
        }
    }
}

struct Pace {
    scale: f32,
    rate: f32,
    second: f32,
}

impl Pace {
    fn move_on(&self, numbers: &mut [f32], first: &mut [f32], second: &mut [f32], gradient: &[f32]) {
        for (((number, first), second), gradient) in numbers.iter_mut().zip(first).zip(second).zip(gradient) {
            let gradient = gradient * self.scale;
            *first = FIRST * *first + (1.0 - FIRST) * gradient;
            *second = SECOND * *second + (1.0 - SECOND) * gradient * gradient;
            *number -= self.rate * *first / ((*second * self.second).sqrt() + LEAST);
        }
    }
}
