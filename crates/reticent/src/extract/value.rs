//! What a mention says, as tables compare it.

use reticent_text::Language;

use crate::mask::age::{self, Amount};
use crate::mask::date::read::{Moment, When, read};
use crate::mask::{Context, DateOrder};
use crate::resolve::surface;
use crate::resolve::title::without_title;
use crate::{Entity, EntityType};

/// The value of an entity: of its first mention if that is a date or an age that can be read, else its
/// longest mention as it is written.
pub(crate) fn of(entity: &Entity, text: &str, language: Language) -> String {
    let is_person = entity.entity_type == EntityType::PERSON;
    // `Mrs Ana Ruiz` and `Ana Ruiz` are one person.
    let bare = |surface| if is_person { without_title(surface) } else { surface };
    let surfaces = || entity.mentions.iter().map(|mention| bare(mention.span.of(text)));
    if let Some(read) = surfaces().find_map(|surface| typed(&entity.entity_type, surface, language)) {
        return read;
    }
    // The first of the longest: `max_by_key` would give the last.
    let longest = surfaces().rev().max_by_key(|surface| surface.chars().count()).unwrap_or_default();
    longest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same for values that differ in nothing that matters.
pub(crate) fn folded(value: &str) -> String {
    surface::folded(value)
}

/// A date, an age or a sex as tables compare it; none if it is none of them, or cannot be read for sure.
pub(crate) fn typed(entity_type: &EntityType, surface: &str, language: Language) -> Option<String> {
    if *entity_type == EntityType::DATE_TIME {
        return date(surface, language);
    }
    if *entity_type == EntityType::AGE {
        return match age::amount(surface)? {
            Amount::Exactly(years) => Some(years.to_string()),
            Amount::Between(low, high) => Some(format!("{low}-{high}")),
            Amount::Under(_) | Amount::Over(_) => None,
        };
    }
    if matches!(entity_type.as_str(), "SEX" | "GENDER") {
        return sex(surface, language).map(str::to_owned);
    }
    None
}

/// Sex as forms and notes write it. A single letter means what it means in the language of the text.
fn sex(surface: &str, language: Language) -> Option<&'static str> {
    match (surface.to_lowercase().as_str(), language) {
        ("m", Language::English) | ("h", Language::Spanish) => Some("male"),
        ("f", Language::English) | ("m", Language::Spanish) => Some("female"),
        ("male" | "man" | "boy" | "masculine" | "hombre" | "varón" | "varon" | "niño" | "masculino", _) => {
            Some("male")
        }
        ("female" | "woman" | "girl" | "feminine" | "mujer" | "hembra" | "niña" | "femenino", _) => {
            Some("female")
        }
        _ => None,
    }
}

/// `1962-07-03`, `1962-07`, `1962`, `1960s`, or two of them with a slash between.
fn date(surface: &str, language: Language) -> Option<String> {
    let context = Context { language, ..Context::default() };
    match read(surface, &context)? {
        When::Date(moment) => iso(&moment),
        When::Period(first, second, _) => Some(format!("{}/{}", iso(&first)?, iso(&second)?)),
        _ => None,
    }
}

/// A date of a changed table, which is read as ISO 8601 whatever the language.
pub(super) fn table_date(value: &str) -> Option<Moment> {
    let context = Context { date_order: Some(DateOrder::DayFirst), ..Context::default() };
    match read(value, &context)? {
        When::Date(moment) if iso(&moment).is_some() => Some(moment),
        _ => None,
    }
}

/// A date as ISO 8601 has it, as far as it is told; none if that would leave something out.
pub(crate) fn iso(moment: &Moment) -> Option<String> {
    if moment.undecided || moment.short_year || moment.narrowed {
        return None;
    }
    let part = |part: &Option<crate::mask::date::read::Part>| part.as_ref().map(|part| part.value);
    match (part(&moment.year), part(&moment.month), part(&moment.day)) {
        (Some(year), Some(month), Some(day)) => Some(format!("{year:04}-{month:02}-{day:02}")),
        (Some(year), Some(month), None) => Some(format!("{year:04}-{month:02}")),
        (Some(year), None, None) => Some(format!("{year:04}")),
        (None, None, None) => moment.decade.map(|decade| format!("{decade:04}s")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date_of(surface: &str) -> Option<String> {
        typed(&EntityType::DATE_TIME, surface, Language::English)
    }

    #[test]
    fn dates_compare() {
        for surface in ["3 July 1962", "July 3rd, 1962", "1962-07-03", "3 de julio de 1962"] {
            assert_eq!(date_of(surface).as_deref(), Some("1962-07-03"), "{surface}");
        }
        assert_eq!(date_of("July 1962").as_deref(), Some("1962-07"));
        assert_eq!(date_of("1962").as_deref(), Some("1962"));
        assert_eq!(date_of("the 1960s").as_deref(), Some("1960s"));
        assert_eq!(date_of("1960 to 1969").as_deref(), Some("1960/1969"));
        let spanish = typed(&EntityType::DATE_TIME, "03/07/1962", Language::Spanish);
        assert_eq!(spanish.as_deref(), Some("1962-07-03"));
    }

    #[test]
    fn what_is_not_sure_stays_as_written() {
        for surface in ["03/04/2011", "3 July", "early 1962", "Monday", "six weeks", "10.30 am", "3/4/11"] {
            assert_eq!(date_of(surface), None, "{surface}");
        }
    }

    #[test]
    fn sex_is_one_of_two_words_or_as_written() {
        let kind = EntityType::new("SEX").expect("a type");
        let sex = |surface, language| typed(&kind, surface, language);
        assert_eq!(sex("M", Language::Spanish).as_deref(), Some("female"));
        assert_eq!(sex("M", Language::English).as_deref(), Some("male"));
        assert_eq!(sex("Varón", Language::Spanish).as_deref(), Some("male"));
        assert_eq!(sex("M", Language::Other), None);
        assert_eq!(sex("paciente", Language::Spanish), None);
    }

    #[test]
    fn ages_are_whole_years() {
        let age = |surface| typed(&EntityType::AGE, surface, Language::English);
        assert_eq!(age("61-year-old").as_deref(), Some("61"));
        assert_eq!(age("forty-five years old").as_deref(), Some("45"));
        assert_eq!(age("60 to 69").as_deref(), Some("60-69"));
        assert_eq!(age("60-to-69-year-old").as_deref(), Some("60-69"));
        for surface in ["18 months", "3 years and 8 months", "in her forties"] {
            assert_eq!(age(surface), None, "{surface}");
        }
    }
}
