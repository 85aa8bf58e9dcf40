//! Ages: `45-year-old` is `45-to-49-year-old`, then `40-to-49-year-old`, then `20-to-59-year-old`.
//!
//! The words around the number stay, so that the phrase keeps its place in the sentence: what was
//! an adjective (`a 45-year-old man`) stays one. An age above the policy's `top` is told only as
//! being above it (`over 89 years old`): the ladder then has no finer rung, not even the words as
//! written.

use super::number::to;
use super::scan::{Token, scan};
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
        let age = Age::read(surface)?;
        let say = |amount: Amount| age.say(amount, context.language);
        let years = age.years;
        let mut rungs = Vec::new();
        if let Some(top) = context.top.filter(|top| years > *top) {
            rungs.push(Rung::new("decade", say(Amount::Over(top))));
        } else {
            rungs.push(Rung::new(if age.in_years { "year" } else { "exact" }, surface));
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

#[derive(Clone, Copy)]
enum Amount {
    Between(u32, u32),
    Under(u32),
    Over(u32),
}

/// An age as written, cut at its number and its unit.
struct Age<'a> {
    before: &'a str,
    years: u32,
    in_years: bool,
    /// The unit with what joins it to the number: `-year`, ` months`; empty for a bare number.
    unit: &'a str,
    after: &'a str,
    /// `45-year-old`: one word, before a noun.
    joined: bool,
}

impl<'a> Age<'a> {
    fn read(surface: &'a str) -> Option<Self> {
        let tokens = scan(surface);
        if tokens.len() > 12 {
            return None;
        }
        let (first, last, number) = number(&tokens)?;
        let is_part = |i: &usize| (first..=last).contains(i);
        if tokens.iter().enumerate().any(|(i, token)| !is_part(&i) && !allowed(token)) {
            return None;
        }
        let end = tokens[last].at.end;
        // A dash, then the unit; or the unit at once.
        let joined = tokens.get(last + 1).and_then(Token::sign).is_some_and(super::scan::is_dash);
        let unit = tokens.get(last + 1 + usize::from(joined));
        let days = unit.and_then(Token::word).and_then(days_of);
        let unit_end = match (days, unit) {
            (Some(_), Some(unit)) => unit.at.end,
            _ if joined => return None,
            _ => end,
        };
        let years = match days {
            // A year and more of days; 365 of them may or may not be a year.
            Some(0) => number / 12,
            Some(days) => number.checked_mul(days)? / 366,
            None => number,
        };
        let in_years = days.is_none_or(|days| days == 366);
        Some(Self {
            before: &surface[..tokens[first].at.start],
            years,
            in_years,
            unit: &surface[end..unit_end],
            after: &surface[unit_end..],
            joined,
        })
        .filter(|age| age.years <= OLDEST)
    }

    fn say(&self, amount: Amount, language: Language) -> String {
        let spanish = language == Language::Spanish || self.unit.contains('ñ') || self.unit.contains("mes");
        let language = if spanish { Language::Spanish } else { language };
        let number = match (amount, self.joined) {
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
            (true, _, _) => self.unit,
            (_, true, Amount::Under(1)) => " año",
            (_, true, _) => " años",
            _ if self.joined => "-year",
            (_, _, Amount::Under(1)) => " year",
            _ => " years",
        };
        format!("{}{number}{unit}{}", self.before, self.after)
    }
}

/// The only number of an age, in figures or in words: its first and last token, and what it is.
fn number(tokens: &[Token]) -> Option<(usize, usize, u32)> {
    let mut found = None;
    let mut i = 0;
    while i < tokens.len() {
        let read = match tokens[i].number() {
            Some((value, digits)) => Some((i, value)).filter(|_| digits <= 4),
            None => words(tokens, i),
        };
        if let Some((last, value)) = read {
            if found.replace((i, last, value)).is_some() {
                return None;
            }
            i = last;
        }
        i += 1;
    }
    found
}

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

/// A number below a hundred in words, from token `i`: its last token, and what it is.
fn words(tokens: &[Token], i: usize) -> Option<(usize, u32)> {
    let word = |i: usize| tokens.get(i).and_then(Token::word);
    let place = |list: &[&str], word: &str| list.iter().position(|known| *known == word);
    let number = |index: usize| u32::try_from(index).ok();
    let first = word(i)?;
    if let Some(index) = place(&ENGLISH, first).or_else(|| place(&SPANISH, first)) {
        return Some((i, number(index)?));
    }
    if let Some(tens) = place(&ENGLISH_TENS, first) {
        let dash = tokens.get(i + 1).and_then(Token::sign).is_some_and(super::scan::is_dash);
        let next = i + 1 + usize::from(dash);
        let ones = word(next).and_then(|word| place(&ENGLISH[..10], word)).filter(|ones| *ones > 0);
        return match ones {
            Some(ones) => Some((next, number(tens * 10 + 20 + ones)?)),
            None => Some((i, number(tens * 10 + 20)?)),
        };
    }
    let tens = place(&SPANISH_TENS, first)? * 10 + 30;
    match (word(i + 1), word(i + 2).and_then(|word| place(&SPANISH[..10], word))) {
        (Some("y"), Some(ones)) if ones > 0 => Some((i + 2, number(tens + ones)?)),
        _ => Some((i, number(tens)?)),
    }
}

/// How many days a unit has at most; 0 stands for months, which are counted by twelve.
fn days_of(word: &str) -> Option<u32> {
    match word {
        "year" | "years" | "yr" | "yrs" | "yo" | "y" | "año" | "años" => Some(366),
        "month" | "months" | "mo" | "mos" | "mes" | "meses" => Some(0),
        "week" | "weeks" | "semana" | "semanas" => Some(7),
        "day" | "days" | "día" | "días" => Some(1),
        _ => None,
    }
}

/// What may stand beside the number: nothing that could change what it means (`over 45`, `45 and a
/// half`, `45 years ago`).
fn allowed(token: &Token) -> bool {
    match (token.word(), token.sign()) {
        (Some(word), _) => {
            days_of(word).is_some()
                || ["old", "olds", "age", "aged", "of", "o", "edad", "de", "the", "at", "a", "is", "was"]
                    .contains(&word)
        }
        (_, Some(sign)) => super::scan::is_dash(sign) || matches!(sign, '.' | '/' | ':'),
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
        assert_eq!(texts("3-month-old", &english)[1], "under-1-year-old");
        assert_eq!(texts("3 months old", &english)[1], "under 1 year old");
        assert_eq!(texts("3 meses", &english)[1], "menos de 1 año");
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
            "45 to 50",
            "450",
            "young",
            "",
            "45 years ago",
            "forty-five-fifty",
            "in his 40s",
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
