//! Quasi-identifiers of the policy's subjects.
//!
//! - [`similar`]: terms whose vectors are similar to that of the subject, as published;
//! - [`about`]: uncommon phrases in sentences about the subject;
//! - [`people`]: the topic of each sentence;
//! - [`expression`]: names, numbers and phrases as spans that are masked as one; [`title`]: titles in pieces;
//! - [`role`]: characters that someone plays, and the works that they are in.

mod about;
mod chain;
mod expression;
mod people;
mod role;
mod similar;
mod subject;
mod title;

use reticent_text::{Document, Language, Layers, Span};

use crate::detect::NamesDetector;
use crate::knowledge::can_be;
use crate::policy::{Method, Related, Subject};
use crate::{Detector, EntityType, Error, ErrorKind, Evidence, Finding, Identifies, Knowledge};

pub(crate) use subject::SubjectVector;

/// Finds quasi-identifiers of the policy's subjects, using background knowledge.
///
/// Unlike a [`Detector`](super::Detector), it takes the subjects of each document and the findings of the other
/// detectors.
pub struct RelatedDetector {
    knowledge: Knowledge,
    related: Related,
}

impl RelatedDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "related";

    /// Creates a detector with the policy's settings.
    pub fn new(knowledge: Knowledge, related: Related) -> Self {
        Self { knowledge, related }
    }

    /// Returns the background knowledge.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Whether a subject is looked for, but has no vector that what is said instead could be held against.
    pub(crate) fn cannot_check(&self, subject: &Subject) -> Result<bool, Error> {
        let vector = || SubjectVector::new(self.knowledge.vectors(), subject, std::iter::empty());
        Ok(self.related.method != Method::Names && vector()?.is_unknown())
    }

    /// What tells something of these subjects. `found` is what other detectors found.
    pub(crate) fn detect(
        &self,
        document: &Document,
        subjects: &[Subject],
        found: &[Finding],
    ) -> Result<Vec<Finding>, Error> {
        let layers = document.layers().ok_or_else(|| {
            Error::new(ErrorKind::Detector, "the text was not analyzed, so it could not be searched")
        })?;
        // What things are is told by the labeller of names too, whether the policy masks what it finds or not.
        let names = NamesDetector::default().detect(document)?;
        let mut found: Vec<Finding> = found.iter().chain(&names).cloned().collect();
        found.sort_by_key(|finding| finding.span);
        let longest = found.iter().map(|finding| finding.span.len()).max().unwrap_or(0);
        let mut findings = Vec::new();
        for (at, subject) in subjects.iter().enumerate() {
            let look = Look {
                document,
                layers,
                knowledge: &self.knowledge,
                related: &self.related,
                found: &found,
                longest,
            };
            findings.extend(match self.related.method {
                Method::About => about::detect(&look, at, subject)?,
                Method::Similar => similar::detect(&look, at, subject)?,
                Method::Names => Vec::new(),
            });
        }
        Ok(findings)
    }
}

/// All that is looked at.
struct Look<'a> {
    document: &'a Document,
    layers: &'a Layers,
    knowledge: &'a Knowledge,
    related: &'a Related,
    /// What others found, in the order of the text.
    found: &'a [Finding],
    /// How long the longest of that is.
    longest: usize,
}

impl Look<'_> {
    fn text(&self) -> &str {
        self.document.text()
    }

    /// What others found that overlaps a stretch.
    fn found_at(&self, span: Span) -> impl Iterator<Item = &Finding> {
        let first = self.found.partition_point(|finding| finding.span.start + self.longest <= span.start);
        let near = self.found[first..].iter().take_while(move |finding| finding.span.start < span.end);
        near.filter(move |finding| finding.span.overlaps(span))
    }

    /// What others say that a stretch is: one of them found just this, or all of its letters and digits.
    fn type_of(&self, span: Span) -> Option<EntityType> {
        let text = self.text();
        let same = |finding: &&Finding| {
            let outside = |part: Span| !part.of(text).contains(char::is_alphanumeric);
            finding.span.contains(span)
                || span.contains(finding.span)
                    && outside(Span::new(span.start, finding.span.start))
                    && outside(Span::new(finding.span.end, span.end))
        };
        // A labeller that is not sure says nothing of what a thing is.
        let sure =
            |finding: &&Finding| !matches!(finding.evidence, Evidence::Labelled) || finding.score >= SURE;
        let best =
            self.found_at(span).filter(same).filter(sure).max_by(|a, b| a.score.total_cmp(&b.score))?;
        let learnt = matches!(best.evidence, Evidence::Labelled);
        (!learnt || self.is_vouched_for(span, &best.entity_type)).then(|| best.entity_type.clone())
    }

    /// A labeller alone may take a title for a place, and what is said instead must be true: a taxonomy knows the
    /// name, or a word of it says what it is (`Worcester College`).
    fn is_vouched_for(&self, span: Span, entity_type: &EntityType) -> bool {
        let name = span.of(self.text());
        let things: &[&str] = match entity_type {
            _ if self.layers.language != Language::English => return true,
            kind if *kind == EntityType::LOCATION => &["location", "structure", "way", "body of water"],
            kind if *kind == EntityType::ORGANIZATION => {
                &["organization", "institution", "establishment", "educational institution"]
            }
            _ => return true,
        };
        if *entity_type == EntityType::LOCATION && self.knowledge.is_known_name(name) {
            return true;
        }
        let words = name.split_whitespace().filter(|word| word.starts_with(char::is_uppercase));
        [name].into_iter().chain(words).any(|words| can_be(self.knowledge.taxonomy(), words, things))
    }

    /// Where people are named.
    fn people(&self) -> impl Iterator<Item = Span> + '_ {
        self.found
            .iter()
            .filter(|finding| finding.entity_type == EntityType::PERSON)
            .map(|finding| finding.span)
    }

    /// How much a term tells, in bits.
    fn bits(&self, term: &str) -> Result<Option<f64>, Error> {
        self.knowledge.bits(term, self.layers.language)
    }
}

/// A labeller is believed if it is right so often.
const SURE: f32 = 0.8;

/// How the things themselves lead to a subject.
fn identifies(subject: &Subject) -> Identifies {
    if *subject.entity_type() == EntityType::PERSON {
        Identifies::InCombination
    } else {
        Identifies::Confidential
    }
}

#[cfg(test)]
mod tests;
