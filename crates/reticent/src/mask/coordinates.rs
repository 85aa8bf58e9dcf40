//! Places on the globe: `40.4168, -3.7038` is `40.4, -3.7` (some ten kilometres), then `40, -4`
//! (some hundred).

use std::fmt::Write;
use std::sync::LazyLock;

use super::{Context, Generalizer, Rung};
use crate::EntityType;

static TYPES: LazyLock<Vec<EntityType>> =
    LazyLock::new(|| EntityType::new("COORDINATES").into_iter().collect());

/// Coordinates in decimal degrees.
pub struct Coordinates;

impl Generalizer for Coordinates {
    fn name(&self) -> &'static str {
        "coordinates"
    }

    fn types(&self) -> &[EntityType] {
        &TYPES
    }

    fn levels(&self) -> &'static [&'static str] {
        &["full", "city", "region"]
    }

    fn rungs(&self, surface: &str, _: &Context) -> Option<Vec<Rung>> {
        let decimals = decimals(surface)?;
        let mut rungs = vec![Rung::new("full", surface)];
        for (level, kept) in [("city", 1), ("region", 0)] {
            if decimals > kept {
                rungs.push(Rung::new(level, rounded(surface, kept)?));
            }
        }
        Some(rungs)
    }
}

/// How many decimals the numbers of a pair of coordinates have at most; none if it is not one.
fn decimals(surface: &str) -> Option<usize> {
    let mut numbers = 0;
    let mut most = 0;
    for piece in surface.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|piece| !piece.is_empty()) {
        let (whole, fraction) = piece.split_once('.')?;
        if whole.is_empty()
            || whole.len() > 3
            || !(1..=15).contains(&fraction.len())
            || fraction.contains('.')
        {
            return None;
        }
        numbers += 1;
        most = most.max(fraction.len());
    }
    let marks = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,;-+°−NSEWO()".contains(c);
    (numbers == 2 && surface.chars().all(marks)).then_some(most)
}

/// The same text with its numbers rounded.
fn rounded(surface: &str, decimals: usize) -> Option<String> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut text = String::new();
    let mut rest = surface;
    while let Some(start) = rest.find(is_number) {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
        let number: f64 = rest[..end].parse().ok()?;
        write!(text, "{number:.decimals$}").ok()?;
        rest = &rest[end..];
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(surface: &str) -> Vec<String> {
        let rungs = Coordinates.rungs(surface, &Context::default()).unwrap_or_default();
        rungs.into_iter().skip(1).map(|rung| rung.text).collect()
    }

    #[test]
    fn drops_decimals() {
        assert_eq!(texts("40.4168, -3.7038"), ["40.4, -3.7", "40, -4"]);
        assert_eq!(texts("40.4168° N, 3.7038° W"), ["40.4° N, 3.7° W", "40° N, 4° W"]);
        for surface in ["40", "40.1", "40.1, 3", "1.2.3, 4.5", "40.1, x3.2", "", "40.1, 3.2, 5.6"] {
            assert!(texts(surface).is_empty(), "{surface}");
        }
    }

    proptest! {
        #[test]
        fn rounding_stays_near(north in -90.0..90.0f64, east in -180.0..180.0f64) {
            let said = texts(&format!("{north:.5}, {east:.5}"));
            for (text, off) in said.iter().zip([0.0501, 0.501]) {
                let (a, b) = text.split_once(", ").expect("a pair");
                let (a, b): (f64, f64) = (a.parse().expect("a number"), b.parse().expect("a number"));
                prop_assert!((a - north).abs() < off && (b - east).abs() < off, "{text}");
            }
        }
    }
}
