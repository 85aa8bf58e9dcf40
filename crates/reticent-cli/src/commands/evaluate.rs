//! `reticent evaluate`: how good a release is.

mod frontier;
pub(crate) mod read;
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
pub(crate) struct EvaluateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Compare what was found with what people marked
    Spans(spans::SpansArgs),
    /// The same at every threshold, for spans with scores; draws precision, recall and F1
    Sweep(sweep::SweepArgs),
    /// Score brat annotations as MEDDOCAN does: entities, strict spans, merged spans
    Brat(tasks::BratArgs),
    /// Score whole entities of two `CoNLL` files, by their last column
    Conll(tasks::ConllArgs),
    /// How much of what the originals say is still said
    Utility(utility::UtilityArgs),
    /// Draw attack against utility for several methods, and tell which points another method beats
    Frontier(frontier::FrontierArgs),
}

pub(crate) fn run(args: &EvaluateArgs) -> Result<Outcome, Failure> {
    match &args.what {
        What::Spans(args) => spans::run(args),
        What::Sweep(args) => sweep::run(args),
        What::Brat(args) => tasks::brat(args),
        What::Conll(args) => tasks::conll(args),
        What::Utility(args) => utility::run(args),
        What::Frontier(args) => frontier::run(args),
    }
}

/// Writes what was measured to standard output.
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

/// Writes a plot, if a place for it is given.
fn draw(plot: &reticent::evaluate::Plot, to: Option<&PathBuf>) -> Result<(), Failure> {
    match to {
        None => Ok(()),
        Some(path) => output::write_all(&output::plain(Some(path)), plot.svg().as_bytes()),
    }
}

/// What is wrong with a file, by its name.
pub(crate) fn in_file(path: &Path) -> impl Fn(reticent::Error) -> Failure {
    let name = path.display().to_string();
    move |error| Failure::from(error).in_file(&name)
}
