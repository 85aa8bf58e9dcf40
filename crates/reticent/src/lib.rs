//! Privacy: what to protect, what gives it away, what to say instead, and the proof.
//!
//! The data goes one way: a [`Document`](reticent_text::Document) is searched by detectors, whose
//! findings become entities, for which a plan chooses replacements; `release` carries the plan out
//! and checks the result.

pub mod detect;
pub mod entity_type;
pub mod error;
pub mod finding;
pub mod mask;
pub mod operator;

pub use entity_type::EntityType;
pub use error::{Error, ErrorKind};
pub use finding::{Evidence, Finding, Identifies};
pub use operator::Operator;
