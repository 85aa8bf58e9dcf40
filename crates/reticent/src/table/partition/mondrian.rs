//! Mondrian (`LeFevre` et al.), with the weight λ between columns and texts of rx-anon.

use std::cmp::Ordering;

use super::cut::{divide, medians};
use super::widths::{Scratch, Widths};
use super::{Cutter, Dimension, Judge};

/// Ties are weighed by what their halves would lose in classes of at most so many persons.
const WEIGHED: usize = 1 << 14;

/// Cuts the widest attribute at its median; the next one where that is not allowed. Of equally wide ones, that
/// whose halves lose least.
pub(super) struct Mondrian<'a> {
    judge: Judge<'a>,
    widths: Widths<'a>,
    relaxed: bool,
}

impl<'a> Mondrian<'a> {
    pub(super) fn new(judge: Judge<'a>, lambda: f64, relaxed: bool) -> Self {
        Self { judge, widths: Widths::new(judge.people, lambda), relaxed }
    }

    /// Who goes where if this is cut: the sides, left first, and how many are left.
    fn sides(&self, persons: &[u32], by: Dimension, scratch: &mut Scratch) -> Option<(Vec<u32>, usize)> {
        self.keys(persons, by, scratch);
        // Who has no value is a group of their own: they are cut off first.
        if self.has_missing(by) && scratch.keys.contains(&0) {
            let (mut sides, mut keys) = (persons.to_vec(), scratch.keys.clone());
            let left = divide(&mut sides, &mut keys, 1);
            if left < sides.len() && self.judge.allows(&sides[..left], &sides[left..]) {
                return Some((sides, left));
            }
        }
        scratch.sorted.clone_from(&scratch.keys);
        let found = medians(&mut scratch.sorted);
        let mut sides = persons.to_vec();
        if self.relaxed && found.equal > 1 {
            let keys = &scratch.keys;
            let mut order: Vec<usize> = (0..persons.len()).collect();
            let middle = persons.len() / 2;
            // Only those at the median need an order of their own.
            order
                .sort_by(|a, b| keys[*a].cmp(&keys[*b]).then_with(|| self.compare(persons[*a], persons[*b])));
            for (place, at) in sides.iter_mut().zip(order) {
                *place = persons[at];
            }
            if found.below < middle && self.judge.allows(&sides[..middle], &sides[middle..]) {
                return Some((sides, middle));
            }
            sides.copy_from_slice(persons);
        }
        for threshold in found.at {
            let mut keys = scratch.keys.clone();
            let left = divide(&mut sides, &mut keys, threshold);
            if self.judge.allows(&sides[..left], &sides[left..]) {
                return Some((sides, left));
            }
            sides.copy_from_slice(persons);
        }
        None
    }

    fn has_missing(&self, by: Dimension) -> bool {
        let Dimension::Column(at) = by else { return false };
        self.judge.people.attributes[at].cells.first().is_some_and(|cell| cell.is_empty())
    }

    /// What the persons are ordered by.
    fn keys(&self, persons: &[u32], by: Dimension, scratch: &mut Scratch) {
        let people = self.judge.people;
        scratch.keys.clear();
        match by {
            Dimension::Column(at) => {
                let attribute = &people.attributes[at];
                // Categories have no order but the one that serves best.
                if !attribute.is_line() && attribute.leaves.is_empty() {
                    return scratch.key_by_frequency(attribute, persons);
                }
                scratch.keys.extend(persons.iter().map(|person| attribute.of_person[*person as usize]));
            }
            Dimension::Terms(kind) => {
                let terms = &people.terms;
                scratch.count(terms, persons);
                let of_kind = |term: &&u32| usize::from(terms.type_of[**term as usize]) == kind;
                let mut known: Vec<u32> = scratch.touched.iter().filter(of_kind).copied().collect();
                let counts = &scratch.counts;
                known.sort_unstable_by_key(|term| (std::cmp::Reverse(counts[*term as usize]), *term));
                for (rank, term) in (0..).zip(&known) {
                    scratch.rank[*term as usize] = rank;
                }
                let none = u32::try_from(known.len()).unwrap_or(u32::MAX - 1);
                for person in persons {
                    // The most frequent of a person's terms stands for them.
                    let own = terms.of(*person).iter().filter(of_kind);
                    let own = own.filter(|term| terms.may_stay[**term as usize]);
                    scratch.keys.push(own.map(|term| scratch.rank[*term as usize]).min().unwrap_or(none));
                }
                scratch.clear();
            }
        }
    }

    /// An order of persons by all that is known of them. Who is equal in all of it may stand for one another.
    fn compare(&self, a: u32, b: u32) -> Ordering {
        let people = self.judge.people;
        let columns = people
            .attributes
            .iter()
            .map(|column| column.of_person[a as usize].cmp(&column.of_person[b as usize]));
        let columns = columns.fold(Ordering::Equal, Ordering::then);
        columns.then_with(|| people.terms.of(a).cmp(people.terms.of(b))).then_with(|| {
            let sensitive = people.sensitive.iter().map(|column| column.of(a).cmp(column.of(b)));
            sensitive.fold(Ordering::Equal, Ordering::then)
        })
    }
}

impl Cutter for Mondrian<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(self.judge.people)
    }

    fn cut(&self, persons: &mut [u32], scratch: &mut Scratch) -> Option<(usize, Dimension)> {
        if persons.len() < 2 * self.judge.least {
            return None;
        }
        scratch.count(&self.judge.people.terms, persons);
        let ranked = self.widths.ranked(persons, scratch);
        scratch.clear();
        let mut rest = ranked.as_slice();
        while let Some((_, best)) = rest.first() {
            let ties = rest.iter().take_while(|(_, score)| best - score < 1e-12).count();
            // A large class is cut many times more: which of the equally wide goes first matters little there.
            let ties = if persons.len() > WEIGHED { 1 } else { ties };
            let (tied, behind) = rest.split_at(ties);
            let mut chosen: Option<(f64, Vec<u32>, usize, Dimension)> = None;
            for (by, _) in tied {
                let Some((sides, left)) = self.sides(persons, *by, scratch) else { continue };
                let loss = if tied.len() > 1 {
                    self.widths.loss(&sides[..left], scratch) + self.widths.loss(&sides[left..], scratch)
                } else {
                    0.0
                };
                if chosen.as_ref().is_none_or(|(least, ..)| loss < least - 1e-9) {
                    chosen = Some((loss, sides, left, *by));
                }
            }
            if let Some((_, sides, left, by)) = chosen {
                persons.copy_from_slice(&sides);
                return Some((left, by));
            }
            rest = behind;
        }
        None
    }
}
