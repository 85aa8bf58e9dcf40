//! What is written as a date, in figures or with the name of a month, in English and Spanish.

use std::sync::LazyLock;

use regex::Regex;

use super::tokens::Tokens;

/// Of whole dates the first token and the others, and the same of a month without a day or a year.
const FIRST: u64 = 3;
const OTHER: u64 = 4;
const MONTH: u64 = 5;

static DATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene|abr|\
                 ago|dic|january|february|march|april|may|june|july|august|september|october|november|december|jan|\
                 feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)";
    let year = r"(?:(?:19|20)\d\d)";
    let short = r"(?:(?:19|20)?\d\d)";
    let gap = r"[ \t]+";
    let pattern = format!(
        r"(?i)\b(?:\d{{1,2}}([-/.])\d{{1,2}}[-/.]{short}|{year}-\d\d-\d\d|\d{{1,2}}/{year}|\d{{1,2}}(?:{gap}de)?{gap}{month}\.?(?:(?:{gap}del?(?:{gap}año)?|,)?{gap}{year})?|{month}\.?(?:(?:{gap}del?(?:{gap}año)?|,)?{gap}{year}|[-/]{short}|{gap}\d{{1,2}}(?:,{gap}{year})?)|(?P<month>{month}))\b"
    );
    Regex::new(&pattern).ok()
});

/// For each token whether it is in a date, and whether it is the first one.
pub(super) fn dates(tokens: &Tokens<'_>) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    let Some(pattern) = DATES.as_ref() else { return values };
    for found in pattern.captures_iter(tokens.text) {
        let Some(whole) = found.get(0) else { continue };
        let from = tokens.spans.partition_point(|token| token.start < whole.start());
        let to = tokens.spans.partition_point(|token| token.start < whole.end());
        for (at, value) in values[from..to].iter_mut().enumerate() {
            *value = match (found.name("month").is_some(), at) {
                (true, _) => MONTH,
                (false, 0) => FIRST,
                (false, _) => OTHER,
            };
        }
    }
    values
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
        ] {
            let marks = marked(text);
            assert!(marks.starts_with('3') && marks[1..].chars().all(|mark| mark == '4'), "{text}: {marks}");
        }
        assert_eq!(marked("en junio vino"), "050");
    }

    #[test]
    fn leaves_other_numbers_alone() {
        for text in ["142/86", "5 mg", "1.5", "12 de cada 20", "2002", "marzomil", "decir"] {
            let marks = marked(text);
            assert!(marks.chars().all(|mark| mark == '0'), "{text}: {marks}");
        }
    }
}
