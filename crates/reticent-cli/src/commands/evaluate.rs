//! `reticent evaluate`: measures of detection and of releases.

mod frontier;
pub(crate) mod read;
mod release;
mod spans;
mod sweep;
mod tasks;
mod utility;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};

pub(crate) use read::text;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent evaluate spans gold.jsonl found.jsonl --types
  reticent evaluate utility originals.jsonl released.jsonl --corpus corpus.jsonl.gz")]
pub(crate) struct EvaluateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Measure precision, recall and F1 of detected spans against gold spans
    Spans(spans::SpansArgs),
    /// Measure precision, recall and F1 at every threshold, for spans with scores
    Sweep(sweep::SweepArgs),
    /// Score brat annotations as MEDDOCAN does: entities, strict spans, merged spans
    Brat(tasks::BratArgs),
    /// Score the entities of two `CoNLL` files, by their last column
    Conll(tasks::ConllArgs),
    /// Measure how much information content a release keeps
    Utility(utility::UtilityArgs),
    /// Measure which attributes of each person can still be read in a release
    People(release::PeopleArgs),
    /// Compare replacements with the generalizations that people chose
    Rungs(release::RungsArgs),
    /// Score a release of everyday texts: identifiers masked, harmless text kept, acceptable wordings
    Genres(release::GenresArgs),
    /// Find the Pareto frontier of attack success against utility for several methods
    Frontier(frontier::FrontierArgs),
}

pub(crate) fn run(args: &EvaluateArgs) -> Result<Outcome, Failure> {
    match &args.what {
        What::Spans(args) => spans::run(args),
        What::Sweep(args) => sweep::run(args),
        What::Brat(args) => tasks::brat(args),
        What::Conll(args) => tasks::conll(args),
        What::Utility(args) => utility::run(args),
        What::People(args) => release::people(args),
        What::Rungs(args) => release::rungs(args),
        What::Genres(args) => release::genres(args),
        What::Frontier(args) => frontier::run(args),
    }
}

/// Writes the figures to standard output.
pub(crate) fn print(out: &str) -> Result<Outcome, Failure> {
    output::write_all(&Target::Standard, out.as_bytes())?;
    Ok(Outcome::Done)
}

/// A figure as it is written in JSON: four digits.
pub(crate) fn figure(value: f64) -> Value {
    json!(reticent::evaluate::round(value))
}

/// Figures by name, as one line of JSON.
fn line(figures: impl IntoIterator<Item = (&'static str, Value)>) -> String {
    let row: Map<String, Value> = figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    format!("{}\n", Value::Object(row))
}

/// Writes a plot, if a file is given.
fn draw(plot: &reticent::evaluate::Plot, to: Option<&PathBuf>) -> Result<(), Failure> {
    match to {
        None => Ok(()),
        Some(path) => output::write_all(&output::plain(Some(path)), plot.svg().as_bytes()),
    }
}

/// Puts the name of a file before an error.
pub(crate) fn in_file(path: &Path) -> impl Fn(reticent::Error) -> Failure {
    let name = path.display().to_string();
    move |error| Failure::from(error).in_file(&name)
}
