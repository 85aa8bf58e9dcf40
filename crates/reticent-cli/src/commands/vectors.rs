//! `reticent vectors`.

mod arguments;
mod corpus;
mod similarity;

use std::io::{BufReader, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reticent_knowledge::embedding::train::{Options, Progress};
use reticent_knowledge::embedding::{
    self, How, Lookup, Precision, StreamTerm, Subwords, TermVectors, TokenStream, VectorTable, Vectors,
};
use reticent_text::{Document, Language, OffsetUnit, Offsets};
use serde_json::json;

pub(crate) use self::arguments::VectorsArgs;
use self::arguments::{
    Action, ExpandArgs, ExportArgs, ImportArgs, LearnArgs, NearestArgs, TokensArgs, TrainArgs,
};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::messages;
use crate::output::{self, Output, Target};

/// Enough for the character n-grams of a few hundred thousand terms.
const BUCKETS: u32 = 1 << 17;

pub(crate) fn run(args: &VectorsArgs) -> Result<Outcome, Failure> {
    match &args.action {
        Action::Train(args) => train(args),
        Action::Expand(args) => expand(args),
        Action::Import(args) => import(args),
        Action::Export(args) => export(args),
        Action::Nearest(args) => nearest(args),
        Action::Similarity(args) => similarity::run(args),
        Action::Tokens(args) => tokens(args),
    }
}

fn train(args: &TrainArgs) -> Result<Outcome, Failure> {
    output::check(Some(&args.output))?;
    let options = Options {
        dimension: args.dimension,
        min_count: args.min_count,
        subwords: args.subwords.map(|(shortest, longest)| Subwords { shortest, longest, buckets: BUCKETS }),
        ..options(&args.learn)
    };
    let mut stream: Option<TokenStream> = None;
    let documents = corpus::read(&args.corpus, None, |_, language, sentences| {
        add(stream.get_or_insert_with(|| TokenStream::new(language)), &sentences)
    })?;
    let stream = stream.unwrap_or_else(|| TokenStream::new(Language::English));
    warn_left_out(&stream);
    messages::note(&format!(
        "{documents} documents, {} terms, {} different, language {}",
        stream.len(),
        stream.different(),
        stream.language()
    ));
    let name = format!("trained on {documents} documents");
    let table = with_progress(|report| embedding::train(&stream, &options, &name, report))?;
    let precision = precision(args.eight_bit);
    let finished = args.finished || args.eight_bit;
    write(if finished { table.finished() } else { table }, precision, &args.output)
}

fn expand(args: &ExpandArgs) -> Result<Outcome, Failure> {
    output::check(Some(&args.output))?;
    let old = open(Some(&args.vectors))?;
    let mut stream = old.stream();
    let documents =
        corpus::read(&args.corpus, Some(old.language()), |_, _, sentences| add(&mut stream, &sentences))?;
    warn_left_out(&stream);
    let new = stream.different() - old.len();
    messages::note(&format!("{documents} documents, {} terms, {new} of them new", stream.len()));
    let table = with_progress(|report| embedding::expand(&old, &stream, &options(&args.learn), report))?;
    write(if args.finished { table.finished() } else { table }, Precision::Full, &args.output)
}

fn import(args: &ImportArgs) -> Result<Outcome, Failure> {
    output::check(Some(&args.output))?;
    let name = args.name.clone().unwrap_or_else(|| {
        args.file
            .file_stem()
            .map_or_else(|| "imported".to_owned(), |stem| stem.to_string_lossy().into_owned())
    });
    // A whole line is needed to distinguish text from binary numbers.
    let from = BufReader::with_capacity(1 << 18, input::open(&args.file)?);
    let language = Language::from_code(&args.language);
    let imported = embedding::import(from, args.from.map(Into::into), &name, language)
        .map_err(|error| Failure::from(error).in_file(&args.file.display().to_string()))?;
    if imported.left_out > 0 {
        messages::warn(&format!("{} words are duplicates or not UTF-8 and were omitted", imported.left_out));
    }
    messages::note(&format!(
        "{:?}: {} terms, {} dimensions",
        imported.format,
        imported.table.terms.len(),
        imported.table.dimension
    ));
    write(imported.table, precision(args.eight_bit), &args.output)
}

fn export(args: &ExportArgs) -> Result<Outcome, Failure> {
    let vectors = open(Some(&args.vectors))?;
    let mut sink = Sink(Output::create(&output::plain(Some(&args.output)))?);
    embedding::export::word2vec(&vectors, &mut sink)?;
    sink.0.finish()?;
    Ok(Outcome::Done)
}

fn nearest(args: &NearestArgs) -> Result<Outcome, Failure> {
    let opened;
    let vectors = if let Some(path) = &args.vectors {
        opened = open(Some(path))?;
        &opened
    } else {
        embedding::glove()?
    };
    let found = match vectors.lookup(&args.term)? {
        Lookup::Found(found) => found,
        Lookup::Unknown => {
            messages::warn("the term has no vector, so its similarity is unknown");
            return Ok(Outcome::Unresolved);
        }
    };
    messages::note(&format!("{}: {}", vectors.name(), how(&found.how)));
    let near = vectors.nearest(&found.vector, args.number);
    let lines: Vec<String> =
        near.iter().map(|neighbour| format!("{:.4}\t{}\n", neighbour.cosine, neighbour.term)).collect();
    output::write_all(&Target::Standard, lines.concat().as_bytes())?;
    Ok(Outcome::Done)
}

/// Describes how a vector was found.
fn how(how: &How) -> String {
    match how {
        How::Whole => "found as a whole term".to_owned(),
        How::Subwords => "from character n-grams".to_owned(),
        How::Composed { missing } if missing.is_empty() => "composed from its words".to_owned(),
        How::Composed { missing } => {
            format!("composed from its words, {} of which have no vector", missing.len())
        }
        How::Context => "in context".to_owned(),
        How::Alone => "without context".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// Writes the training input, for other programs to train on the same terms.
fn tokens(args: &TokensArgs) -> Result<Outcome, Failure> {
    let mut out = Output::create(&output::plain(args.output.as_deref()))?;
    corpus::read(&args.corpus, None, |document, _, sentences| {
        let lines = if args.spans { spans(document, &sentences) } else { lines(&sentences) };
        out.write(lines.as_bytes())
    })?;
    out.finish()?;
    Ok(Outcome::Done)
}

fn lines(sentences: &[Vec<StreamTerm>]) -> String {
    let line = |row: &Vec<StreamTerm>| {
        row.iter().map(|term| term.folded.replace(' ', "_")).collect::<Vec<_>>().join(" ") + "\n"
    };
    sentences.iter().map(line).collect()
}

fn spans(document: &Document, sentences: &[Vec<StreamTerm>]) -> String {
    let offsets = Offsets::new(document.text(), OffsetUnit::Chars);
    let terms: Vec<_> = sentences
        .iter()
        .flatten()
        .filter(|term| term.is_term)
        .map(|term| {
            let (start, end) = offsets.outside(term.span);
            json!([start, end, term.folded.replace(' ', "_")])
        })
        .collect();
    json!({ "id": document.id(), "spans": terms }).to_string() + "\n"
}

fn options(args: &LearnArgs) -> Options {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Options {
        window: args.window,
        epochs: args.epochs,
        negative: args.negative,
        threads: args.threads.map_or(cores, usize::from),
        seed: args.seed,
        subsample: (args.subsample > 0.0).then_some(args.subsample),
        ..Options::default()
    }
}

fn precision(eight_bit: bool) -> Precision {
    if eight_bit { Precision::EightBit } else { Precision::Full }
}

fn add(stream: &mut TokenStream, sentences: &[Vec<StreamTerm>]) -> Result<(), Failure> {
    for sentence in sentences {
        stream.add(sentence.iter().map(|term| term.folded.as_str()))?;
    }
    Ok(())
}

fn warn_left_out(stream: &TokenStream) {
    if stream.left_out() > 0 {
        messages::warn(&format!("{} terms are longer than 1,000 bytes and were omitted", stream.left_out()));
    }
}

fn open(path: Option<&Path>) -> Result<TermVectors, Failure> {
    let path = path.unwrap_or(Path::new("-"));
    if path.is_dir() {
        return Err(Failure::new(format!(
            "{}: expected a vector file, but this is a directory",
            path.display()
        ))
        .hint("a model directory has no list of terms; use it with `reticent vectors similarity`"));
    }
    TermVectors::open(path).map_err(|error| Failure::from(error).in_file(&path.display().to_string()))
}

/// Opens a vector file, or the directory of a contextual model.
pub(crate) fn open_any(path: &Path) -> Result<Arc<dyn Vectors>, Failure> {
    if path.is_dir() { Ok(Arc::from(similarity::model(path)?)) } else { Ok(Arc::new(open(Some(path))?)) }
}

/// Trains with a progress bar, and reports the total time.
fn with_progress(
    work: impl FnOnce(&mut dyn FnMut(Progress)) -> Result<VectorTable, reticent_knowledge::Error>,
) -> Result<VectorTable, Failure> {
    let bar = if messages::is_quiet() {
        ProgressBar::hidden()
    } else {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent}%, {msg}, {eta} left") {
        bar.set_style(style);
    }
    let started = Instant::now();
    let mut total = 0;
    let table = work(&mut |progress| {
        total = progress.total;
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(format!("{:.0} terms/s", progress.speed()));
    })?;
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    messages::note(&format!("trained in {seconds:.1} s, {:.0} terms/s", total as f64 / seconds.max(1e-9)));
    Ok(table)
}

fn write(table: VectorTable, precision: Precision, to: &Path) -> Result<Outcome, Failure> {
    let mut sink = Sink(Output::create(&output::plain(Some(to)))?);
    table.write(precision, &mut sink)?;
    drop(table);
    sink.0.finish()?;
    Ok(Outcome::Done)
}

/// An output that the library can write to.
struct Sink(Output);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes).map_err(|failure| std::io::Error::other(failure.message))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
