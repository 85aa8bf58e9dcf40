//! `reticent table schema`: proposes a schema, or checks one.

use std::path::PathBuf;

use clap::Args;
use reticent::table::{Role, Schema};

use super::load::{self, ReadArgs};
use crate::failure::{Failure, Outcome};
use crate::messages;
use crate::output;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent table schema patients.csv -o reticent-table.toml
  reticent table schema patients.csv --check reticent-table.toml")]
pub(crate) struct SchemaArgs {
    /// Table: CSV, TSV, JSONL, XLSX or Parquet; `-` for standard input
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// Output schema, such as reticent-table.toml [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Check the table against an existing schema instead: TOML, or an rx-anon configuration (.yaml)
    #[arg(long, value_name = "FILE", conflicts_with = "output", help_heading = "Input")]
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
            "{} rows, {} columns: the table matches the schema",
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
    let most = proposal.most_rows();
    let count = |role: Role| proposal.columns().iter().filter(|column| column.rule.role == role).count();
    messages::note(&format!(
        "{} rows, {} columns: {} identifiers, {} quasi-identifiers, {} sensitive, {} texts, {} insensitive, {} to be removed",
        table.rows(),
        table.columns().len(),
        count(Role::Identifier),
        count(Role::QuasiIdentifier),
        count(Role::Sensitive),
        count(Role::Text),
        count(Role::Insensitive),
        count(Role::Remove)
    ));
    for dependence in proposal.dependences() {
        messages::note(&format!("  {dependence}"));
    }
    if let Some(most) = most.filter(|most| *most > 1) {
        messages::note(&format!("  a person has up to {most} rows: consider --rows-per-person"));
    }
    messages::note("  this is a proposal: review the role of every column before using it");
    Ok(Outcome::Done)
}
