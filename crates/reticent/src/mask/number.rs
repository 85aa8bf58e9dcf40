//! Plain numbers: `1,234` is `1,200 to 1,300`, then `1,000 to 2,000`, then `1,000 to 10,000`.

use super::figure::{self, Decimal, Figure};
use super::{Context, Generalizer, Language, Rung};
use crate::EntityType;

/// Plain numbers.
pub struct Numbers;

const LEVELS: [&str; 4] = ["exact", "two_digits", "one_digit", "magnitude"];

impl Generalizer for Numbers {
    fn name(&self) -> &'static str {
        "number"
    }

    fn types(&self) -> &[EntityType] {
        const { &[EntityType::NUMBER] }
    }

    fn levels(&self) -> &'static [&'static str] {
        &LEVELS
    }

    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>> {
        let figure = figure::read(surface, context.language)
            .or_else(|| figure::in_words(surface, context.language))?;
        // `3rd` is a place in a row, `5km` and `12-year` are one word.
        if figure.after.starts_with(char::is_alphabetic) || figure.after.starts_with('-') {
            return None;
        }
        Some(rounder(surface, &figure, |range| {
            let (low, high) = figure.write_range(range);
            format!("{}{low}{}{high}{}", figure.before, to(context.language), figure.after)
        }))
    }
}

/// The rungs from the number as written to its magnitude.
pub(crate) fn rounder(
    surface: &str,
    figure: &Figure<'_>,
    say: impl Fn((Decimal, Decimal)) -> String,
) -> Vec<Rung> {
    let number = figure.number;
    let ranges = [number.starting_alike(2), number.starting_alike(1), Some(number.magnitude())];
    let mut rungs = vec![Rung::new(LEVELS[0], surface)];
    rungs.extend(
        LEVELS[1..].iter().zip(ranges).filter_map(|(level, range)| Some(Rung::new(level, say(range?)))),
    );
    rungs
}

/// The word between the two ends of a range.
pub(crate) fn to(language: Language) -> &'static str {
    match language {
        Language::English => " to ",
        Language::Spanish => " a ",
        Language::Other => "–",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gets_rounder() {
        let texts = |surface| {
            let rungs = Numbers.rungs(surface, &Context::default()).expect("a number");
            rungs.into_iter().map(|rung| rung.text).collect::<Vec<_>>()
        };
        assert_eq!(texts("1,234"), ["1,234", "1,200 to 1,300", "1,000 to 2,000", "1,000 to 10,000"]);
        assert_eq!(texts("37 patients"), ["37 patients", "30 to 40 patients", "10 to 100 patients"]);
        assert_eq!(texts("3.04"), ["3.04", "3.0 to 3.1", "3 to 4", "1 to 10"]);
        assert_eq!(texts("7"), ["7", "1 to 10"]);
        assert_eq!(
            texts("Forty-five hearings"),
            ["Forty-five hearings", "40 to 50 hearings", "10 to 100 hearings"]
        );
        assert_eq!(texts("three"), ["three", "1 to 10"]);
        assert_eq!(texts("0"), ["0", "0 to 10"]);
    }

    #[test]
    fn leaves_alone_what_is_no_amount() {
        for surface in
            ["3rd", "-5", "007", "12-34", "dozen", "5km", "1/2", "one of the five", "no one", "twelve-year"]
        {
            assert!(Numbers.rungs(surface, &Context::default()).is_none(), "{surface}");
        }
    }

    proptest! {
        #[test]
        fn ranges_hold_the_number_and_widen(whole in 0..10_000_000_000u64, cents in 0..100u32, exact in any::<bool>()) {
            let surface = if exact { whole.to_string() } else { format!("{whole}.{cents:02}") };
            let number: f64 = surface.parse().expect("a number");
            let mut last = (number, number);
            for rung in &Numbers.rungs(&surface, &Context::default()).expect("a number")[1..] {
                let (low, high) = figure::tests::ends(&rung.text, " to ", Language::English);
                prop_assert!(low <= last.0 && last.1 <= high, "{}", rung.text);
                last = (low, high);
            }
        }
    }
}
