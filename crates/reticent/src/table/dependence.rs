//! Columns that are released unchanged and say what generalized ones hide.
//!
//! A code of a diagnosis next to the diagnosis, a region next to the town: whoever knows which values go together
//! reads the hidden one off the other. Measured on the original table by Goodman and Kruskal's lambda: of the rows
//! whose value would be guessed wrong without the other column, the share that is guessed right with it.

use std::collections::HashMap;

use serde::Serialize;

use super::partition::Partition;
use super::person::People;
use super::recode::Coded;
use super::{Column, Role, Schema, Table};

/// A column that is released unchanged and determines a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dependence {
    /// The column that is released unchanged.
    pub released: String,
    /// The quasi-identifier that it reveals.
    pub reveals: String,
    /// The share of the uncertainty that it removes: 1 if each of its values goes with a single one.
    pub strength: f64,
    /// The persons who can be told from all but fewer than `k` others of their class by what it reveals; nothing
    /// before the table is protected.
    pub singled_out: usize,
}

/// From this strength on, one column is held to determine another.
pub(super) const STRONG: f64 = 0.95;
/// With fewer rows that share a value, dependence may be chance.
const ENOUGH: usize = 20;
/// How many rows are looked at.
const SAMPLE: usize = 100_000;

/// The strength with which `by` determines `of`; nothing if too few rows could tell.
pub(super) fn strength(by: &Column, of: &Column) -> Option<f64> {
    if of.distinct().len() < 2 || by.distinct().len() < 2 {
        return None;
    }
    let step = by.len().div_ceil(SAMPLE).max(1);
    let mut pairs: HashMap<(u32, u32), usize> = HashMap::new();
    let mut totals: HashMap<u32, usize> = HashMap::new();
    for row in (0..by.len()).step_by(step) {
        if let (Some(by), Some(of)) = (by.code(row), of.code(row)) {
            *pairs.entry((by, of)).or_default() += 1;
            *totals.entry(by).or_default() += 1;
        }
    }
    let filled: usize = totals.values().sum();
    // Of a value that a single row has, all that it determines is that row.
    let mut best: HashMap<u32, usize> = HashMap::new();
    let mut of_all: HashMap<u32, usize> = HashMap::new();
    let mut looked = 0;
    for ((by, of), count) in &pairs {
        if totals[by] > 1 {
            looked += count;
            let best = best.entry(*by).or_default();
            *best = (*count).max(*best);
            *of_all.entry(*of).or_default() += count;
        }
    }
    let plain = of_all.values().max().copied().unwrap_or(0);
    // The values must occur together often enough to be more than chance.
    if looked < ENOUGH || looked * 2 < filled || looked == plain || looked < 2 * best.len() + ENOUGH / 2 {
        return None;
    }
    let right: usize = best.values().sum();
    Some((right - plain.min(right)) as f64 / (looked - plain) as f64)
}

/// The columns of a table that are released unchanged and determine a quasi-identifier.
pub(super) fn find(table: &Table, schema: &Schema) -> Vec<Dependence> {
    let mut found = Vec::new();
    let unchanged =
        schema.columns().iter().filter(|rule| matches!(rule.role, Role::Sensitive | Role::Insensitive));
    for rule in unchanged {
        let Some(by) = table.column(&rule.name) else { continue };
        for quasi in schema.of_role(Role::QuasiIdentifier) {
            let Some(of) = table.column(&quasi.name) else { continue };
            if let Some(strength) = strength(by, of).filter(|strength| *strength >= STRONG) {
                found.push(Dependence {
                    released: rule.name.clone(),
                    reveals: quasi.name.clone(),
                    strength,
                    singled_out: 0,
                });
            }
        }
    }
    found
}

/// Counts who can be told from all but fewer than `k` others of their class by what unchanged columns reveal.
pub(super) fn count<'c>(
    dependences: &mut [Dependence],
    table: &Table,
    (people, partition): (&People, &Partition),
    coded: impl Fn(usize, usize) -> &'c Coded,
    k: usize,
) {
    for dependence in dependences {
        let (Some(by), Some(of)) = (table.column(&dependence.released), table.column(&dependence.reveals))
        else {
            continue;
        };
        let at = people.attributes.iter().position(|attribute| attribute.rule.name == dependence.reveals);
        let Some(at) = at else { continue };
        let likely = likely(by, of);
        let mut revealed: HashMap<Vec<u32>, usize> = HashMap::new();
        for (class, persons) in partition.classes().enumerate() {
            if coded(class, at).value.is_same() {
                continue;
            }
            revealed.clear();
            for person in persons {
                let rows = people.rows.of(*person as usize).iter();
                let codes = rows.filter_map(|row| by.code(*row as usize));
                let mut own: Vec<u32> = codes.filter_map(|code| likely[code as usize]).collect();
                own.sort_unstable();
                own.dedup();
                *revealed.entry(own).or_default() += 1;
            }
            dependence.singled_out += revealed.values().filter(|count| **count < k).sum::<usize>();
        }
    }
}

/// The value of `of` that most often goes with each value of `by`.
fn likely(by: &Column, of: &Column) -> Vec<Option<u32>> {
    let mut pairs: HashMap<(u32, u32), usize> = HashMap::new();
    for row in 0..by.len() {
        if let (Some(by), Some(of)) = (by.code(row), of.code(row)) {
            *pairs.entry((by, of)).or_default() += 1;
        }
    }
    let mut best: Vec<Option<(usize, u32)>> = vec![None; by.distinct().len()];
    for ((by, of), count) in pairs {
        let best = &mut best[by as usize];
        // Of equally frequent ones the first, so that the order of a map decides nothing.
        if best.is_none_or(|(most, known)| count > most || (count == most && of < known)) {
            *best = Some((count, of));
        }
    }
    best.into_iter().map(|best| best.map(|(_, of)| of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ColumnBuilder;

    fn column(values: impl Iterator<Item = String>) -> Column {
        let mut builder = ColumnBuilder::new("c");
        values.for_each(|value| builder.push(Some(&value)));
        builder.finish()
    }

    #[test]
    fn codes_determine_names_and_chance_does_not() {
        let code = column((0..200).map(|at| format!("J{:02}", at * 7 % 23)));
        let name = column((0..200).map(|at| format!("diagnosis {}", at * 7 % 23 / 2)));
        assert_eq!(strength(&code, &name), Some(1.0));
        assert!(strength(&name, &code).is_some_and(|strength| strength < STRONG));
        let typo =
            column((0..200).map(|at| format!("diagnosis {}", if at == 5 { 99 } else { at * 7 % 23 / 2 })));
        assert!(strength(&code, &typo).is_some_and(|strength| strength >= STRONG));
        let other = column((0..200).map(|at| format!("{}", at * at % 17 % 5)));
        assert!(strength(&code, &other).is_none_or(|strength| strength < STRONG));
        // A number of one's own determines everything, which tells nothing.
        let own = column((0..200).map(|at| at.to_string()));
        assert_eq!(strength(&own, &name), None);
        let same = column((0..200).map(|_| "x".to_owned()));
        assert_eq!((strength(&same, &name), strength(&code, &same)), (None, None));
    }
}
