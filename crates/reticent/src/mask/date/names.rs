//! The names of months and days of the week, in English and Spanish.

use super::super::Language;

pub(crate) const ENGLISH_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(crate) const SPANISH_MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];
const ENGLISH_DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const SPANISH_DAYS: [&str; 7] = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"];

/// What a word that names a month or a day says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name {
    /// Which one, from 0.
    pub(crate) index: usize,
    /// Its language; none if the word is the same in both (`mar`).
    pub(crate) language: Option<Language>,
}

/// The month that a word in small letters names, whole or shortened to three or four letters.
pub(crate) fn month(word: &str) -> Option<Name> {
    let word = match word {
        "setiembre" => "septiembre",
        "set" => return Some(Name { index: 8, language: Some(Language::Spanish) }),
        other => other,
    };
    name(word, &ENGLISH_MONTHS, &SPANISH_MONTHS, |full, word| {
        word.chars().count() == 3 || (word == "sept" && full.starts_with("sept"))
    })
}

/// The day of the week that a word in small letters names, whole or shortened.
pub(crate) fn weekday(word: &str) -> Option<Name> {
    let plain = match word {
        "miercoles" => "miércoles",
        "sabado" => "sábado",
        other => other,
    };
    name(plain, &ENGLISH_DAYS, &SPANISH_DAYS, |full, word| {
        word.chars().count() == 3
            || matches!((full, word), ("tuesday", "tues") | ("thursday", "thur" | "thurs"))
    })
}

fn name(word: &str, english: &[&str], spanish: &[&str], short: fn(&str, &str) -> bool) -> Option<Name> {
    let find = |names: &[&str]| {
        names.iter().position(|full| {
            // All of them begin with a plain letter.
            if full.chars().next().map(|c| c.to_ascii_lowercase()) != word.chars().next() {
                return false;
            }
            let full = full.to_lowercase();
            full == word || (full.starts_with(word) && short(&full, word))
        })
    };
    match (find(english), find(spanish)) {
        (Some(index), None) => Some(Name { index, language: Some(Language::English) }),
        (None, Some(index)) => Some(Name { index, language: Some(Language::Spanish) }),
        // `mar` is March in both, and Tuesday in Spanish only.
        (Some(a), Some(b)) if a == b => Some(Name { index: a, language: None }),
        _ => None,
    }
}

/// The decade that a word names: `eighties`, `ochenta` (after `años`).
pub(crate) fn decade(word: &str, spanish: bool) -> Option<u32> {
    const ENGLISH: [&str; 8] =
        ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];
    const SPANISH: [&str; 8] =
        ["veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"];
    let names = if spanish { SPANISH } else { ENGLISH };
    let place = names.iter().position(|name| *name == word)?;
    Some(u32::try_from(place).ok()? * 10 + 20)
}

/// The name of a month, in the form of `model`: as long, and with the same capitals.
pub(crate) fn month_like(index: usize, model: &str, language: Language) -> Option<String> {
    like(index, model, &ENGLISH_MONTHS, &SPANISH_MONTHS, month(&model.to_lowercase())?, language)
}

/// The name of a day of the week, in the form of `model`.
pub(crate) fn weekday_like(index: usize, model: &str, language: Language) -> Option<String> {
    like(index, model, &ENGLISH_DAYS, &SPANISH_DAYS, weekday(&model.to_lowercase())?, language)
}

fn like(
    index: usize,
    model: &str,
    english: &[&str],
    spanish: &[&str],
    name: Name,
    language: Language,
) -> Option<String> {
    let names = match name.language.unwrap_or(language) {
        Language::Spanish => spanish,
        _ => english,
    };
    let whole = names.get(name.index)?.chars().count() == model.chars().count();
    let full = names.get(index)?;
    let text: String = if whole { (*full).to_owned() } else { full.chars().take(3).collect() };
    let mut letters = model.chars();
    let first = letters.next()?;
    Some(if model.chars().all(char::is_uppercase) {
        text.to_uppercase()
    } else if first.is_uppercase() {
        capitalized(&text)
    } else {
        text.to_lowercase()
    })
}

/// The text with a capital first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_months_in_both_languages() {
        for (word, index) in
            [("aug", 7), ("agosto", 7), ("sept", 8), ("setiembre", 8), ("ene", 0), ("may", 4)]
        {
            assert_eq!(month(word).map(|name| name.index), Some(index), "{word}");
        }
        for word in ["a", "ju", "augu", "", "month", "lunes"] {
            assert!(month(word).is_none(), "{word}");
        }
    }

    #[test]
    fn names_keep_the_form_of_their_model() {
        assert_eq!(month_like(0, "AUG", Language::English).as_deref(), Some("JAN"));
        assert_eq!(month_like(0, "agosto", Language::English).as_deref(), Some("enero"));
        assert_eq!(month_like(8, "July", Language::English).as_deref(), Some("September"));
        assert_eq!(weekday_like(2, "Lunes", Language::Spanish).as_deref(), Some("Miércoles"));
    }
}
