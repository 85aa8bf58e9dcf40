//! Weights of features: a hash of the feature leads to a short row of (label, weight).
#![expect(
    clippy::cast_possible_truncation,
    reason = "hashes are cut on purpose, sizes are checked when read"
)]

use crate::{Error, ErrorKind};

/// A feature: 32 bits of hash. Two features in one place are rare and cost little.
pub(crate) type Feature = u32;

const EMPTY: u32 = u32::MAX;

/// Mixes a template's number and up to two values into a feature.
#[inline]
pub(crate) fn feature(template: u64, a: u64, b: u64) -> Feature {
    let h = (a ^ template.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let h = (h ^ (h >> 32) ^ b.wrapping_mul(0xc4ce_b9fe_1a85_ec53)).wrapping_mul(0x9fb2_1c65_1e98_df25);
    (h >> 32) as u32
}

#[inline]
fn spread(hash: u32) -> u32 {
    hash.wrapping_mul(0x9e37_79b1)
}

#[inline]
fn slot(hash: u32, shift: u32) -> usize {
    (spread(hash) >> shift) as usize
}

/// From hashes to small numbers, by open addressing.
pub(crate) struct Index {
    slots: Vec<(u32, u32)>,
    shift: u32,
}

impl Index {
    /// Room for so many entries.
    pub(crate) fn with_room_for(entries: usize) -> Self {
        let size = (entries * 3 / 2 + 16).next_power_of_two();
        Self { slots: vec![(0, EMPTY); size], shift: 32 - size.trailing_zeros() }
    }

    /// Puts a number where there is none yet. The index never grows: see [`Index::with_room_for`].
    pub(crate) fn insert(&mut self, hash: u32, value: u32) {
        let mut at = slot(hash, self.shift);
        while self.slots[at].1 != EMPTY {
            if self.slots[at].0 == hash {
                return;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (hash, value);
    }

    /// The number of a hash.
    #[inline]
    pub(crate) fn get(&self, hash: u32) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = slot(hash, self.shift);
        loop {
            let (key, value) = self.slots[at & mask];
            if value == EMPTY {
                return None;
            }
            if key == hash {
                return Some(value);
            }
            at += 1;
        }
    }
}

/// Rows of weights, ready to be added up.
pub(crate) struct Weights {
    /// Where a row begins; rows with [`DENSE`] in the number are dense.
    index: Index,
    /// Short rows: the length, then `label << 16 | weight as u16`.
    sparse: Vec<u32>,
    /// Long rows: a weight for every label, which adds up without looking at labels.
    dense: Vec<[i16; LABELS]>,
}

/// Room for labels: more than any tag set has.
pub(crate) const LABELS: usize = 64;
/// The scores of all labels.
pub(crate) type Scores = [i32; LABELS];

const DENSE: u32 = 1 << 31;
/// Rows with at least so many weights are dense.
const LONG: usize = 12;

impl Weights {
    /// Adds the row of a feature to the scores.
    #[inline]
    pub(crate) fn add(&self, feature: Feature, scores: &mut Scores) {
        let Some(at) = self.index.get(feature) else { return };
        if at & DENSE != 0 {
            let row = &self.dense[(at & !DENSE) as usize];
            for (score, &weight) in scores.iter_mut().zip(row) {
                *score += i32::from(weight);
            }
            return;
        }
        let at = at as usize;
        let length = self.sparse[at] as usize;
        for entry in &self.sparse[at + 1..=at + length] {
            let weight = i32::from(((entry & 0xffff) as u16).cast_signed());
            scores[(entry >> 16) as usize % LABELS] += weight;
        }
    }

    /// Reads what [`Rows::write`] wrote. `labels` bounds the labels.
    pub(crate) fn read(bytes: &mut super::Reader<'_>, labels: usize) -> Result<Self, Error> {
        let stored = Stored::read(bytes)?;
        let mut index = Index::with_room_for(stored.lengths.len());
        let mut sparse = Vec::with_capacity(stored.lengths.len() + stored.body.len() / 2);
        let mut dense: Vec<[i16; LABELS]> = Vec::new();
        stored.each(labels.min(LABELS), |hash, row| {
            let entries = row.chunks_exact(2).map(|entry| (entry[0], expand(entry[1].cast_signed())));
            if entries.len() >= LONG {
                index.insert(hash, dense.len() as u32 | DENSE);
                let mut row = [0; LABELS];
                entries.for_each(|(label, weight)| row[usize::from(label)] = weight);
                dense.push(row);
            } else {
                index.insert(hash, sparse.len() as u32);
                sparse.push(entries.len() as u32);
                sparse.extend(
                    entries.map(|(label, weight)| u32::from(label) << 16 | u32::from(weight.cast_unsigned())),
                );
            }
        })?;
        Ok(Self { index, sparse, dense })
    }
}

/// Weights for three labels: they stand in the slot itself, so that a feature costs one look.
pub(crate) struct Trios {
    slots: Vec<Trio>,
    shift: u32,
}

#[derive(Clone, Copy, Default)]
struct Trio {
    hash: u32,
    weights: [i16; 3],
    taken: bool,
}

impl Trios {
    /// Adds the weights of a feature to the scores.
    #[inline]
    pub(crate) fn add(&self, feature: Feature, scores: &mut [i32; 3]) {
        let mask = self.slots.len() - 1;
        let mut at = slot(feature, self.shift);
        loop {
            let trio = &self.slots[at & mask];
            if !trio.taken {
                return;
            }
            if trio.hash == feature {
                for (score, weight) in scores.iter_mut().zip(trio.weights) {
                    *score += i32::from(weight);
                }
                return;
            }
            at += 1;
        }
    }

    /// Reads what [`Rows::write`] wrote.
    pub(crate) fn read(bytes: &mut super::Reader<'_>) -> Result<Self, Error> {
        let stored = Stored::read(bytes)?;
        let size = (stored.lengths.len() * 3 / 2 + 16).next_power_of_two();
        let shift = 32 - size.trailing_zeros();
        let mut slots = vec![Trio::default(); size];
        stored.each(3, |hash, row| {
            let mut at = slot(hash, shift);
            while slots[at & (size - 1)].taken {
                at += 1;
            }
            let mut trio = Trio { hash, weights: [0; 3], taken: true };
            for entry in row.chunks_exact(2) {
                trio.weights[usize::from(entry[0])] = expand(entry[1].cast_signed());
            }
            slots[at & (size - 1)] = trio;
        })?;
        Ok(Self { slots, shift })
    }
}

/// Rows as they are in a file: hashes, lengths of rows, then (label, code) of all rows.
struct Stored<'a> {
    hashes: &'a [u8],
    lengths: &'a [u8],
    body: &'a [u8],
}

impl<'a> Stored<'a> {
    fn read(bytes: &mut super::Reader<'a>) -> Result<Self, Error> {
        let count = bytes.length(5)?;
        let hashes = bytes.take(count * 4)?;
        let lengths = bytes.take(count)?;
        let entries: usize = lengths.iter().map(|&length| usize::from(length)).sum();
        Ok(Self { hashes, lengths, body: bytes.take(entries * 2)? })
    }

    fn each(&self, labels: usize, mut row: impl FnMut(u32, &[u8])) -> Result<(), Error> {
        if self.body.chunks_exact(2).any(|entry| usize::from(entry[0]) >= labels) {
            return Err(Error::new(ErrorKind::Model, "a model refers to an undefined label"));
        }
        let mut rest = self.body;
        for (hash, &length) in self.hashes.chunks_exact(4).zip(self.lengths) {
            let (own, after) = rest.split_at(usize::from(length) * 2);
            row(u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]), own);
            rest = after;
        }
        Ok(())
    }
}

/// Rows as training leaves them: feature, then (label, weight) with real weights.
pub(crate) struct Rows(pub(crate) Vec<(Feature, Vec<(u8, f32)>)>);

impl Rows {
    /// Writes the `most` largest weights, in 8 bits each. Returns how many rows are left.
    pub(crate) fn write(&self, out: &mut super::Writer, most: usize) -> usize {
        let least = self.least(most);
        let largest =
            self.0.iter().flat_map(|(_, row)| row).map(|(_, weight)| weight.abs()).fold(0.0, f32::max);
        let mut kept: Vec<(Feature, Vec<(u8, i8)>)> = Vec::new();
        for (feature, row) in &self.0 {
            let row: Vec<_> = row
                .iter()
                .filter(|(_, weight)| weight.abs() >= least)
                .map(|&(label, weight)| (label, squeeze(weight / largest)))
                .filter(|&(_, code)| code != 0)
                .collect();
            if !row.is_empty() {
                kept.push((*feature, row));
            }
        }
        // In the order of their slots: reading then fills the table from front to back.
        kept.sort_by_key(|(feature, _)| spread(*feature));
        kept.dedup_by_key(|(feature, _)| *feature);
        out.length(kept.len());
        for (feature, _) in &kept {
            out.bytes(&feature.to_le_bytes());
        }
        for (_, row) in &kept {
            out.bytes(&[row.len() as u8]);
        }
        for (label, code) in kept.iter().flat_map(|(_, row)| row) {
            out.bytes(&[*label, code.cast_unsigned()]);
        }
        kept.len()
    }
}

impl Rows {
    /// The size of the smallest weight that is kept if `most` are.
    fn least(&self, most: usize) -> f32 {
        let mut sizes: Vec<f32> =
            self.0.iter().flat_map(|(_, row)| row).map(|(_, weight)| weight.abs()).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        sizes.get(most.saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

/// Largest weight in memory: the square of the largest code.
const FULL: f32 = 127.0 * 127.0;

/// Codes are square roots: small weights, of which there are many, keep their differences.
fn squeeze(share: f32) -> i8 {
    ((share.abs() * FULL).sqrt().round().min(127.0) as i8) * share.signum() as i8
}

fn expand(code: i8) -> i16 {
    i16::from(code) * i16::from(code).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tag::{Reader, Writer};

    #[test]
    fn writes_and_reads() {
        let rows = Rows(vec![(7, vec![(0, 1.0), (1, -0.25)]), (3, vec![(2, 0.5)]), (9, vec![(1, 0.001)])]);
        let mut out = Writer::default();
        assert_eq!(rows.write(&mut out, 3), 2);
        let bytes = out.finish();
        let weights = Weights::read(&mut Reader::new(&bytes), 3).unwrap();
        let mut scores = [0; LABELS];
        weights.add(7, &mut scores);
        weights.add(9, &mut scores);
        assert_eq!(scores[0], 127 * 127);
        assert!((scores[1] + 127 * 127 / 4).abs() < 100 && scores[2] == 0);
    }

    #[test]
    fn refuses_labels_and_lengths_that_are_not_there() {
        let mut out = Writer::default();
        Rows(vec![(7, vec![(2, 1.0)])]).write(&mut out, 9);
        let bytes = out.finish();
        assert!(Weights::read(&mut Reader::new(&bytes), 2).is_err());
        assert!(Weights::read(&mut Reader::new(&bytes[..bytes.len() - 1]), 3).is_err());
        assert!(Weights::read(&mut Reader::new(&[255; 4]), 3).is_err());
    }
}
