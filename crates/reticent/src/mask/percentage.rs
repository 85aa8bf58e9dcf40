//! Shares: `37%` is `35–40%`, then `30–40%`, then `0–50%`.

use super::figure::{self, Decimal};
use super::number::to;
use super::{Context, Generalizer, Language, Rung};
use crate::EntityType;

/// Shares in per cent.
pub struct Percentages;

const STEPS: [(&str, u128); 3] = [("five_points", 5), ("ten_points", 10), ("fifty_points", 50)];

impl Generalizer for Percentages {
    fn name(&self) -> &'static str {
        "percentage"
    }

    fn types(&self) -> &[EntityType] {
        const { &[EntityType::PERCENTAGE] }
    }

    fn levels(&self) -> &'static [&'static str] {
        &["exact", "five_points", "ten_points", "fifty_points", "kind"]
    }

    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>> {
        let figure = figure::read(surface, context.language)?;
        let joiner = if figure.after.trim_start().starts_with('%') { "–" } else { to(context.language) };
        let one = 10u128.pow(figure.number.decimals);
        let mut rungs = vec![Rung::new("exact", surface)];
        for (level, step) in STEPS {
            let (mut low, mut high) = figure.number.within(step * one);
            // The whole belongs to what is below it: nobody expects 100 to 105 %.
            if figure.number.digits == 100 * one {
                let below = |end: Decimal| Decimal { digits: end.digits - step * one, ..end };
                (low, high) = (below(low), below(high));
            }
            let (low, high) = figure.write_range((low, high));
            rungs.push(Rung::new(level, format!("{}{low}{joiner}{high}{}", figure.before, figure.after)));
        }
        match context.language {
            Language::English => rungs.push(Rung::new("kind", "a percentage")),
            Language::Spanish => rungs.push(Rung::new("kind", "un porcentaje")),
            Language::Other => {}
        }
        Some(rungs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(surface: &str, language: Language) -> Vec<String> {
        let context = Context { language, ..Context::default() };
        let rungs = Percentages.rungs(surface, &context).unwrap_or_default();
        rungs.into_iter().skip(1).map(|rung| rung.text).collect()
    }

    #[test]
    fn gets_wider() {
        assert_eq!(texts("37%", Language::English), ["35–40%", "30–40%", "0–50%", "a percentage"]);
        assert_eq!(texts("100%", Language::English)[..3], ["95–100%", "90–100%", "50–100%"]);
        assert_eq!(texts("37,5 %", Language::Spanish)[..2], ["35–40 %", "30–40 %"]);
        assert_eq!(texts("37 percent", Language::English)[0], "35 to 40 percent");
        assert_eq!(texts("0.3%", Language::English)[0], "0–5%");
    }

    #[test]
    fn leaves_alone_what_is_unsure() {
        for surface in ["-5%", "5-10%", "half", "%", "1/2 %"] {
            assert!(texts(surface, Language::English).is_empty(), "{surface}");
        }
    }

    proptest! {
        #[test]
        fn ranges_hold_the_share_and_widen(tenths in 0..2000u32) {
            let share = f64::from(tenths) / 10.0;
            let mut last = (share, share);
            for text in &texts(&format!("{share}%"), Language::English)[..3] {
                let (low, high) = figure::tests::ends(text, "–", Language::English);
                prop_assert!(low <= last.0 && last.1 <= high, "{text}");
                last = (low, high);
            }
        }
    }
}
