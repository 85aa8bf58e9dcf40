//! Originals and their released versions.

use std::collections::HashMap;

use serde_json::Value;

use crate::Error;
use crate::evaluate::{error, name, objects};

/// The original texts, by `id` and by `entity`. `Debug` shows no text.
#[derive(Default)]
pub struct Original {
    texts: Vec<String>,
    by_name: HashMap<String, usize>,
}

impl std::fmt::Debug for Original {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Original").field("texts", &self.texts.len()).finish_non_exhaustive()
    }
}

impl Original {
    /// Returns the text of that name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.by_name.get(name).map(|&at| self.texts[at].as_str())
    }
}

/// A released document. `Debug` shows no text.
pub struct ReleasedRow {
    /// The number of its row, from 1.
    pub row: usize,
    /// The `id`, or else the `entity`, by which its original is found.
    pub name: String,
    /// The released text.
    pub text: String,
    /// The edits, if the row has them: start, end (in code points of the original) and replacement.
    pub edits: Option<Vec<(usize, usize, String)>>,
}

impl std::fmt::Debug for ReleasedRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReleasedRow").field("row", &self.row).finish_non_exhaustive()
    }
}

/// Reads originals from JSONL: `id` or `entity` or both, and `text`.
pub fn read_originals(jsonl: &str) -> Result<Original, Error> {
    let mut original = Original::default();
    for object in objects(jsonl) {
        let (row, value) = object?;
        let at = |message: &str| error(message).in_document(format!("row {row}"));
        let text = value["text"].as_str().ok_or_else(|| at("`text` is missing"))?;
        let names: Vec<String> = ["id", "entity"].iter().filter_map(|field| name(&value[*field])).collect();
        if names.is_empty() {
            return Err(at("`id` and `entity` are both missing"));
        }
        for name in names {
            original.by_name.insert(name, original.texts.len());
        }
        original.texts.push(text.to_owned());
    }
    if original.texts.is_empty() { Err(error("there are no original documents")) } else { Ok(original) }
}

/// Reads released rows: `id` or `entity`, the text in `field`, and perhaps `edits` with `start`, `end` and
/// `replacement`. Rows whose field is missing or empty are left out.
pub fn read_released(jsonl: &str, field: &str) -> Result<Vec<ReleasedRow>, Error> {
    let mut rows = Vec::new();
    for object in objects(jsonl) {
        let (row, value) = object?;
        let at = |message: String| error(message).in_document(format!("row {row}"));
        let text = match &value[field] {
            Value::Null => continue,
            Value::String(text) if text.is_empty() => continue,
            Value::String(text) => text.clone(),
            _ => return Err(at(format!("`{field}` is not a string"))),
        };
        let given = |field: &str| name(&value[field]).filter(|name| !name.is_empty());
        let name = given("id").or_else(|| given("entity"));
        let name = name.ok_or_else(|| at("`id` and `entity` are both missing".to_owned()))?;
        let edits = match &value["edits"] {
            Value::Null => None,
            Value::Array(edits) => {
                let read = (1..).zip(edits).map(|(number, one)| {
                    edit(one).ok_or_else(|| {
                        at(format!(
                            "edit {number} lacks `start`, `end` or `replacement`, or ends before its start"
                        ))
                    })
                });
                Some(read.collect::<Result<Vec<_>, Error>>()?)
            }
            _ => return Err(at("`edits` is not a list".to_owned())),
        };
        rows.push(ReleasedRow { row, name, text, edits });
    }
    if rows.is_empty() {
        return Err(error(format!("no row has a text in `{field}`"))
            .with_hint("name the field that holds the text with --field"));
    }
    Ok(rows)
}

fn edit(value: &Value) -> Option<(usize, usize, String)> {
    let number = |field: &str| usize::try_from(value[field].as_u64()?).ok();
    let (start, end) = (number("start")?, number("end")?);
    (start <= end).then_some(())?;
    Some((start, end, value["replacement"].as_str()?.to_owned()))
}

/// The original of a released row.
pub(super) fn original_of<'a>(original: &'a Original, row: &ReleasedRow) -> Result<&'a str, Error> {
    original.text(&row.name).ok_or_else(|| {
        error("the original of this row is missing")
            .in_document(format!("row {} of the release", row.row))
            .with_hint("documents are matched by `id` or `entity`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_originals_by_id_and_entity() {
        let original =
            read_originals("{\"id\":1,\"entity\":\"Ana\",\"text\":\"t\"}\n{\"id\":2,\"text\":\"u\"}")
                .unwrap();
        assert_eq!(
            (original.text("1"), original.text("Ana"), original.text("2")),
            (Some("t"), Some("t"), Some("u"))
        );
        assert_eq!(original.text("3"), None);
    }

    #[test]
    fn leaves_out_rows_without_text() {
        let rows = read_released("{\"id\":1}\n{\"id\":2,\"text\":\"\"}\n{\"id\":\"\",\"entity\":\"Ana\",\"text\":\"x\",\"edits\":[]}", "text").unwrap();
        assert_eq!((rows.len(), rows[0].name.as_str(), rows[0].row), (1, "Ana", 3));
        assert!(rows[0].edits.as_ref().is_some_and(Vec::is_empty));
    }

    #[test]
    fn refuses_by_row_and_tells_no_text() {
        for bad in [
            "{\"text\":\"secret\"}",
            "{\"id\":1,\"text\":[\"secret\"]}",
            "{\"id\":1,\"text\":\"secret\",\"edits\":7}",
            "{\"id\":1,\"text\":\"secret\",\"edits\":[{\"start\":1,\"end\":2}]}",
            "{\"id\":1,\"text\":\"secret\",\"edits\":[{\"start\":3,\"end\":2,\"replacement\":\"\"}]}",
        ] {
            let error = read_released(bad, "text").unwrap_err().to_string();
            assert!(error.starts_with("row 1: ") && !error.contains("secret"), "{error}");
        }
        assert!(read_released("{\"id\":1}", "manual").unwrap_err().to_string().contains("`manual`"));
        assert!(
            read_originals("").is_err()
                && read_originals("{\"text\":\"secret\"}").is_err()
                && read_originals("{\"id\":1}").is_err()
        );
    }
}
