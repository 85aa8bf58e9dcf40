//! Properties of a file that name someone by their nature.

use reticent_text::{Document, Region, RegionKind};

use crate::{Detector, EntityType, Error, Evidence, Finding, Identifies};

/// Finds the author, the company and the like in the properties of a file, whatever they say: there
/// is no other reading of an author's field than that it names the author.
pub struct MetadataDetector;

impl MetadataDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "metadata";
}

impl Detector for MetadataDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let named = document.regions().iter().filter(|region| has_words(document, region));
        Ok(named.filter_map(|region| Some((region, type_of(region)?))).map(finding).collect())
    }
}

fn has_words(document: &Document, region: &Region) -> bool {
    region.kind == RegionKind::Metadata && region.span.of(document.text()).contains(char::is_alphanumeric)
}

fn type_of(region: &Region) -> Option<EntityType> {
    match region.name.as_str() {
        "author" | "last_modified_by" | "manager" | "initials" | "creator" | "dc.creator" => {
            Some(EntityType::PERSON)
        }
        "company" | "publisher" => Some(EntityType::ORGANIZATION),
        "created" | "modified" | "last_printed" | "date" => Some(EntityType::DATE_TIME),
        _ => None,
    }
}

fn finding((region, entity_type): (&Region, EntityType)) -> Finding {
    Finding {
        span: region.span,
        identifies: if entity_type == EntityType::DATE_TIME {
            Identifies::InCombination
        } else {
            Identifies::Directly
        },
        entity_type,
        detector: MetadataDetector::NAME.into(),
        score: 0.95,
        evidence: Evidence::Metadata { field: region.name.clone() },
    }
}
