//! Counts: how often terms are written, alone and together.

use crate::Error;

/// In how many units (documents, paragraphs or sentences) something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Counted.
    Exact(u64),
    /// Not counted, but it cannot be more.
    AtMost(u64),
    /// The source says nothing. Never to be taken for zero, nor for safe.
    Unknown,
}

/// A source of counts: what an attacker could look up.
///
/// A source answers for terms as they stand in a text; folding them is its own work. It returns an error
/// when it could not look, [`Count::Unknown`] when it looked and has no answer, and a number only when
/// that number holds: what is released depends on it.
///
/// To add one: a file in `corpus/`, a type that implements this trait, and a test that its counts equal
/// those of a plain scan.
pub trait Counts: Send + Sync {
    /// What it is, in a report: `index of 43,896 documents`.
    fn name(&self) -> String;

    /// By what a certificate names it: the same for the same knowledge, and only for it.
    fn fingerprint(&self) -> String;

    /// How many units there are.
    fn total(&self) -> u64;

    /// In how many units all of these terms are written.
    fn count(&self, terms: &[&str]) -> Result<Count, Error>;
}
