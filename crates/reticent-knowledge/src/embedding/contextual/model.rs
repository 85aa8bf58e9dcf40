//! BERT: its layers, put together from candle's parts.

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{
    Activation, Embedding, LayerNorm, Linear, Module, VarBuilder, embedding, layer_norm, linear, ops,
};

use super::config::Config;

/// A model with its weights.
pub(super) struct Bert {
    words: Embedding,
    positions: Embedding,
    kinds: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    widen: Linear,
    activation: Activation,
    narrow: Linear,
    norm: LayerNorm,
    heads: usize,
}

impl Bert {
    /// Takes the weights by the names that Hugging Face gives them, with or without `bert.` before.
    pub(super) fn load(weights: &VarBuilder, config: &Config) -> Result<Self> {
        let is_part = weights.contains_tensor("bert.embeddings.word_embeddings.weight");
        let weights = if is_part { weights.pp("bert") } else { weights.clone() };
        let first = weights.pp("embeddings");
        let table = |rows, name| embedding(rows, config.hidden_size, first.pp(name));
        let layer = |at| Layer::load(&weights.pp(format!("encoder.layer.{at}")), config);
        Ok(Self {
            words: table(config.vocab_size, "word_embeddings")?,
            positions: table(config.max_position_embeddings, "position_embeddings")?,
            kinds: table(config.type_vocab_size, "token_type_embeddings")?,
            norm: layer_norm(config.hidden_size, config.layer_norm_eps, first.pp("LayerNorm"))?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
        })
    }

    /// What the last layer says of each piece. `ids` are rows of equally many pieces; what is not `used`
    /// only fills them up, and no other piece looks at it.
    pub(super) fn states(&self, ids: &Tensor, used: &Tensor) -> Result<Tensor> {
        let (rows, width) = ids.dims2()?;
        #[allow(clippy::cast_possible_truncation)]
        let places = Tensor::arange(0, width as u32, &Device::Cpu)?;
        let kind = Tensor::zeros((rows, width), ids.dtype(), &Device::Cpu)?;
        let states = (self.words.forward(ids)? + self.kinds.forward(&kind)?)?;
        let mut states = self.norm.forward(&states.broadcast_add(&self.positions.forward(&places)?)?)?;
        // 0 where a piece is used, and otherwise so low that nothing of it is left.
        let hidden = ((used - 1.0)? * f64::from(f32::MAX))?.reshape((rows, 1, 1, width))?;
        for layer in &self.layers {
            states = layer.forward(&states, &hidden)?;
        }
        Ok(states)
    }
}

impl Layer {
    fn load(weights: &VarBuilder, config: &Config) -> Result<Self> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        let norm = |name| layer_norm(width, config.layer_norm_eps, weights.pp(name));
        let square = |name| linear(width, width, weights.pp(name));
        Ok(Self {
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            attended: square("attention.output.dense")?,
            attended_norm: norm("attention.output.LayerNorm")?,
            widen: linear(width, inner, weights.pp("intermediate.dense"))?,
            activation: config.hidden_act,
            narrow: linear(inner, width, weights.pp("output.dense"))?,
            norm: norm("output.LayerNorm")?,
            heads: config.num_attention_heads,
        })
    }

    fn forward(&self, states: &Tensor, hidden: &Tensor) -> Result<Tensor> {
        let (rows, width, size) = states.dims3()?;
        let head = size / self.heads;
        let by_head = |part: &Linear| -> Result<Tensor> {
            part.forward(states)?.reshape((rows, width, self.heads, head))?.transpose(1, 2)?.contiguous()
        };
        let scores = by_head(&self.query)?.matmul(&by_head(&self.key)?.t()?)?;
        let scores = (scores / (head as f64).sqrt())?.broadcast_add(hidden)?;
        let seen = ops::softmax(&scores, D::Minus1)?.matmul(&by_head(&self.value)?)?;
        let seen = seen.transpose(1, 2)?.contiguous()?.reshape((rows, width, size))?;
        let seen = self.attended_norm.forward(&(self.attended.forward(&seen)? + states)?)?;
        let wide = self.widen.forward(&seen)?.apply(&self.activation)?;
        self.norm.forward(&(self.narrow.forward(&wide)? + seen)?)
    }
}
