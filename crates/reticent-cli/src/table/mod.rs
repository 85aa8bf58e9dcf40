//! `reticent table`: anonymization of tables with text columns.

mod args;
mod load;
mod protect;
mod schema;
mod sweep;
mod verify;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Outcome};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent table schema patients.csv -o reticent-table.toml
  reticent table protect patients.csv -k 5 -o anonymized.csv")]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Anonymize a table: k-anonymity over its columns and the terms in its texts
    Protect(protect::ProtectArgs),
    /// Verify the privacy models of an anonymized table with independent code
    Verify(verify::VerifyArgs),
    /// Compare the information loss of many settings without writing a table
    Sweep(sweep::SweepArgs),
    /// Propose a schema with the role of each column, to be reviewed
    Schema(schema::SchemaArgs),
}

pub(crate) fn run(args: &TableArgs) -> Result<Outcome, Failure> {
    match &args.what {
        What::Protect(args) => protect::run(args),
        What::Verify(args) => verify::run(args),
        What::Sweep(args) => sweep::run(args),
        What::Schema(args) => schema::run(args),
    }
}
