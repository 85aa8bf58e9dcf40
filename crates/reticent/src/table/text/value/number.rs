//! Numbers in texts: figures in either notation, with or without marks between thousands, and words.

use reticent_text::Span;

use super::view::Token;
use crate::table::lexicon::lexicon;

/// A number as a text writes it.
#[derive(Clone, Debug)]
pub(crate) struct Numeral {
    /// The figures or words, with the sign of a currency before and the letter of a thousand behind.
    pub(crate) span: Span,
    /// What it may say: `1,234` is a thousand or little more than one.
    pub(crate) readings: Readings,
    pub(crate) style: Style,
}

/// The numbers that one numeral may say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Readings([Option<f64>; 2]);

impl Readings {
    fn one(number: f64) -> Self {
        Self([Some(number), None])
    }

    fn also(mut self, number: f64) -> Self {
        if self.0[0].is_none() {
            self.0[0] = Some(number);
        } else {
            self.0[1] = Some(number);
        }
        self
    }

    fn times(self, factor: f64) -> Self {
        Self(self.0.map(|number| number.map(|number| number * factor)))
    }

    /// Whether it may say this number.
    pub(crate) fn is(self, number: f64) -> bool {
        let close = |own: f64| (own - number).abs() <= 1e-9 * number.abs().max(1.0);
        self.0.into_iter().flatten().any(close)
    }

    /// Whether it may say a number of which this holds.
    pub(crate) fn any(self, holds: impl Fn(f64) -> bool) -> bool {
        self.0.into_iter().flatten().any(holds)
    }

    /// The first reading.
    pub(crate) fn first(self) -> Option<f64> {
        self.0[0]
    }
}

/// With which marks a number is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Style {
    group: Option<char>,
    comma: bool,
    currency: Option<char>,
}

impl Style {
    /// A number of a column, in this style.
    pub(crate) fn write(self, number: &str) -> String {
        let plain = number.strip_prefix('-').unwrap_or(number);
        let (whole, fraction) = plain.split_once('.').map_or((plain, None), |(a, b)| (a, Some(b)));
        if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return number.to_owned();
        }
        let mut out = String::from(if plain.len() < number.len() { "-" } else { "" });
        out.extend(self.currency);
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                out.extend(self.group);
            }
            out.push(digit);
        }
        if let Some(fraction) = fraction {
            out.push(if self.comma { ',' } else { '.' });
            out.push_str(fraction);
        }
        out
    }
}

const GROUPS: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\'', '’', '\u{2009}'];
const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];

/// The numbers that a text writes in figures. Where marks can be read in several ways, so are they: `2 500` is one
/// number and two.
pub(crate) fn figures(text: &str) -> Vec<Numeral> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + next;
        let run = Run::read(text, start);
        at = run.end;
        if let Some(last) = text[..start].chars().next_back()
            && last.is_alphabetic()
            && run.digits < 3
            && run.parts.len() == 1
        {
            // `B12`, `A1c`
            continue;
        }
        run.numerals(text, &mut found);
    }
    found
}

/// Figures with single marks between them.
struct Run {
    end: usize,
    digits: usize,
    /// Groups of figures, and the mark before each but the first.
    parts: Vec<(Span, char)>,
}

impl Run {
    fn read(text: &str, start: usize) -> Self {
        let digits_from = |from: usize| {
            text.as_bytes()[from..]
                .iter()
                .position(|byte| !byte.is_ascii_digit())
                .map_or(text.len(), |at| from + at)
        };
        let mut end = digits_from(start);
        let mut parts = vec![(Span::new(start, end), ' ')];
        while let Some(mark) = text[end..].chars().next() {
            let next = end + mark.len_utf8();
            if !(GROUPS.contains(&mark) || matches!(mark, '.' | ','))
                || !text.as_bytes().get(next).is_some_and(u8::is_ascii_digit)
            {
                break;
            }
            let stop = digits_from(next);
            // White space stands between thousands only where each group has three figures.
            let first = parts[0].0.len() <= 3;
            let grouped = parts.iter().skip(1).all(|(part, own)| part.len() == 3 && *own == mark);
            if GROUPS.contains(&mark) && (stop - next != 3 || !first || !grouped) {
                break;
            }
            parts.push((Span::new(next, stop), mark));
            end = stop;
        }
        let digits = parts.iter().map(|(part, _)| part.len()).sum();
        Self { end, digits, parts }
    }

    fn numerals(&self, text: &str, found: &mut Vec<Numeral>) {
        let whole = Span::new(self.parts[0].0.start, self.end);
        let joined = |parts: &[(Span, char)]| parts.iter().map(|(part, _)| part.of(text)).collect::<String>();
        let number = |digits: &str| digits.parse::<f64>().ok();
        let mut add = |span: Span, readings: Readings, style: Style| {
            let (span, style, factor) = around(text, span, style);
            found.push(Numeral { span, readings: readings.times(factor), style });
        };
        let (first, rest) = (self.parts[0].0, &self.parts[1..]);
        let Some((_, last)) = rest.last().copied() else {
            if let Some(number) = number(first.of(text)) {
                add(whole, Readings::one(number), Style::default());
            }
            return;
        };
        let groups = |parts: &[(Span, char)]| {
            first.len() <= 3 && parts.iter().all(|(part, mark)| part.len() == 3 && *mark == parts[0].1)
        };
        let mut readings = Readings::default();
        let mut style = Style::default();
        if groups(rest)
            && !first.of(text).starts_with('0')
            && let Some(number) = number(&joined(&self.parts))
        {
            readings = readings.also(number);
            style = Style { group: Some(last), comma: last == '.', currency: None };
        }
        let before = &rest[..rest.len() - 1];
        let other = before.first().is_none_or(|(_, mark)| *mark != last);
        if matches!(last, '.' | ',') && other && (before.is_empty() || groups(before)) {
            let digits = format!(
                "{}.{}",
                joined(&self.parts[..self.parts.len() - 1]),
                self.parts[rest.len()].0.of(text)
            );
            if let Some(number) = number(&digits) {
                if readings == Readings::default() {
                    let group = before.first().map(|(_, mark)| *mark);
                    style = Style { group, comma: last == ',', currency: None };
                }
                readings = readings.also(number);
            }
        }
        if readings != Readings::default() {
            add(whole, readings, style);
        }
        // A list or white space: each is a number of its own, too. Marks of a date are read elsewhere.
        let spaced = self.parts.iter().skip(1).all(|(_, mark)| GROUPS.contains(mark));
        if spaced || (readings == Readings::default() && rest.iter().all(|(_, mark)| *mark == ',')) {
            for (part, _) in &self.parts {
                if let Some(number) = number(part.of(text)) {
                    add(*part, Readings::one(number), Style::default());
                }
            }
        }
    }
}

/// Takes in the sign of a currency and the letter of a thousand, and a minus.
fn around(text: &str, span: Span, mut style: Style) -> (Span, Style, f64) {
    let mut span = span;
    let mut factor = 1.0;
    let before = text[..span.start].trim_end_matches(' ');
    let near = span.start - before.len() <= 1;
    if let Some(sign) = before.chars().next_back().filter(|sign| near && CURRENCIES.contains(sign)) {
        span = Span::new(before.len() - sign.len_utf8(), span.end);
        style.currency = Some(sign);
    }
    let minus = text[..span.start].strip_suffix('-');
    if minus.is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '(', ':'])) {
        span = Span::new(span.start - 1, span.end);
        factor = -1.0;
    }
    let after = &text[span.end..];
    let glued = after.strip_prefix(['k', 'K']);
    if glued.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)) {
        span = Span::new(span.start, span.end + 1);
        style.group = style.group.or(Some(','));
        factor *= 1000.0;
    } else if let Some(word) =
        after.strip_prefix(' ').map(|rest| rest.split(|c: char| !c.is_alphabetic()).next())
    {
        let word = word.unwrap_or_default();
        let times = match word {
            "thousand" | "mil" | "thousands" => 1e3,
            "million" | "millones" | "millón" | "millions" => 1e6,
            _ => 1.0,
        };
        if times > 1.0 {
            span = Span::new(span.start, span.end + 1 + word.len());
            style.group = style.group.or(Some(if style.comma { '.' } else { ',' }));
            factor *= times;
        }
    }
    (span, style, factor)
}

/// The number in words that begins at a token, and how many tokens it takes: `thirty-four`, `ciento veinte`,
/// `seven point two`.
pub(crate) fn in_words(text: &str, tokens: &[Token<'_>], at: usize) -> Option<(Numeral, usize)> {
    let lexicon = lexicon();
    let word = |at: usize| tokens.get(at).map(|token: &Token<'_>| token.plain);
    let first = lexicon.number(word(at)?)?;
    // A tail of a number was read with its head.
    let near = |at: usize| at > 0 && is_near(text, tokens[at - 1].span.end, tokens[at].span.start);
    if near(at) && lexicon.number(tokens[at - 1].plain).is_some() {
        return None;
    }
    let (mut total, mut current) = (0f64, f64::from(first));
    let (mut last, mut end) = (first, at + 1);
    while let Some(next) = word(end).filter(|_| near(end)) {
        // `and` and `y` stand between the parts of a number.
        let joint = matches!(next, "and" | "y") && near(end + usize::from(word(end + 1).is_some()));
        let place = if joint { end + 1 } else { end };
        let Some(number) = word(place).and_then(|word| lexicon.number(word)) else { break };
        let fits = match number {
            100 => last < 10,
            1000 | 1_000_000 => current > 0.0 && current < f64::from(number),
            _ => {
                last >= 20 && number < last && (last < 100 || !is_lower_ten(last, number))
                    || last >= 100 && number < 100
            }
        };
        if !fits {
            break;
        }
        match number {
            100 => current *= 100.0,
            1000 | 1_000_000 => {
                total += current * f64::from(number);
                current = 0.0;
            }
            _ => current += f64::from(number),
        }
        (last, end) = (number, place + 1);
    }
    let mut number =
        if matches!(first, 1000 | 1_000_000) && total == 0.0 { current } else { total + current };
    // `seven point two`
    if let Some("point" | "coma" | "punto") = word(end)
        && near(end)
    {
        let mut factor = 0.1;
        let mut place = end + 1;
        while let Some(digit) = word(place).filter(|_| near(place)).and_then(|word| lexicon.number(word)) {
            if digit > 99 {
                break;
            }
            factor = if digit > 9 { factor * 0.1 } else { factor };
            number += f64::from(digit) * factor;
            factor *= 0.1;
            place += 1;
        }
        if place > end + 1 {
            end = place;
        }
    }
    // `one` and `una` are seldom numbers.
    if end == at + 1 && first < 2 {
        return None;
    }
    let span = tokens[at].span.join(tokens[end - 1].span);
    let numeral = Numeral { span, readings: Readings::one(number), style: Style::default() };
    Some((numeral, end - at))
}

/// Whether tens follow tens: `thirty forty` is no number.
fn is_lower_ten(last: u32, number: u32) -> bool {
    last < 100 && number >= 10
}

/// Whether only a space or a hyphen stands between.
fn is_near(text: &str, end: usize, start: usize) -> bool {
    let gap = &text[end..start];
    gap.len() <= 3 && gap.chars().all(|c| c.is_whitespace() || c == '-' || c == '‐' || c == '‑')
}

#[cfg(test)]
mod tests {
    use super::super::view::View;
    use super::*;

    fn says(text: &str, number: f64) -> bool {
        figures(text).iter().any(|own| own.readings.is(number))
    }

    fn worded(text: &str) -> Option<f64> {
        let view = View::new(text);
        let tokens = view.tokens();
        (0..tokens.len()).find_map(|at| in_words(view.text(), &tokens, at)?.0.readings.first())
    }

    #[test]
    fn reads_figures_in_either_notation() {
        for (text, number) in [
            ("1,234", 1234.0),
            ("1.234", 1234.0),
            ("1,234", 1.234),
            ("1 234", 1234.0),
            ("1’234", 1234.0),
            ("1'234.50", 1234.5),
            ("77.500,25 €", 77_500.25),
            ("$77,500", 77_500.0),
            ("HbA1c 7,2 %", 7.2),
            ("HbA1c 7.2%", 7.2),
            ("82.5kg", 82.5),
            ("77k", 77_000.0),
            ("77.5 mil", 77_500.0),
            ("120/80", 120.0),
            ("at -3.5 C", -3.5),
            ("2 500 mg", 500.0),
        ] {
            assert!(says(text, number), "{text}");
        }
    }

    #[test]
    fn leaves_what_is_no_number() {
        for (text, number) in
            [("B12", 12.0), ("14.05.2004", 14.05), ("7.25", 7.2), ("1234", 234.0), ("77 kg", 77_000.0)]
        {
            assert!(!says(text, number), "{text}");
        }
    }

    #[test]
    fn reads_numbers_in_words() {
        for (text, number) in [
            ("She is thirty-four.", 34.0),
            ("thirty four", 34.0),
            ("treinta y cuatro", 34.0),
            ("one hundred and twenty", 120.0),
            ("ciento veinte", 120.0),
            ("seventy-seven thousand five hundred", 77_500.0),
            ("setenta y siete mil quinientos", 77_500.0),
            ("seven point two", 7.2),
            ("siete coma dos", 7.2),
            ("mil doscientos", 1200.0),
            ("veintidós", 22.0),
        ] {
            let found = worded(text);
            assert!(found.is_some_and(|own| (own - number).abs() < 1e-9), "{text}: {found:?}");
        }
        assert_eq!(worded("one of them"), None);
        assert_eq!(worded("una casa"), None);
    }

    #[test]
    fn writes_in_the_style_of_the_text() {
        let style = |text: &str| figures(text)[0].style;
        assert_eq!(style("$77,500").write("61000"), "$61,000");
        assert_eq!(style("77.500 €").write("61000"), "61.000");
        assert_eq!(style("7,2").write("5.25"), "5,25");
        assert_eq!(style("82.5").write("70"), "70");
        assert_eq!(style("34").write("31"), "31");
    }
}
