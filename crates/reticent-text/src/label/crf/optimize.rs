//! Finding the smallest value of a function of many numbers: L-BFGS, and OWL-QN where an L1 term makes
//! weights exactly zero (Andrew and Gao, 2007).

/// When to stop, and how to remember.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// At most so many steps.
    pub iterations: usize,
    /// When the best of so many steps back was better by less than `tolerance` of the value.
    pub period: usize,
    /// See `period`.
    pub tolerance: f64,
}

/// How many steps the curvature is remembered from.
const MEMORY: usize = 6;
const SHORTEST: f64 = 1e-10;

struct Step {
    moved: Vec<f64>,
    turned: Vec<f64>,
    inverse: f64,
}

/// Minimizes `value(x, gradient)` plus `l1` times the sum of all |x|, from `x` on. `seen` is told each
/// step and its value; the last `x` is the best.
pub(super) fn minimize(
    x: &mut Vec<f64>,
    l1: f64,
    stop: Stop,
    mut value: impl FnMut(&[f64], &mut [f64]) -> f64,
    mut seen: impl FnMut(usize, f64),
) {
    let size = x.len();
    let norm1 = |x: &[f64]| if l1 > 0.0 { l1 * x.iter().map(|x| x.abs()).sum::<f64>() } else { 0.0 };
    let mut gradient = vec![0.0; size];
    let mut now = value(x, &mut gradient) + norm1(x);
    let mut steepest = pseudo_gradient(x, &gradient, l1);
    let mut steps: Vec<Step> = Vec::new();
    let mut values = vec![now];
    let mut next_gradient = vec![0.0; size];
    for iteration in 1..=stop.iterations {
        let mut direction = direction(&steepest, &steps);
        if l1 > 0.0 {
            // A step that the curvature turns against the slope is not taken.
            for (d, g) in direction.iter_mut().zip(&steepest) {
                if *d * g >= 0.0 {
                    *d = 0.0;
                }
            }
        }
        let slope = dot(&direction, &steepest);
        if slope >= 0.0 {
            if steps.is_empty() {
                return;
            }
            steps.clear();
            continue;
        }
        let mut length = if steps.is_empty() { 1.0 / dot(&direction, &direction).sqrt() } else { 1.0 };
        let moved = loop {
            let next = step(x, &direction, &steepest, length, l1);
            let then = value(&next, &mut next_gradient) + norm1(&next);
            if then <= now + 1e-4 * length * slope {
                break Some((next, then));
            }
            length *= 0.5;
            if length < SHORTEST {
                break None;
            }
        };
        let Some((next, then)) = moved else { return };
        let moved: Vec<f64> = next.iter().zip(x.iter()).map(|(a, b)| a - b).collect();
        let turned: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let curvature = dot(&moved, &turned);
        if curvature > 1e-12 {
            if steps.len() == MEMORY {
                steps.remove(0);
            }
            steps.push(Step { moved, turned, inverse: 1.0 / curvature });
        }
        *x = next;
        std::mem::swap(&mut gradient, &mut next_gradient);
        steepest = pseudo_gradient(x, &gradient, l1);
        now = then;
        seen(iteration, now);
        values.push(now);
        let before = values.len().checked_sub(stop.period + 1).map(|at| values[at]);
        if before.is_some_and(|before| (before - now).abs() < stop.tolerance * now.abs().max(1.0)) {
            return;
        }
    }
}

/// The gradient with the L1 term, which has none at zero: there the side that goes down counts.
fn pseudo_gradient(x: &[f64], gradient: &[f64], l1: f64) -> Vec<f64> {
    if l1 == 0.0 {
        return gradient.to_vec();
    }
    let slope = |(x, g): (&f64, &f64)| {
        if *x != 0.0 {
            g + l1 * x.signum()
        } else if g + l1 < 0.0 {
            g + l1
        } else if g - l1 > 0.0 {
            g - l1
        } else {
            0.0
        }
    };
    x.iter().zip(gradient).map(slope).collect()
}

/// Against the slope, bent by the curvature that the last steps showed.
fn direction(steepest: &[f64], steps: &[Step]) -> Vec<f64> {
    let mut direction: Vec<f64> = steepest.iter().map(|g| -g).collect();
    let mut shares = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let share = step.inverse * dot(&step.moved, &direction);
        add(&mut direction, -share, &step.turned);
        shares.push(share);
    }
    if let Some(last) = steps.last() {
        let scale = 1.0 / (last.inverse * dot(&last.turned, &last.turned));
        for d in &mut direction {
            *d *= scale;
        }
    }
    for (step, share) in steps.iter().zip(shares.iter().rev()) {
        let back = step.inverse * dot(&step.turned, &direction);
        add(&mut direction, share - back, &step.moved);
    }
    direction
}

/// A step that stops at zero where a weight would change its sign.
fn step(x: &[f64], direction: &[f64], steepest: &[f64], length: f64, l1: f64) -> Vec<f64> {
    let mut next: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + length * d).collect();
    if l1 > 0.0 {
        for ((next, x), g) in next.iter_mut().zip(x).zip(steepest) {
            let side = if *x == 0.0 { -g } else { *x };
            if *next * side <= 0.0 {
                *next = 0.0;
            }
        }
    }
    next
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], times: f64, what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += times * what;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOP: Stop = Stop { iterations: 500, period: 10, tolerance: 1e-12 };

    #[test]
    fn finds_the_bottom_of_a_narrow_valley() {
        let mut x = vec![-1.2, 1.0];
        let rosenbrock = |x: &[f64], g: &mut [f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            g[0] = -2.0 * a - 400.0 * x[0] * b;
            g[1] = 200.0 * b;
            a * a + 100.0 * b * b
        };
        minimize(&mut x, 0.0, STOP, rosenbrock, |_, _| {});
        assert!((x[0] - 1.0).abs() < 1e-4 && (x[1] - 1.0).abs() < 1e-4, "{x:?}");
    }

    #[test]
    fn l1_makes_small_weights_exactly_zero() {
        // The answer is known: each goes towards zero by l1, and stays there.
        let goal = [3.0, -2.0, 0.4, -0.3];
        let mut x = vec![0.0; 4];
        let bowl = |x: &[f64], g: &mut [f64]| {
            for i in 0..4 {
                g[i] = x[i] - goal[i];
            }
            g.iter().map(|g| g * g / 2.0).sum()
        };
        minimize(&mut x, 0.5, STOP, bowl, |_, _| {});
        assert!((x[0] - 2.5).abs() < 1e-6 && (x[1] + 1.5).abs() < 1e-6);
        assert_eq!(x[2..], [0.0, 0.0]);
    }

    #[test]
    fn stays_at_the_bottom() {
        let mut x = vec![0.0];
        minimize(
            &mut x,
            0.0,
            STOP,
            |x, g| {
                g[0] = 2.0 * x[0];
                x[0] * x[0]
            },
            |_, _| {},
        );
        assert_eq!(x, [0.0]);
    }
}
