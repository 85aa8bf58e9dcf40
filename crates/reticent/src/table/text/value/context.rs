//! Beside which words a value is someone's own, counted on the texts of the table.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use std::collections::{HashMap, HashSet};

/// So many texts must have a word beside a value before it tells anything.
const ENOUGH: u32 = 30;
/// How much more often than by chance a value may be the person's own and still be held for chance.
const CHANCE: f64 = 1.25;
/// As many more are within what chance varies by.
const VARIES: f64 = 2.0;

/// Beside which words values are the person's own no more often than other persons' values would stand there.
///
/// `white blood cells` is said of everyone: beside `blood` the word is as often that of another person. `82 kg` is
/// hardly ever the weight of someone else: beside `kg` a number that is the person's own is so for a reason, however
/// many other numbers stand there.
#[derive(Default)]
pub(crate) struct Contexts {
    counts: HashMap<Key, Count>,
    by_chance: HashSet<Key>,
    hasher: OnceLock<RandomState>,
}

#[derive(Default)]
struct Count {
    all: u32,
    own: u32,
    /// How often it is a value of one of the other persons that were tried, and how many those were.
    others: u32,
    tried: u32,
}

/// The column, the form, and the word beside it.
type Key = (usize, u64, u64);

impl Contexts {
    pub(super) fn is_empty(&self) -> bool {
        self.by_chance.is_empty()
    }

    /// Counts a word beside something that may be a value: of the person, and of so many of the others.
    pub(super) fn count(
        &mut self,
        (column, form, word): (usize, &str, &str),
        is_own: bool,
        others: u32,
        tried: u32,
    ) {
        let key = (column, self.hash(form), self.hash(word));
        let count = self.counts.entry(key).or_default();
        count.all += 1;
        count.own += u32::from(is_own);
        count.others += others;
        count.tried += tried;
    }

    pub(super) fn decide(&mut self) {
        for (key, count) in &self.counts {
            let by_chance = f64::from(count.others) * f64::from(count.all) / f64::from(count.tried.max(1));
            if count.all >= ENOUGH && f64::from(count.own) <= CHANCE * by_chance + VARIES {
                self.by_chance.insert(*key);
            }
        }
        self.counts = HashMap::new();
    }

    /// Whether beside this word a value is the person's own by chance only.
    pub(super) fn is_by_chance(&self, column: usize, form: &str, word: &str) -> bool {
        self.by_chance.contains(&(column, self.hash(form), self.hash(word)))
    }

    fn hash(&self, text: &str) -> u64 {
        self.hasher.get_or_init(RandomState::default).hash_one(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_have_as_often_is_chance() {
        let mut contexts = Contexts::default();
        for at in 0..100 {
            // Half of all are white, whatever their cells.
            contexts.count((0, "white", "blood"), at % 2 == 0, 2, 4);
            // One in ten numbers before `kg` is the person's own, and hardly any of another.
            contexts.count((1, "", "kg"), at % 10 == 0, u32::from(at % 25 == 0), 4);
        }
        // Too few to tell.
        for _ in 0..10 {
            contexts.count((2, "", "mg"), false, 0, 4);
        }
        contexts.decide();
        assert!(contexts.is_by_chance(0, "white", "blood"));
        assert!(!contexts.is_by_chance(1, "", "kg"));
        assert!(!contexts.is_by_chance(2, "", "mg"));
    }
}
