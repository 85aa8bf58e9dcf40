//! Retrieval by shared terms: the public text that has the rarest terms in common with the released one.

use super::grams::{Vocabulary, grams, letter_grams, unigrams};
use super::{Attack, Clue, PublicKnowledge, telling};
use crate::Error;
use crate::evaluate::words::without_placeholders;

/// Saturation of counts in BM25.
const K1: f64 = 1.2;
/// Normalization by text length in BM25.
const B: f64 = 0.75;

/// The terms that a [`TermRetrieval`] compares, and their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Words and word bigrams by sublinear tf-idf and cosine. Placeholders count as words, as in the reference scorer's
    /// `attack`: an adversary may not know which words are placeholders.
    TfIdf,
    /// The same without placeholders such as `[PERSON 1]`.
    Words,
    /// Runs of four letters, within words and across their ends, by sublinear tf-idf and cosine, without placeholders: other
    /// inflections of a word still match.
    Letters,
    /// Words by Okapi BM25 (k1 1.2, b 0.75), without placeholders.
    Bm25,
}

/// Ranks candidates by the terms that their public texts share with a released text.
pub struct TermRetrieval {
    scheme: Scheme,
    vocabulary: Vocabulary,
    /// For each term, the candidates whose text has it, and its weight there.
    postings: Vec<Vec<(u32, f64)>>,
    candidates: usize,
}

impl TermRetrieval {
    /// Indexes what is publicly known.
    pub fn new(public: &PublicKnowledge, scheme: Scheme) -> Self {
        let known: Vec<Vec<(String, u32)>> =
            public.candidates().iter().map(|one| scheme.terms(&one.text)).collect();
        let texts = known.iter().map(Vec::as_slice);
        let vocabulary = match scheme {
            Scheme::Bm25 => {
                Vocabulary::weighted(texts, 1, |count, with| (1.0 + (count - with + 0.5) / (with + 0.5)).ln())
            }
            _ => Vocabulary::new(texts, 1),
        };
        let sizes: Vec<f64> =
            known.iter().map(|terms| terms.iter().map(|(_, count)| f64::from(*count)).sum()).collect();
        let mean_size = crate::evaluate::mean(&sizes);
        let mut postings = vec![Vec::new(); vocabulary.len()];
        for ((candidate, terms), size) in (0..).zip(&known).zip(sizes) {
            let weights = match scheme {
                Scheme::Bm25 => {
                    let norm = K1 * (1.0 - B + B * size / mean_size);
                    let known = vocabulary.known(terms);
                    known
                        .map(|(term, count, idf)| (term, idf * count * (K1 + 1.0) / (count + norm)))
                        .collect()
                }
                _ => vocabulary.vector(terms),
            };
            for (term, weight) in weights {
                postings[term as usize].push((candidate, weight));
            }
        }
        Self { scheme, vocabulary, postings, candidates: known.len() }
    }

    /// The known terms of a released text. Only `TfIdf` divides them by their norm: it changes no rank, but the tolerance for
    /// ties refers to the others as they are.
    fn query(&self, terms: &[(String, u32)]) -> Vec<(u32, f64)> {
        match self.scheme {
            Scheme::TfIdf => self.vocabulary.vector(terms),
            Scheme::Words | Scheme::Letters => self.vocabulary.weights(terms),
            Scheme::Bm25 => self.vocabulary.known(terms).map(|(term, count, _)| (term, count)).collect(),
        }
    }
}

impl Scheme {
    fn terms(self, text: &str) -> Vec<(String, u32)> {
        match self {
            Self::TfIdf => grams(text),
            Self::Words => grams(&without_placeholders(text)),
            Self::Letters => letter_grams(&without_placeholders(text)),
            Self::Bm25 => unigrams(&without_placeholders(text)),
        }
    }
}

impl Attack for TermRetrieval {
    fn name(&self) -> &'static str {
        match self.scheme {
            Scheme::TfIdf => "tfidf",
            Scheme::Words => "words",
            Scheme::Letters => "letters",
            Scheme::Bm25 => "bm25",
        }
    }

    fn about(&self) -> String {
        match self.scheme {
            Scheme::TfIdf => "cosine of words and word bigrams, weighted by tf-idf",
            Scheme::Words => "cosine of words and word bigrams without placeholders, weighted by tf-idf",
            Scheme::Letters => "cosine of letter 4-grams without placeholders, weighted by tf-idf",
            Scheme::Bm25 => "words without placeholders, weighted by BM25",
        }
        .to_owned()
    }

    fn scores(&self, released: &str) -> Result<Vec<f64>, Error> {
        let mut scores = vec![0.0; self.candidates];
        for (term, weight) in self.query(&self.scheme.terms(released)) {
            for (candidate, public) in &self.postings[term as usize] {
                scores[*candidate as usize] += weight * public;
            }
        }
        Ok(scores)
    }

    fn clues(&self, released: &str, candidate: usize, other: usize) -> Result<Vec<Clue>, Error> {
        let terms = self.scheme.terms(released);
        let names = self.vocabulary.names(&terms);
        let weight_in = |term: u32, of: usize| {
            let postings = &self.postings[term as usize];
            postings.iter().find(|(who, _)| *who as usize == of).map_or(0.0, |(_, weight)| *weight)
        };
        let clues = self.query(&terms).into_iter().map(|(term, weight)| {
            (names[&term].to_owned(), weight * (weight_in(term, candidate) - weight_in(term, other)))
        });
        Ok(telling(clues))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    const ALL: [Scheme; 4] = [Scheme::TfIdf, Scheme::Words, Scheme::Letters, Scheme::Bm25];

    fn attack(scheme: Scheme) -> TermRetrieval {
        let public = "{\"entity\":\"Ana\",\"text\":\"a violinist from Metz who plays\"}\n{\"entity\":\"Ben\",\"text\":\"a baker from Cork who bakes\"}";
        TermRetrieval::new(&PublicKnowledge::read(public).unwrap(), scheme)
    }

    #[test]
    fn rare_terms_give_away() {
        for scheme in ALL {
            let scores = attack(scheme).scores("someone from Cork").unwrap();
            assert!(scores[1] > scores[0], "{scheme:?}");
        }
        let clues = attack(Scheme::TfIdf).clues("someone from Cork", 1, 0).unwrap();
        assert_eq!(clues.iter().map(|clue| clue.words.as_str()).collect::<Vec<_>>(), ["cork", "from cork"]);
        let clues = attack(Scheme::Bm25).clues("someone from Cork", 1, 0).unwrap();
        assert_eq!(clues.iter().map(|clue| clue.words.as_str()).collect::<Vec<_>>(), ["cork"]);
    }

    #[test]
    fn only_letters_see_through_inflection() {
        for (scheme, sees) in ALL.into_iter().zip([false, false, true, false]) {
            let scores = attack(scheme).scores("violinists").unwrap();
            assert_eq!(scores[0] > scores[1], sees, "{scheme:?}");
        }
    }

    #[test]
    fn placeholders_are_left_out_and_other_brackets_are_not() {
        for scheme in ALL {
            let seen = |text: &str| attack(scheme).scores(text).unwrap() != [0.0, 0.0];
            assert_eq!(seen("[CORK 1]"), scheme == Scheme::TfIdf, "{scheme:?}");
            assert!(seen("[Cork]") && seen("CORK") && seen("[cork 1]"), "{scheme:?}");
        }
    }

    #[test]
    fn unknown_terms_tell_nothing() {
        for text in ["", "PERSON liv xyz", "…"] {
            for scheme in [Scheme::TfIdf, Scheme::Words, Scheme::Bm25] {
                assert_eq!(attack(scheme).scores(text).unwrap(), [0.0, 0.0]);
                assert!(attack(scheme).clues(text, 0, 1).unwrap().is_empty());
            }
        }
        assert_eq!(attack(Scheme::Letters).scores("zzzzz").unwrap(), [0.0, 0.0]);
    }

    #[test]
    fn bm25_is_that_of_the_formula() {
        let public = PublicKnowledge::read(
            "{\"entity\":\"Ana\",\"text\":\"metz metz cork\"}\n{\"entity\":\"Ben\",\"text\":\"cork\"}",
        )
        .unwrap();
        let scores = TermRetrieval::new(&public, Scheme::Bm25).scores("metz metz").unwrap();
        // Metz is in one text of two; Ana's text has 3 words, the mean is 2.
        let expected = 2.0 * (2.0_f64).ln() * 2.0 * 2.2 / (2.0 + 1.2 * (0.25 + 0.75 * 1.5));
        assert!((scores[0] - expected).abs() < 1e-12 && scores[1] == 0.0, "{scores:?}");
    }
}
