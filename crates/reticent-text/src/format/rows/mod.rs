//! Tables of documents, one row each: JSONL, CSV and TSV with named text fields, streamed.
//!
//! A row is one document with a region for each text field. All else of the row is kept byte for
//! byte, also what stands around the rows: the output is [`RowReader::header`], each row's
//! [`Row::encode`], then [`RowReader::trailer`].
//!
//! ```
//! use reticent_text::format::{Limits, rows::{Fields, RowFormat, RowReader}};
//! use reticent_text::{Edit, Span};
//!
//! let jsonl = b"{\"id\": 7, \"text\": \"Dear Ana\"}\n";
//! let fields = Fields { text: vec!["text".into()], id: Some("id".into()), subject: None };
//! let reader = RowReader::new(RowFormat::Jsonl, fields, &jsonl[..], &Limits::default())?;
//! for row in reader {
//!     let row = row?;
//!     assert_eq!((row.document.id(), row.document.text()), ("7", "Dear Ana"));
//!     let edit = Edit { span: Span::new(5, 8), replacement: "[PERSON]".into() };
//!     let out = row.encode(&[edit], &[("edits", "1".into())])?;
//!     assert_eq!(out, b"{\"id\": 7, \"text\": \"Dear [PERSON]\", \"edits\": 1}\n");
//! }
//! # Ok::<(), reticent_text::Error>(())
//! ```

mod csv;
pub(crate) mod jsonl;
mod reader;

use std::fmt;
use std::ops::Range;

pub use self::reader::RowReader;
use crate::source::{Bearer, Cut, apply};
use crate::{Document, Edit, Error, ErrorKind, Escape, Span};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values after RFC 4180, with a header.
    Csv {
        /// What separates fields: `,`, `;` or a tabulator. If not given, the first of these under which
        /// the header has all the fields that are asked for.
        separator: Option<u8>,
    },
}

/// Which fields of a row mean what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The fields to be looked at, in this order.
    pub text: Vec<String>,
    /// The field that names the row; without one, or where it is empty, it is `line 12`.
    pub id: Option<String>,
    /// The field that names whom the row is about.
    pub subject: Option<String>,
}

/// One row, read.
pub struct Row {
    /// Its text fields, one region each, named as the field.
    pub document: Document,
    /// The line at which it starts, from 1.
    pub line: u64,
    /// Whom it is about, if the fields name a subject and the row has one.
    pub subject: Option<String>,
    raw: Vec<u8>,
    shape: Shape,
}

/// Where things stand in a row.
enum Shape {
    Json(jsonl::Object),
    Csv { separator: u8, cells: Vec<csv::Cell> },
}

impl Row {
    /// A span of the document as a field and a span of that field's text; nothing if it crosses
    /// from one field into another.
    #[must_use]
    pub fn field_span(&self, span: Span) -> Option<(&str, Span)> {
        let (region, within) = self.document.locate(span)?;
        Some((&region.name, within))
    }

    /// The row with its edits. In JSONL each of `extra` (a name, and a value as JSON) becomes the
    /// last member, or takes the place of the member of that name; CSV has no place for them.
    pub fn encode(&self, edits: &[Edit], extra: &[(&str, String)]) -> Result<Vec<u8>, Error> {
        if edits.iter().any(|edit| !edit.span.fits(self.document.text())) {
            return Err(Error::new(ErrorKind::Edit, "an edit does not lie in the text"));
        }
        let write = |escape: Escape, text: &str, around: crate::source::Around<'_>| match escape {
            Escape::Bare => Ok(text.to_owned()),
            _ => escape.write(text, around),
        };
        let cuts = self.document.source().cuts(&[&self.raw], edits, Bearer::First, write)?;
        let mut cuts: Vec<Cut> = cuts.into_iter().flatten().collect();
        match &self.shape {
            Shape::Json(object) => cuts.extend(object.extra(extra)),
            Shape::Csv { separator, cells } => {
                cuts = csv::quote_where_needed(&self.raw, cells, *separator, cuts)?;
            }
        }
        apply(&self.raw, cuts)
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("line", &self.line).finish_non_exhaustive()
    }
}

fn missing(field: &str) -> Error {
    Error::new(ErrorKind::MissingField, format!("there is no field `{field}`"))
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

#[cfg(test)]
mod tests;
