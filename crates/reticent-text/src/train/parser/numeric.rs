//! Products of small matrices, and parameters that learn by Adam.

/// A matrix that is learnt, stored by rows.
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) value: Vec<f32>,
    pub(super) slope: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    /// The rows that have a slope, if most have none.
    touched: Option<Vec<u32>>,
}

impl Matrix {
    pub(super) fn zero(rows: usize, columns: usize) -> Self {
        let zeros = || vec![0.0; rows * columns];
        Self { rows, columns, value: zeros(), slope: zeros(), first: zeros(), second: zeros(), touched: None }
    }

    /// Random values from a range that fits the size.
    pub(super) fn dense(rows: usize, columns: usize, chance: &mut Chance) -> Self {
        let range = (6.0 / (rows + columns) as f32).sqrt();
        let mut matrix = Self::zero(rows, columns);
        matrix.value.iter_mut().for_each(|value| *value = chance.between(range));
        matrix
    }

    /// A table of which few rows are used at a time.
    pub(super) fn table(rows: usize, columns: usize, chance: &mut Chance) -> Self {
        let mut matrix = Self::zero(rows, columns);
        let range = (3.0 / columns as f32).sqrt() * 0.5;
        matrix.value.iter_mut().for_each(|value| *value = chance.between(range));
        matrix.touched = Some(Vec::new());
        matrix
    }

    pub(super) fn row(&self, row: usize) -> &[f32] {
        &self.value[row * self.columns..(row + 1) * self.columns]
    }

    /// Adds to the slope of a row of a table.
    pub(super) fn touch(&mut self, row: u32, by: &[f32]) {
        if let Some(touched) = &mut self.touched {
            touched.push(row);
        }
        let at = row as usize * self.columns;
        add(&mut self.slope[at..at + self.columns], by);
    }

    pub(super) fn transposed(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.value.len()];
        for row in 0..self.rows {
            for column in 0..self.columns {
                out[column * self.rows + row] = self.value[row * self.columns + column];
            }
        }
        out
    }

    /// One step of Adam, after which the slope is zero again.
    pub(super) fn learn(&mut self, rate: f32, time: f32) {
        let size = self.value.len();
        let Self { columns, value, slope, first, second, touched, .. } = self;
        let mut step = |from: usize, to: usize| {
            let (faded, faded2) = (1.0 - 0.9_f32.powf(time), 1.0 - 0.98_f32.powf(time));
            for at in from..to {
                let g = slope[at];
                first[at] += 0.1 * (g - first[at]);
                second[at] += 0.02 * (g * g - second[at]);
                value[at] -= rate * (first[at] / faded) / ((second[at] / faded2).sqrt() + 1e-8);
                slope[at] = 0.0;
            }
        };
        match touched {
            Some(rows) => {
                rows.sort_unstable();
                rows.dedup();
                for &row in rows.iter() {
                    step(row as usize * *columns, (row as usize + 1) * *columns);
                }
                rows.clear();
            }
            None => step(0, size),
        }
    }
}

/// `out += by`
pub(super) fn add(out: &mut [f32], by: &[f32]) {
    let length = out.len().min(by.len());
    let (out, by) = (&mut out[..length], &by[..length]);
    for at in 0..length {
        out[at] += by[at];
    }
}

/// `out += a · b`, with `b` by rows; the number of columns of `b` is `columns`.
pub(super) fn multiply(a: &[f32], b: &[f32], columns: usize, out: &mut [f32]) {
    let inner = b.len() / columns;
    let whole = inner / 4 * 4;
    for (a, out) in a.chunks_exact(inner).zip(out.chunks_exact_mut(columns)) {
        for k in (0..whole).step_by(4) {
            let [b0, b1, b2, b3] = std::array::from_fn(|at| &b[(k + at) * columns..(k + at + 1) * columns]);
            let [f0, f1, f2, f3] = std::array::from_fn(|at| a[k + at]);
            if f0 == 0.0 && f1 == 0.0 && f2 == 0.0 && f3 == 0.0 {
                continue;
            }
            for at in 0..columns {
                out[at] += f0 * b0[at] + f1 * b1[at] + f2 * b2[at] + f3 * b3[at];
            }
        }
        for k in whole..inner {
            let factor = a[k];
            let b = &b[k * columns..(k + 1) * columns];
            for at in 0..columns {
                out[at] += factor * b[at];
            }
        }
    }
}

/// `out += aᵀ · b` for rows of widths `left` and `right`.
pub(super) fn multiply_transposed(a: &[f32], left: usize, b: &[f32], right: usize, out: &mut [f32]) {
    let rows = a.len() / left;
    let whole = rows / 4 * 4;
    for row in (0..whole).step_by(4) {
        let [b0, b1, b2, b3] = std::array::from_fn(|at| &b[(row + at) * right..(row + at + 1) * right]);
        for k in 0..left {
            let [f0, f1, f2, f3] = std::array::from_fn(|at| a[(row + at) * left + k]);
            if f0 == 0.0 && f1 == 0.0 && f2 == 0.0 && f3 == 0.0 {
                continue;
            }
            let out = &mut out[k * right..(k + 1) * right];
            for at in 0..right {
                out[at] += f0 * b0[at] + f1 * b1[at] + f2 * b2[at] + f3 * b3[at];
            }
        }
    }
    for row in whole..rows {
        let b = &b[row * right..(row + 1) * right];
        for k in 0..left {
            let factor = a[row * left + k];
            let out = &mut out[k * right..(k + 1) * right];
            for at in 0..right {
                out[at] += factor * b[at];
            }
        }
    }
}

/// Chance that is the same on every machine.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to 1.
    pub(super) fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub(super) fn between(&mut self, range: f32) -> f32 {
        (self.share() * 2.0 - 1.0) * range
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = usize::try_from(self.next() % (at as u64 + 1)).unwrap_or(0);
            items.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_definition() {
        let mut chance = Chance::new(3);
        for (n, k, m) in [(1, 3, 5), (4, 8, 8), (7, 13, 19), (8, 5, 16)] {
            let a: Vec<f32> = (0..n * k).map(|_| chance.between(1.0)).collect();
            let b: Vec<f32> = (0..k * m).map(|_| chance.between(1.0)).collect();
            let mut out = vec![0.5; n * m];
            multiply(&a, &b, m, &mut out);
            let mut gram = vec![0.0; k * k];
            multiply_transposed(&a, k, &a, k, &mut gram);
            for i in 0..n {
                for j in 0..m {
                    let sum: f32 = (0..k).map(|at| a[i * k + at] * b[at * m + j]).sum();
                    assert!((out[i * m + j] - sum - 0.5).abs() < 1e-5);
                }
            }
            for i in 0..k {
                for j in 0..k {
                    let sum: f32 = (0..n).map(|at| a[at * k + i] * a[at * k + j]).sum();
                    assert!((gram[i * k + j] - sum).abs() < 1e-5);
                }
            }
        }
    }
}
