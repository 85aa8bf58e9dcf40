//! From the bytes of a file to a [`Table`], and how it was written.
//!
//! To add a format: a variant of [`Format`], a reader here and a writer in `write`, an arm in both doors, what
//! the writer must know in `source`, a fuzz target, and tests that a file that is read and written again is
//! the same.

pub(super) mod csv;
pub(super) mod dialect;
mod jsonl;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
pub(super) mod text;
pub(super) mod xlsx;

use std::path::Path;

use reticent_text::format::encoding::Encoding;

use super::{Source, Table};
use crate::{Error, ErrorKind};

/// The format of a file that holds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Values with commas, semicolons, tabulators or bars between them, and a header.
    Csv,
    /// Values with tabulators between them, and a header.
    Tsv,
    /// A JSON object on each line.
    Jsonl,
    /// A sheet of a workbook.
    Xlsx,
    /// Columns with their types; read and written by a build with the feature `parquet`.
    Parquet,
}

impl Format {
    /// Returns the format by the extension of the file, with or without `.gz`.
    pub fn from_path(path: &Path) -> Option<Self> {
        let packed = path.extension().is_some_and(|own| own.eq_ignore_ascii_case("gz"));
        let inner = if packed { path.with_extension("") } else { path.to_owned() };
        match inner.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "xlsx" | "xlsm" => Some(Self::Xlsx),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Limits on the size of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub max_bytes: u64,
    /// The most rows.
    pub max_rows: usize,
    /// The most columns.
    pub max_columns: usize,
    /// The longest value, in bytes.
    pub max_cell_bytes: usize,
    /// The largest workbook or Parquet file when unpacked, in bytes.
    pub max_expanded: u64,
    /// The maximum compression ratio of a workbook part larger than 1 MB.
    pub max_ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 8 << 30,
            max_rows: 100_000_000,
            max_columns: 10_000,
            max_cell_bytes: 64 << 20,
            max_expanded: 2 << 30,
            max_ratio: 200,
        }
    }
}

/// Options for reading a file.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Its format.
    pub format: Format,
    /// Words that stand for a missing value, besides nothing at all: `?`, `NA`.
    pub missing: Vec<String>,
    /// The encoding of text that is not UTF-8 and has no byte order mark.
    pub encoding: Option<Encoding>,
    /// The sheet of a workbook that has several.
    pub sheet: Option<String>,
    /// The limits.
    pub limits: Limits,
}

impl ReadOptions {
    /// Creates default options for this format.
    pub fn new(format: Format) -> Self {
        Self { format, missing: Vec::new(), encoding: None, sheet: None, limits: Limits::default() }
    }
}

/// Reads a table. Rows are counted from 1, and a header is no row.
///
/// ```
/// use reticent::table::{Format, ReadOptions, read, write};
/// let bytes = b"age, city\n36, \"Bath, Somerset\"\n24, ?\n";
/// let options = ReadOptions { missing: vec!["?".to_owned()], ..ReadOptions::new(Format::Csv) };
/// let (table, source) = read(bytes, &options)?;
/// assert_eq!(table.columns()[1].get(0), Some("Bath, Somerset"));
/// assert_eq!(table.columns()[1].get(1), None);
/// assert_eq!(write(&table, &source)?, bytes);
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Table, Source), Error> {
    if bytes.len() as u64 > options.limits.max_bytes {
        return Err(too_much("the file is larger", options.limits.max_bytes, "bytes"));
    }
    match options.format {
        Format::Csv | Format::Tsv => {
            let (text, coding) = text::decode(bytes, options.encoding)?;
            csv::read(&text, coding, options)
        }
        Format::Jsonl => {
            let (text, coding) = text::decode(bytes, options.encoding)?;
            jsonl::read(&text, coding, options)
        }
        Format::Xlsx => xlsx::read(bytes, options),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(bytes, options),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(without_parquet()),
    }
}

#[cfg(not(feature = "parquet"))]
pub(super) fn without_parquet() -> Error {
    Error::new(ErrorKind::Format, "this build does not support Parquet")
        .with_hint("build with the feature `parquet`, or convert the table to .csv")
}

/// The records of a small CSV file that has no header, such as a hierarchy.
pub(super) fn records(bytes: &[u8]) -> Result<Vec<Vec<String>>, Error> {
    let (text, _) = text::decode(bytes, None)?;
    csv::records(&text)
}

fn too_much(what: &str, most: impl std::fmt::Display, of: &str) -> Error {
    Error::new(ErrorKind::Format, format!("{what} than the limit of {most} {of}"))
        .with_hint("raise the limits if you trust the file, or split it")
}

/// Checks the names of the columns.
fn check_names<'n>(names: impl ExactSizeIterator<Item = &'n str>, limits: &Limits) -> Result<(), Error> {
    if names.len() > limits.max_columns {
        return Err(too_much("there are more columns", limits.max_columns, "columns"));
    }
    if names.len() == 0 {
        return Err(Error::new(ErrorKind::Format, "the table has no columns")
            .with_hint("the first row must contain the column names"));
    }
    let mut seen = std::collections::HashSet::new();
    for (at, name) in (1..).zip(names) {
        if name.trim().is_empty() {
            return Err(Error::new(ErrorKind::Format, format!("column {at} has no name"))
                .with_hint("the first row must name every column"));
        }
        // Written first in a file, it would be taken for the file's own mark.
        if name.starts_with('\u{feff}') {
            return Err(Error::new(
                ErrorKind::Format,
                format!("the name of column {at} begins with a byte order mark"),
            )
            .with_hint("remove everything before the first row"));
        }
        if !seen.insert(name) {
            return Err(Error::new(ErrorKind::Format, format!("the column `{name}` occurs twice"))
                .with_hint("rename one of them"));
        }
    }
    Ok(())
}

/// Checks a cell before it is kept.
fn check_cell(value: &str, row: usize, column: &str, limits: &Limits) -> Result<(), Error> {
    if value.len() <= limits.max_cell_bytes {
        return Ok(());
    }
    let what = format!("row {row}, column `{column}`: the value is longer");
    Err(too_much(&what, limits.max_cell_bytes, "bytes"))
}

/// Checks that another row fits.
fn check_rows(rows: usize, limits: &Limits) -> Result<(), Error> {
    if rows <= limits.max_rows {
        return Ok(());
    }
    Err(too_much("there are more rows", limits.max_rows, "rows"))
}

fn assembled(columns: Vec<super::Column>) -> Result<Table, Error> {
    Table::new(columns)
        .ok_or_else(|| Error::new(ErrorKind::Format, "the columns of the table have different lengths"))
}

#[cfg(test)]
mod tests;
