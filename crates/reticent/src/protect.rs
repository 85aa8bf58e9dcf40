//! The anonymization pipeline: from a document to a plan to a released document.

use std::collections::HashMap;
use std::sync::Arc;

use reticent_text::{Analyzer, Document, Language, PartOfSpeech, SentenceSplitter, Span, Tokenizer};
use sha2::{Digest, Sha256};

use crate::detect::disclosure::{self as disclosing, DisclosureDetector, Seen, StillTold, Telling};
use crate::detect::{
    CorrelatedDetector, Detector, Detectors, LONG, LabelledDetector, RelatedDetector, SubjectDetector,
};
use crate::disclosure::Corpus;
use crate::mask::Key;
use crate::mask::describe::Describer;
use crate::plan::choose::{self, Settings};
use crate::plan::{Plan, PlanFile, Unknown};
use crate::policy::{Subject, UnplacedNames};
use crate::release::{self, Leftover, Released};
use crate::view::View;
use crate::{
    Entity, EntityType, Error, ErrorKind, Finding, Identifies, Knowledge, Operator, Policy, resolve,
};

/// Anonymizes documents under a policy. Holds the detectors, language tools and key, and is reused for many
/// documents.
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
    disclosure: Option<DisclosureDetector>,
    correlated: Option<(CorrelatedDetector, Arc<Corpus>)>,
}

/// How often what a release leaves behind is looked at again before it is refused.
pub(crate) const ROUNDS: usize = 4;

impl Protector {
    /// Prepares a policy. The key is required if the policy hashes, encrypts or shifts.
    pub fn new(policy: Policy, key: Option<Key>) -> Result<Self, Error> {
        if policy.needs_key() && key.is_none() {
            return Err(choose::no_key());
        }
        let detectors = Detectors::new(&policy)?;
        // Nothing asks for noun phrases without knowledge.
        let analyzer =
            Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?;
        Ok(Self {
            policy,
            detectors,
            labellers: Vec::new(),
            analyzer,
            key,
            disclosure: None,
            correlated: None,
        })
    }

    /// Adds a custom detector. A document on which it fails is not released.
    #[must_use]
    pub fn with_detector(mut self, detector: Box<dyn Detector>) -> Self {
        self.detectors.push(detector);
        self
    }

    /// The same for many short texts: what is the same in them is looked at once. It finds the same.
    /// Knowledge and counts, which need noun phrases, are given after this.
    pub(crate) fn for_short_texts(mut self) -> Result<Self, Error> {
        self.detectors.remember();
        self.analyzer = Analyzer::for_short_texts()?;
        Ok(self)
    }

    /// Adds a custom NER model.
    #[must_use]
    pub fn with_labeller(mut self, labeller: LabelledDetector) -> Self {
        let labeller = Arc::new(labeller);
        self.labellers.push(Arc::clone(&labeller));
        self.with_detector(Box::new(labeller))
    }

    /// Sets the background knowledge used to find quasi-identifiers of subjects.
    pub fn with_knowledge(mut self, knowledge: Knowledge) -> Result<Self, Error> {
        self.detectors.relate(RelatedDetector::new(knowledge, *self.policy.related()));
        self.analyzer = Analyzer::shipped()?;
        Ok(self)
    }

    /// Sets the corpus used to measure disclosure about the policy's subjects.
    ///
    /// Returns an error for a subject that is unknown to the corpus, or whose `at_most` is more informative than the
    /// subject.
    pub fn with_corpus(mut self, corpus: Corpus) -> Result<Self, Error> {
        corpus.measure(corpus.counts(), self.policy.subjects(), self.policy.disclosure())?;
        self.disclosure = Some(DisclosureDetector::new(corpus, *self.policy.disclosure()));
        self.analyzer = Analyzer::shipped()?;
        Ok(self)
    }

    /// Enables detection of terms that reveal masked terms, measured in this corpus.
    pub fn with_correlated(
        mut self,
        detector: CorrelatedDetector,
        corpus: Arc<Corpus>,
    ) -> Result<Self, Error> {
        self.correlated = Some((detector, corpus));
        self.analyzer = Analyzer::shipped()?;
        Ok(self)
    }

    /// Returns the corpus, if set.
    pub fn corpus(&self) -> Option<&Corpus> {
        self.disclosure.as_ref().map(DisclosureDetector::corpus)
    }

    /// Returns the custom NER models.
    pub fn labellers(&self) -> &[Arc<LabelledDetector>] {
        &self.labellers
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the entities that would be masked or kept, without overlaps.
    ///
    /// Runs the same steps as [`Self::protect`], because some entities are found only after others are masked.
    pub fn detect(&self, document: &mut Document, subjects: &[Subject]) -> Result<Vec<Entity>, Error> {
        let mut view = self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let settled = self.settle(seen_mut(view.as_mut(), document), b"", &subjects)?;
        let entities: Vec<Entity> =
            settled.plan.decisions.into_iter().map(|decision| decision.entity).collect();
        Ok(match view {
            Some(view) => view.entities(entities),
            None => entities,
        })
    }

    /// Returns the types of direct identifiers in a text that is released unchanged, such as the names of columns.
    pub fn identifiers_in(&self, text: &str) -> Result<Vec<EntityType>, Error> {
        let document = Document::plain("header", text);
        let view = View::of(&document);
        let found =
            self.detectors.detect_untagged(seen(view.as_ref(), &document), &self.all_subjects(&[]))?;
        let masked = found.into_iter().filter(|finding| {
            finding.identifies == Identifies::Directly
                && *self.policy.operator(&finding.entity_type) != Operator::Keep
        });
        let mut types: Vec<EntityType> = masked.map(|finding| finding.entity_type).collect();
        types.sort_unstable();
        types.dedup();
        Ok(types)
    }

    /// What the detectors find, before and after overlaps are settled.
    pub(crate) fn found(
        &self,
        document: &mut Document,
        subjects: &[Subject],
    ) -> Result<(Vec<Entity>, Vec<Finding>), Error> {
        let view = self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let seen = seen(view.as_ref(), document);
        let (findings, _) = self.look(seen, &subjects)?;
        let entities = resolve::resolve(seen, findings.clone(), &self.policy);
        Ok(match view {
            Some(view) => (view.entities(entities), view.findings(findings)),
            None => (entities, findings),
        })
    }

    /// Plans a replacement for every identifying entity.
    ///
    /// `source` holds the bytes of the document; the plan is valid only for these.
    pub fn plan(&self, document: &mut Document, source: &[u8], subjects: &[Subject]) -> Result<Plan, Error> {
        self.protect(document, source, subjects).map(|(_, plan)| plan)
    }

    /// Plans and releases in one step. The plan contains the review status.
    pub fn protect(
        &self,
        document: &mut Document,
        source: &[u8],
        subjects: &[Subject],
    ) -> Result<(Released, Plan), Error> {
        let mut view = self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let settled = self.settle(seen_mut(view.as_mut(), document), source, &subjects)?;
        settled.check(document)?;
        match view {
            Some(view) => self.carry_back(document, view.plan(settled.plan), &subjects),
            None => Ok((settled.released, settled.plan)),
        }
    }

    /// Applies a plan that a reviewer may have changed.
    pub fn apply(
        &self,
        document: &mut Document,
        source: &[u8],
        plan: PlanFile,
        subjects: &[Subject],
    ) -> Result<(Released, Plan), Error> {
        let mut view = self.annotate(document)?;
        let subjects = self.all_subjects(subjects);
        let id = document.id().to_owned();
        let refuse = |error: Error| error.in_document(&id);
        let annotated = seen(view.as_ref(), document);
        let mut settings = self.settings(annotated, &subjects)?;
        if self.disclosure.is_some() {
            settings.disclosed = self.look(annotated, &subjects)?.1.instead(annotated);
        }
        let plan = match &view {
            Some(view) => view.plan_file(plan, document).map_err(refuse)?,
            None => plan,
        };
        let plan = plan.into_plan(annotated, &sha256(source), &settings).map_err(refuse)?;
        let own = self.settle(seen_mut(view.as_mut(), document), source, &subjects)?.plan;
        self.analyze_again(seen_mut(view.as_mut(), document))?;
        let plan = own.check(seen(view.as_ref(), document), plan, &settings).map_err(refuse)?;
        if plan.needs_review() {
            return Err(Error::new(ErrorKind::Plan, "the plan has decisions that require review")
                .with_hint("review the entities with \"review\": \"required\" and set it to \"approved\"")
                .in_document(document.id()));
        }
        let plan = match &view {
            Some(view) => view.plan(plan),
            None => plan,
        };
        let (released, plan) = self.carry_back(document, plan, &subjects)?;
        if let Some(disclosure) = &self.disclosure
            && !disclosure.still_tells(&self.analyzer, document, &released, &subjects)?.tellings.is_empty()
        {
            return Err(disclosing::violation(document));
        }
        Ok((released, plan))
    }

    /// Carries out a plan and refuses what would still break the policy.
    fn carry_back(
        &self,
        document: &Document,
        plan: Plan,
        subjects: &[Subject],
    ) -> Result<(Released, Plan), Error> {
        let (released, left) = release::carry_out(document, &plan)?;
        let left = self.leftovers(document, &plan, &released, left, subjects)?;
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
            disclosed: HashMap::new(),
        })
    }

    /// Analyses a document by its folded view, which is returned where it differs.
    fn annotate(&self, document: &mut Document) -> Result<Option<View>, Error> {
        let Some(mut view) = View::of(document) else {
            self.analyze(document)?;
            return Ok(None);
        };
        self.analyze(&mut view.document)?;
        view.annotate(document);
        Ok(Some(view))
    }

    /// Restores layers that were dropped.
    fn analyze_again(&self, document: &mut Document) -> Result<(), Error> {
        if self.needs_layers() && document.layers().is_none() { self.analyze(document) } else { Ok(()) }
    }

    fn needs_layers(&self) -> bool {
        self.detectors.needs_tags() || self.disclosure.is_some() || self.correlated.is_some()
    }

    fn analyze(&self, document: &mut Document) -> Result<(), Error> {
        let refuse = |error: reticent_text::Error| Error::from(error).in_document(document.id());
        if self.needs_layers() {
            let layers = self.analyzer.analyze(document, self.policy.language()).map_err(refuse)?;
            document.set_language(layers.language);
            document.set_layers(layers);
        } else {
            let language = self.policy.language().unwrap_or_else(|| Language::detect(document.prose()));
            document.set_language(language);
        }
        Ok(())
    }

    /// What is found without counting what tells too much: by the detectors, and what gives that away.
    fn others(
        &self,
        document: &Document,
        subjects: &[Subject],
    ) -> Result<(Vec<Finding>, Option<Unknown>), Error> {
        let mut findings = self.detectors.detect(document, subjects)?;
        let mut unknown = None;
        if let Some((correlated, corpus)) = &self.correlated {
            let refuse = |error: Error| error.in_document(document.id());
            corpus.check_language(document.language()).map_err(refuse)?;
            let settings = self.settings(document, subjects)?;
            let mut masked = Vec::new();
            for finding in resolve::settle(document.text(), findings.clone(), &self.policy) {
                if !choose::may_stay(document, &finding, &settings)? {
                    masked.push((finding.span, finding.entity_type));
                }
            }
            let asked = corpus.counts_for(document.id()).map_err(refuse)?;
            let found = correlated.detect(document, &masked, asked.counts(), corpus.taxonomy());
            let found = found.map_err(refuse)?;
            findings.extend(found.findings);
            let terms = found.unknown_masked;
            unknown = (terms > 0).then_some(Unknown::MaskedNotCounted { terms });
        }
        Ok((findings, unknown))
    }

    /// What is found in a document that was annotated, and what is said instead of what tells too much.
    fn look(&self, document: &Document, subjects: &[Subject]) -> Result<(Vec<Finding>, Seen), Error> {
        let (mut findings, _) = self.others(document, subjects)?;
        let mut seen = Seen::default();
        if let Some(disclosure) = &self.disclosure {
            disclosure
                .look(document, subjects, &mut seen)
                .map_err(|error| error.in_document(document.id()))?;
            seen.add_to(&mut findings);
        }
        Ok((findings, seen))
    }

    /// Plans, releases, looks at what is left, and plans again with that until nothing is left.
    fn settle(&self, document: &mut Document, source: &[u8], subjects: &[Subject]) -> Result<Settled, Error> {
        let is_long = document.text().len() >= LONG;
        let mut settings = self.settings(document, subjects)?;
        let (mut others, unknown_masked) = self.others(document, subjects)?;
        let mut found_again: Vec<Finding> = Vec::new();
        let mut seen = Seen::default();
        let rounds = if self.disclosure.is_some() { 2 * ROUNDS } else { ROUNDS };
        let mut round = 0;
        loop {
            round += 1;
            // The findings and layers of a long text take much room: they are made again in the rare case that another round
            // needs them.
            self.analyze_again(document)?;
            let mut findings = if !is_long {
                others.clone()
            } else if round == 1 {
                std::mem::take(&mut others)
            } else {
                self.others(document, subjects)?.0
            };
            if let Some(disclosure) = &self.disclosure {
                disclosure
                    .look(document, subjects, &mut seen)
                    .map_err(|error| error.in_document(document.id()))?;
                seen.add_to(&mut findings);
                settings.disclosed = seen.instead(document);
            }
            findings.extend_from_slice(&found_again);
            let entities = resolve::resolve(document, findings, &self.policy);
            let plan = Plan {
                document: document.id().to_owned(),
                sha256: sha256(source),
                policy: self.policy.id(),
                unknown: self
                    .unknown(document, subjects)?
                    .into_iter()
                    .chain(unknown_masked.clone())
                    .collect(),
                decisions: choose::choose(document, entities, &settings)
                    .map_err(|error| error.in_document(document.id()))?,
                deviations: Vec::new(),
            };
            if is_long && self.disclosure.is_none() {
                document.drop_layers();
            }
            let (released, found) = release::carry_out(document, &plan)?;
            let left = self.leftovers(document, &plan, &released, found, subjects)?;
            let told = match &self.disclosure {
                Some(disclosure) => disclosure.still_tells(&self.analyzer, document, &released, subjects)?,
                None => StillTold::default(),
            };
            let tells = !told.tellings.is_empty();
            if (left.is_empty() && !tells && told.unknown.is_empty()) || round == rounds {
                let mut plan = plan;
                plan.unknown.extend(told.counts);
                return Ok(Settled { plan, released, left, discloses: tells });
            }
            let again: Vec<Telling> = told.tellings.into_iter().chain(told.unknown).collect();
            seen.look_again_at(document, &again);
            found_again
                .extend(left.iter().map(|left| left.finding.clone()).filter(|found| !found.span.is_empty()));
        }
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
        let view = View::of(&again);
        let seen = seen(view.as_ref(), &again);
        let findings = self.detectors.detect_untagged(seen, subjects)?;
        let settings = self.settings(document, subjects)?;
        for finding in resolve::settle(seen.text(), findings, &self.policy) {
            if choose::may_stay(seen, &finding, &settings)? {
                continue;
            }
            let span = view.as_ref().map_or(finding.span, |view| view.span(finding.span));
            for span in released.untouched(span) {
                if tells_something(span.of(document.text())) && !is_decided(plan, span) {
                    left.push(Leftover { finding: Finding { span, ..finding.clone() } });
                }
            }
        }
        Ok(left)
    }

    pub(crate) fn unknown(&self, document: &Document, subjects: &[Subject]) -> Result<Vec<Unknown>, Error> {
        let mut unknown = Vec::new();
        if let Some(related) = self.detectors.related() {
            for (at, subject) in subjects.iter().enumerate() {
                if related.cannot_check(subject)? {
                    unknown.push(Unknown::SubjectWithoutVector { subject: at });
                }
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

/// A plan, what comes of it, and what then still breaks the policy.
struct Settled {
    plan: Plan,
    released: Released,
    left: Vec<Leftover>,
    discloses: bool,
}

impl Settled {
    /// Refuses a document that could not be brought within its policy.
    fn check(&self, document: &Document) -> Result<(), Error> {
        match (self.left.is_empty(), self.discloses) {
            (true, false) => Ok(()),
            (true, true) => Err(disclosing::violation(document)),
            (false, _) => Err(violation(document, &self.left)),
        }
    }
}

/// The text that detectors read: the folded view, where it differs from the document.
fn seen<'d>(view: Option<&'d View>, document: &'d Document) -> &'d Document {
    view.map_or(document, |view| &view.document)
}

/// The same, to be changed.
fn seen_mut<'d>(view: Option<&'d mut View>, document: &'d mut Document) -> &'d mut Document {
    view.map_or(document, |view| &mut view.document)
}

/// What is left beside our replacement: only signs and small words tell nothing.
fn tells_something(text: &str) -> bool {
    text.chars().any(|c| c.is_numeric() || c.is_uppercase() || c == '@')
}

/// A person, or the policy, decided that this stays.
fn is_decided(plan: &Plan, span: Span) -> bool {
    let kept = plan.decisions.iter().filter(|decision| decision.keeps());
    let mut mentions = kept.flat_map(|decision| &decision.entity.mentions);
    mentions.any(|mention| mention.span.contains(span)) || plan.is_approved(span)
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
            "the output would still contain {} that the policy masks ({}); nothing was released",
            if left.len() == 1 { "one span".to_owned() } else { format!("{} spans", left.len()) },
            kinds.join(", ")
        ),
    )
    .with_hint("create a plan with `reticent plan`; to keep an entity, set \"mask\": {\"operator\": \"keep\"} and \"review\": \"approved\"")
    .in_document(document.id())
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    crate::hex(&Sha256::digest(bytes))
}
