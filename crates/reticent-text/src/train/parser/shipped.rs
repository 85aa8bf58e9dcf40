//! The parsers that ship: which treebanks they are made of, and what they are measured on.

use super::{
    GoldSentence, ParseScore, ParserOptions, ParserProgress, WordVectors, read_treebank, score, train_parser,
};
use crate::parse::Parser;
use crate::train::Open;
use crate::{Error, Language};

/// A parser, and what it scores.
pub struct TrainedParser {
    /// The file of the model.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The words it was trained on.
    pub words: usize,
    /// Each set, and each kind of text in it, with what the parser scores there.
    pub scores: Vec<(String, ParseScore)>,
}

struct Sets {
    language: Language,
    name: &'static str,
    train: &'static [&'static str],
    /// Width of the encoder: a small treebank fills a small one.
    hidden: usize,
    develop: &'static str,
    measure: &'static [&'static str],
}

const SHIPPED: [Sets; 2] = [
    Sets {
        language: Language::English,
        name: "english-parser.bin",
        train: &["ud-english-ewt-train", "ud-english-gum-train"],
        hidden: 80,
        develop: "ud-english-ewt-dev",
        measure: &["ud-english-ewt-dev", "ud-english-ewt-test", "ud-english-gum-dev", "ud-english-gum-test"],
    },
    // The training part of the treebank is not at hand, and so its development part is learnt from.
    Sets {
        language: Language::Spanish,
        name: "spanish-parser.bin",
        train: &["ud-spanish-gsd-dev"],
        hidden: 64,
        develop: "",
        measure: &["ud-spanish-gsd-test"],
    },
];

/// Makes the shipped parser of a language again; its width is chosen for its treebank. `open` opens a treebank by the name of its file.
pub fn train_shipped(
    open: &mut Open<'_, '_>,
    language: Language,
    vectors: &WordVectors,
    options: &ParserOptions,
    progress: &mut dyn FnMut(ParserProgress),
) -> Result<Option<TrainedParser>, Error> {
    let Some(sets) = SHIPPED.iter().find(|sets| sets.language == language) else { return Ok(None) };
    let mut read = |name: &str| read_treebank(&mut *open(&format!("{name}.conllu.gz"))?);
    let mut train: Vec<GoldSentence> = Vec::new();
    for name in sets.train {
        train.extend(read(name)?);
    }
    let develop = if sets.develop.is_empty() { Vec::new() } else { read(sets.develop)? };
    let options = ParserOptions { hidden: sets.hidden, ..*options };
    let bytes = train_parser(&train, &develop, language, vectors, &options, progress)?;
    let parser = Parser::read(&bytes)?;
    let mut scores = Vec::new();
    for name in sets.measure {
        let (total, kinds) = score(&parser, &read(name)?, language)?;
        scores.push(((*name).to_owned(), total));
        if kinds.len() > 1 {
            scores.extend(kinds.into_iter().map(|(kind, score)| (format!("  {kind}"), score)));
        }
    }
    let words = train.iter().map(|sentence| sentence.words.len()).sum();
    Ok(Some(TrainedParser { name: sets.name.to_owned(), bytes, words, scores }))
}
