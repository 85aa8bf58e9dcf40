//! Retrieval by tf-idf: which public text shares the rarest words?

use super::grams::{Vocabulary, grams};
use super::{Attack, Clue, PublicKnowledge, telling};
use crate::Error;

/// Compares words and pairs of neighbouring words, weighed by sublinear tf-idf, by cosine.
pub struct TfIdfRetrieval {
    vocabulary: Vocabulary,
    /// For each gram, the candidates whose text has it, and its weight there.
    postings: Vec<Vec<(u32, f64)>>,
    candidates: usize,
}

impl TfIdfRetrieval {
    /// Reads what is publicly known.
    pub fn new(public: &PublicKnowledge) -> Self {
        let known: Vec<Vec<(String, u32)>> = public.candidates().iter().map(|one| grams(&one.text)).collect();
        let vocabulary = Vocabulary::new(known.iter().map(Vec::as_slice), 1);
        let mut postings = vec![Vec::new(); vocabulary.len()];
        for (candidate, grams) in (0..).zip(&known) {
            for (gram, weight) in vocabulary.vector(grams) {
                postings[gram as usize].push((candidate, weight));
            }
        }
        Self { vocabulary, postings, candidates: known.len() }
    }
}

impl Attack for TfIdfRetrieval {
    fn name(&self) -> &'static str {
        "tfidf"
    }

    fn about(&self) -> String {
        "cosine of words and pairs of words by tf-idf".to_owned()
    }

    fn scores(&self, released: &str) -> Result<Vec<f64>, Error> {
        let mut scores = vec![0.0; self.candidates];
        for (gram, weight) in self.vocabulary.vector(&grams(released)) {
            for (candidate, public) in &self.postings[gram as usize] {
                scores[*candidate as usize] += weight * public;
            }
        }
        Ok(scores)
    }

    fn clues(&self, released: &str, candidate: usize, other: usize) -> Result<Vec<Clue>, Error> {
        let grams = grams(released);
        let names = self.vocabulary.names(&grams);
        let weight_in = |gram: u32, of: usize| {
            let postings = &self.postings[gram as usize];
            postings.iter().find(|(who, _)| *who as usize == of).map_or(0.0, |(_, weight)| *weight)
        };
        let clues = self.vocabulary.vector(&grams).into_iter().map(|(gram, weight)| {
            (names[&gram].to_owned(), weight * (weight_in(gram, candidate) - weight_in(gram, other)))
        });
        Ok(telling(clues))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    fn attack() -> TfIdfRetrieval {
        let public = "{\"entity\":\"Ana\",\"text\":\"a violinist from Metz who plays\"}\n{\"entity\":\"Ben\",\"text\":\"a baker from Cork who bakes\"}";
        TfIdfRetrieval::new(&PublicKnowledge::read(public).unwrap())
    }

    #[test]
    fn rare_words_give_away() {
        let scores = attack().scores("someone from Cork").unwrap();
        assert!(scores[1] > scores[0]);
        let clues = attack().clues("someone from Cork", 1, 0).unwrap();
        assert_eq!(clues.iter().map(|clue| clue.words.as_str()).collect::<Vec<_>>(), ["cork", "from cork"]);
    }

    #[test]
    fn what_it_does_not_know_tells_nothing() {
        for text in ["", "PERSON lives somewhere", "…"] {
            assert_eq!(attack().scores(text).unwrap(), [0.0, 0.0]);
            assert!(attack().clues(text, 0, 1).unwrap().is_empty());
        }
    }
}
