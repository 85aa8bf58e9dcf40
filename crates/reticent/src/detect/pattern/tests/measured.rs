//! What the patterns find in texts that people marked. Needs the shared data; skips without it.
#![allow(clippy::print_stderr)]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use reticent_text::{OffsetUnit, Offsets, Span};

use super::detector;

fn shared(path: &str) -> Option<PathBuf> {
    reticent_testing::shared(&format!("data/{path}"))
}

struct Marked {
    text: String,
    spans: Vec<(Span, String)>,
}

fn jsonl(path: &Path) -> Vec<Marked> {
    let mut text = String::new();
    let file = std::fs::File::open(path).expect("the file opens");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("the file is text");
    text.lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("a row is JSON");
            let text = row["text"].as_str().expect("a row has a text").to_owned();
            let offsets = Offsets::new(&text, OffsetUnit::Chars);
            let spans = row["spans"].as_array().expect("a row has spans");
            let spans = spans.iter().map(|span| {
                let at = |index: usize| usize::try_from(span[index].as_u64().unwrap_or(0)).unwrap_or(0);
                let bytes = offsets.inside(at(0), at(1)).expect("a span lies in the text");
                (bytes, span[2].as_str().unwrap_or_default().to_owned())
            });
            let spans = spans.collect();
            Marked { text, spans }
        })
        .collect()
}

fn brat(folder: &Path) -> Vec<Marked> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder opens")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a note is text");
        let offsets = Offsets::new(&text, OffsetUnit::Chars);
        let marks = std::fs::read_to_string(path.with_extension("ann")).expect("a note has marks");
        let spans = marks.lines().filter_map(|line| {
            let mut parts = line.split('\t').nth(1)?.split(' ');
            let entity = parts.next()?.to_owned();
            let (start, end) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            Some((offsets.inside(start, end)?, entity))
        });
        let spans = spans.collect();
        Marked { text, spans }
    };
    files.into_iter().map(read).collect()
}

#[derive(Default)]
struct Tally {
    gold: usize,
    found: usize,
    exact: usize,
    /// Marked ones all of whose letters and digits are covered by findings.
    covered: usize,
    /// Findings that touch a marked one.
    touching: usize,
}

impl Tally {
    fn recall(&self) -> (f64, f64) {
        (self.exact as f64 / self.gold as f64, self.covered as f64 / self.gold as f64)
    }

    fn precision(&self) -> (f64, f64) {
        (self.exact as f64 / self.found as f64, self.touching as f64 / self.found as f64)
    }
}

/// Compares, for each type of `types` (theirs, ours), what is marked with what is found at a score
/// of at least one half. `RETICENT_SHOW=TYPE` prints what differs in that type.
fn measure(marked: &[Marked], types: &[(&str, &[&str])]) -> BTreeMap<String, Tally> {
    let show = std::env::var("RETICENT_SHOW").unwrap_or_default();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for Marked { text, spans } in marked {
        let findings = detector().find(text).expect("the patterns run");
        for (theirs, ours) in types {
            let gold: Vec<Span> = spans.iter().filter(|(_, entity)| entity == theirs).map(|s| s.0).collect();
            let mut found: Vec<Span> = findings
                .iter()
                .filter(|f| f.score >= 0.5 && ours.contains(&f.entity_type.as_str()))
                .map(|f| f.span)
                .collect();
            found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
            found.dedup();
            // Of findings inside each other, the longest counts.
            let mut kept: Vec<Span> = Vec::new();
            for span in found {
                if !kept.last().is_some_and(|last| last.contains(span)) {
                    kept.push(span);
                }
            }
            let tally = tallies.entry((*theirs).to_owned()).or_default();
            tally.gold += gold.len();
            tally.found += kept.len();
            for span in &gold {
                let exact = kept.contains(span);
                let covered =
                    span.of(text).char_indices().filter(|(_, c)| c.is_alphanumeric()).all(|(at, _)| {
                        kept.iter().any(|k| k.start <= span.start + at && span.start + at < k.end)
                    });
                tally.exact += usize::from(exact);
                tally.covered += usize::from(covered);
                if !covered && show == *theirs {
                    eprintln!("missed: {:?}", around(text, *span));
                } else if !exact && show == *theirs {
                    eprintln!("inexact: {:?}", around(text, *span));
                }
            }
            for span in &kept {
                let touching = gold.iter().any(|marked| marked.overlaps(*span));
                tally.touching += usize::from(touching);
                if !touching && show == *theirs {
                    eprintln!("wrong: {:?}", around(text, *span));
                }
            }
        }
    }
    for (entity, tally) in &tallies {
        let ((recall, covered), (precision, touching)) = (tally.recall(), tally.precision());
        eprintln!(
            "{entity:34} marked {:5} found {:5} exact R {recall:.3} P {precision:.3} overlap R {covered:.3} P {touching:.3}",
            tally.gold, tally.found
        );
    }
    tallies
}

fn around(text: &str, span: Span) -> String {
    let start = text[..span.start].char_indices().rev().nth(30).map_or(0, |(at, _)| at);
    let end = text[span.end..].char_indices().nth(25).map_or(text.len(), |(at, _)| span.end + at);
    format!("{}<<{}>>{}", &text[start..span.start], span.of(text), &text[span.end..end])
}

#[test]
fn finds_what_is_marked_in_templated_sentences() {
    let Some(path) = shared("ner/pii-dev.jsonl.gz") else { return };
    let types: &[(&str, &[&str])] = &[
        ("EMAIL_ADDRESS", &["EMAIL_ADDRESS"]),
        ("CREDIT_CARD", &["CREDIT_CARD"]),
        ("IBAN_CODE", &["IBAN_CODE"]),
        ("US_SSN", &["US_SSN"]),
        ("IP_ADDRESS", &["IP_ADDRESS"]),
        ("PHONE_NUMBER", &["PHONE_NUMBER"]),
        ("DATE_TIME", &["DATE_TIME"]),
        ("DOMAIN_NAME", &["DOMAIN_NAME", "URL"]),
        ("US_DRIVER_LICENSE", &["US_DRIVER_LICENSE"]),
        ("ADDRESS", &["ADDRESS", "POSTCODE"]),
        ("PERSON", &["PERSON"]),
    ];
    let tallies = measure(&jsonl(&path), types);
    for entity in ["EMAIL_ADDRESS", "CREDIT_CARD", "IBAN_CODE", "US_SSN", "IP_ADDRESS"] {
        let tally = &tallies[entity];
        assert!(tally.recall().0 >= 0.97 && tally.precision().0 >= 0.95, "{entity}");
    }
    for entity in ["PHONE_NUMBER", "DATE_TIME"] {
        let tally = &tallies[entity];
        assert!(tally.recall().0 >= 0.90 && tally.precision().0 >= 0.85, "{entity}");
    }
}

#[test]
fn finds_what_is_marked_in_court_cases() {
    let Some(path) = shared("tab/dev.jsonl.gz") else { return };
    let types: &[(&str, &[&str])] = &[
        ("DATETIME", &["DATE_TIME", "AGE"]),
        ("CODE", &["CASE_NUMBER"]),
        ("PERSON", &["PERSON"]),
        ("QUANTITY", &["MONEY", "PERCENTAGE"]),
    ];
    let mut marked = jsonl(&path);
    // There the title belongs to the name; here it does not.
    for Marked { text, spans } in &mut marked {
        for (span, _) in spans.iter_mut().filter(|(_, entity)| entity == "PERSON") {
            for title in ["Mr ", "Mrs ", "Ms ", "Dr ", "Sir ", "Judge "] {
                if span.of(text).starts_with(title) {
                    span.start += title.len();
                }
            }
        }
    }
    let tallies = measure(&marked, types);
    let dates = &tallies["DATETIME"];
    assert!(dates.recall().1 >= 0.85 && dates.precision().1 >= 0.90);
    let codes = &tallies["CODE"];
    assert!(codes.recall().1 >= 0.85 && codes.precision().1 >= 0.75);
}

#[test]
fn finds_what_is_marked_in_clinical_notes() {
    let Some(folder) = shared("meddocan/dev") else { return };
    let types: &[(&str, &[&str])] = &[
        ("FECHAS", &["DATE_TIME"]),
        ("EDAD_SUJETO_ASISTENCIA", &["AGE"]),
        ("CORREO_ELECTRONICO", &["EMAIL_ADDRESS"]),
        ("NUMERO_TELEFONO", &["PHONE_NUMBER"]),
        ("NUMERO_FAX", &["PHONE_NUMBER"]),
        ("ID_SUJETO_ASISTENCIA", &["MEDICAL_RECORD"]),
        ("ID_CONTACTO_ASISTENCIAL", &["MEDICAL_RECORD"]),
        ("ID_ASEGURAMIENTO", &["HEALTH_PLAN", "ES_NSS"]),
        ("ID_TITULACION_PERSONAL_SANITARIO", &["MEDICAL_LICENSE"]),
        ("CALLE", &["ADDRESS"]),
        ("TERRITORIO", &["POSTCODE"]),
        ("NOMBRE_PERSONAL_SANITARIO", &["PERSON"]),
        ("NOMBRE_SUJETO_ASISTENCIA", &["PERSON"]),
    ];
    let tallies = measure(&brat(&folder), types);
    for (entity, recall) in [
        ("FECHAS", 0.95),
        ("EDAD_SUJETO_ASISTENCIA", 0.88),
        ("CORREO_ELECTRONICO", 0.98),
        ("ID_ASEGURAMIENTO", 0.95),
        ("ID_TITULACION_PERSONAL_SANITARIO", 0.95),
    ] {
        assert!(tallies[entity].recall().1 >= recall, "{entity}");
    }
}

#[test]
fn the_gate_hides_nothing_in_real_texts() {
    let (Some(cases), Some(notes)) = (shared("tab/dev.jsonl.gz"), shared("meddocan/dev")) else { return };
    for row in jsonl(&cases).iter().take(8).chain(brat(&notes).iter().take(12)) {
        let gated = detector().find(&row.text).expect("the patterns run");
        assert_eq!(gated, detector().find_ungated(&row.text).expect("the patterns run"));
    }
}
