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
pub(crate) struct SweepArgs {
    /// The table
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    know: KnowArgs,
    /// Values of k, with commas between them
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', default_value = "2,3,5,10")]
    k: Vec<usize>,
    /// Values of lambda, with commas between them; `0..1` is from 0 to 1 by tenths
    #[arg(long, value_name = "LIST", default_value = "0..1")]
    lambda: String,
    /// Let persons with the same value come into different classes
    #[arg(long)]
    relaxed: bool,
    /// Try GDF too
    #[arg(long)]
    gdf: bool,
    /// Where to write: .html with plots, .json or .txt; a table on standard output if not given
    #[arg(short, long, value_name = "FILE")]
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
        Failure::new(format!("`{list}` is no list of values between 0 and 1"))
            .hint("write --lambda 0,0.5,1, or --lambda 0..1 for steps of a tenth")
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
