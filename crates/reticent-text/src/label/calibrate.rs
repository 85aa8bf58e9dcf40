//! How far a labeller leans towards finding something, and how often what it calls probable is right:
//! fitted on documents that it was not trained on.

use super::crf::Choice;
use super::labeller::{Calibration, Labelled, Labeller};
use super::train::Example;

/// Leans that are tried, and how probable a run must be to be chosen by itself; by zero they are chosen as
/// the most probable way.
const LEANS: [f32; 9] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5];
const LEASTS: [f32; 4] = [0.0, 0.4, 0.45, 0.5];

/// What would be found, by each choice, in documents that labellers were not trained on.
#[derive(Default)]
pub(super) struct Judged {
    parts: Vec<Part>,
}

/// Documents that were held out together.
struct Part {
    gold: usize,
    /// For each choice: probabilities, and whether exactly that is there.
    by_choice: Vec<Vec<(f32, bool)>>,
}

fn choices() -> impl Iterator<Item = Choice> {
    LEASTS.into_iter().flat_map(|least| LEANS.map(|lean| Choice { lean, least }))
}

impl Judged {
    /// Adds documents that this labeller, whose probabilities are not calibrated yet, was not trained on.
    pub(super) fn add(&mut self, labeller: &Labeller, held_out: &[&Example]) {
        let mut part = Part { gold: 0, by_choice: choices().map(|_| Vec::new()).collect() };
        for example in held_out {
            part.gold += example.entities.len();
            let scored = labeller.scored(&example.document, &example.layers);
            for (points, choice) in part.by_choice.iter_mut().zip(choices()) {
                points.extend(judged(labeller, &scored.runs(labeller, choice), example));
            }
        }
        self.parts.push(part);
    }

    /// The choice that does best on all parts, and the calibration that promises too much on none of them.
    pub(super) fn fit(&self) -> (Calibration, Choice) {
        let gold: usize = self.parts.iter().map(|part| part.gold).sum();
        let mut top = (0, Choice::default(), -1.0);
        for (at, choice) in choices().enumerate() {
            let points = || self.parts.iter().flat_map(|part| &part.by_choice[at]);
            let right = points().filter(|(_, right)| *right).count();
            let f1 = 2.0 * right as f64 / (points().count() + gold).max(1) as f64;
            // What gains nothing is not taken.
            if f1 > top.2 + 1e-6 {
                top = (at, choice, f1);
            }
        }
        let parts: Vec<&[(f32, bool)]> =
            self.parts.iter().map(|part| part.by_choice[top.0].as_slice()).collect();
        (cautious(&parts), top.1)
    }
}

/// The curve of all parts, as far lowered as the part asks for that did worst: parts of one collection are more like
/// each other than like what a labeller will meet, so that what holds for them on average is too much.
fn cautious(parts: &[&[(f32, bool)]]) -> Calibration {
    let all = curve(&parts.concat());
    let lowered = |part: &&[(f32, bool)]| {
        let known: Vec<(f32, bool)> = part.iter().map(|(p, right)| (all.apply(*p), *right)).collect();
        shift(&known)
    };
    Calibration { shift: all.shift + parts.iter().map(lowered).fold(0.0, f32::min), ..all }
}

/// Probabilities with whether exactly that was there.
pub(super) fn judged(labeller: &Labeller, found: &[Labelled], example: &Example) -> Vec<(f32, bool)> {
    let judge = |labelled: &Labelled| {
        let name = &labeller.kinds()[labelled.kind];
        let right = example.entities.iter().any(|(gold, kind)| *gold == labelled.span && kind == name);
        (labelled.probability, right)
    };
    found.iter().map(judge).collect()
}

/// Fits the curve from probabilities to being right, by Newton's method on the log-likelihood.
pub(super) fn curve(points: &[(f32, bool)]) -> Calibration {
    let points: Vec<(f64, f64)> = points
        .iter()
        .map(|(probability, right)| {
            let p = f64::from(probability.clamp(1e-6, 1.0 - 1e-6));
            ((p / (1.0 - p)).ln(), f64::from(u8::from(*right)))
        })
        .collect();
    // A weak pull to the identity keeps few points from leading far away.
    let loss = |slope: f64, shift: f64| -> f64 {
        let each = points.iter().map(|(x, right)| {
            let z = slope * x + shift;
            // ln(1 + e^z) - right·z, without overflow.
            z.max(0.0) + (-z.abs()).exp().ln_1p() - right * z
        });
        each.sum::<f64>() + f64::midpoint((slope - 1.0).powi(2), shift.powi(2))
    };
    let (mut slope, mut shift) = (1.0f64, 0.0f64);
    for _ in 0..50 {
        let (mut g0, mut g1) = (slope - 1.0, shift);
        let (mut h00, mut h01, mut h11) = (1.0, 0.0, 1.0);
        for (x, right) in &points {
            let p = 1.0 / (1.0 + (-(slope * x + shift)).exp());
            let weight = p * (1.0 - p);
            g0 += (p - right) * x;
            g1 += p - right;
            h00 += weight * x * x;
            h01 += weight * x;
            h11 += weight;
        }
        let determinant = h00 * h11 - h01 * h01;
        let (d0, d1) = ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant);
        // A whole step may lead too far where the curve is flat.
        let now = loss(slope, shift);
        let part = (0..40)
            .map(|halvings| 0.5f64.powi(halvings))
            .find(|part| loss(slope - part * d0, shift - part * d1) < now);
        let Some(part) = part else { break };
        slope -= part * d0;
        shift -= part * d1;
        if d0.abs() + d1.abs() < 1e-9 {
            break;
        }
    }
    #[allow(clippy::cast_possible_truncation)]
    let small = |x: f64| x as f32;
    if slope > 0.0 && slope.is_finite() && shift.is_finite() {
        Calibration { slope: small(slope), shift: small(shift) }
    } else {
        Calibration::default()
    }
}

/// How far log-odds must move for probabilities to be right on average, by halving; few spans move them little.
fn shift(points: &[(f32, bool)]) -> f32 {
    const PULL: f32 = 4.0;
    let odds = |p: f32| (p / (1.0 - p)).ln();
    let above = |by: f32| -> f32 {
        let off = |(p, right): &(f32, bool)| {
            1.0 / (1.0 + (-(odds(p.clamp(1e-6, 1.0 - 1e-6)) + by)).exp()) - f32::from(u8::from(*right))
        };
        points.iter().map(off).sum::<f32>() + PULL * by
    };
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..40 {
        let middle = f32::midpoint(low, high);
        *(if above(middle) > 0.0 { &mut high } else { &mut low }) = middle;
    }
    f32::midpoint(low, high)
}

/// What a labeller's probabilities are worth on annotated documents, and how much it finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    /// Entities that are there.
    pub gold: usize,
    /// Spans that were found.
    pub found: usize,
    /// Spans that were found and are there, with the same kind.
    pub right: usize,
    /// For each tenth of probability: how many spans, the sum of their probabilities, how many right.
    pub tenths: [(usize, f64, usize); 10],
}

impl Reliability {
    /// Measures a labeller on examples.
    #[must_use]
    pub fn measure(labeller: &Labeller, examples: &[Example]) -> Self {
        let mut measured = Self::default();
        for example in examples {
            let found = labeller.label(&example.document, &example.layers);
            measured.gold += example.entities.len();
            for (probability, right) in judged(labeller, &found, example) {
                measured.add(probability, right);
            }
        }
        measured
    }

    fn add(&mut self, probability: f32, right: bool) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let tenth = ((probability * 10.0) as usize).min(9);
        let right = usize::from(right);
        self.found += 1;
        self.right += right;
        let slot = &mut self.tenths[tenth];
        *slot = (slot.0 + 1, slot.1 + f64::from(probability), slot.2 + right);
    }

    /// The share of found spans that are right.
    #[must_use]
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    /// The share of what is there that is found.
    #[must_use]
    pub fn recall(&self) -> f64 {
        self.right as f64 / self.gold.max(1) as f64
    }

    /// Both in one.
    #[must_use]
    pub fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.gold).max(1) as f64
    }

    /// How far probabilities are from being right, on average (expected calibration error).
    #[must_use]
    pub fn error(&self) -> f64 {
        let off = self.tenths.iter().map(|(_, sum, right)| (sum - *right as f64).abs());
        off.sum::<f64>() / self.found.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand spans called 0.9, of which so many are right.
    fn called_nine_in_ten(right: usize) -> Vec<(f32, bool)> {
        (0..1000).map(|at| (0.9, at < right)).collect()
    }

    #[test]
    fn the_worst_part_decides() {
        let parts = [called_nine_in_ten(950), called_nine_in_ten(800)];
        let parts: Vec<&[(f32, bool)]> = parts.iter().map(Vec::as_slice).collect();
        assert!((cautious(&parts).apply(0.9) - 0.8).abs() < 0.01);
    }

    #[test]
    fn parts_that_are_alike_and_single_ones_are_left_alone() {
        let part = called_nine_in_ten(900);
        for count in 1..4 {
            let parts = vec![part.as_slice(); count];
            assert!((cautious(&parts).apply(0.9) - 0.9).abs() < 0.01, "{count}");
        }
        assert_eq!(cautious(&[]), Calibration::default());
        // A part of which hardly anything is known does not decide.
        let small = [(0.9, false)];
        assert!(cautious(&[&part, &small]).apply(0.9) > 0.8);
    }

    #[test]
    fn what_is_too_certain_is_made_less_so() {
        // Called 0.99, right nine times in ten.
        let points: Vec<(f32, bool)> =
            (0..1000).flat_map(|at| [(0.99, at % 10 != 0), (0.6, at % 2 == 0)]).collect();
        let curve = curve(&points);
        assert!((curve.apply(0.99) - 0.9).abs() < 0.02, "{}", curve.apply(0.99));
        assert!((curve.apply(0.6) - 0.5).abs() < 0.05, "{}", curve.apply(0.6));
    }

    #[test]
    fn what_is_right_is_left_alone() {
        let points: Vec<(f32, bool)> =
            (0..1000).flat_map(|at| [(0.9, at % 10 != 0), (0.5, at % 2 == 0)]).collect();
        let curve = curve(&points);
        assert!((curve.apply(0.9) - 0.9).abs() < 0.01 && (curve.apply(0.5) - 0.5).abs() < 0.02);
        assert_eq!(super::curve(&[]), Calibration::default());
    }

    #[test]
    fn counts_tenths() {
        let mut measured = Reliability { gold: 4, ..Reliability::default() };
        for (probability, right) in [(1.0, true), (0.95, true), (0.91, false), (0.2, false)] {
            measured.add(probability, right);
        }
        assert_eq!(
            (measured.found, measured.right, measured.tenths[9].0, measured.tenths[2].0),
            (4, 2, 3, 1)
        );
        assert!((measured.f1() - 0.5).abs() < 1e-9 && (measured.error() - (0.86 + 0.2) / 4.0).abs() < 1e-6);
    }
}
