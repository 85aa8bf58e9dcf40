//! A quasi-identifier as persons have it: a set of values for each, in an order that cuts go by.

use std::collections::HashMap;

use reticent_knowledge::taxonomy::{RungKind, Stack};

use super::{GroupedRows, in_column};
use crate::Error;
use crate::table::schema::value::number;
use crate::table::{Column, ColumnRule, Hierarchy, Kind, Role, Schema, calendar};

/// What the number of rows of a person is called among the quasi-identifiers.
pub(crate) const ROWS_PER_PERSON: &str = "(rows per person)";

/// One value of a column.
pub(crate) struct Value {
    /// As the column writes it.
    pub(crate) text: String,
    /// Where it lies, and where it ends, on the column's line: a number, days, or the place in an order. Of a
    /// category, its place among the values.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// What is above it in the hierarchy, most specific first.
    pub(crate) above: Vec<String>,
}

/// A quasi-identifier.
pub(crate) struct Attribute {
    pub(crate) rule: ColumnRule,
    /// Its place among the table's columns.
    pub(crate) column: usize,
    /// Its values, in order.
    pub(crate) values: Vec<Value>,
    /// The sets of values that persons have, in order; that of nobody's value, if there is one, comes first.
    pub(crate) cells: Vec<Box<[u32]>>,
    /// Which of them each person has.
    pub(crate) of_person: Vec<u32>,
    /// Of whom a value cannot be read as the column's kind, in order: all that they have is suppressed.
    pub(crate) unread: Vec<u32>,
    /// How many values are below each rung of the hierarchy.
    pub(crate) leaves: HashMap<String, usize>,
}

impl Attribute {
    pub(crate) fn new(
        rule: &ColumnRule,
        place: usize,
        column: &Column,
        schema: &Schema,
        rows: &GroupedRows,
        taxonomy: Option<&Stack>,
    ) -> Result<Self, Error> {
        let told = Told::new(column, schema);
        let (values, of_told) = read(rule, column, &told, rows, (taxonomy, schema.is_extracted()))?;
        let (cells, of_person, unread) = group(column, &told, &of_told, rows);
        let mut leaves: HashMap<String, usize> = HashMap::new();
        for value in &values {
            for rung in &value.above {
                *leaves.entry(rung.clone()).or_default() += 1;
            }
        }
        Ok(Self { rule: rule.clone(), column: place, values, cells, of_person, unread, leaves })
    }

    /// The number of rows of each person, as a quasi-identifier that no column holds.
    pub(crate) fn of_counts(rows: &GroupedRows) -> Self {
        let counts: Vec<usize> = (0..rows.count()).map(|person| rows.of(person).len()).collect();
        let mut known = counts.clone();
        known.sort_unstable();
        known.dedup();
        let place =
            |count: &usize| u32::try_from(known.partition_point(|other| other < count)).unwrap_or(u32::MAX);
        let value = |count: &usize| {
            let at = *count as f64;
            Value { text: count.to_string(), low: at, high: at, above: Vec::new() }
        };
        let rule = ColumnRule {
            name: ROWS_PER_PERSON.to_owned(),
            role: Role::Insensitive,
            kind: Kind::Number,
            hierarchy: None,
            entities: Vec::new(),
            weight: 1.0,
            in_texts: false,
        };
        Self {
            rule,
            column: usize::MAX,
            values: known.iter().map(value).collect(),
            cells: known.iter().map(|count| Box::from([place(count)])).collect(),
            of_person: counts.iter().map(place).collect(),
            unread: Vec::new(),
            leaves: HashMap::new(),
        }
    }

    /// Whether it is the number of rows of each person.
    pub(crate) fn is_count(&self) -> bool {
        self.column == usize::MAX
    }

    /// Whether what a person has cannot be read.
    pub(crate) fn is_unread(&self, person: u32) -> bool {
        self.unread.binary_search(&person).is_ok()
    }

    /// Whether values lie on a line, rather than beside each other.
    pub(crate) fn is_line(&self) -> bool {
        !matches!(self.rule.kind, Kind::Category)
    }

    /// The values of a person, in order; none if all are missing.
    pub(crate) fn of(&self, person: u32) -> &[u32] {
        &self.cells[self.of_person[person as usize] as usize]
    }

    /// From the lowest to the highest of all values.
    pub(crate) fn span(&self) -> f64 {
        let low = self.values.first().map_or(0.0, |value| value.low);
        self.values.iter().map(|value| value.high).fold(low, f64::max) - low
    }
}

/// What the cells of a column say: one value each, or several where cells are sets.
pub(super) struct Told {
    pub(super) texts: Vec<String>,
    /// Which of the texts each distinct cell says.
    pub(super) of_code: Vec<Box<[u32]>>,
}

impl Told {
    pub(super) fn new(column: &Column, schema: &Schema) -> Self {
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut texts: Vec<String> = Vec::new();
        let mut of_code = Vec::with_capacity(column.distinct().len());
        for cell in column.distinct() {
            let values = schema.values(cell);
            let own = values.iter().map(|value| {
                let value = value.trim();
                let next = u32::try_from(texts.len()).unwrap_or(u32::MAX);
                if let Some(place) = known.get(value) {
                    return *place;
                }
                texts.push(value.to_owned());
                *known.entry(value.to_owned()).or_insert(next)
            });
            of_code.push(own.collect());
        }
        Self { texts, of_code }
    }

    /// The set of what some rows say, where each text counts as the value that it is.
    pub(super) fn set(&self, column: &Column, rows: &[u32], values: &[u32], into: &mut Vec<u32>) {
        into.clear();
        for code in rows.iter().filter_map(|row| column.code(*row as usize)) {
            into.extend(self.of_code[code as usize].iter().map(|at| values[*at as usize]));
        }
        into.sort_unstable();
        into.dedup();
    }

    /// The first row that says a text, counted from 1.
    fn row(&self, column: &Column, text: usize) -> usize {
        let says = |code: u32| self.of_code[code as usize].iter().any(|own| *own as usize == text);
        (0..column.len()).find(|row| column.code(*row).is_some_and(says)).map_or(0, |row| row + 1)
    }
}

/// Where a value lies on the line of its column, from where to where. Nothing if it is not of the column's kind.
pub(crate) fn key(kind: &Kind, text: &str) -> Option<(f64, f64)> {
    match kind {
        Kind::Number => number(text).map(|number| (number, number)),
        Kind::Date { format } => {
            calendar::read(text, format.as_deref()).map(|(first, last)| (f64::from(first), f64::from(last)))
        }
        Kind::Ordered(order) => {
            order.iter().position(|known| known == text).map(|place| (place as f64, place as f64))
        }
        Kind::Category => Some((0.0, 0.0)),
    }
}

/// The key, and the place, of a text that cannot be read.
const UNREAD_KEY: (f64, f64) = (f64::INFINITY, f64::INFINITY);
const UNREAD: u32 = u32::MAX;

/// The values of a column in their order, and which of them each of the texts is.
fn read(
    rule: &ColumnRule,
    column: &Column,
    told: &Told,
    rows: &GroupedRows,
    (taxonomy, lenient): (Option<&Stack>, bool),
) -> Result<(Vec<Value>, Vec<u32>), Error> {
    let refuse =
        |at: usize, what: &str| in_column(&rule.name, &format!("row {}: {what}", told.row(column, at)));
    let mut keys: Vec<(f64, f64)> = Vec::with_capacity(told.texts.len());
    for (at, text) in told.texts.iter().enumerate() {
        keys.push(match key(&rule.kind, text) {
            Some(key) => key,
            None if lenient => UNREAD_KEY,
            None => return Err(refuse(at, "the value does not match the column's kind")),
        });
    }
    let above = above(rule, told, taxonomy, &refuse)?;
    let counts = persons_with(column, told, rows);
    let text = |at: usize| told.texts[at].as_str();
    let mut order: Vec<usize> = (0..keys.len()).filter(|at| keys[*at] != UNREAD_KEY).collect();
    order.sort_by(|a, b| {
        let by_key = keys[*a].0.total_cmp(&keys[*b].0).then(keys[*a].1.total_cmp(&keys[*b].1));
        let by_path = || above[*a].iter().rev().cmp(above[*b].iter().rev());
        // What most persons have comes first, so that a cut can leave it alone in a class.
        by_key
            .then_with(by_path)
            .then_with(|| counts[*b].cmp(&counts[*a]))
            .then_with(|| text(*a).cmp(text(*b)))
    });
    let mut values: Vec<Value> = Vec::new();
    let mut of_told = vec![UNREAD; keys.len()];
    for at in order {
        // 36 and 36.0 are one number; it is written as most write it.
        let line = !matches!(rule.kind, Kind::Category);
        let same = line && values.last().is_some_and(|last| (last.low, last.high) == keys[at]);
        if !same {
            let place = (values.len() as f64, values.len() as f64);
            let (low, high) = if line { keys[at] } else { place };
            values.push(Value { text: text(at).to_owned(), low, high, above: above[at].clone() });
        }
        of_told[at] = u32::try_from(values.len() - 1).unwrap_or(u32::MAX);
    }
    Ok((values, of_told))
}

/// What is above each value of a column.
fn above(
    rule: &ColumnRule,
    told: &Told,
    taxonomy: Option<&Stack>,
    refuse: &dyn Fn(usize, &str) -> Error,
) -> Result<Vec<Vec<String>>, Error> {
    match (&rule.hierarchy, taxonomy) {
        (Some(Hierarchy::Levels(levels)), _) => {
            let rows = levels.iter().filter_map(|row| row.split_first());
            let known: HashMap<&str, &[String]> =
                rows.map(|(value, above)| (value.as_str(), above)).collect();
            let above = told.texts.iter().enumerate().map(|(at, value)| {
                let found = known.get(value.as_str()).map(|above| above.to_vec());
                found.ok_or_else(|| refuse(at, "the value is not in the column's hierarchy"))
            });
            above.collect()
        }
        (Some(Hierarchy::Prefix(lengths)), _) => {
            let above = told.texts.iter().map(|value| {
                let count = value.chars().count();
                let lengths = lengths.iter().filter(|length| **length < count);
                let cut = |length: &usize| {
                    let beginning: String = value.chars().take(*length).collect();
                    beginning + &"*".repeat(count - length)
                };
                let mut above: Vec<String> = lengths.map(cut).collect();
                // A code has at least itself above it, so that it is compared by prefixes; then nothing is.
                if above.is_empty() {
                    above.push(value.clone());
                }
                above
            });
            Ok(above.collect())
        }
        (Some(Hierarchy::Taxonomy), Some(stack)) => {
            let above = told.texts.iter().enumerate().map(|(at, value)| {
                let ladder = stack.ladder(value);
                if ladder.senses.is_empty() {
                    return Err(refuse(at, "the value is not in any taxonomy").with_hint(
                        "add a hierarchy to the schema, or a taxonomy that contains the value with --taxonomy",
                    ));
                }
                let rungs = ladder.rungs.into_iter().filter(|rung| rung.kind == RungKind::Hypernym);
                Ok(rungs.map(|rung| rung.text).collect())
            });
            above.collect()
        }
        _ => Ok(vec![Vec::new(); told.texts.len()]),
    }
}

/// How many persons have each value.
fn persons_with(column: &Column, told: &Told, rows: &GroupedRows) -> Vec<usize> {
    let mut counts = vec![0; told.texts.len()];
    let mut last = vec![u32::MAX; told.texts.len()];
    for &row in &rows.by_person {
        let Some(code) = column.code(row as usize) else { continue };
        let person = rows.of_row[row as usize];
        for at in &told.of_code[code as usize] {
            if last[*at as usize] != person {
                last[*at as usize] = person;
                counts[*at as usize] += 1;
            }
        }
    }
    counts
}

/// The sets of values that persons have, in order, and which of them each has.
fn group(
    column: &Column,
    told: &Told,
    of_told: &[u32],
    rows: &GroupedRows,
) -> (Vec<Box<[u32]>>, Vec<u32>, Vec<u32>) {
    let mut unread = Vec::new();
    let mut known: HashMap<Box<[u32]>, u32> = HashMap::new();
    let mut of_person = Vec::with_capacity(rows.count());
    let mut set: Vec<u32> = Vec::new();
    for person in 0..rows.count() {
        told.set(column, rows.of(person), of_told, &mut set);
        // They come last.
        if set.last() == Some(&UNREAD) {
            unread.extend(u32::try_from(person));
            set.clear();
        }
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let id = match known.get(set.as_slice()) {
            Some(id) => *id,
            None => *known.entry(set.as_slice().into()).or_insert(next),
        };
        of_person.push(id);
    }
    let mut cells: Vec<(Box<[u32]>, u32)> = known.into_iter().collect();
    cells.sort_unstable();
    let mut rank = vec![0; cells.len()];
    for (place, (_, id)) in cells.iter().enumerate() {
        rank[*id as usize] = u32::try_from(place).unwrap_or(u32::MAX);
    }
    for id in &mut of_person {
        *id = rank[*id as usize];
    }
    (cells.into_iter().map(|(cell, _)| cell).collect(), of_person, unread)
}
