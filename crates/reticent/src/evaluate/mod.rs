//! How good a release is: what was found of what should be, and how much meaning is left.
//!
//! - [`score_spans`]: detection against gold, with tables by type and document; [`sweep()`]: the same for every threshold;
//! - [`score_brat`], [`score_conll`]: the counts of two shared tasks;
//! - [`word_utility`], [`term_utility`]: information content kept;
//! - [`Plot`]: figures as SVG; [`frontier()`]: which points of several methods are not beaten by another.
//!
//! Figures agree with the reference scorer of the project to the last digit. How well a release resists an
//! adversary is in [`attack`](crate::attack).

mod brat;
mod conll;
mod figures;
mod frontier;
mod plot;
mod presidio;
mod rows;
mod spans;
mod sweep;
mod tab;
mod utility;
pub(crate) mod words;

pub use brat::{BratDocument, BratScores, score_brat};
pub use conll::score_conll;
pub use figures::{Accuracy, f1, mean, round, share, variation};
pub use frontier::{FrontierPoint, frontier, read_points};
pub use plot::{Plot, Series};
pub use presidio::read_presidio;
pub use rows::{Marked, MarkedSpan, read_rows};
pub(crate) use rows::{name, objects};
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
