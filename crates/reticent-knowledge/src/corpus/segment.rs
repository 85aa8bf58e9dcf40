//! The words of some documents, turned over: for each word, where it stands.

use reticent_text::{Document, Language};
use rustc_hash::FxHashMap;

use super::build::Loaded;
use super::coding::{put, put_bytes};
use super::postings::{APART, NEXT, Writer};
use super::unit::Unit;
use crate::fold::words;
use crate::{Error, ErrorKind, Folding};

/// Of so many documents of a segment the language is looked at.
const SAMPLED: usize = 16;

/// What is known of some documents that follow each other.
#[derive(Default)]
pub(super) struct Segment {
    /// For each word, in the order of their bytes: the word, then its [`Part`](super::postings::Part).
    pub(super) bytes: Vec<u8>,
    /// For each document: its id, its source, the number of its units and the bytes of its text.
    pub(super) documents: Vec<Described>,
    pub(super) units: u32,
    /// How many words there are, each as often as it is written.
    pub(super) words: u64,
    /// How many of a sample are in which language.
    pub(super) languages: Vec<Language>,
}

pub(super) struct Described {
    pub(super) id: String,
    pub(super) source: usize,
    pub(super) units: u32,
    pub(super) bytes: u64,
}

/// One word at one place.
#[derive(Clone, Copy)]
struct At {
    word: u32,
    unit: u32,
    place: u32,
}

impl Segment {
    pub(super) fn new(batch: &[Loaded], unit: Unit, folding: Folding) -> Result<Self, Error> {
        let mut segment = Self::default();
        let step = batch.len().div_ceil(SAMPLED).max(1);
        let sample = batch.iter().step_by(step).map(|loaded| loaded.document.text());
        segment.languages = sample.filter(|text| has_words(text)).map(Language::detect).collect();

        let mut vocabulary = Vocabulary::new(folding);
        let mut all: Vec<At> = Vec::new();
        for Loaded { source, id, document } in batch {
            let first = segment.units;
            segment.read(document, unit, &mut vocabulary, &mut all)?;
            segment.documents.push(Described {
                id: id.clone(),
                source: *source,
                units: segment.units - first,
                bytes: document.text().len() as u64,
            });
        }
        segment.words = all.len() as u64;
        segment.turn_over(&vocabulary.folded, &all);
        Ok(segment)
    }

    fn read<'t>(
        &mut self,
        document: &'t Document,
        unit: Unit,
        vocabulary: &mut Vocabulary<'t>,
        all: &mut Vec<At>,
    ) -> Result<(), Error> {
        let stretches = unit
            .stretches(document)
            .map_err(|_| Error::new(ErrorKind::Malformed, "a document could not be split into sentences"))?;
        let mut place = 0;
        for stretch in stretches {
            let mut first = true;
            for word in words(stretch.of(document.text())) {
                // The first word of a paragraph is apart from the last of the one before.
                place += if first || word.apart { APART } else { NEXT };
                first = false;
                all.push(At { word: vocabulary.number(word.text), unit: self.units, place });
            }
            if unit != Unit::Document && !first {
                self.end_unit()?;
                place = 0;
            }
        }
        if unit == Unit::Document { self.end_unit() } else { Ok(()) }
    }

    fn end_unit(&mut self) -> Result<(), Error> {
        self.units = self.units.checked_add(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// Sorts by word; what is of one word stays in order.
    fn turn_over(&mut self, folded: &[String], all: &[At]) {
        let mut starts = vec![0usize; folded.len() + 1];
        for at in all {
            starts[at.word as usize + 1] += 1;
        }
        for word in 0..folded.len() {
            starts[word + 1] += starts[word];
        }
        let mut next = starts.clone();
        let mut sorted = vec![(0u32, 0u32); all.len()];
        for at in all {
            let slot = &mut next[at.word as usize];
            sorted[*slot] = (at.unit, at.place);
            *slot += 1;
        }
        let mut order: Vec<usize> = (0..folded.len()).collect();
        order.sort_unstable_by(|a, b| folded[*a].cmp(&folded[*b]));
        let mut writer = Writer::default();
        put(folded.len() as u64, &mut self.bytes);
        for word in order {
            put_bytes(folded[word].as_bytes(), &mut self.bytes);
            for (unit, place) in &sorted[starts[word]..starts[word + 1]] {
                writer.push(*unit, *place);
            }
            writer.finish(&mut self.bytes);
        }
    }
}

/// Whether there is a letter to tell the language by.
fn has_words(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

pub(super) fn too_many() -> Error {
    Error::new(ErrorKind::Limit, "an index supports at most 4,294,967,295 units")
        .with_hint("build several indexes, or count larger units")
}

/// Words as they are written, and what they fold to.
struct Vocabulary<'t> {
    folding: Folding,
    written: FxHashMap<&'t str, u32>,
    numbers: FxHashMap<String, u32>,
    folded: Vec<String>,
}

impl<'t> Vocabulary<'t> {
    fn new(folding: Folding) -> Self {
        Self { folding, written: FxHashMap::default(), numbers: FxHashMap::default(), folded: Vec::new() }
    }

    fn number(&mut self, word: &'t str) -> u32 {
        if let Some(number) = self.written.get(word) {
            return *number;
        }
        let folded = self.folding.word(word);
        let next = u32::try_from(self.folded.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(folded).or_insert_with_key(|folded| {
            self.folded.push(folded.clone());
            next
        });
        self.written.insert(word, number);
        number
    }
}
