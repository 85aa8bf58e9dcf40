//! Numbers and addresses that were given to one person.

use reticent_text::Span;

use super::{Problem, Severity, keeps};
use crate::policy::Policy;
use crate::{EntityType, Operator};

pub(super) fn check(text: &str, policy: &Policy, problems: &mut Vec<Problem>) {
    let mut report = |severity, span, name: &str, what| {
        if let Some(kind) = EntityType::new(name).filter(|_| !keeps(policy, name)) {
            problems.push(Problem::at(severity, span, kind, what));
        }
    };
    for span in mail_addresses(text) {
        report(Severity::Violation, span, "EMAIL_ADDRESS", "an e-mail address");
    }
    // A bare `www.` is what is left of an address that was written with blanks in it.
    let hosts = text.match_indices("www.").filter(|(at, sign)| {
        text[at + sign.len()..].split(char::is_whitespace).next().is_some_and(|host| host.contains('.'))
    });
    for (at, sign) in text.match_indices("://").chain(hosts) {
        report(Severity::Violation, Span::new(at, at + sign.len()), "URL", "a web address");
    }
    for span in long_numbers(text) {
        report(Severity::Suspicious, span, "NUMBER", "a number long enough to identify a person");
    }
    ages(text, policy, problems);
}

fn mail_addresses(text: &str) -> Vec<Span> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '%');
    let ats = text.match_indices('@').map(|(at, _)| at);
    let spans = ats.map(|at| {
        let before: usize = text[..at].chars().rev().take_while(|c| part(*c)).map(char::len_utf8).sum();
        let after: usize = text[at + 1..].chars().take_while(|c| part(*c)).map(char::len_utf8).sum();
        (Span::new(at - before, at + 1 + after), at)
    });
    spans
        .filter(|(span, at)| span.start < *at && text[*at..span.end].trim_end_matches('.').contains('.'))
        .map(|(span, _)| span)
        .collect()
}

/// Seven digits or more, with what is written between the groups of one number.
fn long_numbers(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let (mut at, mut in_sentence) = (0, false);
    while let Some(found) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + found;
        // A number in a sentence may go on in the next line; a column of numbers does not.
        let before = &text[at..start];
        in_sentence = match before.rfind('\n') {
            Some(newline) => before[newline..].contains(char::is_alphabetic),
            None => in_sentence || before.contains(char::is_alphabetic),
        };
        let (mut end, mut digits, mut next) = (start, 0, start);
        while let Some(byte) = bytes.get(next) {
            let joins = match byte {
                b' ' | b'-' | b'.' | b'/' | b'(' | b')' => next - end < 2,
                b'\n' => in_sentence && next - end < 2 && goes_on(&text[start..next], &text[next + 1..]),
                _ => false,
            };
            if byte.is_ascii_digit() {
                digits += 1;
                end = next + 1;
            } else if !joins {
                break;
            }
            next += 1;
        }
        at = end;
        let number = &text[start..end];
        if digits >= 7 && (is_spelled(number) || !is_measure(number) && !has_unit(number, &text[end..])) {
            spans.push(Span::new(start, end));
        }
    }
    spans
}

/// Whether a number may go on in the next line: once, not over the end of a sentence, and not into a column.
fn goes_on(number: &str, rest: &str) -> bool {
    let is_cell = |line: &str| {
        line.contains(|c: char| c.is_ascii_digit())
            && line.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.' | '/' | '(' | ')'))
    };
    let in_column = rest.split('\n').take(2).filter(|line| is_cell(line)).count() == 2;
    !number.contains('\n') && !number.ends_with('.') && !in_column
}

/// `6 0 8 5 5 5 0 1 3 4`: one number, digit by digit; not a count from 1 to 9, and not a row of equal scores.
fn is_spelled(number: &str) -> bool {
    let digits: Vec<&str> =
        number.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let kinds: std::collections::BTreeSet<&&str> = digits.iter().collect();
    digits.len() >= 9
        && kinds.len() >= 4
        && digits.iter().all(|group| group.len() == 1)
        && !digits.is_sorted()
}

/// `800-1000 ml`, `4.650.000/mm3`: numbers of four digits or thousands, with a unit.
fn has_unit(number: &str, after: &str) -> bool {
    const UNITS: [&str; 22] = [
        "ml", "mg", "mcg", "kg", "g", "l", "cc", "mm", "cm", "m", "km", "kcal", "ui", "iu", "u", "mmhg",
        "mm3", "euros", "dollars", "people", "cells", "h",
    ];
    let sized = number.split('-').all(|part| part.len() <= 4)
        || number.split('.').skip(1).all(|group| group.len() == 3) && !number.contains(['-', ' ', '/']);
    let word: String =
        after.trim_start_matches([' ', '/']).chars().take_while(|c| c.is_alphanumeric()).collect();
    sized && UNITS.contains(&word.to_lowercase().as_str())
}

/// Decimals, spans of years, and lists of small numbers: what a text has without naming anyone.
fn is_measure(number: &str) -> bool {
    let groups: Vec<&str> =
        number.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let year = |group: &&str| group.len() == 4 && (group.starts_with('1') || group.starts_with("20"));
    let decimal = groups.len() == 2 && number.matches('.').count() == 1 && !number.contains([' ', '-', '/']);
    let spaced_apart =
        number.contains([' ', '\n']) && groups.iter().all(|group| group.len() <= 2 || year(group));
    decimal || groups.iter().all(year) || spaced_apart
}

fn ages(text: &str, policy: &Policy, problems: &mut Vec<Problem>) {
    let (finest, top) = match policy.operator(&EntityType::AGE) {
        Operator::Keep => return,
        Operator::Generalize { finest, top } => (finest.as_deref(), *top),
        _ => (None, None),
    };
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        problems.push(Problem::of_all(Severity::Unknown, "ages could not be checked in this script"));
        return;
    }
    for unit in ["year-old", "year old", "years old", "years of age", "-year-old", " años de edad"] {
        for (at, _) in lower.match_indices(unit) {
            let before = lower[..at].trim_end_matches([' ', '-']);
            let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let number = &before[before.len() - digits..];
            let lead = before[..before.len() - digits].trim_end_matches([' ', '-', '–']);
            let is_range =
                ["to", "over", "and", "a", "de", "than", "under", "least", "most", "above", "below"]
                    .iter()
                    .any(|word| lead.ends_with(word))
                    || lead.ends_with(|c: char| c.is_ascii_digit());
            let exact_allowed = matches!(finest, Some("exact" | "year"));
            let too_old = top.is_some_and(|top| number.parse::<u32>().is_ok_and(|age| age > top));
            // A kind of people or animals, and what is older than anyone: neither is someone's age.
            let of_no_one = lower[at + unit.len()..].starts_with('s') && unit.ends_with("old")
                || number.parse::<u32>().is_ok_and(|age| age > OLDEST);
            if digits > 0 && !is_range && !of_no_one && (!exact_allowed || too_old) {
                let span = Span::new(before.len() - digits, before.len());
                problems.push(Problem::at(
                    Severity::Violation,
                    span,
                    EntityType::AGE,
                    "an age finer than the policy allows",
                ));
            }
        }
    }
}

/// No one has become older than this.
const OLDEST: u32 = 125;

#[cfg(test)]
mod tests {
    use super::*;

    fn long(text: &str) -> Vec<&str> {
        long_numbers(text).into_iter().map(|span| span.of(text)).collect()
    }

    #[test]
    fn finds_numbers_of_persons() {
        assert_eq!(long("SSN 308-63-0237, card 4716 4245 2151 1864"), ["308-63-0237", "4716 4245 2151 1864"]);
        assert_eq!(long("call (978) 645-9740"), ["978) 645-9740"]);
        assert_eq!(long("call 978 645\n9740 now"), ["978 645\n9740"]);
        assert_eq!(long("call 978-645-\n9740"), ["978-645-\n9740"]);
        assert_eq!(long("call 9 7 8 6 4 5 9 7 4 0"), ["9 7 8 6 4 5 9 7 4 0"]);
        assert_eq!(long("call 9/7/8/6/4/5/9/7/4/0"), ["9/7/8/6/4/5/9/7/4/0"]);
    }

    #[test]
    fn leaves_measures_alone() {
        let text = "from 2004-2010, 3.14159265, 1,234,567 people, 12 of 13, 5 mg, Article 6 § 1, 10 11 12 13";
        assert!(long(text).is_empty(), "{:?}", long(text));
        let text = "on page 1200\n1300 and 50\n60.\n1500\n2300\n1800\nwith 2020\n2300\n2400\n2500\nscores 1 2 3 4 5 6 7 8 9, 0 1 0 0 1 0 0 1 0 0";
        assert!(long(text).is_empty(), "{:?}", long(text));
        let text = "800-1000 ml/día, 4.650.000/mm3, 150.000 - 400.000 people";
        assert!(long(text).is_empty(), "{:?}", long(text));
        assert_eq!(long("call 555-1234 or 633.349.565"), ["555-1234", "633.349.565"]);
    }

    #[test]
    fn finds_mail_and_leaves_prices_alone() {
        assert_eq!(mail_addresses("to a.b@c.org.").len(), 1);
        assert!(mail_addresses("3 @ 5 each, @handle, a@b").is_empty());
    }
}
