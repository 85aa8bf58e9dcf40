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

    // Disjoint at all times: which finding starts where. Findings stay where they are, since a long text has millions.
    let mut settled: BTreeMap<usize, usize> = BTreeMap::new();
    for index in 0..findings.len() {
        let span = findings[index].span;
        let rivals: Vec<usize> = settled
            .range(..span.end)
            .rev()
            .take_while(|(_, rival)| findings[**rival].span.end > span.start)
            .map(|(_, rival)| *rival)
            .collect();
        if rivals.is_empty() {
            settled.insert(span.start, index);
            continue;
        }
        let finding = findings[index].clone();
        // What a labeller made of a number must not make it something that identifies in combination only.
        let weaker = |rival: &Finding| is_learnt(rival) && !is_direct(rival);
        if is_number(&finding) && rivals.iter().all(|rival| weaker(&findings[*rival])) {
            for rival in rivals {
                let rival = findings[rival].clone();
                settled.remove(&rival.span.start);
                for piece in beside(text, rival.span, &[span]) {
                    settled.insert(piece.start, findings.len());
                    findings.push(at(piece, &rival));
                }
            }
            settled.insert(span.start, index);
            continue;
        }
        let covered = rivals
            .iter()
            .map(|rival| &findings[*rival])
            .any(|rival| rival.span.contains(span) && shields(rival, &finding, policy));
        if covered || is_kept(&finding, policy) {
            continue;
        }
        if is_learnt(&finding) {
            let mut spans: Vec<Span> = rivals.iter().map(|rival| findings[*rival].span).collect();
            spans.sort_unstable();
            let pieces = beside(text, span, &spans);
            let rivals = || rivals.iter().map(|rival| &findings[*rival]);
            // What covers two dates, or a date and an age, is not one name.
            let several =
                spans.len() > 1 && rivals().all(|rival| is_pattern(rival) && !is_kept(rival, policy));
            // Joined, a number would no longer be looked for where it stands without those words.
            let apart = several || rivals().all(is_number);
            if apart && pieces.iter().all(|piece| !text[..piece.start].ends_with(char::is_alphanumeric)) {
                for piece in pieces {
                    settled.insert(piece.start, findings.len());
                    findings.push(at(piece, &finding));
                }
                continue;
            }
        }
        for rival in &rivals {
            settled.remove(&findings[*rival].span.start);
        }
        let joined = rivals
            .iter()
            .map(|rival| &findings[*rival])
            .filter(|rival| shields(rival, &finding, policy))
            .fold(span, |span, rival| span.join(rival.span));
        let masked = rivals.into_iter().filter(|rival| !is_kept(&findings[*rival], policy));
        let winner = masked.fold(None, |best: Option<usize>, rival| match best {
            Some(best) if strength(&findings[best], policy) >= strength(&findings[rival], policy) => {
                Some(best)
            }
            _ => Some(rival),
        });
        // `The Ben Stiller Show` is not Ben Stiller.
        let subject = winner.map(|winner| &findings[winner]);
        let is_title = is_heeded(&finding, policy) && is_called_after(text, &finding, subject);
        let winner = winner.filter(|_| !is_title).unwrap_or(index);
        findings[winner].span = joined;
        settled.insert(joined.start, winner);
    }
    let mut is_settled = vec![false; findings.len()];
    for index in settled.into_values() {
        is_settled[index] = true;
    }
    let mut is_settled = is_settled.into_iter();
    findings.retain(|_| is_settled.next().unwrap_or(false));
    findings.sort_unstable_by_key(|finding| finding.span.start);
    findings
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
