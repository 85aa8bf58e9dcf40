//! Labellers: what finds names, diseases or protected health information by having seen examples.
//!
//! A labeller is a file: the kinds that it tells apart, the [`Templates`] of what it looks at,
//! lists, learnt [`rules`], and the weights of a [conditional random field](crf). It is trained by
//! [`train`], and asked by [`Labeller::label`].

mod any;
mod attribute;
mod calibrate;
pub mod crf;
pub mod data;
mod dates;
mod figures;
mod labeller;
mod lists;
mod memory;
#[cfg(feature = "neural")]
pub mod neural;
pub mod rules;
pub mod scheme;
mod segment;
mod shipped;
mod surroundings;
mod table;
mod template;
mod tokens;
mod train;

pub use any::AnyLabeller;
pub use calibrate::Reliability;
pub use labeller::{Calibration, Labelled, Labeller};
pub use lists::ListSources;
pub use memory::Memory;
pub use segment::segment;
pub use shipped::shipped;
pub use template::Templates;
pub use tokens::Unit;
pub use train::{Example, Progress, TrainOptions, Trained, train, write_features};

/// What the file of a neural labeller begins with.
const NEURAL_MARK: &[u8; 8] = b"RETE2EJ\0";

/// Whether these bytes are a neural labeller, which only a build with the feature `neural` can open.
#[must_use]
pub fn is_neural(bytes: &[u8]) -> bool {
    bytes.starts_with(NEURAL_MARK)
}
