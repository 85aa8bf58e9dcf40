//! Reads dates as people write them.

use std::ops::Range;

use super::super::scan::{Token, is_dash, scan};
use super::super::{Context, Language, numeral};
use super::clock::{self, Clock};
use super::{Level, names};

/// A number of a date, and where it stands.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) value: i32,
    pub(crate) at: Range<usize>,
}

/// One date, as far as it is told.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Moment {
    pub(crate) century: Option<i32>,
    pub(crate) decade: Option<i32>,
    /// The two figures of a decade whose century is not known: `the 80s`.
    pub(crate) short_decade: Option<i32>,
    pub(crate) year: Option<Part>,
    pub(crate) month: Option<Part>,
    pub(crate) day: Option<Part>,
    pub(crate) weekday: Option<Range<usize>>,
    /// Day and month could be the other way round, so neither may be told alone.
    pub(crate) undecided: bool,
    /// The year is written in two figures, and its century is not known.
    pub(crate) short_year: bool,
    /// It says more than its parts do: `early 1962`, `summer of 1962`.
    pub(crate) narrowed: bool,
    /// The language of its words.
    pub(crate) language: Option<Language>,
}

/// A date, a time, both, or a stretch of dates.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum When {
    Date(Moment),
    /// The date, where it stands, and the time.
    DateTime(Moment, Range<usize>, Clock),
    /// A stretch of dates, or two of them; and whether `between` stands before.
    Period(Moment, Moment, bool),
    /// Several dates: `15, 17 and 24 January 1990`.
    Several(Vec<Moment>),
    /// A length of time (`six months`), of units of this level.
    Duration(Level),
    Time(Clock),
    /// From one time of a day to another.
    Times,
    /// A day of the week alone.
    Weekday,
}

impl Moment {
    /// How finely it is told.
    pub(crate) fn level(&self) -> Level {
        let level = if self.day.is_some() {
            Level::Day
        } else if self.month.is_some() {
            Level::Month
        } else if self.year.is_some() || self.short_year {
            Level::Year
        } else if self.decade.is_some() || self.short_decade.is_some() {
            Level::Decade
        } else {
            Level::Century
        };
        if self.narrowed { level.finer() } else { level }
    }

    /// The day of the calendar, if all of it is told.
    pub(crate) fn civil(&self) -> Option<jiff::civil::Date> {
        let (year, month, day) = (self.year.as_ref()?, self.month.as_ref()?, self.day.as_ref()?);
        civil(year.value, month.value, day.value)
    }

    /// Takes the month and the year that it leaves untold from the date that follows it in a list;
    /// none if it would then be the later of the two.
    fn inherit(&mut self, next: &Self) -> Option<()> {
        let ordered = |moment: &Self| {
            (moment.month.as_ref().map(|part| part.value), moment.day.as_ref().map(|part| part.value))
        };
        if self.month.is_none() && self.day.is_some() {
            self.month.clone_from(&next.month);
            self.undecided = next.undecided;
            self.language = next.language;
        }
        let untold = self.year.is_none() && self.decade.is_none() && self.century.is_none();
        if untold && !self.short_year && self.short_decade.is_none() {
            self.year.clone_from(&next.year);
            self.short_year = next.short_year;
            if ordered(self) > ordered(next) {
                return None;
            }
        }
        Some(())
    }

    /// Whether there is such a day at all.
    fn exists(&self) -> bool {
        let month = self.month.as_ref().map_or(1, |part| part.value);
        let day = self.day.as_ref().map_or(1, |part| part.value);
        // A leap year stands for an untold one: February 29 exists.
        civil(self.year.as_ref().map_or(2000, |part| part.value), month, day).is_some()
    }
}

fn civil(year: i32, month: i32, day: i32) -> Option<jiff::civil::Date> {
    let (year, month, day) = (year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
    jiff::civil::Date::new(year, month, day).ok()
}

/// Reads the whole of `surface`; none if anything in it is not understood.
pub(crate) fn read(surface: &str, context: &Context) -> Option<When> {
    let tokens = scan(surface);
    // No date is longer, and every date is read in a bounded number of steps.
    if tokens.is_empty() || tokens.len() > 40 {
        return None;
    }
    Reader { tokens: &tokens, context }.whole()
}

/// Reads tokens; how one date is written is in [`forms`](super::forms).
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) context: &'a Context,
}

impl Reader<'_> {
    pub(super) fn word(&self, i: usize) -> Option<&str> {
        self.tokens.get(i).and_then(Token::word)
    }

    pub(super) fn sign(&self, i: usize) -> Option<char> {
        self.tokens.get(i).and_then(Token::sign)
    }

    pub(super) fn number(&self, i: usize) -> Option<(u32, usize)> {
        self.tokens.get(i).and_then(Token::number)
    }

    pub(super) fn is_word(&self, i: usize, words: &[&str]) -> bool {
        self.word(i).is_some_and(|word| words.contains(&word))
    }

    pub(super) fn part(&self, i: usize) -> Option<Part> {
        let (value, _) = self.number(i)?;
        Some(Part { value: i32::try_from(value).ok()?, at: self.tokens[i].at.clone() })
    }

    fn at_end(&self, i: usize) -> bool {
        i >= self.tokens.len()
    }

    fn whole(&self) -> Option<When> {
        let between = self.is_word(0, &["between", "entre"]);
        let listed = |i: usize| self.is_word(i, &["and", "or", "y", "e", "o"]) || self.sign(i) == Some('&');
        if !between
            && (0..self.tokens.len()).any(listed)
            && let Some(several) = self.several()
        {
            return Some(several);
        }
        if let Some(period) = self.short_period() {
            return Some(period);
        }
        if let Some((moment, end)) = self.moment(usize::from(between)) {
            if self.at_end(end) && !between {
                return Some(When::Date(moment));
            }
            if let Some((clock, last, _)) = self.clocks(self.joint(end))
                && self.at_end(last)
                && !between
            {
                let at = self.tokens[0].at.start..self.tokens[end - 1].at.end;
                return Some(When::DateTime(moment, at, clock));
            }
            // `1999/2000` is a year of school or business.
            let sign = self.sign(end).is_some_and(|sign| is_dash(sign) || sign == '/');
            let words: &[&str] = if between {
                &["and", "y"]
            } else {
                &["to", "until", "through", "and", "or", "a", "al", "hasta", "y", "o"]
            };
            if (sign && !between || self.is_word(end, words))
                && let Some((second, last)) = self.moment(end + 1)
                && self.at_end(last)
            {
                return period(moment, second, between);
            }
            return self.several().or_else(|| self.duration());
        }
        if let Some((clock, end, stretch)) = self.clocks(0) {
            if self.at_end(end) {
                return Some(if stretch { When::Times } else { When::Time(clock) });
            }
            let start = if self.sign(end) == Some(',') { end + 1 } else { end };
            let start = if self.is_word(start, &["on", "of", "el", "del", "de"]) { start + 1 } else { start };
            if let Some((moment, last)) = self.moment(start)
                && self.at_end(last)
            {
                let at = self.tokens[start].at.start..self.tokens[last - 1].at.end;
                return Some(When::DateTime(moment, at, clock));
            }
            return None;
        }
        self.several().or_else(|| self.duration()).or_else(|| self.weekday_alone())
    }

    /// `Monday`, `last Monday`, `Saturday night`.
    fn weekday_alone(&self) -> Option<When> {
        let lead = ["the", "el", "los", "last", "next", "this", "every"];
        let start = usize::from(self.is_word(0, &lead));
        names::weekday(self.word(start)?)?;
        let end = if self.sign(start + 1) == Some('.') { start + 2 } else { start + 1 };
        let end = end + usize::from(self.is_word(end, &["morning", "afternoon", "evening", "night"]));
        self.at_end(end).then_some(When::Weekday)
    }

    /// A time, or two of them as the ends of a stretch, where they end, and whether there are two.
    fn clocks(&self, i: usize) -> Option<(Clock, usize, bool)> {
        let i = i + usize::from(self.is_word(i, &["from", "between", "about", "around", "approximately"]));
        let to = |i: usize| {
            self.sign(i).is_some_and(is_dash) || self.is_word(i, &["to", "and", "until", "till", "a", "y"])
        };
        // `between 9 and 11 a.m.`: the first says not even that it is a time.
        if let (Some((0..=23, 1 | 2)), true) = (self.number(i), to(i + 1))
            && let Some((clock, end)) = clock::read(self.tokens, i + 2)
        {
            return Some((clock, end, true));
        }
        let (clock, end) = clock::read(self.tokens, i)?;
        match clock::read(self.tokens, end + 1).filter(|_| to(end)) {
            Some((_, last)) => Some((clock, last, true)),
            None => Some((clock, end, false)),
        }
    }

    /// `15, 17 and 24 January 1990`, `6 March, 26 June and 9 October 2001`: what a date leaves
    /// untold, the next one tells.
    fn several(&self) -> Option<When> {
        let mut moments: Vec<Moment> = Vec::new();
        let mut i = 0;
        loop {
            let article = usize::from(self.is_word(i, &["the", "el"]));
            let (moment, end) = match self.moment(i) {
                Some(found) => found,
                None => match self.number(i + article)? {
                    (1..=31, 1 | 2) => {
                        let day = self.part(i + article);
                        (Moment { day, ..Moment::default() }, self.after_ordinal(i + article + 1))
                    }
                    _ => return None,
                },
            };
            moments.push(moment);
            i = end;
            if self.at_end(i) {
                break;
            }
            let comma = self.sign(i) == Some(',');
            let and = i + usize::from(comma);
            let joined = self.is_word(and, &["and", "or", "y", "e", "o"]) || self.sign(and) == Some('&');
            if !comma && !joined {
                return None;
            }
            i = and + usize::from(joined);
        }
        let mut next = moments.last()?.clone();
        for moment in moments.iter_mut().rev().skip(1) {
            moment.inherit(&next)?;
            next = moment.clone();
        }
        (moments.len() > 1 && moments.iter().all(Moment::exists)).then_some(When::Several(moments))
    }

    /// `six months`, `3 years and 6 months`, `dos semanas`.
    fn duration(&self) -> Option<When> {
        let mut i = 0;
        let mut finest = Level::Century;
        loop {
            let last = match self.number(i) {
                Some((_, 1..=4)) => i,
                _ => numeral::read(self.tokens, i, None)?.0,
            };
            finest = finest.min(unit(self.word(last + 1)?)?);
            i = last + 2;
            if self.at_end(i) {
                return Some(When::Duration(finest));
            }
            if !self.is_word(i, &["and", "y"]) && self.sign(i) != Some(',') {
                return None;
            }
            i += 1;
        }
    }

    /// Where a time may begin after a date: behind `,`, `at`, `T`.
    fn joint(&self, i: usize) -> usize {
        let i = if self.sign(i).is_some_and(|sign| sign == ',' || is_dash(sign)) { i + 1 } else { i };
        if self.is_word(i, &["at", "t"]) { i + 1 } else { i }
    }

    /// `1962–65`, `3–5 July 1962`, `July 3–5, 1962`: the halves share parts.
    fn short_period(&self) -> Option<When> {
        let to = |i: usize| {
            self.sign(i).is_some_and(is_dash) || self.is_word(i, &["to", "and", "or", "a", "al", "y", "o"])
        };
        if let (Some((first, 4)), Some(dash), Some((last, 2))) =
            (self.number(0), self.sign(1), self.number(2))
            && (is_dash(dash) || dash == '/')
            && self.at_end(3)
            // `2005-06` may be a month, too; it lies in these years as well, and is finer.
            && last > first % 100
        {
            let (mut first, mut second) = (self.year(0)?.0, self.year(0)?.0);
            first.narrowed = last <= 12;
            let from = self.part(0)?.value;
            second.year =
                Some(Part { value: from - from % 100 + i32::try_from(last).ok()?, at: self.part(2)?.at });
            return period(first, second, false);
        }
        if let (Some((_, 1 | 2)), true, Some((second, end))) = (self.number(0), to(1), self.day_month(2))
            && self.at_end(end)
        {
            let first = Moment { day: self.part(0), ..second.clone() };
            return period(first, second, false);
        }
        let (first, end) = self.month_day(0)?;
        if first.year.is_none()
            && first.day.is_some()
            && to(end)
            && matches!(self.number(end + 1), Some((_, 1 | 2)))
        {
            let mut second = Moment { day: self.part(end + 1), ..first.clone() };
            let mut last = end + 2;
            if let Some((year, after)) = self.year_after(last) {
                self.set_year(&mut second, year)?;
                last = after;
            }
            return if self.at_end(last) { period(first, second, false) } else { None };
        }
        None
    }

    /// One date that starts at token `i`, and where it ends.
    fn moment(&self, mut i: usize) -> Option<(Moment, usize)> {
        let mut narrowed = false;
        if self.is_word(i, &["early", "late", "mid"]) {
            narrowed = true;
            i += if self.sign(i + 1).is_some_and(is_dash) { 2 } else { 1 };
        } else if self.is_word(i, &["principios", "mediados", "finales"])
            && self.is_word(i + 1, &["de", "del"])
        {
            narrowed = true;
            i += 2;
        }
        let part = ["end", "beginning", "middle", "start"];
        let article = usize::from(self.word(i) == Some("the"));
        if self.is_word(i + article, &part) && self.word(i + article + 1) == Some("of") {
            narrowed = true;
            i += article + 2;
        }
        if self.is_word(i, &["the", "el", "la", "los"]) {
            i += 1;
        }
        // `el mes de abril`, `el día 3 de abril`.
        if self.word(i) == Some("mes") && self.word(i + 1) == Some("de") {
            i += 2;
        } else if self.word(i) == Some("día") && self.number(i + 1).is_some() {
            i += 1;
        }
        let mut weekday = None;
        if let Some(word) = self.word(i)
            && names::weekday(word).is_some()
            // `mar` before a year or at the end of `3 mar` is a month; first and followed by a day, a weekday.
            && (names::month(word).is_none() || self.day_month(i + 1).is_some())
        {
            weekday = Some(self.tokens[i].at.clone());
            i += 1;
            i += usize::from(matches!(self.sign(i), Some(',' | '.')));
            i += usize::from(self.is_word(i, &["the", "el", "día"]));
        }
        let (mut moment, end) = self
            .numeric(i)
            .or_else(|| self.day_month(i))
            .or_else(|| self.month_day(i))
            .or_else(|| self.season(i))
            .or_else(|| self.decade(i))
            .or_else(|| self.century(i))
            .or_else(|| self.year(i))?;
        if weekday.is_some() && moment.day.is_none() {
            return None;
        }
        moment.weekday = weekday;
        moment.narrowed |= narrowed;
        moment.exists().then_some((moment, end))
    }
}

/// The level of a unit of time.
fn unit(word: &str) -> Option<Level> {
    Some(match word {
        "second" | "seconds" | "segundo" | "segundos" => Level::Second,
        "minute" | "minutes" | "minuto" | "minutos" => Level::Minute,
        "hour" | "hours" | "hora" | "horas" => Level::Hour,
        "day" | "days" | "week" | "weeks" | "día" | "días" | "semana" | "semanas" => Level::Day,
        "month" | "months" | "mes" | "meses" => Level::Month,
        "year" | "years" | "año" | "años" => Level::Year,
        "decade" | "decades" | "década" | "décadas" => Level::Decade,
        _ => return None,
    })
}

/// Both ends of a stretch; the first takes from the second what it leaves untold.
fn period(mut first: Moment, second: Moment, between: bool) -> Option<When> {
    if first.year.is_none() && first.decade.is_none() && first.century.is_none() && !first.short_year {
        first.year.clone_from(&second.year);
        first.short_year = second.short_year;
        // `December 3 – January 5, 1962` began the year before.
        let order = |moment: &Moment| {
            (moment.month.as_ref().map(|part| part.value), moment.day.as_ref().map(|part| part.value))
        };
        if order(&first) > order(&second) {
            return None;
        }
    }
    (first.exists() && second.exists()).then_some(When::Period(first, second, between))
}
