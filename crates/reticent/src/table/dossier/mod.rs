//! The dossier of a released table: one page that the person in charge of data protection can sign.
//!
//! It states what was asked, what was counted on the written file, what was lost, what remains to be known, and by
//! fingerprints which files it speaks of. It holds no date and no path, so that the same release makes the same page.

mod chart;
mod page;

use super::{ProtectedTable, Requirement, RowOrder, Schema, Table};
use crate::protect::sha256;

/// One setting of a release, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The setting.
    pub what: String,
    /// Its value.
    pub value: String,
}

/// A file that the dossier speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// What the file is: the input, the schema, the output.
    pub what: String,
    /// Its name, without its folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
}

/// What a dossier is made of.
#[derive(Clone, Copy)]
pub struct Dossier<'a> {
    /// The table before.
    pub original: &'a Table,
    /// The table after, as it was counted.
    pub released: &'a ProtectedTable,
    /// The rules of its columns.
    pub schema: &'a Schema,
    /// The privacy models that were asked for.
    pub requirements: &'a [Requirement],
    /// The order of the released rows.
    pub order: RowOrder,
    /// Other settings.
    pub asked: &'a [Asked],
    /// The files.
    pub fingerprints: &'a [Fingerprint],
    /// How many rows are shown before and after; they make the page as confidential as the original.
    pub examples: usize,
    /// How many cells were kept from being evaluated as formulas.
    pub disarmed: usize,
}

/// Never shows a value.
impl std::fmt::Debug for Dossier<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dossier").field("rows", &self.original.rows()).finish_non_exhaustive()
    }
}

impl Dossier<'_> {
    /// As a page that stands alone: no script, nothing from elsewhere.
    pub fn html(&self) -> String {
        page::of(self)
    }
}

/// The SHA-256 of a file in hexadecimal, by which a dossier names it.
pub fn fingerprint(bytes: &[u8]) -> String {
    sha256(bytes)
}
