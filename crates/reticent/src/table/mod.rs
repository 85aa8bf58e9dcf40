//! Tables with text: joint k-anonymity of columns and of the terms in text columns.
//!
//! ```text
//! files ─read→ Table ─schema→ persons ─partition→ classes ─recode→ Table ─write→ files
//!                                                                     └─verify: counted on the file
//! ```

mod calendar;
mod data;
mod dependence;
mod dossier;
mod join;
mod lexicon;
mod measure;
pub mod model;
mod order;
mod parallel;
mod partition;
mod person;
mod protect;
mod read;
mod recode;
mod schema;
mod source;
mod text;
mod verify;
mod write;

pub use data::{Column, ColumnBuilder, Table};
pub use dependence::Dependence;
pub use dossier::{Asked, Dossier, Fingerprint, fingerprint};
pub use join::Joined;
pub use measure::{
    Classes, CutCounts, Loss, Measures, Risk, RowCounts, Sweep, SweepPoint, SweepSettings, TermCounts,
};
pub use model::{PrivacyModel, Requirement};
pub use order::RowOrder;
pub use partition::Strategy;
pub use protect::{PreparedTable, ProtectedTable, TableOptions};
pub use read::{Format, Limits, ReadOptions, read};
pub use schema::{
    ColumnFile, ColumnRule, Confidence, Cut, Diversity, Hierarchy, HierarchyFile, Identifiers, Kind,
    KindName, Parameters, Partitioning, Proposal, Proposed, Role, Schema, SchemaFile, Step, Wording,
};
pub use source::Source;
pub use text::Finder;
pub use verify::{
    Originals, Population, PopulationFigures, SensitiveFigures, SmallClass, Survivor, ValueSurvivors,
    Verification, Wanted, compare, verify,
};
pub use write::{disarm, write};

/// So many, in words.
///
/// ```
/// use reticent::table::counted;
/// assert_eq!(counted(1, "class", "classes"), "1 class");
/// assert_eq!(counted(2, "class", "classes"), "2 classes");
/// ```
pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests;
