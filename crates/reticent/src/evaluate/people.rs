//! Subject-level protection: which personal attributes of each person can still be read.
//!
//! Span-level recall hides that one person of a document may be protected and another not. This measure follows the Subject-level
//! PII Inference Assessment (SPIA), but reads literally where SPIA lets a language model infer: an attribute value counts as
//! disclosed if its words are still in the released text, wherever they stand.
//!
//! - The words of a value are its runs of letters and digits, without case, accents, stop words and single letters; of a number
//!   (`…_NUMBER`) only those with a digit, of an e-mail address only those before the `@`.
//! - A word is in a text as a word of it or, for names of at least four letters, as any part of it (a user name, for example).
//! - A value is evaluated if its certainty is high enough and one of its words is in the original. Others could only be inferred
//!   (a sex from *he*), which needs a model; they are counted as `inferred`.
//! - Protection of a value is 1 if none of its words is left, 0.5 if some are, 0 if all are.
//!
//! Placeholders such as `[PERSON 1]` are never read as words.

use std::collections::{BTreeMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::figures::mean;
use super::objects;
use super::released::{Release, Row, require_common};
use super::utility::is_stop_word;
use super::words::{is_decimal_number, is_word_char, without_placeholders};
use crate::Error;

/// Protection scores of the people in some documents. Shares are 1 for full protection, and missing where nothing was
/// evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeopleScores {
    /// Documents with at least one evaluated value.
    pub documents: usize,
    /// People with at least one evaluated value.
    pub persons: usize,
    /// Evaluated attribute values.
    pub values: usize,
    /// Values that are not in the original and could only be inferred. They are not evaluated.
    pub inferred: usize,
    /// Mean protection over all values.
    pub collective: Option<f64>,
    /// Mean over people of their mean protection.
    pub individual: Option<f64>,
    /// Mean over documents of the protection of the least protected person.
    pub worst: Option<f64>,
    /// Share of people with every value disclosed.
    pub exposed: Option<f64>,
    /// Number of values and mean protection of each attribute type.
    pub types: BTreeMap<String, (usize, f64)>,
    /// Gold documents that were not released. They are not evaluated.
    pub missing: usize,
}

/// Scores a release against the people of the gold documents.
///
/// Gold is JSONL with `id`, `text` and `people: [{attributes: [{type, value, certainty}]}]`; the release is JSONL with `id`
/// and its text in `field`. Values with a lower certainty than `certainty` are left out.
///
/// ```
/// use reticent::evaluate::{Release, score_people};
/// let gold = r#"{"id": 1, "text": "Ana Ruiz lives in Metz", "people": [{"attributes": [
///     {"type": "NAME", "value": "Ana Ruiz", "certainty": 5}, {"type": "LOCATION", "value": "Metz", "certainty": 5}]}]}"#;
/// let release = Release::read(r#"{"id": 1, "text": "[PERSON 1] lives in Metz"}"#)?;
/// let scores = score_people(&gold.replace('\n', " "), &release, "text", 3)?;
/// assert_eq!((scores.collective, scores.exposed), (Some(0.5), Some(0.0)));
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn score_people(
    gold: &str,
    release: &Release,
    field: &str,
    certainty: i64,
) -> Result<PeopleScores, Error> {
    let mut scores = PeopleScores::default();
    let (mut values, mut persons, mut worst) = (Vec::new(), Vec::new(), Vec::new());
    let mut kinds: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut scored = 0;
    for object in objects(gold) {
        let (row, value) = object?;
        let (id, gold) = Row::gold(row, &value)?;
        let Some(released) = release.get(&id) else {
            scores.missing += 1;
            continue;
        };
        scored += 1;
        let (before, after) = (Text::new(gold.string("text")?), Text::new(released.string(field)?));
        let mut here: Vec<f64> = Vec::new();
        for attributes in people(&gold)? {
            let mut own: Vec<f64> = Vec::new();
            for attribute in attributes {
                if attribute.certainty < certainty {
                    continue;
                }
                let words = attribute.words();
                let is_name = attribute.kind == "NAME";
                let was: Vec<&String> = words.iter().filter(|word| before.has(word, is_name)).collect();
                if was.is_empty() {
                    scores.inferred += 1;
                    continue;
                }
                let left = was.iter().filter(|word| after.has(word, is_name)).count();
                let protection = match left {
                    0 => 1.0,
                    left if left < was.len() => 0.5,
                    _ => 0.0,
                };
                own.push(protection);
                kinds.entry(attribute.kind.to_owned()).or_default().push(protection);
            }
            if !own.is_empty() {
                here.push(mean(&own));
                values.extend(own);
            }
        }
        if let Some(least) = here.iter().copied().reduce(f64::min) {
            worst.push(least);
            persons.extend(here);
        }
    }
    require_common(scored)?;
    let some = |values: &[f64]| (!values.is_empty()).then(|| mean(values));
    // Exactly zero: every value was read.
    let exposed: Vec<f64> = persons.iter().map(|person| f64::from(u8::from(*person == 0.0))).collect();
    Ok(PeopleScores {
        documents: worst.len(),
        persons: persons.len(),
        values: values.len(),
        collective: some(&values),
        individual: some(&persons),
        worst: some(&worst),
        exposed: some(&exposed),
        types: kinds.into_iter().map(|(kind, values)| (kind, (values.len(), mean(&values)))).collect(),
        ..scores
    })
}

struct Attribute<'v> {
    kind: &'v str,
    value: &'v str,
    certainty: i64,
}

/// The attributes of each person of a gold row.
fn people<'v>(gold: &Row<'v>) -> Result<Vec<Vec<Attribute<'v>>>, Error> {
    let bad = || {
        gold.error(
            "`people` is not a list of people with `attributes` that have `type`, `value` and `certainty`",
        )
    };
    let list = gold.value["people"].as_array().ok_or_else(bad)?;
    list.iter()
        .map(|person| {
            let attributes = person["attributes"].as_array().ok_or_else(bad)?;
            attributes
                .iter()
                .map(|one| {
                    let read = || {
                        Some(Attribute {
                            kind: one["type"].as_str()?,
                            value: one["value"].as_str()?,
                            certainty: one["certainty"].as_i64()?,
                        })
                    };
                    read().ok_or_else(bad)
                })
                .collect()
        })
        .collect()
}

impl Attribute<'_> {
    /// The words by which the value is recognized.
    fn words(&self) -> HashSet<String> {
        let value = match self.kind {
            "EMAIL_ADDRESS" => self.value.split('@').next().unwrap_or_default(),
            _ => self.value,
        };
        let is_number = self.kind.ends_with("_NUMBER");
        let folded = fold(value);
        let tells = |word: &&str| {
            let mut letters = word.chars();
            let single = letters.next().filter(|_| letters.next().is_none());
            !is_stop_word(word)
                && single.is_none_or(is_digit)
                && (!is_number || word.chars().any(is_decimal_number))
        };
        split(&folded).filter(tells).map(str::to_owned).collect()
    }
}

/// A folded text and its words.
struct Text {
    folded: String,
    words: HashSet<String>,
}

impl Text {
    fn new(text: &str) -> Self {
        let folded = fold(text);
        let words = split(&folded).map(str::to_owned).collect();
        Self { folded, words }
    }

    fn has(&self, word: &str, is_name: bool) -> bool {
        self.words.contains(word) || (is_name && word.chars().nth(3).is_some() && self.folded.contains(word))
    }
}

/// The text without placeholders, accents and case.
fn fold(text: &str) -> String {
    let plain: String =
        without_placeholders(text).nfkd().filter(|c| canonical_combining_class(*c) == 0).collect();
    plain.to_lowercase()
}

/// Runs of letters and digits.
fn split(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c| c == '_' || !is_word_char(c)).filter(|word| !word.is_empty())
}

/// Python's `str.isdigit` for a letter after compatibility decomposition: decimal numbers, and signs that are a digit without
/// belonging to a decimal system, such as `❶`.
fn is_digit(c: char) -> bool {
    is_decimal_number(c)
        || matches!(c,
            '\u{1369}'..='\u{1371}' | '\u{19da}' | '\u{24f5}'..='\u{24fd}' | '\u{24ff}' | '\u{2776}'..='\u{277e}'
            | '\u{2780}'..='\u{2788}' | '\u{278a}'..='\u{2792}' | '\u{10a40}'..='\u{10a43}'
            | '\u{10e60}'..='\u{10e68}' | '\u{11052}'..='\u{1105a}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Protection of a single value, or nothing if it could only be inferred.
    fn protection(before: &str, after: &str, kind: &str, value: &str) -> Option<f64> {
        let attribute = json!({"type": kind, "value": value, "certainty": 3});
        let gold = json!({"id": 1, "text": before, "people": [{"attributes": [attribute]}]}).to_string();
        let released = json!({"id": 1, "text": after}).to_string();
        score_people(&gold, &Release::read(&released).unwrap(), "text", 3).unwrap().collective
    }

    #[test]
    fn a_value_is_read_by_its_words() {
        let name = |after: &str| protection("Zoë Ruiz of Metz", after, "NAME", "Zoe Ruiz");
        assert_eq!(name("Zoë Ruiz"), Some(0.0));
        assert_eq!(name("ruiz, zoe"), Some(0.0));
        assert_eq!(name("Zoe left"), Some(0.5));
        assert_eq!(name("someone of Metz"), Some(1.0));
        // A name of four letters counts as a part of a word, too; a shorter one, or another value, does not.
        assert_eq!(name("@ruiz82"), Some(0.5));
        assert_eq!(name("zoey"), Some(1.0));
        assert_eq!(protection("Metz", "Metzger", "LOCATION", "Metz"), Some(1.0));
    }

    #[test]
    fn placeholders_are_no_words() {
        assert_eq!(protection("male", "[MALE] [MALE 1] ***", "SEX", "Male"), Some(1.0));
        for other in ["[male]", "[Male]", "MALE", "[MALE"] {
            assert_eq!(protection("male", other, "SEX", "Male"), Some(0.0), "{other}");
        }
    }

    #[test]
    fn only_words_that_tell_count() {
        assert_eq!(protection("the J of Metz", "the J", "LOCATION", "the J of Metz"), Some(1.0));
        assert_eq!(protection("8 people", "8", "AGE", "8"), Some(0.0));
        assert_eq!(protection("❶", "❶", "AGE", "❶"), Some(0.0));
        assert_eq!(protection("tel 555-0101", "tel", "PHONE_NUMBER", "tel 555-0101"), Some(1.0));
        assert_eq!(protection("ana@x.org", "x.org", "EMAIL_ADDRESS", "ana@x.org"), Some(1.0));
        // What is not in the original can only be inferred.
        assert_eq!(protection("he left", "he left", "SEX", "Male"), None);
    }

    #[test]
    fn averages_over_values_people_and_documents() {
        let value =
            |value: &str, certainty: i64| json!({"type": "LOCATION", "value": value, "certainty": certainty});
        let people = json!([
            {"attributes": [value("Metz", 5), value("Rome", 3), value("Cork", 2)]},
            {"attributes": [value("Bonn", 3)]},
            {"attributes": []},
        ]);
        let gold = json!({"id": "a", "text": "Metz Rome Cork Bonn", "people": people});
        let gold = format!("{gold}\n{}", json!({"id": "b", "text": "", "people": []}));
        let release = Release::read("{\"id\":\"a\",\"out\":\"Metz and Bonn\"}").unwrap();
        let scores = score_people(&gold, &release, "out", 3).unwrap();
        assert_eq!((scores.documents, scores.persons, scores.values, scores.missing), (1, 2, 3, 1));
        assert_eq!((scores.collective, scores.individual), (Some(1.0 / 3.0), Some(0.25)));
        assert_eq!((scores.worst, scores.exposed), (Some(0.0), Some(0.5)));
        assert_eq!(scores.types["LOCATION"], (3, 1.0 / 3.0));
    }

    #[test]
    fn refuses_by_row_and_tells_no_text() {
        let good = json!({"id": 1, "text": "secret", "people": []}).to_string();
        for (gold, released) in [
            (good.as_str(), "{\"id\":1}"),
            (&good, "{\"id\":2,\"text\":\"secret\"}"),
            ("{\"id\":1,\"text\":\"secret\"}", "{\"id\":1,\"text\":\"secret\"}"),
            (
                "{\"id\":1,\"text\":\"secret\",\"people\":[{\"attributes\":[{\"type\":\"secret\"}]}]}",
                "{\"id\":1,\"text\":\"\"}",
            ),
        ] {
            let says =
                score_people(gold, &Release::read(released).unwrap(), "text", 3).unwrap_err().to_string();
            assert!(!says.contains("secret"), "{says}");
        }
    }
}
