//! The exact binomial test of the certificate, by the incomplete beta function.

/// Returns whether `with` of `all` refute a share above `limit` at an error probability of `alpha`.
pub(super) fn refutes(with: u64, all: u64, limit: f64, alpha: f64) -> bool {
    if limit >= 1.0 {
        return true;
    }
    all > 0 && limit > 0.0 && (with as f64) < limit * all as f64 && at_most(with, all, limit) <= alpha
}

/// The largest share that is not refuted.
pub(super) fn bound(with: u64, all: u64, alpha: f64) -> f64 {
    if with >= all {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > 1e-9 {
        let middle = f64::midpoint(low, high);
        if at_most(with, all, middle) > alpha { low = middle } else { high = middle }
    }
    high
}

/// `P(X <= with)`, which is `I(1 - share; all - with, with + 1)`.
fn at_most(with: u64, all: u64, share: f64) -> f64 {
    if with >= all {
        return 1.0;
    }
    incomplete_beta((all - with) as f64, with as f64 + 1.0, 1.0 - share)
}

/// The regularized incomplete beta function, by its continued fraction (Lentz).
#[allow(clippy::many_single_char_names, reason = "the names of the formula")]
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp() / a;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..2000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / nonzero(1.0 + even * d);
        c = nonzero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / nonzero(1.0 + odd * d);
        c = nonzero(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction
}

/// Stirling's series, after shifting the argument up to where it is exact.
fn log_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series =
        (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::disclosure::evidence;

    proptest! {
        /// Finder and certificate compute the same by different ways.
        #[test]
        fn both_tests_agree(all in 1_u64..3000, share in 0.0..1.0_f64, limit in 0.001..0.999_f64) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let with = (all as f64 * share * limit) as u64;
            let (one, two) = (bound(with, all, 0.05), evidence::upper(with, all, 0.05));
            prop_assert!((one - two).abs() < 1e-6, "{one} {two}");
            if (one - limit).abs() > 1e-6 {
                prop_assert_eq!(refutes(with, all, limit, 0.05), evidence::shows_at_most(with, all, limit, 0.05));
            }
        }
    }
}
