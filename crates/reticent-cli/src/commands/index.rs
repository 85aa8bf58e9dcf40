//! `reticent index`: builds and queries a corpus index.

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
#[command(after_help = "Examples:
  reticent index build wikipedia.jsonl.gz -o corpus.idx
  reticent index count --index corpus.idx 'blood transfusion' AND influenza")]
pub(crate) struct IndexArgs {
    #[command(subcommand)]
    what: IndexCommand,
}

#[derive(Subcommand, Debug)]
enum IndexCommand {
    /// Build a corpus index
    Build(BuildArgs),
    /// Write a new index with the documents of an existing one and more
    Add(AddArgs),
    /// Count the documents in which terms occur together
    Count(CountArgs),
    /// Print the information content (IC) of terms, in bits
    Ic(IcArgs),
    /// Print the pointwise mutual information (PMI) of a sensitive term and other terms, in bits
    Pmi(PmiArgs),
    /// Print statistics of an index
    Show(ShowArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent index build wikipedia.jsonl.gz -o corpus.idx
  reticent index build articles/ --unit paragraph --language en -o corpus.idx")]
struct BuildArgs {
    #[command(flatten)]
    corpus: CorpusArgs,
    /// Output index
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Unit of text that is counted, and within which terms occur together
    #[arg(long, value_enum, default_value = "document", help_heading = "Index")]
    unit: UnitArg,
    /// Language of the corpus: en, es, or und for any other [default: that of most documents]
    #[arg(long, value_name = "CODE", help_heading = "Index")]
    language: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent index add corpus.idx more.jsonl -o larger.idx
  reticent index add corpus.idx articles/ -o larger.idx")]
struct AddArgs {
    /// Existing index, which is not changed
    index: PathBuf,
    #[command(flatten)]
    corpus: CorpusArgs,
    /// Output index
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent index show corpus.idx
  reticent index show corpus.idx --ids")]
struct ShowArgs {
    /// Index from `reticent index build`
    index: PathBuf,
    /// List the document IDs instead
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    ids: bool,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
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

/// The language of a code; unknown codes are rejected.
pub(crate) fn language(code: &str) -> Result<Language, Failure> {
    match Language::from_code(code) {
        Language::Other if code != "und" => Err(Failure::new(format!("unknown language `{code}`"))
            .hint("use en, es, or und for any other language (plurals are then not folded and stop words not removed)")),
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

/// Reports the documents that could not be read, and the statistics of the others.
fn finish(corpus: &Corpus, built: Result<Built, Failure>, unit: Unit) -> Result<Outcome, Failure> {
    let outcome = corpus.report_failures();
    let built = built?;
    if built.spoken != built.language {
        messages::warn(&format!(
            "most documents seem to be in `{}`, but terms are normalized as in `{}`: plurals and stop words may be \
             treated incorrectly",
            built.spoken, built.language
        ));
    }
    let Built { documents, units, words, .. } = built;
    let units = if unit == Unit::Document { String::new() } else { format!(", {units} {unit}s") };
    messages::note(&format!("{documents} documents{units}, {words} words, language {}", built.language));
    Ok(outcome)
}

/// The directory of temporary files: that of the index, which must have room for it anyway.
fn scratch(output: &Path) -> Option<PathBuf> {
    if input::is_standard(output) {
        return None;
    }
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    Some(folder.to_owned())
}

/// Writes a file that appears only when it is complete.
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

/// An output as a writer; keeps the error, with the name of the file.
struct Sink {
    output: Output,
    failure: Option<Failure>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.output.write(bytes).map_err(|failure| {
            self.failure = Some(failure);
            std::io::Error::other("cannot write the index")
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
