//! Tables with text: joint k-anonymity of columns and of what the texts in them say.
//!
//! ```text
//! files ─read→ Table ─schema→ persons ─partition→ classes ─recode→ Table ─write→ files
//!                                                                     └─verify: counted on the file
//! ```

mod calendar;
mod data;
mod join;
mod measure;
pub mod model;
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
pub use join::Joined;
pub use measure::{Classes, CutCounts, Loss, Measures, Risk, Sweep, SweepPoint, SweepSettings, TermCounts};
pub use model::{PrivacyModel, Requirement};
pub use partition::Strategy;
pub use protect::{PreparedTable, ProtectedTable, TableOptions};
pub use read::{Format, Limits, ReadOptions, read};
pub use schema::{
    ColumnFile, ColumnRule, Cut, Diversity, Hierarchy, HierarchyFile, Identifiers, Kind, KindName,
    Parameters, Partitioning, Proposal, Proposed, Role, Schema, SchemaFile, Wording,
};
pub use source::Source;
pub use text::Finder;
pub use verify::{SensitiveFigures, SmallClass, Survivor, Verification, Wanted, verify};
pub use write::write;

#[cfg(test)]
mod tests;
