//! Dates moved by a number of days, in the notation that they were written in.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::{Context, Language};
use super::names;
use super::ordinal;
use super::read::{Moment, Part, When, read};

/// The date `days` later (or earlier, if negative), written in the same way: figures stay figures,
/// words stay words, the day of the week follows, a time stays as it is.
///
/// None if the words are not one whole date or two: a month, a year or a time alone cannot be
/// moved by days, and a year in two figures of an unknown century is not whole. How `03/04/2011` is
/// read is told [here](super).
///
/// ```
/// use reticent::mask::{Context, shift_date};
/// let context = Context::default();
/// assert_eq!(shift_date("3/23/1940", 10, &context).as_deref(), Some("4/2/1940"));
/// assert_eq!(shift_date("July 3, 1962", -3, &context).as_deref(), Some("June 30, 1962"));
/// assert_eq!(shift_date("3 de julio de 1962", 30, &context).as_deref(), Some("2 de agosto de 1962"));
/// assert_eq!(shift_date("July 1962", 10, &context), None);
/// ```
pub fn shift_date(surface: &str, days: i32, context: &Context) -> Option<String> {
    let mut edits = Edits::default();
    match read(surface, context)? {
        When::Date(moment) | When::DateTime(moment, ..) => edits.shift(surface, &moment, days, context)?,
        When::Period(first, second, _) => {
            edits.shift(surface, &first, days, context)?;
            edits.shift(surface, &second, days, context)?;
        }
        When::Time(_) | When::Times | When::Weekday | When::Duration(_) | When::Several(_) => return None,
    }
    Some(edits.apply(surface))
}

/// What is written in place of which stretch.
#[derive(Default)]
struct Edits(BTreeMap<(usize, usize), String>);

impl Edits {
    fn shift(&mut self, surface: &str, moment: &Moment, days: i32, context: &Context) -> Option<()> {
        // `early July 3` is no date, and what says more than its parts cannot be moved with them.
        if moment.narrowed || moment.short_year {
            return None;
        }
        let offset = jiff::Span::new().try_days(days).ok()?;
        let moved = moment.civil()?.checked_add(offset).ok()?;
        let (year, month, day) = (moment.year.as_ref()?, moment.month.as_ref()?, moment.day.as_ref()?);
        let new_year = i32::from(moved.year());
        if !(1000..=2999).contains(&new_year) {
            return None;
        }
        let short = year.at.len() == 2;
        let year_text = if short { format!("{:02}", new_year % 100) } else { new_year.to_string() };
        self.set(&year.at, &year_text)?;
        let padded = pads(surface, month, day);
        let month_text = &surface[month.at.clone()];
        if month_text.starts_with(|c: char| c.is_ascii_digit()) {
            self.set(&month.at, &figures(moved.month(), padded))?;
        } else {
            let language = moment.language.unwrap_or(context.language);
            let index = usize::try_from(moved.month()).ok()?.checked_sub(1)?;
            self.set(&month.at, &names::month_like(index, month_text, language)?)?;
        }
        self.set(&day.at, &figures(moved.day(), padded))?;
        if let Some(ending) = ordinal_after(surface, day.at.end) {
            self.set(&ending, ordinal(i32::from(moved.day())))?;
        }
        if let Some(at) = &moment.weekday {
            let index = usize::try_from(moved.weekday().to_monday_zero_offset()).ok()?;
            let language =
                if context.language == Language::Spanish { Language::Spanish } else { Language::English };
            self.set(at, &names::weekday_like(index, &surface[at.clone()], language)?)?;
        }
        Some(())
    }

    /// Both ends of a stretch may share a part (`July 3–5, 1962`); it must then stay the same for
    /// both.
    fn set(&mut self, at: &Range<usize>, text: &str) -> Option<()> {
        let known = self.0.entry((at.start, at.end)).or_insert_with(|| text.to_owned());
        (*known == text).then_some(())
    }

    fn apply(self, surface: &str) -> String {
        let mut text = String::with_capacity(surface.len());
        let mut done = 0;
        for ((start, end), new) in self.0 {
            text.push_str(&surface[done..start]);
            text.push_str(&new);
            done = end;
        }
        text.push_str(&surface[done..]);
        text
    }
}

/// Whether small numbers get a zero in front: when one has it, or when day and month are figures of
/// two digits both.
fn pads(surface: &str, month: &Part, day: &Part) -> bool {
    let texts = [&surface[month.at.clone()], &surface[day.at.clone()]];
    let zero = texts.iter().any(|text| text.starts_with('0'));
    zero || texts.iter().all(|text| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit()))
}

fn figures(number: i8, padded: bool) -> String {
    if padded { format!("{number:02}") } else { number.to_string() }
}

fn ordinal_after(surface: &str, at: usize) -> Option<Range<usize>> {
    let ending = surface.get(at..at + 2)?;
    ["st", "nd", "rd", "th"].iter().any(|known| ending.eq_ignore_ascii_case(known)).then_some(at..at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::DateOrder;
    use jiff::ToSpan;
    use proptest::prelude::*;

    fn shift(surface: &str, days: i32) -> Option<String> {
        shift_date(surface, days, &Context { reference_year: Some(2024), ..Context::default() })
    }

    #[test]
    fn keeps_the_notation() {
        for (surface, days, expected) in [
            ("3/23/1940", 10, "4/2/1940"),
            ("03/23/1940", 10, "04/02/1940"),
            ("10/10/1963", -10, "09/30/1963"),
            ("28/08/2011", 4, "01/09/2011"),
            ("28.8.11", 4, "1.9.11"),
            ("2011-08-28", 4, "2011-09-01"),
            ("2011-08-28T14:37:00Z", 4, "2011-09-01T14:37:00Z"),
            ("July 3, 1962", 1, "July 4, 1962"),
            ("July 31st, 1962", 1, "August 1st, 1962"),
            ("28 AUG 2011", 4, "1 SEP 2011"),
            ("14,May,2004", 20, "3,June,2004"),
            ("3 de julio de 1962", -3, "30 de junio de 1962"),
            ("Tuesday, July 3, 1962", 1, "Wednesday, July 4, 1962"),
            ("July 3–5, 1962", 1, "July 4–6, 1962"),
            ("between 1 May and 30 May 1991", 1, "between 2 May and 31 May 1991"),
            ("2010-01-02 to 2012-03-04", 30, "2010-02-01 to 2012-04-03"),
        ] {
            assert_eq!(shift(surface, days).as_deref(), Some(expected), "{surface}");
        }
    }

    #[test]
    fn leaves_alone_what_is_not_a_whole_date() {
        for surface in [
            "July 1962",
            "1962",
            "July 3",
            "the 1960s",
            "14:37",
            "Monday",
            "early July 1962",
            "",
            "31/02/2011",
            "July 30–31, 1962",
            "28.8.20",
            "soon",
            "two years",
        ] {
            assert_eq!(shift(surface, 1), None, "{surface}");
        }
    }

    #[test]
    fn reads_ambiguous_figures_as_told() {
        let day_first = Context { date_order: Some(DateOrder::DayFirst), ..Context::default() };
        let spanish = Context { language: Language::Spanish, ..Context::default() };
        assert_eq!(shift_date("03/04/2011", 1, &Context::default()).as_deref(), Some("03/05/2011"));
        assert_eq!(shift_date("03/04/2011", 1, &day_first).as_deref(), Some("04/04/2011"));
        assert_eq!(shift_date("03/04/2011", 1, &spanish).as_deref(), Some("04/04/2011"));
    }

    fn whole(text: &str) -> jiff::civil::Date {
        match read(text, &Context::default()) {
            Some(When::Date(moment)) => moment.civil().expect("a whole date"),
            _ => panic!("not a date"),
        }
    }

    proptest! {
        #[test]
        fn intervals_are_kept(
            year in 1900..2090i16, month in 1..=12i8, day in 1..=28i8, apart in 0..5000i32, days in -400..400i32,
        ) {
            let first = jiff::civil::date(year, month, day);
            let second = first.checked_add(apart.days()).expect("in range");
            for format in ["%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%m/%d/%Y"] {
                let texts = [first, second].map(|date| date.strftime(format).to_string());
                let [a, b] = texts.map(|text| shift_date(&text, days, &Context::default()).expect("whole"));
                prop_assert_eq!(whole(&a), first.checked_add(days.days()).expect("in range"));
                prop_assert_eq!(whole(&a).until(whole(&b)).expect("in range").get_days(), apart);
                prop_assert_eq!(shift_date(&a, -days, &Context::default()).map(|text| whole(&text)), Some(first));
            }
        }

        #[test]
        fn never_panics(surface in "([0-9]{1,4}|[ /.,-]|July|de|Mon){1,9}|[0-9]{4}-[01][0-9]-[0-3][0-9]|.*", days in any::<i32>()) {
            let _ = shift(&surface, days);
        }
    }
}
