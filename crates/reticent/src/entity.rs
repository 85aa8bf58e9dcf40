//! Entities with all their mentions, which are masked together or not at all.

use arcstr::ArcStr;
use reticent_text::Span;

use crate::{EntityType, Evidence, Finding, Identifies};

/// A mention of an entity, with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The span, in bytes of the text.
    pub span: Span,
    /// The name of the detector.
    pub detector: ArcStr,
    /// The estimated precision of such a finding, between 0 and 1.
    pub score: f32,
    /// The evidence, strongest first.
    pub evidence: Vec<Evidence>,
}

/// An entity with all its mentions in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// The type of the entity.
    pub entity_type: EntityType,
    /// The kind of identifier.
    pub identifies: Identifies,
    /// The index of the policy's subject, if the entity is one.
    pub subject: Option<usize>,
    /// The mentions in text order; never empty.
    pub mentions: Vec<Mention>,
}

impl Mention {
    pub(crate) fn from_finding(finding: &Finding) -> Self {
        Self {
            span: finding.span,
            detector: finding.detector.clone(),
            score: finding.score,
            evidence: vec![finding.evidence.clone()],
        }
    }
}

impl Entity {
    /// A thing that is mentioned once.
    pub(crate) fn of(finding: &Finding) -> Self {
        Self {
            entity_type: finding.entity_type.clone(),
            identifies: finding.identifies,
            subject: None,
            mentions: vec![Mention::from_finding(finding)],
        }
    }

    /// Returns the highest score of its mentions.
    pub fn score(&self) -> f32 {
        self.mentions.iter().map(|mention| mention.score).fold(0.0, f32::max)
    }
}
