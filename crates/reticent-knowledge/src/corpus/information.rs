//! Information content and pointwise mutual information of terms.
//!
//! With `n` units that contain something, of `N` in all:
//!
//! - information content, `IC(x) = log2(N / n(x))`;
//! - pointwise mutual information, `PMI(c; T) = log2(N · n(c, T) / (n(c) · n(T)))`: at most `IC(c)`, and that
//!   only if `T` is never written without `c`;
//! - the same among the units that also contain a generalization `g` of `c`,
//!   `PMI_g(c; T) = log2(N · n(c, g, T) / (n(c, g) · n(T, g)))`, for which `PMI_g(c; g) = IC(g)`.
//!
//! These bounds hold for the numbers computed here too, not only up to rounding, so that they may be
//! compared with `==`.

use super::{Count, Counts};
use crate::Error;

/// An amount of information.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Information {
    /// So many bits.
    Bits(f64),
    /// So many bits or more: the source knows only that it is not written more often.
    AtLeast(f64),
    /// Minus infinity: they are known, and never written together.
    Never,
    /// Unknown to the source. Never to be treated as safe.
    Unknown,
}

impl Information {
    /// The bits, where they are known exactly; minus infinity for [`Information::Never`].
    pub fn bits(self) -> Option<f64> {
        match self {
            Self::Bits(bits) => Some(bits),
            Self::Never => Some(f64::NEG_INFINITY),
            Self::AtLeast(_) | Self::Unknown => None,
        }
    }
}

/// The information content of a term.
///
/// A term that does not occur in the corpus is unknown.
pub fn ic(counts: &(impl Counts + ?Sized), term: &str) -> Result<Information, Error> {
    ic_of_all(counts, &[term])
}

/// The information content of several terms written together.
pub fn ic_of_all(counts: &(impl Counts + ?Sized), terms: &[&str]) -> Result<Information, Error> {
    let total = counts.total();
    let bits = |count: u64| (total as f64 / count as f64).log2();
    Ok(match counts.count(terms)? {
        Count::Exact(0) | Count::Unknown => Information::Unknown,
        _ if total == 0 => Information::Unknown,
        Count::Exact(count) => Information::Bits(bits(count)),
        Count::AtMost(0) => Information::AtLeast(bits(1)),
        Count::AtMost(count) => Information::AtLeast(bits(count)),
    })
}

/// Returns the pointwise mutual information of `c` and the terms `others` together.
///
/// Unknown if `c` does not occur in the corpus, or `others` do not co-occur.
pub fn pmi(counts: &(impl Counts + ?Sized), c: &str, others: &[&str]) -> Result<Information, Error> {
    let both: Vec<&str> = std::iter::once(c).chain(others.iter().copied()).collect();
    shared(counts, &[c], others, &both)
}

/// Returns the pointwise mutual information of `c` and `others` in documents that also contain `general`.
///
/// Unknown if `c` or `others` do not co-occur with `general`.
pub fn contextual_pmi(
    counts: &(impl Counts + ?Sized),
    c: &str,
    general: &str,
    others: &[&str],
) -> Result<Information, Error> {
    let with_general: Vec<&str> = others.iter().copied().chain([general]).collect();
    let all: Vec<&str> = with_general.iter().copied().chain([c]).collect();
    // The places are changed, since here it is the other side that makes the bound.
    shared(counts, &with_general, &[c, general], &all)
}

/// `log2(N · n(both) / (n(one) · n(other)))`, so computed that it is `log2(N / n(one))` when `both` is as
/// frequent as `other`.
fn shared(
    counts: &(impl Counts + ?Sized),
    one: &[&str],
    other: &[&str],
    both: &[&str],
) -> Result<Information, Error> {
    let mut known = [0; 3];
    for (slot, terms) in known.iter_mut().zip([one, other, both]) {
        let Count::Exact(count) = counts.count(terms)? else { return Ok(Information::Unknown) };
        *slot = count;
    }
    let [one, other, both] = known;
    if one == 0 || other == 0 {
        return Ok(Information::Unknown);
    }
    if both == 0 {
        return Ok(Information::Never);
    }
    let share = both as f64 / other as f64;
    Ok(Information::Bits((counts.total() as f64 / one as f64 * share).log2()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::tests::index_of;
    use super::*;

    #[test]
    fn tells_bits() {
        let index = index_of(&["HIV virus", "HIV virus blood", "virus", "flu virus", "x", "y", "z", "w"]);
        assert_eq!(ic(&index, "virus").unwrap(), Information::Bits(1.0));
        assert_eq!(ic(&index, "HIV").unwrap(), Information::Bits(2.0));
        // Blood is written with HIV only.
        assert_eq!(pmi(&index, "HIV", &["blood"]).unwrap(), Information::Bits(2.0));
        assert_eq!(pmi(&index, "HIV", &["virus"]).unwrap(), Information::Bits(1.0));
        assert_eq!(contextual_pmi(&index, "HIV", "virus", &["blood"]).unwrap(), Information::Bits(2.0));
    }

    #[test]
    fn keeps_unknown_apart_from_never() {
        let index = index_of(&["HIV virus", "flu"]);
        assert_eq!(pmi(&index, "HIV", &["flu"]).unwrap(), Information::Never);
        assert_eq!(pmi(&index, "HIV", &["malaria"]).unwrap(), Information::Unknown);
        assert_eq!(pmi(&index, "malaria", &["flu"]).unwrap(), Information::Unknown);
        assert_eq!(pmi(&index, "HIV", &["virus", "flu"]).unwrap(), Information::Unknown);
        assert_eq!(ic(&index, "malaria").unwrap(), Information::Unknown);
        assert_eq!(ic(&index, "...").unwrap(), Information::Unknown);
        assert_eq!(contextual_pmi(&index, "HIV", "virus", &["flu"]).unwrap(), Information::Unknown);
    }

    fn corpus() -> impl Strategy<Value = Vec<String>> {
        let word = select(vec!["alpha", "beta", "gamma", "delta"]);
        let text = prop::collection::vec(word, 1..5).prop_map(|words| words.join(", "));
        prop::collection::vec(text, 1..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn bounds_hold_exactly(texts in corpus(), c in select(vec!["alpha", "beta"]), g in select(vec!["gamma", "delta"])) {
            let index = index_of(&texts.iter().map(String::as_str).collect::<Vec<_>>());
            let of_c = ic(&index, c).unwrap();
            prop_assert_eq!(pmi(&index, c, &[c]).unwrap(), of_c);
            if index.count(&[c, g]).unwrap() != Count::Exact(0) {
                prop_assert_eq!(contextual_pmi(&index, c, g, &[g]).unwrap(), ic(&index, g).unwrap());
            }
            for others in [vec![g], vec!["delta"], vec![g, "beta"]] {
                if let (Some(pmi), Some(ic)) = (pmi(&index, c, &others).unwrap().bits(), of_c.bits()) {
                    prop_assert!(pmi <= ic);
                }
            }
        }
    }
}
