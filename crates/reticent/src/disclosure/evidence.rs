//! How sure counts are: exact binomial bounds on the share of documents with a secret.
//!
//! Of `all` documents with a term, `with` have the secret too. The share `with / all` is an estimate, and from few
//! documents a poor one: a term in three documents, none of them with the secret, may still go with it more often than
//! not. The upper bound of Clopper and Pearson is the largest share that the counts do not refute at a confidence.

/// Returns whether the counts show, at an error probability of `alpha`, that a share is no larger than `limit`: the
/// Clopper–Pearson upper bound is at most `limit` where `P(X <= with) <= alpha` for `X` binomial of `all` and `limit`.
pub(crate) fn shows_at_most(with: u64, all: u64, limit: f64, alpha: f64) -> bool {
    if limit >= 1.0 {
        return true;
    }
    // At the mean the tail is about one half: no confidence is that low.
    limit > 0.0 && all > 0 && (with as f64) < limit * all as f64 && tail(with, all, limit) <= alpha
}

/// Returns the Clopper–Pearson upper bound on a share; 1 if nothing was counted.
pub(crate) fn upper(with: u64, all: u64, alpha: f64) -> f64 {
    if all == 0 || with >= all {
        return 1.0;
    }
    if with == 0 {
        return 1.0 - alpha.powf(1.0 / all as f64);
    }
    let (mut low, mut high) = (with as f64 / all as f64, 1.0);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if tail(with, all, middle) > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Enough to halve an interval below what is printed.
const STEPS: usize = 30;

/// `P(X <= with)` for `X` binomial of `all` and `share`.
fn tail(with: u64, all: u64, share: f64) -> f64 {
    let (with, all) = (with as f64, all as f64);
    // log P(X = with), factor by factor, so that nothing overflows.
    let mut log = all * (-share).ln_1p();
    let odds = share.ln() - (-share).ln_1p();
    let mut at = 0.0;
    while at < with {
        log += ((all - at) / (at + 1.0)).ln() + odds;
        at += 1.0;
    }
    // The other terms, relative to it, from the largest on.
    let (mut sum, mut term) = (1.0, 1.0);
    while at > 0.0 {
        term *= at / (all - at + 1.0) * (-odds).exp();
        sum += term;
        at -= 1.0;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    (log + f64::ln(sum)).exp().min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Published values of the exact 95 % one-sided upper bound.
    #[test]
    fn the_bound_is_that_of_clopper_and_pearson() {
        for (with, all, bound) in
            [(0, 10, 0.2589), (1, 10, 0.3942), (5, 10, 0.7776), (0, 3, 0.6316), (2, 100, 0.0616)]
        {
            assert!(
                (upper(with, all, 0.05) - bound).abs() < 5e-4,
                "{with} of {all}: {}",
                upper(with, all, 0.05)
            );
        }
    }

    #[test]
    fn few_documents_show_nothing() {
        assert!(!shows_at_most(0, 0, 0.9, 0.05) && !shows_at_most(0, 3, 0.5, 0.05));
        assert!(shows_at_most(0, 5, 0.5, 0.05) && shows_at_most(3, 300, 0.1, 0.05));
        assert!(!shows_at_most(30, 300, 0.1, 0.05), "what is at the limit is not shown to be below it");
    }

    proptest! {
        #[test]
        fn the_test_and_the_bound_agree(all in 1_u64..400, share in 0.0..1.0_f64, limit in 0.01..0.99_f64, alpha in 0.01..0.3_f64) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let with = (all as f64 * share) as u64;
            let bound = upper(with, all, alpha);
            prop_assert!(bound >= with as f64 / all as f64);
            if (bound - limit).abs() > 1e-6 {
                prop_assert_eq!(shows_at_most(with, all, limit, alpha), bound < limit);
            }
        }

        #[test]
        fn more_documents_show_more(all in 1_u64..300, with in 0_u64..20, alpha in 0.01..0.3_f64) {
            prop_assume!(with <= all);
            prop_assert!(upper(2 * with, 2 * all, alpha) <= upper(with, all, alpha) + 1e-6);
            prop_assert!(upper(with, all, alpha) <= upper(with, all, alpha / 2.0) + 1e-9);
        }
    }
}
