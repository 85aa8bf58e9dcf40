//! How much may be told of what the policy protects, counted in a corpus.

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// Within what words are taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A sentence, a heading or an item of a list.
    Sentence,
    /// What blank lines separate.
    Paragraph,
    /// The whole document.
    #[default]
    Document,
}

/// Of which documents of the corpus probabilities are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probabilities {
    /// Of all.
    Standard,
    /// Of all, but the subject counts only where what may be told at most is said too: in one sense of its name.
    Contextual,
    /// Of those that also say what may be told at most. What is independent of the subject there lies at the bound,
    /// so that whatever stands a little more often with it than without tells too much.
    Within,
}

/// What to do with terms that the corpus does not know. They are told as unknown whatever this says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownTerms {
    /// Mask proper names, and what is rare in the language too.
    #[default]
    NamesAndRare,
    /// Mask them all.
    Mask,
    /// Leave them in the text.
    Keep,
}

/// Which of two terms yields that tell too much together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Yields {
    /// What settles most risky pairs of a context for what it costs.
    #[default]
    Together,
    /// Pair by pair, so that each keeps most: heuristic H3 as published.
    PairByPair,
}

/// The same as it is written in a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisclosureFile {
    /// How many terms are taken together at most: 1, 2 or 3.
    pub max_terms: Option<usize>,
    /// Within what they are taken together.
    pub context: Option<Scope>,
    /// Of which documents probabilities are taken; contextual where something may be told at most.
    pub probabilities: Option<Probabilities>,
    /// What to do with terms that the corpus does not know.
    pub unknown: Option<UnknownTerms>,
    /// Which of two terms yields.
    pub yields: Option<Yields>,
    /// Accept an `at_most` that no taxonomy knows to be broader than its subject.
    pub force: Option<bool>,
}

/// The same, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// How many terms are taken together at most.
    pub max_terms: usize,
    /// Within what they are taken together.
    pub context: Scope,
    /// Of which documents probabilities are taken; nothing said means contextual where that can be.
    pub probabilities: Option<Probabilities>,
    /// What to do with terms that the corpus does not know.
    pub unknown: UnknownTerms,
    /// Which of two terms yields.
    pub yields: Yields,
    /// Whether an `at_most` is accepted that no taxonomy knows to be broader.
    pub force: bool,
}

impl Default for Disclosure {
    fn default() -> Self {
        Self {
            max_terms: 1,
            context: Scope::default(),
            probabilities: None,
            unknown: UnknownTerms::default(),
            yields: Yields::default(),
            force: false,
        }
    }
}

impl DisclosureFile {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn over(self, base: Self) -> Self {
        Self {
            max_terms: self.max_terms.or(base.max_terms),
            context: self.context.or(base.context),
            probabilities: self.probabilities.or(base.probabilities),
            unknown: self.unknown.or(base.unknown),
            yields: self.yields.or(base.yields),
            force: self.force.or(base.force),
        }
    }

    pub(super) fn check(&self) -> Result<Disclosure, Error> {
        let defaults = Disclosure::default();
        let max_terms = self.max_terms.unwrap_or(defaults.max_terms);
        if !(1..=3).contains(&max_terms) {
            return Err(Error::new(ErrorKind::Policy, "`disclosure.max_terms` must be 1, 2 or 3")
                .with_hint("2 measures pairs of terms; 3 takes longer and masks more"));
        }
        Ok(Disclosure {
            max_terms,
            context: self.context.unwrap_or(defaults.context),
            probabilities: self.probabilities,
            unknown: self.unknown.unwrap_or(defaults.unknown),
            yields: self.yields.unwrap_or(defaults.yields),
            force: self.force.unwrap_or(defaults.force),
        })
    }
}
