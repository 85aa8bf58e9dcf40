//! Input files, directories and standard input.

pub(crate) mod unsupported;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use reticent_text::format::FormatKind;
use reticent_text::format::rows::{Fields, RowFormat};

use crate::args::{InputArgs, InputFormat};
use crate::failure::{Failure, Outcome};
use crate::messages;

/// The way a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One document.
    Whole(FormatKind),
    /// A document in each row.
    Rows(RowFormat),
}

impl Kind {
    /// The name of the format on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Whole(format) => format.name(),
            Self::Rows(RowFormat::Jsonl) => "jsonl",
            Self::Rows(RowFormat::Csv { separator: Some(b'\t') }) => "tsv",
            Self::Rows(RowFormat::Csv { .. }) => "csv",
        }
    }
}

/// One input file.
#[derive(Clone, Debug)]
pub(crate) struct InputFile {
    pub(crate) path: PathBuf,
    /// The path relative to the input directory, or the file name of an input file.
    pub(crate) relative: PathBuf,
    pub(crate) kind: Kind,
}

/// The input files, and those that cannot be processed.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) files: Vec<InputFile>,
    pub(crate) failures: Vec<Failure>,
    /// Symbolic links in directories, which may lead out of them and are not followed.
    pub(crate) links: Vec<PathBuf>,
    /// True if the output must be a directory.
    pub(crate) several: bool,
}

pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// True for an inherited file descriptor: `/dev/stdin`, or a path that a shell substitutes for `<(command)`.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"]
        .iter()
        .any(|descriptors| path.starts_with(descriptors))
}

/// Lists all files in a deterministic order.
pub(crate) fn list(args: &InputArgs) -> Inputs {
    let mut inputs = Inputs { several: args.inputs.len() > 1, ..Inputs::default() };
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
                Ok(entry) if entry.path_is_symlink() => inputs.links.push(entry.into_path()),
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

    /// Rejects two files with the same name, for commands that identify documents by name.
    pub(crate) fn check_names(&self) -> Result<(), Failure> {
        let mut known: HashMap<&Path, &Path> = HashMap::new();
        for file in &self.files {
            if let Some(other) = known.insert(&file.relative, &file.path) {
                return Err(Failure::new(format!(
                    "{} and {} have the same name",
                    other.display(),
                    file.path.display()
                ))
                .hint("rename one, or pass the directory that contains both"));
            }
        }
        Ok(())
    }

    /// Reports the inputs that were not processed.
    pub(crate) fn report(&self) -> Outcome {
        for link in &self.links {
            messages::warn(&format!(
                "{}: symbolic links in directories are not followed; pass the target as an input",
                link.display()
            ));
        }
        self.failures.iter().for_each(messages::error);
        if !self.failures.is_empty() {
            Outcome::Failed
        } else if !self.links.is_empty() {
            Outcome::Unresolved
        } else {
            Outcome::Done
        }
    }

    /// Fails unless all inputs can be processed.
    pub(crate) fn require_all(&mut self) -> Result<(), Failure> {
        if let Some(link) = self.links.first() {
            return Err(Failure::new(format!(
                "{}: symbolic links in directories are not followed",
                link.display()
            ))
            .hint("pass the target as an input"));
        }
        self.failures.pop().map_or(Ok(()), Err)
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
    if is_standard(path) || is_descriptor(path) {
        return Ok(Kind::Whole(FormatKind::Text));
    }
    kind_of_name(path).ok_or_else(|| {
        let inner = without_gz(path);
        match unsupported::by_extension(path).or_else(|| unsupported::by_extension(&inner)) {
            Some(found) => found.refused(path),
            None => Failure::new(format!("{}: unknown file type", path.display()))
                .hint("pass --input-format with text, markdown, html, docx, jsonl, csv or tsv"),
        }
    })
}

/// The kind of a file by its extension.
pub(crate) fn kind_of_name(path: &Path) -> Option<Kind> {
    let inner = without_gz(path);
    if has_extension(&inner, "jsonl") || has_extension(&inner, "ndjson") {
        Some(Kind::Rows(RowFormat::Jsonl))
    } else if has_extension(&inner, "csv") {
        Some(Kind::Rows(RowFormat::Csv { separator: None }))
    } else if has_extension(&inner, "tsv") {
        Some(Kind::Rows(RowFormat::Csv { separator: Some(b'\t') }))
    } else {
        FormatKind::from_path(&inner).map(Kind::Whole)
    }
}

/// The name without a final `.gz`.
pub(crate) fn without_gz(path: &Path) -> PathBuf {
    if has_extension(path, "gz") { path.with_extension("") } else { path.to_owned() }
}

pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Opens a file or standard input, unpacking `.gz`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    open_watched(path, &ProgressBar::hidden())
}

/// Opens a file, advancing the progress bar with each byte read.
pub(crate) fn open_watched(path: &Path, bar: &ProgressBar) -> Result<Box<dyn BufRead + Send>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let opened = |error: std::io::Error| Failure::io(path, "open", &error);
    // Opening a pipe waits for a writer, which may never come.
    if !is_descriptor(path) && !path.metadata().map_err(opened)?.is_file() {
        return Err(Failure::new(format!("{}: not a regular file", path.display()))
            .hint("to read from a pipe or device, redirect it to standard input and pass `-`"));
    }
    let file = File::open(path).map_err(opened)?;
    let file = bar.wrap_read(file);
    if has_extension(path, "gz") {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Opens a file of rows, which must be text.
pub(crate) fn open_rows(path: &Path, bar: &ProgressBar) -> Result<Box<dyn BufRead + Send>, Failure> {
    let mut reader = open_watched(path, bar)?;
    let start = reader.fill_buf().map_err(|error| Failure::io(path, "read", &error))?;
    unsupported::refuse(path, start)?;
    Ok(reader)
}

/// Reads a file that is one document of this format. The content is checked too: a PDF named `.txt` is rejected.
pub(crate) fn read_document(
    path: &Path,
    kind: FormatKind,
    most: u64,
    bar: &ProgressBar,
) -> Result<Vec<u8>, Failure> {
    let bytes = read_watched(path, most, bar)?;
    if kind != FormatKind::Docx {
        unsupported::refuse(path, &bytes)?;
    }
    Ok(bytes)
}

/// Reads a whole file up to a limit.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    read_watched(path, most, &ProgressBar::hidden())
}

/// Reads a whole file, advancing the progress bar with each byte read.
pub(crate) fn read_watched(path: &Path, most: u64, bar: &ProgressBar) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut limited = open_watched(path, bar)?.take(most.saturating_add(1));
    limited.read_to_end(&mut bytes).map_err(|error| Failure::io(path, "read", &error))?;
    if bytes.len() as u64 > most {
        return Err(Failure::new(format!("{}: the file is larger than {most} bytes", path.display()))
            .hint("raise `limits.max_bytes` in the policy"));
    }
    Ok(bytes)
}

/// The fields of a row and their roles.
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
