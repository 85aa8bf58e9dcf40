//! What stands between the fields of a CSV file, told from its first rows.

use super::csv::{Cell, Dialect, Splitter};
use crate::{Error, ErrorKind};

/// How much of a file is looked at.
const SAMPLE_BYTES: usize = 64 << 10;
const SAMPLE_ROWS: usize = 100;

/// The dialect in which the first rows have the same number of fields, no name in the header has a quote inside, and
/// there are most fields. If they differ in all, that in which the header has the most, so that the first row that does
/// not fit is told.
pub(super) fn told(text: &str) -> Dialect {
    let tried = [b',', b';', b'\t', b'|'].map(|separator| {
        let dialect = with_separator(text, separator);
        let Widths { header, clean, alike } = widths(text, dialect);
        ((alike && header > 1, clean, header, alike), dialect)
    });
    // The first of equals: `max_by_key` would take the last.
    let best = tried.iter().map(|(fit, _)| *fit).max();
    tried.iter().find(|(fit, _)| Some(*fit) == best).map_or(tried[0].1, |(_, dialect)| *dialect)
}

/// The dialect with this separator.
pub(super) fn with_separator(text: &str, separator: u8) -> Dialect {
    let newline = newline_of(text);
    let dialect = Dialect { separator, blank: true, newline };
    let mut splitter = Splitter::new(sample(text), dialect);
    let mut cells = Vec::new();
    let mut blanks = 0;
    for _ in 0..SAMPLE_ROWS {
        match splitter.next(&mut cells) {
            Ok(true) => blanks += cells.len() - 1,
            _ => break,
        }
        if is_cut(text, splitter.at) {
            break;
        }
    }
    Dialect { blank: blanks > 0 && splitter.unblanked == 0 && separator != b'\t', ..dialect }
}

/// The line end of the first line, quoted fields aside.
pub(super) fn newline_of(text: &str) -> &'static str {
    let mut in_quotes = false;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'\n' if !in_quotes => return "\n",
            b'\r' if !in_quotes && bytes.get(at + 1) == Some(&b'\n') => return "\r\n",
            b'\r' if !in_quotes && memchr::memchr(b'\n', bytes).is_none() => return "\r",
            _ => {}
        }
    }
    "\n"
}

fn sample(text: &str) -> &str {
    &text[..text.floor_char_boundary(SAMPLE_BYTES)]
}

/// Whether the sample ended within the record.
fn is_cut(text: &str, at: usize) -> bool {
    at >= SAMPLE_BYTES.min(text.len()) && text.len() > SAMPLE_BYTES
}

/// How a dialect fits.
struct Widths {
    /// How many fields the header has.
    header: usize,
    /// Whether quotes stand around its names only.
    clean: bool,
    /// Whether the rows after it have as many fields.
    alike: bool,
}

fn widths(text: &str, dialect: Dialect) -> Widths {
    let sample = sample(text);
    let mut splitter = Splitter::new(sample, dialect);
    let mut cells: Vec<Cell> = Vec::new();
    let mut fit = Widths { header: 0, clean: false, alike: true };
    for _ in 0..SAMPLE_ROWS {
        match splitter.next(&mut cells) {
            Ok(false) => break,
            Ok(true) if fit.header == 0 => {
                fit.header = cells.len();
                fit.clean = cells.iter().all(|cell| cell.quoted || !cell.text(sample).contains('"'));
            }
            _ if is_cut(text, splitter.at) => break,
            Ok(true) if fit.header == cells.len() => {}
            _ => {
                fit.alike = false;
                break;
            }
        }
    }
    fit
}

/// Refuses a first row that looks like the others: a table without names.
pub(super) fn check_header(text: &str, at: usize, names: &[String], dialect: Dialect) -> Result<(), Error> {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok_and(f64::is_finite);
    let is_year = |text: &str| text.trim().parse::<u16>().is_ok_and(|year| (1000..3000).contains(&year));
    let suspects: Vec<usize> =
        (0..names.len()).filter(|at| is_number(&names[*at]) && !is_year(&names[*at])).collect();
    if suspects.is_empty() {
        return Ok(());
    }
    let rest = &text[at..];
    let mut splitter = Splitter::new(rest, dialect);
    let mut cells = Vec::new();
    let mut rows = 0;
    while rows < SAMPLE_ROWS && splitter.next(&mut cells) == Ok(true) && cells.len() == names.len() {
        rows += 1;
        if !suspects.iter().all(|at| is_number(&cells[*at].text(rest))) {
            return Ok(());
        }
    }
    if rows == 0 {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Format, "the first row looks like data: the column names are missing")
        .with_hint("add a first row with the column names"))
}
