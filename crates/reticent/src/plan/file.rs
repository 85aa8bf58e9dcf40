//! The JSON form of a plan, for review. It contains no text of the document.

use arcstr::ArcStr;
use reticent_text::{Document, Edit, OffsetUnit, Offsets, Span};
use serde::{Deserialize, Serialize};

use crate::entity::Mention;
use crate::plan::choose::{self, Settings};
use crate::plan::{Decision, Plan, Rejected, Review, Unknown};
use crate::{Entity, EntityType, Error, ErrorKind, Evidence, Identifies, Operator};

const FORMAT: &str = "reticent-plan/1";

/// A plan as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// The kind of file and its version.
    pub format: String,
    /// The document that it is for.
    pub document: DocumentFile,
    /// The policy that it follows.
    pub policy: PolicyName,
    /// The unit of all offsets.
    pub offsets: String,
    /// The decisions.
    pub entities: Vec<EntityFile>,
    /// The limitations of the plan.
    #[serde(default)]
    pub unknown: Vec<Unknown>,
}

/// The document of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentFile {
    /// Its name.
    pub id: String,
    /// The SHA-256 of its source.
    pub sha256: String,
}

/// The policy of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyName {
    /// Its name.
    pub name: String,
    /// Its fingerprint.
    pub sha256: String,
}

/// An entity and its decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityFile {
    /// The type of the entity.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    /// The kind of identifier.
    pub identifies: Identifies,
    /// The index of the policy's subject, if the entity is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<usize>,
    /// The operator.
    pub mask: Operator,
    /// The level of the replacement. To choose another level, change it and remove the `edit` of each mention.
    pub level: String,
    /// More specific levels that were rejected.
    #[serde(default)]
    pub rejected: Vec<Rejected>,
    /// The review status; `approved` after review.
    pub review: Review,
    /// The mentions.
    pub mentions: Vec<MentionFile>,
}

/// A mention and its edit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MentionFile {
    /// The start offset.
    pub start: usize,
    /// The end offset, exclusive.
    pub end: usize,
    /// The name of the detector.
    #[serde(default = "reviewer")]
    pub detector: ArcStr,
    /// The estimated precision of such a finding, between 0 and 1.
    #[serde(default = "certain")]
    pub score: f32,
    /// The evidence.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// The edit; `None` where the text is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<EditFile>,
}

/// An edit of the text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditFile {
    /// The start offset: that of the mention, or of a preceding word that changes with it.
    pub start: usize,
    /// The end offset, exclusive.
    pub end: usize,
    /// The replacement.
    pub replacement: String,
}

fn reviewer() -> ArcStr {
    arcstr::literal!("reviewer")
}

fn certain() -> f32 {
    1.0
}

impl PlanFile {
    /// Converts a plan.
    pub fn new(plan: &Plan, document: &Document, unit: OffsetUnit) -> Self {
        let offsets = Offsets::new(document.text(), unit);
        let mention = |(mention, edit): (&Mention, &Option<Edit>)| {
            let (start, end) = offsets.outside(mention.span);
            let edit = edit.as_ref().map(|edit| {
                let (start, end) = offsets.outside(edit.span);
                EditFile { start, end, replacement: edit.replacement.clone() }
            });
            let (detector, score) = (mention.detector.clone(), mention.score);
            MentionFile { start, end, detector, score, evidence: mention.evidence.clone(), edit }
        };
        let entity = |decision: &Decision| EntityFile {
            entity_type: decision.entity.entity_type.clone(),
            identifies: decision.entity.identifies,
            subject: decision.entity.subject,
            mask: decision.operator.clone(),
            level: decision.level.clone(),
            rejected: decision.rejected.clone(),
            review: decision.review,
            mentions: decision.entity.mentions.iter().zip(&decision.edits).map(mention).collect(),
        };
        Self {
            format: FORMAT.to_owned(),
            document: DocumentFile { id: plan.document.clone(), sha256: plan.sha256.clone() },
            policy: PolicyName { name: plan.policy.name.clone(), sha256: plan.policy.sha256.clone() },
            offsets: unit.name().to_owned(),
            entities: plan.decisions.iter().map(entity).collect(),
            unknown: plan.unknown.clone(),
        }
    }

    /// Reads JSON.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let file: Self = serde_json::from_str(json)
            .map_err(|error| Error::new(ErrorKind::Plan, format!("cannot read the plan: {error}")))?;
        if file.format != FORMAT {
            return Err(Error::new(ErrorKind::Plan, format!("the plan does not have the format {FORMAT}"))
                .with_hint("create it again with `reticent plan`"));
        }
        Ok(file)
    }

    /// Returns indented JSON.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string_pretty(self)
            .map_err(|error| Error::new(ErrorKind::Plan, format!("cannot write the plan: {error}")))
    }

    /// Returns the plan for this document, in the order of the file. Mentions without an edit get one from the level.
    pub fn into_plan(
        self,
        document: &Document,
        sha256: &str,
        settings: &Settings<'_>,
    ) -> Result<Plan, Error> {
        if self.document.sha256 != sha256 {
            return Err(Error::new(ErrorKind::Plan, "the document has changed since the plan was created")
                .with_hint("create a new plan with `reticent plan`"));
        }
        if self.policy.sha256 != settings.policy.fingerprint() {
            return Err(Error::new(ErrorKind::Plan, "the plan was created with a different policy")
                .with_hint("use the same --policy and --subject, or create a new plan"));
        }
        let unit = OffsetUnit::from_name(&self.offsets).ok_or_else(|| {
            Error::new(ErrorKind::Plan, "the plan's `offsets` must be chars, bytes or utf16")
        })?;
        let offsets = Offsets::new(document.text(), unit);
        let decisions =
            self.entities.into_iter().map(|entity| entity.into_decision(document, &offsets, settings));
        let decisions: Vec<Decision> = decisions.collect::<Result<_, _>>()?;
        Ok(Plan {
            document: self.document.id,
            sha256: self.document.sha256,
            policy: settings.policy.id(),
            decisions,
            unknown: self.unknown,
            deviations: Vec::new(),
        })
    }
}

impl EntityFile {
    fn into_decision(
        self,
        document: &Document,
        offsets: &Offsets,
        settings: &Settings<'_>,
    ) -> Result<Decision, Error> {
        let keeps = self.mask == Operator::Keep || self.level == Decision::AS_WRITTEN;
        let (mut mentions, mut edits) = (Vec::new(), Vec::new());
        for mention in self.mentions {
            let span = span_of(document, offsets, mention.start, mention.end)?;
            let edit = mention.edit.map(|edit| {
                let whole = span_of(document, offsets, edit.start, edit.end)?;
                if !whole.contains(span) {
                    return Err(Error::new(
                        ErrorKind::Plan,
                        "an edit of the plan does not cover its mention",
                    ));
                }
                Ok(Edit { span: whole, replacement: edit.replacement })
            });
            edits.push(edit.transpose()?);
            let evidence =
                if mention.evidence.is_empty() { vec![Evidence::Reviewer] } else { mention.evidence };
            mentions.push(Mention { span, detector: mention.detector, score: mention.score, evidence });
        }
        if mentions.is_empty() {
            return Err(Error::new(ErrorKind::Plan, "an entity of the plan has no mentions"));
        }
        let entity = Entity {
            entity_type: self.entity_type,
            identifies: self.identifies,
            subject: self.subject,
            mentions,
        };
        let removed = edits.iter().any(Option::is_none);
        if removed && !keeps {
            let again = choose::at_level(document, entity.clone(), &self.level, settings)?;
            for (edit, again) in edits.iter_mut().zip(again.edits) {
                *edit = edit.take().or(again);
            }
        }
        if keeps {
            edits.fill(None);
        }
        Ok(Decision {
            entity,
            operator: self.mask,
            level: self.level,
            rejected: self.rejected,
            review: self.review,
            edits,
        })
    }
}

fn span_of(document: &Document, offsets: &Offsets, start: usize, end: usize) -> Result<Span, Error> {
    let span = offsets.inside(start, end).filter(|span| !span.is_empty() && span.fits(document.text()));
    span.ok_or_else(|| {
        Error::new(ErrorKind::Plan, format!("the plan's span {start} to {end} lies outside the document"))
    })
}
