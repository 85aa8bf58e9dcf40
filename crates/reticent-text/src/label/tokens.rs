//! A document as a labeller sees it: fine tokens in sequences, with the tags of the words they lie in.

use std::borrow::Cow;
use std::ops::Range;

use super::segment::segment;
use crate::{Document, Layers, Span, Tag, Token};

/// What a sequence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A line of the text, as in forms and clinical notes.
    Line,
    /// A sentence.
    Sentence,
}

/// A sequence has no more tokens, so that a text without line breaks costs no more than any other.
const LONGEST: usize = 1500;

/// The stretches of a document that hold whole sequences: its lines or sentences.
pub(crate) fn stretches<'l>(document: &Document, layers: &'l Layers, unit: Unit) -> Cow<'l, [Span]> {
    match unit {
        Unit::Sentence => Cow::Borrowed(&layers.sentences),
        Unit::Line => {
            let mut start = 0;
            let lines = document.text().split_inclusive('\n').map(|line| {
                start += line.len();
                Span::new(start - line.len(), start)
            });
            Cow::Owned(lines.collect())
        }
    }
}

/// The tokens of a document in sequences.
pub(crate) struct Tokens<'t> {
    /// The text.
    pub(crate) text: &'t str,
    /// Its tokens.
    pub(crate) spans: Vec<Span>,
    /// The tag of the word that each lies in.
    pub(crate) tags: Vec<Tag>,
    /// Which tokens belong together, in order.
    pub(crate) sequences: Vec<Range<usize>>,
}

impl<'t> Tokens<'t> {
    /// Cuts a document into sequences. Layers give sentences and tags.
    pub(crate) fn new(document: &'t Document, layers: &Layers, unit: Unit) -> Self {
        let stretches = stretches(document, layers, unit);
        Self::of(document.text(), stretches.iter().copied(), &layers.tokens)
    }

    /// Some stretches of a text, in order, with the words that the text has.
    pub(crate) fn of(text: &'t str, stretches: impl Iterator<Item = Span>, words: &[Token]) -> Self {
        let mut tokens = Self { text, spans: Vec::new(), tags: Vec::new(), sequences: Vec::new() };
        stretches.for_each(|span| tokens.push(span));
        // The stretches may begin far behind the first word.
        let first = tokens.spans.first().map_or(0, |span| span.start);
        let mut word = words.partition_point(|token| token.span.end <= first);
        for span in &tokens.spans {
            while words.get(word).is_some_and(|token| token.span.end <= span.start) {
                word += 1;
            }
            let holds = words.get(word).filter(|token| token.span.start <= span.start);
            tokens.tags.push(holds.map_or(Tag::UNKNOWN, |token| token.tag));
        }
        tokens
    }

    fn push(&mut self, span: Span) {
        for part in segment(self.text, span).chunks(LONGEST) {
            let start = self.spans.len();
            self.spans.extend_from_slice(part);
            self.sequences.push(start..self.spans.len());
        }
    }

    /// The same in parts of whole sequences, each of about so many tokens.
    pub(crate) fn parts(&self, least: usize) -> impl Iterator<Item = Self> + '_ {
        let mut done = 0;
        std::iter::from_fn(move || {
            let first = self.sequences.get(done)?.start;
            let long_enough = |sequence: &Range<usize>| sequence.end - first >= least;
            let last = self.sequences[done..].iter().position(long_enough);
            let next = last.map_or(self.sequences.len(), |last| done + last + 1);
            let end = self.sequences[next - 1].end;
            let sequences = &self.sequences[std::mem::replace(&mut done, next)..next];
            Some(Self {
                text: self.text,
                spans: self.spans[first..end].to_vec(),
                tags: self.tags[first..end].to_vec(),
                sequences: sequences.iter().map(|one| one.start - first..one.end - first).collect(),
            })
        })
    }

    /// A token as it is written.
    pub(crate) fn word(&self, token: usize) -> &'t str {
        self.spans[token].of(self.text)
    }

    /// The tokens that a span covers: those that begin in it. Nothing if there are none, or if they
    /// are of several sequences.
    pub(crate) fn covered(&self, span: Span) -> Option<Range<usize>> {
        let start = self.spans.partition_point(|token| token.end <= span.start);
        let end = self.spans.partition_point(|token| token.start < span.end);
        let sequence = self.sequences.partition_point(|sequence| sequence.end <= start);
        let within = self.sequences.get(sequence).is_some_and(|sequence| end <= sequence.end);
        (start < end && within).then_some(start..end)
    }

    /// Where tokens begin and end in the text.
    pub(crate) fn span(&self, tokens: &Range<usize>) -> Span {
        self.spans[tokens.start].join(self.spans[tokens.end - 1])
    }
}
