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

/// What the labeller looks at if no templates are given.
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

/// How a labeller learns.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Rules learnt from the data and a conditional random field over lines, for forms and clinical notes
    Recrf,
    /// A conditional random field over sentences
    Crf,
    /// The conditional random field of the thesis's chapter 4, for diseases
    Disease,
    /// The neural network of the thesis's chapter 3, over lines; needs a build with the feature `neural`
    E2ej,
    /// A conditional random field for diseases that looks at more
    Diseases,
}

#[derive(Args, Debug)]
pub(crate) struct TrainLabellerArgs {
    /// Annotated data: a folder of brat files (.txt with .ann) or i2b2 files (.xml), or `CoNLL` files, whose documents
    /// begin at -DOCSTART- lines, or after every 100 sentences if there are none
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// Where to write the labeller
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How it learns
    #[arg(long, value_enum, default_value = "recrf")]
    method: Method,
    /// Annotated data to measure it on: what it finds, and how often its probabilities are right
    #[arg(long, value_name = "DATA")]
    dev: Vec<PathBuf>,
    /// The language of the data (en, es); detected if not given
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// A file of templates: which features it looks at
    #[arg(long, value_name = "FILE")]
    templates: Option<PathBuf>,
    /// A list of names, one a line, as NAME=FILE (may be given several times)
    #[arg(long, value_name = "NAME=FILE")]
    list: Vec<String>,
    /// Words with their clusters: a word, a tabulator and sixteen bits as a number
    #[arg(long, value_name = "FILE")]
    clusters: Option<PathBuf>,
    /// What every weight costs by its size
    #[arg(long, default_value_t = 0.0)]
    l1: f64,
    /// What every weight costs by its square
    #[arg(long, default_value_t = 0.1)]
    l2: f64,
    /// At most so many steps
    #[arg(long, default_value_t = 150)]
    iterations: usize,
    /// Go through the data so often in small steps before the large ones: for many data and few --iterations
    #[arg(long, default_value_t = 0, value_name = "N")]
    start: usize,
    /// Features that fewer tokens show are left out
    #[arg(long, default_value_t = 1)]
    min_count: u32,
    #[command(flatten)]
    neural: super::neural::NeuralArgs,
    /// Into so many parts the documents are cut; each is held out of a training once, to calibrate. 0 leaves that out
    #[arg(long, default_value_t = 5, value_name = "N")]
    folds: usize,
    /// Write the features to this file for `CRFsuite` (those of --dev to one that ends in .dev) and train nothing
    #[arg(long, value_name = "FILE", hide = true)]
    dump: Option<PathBuf>,
    /// How many threads; one for each core if not given
    #[arg(short, long, visible_alias = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelFormat {
    Jsonl,
    Brat,
    Conll,
}

#[derive(Args, Debug)]
pub(crate) struct LabelArgs {
    /// Texts, or folders of texts; `CoNLL` files keep their tokens
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The labeller, as `reticent train labeller` wrote it
    #[arg(short, long, value_name = "FILE")]
    model: PathBuf,
    /// What to write: rows with `spans`, an .ann file for each document, or tokens with labels
    #[arg(long, value_enum, default_value = "jsonl")]
    format: LabelFormat,
    /// Where to write: a file, or a directory for brat
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Leave out what is less probable
    #[arg(long, default_value_t = 0.0, value_name = "PROBABILITY")]
    at_least: f32,
    /// The unit of offsets in rows
    #[arg(long, value_enum, default_value = "chars")]
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
            "{} entities overlap others or cross lines, and were left out",
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

/// What was measured, as a table in Markdown.
fn table(measured: &Reliability) -> String {
    let mut out = format!(
        "found {} of {} entities in {} spans: precision {:.4}, recall {:.4}, F1 {:.4}\n\n\
         | probability | spans | said | right |\n|---|---|---|---|\n",
        measured.right,
        measured.gold,
        measured.found,
        measured.precision(),
        measured.recall(),
        measured.f1()
    );
    for (tenth, (spans, said, right)) in measured.tenths.iter().enumerate().filter(|(_, row)| row.0 > 0) {
        let share = |sum: f64| sum / *spans as f64;
        let _ = writeln!(
            out,
            "| 0.{tenth} to {:.1} | {spans} | {:.3} | {:.3} |",
            (tenth + 1) as f64 / 10.0,
            share(*said),
            share(*right as f64)
        );
    }
    let _ = writeln!(out, "\nexpected calibration error {:.4}", measured.error());
    out
}

pub(crate) fn label(args: &LabelArgs) -> Result<Outcome, Failure> {
    let bytes =
        std::fs::read(&args.model).map_err(|error| Failure::io(&args.model, "read the labeller", &error))?;
    let labeller = AnyLabeller::open(bytes)
        .map_err(|error| Failure::from(error).in_file(&args.model.display().to_string()))?;
    let analyzer = Arc::new(analyzer()?);
    let files = files(&args.inputs, &["txt", "conll", "tsv"])?;
    if args.format == LabelFormat::Brat && args.output.is_none() {
        return Err(
            Failure::new("brat needs a place for its files").hint("give a directory with -o DIRECTORY")
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

/// A file that is to be labelled.
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

/// Labels some files, and says each as it is to be written.
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

/// A labelled file: what was found in its documents, in the text of all.
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
        Failure::new(format!("{}: the file is not UTF-8", path.display())).hint("convert it first")
    })
}

/// The files of folders that end so, in order; files that are named themselves whatever their ending.
fn files(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let read = std::fs::read_dir(path).map_err(|error| Failure::io(path, "read the folder", &error))?;
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

/// The lists that ship, and those that are given.
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
            .ok_or_else(|| Failure::new(format!("`{list}` is no list")).hint("write --list NAME=FILE"))?;
        let entries =
            text(Path::new(path))?.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect();
        sources.lists.push((name.to_owned(), entries));
    }
    if let Some(path) = &args.clusters {
        for (number, line) in (1..).zip(text(path)?.lines()) {
            let parsed =
                line.split_once('\t').and_then(|(word, bits)| Some((word.to_owned(), bits.parse().ok()?)));
            sources.clusters.push(parsed.ok_or_else(|| {
                Failure::new(format!("{}: line {number} is no word with a cluster", path.display()))
            })?);
        }
    }
    Ok(sources)
}
