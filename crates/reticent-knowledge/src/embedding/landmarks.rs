//! Terms spread evenly over all, by which it is told where a vector lies.

use super::TermVectors;
use super::nearest::fast_dot;

/// So many tell where a vector lies as well as all would, in a fraction of the time.
const ENOUGH: usize = 10_000;

/// Some terms' vectors, each of length one.
pub(super) struct Landmarks {
    rows: Vec<f32>,
    dimension: usize,
}

impl Landmarks {
    pub(super) fn new(vectors: &TermVectors) -> Self {
        let (dimension, all) = (vectors.width(), vectors.len());
        let count = all.min(ENOUGH);
        let mut rows = Vec::with_capacity(count * dimension);
        for at in 0..count {
            let row = vectors.vector(at * all / count);
            let length = fast_dot(&row, &row).sqrt();
            if length > 0.0 {
                rows.extend(row.iter().map(|x| x / length));
            }
        }
        Self { rows, dimension }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.dimension.max(1)
    }

    /// How many have a higher cosine with a vector, counted no further than `most`.
    pub(super) fn nearer(&self, vector: &[f32], than: f32, most: usize) -> usize {
        if vector.len() != self.dimension || vector.is_empty() {
            return 0;
        }
        let than = than * fast_dot(vector, vector).sqrt();
        self.rows.chunks_exact(self.dimension).filter(|row| fast_dot(vector, row) > than).take(most).count()
    }
}
