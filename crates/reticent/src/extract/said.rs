//! What a changed table says, in words that fit the mention it replaces.
//!
//! Table tools write ranges and sets in signs: `[24-36]`, `[60, 70[`, `>89`, `{Cork, Kerry}`, `1960s`.
//! Read aloud they are `24 to 36`, `60 to 69`, `over 89`, `Cork or Kerry`, `the 1960s`. What is not
//! understood is written as the table has it.

use reticent_text::{Language, Span};

use super::value;
use crate::EntityType;
use crate::mask::age::{self, Amount};
use crate::mask::date::names;
use crate::mask::date::read::Moment;
use crate::mask::figure::Decimal;
use crate::mask::{self, Context, money};

/// The words for `value` in the place of `span`.
pub(super) fn words(
    entity_type: &EntityType,
    text: &str,
    span: Span,
    value: &str,
    language: Language,
) -> String {
    let surface = span.of(text);
    let read = if *entity_type == EntityType::AGE {
        amount(value).and_then(|amount| {
            age::with_amount(surface, amount, language).or_else(|| age::with_amount("1", amount, language))
        })
    } else if *entity_type == EntityType::DATE_TIME {
        own_rung(surface, value, language)
            .or_else(|| date_words(value, left_word(&text[..span.start]).as_deref(), language))
    } else if *entity_type == EntityType::MONEY {
        money(surface, value, language)
    } else {
        None
    };
    read.unwrap_or_else(|| set(value, language).unwrap_or_else(|| value.to_owned()))
}

/// Whether two ways of writing a value mean the same: a program may have turned 61 into 61.0.
pub(super) fn same(entity_type: &EntityType, before: &str, after: &str, language: Language) -> bool {
    if before == after || value::folded(before) == value::folded(after) {
        return true;
    }
    if *entity_type == EntityType::AGE {
        return amount(before).is_some_and(|before| Some(before) == amount(after));
    }
    let typed = |text| value::typed(entity_type, text, language);
    typed(after).is_some_and(|after| after == before)
}

/// A generalization of the mention itself, where the table says just that: in the words of the text.
fn own_rung(surface: &str, value: &str, language: Language) -> Option<String> {
    let context = Context { language, ..Context::default() };
    let ladder = mask::ladder(&EntityType::DATE_TIME, surface, &context);
    let says = |text: &str| value::typed(&EntityType::DATE_TIME, text, language);
    let wanted = says(value).unwrap_or_else(|| value.to_owned());
    let rung = ladder.rungs.into_iter().skip(1).find(|rung| says(&rung.text).as_ref() == Some(&wanted))?;
    Some(rung.text)
}

/// The word right before a mention, in small letters.
fn left_word(before: &str) -> Option<String> {
    let word = before.trim_end_matches([' ', '\u{a0}', '\n']).rsplit(|c: char| !c.is_alphabetic()).next()?;
    (!word.is_empty()).then(|| word.to_lowercase())
}

/// Whether `between 1960 and 1969` fits after a word: not after one that wants a date (`since`), and
/// not in a list or a cell.
fn takes_between(left: Option<&str>, language: Language) -> bool {
    const ENGLISH: [&str; 20] = [
        "a", "about", "after", "and", "around", "as", "before", "between", "by", "date", "dated", "from",
        "of", "or", "since", "than", "the", "till", "to", "until",
    ];
    match (left, language) {
        (Some(left), Language::English) => !ENGLISH.contains(&left),
        (Some(left), Language::Spanish) => ["el", "en"].contains(&left),
        _ => false,
    }
}

fn money(surface: &str, value: &str, language: Language) -> Option<String> {
    if let Some(amount) = decimal(value) {
        return money::with_range(surface, (amount, amount), language);
    }
    let (low, high) = ends(value, true)?;
    money::with_range(surface, (decimal(low)?, decimal(high)?), language)
}

/// A plain number: figures, perhaps with a point among them.
fn decimal(text: &str) -> Option<Decimal> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    let figures = format!("{whole}{fraction}");
    let plain = !whole.is_empty() && figures.len() <= 18 && figures.bytes().all(|byte| byte.is_ascii_digit());
    let digits = figures.parse().ok().filter(|_| plain)?;
    Some(Decimal { digits, decimals: u32::try_from(fraction.len()).ok()? })
}

fn date_words(value: &str, left: Option<&str>, language: Language) -> Option<String> {
    if let Some(moment) = value::table_date(value) {
        return moment_words(&moment, language);
    }
    let (low, high) = ends(value, false)?;
    let (first, mut last) = (value::table_date(low)?, value::table_date(high)?);
    let years_only = last.month.is_none() && last.decade.is_none();
    if let Some(year) = last.year.as_mut().filter(|_| years_only && is_open(value)) {
        year.value -= 1;
    }
    let (first, last) = (moment_words(&first, language)?, moment_words(&last, language)?);
    if first == last {
        return Some(first);
    }
    let between = takes_between(left, language);
    Some(match language {
        Language::English if between => format!("between {first} and {last}"),
        Language::Spanish if between => format!("entre {first} y {last}"),
        Language::English => format!("{first} to {last}"),
        Language::Spanish => format!("{first} a {last}"),
        Language::Other => format!("{first}–{last}"),
    })
}

fn moment_words(moment: &Moment, language: Language) -> Option<String> {
    let iso = value::iso(moment)?;
    let Some(year) = moment.year.as_ref().map(|part| part.value) else {
        let decade = moment.decade?;
        return Some(match language {
            Language::English => format!("the {decade}s"),
            Language::Spanish => format!("la década de {decade}"),
            Language::Other => format!("{decade}–{}", decade + 9),
        });
    };
    let Some(month) = moment.month.as_ref() else { return Some(year.to_string()) };
    let month = usize::try_from(month.value).ok()?.checked_sub(1)?;
    let (english, spanish) = (names::ENGLISH_MONTHS.get(month)?, names::SPANISH_MONTHS.get(month)?);
    let day = moment.day.as_ref().map(|part| part.value);
    Some(match (language, day) {
        (Language::English, Some(day)) => format!("{day} {english} {year}"),
        (Language::English, None) => format!("{english} {year}"),
        (Language::Spanish, Some(day)) => format!("{day} de {spanish} de {year}"),
        (Language::Spanish, None) => format!("{spanish} de {year}"),
        (Language::Other, _) => iso,
    })
}

/// `61`, `61.0`, `60-69`, `[60, 70[`, `>89`, `90+`, `<18`.
fn amount(value: &str) -> Option<Amount> {
    let value = value.trim();
    if let Some(years) = whole(value) {
        return Some(Amount::Exactly(years));
    }
    let after = |signs: &[&str]| signs.iter().find_map(|sign| value.strip_prefix(sign)).and_then(whole);
    if let Some(years) = after(&[">=", "≥"]).or_else(|| value.strip_suffix('+').and_then(whole)) {
        return years.checked_sub(1).map(Amount::Over);
    }
    if let Some(years) = after(&["<=", "≤"]) {
        return Some(Amount::Under(years.checked_add(1)?));
    }
    if let Some(years) = after(&[">"]) {
        return Some(Amount::Over(years));
    }
    if let Some(years) = after(&["<"]) {
        return Some(Amount::Under(years));
    }
    let (low, high) = ends(value, true)?;
    let (low, mut high) = (whole(low)?, whole(high)?);
    if is_open(value) {
        high = high.checked_sub(1)?;
    }
    match low.cmp(&high) {
        std::cmp::Ordering::Less => Some(Amount::Between(low, high)),
        std::cmp::Ordering::Equal => Some(Amount::Exactly(low)),
        std::cmp::Ordering::Greater => None,
    }
}

/// A whole number of at most four digits, perhaps with zeros after a point.
fn whole(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = text.split_once('.').map_or(Some(text), |(digits, zeros)| {
        (!zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0')).then_some(digits)
    })?;
    let plain = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok())?
}

/// Whether a range leaves out its upper end: `[60, 70[`, `[60, 70)`.
fn is_open(value: &str) -> bool {
    value.starts_with(['[', '(', ']']) && value.ends_with(['[', ')'])
}

/// The two ends of a range. A single hyphen parts numbers, but is a part of a date.
fn ends(value: &str, numbers: bool) -> Option<(&str, &str)> {
    let inner = value.trim().trim_start_matches(['[', '(', ']']).trim_end_matches([']', ')', '[']);
    for joint in [" to ", "..", "–", "/", " - ", ",", ";"] {
        if let Some((low, high)) = inner.split_once(joint) {
            return Some((low.trim(), high.trim()));
        }
    }
    let middle = inner.len() / 2;
    if inner.len() % 2 == 1 && inner.as_bytes()[middle] == b'-' {
        return Some((&inner[..middle], &inner[middle + 1..]));
    }
    if numbers { inner.split_once('-') } else { None }
}

/// `{Cork, Kerry}` read aloud, and `(Cork,Kerry)` as `table protect` writes it.
fn set(value: &str, language: Language) -> Option<String> {
    let own = value.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    let inner = own.or_else(|| value.strip_prefix('{')?.strip_suffix('}'))?;
    let quoted = inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).filter(|_| own.is_some());
    let parts: Vec<String> = match quoted {
        Some(inner) => inner.split("\",\"").map(|part| part.replace("\"\"", "\"")).collect(),
        // A member may hold commas: then semicolons stand between.
        None if own.is_some() && inner.contains(';') => inner.split(';').map(str::to_owned).collect(),
        None => inner.split([',', ';']).map(str::to_owned).collect(),
    };
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    let or = match language {
        Language::English => " or ",
        Language::Spanish => " o ",
        Language::Other => ", ",
    };
    match parts.split_last()? {
        (last, []) => Some((*last).to_owned()),
        (last, others) => Some(format!("{}{or}{last}", others.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said_in(kind: &EntityType, surface: &str, value: &str, language: Language) -> String {
        words(kind, surface, Span::new(0, surface.len()), value, language)
    }

    fn said(kind: &EntityType, surface: &str, value: &str) -> String {
        said_in(kind, surface, value, Language::English)
    }

    #[test]
    fn ranges_of_dates_fit_what_stands_before() {
        let after = |before: &str| {
            let text = format!("{before}3 July 1962");
            let span = Span::new(before.len(), text.len());
            words(&EntityType::DATE_TIME, &text, span, "[1960-1969]", Language::English)
        };
        assert_eq!(after("born on "), "between 1960 and 1969");
        assert_eq!(after("she was born "), "between 1960 and 1969");
        for before in ["since ", "Born: ", "| ", "\"", "the letter of "] {
            assert_eq!(after(before), "1960 to 1969", "{before}");
        }
    }

    #[test]
    fn money_keeps_its_sign() {
        let money = |value| said(&EntityType::MONEY, "£6,240", value);
        assert_eq!(money("[6000-7000]"), "£6,000 to £7,000");
        assert_eq!(money("6000.00"), "£6,000");
        assert_eq!(money("cheap"), "cheap");
        assert_eq!(said(&EntityType::MONEY, "£6 million", "[5-7]"), "[5-7]");
    }

    #[test]
    fn dates_are_said_in_words() {
        let date = |value| said(&EntityType::DATE_TIME, "3 July 1962", value);
        assert_eq!(date("1962-07"), "July 1962");
        assert_eq!(date("1962"), "1962");
        assert_eq!(date("1960s"), "the 1960s");
        assert_eq!(date("1961-02-28"), "28 February 1961");
        for range in ["[1960-1969]", "1960-1969", "1960/1969", "[1960, 1970[", "1960..1969", "[1960, 1970)"] {
            assert_eq!(date(range), "1960 to 1969", "{range}");
        }
        assert_eq!(date("[2004-05-14, 2004-05-15]"), "14 May 2004 to 15 May 2004");
        assert_eq!(
            said_in(&EntityType::DATE_TIME, "3/7/1962", "1962-07", Language::Spanish),
            "julio de 1962"
        );
    }

    #[test]
    fn ages_keep_the_words_around_them() {
        let age = |value| said(&EntityType::AGE, "61-year-old", value);
        assert_eq!(age("60-69"), "60-to-69-year-old");
        assert_eq!(age("[60, 70["), "60-to-69-year-old");
        assert_eq!(age("62.0"), "62-year-old");
        assert_eq!(age(">89"), "over-89-year-old");
        assert_eq!(said(&EntityType::AGE, "91 years old", "90+"), "over 89 years old");
        assert_eq!(said(&EntityType::AGE, "aged 9", "9-12"), "aged 9 to 12");
        assert_eq!(said_in(&EntityType::AGE, "53 años", "[50-59]", Language::Spanish), "50 a 59 años");
    }

    #[test]
    fn sets_are_read_aloud() {
        assert_eq!(said(&EntityType::LOCATION, "Cork", "{Cork, Kerry}"), "Cork or Kerry");
        assert_eq!(said(&EntityType::LOCATION, "Cork", "{Cork, Kerry, Clare}"), "Cork, Kerry or Clare");
        assert_eq!(said(&EntityType::LOCATION, "Cork", "(Cork,Kerry)"), "Cork or Kerry");
        assert_eq!(said(&EntityType::LOCATION, "Cork", "(Cork, Ireland;Kerry)"), "Cork, Ireland or Kerry");
        assert_eq!(said(&EntityType::LOCATION, "a;b", "(\"a;b\",\"c\")"), "a;b or c");
    }

    #[test]
    fn what_is_not_understood_is_written_as_it_is() {
        assert_eq!(said(&EntityType::LOCATION, "Cork", "Ireland"), "Ireland");
        assert_eq!(said(&EntityType::AGE, "61-year-old", "elderly"), "elderly");
        assert_eq!(said(&EntityType::DATE_TIME, "3 July 1962", "Q3"), "Q3");
        assert_eq!(said(&EntityType::LOCATION, "Cork", "[a-b]"), "[a-b]");
    }

    #[test]
    fn the_same_in_other_signs_is_no_change() {
        let same = |kind: &EntityType, a, b| same(kind, a, b, Language::English);
        assert!(same(&EntityType::AGE, "61", "61.0"));
        assert!(same(&EntityType::DATE_TIME, "1962-07-03", "3 July 1962"));
        assert!(same(&EntityType::LOCATION, "Cork", "CORK"));
        assert!(!same(&EntityType::AGE, "61", "61.5"));
        assert!(!same(&EntityType::DATE_TIME, "1962-07-03", "1962"));
        assert!(!same(&EntityType::LOCATION, "Cork", "County Cork"));
    }
}
