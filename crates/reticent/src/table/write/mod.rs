//! From a [`Table`] to the bytes of a file, written as another was.

mod csv;
pub(super) mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod xlsx;

use super::source::Style;
use super::{Source, Table};
use crate::Error;

/// Writes a table the way the file of `source` was written. Columns go by their names: one that the file
/// did not have is written as in a new file, one that the table lacks is not written.
///
/// A table that was read and not changed becomes the bytes that it was read from, unless the file wrote the
/// same thing in several ways (some values of a column quoted without need, lines that end differently). A
/// workbook or a Parquet file is made anew: nothing of the old one but the values and the types of the table's
/// columns is in it. In Parquet, a column with a value that is not of its type any more becomes one of texts.
pub fn write(table: &Table, source: &Source) -> Result<Vec<u8>, Error> {
    match &source.style {
        Style::Separated(style) => csv::write(table, style),
        Style::Jsonl(style) => jsonl::write(table, style),
        Style::Xlsx(style) => xlsx::write(table, style),
        #[cfg(feature = "parquet")]
        Style::Parquet(style) => parquet::write(table, style),
        #[cfg(not(feature = "parquet"))]
        Style::Parquet(_) => Err(super::read::without_parquet()),
    }
}
