//! Proper names that nothing else could place.

use std::collections::HashSet;
use std::sync::LazyLock;

use reticent_text::layers::Token;
use reticent_text::{Document, Pos, Span};

use crate::{Detector, EntityType, Error, ErrorKind, Evidence, Finding, Identifies};

/// Finds runs of proper nouns. It cannot tell a person from a product; it says that there is a name,
/// so that no name goes out unseen.
pub struct ProperNameDetector;

impl ProperNameDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "proper-name";
}

impl Detector for ProperNameDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let layers = document.layers().ok_or_else(|| {
            Error::new(ErrorKind::Detector, "proper names need tagged text, and the text was not tagged")
        })?;
        let text = document.text();
        let mut findings = Vec::new();
        let mut run: Option<Span> = None;
        let mut previous_end = 0;
        for token in &layers.tokens {
            let adjoins = text[previous_end..token.span.start].chars().all(|c| c == ' ');
            previous_end = token.span.end;
            if is_name(text, token) {
                run = match run {
                    Some(span) if adjoins => Some(span.join(token.span)),
                    other => {
                        findings.extend(other.map(finding));
                        Some(token.span)
                    }
                };
            } else {
                findings.extend(run.take().map(finding));
            }
        }
        findings.extend(run.map(finding));
        Ok(findings)
    }
}

fn is_name(text: &str, token: &Token) -> bool {
    let word = token.span.of(text);
    token.tag.pos() == Pos::ProperNoun
        && word.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && word.starts_with(char::is_uppercase)
        && !is_common(word)
}

/// Capitalized words that name nobody: the calendar, forms of address, headings, common tests.
fn is_common(word: &str) -> bool {
    static COMMON: LazyLock<HashSet<String>> =
        LazyLock::new(|| include_str!("common-names.txt").lines().map(str::to_lowercase).collect());
    COMMON.contains(&word.trim_end_matches('.').to_lowercase())
}

fn finding(span: Span) -> Finding {
    Finding {
        span,
        entity_type: EntityType::NAME,
        identifies: Identifies::InCombination,
        detector: ProperNameDetector::NAME.to_owned(),
        score: 0.5,
        evidence: Evidence::ProperNoun,
    }
}
