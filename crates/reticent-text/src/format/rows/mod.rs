//! Tables of documents, one row each: JSONL, CSV and TSV, streamed.
//!
//! A row is one document with a region for each text field and, if all fields are asked for, for each other string and
//! number, and for names of JSON members that may be data. All else of the row is kept byte for
//! byte, also what stands around the rows: the output is [`RowReader::header`], each row's
//! [`Row::encode`], then [`RowReader::trailer`].
//!
//! ```
//! use reticent_text::format::{Limits, rows::{Fields, RowFormat, RowReader}};
//! use reticent_text::{Edit, Span};
//!
//! let jsonl = b"{\"id\": 7, \"text\": \"Dear Ana\"}\n";
//! let fields = Fields { text: vec!["text".into()], id: Some("id".into()), ..Fields::default() };
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
mod json_walk;
pub(crate) mod jsonl;
mod reader;

use std::collections::BTreeMap;
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The fields with the main text, in this order.
    pub text: Vec<String>,
    /// `true` if a text field may be missing.
    pub text_may_miss: bool,
    /// Whether everything else in a row is read too, as regions of the kind [`RegionKind::Field`](crate::RegionKind).
    pub all: bool,
    /// The field that names the row; without one, or where it is empty, it is `line 12`.
    pub id: Option<String>,
    /// The field that names whom the row is about. It is not released unless it is kept.
    pub subject: Option<String>,
    /// The field that is the same in all rows about one person. It is not released unless it is kept.
    pub person: Option<String>,
    /// Fields that are kept unread, with everything in them: `author.email`, `visits.note`.
    pub keep: Vec<String>,
    /// Members of a JSON row that the output replaces, and that are therefore not read.
    pub replaced: Vec<String>,
}

impl Fields {
    /// Whether a path such as `visits[].note` is kept.
    fn keeps(&self, path: &str) -> bool {
        !self.keep.is_empty() && {
            let path = path.replace("[]", "");
            self.keep.iter().any(|kept| {
                let kept = kept.replace("[]", "");
                path.strip_prefix(kept.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        }
    }

    /// Whether a field is not read as one of the others.
    fn is_apart(&self, name: &str) -> bool {
        let same = |field: &Option<String>| field.as_deref() == Some(name);
        same(&self.id)
            || self.replaced.iter().any(|replaced| replaced == name)
            || self.keeps(name)
            || self.hidden().any(|(hidden, _)| hidden == name)
    }

    /// The fields that are not released, and whether they name the subject.
    fn hidden(&self) -> impl Iterator<Item = (&str, bool)> {
        let subject = self.subject.as_deref().map(|field| (field, true));
        let person = self.person.as_deref().filter(|field| self.subject.as_deref() != Some(field));
        subject.into_iter().chain(person.map(|field| (field, false))).filter(|(field, _)| {
            self.id.as_deref() != Some(field)
                && !self.keeps(field)
                && !self.text.iter().any(|text| text == field)
        })
    }
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
    hidden: Vec<Hidden>,
    keys: Vec<Key>,
    shape: Shape,
}

/// A value that is not released.
struct Hidden {
    value: Range<usize>,
    names_subject: bool,
}

/// The name of a JSON member that is read as text.
struct Key {
    /// Where it stands in the text.
    region: Span,
    /// The object it belongs to.
    object: usize,
}

/// Stands between the fields of a row, so that nothing is read across them.
const SEPARATOR: &str = "\n\n";

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
        self.write(edits, extra, Vec::new())
    }

    /// The same for a release: `subject` takes the place of the field that names the subject, and the field that
    /// identifies the person is emptied, unless these are kept.
    pub fn encode_release(
        &self,
        edits: &[Edit],
        extra: &[(&str, String)],
        subject: &str,
    ) -> Result<Vec<u8>, Error> {
        let hidden = self.hidden.iter().map(|hidden| {
            let text = if hidden.names_subject { subject } else { "" };
            let text = match &self.shape {
                Shape::Json(_) => serde_json::Value::from(text).to_string(),
                Shape::Csv { separator, cells } => csv::written(cells, &hidden.value, *separator, text),
            };
            (hidden.value.clone(), text)
        });
        self.write(edits, extra, hidden.collect())
    }

    /// The row without anything that was read: only fields that are kept unread stay.
    pub fn encode_withheld(&self, extra: &[(&str, String)]) -> Result<Vec<u8>, Error> {
        let filled = self.document.regions().iter().filter(|region| !region.span.is_empty());
        let edits: Vec<Edit> =
            filled.map(|region| Edit { span: region.span, replacement: String::new() }).collect();
        self.encode_release(&edits, extra, "")
    }

    fn write(&self, edits: &[Edit], extra: &[(&str, String)], hidden: Vec<Cut>) -> Result<Vec<u8>, Error> {
        if edits.iter().any(|edit| !edit.span.fits(self.document.text())) {
            return Err(Error::new(ErrorKind::Edit, "an edit lies outside the text"));
        }
        let write = |escape: Escape, text: &str, around: crate::source::Around<'_>| match escape {
            Escape::Bare => Ok(text.to_owned()),
            _ => escape.write(text, around),
        };
        let apart = self.with_different_keys(edits);
        let edits = apart.as_deref().unwrap_or(edits);
        let cuts = self.document.source().cuts(&[&self.raw], edits, Bearer::First, write)?;
        let mut cuts: Vec<Cut> = cuts.into_iter().flatten().collect();
        match &self.shape {
            Shape::Json(object) => {
                cuts.extend(hidden);
                // Members that are replaced lose their edits with their values.
                cuts.retain(|(range, _)| {
                    !object.values(extra).any(|value| value.start <= range.start && range.end <= value.end)
                });
                cuts.extend(object.extra(extra));
            }
            Shape::Csv { separator, cells } => {
                cuts = csv::quote_where_needed(&self.raw, cells, *separator, cuts)?;
                cuts.extend(hidden);
            }
        }
        apply(&self.raw, cuts)
    }

    /// The edits with a number behind names of members that would otherwise be the same in one object; nothing if
    /// there are none.
    fn with_different_keys(&self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let mut different: Option<Vec<Edit>> = None;
        let mut taken: BTreeMap<(usize, String), usize> = BTreeMap::new();
        for key in &self.keys {
            let inside = edits.iter().enumerate().filter(|(_, edit)| key.region.contains(edit.span));
            let (mut name, mut at, mut last) = (String::new(), key.region.start, None);
            for (index, edit) in inside {
                name.push_str(self.document.text().get(at..edit.span.start).unwrap_or_default());
                name.push_str(&edit.replacement);
                (at, last) = (edit.span.end, Some(index));
            }
            name.push_str(&self.document.text()[at..key.region.end]);
            let times = taken.entry((key.object, name)).or_insert(0);
            *times += 1;
            if let Some(last) = last.filter(|_| *times > 1) {
                let edits = different.get_or_insert_with(|| edits.to_vec());
                let name = &mut edits[last].replacement;
                *name = format!("{name} ({times})");
            }
        }
        different
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("line", &self.line).finish_non_exhaustive()
    }
}

fn missing(field: &str) -> Error {
    Error::new(ErrorKind::MissingField, format!("the field `{field}` is missing"))
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

#[cfg(test)]
mod tests;
