//! What is written as a date, in figures or with the name of a month, in English and Spanish.

use std::sync::LazyLock;

use regex::Regex;

use super::tokens::Tokens;

/// Of whole dates the first token and the others; of a month without a day or a year; of a day and a month
/// without a year, which streets and hospitals are named after, the first token and the others; of a year alone.
const FIRST: u64 = 3;
const OTHER: u64 = 4;
const MONTH: u64 = 5;
const DAY_FIRST: u64 = 6;
const DAY_OTHER: u64 = 7;
const YEAR: u64 = 8;

static DATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene|abr|\
                 ago|dic|january|february|march|april|may|june|july|august|september|october|november|december|jan|\
                 feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)";
    let year = r"(?:(?:19|20)\d\d)";
    let short = r"(?:(?:19|20)?\d\d)";
    let gap = r"[ \t]+";
    let day = r"(?:0?[1-9]|[12]\d|3[01])";
    let figure = r"(?:0?[1-9]|1[0-2])";
    let of = format!("(?:{gap}del?(?:{gap}año)?|,)?{gap}");
    let figures = ["-", "/", r"\."]
        .map(|sign| format!("{day}{sign}{figure}{sign}{short}|{figure}{sign}{day}{sign}{year}"));
    let pattern = [
        figures.join("|"),
        format!(r"{year}-\d\d-\d\d"),
        format!("{figure}/{year}"),
        format!("{day}[-/]{month}[-/]{short}"),
        format!(r"{day}(?:{gap}de)?{gap}{month}\.?{of}{year}"),
        format!(r"(?P<day>{day}(?:{gap}de)?{gap}{month})"),
        format!(r"{month}\.?(?:{of}{year}|[-/]{short}|{gap}\d{{1,2}}(?:,{gap}{year})?)"),
        format!("(?P<month>{month})"),
        r"(?P<year>19[3-9]\d|20[0-4]\d)".to_owned(),
    ];
    Regex::new(&format!(r"(?i)\b(?:{})\b", pattern.join("|"))).ok()
});

/// For each token whether it is in a date, and whether it is the first one.
pub(super) fn dates(tokens: &Tokens<'_>) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    let Some(pattern) = DATES.as_ref() else { return values };
    for found in pattern.captures_iter(tokens.text) {
        let Some(whole) = found.get(0).filter(|whole| stands_alone(tokens.text, whole.range())) else {
            continue;
        };
        let from = tokens.spans.partition_point(|token| token.start < whole.start());
        let to = tokens.spans.partition_point(|token| token.start < whole.end());
        let (first, other) = if found.name("month").is_some() {
            (MONTH, MONTH)
        } else if found.name("year").is_some() {
            (YEAR, YEAR)
        } else if found.name("day").is_some() {
            (DAY_FIRST, DAY_OTHER)
        } else {
            (FIRST, OTHER)
        };
        for (at, value) in values[from..to].iter_mut().enumerate() {
            *value = if at == 0 { first } else { other };
        }
    }
    values
}

/// Not a part of a longer row of figures, such as a phone number.
fn stands_alone(text: &str, date: std::ops::Range<usize>) -> bool {
    let sign = |c: char| matches!(c, '-' | '/' | '.' | ',');
    let goes_on = |chars: &mut dyn Iterator<Item = char>| {
        chars.next().is_some_and(sign) && chars.next().is_some_and(|c| c.is_ascii_digit())
    };
    !goes_on(&mut text[..date.start].chars().rev()) && !goes_on(&mut text[date.end..].chars())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tokens::Unit;
    use crate::{Analyzer, Document, SentenceSplitter, Tokenizer};

    fn marked(text: &str) -> String {
        let document = Document::plain("d", text);
        let analyzer = Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer)]).unwrap();
        let layers = analyzer.analyze(&document, None).unwrap();
        let tokens = Tokens::new(&document, &layers, Unit::Line);
        dates(&tokens)
            .iter()
            .map(|value| char::from_digit(u32::try_from(*value).unwrap(), 10).unwrap())
            .collect()
    }

    #[test]
    fn sees_dates_as_people_write_them() {
        for text in [
            "12/09/02",
            "22-7-04",
            "2004-03-01",
            "30 de Agosto del 2003",
            "febrero 2002",
            "diciembre-08",
            "3 July 1962",
            "May 3, 1962",
            "23-octubre-1972",
            "7/ene/04",
        ] {
            let marks = marked(text);
            assert!(marks.starts_with('3') && marks[1..].chars().all(|mark| mark == '4'), "{text}: {marks}");
        }
        assert_eq!(marked("en junio vino"), "050");
        assert_eq!(marked("Hospital 12 de Octubre"), "0677");
        assert_eq!(marked("entre 2001 y 2005, no"), "080800");
    }

    #[test]
    fn leaves_other_numbers_alone() {
        for text in [
            "142/86",
            "5 mg",
            "38.9-51.4",
            "985-27-36-14",
            "5/6/8/18",
            "0-0-20",
            "32/4/10",
            "3-4/32",
            "1/13",
            "1.5",
            "12 de cada 20",
            "2.002",
            "SRV2007",
            "1900",
            "marzomil",
            "decir",
        ] {
            let marks = marked(text);
            assert!(marks.chars().all(|mark| mark == '0'), "{text}: {marks}");
        }
    }
}
