//! Tokens: words, numbers and signs, cut as the treebanks cut them.

mod address;
mod scan;

use crate::grapheme::is_separator;
use crate::layers::Token;
use crate::{Annotator, Document, Error, Language, Layer, Layers, Span, Tag};

/// Cuts sentences into tokens.
///
/// The text is never changed: a token is a span. Every character that is not white space lies in
/// exactly one token, and what a reader sees as one character is never cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tokenizer;

impl Annotator for Tokenizer {
    fn name(&self) -> &'static str {
        "tokens"
    }

    fn requires(&self) -> &'static [Layer] {
        &[Layer::Sentences]
    }

    fn provides(&self) -> &'static [Layer] {
        &[Layer::Tokens]
    }

    fn annotate(&self, document: &Document, layers: &mut Layers) -> Result<(), Error> {
        layers.tokens.clear();
        layers.tokens.reserve(document.text().len() / 5);
        let mut cutter = Cutter::new(document.text(), layers.language);
        for sentence in &layers.sentences {
            cutter.cut(*sentence, &mut |span| layers.tokens.push(Token { span, tag: Tag::UNKNOWN }));
        }
        Ok(())
    }
}

/// A character as a reader sees it.
#[derive(Clone, Copy)]
struct Unit {
    start: usize,
    end: usize,
    /// Its first code point, which says what it is.
    first: char,
}

/// Cuts sentences of one text.
pub(crate) struct Cutter<'a> {
    text: &'a str,
    language: Language,
    units: Vec<Unit>,
}

impl<'a> Cutter<'a> {
    pub(crate) fn new(text: &'a str, language: Language) -> Self {
        Self { text, language, units: Vec::new() }
    }

    /// Calls `push` with the span of each token.
    pub(crate) fn cut(&mut self, sentence: Span, push: &mut dyn FnMut(Span)) {
        let bytes = self.text.as_bytes();
        let mut at = sentence.start;
        while at < sentence.end {
            let start = at;
            // Most chunks are a plain word between spaces.
            while at < sentence.end && bytes[at].is_ascii_alphanumeric() {
                at += 1;
            }
            if at > start && (at == sentence.end || bytes[at] == b' ' && !self.is_glued(at, sentence.end)) {
                scan::push_word(self.text, Span::new(start, at), self.language, push);
            } else {
                at = self.chunk_end(at, sentence.end);
                if at > start {
                    self.cut_chunk(Span::new(start, at), at == sentence.end, push);
                }
            }
            while let Some(c) = self.text[at..sentence.end].chars().next() {
                if !is_separator(self.text, at, c) {
                    break;
                }
                at += c.len_utf8();
            }
        }
    }

    /// Whether a mark sits on the space at `at`.
    fn is_glued(&self, at: usize, end: usize) -> bool {
        at + 1 < end && !self.text.as_bytes()[at + 1].is_ascii() && !is_separator(self.text, at, ' ')
    }

    fn chunk_end(&self, from: usize, end: usize) -> usize {
        self.text[from..end]
            .char_indices()
            .find(|&(at, c)| is_separator(self.text, from + at, c))
            .map_or(end, |(at, _)| from + at)
    }
}

#[cfg(test)]
mod tests;
