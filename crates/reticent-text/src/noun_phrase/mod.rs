//! Noun phrases: the smallest ones, without those that follow a preposition.
//!
//! English has a model, trained on treebanks. Spanish has no treebank that we could train on, and a
//! [grammar](spanish) over tags.

mod features;
mod model;
pub mod spanish;

pub(crate) use features::{edges, tag_features, tags_around, word_features};
pub use model::NounPhraseModel;
pub(crate) use model::{BEGIN, Decoder, INSIDE, OUTSIDE};

use std::ops::Range;

use crate::annotate::english_noun_phrases;
use crate::{Annotator, Document, Error, Language, Layer, Layers, Span, Tag};

/// Finds the noun phrases of tagged sentences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chunker;

impl Annotator for Chunker {
    fn name(&self) -> &'static str {
        "noun phrases"
    }

    fn requires(&self) -> &'static [Layer] {
        &[Layer::Sentences, Layer::Tokens, Layer::Tags]
    }

    fn provides(&self) -> &'static [Layer] {
        &[Layer::NounPhrases]
    }

    fn annotate(&self, document: &Document, layers: &mut Layers) -> Result<(), Error> {
        let mut phrases: Vec<Span> = Vec::with_capacity(layers.tokens.len() / 4);
        let mut push = |first: usize, range: Range<usize>| {
            let (first, last) = (&layers.tokens[first + range.start], &layers.tokens[first + range.end - 1]);
            phrases.push(first.span.join(last.span));
        };
        match layers.language {
            Language::English => {
                let model = english_noun_phrases()?;
                let mut decoder = Decoder::remembering(layers.tokens.len());
                let mut tags = Vec::new();
                for range in layers.sentence_tokens() {
                    tags.clear();
                    tags.extend(layers.tokens[range.clone()].iter().map(|token| token.tag));
                    let words = &layers.words[range.clone()];
                    for phrase in model.find(words, &tags, &mut decoder) {
                        push(range.start, without_verb(phrase, &tags));
                    }
                }
            }
            Language::Spanish => {
                for range in layers.sentence_tokens() {
                    for phrase in spanish::find(&layers.tokens[range.clone()], document.text()) {
                        push(range.start, phrase);
                    }
                }
            }
            Language::Other => {}
        }
        layers.noun_phrases = phrases;
        Ok(())
    }
}

/// A phrase up to the verb that the model took into it after a word it does not know: `HIV/AIDS weakens`.
fn without_verb(phrase: Range<usize>, tags: &[Tag]) -> Range<usize> {
    let is_verb = |at: &usize| matches!(tags[*at].name(), "VBZ" | "VBP" | "VBD" | "MD");
    let verb = (phrase.start + 1..phrase.end).find(is_verb).unwrap_or(phrase.end);
    phrase.start..verb
}

/// The phrases that a row of labels tells.
pub(crate) fn phrases(labels: &[u8]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, &label) in labels.iter().enumerate() {
        match out.last_mut() {
            Some(last) if label == INSIDE && last.end == at => last.end = at + 1,
            _ if label == OUTSIDE => {}
            _ => out.push(at..at + 1),
        }
    }
    out
}
