//! How often phrases end in certain words.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// For each ending of each term, how often terms with that ending were met: `leading role` counts for `role`
/// too, since who says the one says the other.
///
/// Endings are kept as hashes of 64 bits. Two of a million endings share one by a chance of about one in
/// thirty million; then the rarer counts as often as both.
pub(super) struct Heads {
    counts: HashMap<u64, u64>,
}

impl Heads {
    pub(super) fn new<'t>(terms: impl Iterator<Item = (&'t str, u64)>) -> Self {
        let mut counts = HashMap::new();
        for (term, count) in terms {
            let starts = std::iter::once(0).chain(term.match_indices(SEPARATOR).map(|(at, _)| at + 1));
            for start in starts {
                let seen: &mut u64 = counts.entry(hash(&term[start..])).or_default();
                *seen = seen.saturating_add(count);
            }
        }
        Self { counts }
    }

    /// How often a folded term was met, alone or at the end of others.
    pub(super) fn count(&self, term: &str) -> u64 {
        self.counts.get(&hash(term)).copied().unwrap_or_default()
    }
}

/// What stands between the words of a folded term.
const SEPARATOR: char = ' ';

fn hash(ending: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    ending.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_terms_and_what_they_end_in() {
        let heads = Heads::new([("role", 5), ("leading role", 2), ("first leading role", 1)].into_iter());
        assert_eq!(heads.count("role"), 8);
        assert_eq!(heads.count("leading role"), 3);
        assert_eq!(heads.count("first leading role"), 1);
    }

    #[test]
    fn leaves_beginnings_and_parts_of_words_alone() {
        let heads = Heads::new([("leading role", 2), ("parole", 7)].into_iter());
        assert_eq!(heads.count("leading"), 0);
        assert_eq!(heads.count("role"), 2);
        assert_eq!(heads.count("rol"), 0);
    }
}
