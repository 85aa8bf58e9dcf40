//! What a text says instead of a person's value: what the column became, in the notation of the text.

use reticent_text::{Language, Span};

use super::{Coded, Recoded};
use crate::EntityType;
use crate::mask;
use crate::mask::date::names::SPANISH_MONTHS;
use crate::table::lexicon::{lexicon, name_words, push_plain};
use crate::table::person::Attribute;
use crate::table::text::value::{Numeral, View, dates, figures, in_words, parts, stems};
use crate::table::text::{Change, How};
use crate::table::{Kind, Wording};

/// Where a text says a value.
#[derive(Clone, Copy)]
pub(crate) struct Said<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
    pub(crate) how: How,
    pub(crate) language: Language,
}

/// What is written instead; nothing if the text says no more than the column.
pub(crate) fn in_text(
    said: Said<'_>,
    attribute: &Attribute,
    coded: &Coded,
    kind: Option<&EntityType>,
    wording: Wording,
) -> Option<Change> {
    if coded.value.is_same() {
        return None;
    }
    let label = || {
        let words = kind.map_or_else(|| column_label(&attribute.rule.name), mask::label);
        let words = match (kind, wording) {
            (Some(kind), Wording::Paper) => kind.words(),
            _ => words,
        };
        Some(Change { span: said.span, said: words, exact: false })
    };
    let surface = said.span.of(said.text);
    let words = match wording {
        Wording::Plain => coded.value.words_in(said.language),
        Wording::Paper => coded.value.cell(Wording::Paper).filter(|_| coded.value != Recoded::Anything),
    };
    match said.how {
        How::Alias | How::Age | How::BirthYear => label(),
        How::Part if says_part(&coded.value, surface) => None,
        How::Date if is_as_exact(said, attribute, coded) => None,
        How::Number => number(said, coded, wording).or_else(label),
        How::Date => {
            words.map_or_else(label, |words| Some(Change { span: said.span, said: words, exact: false }))
        }
        How::Words | How::Part => {
            let Some(mut words) = words else { return label() };
            let small = surface.starts_with(char::is_lowercase) && wording == Wording::Plain;
            // `single dose`: before a noun the word may mean something else, and a list of words reads badly.
            if small
                && is_before_noun(&said.text[said.span.end..])
                && !matches!(coded.value, Recoded::Rung(_))
            {
                return label();
            }
            if small && let Recoded::Among(texts) = &coded.value {
                let texts: Vec<String> = texts.iter().map(|text| uncapitalized(text)).collect();
                let Some(joined) = joined(&texts, said.language) else { return label() };
                words = joined;
            } else if small && matches!(coded.value, Recoded::Rung(_)) {
                words = uncapitalized(&words);
            }
            Some(Change { span: said.span, said: words, exact: false })
        }
    }
}

impl Recoded {
    /// As words of a sentence; nothing if that would be too long or would say nothing.
    fn words_in(&self, language: Language) -> Option<String> {
        match (self, language) {
            // No words of another language.
            (Self::Range(low, high), Language::Other) => return Some(format!("{low}–{high}")),
            (Self::Years(first, last), Language::Other) => return Some(format!("{first:04}–{last:04}")),
            (Self::Among(_), Language::Other) => return None,
            (Self::Month(..), Language::Other) => return self.cell(Wording::Plain),
            (_, Language::English | Language::Other) => return self.words(),
            (_, Language::Spanish) => {}
        }
        match self {
            Self::Range(low, high) => Some(format!("{low} a {high}")),
            Self::Years(first, last) => Some(format!("{first:04} a {last:04}")),
            Self::Month(year, month) => {
                let name = usize::try_from(*month - 1).ok().and_then(|at| SPANISH_MONTHS.get(at))?;
                Some(format!("{name} de {year:04}"))
            }
            Self::Among(texts) => joined(texts, language),
            _ => self.words(),
        }
    }
}

fn joined(texts: &[String], language: Language) -> Option<String> {
    let or = match language {
        Language::English => "or",
        Language::Spanish => "o",
        Language::Other => return None,
    };
    match texts {
        [one, other] => Some(format!("{one} {or} {other}")),
        [one, other, last] => Some(format!("{one}, {other} {or} {last}")),
        _ => None,
    }
}

/// A word of a column in the middle of a sentence; one in capitals stays.
fn uncapitalized(text: &str) -> String {
    if text.chars().skip(1).any(char::is_uppercase) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// Whether a word that is not a function word follows at once.
fn is_before_noun(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(' ') else { return false };
    let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
    let mut plain = String::new();
    push_plain(&word, &mut plain);
    word.chars().count() > 1 && word.starts_with(char::is_lowercase) && !lexicon().is_function(&plain)
}

/// `[MARITAL_STATUS]`: the name of a column is no secret.
fn column_label(name: &str) -> String {
    let words: Vec<String> = name_words(name).filter(|word| word.is_ascii()).collect();
    if words.is_empty() {
        "[VALUE]".to_owned()
    } else {
        format!("[{}]", words.join("_").to_ascii_uppercase())
    }
}

/// Whether all values of a class have the part that a text says.
fn says_part(value: &Recoded, surface: &str) -> bool {
    let part = stems(surface);
    let has = |text: &String| parts(text).any(|own| stems(own) == part) || stems(text) == part;
    match value {
        Recoded::Among(texts) => texts.iter().all(has),
        Recoded::Rung(text) => has(text),
        _ => false,
    }
}

/// Whether the column tells the date as exactly as the text.
fn is_as_exact(said: Said<'_>, attribute: &Attribute, coded: &Coded) -> bool {
    let Kind::Date { format } = &attribute.rule.kind else { return false };
    let Some((low, high)) = coded.value.days(format.as_deref()) else { return false };
    let surface = said.span.of(said.text);
    let view = View::new(surface);
    let tokens = view.tokens();
    let covers = |days: Option<(i32, i32)>| days.is_some_and(|(from, to)| from <= low && high <= to);
    let found = dates(view.text(), &tokens);
    if found.is_empty() {
        let year = surface.trim().parse().ok().filter(|_| surface.trim().len() == 4);
        return covers(year.and_then(|year| crate::table::calendar::period(year, None, None)));
    }
    found.iter().all(|date| date.moments.iter().all(|moment| covers(moment.days())))
}

/// A range in the notation of the number that stands there: `$61,000 to $77,500`.
fn number(said: Said<'_>, coded: &Coded, wording: Wording) -> Option<Change> {
    let surface = said.span.of(said.text);
    let view = View::new(surface);
    let tokens = view.tokens();
    let mut numerals: Vec<Numeral> = figures(view.text());
    numerals.extend((0..tokens.len()).filter_map(|at| Some(in_words(view.text(), &tokens, at)?.0)).take(1));
    let (low, high) = match &coded.value {
        Recoded::Range(low, high) => (low.clone(), high.clone()),
        Recoded::Among(texts) => (texts.first()?.clone(), texts.last()?.clone()),
        _ => return None,
    };
    let bounds = low.parse::<f64>().ok().zip(high.parse::<f64>().ok());
    let within = |numeral: &&Numeral| {
        bounds.is_some_and(|(low, high)| numeral.readings.any(|number| low <= number && number <= high))
    };
    let numeral = numerals.iter().filter(within).max_by_key(|numeral| numeral.span.len())?;
    let mut span = view.original(numeral.span).shifted(said.span.start);
    // `75M`: the letter of a sex goes with the age.
    if matches!(&said.text[span.end..said.span.end], "f" | "m" | "F" | "M") {
        span = Span::new(span.start, said.span.end);
    }
    let words = match (wording, &coded.value) {
        (Wording::Paper, value) => value.cell(Wording::Paper)?,
        (Wording::Plain, Recoded::Range(..)) => {
            let (low, high) = (numeral.style.write(&low), numeral.style.write(&high));
            // `34-year-old`
            let joint = said.text[span.end..].starts_with(['-', '‐', '‑'])
                && !high.contains('-')
                && !low.contains('-');
            match said.language {
                Language::English if joint => format!("{low}-to-{high}"),
                Language::Spanish => format!("{low} a {high}"),
                Language::Other => format!("{low}–{high}"),
                Language::English => format!("{low} to {high}"),
            }
        }
        (Wording::Plain, value) => value.words_in(said.language)?,
    };
    Some(Change { span, said: words, exact: true })
}
