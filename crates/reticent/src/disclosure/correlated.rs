//! What gives away what was masked already: semantic correlations with another sanitizer's spans.
//!
//! For each masked term `s` and each set `x` of the terms that remain in its context, `DR(s; x) = PMI(s; x)`. The
//! threshold is the information content of the least informative masked term: what the sanitizer itself thought
//! worth masking. What tells more is masked too, and leaves the terms that remain; single terms first.

use std::collections::{BTreeMap, HashMap};

use reticent_knowledge::corpus::{Count, Counts};

use crate::Error;

/// A term that gives a masked one away.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// The index of the remaining term.
    pub term: usize,
    /// The index of the masked term that it reveals.
    pub masked: usize,
    /// With how many others.
    pub terms: usize,
    /// The indices of these others.
    pub with: Vec<usize>,
    /// Its disclosure about the masked term, in bits.
    pub bits: f64,
}

/// The correlations with masked terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlations {
    /// The terms that reveal a masked term.
    pub found: Vec<Correlation>,
    /// The threshold, in bits; nothing if the corpus knows none of the masked terms.
    pub threshold: Option<f64>,
    /// The masked terms unknown to the corpus, for which no correlations can be measured.
    pub unknown_masked: Vec<usize>,
    /// The remaining terms that it does not know.
    pub unknown: Vec<usize>,
}

/// Terms that stand together: which of the masked ones, and which of those that remain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// Masked.
    pub masked: Vec<usize>,
    /// Not masked.
    pub rest: Vec<usize>,
}

/// Finds the terms that give masked ones away, alone or with up to `max_terms - 1` others. Each masked term is a concept:
/// all that names it.
pub fn correlated(
    counts: &dyn Counts,
    masked: &[Vec<String>],
    rest: &[&str],
    contexts: &[Together],
    max_terms: usize,
) -> Result<Correlations, Error> {
    let total = counts.total();
    let written = |terms: &[&str]| -> Result<u64, Error> {
        Ok(match counts.count(terms)? {
            Count::Exact(count) => count,
            Count::AtMost(_) | Count::Unknown => 0,
        })
    };
    // Names that the corpus does not know add nothing.
    let mut named: Vec<Vec<&str>> = Vec::new();
    for names in masked {
        let mut known = Vec::new();
        for name in names {
            if written(&[name])? > 0 {
                known.push(name.as_str());
            }
        }
        named.push(known);
    }
    let with_masked = |secret: usize, terms: &[&str]| -> Result<u64, Error> {
        if named[secret].is_empty() {
            return Ok(0);
        }
        Ok(match counts.count_with_any(&named[secret], terms)? {
            Count::Exact(count) => count,
            Count::AtMost(_) | Count::Unknown => 0,
        })
    };
    let of_masked: Vec<u64> =
        (0..masked.len()).map(|secret| with_masked(secret, &[])).collect::<Result<_, _>>()?;
    let of_rest: Vec<u64> = rest.iter().map(|term| written(&[term])).collect::<Result<_, _>>()?;
    let absent = |counts: &[u64]| -> Vec<usize> { (0..counts.len()).filter(|at| counts[*at] == 0).collect() };
    let mut out = Correlations {
        unknown_masked: absent(&of_masked),
        unknown: absent(&of_rest),
        ..Correlations::default()
    };
    // The most frequent masked term is the least informative one.
    let Some(most) = of_masked.iter().copied().max().filter(|most| *most > 0) else { return Ok(out) };
    let bits = |count: u64| (total as f64 / count as f64).log2();
    out.threshold = Some(bits(most));
    let mut gone: BTreeMap<usize, Correlation> = BTreeMap::new();
    let mut with: HashMap<(usize, usize), u64> = HashMap::new();
    for together in contexts {
        for size in 1..=max_terms {
            for &secret in together.masked.iter().filter(|at| of_masked[**at] > 0) {
                let mut near = Vec::new();
                for &term in &together.rest {
                    if gone.contains_key(&term) || of_rest[term] == 0 {
                        continue;
                    }
                    let known = with.get(&(secret, term)).copied();
                    let count = match known {
                        Some(count) => count,
                        None => with_masked(secret, &[rest[term]])?,
                    };
                    with.insert((secret, term), count);
                    if count > 0 {
                        near.push(term);
                    }
                }
                // What tells most first.
                near.sort_by(|a, b| of_rest[*a].cmp(&of_rest[*b]).then_with(|| rest[*a].cmp(rest[*b])));
                for set in sets(&near, size) {
                    if set.iter().any(|term| gone.contains_key(term)) {
                        continue;
                    }
                    let texts: Vec<&str> = set.iter().map(|term| rest[*term]).collect();
                    let both = if size == 1 { with[&(secret, set[0])] } else { with_masked(secret, &texts)? };
                    if both == 0 {
                        continue;
                    }
                    let alone = if size == 1 { of_rest[set[0]] } else { written(&texts)? };
                    // PMI(s;x) > IC(s_min), in whole numbers: n(s,x) · n(s_min) > n(s) · n(x).
                    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
                    if product(both, most) > product(of_masked[secret], alone) {
                        let share = both as f64 / alone as f64;
                        let told = (total as f64 / of_masked[secret] as f64 * share).log2();
                        for &term in &set {
                            let with = set.iter().copied().filter(|other| *other != term).collect();
                            let found = Correlation { term, masked: secret, terms: size, with, bits: told };
                            gone.insert(term, found);
                        }
                    }
                }
            }
        }
    }
    out.found = gone.into_values().collect();
    Ok(out)
}

/// All sets of one, two or three of these, in their order.
fn sets(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for (at, first) in of.iter().enumerate() {
        for rest in self::sets(&of[at + 1..], size - 1) {
            sets.push(std::iter::once(*first).chain(rest).collect());
        }
    }
    sets
}
