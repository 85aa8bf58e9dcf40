//! The directory of a model.

use std::path::Path;

use candle_core::safetensors::SliceSafetensors;
use candle_core::{DType, Device};
use candle_nn::VarBuilder;

use super::config::Config;
use super::model::Bert;
use super::pieces::Pieces;
use super::{ContextualVectors, config};
use crate::{Error, ErrorKind};

/// Reads and checks all files.
pub(super) fn open(directory: &Path) -> Result<ContextualVectors, Error> {
    let (path, settings) = (directory.join("config.json"), read(directory, "config.json")?);
    let config = config::read(&settings).map_err(|error| error.in_file(&path))?;

    let tokenizer = directory.join("tokenizer.json");
    let (pieces, vocabulary) = if tokenizer.exists() {
        let bytes = read(directory, "tokenizer.json")?;
        let pieces =
            Pieces::from_json(&bytes, config.vocab_size).map_err(|error| error.in_file(&tokenizer))?;
        (pieces, vec![bytes])
    } else {
        let path = directory.join("vocab.txt");
        let words = read(directory, "vocab.txt")?;
        let beside = directory.join("tokenizer_config.json");
        let settings = if beside.exists() { Some(read(directory, "tokenizer_config.json")?) } else { None };
        let pieces = Pieces::from_text(&words, settings.as_deref(), config.vocab_size)
            .map_err(|error| error.in_file(&path))?;
        (pieces, vec![words, settings.unwrap_or_default()])
    };

    let path = directory.join("model.safetensors");
    let numbers = read(directory, "model.safetensors")?;
    let model = model(&numbers, &config).map_err(|error| error.in_file(&path))?;

    let mut hash = blake3::Hasher::new_derive_key("reticent 2026 contextual vectors");
    for part in [&settings, &numbers].into_iter().chain(&vocabulary) {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    Ok(ContextualVectors {
        model,
        pieces,
        dimension: config.hidden_size,
        room: config.max_position_embeddings - 2,
        name: format!("BERT, {} layers, {} dimensions", config.num_hidden_layers, config.hidden_size),
        fingerprint: hash.finalize().to_hex().to_string(),
    })
}

fn model(numbers: &[u8], config: &Config) -> Result<Bert, Error> {
    let damaged = |_| {
        Error::new(ErrorKind::Malformed, "not a safetensors file, or truncated")
            .with_hint("download it again; a file of a few hundred bytes is a Git LFS pointer")
    };
    let tensors = SliceSafetensors::new(numbers).map_err(damaged)?;
    for (name, view) in tensors.tensors() {
        let last = name.rsplit('.').next().unwrap_or_default();
        let is_weight = ["weight", "bias", "gamma", "beta"].contains(&last);
        let plain = [DType::F32, DType::F16, DType::BF16, DType::F64];
        if is_weight && !DType::try_from(view.dtype()).is_ok_and(|kind| plain.contains(&kind)) {
            return Err(config::quantized());
        }
    }
    let numbers = VarBuilder::from_slice_safetensors(numbers, DType::F32, &Device::Cpu).map_err(damaged)?;
    // What candle says names a tensor and its shape, nothing else; its backtrace is cut off.
    Bert::load(&numbers, config).map_err(|error| {
        let told = error.to_string();
        let first = told.lines().next().unwrap_or_default();
        Error::new(ErrorKind::Inconsistent, format!("the weights do not match config.json: {first}"))
    })
}

fn read(directory: &Path, name: &str) -> Result<Vec<u8>, Error> {
    let path = directory.join(name);
    std::fs::read(&path).map_err(|error| {
        let error = Error::from(error).in_file(&path);
        error.with_hint(
            "a model is a directory with config.json, model.safetensors, and tokenizer.json or vocab.txt",
        )
    })
}
