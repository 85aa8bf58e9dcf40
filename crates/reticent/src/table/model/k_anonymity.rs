//! k-anonymity (Samarati, Sweeney).

use super::{Class, PrivacyModel};
use crate::Error;
use crate::table::person::error;

/// k-anonymity: every class has at least k persons, so nobody can be distinguished from k − 1 others by their
/// quasi-identifiers.
pub struct KAnonymity {
    k: usize,
}

impl KAnonymity {
    /// At least so many.
    pub fn new(k: usize) -> Result<Self, Error> {
        if k == 0 {
            return Err(error("k must be at least 1").with_hint("use --k 2 or more"));
        }
        Ok(Self { k })
    }
}

impl PrivacyModel for KAnonymity {
    fn name(&self) -> String {
        format!("{}-anonymity", self.k)
    }

    fn least(&self) -> usize {
        self.k
    }

    fn allows(&self, class: &Class<'_>) -> bool {
        class.len() >= self.k
    }
}
