//! Re-identification attacks: who is each released text about?
//!
//! An adversary has [`PublicKnowledge`], a text about each candidate, and reads the release. [`run()`] lets an
//! [`Attack`] rank all candidates for each text, and reports the share that is re-identified, the rank of the true
//! subject, and the words left in the text that identify it. [`rank()`] compares several attacks by the ranks they reach, and
//! reports the share of texts that at least one of them re-identifies.

mod classifier;
mod embedding;
mod grams;
mod public;
mod ranks;
mod retrieval;
mod run;

pub use classifier::SentenceClassifier;
pub use embedding::EmbeddingRetrieval;
pub use public::{Candidate, PublicKnowledge, Target, read_targets};
pub use ranks::{MethodRanks, RankReport, rank};
pub use retrieval::{Scheme, TermRetrieval};
pub use run::{AttackReport, Attacked, run};

use crate::Error;

/// A method to re-identify the subject of a released text.
///
/// The family: [`TermRetrieval`] (the public text that shares the rarest terms: words by tf-idf or BM25, or runs of
/// letters; strong, and the ones to beat), [`SentenceClassifier`] (learns how sentences about each candidate are written, and
/// lets the sentences vote, as in the embeddings paper) and [`EmbeddingRetrieval`] (the public text of the most similar
/// meaning, though in other words).
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
/// use reticent::attack::{Attack, PublicKnowledge, Scheme, TermRetrieval};
/// let public = PublicKnowledge::read(
///     "{\"entity\":\"Ana\",\"text\":\"a violinist from Metz\"}\n{\"entity\":\"Ben\",\"text\":\"a baker from Cork\"}",
/// )?;
/// let attack = TermRetrieval::new(&public, Scheme::TfIdf);
/// let scores = attack.scores("Someone who played as a violinist")?;
/// assert!(scores[0] > scores[1]);
/// assert_eq!(attack.clues("Someone who played as a violinist", 0, 1)?[0].words, "violinist");
/// # Ok::<(), reticent::Error>(())
/// ```
pub trait Attack: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// A description for reports: `cosine of words and word bigrams, weighted by tf-idf`.
    fn about(&self) -> String;

    /// How well the text fits each candidate, in the order of the public knowledge. More is better.
    fn scores(&self, released: &str) -> Result<Vec<f64>, Error>;

    /// What of the text speaks for one candidate (by its place) rather than another, the most telling first. Only
    /// what speaks for it; the sum over everything is the difference of their scores, up to a factor.
    fn clues(&self, released: &str, candidate: usize, other: usize) -> Result<Vec<Clue>, Error>;
}

/// Words in a released text and their weight for a candidate. They are shown on purpose: an attack asks for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Clue {
    /// A word, several, or a run of letters, in lower case.
    pub words: String,
    /// The weight for a candidate.
    pub weight: f64,
}

/// The clues that speak for a candidate, the most telling first.
fn telling(clues: impl Iterator<Item = (String, f64)>) -> Vec<Clue> {
    let mut clues: Vec<Clue> =
        clues.filter(|(_, weight)| *weight > 0.0).map(|(words, weight)| Clue { words, weight }).collect();
    clues.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.words.cmp(&b.words)));
    clues
}
