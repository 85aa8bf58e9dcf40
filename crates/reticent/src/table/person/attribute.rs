//! A quasi-identifier as persons have it: a set of values for each, in an order that cuts go by.

use std::collections::HashMap;

use reticent_knowledge::taxonomy::{RungKind, Stack};

use super::super::{Column, ColumnRule, Hierarchy, Kind};
use super::{GroupedRows, in_column};
use crate::Error;
use crate::table::calendar;

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
    /// How many values are below each rung of the hierarchy.
    pub(crate) leaves: HashMap<String, usize>,
}

impl Attribute {
    pub(crate) fn new(
        rule: &ColumnRule,
        place: usize,
        column: &Column,
        rows: &GroupedRows,
        taxonomy: Option<&Stack>,
    ) -> Result<Self, Error> {
        let (values, of_code) = read(rule, column, rows, taxonomy)?;
        if values.is_empty() {
            return Err(in_column(&rule.name, "has no value at all").with_hint(
                "take it out of the quasi-identifiers: give it the role `insensitive`, or remove the column",
            ));
        }
        let (cells, of_person) = group(column, &of_code, rows);
        let mut leaves: HashMap<String, usize> = HashMap::new();
        for value in &values {
            for rung in &value.above {
                *leaves.entry(rung.clone()).or_default() += 1;
            }
        }
        Ok(Self { rule: rule.clone(), column: place, values, cells, of_person, leaves })
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

/// The values of a column in their order, and which of them each of the column's codes is.
fn read(
    rule: &ColumnRule,
    column: &Column,
    rows: &GroupedRows,
    taxonomy: Option<&Stack>,
) -> Result<(Vec<Value>, Vec<u32>), Error> {
    let mut keys: Vec<(f64, f64)> = Vec::with_capacity(column.distinct().len());
    let refuse = |code: usize, what: &str| {
        let row = (0..column.len()).find(|row| column.code(*row) == u32::try_from(code).ok());
        let at = row.map_or_else(String::new, |row| format!("row {}: ", row + 1));
        in_column(&rule.name, &format!("{at}{what}"))
    };
    for (code, text) in column.distinct().iter().enumerate() {
        let text = text.trim();
        let key = match &rule.kind {
            Kind::Number => {
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                let number = number.ok_or_else(|| {
                    refuse(code, "the value is not a number")
                        .with_hint("correct it, leave it empty, or give the column another `kind`")
                })?;
                (number, number)
            }
            Kind::Date { format } => {
                let days = calendar::read(text, format.as_deref()).ok_or_else(|| {
                    refuse(code, "the value is not a date").with_hint(
                        "dates are written 2004-05-14, 2004-05 or 2004, or as the column's `format` says",
                    )
                })?;
                (f64::from(days.0), f64::from(days.1))
            }
            Kind::Ordered(order) => {
                let place = order.iter().position(|known| known == text).ok_or_else(|| {
                    refuse(code, "the value is not in the column's order")
                        .with_hint("add it to `order` in the schema")
                })?;
                (place as f64, place as f64)
            }
            Kind::Category => (0.0, 0.0),
        };
        keys.push(key);
    }
    let above = above(rule, column, taxonomy, &refuse)?;
    let counts = persons_with(column, rows);
    let text = |code: usize| column.distinct()[code].trim();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|a, b| {
        let by_key = keys[*a].0.total_cmp(&keys[*b].0).then(keys[*a].1.total_cmp(&keys[*b].1));
        // What most persons have comes first, so that a cut can leave it alone in a class.
        let by_path = || above[*a].iter().rev().cmp(above[*b].iter().rev());
        by_key
            .then_with(by_path)
            .then_with(|| if rule.kind == Kind::Category { counts[*b].cmp(&counts[*a]) } else { std::cmp::Ordering::Equal })
            .then_with(|| text(*a).cmp(text(*b)))
    });
    let mut values: Vec<Value> = Vec::new();
    let mut of_code = vec![0; keys.len()];
    for code in order {
        let same = values.last().is_some_and(|last: &Value| match rule.kind {
            Kind::Category | Kind::Ordered(_) => last.text == text(code),
            // 36 and 36.0 are one number.
            _ => (last.low, last.high) == keys[code],
        });
        if !same {
            let (low, high) = match rule.kind {
                Kind::Category => (values.len() as f64, values.len() as f64),
                _ => keys[code],
            };
            values.push(Value { text: text(code).to_owned(), low, high, above: above[code].clone() });
        }
        of_code[code] = u32::try_from(values.len() - 1).unwrap_or(u32::MAX);
    }
    Ok((values, of_code))
}

/// What is above each value of a column.
fn above(
    rule: &ColumnRule,
    column: &Column,
    taxonomy: Option<&Stack>,
    refuse: &dyn Fn(usize, &str) -> Error,
) -> Result<Vec<Vec<String>>, Error> {
    let none = || vec![Vec::new(); column.distinct().len()];
    match (&rule.hierarchy, &rule.kind) {
        (Some(Hierarchy::Levels(levels)), _) => {
            let known: HashMap<&str, &[String]> = levels
                .iter()
                .filter_map(|row| row.split_first())
                .map(|(value, above)| (value.as_str(), above))
                .collect();
            let above = column.distinct().iter().enumerate().map(|(code, value)| {
                let found = known.get(value.trim());
                found.map(|above| above.to_vec()).ok_or_else(|| {
                    refuse(code, "the hierarchy lacks the value").with_hint("add a row for it to the hierarchy")
                })
            });
            above.collect()
        }
        (Some(Hierarchy::Taxonomy), Kind::Category) => {
            let Some(stack) = taxonomy else { return Ok(none()) };
            let above = column.distinct().iter().enumerate().map(|(code, value)| {
                let ladder = stack.ladder(value.trim());
                if ladder.senses.is_empty() {
                    return Err(refuse(code, "the taxonomies do not know the value")
                        .with_hint("give a hierarchy of your own, or a taxonomy that knows it with --taxonomy"));
                }
                let rungs = ladder.rungs.into_iter().filter(|rung| rung.kind == RungKind::Hypernym);
                Ok(rungs.map(|rung| rung.text).collect())
            });
            above.collect()
        }
        _ => Ok(none()),
    }
}

/// How many rows have each value; of persons with one row each, how many persons.
fn persons_with(column: &Column, rows: &GroupedRows) -> Vec<usize> {
    let mut counts = vec![0; column.distinct().len()];
    let mut last = vec![u32::MAX; column.distinct().len()];
    for &row in &rows.by_person {
        if let Some(code) = column.code(row as usize) {
            let person = rows.of_row[row as usize];
            if last[code as usize] != person {
                last[code as usize] = person;
                counts[code as usize] += 1;
            }
        }
    }
    counts
}

/// The sets of values that persons have, in order, and which of them each has.
fn group(column: &Column, of_code: &[u32], rows: &GroupedRows) -> (Vec<Box<[u32]>>, Vec<u32>) {
    let mut known: HashMap<Box<[u32]>, u32> = HashMap::new();
    let mut of_person = Vec::with_capacity(rows.count());
    let mut set: Vec<u32> = Vec::new();
    for person in 0..rows.count() {
        set.clear();
        let values = rows.of(person).iter().filter_map(|row| column.code(*row as usize));
        set.extend(values.map(|code| of_code[code as usize]));
        set.sort_unstable();
        set.dedup();
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
    (cells.into_iter().map(|(cell, _)| cell).collect(), of_person)
}
