//! Training options.

use std::time::Duration;

use crate::embedding::Subwords;
use crate::{Error, ErrorKind};

/// Training options.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The dimension of the vectors.
    pub dimension: usize,
    /// The maximum number of context terms before and after a term.
    pub window: usize,
    /// The number of epochs.
    pub epochs: usize,
    /// The number of negative samples for each term.
    pub negative: usize,
    /// Rarer terms get no vector. One: rare terms are the risky ones.
    pub min_count: u64,
    /// The number of threads.
    pub threads: usize,
    /// Another seed, other vectors.
    pub seed: u64,
    /// The learning rate at the start; it falls to next to nothing.
    pub rate: f32,
    /// Terms that make up more than this share of the corpus are passed over now and then; none if not
    /// given.
    pub subsample: Option<f64>,
    /// Vectors for sequences of letters too, so that no term is unknown.
    pub subwords: Option<Subwords>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dimension: 300,
            window: 10,
            epochs: 15,
            negative: 5,
            min_count: 1,
            threads: 1,
            seed: 1,
            rate: 0.025,
            subsample: Some(1e-3),
            subwords: None,
        }
    }
}

impl Options {
    /// Whether these numbers make sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let within = |what: &str, number: usize, most: usize| {
            if (1..=most).contains(&number) {
                return Ok(());
            }
            Err(Error::new(ErrorKind::Argument, format!("{what} must be from 1 to {most}, not {number}")))
        };
        within("the dimension", self.dimension, 4096)?;
        within("the window", self.window, 1000)?;
        within("the number of epochs", self.epochs, 10_000)?;
        within("the number of negative terms", self.negative, 100)?;
        within("the number of threads", self.threads, 1024)?;
        if !self.rate.is_finite() || self.rate <= 0.0 || self.rate > 1.0 {
            return Err(Error::new(
                ErrorKind::Argument,
                "the learning rate must be greater than 0 and at most 1",
            ));
        }
        if self.subsample.is_some_and(|share| !share.is_finite() || share <= 0.0) {
            return Err(Error::new(ErrorKind::Argument, "the subsampling threshold must be greater than 0"));
        }
        if self.subwords.is_some_and(|subwords| !subwords.is_sound() || subwords.buckets > 1 << 24) {
            return Err(Error::new(ErrorKind::Argument, "subwords must be from 1 to 32 characters long")
                .with_hint("for example 3..6"));
        }
        Ok(())
    }
}

/// The progress of training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of terms processed.
    pub done: u64,
    /// The total number of terms, in all epochs.
    pub total: u64,
    /// For how long.
    pub elapsed: Duration,
}

impl Progress {
    /// Terms in a second.
    pub fn speed(&self) -> f64 {
        self.done as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
