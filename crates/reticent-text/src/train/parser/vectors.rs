//! Word vectors brought to fewer dimensions.

use super::numeric::multiply_transposed;

/// Word vectors, the most frequent words first.
pub struct WordVectors {
    /// The words.
    pub words: Vec<String>,
    /// Their vectors, one after the other.
    pub values: Vec<f32>,
    /// Numbers per vector.
    pub dimensions: usize,
}

impl WordVectors {
    /// No vectors.
    #[must_use]
    pub fn none() -> Self {
        Self { words: Vec::new(), values: Vec::new(), dimensions: 1 }
    }

    /// The projection of all vectors on their main directions, with a mean size of 0.5 per number.
    pub(super) fn projected(&self, dimensions: usize) -> Vec<f32> {
        let width = self.dimensions;
        if self.words.is_empty() {
            return Vec::new();
        }
        let mut mean = vec![0.0_f32; width];
        for row in self.values.chunks_exact(width) {
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / self.words.len() as f32);
        }
        let centred: Vec<f32> = self
            .values
            .chunks_exact(width)
            .flat_map(|row| row.iter().zip(&mean).map(|(value, mean)| value - mean))
            .collect();
        let mut spread = vec![0.0_f32; width * width];
        multiply_transposed(&centred, width, &centred, width, &mut spread);
        for value in &mut spread {
            *value /= self.words.len() as f32;
        }
        let directions = main_directions(spread, width, dimensions);
        let mut out = Vec::with_capacity(self.words.len() * dimensions);
        for row in centred.chunks_exact(width) {
            for direction in &directions {
                out.push(row.iter().zip(direction).map(|(value, part)| value * part).sum());
            }
        }
        let size = (out.iter().map(|value: &f32| value * value).sum::<f32>() / out.len() as f32).sqrt();
        for value in &mut out {
            *value = (*value * 0.5 / size.max(1e-9)).clamp(-3.0, 3.0);
        }
        out
    }
}

/// The directions in which vectors with this covariance differ most, by Jacobi's method. Missing ones are zero.
fn main_directions(mut matrix: Vec<f32>, width: usize, count: usize) -> Vec<Vec<f32>> {
    let mut turned: Vec<f32> =
        (0..width * width).map(|at| if at % (width + 1) == 0 { 1.0 } else { 0.0 }).collect();
    for _ in 0..12 {
        for p in 0..width {
            for q in p + 1..width {
                let off = matrix[p * width + q];
                if off.abs() < 1e-9 {
                    continue;
                }
                let theta = (matrix[q * width + q] - matrix[p * width + p]) / (2.0 * off);
                let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                let turn = (cosine, tangent * cosine);
                for k in 0..width {
                    rotate(&mut matrix, k * width + p, k * width + q, turn);
                }
                for k in 0..width {
                    rotate(&mut matrix, p * width + k, q * width + k, turn);
                    rotate(&mut turned, k * width + p, k * width + q, turn);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by(|a, b| matrix[b * width + b].total_cmp(&matrix[a * width + a]));
    let direction = |at: usize| match order.get(at) {
        Some(column) => (0..width).map(|row| turned[row * width + column]).collect(),
        None => vec![0.0; width],
    };
    (0..count).map(direction).collect()
}

fn rotate(values: &mut [f32], one: usize, other: usize, (cosine, sine): (f32, f32)) {
    let (a, b) = (values[one], values[other]);
    values[one] = cosine * a - sine * b;
    values[other] = sine * a + cosine * b;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_directions_that_differ_most() {
        // Three numbers, of which the second and third say the same.
        let values: Vec<f32> = (0..40_u8)
            .flat_map(|at| {
                let (a, b) = (f32::from(at % 7), f32::from(at % 5) * 3.0);
                [a, b, b]
            })
            .collect();
        let vectors = WordVectors { words: vec![String::new(); 40], values, dimensions: 3 };
        let found = vectors.projected(2);
        let of = |at: usize| &found[at * 2..at * 2 + 2];
        // 0 and 35 are the same vector, 0 and 1 differ in both directions.
        assert!(of(0).iter().zip(of(35)).all(|(a, b)| (a - b).abs() < 1e-4));
        assert!(of(0).iter().zip(of(1)).all(|(a, b)| (a - b).abs() > 1e-2));
        assert!(WordVectors::none().projected(2).is_empty());
    }
}
