//! Tables of a child and its parent, as CSV, TSV or with semicolons.
//!
//! With a heading, columns are found by name: `child` (or `id`, `code`), `parent`, `label` (or `name`,
//! `title`), `synonyms` (separated by `|`), `gloss` (or `definition`, `description`), `count`. Without one they
//! come in that order. A child may have several rows, one for each parent; no parent makes a root. Without a
//! label the code is what it is called.

use std::io::{BufRead, Read};

use csv::{ReaderBuilder, StringRecord};

use crate::taxonomy::Draft;
use crate::taxonomy::draft::DraftId;
use crate::{Error, ErrorKind};

/// Which column holds what.
#[derive(Clone, Copy)]
struct Columns {
    child: usize,
    parent: Option<usize>,
    label: Option<usize>,
    synonyms: Option<usize>,
    gloss: Option<usize>,
    count: Option<usize>,
}

/// Whether a table's heading has codes and titles, and no parents.
pub(super) fn is_code_table(first: &str) -> bool {
    let heading = StringRecord::from(first.split(separator(first) as char).collect::<Vec<_>>());
    named(&heading).is_some_and(|columns| columns.parent.is_none() && columns.label.is_some())
}

/// A row, and the line that it stands on.
pub(super) struct Row {
    pub(super) code: String,
    pub(super) parent: Option<String>,
    pub(super) label: String,
    pub(super) line: u64,
    synonyms: String,
    gloss: String,
    count: String,
}

pub(super) fn read(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    rows(input, &mut |row| {
        let mut add = || {
            let id = fill(&row, draft)?;
            if let Some(parent) = &row.parent {
                let parent = draft.concept(parent)?;
                draft.broader(id, parent)?;
            }
            Ok(())
        };
        add().map_err(|error: Error| error.at_line(row.line))
    })
}

/// Adds all of a row but its parent.
pub(super) fn fill(row: &Row, draft: &mut Draft) -> Result<DraftId, Error> {
    let count: u64 = match row.count.as_str() {
        "" => 0,
        count => {
            count.parse().map_err(|_| Error::new(ErrorKind::Malformed, "a count is not a whole number"))?
        }
    };
    if count > u64::MAX >> 24 {
        return Err(Error::new(ErrorKind::Limit, "a count is too large"));
    }
    let id = draft.concept(&row.code)?;
    if !row.label.is_empty() {
        draft.label(id, &row.label)?;
    }
    for synonym in row.synonyms.split('|') {
        draft.word(id, synonym, 0)?;
    }
    draft.gloss(id, &row.gloss);
    draft.counted(id, count);
    Ok(id)
}

pub(super) fn rows(
    mut input: impl BufRead,
    each: &mut dyn FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let first = input.fill_buf()?;
    let bom = first.starts_with("\u{FEFF}".as_bytes());
    if bom {
        input.consume(3);
    }
    let first = String::from_utf8_lossy(input.fill_buf()?).into_owned();
    let separator = separator(first.lines().next().unwrap_or_default());
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(Limited { input, line: 0 });
    let mut record = StringRecord::new();
    let mut columns: Option<Columns> = None;
    while reader.read_record(&mut record).map_err(|error| refuse(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let Some(columns) = columns else {
            if let Some(found) = named(&record) {
                columns = Some(found);
                continue;
            }
            if record.len() < 2 {
                let error = Error::new(ErrorKind::Malformed, "the table has only one column");
                return Err(error.at_line(line).with_hint("the columns child and parent are required"));
            }
            let found = Columns {
                child: 0,
                parent: Some(1),
                label: Some(2),
                synonyms: Some(3),
                gloss: Some(4),
                count: Some(5),
            };
            columns = Some(found);
            one(&record, found, line, each)?;
            continue;
        };
        one(&record, columns, line, each)?;
    }
    Ok(())
}

fn one(
    record: &StringRecord,
    columns: Columns,
    line: u64,
    each: &mut dyn FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let field = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default().trim().to_owned();
    let row = Row {
        code: field(Some(columns.child)),
        parent: Some(field(columns.parent)).filter(|parent| !parent.is_empty()),
        label: field(columns.label),
        synonyms: field(columns.synonyms),
        gloss: field(columns.gloss),
        count: field(columns.count),
        line,
    };
    if row.code.is_empty() {
        return Err(Error::new(ErrorKind::Malformed, "a row has no child").at_line(line));
    }
    each(row)
}

fn separator(first: &str) -> u8 {
    let count = |separator: u8| first.bytes().filter(|byte| *byte == separator).count();
    [b'\t', b';', b','].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

/// The columns by their names, if this row is a heading.
fn named(record: &StringRecord) -> Option<Columns> {
    let find = |names: &[&str]| {
        record
            .iter()
            .position(|field| names.contains(&field.trim().trim_matches('"').to_lowercase().as_str()))
    };
    let columns = Columns {
        child: find(&["child", "id", "code", "concept"])?,
        parent: find(&["parent", "parent_id", "parentid", "broader", "is_a"]),
        label: find(&["label", "name", "title", "term"]),
        synonyms: find(&["synonyms", "synonym"]),
        gloss: find(&["gloss", "definition"]),
        count: find(&["count", "frequency"]),
    };
    let description = find(&["description", "desc"]);
    let columns = match (columns.label, columns.gloss) {
        (None, _) => Columns { label: description, ..columns },
        (Some(_), None) => Columns { gloss: description, ..columns },
        _ => columns,
    };
    (columns.parent.is_some() || columns.label.is_some()).then_some(columns)
}

fn refuse(error: &csv::Error) -> Error {
    let line = error.position().map(csv::Position::line);
    let refused = match error.kind() {
        csv::ErrorKind::Io(error) => Error::new(ErrorKind::Io, error.to_string()),
        csv::ErrorKind::Utf8 { .. } => Error::new(ErrorKind::Malformed, "a row is not UTF-8")
            .with_hint("convert the file to UTF-8, for example with iconv"),
        _ => Error::new(ErrorKind::Malformed, "a row is invalid"),
    };
    line.map_or(refused.clone(), |line| refused.at_line(line))
}

/// Refuses rows that never end, as after a quote that is not closed.
struct Limited<R> {
    input: R,
    line: usize,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        match buffer[..read].iter().rposition(|byte| *byte == b'\n') {
            Some(last) => self.line = read - last,
            None => self.line += read,
        }
        if self.line > 1 << 20 {
            return Err(std::io::Error::other("a line has more than a million bytes"));
        }
        Ok(read)
    }
}
