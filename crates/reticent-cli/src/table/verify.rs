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
pub(crate) struct VerifyArgs {
    /// The released table; several that were released together are joined by the identifier
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    model: ModelArgs,
    /// A table of the population, with the same quasi-identifiers: how many of its persons each class fits is counted too
    #[arg(long, value_name = "FILE")]
    population: Option<PathBuf>,
    /// How many persons of the population a class must fit at least
    #[arg(long, value_name = "K", requires = "population")]
    k_map: Option<usize>,
    /// A taxonomy of your own by which cells were generalized, asked before those that ship (may be given several times)
    #[arg(long, value_name = "FILE", requires = "population")]
    taxonomy: Vec<PathBuf>,
    /// Take each row for a person if the identifier was removed
    #[arg(long)]
    rows_are_persons: bool,
    /// Tell it as JSON
    #[arg(long)]
    json: bool,
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
    // Millions of small pieces take seconds to free, and the program ends anyway.
    let finder = ManuallyDrop::new(args.search.finder(&schema)?);
    let population = args.population.as_ref().map(|path| load::table(path, &args.read, schema.missing()));
    let population = population.transpose()?.map(|(population, _)| population);
    let knowledge = population.as_ref().map(|_| runner::knowledge(&args.taxonomy)).transpose()?;
    let taxonomy = knowledge.as_ref().map(reticent::Knowledge::taxonomy);
    let population = population.as_ref().map(|table| Population { table, taxonomy });
    let verification = table::verify(table, &schema, &finder, population)
        .map_err(|error| Failure::from(error).in_file(&args.tables[0].display().to_string()))?;
    let text = if args.json { verification.json() + "\n" } else { verification.text() };
    output::write_all(&Target::Standard, text.as_bytes())?;
    let problems = verification.problems(&wanted);
    for problem in &problems {
        messages::error(&Failure::new(problem.as_str()));
    }
    if !verification.persons_known && !args.rows_are_persons {
        messages::warn("the identifier was removed: rows were counted, and several may be of one person");
        return Ok(Outcome::Unresolved);
    }
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Unresolved })
}
