//! From text back to the bytes it came from.
//!
//! A format reads its bytes into *pieces*: stretches of text, each with the source bytes it stands
//! for. Whatever is not a piece (tags, quotes, commas, zip entries) is never touched. Edits of the
//! text become edits of the source by one function, [`Source::splice`], for every format.

use std::ops::Range;

use crate::{Error, ErrorKind, Span};

/// How text must be written at a place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Escape {
    /// As it is.
    None,
    /// Between tags of HTML or XML: `&`, `<` and `>` as entities.
    Markup,
    /// In an attribute value of HTML or XML: quotes too.
    Attribute,
    /// In a JSON string.
    Json,
    /// In a quoted CSV field, whose quote this is: doubled.
    Quoted(u8),
    /// In Markdown prose.
    Markdown,
    /// Where no writing is possible without breaking the source (an unquoted CSV field gets only
    /// text without separators, quotes and line breaks).
    Bare,
}

/// A stretch of text and the source bytes it stands for.
///
/// Source and text have the same bytes unless the piece is `atomic` (an entity such as `&eacute;`
/// or an escape such as `\u00e9`), which is replaced whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where in the text.
    pub text: Span,
    /// Which part of the source: 0 unless the format is an archive.
    pub part: usize,
    /// Where in that part.
    pub source: Range<usize>,
    /// Whether source and text differ, so that the piece cannot be cut.
    pub atomic: bool,
    /// How to write there.
    pub escape: Escape,
}

/// A change of the text: this span becomes that.
#[derive(Clone, PartialEq, Eq)]
pub struct Edit {
    /// What to replace.
    pub span: Span,
    /// By what.
    pub replacement: String,
}

impl std::fmt::Debug for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edit").field("span", &self.span).finish_non_exhaustive()
    }
}

/// The pieces of a document, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pieces: Vec<Piece>,
}

impl Source {
    /// A source whose only part is the text itself.
    pub fn identity(text: &str) -> Self {
        let text = Span::new(0, text.len());
        Self {
            pieces: vec![Piece { text, part: 0, source: text.into(), atomic: false, escape: Escape::None }],
        }
    }

    /// From pieces in the order of the text.
    ///
    /// # Panics
    /// If pieces overlap or are out of order: a fault of the format, not of its input.
    pub fn new(pieces: Vec<Piece>) -> Self {
        assert!(pieces.windows(2).all(|pair| pair[0].text.end <= pair[1].text.start), "pieces out of order");
        assert!(
            pieces.iter().all(|piece| piece.atomic || piece.source.len() == piece.text.len()),
            "a piece that can be cut must have as many source bytes as text bytes"
        );
        Self { pieces }
    }

    /// The pieces, in the order of the text.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Applies edits of the text to the parts of the source. Bytes outside the edits are kept.
    ///
    /// Where a span covers several pieces (`John <b>Smith</b>`) the first one gets the replacement
    /// and the others lose what was covered, so that the markup around them stays whole.
    pub fn splice(&self, parts: &[&[u8]], edits: &[Edit]) -> Result<Vec<Vec<u8>>, Error> {
        let mut cuts: Vec<Vec<(Range<usize>, String)>> = vec![Vec::new(); parts.len()];
        let mut done = 0;
        for edit in edits {
            if edit.span.start < done {
                return Err(Error::new(ErrorKind::Edit, "edits overlap or are out of order"));
            }
            done = edit.span.end;
            let mut replacement = Some(edit.replacement.as_str());
            let first = self.pieces.partition_point(|piece| piece.text.end <= edit.span.start);
            for piece in self.pieces[first..].iter().take_while(|piece| piece.text.start < edit.span.end) {
                let range = piece.covered(edit.span)?;
                let text = replacement.take().unwrap_or_default();
                let text = escape(text, piece.escape)?;
                cuts.get_mut(piece.part)
                    .ok_or_else(|| Error::new(ErrorKind::Edit, "an edit points outside the source"))?
                    .push((range, text));
            }
            if replacement.is_some() {
                return Err(Error::new(ErrorKind::Edit, "an edit touches no text of the source"));
            }
        }
        parts.iter().zip(cuts).map(|(part, cuts)| apply(part, cuts)).collect()
    }
}

impl Piece {
    fn covered(&self, span: Span) -> Result<Range<usize>, Error> {
        if span.contains(self.text) {
            return Ok(self.source.clone());
        }
        if self.atomic {
            return Err(Error::new(ErrorKind::Edit, "an edit would cut a character of the source in two"));
        }
        let start = self.source.start + span.start.saturating_sub(self.text.start);
        let end = self.source.end - self.text.end.saturating_sub(span.end);
        Ok(start..end)
    }
}

fn apply(part: &[u8], mut cuts: Vec<(Range<usize>, String)>) -> Result<Vec<u8>, Error> {
    cuts.sort_by_key(|(range, _)| range.start);
    let mut out = Vec::with_capacity(part.len());
    let mut done = 0;
    for (range, text) in cuts {
        let kept = part.get(done..range.start).filter(|_| range.end <= part.len());
        let Some(kept) = kept else {
            return Err(Error::new(ErrorKind::Edit, "edits overlap in the source"));
        };
        out.extend_from_slice(kept);
        out.extend_from_slice(text.as_bytes());
        done = range.end;
    }
    out.extend_from_slice(&part[done..]);
    Ok(out)
}

fn escape(text: &str, how: Escape) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (how, c) {
            (Escape::Markup | Escape::Attribute, '&') => out.push_str("&amp;"),
            (Escape::Markup | Escape::Attribute, '<') => out.push_str("&lt;"),
            (Escape::Markup | Escape::Attribute, '>') => out.push_str("&gt;"),
            (Escape::Attribute, '"') => out.push_str("&quot;"),
            (Escape::Attribute, '\'') => out.push_str("&#39;"),
            (Escape::Json, '"' | '\\') => out.extend(['\\', c]),
            (Escape::Json, '\n') => out.push_str("\\n"),
            (Escape::Json, c) if u32::from(c) < 0x20 => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            (Escape::Quoted(quote), c) if c == char::from(quote) => out.extend([c, c]),
            (Escape::Bare, ',' | ';' | '\t' | '"' | '\n' | '\r') => {
                return Err(Error::new(ErrorKind::Edit, "a replacement would break an unquoted field"));
            }
            (Escape::Markdown, '*' | '`' | '<' | '|' | '\\') => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    Ok(out)
}
