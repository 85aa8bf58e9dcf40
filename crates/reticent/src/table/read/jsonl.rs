//! Tables in JSONL: an object on each line.
//!
//! A cell is a string, a number, `true`, `false` or `null`; an array of these is a set, as `reticent extract`
//! writes it. Objects in objects are refused: what is in them would be released unseen.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{ReadOptions, assembled, check_cell, check_names, check_rows, dialect};
use crate::extract::cell;
use crate::table::source::{Coding, JsonColumn, JsonMissing, JsonStyle, Style, Tally};
use crate::table::{ColumnBuilder, Source, Table, write};
use crate::{Error, ErrorKind};

/// The members of one object, as they are written.
struct Members<'r>(Vec<(Cow<'r, str>, &'r RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(Key(name)) = map.next_key()? {
                    members.push((name, map.next_value()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[derive(serde::Deserialize)]
struct Key<'r>(#[serde(borrow)] Cow<'r, str>);

/// A column while it is read: its values, and how often they were written in which way.
struct Filling {
    name: String,
    builder: ColumnBuilder,
    numbers: usize,
    numbers_as_strings: usize,
    booleans: usize,
    booleans_as_strings: usize,
    lists: usize,
    singles: usize,
    absent: usize,
    nulls: usize,
    words: Tally<String>,
    worded: usize,
}

impl Filling {
    fn new(name: &str, absent: usize) -> Self {
        let mut builder = ColumnBuilder::new(name);
        (0..absent).for_each(|_| builder.push(None));
        Self {
            name: name.to_owned(),
            builder,
            numbers: 0,
            numbers_as_strings: 0,
            booleans: 0,
            booleans_as_strings: 0,
            lists: 0,
            singles: 0,
            absent,
            nulls: 0,
            words: Tally::default(),
            worded: 0,
        }
    }

    fn absent(&mut self) {
        self.absent += 1;
        self.builder.push(None);
    }

    fn push(&mut self, raw: &RawValue, row: usize, options: &ReadOptions) -> Result<(), Error> {
        let raw = raw.get();
        let refuse = |what: &str| Err(at(row, &self.name, what));
        match raw.as_bytes().first() {
            Some(b'n') => {
                self.nulls += 1;
                self.builder.push(None);
                return Ok(());
            }
            Some(b'{') => {
                return refuse("the value is an object")
                    .map_err(|error| error.with_hint("flatten it into one column per member first"));
            }
            Some(b'[') => {
                if self.singles > 0 {
                    return refuse("the value is a list, but other rows have single values");
                }
                self.lists += 1;
                let Ok(parts) = serde_json::from_str::<Vec<&RawValue>>(raw) else {
                    return refuse("the list is invalid");
                };
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.scalar(part.get()) {
                        Some(value) => values.push(value),
                        None => {
                            return Err(at(row, &self.name, "the value is a nested list"));
                        }
                    }
                }
                let value = cell::join(values.iter().map(|value| &**value));
                check_cell(&value, row, &self.name, &options.limits)?;
                // An empty list is what stands for nothing in such a column.
                self.nulls += usize::from(value.is_empty());
                self.builder.push(Some(&*value).filter(|value| !value.is_empty()));
                return Ok(());
            }
            _ => {}
        }
        if self.lists > 0 {
            return refuse("the value is a single value, but other rows have lists");
        }
        self.singles += 1;
        let Some(value) = self.scalar(raw) else {
            return Err(at(row, &self.name, "the value is not valid text"));
        };
        if value.is_empty() || options.missing.iter().any(|word| *word == *value) {
            self.words.add(&*value);
            self.worded += 1;
            self.builder.push(None);
            return Ok(());
        }
        check_cell(&value, row, &self.name, &options.limits)?;
        self.builder.push(Some(&value));
        Ok(())
    }

    /// A string, a number, true or false.
    fn scalar<'r>(&mut self, raw: &'r str) -> Option<Cow<'r, str>> {
        match raw.as_bytes().first()? {
            b'"' => {
                let inner = &raw[1..raw.len() - 1];
                let value = if inner.contains('\\') {
                    Cow::Owned(serde_json::from_str::<String>(raw).ok()?)
                } else {
                    Cow::Borrowed(inner)
                };
                self.numbers_as_strings += usize::from(write::jsonl::is_number(&value));
                self.booleans_as_strings += usize::from(matches!(&*value, "true" | "false"));
                Some(value).filter(|value| !value.contains('\0'))
            }
            b't' | b'f' => {
                self.booleans += 1;
                Some(Cow::Borrowed(raw))
            }
            b'-' | b'0'..=b'9' => {
                self.numbers += 1;
                Some(Cow::Borrowed(raw))
            }
            _ => None,
        }
    }

    fn style(self) -> JsonColumn {
        let missing = match self.words.most() {
            Some(word) if self.worded > self.nulls.max(self.absent) => JsonMissing::Word(word),
            _ if self.absent > self.nulls => JsonMissing::Absent,
            _ => JsonMissing::Null,
        };
        JsonColumn {
            numbers: self.numbers > 0 && self.numbers_as_strings == 0,
            booleans: self.booleans > 0 && self.booleans_as_strings == 0,
            lists: self.lists > 0,
            missing,
        }
    }
}

pub(super) fn read(text: &str, coding: Coding, options: &ReadOptions) -> Result<(Table, Source), Error> {
    let newline = if dialect::newline_of(text) == "\r\n" { "\r\n" } else { "\n" };
    let mut columns: Vec<Filling> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let (mut row, mut end, mut first) = (0, 0, None);
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim().is_empty() {
            continue;
        }
        row += 1;
        check_rows(row, &options.limits)?;
        // Both lie in the same text.
        end = line.as_ptr() as usize - text.as_ptr() as usize + line.len();
        let Ok(Members(members)) = serde_json::from_str::<Members<'_>>(line) else {
            return Err(Error::new(
                ErrorKind::Format,
                format!("row {row} (line {number}) is not a JSON object"),
            )
            .with_hint("JSONL has one JSON object on each line"));
        };
        for (position, (name, raw)) in members.into_iter().enumerate() {
            let known = columns.get(position).is_some_and(|column| column.name == name);
            let place = if known { Some(position) } else { places.get(&*name).copied() };
            let place = place.unwrap_or_else(|| {
                places.insert(name.to_string(), columns.len());
                columns.push(Filling::new(&name, row - 1));
                columns.len() - 1
            });
            if columns.len() > options.limits.max_columns {
                check_names(columns.iter().map(|column| column.name.as_str()), &options.limits)?;
            }
            if columns[place].builder.len() == row {
                return Err(at(row, &name, "the column occurs twice"));
            }
            columns[place].push(raw, row, options)?;
        }
        columns.iter_mut().filter(|column| column.builder.len() < row).for_each(Filling::absent);
        first.get_or_insert(line);
    }
    if row == 0 {
        return Err(Error::new(ErrorKind::Format, "the file is empty")
            .with_hint("JSONL has one JSON object on each line"));
    }
    check_names(columns.iter().map(|column| column.name.as_str()), &options.limits)?;
    let (mut styles, mut built) = (HashMap::new(), Vec::with_capacity(columns.len()));
    for mut column in columns {
        let builder = std::mem::replace(&mut column.builder, ColumnBuilder::new(""));
        styles.insert(column.name.clone(), column.style());
        built.push(builder.finish());
    }
    let table = assembled(built)?;
    let ascii = text.is_ascii()
        && table.columns().iter().any(|column| !column.distinct().iter().all(|value| value.is_ascii()));
    let tail = text[end..].to_owned();
    let mut style = JsonStyle { coding, blanks: true, ascii, newline, tail, columns: styles };
    style.blanks = first.is_some_and(|first| write::jsonl::row(&table, 0, &style) == first);
    Ok((table, Source { style: Style::Jsonl(style) }))
}

fn at(row: usize, column: &str, what: &str) -> Error {
    Error::new(ErrorKind::Format, format!("row {row}, column `{column}`: {what}"))
}
