use proptest::prelude::*;
use reticent_text::Language;

use super::*;
use crate::ErrorKind;
use crate::embedding::{Found, How, Lookup, Precision, Similarity, Subwords, TermVectors, Vectors, expand};

/// Two worlds that share nothing but some words.
fn corpus() -> TokenStream {
    let mut stream = TokenStream::new(Language::English);
    for _ in 0..200 {
        stream.add(["emma watson", "played", "hermione granger", "harry potter film"]).unwrap();
        stream.add(["hugh jackman", "played", "wolverine", "x man film", "australia"]).unwrap();
    }
    stream.add(["rare term", "hugh jackman"]).unwrap();
    stream
}

fn options() -> Options {
    // In so small a world every term is frequent.
    Options { dimension: 20, epochs: 5, subsample: None, ..Options::default() }
}

fn trained(options: &Options) -> VectorTable {
    train(&corpus(), options, "two worlds", &mut |_| {}).unwrap()
}

fn opened(table: &VectorTable) -> TermVectors {
    TermVectors::from_table(table, Precision::Full).unwrap()
}

fn bytes(table: &VectorTable) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write(Precision::Full, &mut bytes).unwrap();
    bytes
}

fn similarity(vectors: &TermVectors, one: &str, other: &str) -> f32 {
    match vectors.similarity(one, other).unwrap() {
        Similarity::Cosine(cosine) => cosine,
        Similarity::Unknown => panic!("unknown"),
    }
}

#[test]
fn learns_what_stands_together() {
    for negative in [1, 5, 6, 13] {
        let vectors = opened(&trained(&Options { negative, epochs: 20, ..options() }));
        let near = similarity(&vectors, "Emma Watson", "Hermione Granger");
        let far = similarity(&vectors, "Emma Watson", "Wolverine");
        assert!(near > far, "{negative}: {near} {far}");
    }
}

#[test]
fn rare_terms_get_vectors_too() {
    let vectors = opened(&trained(&options()));
    assert!(matches!(
        vectors.lookup("the rare terms").unwrap(),
        Lookup::Found(Found { how: How::Whole, .. })
    ));
    let frequent = opened(&trained(&Options { min_count: 2, ..options() }));
    assert!(frequent.find("rare term").is_none());
    assert!(frequent.lookup("rare term").unwrap().is_unknown());
}

#[test]
fn one_thread_and_a_seed_give_the_same_bytes() {
    let once = bytes(&trained(&options()));
    assert_eq!(once, bytes(&trained(&options())));
    assert_ne!(once, bytes(&trained(&Options { seed: 2, ..options() })));
}

#[test]
fn threads_share_the_work() {
    let vectors = opened(&trained(&Options { threads: 4, epochs: 20, ..options() }));
    let near = similarity(&vectors, "Hugh Jackman", "Australia");
    assert!(near > similarity(&vectors, "Emma Watson", "Australia"));
}

#[test]
fn with_subwords_no_term_is_unknown() {
    let subwords = Some(Subwords { shortest: 3, longest: 5, buckets: 500 });
    let table = trained(&Options { subwords, epochs: 10, ..options() });
    let vectors = opened(&table);
    assert!(matches!(vectors.lookup("Wolverine").unwrap(), Lookup::Found(Found { how: How::Whole, .. })));
    assert!(matches!(
        vectors.lookup("wolverinish").unwrap(),
        Lookup::Found(Found { how: How::Subwords, .. })
    ));
    let near = similarity(&vectors, "wolverinish", "Wolverine");
    assert!(near > similarity(&vectors, "wolverinish", "Emma Watson"), "{near}");
    assert!(vectors.lookup("?!").unwrap().is_unknown());
    assert!(table.buckets.len() == 500 * 20);
}

#[test]
fn composes_what_it_has_in_words_only() {
    let vectors = opened(&trained(&options()));
    let found = |term: &str| match vectors.lookup(term).unwrap() {
        Lookup::Found(found) => Some(found.how),
        Lookup::Unknown => None,
    };
    assert_eq!(found("played in Australia"), Some(How::Composed { missing: vec![] }));
    assert_eq!(found("unheard Australia"), Some(How::Composed { missing: vec![0] }));
    assert_eq!(found("unheard words"), None);
    assert_eq!(found("unheard"), None);
    assert_eq!(found(&"unheard words ".repeat(1000)), None);
}

#[test]
fn expanding_keeps_old_vectors_to_the_bit() {
    for threads in [1, 2] {
        let old_table = trained(&Options { epochs: 20, ..options() });
        let old = opened(&old_table);
        let mut more = old.stream();
        for _ in 0..100 {
            more.add(["rupert grint", "played", "ron weasley", "harry potter film"]).unwrap();
            more.add(["hugh jackman", "played", "wolverine"]).unwrap();
        }
        let new = expand(&old, &more, &Options { threads, ..options() }, &mut |_| {}).unwrap();
        let size = old_table.rows.len();
        let same = |new: &[f32], old: &[f32]| new.iter().zip(old).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same(&new.rows[..size], &old_table.rows) && same(&new.context[..size], &old_table.context));
        assert_eq!(new.terms[..old_table.terms.len()], old_table.terms);
        assert_eq!(new.terms.len(), old_table.terms.len() + 2);
        let vectors = opened(&new);
        let near = similarity(&vectors, "Rupert Grint", "Emma Watson");
        assert!(near > similarity(&vectors, "Rupert Grint", "Australia"), "{near}");
        // And once more.
        assert!(vectors.can_expand());
    }
}

#[test]
fn a_gloss_gives_a_vector() {
    let vectors = opened(&trained(&Options { epochs: 20, ..options() }));
    let gloss = vectors.expand_from_gloss("wizard", "someone such as Hermione Granger").unwrap();
    assert!(matches!(&gloss, Lookup::Found(found) if found.how == How::Gloss));
    let to = |term: &str| match gloss.similarity(&vectors.lookup(term).unwrap()) {
        Similarity::Cosine(cosine) => cosine,
        Similarity::Unknown => panic!("unknown"),
    };
    assert!(to("Emma Watson") > to("Australia"));
    assert!(vectors.expand_from_gloss("wizard", "unheard of").unwrap().is_unknown());
    assert!(vectors.expand_from_gloss("wizard", "").unwrap().is_unknown());
}

#[test]
fn refuses_what_cannot_be_trained_or_expanded() {
    let kind = |result: Result<VectorTable, crate::Error>| result.unwrap_err().kind();
    let empty = TokenStream::new(Language::English);
    assert_eq!(kind(train(&empty, &options(), "", &mut |_| {})), ErrorKind::Empty);
    let rare = Options { min_count: 1000, ..options() };
    assert_eq!(kind(train(&corpus(), &rare, "", &mut |_| {})), ErrorKind::Empty);
    for bad in [
        Options { dimension: 0, ..options() },
        Options { window: 0, ..options() },
        Options { negative: 0, ..options() },
        Options { rate: f32::NAN, ..options() },
        Options { subsample: Some(0.0), ..options() },
        Options { subwords: Some(Subwords { shortest: 3, longest: 2, buckets: 9 }), ..options() },
    ] {
        assert_eq!(kind(train(&corpus(), &bad, "", &mut |_| {})), ErrorKind::Argument);
    }
    let vectors = opened(&trained(&options()).finished());
    assert!(!vectors.can_expand());
    assert_eq!(kind(expand(&vectors, &vectors.stream(), &options(), &mut |_| {})), ErrorKind::Argument);
    let vectors = opened(&trained(&options()));
    assert_eq!(kind(expand(&vectors, &vectors.stream(), &options(), &mut |_| {})), ErrorKind::Empty);
    assert_eq!(kind(expand(&vectors, &corpus(), &options(), &mut |_| {})), ErrorKind::Argument);
}

#[test]
fn tells_how_far_it_is() {
    let mut last = None;
    train(&corpus(), &options(), "", &mut |progress| last = Some(progress)).unwrap();
    let last = last.unwrap();
    assert_eq!((last.done, last.total), (corpus().len() as u64 * 5, corpus().len() as u64 * 5));
    assert!(last.speed() > 0.0);
}

#[test]
fn nearest_is_the_term_itself() {
    let vectors = opened(&trained(&Options { epochs: 20, ..options() }));
    let row = vectors.find("hermione granger").unwrap();
    let nearest = vectors.nearest(&vectors.vector(row), 3);
    assert_eq!((nearest.len(), nearest[0].term.as_str()), (3, "hermione granger"));
    assert!(nearest.is_sorted_by(|a, b| a.cosine >= b.cosine));
    assert!(vectors.nearest(&[1.0], 3).is_empty() && vectors.nearest(&vectors.vector(row), 0).is_empty());
    assert_eq!(vectors.nearest(&vectors.vector(row), 1000).len(), vectors.len());
}

#[test]
fn counts_what_is_nearer_as_far_as_asked() {
    let vectors = opened(&trained(&Options { epochs: 20, ..options() }));
    let vector = vectors.vector(vectors.find("hermione granger").unwrap());
    let sixth = vectors.nearest(&vector, 6)[5].cosine;
    let twice: Vec<f32> = vector.iter().map(|x| 2.0 * x).collect();
    for vector in [&vector, &twice] {
        assert_eq!(vectors.landmarks_nearer(vector, sixth + 1e-5, 1000), 5);
        assert_eq!(vectors.landmarks_nearer(vector, sixth + 1e-5, 4), 4);
        assert_eq!(vectors.landmarks_nearer(vector, 1.1, 1000), 0);
    }
    assert_eq!(vectors.landmarks_nearer(&[1.0], -1.0, 1000), 0);
    assert_eq!(vectors.landmarks(), Some(vectors.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_corpus_gives_finite_vectors(
        corpus in prop::collection::vec(prop::collection::vec("[a-d]{1,2}", 0..90), 0..6),
        window in 1usize..12,
        negative in 1usize..9,
        dimension in 1usize..20,
    ) {
        let mut stream = TokenStream::new(Language::English);
        for sentence in &corpus {
            stream.add(sentence.iter().map(String::as_str)).unwrap();
        }
        let options = Options { window, negative, dimension, epochs: 2, ..Options::default() };
        match train(&stream, &options, "", &mut |_| {}) {
            Ok(table) => {
                prop_assert!(table.rows.iter().chain(&table.context).all(|x| x.is_finite()));
                prop_assert_eq!(table.counts.iter().sum::<u64>(), stream.len() as u64);
                let back = opened(&table).to_table();
                prop_assert_eq!(bytes(&back), bytes(&table));
            }
            Err(error) => prop_assert!(stream.is_empty() && error.kind() == ErrorKind::Empty),
        }
    }
}
