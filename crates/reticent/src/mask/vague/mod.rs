//! What is said where nothing may be told: words that stand for whatever was there.
//!
//! `fight the infection` is `fight something`, `taking their medicines` is `taking some things of theirs`, and what `weakens the
//! body` has `something to do with the body`. Each is true of whatever stood there and fits its sentence; for that it may take
//! in what belonged to the words: articles, adjectives, a preposition. Where nothing fits, a label stays.

mod deed;
mod noun;

use reticent_text::{Document, Language, Layers, Span, Token};

/// Whether this is all that is said of a thing: that it is one.
pub(crate) fn is_nothing(words: &str) -> bool {
    ["something", "some things", "things"].contains(&words)
}

/// What denies a clause, as tokens.
const NOT: [&str; 10] =
    ["not", "n't", "n’t", "never", "rarely", "seldom", "hardly", "without", "cannot", "nor"];

/// What nothing is told of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Whatever is no person.
    #[default]
    Thing,
    /// A person or several, of whom nobody says `something`.
    Person,
    /// What someone or something does: no noun, even if the tagger thinks so.
    Deed,
    /// The same where something is changed by it: `weakens`.
    Change,
}

impl Sort {
    const ALL: [Self; 4] = [Self::Thing, Self::Person, Self::Deed, Self::Change];

    /// The level of a decision that tells nothing of it.
    pub(crate) fn level(self) -> &'static str {
        match self {
            Self::Thing => "something",
            Self::Person => "someone",
            Self::Deed => "something_done",
            Self::Change => "something_changed",
        }
    }

    fn is_done(self) -> bool {
        matches!(self, Self::Deed | Self::Change)
    }

    /// The sort that has a level.
    pub(crate) fn of_level(level: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.level() == level)
    }
}

/// What is said, and over which stretch: it holds the one that was asked for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Vague {
    pub(crate) span: Span,
    pub(crate) words: String,
}

/// What can be said over a stretch without telling anything of it; nothing if only a label fits.
pub(crate) fn say(document: &Document, span: Span, sort: Sort) -> Option<Vague> {
    let layers = document.layers().filter(|layers| !layers.fallback)?;
    let around =
        (layers.language == Language::English).then(|| Around::new(document.text(), layers, span))??;
    if deed::is_verb(&around, sort) { deed::say(&around, sort) } else { noun::say(&around, sort) }
}

/// Whether something broader may be false where this stands: there is no cure, but there are medicines.
pub(crate) fn is_denied(document: &Document, span: Span) -> bool {
    let around = document.layers().and_then(|layers| Around::new(document.text(), layers, span));
    document.language() == Language::English && around.is_some_and(|around| noun::is_of_any(&around))
}

/// Whether a word denies its clause.
pub(crate) fn denies(word: &str) -> bool {
    NOT.contains(&word) || word.ends_with("n't")
}

/// The tokens of a stretch and those around it.
struct Around<'a> {
    text: &'a str,
    layers: &'a Layers,
    span: Span,
    /// The first token of the stretch, and the one after it.
    first: usize,
    next: usize,
}

impl<'a> Around<'a> {
    /// Nothing for a part of a word.
    fn new(text: &'a str, layers: &'a Layers, span: Span) -> Option<Self> {
        let first = layers.tokens.partition_point(|token| token.span.start < span.start);
        let next = layers.tokens.partition_point(|token| token.span.start < span.end);
        let whole = layers.tokens.get(first)?.span.start == span.start
            && layers.tokens.get(next.checked_sub(1)?)?.span.end == span.end;
        whole.then_some(Self { text, layers, span, first, next })
    }

    fn word(&self, at: usize) -> &'a str {
        self.layers.tokens.get(at).map_or("", |token| token.span.of(self.text))
    }

    fn tag(&self, at: usize) -> &'static str {
        self.layers.tokens.get(at).map_or("", |token| token.tag.name())
    }

    /// The last token of the stretch: its noun, or its verb.
    fn head(&self) -> Token {
        self.layers.tokens[self.next - 1]
    }

    /// The token after another on the same line, with nothing but blanks between.
    fn after(&self, at: usize) -> Option<Token> {
        let (one, two) = (self.layers.tokens.get(at)?, self.layers.tokens.get(at + 1)?);
        let gap = &self.text[one.span.end..two.span.start];
        gap.chars().all(|c| c == ' ').then_some(*two)
    }

    /// Whether `not` or the like stands up to so many tokens before one, with nothing between that ends its clause.
    fn is_denied(&self, at: usize, reach: usize, ends: &[&str]) -> bool {
        let before = (0..at).rev().take(reach).map(|at| self.word(at));
        let mut clause = before.take_while(|word| !ends.contains(word));
        clause.any(denies)
    }

    /// Whether a sentence, a line or what is listed starts with a token.
    fn starts(&self, at: usize) -> bool {
        let Some(token) = self.layers.tokens.get(at) else { return false };
        let before = self.text[..token.span.start].trim_end_matches([' ', '"', '“']);
        before.is_empty()
            || before.ends_with(['.', '!', '?', '\n', '-', '•', ':'])
            || self
                .layers
                .sentences
                .binary_search_by_key(&token.span.start, |sentence| sentence.start)
                .is_ok()
    }
}

#[cfg(test)]
mod tests;
