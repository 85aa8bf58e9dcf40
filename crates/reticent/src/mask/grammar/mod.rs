//! Makes a replacement fit its sentence.
//!
//! `born on July 3, 1962` becomes `born in the 1960s`, `an American actor` becomes `a performer`,
//! and what is suppressed leaves no doubled space and no empty brackets. For that a replacement may
//! take in one word to its left, with the white space between, and one sign and one space to its right;
//! nothing else of the text changes.

mod around;
mod bounds;
mod english;
mod singular;
mod sound;
mod spanish;
mod suppress;

use reticent_text::Span;

use super::Language;
use super::date::names::capitalized;
use super::date::{Says, says};
use around::{Around, Left};
pub(crate) use singular::singular;
pub(crate) use sound::starts_with_vowel_sound;

/// A replacement that fits: what to write, and over which stretch.
#[derive(Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The stretch to replace; holds the one that was asked for.
    pub span: Span,
    /// What to write there.
    pub replacement: String,
}

/// Shows where, not what: the replacement may hold words of the document.
impl std::fmt::Debug for Fitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fitted").field("span", &self.span).finish_non_exhaustive()
    }
}

/// Fits `rung_text` into `text` in place of `span`. An empty text suppresses.
///
/// ```
/// use reticent::mask::{Language, fit};
/// use reticent_text::Span;
/// let text = "She was born on July 3, 1962, in Cork.";
/// let fitted = fit(text, Span::new(16, 28), "the 1960s", Language::English);
/// assert_eq!(fitted.span.of(text), "on July 3, 1962");
/// assert_eq!(fitted.replacement, "in the 1960s");
/// ```
pub fn fit(text: &str, span: Span, rung_text: &str, language: Language) -> Fitted {
    if !span.fits(text) {
        return Fitted { span, replacement: rung_text.to_owned() };
    }
    // What stands there already fits.
    if span.of(text) == rung_text {
        return Fitted { span, replacement: rung_text.to_owned() };
    }
    let around = Around::new(text, span);
    if rung_text.is_empty() {
        return suppress::suppress(&around, language);
    }
    let mut draft = Draft { left: Change::Keep, words: rung_text.to_owned() };
    if !rung_text.starts_with('[') {
        if says(around.surface(), language).is_none()
            && let Some(bound) = bounds::bound(&around, rung_text, language)
        {
            draft.words = bound;
        }
        match language {
            Language::English => english::adapt(&around, &mut draft),
            Language::Spanish => spanish::adapt(&around, &mut draft),
            Language::Other => {}
        }
        drop_doubled(&around, &mut draft, language);
    }
    if language == Language::English {
        english::agree_article(&around, &mut draft);
    }
    if around.ends_sentence_with_abbreviation() && !draft.words.ends_with('.') {
        draft.words.push('.');
    }
    draft.finish(&around, language)
}

/// What happens to the word on the left.
#[derive(Clone, PartialEq, Eq)]
enum Change {
    Keep,
    Drop,
    Replace(String),
}

/// A replacement in the making.
struct Draft {
    left: Change,
    words: String,
}

impl Draft {
    /// The word that will stand before the replacement, in small letters.
    fn left_word(&self, around: &Around<'_>) -> Option<String> {
        match &self.left {
            Change::Keep => around.left.as_ref().map(Left::lower),
            Change::Replace(word) => word.rsplit(' ').next().map(str::to_lowercase),
            Change::Drop => None,
        }
    }

    fn first_word(&self) -> &str {
        self.words.split(' ').next().unwrap_or_default()
    }

    /// Takes the first word off, if others remain.
    fn drop_first_word(&mut self) {
        if let Some((_, rest)) = self.words.split_once(' ') {
            self.words = rest.to_owned();
        }
    }

    fn finish(self, around: &Around<'_>, language: Language) -> Fitted {
        let span = around.span;
        let capital = |words: String| if words.starts_with('[') { words } else { capitalized(&words) };
        let starts = language != Language::Other && around.starts_sentence();
        match (self.left, &around.left) {
            (Change::Keep, _) | (_, None) => {
                Fitted { span, replacement: if starts { capital(self.words) } else { self.words } }
            }
            (Change::Drop, Some(left)) => {
                let replacement = if left.is_capitalized() { capital(self.words) } else { self.words };
                Fitted { span: Span::new(left.start, span.end), replacement }
            }
            (Change::Replace(word), Some(left)) => {
                let word = if left.is_capitalized() { capitalized(&word) } else { word };
                let replacement = format!("{word}{}{}", left.gap, self.words);
                Fitted { span: Span::new(left.start, span.end), replacement }
            }
        }
    }
}

/// Says no function word twice: `about about`, `the the`.
fn drop_doubled(around: &Around<'_>, draft: &mut Draft, language: Language) {
    let is_function = |word: &str| match language {
        Language::English => english::FUNCTION_WORDS.contains(&word),
        Language::Spanish => spanish::FUNCTION_WORDS.contains(&word),
        Language::Other => false,
    };
    while draft.words.contains(' ')
        && let Some(left) = draft.left_word(around)
        && is_function(&left)
        && draft.first_word().to_lowercase() == left
    {
        draft.drop_first_word();
    }
    if let Some((rest, last)) = draft.words.rsplit_once(' ')
        && is_function(last)
        && around.right_word().is_some_and(|right| right.to_lowercase() == last)
    {
        draft.words = rest.to_owned();
    }
}

/// Whether a day is told by something longer (`July 3, 1962` by `1962`).
fn is_lengthened(around: &Around<'_>, words: &str, language: Language) -> bool {
    says(around.surface(), language) == Some(Says::Day) && is_coarser_date(around, words, language)
}

/// Whether a date is told by a longer one, within which it lies.
fn is_coarser_date(around: &Around<'_>, words: &str, language: Language) -> bool {
    match (says(around.surface(), language), says(words, language)) {
        (Some(Says::Day), Some(Says::Longer(_))) => true,
        (Some(Says::Longer(from)), Some(Says::Longer(to))) => from < to,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
