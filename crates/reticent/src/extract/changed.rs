//! A changed table with the replacement of each value.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value as Json;

use super::cell::{self, Part};
use super::schema::Schema;
use super::table::TableFormat;
use super::{Map, MapRow};
use crate::{EntityType, Error, ErrorKind};

/// A changed table, read and held against the map of the one that it was made from.
#[derive(Debug)]
pub struct ChangedTable {
    rows: HashMap<String, ChangedRow>,
    missing: Vec<String>,
}

/// What a changed table says of one document: for each value of a type, in the order of the text, the
/// words to say, or nothing where it was suppressed.
#[derive(Default)]
pub struct ChangedRow {
    cells: BTreeMap<EntityType, Vec<Part>>,
}

/// Shows how much, not what.
impl std::fmt::Debug for ChangedRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChangedRow").field("cells", &self.cells.len()).finish_non_exhaustive()
    }
}

/// Rows as they are read: the line, the document, and the cells by column.
type Cells = Vec<(usize, Vec<Part>)>;
struct Read {
    columns: Vec<String>,
    rows: Vec<(u64, String, Cells)>,
}

impl ChangedTable {
    /// Reads a changed table. `suppressed` are words that mean, besides nothing and `*`, that a value was
    /// suppressed (`NA`).
    pub fn read(text: &str, format: TableFormat, suppressed: &[String], map: &Map) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let read = match format {
            TableFormat::Jsonl => jsonl(text, suppressed)?,
            TableFormat::Tsv => separated(text, b'\t', suppressed)?,
            TableFormat::Csv => separated(text, comma_of(text), suppressed)?,
        };
        let mut types = Vec::with_capacity(read.columns.len());
        for name in &read.columns {
            types.push(map.column(name).ok_or_else(|| unknown_column(name, map))?);
        }
        let missing = map.columns().filter(|name| !read.columns.iter().any(|own| own == name));
        let missing = missing.map(str::to_owned).collect();
        let mut rows = HashMap::with_capacity(read.rows.len());
        for (line, id, cells) in read.rows {
            let Some(original) = map.bound(&id) else { return Err(unbound(line)) };
            let id = original.id.clone();
            let mut row = ChangedRow::default();
            for (column, parts) in cells {
                let said = spread(parts, values_of(original, types[column]))
                    .map_err(|why| misfit(line, &read.columns[column], why))?;
                row.cells.insert(types[column].clone(), said);
            }
            if rows.insert(id, row).is_some() {
                let what = format!("line {line} of the changed table repeats the `id` of a document");
                return Err(
                    Error::new(ErrorKind::Format, what).with_hint("the table must have one row per document")
                );
            }
        }
        Ok(Self { rows, missing })
    }

    /// Returns the row of a document; `None` if it is missing, in which case the document is not released.
    pub fn row(&self, id: &str) -> Option<&ChangedRow> {
        self.rows.get(id)
    }

    /// The columns of the extracted table that it lacks: they are suppressed everywhere.
    pub fn missing_columns(&self) -> &[String] {
        &self.missing
    }
}

impl ChangedRow {
    /// The words for the value number `at` of a type; nothing if it is suppressed.
    pub(super) fn said(&self, entity_type: &EntityType, at: usize) -> Option<&str> {
        self.cells.get(entity_type)?.get(at)?.as_deref()
    }
}

fn values_of(row: &MapRow, entity_type: &EntityType) -> usize {
    row.values.iter().filter(|(kind, _)| kind == entity_type).count()
}

/// What is said of each of `count` values. One thing may be said of all.
fn spread(mut parts: Vec<Part>, count: usize) -> Result<Vec<Part>, &'static str> {
    if parts.iter().all(Option::is_none) {
        return Ok(vec![None; count]);
    }
    match parts.len() {
        _ if count == 0 => Err("has a value where the document has none"),
        len if len == count => Ok(parts),
        1 => Ok(vec![parts.swap_remove(0); count]),
        len if len > count => Err("has more values than before"),
        _ => Err("has fewer values than before, so they cannot be assigned to mentions"),
    }
}

fn misfit(line: u64, column: &str, why: &str) -> Error {
    Error::new(ErrorKind::Format, format!("line {line}, column {column} of the changed table {why}")).with_hint(
        "keep the order of the values in a cell and write * for each suppressed value, or a single value for all",
    )
}

fn unknown_column(name: &str, map: &Map) -> Error {
    let error = Error::new(
        ErrorKind::Format,
        format!("the changed table has a column `{name}` that was not extracted"),
    );
    match crate::policy::closest(name, map.columns()) {
        Some(best) => error.with_hint(format!("did you mean `{best}`?")),
        None => error.with_hint("remove it from the changed table"),
    }
}

fn unbound(line: u64) -> Error {
    Error::new(
        ErrorKind::Format,
        format!("line {line} of the changed table has an `id` that this map did not give out"),
    )
    .with_hint(
        "the map must be the one that was extracted with the table, and programs must keep the column `id` as it is",
    )
}

fn no_id() -> Error {
    Error::new(ErrorKind::Format, "the changed table has no column `id`")
        .with_hint("keep the column `id` of the extracted table: it identifies the document of each row")
}

/// A comma, or what some programs write instead of it.
fn comma_of(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let is_id = |name: &str| name.trim().trim_matches('"') == Schema::ROW_ID;
    let parts = |separator: char| header.split(separator).any(is_id) && header.contains(separator);
    [',', ';', '\t'].into_iter().find(|separator| parts(*separator)).map_or(b',', |separator| separator as u8)
}

fn separated(text: &str, separator: u8, suppressed: &[String]) -> Result<Read, Error> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(text.as_bytes());
    let unreadable = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        Error::new(ErrorKind::Format, format!("line {line} of the changed table is not valid CSV"))
            .with_hint("every line must have as many fields as the header")
    };
    let names: Vec<String> =
        reader.headers().map_err(|error| unreadable(&error))?.iter().map(str::to_owned).collect();
    let places: Vec<usize> = (0..names.len()).filter(|at| names[*at].trim() == Schema::ROW_ID).collect();
    let [id_at] = places[..] else { return Err(no_id()) };
    let columns: Vec<String> = names
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != id_at)
        .map(|(_, name)| name.trim().to_owned())
        .collect();
    if let Some(twice) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name)) {
        let what = format!("the changed table has a duplicate column `{}`", twice.1);
        return Err(Error::new(ErrorKind::Format, what).with_hint("remove one of them"));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let id = record.get(id_at).unwrap_or_default().to_owned();
        let cells = record.iter().enumerate().filter(|(at, _)| *at != id_at).map(|(_, text)| text);
        rows.push((
            line,
            id,
            cells.map(|text| cell::split(cell::rearmed(text), suppressed)).enumerate().collect(),
        ));
    }
    Ok(Read { columns, rows })
}

fn jsonl(text: &str, suppressed: &[String]) -> Result<Read, Error> {
    let mut read = Read { columns: Vec::new(), rows: Vec::new() };
    let mut places: HashMap<String, usize> = HashMap::new();
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
        let bad = |what: &str| {
            Error::new(ErrorKind::Format, format!("line {line} of the changed table {what}"))
                .with_hint("JSONL has one JSON object on each line")
        };
        let Ok(Json::Object(object)) = serde_json::from_str(row) else {
            return Err(bad("is not a JSON object"));
        };
        let mut id = None;
        let mut cells = Vec::new();
        for (name, cell) in object {
            if name == Schema::ROW_ID {
                id = one(&cell);
                continue;
            }
            let parts = match &cell {
                Json::Array(values) => values.iter().map(one).collect::<Option<Vec<String>>>(),
                Json::Null => Some(Vec::new()),
                other => one(other).map(|value| vec![value]),
            };
            let parts =
                parts.ok_or_else(|| bad(&format!("has a value in the column {name} that is not text")))?;
            let parts = parts.iter().map(|part| cell::read(part, false, suppressed)).collect();
            let next = places.len();
            let column = *places.entry(name.clone()).or_insert(next);
            if column == read.columns.len() {
                read.columns.push(name);
            }
            cells.push((column, parts));
        }
        read.rows.push((line, id.ok_or_else(no_id)?, cells));
    }
    Ok(read)
}

/// A string or a number as a value; null as a suppressed one.
fn one(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Null => Some(String::new()),
        _ => None,
    }
}
