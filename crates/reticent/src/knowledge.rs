//! Background knowledge of an attacker: word vectors, taxonomies and frequencies.

use std::sync::Arc;

use reticent_knowledge::corpus::{Count, Counts, WordFrequencies};
use reticent_knowledge::embedding::{Vectors, glove};
use reticent_knowledge::taxonomy::{Sense, Stack, StackSense};
use reticent_text::Language;

use crate::Error;

/// A term is so many bits rarer among the words of running text, articles and verbs included, than among the terms of
/// texts of its own kind: about right on biographies.
const AMONG_WORDS: f64 = 3.0;

/// Word vectors for similarity, taxonomies for generalization, and term frequencies.
///
/// ```
/// use reticent::Knowledge;
/// use reticent_text::Language;
/// let knowledge = Knowledge::shipped()?;
/// let bits = |term| knowledge.bits(term, Language::English);
/// assert!(bits("house")? < bits("houseboat")?);
/// assert_eq!(bits("qzxjwv")?, None);
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone)]
pub struct Knowledge {
    vectors: Arc<dyn Vectors>,
    taxonomy: Arc<Stack>,
    english: Arc<WordFrequencies>,
    spanish: Arc<WordFrequencies>,
}

impl std::fmt::Debug for Knowledge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Knowledge")
            .field("vectors", &self.vectors.name())
            .field("taxonomy", &self.taxonomy)
            .finish_non_exhaustive()
    }
}

impl Knowledge {
    /// Opens the built-in knowledge: vectors of common English words, WordNet, places and nationalities.
    pub fn shipped() -> Result<Self, Error> {
        Ok(Self {
            vectors: Arc::new(glove()?),
            taxonomy: Arc::new(Stack::standard()?),
            english: Arc::new(WordFrequencies::new(Language::English)?),
            spanish: Arc::new(WordFrequencies::new(Language::Spanish)?),
        })
    }

    /// Replaces the vectors.
    #[must_use]
    pub fn with_vectors(self, vectors: Arc<dyn Vectors>) -> Self {
        Self { vectors, ..self }
    }

    /// Replaces the taxonomies.
    #[must_use]
    pub fn with_taxonomy(self, taxonomy: Stack) -> Self {
        Self { taxonomy: Arc::new(taxonomy), ..self }
    }

    /// Returns the word vectors.
    pub fn vectors(&self) -> &dyn Vectors {
        &*self.vectors
    }

    /// Returns the taxonomies.
    pub fn taxonomy(&self) -> &Stack {
        &self.taxonomy
    }

    /// Whether a word names a people: `English`, `Danes`.
    pub(crate) fn is_people(&self, word: &str) -> bool {
        let senses = self.taxonomy.senses(word);
        senses
            .first()
            .is_some_and(|sense| self.taxonomy.members()[sense.taxonomy].name().starts_with("nationalities"))
    }

    /// Whether a taxonomy of names, such as that of places, has this one.
    pub(crate) fn is_known_name(&self, name: &str) -> bool {
        let senses = self.taxonomy.senses(name);
        senses.iter().any(|sense| self.taxonomy.members()[sense.taxonomy].holds_names())
    }

    /// Returns the information content of a term in bits, from the counts of the vectors or, if they have none, from
    /// the frequency of its rarest word in the language. `None` for an unknown term, which must not be treated as
    /// common.
    pub fn bits(&self, term: &str, language: Language) -> Result<Option<f64>, Error> {
        let (count, total) = match (self.vectors.total(), language) {
            (Some(total), _) => (self.vectors.count(term), total),
            (None, Language::English) => (self.english.count(&[term])?, self.english.total()),
            (None, Language::Spanish) => (self.spanish.count(&[term])?, self.spanish.total()),
            (None, Language::Other) => (Count::Unknown, 1),
        };
        Ok(match count {
            Count::Exact(count) | Count::AtMost(count) if count > 0 => {
                let bits = (total as f64 / count as f64).log2();
                let counts_terms = self.vectors.total().is_some();
                Some(if counts_terms { bits } else { bits - AMONG_WORDS }.max(0.0))
            }
            _ => None,
        })
    }
}

/// Whether words can mean one of these things, or something below it: a `college` can be an `institution`.
pub(crate) fn can_be(stack: &Stack, words: &str, things: &[&str]) -> bool {
    senses_below(stack, words, things).next().is_some()
}

/// What words can mean that is one of these things, or something below it.
pub(crate) fn senses_below(stack: &Stack, words: &str, things: &[&str]) -> impl Iterator<Item = StackSense> {
    // What the things mean is asked once, and only of taxonomies that know the words.
    let mut above: Vec<(usize, Vec<Sense>)> = Vec::new();
    stack.senses(words).into_iter().filter(move |sense| {
        let taxonomy = &stack.members()[sense.taxonomy];
        let known = above.iter().position(|(of, _)| *of == sense.taxonomy).unwrap_or_else(|| {
            let senses = things.iter().flat_map(|thing| taxonomy.senses(thing)).collect();
            above.push((sense.taxonomy, senses));
            above.len() - 1
        });
        above[known].1.iter().any(|above| taxonomy.contains(above.concept, sense.concept))
    })
}
