//! `reticent train`.

use std::fmt::Write as _;
use std::io::BufRead;
use std::path::Path;

use reticent_text::train::parser::{ParserOptions, WordVectors, train_shipped};
use reticent_text::train::{Options, train_directory};
use reticent_text::{Error, ErrorKind, Language};

use crate::args::{Train, TrainArgs, TrainParserArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::{input, messages};

pub(crate) fn run(args: &TrainArgs) -> Result<Outcome, Failure> {
    match &args.what {
        Train::Labeller(args) => super::label::train_labeller(args),
        Train::Tagger { data, output } => taggers(data, output),
        Train::Parser(args) => parsers(args),
    }
}

fn parsers(args: &TrainParserArgs) -> Result<Outcome, Failure> {
    Target::within(&args.output, Path::new("model")).check()?;
    let languages = match args.language.as_deref() {
        None => vec![Language::English, Language::Spanish],
        Some(code) => vec![Language::from_code(code)],
    };
    let mut report = String::new();
    for language in languages {
        // There are word vectors for English only.
        let vectors = if language == Language::English { word_vectors()? } else { WordVectors::none() };
        let mut open = |name: &str| open(&args.data, name);
        let options = ParserOptions { epochs: args.epochs.into(), ..ParserOptions::default() };
        let trained = train_shipped(&mut open, language, &vectors, &options, &mut |progress| {
            let mut line = format!(
                "{language} parser: epoch {} of {}, wrong steps {:.4}, relations {:.4}, tags {:.4}",
                progress.epoch, progress.epochs, progress.steps, progress.relations, progress.tags
            );
            if let Some(score) = progress.score {
                let _ = write!(line, "; development UAS {:.4} LAS {:.4}", score.uas(), score.las());
            }
            messages::note(&line);
        })?;
        let trained = trained
            .ok_or_else(|| Failure::new(format!("there are no treebanks for the language {language}")))?;
        output::write_all(&Target::within(&args.output, Path::new(&trained.name)), &trained.bytes)?;
        let _ = writeln!(report, "{} trained on {} words", trained.name, trained.words);
        for (name, score) in &trained.scores {
            let _ = writeln!(report, "{name:<24}{score}");
        }
    }
    output::write_all(&Target::Standard, report.as_bytes())?;
    Ok(Outcome::Done)
}

/// The built-in vectors of English words.
fn word_vectors() -> Result<WordVectors, Failure> {
    let glove = reticent_knowledge::embedding::glove()?;
    let mut words = Vec::with_capacity(glove.len());
    let mut values = Vec::new();
    let mut dimensions = 1;
    for row in 0..glove.len() {
        let vector = glove.vector(row);
        dimensions = vector.len();
        values.extend_from_slice(&vector);
        words.push(glove.term(row).to_owned());
    }
    Ok(WordVectors { words, values, dimensions })
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
