//! Taxonomies: how things generalize.
//!
//! ```
//! use reticent_knowledge::taxonomy::Stack;
//! let stack = Stack::standard()?;
//! let ladder = stack.ladder("metastatic breast cancer");
//! let rungs: Vec<&str> = ladder.rungs.iter().map(|rung| rung.text.as_str()).collect();
//! assert_eq!(rungs[..3], ["breast cancer", "carcinoma", "cancer"]);
//! assert_eq!(rungs.last(), Some(&"entity"));
//! # Ok::<(), reticent_knowledge::Error>(())
//! ```

mod draft;
mod embedded;
mod key;
mod ladder;
mod morphology;
mod pack;
mod packed;
mod phrase;
pub mod read;
mod stack;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

pub use draft::{Draft, Summary};
pub use embedded::{nationalities, places, wordnet};
pub use ladder::{Ladder, Rung, RungKind};
pub use packed::{KIND, PackedTaxonomy};
pub use stack::{Stack, StackSense};

/// What the last rung of every ladder says: the root of WordNet.
pub const ROOT: &str = "entity";

/// A concept of one taxonomy; it means nothing to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Concept(pub(crate) u32);

/// One of the things that a term may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sense {
    /// What it means.
    pub concept: Concept,
    /// How probable that is; the senses of a term sum up to 1.
    pub probability: f64,
    /// How often the term was seen with that meaning where the taxonomy's counts come from; 0 if it has
    /// none.
    pub count: u32,
    /// Whether the taxonomy has a word for it that begins with a capital if the term does, and only then.
    pub exact: bool,
}

/// A source of generalizations: concepts, the words for them, and what is broader.
///
/// A taxonomy answers from files that were checked when they were opened, so that asking cannot fail: no
/// answer means that it does not know the term. It never guesses; guesses at phrases are the work of the
/// [`Ladder`].
///
/// Broader means that what is said stays true: every actress is an actor, and who lives in Boston lives in
/// Massachusetts. There are no cycles.
///
/// The information content of a concept is that of Resnik: its frequency is the sum of the counts of all
/// words for it and for all that is narrower, each concept counted once more so that none has zero;
/// `IC = -log2(frequency / total)`. It never grows from a concept to a broader one. A taxonomy without
/// counts gets, by the same formula, `log2(N) - log2(1 + descendants)`, which is the intrinsic
/// information content of Seco, Veale and Hayes times `log2(N)`. Bits of different taxonomies come from
/// different counts: compare within one.
///
/// To add one that comes from a file of another format: a reader in `taxonomy/read` that fills a
/// [`Draft`], and a line in its list of formats. To add one that is no file: implement this trait.
pub trait Taxonomy: Send + Sync {
    /// What it is, in a report: `wordnet 3.0`.
    fn name(&self) -> String;

    /// By what a certificate names it: the same for the same knowledge, and only for it.
    fn fingerprint(&self) -> String;

    /// What a term may mean, most probable first; empty if the term is not known. Case and number need
    /// not be those of the taxonomy, but what is written as the term is comes first: `Turkey` is a
    /// country before it is a bird.
    fn senses(&self, term: &str) -> Vec<Sense>;

    /// Whether all its words are names, so that what it says of a common word with a capital is not to be
    /// believed.
    fn holds_names(&self) -> bool {
        false
    }

    /// The concept with that code.
    fn concept(&self, code: &str) -> Option<Concept>;

    /// By what the taxonomy itself names a concept: `n10053808`, `DOID:1612`.
    fn code(&self, concept: Concept) -> String;

    /// How a concept is best called.
    fn label(&self, concept: Concept) -> String;

    /// All words for a concept, its label first.
    fn synonyms(&self, concept: Concept) -> Vec<String>;

    /// What a concept is, in a sentence.
    fn gloss(&self, concept: Concept) -> Option<String>;

    /// What is directly broader, the primary or most specific first.
    fn broader(&self, concept: Concept) -> Vec<Concept>;

    /// What is directly narrower: hyponyms, instances, and the places within a place.
    fn narrower(&self, concept: Concept) -> Vec<Concept>;

    /// How much is told by saying the concept, in bits.
    fn information_content(&self, concept: Concept) -> f64;

    /// Whether saying `ancestor` is true of all that `concept` is true of.
    fn contains(&self, ancestor: Concept, concept: Concept) -> bool {
        let mut seen = HashSet::from([concept]);
        let mut open = vec![concept];
        while let Some(next) = open.pop() {
            if next == ancestor {
                return true;
            }
            open.extend(self.broader(next).into_iter().filter(|broader| seen.insert(*broader)));
        }
        false
    }
}

impl<T: Taxonomy + ?Sized> Taxonomy for &T {
    fn name(&self) -> String {
        (**self).name()
    }

    fn fingerprint(&self) -> String {
        (**self).fingerprint()
    }

    fn senses(&self, term: &str) -> Vec<Sense> {
        (**self).senses(term)
    }

    fn holds_names(&self) -> bool {
        (**self).holds_names()
    }

    fn concept(&self, code: &str) -> Option<Concept> {
        (**self).concept(code)
    }

    fn code(&self, concept: Concept) -> String {
        (**self).code(concept)
    }

    fn label(&self, concept: Concept) -> String {
        (**self).label(concept)
    }

    fn synonyms(&self, concept: Concept) -> Vec<String> {
        (**self).synonyms(concept)
    }

    fn gloss(&self, concept: Concept) -> Option<String> {
        (**self).gloss(concept)
    }

    fn broader(&self, concept: Concept) -> Vec<Concept> {
        (**self).broader(concept)
    }

    fn narrower(&self, concept: Concept) -> Vec<Concept> {
        (**self).narrower(concept)
    }

    fn information_content(&self, concept: Concept) -> f64 {
        (**self).information_content(concept)
    }
}
