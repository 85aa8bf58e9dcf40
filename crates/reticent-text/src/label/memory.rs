//! What a labeller said of sentences, so that a sentence that stands in many short texts is labelled once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Labelled;
use super::table::hash;
use crate::{Span, Token};

/// Threads seldom wait for each other among so many parts.
const PARTS: usize = 16;
/// A part that has so many sentences is emptied.
const MOST: usize = 1 << 14;
/// Longer sentences seldom stand twice.
const LONGEST: usize = 256;

/// Sentences of one part of the memory, with what was said of each.
type Part = Mutex<HashMap<Box<[u8]>, Arc<[Labelled]>>>;

/// What one labeller said of sentences: see [`Labeller::label_once`](super::Labeller::label_once).
///
/// It holds at most some hundred thousand sentences. `Debug` does not tell them.
#[derive(Default)]
pub struct Memory {
    parts: [Part; PARTS],
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl Memory {
    /// A sentence as it is remembered: its words, and the tags that they have.
    pub(super) fn key(text: &str, sentence: Span, tokens: &[Token], key: &mut Vec<u8>) {
        key.clear();
        key.extend_from_slice(sentence.of(text).as_bytes());
        key.push(u8::MAX);
        key.extend(tokens.iter().map(|token| token.tag.number()));
    }

    /// What was said of a sentence, counted from its beginning.
    pub(super) fn get(&self, key: &[u8]) -> Option<Arc<[Labelled]>> {
        self.part(key).lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub(super) fn put(&self, key: &[u8], labelled: Arc<[Labelled]>) {
        if key.len() > LONGEST {
            return;
        }
        let mut part = self.part(key).lock().unwrap_or_else(PoisonError::into_inner);
        if part.len() >= MOST {
            part.clear();
        }
        part.insert(key.into(), labelled);
    }

    fn part(&self, key: &[u8]) -> &Part {
        let [byte, ..] = hash(key).to_le_bytes();
        &self.parts[usize::from(byte) % PARTS]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::label::shipped;
    use crate::{Analyzer, Document, Language};

    fn labelled(text: &str, memory: &Memory) -> (Vec<Labelled>, Vec<Labelled>) {
        let document = Document::plain("text", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let labeller = shipped(Language::English).unwrap().unwrap();
        (labeller.label_once(&document, &layers, memory), labeller.label(&document, &layers))
    }

    #[test]
    fn a_sentence_is_labelled_as_before_at_another_place() {
        let memory = Memory::default();
        let (first, _) = labelled("She met John Smith in London.", &memory);
        let (found, meant) = labelled("It rained. She met John Smith in London. He left.", &memory);
        assert_eq!(found, meant);
        assert_eq!((first.len(), found.len()), (2, 2));
        assert_eq!(found[0].span.start, first[0].span.start + "It rained. ".len());
    }

    #[test]
    fn forgets_when_it_is_full() {
        let memory = Memory::default();
        for number in 0..40_000u32 {
            memory.put(&number.to_le_bytes(), Arc::new([]));
        }
        memory.put(&[7; 2 * LONGEST], Arc::new([]));
        assert!(memory.get(&[7; 2 * LONGEST]).is_none());
        let kept = memory.parts.iter().map(|part| part.lock().unwrap().len()).sum::<usize>();
        assert!(kept <= PARTS * MOST && kept > 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Whatever was labelled before, the result is that of labelling the whole text.
        #[test]
        fn changes_nothing(
            texts in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec![
                        "She met John Smith in London.", "Dr. Stone left", "no.", "No.", "Paris!", "\n\n", "The French actress", "in May",
                        "He works for Acme Corp.", "aged 36", "años", "Nº", "and", "Mr", "J. Brown", ";", "He left.", "It rained.",
                    ]),
                    0..12,
                ),
                1..6,
            ),
        ) {
            let memory = Memory::default();
            for words in texts {
                let (found, meant) = labelled(&words.join(" "), &memory);
                prop_assert_eq!(found, meant);
            }
        }
    }
}
