//! By the similarity of vectors alone, as published.

use reticent_text::Span;

use super::{Look, RelatedDetector, SubjectVector, identifies, people};
use crate::detect::SubjectDetector;
use crate::finding::short;
use crate::policy::Subject;
use crate::{Because, Detector, EntityType, Error, ErrorKind, Evidence, Finding};

/// Every term whose cosine with the subject is at least the threshold, or of which nothing is known; every term with a
/// name of the subject in it; and what the subject is said to be.
pub(super) fn detect(look: &Look<'_>, at: usize, subject: &Subject) -> Result<Vec<Finding>, Error> {
    let text = look.text();
    let terms = look.layers.terms(text);
    let vectors = look.knowledge.vectors();
    let own = SubjectVector::new(vectors, subject, terms.iter().map(|term| term.core.of(text)))?;
    if own.is_unknown() {
        return Err(Error::new(
            ErrorKind::Knowledge,
            "a subject has no word vector, so nothing can be compared with it",
        )
        .with_hint(
            "train vectors on texts that mention it, add an alias that has a vector, or use the method `about`",
        ));
    }
    let named = SubjectDetector::new(std::slice::from_ref(subject)).detect(look.document)?;
    let person = *subject.entity_type() == EntityType::PERSON;
    let sentences: Vec<_> = look.layers.sentence_tokens().collect();
    let descriptions = if person { people::descriptions(look, &sentences, subject)? } else { Vec::new() };
    let mut findings = Vec::new();
    for term in terms {
        let core = term.core.of(text);
        let sentence = look.layers.sentences.partition_point(|sentence| sentence.end <= term.span.start);
        let lookup = match look.layers.sentences.get(sentence) {
            Some(sentence) if sentence.contains(term.core) => {
                let inside = Span::new(term.core.start - sentence.start, term.core.end - sentence.start);
                vectors.lookup_in(sentence.of(text), inside)?
            }
            _ => vectors.lookup(core)?,
        };
        let cosine = own.cosine(&lookup);
        let after = named.partition_point(|name| name.span.end <= term.span.start);
        let is_name = named.get(after).is_some_and(|name| name.span.overlaps(term.span));
        let because = match cosine {
            _ if is_name => Because::Name,
            _ if descriptions.iter().any(|span| span.contains(term.core)) => Because::Description,
            Some(cosine) if cosine >= look.related.threshold => Because::Similar,
            Some(_) => continue,
            None => Because::Unknown,
        };
        let bits = look.bits(core)?.map(short);
        findings.push(Finding {
            span: term.span,
            entity_type: look.type_of(term.span).unwrap_or(EntityType::DETAIL),
            identifies: identifies(subject),
            detector: RelatedDetector::NAME.into(),
            score: score(because),
            evidence: Evidence::Related { subject: at, because, cosine, bits },
        });
    }
    Ok(findings)
}

/// How often such a finding is right: measured on the development set of annotated biographies.
fn score(because: Because) -> f32 {
    match because {
        Because::Name => 0.97,
        Because::Unknown => 0.7,
        _ => 0.85,
    }
}
