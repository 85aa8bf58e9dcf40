//! `config.json`: which model it is, and how large.

use candle_nn::Activation;
use serde_json::{Map, Value};

use crate::{Error, ErrorKind};

/// What must be known of a model, named as in the file.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) type_vocab_size: usize,
    pub(super) hidden_act: Activation,
    pub(super) layer_norm_eps: f64,
}

/// Reads it, and refuses what would be computed wrongly.
pub(super) fn read(bytes: &[u8]) -> Result<Config, Error> {
    let Ok(Value::Object(fields)) = serde_json::from_slice(bytes) else {
        return Err(Error::new(ErrorKind::Malformed, "not a JSON object"));
    };
    let kind = fields.get("model_type").and_then(Value::as_str);
    if kind != Some("bert") {
        return Err(Error::new(ErrorKind::Argument, "the model does not have the architecture `bert`")
            .with_hint(
                "only models with `\"model_type\": \"bert\"` are supported, such as BERT and MiniLM",
            ));
    }
    if fields.get("quantization_config").is_some_and(|value| !value.is_null()) {
        return Err(quantized());
    }
    let positions = fields.get("position_embedding_type").and_then(Value::as_str);
    if positions.is_some_and(|kind| kind != "absolute") {
        return Err(unsupported("position_embedding_type"));
    }
    if fields.get("is_decoder").and_then(Value::as_bool) == Some(true) {
        return Err(unsupported("is_decoder"));
    }
    let hidden_act = match fields.get("hidden_act").and_then(Value::as_str) {
        None | Some("gelu") => Activation::Gelu,
        Some("gelu_new" | "gelu_pytorch_tanh") => Activation::GeluPytorchTanh,
        Some("relu") => Activation::Relu,
        Some(_) => return Err(unsupported("hidden_act")),
    };
    let layer_norm_eps = match fields.get("layer_norm_eps") {
        None => 1e-12,
        Some(value) => value
            .as_f64()
            .filter(|eps| (0.0..1.0).contains(eps))
            .ok_or_else(|| unsupported("layer_norm_eps"))?,
    };
    let config = Config {
        vocab_size: size(&fields, "vocab_size")?,
        hidden_size: size(&fields, "hidden_size")?,
        num_hidden_layers: size(&fields, "num_hidden_layers")?,
        num_attention_heads: size(&fields, "num_attention_heads")?,
        intermediate_size: size(&fields, "intermediate_size")?,
        max_position_embeddings: size(&fields, "max_position_embeddings")?,
        type_vocab_size: size(&fields, "type_vocab_size")?,
        hidden_act,
        layer_norm_eps,
    };
    if !config.hidden_size.is_multiple_of(config.num_attention_heads) {
        return Err(Error::new(
            ErrorKind::Inconsistent,
            "`hidden_size` is not a multiple of `num_attention_heads`",
        ));
    }
    if config.max_position_embeddings < 3 {
        return Err(Error::new(
            ErrorKind::Inconsistent,
            "`max_position_embeddings` leaves no room for a word",
        ));
    }
    Ok(config)
}

/// That numbers were made coarser in a way that we do not undo.
pub(super) fn quantized() -> Error {
    Error::new(ErrorKind::Argument, "the model is quantized")
        .with_hint("use the model with 32-bit or 16-bit weights")
}

fn size(fields: &Map<String, Value>, name: &str) -> Result<usize, Error> {
    let number = fields.get(name).and_then(Value::as_u64).filter(|number| (1..=1 << 24).contains(number));
    let wrong = || Error::new(ErrorKind::Malformed, format!("`{name}` is missing or out of range"));
    number.and_then(|number| usize::try_from(number).ok()).ok_or_else(wrong)
}

fn unsupported(name: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("`{name}` has an unsupported value"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(name: &str, value: Value) -> Result<Config, Error> {
        let mut config = json!({
            "model_type": "bert", "vocab_size": 30, "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 2, "intermediate_size": 16, "max_position_embeddings": 12,
            "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        });
        config[name] = value;
        read(config.to_string().as_bytes())
    }

    #[test]
    fn takes_bert() {
        assert_eq!(with("hidden_act", json!("gelu_new")).unwrap().hidden_act, Activation::GeluPytorchTanh);
        assert!((with("layer_norm_eps", json!(1e-5)).unwrap().layer_norm_eps - 1e-5).abs() < 1e-12);
        assert!(with("position_embedding_type", json!("absolute")).is_ok());
        assert!(with("quantization_config", Value::Null).is_ok());
    }

    #[test]
    fn refuses_what_would_be_computed_wrongly() {
        let wrong = [
            ("model_type", json!("roberta")),
            ("model_type", Value::Null),
            ("position_embedding_type", json!("relative_key")),
            ("is_decoder", json!(true)),
            ("hidden_act", json!("silu")),
            ("hidden_size", json!(7)),
            ("hidden_size", json!(0)),
            ("hidden_size", json!(-8)),
            ("num_attention_heads", json!(0)),
            ("num_hidden_layers", json!(1e30)),
            ("max_position_embeddings", json!(2)),
            ("layer_norm_eps", json!("none")),
            ("quantization_config", json!({"bits": 4})),
        ];
        for (name, value) in wrong {
            assert!(with(name, value).is_err(), "{name}");
        }
        for text in ["", "[]", "{", "\u{0}"] {
            assert_eq!(read(text.as_bytes()).unwrap_err().kind(), ErrorKind::Malformed);
        }
    }
}
