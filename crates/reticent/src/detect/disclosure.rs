//! What tells more of a subject than may be told, by what is counted in a corpus.

use std::collections::HashMap;

use reticent_text::{Analyzer, Document, Language, Span};

use crate::disclosure::terms::{self, Look, Outcome};
use crate::disclosure::{Corpus, Risk};
use crate::finding::short;
use crate::mask::describe::{SOMEONE, SOMETHING, THINGS};
use crate::mask::{self, describe};
use crate::plan::choose::Disclosed;
use crate::plan::{Decision, Rejected, Unknown, Why};
use crate::policy::{Disclosure, Subject};
use crate::verify::disclosure::{Claim, certify};
use crate::{EntityType, Error, ErrorKind, Evidence, Finding, Identifies, Released};

/// Finds the terms, alone or together, that tell more of a subject than its `at_most` does.
///
/// Other than a [`Detector`](super::Detector) it also decides what is said instead, since what one term may say
/// depends on what the others say.
pub struct DisclosureDetector {
    corpus: Corpus,
    settings: Disclosure,
}

/// What was seen in a document, and what must be looked at again.
#[derive(Default)]
pub(crate) struct Seen {
    outcome: Option<Outcome>,
    look: Look,
    /// How often it was looked again.
    looked: usize,
}

impl DisclosureDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "disclosure";

    /// Counts in this corpus, as the policy says.
    pub fn new(corpus: Corpus, settings: Disclosure) -> Self {
        Self { corpus, settings }
    }

    /// By what it looks.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    pub(crate) fn look(
        &self,
        document: &Document,
        subjects: &[Subject],
        seen: &mut Seen,
    ) -> Result<(), Error> {
        seen.outcome = Some(terms::sanitize(document, &self.corpus, subjects, &self.settings, &seen.look)?);
        Ok(())
    }

    /// Which words of the original a released text still says that tell too much, by the independent check, or which
    /// were replaced by words that do.
    pub(crate) fn still_tells(
        &self,
        analyzer: &Analyzer,
        document: &Document,
        released: &Released,
        subjects: &[Subject],
    ) -> Result<Vec<Span>, Error> {
        let refuse = |error: Error| error.in_document(document.id());
        let mut again = released.document(document);
        let layers =
            analyzer.analyze(&again, Some(document.language())).map_err(|error| refuse(error.into()))?;
        again.set_layers(layers);
        let asked = self.corpus.counts_for(document.id()).map_err(refuse)?;
        let taxonomy = self.corpus.taxonomy();
        let claims: Vec<Claim> = subjects.iter().map(|subject| Claim::of(subject, taxonomy)).collect();
        let certificate = certify(&again, asked.counts(), &claims, &self.settings).map_err(refuse)?;
        let mut spans = Vec::new();
        for violation in &certificate.violations {
            let own: Vec<Span> =
                violation.places.iter().flat_map(|place| released.untouched(*place)).collect();
            if own.is_empty() {
                spans.extend(violation.places.iter().flat_map(|place| released.replaced(*place)));
            }
            spans.extend(own);
        }
        spans.sort_unstable();
        spans.dedup();
        Ok(spans)
    }
}

impl Seen {
    /// Adds what was found; the names of subjects lie in it.
    pub(crate) fn add_to(&self, findings: &mut Vec<Finding>) {
        let Some(outcome) = &self.outcome else { return };
        let mut found = Vec::new();
        for disclosed in &outcome.sanitized.disclosed {
            let Risk { secret, bits, bound, terms } = disclosed.risk;
            let evidence =
                Evidence::Disclosure { subject: secret, bits: bits.map(short), bound: short(bound), terms };
            found.extend(outcome.items[disclosed.item].spans.iter().map(|span| Finding {
                span: *span,
                entity_type: EntityType::DETAIL,
                identifies: Identifies::Confidential,
                detector: DisclosureDetector::NAME.to_owned(),
                score: 1.0,
                evidence: evidence.clone(),
            }));
        }
        findings.retain(|finding| {
            !(matches!(finding.evidence, Evidence::Subject { .. })
                && found.iter().any(|other: &Finding| other.span.contains(finding.span)))
        });
        findings.extend(found);
    }

    /// What is said instead at each place.
    pub(crate) fn instead(&self, document: &Document) -> HashMap<Span, Disclosed> {
        let mut instead = HashMap::new();
        let Some(outcome) = &self.outcome else { return instead };
        for disclosed in &outcome.sanitized.disclosed {
            let item = &outcome.items[disclosed.item];
            let level = |rung: usize| match rung {
                0 => Decision::AS_WRITTEN.to_owned(),
                rung => format!("broader_{rung}"),
            };
            let rejected: Vec<Rejected> = disclosed
                .rejected
                .iter()
                .map(|(rung, risk)| Rejected { level: level(*rung), why: why(*risk) })
                .collect();
            let rung = item.rungs.get(disclosed.rung).filter(|rung| !rung.text.is_empty());
            // Of what was looked at again nothing at all is said.
            let (vague, fits): (_, fn(&Document, Span) -> bool) = if item.is_person {
                (SOMEONE, describe::is_someone)
            } else {
                (SOMETHING, describe::is_something)
            };
            let is_vague = |span: Span| !item.is_masked && fits(document, span);
            let vaguely =
                |span| if is_vague(span) { vague.to_owned() } else { mask::label(&EntityType::DETAIL) };
            let somewhere = item.spans.iter().any(|span| is_vague(*span));
            for span in &item.spans {
                let said = match rung {
                    // Said of all places of a term, but not where it would not fit.
                    Some(rung) if rung.text == THINGS && !describe::is_things(document, *span) => {
                        Some((level(disclosed.rung), vaguely(*span)))
                    }
                    Some(rung) => {
                        let words = describe::fitted(document, *span, &rung.text, !rung.is_form);
                        Some((level(disclosed.rung), words))
                    }
                    None => somewhere.then(|| (vague.to_owned(), vaguely(*span))),
                };
                instead.insert(*span, Disclosed { said, rejected: rejected.clone() });
            }
        }
        tell_apart(document, &mut instead);
        instead
    }

    /// What stays and is not known to the corpus.
    pub(crate) fn unknown(&self) -> Option<Unknown> {
        let terms = self.outcome.as_ref()?.sanitized.unknown.len();
        (terms > 0).then_some(Unknown::TermsNotCounted { terms })
    }

    /// Takes these for terms, whatever the tagger thinks; and masks them if that was not enough.
    pub(crate) fn look_again_at(&mut self, spans: &[Span]) {
        let replaced: Vec<Span> = self.outcome.iter().flat_map(Outcome::replaced).collect();
        self.looked += 1;
        for span in spans {
            let known = self.look.also.contains(span) || replaced.iter().any(|place| place.overlaps(*span));
            if !known {
                self.look.also.push(*span);
            }
            // Where looking again found the next thing, and the next, nothing of it is said.
            if known || self.looked > 2 {
                self.look.masked.push(*span);
            }
        }
    }
}

/// Different things that are called the same beside each other: `infections and cancers` are no
/// `conditions and conditions`.
fn tell_apart(document: &Document, instead: &mut HashMap<Span, Disclosed>) {
    if document.language() != Language::English {
        return;
    }
    let mut spans: Vec<Span> = instead.keys().copied().collect();
    spans.sort_unstable();
    for pair in spans.windows(2) {
        let [before, span] = pair else { continue };
        if before.end > span.start || !matches!(document.text()[before.end..span.start].trim(), "and" | "or")
        {
            continue;
        }
        let first = instead.get(before).and_then(|disclosed| disclosed.said.clone());
        if let (Some((_, first)), Some((_, words))) =
            (first, instead.get_mut(span).and_then(|disclosed| disclosed.said.as_mut()))
            && first == *words
        {
            *words = describe::others(words);
        }
    }
}

fn why(risk: Risk) -> Why {
    let Risk { secret, bits, bound, terms } = risk;
    Why::TellsTooMuch { subject: secret, bits: bits.map(short), bound: short(bound), terms }
}

pub(crate) fn violation(document: &Document) -> Error {
    Error::new(
        ErrorKind::Violation,
        "what would remain still tells more of a subject than may be told; nothing was released",
    )
    .with_hint("allow more with another --at-most, or mask what other detectors leave")
    .in_document(document.id())
}
