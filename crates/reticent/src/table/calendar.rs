//! Days: dates of columns as stretches of days, and what is coarser.

use jiff::civil::Date;

/// The first and the last day that a date means, counted from 1970.
pub(crate) type Days = (i32, i32);

/// Reads a date: by its format, or as ISO 8601 as far as it is told, with or without a time behind it.
pub(crate) fn read(text: &str, format: Option<&str>) -> Option<Days> {
    if let Some(format) = format {
        let time = jiff::fmt::strtime::parse(format, text).ok()?;
        let day = count(time.to_date().ok()?);
        return Some((day, day));
    }
    let date = text.split(['T', ' ']).next()?;
    let mut parts = date.split('-');
    let year = parts.next().filter(|year| year.len() == 4)?;
    let part = |part: Option<&str>| match part {
        None => Some(None),
        Some(part) if part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit()) => {
            part.parse::<i8>().ok().map(Some)
        }
        Some(_) => None,
    };
    let year = year.bytes().all(|b| b.is_ascii_digit()).then(|| year.parse::<i16>().ok())??;
    let (month, day) = (part(parts.next())?, part(parts.next())?);
    if parts.next().is_some() || (day.is_none() && date.len() != text.len()) {
        return None;
    }
    period(year, month, day)
}

/// The days of a year, of a month, or a day.
pub(crate) fn period(year: i16, month: Option<i8>, day: Option<i8>) -> Option<Days> {
    let first = Date::new(year, month.unwrap_or(1), day.unwrap_or(1)).ok()?;
    let last = match (month, day) {
        (_, Some(_)) => first,
        (Some(_), None) => first.last_of_month(),
        (None, None) => first.last_of_year(),
    };
    Some((count(first), count(last)))
}

/// The day of that number.
pub(crate) fn date(day: i32) -> Option<Date> {
    let since = jiff::Span::new().try_days(day).ok()?;
    EPOCH.checked_add(since).ok()
}

const EPOCH: Date = jiff::civil::date(1970, 1, 1);

fn count(date: Date) -> i32 {
    EPOCH.until(date).map_or(0, |span| span.get_days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_dates_as_far_as_they_are_told() {
        assert_eq!(read("1970-01-02", None), Some((1, 1)));
        assert_eq!(read("1970-01", None), Some((0, 30)));
        assert_eq!(read("1970", None), Some((0, 364)));
        assert_eq!(read("1970-01-02T10:30:00", None), Some((1, 1)));
        assert_eq!(read("1970-01-02 10:30", None), Some((1, 1)));
        assert_eq!(read("14,May,2004", Some("%d,%B,%Y")), read("2004-05-14", None));
        assert_eq!(date(read("2004-05-14", None).unwrap().0).unwrap().to_string(), "2004-05-14");
        assert_eq!(read("0200-03-01", None).and_then(|days| date(days.0)).unwrap().to_string(), "0200-03-01");
    }

    #[test]
    fn leaves_what_is_no_date() {
        for text in ["", "2004-5-14", "2004-13", "2004-02-30", "14.05.2004", "20040514", "2004-05 10:00", "May"] {
            assert_eq!(read(text, None), None, "{text}");
        }
        assert_eq!(read("14 May 2004", Some("%d,%B,%Y")), None);
    }
}
