//! Proper names that nothing else could place.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

use reticent_text::{Document, Language, Pos, Span, Token, is_ordinary};

use super::{is_code, tagged};
use crate::{Detector, EntityType, Error, Evidence, Finding, Identifies};

/// Finds sequences of proper nouns. It cannot distinguish a person from a product, but ensures that no name is
/// missed.
///
/// These are words tagged as proper nouns and capitalized words inside a sentence, except words that are hardly ever
/// names and well-known abbreviations.
pub struct ProperNameDetector;

impl ProperNameDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "proper-name";
}

impl Detector for ProperNameDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let layers = tagged(document, "proper names")?;
        let text = document.text();
        let small = LazyCell::new(|| small_words(text, &layers.tokens));
        let mut findings = Vec::new();
        for range in layers.sentence_tokens() {
            let tokens = &layers.tokens[range];
            let Some(first) = tokens.first() else { continue };
            if !is_code(document, first.span.start) {
                findings.extend(names(text, tokens, layers.language, &small).into_iter().map(finding));
            }
        }
        Ok(findings)
    }
}

/// The names in one sentence.
fn names<'t>(
    text: &str,
    tokens: &[Token],
    language: Language,
    small: &LazyCell<HashSet<&'t str>, impl FnOnce() -> HashSet<&'t str>>,
) -> Vec<Span> {
    let heading = is_heading(text, tokens);
    let mut spans: Vec<Span> = Vec::new();
    // A word that is seldom a name, and is one if a name follows: `Will` in `with Will Smith`.
    let mut pending: Option<Span> = None;
    for (at, token) in tokens.iter().enumerate() {
        let word = token.span.of(text);
        let placed = at > 0 && !heading;
        let tagged = token.tag.pos() == Pos::ProperNoun;
        let before = pending.take().filter(|before| joins(&text[before.end..token.span.start]));
        if !(tagged || placed) || !is_capitalized(word) || is_common(word) {
            continue;
        }
        if is_ordinary(word, language) {
            pending = (tagged && placed).then_some(token.span);
            continue;
        }
        if !placed && small.contains(word.to_lowercase().as_str()) {
            continue;
        }
        let span = before.map_or(token.span, |before| before.join(token.span));
        match spans.last_mut().filter(|last| joins(&text[last.end..span.start])) {
            Some(last) => *last = last.join(span),
            None => spans.push(span),
        }
    }
    spans.retain(|span| !ARTICLES.contains(&span.of(text)));
    spans
}

/// What begins a title whose other words are ordinary, as in `The Office`, and is no name itself.
const ARTICLES: [&str; 7] = ["The", "An", "El", "La", "Los", "Las", "Una"];

/// The words that the document itself writes in small letters: in a heading they are no names.
fn small_words<'t>(text: &'t str, tokens: &[Token]) -> HashSet<&'t str> {
    tokens
        .iter()
        .map(|token| token.span.of(text))
        .filter(|word| word.starts_with(char::is_lowercase))
        .collect()
}

/// Whether most words after the first are capitalized, so that a capital tells nothing.
fn is_heading(text: &str, tokens: &[Token]) -> bool {
    let words =
        tokens.iter().map(|token| token.span.of(text)).filter(|word| word.starts_with(char::is_alphabetic));
    let (capital, small): (Vec<&str>, Vec<&str>) =
        words.skip(1).partition(|word| word.starts_with(char::is_uppercase));
    capital.len() > small.len()
}

/// What may stand between the words of one name: blanks, hyphens, `'s`, the end of a wrapped line.
fn joins(gap: &str) -> bool {
    let gap = gap.trim_start_matches("'s").trim_start_matches("’s");
    gap.len() <= 3 && gap.chars().all(|c| matches!(c, ' ' | '\n' | '\u{a0}' | '-' | '&'))
}

fn is_capitalized(word: &str) -> bool {
    let roman = word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'C'));
    word.starts_with(char::is_uppercase) && !roman && word.chars().filter(|c| c.is_alphabetic()).count() >= 2
}

/// Capitalized words that name nobody: the calendar, forms of address, common abbreviations.
pub(super) fn is_common(word: &str) -> bool {
    static COMMON: LazyLock<HashSet<String>> = LazyLock::new(|| {
        include_str!("common-words.txt").split_whitespace().map(str::to_lowercase).collect()
    });
    COMMON.contains(&word.trim_end_matches('.').to_lowercase())
}

fn finding(span: Span) -> Finding {
    Finding {
        span,
        entity_type: EntityType::NAME,
        identifies: Identifies::InCombination,
        detector: ProperNameDetector::NAME.into(),
        score: 0.5,
        evidence: Evidence::ProperNoun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_text::Analyzer;

    fn found(text: &str) -> Vec<String> {
        let mut document = Document::plain("test", text);
        document.set_layers(Analyzer::shipped().unwrap().analyze(&document, None).unwrap());
        let findings = ProperNameDetector.detect(&document).unwrap();
        findings.iter().map(|finding| finding.span.of(text).to_owned()).collect()
    }

    #[test]
    fn leaves_an_article_alone() {
        assert!(
            found("It is the first season of the series The Office, he says.")
                .iter()
                .all(|name| name != "The")
        );
    }

    #[test]
    fn finds_names() {
        assert_eq!(found("She moved to Boston last year."), ["Boston"]);
        assert_eq!(found("He was treated at St. Brendan's Hospital."), ["St. Brendan"]);
        assert_eq!(found("We went there with Will Smith."), ["Will Smith"]);
        assert_eq!(found("Localidad: Soria."), ["Soria"]);
        assert_eq!(found("El paciente vive en Salamanca."), ["Salamanca"]);
    }

    #[test]
    fn leaves_ordinary_words_alone() {
        for text in [
            "Yours sincerely,",
            "PAST MEDICAL HISTORY\nThe patient slept well.",
            "BP was 142/86 and the ECG was normal.",
            "Consultant Cardiologist",
            "Thank you for your letter.",
            "On Monday in March she came back.",
            "Se realiza TAC sin hallazgos.",
            "The tumour was in stage III by then.",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn refuses_untagged_text() {
        assert!(ProperNameDetector.detect(&Document::plain("test", "Boston")).is_err());
    }
}
