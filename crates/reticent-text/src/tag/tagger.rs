//! A greedy tagger: words with one tag are looked up, the others are scored from left to right.

use super::repair::find_verbs;
use super::weights::{Index, LABELS, Weights};
use super::{Case, FEATURE_ROOM, Tag, Words, features};
use crate::{Error, ErrorKind};

/// The tags that words have had: one tag for a sure word, else the number of a set of tags.
pub(crate) struct Lexicon {
    index: Index,
    labels: u16,
}

impl Lexicon {
    /// From (key, entry): see [`Lexicon::key`].
    pub(crate) fn new(entries: &[(u32, u16)], labels: u16) -> Self {
        let mut index = Index::with_room_for(entries.len());
        for &(key, entry) in entries {
            index.insert(key, u32::from(entry));
        }
        Self { index, labels }
    }

    /// Where a word stands: apart if it is written with a capital.
    pub(crate) fn key(hash: u64, capital: bool) -> u32 {
        super::weights::feature(if capital { 101 } else { 100 }, hash, 0)
    }

    /// What is known of a word. Where a capital says nothing, the small word comes first.
    pub(crate) fn look_up(&self, hash: u64, case: Case) -> Option<u16> {
        let find = |capital| {
            let entry = self.index.get(Self::key(hash, capital))?;
            u16::try_from(entry).ok()
        };
        match case {
            Case::Lower | Case::None => find(false),
            Case::Initial | Case::Upper | Case::Mixed => find(true),
            Case::First | Case::Flat => match (find(false), find(true)) {
                // A name that is also a word must be judged by its place.
                (Some(small), Some(_)) if small < self.labels => Some(small),
                (small, capital) => small.or(capital),
            },
        }
    }

    /// The label of a word that has only one.
    #[inline]
    pub(crate) fn sure(&self, entry: Option<u16>) -> Option<u8> {
        entry.filter(|&entry| entry < self.labels).and_then(|entry| u8::try_from(entry).ok())
    }
}

/// Finds the part of speech of each word of a sentence.
///
/// An averaged perceptron over hashed features, read from a model that
/// [`train`](crate::train) made.
pub struct Tagger {
    tags: Vec<Tag>,
    lexicon: Lexicon,
    weights: Weights,
}

const MAGIC: &[u8] = b"reticent tagger 1\n";

/// The set whose guidelines the models follow at run time: the first one that was given.
pub(crate) const OUR_DOMAIN: u8 = 0;

impl Tagger {
    /// Reads a model.
    pub fn read(model: &[u8]) -> Result<Self, Error> {
        let mut bytes = Reader::new(model);
        bytes.magic(MAGIC)?;
        let count = bytes.length(1)?;
        let mut tags = Vec::with_capacity(count);
        for _ in 0..count {
            let length = bytes.length(1)?;
            let name = std::str::from_utf8(bytes.take(length)?).ok().and_then(Tag::from_name);
            tags.push(name.ok_or_else(|| Error::new(ErrorKind::Model, "a model has an unknown tag"))?);
        }
        let labels = u16::try_from(count)
            .ok()
            .filter(|&labels| 0 < labels && usize::from(labels) <= LABELS)
            .ok_or_else(|| Error::new(ErrorKind::Model, "a model has no tags or too many"))?;
        let words = bytes.length(6)?;
        let entries: Vec<_> = bytes
            .take(words * 6)?
            .chunks_exact(6)
            .map(|e| (u32::from_le_bytes([e[0], e[1], e[2], e[3]]), u16::from_le_bytes([e[4], e[5]])))
            .collect();
        let lexicon = Lexicon::new(&entries, labels);
        let weights = Weights::read(&mut bytes, tags.len())?;
        bytes.end()?;
        Ok(Self { tags, lexicon, weights })
    }

    /// The bytes of a model.
    pub(crate) fn write(
        tags: &[Tag],
        lexicon: &[(u32, u16)],
        rows: &super::weights::Rows,
        most: usize,
    ) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(MAGIC);
        out.length(tags.len());
        for tag in tags {
            out.length(tag.name().len());
            out.bytes(tag.name().as_bytes());
        }
        out.length(lexicon.len());
        for (key, entry) in lexicon {
            out.bytes(&key.to_le_bytes());
            out.bytes(&entry.to_le_bytes());
        }
        rows.write(&mut out, most);
        out.finish()
    }

    /// Tags the words of one sentence.
    ///
    /// ```
    /// let analyzer = reticent_text::Analyzer::shipped().unwrap();
    /// let document = reticent_text::Document::plain("", "Ana was born in 1975.");
    /// let layers = analyzer.analyze(&document, None).unwrap();
    /// let tags: Vec<_> = layers.tokens.iter().map(|token| token.tag.name()).collect();
    /// assert_eq!(tags, ["NNP", "VBD", "VBN", "IN", "CD", "."]);
    /// ```
    pub fn tag<'a>(&self, tokens: impl Iterator<Item = &'a str> + Clone) -> Vec<Tag> {
        let mut room = Room::default();
        self.tag_into(tokens.clone(), &mut room);
        self.repaired(tokens, &room)
    }

    /// The tags of a sentence, with what only the tags that follow tell.
    fn repaired<'a>(&self, tokens: impl Iterator<Item = &'a str>, room: &Room) -> Vec<Tag> {
        let mut tags: Vec<Tag> = room.labels.iter().map(|&label| self.tag_of(label)).collect();
        find_verbs(&tokens.collect::<Vec<_>>(), &mut tags);
        tags
    }

    /// Tags one sentence, in room that is kept: words and labels are left there.
    pub(crate) fn tag_into<'a>(&self, tokens: impl Iterator<Item = &'a str> + Clone, room: &mut Room) {
        room.words.read(&self.lexicon, tokens.clone());
        room.labels.clear();
        let mut before = [u8::MAX; 2];
        for (at, token) in tokens.enumerate() {
            let label = match self.lexicon.sure(room.words.words[at].entry) {
                Some(label) => label,
                None => self.best(room, at, token, before),
            };
            room.labels.push(label);
            before = [label, before[0]];
        }
    }

    fn best(&self, room: &mut Room, at: usize, token: &str, before: [u8; 2]) -> u8 {
        features(&room.words, at, token, before, OUR_DOMAIN, &mut room.features);
        let mut scores = [0; LABELS];
        for &feature in &room.features {
            self.weights.add(feature, &mut scores);
        }
        best(&scores[..self.tags.len()])
    }

    /// The tag of a label.
    pub(crate) fn tag_of(&self, label: u8) -> Tag {
        self.tags[usize::from(label)]
    }
}

/// The first of the highest.
pub(crate) fn best(scores: &[i32]) -> u8 {
    let mut best = 0;
    for (label, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = label;
        }
    }
    u8::try_from(best).unwrap_or(0)
}

/// Room for one sentence, kept from one to the next.
pub(crate) struct Room {
    pub(crate) words: Words,
    pub(crate) labels: Vec<u8>,
    features: Vec<u32>,
}

impl Default for Room {
    fn default() -> Self {
        Self { words: Words::default(), labels: Vec::new(), features: Vec::with_capacity(FEATURE_ROOM) }
    }
}

/// Reads a model piece by piece; every piece that is missing is an error.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| Error::new(ErrorKind::Model, "a model is truncated"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number of things, each of at least `size` bytes: never more than there can be.
    pub(crate) fn length(&mut self, size: usize) -> Result<usize, Error> {
        let bytes = self.take(4)?;
        let length = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        if length.saturating_mul(size) > self.rest.len() {
            return Err(Error::new(ErrorKind::Model, "a model is truncated"));
        }
        Ok(length)
    }

    pub(crate) fn magic(&mut self, magic: &[u8]) -> Result<(), Error> {
        if self.rest.starts_with(magic) {
            self.take(magic.len()).map(drop)
        } else {
            Err(Error::new(ErrorKind::Model, "not a model of this type and version")
                .with_hint("train it again with `reticent train tagger`"))
        }
    }

    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Model, "a model has trailing bytes"))
        }
    }
}

/// Writes a model piece by piece.
#[derive(Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn length(&mut self, length: usize) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.bytes(&length.to_le_bytes());
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

impl Tagger {
    /// Tags all tokens, and leaves what it saw of them for the chunker.
    pub(crate) fn tag_layers(&self, text: &str, layers: &mut crate::Layers) {
        let mut room = Room::default();
        layers.words.clear();
        layers.words.reserve(layers.tokens.len());
        let ranges: Vec<_> = layers.sentence_tokens().collect();
        for range in ranges {
            let tokens = &mut layers.tokens[range];
            self.tag_into(tokens.iter().map(|token| token.span.of(text)), &mut room);
            let tags = self.repaired(tokens.iter().map(|token| token.span.of(text)), &room);
            for (token, tag) in tokens.iter_mut().zip(tags) {
                token.tag = tag;
            }
            layers.words.extend_from_slice(&room.words.words);
        }
    }
}
