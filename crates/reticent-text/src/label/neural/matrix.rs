//! Products of matrices in slices, and functions that compilers turn into vector code.

/// A matrix in a slice: where it begins, and how far apart rows and columns are.
#[derive(Clone, Copy)]
pub(super) struct View<'s> {
    pub(super) numbers: &'s [f32],
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

impl<'s> View<'s> {
    /// Rows that lie `row` apart.
    pub(super) fn new(numbers: &'s [f32], rows: usize, columns: usize, row: usize) -> Self {
        Self { numbers, rows, columns, row, column: 1 }
    }

    /// Rows as columns.
    pub(super) fn turned(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row: self.column, column: self.row, ..self }
    }

    fn fits(&self) -> bool {
        let last = (self.rows.max(1) - 1) * self.row + (self.columns.max(1) - 1) * self.column;
        self.rows * self.columns == 0 || last < self.numbers.len()
    }
}

/// Adds `left · right` to rows of `into` that lie `row` apart, on this thread alone.
pub(super) fn add_product(into: &mut [f32], row: usize, left: View<'_>, right: View<'_>) {
    let (rows, columns, depth) = (left.rows, right.columns, left.columns);
    if rows == 0 || columns == 0 || depth == 0 {
        return;
    }
    let target = View::new(into, rows, columns, row);
    assert!(depth == right.rows && target.fits() && left.fits() && right.fits() && row >= columns);
    let stride = |distance: usize| distance.cast_signed();
    // Every place that is read or written lies inside its slice, as asserted; no two rows of `into` meet.
    #[allow(unsafe_code)]
    unsafe {
        gemm::gemm(
            rows,
            columns,
            depth,
            into.as_mut_ptr(),
            1,
            stride(row),
            true,
            left.numbers.as_ptr(),
            stride(left.column),
            stride(left.row),
            right.numbers.as_ptr(),
            stride(right.column),
            stride(right.row),
            1.0f32,
            1.0f32,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// `e^x` to about seven digits, without a branch.
#[inline(always)]
#[allow(clippy::inline_always)] // Loops over it are vector code only then.
fn exp(x: f32) -> f32 {
    const SHIFT: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0) * std::f32::consts::LOG2_E;
    // Adding and taking away a large number rounds.
    let whole = (x + SHIFT) - SHIFT;
    let part = (x - whole) * std::f32::consts::LN_2;
    let power = 1.0
        + part
            * (1.0
                + part
                    * (0.5
                        + part
                            * (0.166_666_67
                                + part * (0.041_666_67 + part * (0.008_333_334 + part * 0.001_388_889)))));
    #[allow(clippy::cast_possible_truncation)]
    let scale = f32::from_bits(((whole as i32 + 127) << 23).cast_unsigned());
    power * scale
}

/// Between 0 and 1.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Between -1 and 1.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(super) fn tanh(x: f32) -> f32 {
    2.0 * sigmoid(2.0 * x) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_those_of_the_library() {
        for step in -2000..2000 {
            let x = f32::from(i16::try_from(step).unwrap()) / 100.0;
            assert!((tanh(x) - x.tanh()).abs() < 1e-6, "{x}");
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-6, "{x}");
        }
        assert!((sigmoid(1e9), sigmoid(-1e9)) == (1.0, sigmoid(-87.0)));
    }

    #[test]
    fn multiplies_parts_and_turned_matrices() {
        let numbers = [1.0, 2.0, 9.0, 3.0, 4.0, 9.0];
        let matrix = View::new(&numbers, 2, 2, 3);
        let mut into = [10.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        add_product(&mut into, 4, matrix, matrix.turned());
        assert_eq!(into[..2], [15.0, 11.0]);
        assert_eq!(into[4..], [11.0, 25.0]);
    }
}
