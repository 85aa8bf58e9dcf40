//! The vector of a subject.

use reticent_knowledge::embedding::{Lookup, Similarity, Vectors};

use crate::Error;
use crate::policy::Subject;
use crate::resolve::surface;

/// Where a subject lies among the vectors.
pub(crate) struct SubjectVector(Lookup);

impl SubjectVector {
    /// That of its first name that has one. If none has, that of a longer form which the text uses: `Jensen Ross
    /// Ackles` for `Jensen Ackles`.
    pub(crate) fn new<'t>(
        vectors: &dyn Vectors,
        subject: &Subject,
        terms: impl Iterator<Item = &'t str>,
    ) -> Result<Self, Error> {
        for name in subject.names() {
            let found = vectors.lookup(name)?;
            if !found.is_unknown() {
                return Ok(Self(found));
            }
        }
        for term in terms.filter(|term| subject.names().any(|name| is_longer_form(term, name))) {
            let found = vectors.lookup(term)?;
            if !found.is_unknown() {
                return Ok(Self(found));
            }
        }
        Ok(Self(Lookup::Unknown))
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.0.is_unknown()
    }

    /// How similar a term is to the subject, if both have vectors.
    pub(crate) fn cosine(&self, term: &Lookup) -> Option<f32> {
        match self.0.similarity(term) {
            Similarity::Cosine(cosine) => Some(cosine),
            Similarity::Unknown => None,
        }
    }
}

/// Whether all words of a name stand in a term, in their order.
fn is_longer_form(term: &str, name: &str) -> bool {
    let mut words = surface::words(term).map(|word| word.of(term).to_lowercase());
    surface::words(name).all(|part| {
        let part = part.of(name).to_lowercase();
        words.any(|word| word == part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_longer_forms() {
        assert!(is_longer_form("Jensen Ross Ackles", "Jensen Ackles"));
        assert!(is_longer_form("actor JENSEN ACKLES", "Jensen Ackles"));
    }

    #[test]
    fn leaves_other_names_alone() {
        assert!(!is_longer_form("Ross Ackles", "Jensen Ackles"));
        assert!(!is_longer_form("Ackles Jensen", "Jensen Ackles"));
        assert!(!is_longer_form("", "Jensen Ackles"));
    }
}
