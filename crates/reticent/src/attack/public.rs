//! What is publicly written, and what was released.

use std::collections::HashMap;

use serde_json::Value;

use crate::Error;
use crate::evaluate::{error, name, objects};

/// Somebody whom a text could be about.
pub struct Candidate {
    /// The name of the candidate.
    pub name: String,
    /// The public text about the candidate.
    pub text: String,
}

/// The adversary's background knowledge: a text about each candidate. `Debug` shows none of it.
pub struct PublicKnowledge {
    candidates: Vec<Candidate>,
    by_name: HashMap<String, usize>,
}

impl std::fmt::Debug for PublicKnowledge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PublicKnowledge").field("candidates", &self.candidates.len()).finish_non_exhaustive()
    }
}

impl PublicKnowledge {
    /// Reads JSONL with `entity` and `text`. Several texts about one entity are joined.
    pub fn read(jsonl: &str) -> Result<Self, Error> {
        let mut public = Self { candidates: Vec::new(), by_name: HashMap::new() };
        for object in objects(jsonl) {
            let (row, value) = object?;
            let at = |message: &str| error(message).in_document(format!("row {row}"));
            let entity = entity(&value).ok_or_else(|| at("`entity` is missing"))?;
            let text = value["text"].as_str().ok_or_else(|| at("`text` is missing"))?;
            if let Some(&before) = public.by_name.get(&entity) {
                let joined = &mut public.candidates[before].text;
                joined.push_str("\n\n");
                joined.push_str(text);
                continue;
            }
            public.by_name.insert(entity.clone(), public.candidates.len());
            public.candidates.push(Candidate { name: entity, text: text.to_owned() });
        }
        if public.candidates.len() < 2 {
            return Err(error("an attack needs at least two candidates"));
        }
        Ok(public)
    }

    /// All candidates, in the order in which they were read.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
}

fn entity(row: &Value) -> Option<String> {
    name(&row["entity"]).filter(|entity| !entity.is_empty())
}

/// A released text and its true subject. `Debug` shows no text.
pub struct Target {
    /// In which row it stands, from 1.
    pub row: usize,
    /// Whom it is about, by their place among the candidates. Attacks never see this.
    pub candidate: usize,
    /// The released text.
    pub text: String,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Target").field("row", &self.row).finish_non_exhaustive()
    }
}

/// Reads released texts from JSONL: `entity`, and the text in `field`. Rows whose field is missing or empty are
/// left out.
pub fn read_targets(jsonl: &str, field: &str, public: &PublicKnowledge) -> Result<Vec<Target>, Error> {
    let mut targets = Vec::new();
    for object in objects(jsonl) {
        let (row, value) = object?;
        let at = |message: String| error(message).in_document(format!("row {row}"));
        let text = match &value[field] {
            Value::Null => continue,
            Value::String(text) if text.is_empty() => continue,
            Value::String(text) => text.clone(),
            _ => return Err(at(format!("`{field}` is not a string"))),
        };
        let entity = entity(&value).ok_or_else(|| at("`entity` is missing".to_owned()))?;
        let candidate = public.by_name.get(&entity).copied().ok_or_else(|| {
            at("the entity of this row is not among the public candidates".to_owned())
                .with_hint("names must be spelled identically in both files")
        })?;
        targets.push(Target { row, candidate, text });
    }
    if targets.is_empty() {
        return Err(error(format!("no row has a text in `{field}`"))
            .with_hint("name the field that holds the text with --field"));
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: &str = "{\"entity\":\"Ana\",\"text\":\"x\"}\n{\"entity\":\"Ben\",\"text\":\"y\"}\n{\"entity\":\"Ana\",\"text\":\"z\"}";

    #[test]
    fn joins_texts_about_one_candidate() {
        let public = PublicKnowledge::read(PUBLIC).unwrap();
        let texts: Vec<&str> = public.candidates().iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["x\n\nz", "y"]);
    }

    #[test]
    fn refuses_by_row_and_tells_no_text() {
        for bad in [
            "{\"text\":\"secret\"}",
            "{\"entity\":\"secret\"}",
            "{\"entity\":\"secret\",\"text\":\"\"}",
            "",
            "secret",
        ] {
            assert!(!PublicKnowledge::read(bad).unwrap_err().to_string().contains("secret"));
        }
        let public = PublicKnowledge::read(PUBLIC).unwrap();
        for (bad, says) in [
            ("{\"entity\":\"Secret\",\"text\":\"secret\"}", "row 1: the entity of this row is not among"),
            ("{\"text\":\"secret\"}", "row 1: `entity` is missing"),
            ("{\"entity\":\"Ana\",\"text\":7}", "row 1: `text` is not a string"),
            ("{\"entity\":\"Ana\",\"text\":\"\"}", "no row has a text in `text`"),
        ] {
            let error = read_targets(bad, "text", &public).unwrap_err().to_string();
            assert!(error.starts_with(says) && !error.to_lowercase().contains("secret"), "{error}");
        }
    }
}
