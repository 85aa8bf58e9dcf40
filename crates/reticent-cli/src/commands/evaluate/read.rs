//! Documents with marked spans, in any of several formats.

use std::path::Path;

use clap::ValueEnum;
use reticent::evaluate::{Marked, MarkedSpan, read_rows, read_tab};
use reticent_text::label::data;
use reticent_text::{Document, OffsetUnit, Offsets, Span};

use crate::failure::Failure;
use crate::input::{self, has_extension};

/// Largest file that is read, in bytes.
const MOST: u64 = 1 << 31;

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpansFormat {
    /// JSONL, a row for each document with `spans` or `edits`
    Jsonl,
    /// A folder of .ann files; gold has the .txt files beside them
    Brat,
    /// Tokens with labels in the last column
    Conll,
    /// JSON of the Text Anonymization Benchmark, or of the spans that a tool masked in it
    Tab,
}

/// Reads a whole text file, unpacking `.gz`; `-` is standard input.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let bytes = input::read(path, MOST).map_err(|failure| Failure { hint: None, ..failure })?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(format!("{}: not UTF-8", path.display())).hint("convert the file first"))
}

/// The format that a path suggests.
fn format(path: &Path) -> SpansFormat {
    let inner = if has_extension(path, "gz") { path.with_extension("") } else { path.to_owned() };
    let ends = |endings: &[&str]| endings.iter().any(|ending| has_extension(&inner, ending));
    if path.is_dir() {
        SpansFormat::Brat
    } else if ends(&["json"]) {
        SpansFormat::Tab
    } else if ends(&["conll", "tsv", "bio", "iob", "iob2"]) {
        SpansFormat::Conll
    } else {
        SpansFormat::Jsonl
    }
}

/// Reads documents with marked spans. `field` names the spans in rows.
pub(crate) fn marked(
    path: &Path,
    given: Option<SpansFormat>,
    field: Option<&str>,
) -> Result<Vec<Marked>, Failure> {
    let format = given.unwrap_or_else(|| format(path));
    if field.is_some() && format != SpansFormat::Jsonl {
        return Err(Failure::new(format!("{}: a field can only be given for JSONL", path.display())));
    }
    let named = super::in_file(path);
    let all = match format {
        SpansFormat::Jsonl => read_rows(&text(path)?, field).map_err(named)?,
        SpansFormat::Tab => read_tab(&text(path)?).map_err(named)?,
        SpansFormat::Brat => brat(path)?,
        SpansFormat::Conll => {
            let read = data::conll("", &text(path)?);
            let documents = read.map_err(|error| named(error.into()))?;
            let marked = documents.iter().enumerate().map(|(at, (document, entities))| {
                from_bytes(format!("CoNLL {}", at + 1), at + 1, document, entities)
            });
            marked.collect()
        }
    };
    Ok(all)
}

fn from_bytes(id: String, row: usize, document: &Document, entities: &[(Span, String)]) -> Marked {
    let offsets = Offsets::new(document.text(), OffsetUnit::Chars);
    let spans = entities.iter().map(|(span, kind)| {
        let (start, end) = offsets.outside(*span);
        MarkedSpan { start, end, kind: Some(kind.clone()), score: None }
    });
    Marked { id, row, text: Some(document.text().to_owned()), spans: spans.collect() }
}

/// The names of all annotation files of a folder, without their ending.
pub(super) fn stems(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::io(folder, "list it", &error))?;
    let mut stems = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| Failure::io(folder, "list it", &error))?.path();
        if let Some(stem) = path.file_stem().filter(|_| has_extension(&path, "ann")) {
            let stem = stem.to_str().ok_or_else(|| {
                Failure::new(format!("{}: contains a file whose name is not UTF-8", folder.display()))
            })?;
            stems.push(stem.to_owned());
        }
    }
    if stems.is_empty() {
        return Err(Failure::new(format!("{}: contains no .ann files", folder.display())));
    }
    stems.sort();
    Ok(stems)
}

/// One file of annotations of a text.
pub(super) fn annotations(folder: &Path, stem: &str, text: &str) -> Result<Vec<(Span, String)>, Failure> {
    let path = folder.join(format!("{stem}.ann"));
    let read = data::brat(stem, text, &self::text(&path)?);
    Ok(read.map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?.1)
}

fn brat(folder: &Path) -> Result<Vec<Marked>, Failure> {
    let mut all = Vec::new();
    for (row, stem) in (1..).zip(stems(folder)?) {
        let of_text = folder.join(format!("{stem}.txt"));
        let marked = if of_text.is_file() {
            let text = text(&of_text)?;
            let entities = annotations(folder, &stem, &text)?;
            from_bytes(stem.clone(), row, &Document::plain(stem, text), &entities)
        } else {
            without_text(folder, &stem, row)?
        };
        all.push(marked);
    }
    Ok(all)
}

/// Annotations whose text is elsewhere: their places are checked when it is there.
fn without_text(folder: &Path, stem: &str, row: usize) -> Result<Marked, Failure> {
    let path = folder.join(format!("{stem}.ann"));
    let mut spans = Vec::new();
    for (number, line) in (1..).zip(text(&path)?.lines()) {
        let Some(rest) = line.strip_prefix('T') else { continue };
        let read = || {
            let (kind, places) = rest.split('\t').nth(1)?.split_once(' ')?;
            let (first, last) = (places.split([' ', ';']).next()?, places.rsplit([' ', ';']).next()?);
            let (start, end) = (first.parse().ok()?, last.parse().ok()?);
            (start <= end).then(|| MarkedSpan { start, end, kind: Some(kind.to_owned()), score: None })
        };
        let span = read().ok_or_else(|| {
            Failure::new(format!(
                "{}: the annotation on line {number} has no kind, start and end",
                path.display()
            ))
        })?;
        spans.push(span);
    }
    Ok(Marked { id: stem.to_owned(), row, text: None, spans })
}
