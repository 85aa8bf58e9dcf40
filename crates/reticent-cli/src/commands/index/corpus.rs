//! The corpus that an index is built from: files, directories and standard input.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reticent_knowledge::corpus::Item;
use reticent_text::Document;
use reticent_text::format::encoding::Encoding;
use reticent_text::format::rows::{Fields, RowFormat, RowReader};
use reticent_text::format::{self, FormatKind, Limits};

use crate::args::{InputArgs, InputFormat};
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile, Inputs, Kind};
use crate::messages;

/// The number of errors that are reported individually.
const MOST_NAMED: usize = 20;
/// The approximate compression ratio of text.
const PACKED: u64 = 3;

#[derive(Args, Debug, Clone)]
pub(super) struct CorpusArgs {
    /// Files or directories: text, Markdown, HTML, DOCX, JSONL, CSV or TSV, optionally .gz; `-` for standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpus: Vec<PathBuf>,
    /// Input format [default: by file extension]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,
    /// Encoding of input that is not UTF-8, such as windows-1252
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    encoding: Option<String>,
    /// JSONL, CSV, TSV: field with the text (repeatable)
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    text_field: Vec<String>,
    /// JSONL, CSV, TSV: field with the document ID [default: `id` in JSONL, if present]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    id_field: Option<String>,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Performance")]
    pub(super) jobs: Option<u16>,
}

/// The documents to read, and those that could not be read.
pub(super) struct Corpus {
    args: CorpusArgs,
    inputs: Inputs,
    sources: Vec<String>,
    bar: ProgressBar,
    failures: Failures,
}

/// Errors with file number and line, so that they are reported in that order whichever thread met them.
#[derive(Clone, Default)]
struct Failures(Arc<Mutex<Vec<(usize, u64, Failure)>>>);

impl Failures {
    fn add(&self, file: usize, line: u64, failure: Failure) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((file, line, failure));
    }
}

impl Corpus {
    pub(super) fn new(args: &CorpusArgs) -> Self {
        let inputs = input::list(&InputArgs {
            inputs: args.corpus.clone(),
            input_format: args.input_format,
            encoding: args.encoding.clone(),
            text_field: args.text_field.clone(),
            id_field: args.id_field.clone(),
            subject_field: None,
            person_field: None,
            keep_field: Vec::new(),
            keep_attachments: false,
        });
        let sources = inputs.files.iter().map(|file| file.relative.display().to_string()).collect();
        let bar = progress(&inputs);
        Self { args: args.clone(), inputs, sources, bar, failures: Failures::default() }
    }

    /// The names of the files.
    pub(super) fn sources(&self) -> &[String] {
        &self.sources
    }

    /// All documents, in order. Errors are kept for [`Corpus::report_failures`], and reading continues.
    pub(super) fn items(&self) -> impl Iterator<Item = Item> + Send {
        self.inputs.files.iter().enumerate().flat_map(move |(number, file)| self.read(number, file))
    }

    fn read(&self, number: usize, file: &InputFile) -> Box<dyn Iterator<Item = Item> + Send + '_> {
        match file.kind {
            Kind::Whole(kind) => Box::new(std::iter::once(self.whole(number, file.clone(), kind))),
            Kind::Rows(format) => match self.rows(number, file, format) {
                Ok(rows) => Box::new(rows),
                Err(failure) => {
                    self.failures.add(number, 0, failure);
                    Box::new(std::iter::empty())
                }
            },
        }
    }

    /// Reads a file that is one document, in one of the threads.
    fn whole(&self, number: usize, file: InputFile, kind: FormatKind) -> Item {
        let (args, bar, failures) = (self.args.clone(), self.bar.clone(), self.failures.clone());
        let size = file.path.metadata().map_or(0, |metadata| metadata.len());
        let size = if input::has_extension(&file.path, "gz") { size.saturating_mul(PACKED) } else { size };
        let id = file.relative.display().to_string();
        Item::later(number, id, usize::try_from(size).unwrap_or(usize::MAX), move || {
            match load(&file, kind, &args, &bar) {
                Ok(document) => Some(document),
                Err(failure) => {
                    failures.add(number, 0, failure.in_file(&file.path.display().to_string()));
                    None
                }
            }
        })
    }

    /// The rows of a file.
    fn rows(
        &self,
        number: usize,
        file: &InputFile,
        format: RowFormat,
    ) -> Result<impl Iterator<Item = Item> + Send + '_, Failure> {
        let name = file.path.display().to_string();
        if self.args.encoding.is_some() {
            return Err(Failure::new(format!("{name}: JSONL, CSV and TSV must be UTF-8"))
                .hint("convert the file to UTF-8 first"));
        }
        let id = self.args.id_field.clone();
        let id = id.or_else(|| (format == RowFormat::Jsonl).then(|| "id".to_owned()));
        let fields = Fields { text: self.args.text_field.clone(), id, ..Fields::default() };
        let input: Box<dyn BufRead + Send> = input::open_rows(&file.path, &self.bar)?;
        let reader = RowReader::new(format, fields, input, &Limits::default())
            .map_err(|error| Failure::from(error).in_file(&name))?;
        let source = self.sources[number].clone();
        Ok(reader.zip(1u64..).filter_map(move |(row, at)| match row {
            Ok(row) => {
                let nameless = row.document.id() == format!("line {}", row.line);
                let id = nameless.then(|| format!("{source}, {}", row.document.id()));
                let item = Item::new(number, row.document);
                Some(match id {
                    Some(id) => item.with_id(id),
                    None => item,
                })
            }
            Err(error) => {
                self.failures.add(number, at, Failure::from(error).in_file(&name));
                None
            }
        }))
    }

    /// Reports the documents that could not be read.
    pub(super) fn report_failures(&self) -> Outcome {
        self.bar.finish_and_clear();
        let mut met = self.failures.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.sort_by_key(|(file, line, _)| (*file, *line));
        let outcome = self.inputs.report();
        met.iter().take(MOST_NAMED).for_each(|(_, _, failure)| messages::error(failure));
        if met.len() > MOST_NAMED {
            messages::warn(&format!("{} more documents could not be read", met.len() - MOST_NAMED));
        }
        if met.is_empty() { outcome } else { Outcome::Failed }
    }
}

fn load(
    file: &InputFile,
    kind: FormatKind,
    args: &CorpusArgs,
    bar: &ProgressBar,
) -> Result<Document, Failure> {
    let limits = Limits::default();
    let mut bytes = input::read_document(&file.path, kind, limits.max_bytes, bar)?;
    if let Some(label) = args.encoding.as_deref().filter(|_| kind != FormatKind::Docx) {
        bytes = Encoding::from_label(label)?.decode(&bytes)?.into_bytes();
    }
    Ok(format::decode(kind, "", &bytes, &limits)?)
}

fn progress(inputs: &Inputs) -> ProgressBar {
    if messages::is_quiet() {
        return ProgressBar::hidden();
    }
    let size =
        inputs.files.iter().filter_map(|file| file.path.metadata().ok()).map(|metadata| metadata.len());
    let bar = ProgressBar::with_draw_target(Some(size.sum()), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} read, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
