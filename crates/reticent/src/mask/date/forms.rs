//! The ways to write one date.

use super::super::scan::is_dash;
use super::super::{DateOrder, Language};
use super::read::{Moment, Part, Reader};
use super::{clock, names};

impl Reader<'_> {
    /// `2011-08-28`, `28/08/2011`, `8/28/2011`, `28.8.11`, `08/2011`, `2011-08`.
    pub(super) fn numeric(&self, i: usize) -> Option<(Moment, usize)> {
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
    pub(super) fn day_month(&self, i: usize) -> Option<(Moment, usize)> {
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
    pub(super) fn month_day(&self, i: usize) -> Option<(Moment, usize)> {
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

    pub(super) fn after_ordinal(&self, i: usize) -> usize {
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
    pub(super) fn year_after(&self, i: usize) -> Option<(usize, usize)> {
        let mut next = i;
        let separated = self.sign(next).is_some_and(is_separator);
        if self.is_word(next, &["of", "de", "del"]) || separated {
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
                // `1 March – 27 April`, `6 March, 26 June`, `6 March, 7 and 8 June`.
                let ordinal = self.after_ordinal(next + 1) != next + 1;
                let followed = self.month(next + 1).is_some()
                    || self.is_word(next + 1, &["of", "de", "and", "or", "y"])
                    || self.sign(next + 1).is_some_and(|sign| sign == ',' || is_dash(sign))
                        && self.number(next + 2).is_some_and(|(_, digits)| digits <= 2);
                let day = separated && !quoted && (ordinal || followed);
                (!clock && !day).then_some((next, next + 1))
            }
            _ => None,
        }
    }

    pub(super) fn set_year(&self, moment: &mut Moment, i: usize) -> Option<()> {
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
    pub(super) fn year(&self, i: usize) -> Option<(Moment, usize)> {
        let i = i + usize::from(self.is_word(i, &["año", "year"]));
        let (_, 4) = self.number(i)? else { return None };
        let mut moment = Moment::default();
        self.set_year(&mut moment, i)?;
        Some((moment, i + 1))
    }

    /// `summer of 1962`, `Q3 2011`: narrower than a year, and nothing is said about which months.
    pub(super) fn season(&self, i: usize) -> Option<(Moment, usize)> {
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
    pub(super) fn decade(&self, i: usize) -> Option<(Moment, usize)> {
        let spanish = if self.is_word(i, &["década", "decenio"]) && self.word(i + 1) == Some("de") {
            2 + usize::from(self.word(i + 2) == Some("los"))
        } else {
            usize::from(self.word(i) == Some("años"))
        };
        if let Some(short) = self.short_decade(i, spanish) {
            return Some(short);
        }
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

    /// `80s`, `'80s`, `eighties`, `años 80`, `años ochenta`: the century is not told.
    fn short_decade(&self, i: usize, spanish: usize) -> Option<(Moment, usize)> {
        let quoted = usize::from(matches!(self.sign(i), Some('\'' | '’')));
        let start = i + spanish + quoted;
        let (decade, end) = match (self.number(start), self.word(start)) {
            (Some((decade, 2)), _) if spanish > 0 => (decade, start + 1),
            (Some((decade, 2)), _) if self.word(start + 1) == Some("s") => (decade, start + 2),
            (_, Some(word)) => (names::decade(word, spanish > 0)?, start + 1),
            _ => return None,
        };
        let decade = i32::try_from(decade).ok().filter(|decade| decade % 10 == 0)?;
        Some((Moment { short_decade: Some(decade), ..Moment::default() }, end))
    }

    /// `20th century`, `siglo XX`.
    pub(super) fn century(&self, i: usize) -> Option<(Moment, usize)> {
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

fn is_separator(sign: char) -> bool {
    matches!(sign, ',' | '/' | '.') || is_dash(sign)
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
