//! The person-centric view: one record for each person, whatever number of rows tell of them.
//!
//! A person's record has the set of their values in each quasi-identifier, and the union of what their texts
//! say besides: terms, each of a type, that are not in a column anyway.

mod attribute;
mod sensitive;

use reticent_knowledge::taxonomy::Stack;

pub(crate) use attribute::{Attribute, Value, key};
pub(crate) use sensitive::Sensitive;

use super::{Role, Schema, Table};
use crate::{Error, ErrorKind};

/// Which rows are of one person.
pub(crate) struct GroupedRows {
    /// The person of each row. Persons are numbered by their first rows.
    pub(crate) of_row: Vec<u32>,
    /// The rows, person by person.
    pub(crate) by_person: Vec<u32>,
    starts: Vec<u32>,
}

impl GroupedRows {
    /// By the first column that identifies; without one, each row is a person.
    pub(crate) fn new(table: &Table, schema: &Schema) -> Result<Self, Error> {
        let rows = u32::try_from(table.rows()).map_err(|_| error("the table has too many rows"))?;
        let Some(rule) = schema.of_role(Role::Identifier).next() else {
            return Ok(Self {
                of_row: (0..rows).collect(),
                by_person: (0..rows).collect(),
                starts: (0..=rows).collect(),
            });
        };
        let column = table.column(&rule.name).ok_or_else(|| missing(&rule.name))?;
        let mut known: Vec<u32> = vec![u32::MAX; column.distinct().len()];
        let (mut of_row, mut next) = (Vec::with_capacity(column.len()), 0);
        for row in 0..column.len() {
            // Rows without one could all be of one person: taken for many, they would make classes look large.
            let code = column.code(row).ok_or_else(|| {
                in_column(&rule.name, &format!("row {}: the person's identifier is missing", row + 1))
                    .with_hint("fill it in, or remove the row")
            })?;
            let person = &mut known[code as usize];
            if *person == u32::MAX {
                *person = next;
                next += 1;
            }
            of_row.push(*person);
        }
        let mut starts = vec![0; next as usize + 1];
        for person in &of_row {
            starts[*person as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (mut place, mut by_person) = (starts.clone(), vec![0; of_row.len()]);
        for (row, person) in (0..).zip(&of_row) {
            by_person[place[*person as usize] as usize] = row;
            place[*person as usize] += 1;
        }
        Ok(Self { of_row, by_person, starts })
    }

    /// How many persons there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a person, in order.
    pub(crate) fn of(&self, person: usize) -> &[u32] {
        &self.by_person[self.starts[person] as usize..self.starts[person + 1] as usize]
    }
}

/// What one person's texts say besides their columns, for each person: places in a vocabulary, in order.
#[derive(Default)]
pub(crate) struct TermSets {
    starts: Vec<u32>,
    terms: Vec<u32>,
    /// The type of each term of the vocabulary.
    pub(crate) type_of: Vec<u16>,
    /// How many types there are.
    pub(crate) types: usize,
    /// Whether a term may be told if all of a class say it.
    pub(crate) may_stay: Vec<bool>,
}

impl TermSets {
    /// From pairs of person and term, in any order and any number of times.
    pub(crate) fn new(
        persons: usize,
        mut pairs: Vec<(u32, u32)>,
        type_of: Vec<u16>,
        may_stay: Vec<bool>,
    ) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; persons + 1];
        for (person, _) in &pairs {
            starts[*person as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let types = type_of.iter().max().map_or(0, |last| usize::from(*last) + 1);
        Self { starts, terms: pairs.into_iter().map(|(_, term)| term).collect(), type_of, types, may_stay }
    }

    /// The terms of a person, in order.
    pub(crate) fn of(&self, person: u32) -> &[u32] {
        match self.starts.get(person as usize..person as usize + 2) {
            Some(ends) => &self.terms[ends[0] as usize..ends[1] as usize],
            None => &[],
        }
    }

    /// How many terms there are.
    pub(crate) fn vocabulary(&self) -> usize {
        self.type_of.len()
    }
}

/// One record for each person.
pub(crate) struct People {
    pub(crate) rows: GroupedRows,
    /// The quasi-identifiers, in the order of the schema.
    pub(crate) attributes: Vec<Attribute>,
    /// The sensitive columns, in the order of the schema.
    pub(crate) sensitive: Vec<Sensitive>,
    /// What texts say.
    pub(crate) terms: TermSets,
}

impl People {
    /// The records of a table, without what its texts say.
    pub(crate) fn new(table: &Table, schema: &Schema, taxonomy: Option<&Stack>) -> Result<Self, Error> {
        let rows = GroupedRows::new(table, schema)?;
        let (mut attributes, mut sensitive) = (Vec::new(), Vec::new());
        for rule in schema.columns() {
            let place = table.columns().iter().position(|column| column.name() == rule.name);
            let place = place.ok_or_else(|| missing(&rule.name))?;
            let column = &table.columns()[place];
            match rule.role {
                Role::QuasiIdentifier => {
                    attributes.push(Attribute::new(rule, place, column, schema, &rows, taxonomy)?);
                }
                Role::Sensitive => sensitive.push(Sensitive::new(rule, column, schema, &rows)?),
                Role::Identifier | Role::Text | Role::Insensitive | Role::Remove => {}
            }
        }
        if schema.parameters().rows_per_person == Some(true) {
            attributes.push(Attribute::of_counts(&rows));
        }
        Ok(Self { rows, attributes, sensitive, terms: TermSets::default() })
    }

    /// How many persons there are.
    pub(crate) fn count(&self) -> usize {
        self.rows.count()
    }
}

pub(crate) fn error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Table, message)
}

pub(crate) fn in_column(name: &str, what: &str) -> Error {
    error(format!("column `{name}`: {what}"))
}

fn missing(name: &str) -> Error {
    error(format!("the table has no column `{name}`, which the schema requires"))
        .with_hint("remove it from the schema, or create a new schema with `reticent table schema`")
}
