//! Settings for measuring disclosure in a corpus.

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// The unit of text within which terms are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A sentence, a heading or an item of a list.
    Sentence,
    /// A paragraph, separated by blank lines.
    Paragraph,
    /// The whole document.
    #[default]
    Document,
}

/// The documents of the corpus over which probabilities are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probabilities {
    /// All documents.
    Standard,
    /// All documents, but the subject counts only where its `at_most` occurs too, which selects one sense of its
    /// name.
    Contextual,
    /// The documents that contain `at_most`. A term independent of the subject there lies at the bound, so any term
    /// that co-occurs slightly more often with the subject exceeds it.
    Within,
}

/// The treatment of terms unknown to the corpus. They are reported as unknown in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownTerms {
    /// Mask proper names and terms that are rare in the language.
    #[default]
    NamesAndRare,
    /// Mask them all.
    Mask,
    /// Keep them.
    Keep,
}

/// The strategy for choosing which term of a risky combination is generalized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Yields {
    /// The terms that resolve most risky pairs of a context at the lowest cost (weighted cover).
    #[default]
    Together,
    /// Each pair separately, keeping most information: heuristic H3 as published.
    PairByPair,
}

/// The settings as written in a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisclosureFile {
    /// The maximum number of terms in a combination: 1, 2 or 3.
    pub max_terms: Option<usize>,
    /// The unit of text within which terms are combined.
    pub context: Option<Scope>,
    /// The documents over which probabilities are estimated; contextual for subjects with `at_most` if not set.
    pub probabilities: Option<Probabilities>,
    /// The treatment of terms unknown to the corpus.
    pub unknown: Option<UnknownTerms>,
    /// The strategy for resolving risky combinations.
    pub yields: Option<Yields>,
    /// Accepts an `at_most` that is not a known generalization of its subject.
    pub force: Option<bool>,
}

/// The validated settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// The maximum number of terms in a combination.
    pub max_terms: usize,
    /// The unit of text within which terms are combined.
    pub context: Scope,
    /// The documents over which probabilities are estimated; contextual where possible if `None`.
    pub probabilities: Option<Probabilities>,
    /// The treatment of terms unknown to the corpus.
    pub unknown: UnknownTerms,
    /// The strategy for resolving risky combinations.
    pub yields: Yields,
    /// Accepts an `at_most` that is not a known generalization.
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
