//! Detectors: what finds stretches of text that give something away.

pub mod checksum;
pub mod pattern;

use reticent_text::Document;

use crate::{Error, Finding};

/// Finds stretches of a document that give something away.
///
/// A detector reads the document and says what it found, with evidence; it changes nothing and
/// decides nothing. If it cannot do its work it returns an error, and the document is refused: an
/// empty list means "I looked, and there is nothing", never "I could not look".
///
/// To add one: a file in `detect/`, a type that implements this trait, an entry in the registry
/// (from which help and `explain` are made), and cases in `tests/cases` of what it finds and, at
/// least as many, of what it leaves alone.
pub trait Detector: Send + Sync {
    /// Its name, in the policy, in plans and in `reticent explain`.
    fn name(&self) -> &str;

    /// What it finds in a document.
    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error>;
}
