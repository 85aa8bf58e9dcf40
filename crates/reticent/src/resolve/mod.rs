//! From findings to entities: overlaps settled, mentions of one thing brought together.

mod coreference;
mod namesake;
mod overlap;
pub(crate) mod surface;
pub(crate) mod title;

pub(crate) use overlap::{beside, is_learnt_of_figures, is_number, settle};
use reticent_text::Document;

use crate::{Entity, Finding, Policy};

/// Turns what detectors found into entities whose mentions do not overlap.
///
/// Everything that was found is in some mention, unless the policy allows it or keeps it; and
/// wherever the words of a mention stand again, they are a mention too.
pub(crate) fn resolve(document: &Document, findings: Vec<Finding>, policy: &Policy) -> Vec<Entity> {
    let settled = settle(document.text(), findings, policy);
    coreference::gather(document, &settled, policy)
}
