//! Which terms lie nearest to a vector.

use super::lookup::dot;
use super::{Similarity, TermVectors, cosine};

/// A term near another.
#[derive(Clone, PartialEq)]
pub struct Neighbour {
    /// The term, as the vectors have it.
    pub term: String,
    /// How near.
    pub cosine: f32,
}

/// Tells nothing of the term.
impl std::fmt::Debug for Neighbour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Neighbour").field("cosine", &self.cosine).finish_non_exhaustive()
    }
}

impl TermVectors {
    /// The terms whose vectors have the highest cosine with this one, the nearest first. Every vector is
    /// looked at.
    pub fn nearest(&self, vector: &[f32], most: usize) -> Vec<Neighbour> {
        if vector.len() != self.width() || most == 0 {
            return Vec::new();
        }
        let rows = self.rows();
        let mut row = vec![0.0; vector.len()];
        let mut best: Vec<(f32, usize)> = Vec::with_capacity(most + 1);
        for at in 0..self.len() {
            rows.read(at, &mut row);
            let near = fast_cosine(vector, &row);
            if best.len() == most && best.last().is_some_and(|(least, _)| near <= *least) {
                continue;
            }
            let place = best.partition_point(|(cosine, _)| *cosine >= near);
            best.insert(place, (near, at));
            best.truncate(most);
        }
        let exact = |(_, at): (f32, usize)| {
            rows.read(at, &mut row);
            match cosine(vector, &row) {
                Similarity::Cosine(cosine) => Some(Neighbour { term: self.term(at).to_owned(), cosine }),
                Similarity::Unknown => None,
            }
        };
        best.into_iter().filter_map(exact).collect()
    }
}

/// But for the length of the first vector, which is the same for all. One without direction is nearest to nothing.
fn fast_cosine(one: &[f32], other: &[f32]) -> f32 {
    let length = fast_dot(other, other).sqrt();
    if length > 0.0 { fast_dot(one, other) / length } else { f32::NEG_INFINITY }
}

/// In eight sums side by side, so that the processor can do eight at a time.
pub(super) fn fast_dot(one: &[f32], other: &[f32]) -> f32 {
    let (ones, rest_one) = one.as_chunks::<8>();
    let (others, rest_other) = other.as_chunks::<8>();
    let mut sums = [0.0f32; 8];
    for (a, b) in ones.iter().zip(others) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    #[allow(clippy::cast_possible_truncation)]
    let rest = dot(rest_one, rest_other) as f32;
    sums.iter().sum::<f32>() + rest
}
