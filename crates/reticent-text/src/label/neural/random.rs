//! Chance that is the same on every machine: `SplitMix64` (Steele, Lea and Flood, 2014).

/// A source of numbers.
#[derive(Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From zero to below one.
    pub(super) fn share(&mut self) -> f32 {
        f32::from(u16::try_from(self.next() >> 48).unwrap_or(0)) / 65536.0
    }

    /// A number below another.
    #[allow(clippy::cast_possible_truncation)]
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Between `-size` and `size`.
    pub(super) fn around(&mut self, size: f32) -> f32 {
        // The upper 24 bits are all that an f32 can tell apart.
        let bits = u32::try_from(self.next() >> 40).unwrap_or(0);
        (bits as f32 / 8_388_608.0 - 1.0) * size
    }

    pub(super) fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }

    /// What dropout multiplies with: zero with this chance, and otherwise so much more.
    pub(super) fn mask(&mut self, count: usize, dropout: f32) -> Vec<f32> {
        let kept = 1.0 / (1.0 - dropout);
        let mut mask = Vec::with_capacity(count + 3);
        while mask.len() < count {
            let bits = self.next();
            for part in 0..4 {
                let share = f32::from(((bits >> (16 * part)) & 0xFFFF) as u16) / 65536.0;
                mask.push(if share < dropout { 0.0 } else { kept });
            }
        }
        mask.truncate(count);
        mask
    }
}
