//! From text back to the bytes it came from.
//!
//! A format reads its bytes into *pieces*: stretches of text, each with the source bytes it stands
//! for. Whatever is not a piece (tags, quotes, commas, zip entries) is never touched. Edits of the
//! text become edits of the source by one function, [`Source::splice`], for every format.

use std::ops::Range;

use crate::{Error, ErrorKind, Escape, Span};

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
    /// `true` if source and text differ, so that the piece cannot be cut.
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
    #[must_use]
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
    #[must_use]
    pub fn new(pieces: Vec<Piece>) -> Self {
        assert!(
            pieces.windows(2).all(|pair| pair[0].text.end <= pair[1].text.start),
            "pieces are out of order"
        );
        assert!(
            pieces.iter().all(|piece| piece.atomic || piece.source.len() == piece.text.len()),
            "a piece that can be cut must have as many source bytes as text bytes"
        );
        Self { pieces }
    }

    /// The pieces, in the order of the text.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Applies edits of the text to the parts of the source. Bytes outside the edits are kept.
    ///
    /// Where a span covers several pieces (`John <b>Smith</b>`) one of them gets the replacement, a
    /// sizeable one, and the others lose what was covered, so that the markup around them stays whole.
    pub fn splice(&self, parts: &[&[u8]], edits: &[Edit]) -> Result<Vec<Vec<u8>>, Error> {
        let cuts = self.cuts(parts, edits, Bearer::FirstOfWeight, Escape::write)?;
        parts.iter().zip(cuts).map(|(part, cuts)| apply(part, cuts)).collect()
    }

    /// What becomes of the source, part by part, if `write` writes each replacement.
    pub(crate) fn cuts(
        &self,
        parts: &[&[u8]],
        edits: &[Edit],
        bearer: Bearer,
        write: impl Fn(Escape, &str, Around<'_>) -> Result<String, Error>,
    ) -> Result<Vec<Vec<Cut>>, Error> {
        let mut cuts: Vec<Vec<Cut>> = vec![Vec::new(); parts.len()];
        let mut done = 0;
        for edit in edits {
            if edit.span.start < done {
                return Err(Error::new(ErrorKind::Edit, "edits overlap or are out of order"));
            }
            done = edit.span.end;
            let first = self.pieces.partition_point(|piece| piece.text.end <= edit.span.start);
            let covered = self.pieces[first..].iter().take_while(|piece| piece.text.start < edit.span.end);
            let Some(bearer) = bearer.among(covered.clone(), edit.span) else {
                return Err(Error::new(ErrorKind::Edit, "an edit covers no text of the source"));
            };
            for (at, piece) in covered.enumerate() {
                let outside = || Error::new(ErrorKind::Edit, "an edit points outside the source");
                let range = piece.covered(edit.span)?;
                let text = if at == bearer { edit.replacement.as_str() } else { "" };
                let part = parts.get(piece.part).ok_or_else(outside)?;
                let around = Around {
                    before: part.get(..range.start).ok_or_else(outside)?,
                    after: part.get(range.end..).ok_or_else(outside)?,
                };
                // Two edits of one date: the first has written it.
                if piece.escape.is_whole() && cuts[piece.part].last().is_some_and(|last| last.0 == range) {
                    continue;
                }
                let text = write(piece.escape, text, around)?;
                cuts[piece.part].push((range, text));
            }
        }
        Ok(cuts)
    }
}

/// Which piece gets a replacement that covers several.
#[derive(Clone, Copy)]
pub(crate) enum Bearer {
    /// The first that can be written to.
    First,
    /// The first that has at least a third of what the longest has: in `on <b>3 July 1962</b>` the
    /// date, so that its markup is not left without a text.
    FirstOfWeight,
}

impl Bearer {
    fn among<'a>(self, covered: impl Iterator<Item = &'a Piece> + Clone, span: Span) -> Option<usize> {
        let weight = |piece: &Piece| match piece.escape {
            Escape::Erase => 0,
            _ => piece.text.end.min(span.end) - piece.text.start.max(span.start),
        };
        let longest = covered.clone().map(weight).max()?;
        let enough = match self {
            Self::First => 1,
            Self::FirstOfWeight => longest.div_ceil(3).max(1),
        };
        covered.into_iter().position(|piece| weight(piece) >= enough)
    }
}

/// A range of the source and what it becomes.
pub(crate) type Cut = (Range<usize>, String);

/// The source around a place that is written.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// All before it.
    pub(crate) before: &'a [u8],
    /// All after it.
    pub(crate) after: &'a [u8],
}

impl Piece {
    fn covered(&self, span: Span) -> Result<Range<usize>, Error> {
        if span.contains(self.text) || self.escape.is_whole() {
            return Ok(self.source.clone());
        }
        if self.atomic {
            return Err(Error::new(ErrorKind::Edit, "an edit would split a character of the source"));
        }
        let start = self.source.start + span.start.saturating_sub(self.text.start);
        let end = self.source.end - self.text.end.saturating_sub(span.end);
        Ok(start..end)
    }
}

/// Writes a part with its cuts.
pub(crate) fn apply(part: &[u8], mut cuts: Vec<Cut>) -> Result<Vec<u8>, Error> {
    cuts.sort_by_key(|(range, _)| (range.start, range.end));
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
