//! Recoding: the common generalization of a class, which is true of all its persons.

mod in_text;
mod term;

pub(crate) use in_text::{Said as SaidValue, in_text};
pub(crate) use term::{Ladders, Said, TermPlan};

use super::person::{Attribute, Value};
use super::{Hierarchy, Kind, Step, Wording, calendar};
use crate::mask::date::names::ENGLISH_MONTHS;

/// What a column becomes in a class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recoded {
    /// Nobody has a value.
    Missing,
    /// All have this value.
    Same(String),
    /// From the one to the other.
    Range(String, String),
    /// A year and a month.
    Month(i16, i8),
    /// A year and a quarter of it.
    Quarter(i16, i8),
    /// The first year of a decade.
    Decade(i16),
    /// A year.
    Year(i16),
    /// Years.
    Years(i16, i16),
    /// One of these.
    Among(Vec<String>),
    /// What is above all of them.
    Rung(String),
    /// Some have a value and some have none, or nothing is above all of them.
    Anything,
}

/// A column's recoded value, and how much is lost: between 0 and 1, 0 only if nothing changed.
#[derive(Clone, Debug)]
pub(crate) struct Coded {
    pub(crate) value: Recoded,
    pub(crate) loss: f64,
}

/// Recodes a column for a class.
pub(crate) fn recode(attribute: &Attribute, persons: &[u32]) -> Coded {
    let mut cells: Vec<u32> = persons.iter().map(|person| attribute.of_person[*person as usize]).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut values: Vec<u32> =
        cells.iter().flat_map(|cell| attribute.cells[*cell as usize].iter().copied()).collect();
    values.sort_unstable();
    values.dedup();
    let missing = cells.iter().any(|cell| attribute.cells[*cell as usize].is_empty());
    match (values.as_slice(), missing) {
        ([], _) => {
            let unread = persons.iter().filter(|person| attribute.is_unread(**person)).count();
            Coded { value: Recoded::Missing, loss: unread as f64 / persons.len().max(1) as f64 }
        }
        (_, true) => Coded { value: Recoded::Anything, loss: 1.0 },
        ([one], false) => {
            Coded { value: Recoded::Same(attribute.values[*one as usize].text.clone()), loss: 0.0 }
        }
        (several, false) => generalize(attribute, several),
    }
}

fn generalize(attribute: &Attribute, several: &[u32]) -> Coded {
    let all: Vec<&Value> = several.iter().map(|value| &attribute.values[*value as usize]).collect();
    let (first, last) = (all[0], all[all.len() - 1]);
    let high = all.iter().map(|value| value.high).fold(last.high, f64::max);
    let span = attribute.span();
    let of_span = |low: f64, high: f64| if span > 0.0 { ((high - low) / span).min(1.0) } else { 0.0 };
    // How many of the column's values lie there.
    let share = |covers: &dyn Fn(&Value) -> bool| {
        let within = attribute.values.iter().filter(|value| covers(value)).count();
        within as f64 / attribute.values.len() as f64
    };
    if !first.above.is_empty() {
        let rung = first.above.iter().find(|rung| all.iter().all(|value| value.above.contains(rung)));
        return match rung {
            Some(rung) => {
                let below = attribute.leaves.get(rung).copied().unwrap_or(attribute.values.len());
                let loss = below as f64 / attribute.values.len() as f64;
                Coded { value: Recoded::Rung(rung.clone()), loss }
            }
            None => match &attribute.rule.hierarchy {
                Some(Hierarchy::Prefix(lengths)) => prefixes(attribute, &all, lengths.len()),
                _ => Coded { value: Recoded::Anything, loss: 1.0 },
            },
        };
    }
    match &attribute.rule.kind {
        Kind::Number => {
            if let Some(Hierarchy::Intervals(widths)) = &attribute.rule.hierarchy
                && let Some((low, high)) =
                    widths.iter().find_map(|width| aligned(first.low, last.high, *width))
            {
                let loss = of_span(low, high).max(of_span(first.low, last.high));
                return Coded { value: Recoded::Range(number(low), number(high)), loss };
            }
            let value = Recoded::Range(first.text.clone(), last.text.clone());
            Coded { value, loss: of_span(first.low, last.high) }
        }
        Kind::Date { .. } => {
            #[allow(clippy::cast_possible_truncation)]
            let day = |day: f64| calendar::date(day as i32);
            let (Some(from), Some(to)) = (day(first.low), day(high)) else {
                return Coded { value: Recoded::Anything, loss: 1.0 };
            };
            let steps: &[Step] = match &attribute.rule.hierarchy {
                Some(Hierarchy::Calendar(steps)) => steps,
                _ => &[Step::Month, Step::Year],
            };
            let value = steps.iter().find_map(|step| Recoded::step(*step, from, to));
            let value = value.unwrap_or(Recoded::Years(from.year(), to.year()));
            let days = match value {
                Recoded::Month(..) | Recoded::Quarter(..) | Recoded::Decade(_) => value.days(None),
                _ => calendar::period(from.year(), None, None)
                    .zip(calendar::period(to.year(), None, None))
                    .map(|(first, last)| (first.0, last.1)),
            };
            let loss = days.map_or(1.0, |(low, high)| {
                share(&|value| f64::from(low) <= value.low && value.high <= f64::from(high))
            });
            Coded { value, loss }
        }
        Kind::Ordered(_) => Coded {
            value: Recoded::Range(first.text.clone(), last.text.clone()),
            loss: share(&|value| first.low <= value.low && value.high <= last.high),
        },
        Kind::Category => {
            let mut texts: Vec<String> = all.iter().map(|value| value.text.clone()).collect();
            texts.sort_unstable();
            let loss = texts.len() as f64 / attribute.values.len() as f64;
            Coded { value: Recoded::Among(texts), loss }
        }
    }
}

/// The most of different prefixes that are told of a class.
const MOST_PREFIXES: usize = 3;

/// Codes without a common prefix: the longest prefixes of which few are told, or the shortest that are allowed.
fn prefixes(attribute: &Attribute, all: &[&Value], lengths: usize) -> Coded {
    let at = |level: usize| {
        let of = |value: &&Value| value.above.get(level).or(value.above.last()).cloned();
        let mut told: Vec<String> = all.iter().filter_map(of).collect();
        told.sort_unstable();
        told.dedup();
        told
    };
    let levels = 0..lengths.max(1);
    let told = levels.clone().map(at).find(|told| told.len() <= MOST_PREFIXES);
    let told = told.unwrap_or_else(|| at(levels.end - 1));
    let below: usize = told.iter().map(|prefix| attribute.leaves.get(prefix).copied().unwrap_or(1)).sum();
    let loss = (below as f64 / attribute.values.len() as f64).min(1.0);
    Coded { value: Recoded::Among(told), loss }
}

/// The stretch of this width, counted from zero, in which both lie: of whole numbers, from the first to the last.
fn aligned(low: f64, high: f64, width: f64) -> Option<(f64, f64)> {
    let start = (low / width).floor() * width;
    let whole = width.fract() == 0.0 && low.fract() == 0.0 && high.fract() == 0.0;
    let end = if whole { start + width - 1.0 } else { start + width };
    (width > 0.0 && start.is_finite() && high <= end).then_some((start, end))
}

/// A value as a cell that says just that: what looks like a generalization has a backslash before it.
fn literal(text: &str) -> String {
    let within = |open, close| text.starts_with(open) && text.ends_with(close);
    let range = within('[', ']') && (text.contains('-') || text.contains(" to "));
    let stars = !text.is_empty() && text.chars().all(|c| c == '*');
    if range || stars || within('(', ')') || text.starts_with('\\') {
        return format!("\\{text}");
    }
    text.to_owned()
}

/// A set of values as a cell that can be read back: quoted where a member holds what separates.
fn among(texts: &[String]) -> String {
    let any = |test: &dyn Fn(&String) -> bool| texts.iter().any(test);
    let odd = |text: &String| {
        text.contains(['"', ';'])
            || text.chars().all(|c| c == '*')
            || text.trim() != text
            || text.starts_with('\\')
    };
    if any(&odd) {
        let quoted: Vec<String> =
            texts.iter().map(|text| format!("\"{}\"", text.replace('"', "\"\""))).collect();
        return format!("({})", quoted.join(","));
    }
    let separator = if any(&|text| text.contains(',')) { ";" } else { "," };
    format!("({})", texts.join(separator))
}

fn number(value: f64) -> String {
    // No minus zero.
    (value + 0.0).to_string()
}

impl Recoded {
    /// The step of the calendar in which both days lie, if one does.
    fn step(step: Step, from: jiff::civil::Date, to: jiff::civil::Date) -> Option<Self> {
        let quarter = |day: jiff::civil::Date| (day.month() - 1) / 3 + 1;
        let decade = |day: jiff::civil::Date| day.year().div_euclid(10) * 10;
        let same_year = from.year() == to.year();
        match step {
            Step::Month if same_year && from.month() == to.month() => {
                Some(Self::Month(from.year(), from.month()))
            }
            Step::Quarter if same_year && quarter(from) == quarter(to) => {
                Some(Self::Quarter(from.year(), quarter(from)))
            }
            Step::Year if same_year => Some(Self::Year(from.year())),
            Step::Decade if decade(from) == decade(to) => Some(Self::Decade(decade(from))),
            _ => None,
        }
    }

    /// As a cell of the table; nothing where it is empty.
    pub(crate) fn cell(&self, wording: Wording) -> Option<String> {
        Some(match self {
            Self::Missing => return None,
            Self::Same(text) => literal(text),
            Self::Rung(text) => text.clone(),
            Self::Quarter(year, quarter) => format!("{year:04}-Q{quarter}"),
            Self::Decade(year) => format!("{year:04}s"),
            Self::Range(low, high) if low.contains('-') || high.contains('-') => format!("[{low} to {high}]"),
            Self::Range(low, high) => format!("[{low}-{high}]"),
            Self::Month(year, month) => format!("{year:04}-{month:02}"),
            Self::Year(year) => format!("{year:04}"),
            Self::Years(first, last) => format!("[{first:04}-{last:04}]"),
            Self::Among(texts) => {
                let mut texts = texts.clone();
                if wording == Wording::Paper {
                    texts.sort_by_key(|text| std::cmp::Reverse(text.to_lowercase()));
                }
                among(&texts)
            }
            Self::Anything => "*".to_owned(),
        })
    }

    /// As words in a sentence; nothing if that would be too long or would say nothing.
    pub(crate) fn words(&self) -> Option<String> {
        Some(match self {
            Self::Missing | Self::Anything => return None,
            Self::Same(text) | Self::Rung(text) => text.clone(),
            Self::Range(low, high) => format!("{low} to {high}"),
            Self::Month(year, month) => {
                let name = usize::try_from(*month - 1).ok().and_then(|at| ENGLISH_MONTHS.get(at))?;
                format!("{name} {year:04}")
            }
            Self::Quarter(year, quarter) => {
                let at = usize::try_from(*quarter - 1).ok()?;
                format!("the {} quarter of {year:04}", ["first", "second", "third", "fourth"].get(at)?)
            }
            Self::Decade(year) => format!("the {year:04}s"),
            Self::Year(year) => format!("{year:04}"),
            Self::Years(first, last) => format!("{first:04} to {last:04}"),
            Self::Among(texts) => match texts.as_slice() {
                [one, other] => format!("{one} or {other}"),
                [one, other, last] => format!("{one}, {other} or {last}"),
                _ => return None,
            },
        })
    }

    /// Whether one value stands for all.
    pub(crate) fn is_same(&self) -> bool {
        matches!(self, Self::Same(_) | Self::Missing)
    }

    /// The days that a date became.
    pub(crate) fn days(&self, format: Option<&str>) -> Option<calendar::Days> {
        match self {
            Self::Same(text) => calendar::read(text, format),
            Self::Month(year, month) => calendar::period(*year, Some(*month), None),
            Self::Quarter(year, quarter) => {
                let first = calendar::period(*year, Some(*quarter * 3 - 2), None)?;
                Some((first.0, calendar::period(*year, Some(*quarter * 3), None)?.1))
            }
            Self::Decade(year) => {
                let last = calendar::period(year.checked_add(9)?, None, None)?;
                Some((calendar::period(*year, None, None)?.0, last.1))
            }
            Self::Year(year) => calendar::period(*year, None, None),
            Self::Years(first, last) => {
                let (first, last) =
                    (calendar::period(*first, None, None)?, calendar::period(*last, None, None)?);
                Some((first.0, last.1))
            }
            _ => None,
        }
    }
}
