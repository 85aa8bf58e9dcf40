//! Readers for the formats in which taxonomies come. All fill a [`Draft`], which is packed into one file.
//!
//! To add a format: a file here with `read(input, draft)`, a member of [`Format`], a line in [`Format::of`]
//! and in `from_input`; tests with a small file, with a cycle, and with nonsense; a fuzz target.

mod icd;
mod lines;
mod obo;
mod parents;
mod rdf;
mod rf2;
mod wordnet;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use reticent_text::Language;

use super::{Draft, Summary};
use crate::{Error, ErrorKind};

/// How a taxonomy is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The `dict` directory of WordNet.
    WordNet,
    /// Open Biomedical Ontologies.
    Obo,
    /// RDF as Turtle: `rdfs:subClassOf`, `skos:broader`, `rdf:type`.
    Turtle,
    /// RDF as N-Triples.
    NTriples,
    /// SNOMED CT, release format 2, snapshot.
    Rf2,
    /// ICD-10 as XML (`ClaML`, the tabular list of ICD-10-CM, or nested items) or as a table of codes and
    /// titles.
    Icd10,
    /// A table with the columns child, parent, label, synonyms, gloss, count.
    Parents,
}

impl Format {
    /// All formats, with their names on the command line.
    pub const ALL: [(&'static str, Self); 7] = [
        ("wordnet", Self::WordNet),
        ("obo", Self::Obo),
        ("turtle", Self::Turtle),
        ("ntriples", Self::NTriples),
        ("rf2", Self::Rf2),
        ("icd10", Self::Icd10),
        ("csv", Self::Parents),
    ];

    /// The format with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// The format by a file's name and how it begins.
    pub fn of(path: &Path, start: &[u8]) -> Option<Self> {
        let start = String::from_utf8_lossy(start);
        let start = start.trim_start_matches('\u{FEFF}').trim_start();
        let first = start.lines().next().unwrap_or_default();
        let mut path = path.to_owned();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            path.set_extension("");
        }
        let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        match extension.as_ref().and_then(|extension| extension.to_str()).unwrap_or_default() {
            "obo" => return Some(Self::Obo),
            "ttl" | "turtle" => return Some(Self::Turtle),
            "nt" | "ntriples" => return Some(Self::NTriples),
            "xml" | "claml" => return Some(Self::Icd10),
            _ => {}
        }
        if first.contains("effectiveTime\t") {
            Some(Self::Rf2)
        } else if first.starts_with("format-version:") || first.starts_with("[Term]") {
            Some(Self::Obo)
        } else if start.starts_with("@prefix") || start.starts_with("@base") || start.starts_with("PREFIX") {
            Some(Self::Turtle)
        } else if start.starts_with("<?xml") || start.starts_with("<ClaML") {
            Some(Self::Icd10)
        } else if start.starts_with("<http") || start.starts_with("_:") {
            Some(Self::NTriples)
        } else if parents::is_code_table(first) {
            Some(Self::Icd10)
        } else if first.contains([',', ';', '\t']) {
            Some(Self::Parents)
        } else {
            None
        }
    }
}

/// How to read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format; told from the name and the content if not given.
    pub format: Option<Format>,
    /// What the taxonomy is called; the first file's name if not given.
    pub name: Option<String>,
    /// The language of its words; labels in other languages are left out where the format tells.
    pub language: Language,
    /// Whether all its words are names, which are written with a capital.
    pub names: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { format: None, name: None, language: Language::English, names: false }
    }
}

/// Reads files or directories into one taxonomy and packs it.
pub fn import(paths: &[PathBuf], options: &Options) -> Result<(Vec<u8>, Summary), Error> {
    let stem =
        paths.first().and_then(|path| path.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    let name = options.name.clone().or(stem).unwrap_or_else(|| "taxonomy".to_owned());
    let mut draft = Draft::new(name);
    draft.language = options.language;
    draft.names = options.names;
    for path in paths {
        let done = if path.is_dir() {
            directory(path, options, &mut draft)
        } else {
            file(path, options.format, &mut draft)
        };
        done.map_err(|error| error.in_file(path))?;
    }
    let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
    draft.pack().map_err(|error| if paths.len() == 1 { error.in_file(first) } else { error })
}

/// Reads one input in a known format. What is read from several inputs is one taxonomy.
pub fn from_input(format: Format, input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    match format {
        Format::Obo => obo::read(input, draft),
        Format::Turtle => rdf::turtle(input, draft),
        Format::NTriples => rdf::ntriples(input, draft),
        Format::Rf2 => rf2::read(input, draft),
        Format::Icd10 => icd::read(input, draft),
        Format::Parents => parents::read(input, draft),
        Format::WordNet => {
            Err(Error::new(ErrorKind::Argument, "WordNet is a directory, but a file was given")
                .with_hint("use the directory that contains data.noun"))
        }
    }
}

fn file(path: &Path, format: Option<Format>, draft: &mut Draft) -> Result<(), Error> {
    let mut input = open(path)?;
    let start = input.fill_buf()?;
    if start.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "the file is empty"));
    }
    let format = format.or_else(|| Format::of(path, start)).ok_or_else(|| {
        Error::new(ErrorKind::Argument, "unrecognized taxonomy format")
            .with_hint("set it with --format obo, turtle, ntriples, rf2, icd10 or csv")
    })?;
    from_input(format, input, draft)
}

fn directory(path: &Path, options: &Options, draft: &mut Draft) -> Result<(), Error> {
    if path.join("data.noun").is_file() {
        if options.name.is_none() {
            "wordnet".clone_into(&mut draft.name);
        }
        return wordnet::read(path, draft);
    }
    let mut found = Vec::new();
    rf2_files(path, 0, &mut found)?;
    found.sort();
    if found.is_empty() {
        return Err(Error::new(
            ErrorKind::Argument,
            "the directory is neither WordNet nor a SNOMED CT release",
        )
        .with_hint("use a directory with data.noun or sct2_Concept_Snapshot…, or the files themselves"));
    }
    for path in found {
        file(&path, Some(Format::Rf2), draft).map_err(|error| error.in_file(&path))?;
    }
    Ok(())
}

/// The files of a SNOMED CT snapshot below a directory.
fn rf2_files(path: &Path, depth: u32, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && depth < 4 {
            rf2_files(&path, depth + 1, found)?;
        } else if name.contains("Snapshot")
            && ["sct2_Concept_", "sct2_Description_", "sct2_Relationship_", "sct2_TextDefinition_"]
                .iter()
                .any(|start| name.trim_start_matches('x').starts_with(start))
        {
            found.push(path);
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    let file = File::open(path)?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}
