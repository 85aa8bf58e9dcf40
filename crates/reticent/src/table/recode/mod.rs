//! Recoding: the common generalization of a class, which is true of all its persons.

mod in_text;
mod term;

pub(crate) use in_text::{Said as SaidValue, in_text};
pub(crate) use term::{Ladders, Said, TermPlan};

use super::person::{Attribute, Value};
use super::{Hierarchy, Kind, Wording, calendar};
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
        ([], _) => Coded { value: Recoded::Missing, loss: 0.0 },
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
            None => Coded { value: Recoded::Anything, loss: 1.0 },
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
            let value = if from.year() != to.year() {
                Recoded::Years(from.year(), to.year())
            } else if from.month() != to.month() {
                Recoded::Year(from.year())
            } else {
                Recoded::Month(from.year(), from.month())
            };
            let days = match value {
                Recoded::Month(year, month) => calendar::period(year, Some(month), None),
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

/// The stretch of this width, counted from zero, in which both lie: of whole numbers, from the first to the last.
fn aligned(low: f64, high: f64, width: f64) -> Option<(f64, f64)> {
    let start = (low / width).floor() * width;
    let whole = width.fract() == 0.0 && low.fract() == 0.0 && high.fract() == 0.0;
    let end = if whole { start + width - 1.0 } else { start + width };
    (width > 0.0 && start.is_finite() && high <= end).then_some((start, end))
}

fn number(value: f64) -> String {
    // No minus zero.
    (value + 0.0).to_string()
}

impl Recoded {
    /// As a cell of the table; nothing where it is empty.
    pub(crate) fn cell(&self, wording: Wording) -> Option<String> {
        Some(match self {
            Self::Missing => return None,
            Self::Same(text) | Self::Rung(text) => text.clone(),
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
                let comma = texts.iter().any(|text| text.contains(','));
                format!("({})", texts.join(if comma { ";" } else { "," }))
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
