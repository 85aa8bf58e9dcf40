//! Attacks: who is each released text about?
//!
//! An adversary has [`PublicKnowledge`], a text about each candidate, and reads what was released. [`run()`] lets
//! an [`Attack`] guess, and tells how often it is right, where the true subject ranks, and which words that
//! were left in the text gave it away.

mod classifier;
mod embedding;
mod grams;
mod public;
mod run;
mod tfidf;

pub use classifier::SentenceClassifier;
pub use embedding::EmbeddingRetrieval;
pub use public::{Candidate, PublicKnowledge, Target, read_targets};
pub use run::{AttackReport, Attacked, run};
pub use tfidf::TfIdfRetrieval;

use crate::Error;

/// A way to find out whom a released text is about.
///
/// The family: [`TfIdfRetrieval`] (which public text shares the rarest words with it; strong, and the one to beat),
/// [`SentenceClassifier`] (learns how sentences about each candidate are written, and lets the sentences vote, as
/// in the embeddings paper) and [`EmbeddingRetrieval`] (which public text means something alike, though in other
/// words).
///
/// A member is made from [`PublicKnowledge`] alone and is asked with a released text alone. It never sees a
/// [`Document`](reticent_text::Document), a plan, a policy or the original: only what an adversary sees. It gives every
/// candidate a score, the same for the same texts, in time linear in them; a text that tells it nothing gets
/// the same score for all. Its figures are a lower bound of what an adversary can do: a text that resists it
/// may still fall to a better one.
///
/// To add one: a file in `attack/`, a type with a constructor that takes [`PublicKnowledge`], this trait, tests of a
/// text that gives its subject away and of one that does not, and a name in the command line's `--method`.
///
/// ```
/// use reticent::attack::{Attack, PublicKnowledge, TfIdfRetrieval};
/// let public = PublicKnowledge::read(
///     "{\"entity\":\"Ana\",\"text\":\"a violinist from Metz\"}\n{\"entity\":\"Ben\",\"text\":\"a baker from Cork\"}",
/// )?;
/// let attack = TfIdfRetrieval::new(&public);
/// let scores = attack.scores("Someone who played as a violinist")?;
/// assert!(scores[0] > scores[1]);
/// assert_eq!(attack.clues("Someone who played as a violinist", 0, 1)?[0].words, "violinist");
/// # Ok::<(), reticent::Error>(())
/// ```
pub trait Attack: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, for a report: `cosine of words and pairs of words by tf-idf`.
    fn about(&self) -> String;

    /// How well the text fits each candidate, in the order of the public knowledge. More is better.
    fn scores(&self, released: &str) -> Result<Vec<f64>, Error>;

    /// What of the text speaks for one candidate (by its place) rather than another, the most telling first. Only
    /// what speaks for it; the sum over everything is the difference of their scores, up to a factor.
    fn clues(&self, released: &str, candidate: usize, other: usize) -> Result<Vec<Clue>, Error>;
}

/// Words that were left in a released text, and how much they tell. They are shown on purpose: whoever
/// attacks a release asks for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Clue {
    /// A word or several, in lower case.
    pub words: String,
    /// How much they speak for a candidate.
    pub weight: f64,
}

/// The clues that speak for a candidate, the most telling first.
fn telling(clues: impl Iterator<Item = (String, f64)>) -> Vec<Clue> {
    let mut clues: Vec<Clue> =
        clues.filter(|(_, weight)| *weight > 0.0).map(|(words, weight)| Clue { words, weight }).collect();
    clues.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.words.cmp(&b.words)));
    clues
}
