//! Values of columns that texts tell more exactly than the columns do.

use serde::Serialize;

use super::cell::{Cell, Ours, stem, tokens};
use crate::resolve::surface::{folded, words};
use crate::table::text::Findings;
use crate::table::{Column, ColumnRule, Kind};

/// A value that a text tells though the column no longer does.
#[derive(Clone, Debug, Serialize)]
pub struct Survivor {
    /// Its row, counted from 1.
    pub row: usize,
    /// The column that was generalized.
    pub column: String,
    /// The text column that tells.
    pub text: String,
    /// Whether that is an error: whether the schema says that texts may tell this column's value. Else the words may
    /// well mean something else, and a person should look.
    pub is_error: bool,
    /// The words, folded.
    #[serde(skip)]
    pub(super) words: String,
}

/// Looks at one text of one row.
pub(super) fn look(
    row: usize,
    column: &str,
    text: &str,
    quasi: &[(&ColumnRule, &Column)],
    findings: &Findings,
    ours: &Ours,
) -> Vec<Survivor> {
    let mut survivors = Vec::new();
    for (rule, cells) in quasi {
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
        match (Cell::read(cell), &rule.kind) {
            (Cell::Among(members), Kind::Category | Kind::Ordered(_)) if members.len() > 1 => {
                for found in members.iter().flat_map(|member| stands(text, member, ours)) {
                    add(found);
                }
            }
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

/// Where the words of a value stand, in small letters or capitals, one or several of it.
fn stands<'t>(text: &'t str, value: &str, ours: &Ours) -> Vec<&'t str> {
    let wanted: Vec<String> = tokens(value).map(|word| stem(&word).to_owned()).collect();
    let places: Vec<_> = words(text).collect();
    let here: Vec<String> =
        places.iter().map(|place| stem(&place.of(text).to_lowercase()).to_owned()).collect();
    if wanted.is_empty() || wanted.len() > here.len() {
        return Vec::new();
    }
    let starts = (0..=here.len() - wanted.len()).filter(|at| here[*at..].starts_with(&wanted));
    let spans = starts.map(|at| places[at].join(places[at + wanted.len() - 1]));
    spans.filter(|span| !ours.touches(*span)).map(|span| span.of(text)).collect()
}
