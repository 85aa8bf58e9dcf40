//! Many patterns over one document.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rayon::prelude::*;
use reticent_text::{Document, Region, Span};

use super::compiled::Pattern;
use super::context::floor_boundary;
use super::gate::{Gate, Literal};
use super::split;
use crate::detect::{Detector, LONG, concat};
use crate::{EntityType, Error, ErrorKind, Finding};

/// Runs patterns over documents.
///
/// The text is read once for the literals and the digits that the patterns need; a pattern then
/// runs only in windows around them. The result is what running each pattern over the whole text
/// would give.
///
/// ```
/// use reticent::detect::{Detector, pattern::PatternDetector};
/// use reticent_text::Document;
/// let detector = PatternDetector::builtin()?;
/// let letter = Document::plain("letter", "Write to ana@example.org by 3 May 2024.");
/// let found: Vec<_> =
///     detector.detect(&letter)?.iter().map(|f| (f.span.of(letter.text()).to_owned())).collect();
/// assert!(found.contains(&"ana@example.org".to_owned()));
/// assert!(found.contains(&"3 May 2024".to_owned()));
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Debug)]
pub struct PatternDetector {
    patterns: Vec<Arc<Pattern>>,
    words: AhoCorasick,
    /// For each word of `words`: the patterns that need it.
    wanted: Vec<Vec<Want>>,
    /// The patterns that need digits: how many, and how long a match is at most.
    digits: Vec<(usize, usize, usize)>,
    /// The patterns that run over the whole text.
    open: Vec<usize>,
}

/// How long a text may be for its windows to be used again; those of a longer text would stay in memory for nothing.
const REMEMBERED: usize = 1 << 16;

/// For each pattern the stretches of a text in which it could match, and which patterns have some. It is used again for
/// the next text: most texts are short, and making it anew would take longer than searching them.
#[derive(Default)]
struct Windows {
    of: Vec<Vec<Range<usize>>>,
    some: Vec<usize>,
    /// Where the text has digits.
    digits: Vec<u32>,
    /// How many digits stand in a row at most.
    in_a_row: usize,
}

impl Windows {
    /// Adds a window, into the last one if they touch.
    fn add(&mut self, pattern: usize, start: usize, end: usize) {
        if self.of[pattern].is_empty() {
            self.some.push(pattern);
        }
        push(&mut self.of[pattern], start, end);
    }

    fn clear(&mut self, patterns: usize) {
        for pattern in self.some.drain(..) {
            self.of[pattern].clear();
        }
        self.digits.clear();
        if self.of.len() < patterns {
            self.of.resize(patterns, Vec::new());
        }
    }
}

fn push(windows: &mut Vec<Range<usize>>, start: usize, end: usize) {
    match windows.last_mut() {
        Some(last) if last.start <= start && start <= last.end => last.end = last.end.max(end),
        _ => windows.push(start..end),
    }
}

thread_local! {
    static WINDOWS: Cell<Windows> = Cell::default();
}

#[derive(Clone, Debug)]
struct Want {
    pattern: usize,
    literal: Literal,
}

impl PatternDetector {
    /// A detector of these patterns.
    pub fn new(patterns: Vec<Arc<Pattern>>) -> Result<Self, Error> {
        let mut needed: Vec<(Literal, usize)> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            if let Gate::Literals(literals) = &pattern.reach().gate {
                needed.extend(literals.iter().map(|literal| (literal.clone(), index)));
            }
        }
        needed.sort();
        let mut words: Vec<Vec<u8>> = Vec::new();
        let mut wanted: Vec<Vec<Want>> = Vec::new();
        for (literal, pattern) in needed {
            match (words.last(), wanted.last_mut()) {
                (Some(last), Some(wants)) if *last == literal.bytes => wants.push(Want { pattern, literal }),
                _ => {
                    words.push(literal.bytes.clone());
                    wanted.push(vec![Want { pattern, literal }]);
                }
            }
        }
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&words)
            .map_err(|_| {
                Error::new(ErrorKind::Policy, "the patterns use too many different context words")
            })?;
        let (mut digits, mut open) = (Vec::new(), Vec::new());
        for (index, pattern) in patterns.iter().enumerate() {
            match pattern.reach().gate {
                Gate::Literals(_) => {}
                Gate::Open => open.push(index),
                Gate::Digits(least) => digits.push((index, least, pattern.reach().longest)),
            }
        }
        Ok(Self { patterns, words, wanted, digits, open })
    }

    /// A detector of all built-in patterns.
    pub fn builtin() -> Result<Self, Error> {
        Self::new(super::builtin().to_vec())
    }

    /// The patterns that it runs.
    pub fn patterns(&self) -> &[Arc<Pattern>] {
        &self.patterns
    }

    /// Returns the findings of all patterns in a text, in order.
    pub fn find(&self, text: &str) -> Result<Vec<Finding>, Error> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error::new(ErrorKind::Detector, "texts larger than 4 GB are not supported"));
        }
        let mut windows = WINDOWS.take();
        self.fill(&mut windows, text);
        let found = self.run_in(&mut windows, text);
        if text.len() <= REMEMBERED {
            WINDOWS.set(windows);
        }
        found
    }

    /// The same, and numbers that are written in pieces.
    pub(super) fn find_all(&self, text: &str) -> Result<Vec<Finding>, Error> {
        let mut found = self.find(text)?;
        let more = split::find(self, text, &found)?;
        found.extend(more);
        Ok(found)
    }

    fn run_in(&self, windows: &mut Windows, text: &str) -> Result<Vec<Finding>, Error> {
        // A pattern that needs more digits in a row than there are matches nowhere.
        let could = |pattern: usize| self.patterns[pattern].reach().in_a_row <= windows.in_a_row;
        let by_words: Vec<usize> = windows.some.iter().copied().filter(|pattern| could(*pattern)).collect();
        for pattern in &by_words {
            join(&mut windows.of[*pattern], text);
        }
        let near_words = |pattern: &usize| self.find_one(*pattern, text, &windows.of[*pattern]);
        // Patterns that need digits have many windows: each makes them when it runs.
        let near_digits = |(pattern, least, longest): &&(usize, usize, usize)| {
            let mut near = Vec::new();
            for run in windows.digits.windows(*least) {
                let (first, last) = (run[0] as usize, run[least - 1] as usize);
                if last - first < *longest {
                    push(&mut near, (last + 1).saturating_sub(*longest), first + longest);
                }
            }
            join(&mut near, text);
            self.find_one(*pattern, text, &near)
        };
        let by_digits: Vec<_> = self.digits.iter().filter(|(pattern, ..)| could(*pattern)).collect();
        // Short texts come by the thousand, and each thread has its own.
        let found: Result<Vec<Vec<Finding>>, Error> = if text.len() < LONG {
            by_words.iter().map(near_words).chain(by_digits.iter().map(near_digits)).collect()
        } else {
            let by_words = by_words.par_iter().map(near_words);
            by_words.chain(by_digits.par_iter().map(near_digits)).collect()
        };
        let mut findings = concat(found?);
        in_order(&mut findings);
        Ok(findings)
    }

    fn find_one(&self, pattern: usize, text: &str, windows: &[Range<usize>]) -> Result<Vec<Finding>, Error> {
        let mut findings = Vec::new();
        self.patterns[pattern].find_in(text, windows, &mut findings)?;
        Ok(findings)
    }

    /// What every pattern finds when it runs over the whole text: the measure for [`Self::find`].
    #[cfg(test)]
    pub(super) fn find_ungated(&self, text: &str) -> Result<Vec<Finding>, Error> {
        let whole = 0..text.len();
        let mut findings = Vec::new();
        for pattern in &self.patterns {
            pattern.find_in(text, std::slice::from_ref(&whole), &mut findings)?;
        }
        in_order(&mut findings);
        Ok(findings)
    }

    /// For each pattern, the stretches of the text in which it could match.
    ///
    /// A match contains what the gate asks for and only so much beside it, so it lies in the window
    /// around it; windows that touch are joined, so that the matches inside are found in the same
    /// order as in the whole text.
    fn fill(&self, windows: &mut Windows, text: &str) {
        let bytes = text.as_bytes();
        windows.clear(self.patterns.len());
        // The two letters that are another case of an ASCII letter, which the gate does not know.
        if text.contains("\u{17F}") || text.contains("\u{212A}") {
            (0..self.patterns.len()).for_each(|pattern| windows.add(pattern, 0, text.len()));
            windows.in_a_row = usize::MAX;
            return;
        }
        for word in self.words.find_overlapping_iter(text) {
            let after_word = word.start() > 0 && is_word(bytes[word.start() - 1]);
            let before_word = bytes.get(word.end()).copied().is_some_and(is_word);
            for Want { pattern, literal } in &self.wanted[word.pattern().as_usize()] {
                if (literal.starts_word && after_word)
                    || (literal.ends_word && before_word)
                    || !literal.takes(&bytes[word.range()])
                {
                    continue;
                }
                let (start, end) = (word.start().saturating_sub(literal.before), word.end() + literal.after);
                windows.add(*pattern, start, end);
            }
        }
        self.open.iter().for_each(|pattern| windows.add(*pattern, 0, text.len()));
        let digits = (0..).zip(bytes).filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at);
        windows.digits.extend(digits);
        windows.in_a_row = windows.digits.chunk_by(|a, b| a + 1 == *b).map(<[u32]>::len).max().unwrap_or(0);
    }
}

fn in_order(findings: &mut [Finding]) {
    findings.sort_by(|a, b| (a.span, &a.detector).cmp(&(b.span, &b.detector)));
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Puts windows in order, on characters, and joins those that touch.
fn join(windows: &mut Vec<Range<usize>>, text: &str) {
    for window in windows.iter_mut() {
        window.start = floor_boundary(text, window.start);
        window.end = window.end.min(text.len());
        while !text.is_char_boundary(window.end) {
            window.end += 1;
        }
    }
    windows.sort_unstable_by_key(|window| window.start);
    windows.dedup_by(|next, last| {
        let touch = next.start <= last.end;
        if touch {
            last.end = last.end.max(next.end);
        }
        touch
    });
}

impl Detector for PatternDetector {
    fn name(&self) -> &'static str {
        "patterns"
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let mut findings = Vec::new();
        let mut labelled = String::new();
        for piece in pieces(document) {
            let text = piece.of(document.text());
            let label = document.region_at(piece.start).map_or_else(String::new, Region::label);
            // A field is read as a form: its name stands before the value, but is no part of the document.
            let before = if label.is_empty() {
                0
            } else {
                labelled.clear();
                labelled.extend([label.as_str(), ": "]);
                let before = labelled.len();
                labelled.push_str(text);
                before
            };
            let refuse = |error: Error| error.in_document(document.id());
            let mut found = self.find_all(if before == 0 { text } else { &labelled }).map_err(refuse)?;
            if before > 0
                && let Some(value) = capitalized(text)
            {
                labelled.truncate(before);
                labelled.push_str(&value);
                let people = self.find(&labelled).map_err(refuse)?;
                found.extend(people.into_iter().filter(|finding| finding.entity_type == EntityType::PERSON));
            }
            let inside = found.into_iter().filter(|finding| finding.span.end > before);
            findings.extend(inside.map(|finding| {
                let span = Span::new(finding.span.start.max(before) - before, finding.span.end - before);
                Finding { span: span.shifted(piece.start), ..finding }
            }));
        }
        Ok(findings)
    }
}

/// A few words in small letters as a name would be written: in a field of its own, letter case tells nothing. Nothing if it is
/// anything else.
fn capitalized(value: &str) -> Option<String> {
    const MOST_WORDS: usize = 5;
    let small = |c: char| c.is_lowercase() || matches!(c, ' ' | '-' | '\'' | '’' | '.' | ',');
    if !value.chars().all(small) || value.split(' ').count() > MOST_WORDS {
        return None;
    }
    let mut out = String::with_capacity(value.len());
    let mut starts = true;
    for c in value.chars() {
        let mut upper = c.to_uppercase();
        // Offsets must stay as they are.
        let same_length = upper.len() == 1 && upper.clone().all(|upper| upper.len_utf8() == c.len_utf8());
        out.push(if starts && same_length { upper.next().unwrap_or(c) } else { c });
        starts = !c.is_alphabetic();
    }
    Some(out)
}

/// The regions of a document, and what lies between them: all of the text, each byte once.
fn pieces(document: &Document) -> Vec<Span> {
    let mut pieces = Vec::with_capacity(document.regions().len());
    let mut at = 0;
    for region in document.regions() {
        if at < region.span.start {
            pieces.push(Span::new(at, region.span.start));
        }
        pieces.push(region.span);
        at = region.span.end;
    }
    if at < document.text().len() {
        pieces.push(Span::new(at, document.text().len()));
    }
    pieces
}
