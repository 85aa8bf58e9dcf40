//! Evaluation of detection and of releases: what was found, what is left of each person, and how much meaning is kept.
//!
//! - [`score_spans`]: precision, recall and F1 of detection against gold spans, by type and document; [`sweep()`]: the same at every
//!   threshold; [`score_brat`], [`score_conll`]: the counts of two shared tasks;
//! - [`score_people`]: which attributes of each person can still be read;
//! - [`word_utility`], [`term_utility`]: information content kept; [`score_rungs`]: replacements against the
//!   generalizations that people chose; [`score_genres`]: everyday texts, masked, kept and reworded;
//! - [`frontier()`]: the Pareto frontier of several methods; [`Plot`]: figures as SVG.
//!
//! Figures agree with the reference scorer of the project to the last digit. Re-identification is in [`attack`](crate::attack).

mod brat;
mod conll;
mod figures;
mod frontier;
mod genres;
mod people;
mod plot;
mod presidio;
mod released;
mod rows;
mod rungs;
mod spans;
mod sweep;
mod tab;
mod utility;
pub(crate) mod words;

pub use brat::{BratDocument, BratScores, score_brat};
pub use conll::score_conll;
pub use figures::{Accuracy, f1, mean, round, share, variation};
pub use frontier::{FrontierPoint, frontier, read_points};
pub use genres::{GenreCounts, GenreScores, score_genres};
pub use people::{PeopleScores, score_people};
pub use plot::{Plot, Series};
pub use presidio::read_presidio;
pub use released::Release;
pub use rows::{Marked, MarkedSpan, read_rows};
pub(crate) use rows::{name, objects};
pub use rungs::{RungCounts, RungScores, score_rungs};
pub use spans::{DocumentScores, SpanReport, SpanScores, TypeScores, score_spans};
pub use sweep::{Sweep, SweepPoint, Thresholds, sweep};
pub use tab::read_tab;
pub use utility::{
    Original, ReleasedRow, TermOptions, TermUtility, Utility, WordWeights, read_originals, read_released,
    term_utility, word_utility,
};

use crate::{Error, ErrorKind};

/// What is compared cannot be read, or does not belong together.
pub(crate) fn error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Measure, message)
}
