//! Word and letter n-grams, counted and weighted by tf-idf.

use std::collections::HashMap;

use crate::evaluate::words::{is_placeholder, words};

/// Counts of the words of two letters or more and of their bigrams: words first, each in the order of first occurrence, so that
/// sums are always made in the same order.
pub(super) fn grams(text: &str) -> Vec<(String, u32)> {
    count(long_words(text))
}

/// The same without placeholders in capitals, which a person would not read as words.
pub(super) fn said_grams(text: &str) -> Vec<(String, u32)> {
    count(long_words(text).filter(|word| !is_placeholder(word)))
}

/// Words of two letters or more.
pub(super) fn long_words(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| word.chars().nth(1).is_some())
}

/// Counts of words of two letters or more.
pub(super) fn unigrams(text: &str) -> Vec<(String, u32)> {
    tally(long_words(text).map(str::to_lowercase))
}

/// Counts of runs of four letters, within words and across their ends.
pub(super) fn letter_grams(text: &str) -> Vec<(String, u32)> {
    let mut letters = vec![' '];
    for word in long_words(text) {
        letters.extend(word.to_lowercase().chars());
        letters.push(' ');
    }
    // Runs are counted before they become strings: a text has few different ones.
    let mut places: HashMap<[char; 4], usize> = HashMap::new();
    let mut counted: Vec<([char; 4], u32)> = Vec::new();
    for run in letters.array_windows::<4>() {
        let place = *places.entry(*run).or_insert_with(|| {
            counted.push((*run, 0));
            counted.len() - 1
        });
        counted[place].1 += 1;
    }
    counted.into_iter().map(|(run, count)| (run.iter().collect(), count)).collect()
}

fn count<'t>(words: impl Iterator<Item = &'t str>) -> Vec<(String, u32)> {
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let pairs = words.windows(2).map(|pair| format!("{} {}", pair[0], pair[1]));
    tally(words.iter().cloned().chain(pairs))
}

fn tally(grams: impl Iterator<Item = String>) -> Vec<(String, u32)> {
    let mut counted: Vec<(String, u32)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for gram in grams {
        if let Some(&at) = places.get(&gram) {
            counted[at].1 += 1;
        } else {
            places.insert(gram.clone(), counted.len());
            counted.push((gram, 1));
        }
    }
    counted
}

/// Grams with a number each, and their inverse document frequency among some texts.
pub(super) struct Vocabulary {
    places: HashMap<String, u32>,
    idf: Vec<f64>,
}

impl Vocabulary {
    /// Of the grams of texts, those that at least so many of them have, with smoothed idf.
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a [(String, u32)]>, at_least: u32) -> Self {
        Self::weighted(texts, at_least, |count, with| ((1.0 + count) / (1.0 + with)).ln() + 1.0)
    }

    /// The same with another idf, from the number of texts and of those that have the gram.
    pub(super) fn weighted<'a>(
        texts: impl Iterator<Item = &'a [(String, u32)]>,
        at_least: u32,
        idf: fn(f64, f64) -> f64,
    ) -> Self {
        let (mut count, mut with) = (0_u32, HashMap::<&str, u32>::new());
        let mut order: Vec<&str> = Vec::new();
        for text in texts {
            count += 1;
            for (gram, _) in text {
                let with = with.entry(gram).or_insert_with(|| {
                    order.push(gram);
                    0
                });
                *with += 1;
            }
        }
        order.retain(|gram| with[gram] >= at_least);
        let idf = order.iter().map(|gram| idf(f64::from(count), f64::from(with[gram]))).collect();
        let places = (0..).zip(order).map(|(at, gram)| (gram.to_owned(), at)).collect();
        Self { places, idf }
    }

    pub(super) fn len(&self) -> usize {
        self.idf.len()
    }

    /// The known grams of a text: number, count and idf.
    pub(super) fn known(&self, grams: &[(String, u32)]) -> impl Iterator<Item = (u32, f64, f64)> {
        grams.iter().filter_map(|(gram, count)| {
            let at = *self.places.get(gram)?;
            Some((at, f64::from(*count), self.idf[at as usize]))
        })
    }

    /// The known grams of a text by sublinear tf-idf.
    pub(super) fn weights(&self, grams: &[(String, u32)]) -> Vec<(u32, f64)> {
        self.known(grams).map(|(at, count, idf)| (at, (1.0 + count.ln()) * idf)).collect()
    }

    /// The same as a vector of length one (or of nothing).
    pub(super) fn vector(&self, grams: &[(String, u32)]) -> Vec<(u32, f64)> {
        let mut vector = self.weights(grams);
        let norm = vector.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
        if norm > 0.0 {
            for (_, weight) in &mut vector {
                *weight /= norm;
            }
        }
        vector
    }

    /// The grams that a vector of this vocabulary may have, by their number.
    pub(super) fn names<'g>(&self, grams: &'g [(String, u32)]) -> HashMap<u32, &'g str> {
        grams.iter().filter_map(|(gram, _)| Some((*self.places.get(gram)?, gram.as_str()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_left_out_before_pairs_are_made() {
        let found = grams("A cat's Cat, cat");
        let found: Vec<(&str, u32)> = found.iter().map(|(gram, count)| (gram.as_str(), *count)).collect();
        assert_eq!(found, [("cat", 3), ("cat cat", 2)]);
        assert!(grams("a b ?").is_empty());
        assert_eq!((grams("PERSON left").len(), said_grams("PERSON left").len()), (3, 1));
    }

    #[test]
    fn runs_of_letters_cross_the_ends_of_words() {
        let runs = letter_grams("Né a CAT né");
        let runs: Vec<(&str, u32)> = runs.iter().map(|(run, count)| (run.as_str(), *count)).collect();
        assert_eq!(
            runs,
            [(" né ", 2), ("né c", 1), ("é ca", 1), (" cat", 1), ("cat ", 1), ("at n", 1), ("t né", 1)]
        );
        assert!(letter_grams("").is_empty() && letter_grams("a b").is_empty());
        assert_eq!(unigrams("Cat a cat's").len(), 1);
    }

    #[test]
    fn vectors_have_length_one_or_nothing() {
        let texts = [grams("red cat"), grams("red dog")];
        let all = Vocabulary::new(texts.iter().map(Vec::as_slice), 1);
        let vector = all.vector(&texts[0]);
        assert!((vector.iter().map(|(_, weight)| weight * weight).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(all.vector(&grams("blue bird")).is_empty());
        assert_eq!((all.len(), Vocabulary::new(texts.iter().map(Vec::as_slice), 2).len()), (5, 1));
    }
}
