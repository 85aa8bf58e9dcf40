//! Single signs: which ASCII sign one stands for.

use std::sync::OnceLock;

use regex_syntax::hir::{Class, HirKind};
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

/// The plain form of a sign.
#[derive(Clone, Copy)]
pub(super) enum Plain {
    /// It stands for itself.
    Same,
    /// It is not seen.
    Nothing,
    /// One other sign.
    One(char),
    /// Its compatibility decomposition: a ligature, a circled or squared sign.
    Decomposed,
}

impl Plain {
    pub(super) fn write(self, c: char, out: &mut String) {
        match self {
            Self::Same => out.push(c),
            Self::Nothing => {}
            Self::One(one) => out.push(one),
            Self::Decomposed => out.extend(c.nfkc()),
        }
    }
}

/// The plain form of a sign, by itself.
pub(super) fn plain(c: char) -> Plain {
    if c.is_ascii() {
        return Plain::Same;
    }
    if is_ignorable(c) {
        return Plain::Nothing;
    }
    match c {
        '\u{85}' | '\u{2028}' | '\u{2029}' => return Plain::One('\n'),
        '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
            return Plain::One('-');
        }
        // Signs with a meaning of their own, and ordinals.
        '™' | '℠' | '№' | '…' | '‥' | 'ª' | 'º' => return Plain::Same,
        _ if c.is_whitespace() => return Plain::One(' '),
        _ => {}
    }
    if let Some(digit) = digit(c) {
        return Plain::One(digit);
    }
    let mut decomposed = c.nfkc();
    match (decomposed.next(), decomposed.next()) {
        (Some(one), None) if one.is_ascii_graphic() => Plain::One(one),
        // Several signs that are not one word, such as (1), would become several tokens at one place.
        (Some(first), Some(second)) if first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric() => {
            if decomposed.all(|c| c.is_ascii_alphanumeric()) {
                Plain::Decomposed
            } else {
                Plain::Same
            }
        }
        _ => Plain::Same,
    }
}

/// The ASCII letter or digit that a letter of another script looks like, by the confusables of Unicode TR39.
pub(super) fn homoglyph(c: char) -> Option<char> {
    let text = c.encode_utf8(&mut [0; 4]).to_owned();
    let mut skeleton = skeleton(&text);
    let twin = skeleton.next().filter(|twin| twin.is_ascii_alphanumeric() && skeleton.next().is_none())?;
    // The tables take capital I, small l and 1 for one sign, and write it as l.
    Some(if twin == 'l' && c.is_uppercase() { 'I' } else { twin })
}

/// Whether a letter is Latin, perhaps with marks, or written as one by compatibility.
pub(super) fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
        || (!c.is_ascii()
            && c.is_alphabetic()
            && c.nfkd().next().is_some_and(|base| base.is_ascii_alphabetic()))
        || matches!(
            c,
            'æ' | 'Æ'
                | 'ø'
                | 'Ø'
                | 'ß'
                | 'ð'
                | 'Ð'
                | 'þ'
                | 'Þ'
                | 'ł'
                | 'Ł'
                | 'đ'
                | 'Đ'
                | 'ħ'
                | 'Ħ'
                | 'œ'
                | 'Œ'
        )
}

/// Format signs, joiners, variation selectors and fillers: Unicode's default ignorable code points.
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Signs that combine with the letter before them.
pub(super) fn is_combining(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c) && !is_ignorable(c)
}

/// Dashes that may stand for a hyphen in a number.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '\u{2013}'..='\u{2015}')
}

/// Raised and lowered digits and letters.
pub(super) fn is_raised(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '\u{2b0}'..='\u{2b8}' | '\u{1d2c}'..='\u{1d6a}' | '\u{2070}'..='\u{209c}')
}

/// Any decimal digit.
pub(super) fn is_digit(c: char) -> bool {
    digit(c).is_some()
}

/// The ASCII digit of a decimal digit of any script.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    if !c.is_numeric() {
        return None;
    }
    let ranges = decimal_digits();
    let (start, _) =
        ranges[..ranges.partition_point(|(start, _)| *start <= c)].last().filter(|(_, end)| c <= *end)?;
    // Every range of decimal digits has a whole number of sets from 0 to 9.
    char::from_digit((u32::from(c) - u32::from(*start)) % 10, 10)
}

/// The ranges of Unicode's decimal digits, which no other dependency maps to values.
fn decimal_digits() -> &'static [(char, char)] {
    static RANGES: OnceLock<Vec<(char, char)>> = OnceLock::new();
    RANGES.get_or_init(|| match regex_syntax::parse(r"\p{Nd}").map(|hir| hir.kind().clone()) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        _ => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_a_value() {
        let ranges = decimal_digits();
        assert!(ranges.len() > 50);
        for (start, end) in ranges {
            assert_eq!((u32::from(*end) - u32::from(*start) + 1) % 10, 0, "{start:?}");
        }
        for (c, value) in [('٤', '4'), ('४', '4'), ('９', '9'), ('𝟛', '3'), ('７', '7')] {
            assert_eq!(digit(c), Some(value));
        }
        assert_eq!(digit('½'), None);
    }

    #[test]
    fn homoglyphs_are_letters_that_look_alike() {
        for (c, twin) in [('а', 'a'), ('о', 'o'), ('Ѕ', 'S'), ('Ι', 'I'), ('І', 'I'), ('ν', 'v'), ('р', 'p')]
        {
            assert_eq!(homoglyph(c), Some(twin), "{c}");
        }
        for c in ['é', 'ж', 'ß', 'ø', '中'] {
            assert_eq!(homoglyph(c), None, "{c}");
        }
    }
}
