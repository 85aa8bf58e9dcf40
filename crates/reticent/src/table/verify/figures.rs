//! Diversity and closeness of sensitive columns, counted on the released table.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Wanted;
use crate::table::{Kind, Role, Schema, Table};
use crate::{Error, ErrorKind};

/// The figures of one sensitive column: the worst of all classes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SensitiveFigures {
    /// The column.
    pub column: String,
    /// The minimum number of distinct values in a class.
    pub distinct: usize,
    /// The minimum entropy diversity of a class, as a number of equally frequent values.
    pub entropy: f64,
    /// The maximum distance of the distribution in a class from that of the table: the earth mover's distance.
    pub t: f64,
}

impl SensitiveFigures {
    pub(super) fn problems(&self, wanted: &Wanted) -> Vec<String> {
        let mut problems = Vec::new();
        let of = |column: &str| column == self.column;
        for (_, l) in wanted.distinct.iter().filter(|(column, l)| of(column) && self.distinct < *l) {
            problems
                .push(format!("a class has {} values of `{}`, fewer than {l}", self.distinct, self.column));
        }
        for (_, l) in wanted.entropy.iter().filter(|(column, l)| of(column) && self.entropy + 1e-6 < *l) {
            problems.push(format!(
                "the values of `{}` in a class have an entropy diversity of {:.3}, less than {l}",
                self.column, self.entropy
            ));
        }
        for (_, t) in wanted.closeness.iter().filter(|(column, t)| of(column) && self.t > *t + 1e-6) {
            problems.push(format!(
                "a class has a distance of {:.3} from the table in `{}`, more than {t}",
                self.t, self.column
            ));
        }
        problems
    }
}

pub(super) fn count(
    table: &Table,
    schema: &Schema,
    people: &[Vec<usize>],
    classes: &[(BTreeSet<String>, Vec<usize>)],
) -> Result<Vec<SensitiveFigures>, Error> {
    let mut all = Vec::new();
    for rule in schema.of_role(Role::Sensitive) {
        let column = table.column(&rule.name).ok_or_else(|| {
            Error::new(ErrorKind::Table, format!("the released table has no column `{}`", rule.name))
        })?;
        let mut order: Vec<u32> = (0..).take(column.distinct().len()).collect();
        let text = |code: u32| &*column.distinct()[code as usize];
        match &rule.kind {
            Kind::Number => order.sort_by(|a, b| {
                let number = |code: u32| text(code).trim().parse::<f64>().unwrap_or(f64::NAN);
                number(*a).total_cmp(&number(*b))
            }),
            Kind::Ordered(known) => {
                order.sort_by_key(|code| known.iter().position(|word| word == text(*code).trim()));
            }
            // ISO dates are in the order of their letters; others are held to be in none by this check.
            _ => order.sort_by(|a, b| text(*a).cmp(text(*b))),
        }
        let ordered = !matches!(rule.kind, Kind::Category);
        let values_of = |person: usize| -> BTreeSet<u32> {
            people[person].iter().filter_map(|row| column.code(*row)).collect()
        };
        let shares = |persons: &mut dyn Iterator<Item = usize>| {
            let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
            persons.flat_map(values_of).for_each(|value| *counts.entry(value).or_default() += 1.0);
            let sum: f64 = counts.values().sum();
            for count in counts.values_mut() {
                *count /= sum;
            }
            counts
        };
        let whole = shares(&mut (0..people.len()));
        let mut worst =
            SensitiveFigures { column: rule.name.clone(), distinct: usize::MAX, entropy: f64::MAX, t: 0.0 };
        for (_, persons) in classes {
            let own = shares(&mut persons.iter().copied());
            worst.distinct = worst.distinct.min(own.len());
            let entropy: f64 = own.values().map(|share| -share * share.log2()).sum();
            worst.entropy = worst.entropy.min(if own.is_empty() { 0.0 } else { entropy.exp2() });
            if own.is_empty() {
                continue;
            }
            let differ = |code: &u32| own.get(code).unwrap_or(&0.0) - whole.get(code).unwrap_or(&0.0);
            let t = if ordered {
                let mut sum = 0.0;
                let work: f64 = order
                    .iter()
                    .map(|code| {
                        sum += differ(code);
                        f64::abs(sum)
                    })
                    .sum();
                work / (order.len().max(2) - 1) as f64
            } else {
                order.iter().map(|code| differ(code).abs()).sum::<f64>() * 0.5
            };
            worst.t = worst.t.max(t);
        }
        if classes.is_empty() {
            (worst.distinct, worst.entropy) = (0, 0.0);
        }
        all.push(worst);
    }
    Ok(all)
}
