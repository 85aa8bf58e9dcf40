//! The numbers that a network learns.

use candle_core::{Device, Result, Tensor, Var};

use super::options::Sizes;
use super::random::Random;

/// A tensor by name.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) shape: Vec<usize>,
    pub(super) numbers: Vec<f32>,
}

/// All numbers of a network.
#[derive(Clone)]
pub(super) struct Weights {
    /// The vectors of words, a row for each; not among the parts because a batch needs only few of them.
    pub(super) words: Vec<f32>,
    pub(super) parts: Vec<Part>,
}

/// The names and shapes of the parts, in the order that [`super::network::Network`] takes them.
pub(super) fn shapes(sizes: &Sizes, characters: usize, states: usize) -> Vec<(String, Vec<usize>)> {
    let Sizes { word, character, character_filters, hidden, layers, filters, sensitivity } = *sizes;
    let mut all = vec![
        ("characters".to_owned(), vec![characters, character]),
        ("spelling.weight".to_owned(), vec![3 * character, character_filters]),
        ("spelling.bias".to_owned(), vec![character_filters]),
    ];
    for layer in 0..layers {
        let input = if layer == 0 { word + character_filters } else { 2 * hidden };
        all.push((format!("lstm.{layer}.input"), vec![input, 8 * hidden]));
        all.push((format!("lstm.{layer}.recurrent"), vec![2 * hidden, 4 * hidden]));
        all.push((format!("lstm.{layer}.bias"), vec![8 * hidden]));
    }
    let rest = [
        ("around.weight", vec![6 * hidden, 2 * filters]),
        ("around.bias", vec![2 * filters]),
        ("sensitivity.hidden.weight", vec![filters, sensitivity]),
        ("sensitivity.hidden.bias", vec![sensitivity]),
        ("sensitivity.weight", vec![sensitivity, 1]),
        ("sensitivity.bias", vec![1]),
        ("kind.weight", vec![filters + sensitivity, states]),
        ("kind.bias", vec![states]),
        ("transitions", vec![states, states]),
    ];
    all.extend(rest.map(|(name, shape)| (name.to_owned(), shape)));
    all
}

impl Weights {
    /// Numbers to begin with: those of Glorot and Bengio (2010), and gates that keep what they know.
    pub(super) fn new(shapes: Vec<(String, Vec<usize>)>, words: Vec<f32>, random: &mut Random) -> Self {
        let parts = shapes
            .into_iter()
            .map(|(name, shape)| {
                let count: usize = shape.iter().product();
                let bound = match (name.as_str(), shape.as_slice()) {
                    ("characters", _) => 0.1,
                    ("transitions", _) | (_, [_]) => 0.0,
                    (_, shape) => (6.0 / shape.iter().sum::<usize>() as f32).sqrt(),
                };
                let mut numbers: Vec<f32> = (0..count).map(|_| random.around(bound)).collect();
                if name.starts_with("lstm") && shape.len() == 1 {
                    let hidden = count / 8;
                    for direction in [0, 4 * hidden] {
                        numbers[direction + hidden..direction + 2 * hidden].fill(1.0);
                    }
                }
                Part { name, shape, numbers }
            })
            .collect();
        Self { words, parts }
    }

    /// The parts as tensors.
    pub(super) fn tensors(&self) -> Result<Vec<Tensor>> {
        self.parts
            .iter()
            .map(|part| Tensor::from_slice(&part.numbers, part.shape.as_slice(), &Device::Cpu))
            .collect()
    }

    /// The parts as tensors that derivatives are taken of.
    pub(super) fn variables(&self) -> Result<Vec<Var>> {
        self.parts
            .iter()
            .map(|part| Var::from_slice(&part.numbers, part.shape.as_slice(), &Device::Cpu))
            .collect()
    }

    /// The vectors of some words.
    pub(super) fn some_words(&self, rows: &[u32], size: usize) -> Result<Tensor> {
        let mut numbers = Vec::with_capacity(rows.len() * size);
        for row in rows {
            let start = *row as usize * size;
            numbers.extend_from_slice(&self.words[start..start + size]);
        }
        Tensor::from_vec(numbers, (rows.len(), size), &Device::Cpu)
    }
}
