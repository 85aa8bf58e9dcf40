//! Building a document from blocks, so that no format counts offsets of the text itself.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::source::Cut;
use crate::{Document, Escape, Piece, Region, RegionKind, Source, Span};

/// A stretch of text with its pieces, counted from its own start: a paragraph, an attribute.
#[derive(Default)]
pub(crate) struct Block {
    text: String,
    pieces: Vec<Piece>,
}

impl Block {
    /// Adds source bytes that are their own text.
    pub(crate) fn push(&mut self, part: usize, start: usize, text: &str, escape: Escape) {
        if text.is_empty() {
            return;
        }
        let at = self.text.len();
        self.text.push_str(text);
        let span = Span::new(at, self.text.len());
        // Neighbours become one piece: fewer pieces, and edits that cover both write once.
        if let Some(last) = self.pieces.last_mut()
            && (last.atomic, last.part, last.source.end, last.escape) == (false, part, start, escape)
            && last.text.end == at
        {
            last.text.end = span.end;
            last.source.end += text.len();
            return;
        }
        self.pieces.push(Piece {
            text: span,
            part,
            source: start..start + text.len(),
            atomic: false,
            escape,
        });
    }

    /// Adds source bytes that stand for other text: an entity, an escape.
    pub(crate) fn push_atomic(&mut self, part: usize, source: Range<usize>, text: &str, escape: Escape) {
        if text.is_empty() {
            return;
        }
        let at = self.text.len();
        self.text.push_str(text);
        let span = Span::new(at, self.text.len());
        self.pieces.push(Piece { text: span, part, source, atomic: true, escape });
    }

    /// Takes white space off its end, which belongs to the layout.
    pub(crate) fn trim_end(&mut self) {
        let end = self.text.trim_end().len();
        while self.pieces.last().is_some_and(|last| last.text.start >= end) {
            self.pieces.pop();
        }
        match self.pieces.last_mut() {
            Some(last) if last.text.end > end && last.atomic => return,
            Some(last) if last.text.end > end => {
                last.source.end -= last.text.end - end;
                last.text.end = end;
            }
            _ => {}
        }
        self.text.truncate(end);
    }

    /// Takes the first bytes of its text away, which belong to the source. They must end between
    /// characters.
    pub(crate) fn skip(&mut self, len: usize) {
        self.text.drain(..len);
        self.pieces.retain(|piece| piece.text.end > len);
        for piece in &mut self.pieces {
            let cut = len.saturating_sub(piece.text.start);
            if !piece.atomic {
                piece.source.start += cut;
            }
            piece.text = Span::new((piece.text.start + cut).saturating_sub(len), piece.text.end - len);
        }
    }

    /// Its text so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The source bytes that it stands for.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.pieces.iter().map(|piece| piece.source.clone())
    }

    /// Whether it says nothing.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A document that is being read.
#[derive(Default)]
pub(crate) struct Builder {
    text: String,
    pieces: Vec<Piece>,
    regions: Vec<Region>,
    unscanned: Vec<String>,
    removals: Vec<Removal>,
}

/// A stretch of the source that cannot be examined, and what is left when it is removed.
pub(crate) struct Removal {
    /// The kind of content.
    pub(crate) kind: &'static str,
    /// The cut that removes it.
    pub(crate) cut: Cut,
}

impl Builder {
    /// Adds a block as a region of its own, after `separator`; returns where the region stands in the text.
    pub(crate) fn add_after(&mut self, separator: &str, block: Block, kind: RegionKind, name: &str) -> Span {
        if self.regions.is_empty() {
            // Most rows have one text: it moves here as it is.
            self.text = block.text;
            self.pieces = block.pieces;
            let span = Span::new(0, self.text.len());
            self.regions.push(Region { span, kind, name: name.to_owned() });
            return span;
        }
        self.text.push_str(separator);
        let at = self.text.len();
        self.text.push_str(&block.text);
        let shifted = |piece: Piece| Piece { text: piece.text.shifted(at), ..piece };
        self.pieces.extend(block.pieces.into_iter().map(shifted));
        let span = Span::new(at, self.text.len());
        self.regions.push(Region { span, kind, name: name.to_owned() });
        span
    }

    /// Adds a block on a line of its own, unless it is blank.
    pub(crate) fn add(&mut self, block: Block, kind: RegionKind, name: &str) {
        if !block.is_blank() {
            self.add_after("\n", block, kind, name);
        }
    }

    /// Notes a part of the source that has no text.
    pub(crate) fn unscanned(&mut self, part: impl Into<String>) {
        self.unscanned.push(part.into());
    }

    /// Notes content that cannot be examined and can be removed.
    pub(crate) fn removable(&mut self, removals: Vec<Removal>) {
        for removal in removals {
            self.unscanned(removal.kind);
            self.removals.push(removal);
        }
    }

    /// All content that cannot be examined and can be removed.
    pub(crate) fn into_removals(self) -> Vec<Removal> {
        self.removals
    }

    /// The document.
    pub(crate) fn finish(mut self, id: &str) -> Document {
        let mut named = BTreeSet::new();
        self.unscanned.retain(|part| named.insert(part.clone()));
        Document::new(id, self.text, Source::new(self.pieces), self.regions).with_unscanned(self.unscanned)
    }
}

/// A block of a format that reads its body first and the rest after it.
pub(crate) struct Aside {
    /// The block.
    pub(crate) block: Block,
    /// What it is.
    pub(crate) kind: RegionKind,
    /// Its name.
    pub(crate) name: String,
}
