//! Tokens of a labeller: finer than those of the tagger, so that no gold span ends inside one.

use crate::Span;

/// Runs of letters, runs of digits (`Nº` apart from a word that it is glued to), and every other sign for itself; blanks are none.
///
/// ```
/// use reticent_text::Span;
/// use reticent_text::label::segment;
/// let text = "Tel. 12-34b";
/// let tokens: Vec<&str> = segment(text, Span::new(0, text.len())).iter().map(|token| token.of(text)).collect();
/// assert_eq!(tokens, ["Tel", ".", "12", "-", "34", "b"]);
/// ```
#[must_use]
pub fn segment(text: &str, within: Span) -> Vec<Span> {
    let mut tokens: Vec<Span> = Vec::new();
    let mut open: Option<(usize, Class)> = None;
    let mut close = |open: &mut Option<(usize, Class)>, end: usize| {
        if let Some((start, _)) = open.take() {
            tokens.push(Span::new(start, end));
        }
    };
    let mut before = ' ';
    for (at, c) in within.of(text).char_indices() {
        let at = within.start + at;
        let class = Class::of(c);
        // `Nº` begins a token of its own where a blank before it was forgotten.
        let is_numero = c == 'N' && before.is_lowercase() && text[at + 1..].starts_with('º');
        before = c;
        let goes_on = open.is_some_and(|(start, open)| {
            (open == class && matches!(class, Class::Letter | Class::Digit) || class == Class::Mark)
                && at - start < LONGEST
                && !is_numero
        });
        if !goes_on {
            close(&mut open, at);
            open = (class != Class::Blank).then_some((at, class));
        }
    }
    close(&mut open, within.end);
    tokens
}

/// A token does not grow longer, so that hostile text costs no more than any other.
const LONGEST: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Mark,
    Blank,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Self::Letter,
            '0'..='9' => Self::Digit,
            _ if c.is_ascii() && !c.is_ascii_whitespace() && !c.is_ascii_control() => Self::Other,
            _ if c.is_whitespace() || c.is_control() => Self::Blank,
            '\u{300}'..='\u{36f}' => Self::Mark,
            _ if c.is_alphabetic() && !matches!(c, 'º' | 'ª') => Self::Letter,
            _ if c.is_numeric() => Self::Digit,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<&str> {
        segment(text, Span::new(0, text.len())).iter().map(|token| token.of(text)).collect()
    }

    #[test]
    fn splits_what_tokenizers_keep_together() {
        assert_eq!(
            words("c/ del Abedul 5-7, 2º dcha"),
            ["c", "/", "del", "Abedul", "5", "-", "7", ",", "2", "º", "dcha"]
        );
        assert_eq!(words("Ana IzaNºCol: 28"), ["Ana", "Iza", "N", "º", "Col", ":", "28"]);
        assert_eq!(words("IzaNCol CNº UNO"), ["IzaNCol", "CN", "º", "UNO"]);
        assert_eq!(words("J. O’Brien"), ["J", ".", "O", "’", "Brien"]);
    }

    #[test]
    fn keeps_letters_with_their_marks() {
        assert_eq!(words("Jose\u{301} ñu"), ["Jose\u{301}", "ñu"]);
    }

    #[test]
    fn cuts_what_is_too_long() {
        assert_eq!(words(&"a".repeat(10_000)).len(), 40);
    }

    proptest! {
        #[test]
        fn covers_all_but_blanks(text in "\\PC{0,60}") {
            let kept: String = words(&text).concat();
            let meant: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
            prop_assert_eq!(kept, meant);
        }
    }
}
