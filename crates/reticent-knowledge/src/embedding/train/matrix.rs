//! Rows of numbers that all threads read and write at once.
//!
//! Threads do not wait for each other (Hogwild): most sentences share few terms, so that a lost update
//! is rare and harmless. Two numbers lie in one atomic word, which costs no more than plain memory does
//! where a row is copied, and needs no unsafe code. All arithmetic is done on the copies.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Eight numbers: what a processor does at once.
pub(super) type Chunk = [f32; 8];

pub(super) struct Matrix {
    words: Vec<AtomicU64>,
    /// Chunks in a row.
    chunks: usize,
}

impl Matrix {
    /// Rows of `dimension` numbers, from a function that fills each; what is left of the last chunk is
    /// zero, and stays so.
    pub(super) fn new(rows: usize, dimension: usize, mut fill: impl FnMut(usize, &mut [f32])) -> Self {
        let chunks = dimension.div_ceil(8);
        let mut words = Vec::with_capacity(rows * chunks * 4);
        let mut row = vec![0.0; chunks * 8];
        for at in 0..rows {
            fill(at, &mut row[..dimension]);
            words.extend(row.as_chunks::<2>().0.iter().map(|pair| AtomicU64::new(join(pair[0], pair[1]))));
        }
        Self { words, chunks }
    }

    /// Chunks in a row.
    pub(super) fn chunks(&self) -> usize {
        self.chunks
    }

    fn row(&self, row: usize) -> impl Iterator<Item = &[AtomicU64; 4]> {
        let words = self.chunks * 4;
        self.words[row * words..][..words].as_chunks::<4>().0.iter()
    }

    /// Copies a row.
    pub(super) fn read<'c>(&self, row: usize, into: impl Iterator<Item = &'c mut Chunk>) {
        for (words, chunk) in self.row(row).zip(into) {
            *chunk = load(words);
        }
    }

    /// Puts a row in place of what is there.
    pub(super) fn write<'c>(&self, row: usize, from: impl Iterator<Item = &'c Chunk>) {
        for (words, chunk) in self.row(row).zip(from) {
            store(words, chunk);
        }
    }

    /// Adds to a row by how much a copy of it has changed, so that what other threads did meanwhile is
    /// kept.
    pub(super) fn add(&self, row: usize, before: &[Chunk], now: &[Chunk]) {
        for (words, (before, now)) in self.row(row).zip(before.iter().zip(now)) {
            let mut chunk = load(words);
            for lane in 0..8 {
                chunk[lane] += now[lane] - before[lane];
            }
            store(words, &chunk);
        }
    }

    /// All rows up to this one, without what fills the last chunk.
    pub(super) fn into_rows(self, rows: usize, dimension: usize) -> Vec<f32> {
        let mut out = Vec::with_capacity(rows * dimension);
        for row in 0..rows {
            let numbers = self.row(row).flat_map(load);
            out.extend(numbers.take(dimension));
        }
        out
    }
}

fn load(words: &[AtomicU64; 4]) -> Chunk {
    let mut chunk = [0.0; 8];
    for (pair, word) in chunk.as_chunks_mut::<2>().0.iter_mut().zip(words) {
        let word = word.load(Relaxed);
        #[allow(clippy::cast_possible_truncation)]
        let (low, high) = (word as u32, (word >> 32) as u32);
        *pair = [f32::from_bits(low), f32::from_bits(high)];
    }
    chunk
}

fn store(words: &[AtomicU64; 4], chunk: &Chunk) {
    for (pair, word) in chunk.as_chunks::<2>().0.iter().zip(words) {
        word.store(join(pair[0], pair[1]), Relaxed);
    }
}

fn join(low: f32, high: f32) -> u64 {
    u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_put_in() {
        let fill = |at: usize, row: &mut [f32]| {
            row.iter_mut().zip(0u8..).for_each(|(x, n)| *x = f32::from(n) + at as f32 * 0.5);
        };
        let matrix = Matrix::new(3, 11, fill);
        assert_eq!(matrix.chunks(), 2);
        let mut copy = [[1.0; 8]; 2];
        matrix.read(1, copy.iter_mut());
        assert_eq!(copy[1].map(f32::to_bits), [8.5, 9.5, 10.5, 0.0, 0.0, 0.0, 0.0, 0.0f32].map(f32::to_bits));
        let before = copy;
        copy[0][0] += 2.0;
        matrix.add(1, &before, &copy);
        matrix.write(2, [[0.0; 8]; 2].iter());
        let rows = matrix.into_rows(3, 11);
        assert_eq!((rows[0], rows[11], rows[12], rows[22]), (0.0, 2.5, 1.5, 0.0));
    }
}
