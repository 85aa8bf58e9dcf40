//! One thing, with all its mentions: masked together or not at all.

use arcstr::ArcStr;
use reticent_text::Span;

use crate::{EntityType, Evidence, Finding, Identifies};

/// Where an entity is mentioned, and why we think so.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where.
    pub span: Span,
    /// Which detector found it.
    pub detector: ArcStr,
    /// How often such a finding is right.
    pub score: f32,
    /// Why; the strongest evidence first.
    pub evidence: Vec<Evidence>,
}

/// All mentions of one thing in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// What it is.
    pub entity_type: EntityType,
    /// How it gives someone away.
    pub identifies: Identifies,
    /// The subject of the policy that it is, if it is one.
    pub subject: Option<usize>,
    /// Its mentions, in the order of the text; never empty.
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

    /// The best score among its mentions.
    pub fn score(&self) -> f32 {
        self.mentions.iter().map(|mention| mention.score).fold(0.0, f32::max)
    }
}
