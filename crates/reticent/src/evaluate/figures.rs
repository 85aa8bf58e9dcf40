//! Means, shares and rounding, identical to the reference scorer.

/// The harmonic mean of precision and recall; 0 where both are.
pub fn f1(precision: f64, recall: f64) -> f64 {
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

/// A part of a whole; 0 of nothing.
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The coefficient of variation as the embeddings paper defines it: variance over mean (not standard
/// deviation over mean).
pub fn variation(values: &[f64]) -> f64 {
    let middle = mean(values);
    // Only an exact zero cannot be divided by.
    if middle == 0.0 {
        return 0.0;
    }
    values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / values.len() as f64 / middle
}

/// Rounded to four digits by its exact value, ties to even.
///
/// ```
/// use reticent::evaluate::round;
/// assert_eq!((round(2.0 / 3.0), round(0.00005)), (0.6667, 0.0001));
/// ```
pub fn round(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

/// Precision, recall and F1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The share of predictions that are correct.
    pub precision: f64,
    /// The share of gold spans that are found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Accuracy {
    /// Computes the scores from the numbers of correct, predicted and gold spans.
    pub fn of(right: usize, found: usize, gold: usize) -> Self {
        let (precision, recall) = (share(right, found), share(right, gold));
        Self { precision, recall, f1: f1(precision, recall) }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_all_is_zero() {
        assert_eq!(
            (f1(0.0, 0.0), share(0, 0), mean(&[]), variation(&[]), variation(&[0.0])),
            Default::default()
        );
        assert_eq!(Accuracy::of(0, 0, 0), Accuracy::default());
    }

    #[test]
    fn variation_is_variance_over_mean() {
        assert_eq!(variation(&[1.0, 3.0]), 0.5);
        assert_eq!(variation(&[2.0, 2.0]), 0.0);
    }

    #[test]
    fn rounds_as_python_does() {
        // Decimals that lie a little above or below what is written, and two that lie just between.
        for (value, rounded) in [
            (0.00005, 0.0001),
            (0.00015, 0.0001),
            (0.00025, 0.0003),
            (2.00015, 2.0002),
            (0.03125, 0.0312),
            (0.09375, 0.0938),
            (0.99996, 1.0),
        ] {
            assert_eq!(round(value), rounded);
        }
    }
}
