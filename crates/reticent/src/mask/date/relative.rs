//! Dates of a year that is told elsewhere: `May of that year`, `octubre del mismo año`.

use super::super::{Context, Language, Rung};
use super::read::{self, Moment, When};
use super::{Level, say};

/// How a text says that its year was told before, and that year alone.
const YEARS: [(&str, &str); 14] = [
    (" of that year", "that year"),
    (" that year", "that year"),
    (" of the same year", "the same year"),
    (" the same year", "the same year"),
    (" of that same year", "that same year"),
    (" of this year", "this year"),
    (" this year", "this year"),
    (" del mismo año", "el mismo año"),
    (" de ese mismo año", "ese mismo año"),
    (" de ese año", "ese año"),
    (" de aquel año", "aquel año"),
    (" de este año", "este año"),
    (" del presente año", "el presente año"),
    (" del pasado año", "el pasado año"),
];

/// The date without its year, how the year is told after it, and the year alone.
fn split<'t>(text: &'t str, context: &Context) -> Option<(Moment, &'t str, &'static str)> {
    let ends = |suffix: &str| {
        let at = text.len().checked_sub(suffix.len())?;
        text.get(at..).filter(|end| end.to_lowercase() == suffix).map(|_| at)
    };
    let (at, year) =
        YEARS.iter().filter_map(|(suffix, year)| Some((ends(suffix)?, *year))).min_by_key(|(at, _)| *at)?;
    match read::read(&text[..at], context)? {
        When::Date(moment) if moment.year.is_none() && moment.month.is_some() => {
            Some((moment, &text[at..], year))
        }
        _ => None,
    }
}

/// What can be said of such a date: its month, its year, or that it is a date.
pub(super) fn rungs(surface: &str, context: &Context) -> Option<Vec<Rung>> {
    let (moment, suffix, year) = split(surface, context)?;
    let mut rungs = vec![Rung::new(moment.level().name(), surface)];
    if let Some(month) =
        say(&moment, Level::Month, context.language).filter(|_| moment.level() < Level::Month)
    {
        rungs.push(Rung::new(Level::Month.name(), format!("{month}{suffix}")));
    }
    rungs.push(Rung::new(Level::Year.name(), year));
    match context.language {
        Language::English => rungs.push(Rung::new(Level::Kind.name(), "a date")),
        Language::Spanish => rungs.push(Rung::new(Level::Kind.name(), "una fecha")),
        Language::Other => {}
    }
    Some(rungs)
}

/// How finely such a date, or such a year, is told.
pub(super) fn level(text: &str, context: &Context) -> Option<Level> {
    let lower = text.to_lowercase();
    if YEARS.iter().any(|(_, year)| *year == lower) {
        return Some(Level::Year);
    }
    split(text, context).map(|(moment, ..)| moment.level())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(surface: &str, language: Language) -> Vec<String> {
        let context = Context { language, ..Context::default() };
        rungs(surface, &context).unwrap_or_default().into_iter().map(|rung| rung.text).collect()
    }

    #[test]
    fn tells_the_year_as_it_was_told() {
        assert_eq!(
            texts("3 May of that year", Language::English)[1..],
            ["May of that year", "that year", "a date"]
        );
        assert_eq!(texts("octubre del mismo año", Language::Spanish)[1..], ["el mismo año", "una fecha"]);
    }

    #[test]
    fn leaves_other_dates_alone() {
        for text in ["May 1990", "that year", "of that year", "", "ñ that year", "1990 of that year"] {
            assert!(texts(text, Language::English).is_empty(), "{text}");
        }
    }
}
