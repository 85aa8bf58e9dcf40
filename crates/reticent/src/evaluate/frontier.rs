//! The Pareto frontier of several methods.

use std::collections::BTreeMap;

use super::error;
use super::plot::{Plot, Series};
use crate::Error;

/// A method at one setting, with its utility and re-identification rate.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontierPoint {
    /// The method.
    pub series: String,
    /// The setting, in a plot.
    pub label: String,
    /// The utility; higher is better.
    pub utility: f64,
    /// The success rate of an attack; lower is better.
    pub attack: f64,
    /// The methods, possibly its own, with a point that dominates this one.
    pub beaten_by: Vec<String>,
}

/// Reads points from JSONL: `series`, `label` (may be missing), and the two figures in the fields that
/// `fields` names: utility, then attack.
pub fn read_points(jsonl: &str, fields: (&str, &str)) -> Result<Vec<FrontierPoint>, Error> {
    let mut points = Vec::new();
    for object in super::objects(jsonl) {
        let (row, value) = object?;
        let at = |message: String| error(message).in_document(format!("row {row}"));
        let number = |field: &str| {
            value[field]
                .as_f64()
                .filter(|number| number.is_finite())
                .ok_or_else(|| at(format!("`{field}` is not a number")))
        };
        let series = super::name(&value["series"]).ok_or_else(|| at("`series` is missing".to_owned()))?;
        let label = super::name(&value["label"]).unwrap_or_default();
        points.push(FrontierPoint {
            series,
            label,
            utility: number(fields.0)?,
            attack: number(fields.1)?,
            beaten_by: Vec::new(),
        });
    }
    if points.is_empty() {
        return Err(error("the input has no data points"));
    }
    Ok(points)
}

/// Finds the methods that dominate each point, and plots all points: higher utility to the right, lower risk below.
///
/// ```
/// use reticent::evaluate::{frontier, read_points};
/// let mut points = read_points(
///     "{\"series\":\"ours\",\"utility\":0.4,\"attack\":0.3}\n{\"series\":\"paper\",\"utility\":0.2,\"attack\":0.7}",
///     ("utility", "attack"),
/// )?;
/// frontier(&mut points, "Attack against utility");
/// assert!(points[0].beaten_by.is_empty());
/// assert_eq!(points[1].beaten_by, ["ours"]);
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn frontier(points: &mut [FrontierPoint], title: &str) -> Plot {
    let mut order: Vec<String> = Vec::new();
    let mut places: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for point in points.iter() {
        if !places.contains_key(&point.series) {
            order.push(point.series.clone());
        }
        places.entry(point.series.clone()).or_default().push((point.utility, point.attack));
    }
    for stairs in places.values_mut() {
        // The most useful first; behind each, the lowest attack so far.
        stairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut lowest = f64::INFINITY;
        for (_, attack) in stairs {
            lowest = lowest.min(*attack);
            *attack = lowest;
        }
    }
    for point in points.iter_mut() {
        point.beaten_by = order.iter().filter(|series| beats(&places[*series], point)).cloned().collect();
    }
    let mut plot = Plot::new(title, "utility: information kept", "attack: share re-identified");
    if points.iter().all(|point| (0.0..=1.0).contains(&point.attack)) {
        plot.y_range = Some((0.0, 1.0));
    }
    for series in order {
        let mut own: Vec<&FrontierPoint> = points.iter().filter(|point| point.series == series).collect();
        own.sort_by(|a, b| a.utility.total_cmp(&b.utility).then(a.attack.total_cmp(&b.attack)));
        let labels = own.iter().map(|point| point.label.clone()).collect();
        let places = own.iter().map(|point| (point.utility, point.attack)).collect();
        plot.series.push(Series::labelled(&series, places, labels));
    }
    plot
}

/// Whether a method has a point as good in both, and better in one.
fn beats(stairs: &[(f64, f64)], point: &FrontierPoint) -> bool {
    let lowest = |count: usize| count.checked_sub(1).map_or(f64::INFINITY, |last| stairs[last].1);
    let more = stairs.partition_point(|(utility, _)| *utility > point.utility);
    let as_much = stairs.partition_point(|(utility, _)| *utility >= point.utility);
    lowest(more) <= point.attack || lowest(as_much) < point.attack
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point(series: &str, utility: f64, attack: f64) -> FrontierPoint {
        FrontierPoint { series: series.into(), label: String::new(), utility, attack, beaten_by: Vec::new() }
    }

    #[test]
    fn equal_points_do_not_beat_each_other() {
        let mut points =
            [point("a", 0.5, 0.5), point("b", 0.5, 0.5), point("c", 0.5, 0.6), point("d", 0.4, 0.5)];
        frontier(&mut points, "");
        assert!(points[0].beaten_by.is_empty() && points[1].beaten_by.is_empty());
        assert_eq!(
            (points[2].beaten_by.join(" "), points[3].beaten_by.join(" ")),
            ("a b".into(), "a b".into())
        );
    }

    #[test]
    fn refuses_rows_without_figures() {
        let says = |row: &str| read_points(row, ("utility", "attack")).unwrap_err().to_string();
        assert_eq!(says("{\"series\":\"a\",\"utility\":1}"), "row 1: `attack` is not a number");
        assert_eq!(says("{\"utility\":1,\"attack\":1}"), "row 1: `series` is missing");
        assert_eq!(says("\n"), "the input has no data points");
    }

    proptest! {
        #[test]
        fn is_what_comparing_all_gives(places in prop::collection::vec((0..4u8, 0..4u8, 0..3u8), 1..12)) {
            let mut points: Vec<FrontierPoint> =
                places.iter().map(|(u, a, s)| point(&s.to_string(), f64::from(*u), f64::from(*a))).collect();
            frontier(&mut points, "");
            for (at, one) in points.iter().enumerate() {
                let beats = |other: &FrontierPoint| {
                    other.utility >= one.utility && other.attack <= one.attack
                        && (other.utility > one.utility || other.attack < one.attack)
                };
                for series in ["0", "1", "2"] {
                    let any = points.iter().any(|other| other.series == series && beats(other));
                    prop_assert_eq!(points[at].beaten_by.iter().any(|by| by == series), any);
                }
            }
        }
    }
}
