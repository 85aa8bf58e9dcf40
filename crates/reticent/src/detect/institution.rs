//! Names of institutions: `Lublin Remand Centre`, and what it is called at home.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use reticent_knowledge::corpus::{Count, Counts, WordFrequencies};
use reticent_text::{Document, Language, Pos, Span, Token, is_ordinary};

use super::{is_code, tagged};
use crate::{Detector, EntityType, Error, Evidence, Finding, Identifies};

/// Finds English names of institutions by their head noun and the adjacent capitalized words, of which an NER model
/// often finds only a part. It also finds the name in another language in parentheses after it, which reveals the
/// country.
///
/// At least one word must be a possible name: `Outpatient Clinic` has none.
pub struct InstitutionDetector {
    english: WordFrequencies,
}

impl InstitutionDetector {
    /// The name of this detector.
    pub const NAME: &'static str = "institution";

    /// One that knows what words are English.
    pub fn new() -> Result<Self, Error> {
        Ok(Self { english: WordFrequencies::new(Language::English)? })
    }
}

impl Detector for InstitutionDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn needs_layers(&self) -> bool {
        true
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let layers = tagged(document, "institutions")?;
        if layers.language != Language::English {
            return Ok(Vec::new());
        }
        let mut findings = Vec::new();
        for range in layers.sentence_tokens() {
            let sentence = Sentence { text: document.text(), tokens: &layers.tokens[range] };
            for head in (0..sentence.tokens.len()).filter(|at| INSTITUTIONS.contains(sentence.word(*at))) {
                let start = sentence.tokens[head].span.start;
                // `Academy Award`, `Army Act`: another noun says what it is.
                let says_of_another = sentence.joins(head) && sentence.is_capital(head + 1);
                if says_of_another || is_code(document, start) {
                    continue;
                }
                let name = sentence.name_around(head);
                let native = sentence.native_name_after(name.end, &self.english)?;
                let spans = sentence.is_name(&name, head).then(|| sentence.span(&name)).into_iter();
                findings.extend(spans.chain(native).map(finding));
            }
        }
        // Two such words may stand in one name.
        findings.dedup_by_key(|finding| finding.span);
        Ok(findings)
    }
}

static INSTITUTIONS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "Academy Agency Airport Appeal Army Assembly Association Authority Bank Barracks Board Bureau Center Centre Chamber \
     Church Clinic College Commission Committee Constabulary Council Court Courts Department Directorate Federation \
     Foundation Government Hospital Inspectorate Institute Institution Library Ministry Museum Office Parliament Party \
     Police Prison Prosecutor Registry School Service Services Society Tribunal Trust Union University"
        .split_whitespace()
        .collect()
});

struct Sentence<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl<'t> Sentence<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.span.of(self.text))
    }

    fn span(&self, tokens: &Range<usize>) -> Span {
        Span::new(self.tokens[tokens.start].span.start, self.tokens[tokens.end - 1].span.end)
    }

    /// Whether a word may be a part of a name. At the start of a sentence every word has a capital.
    fn is_capital(&self, at: usize) -> bool {
        let word = self.word(at);
        let opens = at == 0 && is_ordinary(word, Language::English);
        let noun = self
            .tokens
            .get(at)
            .is_some_and(|token| matches!(token.tag.pos(), Pos::ProperNoun | Pos::Noun | Pos::Adjective));
        noun && !opens && word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some()
    }

    /// Whether only a blank stands between a word and the next.
    fn joins(&self, at: usize) -> bool {
        let (Some(one), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else { return false };
        matches!(&self.text[one.span.end..next.span.start], "" | " " | "\u{a0}" | "\n")
    }

    /// All words that belong to the institution at this one.
    fn name_around(&self, head: usize) -> Range<usize> {
        let mut start = head;
        while start > 0 && self.joins(start - 1) {
            let before = start - 1;
            let possessive = matches!(self.word(before), "'s" | "’s" | "'" | "’");
            // `Foreign and Commonwealth Office`, not `Smith and Leeds Hospital`.
            let pair = matches!(self.word(before), "and" | "&");
            if self.is_capital(before) {
                start = before;
            } else if before > 0
                && self.joins(before - 1)
                && self.is_capital(before - 1)
                && (possessive || pair && is_ordinary(self.word(before - 1), Language::English))
            {
                start = before - 1;
            } else {
                break;
            }
        }
        let mut end = head + 1;
        if matches!(self.word(end), "of" | "for") && self.joins(end - 1) {
            let from = end + 1 + usize::from(self.word(end + 1) == "the");
            let more = self.capitals_from(from);
            if more > from && (end..from).all(|at| self.joins(at)) {
                end = more;
            }
        }
        start..end
    }

    /// Where the words with capitals end that begin here and stand behind one another.
    fn capitals_from(&self, from: usize) -> usize {
        (from..self.tokens.len())
            .find(|at| !self.is_capital(*at) || !self.joins(at - 1))
            .unwrap_or(self.tokens.len())
    }

    /// Whether it is more than the word that says what it is, and some of it can be a name.
    fn is_name(&self, tokens: &Range<usize>, head: usize) -> bool {
        let mut others = tokens.clone().filter(|at| *at != head && self.is_capital(*at));
        others.any(|at| !is_ordinary(self.word(at), Language::English))
    }

    /// The words in brackets from this one on, if English does not know most of them: `(sąd wojewódzki)`.
    fn native_name_after(&self, at: usize, english: &WordFrequencies) -> Result<Option<Span>, Error> {
        const MOST_WORDS: usize = 5;
        let is_word = |word: &str| word.chars().all(char::is_alphabetic);
        let inside =
            at + 1..(at + 1..self.tokens.len()).find(|at| !is_word(self.word(*at))).unwrap_or(at + 1);
        if self.word(at) != "(" || self.word(inside.end) != ")" || !(1..=MOST_WORDS).contains(&inside.len()) {
            return Ok(None);
        }
        let mut unknown = 0;
        for at in inside.clone() {
            let counted = english.count(&[self.word(at)])?;
            unknown += usize::from(matches!(counted, Count::Unknown | Count::Exact(0)));
        }
        Ok((2 * unknown >= inside.len()).then(|| self.span(&inside)))
    }
}

fn finding(span: Span) -> Finding {
    Finding {
        span,
        entity_type: EntityType::ORGANIZATION,
        identifies: Identifies::InCombination,
        detector: InstitutionDetector::NAME.into(),
        score: 0.8,
        evidence: Evidence::ProperNoun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_text::Analyzer;

    fn found(text: &str) -> Vec<String> {
        let mut document = Document::plain("test", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        document.set_layers(layers);
        let findings = InstitutionDetector::new().unwrap().detect(&document).unwrap();
        findings.iter().map(|finding| finding.span.of(text).to_owned()).collect()
    }

    #[test]
    fn finds_the_whole_name() {
        for (text, name) in [
            ("He was taken to Lublin Remand Centre.", "Lublin Remand Centre"),
            ("He was held at HM Prison in 2002.", "HM Prison"),
            ("The University of Westerfield wrote back.", "University of Westerfield"),
            ("In Opole Lubelskie Prison nobody knew.", "Opole Lubelskie Prison"),
        ] {
            assert_eq!(found(text), [name], "{text}");
        }
    }

    #[test]
    fn finds_what_it_is_called_at_home() {
        let text = "The Warsaw Regional Court (sąd wojewódzki) and the Court (kammarrätten) agreed.";
        assert_eq!(found(text), ["Warsaw Regional Court", "sąd wojewódzki", "kammarrätten"]);
    }

    #[test]
    fn leaves_what_any_place_has_alone() {
        for text in [
            "She came to the Outpatient Clinic at night.",
            "The Court held that there was no violation.",
            "He asked the Council (all three members) to look.",
            "The bank of the river is steep.",
            "She won an Academy Award for Best Actress under the Army Act 1955.",
            "In School they met, and Police came.",
            "The Office (see below) is closed.",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn refuses_untagged_text() {
        assert!(
            InstitutionDetector::new().unwrap().detect(&Document::plain("test", "Lublin Prison")).is_err()
        );
    }
}
