//! `reticent evaluate brat` and `conll`: the counts of shared tasks.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use reticent::evaluate::{Accuracy, BratDocument, score_brat, score_conll};
use reticent_text::Span;
use serde_json::{Value, json};

use super::read::{annotations, stems, text};
use super::{figure, line, print};
use crate::failure::{Failure, Outcome};
use crate::messages;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate brat gold/ predicted/
  reticent evaluate brat meddocan/dev predicted --json")]
pub(super) struct BratArgs {
    /// Folder with gold annotations: .ann files beside their .txt files
    gold: PathBuf,
    /// Folder with predicted annotations: .ann files with the same names
    pred: PathBuf,
    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate conll gold.conll predicted.conll
  reticent evaluate conll devel.tsv predicted.tsv --json")]
pub(super) struct ConllArgs {
    /// Gold labels
    gold: PathBuf,
    /// The same tokens with predicted labels
    pred: PathBuf,
    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// A text with gold and predicted annotations.
type Read = (String, Vec<(Span, String)>, Vec<(Span, String)>);

pub(super) fn brat(args: &BratArgs) -> Result<Outcome, Failure> {
    let mut read: Vec<Read> = Vec::new();
    let mut missing = 0;
    for stem in stems(&args.gold)? {
        let text = text(&args.gold.join(format!("{stem}.txt")))?;
        let gold = annotations(&args.gold, &stem, &text)?;
        let there = args.pred.join(format!("{stem}.ann")).exists();
        missing += usize::from(!there);
        let found = if there { annotations(&args.pred, &stem, &text)? } else { Vec::new() };
        read.push((text, gold, found));
    }
    if missing == read.len() {
        return Err(Failure::new(format!(
            "{}: no .ann file has the name of a gold file",
            args.pred.display()
        )));
    }
    if missing > 0 {
        messages::warn(&format!(
            "{missing} of {} documents have no predictions: nothing counts as found in them",
            read.len()
        ));
    }
    let scores = score_brat(read.iter().map(|(text, gold, found)| BratDocument { text, gold, found }));
    let all = [("ner", scores.ner), ("spans", scores.spans), ("merged", scores.merged)];
    if args.json {
        return print(&line(all.map(|(name, accuracy)| (name, as_json(accuracy)))));
    }
    let mut out = format!("{} documents   precision  recall      F1\n", read.len());
    for (name, accuracy) in all {
        let _ = writeln!(out, "{name:<15}{}", as_text(accuracy));
    }
    print(&out)
}

pub(super) fn conll(args: &ConllArgs) -> Result<Outcome, Failure> {
    let scores = score_conll(&text(&args.gold)?, &text(&args.pred)?).map_err(|error| {
        let failure = Failure::from(error);
        let message = format!("{} and {}: {}", args.gold.display(), args.pred.display(), failure.message);
        Failure { message, ..failure }
    })?;
    if args.json {
        return print(&format!("{}\n", as_json(scores)));
    }
    print(&format!("precision  recall      F1\n{}\n", as_text(scores)))
}

fn as_json(accuracy: Accuracy) -> Value {
    json!({ "precision": figure(accuracy.precision), "recall": figure(accuracy.recall), "f1": figure(accuracy.f1) })
}

fn as_text(accuracy: Accuracy) -> String {
    format!("{:>9.4} {:>7.4} {:>7.4}", accuracy.precision, accuracy.recall, accuracy.f1)
}
