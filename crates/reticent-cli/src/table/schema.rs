//! `reticent table schema`: a schema to begin with, or a check of one.

use std::path::PathBuf;

use clap::Args;
use reticent::table::{Role, Schema};

use super::load::{self, ReadArgs};
use crate::failure::{Failure, Outcome};
use crate::messages;
use crate::output;

#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// The table: CSV, TSV, JSONL or XLSX; `-` for standard input
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// Where to write the schema, such as reticent-table.toml; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Propose nothing, but hold the table against this schema: TOML, or a configuration of rx-anon (.yaml)
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
}

pub(crate) fn run(args: &SchemaArgs) -> Result<Outcome, Failure> {
    if let Some(path) = &args.check {
        let schema = load::schema(path)?;
        let (table, _) = load::table(&args.table, &args.read, schema.missing())?;
        schema
            .check(&table)
            .map_err(|error| Failure::from(error).in_file(&args.table.display().to_string()))?;
        messages::note(&format!(
            "{} rows, {} columns: as the schema says",
            table.rows(),
            table.columns().len()
        ));
        return Ok(Outcome::Done);
    }
    let target = output::plain(args.output.as_deref());
    target.check()?;
    let (table, _) = load::table(&args.table, &args.read, &[])?;
    let proposal = Schema::propose(&table);
    output::write_all(&target, proposal.to_toml().as_bytes())?;
    let count = |role: Role| proposal.columns().iter().filter(|column| column.rule.role == role).count();
    messages::note(&format!(
        "{} rows, {} columns: {} identifiers, {} quasi-identifiers, {} sensitive, {} texts, {} insensitive",
        table.rows(),
        table.columns().len(),
        count(Role::Identifier),
        count(Role::QuasiIdentifier),
        count(Role::Sensitive),
        count(Role::Text),
        count(Role::Insensitive)
    ));
    messages::note("  a proposal only: check every role before you rely on it");
    Ok(Outcome::Done)
}
