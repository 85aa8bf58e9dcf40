//! Detectors, which find spans that identify a person or reveal a secret.

mod correlated;
pub(crate) mod disclosure;
mod institution;
mod kind;
mod labelled;
mod listed;
mod metadata;
pub mod pattern;
mod proper_name;
pub mod registry;
pub(crate) mod related;
mod subject;

pub mod checksum;

use rayon::prelude::*;
use reticent_text::{Document, Layers, RegionKind, Span};

pub use correlated::{Correlated, CorrelatedDetector, Given};
pub use disclosure::DisclosureDetector;
pub use institution::InstitutionDetector;
pub use labelled::{LabelledDetector, NamesDetector};
pub use listed::ListedDetector;
pub use metadata::MetadataDetector;
pub use proper_name::ProperNameDetector;
pub use related::RelatedDetector;
pub use subject::SubjectDetector;

use crate::detect::pattern::{PatternDetector, builtin};
use crate::policy::{Subject, UnplacedNames};
use crate::resolve::{beside, is_number};
use crate::{EntityType, Error, ErrorKind, Evidence, Finding, Identifies, Policy};

/// How many bytes of text are worth several threads.
pub(crate) const LONG: usize = 1 << 16;

/// Finds spans of a document that identify a person or reveal a secret.
///
/// A detector reads the document and returns findings with evidence; it changes nothing and decides nothing. If it
/// fails it returns an error, and the document is refused: an empty list means that the whole document was searched
/// and nothing was found.
///
/// To add a detector: a file in `detect/`, a type that implements this trait, an entry in the [`registry`] (the
/// source of help and `explain`), and test cases in `tests/cases` of spans that it finds and at least as many that it
/// leaves alone.
pub trait Detector: Send + Sync {
    /// Returns its name in policies, plans and `reticent explain`.
    fn name(&self) -> &str;

    /// Returns whether it reads the document's [`Layers`]: sentences, tokens and tags.
    fn needs_layers(&self) -> bool {
        false
    }

    /// Returns the findings in a document.
    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error>;
}

impl<D: Detector + ?Sized> Detector for std::sync::Arc<D> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn needs_layers(&self) -> bool {
        (**self).needs_layers()
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        (**self).detect(document)
    }
}

/// All findings in one list, which takes no more room than they need: a long text has millions.
fn concat(lists: Vec<Vec<Finding>>) -> Vec<Finding> {
    let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    for mut list in lists {
        all.append(&mut list);
    }
    all
}

/// What was tagged of a document; `who` needs it.
fn tagged<'d>(document: &'d Document, who: &str) -> Result<&'d Layers, Error> {
    document.layers().ok_or_else(|| {
        Error::new(
            ErrorKind::Detector,
            format!("{who} require part-of-speech tags, but the text was not tagged"),
        )
    })
}

/// Whether code stands at a place, in which nothing is a name.
fn is_code(document: &Document, at: usize) -> bool {
    document.region_at(at).is_some_and(|region| region.kind == RegionKind::Code)
}

/// Whether a finding counts whoever it is of: what the policy names, and what identifies alone.
fn counts_of_anyone(finding: &Finding) -> bool {
    let wished = matches!(finding.evidence, Evidence::Subject { .. } | Evidence::Listed);
    wished || (finding.identifies == Identifies::Directly && finding.entity_type != EntityType::PERSON)
}

/// The detectors enabled by a policy, created once and used for many documents.
pub struct Detectors {
    all: Vec<Box<dyn Detector>>,
    related: Option<RelatedDetector>,
    only_subjects: bool,
}

impl Detectors {
    /// Creates the detectors enabled by this policy.
    pub fn new(policy: &Policy) -> Result<Self, Error> {
        let patterns =
            builtin().iter().chain(policy.patterns()).filter(|pattern| policy.enables(pattern.name()));
        let mut detectors: Vec<Box<dyn Detector>> = vec![
            Box::new(PatternDetector::new(patterns.cloned().collect())?),
            Box::new(ListedDetector::new(policy.deny())),
            Box::new(MetadataDetector),
            Box::new(NamesDetector::default()),
            Box::new(InstitutionDetector::new()?),
        ];
        if policy.unplaced_names() != UnplacedNames::Keep {
            detectors.push(Box::new(ProperNameDetector));
        }
        detectors.retain(|detector| policy.enables(detector.name()));
        Ok(Self { all: detectors, related: None, only_subjects: policy.related().only_subjects })
    }

    /// The same that label a sentence once, in however many documents it stands.
    pub(crate) fn remember(&mut self) {
        for detector in self.all.iter_mut().filter(|detector| detector.name() == NamesDetector::NAME) {
            *detector = Box::new(NamesDetector::remembering());
        }
    }

    /// These and one more.
    pub(crate) fn push(&mut self, detector: Box<dyn Detector>) {
        self.all.push(detector);
    }

    /// These, and what tells something of a document's subjects.
    pub(crate) fn relate(&mut self, related: RelatedDetector) {
        self.related = Some(related);
    }

    /// What finds what tells something of a document's subjects.
    pub(crate) fn related(&self) -> Option<&RelatedDetector> {
        self.related.as_ref()
    }

    /// Returns whether the text must be tagged first.
    pub fn needs_tags(&self) -> bool {
        self.related.is_some() || self.all.iter().any(|detector| detector.needs_layers())
    }

    /// Returns the findings of all detectors, including the names of these subjects. An error of any detector refuses
    /// the document.
    pub fn detect(&self, document: &Document, subjects: &[Subject]) -> Result<Vec<Finding>, Error> {
        let mut findings = self.run(document, subjects, |_| true)?;
        if let Some(related) = &self.related {
            let found = related.detect(document, subjects, &findings);
            let found = found.map_err(|error| error.in_document(document.id()))?;
            self.add_related(document.text(), &mut findings, found);
        }
        Ok(findings)
    }

    /// The same without what needs tags: for text that we have changed ourselves.
    pub(crate) fn detect_untagged(
        &self,
        document: &Document,
        subjects: &[Subject],
    ) -> Result<Vec<Finding>, Error> {
        let mut findings = self.run(document, subjects, |detector| !detector.needs_layers())?;
        // Of whom the rest is was decided on the original.
        if self.related.is_some() && self.only_subjects {
            findings.retain(counts_of_anyone);
        }
        Ok(findings)
    }

    /// Adds what tells something of subjects. It says already what others found within it, but for numbers that identify
    /// anybody: those stay apart, so that they are looked for where they stand alone.
    fn add_related(&self, text: &str, findings: &mut Vec<Finding>, related: Vec<Finding>) {
        let mut numbers: Vec<Span> =
            findings.iter().filter(|finding| is_number(finding)).map(|finding| finding.span).collect();
        numbers.sort_unstable();
        let mut related: Vec<Finding> = related
            .into_iter()
            .flat_map(|finding| {
                let before = numbers.partition_point(|number| number.start < finding.span.end);
                let near =
                    numbers[..before].iter().rev().take_while(|number| number.end > finding.span.start);
                let mut inside: Vec<Span> = near.copied().collect();
                inside.reverse();
                let pieces =
                    if inside.is_empty() { vec![finding.span] } else { beside(text, finding.span, &inside) };
                pieces.into_iter().map(move |span| Finding { span, ..finding.clone() })
            })
            .collect();
        related.sort_by_key(|finding| finding.span);
        let lies_in = |finding: &Finding| {
            let after = related.partition_point(|other| other.span.start <= finding.span.start);
            related[..after].last().is_some_and(|other| other.span.contains(finding.span))
        };
        findings.retain(|finding| {
            let wished = matches!(finding.evidence, Evidence::Subject { .. } | Evidence::Listed);
            wished || (!lies_in(finding) && (counts_of_anyone(finding) || !self.only_subjects))
        });
        findings.extend(related);
    }

    fn run(
        &self,
        document: &Document,
        subjects: &[Subject],
        which: impl Fn(&dyn Detector) -> bool,
    ) -> Result<Vec<Finding>, Error> {
        let detectors: Vec<&dyn Detector> =
            self.all.iter().map(AsRef::as_ref).filter(|detector| which(*detector)).collect();
        let detect = |detector: &&dyn Detector| detector.detect(document);
        // Short texts come by the thousand, and each thread has its own.
        let found: Vec<Result<Vec<Finding>, Error>> = if document.text().len() < LONG {
            detectors.iter().map(detect).collect()
        } else {
            detectors.par_iter().map(detect).collect()
        };
        let found: Result<Vec<Vec<Finding>>, Error> = found.into_iter().collect();
        let mut findings = concat(found.map_err(|error| error.in_document(document.id()))?);
        findings.extend(SubjectDetector::new(subjects).detect(document)?);
        Ok(findings)
    }
}
