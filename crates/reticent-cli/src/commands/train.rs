//! `reticent train`.

use std::io::BufRead;
use std::path::Path;

use reticent_text::train::{Options, train_directory};
use reticent_text::{Error, ErrorKind};

use crate::args::{Train, TrainArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::{input, messages};

pub(crate) fn run(args: &TrainArgs) -> Result<Outcome, Failure> {
    match &args.what {
        Train::Labeller(args) => super::label::train_labeller(args),
        Train::Tagger { data, output } => taggers(data, output),
    }
}

fn taggers(data: &Path, output: &Path) -> Result<Outcome, Failure> {
    Target::within(output, Path::new("model")).check()?;
    let mut open = |name: &str| open(data, name);
    let trained = train_directory(&mut open, &Options::default(), &mut |progress| {
        messages::note(&format!(
            "{}: epoch {} of {}, {} errors",
            progress.what, progress.epoch, progress.epochs, progress.mistakes
        ));
    })?;
    for (name, bytes) in &trained.models {
        output::write_all(&Target::within(output, Path::new(name)), bytes)?;
    }
    let report: Vec<String> = trained.report.iter().map(ToString::to_string).collect();
    output::write_all(&Target::Standard, (report.join("\n") + "\n").as_bytes())?;
    Ok(Outcome::Done)
}

fn open(folder: &Path, name: &str) -> Result<Box<dyn BufRead>, Error> {
    let opened: Result<Box<dyn BufRead + Send>, Failure> = input::open(&folder.join(name));
    match opened {
        Ok(reader) => Ok(reader),
        Err(failure) => Err(Error::new(ErrorKind::Model, failure.message)),
    }
}
