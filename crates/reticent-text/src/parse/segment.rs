//! Parts of a sentence that stand for themselves, so that no phrase is made of words of two of them.

use std::ops::Range;

use crate::layers::Token;
use crate::{Layers, Span};

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SegmentKind {
    /// A sentence, or a part of one, with a finite verb.
    Prose,
    /// A heading, a cell, a note: no finite verb.
    Fragment,
    /// The marker of a list item: `2.`, `•`.
    Marker,
    /// What stands before a colon at the beginning of a line: a speaker, the label of a field.
    Label,
}

/// A part of a sentence that is parsed by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its sentence, as a place in [`Layers::sentences`].
    pub sentence: usize,
    /// Its tokens, as places in [`Layers::tokens`].
    pub tokens: Range<usize>,
    /// What it is.
    pub kind: SegmentKind,
    /// Its span.
    pub span: Span,
}

/// Longest label of a field or name of a speaker, in tokens.
const LABEL: usize = 6;
/// So many spaces in a row are a column.
const COLUMN: usize = 3;

/// The segments of all sentences.
pub(crate) fn segments(text: &str, layers: &Layers) -> Vec<Segment> {
    let mut out = Vec::new();
    for (sentence, range) in layers.sentence_tokens().enumerate() {
        let mut add = |tokens: Range<usize>, kind: SegmentKind| {
            if let (Some(first), Some(last)) = (layers.tokens.get(tokens.start), tokens.clone().last()) {
                let span = first.span.join(layers.tokens[last].span);
                out.push(Segment { sentence, tokens, kind, span });
            }
        };
        let mut start = range.start;
        if begins_line(text, layers.sentences[sentence].start) {
            let tokens = &layers.tokens[range.clone()];
            let marker = marker(text, tokens);
            add(start..start + marker, SegmentKind::Marker);
            start += marker;
            let label = label(text, &layers.tokens[start..range.end]);
            add(start..start + label, SegmentKind::Label);
            start += label;
        }
        let mut from = start;
        for at in start..range.end {
            if at + 1 == range.end || is_column(text, &layers.tokens[at], &layers.tokens[at + 1]) {
                divide(text, &layers.tokens, from..at + 1, &mut add);
                from = at + 1;
            }
        }
    }
    out
}

/// A stretch without a finite verb is divided further, at semicolons and dashes.
fn divide(text: &str, tokens: &[Token], range: Range<usize>, add: &mut dyn FnMut(Range<usize>, SegmentKind)) {
    if tokens[range.clone()].iter().any(is_finite) {
        return add(range, SegmentKind::Prose);
    }
    let mut from = range.start;
    for at in range.clone() {
        let form = tokens[at].span.of(text);
        if matches!(form, ";" | "-" | "--" | "–" | "—" | ":" | "•" | "·" | "→") && at + 1 < range.end
        {
            add(from..at + 1, SegmentKind::Fragment);
            from = at + 1;
        }
    }
    add(from..range.end, SegmentKind::Fragment);
}

fn is_finite(token: &Token) -> bool {
    let name = token.tag.name();
    matches!(
        name,
        "VBD" | "VBZ" | "VBP" | "MD" | "VAI" | "VMI" | "VSI" | "VAS" | "VMS" | "VSS" | "VMM" | "VSM" | "VAM"
    )
}

fn begins_line(text: &str, at: usize) -> bool {
    text[..at].trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| matches!(c, '\n'..='\r'))
}

/// The number of tokens of a list marker.
fn marker(text: &str, tokens: &[Token]) -> usize {
    let form = |at: usize| tokens.get(at).map_or("", |token: &Token| token.span.of(text));
    let gap = |at: usize| tokens.len() > at + 1 && tokens[at].span.end < tokens[at + 1].span.start;
    let number =
        |form: &str| !form.is_empty() && form.len() <= 3 && form.bytes().all(|byte| byte.is_ascii_digit());
    let letter = |form: &str| form.len() == 1 && form.bytes().all(|byte| byte.is_ascii_alphabetic());
    let item = |form: &str| number(form) || letter(form);
    let bullet = ["-", "*", "•", "–", "—", "·", "▪", "◦", "‣", ">"].contains(&form(0));
    if gap(0) && (bullet || form(0).strip_suffix('.').is_some_and(number)) {
        1
    } else if item(form(0)) && (form(1) == ")" || (form(1) == "." && number(form(0)))) && gap(1) {
        2
    } else if form(0) == "(" && item(form(1)) && form(2) == ")" && gap(2) {
        3
    } else {
        0
    }
}

/// The number of tokens of a label and its colon, if there is more after it.
fn label(text: &str, tokens: &[Token]) -> usize {
    let colon = tokens.iter().take(LABEL + 1).position(|token| token.span.of(text) == ":");
    let Some(colon) = colon.filter(|&colon| colon > 0 && colon + 1 < tokens.len()) else { return 0 };
    let starts =
        tokens[0].span.of(text).starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '[');
    let plain = tokens[..colon]
        .iter()
        .all(|token| !is_finite(token) && !matches!(token.span.of(text), "." | ";" | "?" | "!"));
    if starts && plain { colon + 1 } else { 0 }
}

fn is_column(text: &str, one: &Token, two: &Token) -> bool {
    let gap = &text[one.span.end..two.span.start];
    let wide = gap.len() >= COLUMN && !gap.contains(['\n', '\r']) && gap.chars().count() >= COLUMN;
    gap.contains('\t') || wide || one.span.of(text) == "|" || matches!(two.span.of(text), "•" | "▪" | "‣")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyzer, Document, Language};

    fn found(text: &str) -> Vec<(String, SegmentKind)> {
        let document = Document::plain("text", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let segments = segments(text, &layers);
        segments.iter().map(|segment| (segment.span.of(text).to_owned(), segment.kind)).collect()
    }

    #[test]
    fn separates_what_stands_for_itself() {
        use SegmentKind::{Fragment, Label, Marker, Prose};
        for (text, parts) in [
            (
                "Dx: pneumonia; new fibrillation",
                vec![("Dx:", Label), ("pneumonia;", Fragment), ("new fibrillation", Fragment)],
            ),
            ("MAYA: I saw the boat.", vec![("MAYA:", Label), ("I saw the boat.", Prose)]),
            (
                "- two eggs\n- milk",
                vec![("-", Marker), ("two eggs", Fragment), ("-", Marker), ("milk", Fragment)],
            ),
            ("2. The tenant has left.", vec![("2.", Marker), ("The tenant has left.", Prose)]),
            ("Name    Age\tTown", vec![("Name", Fragment), ("Age", Fragment), ("Town", Fragment)]),
            (
                "Ana Ruiz | clerk | Lugo",
                vec![("Ana Ruiz |", Fragment), ("clerk |", Fragment), ("Lugo", Fragment)],
            ),
        ] {
            let expected: Vec<_> = parts.into_iter().map(|(part, kind)| (part.to_owned(), kind)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn leaves_sentences_whole() {
        for text in [
            "He said that the boat - a trawler - was lost; nobody was found.",
            "She wants one thing: she wants to leave.",
            "The old man, who was ill, met Ana in Lugo.",
        ] {
            assert_eq!(found(text), [(text.to_owned(), SegmentKind::Prose)], "{text}");
        }
    }

    #[test]
    fn segments_hold_every_token_once() {
        let text = "1) A: b | c\n\n- x -\n:\n(a) ; ;\nKim:\n\t\t|| •";
        let document = Document::plain("text", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let all: Vec<usize> =
            segments(text, &layers).into_iter().flat_map(|segment| segment.tokens).collect();
        assert_eq!(all, (0..layers.tokens.len()).collect::<Vec<_>>());
    }
}
