//! How many persons of a population a class fits, read off its released cells.

use std::collections::HashMap;

use reticent_knowledge::taxonomy::Stack;
use serde::Serialize;

use super::cell::Cell;
use crate::table::schema::value;
use crate::table::{Column, ColumnRule, Hierarchy, Kind, Table};
use crate::{Error, ErrorKind};

/// A population of which a released table is a sample.
#[derive(Clone, Copy)]
pub struct Population<'a> {
    /// Its persons, with the quasi-identifiers of the schema.
    pub table: &'a Table,
    /// The taxonomies that determine which values a generalized cell covers. Without them a cell covers itself only,
    /// so fewer persons are counted rather than more.
    pub taxonomy: Option<&'a Stack>,
}

/// The figures of a population of which the released table is a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PopulationFigures {
    /// The number of persons in the population.
    pub persons: usize,
    /// The minimum number of them that match a class.
    pub k: usize,
    /// One of that class's rows, counted from 1.
    pub row: usize,
}

impl PopulationFigures {
    /// The chance of an attacker who does not know that their target is in the table, for whom is worst off.
    pub fn risk(&self) -> f64 {
        if self.k > 0 { 1.0 / self.k as f64 } else { 1.0 }
    }

    /// In words.
    pub fn text(&self) -> String {
        format!(
            "every class matches at least {} of {} persons of the population (row {})",
            self.k, self.persons, self.row
        )
    }
}

/// Counts, for each class by the rows that its persons have, whom it fits by all of those rows.
pub(super) fn count<'r>(
    population: Population<'_>,
    quasi: &[(&ColumnRule, &Column)],
    classes: impl Iterator<Item = Vec<&'r [usize]>>,
) -> Result<PopulationFigures, Error> {
    let Population { table: population, taxonomy } = population;
    let mut columns = Vec::new();
    for (rule, released) in quasi {
        let own = population.column(&rule.name).ok_or_else(|| {
            Error::new(ErrorKind::Table, format!("the population has no column `{}`", rule.name)).with_hint(
                "the population must have the quasi-identifiers of the schema, in columns with the same names",
            )
        })?;
        columns.push(Compared { rule, released, own, taxonomy, known: HashMap::new() });
    }
    let mut worst = PopulationFigures { persons: population.rows(), k: population.rows(), row: 0 };
    for class in classes {
        // Rows of a class have the same cells, mostly.
        let mut cells: Vec<Vec<Option<u32>>> = Vec::new();
        for row in class.iter().copied().flatten() {
            let own: Vec<Option<u32>> = columns.iter().map(|column| column.released.code(*row)).collect();
            if !cells.contains(&own) {
                cells.push(own);
            }
        }
        for cells in &cells {
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.look(*cell)?;
            }
        }
        let fits = |person: &usize| {
            let row = |cells: &Vec<Option<u32>>| {
                columns.iter().zip(cells).all(|(column, cell)| column.fits(*cell, *person))
            };
            cells.iter().all(row)
        };
        let fitting = (0..population.rows()).filter(fits).take(worst.k + 1).count();
        if fitting < worst.k || worst.row == 0 {
            worst.k = fitting.min(worst.k);
            worst.row = class.iter().copied().flatten().min().map_or(0, |row| row + 1);
        }
    }
    Ok(worst)
}

/// A column of the released table beside that of the population.
struct Compared<'t> {
    rule: &'t ColumnRule,
    released: &'t Column,
    own: &'t Column,
    taxonomy: Option<&'t Stack>,
    /// For each released cell that was looked at, which of the population's values it covers.
    known: HashMap<u32, Vec<bool>>,
}

impl Compared<'_> {
    /// Makes ready for a cell.
    fn look(&mut self, cell: Option<u32>) -> Result<(), Error> {
        let Some(code) = cell.filter(|code| !self.known.contains_key(code)) else { return Ok(()) };
        let text = &*self.released.distinct()[code as usize];
        let covers = |value: &str| covers(self.rule, self.taxonomy, text.trim(), value.trim());
        let covered: Option<Vec<bool>> = self.own.distinct().iter().map(|value| covers(value)).collect();
        let covered = covered.ok_or_else(|| {
            let message = format!(
                "column `{}`: cannot determine which values of the population its cells cover",
                self.rule.name
            );
            Error::new(ErrorKind::Table, message).with_hint("values must match the column's kind")
        })?;
        self.known.insert(code, covered);
        Ok(())
    }

    /// Whether a person of the population has what a cell covers. Anyone may have what is suppressed; a cell without a
    /// value says that none is known, and fits those alone of whom none is known either.
    fn fits(&self, cell: Option<u32>, person: usize) -> bool {
        let Some(code) = cell else { return self.own.code(person).is_none() };
        if &*self.released.distinct()[code as usize] == "*" {
            return true;
        }
        let covered = self.known.get(&code);
        covered.is_some_and(|covered| self.own.code(person).is_some_and(|value| covered[value as usize]))
    }
}

/// Whether a cell covers a value; nothing if that cannot be told.
pub(super) fn covers(rule: &ColumnRule, taxonomy: Option<&Stack>, cell: &str, text: &str) -> Option<bool> {
    if cell == "*" {
        return Some(true);
    }
    if let Some(literal) = cell.strip_prefix('\\') {
        return Some(literal == text);
    }
    let format = match &rule.kind {
        Kind::Date { format } => format.as_deref(),
        _ => None,
    };
    match (&rule.kind, Cell::read(cell)) {
        (Kind::Number, read) => {
            let (low, high) = match read {
                Cell::Range(low, high) => (value::number(low)?, value::number(high)?),
                _ => (value::number(cell)?, value::number(cell)?),
            };
            let number = value::number(text)?;
            Some(low <= number && number <= high)
        }
        (Kind::Date { .. }, read) => {
            let days = |text: &str| value::days(text, None).or_else(|| value::days(text, format));
            let (first, last) = match read {
                Cell::Range(first, last) => (days(first)?.0, days(last)?.1),
                _ => days(cell)?,
            };
            let (from, to) = value::days(text, format)?;
            Some(first <= from && to <= last)
        }
        (Kind::Ordered(order), Cell::Range(low, high)) => {
            let place = |word: &str| order.iter().position(|known| known == word);
            let (low, high) = (place(low)?, place(high)?);
            Some((low..=high).contains(&place(text)?))
        }
        (_, Cell::Among(members)) if cell != text => {
            let prefix = matches!(rule.hierarchy, Some(Hierarchy::Prefix(_)));
            Some(members.iter().any(|member| member.trim() == text || (prefix && begins(text, member))))
        }
        _ if cell == text => Some(true),
        _ => match &rule.hierarchy {
            Some(Hierarchy::Levels(levels)) => {
                let row = levels.iter().find(|row| row.first().is_some_and(|value| value == text));
                Some(row.is_some_and(|row| row.iter().any(|above| above == cell)))
            }
            Some(Hierarchy::Prefix(_)) => Some(begins(text, cell)),
            Some(Hierarchy::Taxonomy) => {
                let above = |stack: &Stack| stack.ladder(text).rungs.iter().any(|rung| rung.text == cell);
                Some(taxonomy.is_some_and(above))
            }
            _ => Some(false),
        },
    }
}

/// Whether a code has the beginning and the length of `89***`.
fn begins(code: &str, prefix: &str) -> bool {
    let beginning = prefix.trim_end_matches('*');
    beginning.len() < prefix.len()
        && code.starts_with(beginning)
        && code.chars().count() == prefix.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Role;

    fn rule(kind: Kind) -> ColumnRule {
        ColumnRule {
            name: "c".to_owned(),
            role: Role::QuasiIdentifier,
            kind,
            hierarchy: None,
            entities: Vec::new(),
            weight: 1.0,
            in_texts: true,
        }
    }

    #[test]
    fn cells_cover_what_they_say() {
        let date = rule(Kind::Date { format: None });
        let order = rule(Kind::Ordered(["low", "mid", "high"].map(str::to_owned).to_vec()));
        let levels = ColumnRule {
            hierarchy: Some(Hierarchy::Levels(vec![vec!["Lyon".to_owned(), "France".to_owned()]])),
            ..rule(Kind::Category)
        };
        let prefix = ColumnRule { hierarchy: Some(Hierarchy::Prefix(vec![4, 2])), ..rule(Kind::Category) };
        for (rule, cell, value) in [
            (&rule(Kind::Number), "[24-36]", "30"),
            (&rule(Kind::Number), "[-5 to 3]", "-5"),
            (&rule(Kind::Number), "7", "7.0"),
            (&date, "2004-05", "2004-05-14"),
            (&date, "[2001-2004]", "2003-12-31"),
            (&order, "[low-mid]", "mid"),
            (&rule(Kind::Category), "(Ann,Ben)", "Ben"),
            (&levels, "France", "Lyon"),
            (&levels, "*", "Metz"),
            (&rule(Kind::Category), "\\*", "*"),
            (&rule(Kind::Category), "(\"a;b\",\"c, d\")", "c, d"),
            (&prefix, "89***", "89081"),
            (&prefix, "(10***,89***)", "89081"),
            (&date, "2004-Q2", "2004-05-14"),
        ] {
            assert_eq!(covers(rule, None, cell, value), Some(true), "{cell} {value}");
        }
        for (rule, cell, value) in [
            (&rule(Kind::Number), "[24-36]", "37"),
            (&date, "2004-05", "2004-06-01"),
            (&date, "2004-05", "2004"),
            (&order, "[low-mid]", "high"),
            (&rule(Kind::Category), "(Ann,Ben)", "Be"),
            (&levels, "France", "Bonn"),
            (&rule(Kind::Category), "\\*", "a"),
            (&rule(Kind::Category), "(\"a;b\",\"c, d\")", "c"),
            (&prefix, "89***", "8908"),
            (&prefix, "(10***,89***)", "88081"),
            (&date, "2004-Q2", "2004-07-01"),
        ] {
            assert_eq!(covers(rule, None, cell, value), Some(false), "{cell} {value}");
        }
    }

    #[test]
    fn a_taxonomy_tells_what_its_words_cover() {
        let knowledge = crate::Knowledge::shipped().unwrap();
        let taxonomy = ColumnRule { hierarchy: Some(Hierarchy::Taxonomy), ..rule(Kind::Category) };
        let covers = |cell, value| covers(&taxonomy, Some(knowledge.taxonomy()), cell, value);
        assert_eq!(covers("Europe", "Lyon"), Some(true));
        assert_eq!(covers("Lyon", "Lyon"), Some(true));
        assert_eq!(covers("Asia", "Lyon"), Some(false));
        assert_eq!(super::covers(&taxonomy, None, "Europe", "Lyon"), Some(false));
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        assert_eq!(covers(&rule(Kind::Number), None, "[24-36]", "many"), None);
        assert_eq!(covers(&rule(Kind::Number), None, "some", "30"), None);
    }
}
