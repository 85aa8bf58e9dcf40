//! Times of day, as people write them.

use super::super::scan::{Token, is_dash};
use super::super::{Language, Rung};
use super::Level;

/// A time of day.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Clock {
    /// From 0 to 23; from 1 to 12 if it is not known which half of the day.
    hour: u32,
    minute: Option<u32>,
    half: Half,
    /// Where the seconds stand, with the sign before them.
    seconds: Option<std::ops::Range<usize>>,
}

/// How the half of the day is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// `2:37` could be either.
    Unknown,
    /// `14:37`.
    TwentyFour,
    /// `2:37 p.m.`
    Meridiem,
}

const ZONES: [&str; 15] =
    ["z", "utc", "gmt", "cet", "cest", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "bst", "wet"];

/// Reads a time that starts at token `i`; says where it ends.
pub(crate) fn read(tokens: &[Token], mut i: usize) -> Option<(Clock, usize)> {
    let word = |i: usize| tokens.get(i).and_then(Token::word);
    let sign = |i: usize| tokens.get(i).and_then(Token::sign);
    let number = |i: usize| tokens.get(i).and_then(Token::number);
    if word(i) == Some("a") && matches!(word(i + 1), Some("las" | "la")) {
        i += 2;
    }
    let named = match word(i) {
        Some("noon" | "midday" | "mediodía") => Some(12),
        Some("midnight" | "medianoche") => Some(0),
        _ => None,
    };
    if let Some(hour) = named {
        return Some((Clock { hour, minute: Some(0), half: Half::TwentyFour, seconds: None }, i + 1));
    }
    let (hour, digits) = number(i)?;
    if hour > 23 || digits > 2 {
        return None;
    }
    let padded = digits == 2 && hour < 10;
    i += 1;
    let (mut minute, mut seconds) = (None, None);
    let separator = sign(i).or_else(|| word(i).filter(|word| *word == "h").map(|_| 'h'));
    if let (Some(':' | '.' | 'h'), Some((value, 2))) = (separator, number(i + 1)) {
        if value > 59 {
            return None;
        }
        minute = Some(value);
        i += 2;
        if let (Some(':'), Some((value, 2))) = (sign(i), number(i + 1)) {
            if value > 60 {
                return None;
            }
            let start = tokens[i].at.start;
            i += 2;
            if let (Some('.' | ','), Some(_)) = (sign(i), number(i + 1)) {
                i += 2;
            }
            seconds = Some(start..tokens[i - 1].at.end);
        }
    }
    let (meridiem, after) = meridiem(tokens, i);
    i = after;
    let mut marked = meridiem.is_some() || separator == Some('h');
    if matches!(word(i), Some("h" | "hs" | "hrs" | "horas" | "hours")) {
        marked = true;
        i += 1;
        if sign(i) == Some('.') {
            i += 1;
        }
    } else if matches!((word(i), word(i + 2)), (Some("o"), Some("clock"))) {
        marked = true;
        i += 3;
    }
    // `14.37` is a time only if something says so, and so is a lone number.
    if !marked && (minute.is_none() || separator != Some(':')) {
        return None;
    }
    i = zone(tokens, i);
    let (hour, half) = match meridiem {
        Some(_) if hour > 12 => (hour, Half::TwentyFour),
        Some(_) if hour == 0 => return None,
        Some(afternoon) => (hour % 12 + if afternoon { 12 } else { 0 }, Half::Meridiem),
        None if hour == 0 || hour > 12 || padded => (hour, Half::TwentyFour),
        None => (hour, Half::Unknown),
    };
    Some((Clock { hour, minute, half, seconds }, i))
}

/// Whether `a.m.`, `pm`, `de la tarde` stands at token `i`, which half it means, where it ends.
pub(crate) fn meridiem(tokens: &[Token], i: usize) -> (Option<bool>, usize) {
    let word = |i: usize| tokens.get(i).and_then(Token::word);
    let sign = |i: usize| tokens.get(i).and_then(Token::sign);
    match (word(i), word(i + 1), word(i + 2)) {
        (Some("am"), ..) => (Some(false), i + 1),
        (Some("pm"), ..) => (Some(true), i + 1),
        (Some("de"), Some("la"), Some("mañana")) => (Some(false), i + 3),
        (Some("de"), Some("la"), Some("tarde")) => (Some(true), i + 3),
        (Some(half @ ("a" | "p")), _, Some("m")) if sign(i + 1) == Some('.') => {
            (Some(half == "p"), if sign(i + 3) == Some('.') { i + 4 } else { i + 3 })
        }
        _ => (None, i),
    }
}

fn zone(tokens: &[Token], i: usize) -> usize {
    let token = |i: usize| tokens.get(i);
    if token(i).and_then(Token::word).is_some_and(|word| ZONES.contains(&word)) {
        return i + 1;
    }
    let signed = token(i).and_then(Token::sign).is_some_and(|sign| sign == '+' || is_dash(sign));
    match (signed, token(i + 1).and_then(Token::number)) {
        (true, Some((_, 4))) => i + 2,
        (true, Some((_, 2))) => {
            let minutes = token(i + 2).and_then(Token::sign) == Some(':')
                && token(i + 3).and_then(Token::number).is_some_and(|(_, digits)| digits == 2);
            if minutes { i + 4 } else { i + 2 }
        }
        _ => i,
    }
}

impl Clock {
    /// How finely it is told.
    pub(crate) fn level(&self) -> Level {
        if self.seconds.is_some() {
            Level::Second
        } else if self.minute.is_some() {
            Level::Minute
        } else {
            Level::Hour
        }
    }

    /// What can be said of it, as written first.
    pub(crate) fn rungs(&self, surface: &str, language: Language) -> Vec<Rung> {
        let mut rungs = vec![Rung::new(self.level().name(), surface)];
        if let Some(seconds) = &self.seconds {
            let text = format!("{}{}", &surface[..seconds.start], &surface[seconds.end..]);
            rungs.push(Rung::new(Level::Minute.name(), text));
        }
        if self.minute.is_some() {
            rungs.push(Rung::new(Level::Hour.name(), self.within_the_hour(language)));
        }
        rungs.extend(self.part_of_day(language).map(|text| Rung::new(Level::PartOfDay.name(), text)));
        rungs
    }

    fn within_the_hour(&self, language: Language) -> String {
        let (hour, next) = (self.hour, self.hour + 1);
        if language != Language::English {
            return format!("{hour:02}:00–{next:02}:00");
        }
        match self.half {
            Half::TwentyFour => format!("between {hour:02}:00 and {next:02}:00"),
            Half::Unknown => format!("between {hour}:00 and {}:00", if hour == 12 { 1 } else { next }),
            Half::Meridiem => {
                let half = if hour < 12 { "a.m." } else { "p.m." };
                match hour {
                    0 => "between midnight and 1 a.m.".to_owned(),
                    11 => "between 11 a.m. and noon".to_owned(),
                    12 => "between noon and 1 p.m.".to_owned(),
                    23 => "between 11 p.m. and midnight".to_owned(),
                    _ => format!("between {} and {} {half}", hour % 12, next % 12),
                }
            }
        }
    }

    fn part_of_day(&self, language: Language) -> Option<&'static str> {
        if self.half == Half::Unknown {
            return None;
        }
        match language {
            Language::English => Some(match self.hour {
                5..=11 => "the morning",
                12..=16 => "the afternoon",
                17..=20 => "the evening",
                _ => "the night",
            }),
            Language::Spanish => Some(match self.hour {
                0..=5 => "la madrugada",
                6..=11 => "la mañana",
                12..=19 => "la tarde",
                _ => "la noche",
            }),
            Language::Other => None,
        }
    }
}
