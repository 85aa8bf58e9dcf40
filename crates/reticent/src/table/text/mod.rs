//! The texts of a table: detecting terms, matching them with columns, and rewriting them.

mod common;
mod find;
mod matching;
mod occupation;
mod rewrite;
pub(crate) mod value;

use std::collections::BTreeMap;

use reticent_text::{Language, Span};

pub(crate) use super::parallel::in_order;
pub(crate) use common::{CommonWords, Least};
pub use find::Finder;
pub(crate) use find::{Findings, find_all, form, spreads};
pub(crate) use matching::{Matcher, Place};
use occupation::OccupationDetector;
pub(crate) use rewrite::{Change, Rewritten, rewrite};
pub(crate) use value::How;

use crate::EntityType;

/// Something that texts say.
#[derive(Clone)]
pub(crate) struct Term {
    /// What it is.
    pub(crate) kind: EntityType,
    /// As tables compare it.
    pub(crate) value: String,
    /// The same for values that differ in nothing that matters.
    pub(crate) folded: String,
    /// As one text writes it: the first, by the order of letters.
    pub(crate) surface: String,
    /// Whether it may be told if all of a class say it.
    pub(crate) may_stay: bool,
}

/// Where a text says a term.
#[derive(Clone, Copy)]
pub(crate) struct Mention {
    pub(crate) span: Span,
    /// Its place in the vocabulary.
    pub(crate) term: u32,
}

/// The mentions of one text, in order, without overlaps.
pub(crate) struct Mentions {
    pub(crate) language: Language,
    pub(crate) mentions: Box<[Mention]>,
}

/// Spans that do not overlap.
#[derive(Default)]
pub(crate) struct Taken {
    ends: BTreeMap<usize, usize>,
}

impl Taken {
    /// Takes a span, if nothing of it is taken.
    pub(crate) fn take(&mut self, span: Span) -> bool {
        let free = !self.overlaps(span);
        if free {
            self.ends.insert(span.start, span.end);
        }
        free
    }

    /// Whether something of it is taken.
    pub(crate) fn overlaps(&self, span: Span) -> bool {
        self.ends.range(..span.end).next_back().is_some_and(|(_, end)| *end > span.start)
    }
}
