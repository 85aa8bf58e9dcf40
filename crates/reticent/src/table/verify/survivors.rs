//! Column values that texts reveal more precisely than the column.

use reticent_text::Span;
use serde::Serialize;

use super::cell::{Cell, Ours, stem, tokens};
use crate::resolve::surface::{folded, words};
use crate::table::text::Findings;
use crate::table::{Column, ColumnRule, Kind};

/// A value that a text reveals although the column no longer does.
#[derive(Clone, Debug, Serialize)]
pub struct Survivor {
    /// Its row, counted from 1.
    pub row: usize,
    /// The column that was generalized.
    pub column: String,
    /// The text column.
    pub text: String,
    /// `true` if it is an error: the schema declares that texts may contain this column's value. Otherwise the words
    /// may mean something else, and review is suggested.
    pub is_error: bool,
    /// The words, folded.
    #[serde(skip)]
    pub(super) words: String,
}

/// For each column the words of each value that its cell may be, where the cell is a set of words.
pub(super) type Members = Vec<Vec<Vec<String>>>;

/// The members of a row's cells.
pub(super) fn members(row: usize, quasi: &[(&ColumnRule, &Column)]) -> Members {
    let of_cell = |cell: &str, kind: &Kind| match (Cell::read(cell), kind) {
        (Cell::Among(members), Kind::Category | Kind::Ordered(_)) if members.len() > 1 => {
            let words = |value: &std::borrow::Cow<'_, str>| {
                tokens(value).map(|word| stem(&word).to_owned()).collect()
            };
            members.iter().map(words).collect()
        }
        _ => Vec::new(),
    };
    quasi
        .iter()
        .map(|(rule, cells)| cells.get(row).map_or_else(Vec::new, |cell| of_cell(cell, &rule.kind)))
        .collect()
}

/// The words of a text, as members are compared with them.
struct Words {
    places: Vec<Span>,
    stems: Vec<String>,
}

impl Words {
    fn new(text: &str) -> Self {
        let places: Vec<Span> = words(text).collect();
        let stems =
            places.iter().map(|place| stem(&place.of(text).to_lowercase()).to_owned()).collect::<Vec<_>>();
        Self { places, stems }
    }

    /// Where the words of a value stand, in small letters or capitals, one or several of it.
    fn find<'w>(&'w self, wanted: &'w [String]) -> impl Iterator<Item = Span> + 'w {
        let starts = (0..self.stems.len()).filter(|at| self.stems[*at..].starts_with(wanted));
        let starts = starts.filter(|_| !wanted.is_empty());
        starts.map(|at| self.places[at].join(self.places[at + wanted.len() - 1]))
    }
}

/// Looks at one text of one row, whose cells have these members.
pub(super) fn look(
    row: usize,
    column: &str,
    text: &str,
    (quasi, members): (&[(&ColumnRule, &Column)], &Members),
    findings: &Findings,
    ours: &Ours,
) -> Vec<Survivor> {
    let mut survivors = Vec::new();
    let mut here: Option<Words> = None;
    for ((rule, cells), members) in quasi.iter().zip(members) {
        let Some(cell) = cells.get(row) else { continue };
        let is_error = !rule.entities.is_empty();
        let mut add = |words: &str| {
            survivors.push(Survivor {
                row: row + 1,
                column: rule.name.clone(),
                text: column.to_owned(),
                is_error,
                words: folded(words),
            });
        };
        let mapped = findings.found.iter().filter(|found| rule.entities.contains(&found.kind));
        let mapped = mapped.filter(|found| !ours.touches(found.span));
        if !members.is_empty() {
            let here = here.get_or_insert_with(|| Words::new(text));
            let found = members.iter().flat_map(|member| here.find(member));
            found.filter(|span| !ours.touches(*span)).for_each(|span| add(span.of(text)));
            continue;
        }
        match (Cell::read(cell), &rule.kind) {
            (Cell::Range(low, high), Kind::Number) => {
                let (Ok(low), Ok(high)) = (low.parse::<f64>(), high.parse::<f64>()) else { continue };
                for found in mapped {
                    let number = found.value.parse::<f64>();
                    if number.is_ok_and(|number| low <= number && number <= high) {
                        add(found.span.of(text));
                    }
                }
            }
            (Cell::Range(first, last), Kind::Date { .. }) => {
                let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else { continue };
                for found in mapped {
                    let year = found.value.get(..4).and_then(|year| year.parse::<u32>().ok());
                    if year.is_some_and(|year| first <= year && year <= last) {
                        add(found.span.of(text));
                    }
                }
            }
            (Cell::One(date), Kind::Date { .. }) => {
                // 2004-05-14 is more exact than 2004-05, and that than 2004.
                for found in
                    mapped.filter(|found| found.value.len() > date.len() && found.value.starts_with(date))
                {
                    add(found.span.of(text));
                }
            }
            _ => {}
        }
    }
    survivors
}
