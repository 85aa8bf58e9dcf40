//! Findings that overlap become one.

use std::collections::BTreeMap;

use reticent_text::Span;

use super::namesake;
use super::title::with_title;
use crate::{EntityType, Evidence, Finding, Identifies, Operator, Policy};

/// What was found, without overlaps, in the order of the text.
///
/// Where two findings overlap, the more certain one gives the type, and the span covers both, so
/// that nothing that any detector found stays behind. What the policy keeps protects nothing: a
/// finding to be masked wins over one to be kept unless the kept one is the more certain and covers
/// it whole (`15 %` is not a house number).
pub(crate) fn settle(text: &str, findings: Vec<Finding>, policy: &Policy) -> Vec<Finding> {
    let allowed = policy.allow().spans(text);
    let of_others =
        namesake::parts(text, &findings, |name| is_heeded(name, policy) && !is_kept(name, policy));
    let mut patterns: Vec<Span> =
        findings.iter().filter(|finding| is_pattern(finding)).map(|finding| finding.span).collect();
    patterns.sort_unstable();
    // Figures are no name, whatever a labeller makes of them, where a pattern knows what they are.
    let is_figures = |finding: &Finding| {
        let first = patterns.partition_point(|pattern| pattern.start < finding.span.start);
        is_learnt_of_figures(text, finding)
            && patterns.get(first).is_some_and(|pattern| pattern.overlaps(finding.span))
    };
    let mut looked_at: Vec<Span> = findings
        .iter()
        .filter(|finding| {
            matches!(finding.evidence, Evidence::Related { .. })
                && finding.entity_type != EntityType::PERSON
                && is_heeded(finding, policy)
                && !is_kept(finding, policy)
        })
        .map(|finding| finding.span)
        .collect();
    looked_at.sort_unstable();
    // Who looked at the sentence too knows better whether a name is someone's: `two Golden Globes`.
    let is_told = |finding: &Finding| {
        is_learnt(finding)
            && finding.entity_type == EntityType::PERSON
            && looked_at.binary_search(&finding.span).is_ok()
    };
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .filter(|finding| !is_figures(finding) && !is_told(finding))
        .filter(|finding| !(is_part(finding) && of_others.contains(&finding.span)))
        .filter(|finding| !finding.span.is_empty() && policy.heeds(&finding.entity_type))
        .filter(|finding| policy.looks_for(&finding.entity_type) || must_stay(finding))
        .filter(|finding| finding.score >= policy.min_score() || must_stay(finding))
        .filter(|finding| must_stay(finding) || !allowed.iter().any(|span| span.contains(finding.span)))
        .map(|finding| {
            let is_person = finding.entity_type == EntityType::PERSON;
            let span = if is_person { with_title(text, finding.span) } else { finding.span };
            Finding { span, ..finding }
        })
        .collect();
    findings.sort_by(|a, b| strength(b, policy).total_cmp(&strength(a, policy)).then_with(|| order(a, b)));

    // Disjoint at all times, by where they start. Boxed, since a tree sets much room aside for what it holds.
    let mut settled: BTreeMap<usize, Box<Finding>> = BTreeMap::new();
    for finding in findings {
        let rivals: Vec<usize> = settled
            .range(..finding.span.end)
            .rev()
            .take_while(|(_, rival)| rival.span.end > finding.span.start)
            .map(|(start, _)| *start)
            .collect();
        // What a labeller made of a number must not make it something that identifies in combination only.
        let weaker = |rival: &Finding| is_learnt(rival) && !is_direct(rival);
        if is_number(&finding) && !rivals.is_empty() && rivals.iter().all(|start| weaker(&settled[start])) {
            for rival in rivals.iter().filter_map(|start| settled.remove(start)).collect::<Vec<_>>() {
                let pieces = beside(text, rival.span, &[finding.span]);
                settled.extend(pieces.iter().map(|piece| (piece.start, Box::new(at(*piece, &rival)))));
            }
            settled.insert(finding.span.start, Box::new(finding));
            continue;
        }
        let covered = rivals
            .iter()
            .map(|start| &settled[start])
            .any(|rival| rival.span.contains(finding.span) && shields(rival, &finding, policy));
        if covered || (!rivals.is_empty() && is_kept(&finding, policy)) {
            continue;
        }
        if is_learnt(&finding) && !rivals.is_empty() {
            let mut spans: Vec<Span> = rivals.iter().map(|start| settled[start].span).collect();
            spans.sort_unstable();
            let pieces = beside(text, finding.span, &spans);
            let rivals = || rivals.iter().map(|start| &*settled[start]);
            // What covers two dates, or a date and an age, is not one name.
            let several =
                spans.len() > 1 && rivals().all(|rival| is_pattern(rival) && !is_kept(rival, policy));
            // Joined, a number would no longer be looked for where it stands without those words.
            let apart = several || rivals().all(is_number);
            if apart && pieces.iter().all(|piece| !text[..piece.start].ends_with(char::is_alphanumeric)) {
                settled.extend(pieces.iter().map(|piece| (piece.start, Box::new(at(*piece, &finding)))));
                continue;
            }
        }
        let rivals: Vec<Box<Finding>> = rivals.iter().filter_map(|start| settled.remove(start)).collect();
        let joined = rivals
            .iter()
            .filter(|rival| shields(rival, &finding, policy))
            .fold(finding.span, |span, rival| span.join(rival.span));
        let masked = rivals.into_iter().filter(|rival| !is_kept(rival, policy));
        let winner = masked.fold(None, |best: Option<Box<Finding>>, rival| match best {
            Some(best) if strength(&best, policy) >= strength(&rival, policy) => Some(best),
            _ => Some(rival),
        });
        // `The Ben Stiller Show` is not Ben Stiller.
        let is_title = is_heeded(&finding, policy) && is_called_after(text, &finding, winner.as_deref());
        let winner = winner.filter(|_| !is_title);
        let mut winner = winner.unwrap_or_else(|| Box::new(finding));
        winner.span = joined;
        settled.insert(joined.start, winner);
    }
    settled.into_values().map(|finding| *finding).collect()
}

/// Whether words that tell something of a subject have its name between others that are written with capitals.
fn is_called_after(text: &str, title: &Finding, subject: Option<&Finding>) -> bool {
    let Some(subject) = subject.filter(|it| matches!(it.evidence, Evidence::Subject { .. })) else {
        return false;
    };
    let related =
        matches!(title.evidence, Evidence::Related { .. }) && title.entity_type != EntityType::PERSON;
    let inside = title.span.start < subject.span.start && subject.span.end < title.span.end;
    related && inside && {
        let before = text[title.span.start..subject.span.start].trim_end();
        let after = text[subject.span.end..title.span.end].trim_start();
        before == "The" && after.starts_with(char::is_uppercase)
    }
}

/// Whether the policy looks at what was found.
fn is_heeded(finding: &Finding, policy: &Policy) -> bool {
    policy.heeds(&finding.entity_type)
        && policy.looks_for(&finding.entity_type)
        && finding.score >= policy.min_score()
}

/// A part of a subject's name.
fn is_part(finding: &Finding) -> bool {
    matches!(finding.evidence, Evidence::Subject { whole: false, .. })
}

/// The same at another place.
fn at(span: Span, finding: &Finding) -> Finding {
    Finding { span, ..finding.clone() }
}

/// The policy itself asked for it, or it would bring back what is masked elsewhere: no allow list and
/// no score takes it away.
fn must_stay(finding: &Finding) -> bool {
    use Evidence::{Correlated, Disclosure, Given, Listed, Reviewer, SameAs, Subject};
    matches!(
        finding.evidence,
        Listed | Subject { .. } | Reviewer | SameAs { .. } | Disclosure { .. } | Correlated { .. } | Given
    )
}

pub(super) fn is_kept(finding: &Finding, policy: &Policy) -> bool {
    *policy.operator(&finding.entity_type) == Operator::Keep && !must_stay(finding)
}

/// Whether a finding lies under another that covers it. A labeller may be wrong about what is kept: that
/// takes nothing away from what a pattern or the policy found.
fn shields(rival: &Finding, finding: &Finding, policy: &Policy) -> bool {
    !(is_kept(rival, policy) && is_learnt(rival)) || is_learnt(finding)
}

fn is_learnt(finding: &Finding) -> bool {
    matches!(finding.evidence, Evidence::Labelled | Evidence::ProperNoun)
}

/// What a labeller makes of figures without any letter.
pub(crate) fn is_learnt_of_figures(text: &str, finding: &Finding) -> bool {
    is_learnt(finding) && !finding.span.of(text).contains(char::is_alphabetic)
}

fn is_direct(finding: &Finding) -> bool {
    finding.identifies == Identifies::Directly
}

fn is_pattern(finding: &Finding) -> bool {
    matches!(finding.evidence, Evidence::Pattern { .. })
}

/// What a pattern found and identifies alone, names apart: numbers, addresses of mail.
pub(crate) fn is_number(finding: &Finding) -> bool {
    is_pattern(finding) && is_direct(finding) && finding.entity_type != EntityType::PERSON
}

/// What is left of a span beside others, where it has letters or digits.
pub(crate) fn beside(text: &str, span: Span, taken: &[Span]) -> Vec<Span> {
    let mut left = Vec::new();
    let mut from = span.start;
    for other in taken.iter().copied().chain([Span::new(span.end, span.end)]) {
        let part = Span::new(from, other.start.max(from));
        let words = part.of(text).trim_matches(|c: char| !c.is_alphanumeric());
        if !words.is_empty() {
            let start = part.start + part.of(text).find(words).unwrap_or(0);
            left.push(Span::new(start, start + words.len()));
        }
        from = from.max(other.end);
    }
    left
}

/// What wins: the policy's own wishes, then certainty, where more text counts for a little.
fn strength(finding: &Finding, policy: &Policy) -> f32 {
    let wished = if must_stay(finding) { 2.0 } else { 0.0 };
    let unplaced = if matches!(finding.evidence, Evidence::ProperNoun) { -1.0 } else { 0.0 };
    let kept = if is_kept(finding, policy) { -0.1 } else { 0.0 };
    let length = f32::from(u16::try_from(finding.span.len()).unwrap_or(u16::MAX)).min(60.0) / 400.0;
    wished + unplaced + kept + finding.score + length
}

/// Ties go to the earlier, then the longer, then the name, so that nothing depends on chance.
fn order(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let key = |finding: &Finding| {
        let Span { start, end } = finding.span;
        (start, usize::MAX - end)
    };
    key(a)
        .cmp(&key(b))
        .then_with(|| a.detector.cmp(&b.detector))
        .then_with(|| a.entity_type.cmp(&b.entity_type))
}
