//! Processes rows in parallel and in order, and withholds those that cannot be released.

use indicatif::ProgressBar;
use std::collections::BTreeMap;

use rayon::prelude::*;
use reticent::Policy;
use reticent_text::ErrorKind;
use reticent_text::format::rows::{Fields, Row, RowFormat, RowReader};

use crate::args::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, InputFile};
use crate::messages;
use crate::runner::guarded;

/// The number of rows, and of their bytes, processed at once: enough for all threads, and few enough for files of any size
/// to fit in memory.
const BATCH_ROWS: usize = 1024;
const BATCH_BYTES: usize = 512 << 10;

/// The number of withheld rows of a file that are reported individually.
const MOST_NAMED: usize = 20;

/// A part of a file of rows.
pub(crate) enum Part<'a, T> {
    /// The names of the columns of CSV.
    Columns(&'a [String]),
    /// Content before the first row or after the last, kept unchanged.
    Frame(&'a [u8]),
    /// The result of a row.
    Row(T),
    /// A row that cannot be released.
    Withheld(&'a Withheld),
}

/// A row that cannot be released, and why.
pub(crate) struct Withheld {
    /// The line at which it starts.
    pub(crate) line: u64,
    /// The code of the reason.
    pub(crate) reason: &'static str,
    /// The row, if it could be read.
    pub(crate) row: Option<Row>,
    placeholder: Vec<u8>,
}

impl Withheld {
    /// The placeholder row: unexamined fields and the reason only.
    pub(crate) fn released(&self) -> Result<Vec<u8>, Failure> {
        match &self.row {
            Some(row) => withheld(row, self.reason),
            None => Ok(self.placeholder.clone()),
        }
    }
}

/// The row without its examined fields, with the reason.
pub(crate) fn withheld(row: &Row, reason: &str) -> Result<Vec<u8>, Failure> {
    let none = || "[]".to_owned();
    let mut extra = vec![("spans", none()), ("edits", none()), ("withheld", format!("\"{reason}\""))];
    if reason == REVIEW {
        extra.push(("review", "\"required\"".to_owned()));
    }
    Ok(row.encode_withheld(&extra)?)
}

/// The reason of rows that need review.
pub(crate) const REVIEW: &str = "review";

/// The number of withheld rows by reason.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<&'static str, usize>);

impl Tally {
    pub(crate) fn add(&mut self, reason: &'static str) {
        *self.0.entry(reason).or_default() += 1;
    }

    /// Prints the summary of a file. Withheld rows require review.
    pub(crate) fn finish(&self, file: &InputFile) -> Outcome {
        if self.0.is_empty() {
            return Outcome::Done;
        }
        let reasons: Vec<String> = self.0.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let all: usize = self.0.values().sum();
        let rows = if all == 1 { "row was" } else { "rows were" };
        messages::warn(&format!("{}: {all} {rows} withheld ({})", file.path.display(), reasons.join(", ")));
        Outcome::Unresolved
    }
}

/// Processes the rows of a file in parallel and passes on the results in order. A row that cannot be read or processed is
/// withheld; an error that would affect every row ends the file.
pub(crate) fn each_row<T: Send>(
    file: &InputFile,
    format: RowFormat,
    args: &InputArgs,
    policy: &Policy,
    work: impl Fn(&mut Row) -> Result<T, Failure> + Sync,
    take: impl FnMut(Part<'_, T>) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    each_row_of(RowFile { file, format, args, fields: input::fields(args) }, policy, work, take)
}

/// A file of rows, and how to read it.
pub(crate) struct RowFile<'a> {
    pub(crate) file: &'a InputFile,
    pub(crate) format: RowFormat,
    pub(crate) args: &'a InputArgs,
    pub(crate) fields: Fields,
}

/// Processes the rows of a file with other fields than those of the arguments.
pub(crate) fn each_row_of<T: Send>(
    rows: RowFile<'_>,
    policy: &Policy,
    work: impl Fn(&mut Row) -> Result<T, Failure> + Sync,
    mut take: impl FnMut(Part<'_, T>) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let RowFile { file, format, args, fields } = rows;
    let name = file.path.display().to_string();
    if args.encoding.is_some() {
        return Err(Failure::new(format!("{name}: JSONL, CSV and TSV must be UTF-8"))
            .hint("convert the file to UTF-8 first"));
    }
    let mut reader = RowReader::new(
        format,
        fields,
        input::open_rows(&file.path, &ProgressBar::hidden())?,
        policy.limits(),
    )
    .map_err(|error| Failure::from(error).in_file(&name))?;
    take(Part::Columns(reader.columns()))?;
    take(Part::Frame(reader.header()))?;
    let mut tally = Tally::default();
    let mut named = 0;
    loop {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < BATCH_ROWS && bytes < BATCH_BYTES {
            let Some(row) = reader.next() else { break };
            bytes += row.as_ref().map_or(0, |row| row.document.text().len());
            batch.push(match row {
                Ok(row) => Ok(with_person(row, file, args)),
                Err(error) => {
                    let reason = match error.kind() {
                        // A missing field that an argument names, or a file that cannot be read further.
                        ErrorKind::MissingField => None,
                        _ if !reader.goes_on() => None,
                        ErrorKind::Limit => Some("limit"),
                        _ => Some("malformed"),
                    };
                    let line = error.line().unwrap_or_default();
                    let failure = Failure { reason, ..Failure::from(error).in_file(&name) };
                    Err((line, failure))
                }
            });
        }
        if batch.is_empty() {
            take(Part::Frame(reader.trailer()))?;
            return Ok(tally);
        }
        let done: Vec<(Option<Row>, u64, Result<T, Failure>)> = batch
            .into_par_iter()
            .map(|row| match row {
                Ok(mut row) => {
                    let (line, place) = (row.line, format!("{name} (line {})", row.line));
                    let done = guarded(&place, || work(&mut row).map_err(|failure| failure.in_file(&place)));
                    (done.is_err().then_some(row), line, done)
                }
                Err((line, failure)) => (None, line, Err(failure)),
            })
            .collect();
        for (row, line, result) in done {
            match result {
                Ok(result) => take(Part::Row(result))?,
                Err(failure) => {
                    let Some(reason) = failure.reason else { return Err(failure) };
                    tally.add(reason);
                    named += 1;
                    if named <= MOST_NAMED {
                        messages::warn(&format!("{} [{reason}]: row withheld", failure.message));
                    }
                    let placeholder = reader.placeholder(reason);
                    take(Part::Withheld(&Withheld { line, reason, row, placeholder }))?;
                }
            }
        }
    }
}

/// Sets the person whose dates are shifted together, for rows with neither a person, a subject nor an ID.
fn with_person(mut row: Row, file: &InputFile, args: &InputArgs) -> Row {
    if row.document.person().is_none() && row.subject.is_none() && args.id_field.is_none() {
        let person = format!("{}#{}", file.relative.to_string_lossy().replace('\\', "/"), row.line);
        row.document = row.document.with_person(Some(person));
    }
    row
}
