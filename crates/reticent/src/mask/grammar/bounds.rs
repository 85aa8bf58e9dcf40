//! Ranges after a word that compares: `more than 2,634` is `more than 2,000`, not `more than 2,000 to
//! 3,000`.

use super::around::{Around, Left};
use crate::mask::Language;

/// Which end of a range holds true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

impl End {
    fn other(self) -> Self {
        match self {
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }
}

/// The one end of a range that may be said after the words on the left; none if it is no range, or
/// nothing there compares.
pub(super) fn bound(around: &Around<'_>, words: &str, language: Language) -> Option<String> {
    let (joint, end) = match language {
        Language::English => (" to ", english(around)?),
        Language::Spanish => (" a ", spanish(around)?),
        Language::Other => return None,
    };
    let (low, rest) = words.split_once(joint)?;
    let (high, unit) = rest.split_at(amount(rest)?);
    // Ages: `40 to 49` holds both its ends, so what is above 40 may be above 39 only. The end that is
    // said is never the number itself.
    let before = low.trim_end_matches(|c: char| c.is_ascii_digit());
    if let (Ok(first @ 0..200u32), Ok(last @ 0..200u32)) = (low[before.len()..].parse(), high.parse())
        && last % 5 == 4
        && first % 5 == 0
    {
        let end = match end {
            End::Low => first.checked_sub(1)?,
            End::High => last + 1,
        };
        return Some(format!("{before}{end}{unit}"));
    }
    match end {
        End::Low => Some(format!("{low}{unit}")),
        End::High => {
            let start = low.rfind(|c: char| c.is_ascii_digit())?;
            let digits =
                |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | ' ' | '\'' | '\u{a0}' | '\u{202f}');
            let number = low[..=start].trim_end_matches(digits);
            let sign = number.trim_end_matches(|c: char| !c.is_alphanumeric() && !c.is_whitespace());
            let space = &low[number.len()..];
            let gap = &space[..space.len() - space.trim_start().len()];
            // The sign stands before both ends if it stands before the second.
            let before = if high.starts_with(|c: char| c.is_ascii_digit()) { number } else { sign };
            Some(format!("{before}{gap}{high}{unit}"))
        }
    }
}

/// Where the second number ends: its sign, its figures, its scale.
fn amount(rest: &str) -> Option<usize> {
    let first = rest.find(|c: char| c.is_ascii_digit())?;
    let inside = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '\'');
    let end = rest[first..].find(|c: char| !inside(c)).map_or(rest.len(), |length| first + length);
    let after = &rest[end..];
    let scale = ["thousand", "million", "billion", "trillion"].iter().find_map(|scale| {
        after.strip_prefix(' ').filter(|after| after.starts_with(scale)).map(|_| scale.len() + 1)
    });
    Some(end + scale.unwrap_or(0))
}

fn english(around: &Around<'_>) -> Option<End> {
    let left = around.left.as_ref()?.lower();
    let second = around.second_left().as_ref().map(Left::lower).unwrap_or_default();
    let third = around.third_left().as_ref().map(Left::lower).unwrap_or_default();
    // `a dispute over $5,000` compares nothing.
    let about =
        ["dispute", "argument", "quarrel", "fight", "row", "sued", "spread", "paid", "concern", "concerns"];
    let end = match (second.as_str(), left.as_str()) {
        (second, "over") if about.contains(&second) => return None,
        (_, "over" | "above" | "exceeding" | "exceeds" | "exceeded" | "surpassing" | "surpassed")
        | ("at", "least")
        | ("more" | "greater" | "larger" | "higher" | "older" | "longer", "than") => End::Low,
        (_, "under" | "below")
        | ("up", "to")
        | ("at", "most")
        | ("less" | "fewer" | "lower" | "smaller" | "younger" | "shorter", "than") => End::High,
        _ => return None,
    };
    let negated = left == "than" && ["no", "not"].contains(&third.as_str());
    Some(if negated { end.other() } else { end })
}

fn spanish(around: &Around<'_>) -> Option<End> {
    let left = around.left.as_ref()?.lower();
    let second = around.second_left().as_ref().map(Left::lower).unwrap_or_default();
    match (second.as_str(), left.as_str()) {
        ("más" | "encima", "de") | ("superior" | "superiores", "a") | ("al", "menos") => Some(End::Low),
        ("menos" | "debajo", "de") | ("inferior" | "inferiores", "a") | (_, "hasta") => Some(End::High),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_text::Span;

    fn said(before: &str, words: &str, language: Language) -> Option<String> {
        let text = format!("{before} 5");
        let around = Around::new(&text, Span::new(before.len() + 1, text.len()));
        bound(&around, words, language)
    }

    #[test]
    fn says_the_end_that_holds() {
        for (before, words, expected) in [
            ("more than", "$2 billion to $3 billion", "$2 billion"),
            ("less than", "$2 billion to $3 billion", "$3 billion"),
            ("no more than", "2,000 to 3,000 people", "3,000 people"),
            ("no less than", "2,000 to 3,000", "2,000"),
            ("up to", "GBP 2,000 to 3,000", "GBP 3,000"),
            ("over", "GBP 2,000 to 3,000", "GBP 2,000"),
            ("under", "£6,000 to £7,000", "£7,000"),
            ("at least", "40 to 49 years old", "39 years old"),
            ("under", "40 to 49 years of age", "50 years of age"),
            ("below", "1 million to 2 million euros", "2 million euros"),
        ] {
            assert_eq!(said(before, words, Language::English).as_deref(), Some(expected), "{before} {words}");
        }
        assert_eq!(said("más de", "1.200 a 1.300 €", Language::Spanish).as_deref(), Some("1.200 €"));
        assert_eq!(said("menos de", "1.200 a 1.300 €", Language::Spanish).as_deref(), Some("1.300 €"));
    }

    #[test]
    fn leaves_other_words_alone() {
        for (before, words) in [
            ("about", "2,000 to 3,000"),
            ("paid", "£6,000 to £7,000"),
            ("rather than", "2,000 to 3,000"),
            ("a dispute over", "$2,000 to $3,000"),
            ("over", "an amount of money"),
            ("over", "a to b"),
            ("ñ over", ""),
        ] {
            assert_eq!(said(before, words, Language::English), None, "{before} {words}");
        }
    }
}
