//! Tables in a sheet of a workbook.
//!
//! Only values are read: what formulas came to, no formulas, comments or formats. Cells are taken one by one,
//! since a single cell far off would otherwise make a table of millions of empty ones.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _};

use calamine::{CellErrorType, DataRef, ExcelDateTime, Reader as _, SheetType, Xlsx};

use super::{ReadOptions, assembled, check_cell, check_names, check_rows, too_much};
use crate::table::schema::value;
use crate::table::source::{Style, XlsxColumn, XlsxStyle};
use crate::table::{ColumnBuilder, Limits, Source, Table};
use crate::{Error, ErrorKind};

type Workbook<'b> = Xlsx<Cursor<&'b [u8]>>;

/// What a cell was, beside its text.
#[derive(Clone, Copy, PartialEq)]
enum Was {
    Text,
    Number,
    Boolean,
    Date,
}

/// A column while it is read, and how often its values were of which type.
struct Filling {
    builder: ColumnBuilder,
    numbers: usize,
    numbers_as_texts: usize,
    booleans: usize,
    booleans_as_texts: usize,
    dates: usize,
    dates_as_texts: usize,
}

impl Filling {
    fn new(name: &str) -> Self {
        Self {
            builder: ColumnBuilder::new(name),
            numbers: 0,
            numbers_as_texts: 0,
            booleans: 0,
            booleans_as_texts: 0,
            dates: 0,
            dates_as_texts: 0,
        }
    }

    fn count(&mut self, text: &str, was: Was) {
        let count = match was {
            Was::Number => &mut self.numbers,
            Was::Boolean => &mut self.booleans,
            Was::Date => &mut self.dates,
            Was::Text if value::number(text).is_some() => &mut self.numbers_as_texts,
            Was::Text if is_boolean(text) => &mut self.booleans_as_texts,
            Was::Text if value::days(text, None).is_some() => &mut self.dates_as_texts,
            Was::Text => return,
        };
        *count += 1;
    }

    fn style(&self) -> XlsxColumn {
        XlsxColumn {
            numbers: self.numbers > 0 && self.numbers_as_texts == 0,
            booleans: self.booleans > 0 && self.booleans_as_texts == 0,
            dates: self.dates > 0 && self.dates_as_texts == 0,
        }
    }
}

pub(in crate::table) fn is_boolean(text: &str) -> bool {
    matches!(text, "TRUE" | "FALSE")
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<(Table, Source), Error> {
    check_archive(bytes, &options.limits)?;
    let mut book: Workbook<'_> = Xlsx::new(Cursor::new(bytes)).map_err(|_| broken("it cannot be read"))?;
    let sheet = sheet(&mut book, options.sheet.as_deref())?;
    let mut cells = book.worksheet_cells_reader(&sheet).map_err(|_| broken("the sheet cannot be read"))?;
    let mut names: Vec<String> = Vec::new();
    // The columns are those of the first row that has anything in it.
    let (mut first_column, mut next_column, mut header_row) = (0, 0, None);
    let mut columns: Vec<Filling> = Vec::new();
    let mut values: Vec<Option<(String, Was)>> = Vec::new();
    let (mut current, mut rows) = (None, 0);
    let mut before = None;
    while let Some(cell) =
        cells.next_cell_with_formula_metadata().map_err(|_| broken("the sheet is damaged"))?
    {
        let (row, column) = cell.pos;
        if before.is_some_and(|before| before >= (row, column)) {
            return Err(broken("its cells are out of order"));
        }
        before = Some((row, column));
        if cell.formula.is_some() && cell.value == DataRef::Empty {
            let what = format!("cell {}{} has a formula without its result", letters(column), row + 1);
            return Err(Error::new(ErrorKind::Format, what).with_hint(
                "open the workbook in a spreadsheet program, which computes it, and save it again",
            ));
        }
        let Some((text, was)) = text_of(&cell.value, row, column)? else { continue };
        if *header_row.get_or_insert(row) == row {
            if names.is_empty() {
                (first_column, next_column) = (column, column);
            }
            if column != next_column {
                let what = format!("column {} has no name", letters(next_column));
                return Err(
                    Error::new(ErrorKind::Format, what).with_hint("the first row must name every column")
                );
            }
            next_column = next_column.saturating_add(1);
            names.push(text);
            continue;
        }
        if columns.is_empty() {
            check_names(names.iter().map(String::as_str), &options.limits)?;
            columns = names.iter().map(|name| Filling::new(name)).collect();
            values = vec![None; columns.len()];
        }
        if current != Some(row) {
            if current.is_some() {
                push(&mut columns, &mut values, &names, rows, options)?;
            }
            current = Some(row);
            rows += 1;
            check_rows(rows, &options.limits)?;
        }
        let place = column.checked_sub(first_column).and_then(|at| values.get_mut(at as usize));
        let Some(place) = place else {
            let what = format!("cell {}{} is in a column without a name", letters(column), row + 1);
            return Err(Error::new(ErrorKind::Format, what)
                .with_hint("a sheet must contain one table that starts at the first non-empty row"));
        };
        *place = Some((text, was));
    }
    if current.is_some() {
        push(&mut columns, &mut values, &names, rows, options)?;
    } else {
        check_names(names.iter().map(String::as_str), &options.limits)?;
        columns = names.iter().map(|name| Filling::new(name)).collect();
    }
    let styles: HashMap<String, XlsxColumn> =
        names.into_iter().zip(&columns).map(|(name, column)| (name, column.style())).collect();
    let table = assembled(columns.into_iter().map(|column| column.builder.finish()).collect())?;
    Ok((table, Source { style: Style::Xlsx(XlsxStyle { columns: styles }) }))
}

fn push(
    columns: &mut [Filling],
    values: &mut [Option<(String, Was)>],
    names: &[String],
    row: usize,
    options: &ReadOptions,
) -> Result<(), Error> {
    for ((column, value), name) in columns.iter_mut().zip(values).zip(names) {
        let value = value.take().filter(|(text, _)| !text.is_empty() && !options.missing.contains(text));
        if let Some((text, was)) = &value {
            check_cell(text, row, name, &options.limits)?;
            column.count(text, *was);
        }
        column.builder.push(value.as_ref().map(|(text, _)| text.as_str()));
    }
    Ok(())
}

/// The sheet to read: the one that was named, or the only one that has anything in it.
fn sheet(book: &mut Workbook<'_>, named: Option<&str>) -> Result<String, Error> {
    let sheets = book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    if let Some(named) = named {
        return names.into_iter().find(|name| name == named).ok_or_else(|| {
            Error::new(ErrorKind::Format, "the workbook has no sheet with that name")
                .with_hint("sheet names are case-sensitive")
        });
    }
    let mut filled = Vec::new();
    for name in names {
        let mut cells = book.worksheet_cells_reader(&name).map_err(|_| broken("a sheet cannot be read"))?;
        loop {
            match cells.next_cell().map_err(|_| broken("a sheet is damaged"))? {
                Some(cell) if *cell.get_value() == DataRef::Empty => {}
                Some(_) => break filled.push(name),
                None => break,
            }
        }
    }
    match &filled[..] {
        [only] => Ok(only.clone()),
        [] => Err(Error::new(ErrorKind::Format, "the workbook is empty")
            .with_hint("the first row of a table must contain the column names")),
        several => Err(Error::new(ErrorKind::Format, format!("the workbook has {} sheets", several.len()))
            .with_hint("choose one with --sheet; only that sheet is written")),
    }
}

/// What a cell says, and what it was; nothing if it is empty.
fn text_of(cell: &DataRef<'_>, row: u32, column: u32) -> Result<Option<(String, Was)>, Error> {
    Ok(Some(match cell {
        DataRef::Empty | DataRef::Error(CellErrorType::NA) => return Ok(None),
        DataRef::Int(number) => (number.to_string(), Was::Number),
        DataRef::Float(number) => (number.to_string(), Was::Number),
        DataRef::String(text) | DataRef::DurationIso(text) => (text.clone(), Was::Text),
        DataRef::SharedString(text) => ((*text).to_owned(), Was::Text),
        DataRef::Bool(true) => ("TRUE".to_owned(), Was::Boolean),
        DataRef::Bool(false) => ("FALSE".to_owned(), Was::Boolean),
        DataRef::DateTime(moment) => moment_of(moment),
        DataRef::DateTimeIso(text) => (text.clone(), Was::Date),
        DataRef::Error(_) => {
            let what = format!("cell {}{} contains an error value", letters(column), row + 1);
            return Err(Error::new(ErrorKind::Format, what).with_hint("correct or clear it in the workbook"));
        }
    }))
}

/// A date as ISO 8601 writes it, with its time if it has one. A time without a day, or a duration, is a number.
fn moment_of(moment: &ExcelDateTime) -> (String, Was) {
    let serial = moment.as_f64();
    // Days before the first that spreadsheets know, or after the last.
    if !moment.is_datetime() || !(1.0..2_958_466.0).contains(&serial) {
        return (serial.to_string(), Was::Number);
    }
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let mut text = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) != (0, 0, 0) {
        // Writing to a String cannot fail.
        let _ = write!(text, "T{hour:02}:{minute:02}:{second:02}");
    }
    (text, Was::Date)
}

/// A column's number, counted from 0, as spreadsheets write it.
pub(in crate::table) fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + digit));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// Unpacks each part once, only to see that the limits hold: what a part says of its own size may be false.
fn check_archive(bytes: &[u8], limits: &Limits) -> Result<(), Error> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(Error::new(ErrorKind::Format, "a legacy (.xls) or password-protected workbook")
            .with_hint("open it in a spreadsheet program and save it as .xlsx without a password"));
    }
    let mut archive =
        zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| broken("the archive cannot be read"))?;
    let mut left = limits.max_expanded;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|_| broken("a part cannot be decompressed"))?;
        let most = part.compressed_size().saturating_mul(limits.max_ratio).max(1 << 20).min(left);
        let unpacked = std::io::copy(&mut part.take(most.saturating_add(1)), &mut std::io::sink())
            .map_err(|_| broken("a part cannot be decompressed"))?;
        if unpacked > most {
            return Err(too_much(
                "the decompressed workbook is larger",
                limits.max_expanded,
                "bytes, or its compression ratio is too high",
            ));
        }
        left -= unpacked;
    }
    Ok(())
}

fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Format, format!("not an XLSX workbook, or a damaged one: {what}"))
        .with_hint("open it in a spreadsheet program and save it again as .xlsx")
}
