//! Retrieval by meaning: which public text is about such things, though in other words?

use std::collections::{BTreeMap, HashMap};

use reticent_knowledge::embedding::{Lookup, Vectors};

use super::grams::long_words;
use super::{Attack, Clue, PublicKnowledge, telling};
use crate::Error;
use crate::evaluate::error;
use crate::evaluate::words::is_placeholder;

/// Compares the mean of a text's word vectors, weighed by tf-idf, with that of each public text, by cosine.
///
/// What all public texts have in common is taken away first, and what all released ones have: otherwise all of
/// them point the same way. An adversary has the released texts together, so that this is fair. Words are
/// looked up one by one and without their sentence; those that have no vector tell nothing, nor do placeholders in
/// capitals. A word that no public text has is as telling as the rarest.
pub struct EmbeddingRetrieval<'v> {
    vectors: &'v dyn Vectors,
    idf: HashMap<String, f64>,
    unseen: f64,
    /// What released texts have in common.
    common: Vec<f64>,
    candidates: Vec<Vec<f64>>,
}

/// Words, and what each adds to the vector of its text.
type Parts = Vec<(String, Vec<f64>)>;

/// What fewer texts have in common is mostly what they say.
const FEW: usize = 5;

impl<'v> EmbeddingRetrieval<'v> {
    /// Reads what is publicly known, and what was released.
    pub fn new<'t>(
        public: &PublicKnowledge,
        released: impl IntoIterator<Item = &'t str>,
        vectors: &'v dyn Vectors,
    ) -> Result<Self, Error> {
        let texts: Vec<BTreeMap<String, u32>> =
            public.candidates().iter().map(|one| count(&one.text)).collect();
        let mut with: HashMap<&str, u32> = HashMap::new();
        for word in texts.iter().flat_map(BTreeMap::keys) {
            *with.entry(word).or_default() += 1;
        }
        let rare = |with: u32| ((1.0 + texts.len() as f64) / (1.0 + f64::from(with))).ln();
        let idf = with.into_iter().map(|(word, with)| (word.to_owned(), rare(with))).collect();
        let mut attack = Self { vectors, idf, unseen: rare(1), common: Vec::new(), candidates: Vec::new() };
        let mut known: HashMap<String, Option<Vec<f32>>> = HashMap::new();
        let mut direction = |text: &BTreeMap<String, u32>| -> Result<Vec<f64>, Error> {
            Ok(unit(sum(vectors.dimension(), &attack.parts(text, &mut known)?)))
        };
        let public: Vec<Vec<f64>> = texts.iter().map(&mut direction).collect::<Result<_, Error>>()?;
        let released: Vec<Vec<f64>> =
            released.into_iter().map(|text| direction(&count(text))).collect::<Result<_, Error>>()?;
        let public_common = centre(vectors.dimension(), &public);
        attack.candidates = public.iter().map(|text| apart(text, &public_common)).collect();
        attack.common =
            if released.len() < FEW { public_common } else { centre(vectors.dimension(), &released) };
        Ok(attack)
    }

    /// The vector of each word that tells something, as long as it tells.
    fn parts(
        &self,
        text: &BTreeMap<String, u32>,
        known: &mut HashMap<String, Option<Vec<f32>>>,
    ) -> Result<Parts, Error> {
        let mut parts = Vec::new();
        for (word, count) in text {
            let idf = self.idf.get(word).copied().unwrap_or(self.unseen);
            if !known.contains_key(word) {
                known.insert(word.clone(), self.look_up(word)?);
            }
            let Some(Some(vector)) = known.get(word) else { continue };
            let weight = f64::from(*count) * idf;
            let vector = unit(vector.iter().copied().map(f64::from).collect());
            parts.push((word.clone(), vector.into_iter().map(|value| weight * value).collect()));
        }
        Ok(parts)
    }

    fn look_up(&self, word: &str) -> Result<Option<Vec<f32>>, Error> {
        match self.vectors.lookup(word) {
            Ok(Lookup::Found(found)) => Ok(Some(found.vector)),
            Ok(Lookup::Unknown) => Ok(None),
            Err(problem) => Err(error(format!("cannot read the vectors: {problem}"))),
        }
    }

    /// The released text's vector, and its words' parts of it.
    fn released(&self, released: &str) -> Result<(Vec<f64>, Parts), Error> {
        let parts = self.parts(&count(released), &mut HashMap::new())?;
        if parts.is_empty() {
            return Ok((vec![0.0; self.common.len()], parts));
        }
        Ok((apart(&unit(sum(self.common.len(), &parts)), &self.common), parts))
    }
}

fn count(text: &str) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for word in long_words(text).filter(|word| !is_placeholder(word)).map(str::to_lowercase) {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

fn sum(dimension: usize, parts: &[(String, Vec<f64>)]) -> Vec<f64> {
    let mut sum = vec![0.0; dimension];
    for (_, part) in parts {
        sum.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
    }
    sum
}

fn centre(dimension: usize, vectors: &[Vec<f64>]) -> Vec<f64> {
    let mut centre = vec![0.0; dimension];
    for vector in vectors {
        centre.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / vectors.len() as f64);
    }
    centre
}

/// Where a vector points from what is common.
fn apart(vector: &[f64], common: &[f64]) -> Vec<f64> {
    unit(vector.iter().zip(common).map(|(value, common)| value - common).collect())
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn unit(mut vector: Vec<f64>) -> Vec<f64> {
    let norm = dot(&vector, &vector).sqrt();
    if norm > 0.0 {
        for value in &mut vector {
            *value /= norm;
        }
    }
    vector
}

impl Attack for EmbeddingRetrieval<'_> {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn about(&self) -> String {
        format!("cosine of mean word vectors ({})", self.vectors.name())
    }

    fn scores(&self, released: &str) -> Result<Vec<f64>, Error> {
        let (vector, _) = self.released(released)?;
        Ok(self.candidates.iter().map(|candidate| dot(&vector, candidate)).collect())
    }

    fn clues(&self, released: &str, candidate: usize, other: usize) -> Result<Vec<Clue>, Error> {
        let (_, parts) = self.released(released)?;
        let between: Vec<f64> =
            self.candidates[candidate].iter().zip(&self.candidates[other]).map(|(a, b)| a - b).collect();
        Ok(telling(parts.into_iter().map(|(word, part)| (word, dot(&part, &between)))))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use reticent_knowledge::embedding::glove;

    use super::*;

    fn public() -> PublicKnowledge {
        PublicKnowledge::read(
            "{\"entity\":\"Ana\",\"text\":\"The violinist gave a concert and recorded a sonata album\"}\n{\"entity\":\"Ben\",\"text\":\"The baker sold bread and cakes in the town\"}\n{\"entity\":\"Eve\",\"text\":\"The striker scored a goal and won the match\"}",
        )
        .unwrap()
    }

    #[test]
    fn finds_what_means_the_same() {
        let public = public();
        let attack = EmbeddingRetrieval::new(&public, [], glove().unwrap()).unwrap();
        let text = "a footballer, who likes cakes, kicked the ball into the net";
        let scores = attack.scores(text).unwrap();
        assert!(scores[2] > scores[0] && scores[2] > scores[1], "{scores:?}");
        assert_eq!(
            scores,
            EmbeddingRetrieval::new(&public, [], glove().unwrap()).unwrap().scores(text).unwrap()
        );
        let clues = attack.clues(text, 1, 2).unwrap();
        assert_eq!(clues[0].words, "cakes");
    }

    #[test]
    fn what_has_no_vector_tells_nothing() {
        let public = public();
        let attack = EmbeddingRetrieval::new(&public, [], glove().unwrap()).unwrap();
        for text in ["", "PERSON qzxjwv", "…"] {
            assert_eq!(attack.scores(text).unwrap(), [0.0; 3]);
            assert!(attack.clues(text, 0, 1).unwrap().is_empty());
        }
    }
}
