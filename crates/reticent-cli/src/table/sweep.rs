//! `reticent table sweep`.

use std::path::PathBuf;

use clap::Args;
use reticent::table::{PreparedTable, Sweep, SweepSettings};

use super::args::{KnowArgs, SearchArgs};
use super::load::{self, ReadArgs};
use crate::failure::{Failure, Outcome};
use crate::input::has_extension;
use crate::output;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent table sweep patients.csv -k 2,5,10 -o sweep.html
  reticent table sweep patients.csv --lambda 0,0.5,1 --gdf")]
pub(crate) struct SweepArgs {
    /// Table: CSV, TSV, JSONL, XLSX or Parquet; `-` for standard input
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    know: KnowArgs,
    /// Values of k, separated by commas
    #[arg(
        short,
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "2,3,5,10",
        help_heading = "Settings"
    )]
    k: Vec<usize>,
    /// Weights of columns against texts, separated by commas; `0..1` for steps of 0.1
    #[arg(long, value_name = "LIST", default_value = "0..1", help_heading = "Settings")]
    lambda: String,
    /// Relaxed partitioning: persons with the same value may be in different classes
    #[arg(long, help_heading = "Settings")]
    relaxed: bool,
    /// Include the GDF algorithm
    #[arg(long, help_heading = "Settings")]
    gdf: bool,
    /// Output file: .html with plots, .json or .txt [default: text on standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &SweepArgs) -> Result<Outcome, Failure> {
    output::check(args.output.as_deref())?;
    let settings = SweepSettings {
        k: args.k.clone(),
        lambda: lambdas(&args.lambda)?,
        gdf: args.gdf,
        relaxed: args.relaxed,
    };
    let schema = load::schema(&args.search.schema)?;
    let (table, _) = load::table(&args.table, &args.read, schema.missing())?;
    let finder = args.search.finder(&schema)?;
    let knowledge = args.know.knowledge()?;
    let in_file = |error: reticent::Error| Failure::from(error).in_file(&args.table.display().to_string());
    let prepared = PreparedTable::new(&table, &schema, &finder, knowledge.as_ref()).map_err(in_file)?;
    let sweep = Sweep::new(&prepared, &settings).map_err(in_file)?;
    let text = match args.output.as_deref() {
        Some(path) if has_extension(path, "html") => sweep.html(),
        Some(path) if has_extension(path, "json") => sweep.json(),
        _ => sweep.text(),
    };
    output::write_all(&output::plain(args.output.as_deref()), text.as_bytes())?;
    Ok(Outcome::Done)
}

fn lambdas(list: &str) -> Result<Vec<f64>, Failure> {
    let wrong = || {
        Failure::new(format!("`{list}` is not a list of values between 0 and 1"))
            .hint("use --lambda 0,0.5,1, or --lambda 0..1 for steps of 0.1")
    };
    let share = |text: &str| {
        text.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong)
    };
    if let Some((from, to)) = list.split_once("..") {
        let (from, to) = (share(from)?, share(to)?);
        let tenths = (0..=10).map(|tenth| f64::from(tenth) / 10.0);
        return Ok(tenths.filter(|tenth| from <= *tenth && *tenth <= to).collect());
    }
    list.split(',').map(share).collect()
}
