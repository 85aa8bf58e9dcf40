//! `reticent label` and `reticent train labeller`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use reticent_text::format::brat;
use reticent_text::label::{
    AnyLabeller, Example, Labelled, Labeller, ListSources, Progress, Reliability, Templates, TrainOptions,
    crf, data, train, write_features,
};
use reticent_text::{
    Analyzer, Document, Language, OffsetUnit, Offsets, PartOfSpeech, SentenceSplitter, Span, Tokenizer,
};
use serde_json::json;

use crate::args::Unit;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::{input, messages};

/// The default feature templates.
const RECRF: &str = include_str!("../templates/recrf.txt");
const CRF: &str = include_str!("../templates/crf.txt");
const DISEASES: &str = include_str!("../templates/diseases.txt");
const DISEASE: &str = include_str!("../templates/disease.txt");

/// Lists for Spanish: names and places by data/make/lists.sh, words by hand.
const SPANISH: [(&str, &str); 16] = [
    ("first", include_str!("../lists/spanish/first-names.txt")),
    ("last", include_str!("../lists/spanish/last-names.txt")),
    ("town", include_str!("../lists/spanish/towns.txt")),
    ("region", include_str!("../lists/spanish/regions.txt")),
    ("country", include_str!("../lists/spanish/countries.txt")),
    ("month", include_str!("../lists/spanish/months.txt")),
    ("kin", include_str!("../lists/spanish/kin.txt")),
    ("street", include_str!("../lists/spanish/streets.txt")),
    ("door", include_str!("../lists/spanish/doors.txt")),
    ("hospital", include_str!("../lists/spanish/hospitals.txt")),
    ("ward", include_str!("../lists/spanish/wards.txt")),
    ("institute", include_str!("../lists/spanish/institutes.txt")),
    ("phone", include_str!("../lists/spanish/phones.txt")),
    ("title", include_str!("../lists/spanish/titles.txt")),
    ("age", include_str!("../lists/spanish/ages.txt")),
    ("numeral", include_str!("../lists/spanish/numerals.txt")),
];

/// Type of NER model.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Learned rules and a conditional random field over lines, for forms and clinical notes
    Recrf,
    /// Conditional random field over sentences
    Crf,
    /// Conditional random field for diseases, with the published features
    Disease,
    /// Neural network over lines; requires a build with the feature `neural`
    E2ej,
    /// Conditional random field for diseases, with additional features
    Diseases,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent train labeller annotated/ --dev held-out/ -o names.model
  reticent train labeller train.conll --method crf --language es -o names.model")]
pub(crate) struct TrainLabellerArgs {
    /// Annotated data: directories of brat (.txt with .ann) or i2b2 (.xml) files, or `CoNLL` files, with documents separated by
    /// -DOCSTART- lines (without them, every 100 sentences)
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// Output model
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Type of model
    #[arg(long, value_enum, default_value = "recrf", help_heading = "Training")]
    method: Method,
    /// Annotated data for evaluation: precision, recall and calibration (repeatable)
    #[arg(long, value_name = "DATA", help_heading = "Input")]
    dev: Vec<PathBuf>,
    /// Language of the data: en or es [default: detected]
    #[arg(long, value_name = "CODE", help_heading = "Input")]
    language: Option<String>,
    /// Feature templates [default: those of the method]
    #[arg(long, value_name = "FILE", help_heading = "Features")]
    templates: Option<PathBuf>,
    /// Gazetteer with one entry per line (repeatable)
    #[arg(long, value_name = "NAME=FILE", help_heading = "Features")]
    list: Vec<String>,
    /// Word clusters: word, tab and a 16-bit cluster number on each line
    #[arg(long, value_name = "FILE", help_heading = "Features")]
    clusters: Option<PathBuf>,
    /// L1 regularization
    #[arg(long, default_value_t = 0.0, help_heading = "Training")]
    l1: f64,
    /// L2 regularization
    #[arg(long, default_value_t = 0.1, help_heading = "Training")]
    l2: f64,
    /// Largest number of iterations
    #[arg(long, default_value_t = 150, help_heading = "Training")]
    iterations: usize,
    /// Number of initial passes with stochastic updates, for large data and few --iterations
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Training")]
    start: usize,
    /// Smallest number of tokens with a feature
    #[arg(long, default_value_t = 1, help_heading = "Features")]
    min_count: u32,
    #[command(flatten)]
    neural: super::neural::NeuralArgs,
    /// Number of cross-validation folds used to calibrate probabilities; 0 to disable
    #[arg(long, default_value_t = 5, value_name = "N", help_heading = "Training")]
    folds: usize,
    /// Write the features for `CRFsuite` instead of training (those of --dev to a file with the extension .dev)
    #[arg(long, value_name = "FILE", hide = true)]
    dump: Option<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(short, long, visible_alias = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), help_heading = "Performance")]
    jobs: Option<u16>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelFormat {
    Jsonl,
    Brat,
    Conll,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  reticent label notes/ --model names.model -o labelled.jsonl
  reticent label test.conll --model names.model --format conll")]
pub(crate) struct LabelArgs {
    /// Text or `CoNLL` files, or directories; `CoNLL` files keep their tokens
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// NER model from `reticent train labeller`
    #[arg(short, long, value_name = "FILE", help_heading = "Models")]
    model: PathBuf,
    /// Output format: rows with `spans`, one .ann file per document, or tokens with labels
    #[arg(long, value_enum, default_value = "jsonl", help_heading = "Output")]
    format: LabelFormat,
    /// Output file, or directory for brat [default: standard output]
    #[arg(short, long, value_name = "OUTPUT", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Smallest probability of a reported entity
    #[arg(long, default_value_t = 0.0, value_name = "PROBABILITY", help_heading = "Output")]
    at_least: f32,
    /// Unit of offsets in rows
    #[arg(long, value_enum, default_value = "chars", help_heading = "Output")]
    offsets: Unit,
}

pub(crate) fn train_labeller(args: &TrainLabellerArgs) -> Result<Outcome, Failure> {
    match &args.dump {
        Some(path) => output::check(Some(path))?,
        None => Target::File(args.output.clone()).check()?,
    }
    let default = match args.method {
        Method::Recrf => RECRF,
        Method::Crf => CRF,
        Method::Disease => DISEASE,
        Method::E2ej => return train_neural(args),
        Method::Diseases => DISEASES,
    };
    let templates = match &args.templates {
        Some(path) => Templates::parse(&text(path)?)
            .map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?,
        None => Templates::parse(default)?,
    };
    let read = annotated(&args.data)?;
    let language = match &args.language {
        Some(code) => Language::from_code(code),
        None => majority(&read),
    };
    let examples = examples(read, language)?;
    let held_out = self::examples(annotated(&args.dev)?, language)?;
    let entities: usize = examples.iter().map(|example| example.entities.len()).sum();
    messages::note(&format!(
        "{} documents with {entities} entities, language {}",
        examples.len(),
        language.code()
    ));
    let threads =
        args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let options = TrainOptions {
        language,
        templates,
        lists: lists(args, language)?,
        folds: args.folds,
        field: crf::Options {
            l1: args.l1,
            l2: args.l2,
            min_count: args.min_count,
            start: args.start,
            stop: crf::Stop { iterations: args.iterations, ..crf::Options::default().stop },
            threads,
        },
        trained_on: format!("{} documents with {entities} entities", examples.len()),
    };
    if let Some(path) = &args.dump {
        let (mut written, mut of_dev) = (Vec::new(), Vec::new());
        write_features(&examples, &held_out, &options, &mut written, &mut of_dev)?;
        output::write_all(&Target::File(path.clone()), &written)?;
        output::write_all(&Target::File(path.with_extension("dev")), &of_dev)?;
        return Ok(Outcome::Done);
    }
    let bar = ProgressBar::with_draw_target(Some(args.iterations as u64), ProgressDrawTarget::stderr());
    if messages::is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    let trained = train(&examples, &[], &options, |progress| match progress {
        Progress::Rules(count) => bar.set_message(format!("{count} rules")),
        Progress::Features(count) => bar.set_message(format!("features of {count} documents")),
        Progress::Step(step, value) => {
            bar.set_message(format!("value {value:.1}"));
            bar.set_position(step as u64);
        }
    })?;
    bar.finish_and_clear();
    if trained.left_out > 0 {
        messages::warn(&format!(
            "{} entities overlap others or cross lines and were omitted",
            trained.left_out
        ));
    }
    output::write_all(&Target::File(args.output.clone()), &trained.bytes)?;
    messages::note(&format!("{}: {} bytes", args.output.display(), trained.bytes.len()));
    if !held_out.is_empty() {
        let measured = Reliability::measure(&Labeller::open(trained.bytes)?, &held_out);
        output::write_all(&Target::Standard, table(&measured).as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn train_neural(args: &TrainLabellerArgs) -> Result<Outcome, Failure> {
    let read = annotated(&args.data)?;
    let language = args.language.as_ref().map_or_else(|| majority(&read), |code| Language::from_code(code));
    let (examples, held_out) = (examples(read, language)?, self::examples(annotated(&args.dev)?, language)?);
    let threads =
        args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let bytes = super::neural::train(&args.neural, &examples, &held_out, language, threads)?;
    output::write_all(&Target::File(args.output.clone()), &bytes)?;
    messages::note(&format!("{}: {} bytes", args.output.display(), bytes.len()));
    Ok(Outcome::Done)
}

/// The measured calibration as a Markdown table.
fn table(measured: &Reliability) -> String {
    let mut out = format!(
        "found {} of {} entities in {} spans: precision {:.4}, recall {:.4}, F1 {:.4}\n\n\
         | probability | spans | predicted | correct |\n|---|---|---|---|\n",
        measured.right,
        measured.gold,
        measured.found,
        measured.precision(),
        measured.recall(),
        measured.f1()
    );
    for (tenth, (spans, predicted, correct)) in
        measured.tenths.iter().enumerate().filter(|(_, row)| row.0 > 0)
    {
        let share = |sum: f64| sum / *spans as f64;
        let _ = writeln!(
            out,
            "| 0.{tenth} to {:.1} | {spans} | {:.3} | {:.3} |",
            (tenth + 1) as f64 / 10.0,
            share(*predicted),
            share(*correct as f64)
        );
    }
    let _ = writeln!(out, "\nexpected calibration error {:.4}", measured.error());
    out
}

pub(crate) fn label(args: &LabelArgs) -> Result<Outcome, Failure> {
    let bytes =
        std::fs::read(&args.model).map_err(|error| Failure::io(&args.model, "read the NER model", &error))?;
    let labeller = AnyLabeller::open(bytes)
        .map_err(|error| Failure::from(error).in_file(&args.model.display().to_string()))?;
    let analyzer = Arc::new(analyzer()?);
    let files = files(&args.inputs, &["txt", "conll", "tsv"])?;
    if args.format == LabelFormat::Brat && args.output.is_none() {
        return Err(
            Failure::new("--format brat requires an output directory").hint("pass one with -o DIRECTORY")
        );
    }
    if args.format != LabelFormat::Brat {
        output::check(args.output.as_deref())?;
    }
    let labelled: Vec<Result<(PathBuf, String), Failure>> = files
        .par_chunks(labeller.best_together())
        .flat_map_iter(|files| some(files, args, &labeller, &analyzer))
        .collect();
    let mut outcome = Outcome::Done;
    let mut all = String::new();
    for result in labelled {
        match result {
            Err(failure) => {
                messages::error(&failure);
                outcome = Outcome::Failed;
            }
            Ok((path, written)) if args.format == LabelFormat::Brat => {
                let name = path.with_extension("ann");
                let name = name.file_name().map(PathBuf::from).unwrap_or(name);
                let folder = args.output.clone().unwrap_or_default();
                output::write_private(&Target::within(&folder, &name), written.as_bytes())?;
            }
            Ok((_, written)) => all.push_str(&written),
        }
    }
    if args.format != LabelFormat::Brat {
        output::write_private(&output::plain(args.output.as_deref()), all.as_bytes())?;
    }
    Ok(outcome)
}

/// A file to label.
struct Read {
    id: String,
    is_columns: bool,
    source: String,
    documents: Vec<Document>,
}

impl Read {
    fn new(path: &Path) -> Result<Self, Failure> {
        let source = text(path)?;
        let id = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_columns = !input::has_extension(path, "txt");
        let documents = if is_columns {
            let read = data::conll(&id, &source)
                .map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?;
            read.into_iter().map(|(document, _)| document).collect()
        } else {
            vec![Document::plain(&id, source.clone())]
        };
        Ok(Self { id, is_columns, source, documents })
    }
}

/// Labels some files, and renders each in the output format.
fn some(
    files: &[PathBuf],
    args: &LabelArgs,
    labeller: &AnyLabeller,
    analyzer: &Analyzer,
) -> Vec<Result<(PathBuf, String), Failure>> {
    let read: Vec<_> = files.iter().map(|path| Read::new(path)).collect();
    let documents: Vec<&Document> = read.iter().flatten().flat_map(|file| &file.documents).collect();
    let mut found = match labeller.label_all(&documents, analyzer) {
        Ok(found) => found.into_iter(),
        Err(error) => return vec![Err(error.into())],
    };
    let each = files.iter().zip(read).map(|(path, file)| {
        let file = file?;
        let own = found.by_ref().take(file.documents.len()).collect();
        Ok((path.clone(), written(&file, own, args, labeller)))
    });
    each.collect()
}

/// Renders a labelled file.
fn written(file: &Read, labelled: Vec<Vec<Labelled>>, args: &LabelArgs, labeller: &AnyLabeller) -> String {
    let mut text = String::new();
    let mut found: Vec<(Span, &str, f32)> = Vec::new();
    for (document, labelled) in file.documents.iter().zip(labelled) {
        let probable = labelled.into_iter().filter(|labelled| labelled.probability >= args.at_least);
        found.extend(probable.map(|labelled| {
            let span = Span::new(text.len() + labelled.span.start, text.len() + labelled.span.end);
            (span, labeller.kinds()[labelled.kind].as_str(), labelled.probability)
        }));
        text.push_str(document.text());
    }
    let plain: Vec<(&str, Span)> = found.iter().map(|(span, kind, _)| (*kind, *span)).collect();
    match args.format {
        LabelFormat::Brat => brat::write(&text, &plain),
        LabelFormat::Conll if file.is_columns => data::label_conll(&file.source, &text, &found),
        LabelFormat::Conll => {
            let entities: Vec<(Span, &str)> = found.iter().map(|(span, kind, _)| (*span, *kind)).collect();
            data::write_conll(&text, &entities)
        }
        LabelFormat::Jsonl => {
            let unit: OffsetUnit = args.offsets.into();
            let offsets = Offsets::new(&text, unit);
            let spans: Vec<_> = found
                .iter()
                .map(|(span, kind, probability)| {
                    let (start, end) = offsets.outside(*span);
                    json!([start, end, kind, (f64::from(*probability) * 1000.0).round() / 1000.0])
                })
                .collect();
            format!("{}\n", json!({"id": file.id, "text": text, "spans": spans}))
        }
    }
}

fn analyzer() -> Result<Analyzer, Failure> {
    Ok(Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?)
}

fn text(path: &Path) -> Result<String, Failure> {
    let bytes = input::read(path, 1 << 30)?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{}: the file is not UTF-8", path.display())).hint("convert it to UTF-8 first")
    })
}

/// The files with these extensions in directories, in order; files passed directly may have any extension.
fn files(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let read =
            std::fs::read_dir(path).map_err(|error| Failure::io(path, "read the directory", &error))?;
        let mut within: Vec<PathBuf> =
            read.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        within.retain(|file| endings.iter().any(|ending| input::has_extension(file, ending)));
        within.sort();
        files.extend(within);
    }
    Ok(files)
}

fn annotated(paths: &[PathBuf]) -> Result<Vec<data::Annotated>, Failure> {
    let mut all = Vec::new();
    for path in files(paths, &["ann", "xml", "conll", "tsv"])? {
        let id = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let read = if input::has_extension(&path, "ann") {
            data::brat(&id, &text(&path.with_extension("txt"))?, &text(&path)?).map(|one| vec![one])
        } else if input::has_extension(&path, "xml") {
            data::i2b2(&id, &text(&path)?).map(|one| vec![one])
        } else {
            data::conll(&id, &text(&path)?)
        };
        all.extend(read.map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?);
    }
    Ok(all)
}

fn majority(read: &[data::Annotated]) -> Language {
    let spanish = read.iter().filter(|(document, _)| Language::detect(document.text()) == Language::Spanish);
    if 2 * spanish.count() > read.len() { Language::Spanish } else { Language::English }
}

fn examples(read: Vec<data::Annotated>, language: Language) -> Result<Vec<Example>, Failure> {
    let analyzer = analyzer()?;
    read.into_par_iter()
        .map(|(document, entities)| {
            let layers = analyzer.analyze(&document, Some(language))?;
            Ok(Example { document, layers, entities })
        })
        .collect()
}

/// The built-in gazetteers, and those in the arguments.
fn lists(args: &TrainLabellerArgs, language: Language) -> Result<ListSources, Failure> {
    let mut sources = ListSources::default();
    if args.method == Method::Recrf && language == Language::Spanish {
        for (name, entries) in SPANISH {
            sources.lists.push((name.to_owned(), entries.lines().map(str::to_owned).collect()));
        }
    }
    for list in &args.list {
        let (name, path) = list
            .split_once('=')
            .ok_or_else(|| Failure::new(format!("invalid list `{list}`")).hint("use --list NAME=FILE"))?;
        let entries =
            text(Path::new(path))?.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect();
        sources.lists.push((name.to_owned(), entries));
    }
    if let Some(path) = &args.clusters {
        for (number, line) in (1..).zip(text(path)?.lines()) {
            let parsed =
                line.split_once('\t').and_then(|(word, bits)| Some((word.to_owned(), bits.parse().ok()?)));
            sources.clusters.push(parsed.ok_or_else(|| {
                Failure::new(format!("{}: line {number} is not a word with a cluster", path.display()))
            })?);
        }
    }
    Ok(sources)
}
