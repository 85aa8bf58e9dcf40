//! The names of whom the policy protects.

mod called;

use reticent_text::{Document, Span};

use crate::policy::Subject;
use crate::resolve::surface::{self, Surfaces};
use crate::{Detector, EntityType, Error, Evidence, Finding, Identifies};

/// Finds the names of the subjects: in full, and for people also parts (`Cruise`), initials (`T. Cruise`), and
/// aliases introduced in the text (`Julianne Moore (born Julie Anne Smith; …`).
pub struct SubjectDetector {
    forms: Vec<Form>,
}

struct Form {
    words: String,
    subject: usize,
    whole: bool,
    entity_type: EntityType,
}

impl SubjectDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "subject";

    /// Creates a detector for these subjects.
    pub fn new(subjects: &[Subject]) -> Self {
        let mut forms = Vec::new();
        for (subject, protected) in subjects.iter().enumerate() {
            let entity_type = protected.entity_type().clone();
            let mut add = |words: String, whole| {
                forms.push(Form { words, subject, whole, entity_type: entity_type.clone() });
            };
            for name in protected.names() {
                add(name.to_owned(), true);
                if *protected.entity_type() == EntityType::PERSON {
                    for part in parts(name) {
                        add(part, false);
                    }
                }
            }
        }
        Self { forms }
    }
}

/// `Tom Cruise` is also `Tom`, `Cruise` and `T. Cruise`.
fn parts(name: &str) -> Vec<String> {
    let words: Vec<&str> = surface::words(name).map(|word| word.of(name)).collect();
    let [first, .., last] = words.as_slice() else { return Vec::new() };
    let long = |word: &&&str| word.chars().count() >= 3 && word.starts_with(char::is_uppercase);
    let mut parts: Vec<String> = words.iter().filter(long).map(|word| (*word).to_owned()).collect();
    parts.extend(first.chars().next().map(|initial| format!("{initial} {last}")));
    parts
}

impl Detector for SubjectDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let text = document.text();
        let surfaces =
            Surfaces::new(self.forms.iter().map(|form| surface::Form { words: &form.words, exact: false }));
        let found = surfaces.find(text).into_iter();
        let named = found.filter(|(index, span)| self.forms[*index].whole || is_capital(text, *span));
        let mut findings: Vec<Finding> = named.map(|(index, span)| self.forms[index].finding(span)).collect();
        findings.sort_by_key(|finding| finding.span);
        let also: Vec<Finding> = findings.iter().flat_map(|finding| called::also(text, finding)).collect();
        findings.extend(also);
        findings.sort_by_key(|finding| finding.span);
        Ok(findings)
    }
}

/// A part of a name counts only when it is written as one: `rose` is not `Rose`.
fn is_capital(text: &str, span: Span) -> bool {
    span.of(text).starts_with(char::is_uppercase)
}

impl Form {
    fn finding(&self, span: Span) -> Finding {
        Finding {
            span,
            entity_type: self.entity_type.clone(),
            identifies: Identifies::Directly,
            detector: SubjectDetector::NAME.into(),
            score: if self.whole { 1.0 } else { 0.9 },
            evidence: Evidence::Subject { subject: self.subject, whole: self.whole },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Vec<String> {
        let detector = SubjectDetector::new(&[Subject::named(name).unwrap()]);
        let findings = detector.detect(&Document::plain("test", text)).unwrap();
        findings.iter().map(|finding| finding.span.of(text).to_owned()).collect()
    }

    #[test]
    fn finds_names_parts_and_initials() {
        let text = "Tom Cruise, T. Cruise, TOM CRUISE; Cruise said.";
        let found = found("Tom Cruise", text);
        assert!(
            ["Tom Cruise", "T. Cruise", "TOM CRUISE", "Cruise"].iter().all(|x| found.iter().any(|y| y == x))
        );
    }

    #[test]
    fn leaves_ordinary_words_alone() {
        assert!(found("Rose Park", "the rose garden, parking, cruises").is_empty());
        assert!(found("Li Wu", "I like it; wuthering").is_empty());
        assert!(found("Anna de la Cruz", "de la casa").is_empty());
    }
}
