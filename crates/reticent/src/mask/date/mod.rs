//! Dates and times: `July 3, 1962`, `July 1962`, `1962`, `the 1960s`, `the 20th century`.
//!
//! Which number of `03/04/2011` is the month? A day and a month written in figures are told apart
//! by what is possible (`28/08/2011`), by [`DateOrder`](super::DateOrder) if the caller knows it,
//! and by the language: the day is first in all languages but English, and before dots in English
//! too. What then remains undecided (`03/04/2011` in English) is generalized to its year at once,
//! because its month is not known; where dates are shifted it is always read month first, so that
//! all dates of a document are read in one way.
//!
//! A year in two figures is read only if one century is likely by the reference year. The year
//! `2000`, and the decade after it, get no century: people do not agree to which they belong.

pub(crate) mod clock;
mod forms;
pub(crate) mod names;
pub(crate) mod read;
mod relative;
pub mod shift;

use read::{Moment, When};

use super::{Context, Generalizer, Language, Rung};
use crate::EntityType;

/// How finely a date or a time is told, finest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Second,
    Minute,
    Hour,
    PartOfDay,
    Day,
    Month,
    Year,
    Decade,
    Century,
    Kind,
}

const LEVELS: [&str; 10] =
    ["second", "minute", "hour", "part_of_day", "day", "month", "year", "decade", "century", "kind"];

impl Level {
    pub(crate) fn name(self) -> &'static str {
        LEVELS[self as usize]
    }

    /// The next finer level of a date.
    fn finer(self) -> Self {
        match self {
            Self::Kind => Self::Century,
            Self::Century => Self::Decade,
            Self::Decade => Self::Year,
            Self::Year => Self::Month,
            _ => Self::Day,
        }
    }
}

/// Dates and times.
pub struct Dates;

impl Generalizer for Dates {
    fn name(&self) -> &'static str {
        "date"
    }

    fn types(&self) -> &[EntityType] {
        const { &[EntityType::DATE_TIME] }
    }

    fn levels(&self) -> &'static [&'static str] {
        &LEVELS
    }

    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>> {
        if let Some(rungs) = relative::rungs(surface, context) {
            return Some(rungs);
        }
        let (mut rungs, kind) = match read::read(surface, context)? {
            When::Date(moment) => {
                let mut rungs = vec![Rung::new(moment.level().name(), surface)];
                rungs.extend(coarser(&moment, &moment, false, context.language));
                (rungs, ["a date", "una fecha"])
            }
            When::DateTime(moment, at, clock) => {
                let mut rungs = vec![Rung::new(clock.level().name(), surface)];
                rungs.push(Rung::new(moment.level().name(), &surface[at]));
                rungs.extend(coarser(&moment, &moment, false, context.language));
                (rungs, ["a date", "una fecha"])
            }
            When::Period(first, second, between) => {
                let mut rungs = vec![Rung::new(first.level().min(second.level()).name(), surface)];
                rungs.extend(coarser(&first, &second, between, context.language));
                (rungs, if between { ["in a period", "en un periodo"] } else { ["a period", "un periodo"] })
            }
            When::Several(moments) => {
                let written = moments.iter().map(Moment::level).min().unwrap_or(Level::Day);
                let mut rungs = vec![Rung::new(written.name(), surface)];
                rungs.extend(listed(&moments, written, context.language));
                (rungs, ["several dates", "varias fechas"])
            }
            When::Times => {
                (vec![Rung::new(Level::Minute.name(), surface)], ["a part of the day", "una parte del día"])
            }
            When::Duration(level) => {
                (vec![Rung::new(level.name(), surface)], ["a period of time", "un periodo de tiempo"])
            }
            When::Time(clock) => {
                (clock.rungs(surface, context.language), ["a time of day", "una hora del día"])
            }
            When::Weekday => (vec![Rung::new(Level::Day.name(), surface)], ["a day", "un día"]),
        };
        match context.language {
            Language::English => rungs.push(Rung::new(Level::Kind.name(), kind[0])),
            Language::Spanish => rungs.push(Rung::new(Level::Kind.name(), kind[1])),
            Language::Other => {}
        }
        Some(rungs)
    }
}

/// What a text says of time, for those who fit it into a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// One day or a stretch of days.
    Day,
    /// A month, a year, a decade or a century.
    Longer(Level),
    /// A time of day.
    Time,
    /// From one time of day to another.
    Times,
}

/// What `text` says of time, if it is a date or a time.
pub(crate) fn says(text: &str, language: Language) -> Option<Says> {
    // Any year does: only the level matters.
    let context = Context { language, reference_year: Some(1999), ..Context::default() };
    if let Some(level) = relative::level(text, &context) {
        return Some(if level == Level::Day { Says::Day } else { Says::Longer(level) });
    }
    Some(match read::read(text, &context)? {
        When::Several(moments) => match moments.iter().map(Moment::level).min()? {
            Level::Day => Says::Day,
            level => Says::Longer(level),
        },
        When::Date(moment) | When::Period(moment, _, false) => match moment.level() {
            Level::Day => Says::Day,
            level => Says::Longer(level),
        },
        When::DateTime(..) | When::Weekday => Says::Day,
        When::Time(_) => Says::Time,
        When::Times => Says::Times,
        When::Period(_, _, true) | When::Duration(_) => return None,
    })
}

/// The rungs of what lies between two dates, or `between` them, that are coarser than both.
fn coarser(first: &Moment, second: &Moment, between: bool, language: Language) -> Vec<Rung> {
    let written = first.level().min(second.level());
    let mut rungs = Vec::new();
    for level in [Level::Month, Level::Year, Level::Decade, Level::Century] {
        if level <= written {
            continue;
        }
        let (Some(from), Some(to)) = (say(first, level, language), say(second, level, language)) else {
            continue;
        };
        let text = match (language, between) {
            (Language::English, true) if from == to => format!("in {from}"),
            (Language::Spanish, true) if from == to => format!("en {from}"),
            _ if from == to => from,
            (Language::English, true) => format!("between {from} and {to}"),
            (Language::English, false) => format!("{from} to {to}"),
            (Language::Spanish, true) => format!("entre {from} y {to}"),
            (Language::Spanish, false) => format!("{from} a {to}"),
            (Language::Other, _) => continue,
        };
        rungs.push(Rung::new(level.name(), text));
    }
    rungs
}

/// The rungs of several dates that are coarser than all of them: each thing is said once.
fn listed(moments: &[Moment], written: Level, language: Language) -> Vec<Rung> {
    let and = match language {
        Language::English => " and ",
        Language::Spanish => " y ",
        Language::Other => ", ",
    };
    let mut rungs = Vec::new();
    for level in [Level::Month, Level::Year, Level::Decade, Level::Century] {
        let said: Option<Vec<String>> = moments.iter().map(|moment| say(moment, level, language)).collect();
        let Some(mut said) = said.filter(|_| level > written) else { continue };
        let mut known = std::collections::HashSet::new();
        said.retain(|text| known.insert(text.clone()));
        let text = match said.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{}{and}{last}", others.join(", ")),
            None => continue,
        };
        rungs.push(Rung::new(level.name(), text));
    }
    rungs
}

/// A date told at a level, if it can be.
fn say(moment: &Moment, level: Level, language: Language) -> Option<String> {
    if moment.short_year {
        return None;
    }
    let language = match language {
        Language::Other => Language::Other,
        _ => moment.language.unwrap_or(language),
    };
    let year = moment.year.as_ref().map(|part| part.value);
    match level {
        Level::Month if moment.undecided => None,
        Level::Month => {
            let month = usize::try_from(moment.month.as_ref()?.value).ok()?.checked_sub(1)?;
            let (english, spanish) = (names::ENGLISH_MONTHS.get(month)?, names::SPANISH_MONTHS.get(month)?);
            match (language, year) {
                (Language::English, Some(year)) => Some(format!("{english} {year}")),
                (Language::English, None) => Some((*english).to_owned()),
                (Language::Spanish, Some(year)) => Some(format!("{spanish} de {year}")),
                (Language::Spanish, None) => Some((*spanish).to_owned()),
                (Language::Other, Some(year)) => Some(format!("{year}-{:02}", month + 1)),
                (Language::Other, None) => None,
            }
        }
        Level::Year => year.map(|year| year.to_string()),
        Level::Decade if moment.short_decade.is_some() => {
            let decade = moment.short_decade?;
            match language {
                Language::English => Some(format!("the {decade:02}s")),
                Language::Spanish => Some(format!("los años {decade:02}")),
                Language::Other => None,
            }
        }
        Level::Decade => {
            let decade = moment.decade.or(year.map(|year| year - year % 10))?;
            Some(match language {
                Language::English => format!("the {decade}s"),
                Language::Spanish => format!("la década de {decade}"),
                Language::Other => format!("{decade}–{}", decade + 9),
            })
        }
        Level::Century => {
            // A year that ends in 00, or a decade that starts with it, belongs to no sure century.
            let year = moment.decade.or(year)?;
            let decade_crosses = (year - year % 10) % 100 == 0 && moment.decade.is_some();
            if year % 100 == 0 || decade_crosses {
                return None;
            }
            let century = year / 100 + 1;
            Some(match language {
                Language::English => format!("the {century}{} century", ordinal(century)),
                Language::Spanish => format!("el siglo {}", roman(century)),
                Language::Other => format!("{}–{}", century * 100 - 99, century * 100),
            })
        }
        _ => None,
    }
}

/// The ending of an English ordinal number.
pub(crate) fn ordinal(number: i32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

fn roman(number: i32) -> String {
    let mut rest = number;
    let mut text = String::new();
    for (value, letters) in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
        while rest >= value {
            text.push_str(letters);
            rest -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests;
