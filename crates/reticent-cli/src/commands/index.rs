//! `reticent index`: build an index of a corpus, and ask it.

mod corpus;
mod query;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use reticent_knowledge::corpus::{self as knowledge, Built, Counts, Index, Options, Unit};
use reticent_text::Language;
use serde_json::json;

use self::corpus::{Corpus, CorpusArgs};
use self::query::{CountArgs, IcArgs, PmiArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Output};
use crate::{input, messages, runner};

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    #[command(subcommand)]
    what: IndexCommand,
}

#[derive(Subcommand, Debug)]
enum IndexCommand {
    /// Build an index of a corpus
    Build(BuildArgs),
    /// Make a new index of what one holds and of more documents
    Add(AddArgs),
    /// Count in how many documents terms are written together: "blood transfusion" AND influenza
    Count(CountArgs),
    /// Tell the information content of terms, in bits
    Ic(IcArgs),
    /// Tell how much terms tell about another, in bits: C -- T…
    Pmi(PmiArgs),
    /// Tell what an index holds
    Show(ShowArgs),
}

#[derive(Args, Debug)]
struct BuildArgs {
    #[command(flatten)]
    corpus: CorpusArgs,
    /// Where to write the index
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What is counted, and within what terms are together
    #[arg(long, value_enum, default_value = "document")]
    unit: UnitArg,
    /// The language of the corpus (en, es); that of most documents if not given
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
}

#[derive(Args, Debug)]
struct AddArgs {
    /// The index to add to; it stays as it is
    index: PathBuf,
    #[command(flatten)]
    corpus: CorpusArgs,
    /// Where to write the new index
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// The index
    index: PathBuf,
    /// List the ids of its documents instead
    #[arg(long, conflicts_with = "json")]
    ids: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum UnitArg {
    Document,
    Paragraph,
    Sentence,
}

pub(crate) fn run(args: &IndexArgs) -> Result<Outcome, Failure> {
    match &args.what {
        IndexCommand::Build(args) => build(args),
        IndexCommand::Add(args) => add(args),
        IndexCommand::Count(args) => query::count(args),
        IndexCommand::Ic(args) => query::ic(args),
        IndexCommand::Pmi(args) => query::pmi(args),
        IndexCommand::Show(args) => show(args),
    }
}

/// The language of a code; a language that we do not know is refused rather than guessed.
pub(crate) fn language(code: &str) -> Result<Language, Failure> {
    match Language::from_code(code) {
        Language::Other if code != "und" => Err(Failure::new(format!("the language `{code}` is not known"))
            .hint("en, es, or und for any other: then number and stop words are not folded")),
        language => Ok(language),
    }
}

fn open(path: &Path) -> Result<Index, Failure> {
    Index::open(path).map_err(|error| Failure::from(error).in_file(&path.display().to_string()))
}

fn build(args: &BuildArgs) -> Result<Outcome, Failure> {
    runner::threads(args.corpus.jobs)?;
    let asked = args.language.as_deref().map(language).transpose()?;
    let options = Options {
        unit: match args.unit {
            UnitArg::Document => Unit::Document,
            UnitArg::Paragraph => Unit::Paragraph,
            UnitArg::Sentence => Unit::Sentence,
        },
        language: asked,
        scratch: scratch(&args.output),
    };
    let corpus = Corpus::new(&args.corpus);
    let built =
        write(&args.output, |into| Ok(knowledge::build(corpus.sources(), corpus.items(), &options, into)?));
    finish(&corpus, built, options.unit)
}

fn add(args: &AddArgs) -> Result<Outcome, Failure> {
    runner::threads(args.corpus.jobs)?;
    let index = open(&args.index)?;
    let corpus = Corpus::new(&args.corpus);
    let folder = scratch(&args.output);
    let built = write(&args.output, |into| {
        Ok(knowledge::add(&index, corpus.sources(), corpus.items(), folder.as_deref(), into)?)
    });
    finish(&corpus, built, index.unit())
}

/// Tells what could not be read, and what came of the rest.
fn finish(corpus: &Corpus, built: Result<Built, Failure>, unit: Unit) -> Result<Outcome, Failure> {
    let outcome = corpus.tell_failures();
    let built = built?;
    if built.spoken != built.language {
        messages::warn(&format!(
            "most documents seem to be in `{}`, but terms are folded as in `{}`: number and stop words may be \
             folded wrongly",
            built.spoken, built.language
        ));
    }
    let Built { documents, units, words, .. } = built;
    let units = if unit == Unit::Document { String::new() } else { format!(", {units} {unit}s") };
    messages::note(&format!("{documents} documents{units}, {words} words, language {}", built.language));
    Ok(outcome)
}

/// Temporary files lie where the index will be: there must be room for it anyway.
fn scratch(output: &Path) -> Option<PathBuf> {
    if input::is_standard(output) {
        return None;
    }
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    Some(folder.to_owned())
}

/// Writes a file that is seen only when it is whole.
fn write<T>(path: &Path, make: impl FnOnce(&mut Sink) -> Result<T, Failure>) -> Result<T, Failure> {
    let mut sink = Sink { output: Output::create(&output::plain(Some(path)))?, failure: None };
    let made = make(&mut sink);
    if let Some(failure) = sink.failure {
        return Err(failure);
    }
    let made = made?;
    sink.output.finish()?;
    Ok(made)
}

/// An output as a writer; keeps what went wrong, with the name of the file.
struct Sink {
    output: Output,
    failure: Option<Failure>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.output.write(bytes).map_err(|failure| {
            self.failure = Some(failure);
            std::io::Error::other("the index could not be written")
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn show(args: &ShowArgs) -> Result<Outcome, Failure> {
    let index = open(&args.index)?;
    let mut out = String::new();
    if args.ids {
        for id in index.ids() {
            out.push_str(id?);
            out.push('\n');
        }
    } else if args.json {
        let sources = index.sources().iter();
        let sources: Vec<_> = sources
            .map(
                |source| json!({ "name": source.name, "documents": source.documents, "bytes": source.bytes }),
            )
            .collect();
        let about = json!({
            "unit": index.unit().name(),
            "units": index.units(),
            "documents": index.documents(),
            "words": index.words(),
            "different_words": index.different_words(),
            "language": index.language().code(),
            "fingerprint": index.fingerprint(),
            "sources": sources,
        });
        out = format!("{about}\n");
    } else {
        let row = |name: &str, value: &dyn std::fmt::Display| format!("{name:<16}{value}\n");
        out.push_str(&row("documents", &index.documents()));
        if index.unit() != Unit::Document {
            out.push_str(&row(&format!("{}s", index.unit()), &index.units()));
        }
        out.push_str(&row("unit", &index.unit()));
        out.push_str(&row("words", &index.words()));
        out.push_str(&row("different words", &index.different_words()));
        out.push_str(&row("language", &index.language()));
        out.push_str(&row("fingerprint", &index.fingerprint()));
        for source in index.sources() {
            let of =
                format!("{} ({} documents, {} bytes of text)", source.name, source.documents, source.bytes);
            out.push_str(&row("source", &of));
        }
    }
    output::write_all(&output::Target::Standard, out.as_bytes())?;
    Ok(Outcome::Done)
}
