//! From a [`Table`] to the bytes of a file, written as another was.

mod csv;
pub(super) mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod xlsx;

use std::borrow::Cow;

use super::source::Style;
use super::{Column, ColumnBuilder, Format, Source, Table};
use crate::extract::cell;
use crate::{Error, ErrorKind};

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

/// A table of which no spreadsheet evaluates a cell, and how many cells were changed: in CSV and TSV, an apostrophe
/// stands before what would be taken for a formula (`=`, `+`, `-`, `@`, a tabulator or a line end at its beginning).
/// Numbers stay as they are. In the other formats a text is a text.
///
/// ```
/// use reticent::table::{Format, ReadOptions, disarm, read};
/// let (table, _) = read(b"a,b\n=1+1,-5\n", &ReadOptions::new(Format::Csv))?;
/// let (table, changed) = disarm(&table, Format::Csv)?;
/// assert_eq!((table.columns()[0].get(0), table.columns()[1].get(0)), (Some("'=1+1"), Some("-5")));
/// assert_eq!(changed, 1);
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn disarm(table: &Table, format: Format) -> Result<(Cow<'_, Table>, usize), Error> {
    if !matches!(format, Format::Csv | Format::Tsv) {
        return Ok((Cow::Borrowed(table), 0));
    }
    if let Some(at) = table.columns().iter().position(|column| cell::is_formula(column.name())) {
        let what = format!("the name of column {} would be taken for a formula by spreadsheets", at + 1);
        return Err(Error::new(ErrorKind::Format, what)
            .with_hint("rename it in the table and in the schema, or write .jsonl, .xlsx or .parquet"));
    }
    let is_armed = |column: &Column| column.distinct().iter().any(|value| cell::is_formula(value));
    if !table.columns().iter().any(is_armed) {
        return Ok((Cow::Borrowed(table), 0));
    }
    let mut changed = 0;
    let mut columns = Vec::with_capacity(table.columns().len());
    for column in table.columns() {
        if !is_armed(column) {
            columns.push(column.clone());
            continue;
        }
        let mut builder = ColumnBuilder::new(column.name());
        for row in 0..column.len() {
            match column.get(row) {
                Some(value) if cell::is_formula(value) => {
                    changed += 1;
                    builder.push(Some(&cell::disarmed(value)));
                }
                value => builder.push(value),
            }
        }
        columns.push(builder.finish());
    }
    let table = Table::new(columns).ok_or_else(|| Error::new(ErrorKind::Format, "cannot write the table"))?;
    Ok((Cow::Owned(table), changed))
}
