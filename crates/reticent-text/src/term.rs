//! Terms: what the methods look up, compare and replace.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::{Language, Layers, Pos, Span, Token};

/// A noun phrase that says something, or a single word where there is no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The whole phrase: `the blood transfusion`.
    pub span: Span,
    /// Without stop words at its ends: `blood transfusion`.
    pub core: Span,
}

impl Layers {
    /// The noun phrases that contain a noun, adjective, number or foreign word. Without a model for
    /// the language, every word is a term.
    ///
    /// ```
    /// use reticent_text::{Analyzer, Document};
    /// let document = Document::plain("note", "She had the blood transfusion.");
    /// let layers = Analyzer::shipped()?.analyze(&document, None)?;
    /// let terms = layers.terms(document.text());
    /// assert_eq!(terms.len(), 1);
    /// assert_eq!(terms[0].span.of(document.text()), "the blood transfusion");
    /// assert_eq!(terms[0].core.of(document.text()), "blood transfusion");
    /// # Ok::<(), reticent_text::Error>(())
    /// ```
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<Term> {
        if self.fallback {
            let words = self.tokens.iter().filter(|token| has_letters(token.span.of(text)));
            return words.map(|token| Term { span: token.span, core: token.span }).collect();
        }
        let mut next = 0;
        let mut terms = Vec::with_capacity(self.noun_phrases.len());
        for &span in &self.noun_phrases {
            while self.tokens[next].span.start < span.start {
                next += 1;
            }
            let first = next;
            while self.tokens.get(next).is_some_and(|token| token.span.end <= span.end) {
                next += 1;
            }
            if let Some(core) = core(&self.tokens[first..next], text, self.language) {
                terms.push(Term { span, core });
            }
        }
        terms
    }
}

fn has_letters(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

/// What is left of a phrase without stop words at its ends; nothing if it has no content.
fn core(tokens: &[Token], text: &str, language: Language) -> Option<Span> {
    if !tokens.iter().any(|token| is_content(token, text)) {
        return None;
    }
    let keeps = |token: &&Token| !is_dropped(token, text, language);
    if let (Some(first), Some(last)) = (tokens.iter().find(keeps), tokens.iter().rev().find(keeps)) {
        return Some(first.span.join(last.span));
    }
    // Nothing but stop words: the words with content are all there is.
    let first = tokens.iter().find(|token| is_content(token, text))?;
    let last = tokens.iter().rev().find(|token| is_content(token, text))?;
    Some(first.span.join(last.span))
}

fn is_content(token: &Token, text: &str) -> bool {
    matches!(token.tag.pos(), Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Number | Pos::Foreign)
        && has_letters(token.span.of(text))
}

fn is_dropped(token: &Token, text: &str, language: Language) -> bool {
    let word = token.span.of(text);
    match token.tag.pos() {
        Pos::Determiner
        | Pos::Pronoun
        | Pos::Preposition
        | Pos::Conjunction
        | Pos::Possessive
        | Pos::Punctuation
        | Pos::Adverb => true,
        // A name or a number is never a stop word: `Will`, `IT`, `two`.
        Pos::ProperNoun | Pos::Number => !has_letters(word),
        // Nor is what has a capital, whatever the tagger thinks of `Will Smith`.
        _ => !has_letters(word) || (word.starts_with(char::is_lowercase) && is_stop_word(word, language)),
    }
}

/// Returns whether a word only holds others together: `the`, `of`, `del`. Nothing is known of other languages.
#[must_use]
pub fn is_stop_word(word: &str, language: Language) -> bool {
    static ENGLISH: OnceLock<HashSet<&str>> = OnceLock::new();
    static SPANISH: OnceLock<HashSet<&str>> = OnceLock::new();
    let (cell, code) = match language {
        Language::English => (&ENGLISH, "en"),
        Language::Spanish => (&SPANISH, "es"),
        Language::Other => return false,
    };
    let words = cell.get_or_init(|| stop_words::lookup(code).unwrap_or_default().iter().copied().collect());
    // Single letters are units or initials, and the longest stop words are short.
    (2..=16).contains(&word.len()) && words.contains(word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyzer, Document, Tag};

    fn cores(text: &str) -> Vec<&str> {
        let document = Document::plain("t", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
        layers.terms(text).into_iter().map(|term| term.core.of(text)).collect()
    }

    #[test]
    fn drops_stop_words_at_the_ends() {
        assert_eq!(cores("The old man had his own house in New York."), ["old man", "house", "New York"]);
        assert_eq!(cores("Ana's mother died of a heart attack."), ["Ana", "mother", "heart attack"]);
    }

    #[test]
    fn leaves_pronouns_alone() {
        assert!(cores("He said that they know it.").is_empty());
    }

    #[test]
    fn keeps_names_that_look_like_stop_words() {
        let text = "Will Smith";
        let mut layers = Layers::new(Language::English);
        for (tag, span) in [("NNP", Span::new(0, 4)), ("NNP", Span::new(5, 10))] {
            layers.tokens.push(Token { span, tag: Tag::from_name(tag).unwrap() });
        }
        layers.noun_phrases.push(Span::new(0, 10));
        assert_eq!(layers.terms(text)[0].core.of(text), text);
        layers.tokens[0].tag = Tag::from_name("MD").unwrap();
        assert_eq!(layers.terms(text)[0].core.of(text), text);
    }
}
