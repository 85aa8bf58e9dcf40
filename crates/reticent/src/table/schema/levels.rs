//! Levels of a hierarchy: each value with what is above it, most specific first.

use std::collections::HashMap;

use crate::table::read::records;
use crate::{Error, ErrorKind};

/// Reads a CSV file without a header: in each row a value, and what is above it.
pub(super) fn read(column: &str, bytes: &[u8]) -> Result<Vec<Vec<String>>, Error> {
    records(bytes).map_err(|error| {
        Error::new(ErrorKind::Schema, format!("the hierarchy of the column `{column}`: {error}"))
            .with_hint("it must be a CSV file without a header: each row is a value and its generalization at each level")
    })
}

/// Refuses levels that contradict each other. Values are told by their rows only.
pub(super) fn check(column: &str, levels: &[Vec<String>]) -> Result<(), Error> {
    let wrong = |what: String| {
        Err(Error::new(ErrorKind::Schema, format!("the hierarchy of the column `{column}` {what}")))
    };
    let Some(first) = levels.first() else { return wrong("is empty".to_owned()) };
    if first.len() < 2 {
        return wrong("has no level above the values".to_owned());
    }
    let mut above: Vec<HashMap<&str, (&str, usize)>> = vec![HashMap::new(); first.len() - 1];
    let mut values = HashMap::new();
    for (row, labels) in (1..).zip(levels) {
        if labels.len() != first.len() {
            return wrong(format!(
                "has {} levels in row {row}, and {} in the first",
                labels.len(),
                first.len()
            ));
        }
        if labels.iter().any(|label| label.trim().is_empty()) {
            return wrong(format!("has an empty label in row {row}"));
        }
        if let Some(before) = values.insert(labels[0].as_str(), row) {
            return wrong(format!("has a duplicate value in rows {before} and {row}"));
        }
        for (level, pair) in labels.windows(2).enumerate() {
            let (parent, before) = above[level].entry(&pair[0]).or_insert((&pair[1], row));
            if *parent != pair[1] {
                return wrong(format!(
                    "assigns the same label of level {level} to different parents in rows {before} and {row}"
                ));
            }
        }
    }
    Ok(())
}
