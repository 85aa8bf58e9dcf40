//! Dependency trees with the relations of Universal Dependencies, and what they show: phrases, clauses, coordination.
//!
//! [`Syntax`] holds the trees of a document. A sentence is parsed when its tree is asked for, so that what needs no trees does
//! not pay for them. Lines, cells, list markers, speakers and labels are [segments](Segment) of their own.

mod clause;
mod constituent;
pub(crate) mod matrix;
pub(crate) mod network;
mod parser;
mod relation;
pub(crate) mod seen;
mod segment;
mod syntax;
pub(crate) mod transition;
mod tree;
pub(crate) mod words;

pub(crate) use clause::is_predicate;
pub use clause::{Clause, ClauseKind, Clauses};
pub use constituent::{Apposition, Constituent, ConstituentKind, Coordination, Number};
pub(crate) use parser::MAGIC;
pub use parser::Parser;
pub use relation::{Relation, Upos};
pub use segment::{Segment, SegmentKind};
pub use syntax::{Syntax, english_parser, spanish_parser};
pub use tree::{Tree, Word};

#[cfg(test)]
mod tests;
