//! How large a network is and how it learns.

use serde::{Deserialize, Serialize};

/// The sizes of a network; those of the thesis (Table 3.5) if not said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Of a word's vector.
    pub word: usize,
    /// Of a character's vector.
    pub character: usize,
    /// How many things to look for in the characters of a word.
    pub character_filters: usize,
    /// Of the state of an LSTM, in each direction.
    pub hidden: usize,
    /// How many layers of LSTM.
    pub layers: usize,
    /// How many things each head looks for around a token.
    pub filters: usize,
    /// Of the hidden layer of the head for sensitivity.
    pub sensitivity: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            word: 300,
            character: 50,
            character_filters: 100,
            hidden: 256,
            layers: 2,
            filters: 200,
            sensitivity: 200,
        }
    }
}

/// How to train.
#[derive(Clone, Debug)]
pub struct Options {
    /// The language of the examples.
    pub language: crate::Language,
    /// How large the network is.
    pub sizes: Sizes,
    /// How often to go through the data.
    pub epochs: usize,
    /// Stop when so many epochs brought nothing better on the held-out examples.
    pub patience: usize,
    /// How many lines to learn from at once.
    pub batch: usize,
    /// How fast it learns at first; the pace falls to nothing over the epochs.
    pub rate: f32,
    /// Which share of what a layer says is left out while learning.
    pub dropout: f32,
    /// Which share of the lines without any entity an epoch looks at; chance chooses others for the next.
    pub empty: f32,
    /// What chance starts with: the same gives the same labeller, with the same number of threads.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Vectors of words, which stay as they are; without, vectors are learnt with the network.
    pub vectors: Option<WordVectors>,
    /// What it is trained on, in words: kept in the file.
    pub trained_on: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: crate::Language::default(),
            sizes: Sizes::default(),
            epochs: 20,
            patience: 6,
            batch: 32,
            rate: 0.001,
            dropout: 0.3,
            empty: 0.25,
            seed: 1,
            threads: 1,
            vectors: None,
            trained_on: String::new(),
        }
    }
}

/// Words with their vectors.
#[derive(Clone, Default)]
pub struct WordVectors {
    /// The words; those that are written alike but for case and digits count once, the first.
    pub words: Vec<String>,
    /// How many numbers a vector has.
    pub dimension: usize,
    /// The vectors, one after the other.
    pub rows: Vec<f32>,
}

impl std::fmt::Debug for WordVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} words, {} dimensions", self.words.len(), self.dimension)
    }
}
