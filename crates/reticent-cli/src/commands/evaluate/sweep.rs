//! `reticent evaluate sweep`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use reticent::evaluate::{SweepPoint, Thresholds, sweep};
use serde_json::json;

use super::spans::PairArgs;
use super::{draw, figure, line, print};
use crate::failure::{Failure, Outcome};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate sweep gold.jsonl found.jsonl --plot sweep.svg
  reticent evaluate sweep gold.jsonl found.jsonl --from 0.2 --to 0.8 --step 0.05 --json")]
pub(super) struct SweepArgs {
    #[command(flatten)]
    pair: PairArgs,
    /// Lowest threshold. Spans with at least this score are kept, and spans whose score is null
    #[arg(
        long,
        value_name = "T",
        help_heading = "Thresholds",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    from: f64,
    /// Highest threshold
    #[arg(
        long,
        value_name = "T",
        help_heading = "Thresholds",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    to: f64,
    /// Distance between thresholds
    #[arg(long, value_name = "STEP", help_heading = "Thresholds", default_value_t = 0.01)]
    step: f64,
    /// Draw precision, recall and F1 by threshold to an SVG file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    plot: Option<PathBuf>,
    /// Title of the plot
    #[arg(long, value_name = "TEXT", help_heading = "Output", default_value = "Detection by threshold")]
    title: String,
    /// Print JSON: a line for each threshold, then one with the best threshold and the areas
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn run(args: &SweepArgs) -> Result<Outcome, Failure> {
    let [gold, found] = args.pair.read()?;
    let thresholds = Thresholds { from: args.from, to: args.to, step: args.step };
    let sweep = sweep(&gold, &found, thresholds).map_err(|error| args.pair.failed(error))?;
    args.pair.warn_of_missing(sweep.missing, gold.len());
    draw(&sweep.plot(&args.title), args.plot.as_ref())?;
    let mut out = String::new();
    if args.json {
        for point in &sweep.points {
            let figures = point.scores.figures().map(|(name, value)| (name, figure(value)));
            let about = [("threshold", json!(point.threshold)), ("predicted", json!(point.spans))];
            out.push_str(&line(about.into_iter().chain(figures)));
        }
        let best = sweep.best().map(|best| (best.threshold, figure(best.scores.f1)));
        out.push_str(&line([
            ("best_threshold", json!(best.as_ref().map(|best| best.0))),
            ("best_f1", json!(best.map(|best| best.1))),
            ("area", figure(sweep.area)),
            ("word_area", figure(sweep.word_area)),
        ]));
        return print(&out);
    }
    let _ = writeln!(out, "threshold    spans  precision  recall      F1   words: precision  recall      F1");
    // A person reads some twenty lines; the best one is among them.
    let every = sweep.points.len().div_ceil(20);
    let best = sweep.best().map(|best| best.threshold);
    for (at, point) in sweep.points.iter().enumerate() {
        let is_best = best == Some(point.threshold);
        if at % every == 0 || is_best || at + 1 == sweep.points.len() {
            out.push_str(&row(point, is_best));
        }
    }
    let _ = writeln!(
        out,
        "area under the precision-recall curve: {:.4}; of words {:.4}",
        sweep.area, sweep.word_area
    );
    print(&out)
}

fn row(point: &SweepPoint, is_best: bool) -> String {
    let scores = &point.scores;
    format!(
        "{:>9} {:>8} {:>10.4} {:>7.4} {:>7.4} {:>18.4} {:>7.4} {:>7.4}{}\n",
        point.threshold,
        point.spans,
        scores.term_precision,
        scores.entity_recall,
        scores.f1,
        scores.word_precision,
        scores.word_recall,
        scores.word_f1,
        if is_best { "  best F1" } else { "" }
    )
}
