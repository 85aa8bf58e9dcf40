//! What a trained labeller recognizes.

use std::sync::Arc;

use reticent_text::label::{Labeller, shipped};
use reticent_text::{Document, Language, Layers, RegionKind};

use super::proper_name::is_common;
use crate::{Detector, EntityType, Error, ErrorKind, Evidence, Finding, Identifies};

/// Finds people, places, organizations, dates, nationalities and what people do, by having learnt from
/// annotated texts; in the language of the document, with a labeller that ships with the program.
///
/// In other languages it finds nothing: there [`ProperNameDetector`](super::ProperNameDetector) says that
/// something is a name.
pub struct NamesDetector;

impl NamesDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "names";
}

impl Detector for NamesDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let layers = layers(document)?;
        match shipped(layers.language)? {
            Some(labeller) => found(labeller, document, layers, Self::NAME),
            None => Ok(Vec::new()),
        }
    }
}

/// Finds what a labeller of the user's finds: `reticent train labeller` makes one.
pub struct LabelledDetector {
    name: String,
    labeller: Arc<Labeller>,
}

impl LabelledDetector {
    /// Asks this labeller, which goes by this name in plans.
    pub fn new(name: impl Into<String>, labeller: Arc<Labeller>) -> Result<Self, Error> {
        if let Some(kind) = labeller.kinds().iter().find(|kind| entity_type(kind).is_none()) {
            let message = format!("the labeller's kind `{kind}` cannot be a type of entity");
            return Err(Error::new(ErrorKind::Detector, message)
                .with_hint("name kinds with letters, digits and underscores"));
        }
        Ok(Self { name: name.into(), labeller })
    }
}

impl Detector for LabelledDetector {
    fn name(&self) -> &str {
        &self.name
    }

    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let layers = layers(document)?;
        let language = self.labeller.language();
        if language != Language::Other && layers.language != language {
            let message = format!(
                "the labeller `{}` was trained for another language ({})",
                self.name,
                language.code()
            );
            return Err(Error::new(ErrorKind::Detector, message)
                .with_hint("state the language with --language, or leave the labeller out"));
        }
        found(&self.labeller, document, layers, &self.name)
    }
}

fn layers(document: &Document) -> Result<&Layers, Error> {
    document.layers().ok_or_else(|| {
        Error::new(ErrorKind::Detector, "labellers need tagged text, and the text was not tagged")
    })
}

fn found(
    labeller: &Labeller,
    document: &Document,
    layers: &Layers,
    detector: &str,
) -> Result<Vec<Finding>, Error> {
    let text = document.text();
    let mut findings = Vec::new();
    for labelled in labeller.label(document, layers) {
        let in_code =
            document.region_at(labelled.span.start).is_some_and(|region| region.kind == RegionKind::Code);
        // `BP` and `ECG` look like companies and name none.
        if in_code || is_common(labelled.span.of(text)) {
            continue;
        }
        let kind = &labeller.kinds()[labelled.kind];
        let entity_type = entity_type(kind).ok_or_else(|| {
            Error::new(ErrorKind::Detector, format!("the labeller's kind `{kind}` cannot be a type"))
        })?;
        if entity_type == EntityType::DURATION && !is_duration(labelled.span.of(text)) {
            continue;
        }
        findings.push(Finding {
            span: labelled.span,
            identifies: identifies(&entity_type),
            entity_type,
            detector: detector.to_owned(),
            score: labelled.probability,
            evidence: Evidence::Labelled,
        });
    }
    Ok(findings)
}

/// The type that a labeller's kind is in policies: other sets have other words for the same.
fn entity_type(kind: &str) -> Option<EntityType> {
    let name = kind.to_uppercase().replace(['-', ' '], "_");
    match name.as_str() {
        "PER" => Some(EntityType::PERSON),
        "LOC" | "GPE" => Some(EntityType::LOCATION),
        "ORG" => Some(EntityType::ORGANIZATION),
        // Dates are found by patterns, which can also read them; what is left is how long and how long ago.
        "DATE" | "TIME" => Some(EntityType::DURATION),
        "NORP" => Some(EntityType::NRP),
        // A name of something else: a film, a product, a law.
        "MISC" => Some(EntityType::NAME),
        _ => EntityType::new(&name),
    }
}

/// `eighteen months`, `two years later`; no date, no age, no count of something else.
fn is_duration(text: &str) -> bool {
    const UNITS: &[&str] = &["minute", "hour", "day", "week", "month", "year", "decade"];
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let unit = |word: &str| UNITS.contains(&word.to_lowercase().trim_end_matches('s'));
    let dated = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    words.clone().any(unit) && !words.any(|word| dated(word) || matches!(word, "old" | "age" | "aged"))
}

fn identifies(entity_type: &EntityType) -> Identifies {
    match entity_type.as_str() {
        "PERSON" => Identifies::Directly,
        "DISEASE" => Identifies::Confidential,
        _ => Identifies::InCombination,
    }
}

#[cfg(test)]
mod tests {
    use reticent_text::Analyzer;

    use super::*;

    fn names(text: &str) -> Vec<(String, String)> {
        let mut document = Document::plain("test", text);
        document.set_layers(Analyzer::shipped().unwrap().analyze(&document, None).unwrap());
        let findings = NamesDetector.detect(&document).unwrap();
        let read = |finding: &Finding| (finding.span.of(text).to_owned(), finding.entity_type.to_string());
        findings.iter().map(read).collect()
    }

    fn pairs<'a>(found: &'a [(String, String)]) -> Vec<(&'a str, &'a str)> {
        found.iter().map(|(text, kind)| (text.as_str(), kind.as_str())).collect()
    }

    #[test]
    fn tells_people_places_and_organizations_apart() {
        let found = names("Mr John Smith moved from London to work for Microsoft Corporation.");
        assert_eq!(
            pairs(&found),
            [("John Smith", "PERSON"), ("London", "LOCATION"), ("Microsoft Corporation", "ORGANIZATION")]
        );
    }

    #[test]
    fn finds_nationalities_and_what_people_do() {
        let found = names("She is a French actress who lives in Paris.");
        assert_eq!(pairs(&found), [("French", "NRP"), ("actress", "JOB_TITLE"), ("Paris", "LOCATION")]);
    }

    #[test]
    fn leaves_ordinary_prose_alone() {
        for text in [
            "The patient slept well and had no fever.",
            "BP was 142/86 and the ECG was normal.",
            "Thank you for your letter.",
            "The tumour was in stage III by then.",
            "It rained the whole time, and nobody came.",
        ] {
            assert!(names(text).is_empty(), "{text}: {:?}", names(text));
        }
    }

    #[test]
    fn tells_how_long_from_when_and_how_old() {
        for duration in ["eighteen months", "two years later", "18-year", "several weeks"] {
            assert!(is_duration(duration), "{duration}");
        }
        for other in [
            "8 June 1996",
            "between 10 and 20 people",
            "59 years old",
            "aged 50 to 80",
            "May",
            "the year 1996",
        ] {
            assert!(!is_duration(other), "{other}");
        }
    }

    #[test]
    fn refuses_untagged_text() {
        assert!(NamesDetector.detect(&Document::plain("test", "Boston")).is_err());
    }
}
