//! Partitioning: which persons are released as one class.
//!
//! From the top down: all persons are one class, which is cut in two as long as every privacy model allows both
//! sides. Where to cut is decided by values alone, never by the order of the rows: the classes of a table are the
//! same however its rows are shuffled.

mod cut;
mod gdf;
mod mondrian;
mod widths;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::model::{Class, PrivacyModel};
use super::person::{People, error};
use crate::Error;

/// The algorithm that partitions a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    /// Median cuts of the attribute that is widest (`LeFevre` et al.), weighed between columns and texts.
    Mondrian {
        /// How much columns count: 1 cuts by columns only, 0 by what texts say only, 0.5 favours neither.
        lambda: f64,
        /// Whether persons with equal values may go to different sides, so that halves are halves.
        relaxed: bool,
    },
    /// By the most frequent term of the texts, with and without it: the baseline of rx-anon.
    Gdf,
}

/// What a cut went by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dimension {
    /// A quasi-identifier, by its place.
    Column(usize),
    /// Terms of a type, by its place.
    Terms(usize),
}

/// The classes of a table.
pub(crate) struct Partition {
    order: Vec<u32>,
    classes: Vec<Range<usize>>,
    /// How many cuts went by each dimension.
    pub(crate) cuts: BTreeMap<Dimension, usize>,
}

impl Partition {
    /// The classes: each the places of its persons.
    pub(crate) fn classes(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.classes.iter().map(|range| &self.order[range.clone()])
    }

    /// The class of each person.
    pub(crate) fn of_person(&self) -> Vec<u32> {
        let mut of_person = vec![0; self.order.len()];
        for (class, persons) in (0..).zip(self.classes()) {
            for person in persons {
                of_person[*person as usize] = class;
            }
        }
        of_person
    }
}

/// Finds where to cut a class.
trait Cutter: Sync {
    /// What it needs to think, made once for each thread.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// Puts those of the left side first; how many they are, and by what was cut. Nothing if no cut is allowed.
    fn cut(&self, persons: &mut [u32], scratch: &mut Self::Scratch) -> Option<(usize, Dimension)>;
}

/// Partitions a table, on so many threads: any number gives the same classes.
pub(crate) fn partition(
    people: &People,
    models: &[Box<dyn PrivacyModel>],
    strategy: Strategy,
    threads: usize,
) -> Result<Partition, Error> {
    let mut order: Vec<u32> = (0..).take(people.count()).collect();
    let least = models.iter().map(|model| model.least()).max().unwrap_or(1);
    if people.count() < least {
        return Err(error(format!(
            "the table has {} persons, fewer than the {least} required in a class",
            people.count()
        ))
        .with_hint("use more rows or a smaller --k"));
    }
    let whole = Class::new(people, &order);
    if let Some(model) = models.iter().find(|model| !model.allows(&whole)) {
        return Err(error(format!("even the whole table as one class does not satisfy {}", model.name()))
            .with_hint("relax the requirement, or use a more diverse table"));
    }
    let judge = Judge { people, models, least };
    match strategy {
        Strategy::Mondrian { lambda, relaxed } => {
            if !(0.0..=1.0).contains(&lambda) {
                return Err(error("lambda must be between 0 and 1"));
            }
            let cutter = mondrian::Mondrian::new(judge, lambda, relaxed);
            let (classes, cuts) = run(&cutter, &mut order, threads);
            Ok(Partition { order, classes, cuts })
        }
        Strategy::Gdf => {
            let (classes, cuts) = run(&gdf::Gdf::new(judge), &mut order, threads);
            Ok(Partition { order, classes, cuts })
        }
    }
}

/// Asks the models.
#[derive(Clone, Copy)]
struct Judge<'a> {
    people: &'a People,
    models: &'a [Box<dyn PrivacyModel>],
    least: usize,
}

impl Judge<'_> {
    /// Whether both sides may be classes.
    fn allows(&self, left: &[u32], right: &[u32]) -> bool {
        let fits = |side: &[u32]| {
            let class = Class::new(self.people, side);
            side.len() >= self.least && self.models.iter().all(|model| model.allows(&class))
        };
        fits(left) && fits(right)
    }
}

type Cuts = BTreeMap<Dimension, usize>;

fn run<C: Cutter>(cutter: &C, order: &mut [u32], threads: usize) -> (Vec<Range<usize>>, Cuts) {
    // The first cuts are made in turn; what they leave is shared among the threads.
    let mut cuts = Cuts::new();
    let mut open: Vec<Range<usize>> = Vec::from([Range { start: 0, end: order.len() }]);
    let mut scratch = cutter.scratch();
    let mut done: Vec<Range<usize>> = Vec::new();
    while threads > 1 && open.len() < threads * 4 {
        let Some(widest) = (0..open.len()).max_by_key(|at| open[*at].len()) else { break };
        let range = open[widest].clone();
        if range.len() < 4096 {
            break;
        }
        match cutter.cut(&mut order[range.clone()], &mut scratch) {
            Some((left, by)) => {
                *cuts.entry(by).or_default() += 1;
                open[widest] = range.start..range.start + left;
                open.push(range.start + left..range.end);
            }
            None => done.push(open.swap_remove(widest)),
        }
    }
    open.sort_unstable_by_key(|range| range.start);
    let mut pieces: Vec<(usize, &mut [u32])> = Vec::new();
    let (mut rest, mut at) = (order, 0);
    for range in &open {
        let (_, behind) = rest.split_at_mut(range.start - at);
        let (piece, behind) = behind.split_at_mut(range.len());
        pieces.push((range.start, piece));
        (rest, at) = (behind, range.end);
    }
    let finish = |start: usize, piece: &mut [u32], scratch: &mut C::Scratch| {
        let (mut classes, mut cuts) = (Vec::new(), Cuts::new());
        let mut open = Vec::from([Range { start: 0, end: piece.len() }]);
        while let Some(range) = open.pop() {
            match cutter.cut(&mut piece[range.clone()], scratch) {
                Some((left, by)) => {
                    *cuts.entry(by).or_default() += 1;
                    open.push(range.start + left..range.end);
                    open.push(range.start..range.start + left);
                }
                None => classes.push(start + range.start..start + range.end),
            }
        }
        (classes, cuts)
    };
    if threads < 2 || pieces.len() < 2 {
        for (start, piece) in pieces {
            let (classes, more) = finish(start, piece, &mut scratch);
            done.extend(classes);
            add(&mut cuts, more);
        }
    } else {
        let next = AtomicUsize::new(0);
        let pieces: Vec<_> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
        let found = Mutex::new((Vec::new(), Cuts::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut scratch = cutter.scratch();
                    while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let piece = piece.lock().unwrap_or_else(PoisonError::into_inner).take();
                        let Some((start, piece)) = piece else { continue };
                        let (classes, cuts) = finish(start, piece, &mut scratch);
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        found.0.extend(classes);
                        add(&mut found.1, cuts);
                    }
                });
            }
        });
        let (classes, more) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.extend(classes);
        add(&mut cuts, more);
    }
    done.sort_unstable_by_key(|range| range.start);
    (done, cuts)
}

fn add(cuts: &mut Cuts, more: Cuts) {
    for (by, count) in more {
        *cuts.entry(by).or_default() += count;
    }
}
