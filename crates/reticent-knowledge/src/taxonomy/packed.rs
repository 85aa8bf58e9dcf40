//! A packed taxonomy, opened.

use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;
use reticent_text::Language;

use super::draft::Summary;
use super::key::{Case, key};
use super::morphology::{Morphology, Part};
use super::pack::{BLOCK, GLOSSES};
use super::{Concept, Sense, Taxonomy};
use crate::packed::{Kind, Packed, u32_at};
use crate::{Error, ErrorKind};

/// The kind of file that taxonomies are packed in.
pub const KIND: Kind = Kind { tag: *b"TAXO", name: "taxonomy", version: 1 };

/// Longer terms are in no taxonomy, and are not looked up.
const LONGEST: usize = 2_048;
/// Inflated glosses are not read beyond this.
const MAX_GLOSSES: u64 = 1 << 20;

/// A taxonomy in a file that [`super::Draft::pack`] made: mapped, not read.
#[derive(Debug)]
pub struct PackedTaxonomy {
    packed: Packed,
    name: String,
    language: Language,
    names: bool,
    counted: bool,
    summary: Summary,
    totals: Vec<u64>,
    codes: Section,
    concepts: Section,
    words: Section,
    glosses: Section,
    irregular: Range<usize>,
    children: OnceLock<Children>,
}

/// Each broader concept with a narrower one, in order.
type Children = Vec<(u32, u32)>;

#[derive(Debug)]
struct Section {
    bytes: Range<usize>,
    starts: Range<usize>,
}

/// What is told of a concept.
struct Facts {
    part: u8,
    frequency: u64,
    broader: Vec<Concept>,
    words: Vec<u32>,
}

/// What is told of a word.
struct Entry {
    text: String,
    senses: Vec<(Concept, u16, u32)>,
}

/// Reads numbers and texts; `None` where the bytes end or make no sense.
struct Cursor<'b> {
    bytes: &'b [u8],
}

impl<'b> Cursor<'b> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7F).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// How many things follow, each of at least one byte.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.bytes.len())
    }

    fn shared(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let shared = usize::try_from(self.number()?).ok().filter(|shared| *shared <= text.len())?;
        let rest = self.count()?;
        let (new, rest): (&'b [u8], _) = self.bytes.split_at_checked(rest)?;
        self.bytes = rest;
        text.truncate(shared);
        text.extend(new);
        Some(())
    }

    fn entry(&mut self, text: &mut Vec<u8>) -> Option<Entry> {
        self.shared(text)?;
        let text = std::str::from_utf8(text).ok()?.to_owned();
        let count = self.count()?;
        let senses = (0..count).map(|_| {
            let concept = Concept(self.small()?);
            Some((concept, u16::try_from(self.number()?).ok()?, self.small()?))
        });
        Some(Entry { text, senses: senses.collect::<Option<_>>()? })
    }

    fn facts(&mut self) -> Option<Facts> {
        let part = u8::try_from(self.number()?).ok()?;
        let frequency = self.number()?;
        let count = self.count()?;
        let broader = (0..count).map(|_| self.small().map(Concept)).collect::<Option<_>>()?;
        let count = self.count()?;
        let words = (0..count).map(|_| self.small()).collect::<Option<_>>()?;
        Some(Facts { part, frequency, broader, words })
    }
}

impl PackedTaxonomy {
    /// Maps a file and checks all of it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let taxonomy = Self::read(Packed::open(KIND, path)?)?;
        taxonomy.check()?;
        Ok(taxonomy)
    }

    /// The same from bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        let taxonomy = Self::read(Packed::from_bytes(KIND, bytes)?)?;
        taxonomy.check()?;
        Ok(taxonomy)
    }

    /// The same from bytes that ship with the program, which a test checks.
    pub(super) fn embedded(bytes: &'static [u8]) -> Result<Self, Error> {
        Self::read(Packed::embedded(KIND, bytes)?)
    }

    fn read(packed: Packed) -> Result<Self, Error> {
        let meta = std::str::from_utf8(packed.section("meta")?).map_err(|_| nonsense("meta"))?;
        let value = |wanted: &str| {
            let mut fields = meta.lines().filter_map(|line| line.split_once('\t'));
            fields.find(|(key, _)| *key == wanted).map(|(_, value)| value).ok_or_else(|| nonsense(wanted))
        };
        let number = |wanted: &str| value(wanted)?.parse::<usize>().map_err(|_| nonsense(wanted));
        let truth = |wanted: &str| value(wanted)?.parse::<bool>().map_err(|_| nonsense(wanted));
        let totals = value("totals")?.split(' ').map(|total| total.parse::<u64>().ok());
        let totals = totals.collect::<Option<Vec<u64>>>().ok_or_else(|| nonsense("totals"))?;
        let language = match value("language")? {
            "en" => Language::English,
            "es" => Language::Spanish,
            _ => Language::Other,
        };
        let summary = Summary {
            concepts: number("concepts")?,
            words: number("words")?,
            roots: number("roots")?,
            depth: u32::try_from(number("depth")?).map_err(|_| nonsense("depth"))?,
            dangling: number("dangling")?,
        };
        let section = |name: &str, items: usize, block: usize| {
            let section = Section { bytes: packed.range(name)?, starts: packed.range(&format!("{name}@"))? };
            let starts = section.starts.len() / 4;
            if starts != items.div_ceil(block) + 1 || !section.starts.len().is_multiple_of(4) {
                return Err(nonsense(name));
            }
            Ok(section)
        };
        Ok(Self {
            name: value("name")?.to_owned(),
            language,
            names: truth("names")?,
            counted: truth("counted")?,
            totals,
            codes: section("codes", summary.concepts, BLOCK)?,
            concepts: section("concept", summary.concepts, BLOCK)?,
            words: section("words", summary.words, BLOCK)?,
            glosses: section("glosses", summary.concepts, GLOSSES)?,
            irregular: packed.range("irregul")?,
            children: OnceLock::new(),
            summary,
            packed,
        })
    }

    /// Reads everything once: numbers are of what exists, texts are texts, and broader is more frequent, so
    /// that no way up can end where it began.
    pub(super) fn check(&self) -> Result<(), Error> {
        let mut facts: Vec<Facts> = Vec::with_capacity(self.summary.words.min(self.summary.concepts));
        for block in 0..self.summary.concepts.div_ceil(BLOCK) {
            let mut cursor = Cursor { bytes: self.block(&self.concepts, block).unwrap_or_default() };
            for _ in 0..BLOCK.min(self.summary.concepts - block * BLOCK) {
                facts.push(cursor.facts().ok_or_else(|| nonsense("concepts"))?);
            }
        }
        for concept in &facts {
            let rising = |broader: &Concept| {
                facts.get(broader.0 as usize).is_some_and(|broader| broader.frequency > concept.frequency)
            };
            let words = !concept.words.is_empty()
                && concept.words.iter().all(|word| (*word as usize) < self.summary.words);
            let total = self.totals.get(usize::from(concept.part)).copied().unwrap_or(0);
            if !concept.broader.iter().all(rising) || !words || concept.frequency == 0 || total == 0 {
                return Err(nonsense("concepts"));
            }
        }
        for block in 0..self.summary.words.div_ceil(BLOCK) {
            let entries = self.entries(block).ok_or_else(|| nonsense("words"))?;
            let fits = |(concept, _, _): &(Concept, u16, u32)| (concept.0 as usize) < self.summary.concepts;
            if !entries.iter().all(|entry| entry.senses.iter().all(fits)) {
                return Err(nonsense("words"));
            }
        }
        for block in 0..self.summary.concepts.div_ceil(BLOCK) {
            self.block_of_codes(block).ok_or_else(|| nonsense("codes"))?;
        }
        for block in 0..self.summary.concepts.div_ceil(GLOSSES) {
            self.block_of_glosses(block).ok_or_else(|| nonsense("glosses"))?;
        }
        std::str::from_utf8(self.packed.at(&self.irregular)).map_err(|_| nonsense("irregular"))?;
        Ok(())
    }

    /// Returns its size.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// The language of its words.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns whether its information content is based on counts rather than on the number of narrower concepts.
    pub fn counted(&self) -> bool {
        self.counted
    }

    /// All concepts, in the order of their codes.
    pub fn concepts(&self) -> impl Iterator<Item = Concept> {
        (0u32..).take(self.summary.concepts).map(Concept)
    }

    /// The children of all concepts, with where those of each start. Reads the whole file once.
    fn children(&self) -> &Children {
        self.children.get_or_init(|| {
            let mut pairs: Vec<(u32, u32)> = Vec::new();
            for first in (0..self.summary.concepts).step_by(BLOCK) {
                let bytes = self.block(&self.concepts, first / BLOCK).unwrap_or_default();
                let mut cursor = Cursor { bytes };
                for id in (0u32..).skip(first).take(BLOCK.min(self.summary.concepts - first)) {
                    let broader = cursor.facts().map(|facts| facts.broader).unwrap_or_default();
                    pairs.extend(broader.into_iter().map(|broader| (broader.0, id)));
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        })
    }

    /// Irregular forms, for the embedded WordNet: sorted lines.
    pub(super) fn irregular(&self) -> &str {
        std::str::from_utf8(self.packed.at(&self.irregular)).unwrap_or_default()
    }

    fn block(&self, section: &Section, block: usize) -> Option<&[u8]> {
        let starts = self.packed.at(&section.starts);
        let at = block.checked_mul(4).filter(|at| at + 8 <= starts.len())?;
        let range = u32_at(starts, at) as usize..u32_at(starts, at + 4) as usize;
        self.packed.at(&section.bytes).get(range)
    }

    fn facts(&self, concept: Concept) -> Option<Facts> {
        let id = concept.0 as usize;
        let mut cursor = Cursor { bytes: self.block(&self.concepts, id / BLOCK)? };
        for _ in 0..id % BLOCK {
            cursor.facts()?;
        }
        cursor.facts()
    }

    fn entries(&self, block: usize) -> Option<Vec<Entry>> {
        let mut cursor = Cursor { bytes: self.block(&self.words, block)? };
        let count = BLOCK.min(self.summary.words - block * BLOCK);
        let mut text = Vec::new();
        (0..count).map(|_| cursor.entry(&mut text)).collect()
    }

    fn block_of_codes(&self, block: usize) -> Option<Vec<String>> {
        let mut cursor = Cursor { bytes: self.block(&self.codes, block)? };
        let count = BLOCK.min(self.summary.concepts - block * BLOCK);
        let mut code = Vec::new();
        let codes = (0..count).map(|_| {
            cursor.shared(&mut code)?;
            String::from_utf8(code.clone()).ok()
        });
        codes.collect()
    }

    fn block_of_glosses(&self, block: usize) -> Option<String> {
        let bytes = self.block(&self.glosses, block)?;
        let mut glosses = String::new();
        if !bytes.is_empty() {
            DeflateDecoder::new(bytes).take(MAX_GLOSSES).read_to_string(&mut glosses).ok()?;
        }
        Some(glosses)
    }

    fn word(&self, word: u32) -> Option<String> {
        let word = word as usize;
        self.entries(word / BLOCK)?.into_iter().nth(word % BLOCK).map(|entry| entry.text)
    }

    /// All words that are filed under a key.
    fn filed(&self, wanted: &str) -> Vec<Entry> {
        let blocks = self.summary.words.div_ceil(BLOCK);
        let first = |block: usize| {
            let mut cursor = Cursor { bytes: self.block(&self.words, block)? };
            let mut text = Vec::new();
            cursor.shared(&mut text)?;
            Some(key(std::str::from_utf8(&text).ok()?))
        };
        let (mut low, mut high) = (0, blocks);
        while low < high {
            let middle = low.midpoint(high);
            if first(middle).is_some_and(|first| first.as_str() < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        for block in low.saturating_sub(1)..blocks {
            let mut beyond = false;
            for entry in self.entries(block).unwrap_or_default() {
                let key = key(&entry.text);
                beyond |= key.as_str() > wanted;
                if key == wanted {
                    found.push(entry);
                }
            }
            if beyond {
                break;
            }
        }
        found
    }

    /// Words that a term may be, best first: as it is written, then uninflected, then in other case.
    fn candidates(&self, term: &str) -> Vec<(u8, Entry)> {
        let wanted = key(term);
        if wanted.is_empty() || term.len() > LONGEST {
            return Vec::new();
        }
        let mut found: Vec<(u8, Entry)> = Vec::new();
        for entry in self.filed(&wanted) {
            let tier = match Case::of(term, &entry.text) {
                Case::Same => 0,
                Case::Raised => 1,
                Case::Lowered => 3,
            };
            found.push((tier, entry));
        }
        // A name that is known as it stands is no plural: Paris is not two of a Pari.
        let settled = self.names && found.iter().any(|(tier, _)| *tier < 3);
        let bases = if settled { Vec::new() } else { Morphology::of(self.language).bases(&wanted) };
        for (part, form) in bases {
            // Where parts of speech are not told apart, all words are taken for nouns.
            if self.totals.len() <= 1 && part != Part::Noun {
                continue;
            }
            for mut entry in self.filed(&form) {
                if form == wanted {
                    continue;
                }
                let lowered = Case::of(&form, &entry.text) == Case::Lowered;
                let capital = entry.text.starts_with(char::is_uppercase);
                let same = capital == term.starts_with(char::is_uppercase);
                entry.senses.retain(|(concept, _, _)| self.part_of(*concept).is_none_or(|own| own == part));
                if !entry.senses.is_empty() {
                    found.push((if lowered && !same { 4 } else { 2 }, entry));
                }
            }
        }
        if self.names {
            found.retain(|(tier, _)| *tier < 3 && term.starts_with(char::is_uppercase));
        }
        found.sort_by_key(|(tier, _)| *tier);
        found
    }

    /// The part of speech of a concept, if the taxonomy tells them apart.
    fn part_of(&self, concept: Concept) -> Option<Part> {
        if self.totals.len() <= 1 {
            return None;
        }
        self.facts(concept).and_then(|facts| Part::from_number(facts.part))
    }
}

/// A term is a noun phrase, so that noun senses are more likely than WordNet's counts, which are of running
/// text, say. By that much, at which `Catholic` is a person and `old` an adjective.
const NOUN: f64 = 8.0;
/// What each step away from how the term is written leaves of a sense's weight.
const STEP: f64 = 0.1;

impl Taxonomy for PackedTaxonomy {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn fingerprint(&self) -> String {
        self.packed.fingerprint()
    }

    fn senses(&self, term: &str) -> Vec<Sense> {
        let mut all: Vec<Sense> = Vec::new();
        let candidates = self.candidates(term);
        let mut share = 1.0;
        for tier in candidates.chunk_by(|a, b| a.0 == b.0) {
            let mut own: Vec<Sense> = Vec::new();
            let capital = |text: &str| text.starts_with(char::is_uppercase);
            let exact = tier.iter().any(|(_, entry)| capital(&entry.text) == capital(term));
            for (concept, rank, count) in tier.iter().flat_map(|(_, entry)| &entry.senses).copied() {
                let prior = if self.part_of(concept) == Some(Part::Noun) { NOUN } else { 1.0 };
                let probability = prior * (f64::from(count) + 1.0 / (f64::from(rank) + 1.0));
                match own.iter_mut().find(|known| known.concept == concept) {
                    Some(known) => known.probability += probability,
                    None => own.push(Sense { concept, probability, count, exact }),
                }
            }
            let sum: f64 = own.iter().map(|sense| sense.probability).sum();
            for mut sense in own {
                if !all.iter().any(|known| known.concept == sense.concept) {
                    sense.probability *= share / sum;
                    all.push(sense);
                }
            }
            share *= STEP;
        }
        let sum: f64 = all.iter().map(|sense| sense.probability).sum();
        for sense in &mut all {
            sense.probability /= sum;
        }
        all.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.concept.cmp(&b.concept)));
        all
    }

    fn holds_names(&self) -> bool {
        self.names
    }

    fn concept(&self, code: &str) -> Option<Concept> {
        let (mut low, mut high) = (0, self.summary.concepts.div_ceil(BLOCK));
        while low < high {
            let middle = low.midpoint(high);
            let codes = self.block_of_codes(middle)?;
            if let Ok(at) = codes.binary_search_by(|known| known.as_str().cmp(code)) {
                return u32::try_from(middle * BLOCK + at).ok().map(Concept);
            }
            if codes.first().is_some_and(|first| first.as_str() > code) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        None
    }

    fn code(&self, concept: Concept) -> String {
        let id = concept.0 as usize;
        let block = self.block_of_codes(id / BLOCK).unwrap_or_default();
        block.into_iter().nth(id % BLOCK).unwrap_or_default()
    }

    fn label(&self, concept: Concept) -> String {
        let word = self.facts(concept).and_then(|facts| facts.words.first().copied());
        word.and_then(|word| self.word(word)).unwrap_or_default()
    }

    fn synonyms(&self, concept: Concept) -> Vec<String> {
        let words = self.facts(concept).map(|facts| facts.words).unwrap_or_default();
        words.into_iter().filter_map(|word| self.word(word)).collect()
    }

    fn gloss(&self, concept: Concept) -> Option<String> {
        let id = concept.0 as usize;
        let glosses = self.block_of_glosses(id / GLOSSES)?;
        glosses.split('\n').nth(id % GLOSSES).filter(|gloss| !gloss.is_empty()).map(str::to_owned)
    }

    fn broader(&self, concept: Concept) -> Vec<Concept> {
        self.facts(concept).map(|facts| facts.broader).unwrap_or_default()
    }

    fn narrower(&self, concept: Concept) -> Vec<Concept> {
        let children = self.children();
        let first = children.partition_point(|(broader, _)| *broader < concept.0);
        let of = children[first..].iter().take_while(|(broader, _)| *broader == concept.0);
        of.map(|(_, narrower)| Concept(*narrower)).collect()
    }

    fn information_content(&self, concept: Concept) -> f64 {
        self.facts(concept).map_or(0.0, |facts| {
            let total = self.totals.get(usize::from(facts.part)).copied().unwrap_or(1);
            (total as f64 / facts.frequency as f64).log2().max(0.0)
        })
    }
}

fn nonsense(what: &str) -> Error {
    Error::new(ErrorKind::Malformed, format!("the taxonomy file is inconsistent: {what}"))
        .with_hint("build it again with `reticent taxonomy import`")
}
