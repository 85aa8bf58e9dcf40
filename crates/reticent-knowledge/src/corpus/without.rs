//! An index without one document.

use std::fmt;

use roaring::RoaringBitmap;

use super::index::{Index, intersection};
use super::{Count, Counts};
use crate::Error;

/// A view of an index that leaves the documents of one id out of all counts: what the attacker would know
/// if the document that is to be protected had never been published.
pub struct Without<'i> {
    index: &'i Index,
    removed: RoaringBitmap,
    fingerprint: String,
}

impl fmt::Debug for Without<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Without").field("index", &self.index).finish_non_exhaustive()
    }
}

impl<'i> Without<'i> {
    pub(super) fn new(index: &'i Index, id: &str, removed: RoaringBitmap) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(index.fingerprint().as_bytes()).update(b" without ").update(id.as_bytes());
        let fingerprint = hasher.finalize().to_hex()[..32].to_owned();
        Self { index, removed, fingerprint }
    }
}

impl Counts for Without<'_> {
    fn name(&self) -> String {
        format!("{} without one", self.index.name())
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn total(&self) -> u64 {
        self.index.total() - self.removed.len()
    }

    fn count(&self, terms: &[&str]) -> Result<Count, Error> {
        let Some(sets) = self.index.sets(terms)? else { return Ok(Count::Unknown) };
        Ok(Count::Exact(match sets.as_slice() {
            [] => self.total(),
            [one] => one.difference_len(&self.removed),
            [one, two, rest @ ..] => intersection(one, two, rest).difference_len(&self.removed),
        }))
    }

    fn count_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Count, Error> {
        let found = self.index.set_with_any(any, terms)?;
        Ok(found.map_or(Count::Unknown, |set| Count::Exact(set.difference_len(&self.removed))))
    }

    fn units_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Option<Vec<u32>>, Error> {
        let found = self.index.set_with_any(any, terms)?;
        Ok(found.map(|set| (set - &self.removed).iter().collect()))
    }
}
