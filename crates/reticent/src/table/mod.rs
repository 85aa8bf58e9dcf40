//! Tables with text: joint k-anonymity of columns and of what the texts in them say.
//!
//! ```text
//! files ─read→ Table ─schema→ persons ─partition→ classes ─recode→ Table ─write→ files
//!                                                                     └─verify: counted on the file
//! ```

mod calendar;
mod data;
mod measure;
pub mod model;
mod partition;
mod person;
mod protect;
mod recode;
mod schema;
mod text;
mod verify;

pub use data::{Column, ColumnBuilder, Table};
pub use measure::{Classes, CutCounts, Loss, Measures, Risk, Sweep, SweepPoint, SweepSettings, TermCounts};
pub use model::{PrivacyModel, Requirement};
pub use partition::Strategy;
pub use protect::{Identifiers, PreparedTable, ProtectedTable, Style, TableOptions};
pub use schema::{ColumnRule, Hierarchy, Kind, Role, Schema};
pub use text::Finder;
pub use verify::{SensitiveFigures, SmallClass, Survivor, Verification, Wanted, verify};

#[cfg(test)]
mod tests;
