//! Counts: how often terms are written, alone and together.
//!
//! [`Index`] answers from a corpus of the user's, exactly; [`WebHits`] from a table of counts;
//! `SearchEngine` (feature `http`) from a server; [`WordFrequencies`] ship with the program. What counts tell
//! of a term is in [`information`].

mod build;
mod cache;
mod coding;
#[cfg(feature = "http")]
mod engine;
mod file;
mod frequencies;
mod hits;
mod index;
pub mod information;
mod phrase;
mod postings;
mod segment;
mod unit;
mod without;

pub use build::{Built, Item, Options, add, build};
#[cfg(feature = "http")]
pub use engine::{Credentials, EngineOptions, SearchEngine};
pub use file::Source;
pub use frequencies::{WordFrequencies, pack as pack_frequencies};
pub use hits::WebHits;
pub use index::Index;
pub use information::Information;
pub use unit::Unit;
pub use without::Without;

use crate::Error;

/// In how many units (documents, paragraphs or sentences) something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Counted.
    Exact(u64),
    /// Not counted, but it cannot be more.
    AtMost(u64),
    /// Unknown to the source. Never to be treated as zero or as safe.
    Unknown,
}

/// A source of counts: what an attacker could look up.
///
/// A source answers for terms as they stand in a text; folding them is its own work. It returns an error
/// when it could not look, [`Count::Unknown`] when it looked and has no answer, and a number only when
/// that number holds: what is released depends on it.
///
/// To add one: a file in `corpus/`, a type that implements this trait, and a test that its counts equal
/// those of a plain scan.
pub trait Counts: Send + Sync {
    /// What it is, in a report: `index of 43,896 documents`.
    fn name(&self) -> String;

    /// By what a certificate names it: the same for the same knowledge, and only for it.
    fn fingerprint(&self) -> String;

    /// How many units there are.
    fn total(&self) -> u64;

    /// In how many units all of these terms are written. Of no terms at all, in all units.
    fn count(&self, terms: &[&str]) -> Result<Count, Error>;

    /// In how many units all of `terms` are written, and at least one of the names `any` of one thing.
    ///
    /// From counts of conjunctions, by inclusion and exclusion; a source that can do it at once should.
    fn count_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Count, Error> {
        let (mut more, mut less) = (0, 0);
        for chosen in 1_u32..1 << any.len().min(MOST_NAMES) {
            let names =
                any.iter().enumerate().filter(|(at, _)| chosen & (1 << at) != 0).map(|(_, name)| *name);
            let all: Vec<&str> = names.chain(terms.iter().copied()).collect();
            let Count::Exact(count) = self.count(&all)? else { return Ok(Count::Unknown) };
            if chosen.count_ones() % 2 == 1 {
                more += count;
            } else {
                less += count;
            }
        }
        Ok(if any.len() > MOST_NAMES { Count::Unknown } else { Count::Exact(more.saturating_sub(less)) })
    }

    /// The units that [`count_with_any`](Self::count_with_any) counts, in order; `None` if the source cannot list
    /// them. Who asks for many combinations with one thing intersects these instead of asking for each.
    fn units_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Option<Vec<u32>>, Error> {
        let _ = (any, terms);
        Ok(None)
    }
}

/// Of how many names inclusion and exclusion is affordable.
const MOST_NAMES: usize = 12;

/// A number with commas, as in `43,896`.
fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
