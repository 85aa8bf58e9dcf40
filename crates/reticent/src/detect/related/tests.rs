use proptest::prelude::*;
use reticent_text::{Analyzer, Document};

use super::*;
use crate::policy::Policy;

fn analyzed(text: &str) -> Document {
    let mut document = Document::plain("test", text);
    let layers =
        Analyzer::shipped().unwrap().analyze(&document, Some(reticent_text::Language::English)).unwrap();
    document.set_language(layers.language);
    document.set_layers(layers);
    document
}

fn detector(toml: &str) -> RelatedDetector {
    let policy = Policy::from_toml(&format!("extends = \"subject\"\n{toml}")).unwrap();
    RelatedDetector::new(Knowledge::shipped().unwrap(), *policy.related())
}

fn found(subject: &str, text: &str, toml: &str) -> Vec<String> {
    let subject = Subject::named(subject).unwrap();
    let findings = detector(toml).detect(&analyzed(text), &[subject], &[]).unwrap();
    findings.iter().map(|finding| finding.span.of(text).to_owned()).collect()
}

const TWO: &str = "Ana Linehan (born 3 May 1962) is an actress. Tom Baxter (born 7 July 1971) is a painter. \
                   Linehan lives in Cork, where she wrote Winterlight. Baxter moved to Lisbon, where he paints.";

#[test]
fn names_and_numbers_of_the_subject_are_found() {
    let found = found("Ana Linehan", TWO, "");
    for words in ["Ana Linehan", "1962", "Cork", "Winterlight"] {
        assert!(found.iter().any(|found| found.contains(words)), "{words} is not in {found:?}");
    }
}

#[test]
fn what_is_said_of_another_stays() {
    let found = found("Ana Linehan", TWO, "");
    for words in ["Tom Baxter", "1971", "Lisbon", "painter"] {
        assert!(!found.iter().any(|found| found.contains(words)), "{words} is in {found:?}");
    }
}

#[test]
fn the_sexes_tell_pronouns_apart() {
    let text = "Ana Linehan (born 1962) is an actress. Tom Baxter (born 1971) is a painter. She lives in Cork. He \
                moved to Lisbon.";
    let found = found("Ana Linehan", text, "");
    assert!(found.iter().any(|found| found == "Cork"), "{found:?}");
    assert!(!found.iter().any(|found| found == "Lisbon"), "{found:?}");
}

#[test]
fn a_text_that_never_names_the_subject_is_all_about_them() {
    let found = found("Maria Quint", TWO, "");
    assert!(
        ["Cork", "Lisbon"].iter().all(|place| found.iter().any(|found| found.contains(place))),
        "{found:?}"
    );
}

#[test]
fn common_words_stay() {
    let text = "Ana Linehan had a house and a car. She went to work with her friends.";
    assert_eq!(found("Ana Linehan", text, ""), ["Ana Linehan"]);
}

#[test]
fn titles_are_one_with_their_year() {
    let text = "Ana Linehan starred in The Lord of the Glens (1999).";
    let found = found("Ana Linehan", text, "");
    assert!(found.contains(&"The Lord of the Glens (1999)".to_owned()), "{found:?}");
}

#[test]
fn similar_finds_by_vectors_and_leaves_the_rest() {
    let text = "An actress spoke of theatre. Rivers carry gravel.";
    let near = found("actress", text, "[related]\nmethod = \"similar\"\nthreshold = 0.4");
    assert!(near.iter().any(|found| found.contains("theatre")), "{near:?}");
    assert!(!near.iter().any(|found| found.contains("gravel")), "{near:?}");
}

#[test]
fn a_lower_threshold_finds_no_less() {
    let at = |threshold: f32| {
        found("actress", TWO, &format!("[related]\nmethod = \"similar\"\nthreshold = {threshold}"))
    };
    let (few, many) = (at(0.5), at(-1.0));
    assert!(few.iter().all(|found| many.contains(found)));
    assert!(few.len() < many.len());
}

#[test]
fn a_subject_without_a_vector_is_refused_by_similar_and_served_by_about() {
    let subject = Subject::named("Qzxjwv Pfflgrm").unwrap();
    let document = analyzed("Qzxjwv Pfflgrm lives in Cork.");
    let similar =
        detector("[related]\nmethod = \"similar\"").detect(&document, std::slice::from_ref(&subject), &[]);
    let error = similar.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Knowledge);
    assert!(error.hint().is_some() && !error.to_string().contains("Qzxjwv"));
    assert_eq!(detector("").detect(&document, &[subject], &[]).unwrap().len(), 2);
}

#[test]
fn unknown_words_are_never_safe() {
    let text = "An actress had a qzxjwvish.";
    let found = found("actress", text, "[related]\nmethod = \"similar\"\nthreshold = 0.9");
    assert!(found.iter().any(|found| found.contains("qzxjwvish")), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the text: findings lie in it, do not overlap, and come in its order.
    #[test]
    fn findings_are_well_formed(text in "([A-Z][a-z]{1,8}|[a-z]{1,8}|[0-9]{1,4}|is a|of the|[.,()!?'\"\n]| |é|Ana Linehan){0,60}") {
        let subject = Subject::named("Ana Linehan").unwrap();
        for method in ["about", "similar"] {
            let detector = detector(&format!("[related]\nmethod = \"{method}\""));
            let findings = detector.detect(&analyzed(&text), std::slice::from_ref(&subject), &[]).unwrap();
            prop_assert!(findings.iter().all(|finding| finding.span.fits(&text) && !finding.span.is_empty()));
            prop_assert!(findings.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        }
    }
}
