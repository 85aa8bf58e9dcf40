//! The program `reticent`: arguments, progress and exit codes around the library.

mod args;
mod commands;
mod disclosure;
mod failure;
mod input;
mod messages;
mod output;
mod policy_record;
mod rows;
mod runner;
mod table;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};

fn main() -> ExitCode {
    messages::hide_panics();
    #[cfg(feature = "neural")]
    commands::neural::keep_candle_on_its_thread();
    let arguments = Arguments::parse();
    messages::set_quiet(arguments.quiet);
    output::set_force(arguments.force);
    let outcome = match arguments.command {
        Command::Protect(args) => commands::protect::run(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Apply(args) => commands::apply::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Detect(args) => commands::detect::run(&args),
        Command::Detectors(args) => commands::detectors::list(&args),
        Command::Explain(args) => commands::detectors::explain(&args),
        Command::Extract(args) => commands::extract::run(&args),
        Command::WriteBack(args) => commands::write_back::run(&args),
        Command::Analyze(args) => commands::analyze::run(&args),
        Command::Label(args) => commands::label::label(&args),
        Command::Train(args) => commands::train::run(&args),
        Command::Taxonomy(args) => commands::taxonomy::run(&args),
        Command::Index(args) => commands::index::run(&args),
        Command::Vectors(args) => commands::vectors::run(&args),
        Command::Table(args) => table::run(&args),
        Command::Evaluate(args) => commands::evaluate::run(&args),
        Command::Attack(args) => commands::attack::run(&args),
        Command::Key(args) => commands::key::run(&args),
        Command::Decrypt(args) => commands::decrypt::run(&args),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man => commands::shell::man(),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(failure) => {
            messages::error(&failure);
            ExitCode::from(2)
        }
    }
}
