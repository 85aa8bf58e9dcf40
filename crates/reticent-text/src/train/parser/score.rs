//! Scoring a parser as CoNLL 2018 did: our words against those of a treebank, aligned by their spans.

use std::collections::HashMap;

use super::treebank::GoldSentence;
use crate::parse::Parser;
use crate::parse::network::Room;
use crate::parse::words::{Piece, pieces};
use crate::{Annotator, Document, Error, Language, Layers, PartOfSpeech, Span, Tokenizer};

/// Counts of a comparison with a treebank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseScore {
    /// Words of the treebank.
    pub gold: usize,
    /// Words of ours.
    pub found: usize,
    /// Words with the same span.
    pub aligned: usize,
    /// … and the same part of speech.
    pub upos: usize,
    /// … and the same tag.
    pub xpos: usize,
    /// Aligned words with the same head.
    pub heads: usize,
    /// … and the same relation, without subtypes.
    pub relations: usize,
}

impl ParseScore {
    fn f1(self, right: usize) -> f64 {
        2.0 * right as f64 / (self.gold + self.found).max(1) as f64
    }

    /// Words with the right span.
    #[must_use]
    pub fn words(self) -> f64 {
        self.f1(self.aligned)
    }

    /// Parts of speech.
    #[must_use]
    pub fn upos(self) -> f64 {
        self.f1(self.upos)
    }

    /// Tags.
    #[must_use]
    pub fn xpos(self) -> f64 {
        self.f1(self.xpos)
    }

    /// Unlabelled attachment: heads.
    #[must_use]
    pub fn uas(self) -> f64 {
        self.f1(self.heads)
    }

    /// Labelled attachment: heads and relations without subtypes.
    #[must_use]
    pub fn las(self) -> f64 {
        self.f1(self.relations)
    }

    fn add(&mut self, other: Self) {
        self.gold += other.gold;
        self.found += other.found;
        self.aligned += other.aligned;
        self.upos += other.upos;
        self.xpos += other.xpos;
        self.heads += other.heads;
        self.relations += other.relations;
    }
}

impl std::fmt::Display for ParseScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (words, upos, xpos) = (self.words(), self.upos(), self.xpos());
        write!(f, "{:>6} words {words:.4}  UPOS {upos:.4}  XPOS {xpos:.4}", self.gold)?;
        write!(f, "  UAS {:.4}  LAS {:.4}", self.uas(), self.las())
    }
}

/// The words of a sentence as the shipped tokenizer and tagger find them.
pub(super) fn own_pieces(text: &str, language: Language) -> Result<Vec<Piece>, Error> {
    let mut layers = Layers::new(language);
    layers.sentences = vec![Span::new(0, text.len())];
    let document = Document::plain("sentence", text);
    Tokenizer.annotate(&document, &mut layers)?;
    PartOfSpeech.annotate(&document, &mut layers)?;
    let mut out = Vec::new();
    pieces(text, &layers.tokens, language, &mut out);
    Ok(out)
}

/// Compares a parser with a treebank, on the treebank's sentences and our words and tags: all, and by kind of text.
pub fn score(
    parser: &Parser,
    sentences: &[GoldSentence],
    language: Language,
) -> Result<(ParseScore, Vec<(String, ParseScore)>), Error> {
    let mut total = ParseScore::default();
    let mut kinds: Vec<(String, ParseScore)> = Vec::new();
    let mut room = Room::default();
    for sentence in sentences {
        let pieces = own_pieces(&sentence.text, language)?;
        let one = compare(parser, sentence, &pieces, &mut room);
        total.add(one);
        let kind = kind_of(&sentence.document);
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, score)) => score.add(one),
            None => kinds.push((kind.to_owned(), one)),
        }
    }
    kinds.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok((total, kinds))
}

/// The kind of a text, from its name: `GUM_news_nasa`, `weblog-blogspot.com_…`.
fn kind_of(document: &str) -> &str {
    let name = document.strip_prefix("GUM_").unwrap_or(document);
    name.split(['_', '-']).next().unwrap_or_default()
}

fn compare(parser: &Parser, sentence: &GoldSentence, pieces: &[Piece], room: &mut Room) -> ParseScore {
    let tree = parser.parse(&sentence.text, pieces, room);
    let places: HashMap<Span, usize> =
        sentence.words.iter().enumerate().map(|(at, word)| (word.span, at)).collect();
    let gold_words = &sentence.words;
    let mut score = ParseScore { gold: gold_words.len(), found: tree.len(), ..ParseScore::default() };
    for word in tree.words() {
        let Some(&place) = places.get(&word.span) else { continue };
        let gold = &gold_words[place];
        score.aligned += 1;
        score.upos += usize::from(gold.upos == word.upos);
        score.xpos += usize::from(super::tag_name(gold, &sentence.text) == word.tag.name());
        let head = match word.head {
            None => Some(gold_words.len()),
            Some(head) => places.get(&tree.word(head).span).copied(),
        };
        if head == Some(gold.head) {
            score.heads += 1;
            score.relations += usize::from(gold.relation.universal() == word.relation.universal());
        }
    }
    score
}
