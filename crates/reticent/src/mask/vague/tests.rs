use proptest::prelude::*;
use reticent_text::Analyzer;

use super::*;

fn analyzed(text: &str) -> Document {
    let mut document = Document::plain("note", text);
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
    document.set_layers(layers);
    document
}

/// A text that tells nothing of some words in it.
fn told(text: &str, words: &str, sort: Sort) -> String {
    let start = text.find(words).unwrap();
    match say(&analyzed(text), Span::new(start, start + words.len()), sort) {
        Some(vague) => format!("{}{}{}", &text[..vague.span.start], vague.words, &text[vague.span.end..]),
        None => "-".to_owned(),
    }
}

#[test]
fn a_noun_is_something_with_its_article_and_adjectives() {
    for (text, words, new) in [
        ("They fight the infection.", "infection", "They fight something."),
        ("It spreads by sharing drug needles.", "drug needles", "It spreads by sharing some things."),
        ("It may occur during breastfeeding.", "breastfeeding", "It may occur during something."),
        ("These medicines help people.", "medicines", "These things help people."),
        ("They are taking their medicines now.", "medicines", "They are taking some things of theirs now."),
        (
            "He was infected with the Epstein-Barr virus.",
            "Epstein-Barr virus",
            "He was infected with something.",
        ),
        ("Each breast has two sides.", "breast", "Each has two sides."),
    ] {
        assert_eq!(told(text, words, Sort::Thing), new);
    }
}

#[test]
fn what_is_of_something_has_to_do_with_it() {
    assert_eq!(
        told("It stops the growth of tumors.", "growth", Sort::Thing),
        "It stops something to do with tumors."
    );
    assert_eq!(
        told("There are five major types of medicines.", "five major types", Sort::Thing),
        "There are some medicines."
    );
}

#[test]
fn a_person_is_someone() {
    assert_eq!(told("She met an old nurse there.", "old nurse", Sort::Person), "She met someone there.");
    assert_eq!(told("Talk to your doctor.", "doctor", Sort::Person), "Talk to someone.");
    assert_eq!(told("It is less severe in women.", "women", Sort::Person), "It is less severe in some.");
    assert_eq!(told("These women have a risk.", "women", Sort::Person), "These have a risk.");
}

#[test]
fn what_belongs_to_a_noun_is_left_out() {
    assert_eq!(
        told("They are called integrase inhibitors.", "integrase", Sort::Thing),
        "They are called inhibitors."
    );
    assert_eq!(told("It enters the body's cells.", "body", Sort::Thing), "It enters the cells.");
    assert_eq!(told("She is an American actor.", "American", Sort::Thing), "She is an actor.");
}

#[test]
fn what_is_done_has_to_do_with_something() {
    for (text, words, new) in [
        ("The virus weakens your body.", "weakens", "The virus has something to do with your body."),
        ("They attach to the cells.", "attach", "They have something to do with the cells."),
        (
            "It does not directly invade the cells.",
            "invade",
            "It does not directly do something to the cells.",
        ),
    ] {
        assert_eq!(told(text, words, Sort::Thing), new);
    }
    for (text, words, new) in [
        ("The virus weakens your body.", "weakens", "The virus affects your body."),
        ("Drugs may shrink tumors.", "shrink", "Drugs may affect tumors."),
        // Who does not weaken it may still affect it, and nothing is affected where nothing is named.
        ("It does not weaken the body.", "weaken", "It does not do something to the body."),
        ("The body often weakens.", "weakens", "The body often does something."),
    ] {
        assert_eq!(told(text, words, Sort::Change), new);
    }
}

#[test]
fn how_long_is_a_while() {
    assert_eq!(told("They live for years.", "years", Sort::Thing), "They live for a while.");
    assert_eq!(
        told("It came within six weeks after that.", "weeks", Sort::Thing),
        "It came within a while after that."
    );
    assert_eq!(told("They spend many hours there.", "hours", Sort::Thing), "They spend a while there.");
    assert_eq!(told("These years were good.", "years", Sort::Thing), "These things were good.");
}

#[test]
fn an_adjective_beside_another_goes_with_its_and() {
    assert_eq!(told("The red and purple patches hurt.", "purple patches", Sort::Thing), "Some things hurt.");
    assert_eq!(
        told("It is sudden and indolent, but rare.", "indolent", Sort::Thing),
        "It is sudden, but rare."
    );
    assert_eq!(told("It is sudden or indolent, but rare.", "indolent", Sort::Thing), "-");
}

#[test]
fn what_is_denied_of_a_few_is_not_denied_of_all() {
    let text = "It does not often affect healthy people.";
    assert_eq!(told(text, "healthy people", Sort::Person), "It does not often affect some.");
    assert_eq!(
        told("It does not kill healthy cells.", "healthy cells", Sort::Thing),
        "It does not kill some things."
    );
}

#[test]
fn where_nothing_is_true_or_fits_nothing_is_said() {
    for (text, words) in [
        ("There is no cure, but there is hope.", "cure"),
        ("It makes any infection worse.", "infection"),
        ("They may be indolent.", "indolent"),
        ("They are grouped by size.", "grouped"),
        ("It was found by Gallo there.", "Gallo"),
        ("It came with non-hivlike signs.", "hivlike"),
    ] {
        assert_eq!(told(text, words, Sort::Thing), "-", "{text}");
    }
}

#[test]
fn what_is_broader_than_what_is_not_need_not_be_true() {
    let denied = |text: &str, words: &str| {
        let start = text.find(words).unwrap();
        let mut document = analyzed(text);
        document.set_language(Language::English);
        is_denied(&document, Span::new(start, start + words.len()))
    };
    assert!(denied("There is no cure for it.", "cure"));
    assert!(denied("There is no known cure for it.", "known cure"));
    assert!(denied("It makes any infection worse.", "infection"));
    assert!(denied("It does not often affect healthy people.", "healthy people"));
    assert!(!denied("It does not often affect people.", "people"));
    assert!(!denied("It is not known that it affects healthy people.", "healthy people"));
    assert!(!denied("There is a cure for it.", "cure"));
    assert!(denied("Men should practice safe sex.", "safe sex"));
    assert!(denied("It can prevent serious infections.", "serious infections"));
    assert!(!denied("It can cause serious infections.", "serious infections"));
    assert!(!denied("They can prevent infections.", "infections"));
    assert!(!denied("No one has a cure for it.", "cure"));
}

#[test]
fn other_languages_are_left_alone() {
    let mut document = Document::plain("note", "Combate la infección.");
    assert!(say(&document, Span::new(11, 21), Sort::Thing).is_none());
    let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::Spanish)).unwrap();
    document.set_layers(layers);
    assert!(say(&document, Span::new(11, 21), Sort::Thing).is_none());
}

#[test]
fn a_level_names_its_sort() {
    for sort in Sort::ALL {
        assert_eq!(Sort::of_level(sort.level()), Some(sort));
    }
    assert_eq!(Sort::of_level("label"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What is said covers what was asked for, and no word in it is counted.
    #[test]
    fn covers_the_stretch_and_tells_nothing(
        words in prop::collection::vec(prop::sample::select(vec![
            "the", "a", "body", "weakens", "infected", "cells", "of", "and", "(", ")", ",", ".", "their", "no", "each",
            "Gallo", "HIV", "are", "to", "is", "é", "\n", "-", "'s", "types",
        ]), 1..12),
        from in any::<usize>(),
        to in any::<usize>(),
    ) {
        let text = words.join(" ");
        let edges: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (a, b) = (edges[from % edges.len()], edges[to % edges.len()]);
        let span = Span::new(a.min(b), a.max(b));
        for sort in Sort::ALL {
            if let Some(vague) = say(&analyzed(&text), span, sort) {
                prop_assert!(vague.span.contains(span) && vague.span.fits(&text));
                let known = ["something", "someone", "things", "some", "affect", "affects", "affecting", "affected", "the", "a", "an", "each", "to", "do", "with",
                    "does", "did", "doing", "done", "has", "have", "had", "having", "of", "theirs"];
                prop_assert!(vague.words.split_whitespace().all(|word| known.contains(&word.to_lowercase().as_str())));
            }
        }
    }
}
