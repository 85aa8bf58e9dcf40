//! How the file of a table was written, so that another table can be written the same way.
//!
//! **What is kept belongs to a file or to a column, never to a row.** If a cell were quoted because it was
//! quoted before, the quotes around `Europe` would tell that a comma stood there once, and rows that are
//! meant to be alike could be told apart.

use std::collections::HashMap;

use reticent_text::format::encoding::Encoding;

use super::Format;
use super::read::csv::Dialect;

/// The format of a file: separator, quotes, line ends, encoding, types of columns. Contains no values.
#[derive(Clone, Debug)]
pub struct Source {
    pub(super) style: Style,
}

/// The same by format.
#[derive(Clone, Debug)]
pub(super) enum Style {
    Separated(SeparatedStyle),
    Jsonl(JsonStyle),
    Xlsx(XlsxStyle),
    Parquet(ParquetStyle),
}

impl Source {
    /// As a new file of this format is written: in UTF-8, with lines that end in `\n`, quotes only where
    /// they are needed, and with texts only where columns have types.
    pub fn plain(format: Format) -> Self {
        let style = match format {
            Format::Csv => Style::Separated(SeparatedStyle::plain(b',')),
            Format::Tsv => Style::Separated(SeparatedStyle::plain(b'\t')),
            Format::Jsonl => Style::Jsonl(JsonStyle::plain()),
            Format::Xlsx => Style::Xlsx(XlsxStyle::default()),
            Format::Parquet => Style::Parquet(ParquetStyle::default()),
        };
        Self { style }
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        match &self.style {
            Style::Separated(style) if style.dialect.separator == b'\t' => Format::Tsv,
            Style::Separated(_) => Format::Csv,
            Style::Jsonl(_) => Format::Jsonl,
            Style::Xlsx(_) => Format::Xlsx,
            Style::Parquet(_) => Format::Parquet,
        }
    }
}

/// How text became bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coding {
    /// Nothing means UTF-8.
    pub(super) encoding: Option<Encoding>,
    /// Whether the file begins with a byte order mark.
    pub(super) mark: bool,
}

/// How CSV or TSV was written.
#[derive(Clone, Debug)]
pub(super) struct SeparatedStyle {
    pub(super) coding: Coding,
    pub(super) dialect: Dialect,
    /// Whether names of columns that need no quotes have them.
    pub(super) quoted_header: bool,
    pub(super) columns: HashMap<String, SeparatedColumn>,
    /// What follows the last row: a line end, several, or nothing.
    pub(super) tail: String,
}

/// How a column of CSV or TSV was written.
#[derive(Clone, Debug, Default)]
pub(super) struct SeparatedColumn {
    /// Whether values that need no quotes have them.
    pub(super) quoted: bool,
    /// What stands for a missing value.
    pub(super) missing: String,
    /// Whether that is quoted.
    pub(super) missing_quoted: bool,
}

impl SeparatedStyle {
    fn plain(separator: u8) -> Self {
        let dialect = Dialect { separator, blank: false, newline: "\n" };
        let (quoted_header, columns) = (false, HashMap::new());
        Self { coding: Coding::default(), dialect, quoted_header, columns, tail: "\n".to_owned() }
    }
}

/// How JSONL was written.
#[derive(Clone, Debug)]
pub(super) struct JsonStyle {
    pub(super) coding: Coding,
    /// Whether a blank follows each colon and comma.
    pub(super) blanks: bool,
    /// Whether all that is not ASCII is escaped.
    pub(super) ascii: bool,
    pub(super) newline: &'static str,
    pub(super) tail: String,
    pub(super) columns: HashMap<String, JsonColumn>,
}

/// How a column of JSONL was written. Whether `36` is a number or a string depends on the column alone.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonColumn {
    /// What looks like a number is one.
    pub(super) numbers: bool,
    /// `true` and `false` are no strings.
    pub(super) booleans: bool,
    /// Cells are arrays.
    pub(super) lists: bool,
    pub(super) missing: JsonMissing,
}

/// What stands for a missing value in JSONL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum JsonMissing {
    #[default]
    Null,
    Absent,
    Word(String),
}

impl JsonStyle {
    fn plain() -> Self {
        Self {
            coding: Coding::default(),
            blanks: false,
            ascii: false,
            newline: "\n",
            tail: "\n".to_owned(),
            columns: HashMap::new(),
        }
    }
}

/// How a sheet of XLSX was written.
#[derive(Clone, Debug, Default)]
pub(super) struct XlsxStyle {
    pub(super) columns: HashMap<String, XlsxColumn>,
}

/// How a column of XLSX was written. What a cell is depends on the column and its text alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct XlsxColumn {
    /// What looks like a number is one.
    pub(super) numbers: bool,
    /// `TRUE` and `FALSE` are no texts.
    pub(super) booleans: bool,
    /// What ISO 8601 would write as a date is one.
    pub(super) dates: bool,
}

/// How a Parquet file was written: its types. What else such a file holds may repeat values, and is not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct ParquetStyle {
    #[cfg(feature = "parquet")]
    pub(super) columns: HashMap<String, ParquetColumn>,
}

/// How a column of Parquet was written.
#[cfg(feature = "parquet")]
#[derive(Clone, Debug)]
pub(super) struct ParquetColumn {
    /// Its type, as the schema of the file has it.
    pub(super) written: parquet::schema::types::TypePtr,
    pub(super) kind: super::read::parquet::kind::Kind,
    /// How it was compressed; nothing if it had no rows.
    pub(super) codec: Option<parquet::basic::Compression>,
    /// What stands for a missing value; nothing means a null.
    pub(super) missing: Option<String>,
}

/// Counts the few ways in which something was written.
#[derive(Clone, Debug)]
pub(super) struct Tally<T>(Vec<(T, usize)>);

impl<T> Default for Tally<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Tally<T> {
    /// Counts one more.
    pub(super) fn add<'a, U: ?Sized>(&mut self, way: &'a U)
    where
        T: PartialEq<U> + From<&'a U>,
    {
        match self.0.iter_mut().find(|(known, _)| *known == *way) {
            Some((_, count)) => *count += 1,
            None => self.0.push((T::from(way), 1)),
        }
    }

    /// The most frequent; of several, the first that was seen.
    pub(super) fn most(self) -> Option<T> {
        let best = self.0.iter().map(|(_, count)| *count).max()?;
        self.0.into_iter().find(|(_, count)| *count == best).map(|(way, _)| way)
    }
}
