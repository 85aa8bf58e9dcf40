//! Reading rows one at a time.

use std::io::{BufRead, Chain, Cursor, Read as _};

use super::{Fields, Row, RowFormat, csv, jsonl};
use crate::format::{Limits, plain};
use crate::{Error, ErrorKind};

/// Rows, one at a time, in order.
///
/// An error in a row tells its line. A JSONL reader goes on with the next line; a CSV reader goes
/// on unless a quote never closes, since then no later line can be trusted.
pub struct RowReader<R: BufRead> {
    /// The first bytes, which were looked at for a byte order mark, then the rest.
    input: Chain<Cursor<Vec<u8>>, R>,
    fields: Fields,
    max_row_bytes: usize,
    format: RowFormat,
    columns: Option<csv::Columns>,
    /// The number of the line that comes next.
    line: u64,
    header: Vec<u8>,
    /// Blank lines before the next row.
    blank: Vec<u8>,
    ended: bool,
}

/// How a line was read.
enum Line {
    Whole,
    End,
}

impl<R: BufRead> RowReader<R> {
    /// Reads what comes before the first row: the byte order mark, and the header of CSV.
    pub fn new(format: RowFormat, fields: Fields, mut input: R, limits: &Limits) -> Result<Self, Error> {
        if fields.text.is_empty() {
            return Err(
                Error::new(ErrorKind::MissingField, "no text field was given").with_hint("--text-field NAME")
            );
        }
        if fields.text.iter().enumerate().any(|(at, field)| fields.text[..at].contains(field)) {
            return Err(Error::new(ErrorKind::MissingField, "a text field was given twice"));
        }
        let mut first = Vec::new();
        input
            .by_ref()
            .take(plain::MARK.len() as u64)
            .read_to_end(&mut first)
            .map_err(|error| unreadable(&error))?;
        if first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff") {
            return Err(Error::new(ErrorKind::Encoding, "the file is in UTF-16, not in UTF-8")
                .with_hint("set the encoding, for example --encoding utf-16le"));
        }
        let header = if first == plain::MARK { std::mem::take(&mut first) } else { Vec::new() };
        let mut reader = Self {
            input: Cursor::new(first).chain(input),
            fields,
            max_row_bytes: limits.max_row_bytes,
            format,
            columns: None,
            line: 1,
            header,
            blank: Vec::new(),
            ended: false,
        };
        if let RowFormat::Csv { separator } = format {
            reader.read_header(separator)?;
        }
        Ok(reader)
    }

    /// The bytes before the first row.
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// The bytes after the last row (blank lines), once all rows have been read.
    pub fn trailer(&self) -> &[u8] {
        &self.blank
    }

    /// Returns whether rows may follow an error.
    pub fn goes_on(&self) -> bool {
        !self.ended
    }

    /// The names of the columns of CSV.
    pub fn columns(&self) -> &[String] {
        self.columns.as_ref().map_or(&[], csv::Columns::names)
    }

    /// A row that stands for one that could not be read: an object with `reason` as its member `withheld`, or cells
    /// without text.
    pub fn placeholder(&self, reason: &str) -> Vec<u8> {
        match &self.columns {
            Some(columns) => columns.empty_row(),
            None => format!("{}\n", serde_json::json!({ "withheld": reason })).into_bytes(),
        }
    }

    /// Appends the next line with its end. One that is too long is skipped.
    fn read_line(&mut self, into: &mut Vec<u8>) -> Result<Line, Error> {
        let before = into.len();
        let room = (self.max_row_bytes.saturating_sub(before) as u64).saturating_add(1);
        let read = self.input.by_ref().take(room).read_until(b'\n', into);
        let read = read.map_err(|error| {
            self.ended = true;
            unreadable(&error)
        })?;
        if read == 0 {
            return Ok(Line::End);
        }
        let line = self.line;
        self.line += 1;
        if into.len() <= self.max_row_bytes {
            return Ok(Line::Whole);
        }
        if into.last() != Some(&b'\n') {
            self.skip_line()?;
        }
        Err(Error::new(
            ErrorKind::Limit,
            format!("the row is longer than the limit of {} bytes", self.max_row_bytes),
        )
        .with_hint("raise `limits.max_row_bytes` in the policy, or split the row")
        .at_line(line))
    }

    fn skip_line(&mut self) -> Result<(), Error> {
        loop {
            let buffer = self.input.fill_buf().map_err(|error| {
                self.ended = true;
                unreadable(&error)
            })?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = memchr::memchr(b'\n', buffer);
            let len = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(len);
            if end.is_some() {
                return Ok(());
            }
        }
    }

    /// Reads lines until one is not blank; the blank ones are kept.
    fn read_row_line(&mut self, into: &mut Vec<u8>) -> Result<Line, Error> {
        loop {
            match self.read_line(into)? {
                Line::End => return Ok(Line::End),
                Line::Whole if self.is_blank(into) => {
                    if self.blank.len() + into.len() > self.max_row_bytes {
                        self.ended = true;
                        return Err(
                            Error::new(ErrorKind::Limit, "too many blank lines").at_line(self.line - 1)
                        );
                    }
                    self.blank.append(into);
                }
                Line::Whole => return Ok(Line::Whole),
            }
        }
    }

    fn is_blank(&self, line: &[u8]) -> bool {
        match self.format {
            RowFormat::Jsonl => line.iter().all(u8::is_ascii_whitespace),
            // Blanks and tabulators may be fields.
            RowFormat::Csv { .. } => matches!(line, b"\n" | b"\r\n"),
        }
    }

    /// Reads the header of CSV. Which separator it has, if that was not said, shows in whether it then
    /// has the fields that are asked for.
    fn read_header(&mut self, separator: Option<u8>) -> Result<(), Error> {
        let mut record = Vec::new();
        if let Line::End = self.read_row_line(&mut record)? {
            return Err(Error::new(ErrorKind::Malformed, "the CSV file has no header")
                .with_hint("the first line of a CSV file must contain the column names"));
        }
        let mut open: Vec<(u8, csv::Splitter)> = Vec::new();
        for separator in separator.map_or(vec![b',', b';', b'\t'], |separator| vec![separator]) {
            open.push((separator, csv::Splitter::new(separator)?));
        }
        let mut first_error = None;
        let mut without_text: Option<csv::Columns> = None;
        loop {
            let mut unfinished = Vec::new();
            for (separator, mut splitter) in std::mem::take(&mut open) {
                let columns = match splitter.feed(&record) {
                    Ok(false) => {
                        unfinished.push((separator, splitter));
                        continue;
                    }
                    Ok(true) => {
                        let cells = splitter.finish();
                        let columns = |needs_text| {
                            csv::Columns::new(&record, &cells, separator, &self.fields, needs_text)
                        };
                        let found = columns(true);
                        if found.is_err() && self.fields.text_may_miss {
                            // Without a text field to look for, the separator is the one that makes most columns.
                            let best = without_text.as_ref().map_or(0, csv::Columns::count);
                            without_text =
                                columns(false).ok().filter(|columns| columns.count() > best).or(without_text);
                        }
                        found
                    }
                    Err(error) => Err(error.at_line(1)),
                };
                match columns {
                    Ok(columns) => {
                        self.columns = Some(columns);
                        self.header.append(&mut self.blank);
                        self.header.append(&mut record);
                        return Ok(());
                    }
                    Err(error) => first_error = first_error.or(Some(error)),
                }
            }
            open = unfinished;
            if open.is_empty()
                && let Some(columns) = without_text
            {
                self.columns = Some(columns);
                self.header.append(&mut self.blank);
                self.header.append(&mut record);
                return Ok(());
            }
            if open.is_empty() || matches!(self.read_line(&mut record)?, Line::End) {
                let unclosed = || Error::new(ErrorKind::Malformed, "a quoted field is not closed").at_line(1);
                return Err(first_error.unwrap_or_else(unclosed));
            }
        }
    }

    fn read_record(&mut self, record: &mut Vec<u8>, separator: u8) -> Result<Option<Vec<csv::Cell>>, Error> {
        if let Line::End = self.read_row_line(record)? {
            return Ok(None);
        }
        let first = self.line - 1;
        let mut splitter = csv::Splitter::new(separator)?;
        loop {
            if splitter.feed(record).map_err(|error| error.at_line(first))? {
                return Ok(Some(splitter.finish()));
            }
            let unclosed = || Error::new(ErrorKind::Malformed, "a quoted field is not closed").at_line(first);
            match self.read_line(record) {
                Ok(Line::Whole) => {}
                Ok(Line::End) => {
                    self.ended = true;
                    return Err(unclosed());
                }
                Err(error) => {
                    self.ended = true;
                    return Err(if error.kind() == ErrorKind::Limit {
                        unclosed().with_hint("or the row is longer than the limit allows")
                    } else {
                        error
                    });
                }
            }
        }
    }

    fn read(&mut self) -> Result<Option<Row>, Error> {
        let mut raw = Vec::new();
        let separator = self.columns.as_ref().map(csv::Columns::separator);
        let cells = match separator {
            Some(separator) => match self.read_record(&mut raw, separator)? {
                None => return Ok(None),
                cells => cells,
            },
            None => match self.read_row_line(&mut raw)? {
                Line::End => return Ok(None),
                Line::Whole => None,
            },
        };
        let lines = memchr::memchr_iter(b'\n', &raw).count() + usize::from(raw.last() != Some(&b'\n'));
        let line = self.line - lines as u64;
        let start = self.blank.len();
        let raw = if start == 0 {
            raw
        } else {
            let mut whole = std::mem::take(&mut self.blank);
            whole.append(&mut raw);
            whole
        };
        let row = match (&self.columns, cells) {
            (Some(columns), Some(cells)) => columns.row(raw, start, cells, line),
            _ => jsonl::row(raw, &self.fields, line),
        };
        row.map(Some).map_err(|error| error.at_line(line))
    }
}

impl<R: BufRead> Iterator for RowReader<R> {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let row = self.read().transpose();
        self.ended |= row.is_none();
        row
    }
}

fn unreadable(error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Malformed, format!("cannot read the input: {}", error.kind()))
        .with_hint("the file may be truncated or damaged: obtain it again")
}
