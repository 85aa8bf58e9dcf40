//! `reticent vectors similarity`.

use std::path::Path;

use reticent_knowledge::embedding::{self, Lookup, Similarity, Vectors};
use reticent_text::Span;

use super::arguments::SimilarityArgs;
use crate::failure::{Failure, Outcome};
use crate::messages;
use crate::output::{self, Target};

pub(super) fn run(args: &SimilarityArgs) -> Result<Outcome, Failure> {
    if args.sentences.len() > 2 {
        return Err(Failure::new("--in was given more than twice").hint("pass at most one sentence per term"));
    }
    let opened;
    let vectors: &dyn Vectors = match &args.vectors {
        None => embedding::glove()?,
        Some(path) if path.is_dir() => {
            opened = model(path)?;
            &*opened
        }
        Some(path) => {
            opened = Box::new(super::open(Some(path))?);
            &*opened
        }
    };
    messages::note(&vectors.name());
    let one = look(vectors, "the first term", &args.one, args.sentences.first())?;
    let other = look(vectors, "the second term", &args.other, args.sentences.get(1))?;
    match one.similarity(&other) {
        Similarity::Cosine(cosine) => {
            output::write_all(&Target::Standard, format!("{cosine:.4}\n").as_bytes())?;
            Ok(Outcome::Done)
        }
        Similarity::Unknown => Ok(Outcome::Unresolved),
    }
}

/// Looks up a term, in its sentence if there is one, and reports how it was found.
fn look(
    vectors: &dyn Vectors,
    which: &str,
    term: &str,
    sentence: Option<&String>,
) -> Result<Lookup, Failure> {
    let lookup = match sentence {
        None => vectors.lookup(term)?,
        Some(sentence) => {
            let missing = || {
                Failure::new(format!("{which} does not occur in its sentence"))
                    .hint("it must occur there as whole words with the same capitalization")
            };
            vectors.lookup_in(sentence, place(sentence, term).ok_or_else(missing)?)?
        }
    };
    match &lookup {
        Lookup::Found(found) => messages::note(&format!("{which}: {}", super::how(&found.how))),
        Lookup::Unknown => {
            messages::warn(&format!("{which} has no vector, so the similarity is unknown"));
        }
    }
    Ok(lookup)
}

/// The first occurrence of a term in a sentence as whole words.
fn place(sentence: &str, term: &str) -> Option<Span> {
    let is_apart = |at: usize| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + term.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    if term.is_empty() {
        return None;
    }
    let mut places = sentence.match_indices(term).map(|(at, _)| at);
    places.find(|at| is_apart(*at)).map(|at| Span::new(at, at + term.len()))
}

#[cfg(feature = "contextual")]
pub(super) fn model(directory: &Path) -> Result<Box<dyn Vectors>, Failure> {
    Ok(Box::new(embedding::ContextualVectors::open(directory)?))
}

#[cfg(not(feature = "contextual"))]
pub(super) fn model(directory: &Path) -> Result<Box<dyn Vectors>, Failure> {
    let directory = directory.display();
    Err(Failure::new(format!("{directory}: this program was built without contextual models"))
        .hint("rebuild with `cargo install --path crates/reticent-cli --features contextual`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_whole_words_only() {
        assert_eq!(place("banking at the bank", "bank"), Some(Span::new(15, 19)));
        assert_eq!(place("the bank.", "the bank"), Some(Span::new(0, 8)));
        for (sentence, term) in [("banking", "bank"), ("the Bank", "bank"), ("the bank", ""), ("", "bank")] {
            assert_eq!(place(sentence, term), None);
        }
    }
}
