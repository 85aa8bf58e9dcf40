//! What a trained labeller recognizes.

use arcstr::ArcStr;
use reticent_text::label::{AnyLabeller, Labelled, Memory, shipped};
use reticent_text::{Analyzer, Document, Language, PartOfSpeech, SentenceSplitter, Tokenizer};

use super::kind::type_of;
use super::proper_name::is_common;
use super::{is_code, tagged};
use crate::policy::Role;
use crate::protect::sha256;
use crate::{Detector, EntityType, Error, ErrorKind, Evidence, Finding};

/// Finds people, places, organizations, dates, nationalities and job titles with the built-in NER model for the
/// language of the document.
///
/// In other languages it finds nothing; there [`ProperNameDetector`](super::ProperNameDetector) finds names.
#[derive(Default)]
pub struct NamesDetector {
    /// What was said of sentences, for English and Spanish.
    memory: Option<[Memory; 2]>,
}

impl NamesDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "names";

    /// One that labels a sentence once, in however many documents it stands: for many short texts. It finds the same.
    pub(crate) fn remembering() -> Self {
        Self { memory: Some(Default::default()) }
    }
}

impl Detector for NamesDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let layers = tagged(document, "labellers")?;
        let Some(labeller) = shipped(layers.language)? else { return Ok(Vec::new()) };
        let memory = self.memory.as_ref().and_then(|[english, spanish]| match layers.language {
            Language::English => Some(english),
            Language::Spanish => Some(spanish),
            Language::Other => None,
        });
        let labelled = match memory {
            Some(memory) => labeller.label_once(document, layers, memory),
            None => labeller.label(document, layers),
        };
        let mut findings = findings(labelled, labeller.kinds(), document, Self::NAME);
        // Dates are found by patterns, which can also read them; what is left is how long and how long ago.
        for finding in findings.iter_mut().filter(|finding| finding.entity_type == EntityType::DATE_TIME) {
            finding.entity_type = EntityType::DURATION;
        }
        findings.retain(|finding| {
            let surface = finding.span.of(document.text());
            // `BP` and `ECG` look like companies and name none.
            !is_common(surface) && (finding.entity_type != EntityType::DURATION || is_duration(surface))
        });
        Ok(findings)
    }
}

/// Finds entities with a custom NER model, trained with `reticent train labeller`.
pub struct LabelledDetector {
    name: String,
    sha256: String,
    labeller: AnyLabeller,
    analyzer: Analyzer,
}

impl LabelledDetector {
    /// Opens an NER model; `name` is its name in plans.
    pub fn open(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Error> {
        let sha256 = sha256(&bytes);
        let labeller = AnyLabeller::open(bytes)?;
        if let Some(kind) = labeller.kinds().iter().find(|kind| type_of(kind).is_none()) {
            let message = format!("the NER model's label `{kind}` is not a valid entity type");
            return Err(Error::new(ErrorKind::Detector, message)
                .with_hint("use letters, digits and underscores in labels, and train the model again"));
        }
        let analyzer =
            Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?;
        Ok(Self { name: name.into(), sha256, labeller, analyzer })
    }

    /// The SHA-256 of its file.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The types that it can find.
    pub fn types(&self) -> impl Iterator<Item = EntityType> + '_ {
        self.labeller.kinds().iter().filter_map(|kind| type_of(kind))
    }
}

impl Detector for LabelledDetector {
    fn name(&self) -> &str {
        &self.name
    }

    fn needs_layers(&self) -> bool {
        true
    }

    /// A text in another language than the labeller's is read as if it were in that.
    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let language = self.labeller.language();
        let layers = tagged(document, "labellers")?;
        let labelled = if layers.language == language {
            self.labeller.label(document, layers)?
        } else {
            self.labeller.label(document, &self.analyzer.analyze(document, Some(language))?)?
        };
        Ok(findings(labelled, self.labeller.kinds(), document, &self.name))
    }
}

fn findings(labelled: Vec<Labelled>, kinds: &[String], document: &Document, detector: &str) -> Vec<Finding> {
    let detector = ArcStr::from(detector);
    let kinds: Vec<Option<EntityType>> = kinds.iter().map(|kind| type_of(kind)).collect();
    let findings = labelled
        .into_iter()
        .filter(|labelled| !is_code(document, labelled.span.start))
        .filter_map(|labelled| {
            let mut entity_type = kinds[labelled.kind].clone()?;
            // Some sets call a postal code a place, which it is; but it compares otherwise.
            let surface = labelled.span.of(document.text());
            if entity_type == EntityType::LOCATION && surface.bytes().all(|byte| byte.is_ascii_digit()) {
                entity_type = EntityType::POSTCODE;
            }
            Some(Finding {
                span: labelled.span,
                identifies: Role::usual(&entity_type).identifies(),
                entity_type,
                detector: detector.clone(),
                score: labelled.probability,
                evidence: Evidence::Labelled,
            })
        });
    findings.collect()
}

/// `eighteen months`, `two years later`; no date, no age, no count of something else.
fn is_duration(text: &str) -> bool {
    const UNITS: &[&str] = &["minute", "hour", "day", "week", "month", "year", "decade"];
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let unit = |word: &str| UNITS.contains(&word.to_lowercase().trim_end_matches('s'));
    let dated = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    words.clone().any(unit) && !words.any(|word| dated(word) || matches!(word, "old" | "age" | "aged"))
}

#[cfg(test)]
mod tests {
    use reticent_text::Analyzer;

    use super::*;

    fn names(text: &str) -> Vec<(String, String)> {
        let mut document = Document::plain("test", text);
        document.set_layers(Analyzer::shipped().unwrap().analyze(&document, None).unwrap());
        let findings = NamesDetector::default().detect(&document).unwrap();
        let read = |finding: &Finding| (finding.span.of(text).to_owned(), finding.entity_type.to_string());
        findings.iter().map(read).collect()
    }

    fn pairs(found: &[(String, String)]) -> Vec<(&str, &str)> {
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
        assert!(NamesDetector::default().detect(&Document::plain("test", "Boston")).is_err());
    }
}
