//! A layer of LSTM (Hochreiter and Schmidhuber, 1997) in both directions, over a whole batch at once.

use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};

use super::batch::Steps;
use super::matrix::{View, add_product, sigmoid, tanh};
use super::operations::{column_sums, numbers};

/// Applies a layer. `projected` is the input times its weights: for each row the gates (in, forget, out,
/// new) of the one direction and then of the other. `recurrent` has the rows of both directions, one
/// below the other. Gives for each row the states of both directions.
pub(super) fn lstm(
    steps: &Arc<Steps>,
    projected: &Tensor,
    recurrent: &Tensor,
    bias: &Tensor,
) -> Result<Tensor> {
    let operation = Lstm { steps: steps.clone(), saved: Mutex::new(Vec::new()) };
    projected.contiguous()?.apply_op3(recurrent, bias, operation)
}

struct Lstm {
    steps: Arc<Steps>,
    /// What the way back needs of each direction.
    saved: Mutex<Vec<Pass>>,
}

/// One direction.
struct Pass {
    backwards: bool,
    hidden: usize,
    /// The gates of each row, after their curves.
    gates: Vec<f32>,
    cells: Vec<f32>,
    states: Vec<f32>,
}

/// What a row is told on the way back: the cells before it, and the derivatives of its states and cells.
struct Told<'s> {
    before: &'s [f32],
    of_states: &'s [f32],
    of_cells: &'s [f32],
}

/// What comes back from one direction.
struct Gradients {
    projected: Vec<f32>,
    recurrent: Vec<f32>,
}

impl Pass {
    /// Steps in the order of reading, each with the step that was read before.
    fn order(&self, steps: &Steps) -> Vec<(usize, Option<usize>)> {
        let last = steps.len();
        if self.backwards {
            (0..last).rev().map(|step| (step, (step + 1 < last).then_some(step + 1))).collect()
        } else {
            (0..last).map(|step| (step, step.checked_sub(1))).collect()
        }
    }

    fn run(&mut self, steps: &Steps, recurrent: &[f32]) {
        let hidden = self.hidden;
        let weights = View::new(recurrent, hidden, 4 * hidden, 4 * hidden);
        for (step, before) in self.order(steps) {
            let rows = steps.rows(step);
            if let Some(before) = before {
                // Lines that are shorter have nothing before.
                let (from, count) = (steps.rows(before).start, steps.shared(step, before));
                let states = View::new(&self.states[from * hidden..], count, hidden, hidden);
                add_product(&mut self.gates[rows.start * 4 * hidden..], 4 * hidden, states, weights);
            }
            for row in rows.clone() {
                let kept = before
                    .filter(|before| row - rows.start < steps.shared(step, *before))
                    .map(|before| steps.rows(before).start + row - rows.start);
                self.cell(row, kept);
            }
        }
    }

    fn cell(&mut self, row: usize, before: Option<usize>) {
        let hidden = self.hidden;
        let gates = &mut self.gates[row * 4 * hidden..(row + 1) * 4 * hidden];
        let (open, fresh) = gates.split_at_mut(3 * hidden);
        for gate in open.iter_mut() {
            *gate = sigmoid(*gate);
        }
        for gate in fresh.iter_mut() {
            *gate = tanh(*gate);
        }
        let (enter, rest) = open.split_at(hidden);
        let (keep, leave) = rest.split_at(hidden);
        if let Some(before) = before {
            let (from, to) = (before * hidden, row * hidden);
            self.cells.copy_within(from..from + hidden, to);
        }
        let cells = &mut self.cells[row * hidden..(row + 1) * hidden];
        let states = &mut self.states[row * hidden..(row + 1) * hidden];
        for at in 0..hidden {
            let cell = keep[at] * cells[at] + enter[at] * fresh[at];
            cells[at] = cell;
            states[at] = leave[at] * tanh(cell);
        }
    }

    /// Derivatives, given those of the states.
    fn back(&self, steps: &Steps, recurrent: &[f32], mut of_states: Vec<f32>) -> Gradients {
        let hidden = self.hidden;
        let count = self.states.len() / hidden;
        let weights = View::new(recurrent, hidden, 4 * hidden, 4 * hidden).turned();
        let mut of_cells = vec![0.0; count * hidden];
        let mut projected = vec![0.0; count * 4 * hidden];
        let mut earlier = vec![0.0; count * hidden];
        let nothing = vec![0.0; hidden];
        let mut passed = vec![0.0; hidden];
        for (step, before) in self.order(steps).into_iter().rev() {
            let rows = steps.rows(step);
            let shared = before.map_or(0, |before| steps.shared(step, before));
            let from = before.map_or(0, |before| steps.rows(before).start);
            for (place, row) in rows.clone().enumerate() {
                let kept = (place < shared).then_some(from + place);
                let cells_before =
                    kept.map_or(&nothing[..], |kept| &self.cells[kept * hidden..(kept + 1) * hidden]);
                let here = row * hidden..(row + 1) * hidden;
                let gradient = &mut projected[row * 4 * hidden..(row + 1) * 4 * hidden];
                let told = Told {
                    before: cells_before,
                    of_states: &of_states[here.clone()],
                    of_cells: &of_cells[here.clone()],
                };
                self.cell_back(row, &told, gradient, &mut passed);
                if let Some(kept) = kept {
                    of_cells[kept * hidden..(kept + 1) * hidden].copy_from_slice(&passed);
                    earlier[here].copy_from_slice(&self.states[kept * hidden..(kept + 1) * hidden]);
                }
            }
            let gradients = View::new(&projected[rows.start * 4 * hidden..], shared, 4 * hidden, 4 * hidden);
            add_product(&mut of_states[from * hidden..], hidden, gradients, weights);
        }
        let mut of_recurrent = vec![0.0; recurrent.len()];
        let earlier = View::new(&earlier, count, hidden, hidden).turned();
        let gradients = View::new(&projected, count, 4 * hidden, 4 * hidden);
        add_product(&mut of_recurrent, 4 * hidden, earlier, gradients);
        Gradients { projected, recurrent: of_recurrent }
    }

    /// Derivatives of the gates of a row; `passed` goes on to the cell before.
    fn cell_back(&self, row: usize, told: &Told<'_>, gradient: &mut [f32], passed: &mut [f32]) {
        let Told { before, of_states, of_cells } = *told;
        let hidden = self.hidden;
        let gates = &self.gates[row * 4 * hidden..(row + 1) * 4 * hidden];
        let cells = &self.cells[row * hidden..(row + 1) * hidden];
        let (enter, rest) = gates.split_at(hidden);
        let (keep, rest) = rest.split_at(hidden);
        let (leave, fresh) = rest.split_at(hidden);
        let (d_enter, rest) = gradient.split_at_mut(hidden);
        let (d_keep, rest) = rest.split_at_mut(hidden);
        let (d_leave, d_fresh) = rest.split_at_mut(hidden);
        for at in 0..hidden {
            let shown = tanh(cells[at]);
            let cell = of_cells[at] + of_states[at] * leave[at] * (1.0 - shown * shown);
            d_leave[at] = of_states[at] * shown * leave[at] * (1.0 - leave[at]);
            d_enter[at] = cell * fresh[at] * enter[at] * (1.0 - enter[at]);
            d_keep[at] = cell * before[at] * keep[at] * (1.0 - keep[at]);
            d_fresh[at] = cell * enter[at] * (1.0 - fresh[at] * fresh[at]);
            passed[at] = cell * keep[at];
        }
    }
}

impl CustomOp3 for Lstm {
    fn name(&self) -> &'static str {
        "lstm in both directions"
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (projected, recurrent, bias) = (numbers(s1, l1)?, numbers(s2, l2)?, numbers(s3, l3)?);
        let (count, width) = l1.shape().dims2()?;
        let hidden = width / 8;
        if recurrent.len() != width * hidden || bias.len() != width || count != self.steps.count() {
            bail!("the weights of an LSTM do not match its input");
        }
        let mut passes = Vec::new();
        let mut out = vec![0.0; count * 2 * hidden];
        for direction in 0..2 {
            let own = direction * 4 * hidden..(direction + 1) * 4 * hidden;
            let mut gates = Vec::with_capacity(count * 4 * hidden);
            for row in projected.chunks_exact(width) {
                gates.extend(row[own.clone()].iter().zip(&bias[own.clone()]).map(|(gate, bias)| gate + bias));
            }
            let cells = vec![0.0; count * hidden];
            let states = cells.clone();
            let mut pass = Pass { backwards: direction == 1, hidden, gates, cells, states };
            let size = recurrent.len() / 2;
            pass.run(&self.steps, &recurrent[direction * size..(direction + 1) * size]);
            for (out, states) in out.chunks_exact_mut(2 * hidden).zip(pass.states.chunks_exact(hidden)) {
                out[direction * hidden..(direction + 1) * hidden].copy_from_slice(states);
            }
            passes.push(pass);
        }
        *self.saved.lock().unwrap_or_else(PoisonError::into_inner) = passes;
        Ok((CpuStorage::F32(out), Shape::from((count, 2 * hidden))))
    }

    fn bwd(
        &self,
        projected: &Tensor,
        recurrent: &Tensor,
        _: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let passes = std::mem::take(&mut *self.saved.lock().unwrap_or_else(PoisonError::into_inner));
        let gradient = gradient.flatten_all()?.to_vec1::<f32>()?;
        let weights = recurrent.flatten_all()?.to_vec1::<f32>()?;
        let (count, width) = projected.dims2()?;
        let hidden = width / 8;
        let mut of_projected = vec![0.0; count * width];
        let mut of_recurrent = Vec::with_capacity(weights.len());
        for (direction, pass) in passes.iter().enumerate() {
            let own = direction * hidden..(direction + 1) * hidden;
            let of_states: Vec<f32> =
                gradient.chunks_exact(2 * hidden).flat_map(|row| &row[own.clone()]).copied().collect();
            let size = weights.len() / 2;
            let back = pass.back(&self.steps, &weights[direction * size..(direction + 1) * size], of_states);
            for (row, back) in
                of_projected.chunks_exact_mut(width).zip(back.projected.chunks_exact(4 * hidden))
            {
                row[direction * 4 * hidden..(direction + 1) * 4 * hidden].copy_from_slice(back);
            }
            of_recurrent.extend(back.recurrent);
        }
        let of_bias = column_sums(&of_projected, width);
        let device = projected.device();
        Ok((
            Some(Tensor::from_vec(of_projected, (count, width), device)?),
            Some(Tensor::from_vec(of_recurrent, recurrent.shape(), device)?),
            Some(Tensor::from_vec(of_bias, width, device)?),
        ))
    }
}
