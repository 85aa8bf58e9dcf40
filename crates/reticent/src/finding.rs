//! What a detector says about a stretch of text.

use reticent_text::Span;
use serde::{Deserialize, Serialize};

use crate::EntityType;

/// How a stretch of text gives a person or a secret away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identifies {
    /// Alone: a name, a number given to one person.
    Directly,
    /// Together with other things: a date, a place, a profession.
    InCombination,
    /// It is itself what must not be told: a disease, a salary.
    Confidential,
}

/// Why a detector thinks so. Typed, so that every decision can be explained; free of text of the
/// document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Evidence {
    /// A pattern matched.
    Pattern {
        /// Its name in the registry.
        pattern: String,
        /// The checksum that held, if the pattern has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checksum: Option<String>,
        /// Whether a word that goes with it stands near.
        context: bool,
    },
    /// The policy lists it.
    Listed,
    /// It names a subject of the policy.
    Subject {
        /// Which one, counted from 0.
        subject: usize,
        /// Whether it is the whole name or a part of it.
        whole: bool,
    },
    /// A property of the file that names someone by its nature.
    Metadata {
        /// The name of the property.
        field: String,
    },
    /// A trained labeller recognizes it; its score is how often it is right.
    Labelled,
    /// The tagger calls it a proper noun, and nothing tells what it is.
    ProperNoun,
    /// The same words, or a part of the same name, were found elsewhere in the document.
    SameAs {
        /// The detector of that mention.
        detector: String,
    },
    /// A person marked it in the plan.
    Reviewer,
}

/// A stretch of text that gives something away, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where.
    pub span: Span,
    /// What it is.
    pub entity_type: EntityType,
    /// How it gives someone away.
    pub identifies: Identifies,
    /// Which detector says so.
    pub detector: String,
    /// How often such a finding is right, between 0 and 1.
    pub score: f32,
    /// Why.
    pub evidence: Evidence,
}
