//! Dependency trees with the relations of Universal Dependencies.

pub(crate) mod network;
mod parser;
mod relation;
pub(crate) mod seen;
pub(crate) mod transition;
mod tree;
pub(crate) mod words;

pub use parser::Parser;
pub(crate) use parser::MAGIC;
pub use relation::{Relation, Upos};
pub use tree::{Tree, Word};
