//! The table of a collection, and how it is written.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map as Object, Value as Json};

use super::schema::{Column, Kind, Schema};
use super::{Extract, Extractor, Map, cell};
use crate::mask::Key;
use crate::{EntityType, Error, ErrorKind};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values, after RFC 4180.
    Csv,
    /// The same with tabulators.
    Tsv,
    /// A JSON object a line, in which a cell is an array of strings; what is not mentioned is absent.
    Jsonl,
}

/// A row for each document, a column for each type that any of them mentions.
pub struct Table {
    /// Each row under its fingerprint, in the order of these.
    rows: Vec<(String, Extract)>,
    schema: Schema,
    map: Map,
}

/// Shows how much, not what.
impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("rows", &self.rows.len()).finish_non_exhaustive()
    }
}

impl Table {
    /// The table of these documents. Identifiers come first, then quasi-identifiers, then what is
    /// confidential; within each by name. Rows are named by keyed fingerprints under a new random key, and stand
    /// in the order of these, so that neither names nor order tell which document a row is of.
    pub fn new(rows: Vec<Extract>, extractor: &Extractor) -> Result<Self, Error> {
        Self::with_key(rows, extractor, Key::generate()?)
    }

    /// The same with a key of your own: the same documents and key make the same table.
    pub fn with_key(mut rows: Vec<Extract>, extractor: &Extractor, key: Key) -> Result<Self, Error> {
        let mut ids = HashSet::new();
        if let Some(twice) = rows.iter().find(|row| !ids.insert(row.id.as_str())) {
            return Err(Error::new(ErrorKind::Format, "two documents have the same id")
                .with_hint("choose an --id-field that is unique in each row, or omit it")
                .in_document(&twice.id));
        }
        let mut seen: BTreeMap<&EntityType, (usize, usize)> = BTreeMap::new();
        for row in &rows {
            let mut counts: BTreeMap<&EntityType, usize> = BTreeMap::new();
            for value in &row.values {
                *counts.entry(&value.entity_type).or_default() += 1;
            }
            for (kind, count) in counts {
                let (documents, most) = seen.entry(kind).or_default();
                *documents += 1;
                *most = count.max(*most);
            }
        }
        let mut columns: Vec<Column> = seen
            .into_iter()
            .map(|(kind, (documents, most_values))| Column {
                name: kind.as_str().to_owned(),
                entity_type: kind.clone(),
                role: extractor.role(kind),
                kind: Kind::of(kind),
                documents,
                most_values,
            })
            .collect();
        columns.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
        let map = Map::new(extractor, &columns, &mut rows, key)?;
        let fingerprints: Vec<String> = map.fingerprints().into_iter().map(str::to_owned).collect();
        let mut rows: Vec<(String, Extract)> = fingerprints.into_iter().zip(rows).collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        let schema = Schema::new(rows.len(), columns);
        Ok(Self { rows, schema, map })
    }

    /// What its columns are.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Which mention belongs to which value: what writing back needs besides the documents.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The whole table as text.
    pub fn to_text(&self, format: TableFormat) -> Result<String, Error> {
        let failed = || Error::new(ErrorKind::Format, "cannot write the table");
        let bytes = match format {
            TableFormat::Csv => self.separated(b',').map_err(|_| failed())?,
            TableFormat::Tsv => self.separated(b'\t').map_err(|_| failed())?,
            TableFormat::Jsonl => self.jsonl(),
        };
        String::from_utf8(bytes).map_err(|_| failed())
    }

    fn separated(&self, separator: u8) -> Result<Vec<u8>, csv::Error> {
        let mut out = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
        let names = self.schema.columns.iter().map(|column| column.name.as_str());
        out.write_record(std::iter::once(Schema::ROW_ID).chain(names))?;
        for (fingerprint, row) in &self.rows {
            let cells = self.schema.columns.iter().map(|column| {
                let cell = cell::join(values(row, column));
                if cell::is_formula(&cell) { cell::disarmed(&cell) } else { cell }
            });
            out.write_record(std::iter::once(fingerprint.clone()).chain(cells))?;
        }
        out.into_inner().map_err(|error| error.into_error().into())
    }

    fn jsonl(&self) -> Vec<u8> {
        let mut out = String::new();
        for (fingerprint, row) in &self.rows {
            let mut object = Object::new();
            object.insert(Schema::ROW_ID.to_owned(), fingerprint.clone().into());
            for column in &self.schema.columns {
                let cell: Vec<Json> = values(row, column).map(Json::from).collect();
                if !cell.is_empty() {
                    object.insert(column.name.clone(), cell.into());
                }
            }
            out.push_str(&Json::Object(object).to_string());
            out.push('\n');
        }
        out.into_bytes()
    }
}

fn values<'r>(row: &'r Extract, column: &'r Column) -> impl Iterator<Item = &'r str> {
    let own = row.values.iter().filter(|value| value.entity_type == column.entity_type);
    own.map(|value| value.text.as_str())
}
