//! Where the same words stand again.
//!
//! Words are compared without case, and white space between them does not matter, so that
//! `JOHN  SMITH` is found when `John Smith` was masked. Very short words are compared with their
//! case (`US` is not `us`), and numbers of less than four digits are not searched for at all: 45 as
//! an age says nothing about 45 mg. A name that nothing could place is compared with its case too.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher};

use reticent_text::Span;

use super::title::without_title;
use crate::EntityType;

/// The words of a text: runs of letters and digits with the marks that belong to them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = chars.find(|(_, c)| c.is_alphanumeric())?;
        let mut end = text.len();
        while let Some((at, c)) = chars.peek() {
            if !c.is_alphanumeric() && !is_mark(*c) {
                end = *at;
                break;
            }
            chars.next();
        }
        Some(Span::new(start, end))
    })
}

/// Combining marks and joiners, which belong to the word before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{65f}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{1ab0}'..='\u{1aff}' | '\u{200c}' | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// The words of a text, without case and with one space between them: the same for the same name.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        let word = word.of(text);
        if word.is_ascii() {
            let start = out.len();
            out.push_str(word);
            out[start..].make_ascii_lowercase();
        } else {
            out.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    if out.is_empty() { text.to_owned() } else { out }
}

/// Whether finding these words again means finding the same thing.
pub(crate) fn is_distinctive(surface: &str) -> bool {
    let (mut letters, mut digits) = (0, 0);
    for c in surface.chars() {
        letters += usize::from(c.is_alphabetic());
        digits += usize::from(c.is_numeric());
    }
    letters >= 2 || digits >= 4 || (letters == 1 && digits >= 2)
}

/// Words to look for.
#[derive(Clone, Copy)]
pub(crate) struct Form<'s> {
    /// The words.
    pub(crate) words: &'s str,
    /// Whether case matters.
    pub(crate) exact: bool,
}

impl<'s> Form<'s> {
    /// Words of an entity; a person's without titles. Of a name that nothing could place, only the capitals made a name.
    pub(crate) fn of(words: &'s str, entity_type: &EntityType) -> Self {
        let words = if *entity_type == EntityType::PERSON { without_title(words) } else { words };
        Self { words, exact: *entity_type == EntityType::NAME }
    }
}

/// Surfaces to look for, prepared once.
pub(crate) struct Surfaces<'s> {
    forms: Vec<Form<'s>>,
    spans: Vec<Vec<Span>>,
    by_first: HashMap<u64, Vec<usize>>,
}

impl<'s> Surfaces<'s> {
    /// Prepares all distinctive forms; the index of each is its first place in `forms`.
    pub(crate) fn new(forms: impl IntoIterator<Item = Form<'s>>) -> Self {
        let forms: Vec<Form<'_>> = forms.into_iter().collect();
        let spans: Vec<Vec<Span>> = forms.iter().map(|form| words(form.words).collect()).collect();
        let mut by_first: HashMap<u64, Vec<usize>> = HashMap::new();
        // Mentions repeat their words: looking for each once keeps the search linear.
        let mut seen = HashSet::new();
        for (index, (form, spans)) in forms.iter().zip(&spans).enumerate() {
            let new = is_distinctive(form.words) && seen.insert((form.words, form.exact));
            if let Some(first) = spans.first().filter(|_| new) {
                by_first.entry(fold_hash(first.of(form.words))).or_default().push(index);
            }
        }
        Self { forms, spans, by_first }
    }

    /// Every place of `text` where one of them stands, with its index.
    pub(crate) fn find(&self, text: &str) -> Vec<(usize, Span)> {
        let mut found = Vec::new();
        if self.by_first.is_empty() {
            return found;
        }
        let places: Vec<Span> = words(text).collect();
        for (at, place) in places.iter().enumerate() {
            let Some(candidates) = self.by_first.get(&fold_hash(place.of(text))) else { continue };
            for &index in candidates {
                let wanted = &self.spans[index];
                let Some(here) = places.get(at..at + wanted.len()) else { continue };
                if self.same(index, text, here) {
                    found.push((index, Span::new(place.start, here[here.len() - 1].end)));
                }
            }
        }
        found
    }

    fn same(&self, index: usize, text: &str, here: &[Span]) -> bool {
        let (Form { words: surface, exact }, wanted) = (self.forms[index], &self.spans[index]);
        let short = wanted.len() == 1 && wanted[0].of(surface).chars().count() <= 3;
        let same_words = wanted.iter().zip(here).all(|(a, b)| {
            let (a, b) = (a.of(surface), b.of(text));
            if exact || short { a == b } else { same_letters(a, b) }
        });
        same_words
            && wanted
                .windows(2)
                .zip(here.windows(2))
                .all(|(a, b)| same_gap(&surface[a[0].end..a[1].start], &text[b[0].end..b[1].start]))
    }
}

/// Between two words: the same signs, or both only what may stand inside a name.
fn same_gap(a: &str, b: &str) -> bool {
    let loose = |gap: &str| {
        gap.chars().filter(|c| !c.is_whitespace()).count() <= 1
            && gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '_' | '.' | '\'' | '’'))
    };
    a.split_whitespace().eq(b.split_whitespace()) || (loose(a) && loose(b))
}

fn fold_hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut small = [0; 64];
    match small.get_mut(..word.len()).filter(|_| word.is_ascii()) {
        Some(small) => {
            small.copy_from_slice(word.as_bytes());
            small.make_ascii_lowercase();
            hasher.write(small);
        }
        None => hasher.write(word.chars().flat_map(char::to_lowercase).collect::<String>().as_bytes()),
    }
    hasher.finish()
}

/// Whether two words are the same but for their case.
fn same_letters(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(surface: &str, text: &str) -> Vec<String> {
        let form = Form { words: surface, exact: false };
        Surfaces::new([form]).find(text).iter().map(|(_, span)| span.of(text).to_owned()).collect()
    }

    #[test]
    fn finds_the_same_words() {
        assert_eq!(found("John Smith", "JOHN  SMITH and john-smith"), ["JOHN  SMITH", "john-smith"]);
        assert_eq!(found("a.b@c.org", "write to A.B@C.ORG."), ["A.B@C.ORG"]);
        assert_eq!(found("Núñez", "NÚÑEZ"), ["NÚÑEZ"]);
        // A sign for a unit that is the letter in all but its number.
        assert_eq!(found("\u{212a}elvin", "kelvin"), ["kelvin"]);
        assert_eq!(found("1962", "in 1962."), ["1962"]);
    }

    #[test]
    fn leaves_other_words_alone() {
        assert!(found("Smith", "Smithson, blacksmith").is_empty());
        assert!(found("US", "let us go").is_empty());
        assert!(found("45", "45 mg").is_empty());
        assert!(found("John Smith", "John, Smith").is_empty());
        assert!(found("John Smith", "John (Smith)").is_empty());
    }

    proptest! {
        #[test]
        fn a_surface_is_found_in_itself(surface in "\\PC{0,12}", before in "\\PC{0,6}", after in "\\PC{0,6}") {
            prop_assume!(is_distinctive(&surface));
            let text = format!("{before} {surface} {after}");
            for exact in [false, true] {
                let found = Surfaces::new([Form { words: &surface, exact }]).find(&text);
                prop_assert!(!found.is_empty());
            }
        }

        #[test]
        fn words_lie_on_borders(text in "\\PC{0,40}") {
            for word in words(&text) {
                prop_assert!(word.fits(&text) && !word.is_empty());
            }
        }
    }
}
