//! Days: dates of columns as stretches of days, and what is coarser.

use jiff::civil::Date;

/// The first and the last day that a date means, counted from 1970.
pub(crate) type Days = (i32, i32);

/// Reads a date: by its format, or as ISO 8601 as far as it is told.
pub(crate) fn read(text: &str, format: Option<&str>) -> Option<Days> {
    let (first, last) = super::schema::value::days(text, format)?;
    Some((count(first), count(last)))
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
        assert_eq!(read("14 May 2004", Some("%d,%B,%Y")), None);
    }
}
