//! What a cell says: numbers and dates.

use jiff::ToSpan;
use jiff::civil::{Date, date};

/// The number that a cell says.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    // Rust reads `inf` and `nan` too.
    let figures = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|number: &f64| figures && number.is_finite())
}

/// The first and the last day that a cell may mean: the same, unless it names a month, a year or a decade.
///
/// Without a format, dates are as ISO 8601 writes them, with or without a time, and as far as they are told:
/// `2004-05-14`, `2004-05`, `2004`, `2000s`.
pub(crate) fn days(text: &str, format: Option<&str>) -> Option<(Date, Date)> {
    let text = text.trim();
    if let Some(format) = format {
        let day = jiff::fmt::strtime::parse(format, text).ok()?.to_date().ok()?;
        return Some((day, day));
    }
    let figures = text.bytes().take_while(u8::is_ascii_digit).count();
    if figures != 4 {
        return None;
    }
    let year: i16 = text[..4].parse().ok()?;
    match &text[4..] {
        "" => Some((date(year, 1, 1), date(year, 12, 31))),
        "s" if year % 10 == 0 => Some((date(year, 1, 1), Date::new(year.checked_add(9)?, 12, 31).ok()?)),
        // A quarter: 2004-Q2.
        rest if rest.len() == 3 && rest.starts_with("-Q") => {
            let quarter: i8 = rest[2..].parse().ok().filter(|quarter| (1..=4).contains(quarter))?;
            let first = Date::new(year, quarter * 3 - 2, 1).ok()?;
            Some((first, Date::new(year, quarter * 3, 1).ok()?.last_of_month()))
        }
        rest if rest.len() == 3 => {
            let month = rest.strip_prefix('-')?.parse().ok()?;
            let first = Date::new(year, month, 1).ok()?;
            Some((first, first.last_of_month()))
        }
        rest if rest.len() == 6 => {
            let day: Date = text.parse().ok()?;
            Some((day, day))
        }
        _ => {
            let time = jiff::fmt::temporal::DateTimeParser::new();
            let local = time.parse_datetime(text).ok().map(jiff::civil::DateTime::date);
            let day = local.or_else(|| {
                // A moment with its offset: the day that is written, not the day in UTC.
                time.parse_timestamp(text).ok().and_then(|_| text.get(..10)?.parse().ok())
            })?;
            Some((day, day))
        }
    }
}

/// Whether a format tells day, month and year apart.
pub(super) fn is_date_format(format: &str) -> bool {
    let told = |day: Date| {
        let written = jiff::fmt::strtime::format(format, day).ok()?;
        Some(days(&written, Some(format))? == (day, day))
    };
    let first = date(2004, 3, 14);
    [first, first + 1.day(), first + 1.month(), first + 1.year()]
        .into_iter()
        .all(|day| told(day) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_and_nothing_else() {
        for (text, expected) in [("36", 36.0), (" -3.5 ", -3.5), ("1e3", 1000.0), ("+7", 7.0), ("0", 0.0)] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in ["", "?", "inf", "NaN", "1,234", "36 years", "0x10", "-", "1e999", "--1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn reads_dates_as_far_as_they_are_told() {
        let day = date(2004, 5, 14);
        for text in ["2004-05-14", "2004-05-14T10:00:00", "2004-05-14 10:00", "2004-05-14T23:30:00-05:00"] {
            assert_eq!(days(text, None), Some((day, day)), "{text}");
        }
        assert_eq!(days("14,May,2004", Some("%d,%B,%Y")), Some((day, day)));
        assert_eq!(days("2004-05", None), Some((date(2004, 5, 1), date(2004, 5, 31))));
        assert_eq!(days("2004-Q2", None), Some((date(2004, 4, 1), date(2004, 6, 30))));
        assert_eq!(days("2004-Q5", None), None);
        assert_eq!(days("2004", None), Some((date(2004, 1, 1), date(2004, 12, 31))));
        assert_eq!(days("1960s", None), Some((date(1960, 1, 1), date(1969, 12, 31))));
        for text in [
            "",
            "14.5.2004",
            "2004-13",
            "2004-02-30",
            "20040",
            "1961s",
            "2004-5-1",
            "May 2004",
            "2004-05-14x",
        ] {
            assert_eq!(days(text, None), None, "{text}");
        }
        assert_eq!(days("2004-05-14", Some("%d,%B,%Y")), None);
    }

    #[test]
    fn a_format_must_tell_the_day() {
        for format in ["%d,%B,%Y", "%m/%d/%Y", "%Y-%m-%d", "%d. %b %y"] {
            assert!(is_date_format(format), "{format}");
        }
        for format in ["%Y", "%d/%m", "%H:%M", "%", "day", ""] {
            assert!(!is_date_format(format), "{format}");
        }
    }
}
