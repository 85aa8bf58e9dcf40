//! A parser model, and parsing with it.

use super::network::{Network, Room, Sizes};
use super::seen::{Seen, Vocabulary};
use super::tree::{Tree, Word};
use super::words::Piece;
use super::{Relation, Upos};
use crate::tag::Reader;
use crate::{Error, ErrorKind, Language, Span, Tag};

/// How every model begins.
pub(crate) const MAGIC: &[u8] = b"reticent parser 1\n";

/// A dependency parser: a transition-based parser (arc-hybrid) whose steps are scored by a small recurrent network.
///
/// Reading checks everything: a file that is no model is refused, and a model that was read cannot fail. The time to parse
/// is linear in the number of words.
pub struct Parser {
    vocabulary: Vocabulary,
    network: Network,
    /// Part of speech and tag of each label; the tag is that of the token where the model has none.
    tags: Vec<(Upos, Option<Tag>)>,
    relations: Vec<Relation>,
}

impl Parser {
    /// Reads a model that `reticent train parser` made.
    pub fn read(model: &[u8]) -> Result<Self, Error> {
        let mut bytes = Reader::new(model);
        if bytes.take(MAGIC.len()).ok() != Some(MAGIC) {
            return Err(Error::new(ErrorKind::Model, "not a parser model of this version")
                .with_hint("train it again with `reticent train parser`"));
        }
        let sizes = Sizes::read(&mut bytes)?;
        let unknown =
            |what: &str| Error::new(ErrorKind::Model, format!("a parser model has an unknown {what}"));
        let mut tags = Vec::new();
        for _ in 0..sizes.tags {
            let name = name(&mut bytes)?;
            let (upos, tag) = name.split_once('/').unwrap_or((name, ""));
            let upos = Upos::from_name(upos).ok_or_else(|| unknown("part of speech"))?;
            let tag = match tag {
                "" => None,
                tag => Some(Tag::from_name(tag).ok_or_else(|| unknown("tag"))?),
            };
            tags.push((upos, tag));
        }
        let mut relations = Vec::new();
        for _ in 0..sizes.labels {
            relations.push(Relation::from_name(name(&mut bytes)?).ok_or_else(|| unknown("relation"))?);
        }
        let vectors = keys(&mut bytes)?;
        let words = keys(&mut bytes)?;
        let vocabulary = Vocabulary::new(vectors.iter().copied(), words.iter().copied());
        let network = Network::read(&mut bytes, sizes, vectors.len() + 1, words.len() + 1)?;
        bytes.end()?;
        Ok(Self { vocabulary, network, tags, relations })
    }

    /// Parses a text as one sentence, without regard for lines and columns.
    ///
    /// This is for trying out a model; [`Syntax`](super::Syntax) parses documents.
    #[must_use]
    pub fn parse_words(&self, text: &str, language: Language) -> Tree {
        let mut words = Vec::new();
        let mut tokens = Vec::new();
        let mut cutter = crate::token::Cutter::new(text, language);
        cutter
            .cut(Span::new(0, text.len()), &mut |span| tokens.push(crate::Token { span, tag: Tag::UNKNOWN }));
        super::words::pieces(text, &tokens, language, &mut words);
        self.parse(text, &words, &mut Room::default())
    }

    /// Parses the words of one unit.
    pub(crate) fn parse(&self, text: &str, pieces: &[Piece], room: &mut Room) -> Tree {
        let seen: Vec<Seen> = pieces
            .iter()
            .enumerate()
            .map(|(at, piece)| self.vocabulary.look(piece.span.of(text), piece.tag, at == 0))
            .collect();
        self.network.run(&seen, room);
        let mut words: Vec<Word> = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            let (upos, tag) = self.tags[room.tags[at]];
            let head = Some(room.heads[at]).filter(|head| *head < pieces.len());
            let relation = match (head, self.relations[room.relations[at]]) {
                (None, _) => Relation::ROOT,
                (Some(_), Relation::ROOT) => Relation::UNKNOWN,
                (Some(_), relation) => relation,
            };
            words.push(Word { span: piece.span, upos, tag: tag.unwrap_or(piece.tag), head, relation });
        }
        Tree::new(words)
    }
}

fn name<'a>(bytes: &mut Reader<'a>) -> Result<&'a str, Error> {
    let length = bytes.length(1)?;
    std::str::from_utf8(bytes.take(length)?)
        .map_err(|_| Error::new(ErrorKind::Model, "a parser model has a malformed name"))
}

fn keys(bytes: &mut Reader<'_>) -> Result<Vec<u32>, Error> {
    let count = bytes.length(4)?;
    Ok(bytes.take(count * 4)?.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}
