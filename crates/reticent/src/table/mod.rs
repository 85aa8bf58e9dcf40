//! Tables with text: joint k-anonymity of columns and of what the texts in them say.
//!
//! ```text
//! files ─read→ Table ─schema→ persons ─partition→ classes ─recode→ Table ─write→ files
//!                                                                     └─verify: counted on the file
//! ```

mod data;
mod join;
mod read;
mod schema;
mod source;
mod write;

pub use data::{Column, ColumnBuilder, Table};
pub use join::Joined;
pub use read::{Format, Limits, ReadOptions, read};
pub use schema::{
    ColumnFile, ColumnRule, Cut, Diversity, Hierarchy, HierarchyFile, Identifiers, Kind, KindName,
    Parameters, Partitioning, Proposal, Proposed, Role, Schema, SchemaFile, Wording,
};
pub use source::Source;
pub use write::write;
