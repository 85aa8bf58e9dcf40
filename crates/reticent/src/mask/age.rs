//! Ages: `45-year-old` is `45-to-49-year-old`, then `40-to-49-year-old`, then `20-to-59-year-old`.
//!
//! The words around the number stay, so that the phrase keeps its place in the sentence: what was
//! an adjective (`a 45-year-old man`) stays one. An age above the policy's `top` is told only as
//! being above it (`over 89 years old`): the ladder then has no finer rung, not even the words as
//! written.

use std::borrow::Cow;

use super::number::to;
use super::numeral;
use super::scan::{Token, is_dash, scan};
use super::{Context, Generalizer, Language, Rung};
use crate::EntityType;

/// Ages.
pub struct Ages;

/// The last year of each stage of life but the last: youth ends at 19 for the World Health
/// Organization, old age starts at 60 for the United Nations. No decade lies in two stages.
const STAGES: [u32; 2] = [19, 59];

/// Nobody known has lived longer; a larger number is no age.
const OLDEST: u32 = 125;

impl Generalizer for Ages {
    fn name(&self) -> &'static str {
        "age"
    }

    fn types(&self) -> &[EntityType] {
        const { &[EntityType::AGE] }
    }

    /// `exact` is an age in months, weeks or days; `year` one in years.
    fn levels(&self) -> &'static [&'static str] {
        &["exact", "year", "five_years", "decade", "life_stage"]
    }

    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>> {
        if let Some((decade, word)) = decade(surface) {
            return decade_rungs(surface, decade, word, context);
        }
        let (age, first) = Age::read_two(surface).or_else(|| Age::read(surface).map(|age| (age, None)))?;
        let say = |amount: Amount| age.say(amount, context.language);
        let years = age.years;
        if let Some(first) = first {
            return two_ages(surface, first, years, context, say);
        }
        let mut rungs = Vec::new();
        if let Some(top) = context.top.filter(|top| years > *top) {
            rungs.push(Rung::new("decade", say(Amount::Over(top))));
        } else {
            rungs.push(Rung::new(if age.in_years && !age.narrowed { "year" } else { "exact" }, surface));
            if !age.in_years && years == 0 {
                rungs.push(Rung::new("year", say(Amount::Under(1))));
            }
            rungs.push(Rung::new(
                "five_years",
                say(Amount::Between(years - years % 5, years - years % 5 + 4)),
            ));
            rungs.push(Rung::new("decade", say(Amount::Between(years - years % 10, years - years % 10 + 9))));
        }
        let stage = match STAGES.iter().position(|last| years <= *last) {
            Some(0) => Amount::Between(0, STAGES[0]),
            Some(i) => Amount::Between(STAGES[i - 1] + 1, STAGES[i]),
            None => Amount::Over(STAGES[1]),
        };
        // What is above `top` is told by no range that leaves out anything above it.
        let told = |top: u32| years <= top || matches!(stage, Amount::Over(start) if start <= top);
        if context.top.is_none_or(told) {
            rungs.push(Rung::new("life_stage", say(stage)));
        }
        Some(rungs)
    }
}

/// The rungs of `20 to 50`; none if they lie on both sides of the policy's top.
fn two_ages(
    surface: &str,
    first: u32,
    last: u32,
    context: &Context,
    say: impl Fn(Amount) -> String,
) -> Option<Vec<Rung>> {
    if let Some(top) = context.top.filter(|top| last > *top) {
        return (first > top).then(|| vec![Rung::new("decade", say(Amount::Over(top)))]);
    }
    let within = |step: u32| Amount::Between(first - first % step, last - last % step + step - 1);
    Some(vec![
        Rung::new("year", surface),
        Rung::new("five_years", say(within(5))),
        Rung::new("decade", say(within(10))),
    ])
}

/// The decade of a life that a text tells (`forties`, `late 40s`), and its words without `late`.
fn decade(surface: &str) -> Option<(u32, &str)> {
    const DECADES: [&str; 9] = [
        "teens",
        "twenties",
        "thirties",
        "forties",
        "fifties",
        "sixties",
        "seventies",
        "eighties",
        "nineties",
    ];
    let lower = surface.to_ascii_lowercase();
    let narrow = ["early", "mid", "late"].iter().find(|part| lower.starts_with(**part));
    let word = surface[narrow.map_or(0, |part| part.len())..].trim_start_matches([' ', '-']);
    let lower = word.to_lowercase();
    if let Some(place) = DECADES.iter().position(|name| *name == lower) {
        return Some((u32::try_from(place).ok()? * 10 + 10, word));
    }
    let figures = lower.trim_start_matches(['\'', '’']).strip_suffix('s')?.trim_end_matches(['\'', '’']);
    let decade: u32 = figures.parse().ok().filter(|_| figures.len() == 2)?;
    (decade.is_multiple_of(10) && decade >= 10).then_some((decade, word))
}

/// The rungs of `late forties`. Only what all of a decade is below may be told.
fn decade_rungs(surface: &str, decade: u32, word: &str, context: &Context) -> Option<Vec<Rung>> {
    if context.top.is_some_and(|top| decade + 9 > top) {
        return None;
    }
    let mut rungs = Vec::new();
    if word != surface {
        rungs.push(Rung::new("exact", surface));
    }
    rungs.push(Rung::new("decade", word));
    Some(rungs)
}

/// How old someone is, in whole years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Exactly(u32),
    Between(u32, u32),
    Under(u32),
    Over(u32),
}

/// The age that a text tells, if it is one in whole years or lies between two: `61-year-old`, `60 to 69`.
pub(crate) fn amount(surface: &str) -> Option<Amount> {
    // What we write ourselves before a noun: `60-to-69-year-old`.
    if let Some((low, rest)) = surface.split_once("-to-") {
        let low = low.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
        let age = Age::read(rest).filter(|age| age.joined && age.in_years && !age.narrowed)?;
        return (low <= age.years).then_some(Amount::Between(low, age.years));
    }
    if let Some((age, Some(first))) = Age::read_two(surface) {
        return Some(Amount::Between(first, age.years));
    }
    Age::read(surface).filter(|age| age.in_years && !age.narrowed).map(|age| Amount::Exactly(age.years))
}

/// The same words with another age; none if the words tell no age in whole years.
pub(crate) fn with_amount(surface: &str, amount: Amount, language: Language) -> Option<String> {
    let age = Age::read_two(surface).map(|(age, _)| age).or_else(|| Age::read(surface))?;
    (age.in_years && !age.narrowed).then(|| age.say(amount, language))
}

/// An age as written, cut at its number and its unit.
struct Age<'a> {
    before: &'a str,
    years: u32,
    in_years: bool,
    /// It tells more than years: `3 years and 8 months`.
    narrowed: bool,
    /// The unit with what joins it to the number: `-year`, ` months`; empty for a bare number.
    unit: &'a str,
    after: Cow<'a, str>,
    /// `45-year-old`: one word, before a noun.
    joined: bool,
}

impl<'a> Age<'a> {
    /// Two ages, `20 to 50` or `16 and 18 years old`: the second with the words around both, and the
    /// first.
    fn read_two(surface: &'a str) -> Option<(Self, Option<u32>)> {
        let tokens = scan(surface);
        let start = (0..tokens.len().min(12)).find(|i| number(&tokens, *i).is_some())?;
        let (end, first) = number(&tokens, start)?;
        let joint = tokens.get(end + 1)?;
        // In words, a dash joins the halves of one number.
        let figures = tokens[start].number().is_some();
        let joins = figures && joint.sign().is_some_and(is_dash)
            || matches!(joint.word(), Some("to" | "and" | "or" | "a" | "y" | "o"));
        let second = tokens.get(end + 2).filter(|_| joins && number(&tokens, end + 2).is_some())?;
        if tokens[..start].iter().any(|token| !allowed(token)) {
            return None;
        }
        let age = Self::read(&surface[second.at.start..])?;
        let plain = age.in_years && !age.joined && !age.narrowed && first <= age.years;
        plain.then(|| (Self { before: &surface[..tokens[start].at.start], ..age }, Some(first)))
    }

    fn read(surface: &'a str) -> Option<Self> {
        let tokens = scan(surface);
        if tokens.len() > 12 {
            return None;
        }
        let first = (0..tokens.len()).find(|i| number(&tokens, *i).is_some())?;
        let (last, number) = number(&tokens, first)?;
        // A dash, then the unit; or the unit at once.
        let joined = tokens.get(last + 1).and_then(Token::sign).is_some_and(is_dash);
        let unit_at = last + 1 + usize::from(joined);
        let unit = tokens.get(unit_at).and_then(Token::word).and_then(Unit::read);
        if joined && unit.is_none() {
            return None;
        }
        let (unit_end, tail) = if unit.is_some() { (unit_at, tail(&tokens, unit_at + 1)) } else { (last, 0) };
        let end = unit_end + tail;
        let is_part = |i: usize| (first..=end).contains(&i);
        if tokens.iter().enumerate().any(|(i, token)| !is_part(i) && !allowed(token)) {
            return None;
        }
        let years = match unit {
            None | Some(Unit::Year) => number,
            Some(Unit::Month) => number / 12,
            Some(Unit::Week) => years_of_days(number.checked_mul(7)?)?,
            Some(Unit::Day) => years_of_days(number)?,
        };
        let mut age = Self {
            before: &surface[..tokens[first].at.start],
            years,
            in_years: matches!(unit, None | Some(Unit::Year)),
            narrowed: tail > 0,
            unit: &surface[tokens[last].at.end..tokens[unit_end].at.end],
            after: Cow::Borrowed(&surface[tokens[end].at.end..]),
            joined,
        };
        // `a 52 year old man`: one unit of many, so an adjective that lost its hyphens.
        let one = tokens.get(unit_at).and_then(Token::word);
        let old = age.after.trim_start_matches([' ', '-', '‐', '‑']);
        if !joined
            && number != 1
            && matches!(one, Some("year" | "month" | "week" | "day"))
            && old.starts_with("old")
        {
            age.after = Cow::Owned(format!("-{old}"));
            age.unit = if age.in_years { "-year" } else { "-month" };
            age.joined = true;
        }
        Some(age).filter(|age| age.years <= OLDEST)
    }

    fn say(&self, amount: Amount, language: Language) -> String {
        let word = self.unit.trim().to_lowercase();
        let spanish = language == Language::Spanish || SPANISH_UNITS.contains(&word.as_str());
        let language = if spanish { Language::Spanish } else { language };
        let number = match (amount, self.joined) {
            (Amount::Exactly(years), _) => years.to_string(),
            (Amount::Between(low, high), true) => format!("{low}-to-{high}"),
            (Amount::Between(low, high), false) => format!("{low}{}{high}", to(language)),
            (Amount::Under(years), true) => format!("under-{years}"),
            (Amount::Over(years), true) => format!("over-{years}"),
            (Amount::Under(years), false) => match language {
                Language::English => format!("under {years}"),
                Language::Spanish => format!("menos de {years}"),
                Language::Other => format!("<{years}"),
            },
            (Amount::Over(years), false) => match language {
                Language::English => format!("over {years}"),
                Language::Spanish => format!("más de {years}"),
                Language::Other => format!(">{years}"),
            },
        };
        let unit = match (self.in_years, spanish, amount) {
            (true, ..) if self.unit == " year" => " years",
            (true, ..) if self.unit == " año" => " años",
            (true, ..) => self.unit,
            (_, true, Amount::Under(1)) => " año",
            (_, true, _) => " años",
            _ if self.joined => "-year",
            (_, _, Amount::Under(1)) => " year",
            _ => " years",
        };
        format!("{}{number}{unit}{}", self.before, self.after)
    }
}

/// The number that starts at token `i`, in figures or in words: its last token, and what it is.
fn number(tokens: &[Token], i: usize) -> Option<(usize, u32)> {
    match tokens[i].number() {
        Some((value, digits)) => Some((i, value)).filter(|_| digits <= 4),
        None => numeral::read(tokens, i, None),
    }
}

/// How many tokens at `i` say a part of the unit: `and 7 months`, `y medio`, `and a half`.
fn tail(tokens: &[Token], i: usize) -> usize {
    let word = |i: usize| tokens.get(i).and_then(Token::word);
    match (word(i), word(i + 1), word(i + 2)) {
        (Some("y"), Some("medio" | "media"), _) => 2,
        (Some("and"), Some("a"), Some("half")) => 3,
        (Some("y" | "and"), ..) if i + 1 < tokens.len() => match number(tokens, i + 1) {
            Some((last, _)) if word(last + 1).and_then(Unit::read).is_some() => last + 2 - i,
            _ => 0,
        },
        _ => 0,
    }
}

/// How many whole years so many days are, if that does not depend on the leap years among them.
fn years_of_days(days: u32) -> Option<u32> {
    (days / 365 == days / 366).then_some(days / 366)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Year,
    Month,
    Week,
    Day,
}

const SPANISH_UNITS: [&str; 10] =
    ["año", "años", "mes", "meses", "semana", "semanas", "día", "días", "dia", "dias"];

impl Unit {
    fn read(word: &str) -> Option<Self> {
        match word {
            "year" | "years" | "yr" | "yrs" | "yo" | "y" | "año" | "años" => Some(Self::Year),
            "month" | "months" | "mo" | "mos" | "mes" | "meses" => Some(Self::Month),
            "week" | "weeks" | "semana" | "semanas" => Some(Self::Week),
            "day" | "days" | "día" | "días" | "dia" | "dias" => Some(Self::Day),
            _ => None,
        }
    }
}

/// What may stand beside the number: nothing that could change what it means (`over 45`, `45 and a
/// half`, `45 years ago`).
fn allowed(token: &Token) -> bool {
    match (token.word(), token.sign()) {
        (Some(word), _) => {
            Unit::read(word).is_some()
                || ["old", "olds", "age", "aged", "of", "o", "edad", "de", "the", "at", "a", "is", "was"]
                    .contains(&word)
        }
        (_, Some(sign)) => is_dash(sign) || matches!(sign, '.' | '/' | ':'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(surface: &str, context: &Context) -> Vec<String> {
        Ages.rungs(surface, context).unwrap_or_default().into_iter().map(|rung| rung.text).collect()
    }

    #[test]
    fn keeps_the_shape() {
        let english = Context::default();
        for (surface, five, ten) in [
            ("45-year-old", "45-to-49-year-old", "40-to-49-year-old"),
            ("aged 45", "aged 45 to 49", "aged 40 to 49"),
            ("45 years old", "45 to 49 years old", "40 to 49 years old"),
            ("45 years of age", "45 to 49 years of age", "40 to 49 years of age"),
            ("forty-five years old", "45 to 49 years old", "40 to 49 years old"),
            ("forty-five-year-old", "45-to-49-year-old", "40-to-49-year-old"),
            ("45", "45 to 49", "40 to 49"),
            ("45yo", "45 to 49yo", "40 to 49yo"),
            ("53 años", "50 a 54 años", "50 a 59 años"),
            ("cincuenta y tres años de edad", "50 a 54 años de edad", "50 a 59 años de edad"),
            ("18 months old", "0 to 4 years old", "0 to 9 years old"),
        ] {
            assert_eq!(texts(surface, &english)[1..3], [five, ten], "{surface}");
        }
        assert_eq!(texts("13 años y 7 meses", &english)[1], "10 a 14 años");
        assert_eq!(texts("three and a half years old", &english), Vec::<String>::new());
        assert_eq!(texts("tres años y medio", &english)[1], "0 a 4 años");
        assert_eq!(texts("1 year old", &english)[1], "0 to 4 years old");
        assert_eq!(texts("3-month-old", &english)[1], "under-1-year-old");
        assert_eq!(texts("3 months old", &english)[1], "under 1 year old");
        assert_eq!(texts("3 meses", &english)[1], "menos de 1 año");
    }

    #[test]
    fn two_ages_and_decades_are_read() {
        let english = Context::default();
        assert_eq!(texts("20 to 50", &english), ["20 to 50", "20 to 54", "20 to 59"]);
        assert_eq!(texts("16 and 18 years old", &english)[2], "10 to 19 years old");
        assert_eq!(texts("late forties", &english), ["late forties", "forties"]);
        assert_eq!(texts("mid-40s", &english), ["mid-40s", "40s"]);
        let top = Context { top: Some(89), ..Context::default() };
        assert_eq!(texts("nineties", &top), Vec::<String>::new());
        assert_eq!(texts("85 to 95", &top), Vec::<String>::new());
        assert_eq!(texts("91 to 95", &top), ["over 89"]);
    }

    #[test]
    fn an_adjective_without_hyphens_is_one() {
        let english = Context::default();
        assert_eq!(texts("52 year old", &english)[2], "50-to-59-year-old");
        assert_eq!(texts("18 year‑old", &english)[2], "10-to-19-year-old");
        assert_eq!(texts("5 month old", &english)[1], "under-1-year-old");
    }

    #[test]
    fn above_the_top_only_that_is_told() {
        let top = Context { top: Some(89), ..Context::default() };
        assert_eq!(texts("92 years old", &top), ["over 89 years old", "over 59 years old"]);
        assert_eq!(texts("92-year-old", &top)[0], "over-89-year-old");
        assert_eq!(texts("aged 92", &top)[0], "aged over 89");
        assert_eq!(texts("92 años", &top)[0], "más de 89 años");
        assert_eq!(texts("89", &top)[0], "89");
        let low = Context { top: Some(20), ..Context::default() };
        assert_eq!(texts("45", &low), ["over 20"]);
    }

    #[test]
    fn leaves_alone_what_is_unsure() {
        for surface in [
            "over 45",
            "45 and a half",
            "50 to 45",
            "late night",
            "5s",
            "450",
            "young",
            "",
            "45 years ago",
            "forty-five-fifty",
            "in his 40s",
            "1826 days",
        ] {
            assert!(texts(surface, &Context::default()).is_empty(), "{surface}");
        }
    }

    proptest! {
        #[test]
        fn ranges_hold_the_age_and_widen(age in 0..=125u32, shape in 0..4usize, top in prop::option::of(0..120u32)) {
            let surface = [format!("{age}"), format!("{age}-year-old"), format!("aged {age}"), format!("{age} years old")][shape].clone();
            let mut last = (age, age);
            for text in texts(&surface, &Context { top, ..Context::default() }) {
                let numbers: Vec<u32> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
                let (low, high) = match numbers[..] {
                    [over] if text.contains("over") => (over + 1, u32::MAX),
                    [exact] => (exact, exact),
                    _ => (numbers[0], numbers[1]),
                };
                prop_assert!((low..=high).contains(&age), "{text}");
                prop_assert!(low <= last.0 && last.1 <= high, "{text}");
                prop_assert!(top.is_none_or(|top| age <= top || high == u32::MAX && low <= top + 1), "{text}");
                last = (low, high);
            }
        }
    }
}
