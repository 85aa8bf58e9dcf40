//! One chunk between white space, cut into tokens.

use unicode_segmentation::UnicodeSegmentation;

use super::{Cutter, Unit, address};
use crate::grapheme::is_cut;
use crate::sentence::{Abbreviation, is_abbreviated, is_closer};
use crate::{Language, Span};

impl Cutter<'_> {
    /// `last` says that the chunk ends the sentence.
    pub(super) fn cut_chunk(&mut self, chunk: Span, last: bool, push: &mut dyn FnMut(Span)) {
        let text = self.text;
        self.units.clear();
        let body = chunk.of(text);
        if body.is_ascii() {
            self.units.extend(body.bytes().enumerate().map(|(at, byte)| {
                let start = chunk.start + at;
                Unit { start, end: start + 1, first: char::from(byte) }
            }));
        } else {
            self.units.extend(body.grapheme_indices(true).map(|(at, grapheme)| {
                let start = chunk.start + at;
                let first = grapheme.chars().next().unwrap_or(' ');
                Unit { start, end: start + grapheme.len(), first }
            }));
        }
        let mut from = 0;
        while let Some(found) = address::find(&self.units, from) {
            self.scan(from, found.start, false, push);
            push(self.span(found.start, found.end));
            from = found.end;
        }
        self.scan(from, self.units.len(), last, push);
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.units[from].start, self.units[to - 1].end)
    }

    /// Cuts the units from `from` to `to`.
    fn scan(&self, from: usize, to: usize, last: bool, push: &mut dyn FnMut(Span)) {
        let units = &self.units[..to];
        // A full stop with nothing but closing signs after it ends the sentence.
        let closing = units[from..].iter().rev().take_while(|unit| is_closer(unit.first)).count();
        let stop = (to - from > closing && last).then(|| to - closing - 1);
        let mut at = from;
        while at < to {
            let begin = at;
            at = if begins_word(units, from, at) {
                let end = self.word_end(units, at, stop);
                push_word(self.text, self.span(begin, end), self.language, push);
                end
            } else {
                let end = sign_end(units, at);
                push(self.span(begin, end));
                end
            };
        }
    }

    fn word_end(&self, units: &[Unit], begin: usize, stop: Option<usize>) -> usize {
        let mut at = begin + 1;
        while at < units.len() {
            let c = units[at].first;
            let next = units.get(at + 1).map(|unit| unit.first);
            if is_word(c) || next.is_some_and(|next| joins(units, begin, at, next)) {
                at += 1;
            } else if c == '.' && next != Some('.') {
                let body = self.span(begin, at).of(self.text);
                let keeps = if stop == Some(at) {
                    is_abbreviated(body)
                } else {
                    next.is_none() || is_abbreviated(body) || Abbreviation::of(body).is_some()
                };
                return at + usize::from(keeps);
            } else {
                break;
            }
        }
        at
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Signs that belong to the word after them: `@ana`, `#tag`, `-5`, `+34`, `’90s`, `.5`
fn begins_word(units: &[Unit], from: usize, at: usize) -> bool {
    let c = units[at].first;
    if is_word(c) {
        return true;
    }
    let Some(next) = units.get(at + 1).map(|unit| unit.first) else { return false };
    match c {
        '@' | '#' => is_word(next),
        '-' | '+' => at == from && next.is_ascii_digit(),
        '\'' | '’' | '.' => (at == from || !is_word(units[at - 1].first)) && next.is_ascii_digit(),
        _ => false,
    }
}

/// Whether the sign at `at`, inside a word that begins at `begin`, joins what stands around it.
fn joins(units: &[Unit], begin: usize, at: usize, next: char) -> bool {
    let before = units[at - 1].first;
    if !is_word(next) || !is_word(before) {
        return false;
    }
    match units[at].first {
        '-' | '‐' | '‑' | '/' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => true,
        '\'' | '’' => next.is_alphabetic(),
        // A sentence without a space after it: `disease.The`, but not `Ph.D`.
        '.' => !(before.is_lowercase() && next.is_uppercase() && at - begin >= 3),
        ',' | ':' | '–' => before.is_ascii_digit() && next.is_ascii_digit(),
        '&' => before.is_uppercase() && next.is_uppercase(),
        _ => false,
    }
}

/// Where a sign ends: `--`, `...` and `!!!` are one token.
fn sign_end(units: &[Unit], at: usize) -> usize {
    let c = units[at].first;
    let single = units[at].end - units[at].start == c.len_utf8();
    if !single || !matches!(c, '-' | '.' | '!' | '?' | '=' | '*' | '_' | '~' | '`' | '\'') {
        return at + 1;
    }
    at + units[at..]
        .iter()
        .take_while(|unit| unit.first == c && unit.end - unit.start == c.len_utf8())
        .count()
}

const CONTRACTIONS: [&str; 14] =
    ["n't", "n’t", "'s", "’s", "'m", "’m", "'d", "’d", "'re", "’re", "'ve", "’ve", "'ll", "’ll"];

/// Words that hide two: where the second begins.
const FUSED: [(&str, usize); 4] = [("cannot", 3), ("gonna", 3), ("gotta", 3), ("wanna", 3)];

/// A word, cut before `n't`, `'s` and the like if it is English.
pub(super) fn push_word(text: &str, span: Span, language: Language, push: &mut dyn FnMut(Span)) {
    let word = span.of(text);
    let cut = contraction(word).filter(|&cut| is_cut(text, span.start + cut));
    match cut {
        Some(cut) if language == Language::English => {
            push(Span::new(span.start, span.start + cut));
            push(Span::new(span.start + cut, span.end));
        }
        _ => push(span),
    }
}

fn contraction(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    if bytes.len() == 5 || bytes.len() == 6 {
        let fused = FUSED.iter().find(|(fused, _)| word.eq_ignore_ascii_case(fused));
        if let Some((_, cut)) = fused {
            return Some(*cut);
        }
    }
    // All of them have their apostrophe among the last three characters.
    let tail = &bytes[bytes.len().saturating_sub(5)..];
    if !tail.iter().any(|&b| b == b'\'' || b == 0xe2) {
        return None;
    }
    CONTRACTIONS.iter().find_map(|ending| {
        let cut = word.len().checked_sub(ending.len()).filter(|&cut| cut > 0)?;
        word.get(cut..)?.eq_ignore_ascii_case(ending).then_some(cut)
    })
}
