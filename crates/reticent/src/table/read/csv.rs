//! Tables with separators: CSV and TSV.
//!
//! Our own splitter, since no crate tells which fields were quoted, and since what cannot be read in one way
//! only must be refused.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{ReadOptions, assembled, check_cell, check_names, check_rows, dialect};
use crate::table::source::{Coding, SeparatedColumn, SeparatedStyle, Style, Tally};
use crate::table::{ColumnBuilder, Format, Source, Table};
use crate::{Error, ErrorKind};

const QUOTE: u8 = b'"';

/// What stands between fields and between rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) struct Dialect {
    pub(in crate::table) separator: u8,
    /// Whether a blank follows each separator.
    pub(in crate::table) blank: bool,
    pub(in crate::table) newline: &'static str,
}

/// Where a field stands, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    start: usize,
    end: usize,
    pub(super) quoted: bool,
    doubled: bool,
}

impl Cell {
    pub(super) fn text(self, source: &str) -> Cow<'_, str> {
        let text = &source[self.start..self.end];
        if self.doubled { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) }
    }

    fn is_blank(self) -> bool {
        !self.quoted && self.start == self.end
    }
}

/// Splits text into records.
pub(super) struct Splitter<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// Where the record that is being read begins.
    start: usize,
    /// Where the last record ended, before its line end.
    end: usize,
    dialect: Dialect,
    /// How many fields had no blank before them, where the dialect has one.
    pub(super) unblanked: usize,
}

impl<'t> Splitter<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect) -> Self {
        Self { text, at: 0, start: 0, end: 0, dialect, unblanked: 0 }
    }

    /// The next record that is no empty line; whether there was one.
    pub(super) fn next(&mut self, cells: &mut Vec<Cell>) -> Result<bool, &'static str> {
        loop {
            cells.clear();
            if self.at >= self.text.len() {
                return Ok(false);
            }
            self.start = self.at;
            let end = self.record(cells)?;
            if !matches!(cells[..], [only] if only.is_blank()) {
                self.end = end;
                return Ok(true);
            }
        }
    }

    /// The line on which the last record begins, counted from 1.
    fn line(&self) -> usize {
        let newline = self.dialect.newline.as_bytes().last().copied().unwrap_or(b'\n');
        memchr::memchr_iter(newline, &self.text.as_bytes()[..self.start]).count() + 1
    }

    /// Reads one record; tells where it ends.
    fn record(&mut self, cells: &mut Vec<Cell>) -> Result<usize, &'static str> {
        let bytes = self.text.as_bytes();
        let (separator, newline) = (self.dialect.separator, self.dialect.newline);
        let last = newline.as_bytes().last().copied().unwrap_or(b'\n');
        loop {
            if self.dialect.blank && !cells.is_empty() {
                if bytes.get(self.at) == Some(&b' ') { self.at += 1 } else { self.unblanked += 1 }
            }
            if bytes.get(self.at) == Some(&QUOTE) {
                cells.push(self.quoted()?);
            } else {
                let rest = &bytes[self.at..];
                let length = memchr::memchr2(separator, last, rest).unwrap_or(rest.len());
                let mut end = self.at + length;
                let start = self.at;
                self.at = end;
                // A `\r` before the line end belongs to it, however other lines end.
                if rest.get(length) == Some(&b'\n') && rest[..length].ends_with(b"\r") {
                    end -= 1;
                }
                cells.push(Cell { start, end, quoted: false, doubled: false });
            }
            let end = cells.last().map_or(self.at, |cell| cell.end + usize::from(cell.quoted));
            match &bytes[self.at..] {
                [] => return Ok(end),
                [byte, ..] if *byte == separator => self.at += 1,
                [byte, ..] if *byte == last => {
                    self.at += 1;
                    return Ok(end);
                }
                [b'\r', b'\n', ..] => {
                    self.at += 2;
                    return Ok(end);
                }
                _ => return Err("text follows the closing quote of a value"),
            }
        }
    }

    fn quoted(&mut self) -> Result<Cell, &'static str> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut doubled = false;
        self.at = start;
        loop {
            let Some(quote) = memchr::memchr(QUOTE, &bytes[self.at..]) else {
                return Err("a quoted value is not closed");
            };
            let quote = self.at + quote;
            if bytes.get(quote + 1) == Some(&QUOTE) {
                doubled = true;
                self.at = quote + 2;
            } else {
                self.at = quote + 1;
                return Ok(Cell { start, end: quote, quoted: true, doubled });
            }
        }
    }

    /// What follows the last record.
    fn tail(&self) -> &'t str {
        &self.text[self.end.min(self.text.len())..]
    }
}

/// Whether a value can only be written in quotes.
pub(in crate::table) fn needs_quotes(value: &str, dialect: &Dialect) -> bool {
    let bytes = value.as_bytes();
    memchr::memchr3(QUOTE, b'\n', b'\r', bytes).is_some()
        || memchr::memchr(dialect.separator, bytes).is_some()
        || (dialect.blank && bytes.first() == Some(&b' '))
}

/// What is known of how a column is written, while it is read.
#[derive(Default)]
struct Seen {
    bare: usize,
    needless_quotes: usize,
    missing: Tally<String>,
    missing_bare: usize,
    missing_quoted: usize,
}

impl Seen {
    fn style(self) -> SeparatedColumn {
        SeparatedColumn {
            quoted: self.bare == 0 && self.needless_quotes > 0,
            missing: self.missing.most().unwrap_or_default(),
            missing_quoted: self.missing_quoted > self.missing_bare,
        }
    }
}

pub(super) fn read(text: &str, coding: Coding, options: &ReadOptions) -> Result<(Table, Source), Error> {
    let dialect = match options.format {
        Format::Tsv => dialect::with_separator(text, b'\t'),
        _ => dialect::told(text),
    };
    let mut splitter = Splitter::new(text, dialect);
    let mut cells = Vec::new();
    let some = splitter.next(&mut cells).map_err(|what| broken(what, "the header", 1))?;
    if !some {
        return Err(Error::new(ErrorKind::Format, "the file is empty")
            .with_hint("the first row of a table must contain the column names"));
    }
    let names: Vec<String> = cells.iter().map(|cell| cell.text(text).into_owned()).collect();
    let quoted_header =
        cells.iter().all(|cell| cell.quoted) && names.iter().any(|name| !needs_quotes(name, &dialect));
    check_names(names.iter().map(String::as_str), &options.limits)?;
    dialect::check_header(text, splitter.at, &names, dialect)?;
    let mut columns: Vec<(ColumnBuilder, Seen)> =
        names.iter().map(|name| (ColumnBuilder::new(name), Seen::default())).collect();
    let mut row = 0;
    loop {
        match splitter.next(&mut cells) {
            Ok(false) => break,
            Ok(true) => row += 1,
            Err(what) => {
                return Err(broken(what, &format!("row {}", row + 1), splitter.line()));
            }
        }
        check_rows(row, &options.limits)?;
        if cells.len() != columns.len() {
            let what =
                format!("the row has {} values, but the table has {} columns", cells.len(), columns.len());
            return Err(broken(&what, &format!("row {row}"), splitter.line()));
        }
        for (at, (cell, (builder, seen))) in cells.iter().zip(&mut columns).enumerate() {
            let value = cell.text(text);
            if value.is_empty() || options.missing.iter().any(|word| *word == *value) {
                builder.push(None);
                seen.missing.add(&*value);
                *(if cell.quoted { &mut seen.missing_quoted } else { &mut seen.missing_bare }) += 1;
                continue;
            }
            check_cell(&value, row, &names[at], &options.limits)?;
            if !cell.quoted {
                seen.bare += 1;
            } else if seen.bare == 0 && seen.needless_quotes == 0 && !needs_quotes(&value, &dialect) {
                seen.needless_quotes = 1;
            }
            builder.push(Some(&value));
        }
    }
    let tail = splitter.tail().to_owned();
    let mut styles = HashMap::new();
    let mut built = Vec::with_capacity(columns.len());
    for (name, (builder, seen)) in names.into_iter().zip(columns) {
        styles.insert(name, seen.style());
        built.push(builder.finish());
    }
    let style = SeparatedStyle { coding, dialect, quoted_header, columns: styles, tail };
    Ok((assembled(built)?, Source { style: Style::Separated(style) }))
}

/// All records, whatever their lengths.
pub(super) fn records(text: &str) -> Result<Vec<Vec<String>>, Error> {
    let mut splitter = Splitter::new(text, dialect::told(text));
    let (mut cells, mut records) = (Vec::new(), Vec::new());
    loop {
        match splitter.next(&mut cells) {
            Ok(false) => return Ok(records),
            Ok(true) => records.push(cells.iter().map(|cell| cell.text(text).into_owned()).collect()),
            Err(what) => {
                return Err(broken(what, &format!("row {}", records.len() + 1), splitter.line()));
            }
        }
    }
}

fn broken(what: &str, place: &str, line: usize) -> Error {
    Error::new(ErrorKind::Format, format!("{place} (line {line}): {what}"))
        .with_hint("every row needs one value per column; quote values that contain the separator")
}
