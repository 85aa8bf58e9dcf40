//! GDF, global document frequency (Singhofer et al.): the baseline that cuts by single terms.

use super::widths::Scratch;
use super::{Cutter, Dimension, Judge};

/// Cuts by the most frequent term that some say and some do not; the next one where that is not allowed.
pub(super) struct Gdf<'a> {
    judge: Judge<'a>,
}

impl<'a> Gdf<'a> {
    pub(super) fn new(judge: Judge<'a>) -> Self {
        Self { judge }
    }
}

impl Cutter for Gdf<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(self.judge.people)
    }

    fn cut(&self, persons: &mut [u32], scratch: &mut Scratch) -> Option<(usize, Dimension)> {
        let least = self.judge.least;
        if persons.len() < 2 * least {
            return None;
        }
        let terms = &self.judge.people.terms;
        scratch.count(terms, persons);
        let counts = &scratch.counts;
        let splits =
            |term: &&u32| (least..=persons.len() - least).contains(&(counts[**term as usize] as usize));
        let mut known: Vec<(u32, u32)> =
            scratch.touched.iter().filter(splits).map(|term| (counts[*term as usize], *term)).collect();
        scratch.clear();
        known.sort_unstable_by_key(|(count, term)| (std::cmp::Reverse(*count), *term));
        for (_, term) in known {
            let says = |person: &u32| terms.of(*person).binary_search(&term).is_ok();
            let (mut sides, without): (Vec<u32>, Vec<u32>) = persons.iter().partition(|person| says(person));
            if self.judge.allows(&sides, &without) {
                let left = sides.len();
                sides.extend(without);
                persons.copy_from_slice(&sides);
                return Some((left, Dimension::Terms(usize::from(terms.type_of[term as usize]))));
            }
        }
        None
    }
}
