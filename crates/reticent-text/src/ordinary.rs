//! Words that are hardly ever names: a capital on one of them comes from its place (the start of a
//! sentence, a heading), not from what it means.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::Language;

type Words = LazyLock<HashSet<&'static str>>;

static ENGLISH: Words = LazyLock::new(|| include_str!("../models/english-ordinary.txt").lines().collect());
static SPANISH: Words = LazyLock::new(|| include_str!("../models/spanish-ordinary.txt").lines().collect());

/// Returns whether a word is hardly ever a name, as far as our texts tell. Nothing is known of other
/// languages.
///
/// ```
/// use reticent_text::{Language, is_ordinary};
/// assert!(is_ordinary("Yesterday", Language::English));
/// assert!(!is_ordinary("Baker", Language::English));
/// ```
#[must_use]
pub fn is_ordinary(word: &str, language: Language) -> bool {
    let words = match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
        Language::Other => return false,
    };
    words.contains(word.to_lowercase().as_str())
}
