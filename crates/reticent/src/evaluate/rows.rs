//! Documents with marked spans, from the rows that detectors and annotators write.

use serde_json::Value;

use super::error;
use crate::Error;

/// An annotated span, in code points of the original text, end exclusive.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedSpan {
    /// The start offset.
    pub start: usize,
    /// The end offset, exclusive.
    pub end: usize,
    /// The type, if given.
    pub kind: Option<String>,
    /// The score, if given. An unknown score (`null`) is infinite, so the span is kept at every threshold.
    pub score: Option<f64>,
}

/// A document with its annotated spans. `Debug` shows no text.
#[derive(Clone, PartialEq)]
pub struct Marked {
    /// The name, by which gold and predictions are matched.
    pub id: String,
    /// The number of its row or file, from 1.
    pub row: usize,
    /// The original text; required for gold only.
    pub text: Option<String>,
    /// The annotated spans.
    pub spans: Vec<MarkedSpan>,
}

impl std::fmt::Debug for Marked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Marked")
            .field("row", &self.row)
            .field("spans", &self.spans.len())
            .finish_non_exhaustive()
    }
}

/// Reads JSONL: a row for each document, with `id`, `text` and `spans` (`[[start, end, type, score], …]`, the
/// last two optional) or `edits` (`[{"start":, "end":, …}, …]`). A row without `id` is called by its line, as
/// `reticent detect` calls it.
///
/// `field` says where the spans are if it is not `spans`; dots go into objects: `baselines.presidio`.
///
/// ```
/// use reticent::evaluate::read_rows;
/// let rows = read_rows(r#"{"id": "a", "text": "Ana left", "spans": [[0, 3, "PERSON"]]}"#, None)?;
/// assert_eq!(rows[0].spans[0].kind.as_deref(), Some("PERSON"));
/// assert!(read_rows(r#"{"id": "a", "spans": [[3, 0]]}"#, None).is_err());
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn read_rows(jsonl: &str, field: Option<&str>) -> Result<Vec<Marked>, Error> {
    let mut rows = Vec::new();
    for object in objects(jsonl) {
        let (row, value) = object?;
        let at = || format!("row {row}");
        let id = match &value["id"] {
            Value::Null => format!("line {row}"),
            id => name(id).ok_or_else(|| error("`id` is neither a string nor a number").in_document(at()))?,
        };
        let text = match &value["text"] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            _ => return Err(error("`text` is not a string").in_document(at())),
        };
        let spans = spans_of(&value, field).map_err(|error| error.in_document(at()))?;
        rows.push(Marked { id, row, text, spans });
    }
    Ok(rows)
}

/// Each row of JSONL that is not blank, with its number.
pub(crate) fn objects(jsonl: &str) -> impl Iterator<Item = Result<(usize, Value), Error>> {
    let lines = (1..).zip(jsonl.trim_start_matches('\u{feff}').split('\n'));
    lines.filter(|(_, line)| !line.trim().is_empty()).map(|(row, line)| {
        let at = |message: String| error(message).in_document(format!("row {row}"));
        // The parser's own message could quote text.
        let value: Value = serde_json::from_str(line)
            .map_err(|problem| at(format!("invalid JSON at column {}", problem.column())))?;
        if value.is_object() { Ok((row, value)) } else { Err(at("the row is not a JSON object".to_owned())) }
    })
}

/// A name that is a string or a whole number.
pub(crate) fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn spans_of(row: &Value, field: Option<&str>) -> Result<Vec<MarkedSpan>, Error> {
    if let Some(field) = field {
        let found = field.split('.').fold(row, |value, name| &value[name]);
        return spans(found).ok_or_else(|| error(format!("`{field}` is not a list of spans")))?;
    }
    if let Some(spans) = spans(&row["spans"]) {
        return spans;
    }
    if let Value::Array(edits) = &row["edits"] {
        let one = |(at, edit): (usize, &Value)| {
            let score = edit.get("score").unwrap_or(&Value::Bool(false));
            span(at, &edit["start"], &edit["end"], [&edit["type"], score])
        };
        return (1..).zip(edits).map(one).collect();
    }
    Err(error("neither `spans` nor `edits` is a list")
        .with_hint("write \"spans\": [] for a document without spans"))
}

/// A list of `[start, end, type, score]`.
pub(crate) fn spans(list: &Value) -> Option<Result<Vec<MarkedSpan>, Error>> {
    let one = |(at, one): (usize, &Value)| {
        if one.is_array() {
            span(at, &one[0], &one[1], [&one[2], one.get(3).unwrap_or(&Value::Bool(false))])
        } else {
            Err(error(format!("span {at} is not of the form [start, end]")))
        }
    };
    Some((1..).zip(list.as_array()?).map(one).collect())
}

/// One span; `more` is its type and score. A score that is missing is not `null`.
fn span(at: usize, start: &Value, end: &Value, more: [&Value; 2]) -> Result<MarkedSpan, Error> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let (Some(start), Some(end)) = (number(start), number(end)) else {
        return Err(error(format!("span {at} has no valid start and end (in code points)")).with_hint(
            "offsets are non-negative integers that count Unicode code points of the original text",
        ));
    };
    if start > end {
        return Err(error(format!("span {at} ends at {end}, before its start at {start}"))
            .with_hint("a span is [start, end], not [start, length]; the end is exclusive"));
    }
    let score = match more[1] {
        Value::Null => Some(f64::INFINITY),
        Value::Bool(false) => None,
        value => {
            Some(value.as_f64().ok_or_else(|| error(format!("the score of span {at} is not a number")))?)
        }
    };
    Ok(MarkedSpan { start, end, kind: more[0].as_str().map(str::to_owned), score })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_spans_and_edits() {
        let rows = read_rows(
            "\u{feff}{\"id\":1,\"text\":\"é\",\"spans\":[[0,1],[0,1,\"X\",0.5],[0,1,\"X\",null]]}\r\n\n{\"edits\":[{\"start\":2,\"end\":2,\"type\":\"Y\",\"score\":1}]}",
            None,
        )
        .unwrap();
        assert_eq!((rows[0].id.as_str(), rows[1].id.as_str(), rows[1].row), ("1", "line 3", 3));
        let scores: Vec<Option<f64>> = rows[0].spans.iter().map(|span| span.score).collect();
        assert_eq!(scores, [None, Some(0.5), Some(f64::INFINITY)]);
        assert_eq!(
            rows[1].spans[0],
            MarkedSpan { start: 2, end: 2, kind: Some("Y".into()), score: Some(1.0) }
        );
    }

    #[test]
    fn looks_where_it_is_told() {
        let rows = read_rows("{\"id\":\"a\",\"spans\":[],\"by\":{\"x\":[[1,2]]}}", Some("by.x")).unwrap();
        assert_eq!(rows[0].spans.len(), 1);
        assert!(
            read_rows("{\"id\":\"a\",\"spans\":[]}", Some("by.x"))
                .unwrap_err()
                .to_string()
                .contains("`by.x`")
        );
    }

    #[test]
    fn refuses_by_row_and_tells_no_text() {
        for (bad, says) in [
            ("{\"id\":\"secret\"}", "neither `spans` nor `edits`"),
            ("secret", "invalid JSON at column"),
            ("[1]", "not a JSON object"),
            ("{\"id\":[],\"spans\":[]}", "`id`"),
            ("{\"text\":7,\"spans\":[]}", "`text`"),
            ("{\"spans\":[[1.5,2]]}", "code points"),
            ("{\"spans\":[[-1,2]]}", "code points"),
            ("{\"spans\":[[\"secret\",2]]}", "code points"),
            ("{\"spans\":[{\"start\":1}]}", "span 1"),
            ("{\"spans\":[[0,1],[5,2]]}", "span 2 ends at 2"),
            ("{\"spans\":[[0,1,\"X\",\"secret\"]]}", "score"),
        ] {
            let error = read_rows(&format!("\n{bad}"), None).unwrap_err().to_string();
            assert!(
                error.starts_with("row 2: ") && error.contains(says) && !error.contains("secret"),
                "{error}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
            let _ = read_rows(&text, None);
        }
    }
}
