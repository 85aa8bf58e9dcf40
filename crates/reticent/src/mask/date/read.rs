//! Reads dates as people write them.

use std::ops::Range;

use super::super::scan::{Token, is_dash, scan};
use super::super::{Context, DateOrder, Language, numeral};
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
    /// A length of time (`six months`), of units of this level.
    Duration(Level),
    Time(Clock),
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
        } else if self.decade.is_some() {
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

struct Reader<'a> {
    tokens: &'a [Token],
    context: &'a Context,
}

impl Reader<'_> {
    fn word(&self, i: usize) -> Option<&str> {
        self.tokens.get(i).and_then(Token::word)
    }

    fn sign(&self, i: usize) -> Option<char> {
        self.tokens.get(i).and_then(Token::sign)
    }

    fn number(&self, i: usize) -> Option<(u32, usize)> {
        self.tokens.get(i).and_then(Token::number)
    }

    fn is_word(&self, i: usize, words: &[&str]) -> bool {
        self.word(i).is_some_and(|word| words.contains(&word))
    }

    fn part(&self, i: usize) -> Option<Part> {
        let (value, _) = self.number(i)?;
        Some(Part { value: i32::try_from(value).ok()?, at: self.tokens[i].at.clone() })
    }

    fn at_end(&self, i: usize) -> bool {
        i >= self.tokens.len()
    }

    fn whole(&self) -> Option<When> {
        if let Some(period) = self.short_period() {
            return Some(period);
        }
        let between = self.is_word(0, &["between", "entre"]);
        if let Some((moment, end)) = self.moment(usize::from(between)) {
            if self.at_end(end) && !between {
                return Some(When::Date(moment));
            }
            if let Some((clock, last)) = clock::read(self.tokens, self.joint(end))
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
            return self.duration();
        }
        if let Some((clock, end)) = clock::read(self.tokens, 0) {
            if self.at_end(end) {
                return Some(When::Time(clock));
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
        if let Some(duration) = self.duration() {
            return Some(duration);
        }
        let start = usize::from(self.is_word(0, &["the", "el"]));
        let end = if self.sign(start + 1) == Some('.') { start + 2 } else { start + 1 };
        (names::weekday(self.word(start)?).is_some() && self.at_end(end)).then_some(When::Weekday)
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
        let i = if self.is_word(i, &["at", "t"]) { i + 1 } else { i };
        if self.is_word(i, &["about", "around", "approximately"]) { i + 1 } else { i }
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
            && last > 12
            && last > first % 100
        {
            let (first, mut second) = (self.year(0)?.0, self.year(0)?.0);
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

    /// `2011-08-28`, `28/08/2011`, `8/28/2011`, `28.8.11`, `08/2011`, `2011-08`.
    fn numeric(&self, i: usize) -> Option<(Moment, usize)> {
        let (first, first_digits) = self.number(i)?;
        let separator = self.sign(i + 1).filter(|sign| matches!(sign, '/' | '.') || is_dash(*sign))?;
        let (second, second_digits) = self.number(i + 2)?;
        let third = self.number(i + 4).filter(|_| self.sign(i + 3) == Some(separator));
        let mut moment = Moment::default();
        let Some((third, third_digits)) = third else {
            let (year, month) = match (first_digits, second_digits) {
                (1 | 2, 4) => (i + 2, i),
                // `2010-12` may be two years; `2011-08` cannot.
                (4, 2) if separator == '/' || (1..=12).contains(&second) && second <= first % 100 => {
                    (i, i + 2)
                }
                _ => return None,
            };
            moment.month = self.part(month);
            self.set_year(&mut moment, year)?;
            return Some((moment, i + 3));
        };
        if first_digits == 4 && second_digits <= 2 && third_digits <= 2 {
            (moment.month, moment.day) = (self.part(i + 2), self.part(i + 4));
            self.set_year(&mut moment, i)?;
            return Some((moment, i + 5));
        }
        if first_digits > 2 || second_digits > 2 || !matches!(third_digits, 2 | 4) {
            return None;
        }
        self.set_year(&mut moment, i + 4)?;
        // `11-08-28` may start with the year.
        if third_digits == 2 && is_dash(separator) && third <= 31 {
            (moment.year, moment.short_year, moment.undecided) = (None, true, true);
        }
        let day_first_works = first <= 31 && (1..=12).contains(&second);
        let month_first_works = second <= 31 && (1..=12).contains(&first);
        let order = match (day_first_works, month_first_works) {
            (true, false) => DateOrder::DayFirst,
            (false, true) => DateOrder::MonthFirst,
            (false, false) => return None,
            // Only English puts the month first, and only with slashes or dashes.
            (true, true) if separator == '.' || self.context.language != Language::English => {
                self.context.date_order.unwrap_or(DateOrder::DayFirst)
            }
            (true, true) => {
                moment.undecided |= self.context.date_order.is_none() && first != second;
                self.context.date_order.unwrap_or(DateOrder::MonthFirst)
            }
        };
        (moment.day, moment.month) = match order {
            DateOrder::DayFirst => (self.part(i), self.part(i + 2)),
            DateOrder::MonthFirst => (self.part(i + 2), self.part(i)),
        };
        Some((moment, i + 5))
    }

    /// `28 August 2011`, `28th of August`, `14,May,2004`, `28 de agosto de 2011`.
    fn day_month(&self, i: usize) -> Option<(Moment, usize)> {
        let (_, 1 | 2) = self.number(i)? else { return None };
        let mut next = self.after_ordinal(i + 1);
        if self.is_word(next, &["of", "de"]) || self.sign(next).is_some_and(is_separator) {
            next += 1;
        }
        let mut moment = self.month(next)?;
        moment.day = self.part(i);
        let next = next + if self.sign(next + 1) == Some('.') { 2 } else { 1 };
        self.with_year(moment, next)
    }

    /// `August 28th, 2011`, `Aug. 2011`, `agosto de 2011`, `July`.
    fn month_day(&self, i: usize) -> Option<(Moment, usize)> {
        let mut moment = self.month(i)?;
        let next = i + if self.sign(i + 1) == Some('.') { 2 } else { 1 };
        if let Some((value, 1 | 2)) = self.number(next)
            && value <= 31
            && self.sign(next + 1) != Some(':')
        {
            moment.day = self.part(next);
            let next = self.after_ordinal(next + 1);
            return self.with_year(moment, next);
        }
        self.with_year(moment, next)
    }

    fn month(&self, i: usize) -> Option<Moment> {
        let name = names::month(self.word(i)?)?;
        let value = i32::try_from(name.index).ok()? + 1;
        let month = Part { value, at: self.tokens[i].at.clone() };
        Some(Moment { month: Some(month), language: name.language, ..Moment::default() })
    }

    fn after_ordinal(&self, i: usize) -> usize {
        let glued = self.tokens.get(i).is_some_and(|token| !token.spaced);
        if glued && self.is_word(i, &["st", "nd", "rd", "th", "º"]) || self.sign(i) == Some('°') {
            i + 1
        } else {
            i
        }
    }

    fn with_year(&self, mut moment: Moment, i: usize) -> Option<(Moment, usize)> {
        match self.year_after(i) {
            Some((year, end)) => {
                self.set_year(&mut moment, year)?;
                Some((moment, end))
            }
            None => Some((moment, i)),
        }
    }

    /// The token of a year that may follow at `i`, and where it ends.
    fn year_after(&self, i: usize) -> Option<(usize, usize)> {
        let mut next = i;
        if self.is_word(next, &["of", "de", "del"]) || self.sign(next).is_some_and(is_separator) {
            next += 1;
        }
        next += usize::from(self.word(next) == Some("año"));
        let quoted = matches!(self.sign(next), Some('\'' | '’'));
        next += usize::from(quoted);
        match self.number(next)? {
            (_, 4) => Some((next, next + 1)),
            (_, 2) => {
                let clock = self.sign(next + 1) == Some(':')
                    || clock::meridiem(self.tokens, next + 1).0.is_some()
                    || self.is_word(next + 1, &["h", "horas", "hours"]);
                (!clock).then_some((next, next + 1))
            }
            _ => None,
        }
    }

    fn set_year(&self, moment: &mut Moment, i: usize) -> Option<()> {
        let (_, digits) = self.number(i)?;
        let mut part = self.part(i)?;
        if digits == 2 {
            let reference = self.context.reference_year;
            let Some(year) = reference.and_then(|reference| full_year(part.value, reference)) else {
                moment.short_year = true;
                return Some(());
            };
            part.value = year;
        } else if !(1000..=2999).contains(&part.value) {
            return None;
        }
        moment.year = Some(part);
        Some(())
    }

    /// `1962`, `año 1962`.
    fn year(&self, i: usize) -> Option<(Moment, usize)> {
        let i = i + usize::from(self.is_word(i, &["año", "year"]));
        let (_, 4) = self.number(i)? else { return None };
        let mut moment = Moment::default();
        self.set_year(&mut moment, i)?;
        Some((moment, i + 1))
    }

    /// `summer of 1962`, `Q3 2011`: narrower than a year, and nothing is said about which months.
    fn season(&self, i: usize) -> Option<(Moment, usize)> {
        let quarter = self.word(i) == Some("q") && matches!(self.number(i + 1), Some((1..=4, 1)));
        // A winter belongs to two years.
        let named = ["spring", "summer", "autumn", "fall", "primavera", "verano", "otoño"];
        let next = match quarter {
            true => i + 2,
            false if self.is_word(i, &named) => i + 1,
            false => return None,
        };
        let next = next + usize::from(self.is_word(next, &["of", "de"]));
        let (moment, end) = self.year(next)?;
        Some((Moment { narrowed: true, ..moment }, end))
    }

    /// `1960s`, `década de 1960`, `años 1960`, `2010–2019`.
    fn decade(&self, i: usize) -> Option<(Moment, usize)> {
        let spanish = if self.is_word(i, &["década", "decenio"]) && self.word(i + 1) == Some("de") {
            2 + usize::from(self.word(i + 2) == Some("los"))
        } else {
            usize::from(self.word(i) == Some("años"))
        };
        let (year, 4) = self.number(i + spanish)? else { return None };
        let mut end = i + spanish + 1;
        if spanish == 0 {
            end += usize::from(matches!(self.sign(end), Some('\'' | '’')));
            if self.word(end) != Some("s") || self.tokens[end].spaced {
                return None;
            }
            end += 1;
        }
        let decade = i32::try_from(year).ok()?;
        if decade % 10 != 0 || !(1000..=2999).contains(&decade) {
            return None;
        }
        Some((Moment { decade: Some(decade), ..Moment::default() }, end))
    }

    /// `20th century`, `siglo XX`.
    fn century(&self, i: usize) -> Option<(Moment, usize)> {
        let (century, end) = if let Some((number, 1 | 2)) = self.number(i) {
            let next = self.after_ordinal(i + 1);
            (self.word(next) == Some("century")).then_some((number, next + 1))?
        } else {
            (self.word(i) == Some("siglo")).then_some((roman(self.word(i + 1)?)?, i + 2))?
        };
        let century = i32::try_from(century).ok().filter(|century| (1..=30).contains(century))?;
        Some((Moment { century: Some(century), ..Moment::default() }, end))
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

fn is_separator(sign: char) -> bool {
    matches!(sign, ',' | '/' | '.') || is_dash(sign)
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

/// The year that two figures stand for, if only one is likely in a document of that year: dates
/// reach a long life back and ten years ahead.
fn full_year(short: i32, reference: i32) -> Option<i32> {
    let mut likely = (0..40)
        .map(|century| century * 100 + short)
        .filter(|year| (reference.saturating_sub(109)..=reference.saturating_add(10)).contains(year));
    let year = likely.next()?;
    likely.next().is_none().then_some(year).filter(|year| (1000..=2999).contains(year))
}

fn roman(word: &str) -> Option<u32> {
    let values: Option<Vec<u32>> = word
        .chars()
        .map(|letter| match letter {
            'i' => Some(1),
            'v' => Some(5),
            'x' => Some(10),
            _ => None,
        })
        .collect();
    let values = values.filter(|values| (1..=6).contains(&values.len()))?;
    let mut sum = 0;
    for (i, value) in values.iter().enumerate() {
        if values.get(i + 1).is_some_and(|next| next > value) {
            sum -= i64::from(*value);
        } else {
            sum += i64::from(*value);
        }
    }
    u32::try_from(sum).ok()
}
