//! `reticent table verify`.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

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
    /// Count each row as a person if the identifier column was removed
    #[arg(long, help_heading = "Input")]
    rows_are_persons: bool,
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
    let schema = load::schema(&args.search.schema)?;
    let parameters = args.model.over(*schema.parameters())?;
    let wanted = Wanted { k_map: args.k_map, ..Wanted::new(&requirements(&parameters, &schema)?) };
    let mut tables = Vec::new();
    for path in &args.tables {
        tables.push(load::table(path, &args.read, schema.missing())?.0);
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
    let problems = verification.problems(&wanted);
    for problem in &problems {
        messages::error(&Failure::new(problem.as_str()));
    }
    if !verification.persons_known && !args.rows_are_persons {
        messages::warn(
            "the identifier was removed: rows were counted instead of persons, and several rows may belong to one person",
        );
        return Ok(Outcome::Unresolved);
    }
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Unresolved })
}
