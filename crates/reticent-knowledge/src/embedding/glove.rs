//! The vectors that ship with the program.

use std::sync::OnceLock;

use super::TermVectors;
use crate::Error;

/// `GloVe`, 100 dimensions at 8 bits, the most frequent words of English, in lower case. Terms of several
/// words are composed. Made by `data/make/glove.sh`; where it is from stands in `data/NOTICE.md`.
pub fn glove() -> Result<&'static TermVectors, Error> {
    static VECTORS: OnceLock<Result<TermVectors, Error>> = OnceLock::new();
    let vectors = VECTORS.get_or_init(|| TermVectors::embedded(include_bytes!("../../data/glove.vec")));
    vectors.as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::{How, Lookup, Similarity, Vectors};

    fn similarity(one: &str, other: &str) -> f32 {
        match glove().unwrap().similarity(one, other).unwrap() {
            Similarity::Cosine(cosine) => cosine,
            Similarity::Unknown => panic!("unknown"),
        }
    }

    #[test]
    fn what_ships_is_whole() {
        let bytes = include_bytes!("../../data/glove.vec");
        TermVectors::from_bytes(bytes.to_vec()).unwrap();
        assert!(bytes.len() <= 11_000_000, "{}", bytes.len());
    }

    #[test]
    fn finds_what_is_alike() {
        assert!(similarity("actor", "actress") > 0.7);
        assert!(similarity("breast cancer", "tumor") > 0.5);
        assert!(similarity("The Films", "movie") > 0.7);
        assert!(similarity("Madrid", "gravel") < 0.2);
    }

    #[test]
    fn says_how_a_vector_was_found() {
        let look = |term| glove().unwrap().lookup(term).unwrap();
        assert!(matches!(look("Paris"), Lookup::Found(found) if found.how == How::Whole));
        let composed = |missing| How::Composed { missing };
        assert!(
            matches!(look("metastatic breast cancer"), Lookup::Found(found) if found.how == composed(vec![]))
        );
        assert!(matches!(look("doctor Qzxjwv"), Lookup::Found(found) if found.how == composed(vec![1])));
        for unknown in ["Qzxjwv", "qzxjwv wvjxzq", "", "  ", "?!", &"x".repeat(10_000)] {
            assert!(look(unknown).is_unknown());
        }
    }

    #[test]
    fn composes_from_a_gloss() {
        let vectors = glove().unwrap();
        let gloss =
            vectors.expand_from_gloss("oncologist", "a specialist in the treatment of cancer").unwrap();
        let Similarity::Cosine(near) = gloss.similarity(&vectors.lookup("tumor").unwrap()) else { panic!() };
        assert!(near > 0.5, "{near}");
        assert!(vectors.expand_from_gloss("x", "qzxjwv").unwrap().is_unknown());
    }
}
