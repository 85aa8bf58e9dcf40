//! `reticent table`: tables with text.

mod args;
mod load;
mod protect;
mod schema;
mod sweep;
mod verify;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Outcome};

#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Release a table in which nobody is told from k − 1 others, by columns and by what texts say
    Protect(protect::ProtectArgs),
    /// Count on a released table what holds of it, with code of its own
    Verify(verify::VerifyArgs),
    /// Try many settings and draw what each loses; releases nothing
    Sweep(sweep::SweepArgs),
    /// Propose what the columns of a table are, by looking at it; to be edited
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
