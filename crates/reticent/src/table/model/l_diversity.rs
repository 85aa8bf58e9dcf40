//! l-diversity (Machanavajjhala et al.): distinct and entropy.

use super::{Class, PrivacyModel};
use crate::Error;
use crate::table::person::error;

/// Every class has at least l different values of a sensitive column.
pub struct DistinctDiversity {
    name: String,
    column: usize,
    l: usize,
}

impl DistinctDiversity {
    pub(crate) fn new(name: &str, column: usize, l: usize) -> Result<Self, Error> {
        if l == 0 {
            return Err(error("l must be at least 1").with_hint("use 2 or more"));
        }
        Ok(Self { name: name.to_owned(), column, l })
    }
}

impl PrivacyModel for DistinctDiversity {
    fn name(&self) -> String {
        format!("distinct {}-diversity of `{}`", self.l, self.name)
    }

    fn allows(&self, class: &Class<'_>) -> bool {
        class.counts(self.column).iter().filter(|count| **count > 0).count() >= self.l
    }
}

/// The entropy of a sensitive column in every class is at least that of l equally frequent values.
pub struct EntropyDiversity {
    name: String,
    column: usize,
    l: f64,
}

impl EntropyDiversity {
    pub(crate) fn new(name: &str, column: usize, l: f64) -> Result<Self, Error> {
        if !(l.is_finite() && l >= 1.0) {
            return Err(
                error("l of entropy l-diversity must be at least 1").with_hint("use a number greater than 1")
            );
        }
        Ok(Self { name: name.to_owned(), column, l })
    }
}

impl PrivacyModel for EntropyDiversity {
    fn name(&self) -> String {
        format!("entropy {}-diversity of `{}`", self.l, self.name)
    }

    fn allows(&self, class: &Class<'_>) -> bool {
        let counts = class.counts(self.column);
        let all = counts.iter().sum::<usize>() as f64;
        let shares = counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / all);
        let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
        // A hair for rounding: two equal halves are 2-diverse.
        all > 0.0 && entropy + 1e-9 >= self.l.ln()
    }
}
