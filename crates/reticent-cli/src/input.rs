//! What to read: files, directories, standard input.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use reticent_text::format::FormatKind;
use reticent_text::format::rows::{Fields, RowFormat};

use crate::args::{InputArgs, InputFormat};
use crate::failure::Failure;

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One document.
    Whole(FormatKind),
    /// A document in each row.
    Rows(RowFormat),
}

/// One file to work on.
#[derive(Clone, Debug)]
pub(crate) struct InputFile {
    pub(crate) path: PathBuf,
    /// Where it lies below the directory that was given; its own name if a file was given.
    pub(crate) relative: PathBuf,
    pub(crate) kind: Kind,
}

/// What was given: files to work on, and files that cannot be.
pub(crate) struct Inputs {
    pub(crate) files: Vec<InputFile>,
    pub(crate) failures: Vec<Failure>,
    /// Whether the output must be a directory.
    pub(crate) several: bool,
}

pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Lists all files, in the same order every time.
pub(crate) fn list(args: &InputArgs) -> Inputs {
    let mut inputs = Inputs { files: Vec::new(), failures: Vec::new(), several: args.inputs.len() > 1 };
    for path in &args.inputs {
        if !path.is_dir() {
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            inputs.add(args, path, relative);
            continue;
        }
        inputs.several = true;
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    let relative = entry.path().strip_prefix(path).unwrap_or(entry.path()).to_owned();
                    inputs.add(args, entry.path(), relative);
                }
                Err(error) => inputs.failures.push(Failure::new(error.to_string())),
            }
        }
    }
    inputs
}

impl Inputs {
    fn add(&mut self, args: &InputArgs, path: &Path, relative: PathBuf) {
        match kind(args, path) {
            Ok(kind) => self.files.push(InputFile { path: path.to_owned(), relative, kind }),
            Err(failure) => self.failures.push(failure),
        }
    }
}

fn kind(args: &InputArgs, path: &Path) -> Result<Kind, Failure> {
    if let Some(format) = args.input_format {
        return Ok(match format {
            InputFormat::Text => Kind::Whole(FormatKind::Text),
            InputFormat::Markdown => Kind::Whole(FormatKind::Markdown),
            InputFormat::Html => Kind::Whole(FormatKind::Html),
            InputFormat::Docx => Kind::Whole(FormatKind::Docx),
            InputFormat::Jsonl => Kind::Rows(RowFormat::Jsonl),
            InputFormat::Csv => Kind::Rows(RowFormat::Csv { separator: None }),
            InputFormat::Tsv => Kind::Rows(RowFormat::Csv { separator: Some(b'\t') }),
        });
    }
    if is_standard(path) {
        return Ok(Kind::Whole(FormatKind::Text));
    }
    let inner = if has_extension(path, "gz") { path.with_extension("") } else { path.to_owned() };
    if has_extension(&inner, "jsonl") || has_extension(&inner, "ndjson") {
        Ok(Kind::Rows(RowFormat::Jsonl))
    } else if has_extension(&inner, "csv") {
        Ok(Kind::Rows(RowFormat::Csv { separator: None }))
    } else if has_extension(&inner, "tsv") {
        Ok(Kind::Rows(RowFormat::Csv { separator: Some(b'\t') }))
    } else {
        FormatKind::from_path(&inner).map(Kind::Whole).ok_or_else(|| {
            Failure::new(format!("{}: this kind of file is not known", path.display()))
                .hint("say what it is with --input-format text, markdown, html, docx, jsonl, csv or tsv")
        })
    }
}

pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Opens a file or standard input, unpacking `.gz`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    open_watched(path, &ProgressBar::hidden())
}

/// The same; the bar goes on with each byte that is read of the file.
pub(crate) fn open_watched(path: &Path, bar: &ProgressBar) -> Result<Box<dyn BufRead + Send>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let file = File::open(path).map_err(|error| Failure::io(path, "open it", &error))?;
    let file = bar.wrap_read(file);
    if has_extension(path, "gz") {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Reads a whole file, but not more than the policy allows.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    read_watched(path, most, &ProgressBar::hidden())
}

/// The same; the bar goes on with each byte that is read of the file.
pub(crate) fn read_watched(path: &Path, most: u64, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut limited = open_watched(path, bar)?.take(most.saturating_add(1));
    limited.read_to_end(&mut bytes).map_err(|error| Failure::io(path, "read it", &error))?;
    if bytes.len() as u64 > most {
        return Err(Failure::new(format!("{}: larger than {most} bytes", path.display()))
            .hint("raise `limits.max_bytes` in the policy"));
    }
    Ok(bytes)
}

/// Which fields of a row hold what.
pub(crate) fn fields(args: &InputArgs) -> Fields {
    let given = !args.text_field.is_empty();
    Fields {
        text: if given { args.text_field.clone() } else { vec!["text".to_owned()] },
        text_may_miss: !given,
        all: true,
        id: args.id_field.clone(),
        subject: args.subject_field.clone(),
        person: args.person_field.clone(),
        keep: args.keep_field.clone(),
        replaced: vec!["spans".to_owned(), "edits".to_owned()],
    }
}
