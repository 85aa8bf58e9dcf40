//! From text to what vectors are trained on: sentences of terms.

use std::collections::HashMap;

use reticent_text::{Language, Layers, Pos, Span, is_stop_word};

use crate::{Error, ErrorKind, Folding};

/// Longer ones are no terms but data that got into a text.
const LONGEST: usize = 1000;

/// A term of a sentence, or a word between terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamTerm {
    /// Where it stands, without stop words at its ends.
    pub span: Span,
    /// Folded: what has a vector.
    pub folded: String,
    /// `true` if it is a noun phrase, rather than a word between them.
    pub is_term: bool,
}

/// The sentences of an analysed text as rows of terms. A noun phrase with content is one term, whatever
/// its length; the words between are terms too, without stop words and signs, as in the paper. So a
/// window of ten terms is wider than one of ten words.
///
/// ```
/// use reticent_knowledge::{Folding, embedding::sentences};
/// use reticent_text::{Analyzer, Document};
/// let document = Document::plain("note", "She had the blood transfusions in New York.");
/// let layers = Analyzer::shipped()?.analyze(&document, None)?;
/// let sentences = sentences(document.text(), &layers, Folding::new(layers.language));
/// let folded: Vec<&str> = sentences[0].iter().map(|term| term.folded.as_str()).collect();
/// assert_eq!(folded, ["blood transfusion", "new york"]);
/// # Ok::<(), reticent_text::Error>(())
/// ```
pub fn sentences(text: &str, layers: &Layers, folding: Folding) -> Vec<Vec<StreamTerm>> {
    let terms = layers.terms(text);
    let mut terms = terms.iter().peekable();
    let mut out = Vec::with_capacity(layers.sentences.len());
    for range in layers.sentence_tokens() {
        let mut row: Vec<StreamTerm> = Vec::new();
        let mut after = 0;
        for token in &layers.tokens[range] {
            if token.span.start < after {
                continue;
            }
            let term = terms.next_if(|term| term.span.start <= token.span.start);
            let span = term.map_or(token.span, |term| term.core);
            after = term.map_or(token.span.end, |term| term.span.end);
            let written = span.of(text);
            let holds_together =
                token.tag.pos() == Pos::Possessive || is_stop_word(written, folding.language());
            if term.is_none() && holds_together {
                continue;
            }
            let folded = folding.term(written);
            if !folded.is_empty() {
                row.push(StreamTerm { span, folded, is_term: term.is_some() });
            }
        }
        if !row.is_empty() {
            out.push(row);
        }
    }
    out
}

/// All sentences of a corpus, each term as a number.
#[derive(Debug)]
pub struct TokenStream {
    language: Language,
    numbers: HashMap<String, u32>,
    pub(super) terms: Vec<String>,
    pub(super) counts: Vec<u64>,
    pub(super) ids: Vec<u32>,
    /// Where each sentence ends in `ids`.
    pub(super) ends: Vec<usize>,
    left_out: u64,
}

impl TokenStream {
    /// An empty one, whose terms are folded as in that language.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            numbers: HashMap::new(),
            terms: Vec::new(),
            counts: Vec::new(),
            ids: Vec::new(),
            ends: Vec::new(),
            left_out: 0,
        }
    }

    /// The same, with terms that have numbers already, from 0.
    pub(super) fn with_terms(language: Language, terms: Vec<String>) -> Self {
        let mut stream = Self::new(language);
        stream.counts = vec![0; terms.len()];
        stream.numbers = terms.iter().cloned().zip(0..).collect();
        stream.terms = terms;
        stream
    }

    /// Adds a sentence of folded terms.
    pub fn add<'t>(&mut self, sentence: impl IntoIterator<Item = &'t str>) -> Result<(), Error> {
        for term in sentence {
            if term.len() > LONGEST {
                self.left_out += 1;
                continue;
            }
            let number = if let Some(&number) = self.numbers.get(term) {
                number
            } else {
                let number = u32::try_from(self.terms.len())
                    .ok()
                    .filter(|number| *number < u32::MAX)
                    .ok_or_else(|| Error::new(ErrorKind::Limit, "the corpus has too many distinct terms"))?;
                self.numbers.insert(term.to_owned(), number);
                self.terms.push(term.to_owned());
                self.counts.push(0);
                number
            };
            self.counts[number as usize] += 1;
            self.ids.push(number);
        }
        if self.ends.last().copied().unwrap_or(0) < self.ids.len() {
            self.ends.push(self.ids.len());
        }
        Ok(())
    }

    /// How the terms are folded.
    pub fn language(&self) -> Language {
        self.language
    }

    /// How many terms there are in all sentences together.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the number of different terms.
    pub fn different(&self) -> usize {
        self.terms.len()
    }

    /// How many terms of more than 1,000 bytes were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The sentences, as numbers.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.ids[start..*end])
    }

    /// The same with the most frequent terms first, and without those that are rarer than `least`.
    pub(super) fn sorted(&self, least: u64) -> Self {
        let mut order: Vec<u32> =
            (0u32..).zip(&self.counts).filter(|(_, count)| **count >= least).map(|(id, _)| id).collect();
        order.sort_by(|a, b| {
            let key = |id: &u32| (std::cmp::Reverse(self.counts[*id as usize]), &self.terms[*id as usize]);
            key(a).cmp(&key(b))
        });
        let mut number = vec![u32::MAX; self.terms.len()];
        order.iter().zip(0..).for_each(|(old, new)| number[*old as usize] = new);
        let mut sorted = Self::new(self.language);
        sorted.terms = order.iter().map(|id| self.terms[*id as usize].clone()).collect();
        sorted.counts = order.iter().map(|id| self.counts[*id as usize]).collect();
        sorted.left_out = self.left_out;
        for sentence in self.sentences() {
            let kept = sentence.iter().map(|id| number[*id as usize]).filter(|id| *id != u32::MAX);
            sorted.ids.extend(kept);
            if sorted.ends.last().copied().unwrap_or(0) < sorted.ids.len() {
                sorted.ends.push(sorted.ids.len());
            }
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use reticent_text::{Analyzer, Document};

    use super::*;

    fn folded(text: &str) -> Vec<Vec<String>> {
        let document = Document::plain("t", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let rows = sentences(text, &layers, Folding::new(Language::English));
        rows.into_iter().map(|row| row.into_iter().map(|term| term.folded).collect()).collect()
    }

    #[test]
    fn a_noun_phrase_is_one_term() {
        let rows = folded("Emma Watson played Hermione Granger. She received two awards!");
        assert_eq!(rows, [vec!["emma watson", "played", "hermione granger"], vec!["received", "two award"]]);
    }

    #[test]
    fn leaves_stop_words_and_signs_alone() {
        assert!(folded("He was it, and they of the - !!").is_empty());
        assert!(folded("").is_empty());
    }

    #[test]
    fn sorting_keeps_the_order_of_the_text() {
        let mut stream = TokenStream::new(Language::English);
        stream.add(["rare", "often", "often"]).unwrap();
        stream.add(["other", "often"]).unwrap();
        stream.add([]).unwrap();
        let sorted = stream.sorted(1);
        assert_eq!(sorted.terms, ["often", "other", "rare"]);
        assert_eq!(sorted.sentences().collect::<Vec<_>>(), [&[2, 0, 0][..], &[1, 0]]);
        let frequent = stream.sorted(2);
        assert_eq!((frequent.len(), frequent.different()), (3, 1));
    }

    #[test]
    fn data_in_a_text_is_left_out_and_counted() {
        let mut stream = TokenStream::new(Language::English);
        stream.add(["a term", &"x".repeat(10_000)]).unwrap();
        assert_eq!((stream.len(), stream.left_out()), (1, 1));
    }
}
