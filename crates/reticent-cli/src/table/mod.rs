//! `reticent table`: tables with text.

mod load;
mod schema;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Outcome};

#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Propose what the columns of a table are, by looking at it; to be edited
    Schema(schema::SchemaArgs),
}

pub(crate) fn run(args: &TableArgs) -> Result<Outcome, Failure> {
    match &args.what {
        What::Schema(args) => schema::run(args),
    }
}
