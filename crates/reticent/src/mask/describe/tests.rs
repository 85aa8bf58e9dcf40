use reticent_knowledge::embedding::Vectors;
use reticent_text::{Analyzer, Document, Language};

use super::*;
use crate::policy::Policy;

fn analyzed(text: &str) -> Document {
    let mut document = Document::plain("test", text);
    document.set_layers(Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap());
    document
}

fn said(text: &str, words: &str, entity_type: &EntityType) -> Vec<String> {
    let policy = Policy::preset("subject").unwrap();
    let knowledge = Knowledge::shipped().unwrap();
    let related = Related { said_bits: 13.0, ..*policy.related() };
    let describer = Describer::new(&knowledge, &related, &[]).unwrap();
    let document = analyzed(text);
    let start = text.find(words).unwrap();
    let span = Span::new(start, start + words.len());
    let rungs = describer.rungs(&document, span, entity_type, &Context::default()).unwrap();
    rungs.into_iter().map(|rung| rung.text).collect()
}

#[test]
fn a_phrase_is_its_noun() {
    let rungs = said("He liked the Harry Potter films.", "Harry Potter films", &EntityType::DETAIL);
    assert_eq!(rungs, ["films"]);
    assert_eq!(
        said("She gave an energetic performance.", "energetic performance", &EntityType::DETAIL)[0],
        "performance"
    );
}

#[test]
fn a_name_is_what_its_last_word_says() {
    assert_eq!(said("She went to Dragon School.", "Dragon School", &EntityType::ORGANIZATION)[0], "a school");
    assert_eq!(said("She won an Academy Award.", "Academy Award", &EntityType::NAME)[0], "award");
}

#[test]
fn a_place_lies_in_a_larger_one() {
    assert_eq!(said("He was born in Paris.", "Paris", &EntityType::LOCATION)[0], "Europe");
    assert_eq!(
        said("She is an English actress.", "English actress", &EntityType::DETAIL)[0],
        "European actress"
    );
}

#[test]
fn a_title_is_a_work_of_its_decade() {
    let text = "He is known for the films Top Gun (1986) and Cocktail (1988).";
    let rungs = ["a film from the 1980s", "a film", "a work from the 1980s", "a work"];
    assert_eq!(said(text, "Cocktail (1988)", &EntityType::WORK), rungs);
    assert_eq!(
        said("He was in Top Gun (1986).", "Top Gun (1986)", &EntityType::WORK)[0],
        "a work from the 1980s"
    );
}

#[test]
fn nothing_untrue_is_said() {
    // Tom Cruise is no cruise, Belle no girl, Antony no town, and a bachelor's degree no man's.
    assert!(said("He met Tom Cruise.", "Tom Cruise", &EntityType::PERSON).is_empty());
    assert!(said("She starred as Belle.", "Belle", &EntityType::NAME).is_empty());
    assert!(said("He played Antony.", "Antony", &EntityType::NAME).is_empty());
    assert!(said("He has a bachelor's degree.", "bachelor", &EntityType::DETAIL).is_empty());
    // Nor is every tally one in baseball, of which WordNet saw four.
    assert!(said("It led the tally.", "tally", &EntityType::DETAIL).is_empty());
}

#[test]
fn several_stay_several() {
    assert_eq!(
        said("He won three Academy Awards.", "three Academy Awards", &EntityType::NAME)[0],
        "several awards"
    );
    assert_eq!(
        said("He was in all eight Potter films.", "all eight Potter films", &EntityType::DETAIL),
        ["some films"]
    );
}

/// A clerk and a singer are each unlike Ada; what they have in common is she, and some landmarks if there are any.
#[derive(Clone, Copy)]
struct Toy {
    landmarks: Option<usize>,
    nearer: usize,
}

impl Vectors for Toy {
    fn name(&self) -> String {
        "toy".to_owned()
    }

    fn fingerprint(&self) -> String {
        "toy".to_owned()
    }

    fn dimension(&self) -> usize {
        2
    }

    fn lookup(&self, term: &str) -> Result<Lookup, reticent_knowledge::Error> {
        let vector = match term {
            "Ada" => vec![1.0, 0.0],
            "clerk" => vec![0.2, 0.98],
            "singer" => vec![0.2, -0.98],
            _ => return Ok(Lookup::Unknown),
        };
        Ok(Lookup::Found(Found { vector, how: How::Whole }))
    }

    fn expand_from_gloss(&self, _: &str, _: &str) -> Result<Lookup, reticent_knowledge::Error> {
        Ok(Lookup::Unknown)
    }

    fn landmarks(&self) -> Option<usize> {
        self.landmarks
    }

    fn landmarks_nearer(&self, _: &[f32], _: f32, most: usize) -> usize {
        self.nearer.min(most)
    }
}

#[test]
fn several_that_are_unlike_may_point_to_the_subject_together() {
    let policy = Policy::preset("subject").unwrap();
    let tells = |toy: Toy, method, said: &[&str]| {
        let knowledge = Knowledge::shipped().unwrap().with_vectors(std::sync::Arc::new(toy));
        let related = Related { method, threshold: 0.25, crowd: 0.01, ..*policy.related() };
        let subjects = [Subject::named("Ada").unwrap()];
        Describer::new(&knowledge, &related, &subjects).unwrap().tells_together(said).unwrap()
    };
    // By similarity, and by that too where nothing tells who else is meant.
    let alone = Toy { landmarks: None, nearer: 0 };
    let crowded = Toy { landmarks: Some(1000), nearer: 12 };
    let told = &["a clerk", "a singer"];
    assert!(tells(crowded, Method::Similar, told).is_some());
    assert!(tells(alone, Method::About, told).is_some());
    for said in [&["a clerk"][..], &["a clerk", "a clerk"], &["a singer", "[NAME]"], &[]] {
        assert_eq!(tells(crowded, Method::Similar, said), None);
        assert_eq!(tells(Toy { nearer: 0, ..crowded }, Method::About, said), None);
    }
    // One landmark in a hundred is meant sooner, besides the words themselves.
    assert_eq!(tells(crowded, Method::About, told), None);
    assert_eq!(tells(crowded, Method::Names, told), None);
    assert!(tells(Toy { nearer: 11, ..crowded }, Method::About, told).is_some());
}

fn broader(text: &str, words: &str, noun: &str) -> String {
    let document = analyzed(text);
    let start = text.find(words).unwrap();
    fitted(&document, Span::new(start, start + words.len()), noun, true)
}

#[test]
fn one_thing_gets_an_article_unless_it_belongs_to_another() {
    assert_eq!(broader("a protein that HIV uses to make more", "HIV", "virus"), "a virus");
    assert_eq!(broader("They block an enzyme HIV needs to make more.", "HIV", "virus"), "a virus");
    assert_eq!(broader("They fight both infection and cancers.", "infection", "condition"), "a condition");
    assert_eq!(broader("transcriptase (RT) inhibitors help", "transcriptase", "polymerase"), "polymerase");
    assert_eq!(broader("The HIV test was new.", "HIV", "virus"), "virus");
    assert_eq!(broader("It was this HIV (a virus).", "HIV", "virus"), "virus");
}

#[test]
fn a_noun_may_be_of_two_names() {
    let text = "She won Screen Guild and Saturn Awards.";
    assert_eq!(said(text, "Screen Guild and Saturn Awards", &EntityType::NAME)[0], "awards");
    let text = "She took on starring and supporting roles.";
    assert_eq!(said(text, "starring and supporting roles", &EntityType::DETAIL)[0], "roles");
    let text = "His television and film roles were many.";
    assert_eq!(said(text, "television and film roles", &EntityType::DETAIL)[0], "film roles");
    // Critics are no audiences.
    let text = "He got praise from critics and audiences.";
    assert!(!said(text, "critics and audiences", &EntityType::DETAIL).contains(&"audiences".to_owned()));
}

#[test]
fn what_numbers_are_of_is_told() {
    let text = "By then, 17 of the 21 films were sold.";
    assert_eq!(said(text, "17 of the 21 films", &EntityType::DETAIL)[0], "several films");
}

#[test]
fn a_more_common_word_for_the_same_is_broader() {
    assert_eq!(said("She received several accolades.", "accolades", &EntityType::DETAIL)[0], "awards");
    // Nobody thinks of someone who is known.
    assert_ne!(said("She met a public figure.", "public figure", &EntityType::DETAIL)[0], "name");
}

#[test]
fn people_are_people() {
    // Of which of several kinds nobody can tell.
    assert_eq!(said("She met a partner there.", "partner", &EntityType::DETAIL), ["person"]);
    assert_eq!(said("She met partners there.", "partners", &EntityType::DETAIL), ["people"]);
    // It is said of what, and whose.
    assert!(!said("As a partner, he won.", "partner", &EntityType::DETAIL).contains(&"person".to_owned()));
    assert!(!said("She left her partner.", "partner", &EntityType::DETAIL).contains(&"person".to_owned()));
    assert!(!said("He saw a series.", "series", &EntityType::DETAIL).contains(&"person".to_owned()));
}

#[test]
fn a_trilogy_is_a_work_and_no_film() {
    let text = "He made films including Alpha and the Night Trip trilogy.";
    let rungs = said(text, "Night Trip trilogy", &EntityType::NAME);
    assert!(!rungs.iter().any(|rung| rung.contains("film")), "{rungs:?}");
    let text = "He acted in historical epic and adventure films.";
    assert!(!said(text, "historical epic", &EntityType::DETAIL).contains(&"a work".to_owned()));
}

#[test]
fn a_number_is_no_kind() {
    assert!(!said("He was in Die Hard 2 then.", "Die Hard 2", &EntityType::NAME).contains(&"a 2".to_owned()));
}

#[test]
fn people_are_no_things() {
    let text = "She retired to marry wealthy chemical businessman Ray.";
    assert!(
        !said(text, "wealthy chemical businessman", &EntityType::DETAIL).contains(&"something".to_owned())
    );
    let text = "He was an actor and theatre and film director.";
    let rungs = said(text, "theatre and film director", &EntityType::DETAIL);
    assert!(!rungs.iter().any(|rung| rung.contains("theatre")), "{rungs:?}");
    assert!(!said("She is a partner.", "partner", &EntityType::DETAIL).contains(&"person".to_owned()));
}
