//! Dates finer than the policy allows.

use reticent_text::Span;

use super::{Problem, Severity};
use crate::policy::Policy;
use crate::{EntityType, Operator};

/// Names of months, the English ones first.
pub(crate) const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "setiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fineness {
    Month,
    Day,
}

pub(super) fn check(text: &str, policy: &Policy, problems: &mut Vec<Problem>) {
    let coarsest_told = match policy.operator(&EntityType::DATE_TIME) {
        Operator::Keep => return,
        Operator::Shift { .. } => {
            let what = "dates are shifted: this cannot be checked without the original";
            problems.push(Problem::of_all(Severity::Unknown, what));
            return;
        }
        Operator::Generalize { finest: Some(finest), .. } => match finest.as_str() {
            "second" | "minute" | "hour" | "day" => return,
            "month" => Fineness::Day,
            _ => Fineness::Month,
        },
        _ => Fineness::Month,
    };
    for (span, fineness) in numeric(text).into_iter().chain(in_words(text)) {
        if fineness >= coarsest_told {
            let what = "a date finer than the policy allows";
            problems.push(Problem::at(Severity::Violation, span, EntityType::DATE_TIME, what));
        }
    }
}

/// `3/23/1940`, `2011-08-28`, `28.8.11`, `3 / 23 / 1940`: three numbers with the same sign between them.
fn numeric(text: &str) -> Vec<(Span, Fineness)> {
    let runs = split(text, |c| c.is_ascii_digit() || matches!(c, '/' | '.' | '-'));
    let mut found = Vec::new();
    for span in runs {
        let trimmed = span.of(text).trim_matches(['/', '.', '-']);
        let start = span.start + span.of(text).find(trimmed).unwrap_or(0);
        for sign in ['/', '.', '-'] {
            let groups: Vec<&str> = trimmed.split(sign).collect();
            if let [a, b, c] = groups.as_slice()
                && is_date(a, b, c)
            {
                found.push((Span::new(start, start + trimmed.len()), Fineness::Day));
            }
        }
    }
    found.extend(spaced(text).into_iter().map(|span| (span, Fineness::Day)));
    found
}

/// Dates with blanks around their signs; only with a whole year, since scores are written like this too.
fn spaced(text: &str) -> Vec<Span> {
    let digits = split(text, |c| c.is_ascii_digit());
    let is_spaced = |parts: &[Span]| {
        let [a, b, c] = parts else { return false };
        let gaps = [&text[a.end..b.start], &text[b.end..c.start]];
        let sign = gaps[0].trim_matches(' ');
        let (first, last) = (a.of(text), c.of(text));
        gaps.iter().all(|gap| gap.len() <= 5 && gap.trim_matches(' ') == sign)
            && gaps.iter().any(|gap| gap.contains(' '))
            && matches!(sign, "/" | "-" | ".")
            && (first.len() == 4 || last.len() == 4)
            && is_date(first, b.of(text), last)
    };
    let dates = digits.windows(3).filter(|parts| is_spaced(parts));
    dates.map(|parts| parts[0].join(parts[2])).collect()
}

fn is_date(a: &str, b: &str, c: &str) -> bool {
    let small = |group: &str, most: u32| {
        (1..=2).contains(&group.len()) && group.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n))
    };
    let year = |group: &str| group.len() == 4 && (group.starts_with('1') || group.starts_with('2'));
    let short_year = |group: &str| group.len() == 2 && group.bytes().all(|byte| byte.is_ascii_digit());
    let days = (small(a, 31) && small(b, 12)) || (small(a, 12) && small(b, 31));
    (days && (year(c) || short_year(c))) || (year(a) && small(b, 12) && small(c, 31))
}

/// A month's name with a number beside it.
fn in_words(text: &str) -> Vec<(Span, Fineness)> {
    let words = split(text, char::is_alphanumeric);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !MONTHS.contains(&word.of(text).to_lowercase().as_str()) {
            continue;
        }
        let near = |span: &&Span| {
            let gap = span.start.max(word.start) - span.end.min(word.end);
            let between = &text[span.end.min(word.end)..span.start.max(word.start)];
            gap <= 3 && !between.contains(['\n', '(', ')', '[', ']', ';', ':'])
        };
        // `type 1 may be`: the verb.
        let verb = word.of(text) == "may"
            && words.get(at + 1).is_some_and(|next| next.of(text).starts_with(char::is_lowercase));
        if verb {
            continue;
        }
        let beside = [at.checked_sub(1), Some(at + 1)];
        // Spanish puts `de` between: 28 de agosto de 2011.
        let over_de =
            [(at.checked_sub(2), at.checked_sub(1)), (Some(at + 2), Some(at + 1))].map(|(far, between)| {
                let between = between.and_then(|i| words.get(i))?;
                ["de", "of"].contains(&between.of(text)).then_some(far)?
            });
        for number in beside.into_iter().chain(over_de).flatten().filter_map(|i| words.get(i)) {
            let joined = word.join(*number);
            let is_near = near(&number) || over_de.iter().flatten().any(|i| words.get(*i) == Some(number));
            match number_kind(number.of(text)).filter(|_| is_near) {
                Some(Fineness::Day) => found.push((joined, Fineness::Day)),
                Some(Fineness::Month) => found.push((joined, Fineness::Month)),
                None => {}
            }
        }
    }
    found
}

/// A day of the month, or a year.
fn number_kind(word: &str) -> Option<Fineness> {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    let ordinal = &word[digits.len()..];
    let plain = ordinal.is_empty() || ["st", "nd", "rd", "th"].contains(&ordinal);
    match digits.parse::<u32>() {
        Ok(1..=31) if plain && digits.len() <= 2 => Some(Fineness::Day),
        Ok(1000..=2999) if ordinal.is_empty() => Some(Fineness::Month),
        _ => None,
    }
}

fn split(text: &str, inside: impl Fn(char) -> bool) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (inside(c) && at < text.len(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                spans.push(Span::new(from, at));
                start = None;
            }
            _ => {}
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        numeric(text).into_iter().chain(in_words(text)).map(|(span, _)| span.of(text)).collect()
    }

    #[test]
    fn finds_dates() {
        assert_eq!(found("on 3/23/1940."), ["3/23/1940"]);
        assert_eq!(found("2011-08-28"), ["2011-08-28"]);
        assert_eq!(found("on 3 / 23 / 1940, 28. 8. 2011"), ["3 / 23 / 1940", "28. 8. 2011"]);
        assert_eq!(found("July 3rd"), ["July 3rd"]);
        assert_eq!(found("agosto de 2011"), ["agosto de 2011"]);
        assert_eq!(found("28 de agosto"), ["28 de agosto"]);
    }

    #[test]
    fn leaves_other_numbers_alone() {
        for text in [
            "it may be 300 or 400",
            "type 1 may also",
            "(2006), August, a film",
            "in 1962",
            "the 1960s",
            "1.2.300",
            "120/80",
            "March on",
            "99/99/1999",
            "2 - 3 - 10",
            "won 3 - 2 in 1999",
            "120 / 80",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
