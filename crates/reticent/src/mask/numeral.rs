//! Numbers below a hundred in words: `forty-five`, `cincuenta y tres`.

use super::Language;
use super::scan::{Token, is_dash};

const ENGLISH: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SPANISH: [&str; 30] = [
    "cero",
    "un",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiún",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
];
const SPANISH_TENS: [&str; 7] =
    ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"];

/// The number that starts at token `i`: its last token, and what it is. Without a language, both are
/// tried.
pub(crate) fn read(tokens: &[Token], i: usize, language: Option<Language>) -> Option<(usize, u32)> {
    let found = match language {
        Some(Language::English) => english(tokens, i),
        Some(Language::Spanish) => spanish(tokens, i),
        Some(Language::Other) => None,
        None => english(tokens, i).or_else(|| spanish(tokens, i)),
    };
    found.and_then(|(last, value)| Some((last, u32::try_from(value).ok()?)))
}

fn word(tokens: &[Token], i: usize) -> Option<&str> {
    tokens.get(i).and_then(Token::word)
}

fn place(list: &[&str], word: &str) -> Option<usize> {
    list.iter().position(|known| *known == word)
}

/// The number that one English word says: `twelve`, `fifty`.
pub(crate) fn english_word(word: &str) -> Option<usize> {
    place(&ENGLISH, word).or_else(|| Some(place(&ENGLISH_TENS, word)? * 10 + 20))
}

fn english(tokens: &[Token], i: usize) -> Option<(usize, usize)> {
    let first = word(tokens, i)?;
    let tens = english_word(first)?;
    if place(&ENGLISH, first).is_some() {
        return Some((i, tens));
    }
    let dash = tokens.get(i + 1).and_then(Token::sign).is_some_and(is_dash);
    let next = i + 1 + usize::from(dash);
    match word(tokens, next).and_then(|word| place(&ENGLISH[..10], word)) {
        Some(ones) if ones > 0 => Some((next, tens + ones)),
        _ => Some((i, tens)),
    }
}

fn spanish(tokens: &[Token], i: usize) -> Option<(usize, usize)> {
    let first = word(tokens, i)?;
    if let Some(value) = place(&SPANISH, first) {
        return Some((i, value));
    }
    let tens = place(&SPANISH_TENS, first)? * 10 + 30;
    match (word(tokens, i + 1), word(tokens, i + 2).and_then(|word| place(&SPANISH[..10], word))) {
        (Some("y"), Some(ones)) if ones > 0 => Some((i + 2, tens + ones)),
        _ => Some((i, tens)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::scan::scan;

    #[test]
    fn reads_words() {
        for (text, value) in [
            ("nineteen", 19),
            ("forty-five", 45),
            ("forty five", 45),
            ("ninety", 90),
            ("veintidós", 22),
            ("cincuenta y tres", 53),
            ("treinta", 30),
        ] {
            let tokens = scan(text);
            assert_eq!(read(&tokens, 0, None), Some((tokens.len() - 1, value)), "{text}");
        }
        for text in ["", "hundred", "fortyfive", "12", "y"] {
            assert_eq!(read(&scan(text), 0, None), None, "{text}");
        }
    }
}
