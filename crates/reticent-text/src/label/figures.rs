//! What is written as a phone number or as a postal code, in the ways of Spain and its neighbours.

use std::sync::LazyLock;

use regex::Regex;

use super::tokens::Tokens;

/// Of a number the first token and the others.
const FIRST: u64 = 3;
const OTHER: u64 = 4;

/// Groups of figures, after a plus or not.
static GROUPS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\+? ?\(?\b[0-9]{1,4}\)?(?:[ ./-]{0,2}[0-9]{2,9}){0,5}\b").ok());

/// Five figures, with the letter of a country before them or without.
static POSTCODES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?:[A-Z]{1,2}-)?[0-9]{5}\b").ok());

/// For each token whether it is in a phone number, and whether it is its first one: nine figures that begin as
/// those of Spain do, or eight to thirteen after a plus or the code of a country.
pub(super) fn phones(tokens: &Tokens<'_>) -> Vec<u64> {
    marked(tokens, GROUPS.as_ref(), |number| {
        let figures: String = number.chars().filter(char::is_ascii_digit).collect();
        let own = figures.strip_prefix("00").or(figures.strip_prefix('0')).unwrap_or(&figures);
        let own = own.strip_prefix("34").filter(|rest| rest.len() == 9).unwrap_or(own);
        let local = own.len() == 9 && own.starts_with(['6', '7', '8', '9']);
        local || number.starts_with('+') && (8..=13).contains(&figures.len())
    })
}

/// For each token whether it is in a postal code, and whether it is its first one.
pub(super) fn postcodes(tokens: &Tokens<'_>) -> Vec<u64> {
    marked(tokens, POSTCODES.as_ref(), |code| {
        let province = code.trim_start_matches(|c: char| !c.is_ascii_digit()).get(..2);
        province
            .and_then(|province| province.parse::<u8>().ok())
            .is_some_and(|province| (1..=52).contains(&province))
    })
}

fn marked(tokens: &Tokens<'_>, pattern: Option<&Regex>, is_one: impl Fn(&str) -> bool) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    let Some(pattern) = pattern else { return values };
    for found in pattern.find_iter(tokens.text).filter(|found| is_one(found.as_str())) {
        // Not the plus before it.
        let sign = found.as_str().len() - found.as_str().trim_start_matches(['+', ' ']).len();
        let from = tokens.spans.partition_point(|token| token.start < found.start() + sign);
        let to = tokens.spans.partition_point(|token| token.start < found.end());
        for (at, value) in values[from..to].iter_mut().enumerate() {
            *value = if at == 0 { FIRST } else { OTHER };
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tokens::Unit;
    use crate::{Document, Language, Layers};

    fn marks(text: &str, look: impl Fn(&Tokens<'_>) -> Vec<u64>) -> String {
        let document = Document::plain("d", text);
        let values = look(&Tokens::new(&document, &Layers::new(Language::Spanish), Unit::Line));
        values.iter().map(u64::to_string).collect()
    }

    #[test]
    fn sees_phone_numbers_as_people_write_them() {
        for text in ["956 013 059", "670.97.10.26", "34-607819141", "985-27-36-14"] {
            let marks = marks(text, phones);
            assert!(marks.starts_with('3') && marks[1..].chars().all(|mark| mark == '4'), "{text}: {marks}");
        }
        assert_eq!(marks("+34 945007000", phones), "034");
        assert_eq!(marks("+ 34 93 693 29 05", phones), "034444");
    }

    #[test]
    fn sees_postal_codes() {
        assert_eq!(marks("S/N. E-41013. Sevilla", postcodes), "000034400");
        assert_eq!(marks("CP 28905 Getafe", postcodes), "030");
    }

    #[test]
    fn leaves_other_figures_alone() {
        for text in ["47 25789649 44", "12/09/2002", "142/86 mmHg", "5 mg", "2002-2004", "123.456.789", "1"] {
            assert!(marks(text, phones).chars().all(|mark| mark == '0'), "{text}");
        }
        for text in ["99999", "00123", "1234", "123456", "PSA12", "CP"] {
            assert!(marks(text, postcodes).chars().all(|mark| mark == '0'), "{text}");
        }
    }
}
