//! `reticent evaluate spans`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use reticent::evaluate::{SpanReport, TypeScores, score_spans};
use serde_json::{Value, json};

use super::read::{SpansFormat, marked};
use super::{figure, line, print};
use crate::failure::{Failure, Outcome};
use crate::messages;

/// The two sides of a comparison.
#[derive(Args, Debug)]
pub(super) struct PairArgs {
    /// Gold spans: JSONL (also .gz), a folder of brat files, `CoNLL`, or JSON of the Text Anonymization Benchmark. Offsets are
    /// Unicode code points
    pub(super) gold: PathBuf,
    /// Predicted spans, in any of these formats: the output of `detect`, `label` or `protect`, for example
    pub(super) pred: PathBuf,
    /// Format of the gold [default: by file name]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    pub(super) gold_format: Option<SpansFormat>,
    /// Format of the predictions [default: by file name]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    pub(super) pred_format: Option<SpansFormat>,
    /// Field of the gold rows that holds the spans [default: `spans` or `edits`]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) gold_field: Option<String>,
    /// Field of the predicted rows that holds the spans; dots enter objects (`baselines.presidio`)
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) pred_field: Option<String>,
}

impl PairArgs {
    pub(super) fn read(&self) -> Result<[Vec<reticent::evaluate::Marked>; 2], Failure> {
        Ok([
            marked(&self.gold, self.gold_format, self.gold_field.as_deref())?,
            marked(&self.pred, self.pred_format, self.pred_field.as_deref())?,
        ])
    }

    /// Warns of gold documents without predictions.
    pub(super) fn warn_of_missing(&self, missing: usize, all: usize) {
        if missing > 0 {
            let pred = self.pred.display();
            messages::warn(&format!(
                "{missing} of {all} gold documents have no predictions in {pred}: nothing counts as found in them"
            ));
        }
    }

    /// A problem of two files that do not fit together.
    pub(super) fn failed(&self, error: reticent::Error) -> Failure {
        let names = |path: &Path| path.display().to_string();
        let failure = Failure::from(error);
        let message = format!("{} and {}: {}", names(&self.gold), names(&self.pred), failure.message);
        Failure { message, ..failure }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate spans gold.jsonl found.jsonl --types
  reticent evaluate spans tab.jsonl.gz tab.jsonl.gz --pred-field baselines.presidio --json")]
pub(super) struct SpansArgs {
    #[command(flatten)]
    pair: PairArgs,
    /// Print recall of each gold type and precision of each predicted type as well
    #[arg(long, help_heading = "Output")]
    types: bool,
    /// Print the figures of each document as well
    #[arg(long, help_heading = "Output")]
    documents: bool,
    /// Print JSON: a line for all documents, then one for each type (--types) and document (--documents)
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn run(args: &SpansArgs) -> Result<Outcome, Failure> {
    let [gold, found] = args.pair.read()?;
    let report = score_spans(&gold, &found).map_err(|error| args.pair.failed(error))?;
    args.pair.warn_of_missing(report.missing, gold.len());
    if report.extra > 0 {
        messages::note(&format!(
            "note: {} predicted documents are not in the gold and are ignored",
            report.extra
        ));
    }
    print(&if args.json { as_json(args, &report) } else { as_table(args, &report) })
}

fn as_json(args: &SpansArgs, report: &SpanReport) -> String {
    let figures = report.scores.figures().map(|(name, value)| (name, figure(value)));
    let mut out = line([("documents", json!(report.scores.documents))].into_iter().chain(figures));
    let share = |value: Option<f64>| value.map_or(Value::Null, figure);
    for (name, TypeScores { gold, found }) in report.types.iter().filter(|_| args.types) {
        let scores = &report.types[name];
        out.push_str(&line([
            ("type", json!(name)),
            ("gold", json!(gold.0)),
            ("recall", share(scores.recall())),
            ("predicted", json!(found.0)),
            ("precision", share(scores.precision())),
        ]));
    }
    for one in report.documents.iter().filter(|_| args.documents) {
        out.push_str(&line([
            ("id", json!(one.id)),
            ("gold", json!(one.gold.0)),
            ("predicted", json!(one.found.0)),
            ("term_precision", figure(one.precision)),
            ("entity_recall", figure(one.recall)),
            ("f1", figure(one.f1)),
        ]));
    }
    out
}

fn as_table(args: &SpansArgs, report: &SpanReport) -> String {
    let scores = &report.scores;
    let mut out = format!("{} documents        precision  recall      F1\n", scores.documents);
    let mut row = |name: &str, values: [f64; 3]| {
        let _ = writeln!(out, "{name:<22}{:>9.4} {:>7.4} {:>7.4}", values[0], values[1], values[2]);
    };
    row("spans, document mean", [scores.term_precision, scores.entity_recall, scores.f1]);
    row("variance over mean", [scores.cv_precision, scores.cv_recall, scores.cv_f1]);
    row("words, pooled", [scores.word_precision, scores.word_recall, scores.word_f1]);
    let widest = |names: &mut dyn Iterator<Item = &str>| {
        names.map(|name| name.chars().count()).max().unwrap_or(0).max(20) + 2
    };
    let share = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"));
    if args.types {
        let width = widest(&mut report.types.keys().map(String::as_str));
        let _ = writeln!(
            out,
            "\n{:<width$}{:>7} {:>7}  {:>9} {:>9}",
            "type", "gold", "recall", "predicted", "precision"
        );
        for (name, scores) in &report.types {
            let (recall, precision) = (share(scores.recall()), share(scores.precision()));
            let _ = writeln!(
                out,
                "{name:<width$}{:>7} {recall:>7}  {:>9} {precision:>9}",
                scores.gold.0, scores.found.0
            );
        }
    }
    if args.documents {
        let width = widest(&mut report.documents.iter().map(|one| one.id.as_str()));
        let _ = writeln!(
            out,
            "\n{:<width$}{:>7} {:>9} {:>9} {:>7} {:>7}",
            "document", "gold", "predicted", "precision", "recall", "F1"
        );
        for one in &report.documents {
            let _ = writeln!(
                out,
                "{:<width$}{:>7} {:>9} {:>9.4} {:>7.4} {:>7.4}",
                one.id, one.gold.0, one.found.0, one.precision, one.recall, one.f1
            );
        }
    }
    out
}
