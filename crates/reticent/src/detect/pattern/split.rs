//! Numbers that are written in pieces: `943/476/5919`, `9 4 3 4 7 6 5 9 1 9`, a number broken at the end of a line.
//!
//! Patterns know the usual separators of their numbers and no others: with any separator, tables of figures would be
//! full of telephone numbers. Here the pieces are put together in other ways, and what a pattern finds then counts only
//! if it identifies directly and something besides its shape speaks for it: a checksum, its label or its context, or
//! that its own grouping was kept and only an unusual separator stood in the way.

use std::ops::Range;

use reticent_text::Span;

use super::compiled::Pattern;
use super::context::floor_boundary;
use super::scan::PatternDetector;
use crate::{Error, Evidence, Finding, Identifies};

/// The least number of digits that identify someone.
const LEAST_DIGITS: usize = 7;

/// How much beside a number is searched for its label and context.
const BESIDE: usize = 96;

/// The longest separator, in bytes: a line break with blanks around it.
const LONGEST_SEPARATOR: usize = 4;

/// How pieces are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Unusual separators become this one; usual ones stay.
    Regrouped(char),
    /// No blanks and line breaks; other separators stay.
    Unspaced,
    /// No separators at all.
    Joined,
}

/// Finds numbers written in pieces that `find` leaves. `found` is what it found, in order.
pub(super) fn find(detector: &PatternDetector, text: &str, found: &[Finding]) -> Result<Vec<Finding>, Error> {
    let numbers: Vec<Number> = numbers(text).filter(|number| !is_found(text, number, found)).collect();
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let mut findings: Vec<Finding> = Vec::new();
    for way in [Way::Regrouped('-'), Way::Regrouped(' '), Way::Unspaced, Way::Joined] {
        let view = View::new(text, &numbers, way);
        for finding in detector.find(&view.text)? {
            if !view.changes(finding.span) || finding.identifies != Identifies::Directly {
                continue;
            }
            let span = view.original(finding.span);
            // A column of figures is no number: a line is broken once.
            let breaks = span.of(text).matches('\n').count();
            let grouped = matches!(way, Way::Regrouped(_)) && breaks <= 1;
            if !grouped && !is_proven(detector, &finding) {
                continue;
            }
            findings.push(Finding { span, ..finding });
        }
    }
    findings.sort_by_key(|finding| finding.span);
    findings.dedup_by(|next, kept| next.span == kept.span && next.entity_type == kept.entity_type);
    Ok(findings)
}

fn is_proven(detector: &PatternDetector, finding: &Finding) -> bool {
    let labelled = |pattern: &Pattern| pattern.name() == finding.detector.as_str() && pattern.is_labelled();
    matches!(&finding.evidence, Evidence::Pattern { checksum, context, .. } if checksum.is_some() || *context)
        || detector.patterns().iter().any(|pattern| labelled(pattern))
}

/// A number in pieces: where each piece stands.
struct Number {
    pieces: Vec<Range<usize>>,
}

impl Number {
    fn span(&self) -> Range<usize> {
        self.pieces[0].start..self.pieces[self.pieces.len() - 1].end
    }
}

/// Runs of digits, and of capitals between them, with one separator between each two.
fn numbers(text: &str) -> impl Iterator<Item = Number> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes[at..].iter().position(u8::is_ascii_digit)?;
            let mut number = Number { pieces: Vec::new() };
            let mut next = piece(bytes, first_of_word(bytes, start, at));
            while let Some(piece_here) = next {
                at = piece_here.end;
                number.pieces.push(piece_here);
                next = separator(bytes, at).and_then(|end| piece(bytes, end));
            }
            at = at.max(start + 1);
            let has_digit = |piece: &Range<usize>| bytes[piece.clone()].iter().any(u8::is_ascii_digit);
            // A single capital may be a check letter.
            while number.pieces.last().is_some_and(|piece| !has_digit(piece) && piece.len() > 1) {
                number.pieces.pop();
            }
            let pieces = number.pieces.iter().map(|piece| &bytes[piece.clone()]);
            let digits: usize = pieces.map(digits).sum();
            if number.pieces.len() > 1 && digits >= LEAST_DIGITS {
                return Some(number);
            }
        }
    })
}

/// Where the word begins that has its first digit at `digit`.
fn first_of_word(bytes: &[u8], digit: usize, floor: usize) -> usize {
    let before = bytes[floor..digit].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    digit - before
}

/// The piece that begins here: digits and capitals; without digits, at most four capitals.
fn piece(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let piece = &bytes[start..start + length];
    let has_digit = piece.iter().any(u8::is_ascii_digit);
    let is_piece =
        length > 0 && !piece.iter().any(u8::is_ascii_lowercase) && (has_digit || length <= LONGEST_SEPARATOR);
    is_piece.then_some(start..start + length)
}

/// The end of the separator that begins here: one sign, or a line break, perhaps with blanks around it.
fn separator(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start..bytes.len().min(start + LONGEST_SEPARATOR + 1)];
    let length = rest.iter().take_while(|byte| is_separator(**byte)).count();
    let signs = rest[..length].iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let breaks = memchr::memchr_iter(b'\n', &rest[..length]).count();
    ((1..=LONGEST_SEPARATOR).contains(&length) && signs <= 1 && breaks <= 1).then_some(start + length)
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'\\' | b'-' | b'.' | b'_' | b'|' | b'*')
}

/// A separator that patterns of numbers know.
fn is_usual(separator: &str) -> bool {
    matches!(separator, " " | "-" | ".")
}

/// Whether what was found leaves too little of a number to identify someone. The last digits of a line and the first of
/// the next may be one number, and seldom are.
fn is_found(text: &str, number: &Number, found: &[Finding]) -> bool {
    let span = number.span();
    let near = found.partition_point(|finding| finding.span.start < span.end);
    let near = found[..near].iter().rev().take(8);
    let direct: Vec<Span> = near
        .filter(|finding| finding.identifies == Identifies::Directly)
        .map(|finding| finding.span)
        .collect();
    let is_left =
        |piece: &&Range<usize>| !direct.iter().any(|found| found.contains(Span::new(piece.start, piece.end)));
    let left = number.pieces.iter().filter(is_left);
    let digits: usize = left.map(|piece| digits(&text.as_bytes()[piece.clone()])).sum();
    digits < LEAST_DIGITS
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| byte.is_ascii_digit()).count()
}

/// The numbers of a text and what stands beside them, put together in one way.
struct View {
    text: String,
    /// Where runs of the view that are the original's begin, in both.
    runs: Vec<(usize, usize)>,
    /// Where separators were replaced, in the view.
    joints: Vec<usize>,
}

impl View {
    fn new(text: &str, numbers: &[Number], way: Way) -> Self {
        let mut view = Self { text: String::new(), runs: Vec::new(), joints: Vec::new() };
        let (mut done, mut reach) = (0, 0);
        for number in numbers {
            let start = floor_boundary(text, number.span().start.saturating_sub(BESIDE));
            if start > reach {
                view.copy(text, done..reach);
                // Nothing is found across what was left out.
                view.text.push_str("\n\n\n");
                done = start;
            }
            for pair in number.pieces.windows(2) {
                view.copy(text, done..pair[0].end);
                let separator = pair[0].end..pair[1].start;
                match way {
                    Way::Regrouped(_) if is_usual(&text[separator.clone()]) => view.copy(text, separator),
                    Way::Regrouped(usual) => view.join(Some(usual)),
                    Way::Unspaced => view.join(text[separator].chars().find(|c| !c.is_whitespace())),
                    Way::Joined => view.join(None),
                }
                done = pair[1].start;
            }
            reach = floor_boundary(text, text.len().min(number.span().end + BESIDE));
        }
        view.copy(text, done..reach);
        view
    }

    fn copy(&mut self, text: &str, range: Range<usize>) {
        self.runs.push((self.text.len(), range.start));
        self.text.push_str(&text[range]);
    }

    fn join(&mut self, with: Option<char>) {
        self.joints.push(self.text.len());
        self.text.extend(with);
    }

    /// Whether a separator inside this span was replaced.
    fn changes(&self, span: Span) -> bool {
        let joint = self.joints.partition_point(|joint| *joint <= span.start);
        self.joints.get(joint).is_some_and(|joint| *joint < span.end)
    }

    fn original(&self, span: Span) -> Span {
        let of = |at: usize| {
            let run = self.runs.partition_point(|(view, _)| *view <= at).saturating_sub(1);
            self.runs[run].1 + (at - self.runs[run].0)
        };
        // The end belongs to the run of the last byte.
        Span::new(of(span.start), of(span.end - 1) + 1)
    }
}
