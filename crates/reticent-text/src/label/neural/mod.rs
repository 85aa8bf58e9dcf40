//! E2EJ, the neural labeller of the thesis (section 3.5), with the feature `neural`: a network that learns
//! at once which tokens are sensitive and what kind of thing they are.
//!
//! A token is its word's vector and what a convolution finds in its characters. Two layers of LSTM read
//! the line in both directions. One head says whether a token is sensitive; what it finds on the way goes,
//! with a convolution of its own, to the other head, whose conditional random field labels the line.
//!
//! The network is put together from candle's parts. What candle has no fast form of (the LSTM, the random
//! field, sums over rows) is an operation of our own with its own derivative, each in a file.

mod adam;
mod batch;
mod chain;
mod file;
mod labeller;
mod lines;
mod lstm;
mod matrix;
mod network;
mod operations;
mod options;
mod random;
mod score;
#[cfg(test)]
mod tests;
mod train;
mod vocabulary;
mod weights;

pub use labeller::NeuralLabeller;
pub use options::{Options, Sizes, WordVectors};
pub use train::{Epoch, Progress, Trained, train};

use crate::{Error, ErrorKind};

/// What candle says names operations and shapes, never text; its backtrace is cut off.
fn failed(error: &candle_core::Error) -> Error {
    let told = error.to_string();
    let first = told.lines().next().unwrap_or_default();
    Error::new(ErrorKind::Model, format!("evaluating the network failed: {first}"))
}
