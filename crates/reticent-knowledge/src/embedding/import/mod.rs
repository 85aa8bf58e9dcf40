//! Vectors that other programs trained: word2vec, fastText and `GloVe` files.
//!
//! A reader takes bytes and gives a [`VectorTable`]. It refuses what is damaged, what has vectors of
//! several dimensions, and numbers that are none, with the line where lines exist; and it trusts no
//! number in a header: room is made only for what is really there.
//!
//! To add a format: a file here, a variant of [`Format`], a way to tell it in `recognize`, a fuzz target,
//! and a test with a small file as the other program writes it.

mod binary;
mod fasttext;
mod text;

use std::collections::HashSet;
use std::io::BufRead;

use reticent_text::Language;

use super::VectorTable;
use crate::{Error, ErrorKind};

/// The longest term that is read, in bytes.
const LONGEST: usize = 4096;

/// The largest dimension that is read.
const MOST_DIMENSIONS: usize = 16_384;

/// Who wrote the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// word2vec or fastText `.vec`: a line with how many and how long, then a line for each word.
    Word2vecText,
    /// word2vec `-binary 1`: the same line, then words and raw numbers.
    Word2vecBinary,
    /// fastText `.bin`, not quantized, with its subwords.
    FastText,
    /// `GloVe`: a line for each word, and no line before.
    Glove,
}

/// What was read.
#[derive(Debug)]
pub struct Imported {
    /// The vectors.
    pub table: VectorTable,
    /// In which format they were.
    pub format: Format,
    /// Words that had a vector before, or are not UTF-8: the first vector holds.
    pub left_out: u64,
}

/// Reads vectors in a format that is given or else recognized.
///
/// ```
/// use reticent_knowledge::embedding::import::{Format, import};
/// use reticent_text::Language;
/// let file = b"2 3\nactor 0.1 0.2 0.3\nfilm 1 0 -1\n";
/// let imported = import(&file[..], None, "words", Language::English)?;
/// assert_eq!(imported.format, Format::Word2vecText);
/// assert_eq!(imported.table.row(1), [1.0, 0.0, -1.0]);
///
/// let mixed = b"actor 0.1 0.2 0.3\nfilm 1 0\n";
/// let error = import(&mixed[..], None, "words", Language::English).unwrap_err();
/// assert!(error.to_string().contains("line 2"));
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub fn import(
    mut from: impl BufRead,
    format: Option<Format>,
    name: &str,
    language: Language,
) -> Result<Imported, Error> {
    let beginning = from.fill_buf()?;
    if beginning.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "the vector file is empty"));
    }
    let format = match format {
        Some(format) => format,
        None => recognize(beginning),
    };
    let mut builder =
        Builder { table: VectorTable::new(name, language, 0), seen: HashSet::new(), left_out: 0 };
    match format {
        Format::Word2vecText => text::read(from, true, &mut builder)?,
        Format::Glove => text::read(from, false, &mut builder)?,
        Format::Word2vecBinary => binary::read(from, &mut builder)?,
        Format::FastText => fasttext::read(from, &mut builder)?,
    }
    if builder.table.terms.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "the file has no vectors"));
    }
    Ok(Imported { table: builder.table, format, left_out: builder.left_out })
}

/// By how a file begins.
fn recognize(beginning: &[u8]) -> Format {
    if beginning.starts_with(&fasttext::MAGIC.to_le_bytes()) {
        return Format::FastText;
    }
    let mut lines = beginning.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    if first.and_then(header).is_none() {
        return Format::Glove;
    }
    // In text all numbers of the next line can be read; raw numbers are hardly ever text.
    let is_text = lines.next().is_none_or(|line| {
        let Ok(line) = std::str::from_utf8(line) else { return false };
        let mut fields = line.trim_end().split([' ', '\t']);
        fields.next();
        let mut fields = fields.peekable();
        let complete = line.ends_with('\n');
        fields.peek().is_some()
            && (!complete || fields.next_back().is_some_and(|last| last.parse::<f32>().is_ok()))
    });
    if is_text { Format::Word2vecText } else { Format::Word2vecBinary }
}

/// How many vectors of how many numbers, if a line says so.
fn header(line: &str) -> Option<(u64, usize)> {
    let mut fields = line.split_whitespace();
    let both = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    fields.next().is_none().then_some(both)
}

/// What the readers fill.
struct Builder {
    table: VectorTable,
    seen: HashSet<String>,
    left_out: u64,
}

impl Builder {
    fn set_dimension(&mut self, dimension: usize) -> Result<(), Error> {
        if !(1..=MOST_DIMENSIONS).contains(&dimension) {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the file declares {dimension} dimensions; 1 to {MOST_DIMENSIONS} are supported"),
            ));
        }
        self.table.dimension = dimension;
        Ok(())
    }

    /// Adds a word whose vector was just put at the end of the rows; takes it away if the word is there.
    fn add(&mut self, word: Option<&str>, vector: &[f32]) -> Result<(), Error> {
        let Some(word) = word.filter(|word| !word.is_empty() && !self.seen.contains(*word)) else {
            self.left_out += 1;
            return Ok(());
        };
        if word.len() > LONGEST {
            return Err(Error::new(ErrorKind::Limit, format!("a word is longer than {LONGEST} bytes")));
        }
        if vector.iter().any(|x| !x.is_finite()) {
            return Err(Error::new(ErrorKind::Malformed, "a vector has a component that is not finite"));
        }
        if self.table.terms.len() >= u32::MAX as usize {
            return Err(Error::new(ErrorKind::Limit, "there are too many vectors"));
        }
        self.seen.insert(word.to_owned());
        self.table.terms.push(word.to_owned());
        self.table.rows.extend_from_slice(vector);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
