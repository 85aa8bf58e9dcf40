//! From a [`Draft`] to the bytes of a file.
//!
//! | section | holds |
//! |---|---|
//! | `meta` | lines of a key, a tab and a value |
//! | `codes` | the codes, sorted; a concept's number is the place of its code |
//! | `concepts` | for each concept: part, frequency, broader concepts, words (the label first) |
//! | `words` | the words, sorted by key; for each its senses: concept, rank, count |
//! | `glosses` | lines, deflated |
//! | `irregular` | sorted lines: part of speech and inflected word, a tab, base form |
//!
//! All but the first and last are cut into blocks; a section with the same name and an `@` holds where each
//! block starts, and the end. Within a block, words and codes are told by how many bytes they share with the
//! one before. Numbers are LEB128.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use reticent_text::Language;

use super::draft::{Draft, Summary};
use super::key::key;
use super::packed::KIND;
use crate::packed::write;
use crate::{Error, ErrorKind};

/// How many codes, concepts or words make a block.
pub(super) const BLOCK: usize = 16;
/// How many glosses make a block.
pub(super) const GLOSSES: usize = 256;

/// A section that is cut into blocks.
#[derive(Default)]
struct Blocks {
    bytes: Vec<u8>,
    starts: Vec<u8>,
}

impl Blocks {
    fn start(&mut self) -> Result<(), Error> {
        let at = u32::try_from(self.bytes.len())
            .map_err(|_| Error::new(ErrorKind::Limit, "the taxonomy is too large"))?;
        self.starts.extend(at.to_le_bytes());
        Ok(())
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }

    fn shared(&mut self, text: &str, before: &str) {
        let shared = text.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        self.number(shared as u64);
        self.number((text.len() - shared) as u64);
        self.bytes.extend(&text.as_bytes()[shared..]);
    }
}

struct WordSense<'d> {
    key: String,
    text: &'d str,
    concept: u32,
    rank: u16,
    count: u32,
}

impl Draft {
    /// Checks what was gathered, counts, and packs it. The same draft gives the same bytes.
    pub fn pack(mut self) -> Result<(Vec<u8>, Summary), Error> {
        let dangling = self.settle()?;
        let (_, depth) = self.downwards()?;
        let frequencies = self.frequencies()?;
        let totals = self.totals();
        if !self.ordered {
            for concept in &mut self.concepts {
                concept.broader.sort_by_key(|broader| (frequencies[*broader as usize], *broader));
            }
        }
        self.count_senses(&frequencies);
        self.rank();

        let mut senses: Vec<WordSense<'_>> = Vec::new();
        for (id, concept) in (0u32..).zip(&self.concepts) {
            senses.extend(concept.words.iter().map(|word| WordSense {
                key: key(&word.text),
                text: &word.text,
                concept: id,
                rank: word.rank,
                count: word.count,
            }));
        }
        senses.sort_by(|a, b| (&a.key, a.text, a.rank, a.concept).cmp(&(&b.key, b.text, b.rank, b.concept)));
        let mut word_of: Vec<Vec<(u32, &str)>> = vec![Vec::new(); self.concepts.len()];
        let mut words = Blocks::default();
        let mut count = 0u32;
        let mut before = "";
        for group in senses.chunk_by(|a, b| a.text == b.text) {
            let text = group[0].text;
            if (count as usize).is_multiple_of(BLOCK) {
                words.start()?;
                before = "";
            }
            words.shared(text, before);
            words.number(group.len() as u64);
            for sense in group {
                words.number(sense.concept.into());
                words.number(sense.rank.into());
                words.number(sense.count.into());
                word_of[sense.concept as usize].push((count, text));
            }
            before = text;
            let more = count.checked_add(1);
            count = more.ok_or_else(|| Error::new(ErrorKind::Limit, "there are too many words"))?;
        }
        words.start()?;

        let (codes, concepts) = self.concept_blocks(&frequencies, &word_of)?;
        let glosses = self.gloss_blocks()?;
        let summary = Summary {
            concepts: self.concepts.len(),
            words: count as usize,
            roots: self.concepts.iter().filter(|concept| concept.broader.is_empty()).count(),
            depth: depth.into_iter().max().unwrap_or(0),
            dangling,
        };
        let meta = self.meta(&summary, &totals);
        let irregular = self.irregular();
        let mut bytes = Vec::new();
        write(
            KIND,
            &[
                ("meta", meta.as_bytes()),
                ("codes", &codes.bytes),
                ("codes@", &codes.starts),
                ("concept", &concepts.bytes),
                ("concept@", &concepts.starts),
                ("words", &words.bytes),
                ("words@", &words.starts),
                ("glosses", &glosses.bytes),
                ("glosses@", &glosses.starts),
                ("irregul", irregular.as_bytes()),
            ],
            &mut bytes,
        )?;
        Ok((bytes, summary))
    }

    /// Where concepts were counted and not words, a word means each of its concepts as often as that is met:
    /// who says Georgia means the state or the country by how many live there.
    fn count_senses(&mut self, frequencies: &[u64]) {
        let words = self.concepts.iter().flat_map(|concept| &concept.words).any(|word| word.count > 0);
        if words || self.concepts.iter().all(|concept| concept.frequency == 0) {
            return;
        }
        for (concept, frequency) in self.concepts.iter_mut().zip(frequencies) {
            let count = u32::try_from(*frequency).unwrap_or(u32::MAX);
            concept.words.iter_mut().for_each(|word| word.count = count);
        }
    }

    /// Ranks the senses of a word by their counts where the source did not.
    fn rank(&mut self) {
        if self.concepts.iter().flat_map(|concept| &concept.words).any(|word| word.rank > 0) {
            return;
        }
        let mut senses: Vec<(String, u32, usize, usize)> = Vec::new();
        for (id, concept) in self.concepts.iter().enumerate() {
            let words = concept.words.iter().enumerate();
            senses.extend(words.map(|(at, word)| (word.text.clone(), word.count, id, at)));
        }
        senses.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        for group in senses.chunk_by(|a, b| a.0 == b.0) {
            for (rank, (_, _, id, at)) in group.iter().enumerate() {
                self.concepts[*id].words[*at].rank = u16::try_from(rank).unwrap_or(u16::MAX);
            }
        }
    }

    fn concept_blocks(
        &self,
        frequencies: &[u64],
        word_of: &[Vec<(u32, &str)>],
    ) -> Result<(Blocks, Blocks), Error> {
        let (mut codes, mut concepts) = (Blocks::default(), Blocks::default());
        let mut before = "";
        for (id, concept) in self.concepts.iter().enumerate() {
            if id.is_multiple_of(BLOCK) {
                codes.start()?;
                concepts.start()?;
                before = "";
            }
            codes.shared(&concept.code, before);
            before = &concept.code;
            concepts.number(concept.part.into());
            concepts.number(frequencies[id]);
            concepts.number(concept.broader.len() as u64);
            concept.broader.iter().for_each(|broader| concepts.number((*broader).into()));
            concepts.number(concept.words.len() as u64);
            for word in &concept.words {
                let place = word_of[id].iter().find(|(_, text)| *text == word.text);
                concepts.number(place.map_or(0, |(place, _)| u64::from(*place)));
            }
        }
        codes.start()?;
        concepts.start()?;
        Ok((codes, concepts))
    }

    fn gloss_blocks(&self) -> Result<Blocks, Error> {
        let mut glosses = Blocks::default();
        for block in self.concepts.chunks(GLOSSES) {
            glosses.start()?;
            let lines: Vec<&str> = block.iter().map(|concept| concept.gloss.as_str()).collect();
            if lines.iter().any(|line| !line.is_empty()) {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(lines.join("\n").as_bytes())?;
                glosses.bytes.extend(encoder.finish()?);
            }
        }
        glosses.start()?;
        Ok(glosses)
    }

    /// The sum of all counts for each part, which is the frequency that tells nothing.
    fn totals(&self) -> Vec<u64> {
        let parts = self.concepts.iter().map(|concept| usize::from(concept.part) + 1).max().unwrap_or(1);
        let mut totals = vec![0u64; parts];
        for concept in &self.concepts {
            let total = &mut totals[usize::from(concept.part)];
            *total = total.saturating_add(concept.own_frequency());
        }
        totals
    }

    fn meta(&self, summary: &Summary, totals: &[u64]) -> String {
        let language = match self.language {
            Language::English => "en",
            Language::Spanish => "es",
            Language::Other => "other",
        };
        let counted = totals.iter().sum::<u64>() > summary.concepts as u64;
        let totals: Vec<String> = totals.iter().map(ToString::to_string).collect();
        format!(
            "name\t{}\nlanguage\t{language}\nnames\t{}\ncounted\t{counted}\nconcepts\t{}\nwords\t{}\nroots\t{}\n\
             depth\t{}\ndangling\t{}\ntotals\t{}\n",
            self.name.split_whitespace().collect::<Vec<_>>().join(" "),
            self.names,
            summary.concepts,
            summary.words,
            summary.roots,
            summary.depth,
            summary.dangling,
            totals.join(" "),
        )
    }

    fn irregular(&self) -> String {
        let mut lines: Vec<String> =
            self.irregular.iter().map(|(part, word, base)| format!("{part}{word}\t{base}\n")).collect();
        lines.sort();
        lines.dedup();
        lines.concat()
    }
}
