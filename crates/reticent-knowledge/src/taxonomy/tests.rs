//! What holds for all that ships with the program, and for ladders of everyday terms.

use std::collections::HashSet;

use proptest::prelude::*;

use super::read::{Format, from_input};
use super::*;
use crate::ErrorKind;

fn rungs(term: &str) -> Vec<String> {
    Stack::standard().unwrap().ladder(term).rungs.into_iter().map(|rung| rung.text).collect()
}

fn starts(term: &str, expected: &[&str]) {
    let rungs = rungs(term);
    assert_eq!(rungs[..expected.len().min(rungs.len())], *expected, "{term}");
}

#[test]
fn what_ships_is_whole() {
    for taxonomy in [wordnet().unwrap(), places().unwrap(), nationalities().unwrap()] {
        taxonomy.check().unwrap();
    }
    let bytes: &[u8] = include_bytes!("../../data/wordnet.taxonomy");
    let again = PackedTaxonomy::from_bytes(bytes.to_vec()).unwrap();
    assert_eq!(again.fingerprint(), wordnet().unwrap().fingerprint());
    assert!(bytes.len() <= 8_000_000);
}

#[test]
fn information_content_never_grows_upwards() {
    for taxonomy in [wordnet().unwrap(), places().unwrap(), nationalities().unwrap()] {
        for concept in taxonomy.concepts() {
            let own = taxonomy.information_content(concept);
            assert!(own.is_finite());
            for broader in taxonomy.broader(concept) {
                assert!(taxonomy.information_content(broader) <= own, "{}", taxonomy.code(concept));
            }
        }
    }
}

#[test]
fn every_noun_comes_to_entity() {
    let wordnet = wordnet().unwrap();
    let root = wordnet.senses(ROOT)[0].concept;
    assert!(wordnet.broader(root).is_empty() && wordnet.information_content(root) < 1e-9);
    let mut count = 0;
    for concept in wordnet.concepts().filter(|concept| wordnet.code(*concept).starts_with('n')) {
        let mut at = concept;
        while let Some(broader) = wordnet.broader(at).first() {
            at = *broader;
        }
        assert_eq!(at, root);
        count += 1;
    }
    assert_eq!(count, 82_115);
}

#[test]
fn ladders_of_everyday_terms() {
    starts("actress", &["actor", "performer", "entertainer", "person"]);
    starts("metastatic breast cancer", &["breast cancer", "carcinoma", "cancer", "malignant tumor"]);
    starts("heart attacks", &["attacks", "affliction"]);
    starts("film director", &["director", "film maker"]);
    starts("penicillin", &["antibiotic"]);
    starts("influenza", &["contagious disease", "communicable disease", "disease"]);
    starts("Catholic", &["Christian", "religious person", "person"]);
    starts("Harvard University", &["University"]);
    starts("Mount Sinai Hospital", &["Hospital", "medical building"]);
    starts("University of Cambridge", &["University", "body"]);
    starts("Boston", &["Massachusetts", "the United States", "North America", "place", "entity"]);
    starts("London", &["England", "the United Kingdom", "Europe"]);
    starts("Ireland", &["Europe", "place", "entity"]);
    starts("Irish", &["European", "entity"]);
    starts("Spaniards", &["European", "entity"]);
    starts("Turkey", &["Asia"]);
    starts("turkey", &["domestic fowl"]);
    starts("AIDS", &["immunodeficiency"]);
    starts("aids", &["resource"]);
}

#[test]
fn leaves_alone_what_would_not_be_true() {
    for term in
        ["Tom Cruise", "former actress", "suspected influenza", "", "...", "Qwxyz", &"x".repeat(10_000)]
    {
        starts(term, &["entity"]);
    }
    assert!(!rungs("hot dog").contains(&"dog".to_owned()));
    assert!(!rungs("paris").contains(&"France".to_owned()), "a name in small letters is not a place");
    assert_eq!(rungs("Of"), ["entity"]);
}

#[test]
fn finds_inflected_words() {
    let wordnet = wordnet().unwrap();
    for (inflected, label) in [("mice", "mouse"), ("viruses", "virus"), ("boxes", "box"), ("wives", "wife")] {
        let labels: Vec<String> =
            wordnet.senses(inflected).iter().map(|s| wordnet.label(s.concept)).collect();
        assert!(labels.contains(&label.to_owned()), "{inflected}: {labels:?}");
    }
    for unknown in ["virusesses", "ss", "s"] {
        assert!(wordnet.senses(unknown).iter().all(|sense| wordnet.label(sense.concept) != "virus"));
    }
}

#[test]
fn the_user_comes_first() {
    let mut draft = Draft::new("mine");
    let table = "child,parent,label\nT1,T0,teacher\nT0,,employee of the school\n";
    from_input(Format::Parents, table.as_bytes(), &mut draft).unwrap();
    let mine = PackedTaxonomy::from_bytes(draft.pack().unwrap().0).unwrap();
    let stack = Stack::standard().unwrap().over(std::sync::Arc::new(mine));
    let ladder = stack.ladder("teachers");
    assert_eq!(ladder.rungs[0].text, "employee of the school");
    assert_eq!(ladder.rungs[0].concept.unwrap().0, 0);
    assert_eq!(stack.ladder("nurse").rungs[0].text, "health professional");
}

#[test]
fn debug_holds_no_text() {
    let ladder = Stack::standard().unwrap().ladder("secretive breast cancer");
    assert!(!format!("{ladder:?}").contains("cancer"));
}

#[test]
fn a_cycle_is_refused_by_name() {
    let mut draft = Draft::new("cycle");
    from_input(Format::Parents, "child,parent\na,b\nb,c\nc,a\nd,a\n".as_bytes(), &mut draft).unwrap();
    let error = draft.pack().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Inconsistent);
    assert_eq!(error.to_string(), "the taxonomy has a cycle: a < b < c < a");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_ladder_ends_in_the_root_and_says_nothing_twice(term in "[a-zA-Z ,'-]{0,40}|\\PC{0,20}") {
        let stack = Stack::standard().unwrap();
        let ladder = stack.ladder(&term);
        prop_assert_eq!(&ladder.rungs.last().unwrap().text, ROOT);
        let said: HashSet<String> = ladder.rungs.iter().map(|rung| key::key(&rung.text)).collect();
        prop_assert_eq!(said.len(), ladder.rungs.len());
        prop_assert!(ladder == stack.ladder(&term));
    }

    #[test]
    fn ladders_of_words_grow_no_more_telling(at in 0u32..117_659, of_places in any::<bool>()) {
        let taxonomy = if of_places { places().unwrap() } else { wordnet().unwrap() };
        let concept = taxonomy.concepts().nth(at as usize % taxonomy.summary().concepts).unwrap();
        let ladder = Stack::standard().unwrap().ladder(&taxonomy.label(concept));
        let bits: Vec<f64> = ladder.rungs.iter().filter_map(|rung| rung.information_content).collect();
        prop_assert!(bits.is_sorted_by(|a, b| a >= b), "{:?}", bits);
        let senses: f64 = ladder.senses.iter().map(|sense| sense.probability).sum();
        prop_assert!(ladder.senses.is_empty() || (senses - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_packed_is_read(links in prop::collection::vec((1u32..40, 0u32..40), 0..80)) {
        let mut draft = Draft::new("links");
        let mut wanted: HashSet<(String, String)> = HashSet::new();
        for (child, parent) in links {
            // Upwards only, so that there is no cycle.
            let (child, parent) = (child.max(parent + 1), parent.min(child));
            let one = draft.concept(&format!("c{child}")).unwrap();
            let other = draft.concept(&format!("c{parent}")).unwrap();
            draft.word(one, &format!("word {child}"), child).unwrap();
            draft.gloss(one, &format!("gloss of {child}"));
            if child != parent {
                draft.broader(one, other).unwrap();
                wanted.insert((format!("c{child}"), format!("c{parent}")));
            }
        }
        let Ok((bytes, summary)) = draft.pack() else { return Ok(()) };
        let taxonomy = PackedTaxonomy::from_bytes(bytes).unwrap();
        prop_assert_eq!(taxonomy.summary(), summary);
        let mut found = HashSet::new();
        for concept in taxonomy.concepts() {
            let code = taxonomy.code(concept);
            prop_assert_eq!(taxonomy.concept(&code), Some(concept));
            for broader in taxonomy.broader(concept) {
                found.insert((code.clone(), taxonomy.code(broader)));
                prop_assert!(taxonomy.contains(broader, concept) && !taxonomy.contains(concept, broader));
                prop_assert!(taxonomy.narrower(broader).contains(&concept));
            }
            let label = taxonomy.label(concept);
            prop_assert_eq!(taxonomy.senses(&label)[0].concept, concept);
        }
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn any_change_is_refused(at in any::<prop::sample::Index>(), bit in 0..8u8) {
        let mut bytes = include_bytes!("../../data/nationalities.taxonomy").to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(PackedTaxonomy::from_bytes(bytes).is_err());
    }
}
