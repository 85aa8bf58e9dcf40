//! The drawings of a dossier.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// With more sizes of classes than this, neighbouring ones share a bar.
const MOST_BARS: usize = 24;
/// The space above the bars, in which `k` is written.
const TOP: f64 = 34.0;

/// How many classes have how many persons, as a drawing. `k` is marked.
pub(super) fn histogram(sizes: &BTreeMap<usize, usize>, k: Option<usize>) -> String {
    let (Some(least), Some(most)) = (sizes.keys().next(), sizes.keys().next_back()) else {
        return String::new();
    };
    let width = (most - least + 1).div_ceil(MOST_BARS).max(1);
    let mut bars: Vec<(usize, usize)> = (*least..=*most).step_by(width).map(|from| (from, 0)).collect();
    for (size, count) in sizes {
        bars[(size - least) / width].1 += count;
    }
    let highest = bars.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let (high, left, bottom) = (150.0, 46.0, 46.0);
    let slot = (600.0 / bars.len() as f64).min(60.0);
    let total = left + slot * bars.len() as f64 + 14.0;
    // Writing to a String cannot fail.
    let mut out = format!(
        "<svg viewBox=\"0 0 {total:.0} {:.0}\" width=\"{total:.0}\" role=\"img\" aria-label=\"Classes by their number of persons\">\n",
        high + bottom + TOP + 4.0
    );
    let base = high + TOP;
    let _ = writeln!(
        out,
        "<line x1=\"{left}\" y1=\"{base}\" x2=\"{:.1}\" y2=\"{base}\" stroke=\"#333\"/>",
        total - 10.0
    );
    for (at, (from, count)) in bars.iter().enumerate() {
        let tall = high * *count as f64 / highest as f64;
        let x = left + slot * at as f64;
        let middle = x + slot / 2.0;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"#3b6ea5\"/>",
            x + 1.5,
            base - tall,
            (slot - 3.0).max(1.0)
        );
        if *count > 0 && bars.len() <= MOST_BARS {
            let _ = writeln!(
                out,
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
                base - tall - 4.0
            );
        }
        let to = from + width - 1;
        let name = if width == 1 { from.to_string() } else { format!("{from}–{to}") };
        // Labels of ranges are wide: every other one is left out where they would meet.
        if slot >= 7.5 * name.chars().count() as f64
            || at.is_multiple_of(2) && slot * 2.0 >= 7.0 * name.len() as f64
        {
            let _ = writeln!(
                out,
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
                base + 15.0
            );
        }
    }
    let middle = left + slot * bars.len() as f64 / 2.0;
    let _ = writeln!(
        out,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">persons in the class</text>",
        base + 34.0
    );
    let _ = writeln!(
        out,
        "<text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1})\">classes</text>",
        high / 2.0 + TOP,
        high / 2.0 + TOP
    );
    if let Some(k) = k.filter(|k| (*least..=*most).contains(k)) {
        let x = left + slot * ((k - least) / width) as f64;
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"6\" x2=\"{x:.1}\" y2=\"{base}\" stroke=\"#b3261e\" stroke-dasharray=\"4 3\"/>\
             <text x=\"{:.1}\" y=\"12\" fill=\"#b3261e\">k = {k}</text>",
            x + 4.0
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A share as a bar.
pub(super) fn bar(share: f64) -> String {
    let wide = 120.0 * share.clamp(0.0, 1.0);
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 120 10\" width=\"120\" height=\"10\" aria-hidden=\"true\">\
         <rect width=\"120\" height=\"10\" fill=\"#e6e9ee\"/><rect width=\"{wide:.1}\" height=\"10\" fill=\"#3b6ea5\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_in_a_bar() {
        let sizes: BTreeMap<usize, usize> = (5..100).map(|size| (size, size % 4)).collect();
        for (sizes, k) in [(sizes, 5), ([(5, 3)].into(), 5), ([(2, 1), (9, 2)].into(), 3)] {
            let drawn = histogram(&sizes, Some(k));
            let counted: usize = drawn
                .split("text-anchor=\"middle\">")
                .filter_map(|rest| rest.split('<').next()?.parse::<usize>().ok())
                .sum();
            assert!(counted >= sizes.values().sum(), "{drawn}");
            assert!(drawn.contains(&format!("k = {k}")) && !drawn.contains("NaN"), "{drawn}");
        }
        assert_eq!(histogram(&BTreeMap::new(), None), "");
    }
}
