//! Numbers that runs of figures may say, and the words of a number.

use super::speech::Speech;
use crate::table::lexicon::lexicon;

/// A number that some runs may say.
pub(in crate::table::verify) struct Said {
    pub(in crate::table::verify) first: usize,
    pub(in crate::table::verify) last: usize,
    values: Vec<f64>,
}

impl Said {
    /// Whether it may be a number between these two.
    pub(in crate::table::verify) fn lies_between(&self, low: f64, high: f64) -> bool {
        self.values.iter().any(|own| low <= *own && *own <= high)
    }

    pub(super) fn is(&self, number: f64) -> bool {
        self.values.iter().any(|own| (own - number).abs() <= 1e-9 * number.abs().max(1.0))
    }
}

/// All of them.
pub(super) fn read(speech: &Speech<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let mut at = 0;
    while at < speech.runs.len() {
        if !speech.runs[at].is_figures {
            at += 1;
            continue;
        }
        let mut last = at;
        while last + 1 < speech.runs.len()
            && speech.runs[last + 1].is_figures
            && is_mark(speech.gap(last + 1))
        {
            last += 1;
        }
        // Figures that a mark other than a full stop or a comma parts may be numbers of their own.
        let mut start = at;
        for end in at..=last {
            let parted = end == last || !matches!(speech.gap(end + 1), "." | ",");
            if parted {
                add(speech, start, end, &mut said);
                start = end + 1;
            }
        }
        add(speech, at, last, &mut said);
        at = last + 1;
    }
    said.sort_unstable_by_key(|said| (said.first, said.last));
    said
}

fn is_mark(gap: &str) -> bool {
    matches!(gap, "." | "," | "'" | "’" | " " | "\u{a0}" | "\u{202f}" | "\u{2009}")
}

fn add(speech: &Speech<'_>, first: usize, last: usize, said: &mut Vec<Said>) {
    if said.iter().rev().take(8).any(|own| (own.first, own.last) == (first, last)) || last - first > 6 {
        return;
    }
    let words: Vec<&str> = speech.runs[first..=last].iter().map(|run| speech.word_of(run)).collect();
    let mut texts = Vec::new();
    let thousands = words[1..].iter().all(|word| word.len() == 3) && words[0].len() <= 3;
    if words.len() == 1 || thousands {
        texts.push(words.concat());
    }
    if words.len() > 1 && matches!(speech.gap(last), "." | ",") {
        let before = &words[..words.len() - 1];
        if before.len() == 1
            || before[1..].iter().all(|word| word.len() == 3) && speech.gap(last) != speech.gap(first + 1)
        {
            texts.push(format!("{}.{}", before.concat(), words[words.len() - 1]));
        }
    }
    let mut values: Vec<f64> = texts.iter().filter_map(|text| text.parse().ok()).collect();
    let factor = match speech.word(last + 1).filter(|_| speech.gap(last + 1).trim().is_empty()) {
        Some("k" | "thousand" | "mil") => 1e3,
        Some("million" | "millones" | "millon") => 1e6,
        _ => 1.0,
    };
    if factor > 1.0 {
        values.extend(values.clone().iter().map(|value| value * factor));
    }
    let minus = speech.gap(first).ends_with('-') && (first == 0 || speech.gap(first).len() > 1);
    if minus {
        values.extend(values.clone().iter().map(|value| -value));
    }
    if !values.is_empty() {
        said.push(Said { first, last, values });
    }
}

/// The words of a number in English and in Spanish, without `and` and `y`.
pub(super) fn words(number: f64) -> Vec<Vec<String>> {
    if !(2.0..1e6).contains(&number) {
        return Vec::new();
    }
    let (whole, rest) = (number.trunc(), number.fract());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = whole as u32;
    let mut all = vec![english(whole), spanish(whole)];
    if rest > 1e-9 {
        let digits = format!("{rest:.3}");
        let digits = digits[2..].trim_end_matches('0').to_owned();
        all = all
            .into_iter()
            .zip([("point", english as fn(u32) -> Vec<String>), ("coma", spanish)])
            .map(|(mut words, (point, say))| {
                words.push(point.to_owned());
                words.extend(digits.bytes().flat_map(|digit| say(u32::from(digit - b'0'))));
                words
            })
            .collect();
    }
    all.retain(|words| !words.is_empty());
    all
}

fn named(number: u32, is_spanish: bool) -> Option<String> {
    let words: Vec<&str> = lexicon().words_of(number).collect();
    let english = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let is_english = |word: &&&str| {
        english.contains(*word)
            || word.ends_with("teen")
            || word.ends_with("ty")
            || matches!(**word, "hundred" | "thousand")
    };
    let mut own: Vec<&str> = words.iter().filter(|word| is_english(word) != is_spanish).copied().collect();
    own.sort_unstable_by_key(|word| (word.len(), std::cmp::Reverse(*word)));
    own.first().map(|word| (*word).to_owned())
}

fn english(number: u32) -> Vec<String> {
    compose(number, false)
}

fn spanish(number: u32) -> Vec<String> {
    compose(number, true)
}

fn compose(number: u32, is_spanish: bool) -> Vec<String> {
    let name = |number: u32| named(number, is_spanish);
    let mut words = Vec::new();
    let (thousands, rest) = (number / 1000, number % 1000);
    if thousands > 0 {
        if thousands > 1 || !is_spanish {
            words.extend(compose(thousands, is_spanish));
        }
        words.extend(name(1000));
    }
    let (hundreds, rest) = (rest / 100, rest % 100);
    if hundreds > 0 {
        if is_spanish && hundreds == 1 {
            words.push(if rest == 0 { "cien" } else { "ciento" }.to_owned());
        } else if is_spanish {
            words.extend(name(hundreds * 100));
        } else {
            words.extend(name(hundreds));
            words.extend(name(100));
        }
    }
    if rest > 0 || number == 0 {
        match name(rest) {
            Some(own) => words.push(own),
            None => words.extend(name(rest - rest % 10).into_iter().chain(name(rest % 10))),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_words() {
        let says = |number: f64| words(number).iter().map(|words| words.join(" ")).collect::<Vec<_>>();
        assert_eq!(says(34.0), ["thirty four", "treinta cuatro"]);
        assert_eq!(says(120.0), ["one hundred twenty", "ciento veinte"]);
        assert_eq!(says(77_500.0), ["seventy seven thousand five hundred", "setenta siete mil quinientos"]);
        assert_eq!(says(7.2), ["seven point two", "siete coma dos"]);
        assert_eq!(says(22.0), ["twenty two", "veintidos"]);
        assert!(says(1.0).is_empty());
    }

    #[test]
    fn figures_are_read_both_ways() {
        let says = |text: &str, number: f64| read(&Speech::new(text)).iter().any(|said| said.is(number));
        for (text, number) in [
            ("$77,500", 77_500.0),
            ("7,2 %", 7.2),
            ("1.234,5", 1234.5),
            ("1 234", 1234.0),
            ("77k", 77_000.0),
            ("34F", 34.0),
        ] {
            assert!(says(text, number), "{text}");
        }
        for (text, number) in [("7.25", 7.2), ("1234", 234.0), ("14.05.2004", 5.0)] {
            assert!(!says(text, number), "{text}");
        }
    }
}
