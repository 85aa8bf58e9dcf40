//! A table from hashes to numbers that is used in the bytes it lies in.

use crate::{Error, ErrorKind};

/// Where a table lies in some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    start: usize,
    slots: usize,
}

/// A slot is the lower half of a hash and its number.
const SLOT: usize = 8;
const EMPTY: u32 = u32::MAX;

impl Table {
    /// A table as bytes. No number may be `u32::MAX`; of two equal hashes the first counts.
    pub(crate) fn write(entries: impl ExactSizeIterator<Item = (u64, u32)>, into: &mut Vec<u8>) {
        let slots = entries.len() * 4 / 3 + 2;
        let mut table = vec![(0u32, EMPTY); slots];
        for (hash, number) in entries {
            let mut at = slot_of(hash, slots);
            while table[at].1 != EMPTY && table[at].0 != mark_of(hash) {
                at = (at + 1) % slots;
            }
            if table[at].1 == EMPTY {
                table[at] = (mark_of(hash), number);
            }
        }
        into.extend((slots as u64).to_le_bytes());
        for (mark, number) in table {
            into.extend(mark.to_le_bytes());
            into.extend(number.to_le_bytes());
        }
    }

    /// The table that begins at a place, and where it ends.
    pub(crate) fn open(bytes: &[u8], at: usize) -> Result<(Self, usize), Error> {
        let damaged = || Error::new(ErrorKind::Model, "a table of the NER model is damaged");
        let mut size = [0; 8];
        size.copy_from_slice(bytes.get(at..at.saturating_add(8)).ok_or_else(damaged)?);
        let slots = usize::try_from(u64::from_le_bytes(size)).map_err(|_| damaged())?;
        let start = at + 8;
        let end = slots.checked_mul(SLOT).and_then(|size| size.checked_add(start)).ok_or_else(damaged)?;
        let slot = bytes.get(start..end).ok_or_else(damaged)?;
        // Without an empty slot a search would never end.
        if !slot.chunks_exact(SLOT).any(|slot| slot[4..] == EMPTY.to_le_bytes()) {
            return Err(damaged());
        }
        Ok((Self { start, slots }, end))
    }

    /// Reads the slots in which hashes should be, into the cache: one after the other they would each wait
    /// for memory.
    pub(crate) fn touch(self, bytes: &[u8], hashes: &[u64]) -> u8 {
        hashes.iter().fold(0, |sum, hash| sum ^ bytes[self.start + slot_of(*hash, self.slots) * SLOT])
    }

    /// The number of a hash.
    pub(crate) fn get(self, bytes: &[u8], hash: u64) -> Option<u32> {
        let mark = mark_of(hash).to_le_bytes();
        let mut at = slot_of(hash, self.slots);
        loop {
            let slot = &bytes[self.start + at * SLOT..self.start + (at + 1) * SLOT];
            let number = u32::from_le_bytes([slot[4], slot[5], slot[6], slot[7]]);
            if number == EMPTY {
                return None;
            }
            if slot[..4] == mark {
                return Some(number);
            }
            at = if at + 1 == self.slots { 0 } else { at + 1 };
        }
    }
}

/// The upper half of a hash chooses the slot.
#[allow(clippy::cast_possible_truncation)]
fn slot_of(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

#[allow(clippy::cast_possible_truncation)]
fn mark_of(hash: u64) -> u32 {
    hash as u32
}

/// A hash of bytes that is the same on every machine and in every version.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash = SEED;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(eight));
    }
    let mut rest = [0; 8];
    rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    mix(mix(hash, u64::from_le_bytes(rest)), bytes.len() as u64)
}

/// Adds a number to a hash.
pub(crate) fn mix(hash: u64, number: u64) -> u64 {
    let product = u128::from(hash ^ number) * u128::from(0x9E37_79B9_7F4A_7C15_u64 | 1);
    #[allow(clippy::cast_possible_truncation)]
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded.wrapping_add(0xD1B5_4A32_D192_ED03).rotate_left(23)
}

const SEED: u64 = 0x2545_F491_4F6C_DD1D;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hashes_seldom_meet() {
        let all: HashSet<u64> = (0..200_000u32).map(|number| hash(format!("w{number}").as_bytes())).collect();
        assert_eq!(all.len(), 200_000);
        let halves: HashSet<u32> = all.iter().map(|hash| mark_of(*hash)).collect();
        assert!(halves.len() > 199_900, "{}", halves.len());
    }

    proptest! {
        #[test]
        fn finds_what_was_put_in(keys in prop::collection::hash_set(any::<u64>(), 0..200), other in any::<u64>()) {
            let entries: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
            let mut bytes = vec![7; 3];
            Table::write(entries.iter().copied(), &mut bytes);
            let (table, end) = Table::open(&bytes, 3).unwrap();
            prop_assert_eq!(end, bytes.len());
            for (key, number) in entries {
                prop_assert_eq!(table.get(&bytes, key), Some(number));
            }
            prop_assert!(keys.contains(&other) || table.get(&bytes, other).is_none());
        }

        #[test]
        fn any_bytes_are_opened_or_refused(bytes in any::<Vec<u8>>()) {
            if let Ok((table, _)) = Table::open(&bytes, 0) {
                table.get(&bytes, 5);
            }
        }
    }
}
