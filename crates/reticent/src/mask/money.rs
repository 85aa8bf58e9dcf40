//! Amounts of money: `$1,234.56` is `$1,200 to $1,300`, then `$1,000 to $2,000`, then
//! `$1,000 to $10,000`. The currency stays as it is written.

use super::figure::{self, Decimal, Figure};
use super::number::{rounder, to};
use super::{Context, Generalizer, Language, Rung};
use crate::EntityType;

/// Amounts of money.
pub struct Money;

impl Generalizer for Money {
    fn name(&self) -> &'static str {
        "money"
    }

    fn types(&self) -> &[EntityType] {
        const { &[EntityType::MONEY] }
    }

    fn levels(&self) -> &'static [&'static str] {
        &["exact", "two_digits", "one_digit", "magnitude", "kind"]
    }

    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>> {
        let figure = figure::read(surface, context.language)?;
        let mut rungs = rounder(surface, &figure, |range| say(&figure, range, context.language));
        match context.language {
            Language::English => rungs.push(Rung::new("kind", "an amount of money")),
            Language::Spanish => rungs.push(Rung::new("kind", "una cantidad de dinero")),
            Language::Other => {}
        }
        Some(rungs)
    }
}

fn say(figure: &Figure<'_>, range: (Decimal, Decimal), language: Language) -> String {
    // A sign that touches the number is repeated (`$1 to $2`), a code is not (`USD 1 to 2`).
    let sign = match figure.before.rsplit(char::is_whitespace).next() {
        Some(last) if last.chars().any(|c| !c.is_alphanumeric()) => last,
        _ => "",
    };
    // `$1 to $2 million` could be heard as one dollar.
    let scale = scale(figure.after, language);
    let (low, high) = figure.write_range(range);
    format!("{}{low}{scale}{}{sign}{high}{}", figure.before, to(language), figure.after)
}

/// The same words with another amount, or between two; none if they cannot be read, or speak of
/// thousands and millions.
pub(crate) fn with_range(surface: &str, range: (Decimal, Decimal), language: Language) -> Option<String> {
    let figure = figure::read(surface, language).filter(|figure| scale(figure.after, language).is_empty())?;
    if range.0 != range.1 {
        return Some(say(&figure, range, language));
    }
    Some(format!("{}{}{}", figure.before, figure.write_range(range).0, figure.after))
}

/// The English word or letter of scale that a text starts with: ` million`, `k`.
fn scale(after: &str, language: Language) -> &str {
    if language != Language::English {
        return "";
    }
    let word = after.trim_start();
    let length = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
    let known = ["thousand", "million", "billion", "trillion", "k", "m", "mn", "bn", "b", "mio"];
    let is_scale = known.iter().any(|scale| scale.eq_ignore_ascii_case(&word[..length]));
    if is_scale { &after[..after.len() - word.len() + length] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(surface: &str, language: Language) -> Vec<String> {
        let context = Context { language, ..Context::default() };
        let rungs = Money.rungs(surface, &context).unwrap_or_default();
        rungs.into_iter().skip(1).map(|rung| rung.text).collect()
    }

    #[test]
    fn keeps_the_currency() {
        for (surface, language, expected) in [
            ("$1,234.56", Language::English, ["$1,200 to $1,300", "$1,000 to $2,000", "$1,000 to $10,000"]),
            (
                "US$ 1,234",
                Language::English,
                ["US$ 1,200 to 1,300", "US$ 1,000 to 2,000", "US$ 1,000 to 10,000"],
            ),
            ("EUR 1234", Language::English, ["EUR 1200 to 1300", "EUR 1000 to 2000", "EUR 1000 to 10000"]),
            ("1.234,56 €", Language::Spanish, ["1.200 a 1.300 €", "1.000 a 2.000 €", "1.000 a 10.000 €"]),
        ] {
            assert_eq!(texts(surface, language)[..3], expected, "{surface}");
        }
        assert_eq!(texts("$1.25 million", Language::English)[0], "$1.2 million to $1.3 million");
        assert_eq!(texts("1.2 million euros", Language::English)[0], "1 million to 2 million euros");
        assert_eq!(texts("1,2 millones de euros", Language::Spanish)[0], "1 a 2 millones de euros");
        assert_eq!(texts("£5", Language::English), ["£1 to £10", "an amount of money"]);
    }

    #[test]
    fn leaves_alone_what_is_unsure() {
        for surface in ["-$5", "$5 to $10", "five dollars", "$", "($5)", "$1,2,3"] {
            assert!(texts(surface, Language::English).is_empty(), "{surface}");
        }
    }

    proptest! {
        #[test]
        fn ranges_hold_the_amount(cents in 0..10_000_000_000u64) {
            let amount = cents as f64 / 100.0;
            for text in &texts(&format!("${amount:.2}"), Language::English)[..] {
                if text != "an amount of money" {
                    let (low, high) = figure::tests::ends(text, " to ", Language::English);
                    prop_assert!(low <= amount && amount < high, "{text}");
                }
            }
        }
    }
}
