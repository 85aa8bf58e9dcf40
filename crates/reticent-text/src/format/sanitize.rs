//! Sanitizing: a file without the content that cannot be examined.

use std::collections::BTreeMap;

use super::{FormatKind, Limits, docx, html, markdown};
use crate::source::{Cut, apply};
use crate::{Error, ErrorKind};

/// The fate of content that cannot be examined: pictures, embedded files, scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attachments {
    /// It is removed.
    #[default]
    Remove,
    /// It stays, and [`Document::unscanned`](crate::Document::unscanned) names it.
    Keep,
}

/// Content of one kind that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The kind, in words that hold nothing of the file.
    pub kind: &'static str,
    /// How many there were.
    pub count: usize,
}

/// A file that can be examined in full, unless attachments were kept.
pub struct Sanitized {
    /// The file.
    pub bytes: Vec<u8>,
    /// Everything that was removed, by kind.
    pub removed: Vec<Removed>,
}

impl Sanitized {
    pub(crate) fn new(bytes: Vec<u8>, removed: BTreeMap<&'static str, usize>) -> Self {
        let removed = removed.into_iter().map(|(kind, count)| Removed { kind, count }).collect();
        Self { bytes, removed }
    }
}

/// Removes what cannot be examined, before a file is decoded. Without attachments every other byte
/// stays; a DOCX is packed afresh.
///
/// ```
/// use reticent_text::format::{self, Attachments, FormatKind, Limits};
/// let page = b"<p onclick='go()'>Jos&eacute;</p><script>go()</script>";
/// let sanitized = format::sanitize(FormatKind::Html, page, &Limits::default(), Attachments::Remove)?;
/// assert_eq!(sanitized.bytes, b"<p>Jos&eacute;</p><script></script>");
/// assert_eq!(sanitized.removed.len(), 2);
/// # Ok::<(), reticent_text::Error>(())
/// ```
pub fn sanitize(
    kind: FormatKind,
    bytes: &[u8],
    limits: &Limits,
    attachments: Attachments,
) -> Result<Sanitized, Error> {
    limits.check_bytes(bytes)?;
    match (kind, attachments) {
        (FormatKind::Docx, Attachments::Remove) => docx::sanitize(bytes, limits),
        (FormatKind::Docx, Attachments::Keep) => {
            Ok(Sanitized::new(docx::repacked(bytes, limits)?, BTreeMap::new()))
        }
        (FormatKind::Text, _) | (_, Attachments::Keep) => Ok(Sanitized::new(bytes.to_vec(), BTreeMap::new())),
        (FormatKind::Html | FormatKind::Markdown, Attachments::Remove) => {
            let mut bytes = bytes.to_vec();
            let mut removed = BTreeMap::new();
            // What is left may read as markup again, though hardly ever twice.
            for _ in 0..ROUNDS {
                let builder =
                    if kind == FormatKind::Html { html::scan(&bytes) } else { markdown::scan(&bytes) };
                let removals = builder?.into_removals();
                if removals.is_empty() {
                    return Ok(Sanitized::new(bytes, removed));
                }
                let mut cuts = Vec::with_capacity(removals.len());
                for removal in removals {
                    *removed.entry(removal.kind).or_default() += 1;
                    cuts.push(removal.cut);
                }
                bytes = apply(&bytes, outermost(cuts))?;
            }
            Err(Error::new(
                ErrorKind::Malformed,
                "content that cannot be examined cannot be removed from this format",
            ))
        }
    }
}

const ROUNDS: usize = 8;

/// The cuts that do not lie within another; what overlaps is cut as one.
pub(crate) fn outermost(mut cuts: Vec<Cut>) -> Vec<Cut> {
    cuts.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut out: Vec<Cut> = Vec::with_capacity(cuts.len());
    for (range, text) in cuts {
        match out.last_mut() {
            Some((last, _)) if range.start < last.end => last.end = last.end.max(range.end),
            _ => out.push((range, text)),
        }
    }
    out
}
