//! Numbers in figures, with the marks around them: `$1,234.56`, `1.234,56 €`, `about 1.2 million`.

use super::scan::scan;
use super::{Language, numeral};

/// A number as written: what stands before it, the number, what stands after it.
pub(crate) struct Figure<'a> {
    pub(crate) before: &'a str,
    pub(crate) number: Decimal,
    pub(crate) after: &'a str,
    style: Style,
}

/// A number that is not negative: `digits / 10^decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) digits: u128,
    pub(crate) decimals: u32,
}

/// Which marks a number is written with.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Style {
    /// Between thousands.
    group: Option<char>,
    point: char,
}

/// More digits than anyone's money has; keeps the arithmetic exact.
const MOST_DIGITS: usize = 24;

/// Reads a text that holds exactly one number in figures; none if it is negative, or if a mark in it
/// could be read in two ways.
pub(crate) fn read(text: &str, language: Language) -> Option<Figure<'_>> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (before, written, after) = (&text[..start], &text[start..end], &text[end..]);
    let negative = before.contains(['-', '−', '–', '(']);
    if negative || before.ends_with(['.', ',', '\'']) || !text.chars().all(is_plain) {
        return None;
    }
    let (number, style) = decimal(written, language)?;
    Some(Figure { before, number, after, style })
}

/// Reads a text that starts with a number below a hundred in words, and holds no other.
pub(crate) fn in_words(text: &str, language: Language) -> Option<Figure<'_>> {
    let tokens = scan(text);
    let (last, value) = numeral::read(&tokens, 0, Some(language))?;
    let more = |i: usize| tokens[i].number().is_some() || numeral::read(&tokens, i, Some(language)).is_some();
    if tokens.len() > 12 || (last + 1..tokens.len()).any(more) {
        return None;
    }
    let number = Decimal { digits: u128::from(value), decimals: 0 };
    let (start, end) = (tokens[0].at.start, tokens[last].at.end);
    Some(Figure { before: &text[..start], number, after: &text[end..], style: default_style(language) })
}

/// Numerals of other scripts are numbers that we do not read.
fn is_plain(c: char) -> bool {
    !c.is_numeric() || c.is_ascii_digit()
}

fn decimal(written: &str, language: Language) -> Option<(Decimal, Style)> {
    let marks: Vec<char> = written.chars().filter(|c| !c.is_ascii_digit()).collect();
    let default = default_style(language);
    let style = match marks.as_slice() {
        [] => Style { group: if written.len() < 4 { default.group } else { None }, ..default },
        [mark @ ('.' | ',')] => one_mark(*mark, written, language)?,
        [group, .., point] if group != point => Style { group: Some(*group), point: *point },
        [group, ..] => Style { group: Some(*group), point: if *group == '.' { ',' } else { default.point } },
    };
    if !matches!(style.group, None | Some('.' | ',' | ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’'))
        || !matches!(style.point, '.' | ',')
        || style.group == Some(style.point)
    {
        return None;
    }
    let (whole, fraction) = written.split_once(style.point).unwrap_or((written, ""));
    let groups: Vec<&str> = match style.group {
        Some(group) => whole.split(group).collect(),
        None => vec![whole],
    };
    let well_grouped = groups.len() == 1
        || (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3);
    let digits = format!("{}{fraction}", groups.concat());
    if !well_grouped || digits.len() > MOST_DIGITS || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // `007` is a name, not an amount.
    if groups[0].len() > 1 && groups[0].starts_with('0') {
        return None;
    }
    let decimals = u32::try_from(fraction.len()).ok()?;
    Some((Decimal { digits: digits.parse().ok()?, decimals }, style))
}

fn default_style(language: Language) -> Style {
    match language {
        Language::English => Style { group: Some(','), point: '.' },
        Language::Spanish | Language::Other => Style { group: None, point: ',' },
    }
}

/// `1.234` and `1,234` are a thousand or little more than one, by the language.
fn one_mark(mark: char, written: &str, language: Language) -> Option<Style> {
    let other = if mark == '.' { ',' } else { '.' };
    let (whole, rest) = written.split_once(mark)?;
    let group = Style { group: Some(mark), point: other };
    let point = Style { group: if whole.len() < 4 { Some(other) } else { None }, point: mark };
    if rest.len() != 3 || whole.len() > 3 || whole.starts_with('0') {
        return Some(point);
    }
    match (language, mark) {
        (Language::English, ',') | (Language::Spanish, '.') => Some(group),
        (Language::English | Language::Spanish, _) => Some(point),
        (Language::Other, _) => None,
    }
}

impl Figure<'_> {
    /// A number in the notation of this one, with at least so many decimals.
    fn write(&self, number: Decimal, decimals: u32) -> String {
        let text = format!("{:0width$}", number.digits, width = number.decimals as usize + 1);
        let (whole, fraction) = text.split_at(text.len() - number.decimals as usize);
        let mut written = String::new();
        for (i, digit) in whole.chars().enumerate() {
            let left = whole.len() - i;
            if i > 0 && left % 3 == 0 {
                written.extend(self.style.group);
            }
            written.push(digit);
        }
        if decimals > 0 {
            written.push(self.style.point);
            written.extend(fraction.chars().take(decimals as usize));
        }
        written
    }

    /// Both ends of a range in the notation of this number.
    pub(crate) fn write_range(&self, range: (Decimal, Decimal)) -> (String, String) {
        let decimals = range.0.needed().max(range.1.needed());
        (self.write(range.0, decimals), self.write(range.1, decimals))
    }
}

impl Decimal {
    /// How many of its decimals are needed to write it.
    fn needed(self) -> u32 {
        let mut number = self;
        while number.decimals > 0 && number.digits.is_multiple_of(10) {
            number = Self { digits: number.digits / 10, decimals: number.decimals - 1 };
        }
        number.decimals
    }

    /// How many digits it has from the first that is not zero.
    fn significant(self) -> u32 {
        self.digits.checked_ilog10().map_or(0, |log| log + 1)
    }

    /// The range of all numbers that start with the same `digits` digits; none if it has no more.
    pub(crate) fn starting_alike(self, digits: u32) -> Option<(Self, Self)> {
        let dropped = self.significant().checked_sub(digits).filter(|dropped| *dropped > 0)?;
        Some(self.within(10u128.pow(dropped)))
    }

    /// From one multiple of `step` (in units of the last digit) to the next.
    pub(crate) fn within(self, step: u128) -> (Self, Self) {
        let low = self.digits - self.digits % step;
        (Self { digits: low, ..self }, Self { digits: low + step, ..self })
    }

    /// From one power of ten to the next.
    pub(crate) fn magnitude(self) -> (Self, Self) {
        match self.significant() {
            0 => (Self { digits: 0, decimals: 0 }, Self { digits: 10, decimals: 0 }),
            digits => {
                let low = 10u128.pow(digits - 1);
                (Self { digits: low, ..self }, Self { digits: low * 10, ..self })
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, language: Language) -> Option<f64> {
        let number = read(text, language)?.number;
        Some(number.digits as f64 / 10f64.powi(number.decimals.cast_signed()))
    }

    /// The two ends of a range such as `$1,200 to $1,300`, for tests of those who write ranges.
    pub(crate) fn ends(text: &str, joiner: &str, language: Language) -> (f64, f64) {
        let (low, high) = text.split_once(joiner).expect("a range");
        (value(low, language).expect("a number"), value(high, language).expect("a number"))
    }

    #[test]
    fn reads_figures_of_both_languages() {
        for (text, language, expected) in [
            ("$1,234.56", Language::English, 1234.56),
            ("1.234,56 €", Language::English, 1234.56),
            ("1.234", Language::English, 1.234),
            ("1.234", Language::Spanish, 1234.0),
            ("1,5", Language::Spanish, 1.5),
            ("1 234 567", Language::Other, 1_234_567.0),
            ("0.05", Language::English, 0.05),
            ("about 12 apples", Language::English, 12.0),
        ] {
            let read = value(text, language).expect("a number");
            assert!((read - expected).abs() < 1e-9, "{text}: {read}");
        }
    }

    #[test]
    fn leaves_alone_what_is_unsure() {
        for text in [
            "",
            "twelve",
            "-5",
            "(5)",
            "1,23,456",
            "12-34",
            "007",
            "1.2.3",
            "1,2345,678",
            "٣",
            "½",
            "1e5",
            "3/4",
        ] {
            assert!(read(text, Language::English).is_none(), "{text}");
        }
        assert!(read("1.234", Language::Other).is_none());
    }

    proptest! {
        #[test]
        fn never_panics(text in "[0-9., '€$-]{0,40}") {
            for language in [Language::English, Language::Spanish, Language::Other] {
                if let Some(figure) = read(&text, language) {
                    let _ = figure.write_range(figure.number.magnitude());
                }
            }
        }
    }
}
