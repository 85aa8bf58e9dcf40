//! A row of CSV: where its fields stand, and their text.
//!
//! Our own splitter, since no crate tells the byte ranges of fields.

use std::ops::Range;

use super::{Fields, Hidden, Row, SEPARATOR, Shape, missing, shifted};
use crate::format::builder::{Block, Builder};
use crate::format::plain;
use crate::source::{Cut, apply};
use crate::{Error, ErrorKind, Escape, RegionKind};

const QUOTE: u8 = b'"';

/// Where a field stands, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) content: Range<usize>,
    pub(super) quoted: bool,
}

/// Splits a record into fields while its lines come in.
pub(super) struct Splitter {
    separator: u8,
    cells: Vec<Cell>,
    at: usize,
    state: State,
}

enum State {
    Start,
    Quoted { start: usize },
    Closed,
}

impl Splitter {
    pub(super) fn new(separator: u8) -> Result<Self, Error> {
        if !separator.is_ascii() || matches!(separator, QUOTE | b'\n' | b'\r') {
            return Err(Error::new(ErrorKind::Malformed, "invalid field separator")
                .with_hint("use a comma, a semicolon or a tab"));
        }
        Ok(Self { separator, cells: Vec::new(), at: 0, state: State::Start })
    }

    pub(super) fn finish(self) -> Vec<Cell> {
        self.cells
    }

    /// Goes on after another line; tells whether the record is whole.
    pub(super) fn feed(&mut self, record: &[u8]) -> Result<bool, Error> {
        loop {
            match self.state {
                State::Start if record.get(self.at) == Some(&QUOTE) => {
                    self.at += 1;
                    self.state = State::Quoted { start: self.at };
                }
                State::Start => {
                    let rest = &record[self.at..];
                    let end = memchr::memchr2(self.separator, b'\n', rest).unwrap_or(rest.len());
                    let stop = rest.get(end).copied();
                    let line_end = stop != Some(self.separator);
                    let content = if line_end && rest[..end].ends_with(b"\r") { end - 1 } else { end };
                    self.cells.push(Cell { content: self.at..self.at + content, quoted: false });
                    self.at += end + 1;
                    if line_end {
                        return Ok(true);
                    }
                }
                State::Quoted { start } => {
                    let Some(quote) = memchr::memchr(QUOTE, &record[self.at..]) else {
                        self.at = record.len();
                        return Ok(false);
                    };
                    let quote = self.at + quote;
                    if record.get(quote + 1) == Some(&QUOTE) {
                        self.at = quote + 2;
                    } else {
                        self.cells.push(Cell { content: start..quote, quoted: true });
                        self.at = quote + 1;
                        self.state = State::Closed;
                    }
                }
                State::Closed => match &record[self.at..] {
                    [byte, ..] if *byte == self.separator => {
                        self.at += 1;
                        self.state = State::Start;
                    }
                    [] | [b'\n' | b'\r'] | [b'\r', b'\n'] => return Ok(true),
                    _ => {
                        return Err(Error::new(
                            ErrorKind::Malformed,
                            "text follows the closing quote of a field",
                        ));
                    }
                },
            }
        }
    }
}

/// The columns of a file, and which of them are wanted.
pub(super) struct Columns {
    separator: u8,
    names: Vec<String>,
    text: Vec<(String, usize)>,
    /// All others that are examined.
    others: Vec<(String, usize)>,
    id: Option<usize>,
    subject: Option<usize>,
    person: Option<usize>,
    /// Columns that are not released, and whether they name the subject.
    hidden: Vec<(usize, bool)>,
}

impl Columns {
    /// Finds the columns that the fields name. With `needs_text` the text fields must be among them.
    pub(super) fn new(
        header: &[u8],
        cells: &[Cell],
        separator: u8,
        fields: &Fields,
        needs_text: bool,
    ) -> Result<Self, Error> {
        let mut names = Vec::with_capacity(cells.len());
        for cell in cells {
            let mut block = Block::default();
            read(header, 0, cell, &mut block)?;
            names.push(block.text().to_owned());
        }
        let find = |field: &str| -> Result<usize, Error> {
            let mut places = names.iter().enumerate().filter(|(_, name)| *name == field).map(|(at, _)| at);
            let place = places.next().ok_or_else(|| {
                missing(field)
                    .at_line(1)
                    .with_hint("the first line of a CSV file must contain the column names")
            })?;
            match places.next() {
                None => Ok(place),
                Some(_) => {
                    Err(Error::new(ErrorKind::Malformed, format!("the field `{field}` occurs twice"))
                        .at_line(1))
                }
            }
        };
        let text = fields.text.iter().filter(|field| needs_text || names.contains(field));
        let text: Vec<(String, usize)> =
            text.map(|field| Ok((field.clone(), find(field)?))).collect::<Result<_, Error>>()?;
        let id = fields.id.as_deref().map(find).transpose()?;
        let subject = fields.subject.as_deref().map(find).transpose()?;
        let person = fields.person.as_deref().map(find).transpose()?;
        let hidden = fields.hidden().map(|(field, names_subject)| Ok((find(field)?, names_subject)));
        let hidden = hidden.collect::<Result<_, Error>>()?;
        let apart = |name: &String| fields.text.contains(name) || fields.is_apart(name);
        let others = names.iter().enumerate().filter(|(_, name)| fields.all && !apart(name));
        let others = others.map(|(at, name)| (name.clone(), at)).collect();
        Ok(Self { separator, names, text, others, id, subject, person, hidden })
    }

    /// A row of empty cells.
    pub(super) fn empty_row(&self) -> Vec<u8> {
        let mut row = if self.count() == 1 { vec![QUOTE; 2] } else { vec![self.separator; self.count() - 1] };
        row.push(b'\n');
        row
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    pub(super) fn separator(&self) -> u8 {
        self.separator
    }

    /// Reads a row, whose record begins at `start` of `raw`.
    pub(super) fn row(
        &self,
        raw: Vec<u8>,
        start: usize,
        mut cells: Vec<Cell>,
        line: u64,
    ) -> Result<Row, Error> {
        if cells.len() != self.count() {
            return Err(Error::new(
                ErrorKind::Malformed,
                format!("the row has {} fields, the header {}", cells.len(), self.count()),
            ));
        }
        for cell in &mut cells {
            cell.content = shifted(&cell.content, start);
        }
        let mut builder = Builder::default();
        for (name, at) in &self.text {
            let mut block = Block::default();
            read(&raw, 0, &cells[*at], &mut block)?;
            builder.add_after(SEPARATOR, block, RegionKind::Body, name);
        }
        for (name, at) in &self.others {
            let mut block = Block::default();
            read(&raw, 0, &cells[*at], &mut block)?;
            if !block.text().is_empty() {
                builder.add_after(SEPARATOR, block, RegionKind::Field, name);
            }
        }
        let named = |at: usize| -> Result<Option<String>, Error> {
            let mut block = Block::default();
            read(&raw, 0, &cells[at], &mut block)?;
            Ok(Some(block.text().to_owned()).filter(|name| !name.is_empty()))
        };
        let id = self.id.map(named).transpose()?.flatten();
        let subject = self.subject.map(named).transpose()?.flatten();
        let person = self.person.map(named).transpose()?.flatten();
        let hidden = self.hidden.iter().map(|(at, names_subject)| Hidden {
            value: cells[*at].content.clone(),
            names_subject: *names_subject,
        });
        let hidden = hidden.collect();
        let document = builder.finish(&id.unwrap_or_else(|| format!("line {line}"))).with_person(person);
        let shape = Shape::Csv { separator: self.separator, cells };
        Ok(Row { document, line, subject, raw, hidden, keys: Vec::new(), shape })
    }
}

/// Adds a field to a block: doubled quotes are one.
fn read(record: &[u8], part: usize, cell: &Cell, block: &mut Block) -> Result<(), Error> {
    let bytes = &record[cell.content.clone()];
    let text = std::str::from_utf8(bytes)
        .map_err(|error| plain::not_utf_8(cell.content.start + error.valid_up_to()))?;
    if bytes.contains(&0) {
        return Err(Error::new(ErrorKind::Malformed, "the row is binary: it contains NUL bytes"));
    }
    if !cell.quoted {
        block.push(part, cell.content.start, text, Escape::Bare);
        return Ok(());
    }
    let mut at = 0;
    while let Some(quote) = memchr::memchr(QUOTE, &bytes[at..]) {
        block.push(part, cell.content.start + at, &text[at..at + quote], Escape::Quoted(QUOTE));
        let source = cell.content.start + at + quote;
        block.push_atomic(part, source..source + 2, "\"", Escape::Quoted(QUOTE));
        at += quote + 2;
    }
    block.push(part, cell.content.start + at, &text[at..], Escape::Quoted(QUOTE));
    Ok(())
}

/// A whole cell as it is written where the old one stands.
pub(super) fn written(cells: &[Cell], value: &Range<usize>, separator: u8, text: &str) -> String {
    let quoted = cells.iter().any(|cell| cell.content == *value && cell.quoted);
    let doubled = text.replace('"', "\"\"");
    if quoted {
        doubled
    } else if is_special(text, separator) || cells.len() == 1 && text.trim().is_empty() {
        format!("\"{doubled}\"")
    } else {
        text.to_owned()
    }
}

/// Whether a cell with this text needs quotes.
fn is_special(text: &str, separator: u8) -> bool {
    text.bytes().any(|byte| byte == separator || matches!(byte, QUOTE | b'\n' | b'\r'))
}

/// Puts quotes around an unquoted field whose new text needs them.
pub(super) fn quote_where_needed(
    raw: &[u8],
    cells: &[Cell],
    separator: u8,
    cuts: Vec<Cut>,
) -> Result<Vec<Cut>, Error> {
    let (mut kept, mut bare): (Vec<Cut>, Vec<Vec<Cut>>) = (Vec::new(), vec![Vec::new(); cells.len()]);
    for (range, text) in cuts {
        // Bare fields with text do not touch each other: a separator stands between.
        let cell = cells.partition_point(|cell| cell.content.end < range.end);
        match cells.get(cell) {
            Some(found) if !found.quoted => bare[cell].push((range, text)),
            _ => kept.push((range, text)),
        }
    }
    for (cell, cuts) in cells.iter().zip(bare).filter(|(_, cuts)| !cuts.is_empty()) {
        let start = cell.content.start;
        let within =
            cuts.iter().map(|(range, text)| (range.start - start..range.end - start, text.clone())).collect();
        let content = apply(&raw[cell.content.clone()], within)?;
        let alone_and_empty = cells.len() == 1 && content.trim_ascii().is_empty();
        if alone_and_empty
            || content.first() == Some(&QUOTE)
            || cuts.iter().any(|(_, text)| is_special(text, separator))
        {
            let text = String::from_utf8(content)
                .map_err(|_| Error::new(ErrorKind::Edit, "an edit splits a character"))?;
            kept.push((cell.content.clone(), format!("\"{}\"", text.replace('"', "\"\""))));
        } else {
            kept.extend(cuts);
        }
    }
    Ok(kept)
}
