//! Which values stand beside a word by chance: as often that of another person as the person's own.

use std::collections::{HashMap, HashSet};

/// So many texts are enough to count on.
pub(super) const SAMPLE: usize = 10_000;
/// So many other persons are tried for each text.
pub(super) const OTHERS: usize = 4;

/// The column, what is looked for, and the word beside it.
type Key<'k> = (usize, &'k str, &'k str);

/// What was counted.
#[derive(Default)]
pub(super) struct Chance {
    counts: HashMap<(usize, String, String), (usize, usize)>,
    coincidences: HashSet<(usize, String, String)>,
    /// How many numbers stand beside a word, whatever they say.
    numbers: HashMap<String, usize>,
}

impl Chance {
    pub(super) fn count(&mut self, (column, form, word): Key<'_>, is_own: bool) {
        let counts = self.counts.entry((column, form.to_owned(), word.to_owned())).or_default();
        if is_own {
            counts.0 += 1;
        } else {
            counts.1 += 1;
        }
    }

    /// Counts a number beside a word.
    pub(super) fn number(&mut self, word: &str) {
        match self.numbers.get_mut(word) {
            Some(count) => *count += 1,
            None => drop(self.numbers.insert(word.to_owned(), 1)),
        }
    }

    /// Beside a word that few have, or beside which values of others are rare, a value is no chance.
    pub(super) fn decide(&mut self) {
        for (key, (own, others)) in std::mem::take(&mut self.counts) {
            let expected = others as f64 / OTHERS as f64;
            // Numbers differ so much that others' hardly stand there by chance: that many do is enough.
            let is_number = key.1.is_empty() && self.numbers.get(&key.2).is_some_and(|count| *count >= 30);
            if (is_number || others >= 10) && own as f64 <= 1.5 * expected + 3.0 {
                self.coincidences.insert(key);
            }
        }
    }

    pub(super) fn is_chance(&self, (column, form, word): Key<'_>) -> bool {
        !self.coincidences.is_empty()
            && self.coincidences.contains(&(column, form.to_owned(), word.to_owned()))
    }
}
