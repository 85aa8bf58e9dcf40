//! Terms that reveal masked terms, whichever tool masked them.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use reticent_knowledge::Folding;
use reticent_knowledge::corpus::Counts;
use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Document, Layers, OffsetUnit, Offsets, Span};

use crate::disclosure::concept;
use crate::disclosure::correlated::{Correlation, Together, correlated};
use crate::disclosure::terms::stretches;
use crate::evaluate::{Marked, MarkedSpan};
use crate::finding::short;
use crate::policy::Scope;
use crate::{Detector, EntityType, Error, ErrorKind, Evidence, Finding, Identifies};

/// Finds terms that reveal more about masked terms than the least informative of these discloses.
///
/// It runs after the masked spans are known: from our own detectors or from another tool.
#[derive(Clone, Copy, Debug)]
pub struct CorrelatedDetector {
    /// The maximum number of terms in a combination.
    pub max_terms: usize,
    /// Within what they are taken together.
    pub context: Scope,
}

impl CorrelatedDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "correlated";

    /// Returns the terms that reveal the masked spans of a document, which must be analyzed. Noun phrases that
    /// contain a masked word are masked as a whole, and are included. A masked term counts with all that names it or its
    /// kinds in `taxonomies`.
    pub fn detect(
        &self,
        document: &Document,
        masked: &[(Span, EntityType)],
        counts: &dyn Counts,
        taxonomies: &Stack,
    ) -> Result<Correlated, Error> {
        let layers = document.layers().ok_or_else(|| {
            Error::new(ErrorKind::Detector, "the text was not analyzed, so it could not be searched")
        })?;
        let terms = Terms::new(document, layers, masked);
        let texts = |group: &Group| -> Vec<String> { group.values().map(|term| term.text.clone()).collect() };
        let (secret, rest) = (texts(&terms.masked), texts(&terms.rest));
        let contexts = terms.contexts(document, layers, self.context);
        let secret: Vec<Vec<String>> = secret.iter().map(|term| concept::names(taxonomies, term)).collect();
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let found = correlated(counts, &secret, &rest, &contexts, self.max_terms)?;
        let bound = found.threshold.unwrap_or_default();
        let mut findings: Vec<Finding> = terms
            .whole
            .iter()
            .map(|(span, kind)| Finding { entity_type: kind.clone(), ..finding(*span, Evidence::Given) })
            .collect();
        let masked: Vec<&Term> = terms.masked.values().collect();
        let rest: Vec<&Term> = terms.rest.values().collect();
        let unknown_masked = found.unknown_masked.len();
        for Correlation { term, masked: secret, terms, with, bits } in found.found {
            let evidence = Evidence::Correlated {
                bits: short(bits),
                bound: short(bound),
                terms,
                gives_away: masked[secret].spans[0].start,
                with: with.into_iter().map(|other| rest[other].spans[0].start).collect(),
            };
            findings.extend(rest[term].spans.iter().map(|span| finding(*span, evidence.clone())));
        }
        findings.sort_by_key(|finding| finding.span);
        Ok(Correlated { findings, unknown_masked })
    }
}

/// What reveals masked terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlated {
    /// The terms that reveal a masked one.
    pub findings: Vec<Finding>,
    /// The number of masked terms unknown to the corpus: what reveals them could not be searched for.
    pub unknown_masked: usize,
}

fn finding(span: Span, evidence: Evidence) -> Finding {
    Finding {
        span,
        entity_type: EntityType::DETAIL,
        identifies: Identifies::InCombination,
        detector: CorrelatedDetector::NAME.into(),
        score: 1.0,
        evidence,
    }
}

struct Term {
    text: String,
    spans: Vec<Span>,
}

type Group = BTreeMap<String, Term>;

/// The terms of a document, those masked and those that remain, by what they fold to.
struct Terms {
    masked: Group,
    rest: Group,
    /// Phrases with a masked word in them that are masked whole.
    whole: Vec<(Span, EntityType)>,
}

impl Terms {
    fn new(document: &Document, layers: &Layers, masked: &[(Span, EntityType)]) -> Self {
        let text = document.text();
        let folding = Folding::new(layers.language);
        let mut terms = Self { masked: Group::new(), rest: Group::new(), whole: Vec::new() };
        let add = |group: &mut Group, span: Span| {
            let key = folding.term(span.of(text));
            if !key.is_empty() {
                let term = Term { text: span.of(text).to_owned(), spans: Vec::new() };
                group.entry(key).or_insert(term).spans.push(span);
            }
        };
        for (span, _) in masked {
            add(&mut terms.masked, *span);
        }
        for term in layers.terms(text) {
            if let Some((_, kind)) = masked.iter().find(|(span, _)| span.overlaps(term.core)) {
                add(&mut terms.masked, term.core);
                terms.whole.push((term.core, kind.clone()));
            }
        }
        for term in layers.terms(text) {
            let key = folding.term(term.core.of(text));
            if terms.whole.iter().any(|(span, _)| *span == term.core) {
                continue;
            }
            // The same words are the same term, masked at one place or at all.
            if terms.masked.contains_key(&key) {
                add(&mut terms.masked, term.core);
                terms.whole.push((term.core, EntityType::DETAIL));
            } else {
                add(&mut terms.rest, term.core);
            }
        }
        terms
    }

    fn contexts(&self, document: &Document, layers: &Layers, scope: Scope) -> Vec<Together> {
        let stretches = stretches(document, layers, scope);
        let place = |span: &Span| stretches.partition_point(|stretch| stretch.end <= span.start);
        let mut contexts: BTreeMap<usize, Together> = BTreeMap::new();
        for (at, term) in self.masked.values().enumerate() {
            for span in &term.spans {
                contexts.entry(place(span)).or_default().masked.push(at);
            }
        }
        for (at, term) in self.rest.values().enumerate() {
            for span in &term.spans {
                contexts.entry(place(span)).or_default().rest.push(at);
            }
        }
        for together in contexts.values_mut() {
            together.masked.dedup();
            together.rest.dedup();
        }
        contexts.into_values().collect()
    }
}

/// Spans that another tool found, given as a detector of its own.
pub struct Given {
    documents: HashMap<String, Vec<MarkedSpan>>,
    /// Whether documents are files, so that ids are paths or names of files.
    of_files: bool,
    /// Spans of one document that is not named, and which one it turned out to be.
    unnamed: Option<(Vec<MarkedSpan>, OnceLock<String>)>,
}

impl Given {
    /// The spans of documents, by their ids.
    pub fn new(marked: Vec<Marked>) -> Self {
        let mut documents: HashMap<String, Vec<MarkedSpan>> = HashMap::new();
        for document in marked {
            documents.entry(document.id).or_default().extend(document.spans);
        }
        Self { documents, of_files: false, unnamed: None }
    }

    /// The same for documents that are files: an id is a path, however it is written, the end of one, or the name of a
    /// file with or without its extension.
    #[must_use]
    pub fn of_files(self) -> Self {
        Self { of_files: true, ..self }
    }

    /// The spans of one document, whichever it is; a second one is refused.
    pub fn of_one(spans: Vec<MarkedSpan>) -> Self {
        Self { documents: HashMap::new(), of_files: false, unnamed: Some((spans, OnceLock::new())) }
    }

    /// The spans of a document; why there are none.
    fn spans(&self, document: &Document) -> Result<&[MarkedSpan], &'static str> {
        const NONE: &str = "the external spans have no entry for this document";
        if let Some((spans, first)) = &self.unnamed {
            let same = first.get_or_init(|| document.id().to_owned()) == document.id();
            return if same { Ok(spans) } else { Err(NONE) };
        }
        if let Some(spans) = self.documents.get(document.id()) {
            return Ok(spans);
        }
        if !self.of_files {
            return Err(NONE);
        }
        // The closest kind of match decides, and must be the only one of its kind.
        let path = components(document.id());
        for is_match in [is_same_path, is_end_of_path, is_name_of_file] {
            let mut found = self.documents.iter().filter(|(id, _)| is_match(&components(id), &path));
            match (found.next(), found.next()) {
                (Some((_, spans)), None) => return Ok(spans),
                (Some(_), Some(_)) => {
                    return Err("several entries of the external spans could be this document");
                }
                (None, _) => {}
            }
        }
        Err(NONE)
    }
}

/// The components of a path, without those that lead nowhere.
fn components(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

fn is_same_path(id: &[&str], path: &[&str]) -> bool {
    id == path
}

fn is_end_of_path(id: &[&str], path: &[&str]) -> bool {
    !id.is_empty() && !path.is_empty() && (path.ends_with(id) || id.ends_with(path))
}

fn is_name_of_file(id: &[&str], path: &[&str]) -> bool {
    let (Some((id, folders)), Some((name, above))) = (id.split_last(), path.split_last()) else {
        return false;
    };
    let stem = name.rsplit_once('.').map_or(*name, |(stem, _)| stem);
    *id == stem && above.ends_with(folders)
}

impl Detector for Given {
    fn name(&self) -> &'static str {
        "given"
    }

    /// Its places are those of the original: it must not look at what we have changed.
    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let refuse = |what: &str| Err(Error::new(ErrorKind::Detector, what).in_document(document.id()));
        let spans = match self.spans(document) {
            Ok(spans) => spans,
            Err(why) => return refuse(why),
        };
        // The other tool read the original, not the folded view.
        let (text, folded) =
            document.original().map_or((document.text(), None), |(text, folded)| (text, Some(folded)));
        let offsets = Offsets::new(text, OffsetUnit::Chars);
        let mut found = Vec::with_capacity(spans.len());
        for span in spans {
            let inside = offsets.inside(span.start, span.end).filter(|span| span.fits(text));
            let inside = inside.map(|span| folded.map_or(span, |folded| folded.folded(span)));
            let Some(inside) = inside else {
                return refuse("an external span lies outside the text");
            };
            let kind = span.kind.as_deref().and_then(EntityType::new);
            found.push(Finding {
                span: inside,
                entity_type: kind.unwrap_or(EntityType::DETAIL),
                identifies: Identifies::InCombination,
                detector: self.name().into(),
                score: 1.0,
                evidence: Evidence::Given,
            });
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use reticent_knowledge::corpus::Count;
    use reticent_text::Analyzer;

    use super::*;

    /// The counts of Tables 1 to 3 of the paper, from its bits.
    struct Table;

    const TOTAL: u64 = 11_000_000_000;
    const AIDS: &str = "acquired immunodeficiency syndrome";
    const SINGLES: [(&str, u64); 5] = [
        (AIDS, 657_000),
        ("immune system", 11_830_000),
        ("influenza", 50_000_000),
        ("blood transfusion", 3_500_000),
        ("patient", 500_000_000),
    ];
    /// Without the sanitized term, how often two are written together.
    const PAIRS: [(&str, &str, u64); 3] = [
        ("influenza", "blood transfusion", 200_000),
        ("influenza", "patient", 10_000_000),
        ("blood transfusion", "patient", 1_000_000),
    ];
    const TOLD: [(&str, &[&str], f64); 12] = [
        (AIDS, &["influenza"], 7.63),
        (AIDS, &["blood transfusion"], 8.75),
        (AIDS, &["patient"], 5.86),
        ("immune system", &["influenza"], 6.281),
        ("immune system", &["blood transfusion"], 7.16),
        ("immune system", &["patient"], 5.30),
        (AIDS, &["influenza", "blood transfusion"], 13.00),
        (AIDS, &["influenza", "patient"], 12.76),
        (AIDS, &["blood transfusion", "patient"], 12.88),
        ("immune system", &["influenza", "blood transfusion"], 2.48),
        ("immune system", &["influenza", "patient"], 2.20),
        ("immune system", &["blood transfusion", "patient"], 2.38),
    ];

    impl Counts for Table {
        fn name(&self) -> String {
            "table".to_owned()
        }

        fn fingerprint(&self) -> String {
            "table".to_owned()
        }

        fn total(&self) -> u64 {
            TOTAL
        }

        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        fn count(&self, terms: &[&str]) -> Result<Count, reticent_knowledge::Error> {
            let single = |term: &str| SINGLES.iter().find(|known| known.0 == term).map(|known| known.1);
            let pair = |one: &str, two: &str| {
                PAIRS.iter().find(|known| [one, two].iter().all(|term| [known.0, known.1].contains(term)))
            };
            if let [one] = terms {
                return Ok(single(one).map_or(Count::Unknown, Count::Exact));
            }
            if let [one, two] = terms
                && let Some(known) = pair(one, two)
            {
                return Ok(Count::Exact(known.2));
            }
            let told = TOLD.iter().find(|told| {
                terms.len() == told.1.len() + 1
                    && terms.contains(&told.0)
                    && told.1.iter().all(|term| terms.contains(term))
            });
            Ok(told.map_or(Count::Exact(0), |(secret, others, bits)| {
                let alone = match others {
                    [one] => single(one),
                    [one, two] => pair(one, two).map(|known| known.2),
                    _ => None,
                };
                let written = single(secret).unwrap_or(0) as f64 * alone.unwrap_or(0) as f64;
                Count::Exact((bits.exp2() * written / TOTAL as f64) as u64)
            }))
        }
    }

    const TEXT: &str = "The patient suffers from acquired immunodeficiency syndrome because of a blood transfusion. He \
                        was diagnosed when his immune system responded poorly to influenza.";

    fn found(max_terms: usize) -> Vec<String> {
        let mut document = Document::plain("figure 1", TEXT);
        let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
        document.set_layers(layers);
        let span = |words: &str| {
            let start = TEXT.find(words).unwrap();
            (Span::new(start, start + words.len()), EntityType::DETAIL)
        };
        let masked = [span(AIDS), span("immune system")];
        let detector = CorrelatedDetector { max_terms, context: Scope::Document };
        let stack = Stack::standard().unwrap();
        let findings = detector.detect(&document, &masked, &Table, &stack).unwrap().findings;
        let correlated = findings.iter().filter(|one| matches!(one.evidence, Evidence::Correlated { .. }));
        correlated.map(|one| one.span.of(TEXT).to_owned()).collect()
    }

    #[test]
    fn the_example_of_the_paper() {
        assert!(found(1).is_empty());
        assert_eq!(found(2), ["blood transfusion", "influenza"]);
    }
}
