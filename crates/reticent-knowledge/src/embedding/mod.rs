//! Vectors: which terms are alike.
//!
//! - [`train()`]: our own skip-gram over terms; [`expand()`]: new terms, old vectors kept;
//! - [`import()`]: word2vec, fastText and `GloVe` files; [`export`]: word2vec files for other programs;
//! - [`TermVectors`]: the file that all of these end in, mapped into memory;
//! - [`glove()`]: the vectors that ship with the program;
//! - `ContextualVectors`, with the feature `contextual`: a BERT-like model, which looks at the sentence.

#[cfg(feature = "contextual")]
mod contextual;
mod expand;
pub mod export;
mod glove;
mod heads;
pub mod import;
mod landmarks;
mod lookup;
mod nearest;
mod rows;
mod stream;
mod subword;
mod table;
mod term_vectors;
pub mod train;

#[cfg(feature = "contextual")]
pub use contextual::ContextualVectors;
pub use expand::expand;
pub use glove::glove;
pub use import::import;
pub use lookup::{Found, How, Lookup, Similarity, cosine};
pub use nearest::Neighbour;
pub use rows::Precision;
pub use stream::{StreamTerm, TokenStream, sentences};
pub use subword::Subwords;
pub use table::VectorTable;
pub use term_vectors::TermVectors;
pub use train::train;

use reticent_text::Span;

use crate::Error;
use crate::corpus::Count;

/// A source of vectors: where terms lie, so that those which are used alike lie together.
///
/// The family: [`TermVectors`] (trained by us, or imported from word2vec, fastText and `GloVe`; the one
/// that ships is [`glove()`]) and, with the feature `contextual`, `ContextualVectors` (a BERT-like model
/// that looks at the sentence too).
///
/// A member takes terms as they stand in a text; folding them is its own work. It returns an error when
/// it could not look, [`Lookup::Unknown`] when it looked and has no vector, and says of each vector
/// [`How`] it came about. A term without a vector is never said to be unlike another: what is released
/// depends on it.
///
/// To add one: a file in `embedding/`, a type that implements this trait, and tests of what it does with
/// terms that it has, that it can only compose, and that it has never seen. A reader for another format
/// of word vectors is no member but a file in `embedding/import/`.
///
/// ```
/// use reticent_knowledge::embedding::{How, Lookup, Similarity, Vectors, glove};
/// let vectors = glove()?;
/// assert!(matches!(vectors.lookup("actress")?, Lookup::Found(found) if found.how == How::Whole));
/// assert!(matches!(vectors.lookup("qzxjwv")?, Lookup::Unknown));
/// let Similarity::Cosine(near) = vectors.similarity("actress", "actor")? else { unreachable!() };
/// let Similarity::Cosine(far) = vectors.similarity("actress", "gravel")? else { unreachable!() };
/// assert!(near > 0.7 && far < 0.3);
/// assert_eq!(vectors.similarity("actress", "qzxjwv")?, Similarity::Unknown);
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub trait Vectors: Send + Sync {
    /// What it is, in a report: `GloVe, 90,000 terms, 100 dimensions`.
    fn name(&self) -> String;

    /// By what a certificate names it: the same for the same vectors, and only for them.
    fn fingerprint(&self) -> String;

    /// How many numbers a vector has.
    fn dimension(&self) -> usize;

    /// The vector of a term, and how it was found.
    fn lookup(&self, term: &str) -> Result<Lookup, Error>;

    /// The vector of the term that stands at this place of a sentence. Those that know no context look
    /// up the term alone.
    fn lookup_in(&self, sentence: &str, term: Span) -> Result<Lookup, Error> {
        self.lookup(term.of(sentence))
    }

    /// A vector for a term that has none, from text about it, such as its gloss in a taxonomy. It is
    /// given back, not kept.
    fn expand_from_gloss(&self, term: &str, gloss: &str) -> Result<Lookup, Error>;

    /// How many terms it learnt from, counting each time; nothing if that is not known.
    fn total(&self) -> Option<u64> {
        None
    }

    /// How often it met phrases whose last words are these: `career` counts in `film career` too. Unknown if
    /// it never did, or does not count.
    fn count(&self, _term: &str) -> Count {
        Count::Unknown
    }

    /// How many landmarks it has: its terms, or some thousands spread evenly over them, by which it is told where a
    /// vector lies. Nothing if it makes vectors as it is asked.
    fn landmarks(&self) -> Option<usize> {
        None
    }

    /// How many landmarks lie nearer to a vector than this cosine; it counts no further than `most`.
    fn landmarks_nearer(&self, _vector: &[f32], _than: f32, _most: usize) -> usize {
        0
    }

    /// How alike two terms are, unless one of them is unknown.
    fn similarity(&self, one: &str, other: &str) -> Result<Similarity, Error> {
        Ok(self.lookup(one)?.similarity(&self.lookup(other)?))
    }
}

impl<V: Vectors + ?Sized> Vectors for &V {
    fn name(&self) -> String {
        (**self).name()
    }

    fn fingerprint(&self) -> String {
        (**self).fingerprint()
    }

    fn dimension(&self) -> usize {
        (**self).dimension()
    }

    fn lookup(&self, term: &str) -> Result<Lookup, Error> {
        (**self).lookup(term)
    }

    fn lookup_in(&self, sentence: &str, term: Span) -> Result<Lookup, Error> {
        (**self).lookup_in(sentence, term)
    }

    fn expand_from_gloss(&self, term: &str, gloss: &str) -> Result<Lookup, Error> {
        (**self).expand_from_gloss(term, gloss)
    }

    fn total(&self) -> Option<u64> {
        (**self).total()
    }

    fn count(&self, term: &str) -> Count {
        (**self).count(term)
    }

    fn landmarks(&self) -> Option<usize> {
        (**self).landmarks()
    }

    fn landmarks_nearer(&self, vector: &[f32], than: f32, most: usize) -> usize {
        (**self).landmarks_nearer(vector, than, most)
    }
}
