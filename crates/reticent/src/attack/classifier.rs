//! A linear classifier of sentences, whose votes are counted.
//!
//! Multinomial logistic regression by stochastic gradient descent. Crates that offer it (`linfa-logistic`, `smartcore`) take
//! dense matrices and bring linear algebra along; for sparse sentences it is the sixty lines below, linear in the text.

use reticent_text::{Annotator, Document, Language, Layers, SentenceSplitter};

use super::grams::{Vocabulary, said_grams};
use super::{Attack, Clue, PublicKnowledge, telling};
use crate::Error;
use crate::evaluate::{error, share};

/// More weights than this are not learnt: 400 MB.
const MOST_WEIGHTS: usize = 100_000_000;
/// How often all sentences are gone through at most.
const EPOCHS: u32 = 12;
/// How far the first steps go. Vectors have length one.
const RATE: f32 = 4.0;
/// The sentences of a candidate about whom little is written count at most so often.
const MOST_BALANCE: f32 = 4.0;
/// One sentence in so many is held out, to tell when to stop.
const HELD_OUT: usize = 5;

/// Learns how sentences about each candidate are written, from four fifths of the public ones, and lets the sentences of a
/// released text vote, as the embeddings paper does with a BERT model. The same texts give the same classifier.
///
/// The score of a candidate is the number of its votes, and below one the mean probability that the sentences
/// give it, which decides between equals. A sentence without any known word has no vote.
pub struct SentenceClassifier {
    vocabulary: Vocabulary,
    /// For each gram, a weight for each candidate.
    weights: Vec<f32>,
    candidates: usize,
    accuracy: f64,
}

/// A sentence as numbers, and whom it is about.
struct Example {
    vector: Vec<(u32, f64)>,
    candidate: usize,
}

impl SentenceClassifier {
    /// Learns from what is publicly known.
    pub fn train(public: &PublicKnowledge) -> Result<Self, Error> {
        let candidates = public.candidates().len();
        let mut sentences: Vec<(usize, Vec<(String, u32)>)> = Vec::new();
        for (candidate, one) in public.candidates().iter().enumerate() {
            sentences.extend(split(&one.text)?.into_iter().map(|sentence| (candidate, sentence)));
        }
        // A gram of a single sentence teaches nothing about another.
        let vocabulary = Vocabulary::new(sentences.iter().map(|(_, grams)| grams.as_slice()), 2);
        if vocabulary.len().saturating_mul(candidates) > MOST_WEIGHTS {
            return Err(error(format!("the classifier does not support {candidates} candidates"))
                .with_hint("use --method tfidf, or fewer candidates"));
        }
        let mut examples: [Vec<Example>; 2] = [Vec::new(), Vec::new()];
        for (at, (candidate, grams)) in sentences.iter().enumerate() {
            let vector = vocabulary.vector(grams);
            if !vector.is_empty() {
                let held_out = usize::from(at % HELD_OUT == HELD_OUT - 1);
                examples[held_out].push(Example { vector, candidate: *candidate });
            }
        }
        let [mut learn, check] = examples;
        // Who has much written about them must not win for that alone.
        let mut counts = vec![0_usize; candidates];
        for example in &learn {
            counts[example.candidate] += 1;
        }
        #[allow(clippy::cast_possible_truncation)]
        let balance: Vec<f32> = counts
            .iter()
            .map(|count| (share(learn.len(), candidates * count) as f32).min(MOST_BALANCE))
            .collect();
        let weights = vec![0.0; vocabulary.len() * candidates];
        let mut model = Self { vocabulary, weights, candidates, accuracy: 0.0 };
        let mut best: Option<Vec<f32>> = None;
        let mut random = 0x5eed;
        for epoch in 0..EPOCHS {
            shuffle(&mut learn, &mut random);
            #[allow(clippy::cast_precision_loss)]
            let rate = RATE / (1.0 + 0.3 * epoch as f32);
            for example in &learn {
                model.learn(example, rate * balance[example.candidate]);
            }
            let right =
                check.iter().filter(|example| model.guess(&example.vector) == example.candidate).count();
            let accuracy = share(right, check.len());
            if best.is_some() && accuracy <= model.accuracy {
                break;
            }
            model.accuracy = accuracy;
            best = Some(model.weights.clone());
        }
        model.weights = best.unwrap_or_default();
        Ok(model)
    }

    /// Returns the accuracy on held-out public sentences.
    pub fn accuracy(&self) -> f64 {
        self.accuracy
    }

    fn row(&self, gram: u32) -> &[f32] {
        &self.weights[gram as usize * self.candidates..][..self.candidates]
    }

    fn learn(&mut self, example: &Example, rate: f32) {
        let mut errors = self.probabilities(&example.vector);
        errors[example.candidate] -= 1.0;
        for (gram, value) in &example.vector {
            #[allow(clippy::cast_possible_truncation)]
            let step = rate * *value as f32;
            let row = &mut self.weights[*gram as usize * self.candidates..][..self.candidates];
            for (weight, error) in row.iter_mut().zip(&errors) {
                *weight -= step * error;
            }
        }
    }

    fn probabilities(&self, vector: &[(u32, f64)]) -> Vec<f32> {
        let mut sums = vec![0.0_f32; self.candidates];
        for (gram, value) in vector {
            #[allow(clippy::cast_possible_truncation)]
            let value = *value as f32;
            for (sum, weight) in sums.iter_mut().zip(self.row(*gram)) {
                *sum += value * weight;
            }
        }
        let highest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for sum in &mut sums {
            *sum = (*sum - highest).exp();
        }
        let total: f32 = sums.iter().sum();
        for sum in &mut sums {
            *sum /= total;
        }
        sums
    }

    fn guess(&self, vector: &[(u32, f64)]) -> usize {
        best(&self.probabilities(vector))
    }
}

/// The place of the highest; of equals, the first.
fn best(values: &[f32]) -> usize {
    (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
}

/// The grams of each sentence.
fn split(text: &str) -> Result<Vec<Vec<(String, u32)>>, Error> {
    let document = Document::plain("", text);
    let mut layers = Layers::new(Language::Other);
    SentenceSplitter.annotate(&document, &mut layers)?;
    Ok(layers.sentences.iter().map(|span| said_grams(span.of(text))).collect())
}

/// Fisher and Yates, with numbers by `SplitMix64`.
fn shuffle(examples: &mut [Example], state: &mut u64) {
    for last in (1..examples.len()).rev() {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        #[allow(clippy::cast_possible_truncation)]
        let other = ((u128::from(mixed ^ (mixed >> 31)) * (last as u128 + 1)) >> 64) as usize;
        examples.swap(last, other);
    }
}

impl Attack for SentenceClassifier {
    fn name(&self) -> &'static str {
        "classifier"
    }

    fn about(&self) -> String {
        format!(
            "sentence votes of a linear classifier ({:.0} % accuracy on held-out public sentences)",
            100.0 * self.accuracy
        )
    }

    fn scores(&self, released: &str) -> Result<Vec<f64>, Error> {
        let mut votes = vec![0.0; self.candidates];
        let mut sums = vec![0.0; self.candidates];
        let mut voters = 0_u32;
        for grams in split(released)? {
            let vector = self.vocabulary.vector(&grams);
            if vector.is_empty() {
                continue;
            }
            let probabilities = self.probabilities(&vector);
            votes[best(&probabilities)] += 1.0;
            voters += 1;
            for (sum, probability) in sums.iter_mut().zip(&probabilities) {
                *sum += f64::from(*probability);
            }
        }
        // A little more than there are voters, so that certainty is no vote.
        let most = f64::from(voters) * 1.001 + 1e-9;
        Ok(votes.iter().zip(&sums).map(|(votes, sum)| votes + sum / most).collect())
    }

    fn clues(&self, released: &str, candidate: usize, other: usize) -> Result<Vec<Clue>, Error> {
        let mut sums: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
        for grams in split(released)? {
            let names = self.vocabulary.names(&grams);
            for (gram, value) in self.vocabulary.vector(&grams) {
                let row = self.row(gram);
                *sums.entry(names[&gram].to_owned()).or_default() +=
                    value * f64::from(row[candidate] - row[other]);
            }
        }
        Ok(telling(sums.into_iter()))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    fn public() -> PublicKnowledge {
        let about = |who: &str, what: &str| {
            let text = format!("{what} was {who}'s and nobody else's. ").repeat(12);
            format!("{{\"entity\":\"{who}\",\"text\":\"{text}\"}}\n")
        };
        let all = [
            about("Ana", "The violin concert"),
            about("Ben", "The chess match"),
            about("Eve", "The loaf of bread"),
        ];
        PublicKnowledge::read(&all.concat()).unwrap()
    }

    #[test]
    fn sentences_vote() {
        let attack = SentenceClassifier::train(&public()).unwrap();
        assert_eq!(attack.accuracy(), 1.0);
        let scores = attack
            .scores("A chess match was won. Another match was lost. She heard a violin concert.")
            .unwrap();
        assert!(
            (2.0..3.0).contains(&scores[1]) && (1.0..2.0).contains(&scores[0]) && scores[2] < 1.0,
            "{scores:?}"
        );
        let clues = attack.clues("A chess match was won.", 1, 0).unwrap();
        assert!(["chess", "match", "chess match"].contains(&clues[0].words.as_str()), "{clues:?}");
    }

    #[test]
    fn sentences_without_known_words_do_not_vote() {
        let attack = SentenceClassifier::train(&public()).unwrap();
        assert_eq!(attack.scores("PERSON likes nothing. Xyzzy!").unwrap(), [0.0; 3]);
        assert_eq!(attack.scores("").unwrap(), [0.0; 3]);
        assert!(attack.clues("Xyzzy", 0, 1).unwrap().is_empty());
    }

    #[test]
    fn learns_the_same_twice() {
        let (one, other) =
            (SentenceClassifier::train(&public()).unwrap(), SentenceClassifier::train(&public()).unwrap());
        assert_eq!(one.weights, other.weights);
        // Texts that teach nothing make a classifier that knows nothing.
        let nothing =
            PublicKnowledge::read("{\"entity\":1,\"text\":\"\"}\n{\"entity\":2,\"text\":\"x\"}").unwrap();
        assert_eq!(SentenceClassifier::train(&nothing).unwrap().scores("x y").unwrap(), [0.0; 2]);
    }
}
