//! Vectors in memory, as they come from training or from another program's file, and how they are
//! written.

use std::io::Write;

use reticent_text::Language;

use super::rows::{Precision, encode};
use super::subword::Subwords;
use crate::packed::{self, Kind};
use crate::{Error, ErrorKind, Folding};

pub(super) const KIND: Kind = Kind { tag: *b"VECT", name: "file of vectors", version: 1 };

/// What the numbers of the section `meta` are, each a u32.
pub(super) mod meta {
    pub(crate) const DIMENSION: usize = 0;
    pub(crate) const TERMS: usize = 1;
    pub(crate) const EIGHT_BIT: usize = 2;
    pub(crate) const TRAINED: usize = 3;
    pub(crate) const LANGUAGE: usize = 4;
    pub(crate) const FOLDING: usize = 5;
    pub(crate) const SHORTEST: usize = 6;
    pub(crate) const LONGEST: usize = 7;
    pub(crate) const BUCKETS: usize = 8;
    pub(crate) const COUNT: usize = 9;
}

/// Terms with their vectors, in memory.
#[derive(Clone)]
pub struct VectorTable {
    /// What it is, in a report: `GloVe`, or what it was trained on.
    pub name: String,
    /// The language that terms are folded in when they are looked up.
    pub language: Language,
    /// `true` if the terms are ours: folded before training. Those of others are looked up as written
    /// first.
    pub trained: bool,
    /// The terms, the most frequent first.
    pub terms: Vec<String>,
    /// How often each was seen; empty if that is not known, and then their order tells.
    pub counts: Vec<u64>,
    /// How many numbers a vector has.
    pub dimension: usize,
    /// The vectors, one after the other.
    pub rows: Vec<f32>,
    /// The other half of the model, which expanding needs: as many vectors, or none.
    pub context: Vec<f32>,
    /// Which sequences of letters have vectors, if any have.
    pub subwords: Option<Subwords>,
    /// A vector for each bucket of sequences.
    pub buckets: Vec<f32>,
}

impl std::fmt::Debug for VectorTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VectorTable")
            .field("terms", &self.terms.len())
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}

impl VectorTable {
    /// One without terms.
    pub fn new(name: impl Into<String>, language: Language, dimension: usize) -> Self {
        Self {
            name: name.into(),
            language,
            trained: false,
            terms: Vec::new(),
            counts: Vec::new(),
            dimension,
            rows: Vec::new(),
            context: Vec::new(),
            subwords: None,
            buckets: Vec::new(),
        }
    }

    /// The vector of a row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.rows[row * self.dimension..][..self.dimension]
    }

    /// Without what only expanding needs.
    #[must_use]
    pub fn finished(mut self) -> Self {
        self.context = Vec::new();
        self
    }

    /// Writes the file that [`TermVectors`](super::TermVectors) opens. At 8 bits it cannot be expanded:
    /// vectors that are kept bit for bit and vectors that are rounded do not go together.
    pub fn write(&self, precision: Precision, into: &mut impl Write) -> Result<(), Error> {
        let [terms, ends, order] = self.names()?;
        let counts: Vec<u8> = self.counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        let (rows, scales) = encode(&self.rows, self.dimension, precision);
        let (buckets, bucket_scales) = encode(&self.buckets, self.dimension, precision);
        let context = match precision {
            Precision::Full => encode(&self.context, self.dimension, precision).0,
            Precision::EightBit => Vec::new(),
        };
        let meta: Vec<u8> = self.meta(precision)?.iter().flat_map(|number| number.to_le_bytes()).collect();
        packed::write(
            KIND,
            &[
                ("meta", &meta),
                ("name", self.name.as_bytes()),
                ("terms", &terms),
                ("ends", &ends),
                ("order", &order),
                ("counts", &counts),
                ("rows", &rows),
                ("scales", &scales),
                ("context", &context),
                ("buckets", &buckets),
                ("bscales", &bucket_scales),
            ],
            into,
        )
    }

    fn meta(&self, precision: Precision) -> Result<[u32; meta::COUNT], Error> {
        let small = |number: usize| {
            u32::try_from(number).map_err(|_| Error::new(ErrorKind::Limit, "there are too many vectors"))
        };
        let mut numbers = [0; meta::COUNT];
        numbers[meta::DIMENSION] = small(self.dimension)?;
        numbers[meta::TERMS] = small(self.terms.len())?;
        numbers[meta::EIGHT_BIT] = u32::from(precision == Precision::EightBit);
        numbers[meta::TRAINED] = u32::from(self.trained);
        numbers[meta::LANGUAGE] = match self.language {
            Language::English => 0,
            Language::Spanish => 1,
            Language::Other => 2,
        };
        numbers[meta::FOLDING] = Folding::VERSION;
        if let Some(subwords) = self.subwords {
            numbers[meta::SHORTEST] = subwords.shortest;
            numbers[meta::LONGEST] = subwords.longest;
            numbers[meta::BUCKETS] = subwords.buckets;
        }
        Ok(numbers)
    }

    /// All terms in one piece, where each ends, and their numbers in the order of their bytes.
    fn names(&self) -> Result<[Vec<u8>; 3], Error> {
        let mut terms = Vec::new();
        let mut ends = Vec::with_capacity(self.terms.len() * 4);
        for term in &self.terms {
            terms.extend(term.as_bytes());
            let end = u32::try_from(terms.len())
                .map_err(|_| Error::new(ErrorKind::Limit, "the terms take more than 4 GB"))?;
            ends.extend(end.to_le_bytes());
        }
        let mut order: Vec<u32> = (0u32..).take(self.terms.len()).collect();
        order.sort_by_key(|id| self.terms[*id as usize].as_bytes());
        Ok([terms, ends, order.iter().flat_map(|id| id.to_le_bytes()).collect()])
    }
}
