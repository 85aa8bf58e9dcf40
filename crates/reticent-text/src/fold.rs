//! The folded view: a text as a reader would take it, whatever signs it is written with.
//!
//! `943&nbsp;476&nbsp;5919`, full-width digits, a Cyrillic letter in a Latin word, a soft hyphen or `ana (at) example
//! (dot) org` look like an identifier to a person and unlike one to a pattern. The view replaces them by what they
//! stand for and remembers where each part came from, so that detectors read the view and edits go to the original.
//!
//! Only what disguises is folded. Signs that mean something of their own stay: `m²`, `½`, `™`, dashes between words,
//! letters with diacritics, and words that are wholly in another script.

mod decode;
mod sign;

use std::borrow::Cow;
use std::ops::Range;

use crate::{Document, Layers, Region, Source, Span, Token};

/// The folded view of a text, with an exact map of offsets.
///
/// ```
/// use reticent_text::{Folded, Span};
/// let text = "Call ６０８&nbsp;555\u{2011}0134.";
/// let folded = Folded::new(text).expect("the text has signs to fold");
/// assert_eq!(folded.text(), "Call 608 555-0134.");
/// assert_eq!(folded.original(Span::new(5, 17)).of(text), "６０８&nbsp;555\u{2011}0134");
/// assert!(Folded::new("Call 608 555-0134.").is_none());
/// ```
#[derive(Clone)]
pub struct Folded {
    text: String,
    marks: Vec<Mark>,
}

/// A stretch that differs; between two marks both texts have the same bytes.
#[derive(Clone, Copy, Debug)]
struct Mark {
    original: Span,
    folded: Span,
}

impl Folded {
    /// Folds a text; nothing if it is its own folded view.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        Folder::new(text).run()
    }

    /// The folded text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The original of a folded span: all of each sign that it touches, and no ignored signs at its ends.
    #[must_use]
    pub fn original(&self, span: Span) -> Span {
        let start = self.original_start(span.start);
        if span.is_empty() {
            return Span::new(start, start);
        }
        let before = self.marks.partition_point(|mark| mark.folded.end < span.end);
        let end = match self.marks.get(before) {
            // Signs that were dropped right after the span do not belong to it.
            Some(mark) if mark.folded.start < span.end => mark.original.end,
            _ => self.shifted(before, span.end),
        };
        Span::new(start, end.max(start))
    }

    fn original_start(&self, at: usize) -> usize {
        let after = self.marks.partition_point(|mark| mark.folded.end <= at);
        match self.marks.get(after) {
            Some(mark) if mark.folded.start <= at => mark.original.start,
            _ => self.shifted(after, at),
        }
    }

    /// An offset that lies after `marks[..after]` and before the next.
    fn shifted(&self, after: usize, at: usize) -> usize {
        let (original, folded) =
            self.marks[..after].last().map_or((0, 0), |m| (m.original.end, m.folded.end));
        original + (at - folded)
    }

    /// The folded span of an original one: all of each sign that it touches.
    #[must_use]
    pub fn folded(&self, span: Span) -> Span {
        let at = |at: usize, end: bool| {
            let after = self.marks.partition_point(|mark| mark.original.end <= at);
            match self.marks.get(after) {
                Some(mark) if mark.original.start < at => {
                    if end {
                        mark.folded.end
                    } else {
                        mark.folded.start
                    }
                }
                _ => {
                    let last = self.marks[..after].last();
                    let (original, folded) = last.map_or((0, 0), |mark| (mark.original.end, mark.folded.end));
                    folded + (at - original)
                }
            }
        };
        let start = at(span.start, false);
        Span::new(start, at(span.end, true).max(start))
    }

    /// The folded view of the document of whose text this was made: the same regions, and no way back to the bytes.
    #[must_use]
    pub fn document(&self, original: &Document) -> Document {
        let regions = original
            .regions()
            .iter()
            .map(|region| Region { span: self.folded(region.span), ..region.clone() })
            .collect();
        let source = Source::identity(&self.text);
        let mut document = Document::new(original.id(), self.text.clone(), source, regions)
            .with_unscanned(original.unscanned().to_vec())
            .with_person(original.person().map(str::to_owned))
            .with_original(original.text(), self.clone());
        document.set_language(original.language());
        document
    }

    /// The layers of the original, from those of the folded view.
    #[must_use]
    pub fn layers(&self, folded: &Layers) -> Layers {
        let mut layers = Layers::new(folded.language);
        layers.fallback = folded.fallback;
        layers.sentences = apart(folded.sentences.iter().map(|span| self.original(*span)), |span| *span);
        let tokens = folded.tokens.iter().map(|token| Token { span: self.original(token.span), ..*token });
        layers.tokens = apart(tokens, |token| token.span);
        layers.noun_phrases =
            apart(folded.noun_phrases.iter().map(|span| self.original(*span)), |span| *span);
        layers
    }
}

/// Without those that overlap the one before: of several tokens from one sign, the first stands for all.
fn apart<T>(items: impl Iterator<Item = T>, span: impl Fn(&T) -> Span) -> Vec<T> {
    let mut end = 0;
    let mut kept = Vec::with_capacity(items.size_hint().0);
    for item in items {
        let here = span(&item);
        if here.start >= end && !here.is_empty() {
            end = here.end;
            kept.push(item);
        }
    }
    kept
}

/// Folds a short text for comparison.
#[must_use]
pub fn fold(text: &str) -> Cow<'_, str> {
    Folded::new(text).map_or(Cow::Borrowed(text), |folded| Cow::Owned(folded.text))
}

/// Bytes that may begin something to fold; all others are copied.
const fn may_fold(byte: u8) -> bool {
    !byte.is_ascii() || matches!(byte, b'&' | b'\\' | b'=' | b'%' | b'(' | b'[' | b'{')
}

struct Folder<'t> {
    original: &'t str,
    text: String,
    marks: Vec<Mark>,
    /// How much of the original is in `text`.
    done: usize,
    /// The run of letters and digits last looked at, and whether its letters are homoglyphs.
    run: (Range<usize>, bool),
    /// Where the last raised sign ended, and whether it belongs to the word before it.
    raised: (usize, bool),
}

impl<'t> Folder<'t> {
    fn new(original: &'t str) -> Self {
        Self {
            original,
            text: String::new(),
            marks: Vec::new(),
            done: 0,
            run: (0..0, false),
            raised: (0, false),
        }
    }

    fn run(mut self) -> Option<Folded> {
        let mut at = 0;
        while let Some(next) = self.original.as_bytes()[at..].iter().position(|byte| may_fold(*byte)) {
            at += next;
            let before = self.done;
            at = if self.original.as_bytes()[at].is_ascii() { self.escape(at) } else { self.sign(at) };
            debug_assert!(at > before || at == self.original.len());
        }
        if self.marks.is_empty() {
            return None;
        }
        self.copy(self.original.len());
        Some(Folded { text: self.text, marks: self.marks })
    }

    /// Copies the original up to an offset.
    fn copy(&mut self, to: usize) {
        self.text.push_str(&self.original[self.done..to]);
        self.done = to;
    }

    /// Writes `with` for a span of the original, which may begin in what was copied since the last mark.
    fn replace(&mut self, span: Span, with: &str) {
        if span.start < self.done {
            self.text.truncate(self.text.len() - (self.done - span.start));
            self.done = span.start;
        } else {
            self.copy(span.start);
        }
        let start = self.text.len();
        self.text.push_str(with);
        self.marks.push(Mark { original: span, folded: Span::new(start, self.text.len()) });
        self.done = span.end;
    }

    /// Where the last mark ends: no replacement may begin before.
    fn floor(&self) -> usize {
        self.marks.last().map_or(0, |mark| mark.original.end)
    }

    /// Decodes an escape that begins here, if one does.
    fn escape(&mut self, at: usize) -> usize {
        let Some((span, decoded)) = decode::at(self.original, at, self.floor()) else { return at + 1 };
        let mut plain = String::with_capacity(decoded.len());
        for c in decoded.chars() {
            sign::plain(c).write(c, &mut plain);
        }
        self.replace(span, &plain);
        span.end
    }

    /// Folds a sign beyond ASCII.
    fn sign(&mut self, at: usize) -> usize {
        let rest = &self.original[at..];
        let Some(c) = rest.chars().next() else { return self.original.len() };
        let span = Span::new(at, at + c.len_utf8());
        match sign::plain(c) {
            sign::Plain::Same if sign::is_combining(c) => self.compose(span, c),
            sign::Plain::Same if c.is_alphabetic() => {
                if let Some(twin) = sign::homoglyph(c).filter(|_| self.disguises(at)) {
                    self.replace(span, twin.encode_utf8(&mut [0; 4]));
                }
            }
            sign::Plain::Same if sign::is_dash(c) => {
                // Signs that are dropped stand between nothing.
                let digit = |c: Option<char>| c.is_some_and(sign::is_digit);
                self.copy(at);
                let after = self.original[span.end..].chars().find(|c| !sign::is_ignorable(*c));
                if digit(self.text.chars().next_back()) && digit(after) {
                    self.replace(span, "-");
                }
            }
            // A raised sign that belongs to the word before it is a footnote or a power.
            _ if sign::is_raised(c) && self.follows_word(span) => {}
            sign::Plain::Same => {}
            plain => {
                let mut with = String::new();
                plain.write(c, &mut with);
                self.replace(span, &with);
            }
        }
        span.end
    }

    /// Joins a combining sign with the letter before it; one that does not fit onto an ASCII letter is dropped.
    fn compose(&mut self, span: Span, sign: char) {
        self.copy(span.start);
        let Some(base) = self.text.chars().next_back() else { return };
        let with = match unicode_normalization::char::compose(base, sign) {
            Some(composed) => composed,
            None if base.is_ascii_alphanumeric() => base,
            None => return,
        };
        let last =
            self.marks.last_mut().filter(|mark| mark.original.end == span.start && !mark.folded.is_empty());
        if let Some(mark) = last {
            self.text.truncate(self.text.len() - base.len_utf8());
            self.text.push(with);
            mark.original.end = span.end;
            mark.folded.end = self.text.len();
            self.done = span.end;
        } else if span.start - base.len_utf8() >= self.floor() {
            let whole = Span::new(span.start - base.len_utf8(), span.end);
            self.replace(whole, with.encode_utf8(&mut [0; 4]));
        }
    }

    fn follows_word(&mut self, raised: Span) -> bool {
        let goes_on = self.raised.0 == raised.start && raised.start > 0;
        let follows = if goes_on {
            self.raised.1
        } else {
            self.original[..raised.start].ends_with(char::is_alphanumeric)
        };
        self.raised = (raised.end, follows);
        follows
    }

    /// Whether the letters of other scripts in the run of letters and digits here stand for Latin ones: all of them look
    /// like one, and the run has Latin letters or digits too, belongs to an address, or stands among Latin words.
    fn disguises(&mut self, at: usize) -> bool {
        if !self.run.0.contains(&at) {
            let start = self.original[..at].char_indices().rev().take_while(|(_, c)| is_of_run(*c)).last();
            let start = start.map_or(at, |(start, _)| start);
            let end = self.original[at..].find(|c| !is_of_run(c)).map_or(self.original.len(), |end| at + end);
            let run = &self.original[start..end];
            let mut foreign = run.chars().filter(|c| c.is_alphabetic() && !sign::is_latin(*c));
            let alike = foreign.all(|c| sign::homoglyph(c).is_some());
            let mixed = || run.chars().any(|c| sign::is_latin(c) || sign::is_digit(c));
            let address = || {
                self.original[end..].starts_with('@')
                    || self.original[..start].ends_with(['@', '.', '_', '-'])
            };
            let disguises = alike && (mixed() || address());
            // Nothing of the run was copied yet that is seen: it would be mixed.
            self.copy(at);
            let disguises = disguises || alike && self.is_among_latin(start..end);
            self.run = (start..end, disguises);
        }
        self.run.1
    }

    /// Whether the words beside a run are Latin or numbers, and at least one is Latin; a number is enough for one or two
    /// capitals, such as those of a postcode. What stands before it is folded already.
    fn is_among_latin(&self, run: Range<usize>) -> bool {
        let line = |c: &char| *c != '\n';
        let before = self.text.chars().rev().take(NEAR).take_while(line);
        let after = self.original[run.end..].chars().take(NEAR).take_while(line);
        let words = [first_word(before), first_word(after)];
        let capitals = self.original[run].chars();
        let short = capitals.clone().count() <= 2 && capitals.clone().all(char::is_uppercase);
        let counts = |c: char| sign::is_latin(c) || (short && sign::is_digit(c));
        let is_plain = |c: char| counts(c) || !c.is_alphabetic() || sign::homoglyph(c).is_some();
        words.iter().any(|word| word.chars().any(counts))
            && words.iter().all(|word| word.chars().all(is_plain))
    }
}

/// How far the neighbours of a word are looked for.
const NEAR: usize = 32;

/// The first word of a text that runs forwards or backwards.
fn first_word(text: impl Iterator<Item = char>) -> String {
    let seen = text.filter(|c| !sign::is_ignorable(*c));
    seen.skip_while(|c| !c.is_alphanumeric()).take_while(|c| c.is_alphanumeric()).collect()
}

fn is_of_run(c: char) -> bool {
    c.is_alphanumeric() || sign::is_ignorable(c) || sign::is_combining(c)
}

#[cfg(test)]
mod tests;
