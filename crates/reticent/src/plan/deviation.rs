//! Compares a reviewed plan with the plan that the policy itself gives: everything that the policy replaces must be
//! replaced by something that discloses no more, or a reviewer must have approved the difference.

use std::collections::HashSet;

use reticent_text::{Document, Edit, Span};
use serde::{Deserialize, Serialize};

use super::choose::{self, Settings};
use super::restate::restates;
use super::{Decision, Plan, Review};
use crate::detect::registry;
use crate::{EntityType, Error, ErrorKind, Operator, mask};

/// The way in which a plan protects less than its policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviationKind {
    /// An identifier stays as it is written.
    Kept,
    /// An identifier, or a part of it, is not in the plan.
    Removed,
    /// An identifier has another type, and is treated as that type.
    Retyped,
    /// A generalization is more specific than the policy allows.
    FinerLevel,
    /// A replacement is neither the policy's nor a coarser one.
    Rewritten,
    /// An entity that requires review was not approved.
    NotReviewed,
}

impl DeviationKind {
    /// Its name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Removed => "removed",
            Self::Retyped => "retyped",
            Self::FinerLevel => "finer level",
            Self::Rewritten => "rewritten",
            Self::NotReviewed => "not reviewed",
        }
    }
}

/// A mention that a plan protects less than its policy does, as a reviewer approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The type that the policy's own plan gives it.
    pub entity_type: EntityType,
    /// The kind of deviation.
    pub kind: DeviationKind,
    /// Its span in the original text.
    pub span: Span,
}

/// Checks a plan against the policy's own plan for the same text and adds the approved deviations to it. The
/// decisions must be in the order of the plan's file.
pub(super) fn check(
    document: &Document,
    own: &Plan,
    mut given: Plan,
    settings: &Settings<'_>,
) -> Result<Plan, Error> {
    let pieces = Pieces::of(&given)?;
    let comparison =
        Comparison { document, settings, own, given: &given, pieces, found: Vec::new() }.run()?;
    refuse_unapproved(&comparison, &given)?;
    given.deviations = comparison.into_iter().map(|found| found.deviation).collect();
    Ok(given)
}

/// A deviation and the number of the decision that is responsible for it, if one is.
struct Found {
    deviation: Deviation,
    decision: Option<usize>,
}

fn refuse_unapproved(found: &[Found], given: &Plan) -> Result<(), Error> {
    const MOST_NAMED: usize = 10;
    let approved =
        |found: &&Found| found.decision.is_some_and(|at| given.decisions[at].review == Review::Approved);
    let mut named: Vec<(Option<usize>, DeviationKind, &EntityType)> = found
        .iter()
        .filter(|found| !approved(found))
        .map(|found| (found.decision, found.deviation.kind, &found.deviation.entity_type))
        .collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Ok(());
    }
    let mut parts: Vec<String> = named
        .iter()
        .take(MOST_NAMED)
        .map(|(number, kind, entity_type)| match number {
            Some(number) => format!("entity {} ({entity_type}): {}", number + 1, kind.name()),
            None => format!("an entity of type {entity_type}: {}", kind.name()),
        })
        .collect();
    if named.len() > MOST_NAMED {
        parts.push(format!("and {} more", named.len() - MOST_NAMED));
    }
    Err(Error::new(
        ErrorKind::Plan,
        format!("the plan protects less than the policy requires, without approval ({})", parts.join(", ")),
    )
    .with_hint("restore these entities, or set their \"review\" to \"approved\"; an entity that was removed must be put back with \"mask\": {\"operator\": \"keep\"} and \"review\": \"approved\""))
}

/// The mentions of a plan by their place: those that change, and those that stay.
struct Pieces {
    /// The spans of all edits with their decision and mention; they do not overlap.
    edits: Vec<(Span, usize, usize)>,
    /// The spans of mentions that stay, with their decision and the largest end up to here.
    kept: Vec<(Span, usize, usize)>,
}

impl Pieces {
    fn of(plan: &Plan) -> Result<Self, Error> {
        let (mut edits, mut kept) = (Vec::new(), Vec::new());
        for (at, decision) in plan.decisions.iter().enumerate() {
            for (mention, (edit, place)) in decision.edits.iter().zip(&decision.entity.mentions).enumerate() {
                match edit {
                    Some(edit) => edits.push((edit.span, at, mention)),
                    None => kept.push((place.span, at, place.span.end)),
                }
            }
        }
        edits.sort_unstable();
        if edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
            return Err(Error::new(ErrorKind::Plan, "two edits of the plan overlap"));
        }
        kept.sort_unstable();
        let mut end = 0;
        for piece in &mut kept {
            end = piece.2.max(end);
            piece.2 = end;
        }
        Ok(Self { edits, kept })
    }

    fn edits_at(&self, span: Span) -> &[(Span, usize, usize)] {
        let first = self.edits.partition_point(|(edit, ..)| edit.end <= span.start);
        let last = self.edits.partition_point(|(edit, ..)| edit.start < span.end);
        &self.edits[first..last.max(first)]
    }

    /// The decision that keeps a part of this span.
    fn keeps(&self, span: Span) -> Option<usize> {
        let last = self.kept.partition_point(|(kept, ..)| kept.start < span.end);
        let reaching = self.kept[..last].iter().rev().take_while(|(_, _, end)| *end > span.start);
        reaching.filter(|(kept, ..)| kept.end > span.start).map(|(_, decision, _)| *decision).next()
    }

    fn decision_at(&self, span: Span) -> Option<usize> {
        self.edits_at(span).first().map(|(_, decision, _)| *decision).or_else(|| self.keeps(span))
    }
}

struct Comparison<'a> {
    document: &'a Document,
    settings: &'a Settings<'a>,
    own: &'a Plan,
    given: &'a Plan,
    pieces: Pieces,
    found: Vec<Found>,
}

impl Comparison<'_> {
    fn run(mut self) -> Result<Vec<Found>, Error> {
        let unchanged: HashSet<(Span, &str)> = self
            .own
            .decisions
            .iter()
            .flat_map(|decision| decision.edits.iter().flatten())
            .map(|edit| (edit.span, edit.replacement.as_str()))
            .collect();
        let mut judged = HashSet::new();
        for decision in &self.own.decisions {
            self.review(decision);
            for (mention, edit) in decision.edits.iter().enumerate() {
                let Some(edit) = edit else { continue };
                let span = decision.entity.mentions[mention].span;
                self.coverage(decision, span);
                for (place, at, index) in self.pieces.edits_at(span).to_vec() {
                    judged.insert((at, index));
                    let Some(given) = &self.given.decisions[at].edits[index] else { continue };
                    if !unchanged.contains(&(place, given.replacement.as_str())) {
                        self.replacement(decision, mention, edit, at, given)?;
                    }
                }
            }
        }
        for (place, at, index) in self.pieces.edits.clone() {
            let decision = &self.given.decisions[at];
            if let Some(edit) = decision.edits[index].as_ref().filter(|_| !judged.contains(&(at, index))) {
                self.addition(decision, at, index, edit, place)?;
            }
        }
        Ok(self.found)
    }

    fn add(&mut self, kind: DeviationKind, own: &Decision, span: Span, decision: Option<usize>) {
        let entity_type = own.entity.entity_type.clone();
        self.found.push(Found { deviation: Deviation { entity_type, kind, span }, decision });
    }

    /// An entity that requires review must have been approved, wherever it is now in the plan.
    fn review(&mut self, own: &Decision) {
        if own.review != Review::Required {
            return;
        }
        for mention in &own.entity.mentions {
            let decision = self.pieces.decision_at(mention.span);
            if let Some(at) = decision.filter(|at| self.given.decisions[*at].review != Review::Approved) {
                self.add(DeviationKind::NotReviewed, own, mention.span, Some(at));
            }
        }
    }

    /// Whatever the policy replaces must be replaced.
    fn coverage(&mut self, own: &Decision, span: Span) {
        let text = self.document.text();
        let mut open = Vec::new();
        let mut from = span.start;
        for (edit, ..) in self.pieces.edits_at(span) {
            open.push(Span::new(from, edit.start.max(from)));
            from = edit.end.max(from);
        }
        open.push(Span::new(from.min(span.end), span.end));
        for part in open.into_iter().filter(|part| part.of(text).contains(char::is_alphanumeric)) {
            let (kind, decision) = if let Some(at) = self.pieces.keeps(part) {
                (self.kind_of_keeping(own, at), Some(at))
            } else {
                let mut mentions = own.entity.mentions.iter();
                let rest = mentions.find_map(|mention| self.pieces.decision_at(mention.span));
                (DeviationKind::Removed, self.pieces.decision_at(span).or(rest))
            };
            self.add(kind, own, part, decision);
        }
    }

    fn kind_of_keeping(&self, own: &Decision, at: usize) -> DeviationKind {
        let given = &self.given.decisions[at];
        if given.entity.entity_type != own.entity.entity_type {
            DeviationKind::Retyped
        } else if given.operator == Operator::Keep || given.level == Decision::AS_WRITTEN {
            DeviationKind::Kept
        } else {
            DeviationKind::FinerLevel
        }
    }

    /// What is said instead must be the policy's replacement or a coarser one.
    fn replacement(
        &mut self,
        own: &Decision,
        mention: usize,
        by_policy: &Edit,
        at: usize,
        given: &Edit,
    ) -> Result<(), Error> {
        let allowed =
            choose::replacements(self.document, &own.entity, mention, Some(&own.level), self.settings)?;
        let entity_type = &self.given.decisions[at].entity.entity_type;
        if allowed.allows(&given.replacement) || is_known_label(entity_type, &given.replacement) {
            return Ok(());
        }
        let retyped = *entity_type != own.entity.entity_type;
        let kind = if retyped {
            DeviationKind::Retyped
        } else if allowed.is_finer(&given.replacement) {
            DeviationKind::FinerLevel
        } else {
            DeviationKind::Rewritten
        };
        let span = own.entity.mentions[mention].span;
        if kind != DeviationKind::FinerLevel {
            self.typed(at, span, &given.replacement, &by_policy.replacement)?;
        }
        self.add(kind, own, span, Some(at));
        Ok(())
    }

    /// A replacement where the policy has none.
    fn addition(
        &mut self,
        decision: &Decision,
        at: usize,
        mention: usize,
        edit: &Edit,
        place: Span,
    ) -> Result<(), Error> {
        let entity = &decision.entity;
        let allowed = choose::replacements(self.document, entity, mention, None, self.settings)?;
        if !allowed.allows(&edit.replacement) && !allowed.is_finer(&edit.replacement) {
            self.typed(at, place, &edit.replacement, "")?;
            self.add(DeviationKind::Rewritten, decision, place, Some(at));
        }
        Ok(())
    }

    /// A replacement that a person wrote must be short and must not restate the original, approved or not.
    fn typed(&self, at: usize, span: Span, replacement: &str, by_policy: &str) -> Result<(), Error> {
        let entity_type = &self.given.decisions[at].entity.entity_type;
        let most = self.settings.policy.max_replacement_chars();
        if replacement.chars().count() > most {
            return Err(Error::new(
                ErrorKind::Plan,
                format!(
                    "entity {} ({entity_type}): its replacement is longer than {most} characters",
                    at + 1
                ),
            )
            .with_hint("shorten it, or raise `limits.max_replacement_chars` in the policy"));
        }
        if restates(span.of(self.document.text()), replacement, by_policy, self.settings.language) {
            return Err(Error::new(
                ErrorKind::Plan,
                format!("entity {} ({entity_type}): its replacement restates the original", at + 1),
            )
            .with_hint("choose a different replacement; to keep the original, set \"mask\": {\"operator\": \"keep\"} and \"review\": \"approved\""));
        }
        Ok(())
    }
}

/// The label of a type that the program knows; a type of the reviewer's own could spell the original.
fn is_known_label(entity_type: &EntityType, replacement: &str) -> bool {
    replacement == mask::label(entity_type) && registry::types().contains(entity_type)
}
