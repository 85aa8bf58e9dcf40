//! Words for what people do.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use reticent_knowledge::taxonomy::{Concept, PackedTaxonomy, Taxonomy, wordnet};
use reticent_text::{Document, Language, Span};

use crate::{Detector, EntityType, Error, Evidence, Finding, Identifies};

/// What WordNet says that people who work are: whoever is one of these does it for a living.
const WORKERS: [&str; 15] = [
    "n09632518", // worker
    "n10480253", // professional
    "n10560637", // scientist
    "n09615807", // engineer
    "n09616922", // entertainer
    "n09614315", // creator
    "n10794014", // writer
    "n09882716", // businessperson
    "n10388924", // owner of a business
    "n09820263", // athlete
    "n09505153", // spiritual leader
    "n09770949", // administrator
    "n09931640", // coach
    "n10034906", // driver
    "n10058777", // enlisted person
];

/// A sense that is less probable than this is not meant.
const PROBABLE: f64 = 0.5;

/// Finds nouns that say what someone does for a living, by what WordNet knows: `engineer`, `software engineer`,
/// `biologist`.
///
/// The labeller knows jobs from texts in which they stand before names; in what people write of themselves they
/// stand alone. False positives: who is called a hero or a cook for once.
pub(crate) struct OccupationDetector {
    wordnet: &'static PackedTaxonomy,
    workers: Vec<Concept>,
    known: RwLock<HashMap<String, bool>>,
}

impl OccupationDetector {
    pub(crate) const NAME: &'static str = "occupation";

    pub(crate) fn new() -> Result<Self, Error> {
        let wordnet = wordnet()?;
        let workers = WORKERS.iter().filter_map(|code| wordnet.concept(code)).collect::<Vec<_>>();
        Ok(Self { wordnet, workers, known: RwLock::default() })
    }

    fn is_occupation(&self, word: &str) -> bool {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(word) {
            return *known;
        }
        let senses = self.wordnet.senses(word);
        let sense = senses.first().filter(|sense| sense.probability >= PROBABLE);
        let is_one = sense.is_some_and(|sense| {
            self.workers.iter().any(|worker| self.wordnet.contains(*worker, sense.concept))
        });
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(word.to_owned(), is_one);
        is_one
    }
}

impl Detector for OccupationDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let Some(layers) = document.layers().filter(|layers| layers.language == Language::English) else {
            return Ok(Vec::new());
        };
        let text = document.text();
        let is_noun = |at: usize| matches!(layers.tokens[at].tag.name(), "NN" | "NNS");
        let small = |span: Span| span.of(text).bytes().all(|b| b.is_ascii_lowercase());
        let mut findings = Vec::new();
        for (at, token) in layers.tokens.iter().enumerate() {
            if !is_noun(at) || !small(token.span) || !self.is_occupation(token.span.of(text)) {
                continue;
            }
            // A noun behind says what it is really about: `a student loan`, `doctor's orders`.
            let next = layers.tokens.get(at + 1);
            if next.is_some_and(|next| matches!(next.tag.name(), "NN" | "NNS")) {
                continue;
            }
            // With the noun before it: `software engineer`.
            let before =
                at.checked_sub(1).filter(|before| is_noun(*before) && small(layers.tokens[*before].span));
            let span = before.map_or(token.span, |before| layers.tokens[before].span.join(token.span));
            findings.push(Finding {
                span,
                entity_type: EntityType::JOB_TITLE,
                identifies: Identifies::InCombination,
                detector: Self::NAME.into(),
                score: 0.6,
                evidence: Evidence::Labelled,
            });
        }
        Ok(findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_text::Analyzer;

    fn found(text: &str) -> Vec<String> {
        let mut document = Document::plain("t", text);
        let layers = Analyzer::shipped().expect("models").analyze(&document, None).expect("layers");
        document.set_layers(layers);
        let findings = OccupationDetector::new().expect("WordNet").detect(&document).expect("findings");
        findings.into_iter().map(|finding| finding.span.of(text).to_owned()).collect()
    }

    #[test]
    fn all_roots_are_known() {
        assert_eq!(OccupationDetector::new().expect("WordNet").workers.len(), WORKERS.len());
    }

    #[test]
    fn finds_what_people_do() {
        assert_eq!(found("I'm an engineer from Mexico."), ["engineer"]);
        assert_eq!(
            found("As a scientist you can be proud of my career as a biologist."),
            ["scientist", "biologist"]
        );
        assert_eq!(found("She is a software engineer, he is a surgeon."), ["software engineer", "surgeon"]);
    }

    #[test]
    fn leaves_other_people_alone() {
        assert!(found("I met my friend and his mother at college.").is_empty());
        assert!(found("The guy gave a good post about teacher training.").is_empty());
        assert!(found("Stay tuned for more content on my blog.").is_empty());
    }
}
