//! What stands around a stretch of text.

use reticent_text::Span;

/// A stretch and what stands around it.
pub(super) struct Around<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    /// The word before, if only white space lies between.
    pub(super) left: Option<Left<'a>>,
}

/// The word before a stretch.
pub(super) struct Left<'a> {
    pub(super) word: &'a str,
    pub(super) start: usize,
    /// The white space between it and the stretch.
    pub(super) gap: &'a str,
}

impl Left<'_> {
    pub(super) fn lower(&self) -> String {
        self.word.to_lowercase()
    }

    pub(super) fn is_capitalized(&self) -> bool {
        self.word.starts_with(char::is_uppercase)
    }
}

/// Words whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 20] = [
    "mr", "mrs", "ms", "dr", "st", "prof", "sr", "sra", "dra", "jr", "no", "nº", "vs", "etc", "rev", "gen",
    "col", "inc", "art", "d",
];

impl<'a> Around<'a> {
    /// `span` must lie in `text`.
    pub(super) fn new(text: &'a str, span: Span) -> Self {
        Self { text, span, left: left_of(text, span.start) }
    }

    pub(super) fn surface(&self) -> &'a str {
        self.span.of(self.text)
    }

    pub(super) fn before(&self) -> &'a str {
        &self.text[..self.span.start]
    }

    pub(super) fn after(&self) -> &'a str {
        &self.text[self.span.end..]
    }

    /// The word before the word on the left.
    pub(super) fn second_left(&self) -> Option<Left<'a>> {
        left_of(self.text, self.left.as_ref()?.start)
    }

    /// The word before that one.
    pub(super) fn third_left(&self) -> Option<Left<'a>> {
        left_of(self.text, self.second_left()?.start)
    }

    /// The word after, if only white space lies between.
    pub(super) fn right_word(&self) -> Option<&'a str> {
        let rest = self.after().trim_start();
        if rest.len() == self.after().len() {
            return None;
        }
        let end = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
        (end > 0).then_some(&rest[..end])
    }

    /// Whether the stretch is the first of a sentence and was written as one starts. A stretch that
    /// is all there is (a cell, a field) is no sentence.
    pub(super) fn starts_sentence(&self) -> bool {
        let alone = self.before().trim().is_empty() && self.after().trim().is_empty();
        !alone && !self.surface().starts_with(char::is_lowercase) && is_sentence_start(self.before())
    }

    /// Whether the full stop of `9.30 a.m.` or `Sept.` ends the sentence, too.
    pub(super) fn ends_sentence_with_abbreviation(&self) -> bool {
        let next = self.after().trim_start_matches([' ', '\t']);
        let spaced = next.len() < self.after().len();
        self.surface().ends_with('.')
            && (next.is_empty()
                || next.starts_with(['\n', '\r'])
                || spaced && next.starts_with(char::is_uppercase))
    }

    /// Whether the word on the left is the first of a sentence.
    pub(super) fn left_starts_sentence(&self) -> bool {
        self.left.as_ref().is_some_and(|left| is_sentence_start(&self.text[..left.start]))
    }
}

/// Whether a sentence starts after this text.
fn is_sentence_start(before: &str) -> bool {
    let opening = |c: char| matches!(c, '"' | '“' | '‘' | '(' | '«' | '¿' | '¡' | '*' | '_' | '#' | '>');
    let rest = before.trim_end_matches(opening);
    let trimmed = rest.trim_end();
    let gap = &rest[trimmed.len()..];
    if trimmed.is_empty() || gap.matches('\n').count() > 1 {
        return true;
    }
    if gap.is_empty() {
        return false;
    }
    let trimmed = trimmed.trim_end_matches(['"', '”', '’', ')', '»']);
    if trimmed.ends_with(['!', '?', '…']) {
        // `Help! (1965)` goes on.
        return !before.ends_with('(');
    }
    let Some(stopped) = trimmed.strip_suffix('.') else { return false };
    let start = stopped.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric()).last();
    let word = start.map_or("", |(at, _)| &stopped[at..]).to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    !initial && !ABBREVIATIONS.contains(&word.as_str())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’')
}

/// The word before `at`, on the same line or at the end of the line before.
fn left_of(text: &str, at: usize) -> Option<Left<'_>> {
    let before = &text[..at];
    let trimmed = before.trim_end();
    let gap = &before[trimmed.len()..];
    if gap.is_empty() || gap.matches('\n').count() > 1 {
        return None;
    }
    let start = trimmed.char_indices().rev().take_while(|(_, c)| is_of_word(*c)).last()?.0;
    // `vitamin-a` and `e.g. a` end in no word of their own.
    let glued = trimmed[..start].ends_with(|c: char| !c.is_whitespace() && !"\"“‘(«¿¡*_>[".contains(c));
    (!glued).then_some(Left { word: &trimmed[start..], start, gap })
}
