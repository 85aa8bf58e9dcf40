//! Counts of an index against a plain scan that shares no code with it but folding.

use std::io::BufRead;

use proptest::prelude::*;
use proptest::sample::select;
use reticent_text::{Document, Language};

use super::*;
use crate::fold::words;
use crate::{ErrorKind, Folding};

const FOLDING: fn() -> Folding = || Folding::new(Language::English);

pub(super) fn items(texts: &[&str]) -> Vec<Document> {
    texts.iter().enumerate().map(|(at, text)| Document::plain(format!("d{at}"), *text)).collect()
}

fn bytes_of(documents: &[Document], unit: Unit) -> Result<Vec<u8>, Error> {
    let options = Options { unit, language: Some(Language::English), scratch: None };
    let items = documents.iter().map(|document| Item::new(0, document.clone()));
    let mut bytes = Vec::new();
    build(&["test".to_owned()], items, &options, &mut bytes)?;
    Ok(bytes)
}

fn index(documents: &[Document], unit: Unit) -> Index {
    Index::from_bytes(bytes_of(documents, unit).unwrap()).unwrap()
}

pub(super) fn index_of(texts: &[&str]) -> Index {
    index(&items(texts), Unit::Document)
}

/// Units as strings of folded words, with `|` where words are apart: a phrase is in it if its words with
/// blanks around are.
fn plain(documents: &[Document], unit: Unit) -> Vec<String> {
    let mut units = Vec::new();
    for document in documents {
        let stretches = unit.stretches(document).unwrap();
        let pieces = stretches.iter().map(|stretch| plain_piece(stretch.of(document.text())));
        match unit {
            Unit::Document => units.push(pieces.collect::<Vec<_>>().join("|")),
            _ => units.extend(pieces.filter(|piece| !piece.trim().is_empty())),
        }
    }
    units
}

fn plain_piece(text: &str) -> String {
    let mut piece = String::from(" ");
    for word in words(text) {
        if word.apart {
            piece.push_str("| ");
        }
        piece.push_str(&FOLDING().word(word.text));
        piece.push(' ');
    }
    piece
}

fn scan(units: &[String], terms: &[&str]) -> u64 {
    let phrases: Vec<String> = terms.iter().map(|term| format!(" {} ", FOLDING().term(term))).collect();
    units.iter().filter(|unit| phrases.iter().all(|phrase| unit.contains(phrase.as_str()))).count() as u64
}

#[test]
fn counts_phrases_and_conjunctions() {
    let index = index_of(&[
        "The patient got a blood transfusion.",
        "Blood-transfusions and influenza: a study.",
        "Transfusion of blood; influenza.",
        "Blood, transfusion.",
        "",
    ]);
    let count = |terms: &[&str]| index.count(terms).unwrap();
    assert_eq!(index.total(), 5);
    assert_eq!(count(&["blood transfusion"]), Count::Exact(2));
    assert_eq!(count(&["the blood transfusions"]), Count::Exact(2));
    assert_eq!(count(&["transfusion of blood"]), Count::Exact(1));
    assert_eq!(count(&["blood transfusion", "influenza"]), Count::Exact(1));
    assert_eq!(count(&["blood", "transfusion", "influenza"]), Count::Exact(2));
    assert_eq!(count(&["malaria"]), Count::Exact(0));
    assert_eq!(count(&["blood", "malaria"]), Count::Exact(0));
    assert_eq!(count(&["blood", "?!"]), Count::Unknown);
    assert_eq!(count(&[]), Count::Exact(5));
}

#[test]
fn no_phrase_goes_across_a_comma_or_a_blank_line() {
    let index = index_of(&["Austin, Texas", "Austin\n\nTexas", "Austin\nTexas", "Austin big Texas"]);
    assert_eq!(index.count(&["Austin Texas"]).unwrap(), Count::Exact(1));
    // A term that is itself written with a comma is found with and without it.
    assert_eq!(index.count(&["Austin, Texas"]).unwrap(), Count::Exact(3));
}

#[test]
fn repeated_words_are_counted_in_a_row() {
    let index = index_of(&["New York New York", "New York York", "York New"]);
    assert_eq!(index.count(&["New York New York"]).unwrap(), Count::Exact(1));
    assert_eq!(index.count(&["York York"]).unwrap(), Count::Exact(1));
    assert_eq!(index.count(&["New New"]).unwrap(), Count::Exact(0));
}

#[test]
fn a_long_term_is_no_trouble() {
    let long = "the state of the art ".repeat(500);
    let index = index_of(&[&long, "the state of the art"]);
    assert!(long.len() > 10_000);
    assert_eq!(index.count(&[&long]).unwrap(), Count::Exact(1));
    assert_eq!(index.count(&[&"x".repeat(10_000)]).unwrap(), Count::Exact(0));
    assert_eq!(index.count(&[&"…".repeat(10_000)]).unwrap(), Count::Unknown);
}

#[test]
fn an_empty_corpus_is_refused() {
    for texts in [&[][..], &[""], &["…", " \n"]] {
        assert_eq!(bytes_of(&items(texts), Unit::Document).unwrap_err().kind(), ErrorKind::Empty);
    }
}

#[test]
fn the_language_is_that_of_most() {
    let english = "This is the house that they were in, with all of the history of it.";
    let spanish = "El paciente ingresó ayer con fiebre y dolor en la casa de los señores.";
    let build_of = |texts: &[&str]| {
        let items = items(texts).into_iter().map(|document| Item::new(0, document));
        build(&["test".to_owned()], items, &Options::default(), &mut Vec::new())
    };
    assert_eq!(build_of(&[spanish, spanish, english]).unwrap().language, Language::Spanish);
    assert_eq!(build_of(&[spanish, english, english]).unwrap().language, Language::English);
    // The first batch decides, and what comes later must not contradict it.
    let long = spanish.repeat(70_000);
    let mut texts = vec![long.as_str()];
    texts.extend([english; 20]);
    assert_eq!(build_of(&texts).unwrap_err().kind(), ErrorKind::Inconsistent);
}

#[test]
fn tells_what_it_was_built_from() {
    let index = index_of(&["one two", "three"]);
    assert_eq!(index.sources(), [Source { name: "test".to_owned(), documents: 2, bytes: 12 }]);
    assert_eq!((index.documents(), index.words(), index.different_words()), (2, 3, 3));
    assert_eq!(index.ids().map(Result::unwrap).collect::<Vec<_>>(), ["d0", "d1"]);
    assert_eq!((index.name().as_str(), index.language()), ("index of 2 documents", Language::English));
    assert_eq!(index.without("d9").unwrap_err().kind(), ErrorKind::Argument);
    assert!(!format!("{index:?}").contains("one"));
}

#[test]
fn numbers_have_commas() {
    for (number, text) in
        [(0, "0"), (999, "999"), (1000, "1,000"), (43_896, "43,896"), (1_234_567, "1,234,567")]
    {
        assert_eq!(with_commas(number), text);
    }
}

fn text() -> impl Strategy<Value = String> {
    let word =
        select(vec!["blood", "Bloods", "the", "of", "Transfusion", "women", "AIDS", "aids", "Niño", "x1"]);
    let sign = select(vec![" ", " ", " ", "-", ", ", ". ", "\n", "\n\n", "’s ", " ("]);
    prop::collection::vec((word, sign), 0..30)
        .prop_map(|pairs| pairs.into_iter().flat_map(|(word, sign)| [word, sign]).collect())
}

fn term() -> impl Strategy<Value = String> {
    let word = select(vec!["blood", "the", "of", "Transfusion", "woman", "AIDS", "aids", "niño", "x1", "y"]);
    prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "))
}

fn unit() -> impl Strategy<Value = Unit> {
    select(Unit::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn counts_equal_a_plain_scan(
        texts in prop::collection::vec(text(), 1..12),
        terms in prop::collection::vec(term(), 1..4),
        unit in unit(),
        out in any::<prop::sample::Index>(),
    ) {
        prop_assume!(texts.iter().any(|text| !text.trim().is_empty()));
        let mut documents = items(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        let index = index(&documents, unit);
        let units = plain(&documents, unit);
        prop_assert_eq!(index.total(), units.len() as u64);
        prop_assert_eq!(index.count(&terms).unwrap(), Count::Exact(scan(&units, &terms)));

        // Without one document it is as if that had never been there.
        let out = documents.remove(out.index(documents.len()));
        let without = index.without(out.id()).unwrap();
        let units = plain(&documents, unit);
        prop_assert_eq!(without.total(), units.len() as u64);
        for terms in [&terms[..], &terms[..1]] {
            prop_assert_eq!(without.count(terms).unwrap(), Count::Exact(scan(&units, terms)));
        }
    }

    #[test]
    fn adding_equals_building_from_all(one in prop::collection::vec(text(), 1..8), two in prop::collection::vec(text(), 1..8), unit in unit()) {
        let has_words = |texts: &[String]| texts.iter().any(|text| !text.trim().is_empty());
        prop_assume!(has_words(&one) && has_words(&two));
        let all: Vec<&str> = one.iter().chain(&two).map(String::as_str).collect();
        let documents = items(&all);
        let (first, second) = documents.split_at(one.len());
        let options = Options { unit, language: Some(Language::English), scratch: None };
        let names = ["one".to_owned(), "two".to_owned()];
        let item = |source| move |document: &Document| Item::new(source, document.clone());
        let (mut at_once, mut before, mut added) = (Vec::new(), Vec::new(), Vec::new());
        build(&names, first.iter().map(item(0)).chain(second.iter().map(item(1))), &options, &mut at_once).unwrap();
        build(&names[..1], first.iter().map(item(0)), &options, &mut before).unwrap();
        let before = Index::from_bytes(before).unwrap();
        add(&before, &names[1..], second.iter().map(item(0)), None, &mut added).unwrap();
        prop_assert!(at_once == added, "not the same bytes");
    }

    #[test]
    fn query_and_text_fold_alike(term in "[a-zA-Zñé’ -]{1,24}") {
        // Whatever a term is, a text that consists of it contains it.
        prop_assume!(words(&term).next().is_some());
        let index = index_of(&[&term]);
        prop_assert_eq!(index.count(&[&term]).unwrap(), Count::Exact(1));
    }
}

#[test]
fn threads_do_not_show() {
    let texts: Vec<String> = (0..40)
        .map(|number| format!("word{number} and the common words, {} ", number % 7).repeat(20_000))
        .collect();
    let documents = items(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bytes_of(&documents, Unit::Document).unwrap())
    };
    let one = with(1);
    assert!(one == with(2) && one == with(5), "not the same bytes");
}

/// A damaged file is refused when it is opened, or at the latest when it is asked; it never panics.
#[test]
fn contradictions_are_refused() {
    let good = bytes_of(&items(&["blood transfusion", "blood of a virus"]), Unit::Document).unwrap();
    let packed = crate::packed::Packed::from_bytes(file::KIND, good).unwrap();
    let names = ["about", "words", "wordend", "postings", "postend", "docs", "ids", "idend", "idorder"];
    for damaged in names {
        let length = packed.section(damaged).unwrap().len();
        for at in 0..=length {
            let sections: Vec<(&str, Vec<u8>)> = names
                .iter()
                .map(|name| {
                    let mut bytes = packed.section(name).unwrap().to_vec();
                    match bytes.get_mut(at).filter(|_| *name == damaged) {
                        Some(byte) => *byte = byte.wrapping_add(93),
                        None if *name == damaged => bytes.push(1),
                        None => {}
                    }
                    (*name, bytes)
                })
                .collect();
            let sections: Vec<(&str, &[u8])> =
                sections.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
            let mut bytes = Vec::new();
            crate::packed::write(file::KIND, &sections, &mut bytes).unwrap();
            let Ok(index) = Index::from_bytes(bytes) else { continue };
            for terms in [&["blood transfusion"][..], &["virus"], &["blood", "virus"]] {
                let _ = index.count(terms);
            }
            let _ = (index.without("d0").map(|view| view.count(&["blood"])), index.ids().count());
            let items = items(&["more"]).into_iter().map(|document| Item::new(0, document));
            let _ = add(&index, &["more".to_owned()], items, None, &mut Vec::new());
        }
    }
}

/// Every so manieth document of the corpora that the issue names.
fn sample(every: usize) -> Option<Vec<Document>> {
    let mut documents = Vec::new();
    for name in ["brown", "medquad", "movie-reviews"] {
        let path = reticent_testing::shared(&format!("data/corpora/{name}.jsonl.gz"))?;
        let file = std::fs::File::open(path).unwrap();
        let lines = std::io::BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
        for line in lines.step_by(every) {
            let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            documents.push(Document::plain(row["id"].as_str().unwrap(), row["text"].as_str().unwrap()));
        }
    }
    Some(documents)
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    /// One to three words that stand in a row in a text.
    fn term(&mut self, text: &str) -> String {
        let all: Vec<_> = words(text).collect();
        let first = self.below(all.len());
        let most = first + 1 + self.below(3);
        let end = (first + 1..all.len().min(most)).take_while(|at| !all[*at].apart).last().unwrap_or(first);
        text[all[first].start..all[end].start + all[end].text.len()].to_owned()
    }
}

#[test]
fn counts_equal_a_plain_scan_of_real_text() {
    let Some(documents) = sample(120) else { return };
    let documents: Vec<Document> =
        documents.into_iter().filter(|document| words(document.text()).next().is_some()).collect();
    let mut random = Random(7);
    for (unit, conjunctions) in [(Unit::Document, 10_000), (Unit::Sentence, 300), (Unit::Paragraph, 300)] {
        let index = index(&documents, unit);
        let units = plain(&documents, unit);
        assert_eq!(index.total(), units.len() as u64);
        let mut together = 0;
        for _ in 0..conjunctions {
            let document = random.below(documents.len());
            let terms: Vec<String> = (0..=random.below(3))
                .map(|_| {
                    // Mostly of one document, so that there is something to count.
                    let other = random.below(documents.len());
                    let from = if random.below(4) > 0 { document } else { other };
                    random.term(documents[from].text())
                })
                .collect();
            let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
            let expected = scan(&units, &terms);
            assert_eq!(index.count(&terms).unwrap(), Count::Exact(expected));
            together += usize::from(terms.len() > 1 && expected > 0);
        }
        assert!(together > conjunctions / 20, "hardly any were together: {together}");
    }
}
