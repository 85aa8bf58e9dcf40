//! Lists of names, places and the like, and clusters of words, looked up in the bytes they lie in.

use super::attribute::hash_lower;
use super::crf::Bytes;
use super::table::{Table, mix};
use super::tokens::Tokens;
use crate::Error;

/// At most so many lists.
const MOST: usize = 24;
/// Set in an entry that longer entries begin with.
const BEGINS: u32 = 1 << 30;
/// Set in an entry that is itself in a list.
const WHOLE: u32 = 1 << 29;
/// The longest entry, in tokens.
const LONGEST: usize = 8;

/// Named lists of words and phrases.
pub(crate) struct Lists {
    bytes: Bytes,
    names: Vec<String>,
    phrases: Table,
    clusters: Table,
}

/// In which lists a token is: at the beginning of an entry, or further inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    begin: u32,
    inside: u32,
}

impl Found {
    pub(crate) fn of(self, bit: u32) -> u64 {
        u64::from(self.begin >> bit & 1) + 2 * u64::from(self.inside >> bit & 1)
    }

    pub(crate) fn all(self) -> u64 {
        u64::from(self.begin) << 32 | u64::from(self.inside)
    }
}

/// What lists are made from.
#[derive(Clone, Debug, Default)]
pub struct ListSources {
    /// Names of lists with their entries.
    pub lists: Vec<(String, Vec<String>)>,
    /// Words with the bits of their cluster.
    pub clusters: Vec<(String, u16)>,
}

impl Lists {
    /// Writes lists as bytes.
    pub(crate) fn write(sources: &ListSources, into: &mut Vec<u8>) {
        let mut entries: std::collections::BTreeMap<u64, u32> = std::collections::BTreeMap::new();
        for (bit, (_, phrases)) in sources.lists.iter().take(MOST).enumerate() {
            for phrase in phrases {
                let whole = crate::Span::new(0, phrase.len());
                let words = super::segment::segment(phrase, whole);
                if words.is_empty() || words.len() > LONGEST {
                    continue;
                }
                let mut value = START;
                for (at, word) in words.iter().enumerate() {
                    value = mix(value, hash_lower(word.of(phrase)));
                    let last = at + 1 == words.len();
                    *entries.entry(value).or_insert(0) |= if last { WHOLE | 1 << bit } else { BEGINS };
                }
            }
        }
        Table::write(entries.into_iter(), into);
        let clusters = sources.clusters.iter().map(|(word, bits)| (hash_lower(word), u32::from(*bits)));
        Table::write(clusters.collect::<Vec<_>>().into_iter(), into);
    }

    /// Opens what [`Lists::write`] made, from a place on; also gives where it ends.
    pub(crate) fn open(bytes: Bytes, at: usize, names: Vec<String>) -> Result<(Self, usize), Error> {
        let all = (*bytes).as_ref();
        let (phrases, next) = Table::open(all, at)?;
        let (clusters, end) = Table::open(all, next)?;
        Ok((Self { bytes, names, phrases, clusters }, end))
    }

    pub(crate) fn bit(&self, name: &str) -> Option<u32> {
        let at = self.names.iter().position(|known| known == name)?;
        u32::try_from(at).ok().filter(|at| (*at as usize) < MOST)
    }

    /// The first bits of a word's cluster, as a value.
    pub(crate) fn cluster(&self, word: u64, bits: u32) -> u64 {
        let found = self.clusters.get((*self.bytes).as_ref(), word);
        found.map_or(0, |cluster| u64::from(cluster >> (16 - bits.min(16))) + 3)
    }

    /// For each token the lists that it is in; the longest entry from each place counts.
    pub(crate) fn values(&self, tokens: &Tokens<'_>) -> Vec<Found> {
        let all = (*self.bytes).as_ref();
        let words: Vec<u64> = tokens.spans.iter().map(|span| hash_lower(span.of(tokens.text))).collect();
        let mut found = vec![Found::default(); words.len()];
        for sequence in &tokens.sequences {
            for start in sequence.clone() {
                let mut value = START;
                for (token, word) in
                    words.iter().enumerate().take(sequence.end.min(start + LONGEST)).skip(start)
                {
                    value = mix(value, *word);
                    let Some(entry) = self.phrases.get(all, value) else { break };
                    if entry & WHOLE != 0 {
                        let lists = entry & (WHOLE - 1);
                        found[start].begin |= lists;
                        found[start + 1..=token].iter_mut().for_each(|found| found.inside |= lists);
                    }
                    if entry & BEGINS == 0 {
                        break;
                    }
                }
            }
        }
        found
    }
}

const START: u64 = 0x51;
