//! Formats: from bytes to a [`Document`] and back, where only edited spans change.
//!
//! A format reads bytes into blocks of text, each made of pieces that know their source bytes (see
//! [`Source`](crate::Source)). Writing is the same for all: the edits are spliced into the source.
//! Three rules hold for every format, each with a property test:
//!
//! - without edits the bytes are those that were read; with edits, every other byte is;
//! - whatever has letters or digits and is no mere syntax is in some region, or is named by
//!   [`Document::unscanned`];
//! - bytes that cannot be read in full are refused with an error that tells nothing of them.
//!
//! To add a format: a variant of [`FormatKind`], a module with `decode`, an arm in [`decode`] and
//! [`encode`], a fuzz target, and tests of the three rules.

mod address;
pub mod brat;
mod builder;
mod docx;
pub mod encoding;
mod html;
mod kind;
mod markdown;
mod plain;
pub mod rows;
mod sanitize;

pub use kind::FormatKind;
pub use sanitize::{Attachments, Removed, Sanitized, sanitize};

use crate::{Document, Edit, Error, ErrorKind};

/// How much a document may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub max_bytes: u64,
    /// How deep the elements of a DOCX may nest. Rows of JSON may nest 128 levels; HTML and Markdown are
    /// read without a stack.
    pub max_depth: usize,
    /// The largest archive when unpacked, in bytes.
    pub max_expanded: u64,
    /// How many times larger than packed a part of an archive may be, once it is above 1 MB.
    pub max_ratio: u64,
    /// The largest row of a JSONL or CSV file, in bytes.
    pub max_row_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 256 << 20,
            max_depth: 512,
            max_expanded: 512 << 20,
            max_ratio: 200,
            max_row_bytes: 64 << 20,
        }
    }
}

impl Limits {
    fn check_bytes(&self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() as u64 <= self.max_bytes {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Limit,
            format!("the file has {} bytes, more than the limit of {}", bytes.len(), self.max_bytes),
        )
        .with_hint("raise the limit in the policy, or split the file"))
    }
}

/// Reads bytes as a document.
///
/// ```
/// use reticent_text::format::{self, FormatKind, Limits};
/// let page = format::decode(FormatKind::Html, "page", b"<p>Jos&eacute; <b>Sm</b>ith", &Limits::default())?;
/// assert_eq!(page.text(), "José Smith");
/// # Ok::<(), reticent_text::Error>(())
/// ```
pub fn decode(kind: FormatKind, id: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Error> {
    limits.check_bytes(bytes)?;
    match kind {
        FormatKind::Text => plain::decode(id, bytes),
        FormatKind::Markdown => markdown::decode(id, bytes),
        FormatKind::Html => html::decode(id, bytes),
        FormatKind::Docx => docx::decode(id, bytes, limits),
    }
}

/// Writes a document with edits. `bytes` are those that it was read from; `edits` are in the order
/// of the text and do not overlap.
///
/// ```
/// use reticent_text::format::{self, FormatKind, Limits};
/// use reticent_text::{Edit, Span};
/// let bytes = b"<p>Jos&eacute; <b>Sm</b>ith</p>";
/// let page = format::decode(FormatKind::Html, "page", bytes, &Limits::default())?;
/// let edit = Edit { span: Span::new(0, 11), replacement: "a man".to_owned() };
/// let released = format::encode(FormatKind::Html, &page, bytes, &[edit])?;
/// assert_eq!(released, b"<p>a man<b></b></p>");
/// # Ok::<(), reticent_text::Error>(())
/// ```
pub fn encode(kind: FormatKind, document: &Document, bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Error> {
    if edits.is_empty() {
        return Ok(bytes.to_vec());
    }
    if edits.iter().any(|edit| !edit.span.fits(document.text())) {
        return Err(Error::new(ErrorKind::Edit, "an edit lies outside the text"));
    }
    match kind {
        FormatKind::Text | FormatKind::Html => {
            let parts = document.source().splice(&[bytes], edits)?;
            parts.into_iter().next().ok_or_else(|| Error::new(ErrorKind::Edit, "the source has no parts"))
        }
        FormatKind::Markdown => markdown::encode(document, bytes, edits),
        FormatKind::Docx => docx::encode(document, bytes, edits),
    }
}

#[cfg(test)]
mod tests;
