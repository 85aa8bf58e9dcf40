//! The built-in patterns against their examples, against prose, and against the gate.

mod disguised;
mod measured;

use std::fmt::Write as _;

use proptest::prelude::*;
use reticent_text::{Document, Region, RegionKind, Source, Span};

use super::*;
use crate::detect::Detector;

fn detector() -> &'static PatternDetector {
    static DETECTOR: std::sync::OnceLock<PatternDetector> = std::sync::OnceLock::new();
    DETECTOR.get_or_init(|| PatternDetector::builtin().expect("the built-in patterns are valid"))
}

fn found(text: &str) -> Vec<(String, String)> {
    let findings = detector().find(text).expect("the patterns run");
    findings.iter().map(|f| (f.entity_type.to_string(), f.span.of(text).to_owned())).collect()
}

#[test]
fn every_pattern_keeps_its_examples() {
    let mut faults = String::new();
    for pattern in builtin() {
        if let Err(error) = pattern.compile().and_then(|()| pattern.check_examples()) {
            writeln!(faults, "{error}").expect("a string takes all");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn every_pattern_is_documented() {
    for pattern in builtin() {
        let spec = pattern.spec();
        let name = pattern.name();
        for (heading, text) in [
            ("finds", &spec.finds),
            ("why", &spec.why),
            ("false_positives", &spec.false_positives),
            ("example", &spec.example),
        ] {
            assert!(!text.is_empty(), "{name}: `{heading}` is missing");
        }
        assert!(!spec.matches.is_empty(), "{name}: no example of what it finds");
        assert!(
            spec.no_match.len() >= spec.matches.len(),
            "{name}: fewer examples of what it leaves alone than of what it finds"
        );
        assert!(pattern.reach().longest < usize::MAX, "{name}: a match may be of any length");
        assert_ne!(pattern.reach().gate, gate::Gate::Open, "{name}: runs over the whole text");
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = builtin().iter().map(|pattern| pattern.name()).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(all, names.len());
}

/// What must stay as it is: nothing is found at all.
const PROSE: &[&str] = &[
    "The meeting is in room 214 on the second floor.",
    "He took 5 mg twice, then 0.5 mL of the solution and 1200 IU.",
    "Blood pressure 120/80 mmHg, pulse 72, temperature 36.8 °C, SpO2 98.",
    "Upgrade to version 1.2.3.4 or v10.11.12.13 of the library.",
    "See § 12.3 and Article 6 § 1 of the Convention, and Articles 8 and 13.",
    "They won 3-1, 6-4, 7-5; the final score was 21:19.",
    "ISBN 978-3-16-148410-0 and ISSN 2049-3630 are in the catalogue.",
    "Figure 3.14, table 2, page 1024, chapter 7 and line 99.",
    "Protocol No. 11 entered into force; Rule 59 § 3 applies.",
    "The ratio was 3:2 and pi is 3.14159.",
    "She may go, and they will march; the mark was august.",
    "TNM stage T3N0M0, Gleason 7 (3+4), ECOG 1.",
    "A 12 x 10 cm mass with 3 nodes, 10x10 cms.",
    "The temperature fell by 12 degrees over 300 km.",
    "Se administró 1 g de paracetamol cada 8 horas por vía oral.",
    "Hemoglobina 12,5 g/dl, leucocitos 8.300, plaquetas 250.000.",
    "Part number 4711 and HTTP 404, RFC 2616, port 8080.",
    "E = mc2, H2O, CO2 and vitamin B12.",
    "Dear Sir or Madam, thank you for your letter.",
    "the sum of 1234 apples and 5678 pears",
    "We have 10 cats, 200 dogs and 3000 birds.",
    "Call it a day; the office is closed.",
    "chr12:25398284 and rs121913529 and p.Gly12Asp",
    "A4 paper, M25 motorway, B52 and the 3G network",
];

#[test]
fn leaves_prose_alone() {
    let mut faults = String::new();
    for text in PROSE {
        for finding in detector().find(text).expect("the patterns run") {
            writeln!(faults, "{}: {:?} in {text:?}", finding.detector, finding.span.of(text)).expect("fits");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn findings_stay_in_their_region() {
    let text = "4111 1111 1111 1111";
    let whole = detector().detect(&Document::plain("whole", text)).expect("the patterns run");
    assert!(whole.iter().any(|finding| finding.detector == "credit-card"));
    let region =
        |start, end| Region { span: Span::new(start, end), kind: RegionKind::Body, name: String::new() };
    let halves =
        Document::new("halves", text.to_owned(), Source::identity(text), vec![region(0, 9), region(9, 19)]);
    let halves = detector().detect(&halves).expect("the patterns run");
    assert!(halves.iter().all(|finding| finding.detector != "credit-card"));
}

#[test]
fn reads_what_lies_between_regions() {
    let text = "a ana@example.org b";
    let region =
        |start, end| Region { span: Span::new(start, end), kind: RegionKind::Body, name: String::new() };
    let document =
        Document::new("gap", text.to_owned(), Source::identity(text), vec![region(0, 1), region(18, 19)]);
    let findings = detector().detect(&document).expect("the patterns run");
    assert!(findings.iter().any(|finding| finding.span.of(text) == "ana@example.org"));
}

#[test]
fn a_rejected_number_does_not_hide_the_next() {
    let cards: Vec<_> = found("4111 1111 1111 1112 4111 1111 1111 1111")
        .into_iter()
        .filter(|(entity, _)| entity == "CREDIT_CARD")
        .collect();
    assert_eq!(cards.len(), 1, "{cards:?}");
    let dates = found("on 1/2/2003 3/4/2005");
    assert_eq!(dates.len(), 2, "{dates:?}");
}

#[test]
fn errors_name_the_pattern_and_the_key() {
    let spec = |line: &str| {
        format!(
            "[[patterns]]\nname = \"badge\"\ntype = \"BADGE\"\nidentifies = \"directly\"\nscore = 0.9\n{line}\n"
        )
    };
    for (line, key) in [
        ("regex = '(?=x)y'", "`regex`"),
        ("regex = 'x*'", "`regex`"),
        ("regex = '{{nothing}}'", "`regex`"),
        ("regex = 'x'\nchecksum = \"nothing\"", "`checksum`"),
        ("regex = 'x'\nrequire_context = true", "`context`"),
        ("regex = 'x'\nscore_with_context = 2.0\ncontext = [\"y\"]", "`score_with_context`"),
        ("regex = 'x'\nunless_after = '('", "`unless_after`"),
    ] {
        let file = PatternFile::parse(&spec(line)).expect("the keys are known");
        let error = file.validate().expect_err(line);
        assert!(error.to_string().contains("`badge`") && error.to_string().contains(key), "{error}");
        assert!(error.hint().is_some());
    }
    let unknown = PatternFile::parse(&spec("regx = 'x'")).expect_err("the key is unknown");
    assert!(unknown.to_string().contains("regx"), "{unknown}");
}

#[test]
fn unbounded_patterns_of_users_still_run() {
    let toml = "[[patterns]]\nname = \"tail\"\ntype = \"TAIL\"\nidentifies = \"directly\"\nscore = 0.9\nregex = 'secret:.+'\n";
    let patterns = PatternFile::parse(toml).and_then(PatternFile::validate).expect("it is valid");
    let detector = PatternDetector::new(patterns).expect("it is small");
    let text = format!("secret: {}", "x".repeat(5000));
    let findings = detector.find(&text).expect("it runs");
    assert_eq!(findings[0].span, Span::new(0, text.len()));
}

#[test]
fn other_cases_of_ascii_letters_are_not_lost() {
    // `(?i)` takes the long s for an s, which the gate does not look for.
    assert!(found("pa\u{17f}\u{17f}port no. AB1234567").iter().any(|(entity, _)| entity == "PASSPORT"));
}

/// Examples of all patterns and prose, in pieces to be mixed.
fn pieces() -> Vec<String> {
    let mut pieces: Vec<String> = PROSE.iter().map(|text| (*text).to_owned()).collect();
    for pattern in builtin() {
        pieces.extend(pattern.spec().matches.iter().map(|example| example.text.clone()));
        pieces.extend(pattern.spec().no_match.iter().cloned());
    }
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_gate_hides_nothing(
        picks in prop::collection::vec((any::<prop::sample::Index>(), 0..6usize), 1..40),
    ) {
        let pieces = pieces();
        let mut text = String::new();
        for (pick, glue) in picks {
            let piece: &String = pick.get(&pieces);
            text.push_str(piece);
            text.push_str(["", " ", "\n", ". ", ", ", "ñ "][glue]);
        }
        let gated = detector().find(&text).expect("the patterns run");
        let ungated = detector().find_ungated(&text).expect("the patterns run");
        prop_assert_eq!(gated, ungated);
    }

    #[test]
    fn spans_lie_on_characters(text in "(?:\\PC|[0-9@./: -]|Mr |años|€){0,80}") {
        for finding in detector().find(&text).expect("the patterns run") {
            prop_assert!(finding.span.fits(&text));
            prop_assert!(!finding.span.is_empty());
            prop_assert!(finding.score > 0.0 && finding.score <= 1.0);
        }
    }
}
