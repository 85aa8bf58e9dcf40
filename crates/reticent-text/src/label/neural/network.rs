//! How the parts are put together.

use candle_core::{D, Device, Result, Tensor, bail};

use super::batch::Batch;
use super::lstm::lstm;
use super::operations::{add_bias, largest, with_neighbours};
use super::random::Random;

/// A network with its numbers.
pub(super) struct Network<'t> {
    characters: &'t Tensor,
    spelling: Linear<'t>,
    layers: Vec<Layer<'t>>,
    around: Linear<'t>,
    hidden: Linear<'t>,
    sensitivity: Linear<'t>,
    kind: Linear<'t>,
    /// What it costs to go from a state to another.
    pub(super) transitions: &'t Tensor,
}

struct Layer<'t> {
    input: &'t Tensor,
    recurrent: &'t Tensor,
    bias: &'t Tensor,
}

struct Linear<'t> {
    weight: &'t Tensor,
    bias: &'t Tensor,
}

impl Linear<'_> {
    fn forward(&self, rows: &Tensor) -> Result<Tensor> {
        add_bias(&rows.matmul(self.weight)?, self.bias)
    }
}

/// What the network says of each token.
pub(super) struct Said {
    /// The log-odds that it is sensitive.
    pub(super) sensitivity: Tensor,
    /// A score for each state.
    pub(super) scores: Tensor,
}

/// Chance leaves out a share of what layers say, while learning.
pub(super) struct Dropout {
    pub(super) share: f32,
    pub(super) random: Random,
}

impl Dropout {
    fn apply(this: &mut Option<Self>, rows: Tensor) -> Result<Tensor> {
        let Some(own) = this.as_mut().filter(|own| own.share > 0.0) else { return Ok(rows) };
        let mask = own.random.mask(rows.elem_count(), own.share);
        rows.mul(&Tensor::from_vec(mask, rows.shape(), &Device::Cpu)?)
    }
}

impl<'t> Network<'t> {
    /// Of tensors in the order of [`super::weights::shapes`].
    pub(super) fn new(tensors: &'t [Tensor]) -> Result<Self> {
        let [characters, weight, bias, rest @ ..] = tensors else { bail!("the network has too few layers") };
        let spelling = Linear { weight, bias };
        let Some((layers, heads)) = rest.split_last_chunk::<9>() else {
            bail!("the network has too few layers")
        };
        let layers = layers.chunks_exact(3);
        let layers = layers.map(|part| Layer { input: &part[0], recurrent: &part[1], bias: &part[2] });
        let linear = |at: usize| Linear { weight: &heads[at], bias: &heads[at + 1] };
        Ok(Self {
            characters,
            spelling,
            layers: layers.collect(),
            around: linear(0),
            hidden: linear(2),
            sensitivity: linear(4),
            kind: linear(6),
            transitions: &heads[8],
        })
    }

    /// Reads a batch. `words` are the vectors of its different words.
    pub(super) fn read(&self, batch: &Batch, words: &Tensor, mut dropout: Option<Dropout>) -> Result<Said> {
        let numbers = |of: &[u32]| Tensor::from_slice(of, of.len(), &Device::Cpu);
        let characters = self.characters.index_select(&numbers(&batch.characters)?, 0)?;
        let spelt = self.spelling.forward(&with_neighbours(&characters, &batch.beside)?)?;
        // The largest of curves is the curve of the largest.
        let spelt = largest(&spelt, &batch.spelling)?.tanh()?;
        let spelt = spelt.index_select(&numbers(&batch.spelling_of)?, 0)?;
        let words = words.index_select(&numbers(&batch.word_of)?, 0)?;
        let mut rows = Dropout::apply(&mut dropout, Tensor::cat(&[words, spelt], 1)?)?;
        for layer in &self.layers {
            rows = lstm(&batch.steps, &rows.matmul(layer.input)?, layer.recurrent, layer.bias)?;
            rows = Dropout::apply(&mut dropout, rows)?;
        }
        let around = self.around.forward(&with_neighbours(&rows, &batch.around)?)?.tanh()?;
        let half = around.dim(D::Minus1)? / 2;
        let one = around.narrow(1, 0, half)?.contiguous()?;
        let hidden = self.hidden.forward(&one)?.tanh()?;
        let sensitivity = self.sensitivity.forward(&hidden)?;
        let other = around.narrow(1, half, half)?.contiguous()?;
        let scores = self.kind.forward(&Tensor::cat(&[other, hidden], 1)?)?;
        Ok(Said { sensitivity, scores })
    }
}
