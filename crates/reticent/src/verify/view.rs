//! The folded view of the check: the text as a reader takes it, whatever signs it is written with.
//!
//! The detectors have a view of their own. This one shares no code with it, so that a fault there cannot hide an
//! identifier here too. It is blunter: it only has to find, and the released text is never written from it.

mod escape;

use std::borrow::Cow;

use reticent_text::Span;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};
use unicode_security::confusable_detection::skeleton;

/// A folded text, with the way back to the original.
pub(super) struct View<'t> {
    text: Cow<'t, str>,
    /// The stretches that differ, in order: their place in the view and in the original.
    changes: Vec<(Span, Span)>,
}

impl<'t> View<'t> {
    pub(super) fn of(original: &'t str) -> Self {
        let mut writer =
            Writer { original, text: String::new(), changes: Vec::new(), copied: 0, word: (0, false) };
        let mut at = 0;
        while let Some(c) = original[at..].chars().next() {
            at = writer.step(at, c);
        }
        if writer.changes.is_empty() {
            return Self { text: Cow::Borrowed(original), changes: Vec::new() };
        }
        writer.copy(original.len());
        Self { text: Cow::Owned(writer.text), changes: writer.changes }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The original of a span of the view: all of each sign that it touches.
    pub(super) fn original(&self, span: Span) -> Span {
        let outside = |before: usize, at: usize| {
            let (folded, original) = self.changes[..before].last().map_or((0, 0), |(f, o)| (f.end, o.end));
            original + (at - folded)
        };
        let first = self.changes.partition_point(|(folded, _)| folded.end <= span.start);
        let start = match self.changes.get(first) {
            Some((folded, original)) if folded.start <= span.start => original.start,
            _ => outside(first, span.start),
        };
        let last = self.changes.partition_point(|(folded, _)| folded.end < span.end);
        let end = match self.changes.get(last) {
            Some((folded, original)) if folded.start < span.end => original.end,
            _ => outside(last, span.end),
        };
        Span::new(start, end.max(start))
    }
}

struct Writer<'t> {
    original: &'t str,
    text: String,
    changes: Vec<(Span, Span)>,
    /// How much of the original is in the view.
    copied: usize,
    /// Where the word ends whose letters were last looked at, and whether it mixes scripts.
    word: (usize, bool),
}

impl Writer<'_> {
    fn copy(&mut self, to: usize) {
        self.text.push_str(&self.original[self.copied..to]);
        self.copied = to;
    }

    fn replace(&mut self, span: Span, with: &str) -> usize {
        self.copy(span.start);
        let start = self.text.len();
        self.text.push_str(with);
        self.changes.push((Span::new(start, self.text.len()), span));
        self.copied = span.end;
        span.end
    }

    /// Folds what begins at this place, and returns where the next begins.
    fn step(&mut self, at: usize, c: char) -> usize {
        let next = at + c.len_utf8();
        let here = Span::new(at, next);
        if c.is_ascii() {
            return match escape::at(self.original, at) {
                Some((end, decoded)) => {
                    let plain: String = decoded.nfkc().filter(|c| !is_ignorable(*c)).map(sign).collect();
                    self.replace(Span::new(at, end), &plain)
                }
                None => next,
            };
        }
        if is_ignorable(c) {
            return self.replace(here, "");
        }
        if is_combining_mark(c) {
            return self.join(here, c);
        }
        let plain = sign(c);
        if plain != c {
            return self.replace(here, plain.encode_utf8(&mut [0; 4]));
        }
        if is_raised(c) && self.original[..at].ends_with(|before: char| before.is_alphanumeric()) {
            return next;
        }
        if c.is_alphabetic() {
            return self.letter(here, c);
        }
        self.compatible(here, c)
    }

    /// A sign by what it is compatible with: full-width forms, circled digits, ligatures.
    fn compatible(&mut self, here: Span, c: char) -> usize {
        let folded: String = std::iter::once(c).nfkc().collect();
        let symbol = matches!(c, '…' | '\u{2100}'..='\u{214f}');
        let useful = !symbol && folded.chars().all(|c| c.is_ascii_graphic() || c.is_alphabetic());
        if useful && !folded.starts_with(c) { self.replace(here, &folded) } else { here.end }
    }

    /// A letter by the ASCII letter that looks like it, in a word that has ASCII letters or digits too.
    fn letter(&mut self, here: Span, c: char) -> usize {
        let folded: String = std::iter::once(c).nfkc().collect();
        if !folded.starts_with(c) {
            return self.replace(here, &folded);
        }
        if std::iter::once(c).nfd().next().is_some_and(|base| base.is_ascii()) {
            return here.end;
        }
        if here.start >= self.word.0 {
            let of_word = |c: &char| c.is_alphanumeric() || is_ignorable(*c) || is_combining_mark(*c);
            let rest = &self.original[here.start..];
            let length: usize = rest.chars().take_while(of_word).map(char::len_utf8).sum();
            let unseen = self.original[self.copied..here.start].chars().next_back();
            let beside = |c: char| c.is_ascii_alphanumeric() || c == '@';
            let mixed = unseen.or_else(|| self.text.chars().next_back()).is_some_and(beside)
                || rest[..length].chars().any(|c| c.is_ascii_alphanumeric())
                || rest[length..].starts_with('@');
            self.word = (here.start + length, mixed);
        }
        match looks_like(c).filter(|_| self.word.1) {
            Some(twin) => self.replace(here, twin.encode_utf8(&mut [0; 4])),
            None => here.end,
        }
    }

    /// A combining mark, joined with the letter before it where the two have a sign of their own.
    fn join(&mut self, here: Span, mark: char) -> usize {
        self.copy(here.start);
        let Some(base) = self.text.chars().next_back() else { return here.end };
        let with = match compose(base, mark) {
            Some(composed) => composed,
            None if base.is_ascii_alphanumeric() => base,
            None => return here.end,
        };
        let start = self.text.len() - base.len_utf8();
        let mut from = here.start - self.original[..here.start].chars().next_back().map_or(0, char::len_utf8);
        while let Some((folded, original)) = self.changes.last().copied().filter(|(f, _)| f.end > start) {
            if folded.start < start {
                // The letter is a part of a longer change: both are one.
                self.text.truncate(start);
                self.text.push(with);
                self.copied = here.end;
                let last = self.changes.len() - 1;
                self.changes[last] =
                    (Span::new(folded.start, self.text.len()), Span::new(original.start, here.end));
                return here.end;
            }
            // Signs that were dropped between the letter and its mark belong to the change.
            let dropped = if folded.start > start { base.len_utf8() } else { 0 };
            from = original.start.saturating_sub(dropped);
            self.changes.pop();
        }
        self.text.truncate(start);
        self.text.push(with);
        self.copied = here.end;
        self.changes.push((Span::new(start, self.text.len()), Span::new(from, here.end)));
        here.end
    }
}

/// The ASCII letter that a letter of another script looks like.
fn looks_like(c: char) -> Option<char> {
    let mut buffer = [0; 4];
    let mut twins = skeleton(c.encode_utf8(&mut buffer));
    let twin = twins.next().filter(char::is_ascii_alphabetic)?;
    // The prototype of a capital I is a small L.
    let twin = if twin == 'l' && c.is_uppercase() { 'I' } else { twin };
    twins.next().is_none().then_some(twin)
}

/// A word as its look-alikes share it: without case, diacritics and script.
pub(super) fn key(word: &str) -> String {
    let bare: String = word.to_lowercase().nfkd().filter(|c| !is_combining_mark(*c)).collect();
    skeleton(&bare).collect()
}

/// A blank for every space, a hyphen for every dash, an ASCII digit for every decimal digit.
fn sign(c: char) -> char {
    match c {
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2044}' | '\u{2215}' | '\u{ff0f}' => '/',
        _ => digit(c).unwrap_or(c),
    }
}

fn digit(c: char) -> Option<char> {
    let code = u32::from(c);
    let at = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    let value = code - ZEROS[at];
    // The mathematical digits are five rows of ten.
    let count = if ZEROS[at] == 0x1d7ce { 50 } else { 10 };
    (value < count).then(|| char::from_digit(value % 10, 10)).flatten()
}

/// The zero of each row of decimal digits beyond ASCII.
const ZEROS: &[u32] = &[
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11c50, 0x11d50,
    0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950, 0x1fbf0,
];

/// Signs that no reader sees: soft hyphens, joiners, marks of direction, selectors of variants.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Powers and footnote marks.
fn is_raised(c: char) -> bool {
    matches!(c, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{aa}' | '\u{ba}' | '\u{2070}'..='\u{209c}')
}

#[cfg(test)]
mod tests;
