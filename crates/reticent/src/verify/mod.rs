//! Independent verification of a released text.
//!
//! Verification shares no code with the detectors, the resolver or the masks, so a fault there cannot hide itself.
//! The scanners are simple and strict: they know less than the detectors, and report text that they cannot interpret.

pub(crate) mod calendar;
pub mod disclosure;
mod names;
mod not_checked;
mod numbers;
mod original;
mod token;
mod view;

use regex::Regex;
use reticent_text::{Document, RegionKind, Span};
use serde::Serialize;

use self::view::View;
use crate::detect::pattern::Pattern;
use crate::policy::Subject;
use crate::{EntityType, Error, ErrorKind, Operator, Policy};

pub use not_checked::{NotChecked, not_checked};
pub use original::{Against, against_original};

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The text violates the policy.
    Violation,
    /// The text looks like something that the policy masks, and requires review.
    Suspicious,
    /// The released file alone does not allow a verdict.
    Unknown,
}

/// A problem found by verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The severity of a problem.
    pub severity: Severity,
    /// The span in bytes of the released text; `None` if the problem concerns the whole document.
    #[serde(skip)]
    pub span: Option<Span>,
    /// The type of the entity, if known.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<EntityType>,
    /// A description of the problem, without text of the document.
    pub what: &'static str,
}

impl Problem {
    fn at(severity: Severity, span: Span, entity_type: EntityType, what: &'static str) -> Self {
        Self { severity, span: Some(span), entity_type: Some(entity_type), what }
    }

    /// Creates a problem that concerns the whole document.
    pub fn of_all(severity: Severity, what: &'static str) -> Self {
        Self { severity, span: None, entity_type: None, what }
    }
}

/// Verifies a released text against its policy and the names of further subjects, without the original.
pub fn verify(released: &Document, policy: &Policy, subjects: &[Subject]) -> Result<Vec<Problem>, Error> {
    let text = released.text();
    let view = View::of(text);
    let mut problems = Vec::new();
    numbers::check(view.text(), policy, &mut problems);
    calendar::check(view.text(), policy, &mut problems);
    names::check(view.text(), policy, subjects, &mut problems);
    for pattern in policy.patterns() {
        if *policy.operator(pattern.entity_type()) != Operator::Keep {
            let what = "a pattern of the policy matches";
            let found = matches(pattern, view.text())?;
            problems.extend(
                found
                    .into_iter()
                    .map(|span| Problem::at(Severity::Violation, span, pattern.entity_type().clone(), what)),
            );
        }
    }
    for problem in &mut problems {
        problem.span = problem.span.map(|span| view.original(span));
    }
    names::check_properties(released, policy, &mut problems);
    let ours = token::spans(text);
    let allowed: Vec<Span> =
        policy.allow().spans(view.text()).into_iter().map(|span| view.original(span)).collect();
    problems.retain(|problem| {
        problem.span.is_none_or(|span| {
            !ours.iter().any(|own| own.contains(span))
                && !allowed.iter().any(|allowed| allowed.contains(span))
        })
    });
    problems.retain(|problem| problem.span.is_none_or(|span| !is_placeholder_date(released, span)));
    problems.sort_by_key(|problem| (problem.span, problem.severity));
    problems.dedup();
    Ok(problems)
}

/// Where a file allows nothing but a date and a time, a year is written as its first moment.
fn is_placeholder_date(released: &Document, span: Span) -> bool {
    released.region_at(span.start).is_some_and(|region| {
        region.kind == RegionKind::Metadata && region.span.of(released.text()).ends_with("-01-01T00:00:00Z")
    })
}

/// Where a pattern of the policy matches: its expression alone, without anything around it.
fn matches(pattern: &Pattern, text: &str) -> Result<Vec<Span>, Error> {
    let regex = Regex::new(pattern.expression())
        .map_err(|_| Error::new(ErrorKind::Policy, "a pattern of the policy is invalid"))?;
    let value = |found: regex::Captures<'_>| {
        found.name("value").or_else(|| found.get(0)).map(|part| part.range().into())
    };
    Ok(regex.captures_iter(text).filter_map(value).collect())
}

/// Whether anything of that type may stand in the text as it is.
fn keeps(policy: &Policy, name: &str) -> bool {
    EntityType::new(name)
        .is_some_and(|kind| !policy.heeds(&kind) || *policy.operator(&kind) == Operator::Keep)
}
