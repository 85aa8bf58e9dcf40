//! NER models, which find names, diseases or protected health information after training on examples.
//!
//! An NER model is a file: its entity types, feature [`Templates`], lists, learnt [`rules`], and the weights of a
//! [conditional random field](crf). It is trained by [`train`] and applied by [`Labeller::label`].

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

/// The magic bytes of a neural NER model.
const NEURAL_MARK: &[u8; 8] = b"RETE2EJ\0";

/// Returns whether these bytes are a neural NER model, which only a build with the feature `neural` can open.
#[must_use]
pub fn is_neural(bytes: &[u8]) -> bool {
    bytes.starts_with(NEURAL_MARK)
}
