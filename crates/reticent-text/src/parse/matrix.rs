//! Matrices of 8-bit weights, and their products in integers.
#![expect(
    clippy::cast_possible_truncation,
    reason = "values are brought into range before they are made smaller"
)]

use wide::{i16x8, i32x4};

use crate::tag::{Reader, Writer};
use crate::{Error, ErrorKind};

/// A table of 8-bit rows with a scale for each column.
pub(crate) struct Table {
    columns: usize,
    scales: Vec<f32>,
    codes: Vec<i8>,
}

impl Table {
    pub(super) fn read(bytes: &mut Reader<'_>, rows: usize, columns: usize) -> Result<Self, Error> {
        let scales = floats(bytes, columns)?;
        let codes = bytes.take(rows.saturating_mul(columns))?.iter().map(|code| code.cast_signed()).collect();
        Ok(Self { columns, scales, codes })
    }

    pub(crate) fn write(values: &[f32], columns: usize, out: &mut Writer) {
        let mut scales = vec![0.0_f32; columns];
        for row in values.chunks_exact(columns) {
            scales.iter_mut().zip(row).for_each(|(scale, value)| *scale = scale.max(value.abs()));
        }
        for scale in &mut scales {
            *scale = (*scale / 127.0).max(f32::MIN_POSITIVE);
        }
        write_floats(&scales, out);
        let codes: Vec<u8> = values
            .chunks_exact(columns)
            .flat_map(|row| row.iter().zip(&scales).map(|(value, scale)| code(value / scale)))
            .collect();
        out.bytes(&codes);
    }

    pub(super) fn add_to(&self, row: u32, out: &mut Vec<f32>) {
        let from = row as usize * self.columns;
        let row = &self.codes[from..from + self.columns];
        out.extend(row.iter().zip(&self.scales).map(|(code, scale)| f32::from(*code) * scale));
    }
}

fn code(value: f32) -> u8 {
    (value.round().clamp(-127.0, 127.0) as i8).cast_unsigned()
}

/// A linear map with a constant, by columns, each with a scale.
pub(crate) struct Map {
    inner: usize,
    weights: Vec<i16>,
    scales: Vec<f32>,
    constant: Vec<f32>,
}

impl Map {
    pub(super) fn read(bytes: &mut Reader<'_>, rows: usize, columns: usize) -> Result<Self, Error> {
        let scales = floats(bytes, columns)?;
        let constant = floats(bytes, columns)?;
        let weights = bytes
            .take(rows.saturating_mul(columns))?
            .iter()
            .map(|code| i16::from(code.cast_signed()))
            .collect();
        Ok(Self { inner: rows, weights, scales, constant })
    }

    /// Writes weights that are given by rows.
    pub(crate) fn write(weights: &[f32], constant: &[f32], out: &mut Writer) {
        let columns = constant.len();
        let column = |at: usize| weights.chunks_exact(columns).map(move |row| row[at]);
        let scales: Vec<f32> = (0..columns)
            .map(|at| (column(at).map(f32::abs).fold(0.0, f32::max) / 127.0).max(f32::MIN_POSITIVE))
            .collect();
        write_floats(&scales, out);
        write_floats(constant, out);
        let codes: Vec<u8> = (0..columns)
            .flat_map(|at| column(at).map(move |value| (at, value)))
            .map(|(at, value)| code(value / scales[at]))
            .collect();
        out.bytes(&codes);
    }

    /// The products of rows of inputs, whose unit is `1 / unit`.
    pub(super) fn apply(&self, input: &[i16], unit: f32, out: &mut Vec<f32>) {
        let (rows, columns, width) = (input.len() / self.inner, self.scales.len(), self.inner);
        let from = out.len();
        out.resize(from + rows * columns, 0.0);
        let out = &mut out[from..];
        let whole = rows / 4 * 4;
        for column in (0..columns).step_by(2) {
            let other = (column + 1).min(columns - 1);
            let one = &self.weights[column * width..(column + 1) * width];
            let two = &self.weights[other * width..(other + 1) * width];
            let (scale_one, scale_two) = (self.scales[column] / unit, self.scales[other] / unit);
            for row in (0..whole).step_by(4) {
                let sums = eight_products(&input[row * width..(row + 4) * width], one, two);
                for (at, pair) in sums.iter().enumerate() {
                    let place = (row + at) * columns;
                    out[place + column] = pair[0] as f32 * scale_one + self.constant[column];
                    out[place + other] = pair[1] as f32 * scale_two + self.constant[other];
                }
            }
            for row in whole..rows {
                let line = &input[row * width..(row + 1) * width];
                out[row * columns + column] = dot(line, one) as f32 * scale_one + self.constant[column];
                out[row * columns + other] = dot(line, two) as f32 * scale_two + self.constant[other];
            }
        }
    }
}

/// The products of four rows with two columns: what is loaded once is used several times.
///
/// Without closures, which are not always inlined.
#[inline]
fn eight_products(rows: &[i16], one: &[i16], two: &[i16]) -> [[i32; 2]; 4] {
    let width = one.len();
    let (a, rest) = rows.split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, d) = rest.split_at(width);
    let (one8, one_rest) = one.as_chunks::<8>();
    let blocks = one8.len();
    let (two8, two_rest) = two.as_chunks::<8>();
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let (c8, c_rest) = c.as_chunks::<8>();
    let (d8, d_rest) = d.as_chunks::<8>();
    let (two8, a8, b8, c8, d8) =
        (&two8[..blocks], &a8[..blocks], &b8[..blocks], &c8[..blocks], &d8[..blocks]);
    let (mut a1, mut a2, mut b1, mut b2) = (i32x4::ZERO, i32x4::ZERO, i32x4::ZERO, i32x4::ZERO);
    let (mut c1, mut c2, mut d1, mut d2) = (i32x4::ZERO, i32x4::ZERO, i32x4::ZERO, i32x4::ZERO);
    for at in 0..blocks {
        let (one, two) = (i16x8::new(one8[at]), i16x8::new(two8[at]));
        let (a, b) = (i16x8::new(a8[at]), i16x8::new(b8[at]));
        a1 += a.dot(one);
        a2 += a.dot(two);
        b1 += b.dot(one);
        b2 += b.dot(two);
        let (c, d) = (i16x8::new(c8[at]), i16x8::new(d8[at]));
        c1 += c.dot(one);
        c2 += c.dot(two);
        d1 += d.dot(one);
        d2 += d.dot(two);
    }
    let mut sums = [
        [a1.reduce_add(), a2.reduce_add()],
        [b1.reduce_add(), b2.reduce_add()],
        [c1.reduce_add(), c2.reduce_add()],
        [d1.reduce_add(), d2.reduce_add()],
    ];
    if !one_rest.is_empty() {
        for (sums, row) in sums.iter_mut().zip([a_rest, b_rest, c_rest, d_rest]) {
            sums[0] += tail(row, one_rest);
            sums[1] += tail(row, two_rest);
        }
    }
    sums
}

#[inline]
fn dot(one: &[i16], two: &[i16]) -> i32 {
    let (first, rest) = one.as_chunks::<8>();
    let (second, other) = two.as_chunks::<8>();
    let second = &second[..first.len()];
    let mut sum = i32x4::ZERO;
    for at in 0..first.len() {
        sum += i16x8::new(first[at]).dot(i16x8::new(second[at]));
    }
    sum.reduce_add() + tail(rest, other)
}

/// What eight at a time leave over.
#[inline]
fn tail(one: &[i16], two: &[i16]) -> i32 {
    one.iter().zip(two).map(|(one, two)| i32::from(*one) * i32::from(*two)).sum()
}

pub(super) fn floats(bytes: &mut Reader<'_>, count: usize) -> Result<Vec<f32>, Error> {
    let found: Vec<f32> = bytes
        .take(count.saturating_mul(4))?
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    if found.iter().all(|value| value.abs() < 1e6) {
        Ok(found)
    } else {
        Err(Error::new(ErrorKind::Model, "a parser model has an impossible number"))
    }
}

pub(crate) fn write_floats(values: &[f32], out: &mut Writer) {
    for value in values {
        out.bytes(&value.to_le_bytes());
    }
}

/// Numbers as 16-bit multiples of `1 / unit`.
pub(super) fn quantize(values: &[f32], unit: f32, out: &mut Vec<i16>) {
    out.clear();
    out.resize(values.len(), 0);
    for (out, value) in out.iter_mut().zip(values) {
        *out = (value * unit).clamp(-32767.0, 32767.0) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies_in_integers() {
        let weights: Vec<f32> = (0..15_u8).map(|at| f32::from(at) / 10.0 - 0.7).collect();
        let mut out = Writer::default();
        Map::write(&weights, &[0.5, 0.0, -0.5], &mut out);
        let bytes = out.finish();
        let map = Map::read(&mut Reader::new(&bytes), 5, 3).unwrap();
        let input: Vec<f32> = (0..35_u8).map(|at| f32::from(at) / 40.0 - 0.4).collect();
        let (mut codes, mut found) = (Vec::new(), Vec::new());
        quantize(&input, 8191.0, &mut codes);
        map.apply(&codes, 8191.0, &mut found);
        for row in 0..7 {
            for column in 0..3 {
                let sum: f32 = (0..5).map(|at| input[row * 5 + at] * weights[at * 3 + column]).sum();
                assert!((found[row * 3 + column] - sum - [0.5, 0.0, -0.5][column]).abs() < 0.02);
            }
        }
    }
}
