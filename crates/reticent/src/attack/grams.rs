//! Words and pairs of words, counted and weighed by tf-idf.

use std::collections::HashMap;

use crate::evaluate::words::{is_placeholder, words};

/// How often each word of two letters or more, and each pair of neighbours, is in a text: words first, each in the order in which
/// it first came, so that sums are always made in the same order.
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

fn count<'t>(words: impl Iterator<Item = &'t str>) -> Vec<(String, u32)> {
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let pairs = words.windows(2).map(|pair| format!("{} {}", pair[0], pair[1]));
    let mut counted: Vec<(String, u32)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for gram in words.iter().cloned().chain(pairs) {
        if let Some(&at) = places.get(&gram) {
            counted[at].1 += 1;
        } else {
            places.insert(gram.clone(), counted.len());
            counted.push((gram, 1));
        }
    }
    counted
}

/// Grams with a number each, and how rare they are among some texts.
pub(super) struct Vocabulary {
    places: HashMap<String, u32>,
    idf: Vec<f64>,
}

impl Vocabulary {
    /// Of the grams of texts, those that at least so many of them have.
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a [(String, u32)]>, at_least: u32) -> Self {
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
        let rare = |with: u32| ((1.0 + f64::from(count)) / (1.0 + f64::from(with))).ln() + 1.0;
        let idf = order.iter().map(|gram| rare(with[gram])).collect();
        let places = (0..).zip(order).map(|(at, gram)| (gram.to_owned(), at)).collect();
        Self { places, idf }
    }

    pub(super) fn len(&self) -> usize {
        self.idf.len()
    }

    /// The known grams of a text by tf-idf, as a vector of length one (or of nothing).
    pub(super) fn vector(&self, grams: &[(String, u32)]) -> Vec<(u32, f64)> {
        let known = grams.iter().filter_map(|(gram, count)| Some((*self.places.get(gram)?, *count)));
        let mut vector: Vec<(u32, f64)> =
            known.map(|(at, count)| (at, (1.0 + f64::from(count).ln()) * self.idf[at as usize])).collect();
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
    fn vectors_have_length_one_or_nothing() {
        let texts = [grams("red cat"), grams("red dog")];
        let all = Vocabulary::new(texts.iter().map(Vec::as_slice), 1);
        let vector = all.vector(&texts[0]);
        assert!((vector.iter().map(|(_, weight)| weight * weight).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(all.vector(&grams("blue bird")).is_empty());
        assert_eq!((all.len(), Vocabulary::new(texts.iter().map(Vec::as_slice), 2).len()), (5, 1));
    }
}
