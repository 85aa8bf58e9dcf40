//! A text as values are looked for in it: folded, in words that are compared without case, marks and endings.

use reticent_text::{Folded, Span};

use crate::resolve::surface::words;
use crate::table::lexicon::push_plain;

/// The folded view of a text.
pub(crate) struct View<'t> {
    original: &'t str,
    folded: Option<Folded>,
    /// The words without case and diacritics, one after the other.
    plain: String,
    ends: Vec<(Span, usize)>,
}

/// A word of a view.
#[derive(Clone, Copy)]
pub(crate) struct Token<'v> {
    pub(crate) span: Span,
    /// In small letters without diacritics.
    pub(crate) plain: &'v str,
    /// The same without its ending.
    pub(crate) stem: &'v str,
}

impl<'t> View<'t> {
    pub(crate) fn new(original: &'t str) -> Self {
        let folded = Folded::new(original);
        let mut view =
            Self { original, folded, plain: String::with_capacity(original.len()), ends: Vec::new() };
        let spans: Vec<Span> = words(view.text()).collect();
        view.ends.reserve(spans.len());
        let mut plain = std::mem::take(&mut view.plain);
        for span in spans {
            push_plain(span.of(view.text()), &mut plain);
            view.ends.push((span, plain.len()));
        }
        view.plain = plain;
        view
    }

    pub(crate) fn text(&self) -> &str {
        self.folded.as_ref().map_or(self.original, Folded::text)
    }

    /// A span of the view as one of the original.
    pub(crate) fn original(&self, span: Span) -> Span {
        self.folded.as_ref().map_or(span, |folded| folded.original(span))
    }

    pub(crate) fn tokens(&self) -> Vec<Token<'_>> {
        let mut start = 0;
        let token = |(span, end): &(Span, usize)| {
            let plain = &self.plain[start..*end];
            start = *end;
            Token { span: *span, plain, stem: stem(plain) }
        };
        self.ends.iter().map(token).collect()
    }
}

/// A word without the ending of its number and gender: `nurses` and `nurse`, `casada` and `casado`.
///
/// The word has small letters only. Two words that differ in more than that may fall together: what is found is the
/// person's own value in that case, and is not told either.
pub(crate) fn stem(word: &str) -> &str {
    if !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    let mut stem = word;
    if stem.len() >= 4
        && let Some(rest) = stem.strip_suffix('s')
        && !rest.ends_with(['s', 'u', 'i'])
    {
        stem = rest;
        // `companies` and `company` end in what is left out for both.
        if let Some(rest) = stem.strip_suffix("ie").filter(|rest| rest.len() >= 3) {
            return rest;
        }
    }
    if stem.len() >= 5 && stem.ends_with(['e', 'o', 'a', 'y']) {
        stem = &stem[..stem.len() - 1];
    }
    stem
}

/// The stems of the words of a value.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let folded = reticent_text::fold(text);
    let mut plain = String::new();
    let of = |span: Span| {
        plain.clear();
        push_plain(span.of(&folded), &mut plain);
        stem(&plain).to_owned()
    };
    words(&folded).map(of).collect()
}

/// Whether words with this between them may be one value: `Zurich, Switzerland`, `self-employed`.
pub(crate) fn is_gap(gap: &str) -> bool {
    gap.chars().count() <= 3 && !gap.contains("\n\n") && !gap.contains(['!', '?', ';', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in [
            ("Nurse", "nurses"),
            ("Casado", "casadas"),
            ("Company", "companies"),
            ("Zürich", "zurich"),
            ("Teacher", "TEACHERS"),
            ("doctor", "doctores"),
            ("married", "Married"),
        ] {
            assert_eq!(stems(one), stems(other), "{one} {other}");
        }
    }

    #[test]
    fn other_words_have_others() {
        for (one, other) in
            [("Lyon", "lions"), ("nurse", "nursing"), ("Paris", "Parma"), ("E11", "E12"), ("bus", "bu")]
        {
            assert_ne!(stems(one), stems(other), "{one} {other}");
        }
    }
}
