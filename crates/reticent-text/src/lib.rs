//! Language without privacy: spans, documents and their formats, sentences, tokens, tags and
//! noun phrases. Everything maps back to the bytes it came from.
//!
//! This crate knows nothing of what is private, and touches neither network nor disk.

pub mod document;
pub mod error;
pub mod escape;
pub mod format;
pub mod offsets;
pub mod source;
pub mod span;

pub use document::{Document, Region, RegionKind};
pub use error::{Error, ErrorKind};
pub use escape::Escape;
pub use offsets::{OffsetUnit, Offsets};
pub use source::{Edit, Piece, Source};
pub use span::Span;
