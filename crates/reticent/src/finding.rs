//! Findings of detectors: spans with their type, score and evidence.

use arcstr::ArcStr;
use reticent_text::Span;
use serde::{Deserialize, Serialize};

use crate::EntityType;

/// The kind of identifier that a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identifies {
    /// A direct identifier: a name, a number assigned to one person.
    Directly,
    /// A quasi-identifier: a date, a place, a profession.
    InCombination,
    /// A sensitive attribute: a disease, a salary.
    Confidential,
}

/// The reason why a span is a quasi-identifier of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// A name in a sentence about the subject.
    Name,
    /// A number in a sentence about the subject.
    Number,
    /// A description of the subject.
    Description,
    /// An uncommon phrase in a sentence about the subject.
    Rare,
    /// A word vector similar to the subject's.
    Similar,
    /// A term that is unknown, and therefore not considered safe.
    Unknown,
}

/// The evidence of a finding. Typed, so that every decision can be explained; contains no text of the document.
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
        /// `true` if a context word is nearby.
        context: bool,
    },
    /// An entry of the policy's deny list.
    Listed,
    /// The name of a subject of the policy.
    Subject {
        /// The index of the subject, from 0.
        subject: usize,
        /// `true` for the whole name, `false` for a part of it.
        whole: bool,
    },
    /// A file property that names a person or an organization by definition.
    Metadata {
        /// The name of the property.
        field: String,
    },
    /// An entity found by an NER model; the score is its calibrated precision.
    Labelled,
    /// A quasi-identifier of a subject of the policy.
    Related {
        /// The index of the subject, from 0.
        subject: usize,
        /// The reason why it is a quasi-identifier.
        because: Because,
        /// The cosine of its word vector with the subject's. `None` if one of them has no vector.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cosine: Option<f32>,
        /// Its information content in bits, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bits: Option<f32>,
    },
    /// A term that, measured in a corpus, reveals more about a subject than the policy allows.
    Disclosure {
        /// The index of the subject, from 0.
        subject: usize,
        /// Its disclosure in bits; `None` if it is unknown to the corpus, and therefore not considered safe.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bits: Option<f32>,
        /// The maximum disclosure that the policy allows, in bits.
        bound: f32,
        /// The size of the combination that reveals it, including this term.
        terms: usize,
        /// The byte offsets of the other terms of that combination.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<usize>,
    },
    /// A term that reveals a masked term.
    Correlated {
        /// Its disclosure about the masked term, in bits.
        bits: f32,
        /// The maximum disclosure: the information content of the least informative masked term.
        bound: f32,
        /// The size of the combination that reveals it, including this term.
        terms: usize,
        /// The byte offset of the masked term that it reveals.
        gives_away: usize,
        /// The byte offsets of the other terms of that combination.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<usize>,
    },
    /// A span given by another tool.
    Given,
    /// A proper noun that no detector could classify.
    ProperNoun,
    /// The same text, or a part of the same name, as a mention found elsewhere in the document.
    SameAs {
        /// The detector of that mention.
        detector: ArcStr,
    },
    /// A mention added to the plan by a reviewer.
    Reviewer,
}

/// A span that identifies a person or reveals a secret, with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The span, in bytes of the text.
    pub span: Span,
    /// The type of the entity.
    pub entity_type: EntityType,
    /// The kind of identifier.
    pub identifies: Identifies,
    /// The name of the detector.
    pub detector: ArcStr,
    /// The estimated precision of such a finding, between 0 and 1.
    pub score: f32,
    /// The evidence for the finding.
    pub evidence: Evidence,
}

/// A number of bits as evidence keeps it.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn short(bits: f64) -> f32 {
    bits as f32
}
