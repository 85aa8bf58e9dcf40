//! What the policy always masks.

use reticent_text::Document;

use crate::policy::Deny;
use crate::{Detector, Error, Evidence, Finding, Identifies};

/// Finds the texts and expressions that the policy denies.
pub struct ListedDetector {
    denied: Vec<Deny>,
}

impl ListedDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "deny-list";

    /// Creates a detector for these entries.
    pub fn new(denied: &[Deny]) -> Self {
        Self { denied: denied.to_vec() }
    }
}

impl Detector for ListedDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let found = self.denied.iter().flat_map(|deny| {
            deny.spans(document.text()).map(|span| Finding {
                span,
                entity_type: deny.entity_type().clone(),
                identifies: Identifies::Directly,
                detector: Self::NAME.into(),
                score: 1.0,
                evidence: Evidence::Listed,
            })
        });
        Ok(found.collect())
    }
}
