//! The definitions and the algorithm, held against brute force on small corpora.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use reticent_knowledge::corpus::{self, Index, Item as CorpusItem, Options};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Analyzer, Document, Language, Span};

use super::measure::{Measure, Secret, Standing, Told};
use super::parts::Parts;
use super::sanitize::{Sanitizer, Together};
use super::terms::{Item, Look, Rung, is_one, rungs, sanitize};
use super::{Corpus, concept};
use crate::Policy;
use crate::mask::vague::Sort;
use crate::policy::{Disclosure, Probabilities, UnknownTerms, Yields};

const WORDS: [&str; 8] = ["hiv", "virus", "organism", "blood", "fever", "needle", "clinic", "mother"];

fn index_of(texts: &[String]) -> Index {
    let items = texts
        .iter()
        .enumerate()
        .map(|(at, text)| CorpusItem::new(0, Document::plain(format!("d{at}"), text.clone())));
    let mut bytes = Vec::new();
    let options = Options { language: Some(Language::English), ..Options::default() };
    corpus::build(&["test".to_owned()], items, &options, &mut bytes).unwrap();
    Index::from_bytes(bytes).unwrap()
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = prop::collection::vec(select(WORDS.to_vec()), 1..6).prop_map(|words| words.join(", "));
    prop::collection::vec(text, 4..40)
}

fn secret(at_most: Option<&str>) -> Vec<Secret> {
    vec![Secret::new(vec!["hiv".to_owned()], at_most.map(str::to_owned))]
}

fn too_much(measure: &Measure<'_>, terms: &[&str]) -> bool {
    matches!(measure.told(0, terms).unwrap(), Told::Bits { too_much: true, .. })
}

/// The words that remain, and those that were replaced, when all of these stand together.
fn sanitized(
    measure: &Measure<'_>,
    words: &[&str],
    max_terms: usize,
    yields: Yields,
) -> (BTreeSet<String>, BTreeSet<String>) {
    sanitized_under(
        measure,
        words,
        Disclosure { max_terms, unknown: UnknownTerms::Keep, yields, ..Disclosure::default() },
    )
}

fn sanitized_under(
    measure: &Measure<'_>,
    words: &[&str],
    settings: Disclosure,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut parts = Parts::new(measure, Language::English);
    let mut items: Vec<Item> = words
        .iter()
        .map(|word| Item {
            spans: Vec::new(),
            rungs: vec![rung(word, &mut parts)],
            is_name_or_rare: false,
            is_masked: false,
            is_blank: false,
            vague: None,
            sort: Sort::Thing,
            is_one: false,
            names: None,
            gaps: 0,
        })
        .collect();
    items.sort_by(|a, b| {
        b.rungs[0].bits.total_cmp(&a.rungs[0].bits).then_with(|| a.rungs[0].text.cmp(&b.rungs[0].text))
    });
    // Each word is an organism and nothing else.
    let mut climb = |item: &Item, parts: &mut Parts<'_, '_>| {
        Ok(if item.rungs[0].text == "organism" { Vec::new() } else { vec![rung("organism", parts)] })
    };
    let all: Vec<usize> = (0..items.len()).collect();
    let mut combined = Together::default();
    let sanitizer = Sanitizer::new(&mut parts, &mut items, &mut combined, &settings, &mut climb);
    let done = sanitizer.run(&[all]).unwrap();
    let (mut said, mut replaced) = (BTreeSet::new(), BTreeSet::new());
    for (at, item) in items.iter().enumerate() {
        match done.disclosed.iter().find(|disclosed| disclosed.item == at) {
            Some(disclosed) => {
                replaced.insert(item.rungs[0].text.clone());
                said.insert(item.rungs[disclosed.rung].text.clone());
            }
            None => {
                said.insert(item.rungs[0].text.clone());
            }
        }
    }
    said.remove("");
    (said, replaced)
}

fn rung(word: &str, parts: &mut Parts<'_, '_>) -> Rung {
    let numbers = parts.of(word).unwrap();
    let bits = parts.measure.ic(&[word]).unwrap().unwrap_or(f64::INFINITY);
    Rung { text: word.to_owned(), is_form: true, bits, is_vague: false, parts: numbers }
}

const KINDS: [Probabilities; 3] = [Probabilities::Standard, Probabilities::Within, Probabilities::Contextual];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_may_be_told_tells_exactly_the_bound(texts in texts()) {
        let index = index_of(&texts);
        for kind in [Probabilities::Within, Probabilities::Contextual] {
            let Ok(measure) = Measure::new(&index, secret(Some("virus")), Some(kind)) else { continue };
            let told = measure.told(0, &["virus"]).unwrap();
            prop_assert_eq!(told, Told::Bits { bits: measure.bound(0), too_much: false });
        }
    }

    #[test]
    fn a_more_general_bound_finds_more(texts in texts()) {
        let index = index_of(&texts);
        let of = |most| Measure::new(&index, secret(Some(most)), Some(Probabilities::Standard));
        let (Ok(virus), Ok(organism)) = (of("virus"), of("organism")) else { return Ok(()) };
        let (less, more) = if virus.bound(0) >= organism.bound(0) { (virus, organism) } else { (organism, virus) };
        for (at, one) in WORDS.iter().enumerate() {
            prop_assert!(!too_much(&less, &[one]) || too_much(&more, &[one]));
            for two in &WORDS[at + 1..] {
                prop_assert!(!too_much(&less, &[one, two]) || too_much(&more, &[one, two]));
            }
        }
    }

    #[test]
    fn single_counts_never_rule_out_what_is_risky(texts in texts(), most in select(vec![None, Some("virus")]), by_pairs: bool) {
        let index = index_of(&texts);
        for kind in KINDS.map(Some).into_iter().chain([None]) {
            let Ok(measure) = Measure::new(&index, secret(most), kind) else { continue };
            for chosen in 1_u32..1 << WORDS.len() {
                if !(2..=3).contains(&chosen.count_ones()) {
                    continue;
                }
                let terms: Vec<&str> = (0..WORDS.len()).filter(|at| chosen & (1 << at) != 0).map(|at| WORDS[at]).collect();
                let singles: Option<Vec<_>> = terms.iter().map(|term| measure.tally(0, &[term]).unwrap()).collect();
                let risky = too_much(&measure, &terms);
                prop_assert!(!risky || singles.is_some_and(|singles| measure.can_be_too_much(0, &singles)));
            }
        }
    }

    #[test]
    fn nothing_that_remains_tells_too_much(texts in texts(), max_terms in 1..4_usize, most in select(vec![None, Some("virus")]), by_pairs: bool) {
        let index = index_of(&texts);
        for kind in KINDS.map(Some).into_iter().chain([None]) {
            let Ok(measure) = Measure::new(&index, secret(most), kind) else { continue };
            let yields = if by_pairs { Yields::PairByPair } else { Yields::Together };
            let (said, _) = sanitized(&measure, &WORDS, max_terms, yields);
            prop_assert!(!said.contains("hiv"));
            let said: Vec<&str> = said.iter().map(String::as_str).collect();
            for (at, one) in said.iter().enumerate() {
                prop_assert!(!too_much(&measure, &[one]));
                for (next, two) in said.iter().enumerate().skip(at + 1) {
                    prop_assert!(max_terms < 2 || !too_much(&measure, &[one, two]));
                    for three in &said[next + 1..] {
                        prop_assert!(max_terms < 3 || !too_much(&measure, &[one, two, three]));
                    }
                }
            }
        }
    }

    #[test]
    fn more_terms_together_find_more_and_order_does_not_matter(texts in texts(), words in Just(WORDS.to_vec()).prop_shuffle(), by_pairs: bool) {
        let index = index_of(&texts);
        let mut turned = texts.clone();
        turned.reverse();
        let other = index_of(&turned);
        for kind in KINDS {
            let Ok(measure) = Measure::new(&index, secret(Some("virus")), Some(kind)) else { continue };
            let yields = if by_pairs { Yields::PairByPair } else { Yields::Together };
            let one = sanitized(&measure, &WORDS, 1, yields);
            let two = sanitized(&measure, &WORDS, 2, yields);
            prop_assert!(one.1.is_subset(&two.1));
            prop_assert_eq!(&sanitized(&measure, &words, 2, yields), &two);
            let measure = Measure::new(&other, secret(Some("virus")), Some(kind)).unwrap();
            prop_assert_eq!(&sanitized(&measure, &WORDS, 2, yields), &two);
        }
    }
}

#[test]
fn names_of_one_thing_are_counted_as_one() {
    let texts: Vec<String> = ["hiv", "AIDS virus", "hiv, AIDS virus", "fever"].map(str::to_owned).into();
    let index = index_of(&texts);
    let secrets = vec![Secret::new(vec!["hiv".to_owned(), "AIDS virus".to_owned()], None)];
    let measure = Measure::new(&index, secrets, None).unwrap();
    assert!((measure.bound(0) - (4.0_f64 / 3.0).log2()).abs() < 1e-9);
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let texts: Vec<String> = ["hiv, fever", "virus, blood", "hiv, organism"].map(str::to_owned).into();
    let index = index_of(&texts);
    let refused = |at_most, kind| Measure::new(&index, secret(at_most), kind).is_err();
    assert!(Measure::new(&index, vec![Secret::new(vec!["ebola".to_owned()], None)], None).is_err());
    // Never written with it, less frequent than it, and not known at all.
    assert!(refused(Some("virus"), Some(Probabilities::Within)));
    assert!(refused(Some("virus"), Some(Probabilities::Standard)));
    assert!(refused(Some("microbe"), None));
    assert!(refused(None, Some(Probabilities::Contextual)));
    // Less frequent than the secret, so that it tells more: also by contextual probabilities.
    assert!(refused(Some("organism"), Some(Probabilities::Contextual)));
    let texts: Vec<String> = ["hiv, organism", "organism", "virus"].map(str::to_owned).into();
    let index = index_of(&texts);
    assert!(Measure::new(&index, secret(Some("organism")), Some(Probabilities::Contextual)).is_ok());
    assert!(Measure::new(&index, secret(Some("virus")), Some(Probabilities::Both)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// What is shown to be safe is safe literally, and more confidence shows less.
    #[test]
    fn the_confident_criterion_is_the_stricter_one(texts in texts(), terms in 1..4_usize) {
        let index = index_of(&texts);
        let judged = |confidence| {
            let settings = Disclosure { confidence, ..Disclosure::default() };
            Some(Measure::new(&index, secret(Some("virus")), None).ok()?.judged_by(&settings))
        };
        let (Some(measure), Some(surer)) = (judged(0.9), judged(0.99)) else { return Ok(()) };
        for view in 0..measure.len() {
            for words in WORDS.windows(terms) {
                let Some(tally) = measure.tally(view, words).unwrap() else { continue };
                let (one, other) = (measure.standing(view, tally, false), surer.standing(view, tally, false));
                prop_assert!(one != Standing::Safe || !measure.is_too_much(view, tally));
                prop_assert!(one <= other);
                prop_assert!(!surer.shows(view, tally) || measure.shows(view, tally));
            }
        }
    }

    /// Single words that remain are shown to be safe by both kinds of probability.
    #[test]
    fn what_remains_is_shown_to_be_safe(texts in texts(), max_terms in 1..3_usize) {
        let index = index_of(&texts);
        let settings = Disclosure { confidence: 0.6, ..Disclosure::default() };
        let Ok(measure) = Measure::new(&index, secret(Some("virus")), None) else { return Ok(()) };
        let measure = measure.judged_by(&settings);
        let (said, _) = sanitized_under(&measure, &WORDS, Disclosure { max_terms, ..settings });
        for word in said.iter().filter(|word| *word != "virus") {
            for view in 0..measure.len() {
                let tally = measure.tally(view, &[word]).unwrap().unwrap();
                prop_assert_eq!(measure.standing(view, tally, false), Standing::Safe);
            }
        }
    }
}

#[test]
fn a_secret_is_a_concept() {
    let stack = Stack::standard().unwrap();
    let named = |policy: &str| {
        let policy = Policy::from_toml(policy).unwrap();
        concept::secret(&stack, &policy.subjects()[0]).names().to_vec()
    };
    for (secret, kinds) in [
        ("sexually transmitted disease", &["gonorrhea", "syphilis", "STD"][..]),
        ("Cuba", &["Havana"]),
        ("opiate", &["heroin", "morphine"]),
        ("arthritis", &["rheumatoid arthritis", "osteoarthritis"]),
        ("hepatitis", &["viral hepatitis"]),
        ("epilepsy", &["grand mal epilepsy"]),
    ] {
        let names = named(&format!("[[subjects]]\nname = \"{secret}\"\n"));
        for kind in kinds {
            assert!(
                names.iter().any(|name| name.eq_ignore_ascii_case(kind)),
                "{secret}: {kind} of {names:?}"
            );
        }
    }
    // A word that mostly means something else is no name, nor is what the user declines, nor what may be told.
    let names = named("[[subjects]]\nname = \"sexually transmitted disease\"\ndeclined = [\"gonorrhea\"]\n");
    assert!(!names.iter().any(|name| ["clap", "dose", "gonorrhea"].contains(&name.as_str())), "{names:?}");
    let names = named("[[subjects]]\nname = \"HIV\"\nat_most = \"virus\"\naliases = [\"the bug\"]\n");
    assert!(names.contains(&"the bug".to_owned()) && !names.contains(&"virus".to_owned()), "{names:?}");
}

#[test]
fn abbreviations_that_a_text_explains_are_names() {
    let with = |names: &[&str], text: &str| {
        let secret = Secret::new(names.iter().map(|name| (*name).to_owned()).collect(), None);
        concept::with_abbreviations(secret, &Document::plain("d", text)).names().to_vec()
    };
    assert_eq!(
        with(&["breast cancer"], "She has breast cancer (BC). BC is treated."),
        ["breast cancer", "BC"]
    );
    assert_eq!(with(&["PCP"], "Pneumocystis pneumonia (PCP) is rare."), ["PCP", "Pneumocystis pneumonia"]);
    assert_eq!(with(&["lung disease"], "She has breast cancer (BC)."), ["lung disease"]);
}

/// The terms of a text, each with what is said instead of it.
fn told(corpus: &[&str], text: &str) -> Vec<(String, Option<String>)> {
    let texts: Vec<String> = corpus.iter().map(|text| (*text).to_owned()).collect();
    let corpus = Corpus::new(index_of(&texts), Stack::standard().unwrap());
    let policy = "[[subjects]]\nname = \"HIV\"\nat_most = \"virus\"\n[disclosure]\nunknown = \"keep\"\ncriterion = \"literal\"\nprobabilities = \"contextual\"\n";
    let policy = Policy::from_toml(policy).unwrap();
    let mut document = Document::plain("note", text);
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
    document.set_layers(layers);
    let look = Look::default();
    let outcome = sanitize(&document, &corpus, policy.subjects(), policy.disclosure(), &look).unwrap();
    let said = |at: usize| outcome.sanitized.disclosed.iter().find(|disclosed| disclosed.item == at);
    let mut told: Vec<(Span, String, Option<String>)> = outcome
        .items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let said = said(at).map(|disclosed| item.rungs[disclosed.rung].text.clone());
            (item.spans[0], item.rungs[0].text.clone(), said)
        })
        .collect();
    told.sort();
    told.into_iter().map(|(_, term, said)| (term, said)).collect()
}

const NOTES: [&str; 9] = [
    "HIV is a virus and leads to AIDS",
    "HIV, a virus, and AIDS",
    "The virus of the flu",
    "A computer virus",
    "An infection of the skin",
    "Cancers of the skin",
    "The immune system and infections",
    "The body fights the flu",
    "OIs and the immune system",
];

/// Of a pair the rarer word would stay; but `fever` is risky beside three others, and they are not beside each other.
#[test]
fn what_is_risky_beside_most_yields() {
    let together = ["blood", "needle", "clinic"].map(|word| format!("hiv, virus, fever, {word}"));
    let apart = ["blood", "needle", "clinic", "mother", "fever", "virus"]
        .map(|word| [word, word, word].map(str::to_owned));
    let texts: Vec<String> =
        together.into_iter().chain(apart.into_iter().flatten()).chain(["fever".to_owned()]).collect();
    let index = index_of(&texts);
    let measure = Measure::new(&index, secret(Some("virus")), Some(Probabilities::Contextual)).unwrap();
    for word in ["blood", "needle", "clinic"] {
        assert!(too_much(&measure, &["fever", word]) && !too_much(&measure, &[word]), "{word}");
    }
    assert!(!too_much(&measure, &["fever"]) && !too_much(&measure, &["blood", "needle"]));
    let (_, replaced) =
        sanitized(&measure, &["fever", "blood", "needle", "clinic", "mother"], 2, Yields::Together);
    assert_eq!(replaced, BTreeSet::from(["fever".to_owned()]));
    let (_, replaced) = sanitized(&measure, &["blood", "needle", "clinic", "mother"], 2, Yields::Together);
    assert!(replaced.is_empty());
}

#[test]
fn what_is_broader_is_true() {
    let notes: Vec<String> = NOTES.iter().map(|text| (*text).to_owned()).collect();
    let texts = [
        "a cart and a wagon",
        "sweats, clothes, coverings",
        "glands, organs",
        "type 1",
        "a lump and a person",
    ];
    let index = index_of(&notes.into_iter().chain(texts.map(str::to_owned)).collect::<Vec<_>>());
    let measure = Measure::new(&index, secret(Some("virus")), Some(Probabilities::Contextual)).unwrap();
    let stack = Stack::standard().unwrap();
    let broader = |term: &str| -> Vec<String> {
        let mut parts = Parts::new(&measure, Language::English);
        rungs(term, &stack, &measure, &mut parts).unwrap().into_iter().map(|rung| rung.text).collect()
    };
    assert!(broader("cart").contains(&"wagon".to_owned()) || broader("cart").is_empty());
    assert!(!broader("cART").contains(&"wagon".to_owned()));
    assert!(!broader("night sweats").contains(&"covering".to_owned()));
    assert!(!broader("swollen glands").contains(&"organ".to_owned()));
    assert!(
        broader("swollen glands").is_empty() && broader("infected glands").contains(&"glands".to_owned())
    );
    assert!(!broader("type 1").contains(&"1".to_owned()));
}

#[test]
fn what_ends_like_several_may_be_one() {
    let stack = Stack::standard().unwrap();
    assert!(is_one("type 2 diabetes", &stack) && is_one("herpes", &stack));
    for several in ["antibodies", "viruses", "infections", "infection", "xyzs"] {
        assert!(!is_one(several, &stack), "{several}");
    }
}

#[test]
fn terms_end_at_brackets_and_hold_their_first_word() {
    let told =
        told(&NOTES, "An unusual (higher than normal) amount of it. Reverse transcriptase (RT) helps.");
    let terms: Vec<&str> = told.iter().map(|(term, _)| term.as_str()).collect();
    assert!(terms.contains(&"amount") && terms.contains(&"Reverse transcriptase"), "{terms:?}");
    assert!(terms.iter().all(|term| !term.contains(')')));
}

#[test]
fn what_the_tagger_takes_for_a_noun_is_left_alone() {
    let told = told(&NOTES, "Having HIV/AIDS weakens your body's immune system.");
    assert_eq!(told[0], ("HIV/AIDS".to_owned(), Some("virus".to_owned())));
    assert!(told[1..].iter().all(|(_, said)| said.is_none()));
}

#[test]
fn what_is_joined_is_told_apart() {
    let told = told(&NOTES, "They fight HIV and the infections and cancers that come with it.");
    let terms: Vec<&str> = told.iter().map(|(term, _)| term.as_str()).collect();
    assert_eq!(terms, ["fight", "HIV", "infections", "cancers", "come"]);
    assert_eq!(told[1].1.as_deref(), Some("virus"));
    assert_eq!((&told[2].1, &told[3].1), (&None, &None));
}

fn terms_of(text: &str) -> Vec<String> {
    told(&NOTES, text).into_iter().map(|(term, _)| term).collect()
}

#[test]
fn a_term_is_all_that_its_abbreviation_stands_for() {
    let terms = terms_of("They have acquired immunodeficiency syndrome (AIDS).");
    assert_eq!(terms, ["acquired immunodeficiency syndrome", "AIDS"]);
    let terms = terms_of("She has acquired skills. Write to the National Institute of Diseases (NID).");
    assert!(!terms.iter().any(|term| term.contains("acquired ") || term.contains(" of ")), "{terms:?}");
}

#[test]
fn verbs_and_nouns_are_told_apart_by_what_they_can_be() {
    let terms = terms_of("An infection that targets cells is rare. AIDS clinicians often fail.");
    assert!(terms.contains(&"cells".to_owned()) && !terms.contains(&"targets cells".to_owned()), "{terms:?}");
    assert!(terms_of("AIDS weakens the body.").contains(&"AIDS".to_owned()));
}

#[test]
fn an_abbreviation_is_told_as_what_it_stands_for() {
    let notes = [
        "hiv, virus, opportunistic, OIs",
        "hiv, virus, OIs",
        "virus",
        "infections",
        "an infection",
        "virus, flu",
    ];
    let told = told(&notes, "They get opportunistic infections (OIs). OIs are rare.");
    assert_eq!(told[1], ("opportunistic infections".to_owned(), Some("infections".to_owned())));
    assert_eq!(told[2], ("OIs".to_owned(), Some("infection".to_owned())));
    let told = self::told(&notes, "They get infections. OIs are rare.");
    assert_eq!(told[2], ("OIs".to_owned(), Some(String::new())));
}

#[test]
fn of_some_that_are_denied_some_people_are_left() {
    let notes = ["hiv, virus, healthy", "virus", "people", "people", "people and the virus"];
    let said = |text: &str| {
        let told = told(&notes, text).into_iter();
        told.filter(|(term, _)| term == "healthy people").map(|(_, said)| said).collect::<Vec<_>>()
    };
    assert_eq!(said("It does not often affect healthy people."), [Some("some people".to_owned())]);
    assert_eq!(said("It does not often affect the healthy people."), [Some(String::new())]);
    assert_eq!(said("It affects healthy people."), [Some("people".to_owned())]);
}
