//! Patterns: what can be recognised by its form, its checksum and the words around it.
//!
//! A pattern is data: an entry in `detect/patterns/*.toml`, or a `[[patterns]]` table of a policy.
//! [`PatternFile`] is what the TOML says, [`Pattern`] is what has been checked, and
//! [`PatternDetector`] runs many of them over a document.
//!
//! To add a built-in pattern: an entry in the file of its theme, with its documentation, its
//! examples of what it finds, and at least as many of what it leaves alone. The examples run as
//! tests. If it has a check digit, the scheme goes to [`checksum`](super::checksum).

mod catalogue;
mod compiled;
mod context;
mod gate;
mod scan;
mod spec;
mod split;

#[cfg(test)]
mod tests;

pub use catalogue::{builtin, builtin_named};
pub use compiled::Pattern;
pub use scan::PatternDetector;
pub use spec::{Example, PatternFile, PatternSpec};
