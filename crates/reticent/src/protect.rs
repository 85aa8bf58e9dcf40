//! The whole way, from a document to a plan to a released document.

use std::sync::Arc;

use reticent_text::{Analyzer, Document, Language, PartOfSpeech, SentenceSplitter, Span, Tokenizer};
use sha2::{Digest, Sha256};

use crate::detect::{Detector, Detectors, LabelledDetector, RelatedDetector, SubjectDetector};
use crate::mask::Key;
use crate::mask::describe::Describer;
use crate::plan::choose::{self, Settings};
use crate::plan::{Plan, PlanFile, Unknown};
use crate::policy::{Subject, UnplacedNames};
use crate::release::{self, Leftover, Released};
use crate::{Entity, Error, ErrorKind, Finding, Knowledge, Policy, resolve};

/// A policy made ready: detectors, language tools and key, used for many documents.
///
/// ```
/// use reticent::{Policy, Protector};
/// use reticent_text::Document;
/// let protector = Protector::new(Policy::preset("basic")?, None)?;
/// let mut letter = Document::plain("letter", "Write to ana.ruiz@example.org, born on 3 July 1962.");
/// let (released, _plan) = protector.protect(&mut letter, b"", &[])?;
/// assert_eq!(released.text(), "Write to [EMAIL_ADDRESS], born in 1962.");
/// # Ok::<(), reticent::Error>(())
/// ```
pub struct Protector {
    policy: Policy,
    detectors: Detectors,
    labellers: Vec<Arc<LabelledDetector>>,
    analyzer: Analyzer,
    key: Option<Key>,
}

/// How often what a release leaves behind is looked at again before it is refused.
pub(crate) const ROUNDS: usize = 4;

impl Protector {
    /// Makes a policy ready. The key is needed if the policy hashes, encrypts or shifts.
    pub fn new(policy: Policy, key: Option<Key>) -> Result<Self, Error> {
        if policy.needs_key() && key.is_none() {
            return Err(choose::no_key());
        }
        let detectors = Detectors::new(&policy)?;
        // Nothing asks for noun phrases without knowledge.
        let analyzer =
            Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?;
        Ok(Self { policy, detectors, labellers: Vec::new(), analyzer, key })
    }

    /// The same with a detector of your own, which finds besides the policy's. What it cannot read is
    /// not released.
    #[must_use]
    pub fn with_detector(mut self, detector: Box<dyn Detector>) -> Self {
        self.detectors.push(detector);
        self
    }

    /// The same with a labeller of your own, which finds besides the policy's detectors.
    #[must_use]
    pub fn with_labeller(mut self, labeller: LabelledDetector) -> Self {
        let labeller = Arc::new(labeller);
        self.labellers.push(Arc::clone(&labeller));
        self.with_detector(Box::new(labeller))
    }

    /// The same with what an attacker knows: what tells something of a document's subjects is found by it.
    pub fn with_knowledge(mut self, knowledge: Knowledge) -> Result<Self, Error> {
        self.detectors.relate(RelatedDetector::new(knowledge, *self.policy.related()));
        self.analyzer = Analyzer::shipped()?;
        Ok(self)
    }

    /// The labellers that were given.
    pub fn labellers(&self) -> &[Arc<LabelledDetector>] {
        &self.labellers
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What is found in a document, before anything is decided: entities without overlaps.
    pub fn detect(&self, document: &mut Document, subjects: &[Subject]) -> Result<Vec<Entity>, Error> {
        self.annotate(document)?;
        let findings = self.detectors.detect(document, &self.all_subjects(subjects))?;
        Ok(resolve::resolve(document, findings, &self.policy))
    }

    /// The same, with what the detectors said before overlaps were settled.
    pub(crate) fn found(
        &self,
        document: &mut Document,
        subjects: &[Subject],
    ) -> Result<(Vec<Entity>, Vec<Finding>), Error> {
        self.annotate(document)?;
        let findings = self.detectors.detect(document, &self.all_subjects(subjects))?;
        Ok((resolve::resolve(document, findings.clone(), &self.policy), findings))
    }

    /// Decides what to say instead of everything that gives someone away.
    ///
    /// `source` are the bytes of the document; the plan holds only for these.
    pub fn plan(&self, document: &mut Document, source: &[u8], subjects: &[Subject]) -> Result<Plan, Error> {
        self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let findings = self.detectors.detect(document, &subjects)?;
        self.settle(document, source, &subjects, findings).map(|(plan, _)| plan)
    }

    /// Plans and releases in one go. The plan tells whether a person should look.
    pub fn protect(
        &self,
        document: &mut Document,
        source: &[u8],
        subjects: &[Subject],
    ) -> Result<(Released, Plan), Error> {
        self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let findings = self.detectors.detect(document, &subjects)?;
        let (plan, released) = self.settle(document, source, &subjects, findings)?;
        Ok((released, plan))
    }

    /// Carries out a plan that a person may have changed.
    pub fn apply(
        &self,
        document: &mut Document,
        source: &[u8],
        plan: PlanFile,
        subjects: &[Subject],
    ) -> Result<(Released, Plan), Error> {
        self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let settings = self.settings(document, &subjects)?;
        let plan = plan
            .into_plan(document, &sha256(source), &settings)
            .map_err(|error| error.in_document(document.id()))?;
        if plan.needs_review() {
            return Err(Error::new(
                ErrorKind::Plan,
                "the plan has decisions that a person must approve first",
            )
            .with_hint("look at those with \"review\": \"required\" and set it to \"approved\"")
            .in_document(document.id()));
        }
        let (released, left) = release::carry_out(document, &plan)?;
        let left = self.leftovers(document, &plan, &released, left, &subjects)?;
        if left.is_empty() { Ok((released, plan)) } else { Err(violation(document, &left)) }
    }

    pub(crate) fn all_subjects(&self, more: &[Subject]) -> Vec<Subject> {
        self.policy.subjects().iter().chain(more).cloned().collect()
    }

    pub(crate) fn settings<'a>(
        &'a self,
        document: &Document,
        subjects: &'a [Subject],
    ) -> Result<Settings<'a>, Error> {
        let describer = self.detectors.related().map(|related| {
            Describer::new(related.knowledge(), self.policy.related(), subjects)
                .map_err(|error| error.in_document(document.id()))
        });
        Ok(Settings {
            policy: &self.policy,
            subjects,
            key: self.key.as_ref(),
            language: document.language(),
            describer: describer.transpose()?,
        })
    }

    fn annotate(&self, document: &mut Document) -> Result<(), Error> {
        let refuse = |error: reticent_text::Error| Error::from(error).in_document(document.id());
        if self.detectors.needs_tags() {
            let layers = self.analyzer.analyze(document, self.policy.language()).map_err(refuse)?;
            document.set_language(layers.language);
            document.set_layers(layers);
        } else {
            let language = self.policy.language().unwrap_or_else(|| Language::detect(document.text()));
            document.set_language(language);
        }
        Ok(())
    }

    /// Plans, releases, looks at what is left, and plans again with that until nothing is left.
    fn settle(
        &self,
        document: &Document,
        source: &[u8],
        subjects: &[Subject],
        mut findings: Vec<Finding>,
    ) -> Result<(Plan, Released), Error> {
        let settings = self.settings(document, subjects)?;
        let mut left = Vec::new();
        for _ in 0..ROUNDS {
            let entities = resolve::resolve(document, findings.clone(), &self.policy);
            let plan = Plan {
                document: document.id().to_owned(),
                sha256: sha256(source),
                policy: (self.policy.name().to_owned(), self.policy.fingerprint().to_owned()),
                unknown: self.unknown(document, subjects)?,
                decisions: choose::choose(document, entities, &settings)
                    .map_err(|error| error.in_document(document.id()))?,
            };
            let (released, found) = release::carry_out(document, &plan)?;
            left = self.leftovers(document, &plan, &released, found, subjects)?;
            if left.is_empty() {
                return Ok((plan, released));
            }
            findings
                .extend(left.iter().map(|left| left.finding.clone()).filter(|found| !found.span.is_empty()));
        }
        Err(violation(document, &left))
    }

    /// What a released text still tells against the policy: masked words that survive, and what the
    /// detectors find in it that is not our own replacement.
    pub(crate) fn leftovers(
        &self,
        document: &Document,
        plan: &Plan,
        released: &Released,
        survivors: Vec<Leftover>,
        subjects: &[Subject],
    ) -> Result<Vec<Leftover>, Error> {
        let mut left = survivors;
        let again = released.document(document);
        let findings = self.detectors.detect_untagged(&again, subjects)?;
        let settings = self.settings(document, subjects)?;
        for finding in resolve::settle(again.text(), findings, &self.policy) {
            if choose::may_stay(&again, &finding, &settings)? {
                continue;
            }
            for span in released.untouched(finding.span) {
                if tells_something(span.of(document.text())) && !is_decided(plan, span) {
                    left.push(Leftover { finding: Finding { span, ..finding.clone() } });
                }
            }
        }
        Ok(left)
    }

    pub(crate) fn unknown(&self, document: &Document, subjects: &[Subject]) -> Result<Vec<Unknown>, Error> {
        let mut unknown = Vec::new();
        if self.detectors.related().is_some() {
            for (at, subject) in subjects.iter().enumerate() {
                if SubjectDetector::new(std::slice::from_ref(subject)).detect(document)?.is_empty() {
                    unknown.push(Unknown::SubjectNotNamed { subject: at });
                }
            }
        }
        if document.layers().is_some_and(|layers| layers.fallback) {
            unknown.push(Unknown::Language { code: document.language().code().to_owned() });
        }
        if self.policy.unplaced_names() == UnplacedNames::Keep {
            unknown.push(Unknown::NamesNotLookedFor);
        }
        unknown.extend(document.unscanned().iter().map(|name| Unknown::Part { name: name.clone() }));
        Ok(unknown)
    }
}

/// What is left beside our replacement: only signs and small words tell nothing.
fn tells_something(text: &str) -> bool {
    text.chars().any(|c| c.is_numeric() || c.is_uppercase() || c == '@')
}

/// A person, or the policy, decided that this stays.
fn is_decided(plan: &Plan, span: Span) -> bool {
    let kept = plan.decisions.iter().filter(|decision| decision.keeps());
    kept.flat_map(|decision| &decision.entity.mentions).any(|mention| mention.span.contains(span))
}

pub(crate) fn violation(document: &Document, left: &[Leftover]) -> Error {
    let mut kinds: Vec<String> = left
        .iter()
        .map(|left| format!("{} by {}", left.finding.entity_type, left.finding.detector))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    Error::new(
        ErrorKind::Violation,
        format!(
            "{} places would still tell what the policy masks ({}); nothing was released",
            left.len(),
            kinds.join(", ")
        ),
    )
    .with_hint("make a plan with `reticent plan`; what may stay needs \"mask\": {\"operator\": \"keep\"} and \"review\": \"approved\"")
    .in_document(document.id())
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    crate::hex(&Sha256::digest(bytes))
}
