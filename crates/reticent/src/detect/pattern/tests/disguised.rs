//! Every example of every pattern, disguised: the folded view must undo each disguise.

use std::fmt::Write as _;
use std::slice;
use std::sync::Arc;

use reticent_text::{Folded, Span};

use super::*;
use crate::Identifies;

type Disguise = fn(&str) -> String;

/// Each sign of a text by another, or several.
fn each(text: &str, sign: impl Fn(char) -> Option<String>) -> String {
    text.chars().map(|c| sign(c).unwrap_or_else(|| c.to_string())).collect()
}

fn digits(text: &str, zero: char) -> String {
    each(text, |c| Some(char::from_u32(u32::from(zero) + c.to_digit(10)?)?.to_string()))
}

fn spaces(text: &str, space: &str) -> String {
    text.replace(' ', space)
}

/// Something invisible after each letter and digit.
fn stuffed(text: &str, with: &str) -> String {
    each(text, |c| c.is_ascii_alphanumeric().then(|| format!("{c}{with}")))
}

/// Letters by those of another range that has all of them in order.
fn letters(text: &str, capital: char, small: char) -> String {
    each(text, |c| {
        let (first, there) = if c.is_ascii_uppercase() { ('A', capital) } else { ('a', small) };
        let letter = c.is_ascii_alphabetic().then(|| u32::from(there) + u32::from(c) - u32::from(first))?;
        Some(char::from_u32(letter)?.to_string())
    })
}

fn homoglyphs(text: &str) -> String {
    each(text, |c| {
        let twin = match c {
            'a' => 'а',
            'e' => 'е',
            'o' => 'о',
            'p' => 'р',
            'c' => 'с',
            'A' => 'А',
            'B' => 'В',
            'E' => 'Е',
            'H' => 'Н',
            'O' => 'О',
            'T' => 'Т',
            _ => return None,
        };
        Some(twin.to_string())
    })
}

/// Disguises of single signs, which hold for any text.
const SIGNS: &[(&str, Disguise)] = &[
    ("no-break spaces", |text| spaces(text, "\u{a0}")),
    ("thin spaces", |text| spaces(text, "\u{2009}")),
    ("ideographic spaces", |text| spaces(text, "\u{3000}")),
    ("entities for spaces", |text| spaces(text, "&nbsp;")),
    ("no-break hyphens", |text| text.replace('-', "\u{2011}")),
    ("minus signs", |text| text.replace('-', "\u{2212}")),
    ("full-width digits", |text| digits(text, '０')),
    ("Arabic-Indic digits", |text| digits(text, '٠')),
    ("mathematical digits", |text| digits(text, '𝟎')),
    ("full-width letters", |text| letters(text, 'Ａ', 'ａ')),
    ("mathematical letters", |text| letters(text, '𝐀', '𝐚')),
    ("soft hyphens", |text| stuffed(text, "\u{ad}")),
    ("entities for soft hyphens", |text| stuffed(text, "&shy;")),
    ("zero-width spaces", |text| stuffed(text, "\u{200b}")),
    ("bidirectional marks", |text| stuffed(text, "\u{202e}\u{202c}")),
    ("variation selectors", |text| stuffed(text, "\u{fe0f}")),
    ("homoglyphs", homoglyphs),
];

/// Disguises of addresses.
const ADDRESSES: &[(&str, Disguise)] = &[
    ("escaped @", |text| text.replace('@', "\\u0040")),
    ("quoted-printable @", |text| text.replace('@', "=40")),
    ("percent-encoded @", |text| text.replace('@', "%40")),
    ("entity for @", |text| text.replace('@', "&#64;")),
    ("(at)", |text| text.replace('@', " (at) ")),
    ("[at] and [dot]", |text| text.replace('@', "[at]").replace('.', "[dot]")),
    ("[.]", |text| text.replace('.', "[.]")),
];

/// Other separators of numbers.
const SEPARATORS: &[(&str, Disguise)] = &[
    ("slashes", |text| separated(text, "/")),
    ("spread out", |text| each(text, |c| c.is_ascii_digit().then(|| format!("{c} "))).trim_end().to_owned()),
    ("a line break", |text| text.replacen([' ', '-'], "\n", 1)),
];

fn separated(text: &str, by: &str) -> String {
    text.replace([' ', '-'], by)
}

/// What a pattern finds in a text by its folded view, as it is written.
fn found_by(pattern: &Arc<Pattern>, text: &str) -> Vec<String> {
    let detector = PatternDetector::new(vec![Arc::clone(pattern)]).expect("one pattern is a detector");
    let folded = Folded::new(text);
    let view = folded.as_ref().map_or(text, Folded::text);
    let spans = detector.find_all(view).expect("the pattern runs").into_iter().map(|finding| finding.span);
    let original = |span: Span| folded.as_ref().map_or(span, |folded| folded.original(span));
    spans.map(|span| original(span).of(text).to_owned()).collect()
}

/// All examples that a disguise of the value hides, or of the whole text.
fn hidden(disguises: &[(&str, Disguise)], whole: bool, applies: impl Fn(&Pattern, &str) -> bool) -> String {
    let mut faults = String::new();
    for pattern in builtin() {
        for example in &pattern.spec().matches {
            let (text, value) = (&example.text, &example.found);
            for (name, disguise) in disguises.iter().filter(|_| applies(pattern, value)) {
                let there = text.find(value.as_str()).expect("an example has its value");
                let sides = [&text[..there], &text[there + value.len()..]];
                let sides = sides.map(|side| if whole { disguise(side) } else { side.to_owned() });
                let value = disguise(value);
                let text = [&*sides[0], &value, &sides[1]].concat();
                let found = found_by(pattern, &text);
                let trimmed =
                    value.trim_end_matches("&shy;").trim_end_matches(|c: char| !c.is_alphanumeric());
                if !found.iter().any(|found| found.contains(trimmed)) {
                    writeln!(faults, "{} under {name}: {text:?} gives {found:?}", pattern.name())
                        .expect("a string takes all");
                }
            }
        }
    }
    faults
}

#[test]
fn single_signs_hide_nothing() {
    for whole in [false, true] {
        let faults = hidden(SIGNS, whole, |_, _| true);
        assert!(faults.is_empty(), "\n{faults}");
    }
}

#[test]
fn addresses_are_read_however_they_are_written() {
    let is_address = |pattern: &Pattern, value: &str| {
        let joins_words = value.split_once('@').is_some_and(|(name, domain)| {
            name.ends_with(char::is_alphanumeric) && domain.starts_with(char::is_alphanumeric)
        });
        joins_words || (pattern.entity_type().as_str() == "IP_ADDRESS" && value.contains('.'))
    };
    let faults = hidden(ADDRESSES, false, is_address);
    assert!(faults.is_empty(), "\n{faults}");
}

/// A pattern whose values have a checksum, a label or context: without, a number in pieces is any number.
#[test]
fn numbers_in_pieces_are_found() {
    let is_number = |pattern: &Pattern, value: &str| {
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let others = value.chars().any(|c| !c.is_ascii_alphanumeric() && !matches!(c, ' ' | '-'));
        pattern.identifies() == Identifies::Directly
            && (pattern.checksum().is_some() || pattern.name().ends_with("-labelled"))
            // Its groups are what makes digits a telephone number.
            && pattern.entity_type().as_str() != "PHONE_NUMBER"
            && digits >= 9
            && !others
            && !value.chars().any(|c| c.is_ascii_lowercase())
    };
    let faults = hidden(SEPARATORS, false, is_number);
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn what_is_no_match_stays_unfound() {
    let plain: (&str, Disguise) = ("plain", str::to_owned);
    let mut faults = String::new();
    for pattern in builtin() {
        for text in &pattern.spec().no_match {
            for (name, disguise) in slice::from_ref(&plain).iter().chain(SIGNS) {
                let found = found_by(pattern, &disguise(text));
                if !found.is_empty() {
                    writeln!(faults, "{} under {name}: {text:?} gives {found:?}", pattern.name())
                        .expect("a string takes all");
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn figures_are_no_numbers_in_pieces() {
    for text in [
        "120/80 118/76 122/84 and 36.6 37.1",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "Results:\n120\n4567\n890\n1234\n",
        "pages 12-15, 20-24, 101-110",
        "2004/11/03 12 30 00",
        "10/100/1000 Mbit",
        "3 4 5 6 7 8 9 1 2",
        "Table 4: 12 345 678 901 units",
    ] {
        let direct = detector().find_all(text).expect("the patterns run");
        let direct: Vec<&str> = direct
            .iter()
            .filter(|finding| finding.identifies == Identifies::Directly)
            .map(|finding| finding.span.of(text))
            .collect();
        assert!(direct.is_empty(), "{text:?}: {direct:?}");
    }
}
