//! Where the same words stand again.
//!
//! Words are compared without case, and white space between them does not matter, so that
//! `JOHN  SMITH` is found when `John Smith` was masked. Very short words are compared with their
//! case (`US` is not `us`), and numbers of less than four digits are not searched for at all: 45 as
//! an age says nothing about 45 mg. A name that nothing could place is compared with its case too.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};

use reticent_text::{Folded, Span, fold};

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
///
/// The search takes time linear in the text, however many surfaces there are and however often one stands there: the
/// words of the text are hashed as they pass, and windows of as many words as some surface has are looked up.
pub(crate) struct Surfaces<'s> {
    forms: Vec<Surface<'s>>,
    /// Which forms have a hash, by their number of words.
    by_length: Vec<Lengthy>,
}

/// A form as it is searched for.
struct Surface<'s> {
    words: Cow<'s, str>,
    exact: bool,
    /// Its first place among the forms that were given.
    index: usize,
}

/// The forms that have a number of words.
struct Lengthy {
    words: usize,
    /// The weight of the first word in the hash of a window.
    weight: u64,
    forms: HashMap<u64, Vec<usize>>,
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'s> Surfaces<'s> {
    /// Prepares all distinctive forms; the index of each is its first place in `forms`.
    pub(crate) fn new(forms: impl IntoIterator<Item = Form<'s>>) -> Self {
        let mut by_length: BTreeMap<usize, HashMap<u64, Vec<usize>>> = BTreeMap::new();
        // Mentions repeat their words: looking for each once keeps the search linear, and its memory small.
        let mut seen: HashSet<(&str, bool)> = HashSet::new();
        let mut distinct = Vec::new();
        for (index, form) in forms.into_iter().enumerate() {
            if !seen.insert((form.words, form.exact)) {
                continue;
            }
            let words_of = fold(form.words);
            if !is_distinctive(&words_of) {
                continue;
            }
            let mut passed = Passed::default();
            words(&words_of).for_each(|word| passed.push(&words_of, word, usize::MAX));
            let count = passed.words.len();
            if count > 0 {
                let hash = passed.hash(count, weight(count));
                let alike = by_length.entry(count).or_default().entry(hash).or_default();
                let known = |at: &usize| {
                    let known: &Surface<'_> = &distinct[*at];
                    known.words == words_of && known.exact == form.exact
                };
                if !alike.iter().any(known) {
                    alike.push(distinct.len());
                    distinct.push(Surface { words: words_of, exact: form.exact, index });
                }
            }
        }
        let by_length =
            by_length.into_iter().map(|(words, forms)| Lengthy { words, weight: weight(words), forms });
        let by_length = by_length.collect();
        Self { forms: distinct, by_length }
    }

    /// Every place of `text` where one of them stands, with its index.
    pub(crate) fn find(&self, text: &str) -> Vec<(usize, Span)> {
        let Some(longest) = self.by_length.last().map(|lengthy| lengthy.words) else { return Vec::new() };
        let folded = Folded::new(text);
        let text = folded.as_ref().map_or(text, Folded::text);
        let mut found = Vec::new();
        let mut passed = Passed::default();
        for word in words(text) {
            passed.push(text, word, longest);
            for lengthy in self.by_length.iter().take_while(|lengthy| lengthy.words <= passed.words.len()) {
                let Some(candidates) = lengthy.forms.get(&passed.hash(lengthy.words, lengthy.weight)) else {
                    continue;
                };
                let first = passed.words[passed.words.len() - lengthy.words].span;
                let here = Span::new(first.start, word.end);
                let candidates = candidates.iter().map(|candidate| &self.forms[*candidate]);
                let same = candidates.filter(|form| form.is(here.of(text)));
                found.extend(same.map(|form| (form.index, here)));
            }
        }
        if let Some(folded) = &folded {
            for (_, span) in &mut found {
                *span = folded.original(*span);
            }
        }
        found.sort_by_key(|(index, span)| (span.start, *index));
        found
    }
}

/// The last words of a text, with what is needed to hash any number of them.
#[derive(Default)]
struct Passed {
    words: VecDeque<PassedWord>,
}

struct PassedWord {
    span: Span,
    hash: u64,
    /// The hash of everything up to this word, gaps included.
    whole: u64,
}

impl Passed {
    fn push(&mut self, text: &str, span: Span, most: usize) {
        let hash = fold_hash(span.of(text));
        let whole = self.words.back().map_or(0, |last| {
            let gap = gap_hash(&text[last.span.end..span.start]);
            last.whole.wrapping_mul(BASE).wrapping_add(hash.rotate_left(7) ^ gap)
        });
        // One more than the longest window: the hash of a window is a difference.
        if self.words.len() > most {
            self.words.pop_front();
        }
        self.words.push_back(PassedWord { span, hash, whole });
    }

    /// The hash of the last `count` words and the gaps between them.
    fn hash(&self, count: usize, weight: u64) -> u64 {
        let first = &self.words[self.words.len() - count];
        let last = &self.words[self.words.len() - 1];
        let rest = last.whole.wrapping_sub(first.whole.wrapping_mul(weight));
        rest.wrapping_add(first.hash.wrapping_mul(weight))
    }
}

/// The weight of the first of `count` words.
fn weight(count: usize) -> u64 {
    (1..count).fold(1, |weight: u64, _| weight.wrapping_mul(BASE))
}

impl Surface<'_> {
    /// Whether this text has the same words, with the same between them.
    fn is(&self, text: &str) -> bool {
        let (mut wanted, mut here) = (words(&self.words), words(text));
        let single = words(&self.words).nth(1).is_none();
        let mut last: Option<(Span, Span)> = None;
        loop {
            let (a, b) = match (wanted.next(), here.next()) {
                (Some(a), Some(b)) => (a, b),
                (None, None) => return last.is_some(),
                _ => return false,
            };
            let (word, found) = (a.of(&self.words), b.of(text));
            let short = single && word.chars().count() <= 3;
            let same = if self.exact || short { word == found } else { same_letters(word, found) };
            let gaps = last.is_none_or(|(before, there)| {
                same_gap(&self.words[before.end..a.start], &text[there.end..b.start])
            });
            if !same || !gaps {
                return false;
            }
            last = Some((a, b));
        }
    }
}

/// Between two words: the same signs, or both only what may stand inside a name.
fn same_gap(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace()) || (is_loose(a) && is_loose(b))
}

/// What may stand inside a name.
fn is_loose(gap: &str) -> bool {
    gap.chars().filter(|c| !c.is_whitespace()).count() <= 1
        && gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '_' | '.' | '\'' | '’'))
}

/// The same for gaps that are the same.
fn gap_hash(gap: &str) -> u64 {
    if is_loose(gap) {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    for part in gap.split_whitespace() {
        hasher.write(part.as_bytes());
        hasher.write_u8(0xff);
    }
    hasher.finish()
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
            let text = format!("{before} {surface} {after}");
            // Signs at its ends may be folded with those beside them.
            prop_assume!(is_distinctive(&fold(&surface)) && fold(&text).contains(fold(&surface).as_ref()));
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
