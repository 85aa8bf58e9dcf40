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
    /// Standard and contextual ones: a term must be safe by both. Only standard ones where the subject and its `at_most`
    /// hardly ever occur together.
    Both,
    /// All documents.
    Standard,
    /// All documents, but the subject counts only where its `at_most` occurs too, which selects one sense of its
    /// name.
    Contextual,
    /// The documents that contain `at_most`. A term independent of the subject there lies at the bound, so any term
    /// that co-occurs slightly more often with the subject exceeds it.
    Within,
}

/// What makes a term safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// The counts show, at the policy's confidence, that it reveals no more than allowed. Otherwise it is unknown.
    #[default]
    Confident,
    /// Its estimated disclosure does not exceed the bound, however few documents that rests on: as published.
    Literal,
}

/// The treatment of terms and combinations of which the corpus says too little. Those that remain are reported as
/// unknown in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownTerms {
    /// Mask proper names and terms that are rare in the language.
    NamesAndRare,
    /// Mask them all.
    #[default]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisclosureFile {
    /// The maximum number of terms in a combination: 1, 2 or 3.
    pub max_terms: Option<usize>,
    /// The unit of text within which terms are combined.
    pub context: Option<Scope>,
    /// The documents over which probabilities are estimated; both for subjects with `at_most` if not set.
    pub probabilities: Option<Probabilities>,
    /// The treatment of terms unknown to the corpus.
    pub unknown: Option<UnknownTerms>,
    /// The strategy for resolving risky combinations.
    pub yields: Option<Yields>,
    /// Accepts an `at_most` that is not a known generalization of its subject.
    pub force: Option<bool>,
    /// What makes a term safe.
    pub criterion: Option<Criterion>,
    /// The confidence at which a term must be shown to be safe, between 0.5 and 1.
    pub confidence: Option<f64>,
    /// The share of a term's documents that mention the subject from which on the term counts as the subject.
    pub co_occurrence: Option<f64>,
    /// The share of pairs that never occur together in the corpus above which a released text requires review.
    pub max_unseen: Option<f64>,
}

/// The validated settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disclosure {
    /// The maximum number of terms in a combination.
    pub max_terms: usize,
    /// The unit of text within which terms are combined.
    pub context: Scope,
    /// The documents over which probabilities are estimated; both where possible if `None`.
    pub probabilities: Option<Probabilities>,
    /// The treatment of terms unknown to the corpus.
    pub unknown: UnknownTerms,
    /// The strategy for resolving risky combinations.
    pub yields: Yields,
    /// Accepts an `at_most` that is not a known generalization.
    pub force: bool,
    /// What makes a term safe.
    pub criterion: Criterion,
    /// The confidence at which a term must be shown to be safe.
    pub confidence: f64,
    /// The share of its documents from which on a term counts as the subject.
    pub co_occurrence: f64,
    /// The share of unseen pairs above which a released text requires review.
    pub max_unseen: f64,
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
            criterion: Criterion::default(),
            confidence: 0.95,
            co_occurrence: 0.5,
            max_unseen: 0.25,
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
            criterion: self.criterion.or(base.criterion),
            confidence: self.confidence.or(base.confidence),
            co_occurrence: self.co_occurrence.or(base.co_occurrence),
            max_unseen: self.max_unseen.or(base.max_unseen),
        }
    }

    pub(super) fn check(&self) -> Result<Disclosure, Error> {
        let defaults = Disclosure::default();
        let max_terms = self.max_terms.unwrap_or(defaults.max_terms);
        if !(1..=3).contains(&max_terms) {
            return Err(Error::new(ErrorKind::Policy, "`disclosure.max_terms` must be 1, 2 or 3")
                .with_hint("2 measures pairs of terms; 3 takes longer and masks more"));
        }
        let share = |key: &str, value: f64, least: f64| {
            if value > least && value < 1.0 {
                return Ok(value);
            }
            Err(Error::new(
                ErrorKind::Policy,
                format!("`disclosure.{key}` must be greater than {least} and less than 1"),
            ))
        };
        let max_unseen = self.max_unseen.unwrap_or(defaults.max_unseen);
        if !(0.0..=1.0).contains(&max_unseen) {
            return Err(Error::new(ErrorKind::Policy, "`disclosure.max_unseen` must be between 0 and 1"));
        }
        Ok(Disclosure {
            criterion: self.criterion.unwrap_or(defaults.criterion),
            confidence: share("confidence", self.confidence.unwrap_or(defaults.confidence), 0.5)?,
            co_occurrence: share("co_occurrence", self.co_occurrence.unwrap_or(defaults.co_occurrence), 0.0)?,
            max_unseen,
            max_terms,
            context: self.context.unwrap_or(defaults.context),
            probabilities: self.probabilities,
            unknown: self.unknown.unwrap_or(defaults.unknown),
            yields: self.yields.unwrap_or(defaults.yields),
            force: self.force.unwrap_or(defaults.force),
        })
    }
}
