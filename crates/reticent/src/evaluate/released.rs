//! Releases as the scorers of whole releases read them: rows of JSONL by `id`, with their edits.

use std::collections::HashMap;

use serde_json::Value;

use super::{error, name, objects};
use crate::Error;

/// One edit of a release, in code points of the original, end exclusive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) replacement: String,
}

/// Released documents by `id`, for [`score_people`](super::score_people), [`score_rungs`](super::score_rungs) and
/// [`score_genres`](super::score_genres). `Debug` shows no text.
pub struct Release {
    by_id: HashMap<String, (usize, Value)>,
}

impl std::fmt::Debug for Release {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Release").field("documents", &self.by_id.len()).finish_non_exhaustive()
    }
}

impl Release {
    /// Reads JSONL: a row for each document, with `id`, a released text, and the `edits` that made it. Two rows with the
    /// same `id` are refused: only one of them could be scored.
    pub fn read(jsonl: &str) -> Result<Self, Error> {
        let mut by_id: HashMap<String, (usize, Value)> = HashMap::new();
        for object in objects(jsonl) {
            let (row, value) = object?;
            if let Some((before, _)) = by_id.insert(id(row, &value)?, (row, value)) {
                return Err(error(format!("duplicate `id` in rows {before} and {row}")));
            }
        }
        Ok(Self { by_id })
    }

    /// The row of a document.
    pub(super) fn get(&self, id: &str) -> Option<Row<'_>> {
        self.by_id.get(id).map(|(row, value)| Row { value, place: format!("row {row} of the release") })
    }
}

/// The `id` of a row.
fn id(row: usize, value: &Value) -> Result<String, Error> {
    name(&value["id"]).ok_or_else(|| error("`id` is missing").in_document(format!("row {row}")))
}

/// A row of either side, which errors name.
pub(super) struct Row<'v> {
    pub(super) value: &'v Value,
    place: String,
}

impl<'v> Row<'v> {
    /// A gold document and its `id`.
    pub(super) fn gold(row: usize, value: &'v Value) -> Result<(String, Self), Error> {
        Ok((id(row, value)?, Self { value, place: format!("row {row}") }))
    }

    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        error(message).in_document(self.place.clone())
    }

    /// A field with a string.
    pub(super) fn string(&self, field: &str) -> Result<&'v str, Error> {
        self.value[field].as_str().ok_or_else(|| self.error(format!("`{field}` contains no text")))
    }

    /// Checks that a span lies in a text of so many code points.
    pub(super) fn check(&self, what: &str, (start, end): (usize, usize), length: usize) -> Result<(), Error> {
        if start <= end && end <= length {
            return Ok(());
        }
        let message = format!("{what} ({start} to {end}) lies outside the text of {length} code points");
        Err(self
            .error(message)
            .with_hint("offsets are Unicode code points of the original text, end exclusive"))
    }

    /// The edits, or nothing if there is no `edits`. An edit without replacement deletes its span.
    pub(super) fn edits(&self, length: usize) -> Result<Option<Vec<Edit>>, Error> {
        let list = match &self.value["edits"] {
            Value::Null => return Ok(None),
            Value::Array(list) => list,
            _ => return Err(self.error("`edits` is not a list")),
        };
        let read = (1..).zip(list).map(|(at, edit)| {
            let replacement = match &edit["replacement"] {
                Value::Null => Some(""),
                other => other.as_str(),
            };
            let (Some(start), Some(end), Some(replacement)) =
                (number(&edit["start"]), number(&edit["end"]), replacement)
            else {
                return Err(self.error(format!("edit {at} lacks `start`, `end` or `replacement`")));
            };
            self.check(&format!("edit {at}"), (start, end), length)?;
            Ok(Edit { start, end, replacement: replacement.to_owned() })
        });
        read.collect::<Result<_, _>>().map(Some)
    }
}

/// An offset.
pub(super) fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

/// Requires that gold and release have at least one document in common.
pub(super) fn require_common(scored: usize) -> Result<(), Error> {
    if scored > 0 {
        return Ok(());
    }
    Err(error("the gold file and the release have no document in common")
        .with_hint("documents must have the same `id` in both files"))
}

/// Python's `str.isspace`: unlike Rust's, it includes the four ASCII separators.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_edits_and_refuses_those_that_do_not_fit() {
        let read = |value: Value| Row::gold(3, &value).unwrap().1.edits(5);
        let found = read(
            json!({"id": 1, "edits": [{"start": 0, "end": 5, "replacement": "x"}, {"start": 2, "end": 2}]}),
        );
        let found = found.unwrap().unwrap();
        assert_eq!(
            (found[0].end, found[0].replacement.as_str(), found[1].replacement.as_str()),
            (5, "x", "")
        );
        assert!(
            read(json!({"id": 1})).unwrap().is_none()
                && read(json!({"id": 1, "edits": []})).unwrap().is_some()
        );
        for bad in [
            json!({"id": 1, "edits": "secret"}),
            json!({"id": 1, "edits": [{"start": 0, "end": 6, "replacement": "secret"}]}),
            json!({"id": 1, "edits": [{"start": 2, "end": 1, "replacement": "secret"}]}),
            json!({"id": 1, "edits": [{"start": 0, "end": 1, "replacement": ["secret"]}]}),
            json!({"id": 1, "edits": [{"end": 1, "replacement": "secret"}]}),
        ] {
            let says = read(bad).err().unwrap().to_string();
            assert!(says.starts_with("row 3: ") && !says.contains("secret"), "{says}");
        }
    }

    #[test]
    fn refuses_two_rows_of_one_id() {
        assert!(Release::read("{\"id\":1}\n{\"id\":2}").unwrap().get("2").is_some());
        for bad in ["{\"id\":1}\n\n{\"id\":1}", "{\"text\":\"secret\"}", "{\"id\":[\"secret\"]}"] {
            let says = Release::read(bad).err().unwrap().to_string();
            assert!(says.contains("row") && !says.contains("secret"), "{says}");
        }
    }
}
