//! The Text Anonymization Benchmark's own JSON.

use serde_json::Value;

use super::error;
use super::rows::{self, Marked, MarkedSpan};
use crate::Error;

/// Reads the benchmark's annotations (`[{"doc_id":, "text":, "annotations": {"annotator1": {"entity_mentions":
/// …}}}, …]`), or what a tool masked (`{"doc_id": [[start, end], …], …}`).
///
/// Gold is what an annotator would mask: direct and quasi identifiers. Where several people annotated a
/// document, each of them is a document of its own with the same name, so that all count alike, as in the
/// benchmark's own evaluation.
pub fn read_tab(json: &str) -> Result<Vec<Marked>, Error> {
    let value: Value = serde_json::from_str(json).map_err(|problem| {
        error(format!("invalid JSON (line {}, column {})", problem.line(), problem.column()))
    })?;
    match &value {
        Value::Array(documents) => {
            let mut all = Vec::new();
            for (row, document) in (1..).zip(documents) {
                annotated(row, document, &mut all)
                    .map_err(|error| error.in_document(format!("document {row}")))?;
            }
            Ok(all)
        }
        Value::Object(documents) => (1..)
            .zip(documents)
            .map(|(row, (id, list))| {
                let spans = rows::spans(list).unwrap_or_else(|| Err(error("the list of spans is missing")));
                let spans = spans.map_err(|error| error.in_document(format!("document {row}")))?;
                Ok(Marked { id: id.clone(), row, text: None, spans })
            })
            .collect(),
        _ => Err(error("expected a list of documents or an object with their spans")),
    }
}

fn annotated(row: usize, document: &Value, all: &mut Vec<Marked>) -> Result<(), Error> {
    let id = rows::name(&document["doc_id"]).ok_or_else(|| error("`doc_id` is missing"))?;
    let text = document["text"].as_str().ok_or_else(|| error("`text` is missing"))?;
    let annotators = document["annotations"].as_object().ok_or_else(|| error("`annotations` is missing"))?;
    for annotator in annotators.values() {
        let mentions = annotator["entity_mentions"].as_array();
        let mentions = mentions.ok_or_else(|| error("an annotator has no `entity_mentions`"))?;
        let masked = (1..).zip(mentions).filter(|(_, mention)| mention["identifier_type"] != "NO_MASK");
        let spans: Result<Vec<MarkedSpan>, Error> = masked.map(|(at, mention)| span(at, mention)).collect();
        all.push(Marked { id: id.clone(), row, text: Some(text.to_owned()), spans: spans? });
    }
    Ok(())
}

fn span(at: usize, mention: &Value) -> Result<MarkedSpan, Error> {
    if !matches!(mention["identifier_type"].as_str(), Some("DIRECT" | "QUASI")) {
        return Err(error(format!("mention {at}: `identifier_type` is not DIRECT, QUASI or NO_MASK")));
    }
    let number = |name: &str| mention[name].as_u64().and_then(|number| usize::try_from(number).ok());
    match (number("start_offset"), number("end_offset")) {
        (Some(start), Some(end)) if start <= end => {
            let kind = mention["entity_type"].as_str().map(str::to_owned);
            Ok(MarkedSpan { start, end, kind, score: None })
        }
        _ => Err(error(format!("mention {at} lacks a valid `start_offset` and `end_offset`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = r#"[{"doc_id": "001", "text": "Mr Kaya, a Turk, v. law", "annotations": {
        "annotator1": {"entity_mentions": [
            {"entity_type": "PERSON", "start_offset": 3, "end_offset": 7, "identifier_type": "DIRECT"},
            {"entity_type": "DEM", "start_offset": 11, "end_offset": 15, "identifier_type": "QUASI"},
            {"entity_type": "MISC", "start_offset": 20, "end_offset": 23, "identifier_type": "NO_MASK"}]},
        "annotator2": {"entity_mentions": []}}}]"#;

    #[test]
    fn each_annotator_is_a_document() {
        let gold = read_tab(GOLD).unwrap();
        assert_eq!(
            gold.iter().map(|one| (one.id.as_str(), one.spans.len())).collect::<Vec<_>>(),
            [("001", 2), ("001", 0)]
        );
        assert_eq!(gold[0].spans[1].kind.as_deref(), Some("DEM"));
    }

    #[test]
    fn reads_what_was_masked() {
        let found = read_tab(r#"{"001": [[3, 7]], "002": []}"#).unwrap();
        assert_eq!((found[0].spans[0].start, found[1].spans.len()), (3, 0));
    }

    #[test]
    fn refuses_what_it_cannot_read() {
        let changed = |from: &str, to: &str| read_tab(&GOLD.replace(from, to)).unwrap_err().to_string();
        assert_eq!(changed("doc_id", "id"), "document 1: `doc_id` is missing");
        assert!(changed("QUASI", "PERHAPS").contains("mention 2"));
        assert!(changed("\"end_offset\": 7", "\"end_offset\": 1").contains("mention 1"));
        assert!(changed("entity_mentions", "mentions").contains("entity_mentions"));
        for bad in ["", "7", r#"{"a": 7}"#, r#"{"a": [[2, 1]]}"#, "[7]"] {
            assert!(read_tab(bad).is_err(), "{bad}");
        }
    }
}
