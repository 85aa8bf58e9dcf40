//! `reticent table verify`.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use clap::Args;
use reticent::table::{self, Wanted};

use super::ask::{ModelArgs, SearchArgs, requirements};
use super::load::{self, ReadArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::talk;

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The released table
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    model: ModelArgs,
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
    let wanted = Wanted::new(&requirements(&parameters, &schema)?);
    let (table, _) = load::table(&args.table, &args.read, schema.missing())?;
    // Millions of small pieces take seconds to free, and the program ends anyway.
    let finder = ManuallyDrop::new(args.search.finder(&schema)?);
    let verification = table::verify(&table, &schema, &finder)
        .map_err(|error| Failure::from(error).in_file(&args.table.display().to_string()))?;
    let text = if args.json { verification.json() + "\n" } else { verification.text() };
    output::write_all(&Target::Standard, text.as_bytes())?;
    let problems = verification.problems(&wanted);
    for problem in &problems {
        talk::error(&Failure::new(problem.as_str()));
    }
    if !verification.persons_known && !args.rows_are_persons {
        talk::warn("the identifier was removed: rows were counted, and several may be of one person");
        return Ok(Outcome::Unresolved);
    }
    Ok(if problems.is_empty() { Outcome::Done } else { Outcome::Unresolved })
}
