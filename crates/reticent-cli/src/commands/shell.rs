//! Completions and the manual page.

use clap::CommandFactory;

use crate::args::Arguments;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Outcome, Failure> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "reticent", &mut out);
    output::write_all(&Target::Standard, &out)?;
    Ok(Outcome::Done)
}

pub(crate) fn man() -> Result<Outcome, Failure> {
    let mut out = Vec::new();
    clap_mangen::Man::new(Arguments::command())
        .render(&mut out)
        .map_err(|error| Failure::new(format!("cannot generate the manual page: {error}")))?;
    output::write_all(&Target::Standard, &out)?;
    Ok(Outcome::Done)
}
