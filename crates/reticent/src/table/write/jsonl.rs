//! JSONL, written as it was.

use std::fmt::Write as _;

use crate::Error;
use crate::extract::cell;
use crate::table::Table;
use crate::table::read::text;
use crate::table::source::{JsonColumn, JsonMissing, JsonStyle};

pub(super) fn write(table: &Table, style: &JsonStyle) -> Result<Vec<u8>, Error> {
    let plain = JsonColumn::default();
    let columns = columns_of(table, style, &plain);
    let mut out = String::new();
    for row in 0..table.rows() {
        if row > 0 {
            out.push_str(style.newline);
        }
        put_row(&mut out, table, row, style, &columns);
    }
    out.push_str(&style.tail);
    text::encode(out, style.coding)
}

/// One row, without its line end.
pub(in crate::table) fn row(table: &Table, row: usize, style: &JsonStyle) -> String {
    let plain = JsonColumn::default();
    let mut out = String::new();
    put_row(&mut out, table, row, style, &columns_of(table, style, &plain));
    out
}

/// Whether a text is a number as JSON writes them.
pub(in crate::table) fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest.starts_with('0')) {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else { return rest.is_empty() };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !exponent.is_empty() && digits(exponent) == exponent.len()
}

/// A column's name as it is written, and how its values are.
type Written<'s> = (String, &'s JsonColumn);

fn columns_of<'s>(table: &Table, style: &'s JsonStyle, plain: &'s JsonColumn) -> Vec<Written<'s>> {
    let written = table.columns().iter().map(|column| {
        let mut name = String::new();
        put_string(&mut name, column.name(), style.ascii);
        name.push_str(if style.blanks { ": " } else { ":" });
        (name, style.columns.get(column.name()).unwrap_or(plain))
    });
    written.collect()
}

fn put_row(out: &mut String, table: &Table, row: usize, style: &JsonStyle, columns: &[Written<'_>]) {
    let comma = if style.blanks { ", " } else { "," };
    out.push('{');
    let mut first = true;
    for (column, (name, how)) in table.columns().iter().zip(columns) {
        let value = column.get(row);
        if value.is_none() && how.missing == JsonMissing::Absent {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push_str(comma);
        }
        out.push_str(name);
        match (value, &how.missing) {
            (Some(value), _) if how.lists => {
                out.push('[');
                for (at, part) in cell::split(value, &[]).into_iter().enumerate() {
                    if at > 0 {
                        out.push_str(comma);
                    }
                    put_value(out, &part.unwrap_or_default(), how, style.ascii);
                }
                out.push(']');
            }
            (Some(value), _) => put_value(out, value, how, style.ascii),
            (None, JsonMissing::Word(word)) => put_string(out, word, style.ascii),
            (None, _) => out.push_str("null"),
        }
    }
    out.push('}');
}

fn put_value(out: &mut String, value: &str, how: &JsonColumn, ascii: bool) {
    let bare = (how.numbers && is_number(value)) || (how.booleans && matches!(value, "true" | "false"));
    if bare { out.push_str(value) } else { put_string(out, value, ascii) }
}

fn put_string(out: &mut String, value: &str, ascii: bool) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' || (ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
