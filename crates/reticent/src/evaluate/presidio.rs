//! Results of the Presidio analyzer.

use serde_json::Value;

use super::error;
use super::rows::MarkedSpan;
use crate::Error;

/// Reads the results of Presidio's analyzer, which are of one document and do not name it: `[{"entity_type": "PERSON", "start": 0,
/// "end": 3, "score": 0.85}, …]`, in code points. Nothing if the JSON is of another kind, such as [TAB's](super::read_tab).
///
/// ```
/// use reticent::evaluate::read_presidio;
/// let spans = read_presidio(r#"[{"entity_type": "PERSON", "start": 0, "end": 3, "score": 0.85}]"#)?.unwrap();
/// assert_eq!((spans[0].start, spans[0].end, spans[0].kind.as_deref()), (0, 3, Some("PERSON")));
/// assert!(read_presidio(r#"{"001": [[3, 7]]}"#)?.is_none());
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn read_presidio(json: &str) -> Result<Option<Vec<MarkedSpan>>, Error> {
    let Ok(Value::Array(results)) = serde_json::from_str(json) else { return Ok(None) };
    // One that cannot be read among others that can is an error: it would not be masked.
    if !results.is_empty() && !results.iter().any(|result| result.get("entity_type").is_some()) {
        return Ok(None);
    }
    (1..).zip(&results).map(|(at, result)| span(at, result)).collect::<Result<_, _>>().map(Some)
}

fn span(at: usize, result: &Value) -> Result<MarkedSpan, Error> {
    let place = |name: &str| usize::try_from(result.get(name)?.as_u64()?).ok();
    match (place("start"), place("end"), result.get("entity_type").and_then(Value::as_str)) {
        (Some(start), Some(end), Some(kind)) if start <= end => Ok(MarkedSpan {
            start,
            end,
            kind: Some(kind.to_owned()),
            score: result.get("score").and_then(Value::as_f64),
        }),
        _ => Err(error(format!("result {at} lacks a valid `entity_type`, `start` and `end`"))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_results_with_all_that_the_service_adds() {
        let json = r#"[
            {"analysis_explanation": null, "end": 16, "entity_type": "PERSON", "score": 0.85, "start": 11,
             "recognition_metadata": {"recognizer_name": "SpacyRecognizer"}},
            {"entity_type": "EMAIL_ADDRESS", "start": 20, "end": 33}]"#;
        let spans = read_presidio(json).unwrap().unwrap();
        assert_eq!(spans.len(), 2);
        assert_eq!((spans[0].start, spans[0].end, spans[0].score), (11, 16, Some(0.85)));
        assert_eq!((spans[1].kind.as_deref(), spans[1].score), (Some("EMAIL_ADDRESS"), None));
    }

    #[test]
    fn nothing_found_is_a_result() {
        assert_eq!(read_presidio("[]").unwrap(), Some(Vec::new()));
    }

    #[test]
    fn leaves_other_json_to_others() {
        let others = [
            r#"[{"doc_id": "001", "text": "a", "annotations": {}}]"#,
            r#"{"001": [[3, 7]]}"#,
            // What the anonymizer writes has places in the text that it changed.
            r#"{"text": "<PERSON>", "items": [{"start": 0, "end": 8, "entity_type": "PERSON"}]}"#,
            r#"{"id": "a", "spans": []}"#,
            "[[0, 3]]",
            "[7]",
            "",
            "null",
            "[",
        ];
        for other in others {
            assert_eq!(read_presidio(other).unwrap(), None, "{other}");
        }
    }

    #[test]
    fn refuses_a_result_that_would_not_be_masked() {
        let good = r#"{"entity_type": "PERSON", "start": 0, "end": 3}"#;
        let bad = [
            r#"{"entity_type": "PERSON", "start": 3, "end": 1}"#,
            r#"{"entity_type": "PERSON", "start": -1, "end": 1}"#,
            r#"{"entity_type": "PERSON", "start": 0.5, "end": 1}"#,
            r#"{"entity_type": "PERSON", "start": "0", "end": 1}"#,
            r#"{"entity_type": "PERSON", "start": 0}"#,
            r#"{"entity_type": 7, "start": 0, "end": 1}"#,
            r#"{"start": 0, "end": 1}"#,
            "7",
        ];
        for bad in bad {
            let refused = read_presidio(&format!("[{good}, {bad}]")).unwrap_err().to_string();
            assert!(refused.contains("result 2"), "{bad}: {refused}");
        }
    }

    proptest! {
        #[test]
        fn reads_back_what_was_written(spans in prop::collection::vec((0usize..999, 0usize..99, "[A-Z_]{1,9}"), 0..9)) {
            let results: Vec<Value> = spans
                .iter()
                .map(|(start, length, kind)| serde_json::json!({ "start": start, "end": start + length, "entity_type": kind }))
                .collect();
            let read = read_presidio(&Value::Array(results).to_string()).unwrap().unwrap();
            prop_assert_eq!(read.len(), spans.len());
            for (read, (start, length, kind)) in read.iter().zip(&spans) {
                prop_assert_eq!((read.start, read.end, read.kind.as_ref()), (*start, start + length, Some(kind)));
            }
        }
    }
}
