//! Others who share a name with a subject: the father of Jennifer Aniston is not Jennifer Aniston.

use std::collections::{HashMap, HashSet};

use reticent_text::Span;

use super::surface;
use super::title::without_title;
use crate::{EntityType, Evidence, Finding};

/// Parts of subjects' names that stand in the names of others.
///
/// A name with one word of a subject's and others beside it is someone else's, unless it is how the text calls the subject at
/// first: `Willard Carroll Smith` for Will Smith, where it has no fuller name of him, where the names begin alike, or where
/// it opens the text as a biography does. Only a name that is masked
/// itself, as `is_masked` says, takes a part in, so that nothing of a subject's name stays.
pub(super) fn parts(text: &str, findings: &[Finding], is_masked: impl Fn(&Finding) -> bool) -> HashSet<Span> {
    let mut parts: Vec<(Span, usize)> = Vec::new();
    let mut full: HashSet<usize> = HashSet::new();
    let mut called: HashMap<usize, HashSet<String>> = HashMap::new();
    let words = |name: &str| -> HashSet<String> {
        surface::words(name).map(|word| surface::folded(word.of(name))).collect()
    };
    for finding in findings {
        if let Evidence::Subject { subject, .. } = finding.evidence {
            called.entry(subject).or_default().extend(words(finding.span.of(text)));
        }
        match finding.evidence {
            Evidence::Subject { subject, whole: false } => parts.push((finding.span, subject)),
            Evidence::Subject { subject, whole: true } => {
                full.insert(subject);
            }
            _ => {}
        }
    }
    parts.sort_unstable();
    parts.dedup();
    let person = |finding: &&Finding| {
        // Who or what a name is of may be unknown, and yet it is not the subject's: `Briana Loves Jenna`.
        [EntityType::PERSON, EntityType::CHARACTER, EntityType::NAME].contains(&finding.entity_type)
            && !matches!(finding.evidence, Evidence::Subject { .. })
    };
    let mut names: Vec<Span> = Vec::new();
    if !parts.is_empty() {
        names.extend(findings.iter().filter(person).filter(|name| is_masked(name)).map(|name| name.span));
    }
    names.sort_unstable();
    names.dedup();
    let mut own: HashMap<usize, HashSet<String>> = HashMap::new();
    let mut others = HashSet::new();
    for name in names {
        let from = parts.partition_point(|(part, _)| part.start < name.start);
        let inside: Vec<(Span, usize)> =
            parts[from..].iter().take_while(|(part, _)| part.end <= name.end).copied().collect();
        let Some((_, subject)) = inside.first().copied() else { continue };
        let all = words(without_title(name.of(text)));
        let shared: HashSet<String> = inside.iter().flat_map(|(part, _)| words(part.of(text))).collect();
        if shared.len() > 1 {
            full.insert(subject);
            own.entry(subject).or_default().extend(all);
            continue;
        }
        let written = |word: Span| word.of(name.of(text)).chars().all(|c| c.is_alphabetic() || c == '-');
        let capital = |word: Span| word.of(name.of(text)).starts_with(char::is_uppercase);
        let is_name = surface::words(name.of(text)).all(|word| written(word) && capital(word));
        let own = own.entry(subject).or_default();
        let known = all.len() < 2 || all.is_subset(own);
        let alike = |word: &String| {
            let long = |own: &&String| own.len() > 2 && !shared.contains(*own);
            called
                .get(&subject)
                .is_some_and(|names| names.iter().filter(long).any(|own| word.starts_with(own)))
        };
        let opens = text[..name.start].trim().is_empty() && text[name.end..].trim_start().starts_with('(');
        let first = own.is_empty() && (!full.contains(&subject) || opens || all.iter().any(alike));
        if !is_name || known || first {
            own.extend(all);
        } else {
            others.extend(inside.iter().map(|(part, _)| *part));
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Detector;
    use crate::detect::SubjectDetector;
    use crate::policy::Subject;

    /// The parts of the subject's name that belong to others, in a text where a labeller finds these names.
    fn of_others(subject: &str, text: &str, names: &[&str]) -> Vec<usize> {
        let document = reticent_text::Document::plain("t", text);
        let detector = SubjectDetector::new(&[Subject::named(subject).unwrap()]);
        let mut findings = detector.detect(&document).unwrap();
        let label = |name: &&str| {
            let start = text.find(name).unwrap();
            Finding {
                span: Span::new(start, start + name.len()),
                evidence: Evidence::Labelled,
                ..findings[0].clone()
            }
        };
        let labelled: Vec<Finding> = names.iter().map(label).collect();
        findings.extend(labelled);
        let mut starts: Vec<usize> = parts(text, &findings, |_| true).iter().map(|part| part.start).collect();
        starts.sort_unstable();
        starts
    }

    #[test]
    fn relatives_are_others() {
        let text = "Jennifer Joanna Aniston is the daughter of John Aniston. Aniston acts.";
        assert_eq!(of_others("Jennifer Aniston", text, &["Jennifer Joanna Aniston", "John Aniston"]), [48]);
        // What nothing can place is not the subject's either.
        let text = "Jenna Jameson made Briana Loves Jenna.";
        let document = reticent_text::Document::plain("t", text);
        let detector = SubjectDetector::new(&[Subject::named("Jenna Jameson").unwrap()]);
        let mut findings = detector.detect(&document).unwrap();
        let title = Finding {
            span: Span::new(19, 37),
            entity_type: EntityType::NAME,
            evidence: Evidence::Labelled,
            ..findings[0].clone()
        };
        findings.push(title);
        assert_eq!(parts(text, &findings, |_| true).len(), 1);
        let text = "Scott Caan plays Scott Lavin.";
        assert_eq!(of_others("Scott Caan", text, &["Scott Lavin"]), [17]);
    }

    #[test]
    fn other_ways_to_call_the_subject_are_none() {
        let text = "Willard Carroll Smith is an actor. Smith sings. Willard Smith won.";
        assert!(
            of_others("Will Smith", text, &["Willard Carroll Smith", "Smith", "Willard Smith"]).is_empty()
        );
        // Though the text has his whole name too.
        let text = "Benjamin Meara Stiller acts. Stiller hosted The Ben Stiller Show.";
        assert!(of_others("Ben Stiller", text, &["Benjamin Meara Stiller"]).is_empty());
        let text = "James Carrey (born 1962) acts. Carrey hosted The Jim Carrey Show.";
        assert!(of_others("Jim Carrey", text, &["James Carrey"]).is_empty());
        let text = "Will Smith met Mr Smith, and Will Carroll Smith.";
        assert!(of_others("Will Smith", text, &["Mr Smith", "Will Carroll Smith"]).is_empty());
        // What is no name as a whole may have the subject in it.
        let text = "Will Smith is here. Smith No. 25 won.";
        assert!(of_others("Will Smith", text, &["Smith No. 25"]).is_empty());
    }

    #[test]
    fn a_name_that_stays_takes_nothing_in() {
        let text = "Ann Lee is the sister of Bob Lee.";
        let document = reticent_text::Document::plain("t", text);
        let detector = SubjectDetector::new(&[Subject::named("Ann Lee").unwrap()]);
        let mut findings = detector.detect(&document).unwrap();
        let bob = Finding { span: Span::new(25, 32), evidence: Evidence::Labelled, ..findings[0].clone() };
        findings.push(bob);
        assert!(parts(text, &findings, |_| false).is_empty());
        assert_eq!(parts(text, &findings, |_| true).len(), 1);
    }
}
