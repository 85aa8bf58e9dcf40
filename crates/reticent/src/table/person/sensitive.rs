//! A sensitive column as persons have it.

use super::attribute::{Told, key};
use super::{GroupedRows, in_column};
use crate::Error;
use crate::table::{Column, ColumnRule, Kind, Schema};

/// What persons have in a sensitive column: released as it is, and guarded by diversity and closeness.
pub(crate) struct Sensitive {
    pub(crate) name: String,
    /// How many values there are.
    pub(crate) values: usize,
    /// Whether they lie on a line, so that near ones are alike.
    pub(crate) ordered: bool,
    starts: Vec<u32>,
    of_person: Vec<u32>,
}

impl Sensitive {
    pub(crate) fn new(
        rule: &ColumnRule,
        column: &Column,
        schema: &Schema,
        rows: &GroupedRows,
    ) -> Result<Self, Error> {
        let told = Told::new(column, schema);
        let place = places(rule, &told)?;
        let (mut starts, mut of_person) = (vec![0], Vec::new());
        let mut set: Vec<u32> = Vec::new();
        for person in 0..rows.count() {
            told.set(column, rows.of(person), &place, &mut set);
            of_person.extend(&set);
            starts.push(u32::try_from(of_person.len()).unwrap_or(u32::MAX));
        }
        let values = place.iter().max().map_or(0, |last| *last as usize + 1);
        let ordered = !matches!(rule.kind, Kind::Category);
        Ok(Self { name: rule.name.clone(), values, ordered, starts, of_person })
    }

    /// The values of a person, in order.
    pub(crate) fn of(&self, person: u32) -> &[u32] {
        let person = person as usize;
        &self.of_person[self.starts[person] as usize..self.starts[person + 1] as usize]
    }
}

/// The place of each text in the order of the values.
fn places(rule: &ColumnRule, told: &Told) -> Result<Vec<u32>, Error> {
    let keys = told.texts.iter().map(|text| key(&rule.kind, text).map(|(low, _)| low));
    let keys: Option<Vec<f64>> = keys.collect();
    let keys = keys.ok_or_else(|| in_column(&rule.name, "a value does not match the column's kind"))?;
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|a, b| keys[*a].total_cmp(&keys[*b]).then_with(|| told.texts[*a].cmp(&told.texts[*b])));
    let mut place = vec![0; keys.len()];
    let mut next = 0;
    for (at, text) in order.iter().enumerate() {
        if at > 0 {
            let line = !matches!(rule.kind, Kind::Category);
            let same = line && keys[order[at - 1]].total_cmp(&keys[*text]).is_eq();
            next += u32::from(!same);
        }
        place[*text] = next;
    }
    Ok(place)
}
