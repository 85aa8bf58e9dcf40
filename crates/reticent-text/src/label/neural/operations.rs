//! Small operations that candle has no fast form of: neighbours of a row, the largest of some rows, a
//! bias, and whether tokens are sensitive.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor, bail};

/// The numbers of a tensor that lies in one piece.
pub(super) fn numbers<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let Some((start, end)) = layout.contiguous_offsets() else { bail!("a tensor is not contiguous") };
    Ok(&storage.as_slice::<f32>()?[start..end])
}

/// What the rows give when they are added.
pub(super) fn column_sums(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    sums
}

/// Which row stands before each row, and which after.
pub(super) struct Neighbours {
    pub(super) before: Vec<Option<usize>>,
    pub(super) after: Vec<Option<usize>>,
}

/// Each row between the row before and the row after it; zeros where there is none. A product with this is
/// a convolution of width 3.
pub(super) fn with_neighbours(rows: &Tensor, neighbours: &Arc<Neighbours>) -> Result<Tensor> {
    rows.contiguous()?.apply_op1(WithNeighbours(neighbours.clone()))
}

struct WithNeighbours(Arc<Neighbours>);

impl CustomOp1 for WithNeighbours {
    fn name(&self) -> &'static str {
        "with neighbours"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let rows = numbers(storage, layout)?;
        let (count, width) = layout.shape().dims2()?;
        let mut out = vec![0.0; count * 3 * width];
        for (at, out) in out.chunks_exact_mut(3 * width).enumerate() {
            let around = [self.0.before[at], Some(at), self.0.after[at]];
            for (part, from) in out.chunks_exact_mut(width).zip(around) {
                if let Some(from) = from {
                    part.copy_from_slice(&rows[from * width..(from + 1) * width]);
                }
            }
        }
        Ok((CpuStorage::F32(out), Shape::from((count, 3 * width))))
    }

    fn bwd(&self, rows: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (count, width) = rows.dims2()?;
        let gradient = gradient.flatten_all()?.to_vec1::<f32>()?;
        let mut back = vec![0.0; count * width];
        for (at, gradient) in gradient.chunks_exact(3 * width).enumerate() {
            let around = [self.0.before[at], Some(at), self.0.after[at]];
            for (part, to) in gradient.chunks_exact(width).zip(around) {
                if let Some(to) = to {
                    let back = &mut back[to * width..(to + 1) * width];
                    back.iter_mut().zip(part).for_each(|(back, part)| *back += part);
                }
            }
        }
        Ok(Some(Tensor::from_vec(back, (count, width), rows.device())?))
    }
}

/// The largest number of each column among the rows of each group. No group is empty.
pub(super) fn largest(rows: &Tensor, groups: &Arc<Vec<Range<usize>>>) -> Result<Tensor> {
    rows.contiguous()?.apply_op1(Largest { groups: groups.clone(), chosen: Mutex::new(Vec::new()) })
}

struct Largest {
    groups: Arc<Vec<Range<usize>>>,
    /// Which row each number came from.
    chosen: Mutex<Vec<usize>>,
}

impl CustomOp1 for Largest {
    fn name(&self) -> &'static str {
        "largest of rows"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let rows = numbers(storage, layout)?;
        let (_, width) = layout.shape().dims2()?;
        let mut out = vec![f32::NEG_INFINITY; self.groups.len() * width];
        let mut chosen = vec![0; out.len()];
        for (number, group) in self.groups.iter().enumerate() {
            let own = number * width..(number + 1) * width;
            for from in group.clone() {
                let row = &rows[from * width..(from + 1) * width];
                for ((out, chosen), value) in
                    out[own.clone()].iter_mut().zip(&mut chosen[own.clone()]).zip(row)
                {
                    if *value > *out {
                        (*out, *chosen) = (*value, from);
                    }
                }
            }
        }
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner) = chosen;
        Ok((CpuStorage::F32(out), Shape::from((self.groups.len(), width))))
    }

    fn bwd(&self, rows: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (count, width) = rows.dims2()?;
        let gradient = gradient.flatten_all()?.to_vec1::<f32>()?;
        let chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut back = vec![0.0; count * width];
        for (at, (gradient, from)) in gradient.iter().zip(&*chosen).enumerate() {
            back[from * width + at % width] += gradient;
        }
        Ok(Some(Tensor::from_vec(back, (count, width), rows.device())?))
    }
}

/// Adds a bias to every row.
pub(super) fn add_bias(rows: &Tensor, bias: &Tensor) -> Result<Tensor> {
    rows.contiguous()?.apply_op2(bias, AddBias)
}

struct AddBias;

impl CustomOp2 for AddBias {
    fn name(&self) -> &'static str {
        "add bias"
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, bias) = (numbers(s1, l1)?, numbers(s2, l2)?);
        let mut out = rows.to_vec();
        for row in out.chunks_exact_mut(bias.len()) {
            row.iter_mut().zip(bias).for_each(|(number, bias)| *number += bias);
        }
        Ok((CpuStorage::F32(out), l1.shape().clone()))
    }

    fn bwd(
        &self,
        _: &Tensor,
        bias: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let sums = column_sums(&gradient.flatten_all()?.to_vec1::<f32>()?, bias.elem_count());
        let sums = Tensor::from_vec(sums, bias.shape(), bias.device())?;
        Ok((Some(gradient.clone()), Some(sums)))
    }
}

/// How far log-odds are from what is true: the sum of the cross-entropies.
pub(super) fn cross_entropy(odds: &Tensor, truth: Arc<Vec<bool>>) -> Result<Tensor> {
    odds.contiguous()?.apply_op1(CrossEntropy(truth))
}

struct CrossEntropy(Arc<Vec<bool>>);

impl CustomOp1 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross-entropy"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let odds = numbers(storage, layout)?;
        let costs = odds.iter().zip(&*self.0).map(|(odds, truth)| {
            let against = if *truth { -odds } else { *odds };
            against.max(0.0) + (-against.abs()).exp().ln_1p()
        });
        Ok((CpuStorage::F32(vec![costs.sum()]), Shape::from(())))
    }

    fn bwd(&self, odds: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let scale = gradient.to_scalar::<f32>()?;
        let numbers = odds.flatten_all()?.to_vec1::<f32>()?;
        let back: Vec<f32> = numbers
            .iter()
            .zip(&*self.0)
            .map(|(odds, truth)| scale * (super::matrix::sigmoid(*odds) - f32::from(u8::from(*truth))))
            .collect();
        Ok(Some(Tensor::from_vec(back, odds.shape(), odds.device())?))
    }
}
