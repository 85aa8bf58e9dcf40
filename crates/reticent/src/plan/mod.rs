//! The plan: what will be said instead of each entity, and why. A person can read it, change it,
//! and go on from there.

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

/// Whether a person must look at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Review {
    /// No need.
    Automatic,
    /// A person looked and agrees.
    Approved,
    /// A look would be good: the finding is uncertain. It is masked meanwhile.
    Suggested,
    /// Nothing is released before a person has looked.
    Required,
}

/// A rung that was not chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// Its level.
    pub level: String,
    /// Why not.
    pub why: Why,
}

/// Why a rung was not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The policy allows nothing as fine as this.
    FinerThanAllowed,
    /// It contains words that are masked elsewhere.
    RepeatsWhatIsMasked,
    /// With what else is said in the sentence, or in the text, it leads to a subject.
    TellsTooMuchTogether,
    /// What is written cannot be shifted exactly: a date without its day or year.
    CannotBeShifted,
    /// It tells more of a subject than may be told, or is not known to tell less.
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

/// What is done to one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The entity.
    pub entity: Entity,
    /// The operator that the policy names for it.
    pub operator: Operator,
    /// The level that is told: a level of its type, or `as_written`, `at_most`, `pseudonym`,
    /// `hash`, `encrypted`, `covered`, `shifted`, `table`, `label`, `suppressed`.
    pub level: String,
    /// Finer levels, and why they were not chosen.
    pub rejected: Vec<Rejected>,
    /// Whether a person must look.
    pub review: Review,
    /// The change at each mention, in their order; nothing where the text stays.
    pub edits: Vec<Option<Edit>>,
}

impl Decision {
    /// The level of what stays as it is.
    pub const AS_WRITTEN: &'static str = "as_written";

    /// The level of what a changed table says.
    pub const AS_IN_TABLE: &'static str = "table";

    /// Whether the entity stays in the text.
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
    /// One decision for each entity, in the order of the text.
    pub decisions: Vec<Decision>,
    /// What could not be looked at, or only in a lesser way.
    pub unknown: Vec<Unknown>,
    /// Where a reviewer approved that less is protected than the policy asks for.
    pub deviations: Vec<Deviation>,
}

/// Something that the plan cannot vouch for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Unknown {
    /// There are no tools for the language: single words were looked at, not phrases.
    Language {
        /// Its code, as far as it could be told.
        code: String,
    },
    /// A part of the file that is not text: a picture, an embedded object.
    Part {
        /// Its name in the file.
        name: String,
    },
    /// The text never names a subject of the policy. All of it was taken to be about the subject.
    SubjectNotNamed {
        /// Which one, counted from 0.
        subject: usize,
    },
    /// The vectors do not know a subject: whether what is said instead leads to it together could not be checked.
    SubjectWithoutVector {
        /// Which one, counted from 0.
        subject: usize,
    },
    /// Terms stay that the corpus does not know: what they tell of the subjects is not known.
    TermsNotCounted {
        /// How many.
        terms: usize,
    },
    /// The policy keeps proper names, so that nobody looked for them.
    NamesNotLookedFor,
}

impl Plan {
    /// All changes, in the order of the text.
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

    /// Whether a person must look before anything is released.
    pub fn needs_review(&self) -> bool {
        self.decisions.iter().any(|decision| decision.review == Review::Required)
    }
}
