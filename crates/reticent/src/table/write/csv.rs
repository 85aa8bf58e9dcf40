//! CSV and TSV, written as they were.

use crate::Error;
use crate::table::Table;
use crate::table::read::csv::{Dialect, needs_quotes};
use crate::table::read::text;
use crate::table::source::{SeparatedColumn, SeparatedStyle};

pub(super) fn write(table: &Table, style: &SeparatedStyle) -> Result<Vec<u8>, Error> {
    let dialect = &style.dialect;
    let plain = SeparatedColumn::default();
    let styles: Vec<&SeparatedColumn> =
        table.columns().iter().map(|column| style.columns.get(column.name()).unwrap_or(&plain)).collect();
    let mut out = String::new();
    for (at, column) in table.columns().iter().enumerate() {
        separate(&mut out, at, dialect);
        // What separates is told from the header: a name with another such sign must not look like several.
        let ambiguous = dialect.separator != b'\t' && column.name().contains([',', ';', '\t', '|']);
        put(&mut out, column.name(), style.quoted_header || ambiguous, dialect);
    }
    for row in 0..table.rows() {
        out.push_str(dialect.newline);
        for (at, (column, style)) in table.columns().iter().zip(&styles).enumerate() {
            separate(&mut out, at, dialect);
            match column.get(row) {
                // A line without anything would be no row.
                None if style.missing.is_empty() && table.columns().len() == 1 => out.push_str("\"\""),
                None => put(&mut out, &style.missing, style.missing_quoted, dialect),
                Some(value) => put(&mut out, value, style.quoted, dialect),
            }
        }
    }
    out.push_str(&style.tail);
    text::encode(out, style.coding)
}

fn separate(out: &mut String, at: usize, dialect: &Dialect) {
    if at > 0 {
        out.push(char::from(dialect.separator));
        if dialect.blank {
            out.push(' ');
        }
    }
}

fn put(out: &mut String, value: &str, quoted: bool, dialect: &Dialect) {
    if !quoted && !needs_quotes(value, dialect) {
        out.push_str(value);
        return;
    }
    out.push('"');
    let mut rest = value;
    while let Some(quote) = memchr::memchr(b'"', rest.as_bytes()) {
        out.push_str(&rest[..=quote]);
        out.push('"');
        rest = &rest[quote + 1..];
    }
    out.push_str(rest);
    out.push('"');
}
