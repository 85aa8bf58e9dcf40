//! Rows of numbers in bytes, at 32 or 8 bits each.

/// How exactly numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    Full,
    /// 8 bits, with one scale for each vector: a quarter of the size. Cosines differ by less than 0.01
    /// (measured in a test).
    EightBit,
}

/// Rows as bytes, and their scales if they have 8 bits.
pub(super) fn encode(rows: &[f32], dimension: usize, precision: Precision) -> (Vec<u8>, Vec<u8>) {
    match precision {
        Precision::Full => (rows.iter().flat_map(|x| x.to_le_bytes()).collect(), Vec::new()),
        Precision::EightBit => {
            let (mut bytes, mut scales) = (Vec::with_capacity(rows.len()), Vec::new());
            for row in rows.chunks_exact(dimension) {
                let most = row.iter().fold(0.0f32, |most, x| most.max(x.abs()));
                let scale = most / 127.0;
                scales.extend(scale.to_le_bytes());
                let divisor = if scale > 0.0 { scale } else { 1.0 };
                #[allow(clippy::cast_possible_truncation)]
                bytes.extend(row.iter().map(|x| ((x / divisor).round() as i8).to_le_bytes()[0]));
            }
            (bytes, scales)
        }
    }
}

/// Rows as they lie in a file. Its lengths were checked when it was opened.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) scales: &'a [u8],
    pub(super) dimension: usize,
    pub(super) precision: Precision,
}

impl Rows<'_> {
    /// Whether the bytes are as many as so many rows need.
    pub(super) fn fit(&self, rows: usize) -> bool {
        let cells = rows.checked_mul(self.dimension);
        match self.precision {
            Precision::Full => {
                cells.and_then(|n| n.checked_mul(4)) == Some(self.bytes.len()) && self.scales.is_empty()
            }
            Precision::EightBit => {
                cells == Some(self.bytes.len()) && rows.checked_mul(4) == Some(self.scales.len())
            }
        }
    }

    /// Puts a row where it is wanted.
    pub(super) fn read(&self, row: usize, into: &mut [f32]) {
        match self.precision {
            Precision::Full => {
                let bytes = &self.bytes[row * self.dimension * 4..][..self.dimension * 4];
                for (x, bytes) in into.iter_mut().zip(bytes.as_chunks::<4>().0) {
                    *x = f32::from_le_bytes(*bytes);
                }
            }
            Precision::EightBit => {
                let scale = self.scale(row);
                for (x, byte) in into.iter_mut().zip(self.eight_bit(row)) {
                    *x = f32::from(i8::from_le_bytes([*byte])) * scale;
                }
            }
        }
    }

    fn eight_bit(&self, row: usize) -> &[u8] {
        &self.bytes[row * self.dimension..][..self.dimension]
    }

    fn scale(&self, row: usize) -> f32 {
        let mut scale = [0; 4];
        scale.copy_from_slice(&self.scales[row * 4..][..4]);
        f32::from_le_bytes(scale)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::embedding::{Similarity, cosine};

    fn back(rows: &[f32], dimension: usize, precision: Precision) -> Vec<f32> {
        let (bytes, scales) = encode(rows, dimension, precision);
        let rows = Rows { bytes: &bytes, scales: &scales, dimension, precision };
        let count = bytes.len() / dimension / if precision == Precision::Full { 4 } else { 1 };
        assert!(rows.fit(count) && !rows.fit(count + 1));
        let mut out = vec![0.0; count * dimension];
        out.chunks_exact_mut(dimension).enumerate().for_each(|(at, into)| rows.read(at, into));
        out
    }

    #[test]
    fn zeros_stay_zeros() {
        assert_eq!(back(&[0.0; 8], 4, Precision::EightBit), [0.0; 8]);
    }

    proptest! {
        #[test]
        fn full_precision_is_exact(rows in prop::collection::vec(-1e9f32..1e9, 12)) {
            prop_assert_eq!(back(&rows, 4, Precision::Full), rows);
        }

        #[test]
        fn eight_bits_change_cosines_by_less_than_a_hundredth(rows in prop::collection::vec(-1.0f32..1.0, 200)) {
            let near = back(&rows, 100, Precision::EightBit);
            let of = |rows: &[f32]| cosine(&rows[..100], &rows[100..]);
            let (Similarity::Cosine(exact), Similarity::Cosine(near)) = (of(&rows), of(&near)) else {
                return Err(TestCaseError::fail("no direction"));
            };
            prop_assert!((exact - near).abs() < 0.01);
        }
    }
}
