//! `reticent table verify`.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::Args;
use reticent::table::{self, Joined, Population, Wanted};

use super::args::{ModelArgs, SearchArgs, requirements};
use super::load::{self, ReadArgs};
use crate::failure::{Failure, Outcome};
use crate::messages;
use crate::output::{self, Target};
use crate::runner;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent table verify anonymized.csv -k 5
  reticent table verify anonymized.csv -k 5 --population census.csv --k-map 20 --json")]
pub(crate) struct VerifyArgs {
    /// Anonymized tables; several that were anonymized together are joined by the identifier column
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    /// The table before anonymization, in any order of rows: also searches the texts for the values of their persons, and checks that every row follows from one of the original. Repeat it for tables that were anonymized together
    #[arg(long, value_name = "TABLE", help_heading = "Input")]
    original: Vec<PathBuf>,
    /// Count each row as a person if the identifier column was removed; the same as --most-rows 1
    #[arg(long, help_heading = "Input", conflicts_with = "most_rows")]
    rows_are_persons: bool,
    /// Most rows of a person, if the identifier column was removed: a class of N rows then has at least one person, of N + 1 at least two [default: `most_rows` in the schema]
    #[arg(long, value_name = "N", help_heading = "Input", value_parser = clap::value_parser!(u32).range(1..))]
    most_rows: Option<u32>,
    /// Report of the release (.json) from `reticent table protect --report`: the tables must be the files that were released, byte by byte
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    report: Option<PathBuf>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    model: ModelArgs,
    /// Table of the population with the same quasi-identifiers: also counts how many of its persons match each class
    #[arg(long, value_name = "FILE", help_heading = "Privacy models")]
    population: Option<PathBuf>,
    /// k-map: smallest number of persons in --population that match each class
    #[arg(long, value_name = "K", requires = "population", help_heading = "Privacy models")]
    k_map: Option<usize>,
    #[command(flatten)]
    search: SearchArgs,
    /// Taxonomy that cells were generalized with; takes precedence over the built-in ones (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    taxonomy: Vec<PathBuf>,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let schema = args.model.schema(load::schema(&args.search.schema)?);
    let parameters = args.model.over(*schema.parameters())?;
    let most_rows = if args.rows_are_persons { Some(1) } else { args.most_rows.map(|most| most as usize) };
    let most_rows = most_rows.or(parameters.most_rows);
    let wanted = Wanted { k_map: args.k_map, most_rows, ..Wanted::new(&requirements(&parameters, &schema)?) };
    let record = args.report.as_deref().map(released_digests).transpose()?;
    let mut tables = Vec::new();
    let mut problems = Vec::new();
    for (at, path) in args.tables.iter().enumerate() {
        let bytes = load::bytes(path)?;
        if let Some(record) = &record
            && record.get(at) != Some(&table::fingerprint(&bytes))
        {
            problems.push(format!("{}: not the file that was released: its SHA-256 differs", path.display()));
        }
        tables.push(load::parsed(&bytes, path, &args.read, schema.missing())?.0);
    }
    let joined = load::join(&tables, &schema)?;
    let table = joined.as_ref().map_or(&tables[0], Joined::table);
    // Never freed: millions of small allocations take seconds, and the program ends anyway.
    let finder = ManuallyDrop::new(args.search.finder(&schema)?);
    let population = args.population.as_ref().map(|path| load::table(path, &args.read, schema.missing()));
    let population = population.transpose()?.map(|(population, _)| population);
    let needs_taxonomy = population.is_some() || !args.original.is_empty();
    let knowledge = needs_taxonomy.then(|| runner::knowledge(&args.taxonomy)).transpose()?;
    let taxonomy = knowledge.as_ref().map(reticent::Knowledge::taxonomy);
    let population = population.as_ref().map(|table| Population { table, taxonomy });
    let mut verification = table::verify(table, &schema, &finder, population)
        .map_err(|error| Failure::from(error).in_file(&args.tables[0].display().to_string()))?;
    if !args.original.is_empty() {
        let mut originals = Vec::new();
        for path in &args.original {
            originals.push(load::table(path, &args.read, schema.missing())?.0);
        }
        let joined = load::join(&originals, &schema)?;
        let original = joined.as_ref().map_or(&originals[0], Joined::table);
        let found = table::compare(table, original, &schema, taxonomy, args.search.threads());
        verification.original = Some(
            found.map_err(|error| Failure::from(error).in_file(&args.original[0].display().to_string()))?,
        );
        // What merely may survive was compared with the original.
        verification.survivors.retain(|survivor| survivor.is_error);
    }
    let text = if args.json { verification.json() + "\n" } else { verification.text() };
    output::write_all(&Target::Standard, text.as_bytes())?;
    problems.extend(verification.problems(&wanted));
    for problem in &problems {
        messages::error(&Failure::new(problem.as_str()));
    }
    if !verification.persons_known && most_rows.is_none() {
        messages::error(&Failure::new(
            "the identifier was removed: rows were counted instead of persons, and several rows may belong to one person",
        ).hint("pass --rows-are-persons if no person has several rows, --most-rows N if none has more than N, or set `most_rows` under `[protect]` in the schema"));
        return Ok(Outcome::Unresolved);
    }
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Unresolved })
}

/// The fingerprints of the released files in a report.
fn released_digests(path: &Path) -> Result<Vec<String>, Failure> {
    let bad = || {
        Failure::new(format!("{}: not a report of a released table", path.display()))
            .hint("pass the file that `reticent table protect --report FILE.json` wrote")
    };
    let report: serde_json::Value = serde_json::from_slice(&load::bytes(path)?).map_err(|_| bad())?;
    let files = report.get("files").and_then(serde_json::Value::as_array).ok_or_else(bad)?;
    let outputs = files.iter().filter(|file| file["what"] == "output");
    outputs.map(|file| file["sha256"].as_str().map(str::to_owned).ok_or_else(bad)).collect()
}
