//! A sensitive column as persons have it.

use super::super::{Column, ColumnRule, Kind};
use super::{GroupedRows, in_column};
use crate::Error;
use crate::table::calendar;

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
    pub(crate) fn new(rule: &ColumnRule, column: &Column, rows: &GroupedRows) -> Result<Self, Error> {
        if column.distinct().is_empty() {
            return Err(in_column(&rule.name, "has no value at all")
                .with_hint("give it the role `insensitive`, or remove the column"));
        }
        let place = places(rule, column)?;
        let (mut starts, mut of_person) = (vec![0], Vec::new());
        let mut set: Vec<u32> = Vec::new();
        for person in 0..rows.count() {
            set.clear();
            let codes = rows.of(person).iter().filter_map(|row| column.code(*row as usize));
            set.extend(codes.map(|code| place[code as usize]));
            set.sort_unstable();
            set.dedup();
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

/// The place of each code in the order of the values.
fn places(rule: &ColumnRule, column: &Column) -> Result<Vec<u32>, Error> {
    let key = |text: &str| match &rule.kind {
        Kind::Number => text.trim().parse::<f64>().ok().filter(|number| number.is_finite()),
        Kind::Date { format } => {
            calendar::read(text.trim(), format.as_deref()).map(|days| f64::from(days.0))
        }
        Kind::Ordered(order) => order.iter().position(|known| known == text.trim()).map(|at| at as f64),
        Kind::Category => Some(0.0),
    };
    let mut keys = Vec::with_capacity(column.distinct().len());
    for (code, text) in column.distinct().iter().enumerate() {
        keys.push(key(text).ok_or_else(|| {
            let row = (0..column.len()).find(|row| column.code(*row) == u32::try_from(code).ok());
            let row = row.unwrap_or_default() + 1;
            in_column(&rule.name, &format!("row {row}: the value is not of the column's kind"))
                .with_hint("correct it, leave it empty, or give the column another `kind`")
        })?);
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let text = |code: usize| column.distinct()[code].trim();
    order.sort_by(|a, b| keys[*a].total_cmp(&keys[*b]).then_with(|| text(*a).cmp(text(*b))));
    let mut place = vec![0; keys.len()];
    let mut next = 0;
    for (at, code) in order.iter().enumerate() {
        if at > 0 {
            let before = order[at - 1];
            let same = match rule.kind {
                Kind::Category => text(before) == text(*code),
                _ => keys[before].total_cmp(&keys[*code]).is_eq(),
            };
            next += u32::from(!same);
        }
        place[*code] = next;
    }
    Ok(place)
}
