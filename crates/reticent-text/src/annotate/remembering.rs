//! Tokens and tags of sentences that stand in many documents, found once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::PartOfSpeech;
use crate::{Annotator, Document, Error, Language, Layer, Layers, Span, Token, Tokenizer};

/// Sentences of one part of the memory: for each, its tokens, counted from its beginning.
type Part = Mutex<HashMap<Box<str>, Arc<[Token]>>>;

/// Threads seldom wait for each other among so many parts.
const PARTS: usize = 16;
/// A part that has so many sentences is emptied.
const MOST: usize = 1 << 14;
/// Longer sentences seldom stand twice.
const LONGEST: usize = 256;

/// Cuts and tags as [`Tokenizer`] and [`PartOfSpeech`] do, but a sentence only once: tokens and tags depend on nothing
/// outside of it. It leaves nothing for a chunker.
#[derive(Default)]
pub(super) struct Remembering {
    english: [Part; PARTS],
    spanish: [Part; PARTS],
}

impl Annotator for Remembering {
    fn name(&self) -> &'static str {
        "tokens and tags"
    }

    fn requires(&self) -> &'static [Layer] {
        &[Layer::Sentences]
    }

    fn provides(&self) -> &'static [Layer] {
        &[Layer::Tokens, Layer::Tags]
    }

    fn annotate(&self, document: &Document, layers: &mut Layers) -> Result<(), Error> {
        let text = document.text();
        let parts = match layers.language {
            Language::English => &self.english,
            Language::Spanish => &self.spanish,
            Language::Other => return annotate(document, layers),
        };
        // Signs of other alphabets may belong to what stands before them, across the end of a sentence.
        if !text.is_ascii() {
            return annotate(document, layers);
        }
        let known: Vec<Option<Arc<[Token]>>> =
            layers.sentences.iter().map(|sentence| get(parts, sentence.of(text))).collect();
        let mut new = Layers::new(layers.language);
        let unknown = layers.sentences.iter().zip(&known).filter(|(_, known)| known.is_none());
        new.sentences = unknown.map(|(sentence, _)| *sentence).collect();
        if !new.sentences.is_empty() {
            annotate(document, &mut new)?;
        }
        let mut cut = new.sentence_tokens();
        layers.tokens.clear();
        for (sentence, known) in layers.sentences.iter().zip(&known) {
            if let Some(known) = known {
                let here = |token: &Token| Token { span: token.span.shifted(sentence.start), ..*token };
                layers.tokens.extend(known.iter().map(here));
            } else {
                let tokens = &new.tokens[cut.next().unwrap_or(0..0)];
                layers.tokens.extend_from_slice(tokens);
                let from_its_start = |token: &Token| Token {
                    span: Span::new(token.span.start - sentence.start, token.span.end - sentence.start),
                    ..*token
                };
                put(parts, sentence.of(text), tokens.iter().map(from_its_start).collect());
            }
        }
        Ok(())
    }
}

fn annotate(document: &Document, layers: &mut Layers) -> Result<(), Error> {
    Tokenizer.annotate(document, layers)?;
    PartOfSpeech.annotate(document, layers)
}

/// Which part a sentence is in: any sum of its letters will do.
fn part<'p>(parts: &'p [Part; PARTS], sentence: &str) -> &'p Part {
    let sum = sentence.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    &parts[sum % PARTS]
}

fn get(parts: &[Part; PARTS], sentence: &str) -> Option<Arc<[Token]>> {
    part(parts, sentence).lock().unwrap_or_else(PoisonError::into_inner).get(sentence).cloned()
}

fn put(parts: &[Part; PARTS], sentence: &str, tokens: Arc<[Token]>) {
    if sentence.len() > LONGEST {
        return;
    }
    let mut part = part(parts, sentence).lock().unwrap_or_else(PoisonError::into_inner);
    if part.len() >= MOST {
        part.clear();
    }
    part.insert(sentence.into(), tokens);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Analyzer;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Whatever was seen before, the layers are those of the usual annotators.
        #[test]
        fn changes_nothing(
            texts in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec![
                        "She met John Smith in London.", "Dr. Stone left", "no.", "No.", "Paris!", "\n\n", "\n", "\r\n", "in May", "años",
                        "El paciente vino ayer.", "Nº", "and", "Mr", "J. Brown", ";", "He left.", "It rained.", "(", "can't", "\t", "a@b.org",
                        "Nombre: Ana", "la", "del",
                    ]),
                    0..12,
                ),
                1..6,
            ),
            glue in prop::sample::select(vec![" ", "", "\n"]),
        ) {
            let (remembering, usual) = (Analyzer::for_short_texts().unwrap(), Analyzer::shipped().unwrap());
            for words in texts {
                let document = Document::plain("text", words.join(glue));
                let found = remembering.analyze(&document, None).unwrap();
                let meant = usual.analyze(&document, None).unwrap();
                prop_assert_eq!(found.language, meant.language);
                prop_assert_eq!(found.sentences, meant.sentences);
                prop_assert_eq!(found.tokens, meant.tokens);
            }
        }
    }
}
