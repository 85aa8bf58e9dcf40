//! Documents as lines to learn from.

use std::ops::Range;

use crate::label::scheme::Scheme;
use crate::label::tokens::{Tokens, Unit};
use crate::label::train::{Example, runs};
use crate::{Layers, Span};

/// A sentence may end a piece that is so long.
const LONG: usize = 40;
/// No piece is longer.
const LONGEST: usize = 200;

/// A line, or a part of a long one.
pub(super) struct Line<'t> {
    pub(super) tokens: Vec<&'t str>,
    pub(super) states: Vec<u8>,
    pub(super) document: usize,
    pub(super) spans: Vec<Span>,
}

/// Where to cut a line: after a sentence when it is long, and somewhere when it is too long. The same when
/// learning and when labelling.
pub(super) fn pieces(tokens: &[&str]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in 1..tokens.len() {
        let length = at - start;
        let small = |token: &str| token.chars().count() > 2 && token.chars().all(char::is_lowercase);
        let large = |token: &str| token.chars().next().is_some_and(char::is_uppercase);
        let ends = tokens[at - 1] == "." && at >= 2 && small(tokens[at - 2]) && large(tokens[at]);
        if length >= LONGEST || length >= LONG && ends {
            pieces.push(start..at);
            start = at;
        }
    }
    if start < tokens.len() {
        pieces.push(start..tokens.len());
    }
    pieces
}

pub(super) fn lines<'t>(
    all: &[Tokens<'t>],
    examples: &[Example],
    scheme: &Scheme,
    left_out: &mut usize,
) -> Vec<Line<'t>> {
    let mut lines = Vec::new();
    for (document, (tokens, example)) in all.iter().zip(examples).enumerate() {
        let runs = runs(tokens, &example.entities, scheme, left_out);
        let states = Scheme::states_of(tokens.spans.len(), &runs);
        let words: Vec<&str> = (0..tokens.spans.len()).map(|token| tokens.word(token)).collect();
        for sequence in &tokens.sequences {
            for piece in pieces(&words[sequence.clone()]) {
                let own = sequence.start + piece.start..sequence.start + piece.end;
                let mut states = states[own.clone()].to_vec();
                // What a cut took the beginning of begins here.
                if let Some(first) = states.first_mut().filter(|first| **first != 0 && **first % 2 == 0) {
                    *first -= 1;
                }
                lines.push(Line {
                    tokens: words[own.clone()].to_vec(),
                    states,
                    document,
                    spans: tokens.spans[own].to_vec(),
                });
            }
        }
    }
    lines
}

pub(super) fn tokens(examples: &[Example]) -> Vec<Tokens<'_>> {
    let layers = Layers::default();
    examples.iter().map(|example| Tokens::new(&example.document, &layers, Unit::Line)).collect()
}
