//! What is known of a document's language: its layers.

use std::ops::Range;

use crate::tag::Word;
use crate::{Language, Span, Tag};

/// A word, number or sign of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The span.
    pub span: Span,
    /// Its part of speech.
    pub tag: Tag,
}

/// The name of a layer: what an [`Annotator`](crate::Annotator) requires or provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// [`Layers::sentences`].
    Sentences,
    /// [`Layers::tokens`], without their tags.
    Tokens,
    /// The tags of the tokens.
    Tags,
    /// [`Layers::noun_phrases`].
    NounPhrases,
}

/// Sentences, tokens and noun phrases of one document, each in the order of the text.
///
/// Every token lies in a sentence; noun phrases begin and end with a token and lie in one sentence.
#[derive(Clone, Default)]
pub struct Layers {
    /// The language of the text.
    pub language: Language,
    /// `true` if there is no model for the language, so that single words are the terms.
    pub fallback: bool,
    /// The sentences, headings and list items.
    pub sentences: Vec<Span>,
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The noun phrases, without those that they contain.
    pub noun_phrases: Vec<Span>,
    /// What the tagger saw of each token, for the chunker after it.
    pub(crate) words: Vec<Word>,
}

impl Layers {
    /// Layers that hold nothing yet.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self { language, fallback: language == Language::Other, ..Self::default() }
    }

    /// For each sentence, which tokens it has.
    pub fn sentence_tokens(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut next = 0;
        self.sentences.iter().map(move |sentence| {
            let first = next;
            while self.tokens.get(next).is_some_and(|token| token.span.end <= sentence.end) {
                next += 1;
            }
            first..next
        })
    }

    /// The tokens that lie in a span.
    #[must_use]
    pub fn tokens_in(&self, span: Span) -> &[Token] {
        let first = self.tokens.partition_point(|token| token.span.start < span.start);
        let end = self.tokens.partition_point(|token| token.span.end <= span.end);
        &self.tokens[first..end.max(first)]
    }
}

impl std::fmt::Debug for Layers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Layers")
            .field("language", &self.language)
            .field("sentences", &self.sentences.len())
            .field("tokens", &self.tokens.len())
            .field("noun_phrases", &self.noun_phrases.len())
            .finish_non_exhaustive()
    }
}
