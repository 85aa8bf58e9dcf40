//! A network as a file: our mark, a version, a checksum, and then a safetensors file whose metadata say
//! what the network knows.

use std::collections::HashMap;

use candle_core::safetensors::SliceSafetensors;
use candle_core::{DType, Device, Tensor};
use serde::{Deserialize, Serialize};

use super::failed;
use super::options::Sizes;
use super::vocabulary::Vocabulary;
use super::weights::{Part, Weights, shapes};
use crate::label::labeller::Calibration;
use crate::label::scheme::Scheme;
use crate::label::table::hash;
use crate::label::{NEURAL_MARK, is_neural};
use crate::{Error, ErrorKind};

const VERSION: u32 = 1;
const CHECKED_FROM: usize = 20;
const METADATA: &str = "reticent";
const WORDS: &str = "words";

/// What a network knows beside its numbers.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) language: String,
    pub(super) kinds: Vec<String>,
    pub(super) sizes: Sizes,
    pub(super) words: Vec<String>,
    pub(super) characters: String,
    pub(super) calibration: Calibration,
    pub(super) trained_on: String,
}

impl Header {
    /// The words and characters.
    pub(super) fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new(&self.words, &self.characters)
    }
}

/// A network as bytes.
pub(super) fn write(header: &Header, weights: &Weights) -> Result<Vec<u8>, Error> {
    let unwritable = || Error::new(ErrorKind::Model, "cannot write the NER model");
    let told = serde_json::to_string(header).map_err(|_| unwritable())?;
    let size = header.sizes.word;
    let words = Tensor::from_slice(&weights.words, (weights.words.len() / size.max(1), size), &Device::Cpu)
        .map_err(|error| failed(&error))?;
    let parts = weights.tensors().map_err(|error| failed(&error))?;
    let named = weights.parts.iter().map(|part| part.name.as_str()).zip(parts);
    let named: Vec<(&str, Tensor)> = named.chain([(WORDS, words)]).collect();
    let metadata = HashMap::from([(METADATA.to_owned(), told)]);
    let rest = safetensors::serialize(named, Some(metadata)).map_err(|_| unwritable())?;
    Ok([&NEURAL_MARK[..], &VERSION.to_le_bytes(), &hash(&rest).to_le_bytes(), &rest].concat())
}

/// What [`write`] made; refused unless all of it is there and fits.
pub(super) fn open(bytes: &[u8]) -> Result<(Header, Scheme, Weights), Error> {
    if !is_neural(bytes) {
        return Err(Error::new(ErrorKind::Model, "the file is not a reticent neural NER model"));
    }
    let damaged = || {
        Error::new(ErrorKind::Model, "the NER model is damaged: checksum mismatch")
            .with_hint("train it again, or obtain a new copy")
    };
    if bytes.len() < CHECKED_FROM {
        return Err(damaged());
    }
    let version = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
    if version != VERSION {
        let message = format!("the NER model has version {version}; this program supports {VERSION}");
        let hint = if version > VERSION {
            "use a newer version of reticent"
        } else {
            "train it again with this program"
        };
        return Err(Error::new(ErrorKind::Model, message).with_hint(hint));
    }
    let rest = &bytes[CHECKED_FROM..];
    if hash(rest).to_le_bytes()[..] != bytes[12..CHECKED_FROM] {
        return Err(damaged());
    }
    inside(rest)
}

/// The part that the checksum covers.
pub(super) fn inside(rest: &[u8]) -> Result<(Header, Scheme, Weights), Error> {
    let unfit = |what: &str| Error::new(ErrorKind::Model, format!("the NER model is inconsistent: {what}"));
    let (_, metadata) =
        safetensors::SafeTensors::read_metadata(rest).map_err(|_| unfit("not a safetensors file"))?;
    let told = metadata.metadata().as_ref().and_then(|all| all.get(METADATA));
    let told = told.ok_or_else(|| unfit("the metadata is missing"))?;
    let header: Header = serde_json::from_str(told).map_err(|_| unfit("the metadata is invalid"))?;
    let scheme = Scheme::new(header.kinds.iter().cloned())?;
    if scheme.kinds() != header.kinds {
        return Err(unfit("its kinds"));
    }
    let sizes = &header.sizes;
    let all = [
        sizes.word,
        sizes.character,
        sizes.character_filters,
        sizes.hidden,
        sizes.layers,
        sizes.filters,
        sizes.sensitivity,
    ];
    if all.iter().any(|size| !(1..=1 << 14).contains(size)) || sizes.layers > 16 {
        return Err(unfit("its sizes"));
    }
    let vocabulary = header.vocabulary();
    // A word that is there twice would have a row that is not.
    if vocabulary.words() != header.words.len() + 1
        || vocabulary.characters() != header.characters.chars().count() + 3
    {
        return Err(unfit("its words"));
    }
    let tensors = SliceSafetensors::new(rest).map_err(|_| unfit("not a safetensors file"))?;
    let read = |name: &str, shape: &[usize]| -> Result<Vec<f32>, Error> {
        let tensor = tensors.load(name, &Device::Cpu).map_err(|_| unfit(name))?;
        if tensor.dims() != shape || tensor.dtype() != DType::F32 {
            return Err(unfit(name));
        }
        let numbers = tensor.flatten_all().and_then(|flat| flat.to_vec1::<f32>());
        let numbers = numbers.map_err(|error| failed(&error))?;
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(unfit(name));
        }
        Ok(numbers)
    };
    let words = read(WORDS, &[vocabulary.words(), sizes.word])?;
    let parts = shapes(sizes, vocabulary.characters(), scheme.states())
        .into_iter()
        .map(|(name, shape)| {
            let numbers = read(&name, &shape)?;
            Ok(Part { name, shape, numbers })
        })
        .collect::<Result<_, Error>>()?;
    Ok((header, scheme, Weights { words, parts }))
}
