//! Which row of the original each released row was.
//!
//! Released rows may be in another order and their persons have other numbers. A released row can be one of the
//! original whose cells it covers; of those, it is the one whose texts it shares most words with. Each row of the
//! original is used once, so that a changed cell leaves a row without its own.

use std::collections::{BTreeMap, HashMap, HashSet};

use reticent_knowledge::taxonomy::Stack;

use crate::table::verify::population::covers;
use crate::table::{Column, ColumnRule, Role, Schema, Table};
use crate::{Error, ErrorKind};

/// Which released cells of a column cover which of the original.
type Covered = HashMap<(Option<u32>, Option<u32>), bool>;

/// The columns of both tables.
struct Both<'a> {
    rule: &'a ColumnRule,
    released: &'a Column,
    original: &'a Column,
}

pub(super) fn align(
    released: &Table,
    original: &Table,
    schema: &Schema,
    taxonomy: Option<&Stack>,
) -> Result<Vec<Option<usize>>, Error> {
    let (mut cells, mut texts) = (Vec::new(), Vec::new());
    for rule in schema.columns() {
        let (Some(own), Some(was)) = (released.column(&rule.name), original.column(&rule.name)) else {
            continue;
        };
        let both = Both { rule, released: own, original: was };
        if rule.role == Role::Text {
            texts.push(both);
        } else if rule.role != Role::Identifier {
            cells.push(both);
        }
    }
    if cells.is_empty() && texts.is_empty() {
        return Err(Error::new(
            ErrorKind::Table,
            "the original has none of the columns of the released table",
        ));
    }
    // Rows with the same cells are alike, on both sides.
    let key = |column: for<'b> fn(&'b Both<'_>) -> &'b Column, row: usize| {
        cells.iter().map(|both| column(both).code(row)).collect::<Vec<Option<u32>>>()
    };
    let mut groups: BTreeMap<Vec<Option<u32>>, Vec<usize>> = BTreeMap::new();
    for row in 0..released.rows() {
        groups.entry(key(|both| both.released, row)).or_default().push(row);
    }
    let mut sources: BTreeMap<Vec<Option<u32>>, Vec<usize>> = BTreeMap::new();
    for row in 0..original.rows() {
        sources.entry(key(|both| both.original, row)).or_default().push(row);
    }
    let mut known: Vec<Covered> = vec![HashMap::new(); cells.len()];
    let mut candidates: Vec<Vec<usize>> = Vec::new();
    for group in groups.keys() {
        let mut fitting = Vec::new();
        for (source, rows) in &sources {
            let fits = cells.iter().enumerate().all(|(at, both)| {
                *known[at]
                    .entry((group[at], source[at]))
                    .or_insert_with(|| both.covers(group[at], source[at], taxonomy))
            });
            if fits {
                fitting.extend(rows);
            }
        }
        fitting.sort_unstable();
        candidates.push(fitting);
    }
    Ok(assign(
        released.rows(),
        original.rows(),
        &groups.into_values().zip(candidates).collect::<Vec<_>>(),
        &texts,
    ))
}

impl Both<'_> {
    /// Whether a released cell can be what an original one became.
    fn covers(&self, released: Option<u32>, original: Option<u32>, taxonomy: Option<&Stack>) -> bool {
        let cell = released.map(|code| &*self.released.distinct()[code as usize]);
        let value = original.map(|code| &*self.original.distinct()[code as usize]);
        match (cell, value) {
            (None, None) => true,
            (Some(cell), Some(value)) if cell == value => true,
            // A person of several rows has all of their values in each.
            (Some("*"), _) | (Some(_), None) => self.rule.role == Role::QuasiIdentifier,
            (Some(cell), Some(value)) => {
                self.rule.role == Role::QuasiIdentifier
                    && covers(self.rule, taxonomy, cell.trim(), value.trim()).unwrap_or(false)
            }
            (None, Some(_)) => false,
        }
    }
}

/// Gives each released row a row of its own, the most alike first.
fn assign(
    rows: usize,
    sources: usize,
    groups: &[(Vec<usize>, Vec<usize>)],
    texts: &[Both<'_>],
) -> Vec<Option<usize>> {
    let mut pairs: Vec<(u32, bool, usize, usize)> = Vec::new();
    let mut of_row: Vec<&[usize]> = vec![&[]; rows];
    let mut words: HashMap<usize, Vec<HashSet<&str>>> = HashMap::new();
    for (released, candidates) in groups {
        for row in released {
            of_row[*row] = candidates;
            let own: Vec<HashSet<&str>> = texts.iter().map(|both| split(both.released.get(*row))).collect();
            for candidate in candidates.iter().take(MOST) {
                let theirs = words.entry(*candidate).or_insert_with(|| {
                    texts.iter().map(|both| split(both.original.get(*candidate))).collect()
                });
                let (mut same, mut all) = (0usize, 0usize);
                for (own, theirs) in own.iter().zip(theirs.iter()) {
                    let own = own.iter().filter(|word| !word.starts_with('['));
                    same += own.clone().filter(|word| theirs.contains(*word)).count();
                    all += own.count().max(theirs.len());
                }
                let alike = u32::try_from(same * 10_000 / all.max(1)).unwrap_or(0);
                pairs.push((alike, candidate == row, *row, *candidate));
            }
        }
    }
    pairs.sort_unstable_by_key(|(alike, place, row, candidate)| {
        (std::cmp::Reverse((*alike, *place)), *row, *candidate)
    });
    let mut origin: Vec<Option<usize>> = vec![None; rows];
    let mut used: Vec<Option<usize>> = vec![None; sources];
    for (_, _, row, candidate) in pairs {
        if origin[row].is_none() && used[candidate].is_none() {
            (origin[row], used[candidate]) = (Some(candidate), Some(row));
        }
    }
    // A row without one may take another's, if that has a second choice.
    for row in 0..rows {
        if origin[row].is_none() {
            let mut seen = HashSet::new();
            augment(row, &of_row, &mut origin, &mut used, &mut seen);
        }
    }
    origin
}

/// So many rows of the original are compared with a released one.
const MOST: usize = 2_000;

/// A longer matching, along a path of second choices.
fn augment(
    row: usize,
    of_row: &[&[usize]],
    origin: &mut [Option<usize>],
    used: &mut [Option<usize>],
    seen: &mut HashSet<usize>,
) {
    let mut path: Vec<(usize, usize)> = vec![(row, 0)];
    while let Some((row, next)) = path.last().copied() {
        let Some(candidate) = of_row[row].get(next).copied() else {
            path.pop();
            continue;
        };
        if let Some(last) = path.last_mut() {
            last.1 += 1;
        }
        if !seen.insert(candidate) {
            continue;
        }
        if let Some(other) = used[candidate] {
            path.push((other, 0));
            continue;
        }
        for (row, next) in path.iter().rev() {
            let own = of_row[*row][next - 1];
            origin[*row] = Some(own);
            used[own] = Some(*row);
        }
        return;
    }
}

fn split(text: Option<&str>) -> HashSet<&str> {
    text.unwrap_or_default().split_whitespace().collect()
}
