//! Spanish sentences.

use super::around::{Around, Left};
use super::{Change, Draft, is_coarser_date, is_lengthened};
use crate::mask::Language;
use crate::mask::date::{Level, Says, says};

/// Words that are never said twice in a row.
pub(super) const FUNCTION_WORDS: [&str; 20] = [
    "el", "la", "los", "las", "un", "una", "de", "del", "a", "al", "en", "y", "o", "por", "para", "con",
    "entre", "más", "menos", "desde",
];

/// Words that already say how the date goes on: `desde el 3 de julio` is `desde julio`.
const PREPOSITIONS: [&str; 14] =
    ["desde", "hasta", "para", "por", "entre", "hacia", "de", "a", "en", "tras", "ante", "y", "o", "con"];

/// Chooses the preposition of a date, and keeps one article only.
pub(super) fn adapt(around: &Around<'_>, draft: &mut Draft) {
    let Some(left) = &around.left else { return };
    let left = left.lower();
    // `el 3 de julio de 1962` es `entre 1960 y 1969`.
    if matches!(left.as_str(), "el" | "en") && draft.words.starts_with("entre ") {
        draft.left = Change::Drop;
        return;
    }
    let written = says(around.surface(), Language::Spanish);
    let lengthened = is_lengthened(around, &draft.words, Language::Spanish);
    let some_date = written == Some(Says::Day) && draft.words.starts_with("un");
    // `el mes de abril de 2003` is `2003`.
    let month = around.surface().to_lowercase().starts_with("mes ")
        && is_coarser_date(around, &draft.words, Language::Spanish);
    let after_preposition = around
        .second_left()
        .as_ref()
        .map(Left::lower)
        .is_some_and(|word| PREPOSITIONS.contains(&word.as_str()));
    if let Some(some) = part_of(around, &left)
        && is_coarser_date(around, &draft.words, Language::Spanish)
    {
        let of = if draft.first_word() == "el" { "del" } else { "de" };
        if of == "del" {
            draft.drop_first_word();
        }
        draft.words.insert_str(0, &format!("{some} {of} "));
        match left.as_str() {
            "del" => draft.left = Change::Replace("de".to_owned()),
            "el" => draft.left = Change::Drop,
            _ => {}
        }
    } else if lengthened
        || some_date
        || month
        || left == "entre" && is_coarser_date(around, &draft.words, Language::Spanish)
    {
        match left.as_str() {
            "el" if after_preposition => draft.left = Change::Drop,
            "el" => draft.left = Change::Replace("en".to_owned()),
            "del" => draft.left = Change::Replace("de".to_owned()),
            "al" => draft.left = Change::Replace("a".to_owned()),
            "entre" if around.surface().contains(" y ") && !draft.words.contains(" y ") => {
                if draft.words.contains(" a ") {
                    draft.words = draft.words.replacen(" a ", " y ", 1);
                } else {
                    draft.left = Change::Replace("en".to_owned());
                }
            }
            "día" if lengthened => day_to(around, draft),
            word if lengthened && is_event(word) && around.right_word().is_none() => {
                draft.words.insert_str(0, "en ");
            }
            _ => {}
        }
    }
    let article = matches!(draft.first_word(), "el" | "la" | "los" | "las" | "un" | "una");
    if article && draft.left == Change::Keep {
        match left.as_str() {
            "el" | "la" | "los" | "las" | "un" | "una" => draft.left = Change::Drop,
            "del" | "al" if draft.first_word() == "el" => draft.drop_first_word(),
            "del" => draft.left = Change::Replace("de".to_owned()),
            "al" => draft.left = Change::Replace("a".to_owned()),
            "su" | "sus" | "este" | "esta" | "cada" => draft.drop_first_word(),
            _ => {}
        }
    }
    contract(around, draft);
}

/// `el día 28 de agosto de 2011` is `el mes de agosto de 2011`, `el año 2011`, `el decenio de 1960`,
/// `el siglo XX`.
fn day_to(around: &Around<'_>, draft: &mut Draft) {
    match says(&draft.words, Language::Spanish) {
        Some(Says::Longer(Level::Month)) => draft.left = Change::Replace("mes de".to_owned()),
        Some(Says::Longer(Level::Year)) => draft.left = Change::Replace("año".to_owned()),
        Some(Says::Longer(Level::Decade)) => {
            if let Some(year) = draft.words.rsplit(' ').next().map(str::to_owned) {
                draft.left = Change::Replace("decenio de".to_owned());
                draft.words = year;
            }
        }
        Some(Says::Longer(_)) if around.left.is_some() && draft.first_word() == "el" => {
            draft.left = Change::Drop;
            draft.drop_first_word();
        }
        _ => {}
    }
}

/// `de el` is `del`, `a el` is `al`.
fn contract(around: &Around<'_>, draft: &mut Draft) {
    let contracted = match draft.left_word(around).as_deref() {
        Some("de") => "del",
        Some("a") => "al",
        _ => return,
    };
    if draft.first_word() == "el" && draft.words.contains(' ') {
        draft.left = Change::Replace(contracted.to_owned());
        draft.drop_first_word();
    }
}

/// What is said relative to a date, or of a part of it, need not hold of a longer one: `antes de
/// julio de 1974` is `antes de una fecha de 1974`, `finales de 1974` is `finales de un año de la
/// década de 1970`. Says what to put before the longer one.
fn part_of(around: &Around<'_>, left: &str) -> Option<&'static str> {
    let second = around.second_left().as_ref().map(Left::lower);
    match (second.as_deref(), left) {
        (_, "tras") | (Some("tras"), "el") | (Some("antes" | "después"), "de" | "del") => Some("una fecha"),
        (Some(part), "de" | "del") if PARTS.contains(&part) => {
            match says(around.surface(), Language::Spanish) {
                Some(Says::Longer(Level::Month)) => Some("un mes"),
                Some(Says::Longer(Level::Year)) => Some("un año"),
                Some(Says::Longer(_)) => None,
                _ => Some("un día"),
            }
        }
        _ => None,
    }
}

/// Parts of a day, a month, a year.
const PARTS: [&str; 12] = [
    "finales",
    "final",
    "fin",
    "principios",
    "comienzos",
    "inicios",
    "mediados",
    "mañana",
    "tarde",
    "noche",
    "madrugada",
    "resto",
];

fn is_event(word: &str) -> bool {
    ["nació", "nacido", "nacida", "falleció", "fallecido", "fallecida", "murió"].contains(&word)
}
