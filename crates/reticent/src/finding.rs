//! What a detector says about a stretch of text.

use arcstr::ArcStr;
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

/// What makes a stretch of text tell something of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// It names something, and stands where the subject is spoken of.
    Name,
    /// It has a number in it, and stands where the subject is spoken of.
    Number,
    /// It says what the subject is.
    Description,
    /// Its words are rarely said, and stand where the subject is spoken of.
    Rare,
    /// Its vector is similar to that of the subject.
    Similar,
    /// Nothing is known of it, so that it cannot be called safe.
    Unknown,
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
        pattern: ArcStr,
        /// The checksum that held, if the pattern has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checksum: Option<ArcStr>,
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
    /// It tells something of a subject of the policy.
    Related {
        /// Of which one, counted from 0.
        subject: usize,
        /// What makes it tell something.
        because: Because,
        /// How similar it is to the subject: the cosine of their vectors. Nothing if one of them has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cosine: Option<f32>,
        /// How much is told by saying it, in bits. Nothing if that is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bits: Option<f32>,
    },
    /// By what is counted in a corpus, it tells more of a subject than may be told.
    Disclosure {
        /// Of which one, counted from 0.
        subject: usize,
        /// How much it tells, in bits; nothing if the corpus does not know it, so that it cannot be called safe.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bits: Option<f32>,
        /// How much may be told.
        bound: f32,
        /// With how many terms it does so, itself included.
        terms: usize,
    },
    /// It gives away what is masked elsewhere.
    Correlated {
        /// How much it tells of it, in bits.
        bits: f32,
        /// How much may be told: as much as the least informative of what is masked.
        bound: f32,
        /// With how many terms it does so, itself included.
        terms: usize,
        /// Where the masked term that it gives away begins, in bytes.
        gives_away: usize,
    },
    /// Another tool found it.
    Given,
    /// The tagger calls it a proper noun, and nothing tells what it is.
    ProperNoun,
    /// The same words, or a part of the same name, were found elsewhere in the document.
    SameAs {
        /// The detector of that mention.
        detector: ArcStr,
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
    pub detector: ArcStr,
    /// How often such a finding is right, between 0 and 1.
    pub score: f32,
    /// Why.
    pub evidence: Evidence,
}

/// A number of bits as evidence keeps it.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn short(bits: f64) -> f32 {
    bits as f32
}
