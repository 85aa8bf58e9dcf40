//! Detection at every threshold.

use super::error;
use super::plot::{Plot, Series};
use super::rows::{Marked, MarkedSpan};
use super::spans::{DocumentCount, Scorer, SpanScores, pair, summarize};
use crate::Error;

/// A range of thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// The lowest.
    pub from: f64,
    /// The highest.
    pub to: f64,
    /// The step.
    pub step: f64,
}

impl Default for Thresholds {
    /// Those of the paper's Figure 4, and zero.
    fn default() -> Self {
        Self { from: 0.0, to: 1.0, step: 0.01 }
    }
}

impl Thresholds {
    /// The maximum number of thresholds.
    pub const MOST: usize = 10_000;

    fn list(self) -> Result<Vec<f64>, Error> {
        let steps = (self.to - self.from) / self.step;
        let sound = self.from.is_finite() && self.step > 0.0 && (0.0..Self::MOST as f64).contains(&steps);
        if !sound {
            return Err(error("thresholds must be given from lowest to highest with a positive step")
                .with_hint(format!("at most {} thresholds are supported", Self::MOST)));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let last = (steps + 1e-9).floor() as usize;
        // To a billionth, so that they are those that a person would write.
        Ok((0..=last).map(|at| ((self.from + at as f64 * self.step) * 1e9).round() / 1e9).collect())
    }
}

/// The scores at one threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPoint {
    /// Spans with this score or more are kept, and those whose score is unknown.
    pub threshold: f64,
    /// The number of spans kept.
    pub spans: usize,
    /// The scores.
    pub scores: SpanScores,
}

/// The scores at each threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// From the lowest threshold to the highest.
    pub points: Vec<SweepPoint>,
    /// The area under precision over recall, as far as the thresholds reach: the mean of the precision at each gain of recall.
    pub area: f64,
    /// The same by words.
    pub word_area: f64,
    /// The number of gold documents without predictions, which count as empty.
    pub missing: usize,
}

/// Scores predictions at each threshold. Every predicted span needs a score.
///
/// ```
/// use reticent::evaluate::{Thresholds, read_rows, sweep};
/// let gold = read_rows(r#"{"id": 1, "text": "Ana left Metz", "spans": [[0, 3]]}"#, None)?;
/// let found = read_rows(r#"{"id": 1, "spans": [[0, 3, "X", 0.9], [9, 13, "X", 0.2]]}"#, None)?;
/// let sweep = sweep(&gold, &found, Thresholds::default())?;
/// assert_eq!(sweep.best().map(|best| (best.threshold, best.scores.f1)), Some((0.21, 1.0)));
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn sweep(gold: &[Marked], found: &[Marked], thresholds: Thresholds) -> Result<Sweep, Error> {
    for one in found {
        if let Some((at, _)) = (1..).zip(&one.spans).find(|(_, span)| span.score.is_none()) {
            return Err(error(format!("span {at} has no score"))
                .in_document(format!("row {} of the predictions", one.row))
                .with_hint("spans are [start, end, type, score]; write null for a score that is unknown"));
        }
    }
    let pairs = pair(gold, found)?;
    let thresholds = thresholds.list()?;
    let mut counts: Vec<Vec<DocumentCount>> = vec![Vec::with_capacity(pairs.len()); thresholds.len()];
    for pair in &pairs {
        let scorer = Scorer::new(pair);
        let mut before: Option<DocumentCount> = None;
        for (threshold, counts) in thresholds.iter().zip(&mut counts) {
            let keeps = |span: &MarkedSpan| span.score.is_some_and(|score| score >= *threshold);
            let kept = scorer.found().filter(|span| keeps(span)).count();
            // What a higher threshold keeps is part of this: as many are the same.
            let count = before.filter(|before| before.found.0 == kept).unwrap_or_else(|| scorer.count(keeps));
            before = Some(count);
            counts.push(count);
        }
    }
    let point = |(threshold, counts): (&f64, &Vec<DocumentCount>)| SweepPoint {
        threshold: *threshold,
        spans: counts.iter().map(|count| count.found.0).sum(),
        scores: summarize(counts),
    };
    let points: Vec<SweepPoint> = thresholds.iter().zip(&counts).map(point).collect();
    let area = area(&points, |scores| (scores.entity_recall, scores.term_precision));
    let word_area = self::area(&points, |scores| (scores.word_recall, scores.word_precision));
    let missing = pairs.iter().filter(|pair| pair.found.is_none()).count();
    Ok(Sweep { points, area, word_area, missing })
}

/// From the highest threshold down recall never falls.
fn area(points: &[SweepPoint], of: fn(&SpanScores) -> (f64, f64)) -> f64 {
    let (mut before, mut sum) = (None, 0.0);
    for point in points.iter().rev() {
        let (recall, precision) = of(&point.scores);
        sum += (recall - before.unwrap_or(0.0)) * precision;
        before = Some(recall);
    }
    sum
}

impl Sweep {
    /// The point with the highest F1; of several, the one with the lowest threshold, which protects more.
    pub fn best(&self) -> Option<&SweepPoint> {
        self.points.iter().rev().max_by(|a, b| a.scores.f1.total_cmp(&b.scores.f1))
    }

    /// Precision, recall and F1 over the threshold, as in the paper's Figure 4.
    pub fn plot(&self, title: &str) -> Plot {
        let line = |name: &str, of: fn(&SpanScores) -> f64| {
            let points = self.points.iter().map(|point| (point.threshold, of(&point.scores)));
            Series::line(name, points.collect())
        };
        let mut plot = Plot::new(title, "threshold", "share");
        plot.y_range = Some((0.0, 1.0));
        plot.series = vec![
            line("precision", |scores| scores.term_precision),
            line("recall", |scores| scores.entity_recall),
            line("F1", |scores| scores.f1),
        ];
        if let Some(best) = self.best() {
            let name = format!("best F1 {:.4} at {}", best.scores.f1, best.threshold);
            plot.series.push(Series::points(&name, vec![(best.threshold, best.scores.f1)]));
        }
        plot
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::super::read_rows;
    use super::*;

    const GOLD: &str = "{\"id\":1,\"text\":\"Ana left Metz for Rome\",\"spans\":[[0,3],[9,13]]}";

    fn run(found: &str, from: f64, to: f64, step: f64) -> Result<Sweep, Error> {
        let (gold, found) = (read_rows(GOLD, None).unwrap(), read_rows(found, None).unwrap());
        sweep(&gold, &found, Thresholds { from, to, step })
    }

    #[test]
    fn what_is_unknown_stays_at_every_threshold() {
        let sweep = run(
            "{\"id\":1,\"spans\":[[0,3,\"X\",null],[9,13,\"X\",0.5],[18,22,\"X\",-0.5]]}",
            -1.0,
            1.0,
            0.5,
        )
        .unwrap();
        let kept: Vec<usize> = sweep.points.iter().map(|point| point.spans).collect();
        assert_eq!(kept, [3, 3, 2, 2, 1]);
        assert_eq!(sweep.best().map(|best| best.threshold), Some(0.0));
        // Half the recall at precision 1, the other half too, and nothing more below.
        assert_eq!(sweep.area, 1.0);
        assert!(sweep.plot("t").svg().contains("best F1 1.0000 at 0"));
    }

    #[test]
    fn thresholds_are_what_a_person_would_write() {
        let list = Thresholds::default().list().unwrap();
        assert_eq!((list.len(), list[29], list[100]), (101, 0.29, 1.0));
        assert_eq!(Thresholds { from: 0.3, to: 0.3, step: 0.1 }.list().unwrap(), [0.3]);
    }

    #[test]
    fn refuses_spans_without_score_and_thresholds_that_are_none() {
        let without = run("{\"id\":1,\"spans\":[[0,3,\"X\",1],[9,13]]}", 0.0, 1.0, 0.1).unwrap_err();
        assert_eq!(without.to_string(), "row 1 of the predictions: span 2 has no score");
        let found = "{\"id\":1,\"spans\":[]}";
        for (from, to, step) in [
            (0.0, 1.0, 0.0),
            (1.0, 0.0, 0.1),
            (0.0, 1.0, f64::NAN),
            (0.0, 1.0, 1e-9),
            (f64::NEG_INFINITY, 1.0, 0.1),
        ] {
            assert!(run(found, from, to, step).is_err(), "{from} {to} {step}");
        }
    }
}
