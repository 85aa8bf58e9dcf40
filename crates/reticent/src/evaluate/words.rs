//! Words as the reference scorer sees them: Python's `\w+`.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;
use regex_syntax::hir::{Class, HirKind};

/// Letters, numbers and the underscore. Unlike the `\w` of Rust's expressions, marks are none.
pub(crate) fn is_word_char(c: char) -> bool {
    static RANGES: OnceLock<Vec<(char, char)>> = OnceLock::new();
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    within(RANGES.get_or_init(|| ranges(r"[\p{L}\p{N}]")), c)
}

fn is_title_case(c: char) -> bool {
    static RANGES: OnceLock<Vec<(char, char)>> = OnceLock::new();
    !c.is_ascii() && within(RANGES.get_or_init(|| ranges(r"\p{Lt}")), c)
}

/// Python's `\d`: decimal digits of any script.
pub(crate) fn is_decimal_number(c: char) -> bool {
    static RANGES: OnceLock<Vec<(char, char)>> = OnceLock::new();
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    within(RANGES.get_or_init(|| ranges(r"\p{Nd}")), c)
}

fn ranges(class: &str) -> Vec<(char, char)> {
    let parsed = regex_syntax::parse(class).map(regex_syntax::hir::Hir::into_kind);
    let Ok(HirKind::Class(Class::Unicode(class))) = parsed else { return Vec::new() };
    class.iter().map(|range| (range.start(), range.end())).collect()
}

fn within(ranges: &[(char, char)], c: char) -> bool {
    let after = ranges.partition_point(|(start, _)| *start <= c);
    after > 0 && c <= ranges[after - 1].1
}

/// The words of a text, in order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word_char(c)).filter(|word| !word.is_empty())
}

/// Whether a word is written in capitals: at least one, and no small letter. Digits do not matter.
pub(crate) fn is_upper(word: &str) -> bool {
    let mut capital = false;
    for c in word.chars() {
        if c.is_lowercase() || is_title_case(c) {
            return false;
        }
        capital |= c.is_uppercase();
    }
    capital
}

/// A placeholder such as PERSON: in capitals, and longer than an abbreviation.
pub(crate) fn is_placeholder(word: &str) -> bool {
    word.chars().count() > 4 && is_upper(word)
}

/// Bracketed placeholders such as `[PERSON 1]` or `[DATE]`, three asterisks, and blacked-out text.
static PLACEHOLDER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[[A-Z][A-Z_ -]*\d*\]|\*\*\*|█+").expect("a valid expression"));

/// The text with a space in the place of each placeholder. Other bracketed text stays: `[sic]`, `[Smith]`, `[12]`.
pub(crate) fn without_placeholders(text: &str) -> Cow<'_, str> {
    PLACEHOLDER.replace_all(text, " ")
}

/// Where the words of a text begin, for questions about spans in code points.
pub(crate) struct WordPlaces {
    /// For each code point, whether it belongs to a word.
    in_word: Vec<bool>,
}

/// Which code points begin a word in any of some spans, and how many words of the text begin before each.
pub(crate) struct Covered {
    begins: Vec<bool>,
    before: Vec<u32>,
}

impl WordPlaces {
    pub(crate) fn new(text: &str) -> Self {
        Self { in_word: text.chars().map(is_word_char).collect() }
    }

    /// How many code points the text has.
    pub(crate) fn len(&self) -> usize {
        self.in_word.len()
    }

    /// Whether a word of the text begins here.
    fn begins(&self, at: usize) -> bool {
        self.in_word[at] && (at == 0 || !self.in_word[at - 1])
    }

    /// Whether a span has something of a word at its very start. A span that begins within a word has the
    /// rest of it as its first word.
    fn starts_with_word(&self, (start, end): (usize, usize)) -> bool {
        start < end && self.in_word[start]
    }

    /// The words in any of these spans, in time linear in the text and the number of spans. Spans lie in
    /// the text.
    pub(crate) fn cover(&self, spans: impl Iterator<Item = (usize, usize)>) -> Covered {
        let mut begins = vec![false; self.len()];
        let mut change = vec![0_i64; self.len() + 1];
        for (start, end) in spans.filter(|(start, end)| start < end) {
            begins[start] |= self.in_word[start];
            change[start + 1] += 1;
            change[end] -= 1;
        }
        let mut before = Vec::with_capacity(self.len() + 1);
        let (mut depth, mut count) = (0, 0);
        before.push(0);
        for at in 0..self.len() {
            depth += change[at];
            if self.begins(at) {
                begins[at] |= depth > 0;
                count += u32::from(begins[at]);
            }
            before.push(count);
        }
        Covered { begins, before }
    }

    /// Whether a span has any word, or a part of one.
    pub(crate) fn has_word(&self, (start, end): (usize, usize)) -> bool {
        self.in_word[start..end].contains(&true)
    }

    /// Whether any word of the span is among the covered ones.
    pub(crate) fn any(&self, span: (usize, usize), covered: &Covered) -> bool {
        let (start, end) = span;
        start < end
            && ((self.starts_with_word(span) && covered.begins[start])
                || covered.before[end] > covered.before[start + 1])
    }

    /// Whether all words of the span are among the covered ones; `all` covers the whole text.
    pub(crate) fn all(&self, span: (usize, usize), covered: &Covered, all: &Covered) -> bool {
        let (start, end) = span;
        start >= end
            || ((!self.starts_with_word(span) || covered.begins[start])
                && covered.before[end] - covered.before[start + 1] == all.before[end] - all.before[start + 1])
    }
}

impl Covered {
    /// How many words are in both, only in this one, and only in the other.
    pub(crate) fn compare(&self, other: &Self) -> (usize, usize, usize) {
        self.begins.iter().zip(&other.begins).fold((0, 0, 0), |(both, this, that), (&a, &b)| {
            (both + usize::from(a && b), this + usize::from(a && !b), that + usize::from(b && !a))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_letters_numbers_and_underscores() {
        assert_eq!(
            words("It's ½ of a_b, x² — né").collect::<Vec<_>>(),
            ["It", "s", "½", "of", "a_b", "x²", "né"]
        );
        // A combining accent and a circled letter are no word characters in Python, though Rust's \w has them.
        assert_eq!(words("e\u{301}a").collect::<Vec<_>>(), ["e", "a"]);
        assert!(!is_word_char('Ⓐ') && !is_word_char('\u{200d}') && !is_word_char('‿'));
    }

    #[test]
    fn capitals_are_those_of_python() {
        assert!(is_upper("PERSON") && is_upper("COVID19") && is_upper("ÉTÉ"));
        assert!(!is_upper("2024") && !is_upper("McCOY") && !is_upper("ǅA") && !is_upper(""));
    }

    #[test]
    fn abbreviations_are_no_placeholders() {
        assert!(is_placeholder("PERSON") && is_placeholder("SENSITIVE"));
        assert!(
            !is_placeholder("HIV")
                && !is_placeholder("NATO")
                && !is_placeholder("Person")
                && !is_placeholder("12345")
        );
    }

    #[test]
    fn only_placeholders_are_left_out_of_a_text() {
        for (text, left) in [
            ("[PERSON 1] met [DATE]", "  met  "),
            ("[A_B-C D٣]***██", "   "),
            ("x [PERSON][DATE_TIME 12] y", "x    y"),
        ] {
            assert_eq!(without_placeholders(text), left);
        }
        for other in
            ["[sic]", "[Smith]", "[12]", "[]", "[PERSON 1", "PERSON 1", "**", "[PERSON 1 A]", "[É]", "[ A]"]
        {
            assert_eq!(without_placeholders(other), other);
        }
    }

    fn plain(text: &[char], (start, end): (usize, usize)) -> BTreeSet<usize> {
        (start..end)
            .filter(|&at| is_word_char(text[at]) && (at == start || !is_word_char(text[at - 1])))
            .collect()
    }

    proptest! {
        #[test]
        fn answers_are_those_of_sets(
            text in "[ab é.]{1,20}",
            places in prop::collection::vec((0..20usize, 0..20usize), 0..6),
            asked in (0..20usize, 0..20usize),
        ) {
            let chars: Vec<char> = text.chars().collect();
            let span = |(a, b): (usize, usize)| (a.min(b).min(chars.len()), a.max(b).min(chars.len()));
            let spans: Vec<(usize, usize)> = places.into_iter().map(span).collect();
            let asked = span(asked);
            let set: BTreeSet<usize> = spans.iter().flat_map(|one| plain(&chars, *one)).collect();
            let own = plain(&chars, asked);

            let places = WordPlaces::new(&text);
            let covered = places.cover(spans.iter().copied());
            let all = places.cover(std::iter::once((0, chars.len())));
            prop_assert_eq!(places.any(asked, &covered), !own.is_disjoint(&set));
            prop_assert_eq!(places.all(asked, &covered, &all), own.is_subset(&set));
            prop_assert_eq!(places.has_word(asked), !own.is_empty());
            let other = places.cover(std::iter::once(asked));
            let counts = (set.intersection(&own).count(), set.difference(&own).count(), own.difference(&set).count());
            prop_assert_eq!(covered.compare(&other), counts);
        }
    }
}
