//! The plan: the replacement of each entity and its rationale. A reviewer can read it, change it and apply it.

mod beside;
pub mod choose;
mod deviation;
mod file;
mod gaps;
mod polish;
mod restate;
mod together;
mod unsaid;
mod works;

use reticent_text::{Document, Edit, Span};
use serde::{Deserialize, Serialize};

pub use deviation::{Deviation, DeviationKind};
pub use file::{EntityFile, PlanFile};

use crate::plan::choose::Settings;
use crate::policy::PolicyId;
use crate::{Entity, Error, Operator};

/// The review status of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Review {
    /// No review is needed.
    Automatic,
    /// A reviewer approved it.
    Approved,
    /// Review is suggested: the finding is uncertain. It is masked.
    Suggested,
    /// Review is required: nothing is released before approval.
    Required,
}

/// A generalization that was rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// Its level.
    pub level: String,
    /// The reason.
    pub why: Why,
}

/// The reason why a generalization was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It is more specific than the policy allows.
    FinerThanAllowed,
    /// It contains text that is masked elsewhere.
    RepeatsWhatIsMasked,
    /// In combination with the rest of the sentence or text, it identifies a subject.
    TellsTooMuchTogether,
    /// The date cannot be shifted exactly: its day or year is missing.
    CannotBeShifted,
    /// It reveals more about a subject than allowed, or its disclosure is unknown.
    TellsTooMuch {
        /// Of which one, counted from 0.
        subject: usize,
        /// How much, in bits; nothing if the corpus does not know it.
        bits: Option<f32>,
        /// How much may be told.
        bound: f32,
        /// With how many terms, itself included.
        terms: usize,
    },
}

/// The decision for one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The entity.
    pub entity: Entity,
    /// The operator that the policy assigns to it.
    pub operator: Operator,
    /// The level of the replacement: a level of its type, or `as_written`, `at_most`, `pseudonym`, `hash`,
    /// `encrypted`, `covered`, `shifted`, `table`, `label`, `suppressed`.
    pub level: String,
    /// More specific levels that were rejected.
    pub rejected: Vec<Rejected>,
    /// The review status.
    pub review: Review,
    /// The edit of each mention, in order; `None` where the text is kept.
    pub edits: Vec<Option<Edit>>,
}

impl Decision {
    /// The level of an entity that is kept.
    pub const AS_WRITTEN: &'static str = "as_written";

    /// The level of a value from a changed table.
    pub const AS_IN_TABLE: &'static str = "table";

    /// Returns whether the entity is kept in the text.
    pub fn keeps(&self) -> bool {
        self.edits.iter().all(Option::is_none)
    }
}

/// All decisions for one document.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The name of the document.
    pub document: String,
    /// The SHA-256 of its source, in hexadecimal.
    pub sha256: String,
    /// The policy.
    pub policy: PolicyId,
    /// One decision for each entity, in text order.
    pub decisions: Vec<Decision>,
    /// The limitations: what could not be examined, or only in part.
    pub unknown: Vec<Unknown>,
    /// Deviations from the policy that a reviewer approved.
    pub deviations: Vec<Deviation>,
}

/// A limitation of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Unknown {
    /// The language is not supported: single words were examined instead of phrases.
    Language {
        /// Its code, as far as it could be told.
        code: String,
    },
    /// A part of the file that is not text: a picture, an embedded object.
    Part {
        /// Its name in the file.
        name: String,
    },
    /// A subject is not mentioned in the text. The whole text was treated as being about the subject.
    SubjectNotNamed {
        /// Which one, counted from 0.
        subject: usize,
    },
    /// A subject has no word vector: the joint disclosure of the replacements could not be checked.
    SubjectWithoutVector {
        /// Which one, counted from 0.
        subject: usize,
    },
    /// Terms remain of which the corpus says too little: their disclosure about the subjects is unknown.
    TermsNotCounted {
        /// How many terms.
        terms: usize,
        /// How many combinations of terms.
        #[serde(default)]
        combinations: usize,
        /// How many pairs never occur together in the corpus, if that is a larger share than the policy allows.
        #[serde(default)]
        unseen_pairs: u64,
    },
    /// Masked terms are unknown to the corpus: which other terms reveal them could not be measured.
    MaskedNotCounted {
        /// How many.
        terms: usize,
    },
    /// The policy keeps proper names, so they were not searched for.
    NamesNotLookedFor,
}

impl Plan {
    /// Returns all edits in text order.
    pub fn edits(&self) -> Vec<Edit> {
        let mut edits: Vec<Edit> =
            self.decisions.iter().flat_map(|decision| decision.edits.iter().flatten().cloned()).collect();
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Whether a reviewer approved that this span of the original stays.
    pub(crate) fn is_approved(&self, span: Span) -> bool {
        let stays = |kind| !matches!(kind, DeviationKind::Rewritten | DeviationKind::NotReviewed);
        self.deviations.iter().any(|deviation| stays(deviation.kind) && deviation.span.contains(span))
    }

    /// Checks that a reviewed plan protects at least what this one does, the policy's own for the same text, or that
    /// a reviewer approved where it does not. Returns the reviewed plan in the order of the text.
    pub(crate) fn check(
        &self,
        document: &Document,
        given: Self,
        settings: &Settings<'_>,
    ) -> Result<Self, Error> {
        let mut plan = deviation::check(document, self, given, settings)?;
        plan.unknown.clone_from(&self.unknown);
        plan.decisions
            .sort_by_key(|decision| decision.entity.mentions.iter().map(|mention| mention.span).min());
        Ok(plan)
    }

    /// Returns whether review is required before release.
    pub fn needs_review(&self) -> bool {
        self.decisions.iter().any(|decision| decision.review == Review::Required)
    }
}
