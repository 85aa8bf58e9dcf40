//! Background knowledge of an attacker: co-occurrence counts ([`corpus`]), generalizations ([`taxonomy`]) and
//! similarity ([`embedding`]).
//!
//! Each has one trait, an embedded default, readers for the formats that users have, and a file of its
//! own that is memory-mapped, versioned and checksummed ([`packed`]). This crate knows no policies.

pub mod corpus;
pub mod embedding;
pub mod error;
pub mod fold;
pub mod packed;
pub mod taxonomy;

pub use error::{Error, ErrorKind};
pub use fold::Folding;
