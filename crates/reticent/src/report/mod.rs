//! Reports of the entities found, their detectors and replacements, and what could not be examined.

mod bars;
pub(crate) mod html;
mod side_by_side;
mod text;

use std::collections::BTreeMap;

use reticent_text::Language;
use serde::Serialize;

use crate::plan::{Decision, DeviationKind, Plan, Review, Unknown};
use crate::{EntityType, Identifies};

pub use html::{Shown, page};
pub use text::text;

/// The result for one document. It contains no text of the document.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The name of the document.
    pub document: String,
    /// The name of the policy.
    pub policy: String,
    /// The fingerprint of the policy's rules: without the names of its subjects, which it could reveal.
    pub policy_sha256: String,
    /// The number of the policy's subjects.
    pub subjects: usize,
    /// The code of the language.
    pub language: &'static str,
    /// The entities found, by type.
    pub types: Vec<TypeReport>,
    /// The number of entities whose review is suggested.
    pub review_suggested: usize,
    /// The number of entities that require review.
    pub review_required: usize,
    /// Deviations from the policy that a reviewer approved.
    pub approved_deviations: Vec<DeviationReport>,
    /// The parts and terms that could not be examined.
    pub unknown: Vec<Unknown>,
    /// Content that was removed because it cannot be examined: its kind, and how often.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub removed: BTreeMap<String, usize>,
}

/// Approved deviations of one type and kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviationReport {
    /// The type of the entities.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    /// The kind of deviation.
    pub deviation: DeviationKind,
    /// The number of mentions.
    pub mentions: usize,
}

/// The entities of one type and their replacements.
#[derive(Clone, Debug, Serialize)]
pub struct TypeReport {
    /// The type.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    /// The kind of identifier.
    pub identifies: Identifies,
    /// The number of entities.
    pub entities: usize,
    /// The number of mentions of these entities.
    pub mentions: usize,
    /// The number of mentions found by each detector.
    pub detectors: BTreeMap<String, usize>,
    /// The number of entities at each replacement level.
    pub replaced_by: BTreeMap<String, usize>,
}

impl Report {
    /// Summarizes a plan.
    pub fn new(plan: &Plan, language: Language) -> Self {
        let mut types: BTreeMap<&EntityType, TypeReport> = BTreeMap::new();
        for decision in &plan.decisions {
            let entity = &decision.entity;
            let report = types.entry(&entity.entity_type).or_insert_with(|| TypeReport {
                entity_type: entity.entity_type.clone(),
                identifies: entity.identifies,
                entities: 0,
                mentions: 0,
                detectors: BTreeMap::new(),
                replaced_by: BTreeMap::new(),
            });
            report.entities += 1;
            report.mentions += entity.mentions.len();
            report.identifies = report.identifies.min(entity.identifies);
            for mention in &entity.mentions {
                *report.detectors.entry(mention.detector.to_string()).or_default() += 1;
            }
            *report.replaced_by.entry(level(decision)).or_default() += 1;
        }
        let reviewed = |wanted| plan.decisions.iter().filter(|decision| decision.review == wanted).count();
        Self {
            document: plan.document.clone(),
            policy: plan.policy.name.clone(),
            policy_sha256: plan.policy.rules_sha256.clone(),
            subjects: plan.policy.subjects,
            language: language.code(),
            types: types.into_values().collect(),
            review_suggested: reviewed(Review::Suggested),
            review_required: reviewed(Review::Required),
            approved_deviations: deviations(plan),
            unknown: plan.unknown.clone(),
            removed: BTreeMap::new(),
        }
    }
}

impl Report {
    /// Adds the report of another document, for the summary of a run.
    pub fn add(&mut self, other: &Self) {
        for theirs in &other.types {
            let Some(ours) = self.types.iter_mut().find(|ours| ours.entity_type == theirs.entity_type) else {
                self.types.push(theirs.clone());
                continue;
            };
            ours.entities += theirs.entities;
            ours.mentions += theirs.mentions;
            ours.identifies = ours.identifies.min(theirs.identifies);
            for (from, to) in
                [(&theirs.detectors, &mut ours.detectors), (&theirs.replaced_by, &mut ours.replaced_by)]
            {
                for (name, count) in from {
                    *to.entry(name.clone()).or_default() += count;
                }
            }
        }
        for (kind, count) in &other.removed {
            *self.removed.entry(kind.clone()).or_default() += count;
        }
        self.types.sort_by(|a, b| a.entity_type.cmp(&b.entity_type));
        if self.language != other.language {
            self.language = "mixed";
        }
        self.review_suggested += other.review_suggested;
        self.review_required += other.review_required;
        self.approved_deviations.extend_from_slice(&other.approved_deviations);
        let new: Vec<Unknown> =
            other.unknown.iter().filter(|one| !self.unknown.contains(one)).cloned().collect();
        self.unknown.extend(new);
    }
}

fn deviations(plan: &Plan) -> Vec<DeviationReport> {
    let mut counts: BTreeMap<(&EntityType, DeviationKind), usize> = BTreeMap::new();
    for deviation in &plan.deviations {
        *counts.entry((&deviation.entity_type, deviation.kind)).or_default() += 1;
    }
    let report = |((entity_type, deviation), mentions): ((&EntityType, _), _)| DeviationReport {
        entity_type: entity_type.clone(),
        deviation,
        mentions,
    };
    counts.into_iter().map(report).collect()
}

/// An approved deviation, in words.
pub(crate) fn deviation_in_words(report: &DeviationReport) -> String {
    format!("{}: {}, {} mentions", report.entity_type, report.deviation.name(), report.mentions)
}

fn level(decision: &Decision) -> String {
    match decision.level.as_str() {
        level if decision.keeps() && level != Decision::AS_WRITTEN => format!("{level} (as written)"),
        level => level.to_owned(),
    }
}

/// A limitation of the result, in words.
pub fn in_words(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Language { code } => format!(
            "no language tools for `{code}`: single words were examined instead of phrases, so less is found"
        ),
        Unknown::Part { name } => {
            format!("{name}: cannot be examined and is unchanged in the released file")
        }
        Unknown::SubjectNotNamed { subject } => {
            format!(
                "subject {} not mentioned: check the spelling or add an alias; the whole text was treated as being about the subject",
                subject + 1
            )
        }
        Unknown::SubjectWithoutVector { subject } => format!(
            "subject {} has no word vector: each replacement is common, but their joint disclosure could not be checked",
            subject + 1
        ),
        Unknown::TermsNotCounted { terms, combinations, unseen_pairs } => {
            let unseen = match unseen_pairs {
                0 => String::new(),
                pairs => format!("; {pairs} pairs never occur together in the corpus"),
            };
            format!(
                "{terms} terms and {combinations} combinations were kept of which the corpus says too little: their disclosure is unknown{unseen}"
            )
        }
        Unknown::MaskedNotCounted { terms } => format!(
            "{terms} masked terms are unknown to the corpus: terms that reveal them could not be searched for"
        ),
        Unknown::NamesNotLookedFor => {
            "the policy keeps names that no detector can classify: they were not searched for".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, Protector};
    use proptest::prelude::*;
    use reticent_text::Document;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn reports_hold_no_text_of_the_document(name in "[A-Z][a-z]{4,9}qz", number in "7[0-9]{8}") {
            let protector = Protector::new(Policy::preset("basic").unwrap(), None).unwrap();
            let letter = format!("Dear Dr. {name}, call +44 {number} or write to {name}.x@example.org by 3 July 1962.");
            let mut document = Document::plain("letter", &letter);
            let (_, plan) = protector.protect(&mut document, b"", &[]).unwrap();
            let report = Report::new(&plan, document.language());
            for output in [text(&report), serde_json::to_string(&report).unwrap(), format!("{report:?}")] {
                for word in [name.as_str(), number.as_str(), "July", "1962", "example.org", "Dear"] {
                    prop_assert!(!output.contains(word), "{} is in the report", word);
                }
            }
        }
    }
}
