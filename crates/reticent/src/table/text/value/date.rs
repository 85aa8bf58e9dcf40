//! Dates in texts, in any written form: `14 May 2004`, `May 14`, `14.05.04`, `2004-05`, `14 de mayo de 2004`.

use reticent_text::Span;

use super::view::Token;
use crate::table::calendar::{self, Days};
use crate::table::lexicon::lexicon;

/// Something that a text may mean as a date: as far as it says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) year: Option<i16>,
    pub(crate) month: Option<i8>,
    pub(crate) day: Option<i8>,
}

impl Moment {
    /// The days that it may mean; nothing without a year.
    pub(crate) fn days(self) -> Option<Days> {
        calendar::period(self.year?, self.month, self.day.filter(|_| self.month.is_some()))
    }

    /// Whether it says a date that is known to lie between two days, as far as it says it.
    pub(crate) fn is(self, low: i32, high: i32) -> bool {
        if let Some((from, to)) = self.days() {
            return from <= low && high <= to || low <= from && to <= high;
        }
        // A day of some year.
        let (Some(month), Some(day)) = (self.month, self.day) else { return false };
        low == high && calendar::date(low).is_some_and(|date| date.month() == month && date.day() == day)
    }
}

/// A stretch that may be a date, in each way that it can be read.
#[derive(Debug)]
pub(crate) struct DateText {
    pub(crate) span: Span,
    pub(crate) moments: Vec<Moment>,
    /// Whether it is one for sure: its numbers are then nothing else.
    pub(crate) is_sure: bool,
}

/// The dates of a text.
pub(crate) fn dates(text: &str, tokens: &[Token<'_>]) -> Vec<DateText> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let place = Place { text, tokens, at };
        match place.numeric().or_else(|| place.named()) {
            Some((date, taken)) => {
                found.push(date);
                at += taken;
            }
            None => at += 1,
        }
    }
    found
}

struct Place<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
}

impl Place<'_> {
    fn plain(&self, at: usize) -> Option<&str> {
        self.tokens.get(self.at + at).map(|token| token.plain)
    }

    fn gap(&self, at: usize) -> &str {
        &self.text[self.tokens[self.at + at].span.end..self.tokens[self.at + at + 1].span.start]
    }

    fn found(&self, count: usize, moments: Vec<Moment>, is_sure: bool) -> Option<(DateText, usize)> {
        let span = self.tokens[self.at].span.join(self.tokens[self.at + count - 1].span);
        (!moments.is_empty()).then_some((DateText { span, moments, is_sure }, count))
    }

    /// `2004-05-14`, `14/5/04`, `05.2004`, `20040514`, `14/5`.
    fn numeric(&self) -> Option<(DateText, usize)> {
        let first = self.plain(0)?;
        let number = |word: &str| word.parse::<i16>().ok().filter(|_| word.len() <= 4);
        let is_mark = |gap: &str| matches!(gap, "-" | "/" | "." | "–" | "‑" | ". " | " / " | " - ");
        if first.len() == 8 && first.bytes().all(|byte| byte.is_ascii_digit()) {
            let moment = Moment {
                year: first[..4].parse().ok(),
                month: first[4..6].parse().ok(),
                day: first[6..].parse().ok(),
            };
            return moment.days().and_then(|_| self.found(1, vec![moment], false));
        }
        let a = number(first)?;
        let joined = |at: usize| self.plain(at + 1).is_some() && is_mark(self.gap(at));
        // The day may have the time of `2004-05-14T10:00` behind it.
        let b = self.plain(1).filter(|_| joined(0)).and_then(number);
        let third = self.plain(2).filter(|_| joined(0) && joined(1) && self.gap(0) == self.gap(1));
        let c = third.and_then(|word| number(word.split('t').next().unwrap_or_default()));
        let small = |number: i16| i8::try_from(number).ok();
        let moment = |year: i16, month: i16, day: Option<i16>| {
            let moment = Moment { year: Some(year), month: small(month), day: day.and_then(small) };
            moment.days().map(|_| moment)
        };
        if let (Some(b), Some(c)) = (b, c) {
            if first.len() == 4 {
                let moments = [moment(a, b, Some(c)), moment(a, c, Some(b))].into_iter().flatten();
                return self.found(3, moments.collect(), true);
            }
            let last = third.map_or(0, str::len);
            let years = if last == 4 { vec![c] } else { vec![1900 + c, 2000 + c] };
            let moments =
                years.into_iter().flat_map(|year| [moment(year, b, Some(a)), moment(year, a, Some(b))]);
            return self.found(3, moments.flatten().collect(), true);
        }
        let b = b?;
        let second = self.plain(1).map_or(0, str::len);
        if first.len() == 4 && second <= 2 && self.gap(0) != "." {
            return self.found(2, moment(a, b, None).into_iter().collect(), false);
        }
        if second == 4 && first.len() <= 2 {
            return self.found(2, moment(b, a, None).into_iter().collect(), true);
        }
        if first.len() <= 2 && second <= 2 && self.gap(0) != "-" {
            let of = |month: i16, day: i16| {
                let moment = Moment { year: None, month: small(month), day: small(day) };
                calendar::period(2000, moment.month, moment.day).map(|_| moment)
            };
            return self.found(2, [of(a, b), of(b, a)].into_iter().flatten().collect(), false);
        }
        None
    }

    /// `14 May 2004`, `May 14th, 2004`, `14th of May`, `mayo de 2004`, `May 2004`.
    fn named(&self) -> Option<(DateText, usize)> {
        let lexicon = lexicon();
        let near = |at: usize| {
            self.plain(at + 1).is_some() && self.gap(at).chars().count() <= 2 && !self.gap(at).contains('\n')
        };
        // `of`, `de`, `del`, `the` between the parts.
        let skip = |mut at: usize| {
            while near(at - 1) && matches!(self.plain(at), Some("of" | "de" | "del" | "the")) {
                at += 1;
            }
            at
        };
        let day = |at: usize| {
            let word = self.plain(at)?;
            let figures = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let ending = &word[figures.len()..];
            let is_day = matches!(ending, "" | "st" | "nd" | "rd" | "th" | "er" | "o");
            figures.parse::<i8>().ok().filter(|day| is_day && (1..=31).contains(day))
        };
        let year = |at: usize| {
            let word = self.plain(at)?;
            let number = word.parse::<i16>().ok()?;
            match word.len() {
                4 if (1000..2200).contains(&number) => Some(vec![number]),
                2 if self.gap(at - 1).contains(['\'', '’', '-', '/']) => {
                    Some(vec![1900 + number, 2000 + number])
                }
                _ => None,
            }
        };
        let months = |years: Option<Vec<i16>>, month: i8, day: Option<i8>| {
            let years = years.map_or_else(|| vec![None], |years| years.into_iter().map(Some).collect());
            let moment = |year| Moment { year, month: Some(month), day };
            years.into_iter().map(moment).collect::<Vec<_>>()
        };
        if let Some(own) = day(0) {
            let at = skip(1);
            let month = self.plain(at).filter(|_| near(at - 1)).and_then(|word| lexicon.month(word))?;
            let next = skip(at + 1);
            let years = self.plain(next).filter(|_| near(next - 1)).and_then(|_| year(next));
            let count = if years.is_some() { next + 1 } else { at + 1 };
            return self.found(count, months(years, month, Some(own)), true);
        }
        let month = self.plain(0).and_then(|word| lexicon.month(word))?;
        let at = skip(1);
        if !near(at - 1) {
            return None;
        }
        if let Some(years) = year(at) {
            return self.found(at + 1, months(Some(years), month, None), true);
        }
        let own = day(at)?;
        let next = at + 1;
        let years = self.plain(next).filter(|_| near(at)).and_then(|_| year(next));
        let count = if years.is_some() { next + 1 } else { at + 1 };
        self.found(count, months(years, month, Some(own)), true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::View;
    use super::*;

    fn says(text: &str, date: &str) -> bool {
        let view = View::new(text);
        let (low, high) = calendar::read(date, None).expect("a date");
        dates(view.text(), &view.tokens())
            .iter()
            .any(|found| found.moments.iter().any(|moment| moment.is(low, high)))
    }

    #[test]
    fn reads_dates_in_any_form() {
        for text in [
            "2004-05-14",
            "2004/05/14",
            "14/05/2004",
            "05/14/2004",
            "14.5.04",
            "14.05.2004",
            "14-05-2004",
            "20040514",
            "14 May 2004",
            "14th of May, 2004",
            "May 14, 2004",
            "May 14th",
            "14 May",
            "on 14 de mayo de 2004",
            "May 2004",
            "mayo de 2004",
            "05/2004",
            "2004-05",
            "14-May-2004",
            "14 MAY 2004",
            "May '04",
            "seen 14/5",
            "5/14",
            "2004-05-14T10:00:00",
        ] {
            assert!(says(text, "2004-05-14"), "{text}");
        }
    }

    #[test]
    fn leaves_other_dates() {
        for text in [
            "2004-05-15",
            "15 May 2004",
            "May 2005",
            "14 June 2004",
            "120/80",
            "may be 14",
            "14",
            "05/2005",
            "1/2 tablet",
        ] {
            assert!(!says(text, "2004-05-14"), "{text}");
        }
    }
}
