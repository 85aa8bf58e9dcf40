//! Tables with text: joint k-anonymity of columns and of what the texts in them say.
//!
//! ```text
//! files ─read→ Table ─schema→ persons ─partition→ classes ─recode→ Table ─write→ files
//!                                                                     └─verify: counted on the file
//! ```

mod data;
mod schema;

pub use data::{Column, ColumnBuilder, Table};
pub use schema::{ColumnRule, Hierarchy, Kind, Role, Schema};
