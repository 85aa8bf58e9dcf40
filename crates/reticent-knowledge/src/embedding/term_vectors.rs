//! The file of vectors, opened.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use reticent_text::{Language, is_stop_word};

use super::heads::Heads;
use super::landmarks::Landmarks;
use super::lookup::unit;
use super::rows::{Precision, Rows};
use super::subword::Subwords;
use super::table::{KIND, VectorTable, meta};
use super::train::sample::Sampler;
use super::{Found, How, Lookup, Vectors, expand};
use crate::corpus::Count;
use crate::fold::words;
use crate::packed::{Packed, u32_at, u64_at};
use crate::{Error, ErrorKind, Folding};

/// Vectors of terms: trained by us or imported, mapped into memory.
///
/// Terms of ours were folded before training and are looked up folded. Imported ones are looked up as
/// written, with `_` for spaces, in lower case, then folded. What is not found whole is told by its
/// sequences of letters, if the vectors have them, or composed from its words.
pub struct TermVectors {
    packed: Packed,
    name: String,
    dimension: usize,
    terms: usize,
    precision: Precision,
    trained: bool,
    folding: Folding,
    subwords: Option<Subwords>,
    places: Places,
    /// Of all counts; zero if only the order of terms is known.
    total: u64,
    /// Made when a gloss is first learnt.
    sampler: OnceLock<Sampler>,
    /// Made when a term is first counted.
    heads: OnceLock<Heads>,
    /// Made when it is first asked where something lies.
    landmarks: OnceLock<Landmarks>,
}

/// Where the sections lie.
struct Places {
    terms: Range<usize>,
    ends: Range<usize>,
    order: Range<usize>,
    counts: Range<usize>,
    rows: Range<usize>,
    scales: Range<usize>,
    context: Range<usize>,
    buckets: Range<usize>,
    bucket_scales: Range<usize>,
}

impl std::fmt::Debug for TermVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TermVectors")
            .field("terms", &self.terms)
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}

impl TermVectors {
    /// Maps a file into memory and checks it. No one may change it while it is open.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::new(Packed::open(KIND, path)?)
    }

    /// The same from bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::new(Packed::from_bytes(KIND, bytes)?)
    }

    /// The same from a table that was just made.
    pub fn from_table(table: &VectorTable, precision: Precision) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        table.write(precision, &mut bytes)?;
        Self::from_bytes(bytes)
    }

    pub(super) fn embedded(bytes: &'static [u8]) -> Result<Self, Error> {
        Self::new(Packed::embedded(KIND, bytes)?)
    }

    fn new(packed: Packed) -> Result<Self, Error> {
        let meta = packed.section("meta")?;
        if meta.len() < meta::COUNT * 4 {
            return Err(inconsistent());
        }
        let number = |at: usize| u32_at(meta, at * 4);
        let language = match number(meta::LANGUAGE) {
            0 => Language::English,
            1 => Language::Spanish,
            _ => Language::Other,
        };
        if number(meta::FOLDING) != Folding::VERSION {
            return Err(Error::new(
                ErrorKind::Version,
                "the terms of the vectors were normalized by a different version",
            )
            .with_hint("train or import them again with this version of reticent"));
        }
        let subwords = Subwords {
            shortest: number(meta::SHORTEST),
            longest: number(meta::LONGEST),
            buckets: number(meta::BUCKETS),
        };
        let places = Places {
            terms: packed.range("terms")?,
            ends: packed.range("ends")?,
            order: packed.range("order")?,
            counts: packed.range("counts")?,
            rows: packed.range("rows")?,
            scales: packed.range("scales")?,
            context: packed.range("context")?,
            buckets: packed.range("buckets")?,
            bucket_scales: packed.range("bscales")?,
        };
        let mut vectors = Self {
            name: String::from_utf8_lossy(packed.section("name")?).into_owned(),
            dimension: number(meta::DIMENSION) as usize,
            terms: number(meta::TERMS) as usize,
            precision: if number(meta::EIGHT_BIT) == 1 { Precision::EightBit } else { Precision::Full },
            trained: number(meta::TRAINED) == 1,
            folding: Folding::new(language),
            subwords: (subwords.buckets > 0).then_some(subwords),
            places,
            total: 0,
            sampler: OnceLock::new(),
            heads: OnceLock::new(),
            landmarks: OnceLock::new(),
            packed,
        };
        vectors.check()?;
        let counts = vectors.packed.at(&vectors.places.counts).as_chunks::<8>().0;
        vectors.total =
            counts.iter().fold(0, |sum: u64, count| sum.saturating_add(u64::from_le_bytes(*count)));
        Ok(vectors)
    }

    /// That all sections fit together, so that nothing later can fall outside.
    fn check(&self) -> Result<(), Error> {
        let (count, dimension) = (self.terms, self.dimension);
        let length = |range: &Range<usize>| range.len();
        let none_or =
            |range: &Range<usize>, bytes: Option<usize>| range.is_empty() || Some(length(range)) == bytes;
        let cells = count.checked_mul(dimension).and_then(|n| n.checked_mul(4));
        let buckets = self.subwords.map_or(0, |subwords| subwords.buckets as usize);
        let fits = dimension > 0
            && Some(length(&self.places.ends)) == count.checked_mul(4)
            && Some(length(&self.places.order)) == count.checked_mul(4)
            && none_or(&self.places.counts, count.checked_mul(8))
            && none_or(&self.places.context, cells)
            && self.subwords.is_none_or(Subwords::is_sound)
            && self.rows().fit(count)
            && self.buckets().fit(buckets);
        let text = std::str::from_utf8(self.packed.at(&self.places.terms)).map_err(|_| inconsistent())?;
        let ends = self.packed.at(&self.places.ends).as_chunks::<4>().0;
        let mut before = 0;
        let ordered = ends.iter().all(|end| {
            let end = u32::from_le_bytes(*end) as usize;
            let fine = before <= end && text.is_char_boundary(end);
            before = end;
            fine
        });
        let order = self.packed.at(&self.places.order).as_chunks::<4>().0;
        let inside = order.iter().all(|id| (u32::from_le_bytes(*id) as usize) < count);
        if fits && ordered && before == text.len() && inside { Ok(()) } else { Err(inconsistent()) }
    }

    /// How many terms have vectors of their own.
    pub fn len(&self) -> usize {
        self.terms
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms == 0
    }

    /// How exactly the numbers are kept.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The language that terms are folded in.
    pub fn language(&self) -> Language {
        self.folding.language()
    }

    /// Returns whether [`expand()`] can add to it.
    pub fn can_expand(&self) -> bool {
        self.trained && !self.places.context.is_empty() && self.total > 0
    }

    /// The term of a row; the caller knows that there is such a row.
    pub fn term(&self, row: usize) -> &str {
        let end = |at: usize| u32_at(self.packed.at(&self.places.ends), at * 4) as usize;
        let start = if row == 0 { 0 } else { end(row - 1) };
        // All ends were found to lie between characters when the file was opened.
        std::str::from_utf8(&self.packed.at(&self.places.terms)[start..end(row)]).unwrap_or_default()
    }

    /// The vector of a row; the caller knows that there is such a row.
    pub fn vector(&self, row: usize) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimension];
        self.rows().read(row, &mut vector);
        vector
    }

    pub(super) fn width(&self) -> usize {
        self.dimension
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        self.matrix(&self.places.rows, &self.places.scales)
    }

    fn buckets(&self) -> Rows<'_> {
        self.matrix(&self.places.buckets, &self.places.bucket_scales)
    }

    /// The other half of a term's model; the caller knows that it is there.
    pub(super) fn context(&self, row: usize) -> Vec<f32> {
        let rows = Rows {
            bytes: self.packed.at(&self.places.context),
            scales: &[],
            dimension: self.dimension,
            precision: Precision::Full,
        };
        let mut vector = vec![0.0; self.dimension];
        rows.read(row, &mut vector);
        vector
    }

    /// Draws terms as training drew them.
    pub(super) fn sampler(&self) -> &Sampler {
        self.sampler.get_or_init(|| Sampler::new(&self.counts()))
    }

    fn counts(&self) -> Vec<u64> {
        let counts = self.packed.at(&self.places.counts).as_chunks::<8>().0;
        counts.iter().map(|count| u64::from_le_bytes(*count)).collect()
    }

    fn matrix(&self, rows: &Range<usize>, scales: &Range<usize>) -> Rows<'_> {
        Rows {
            bytes: self.packed.at(rows),
            scales: self.packed.at(scales),
            dimension: self.dimension,
            precision: self.precision,
        }
    }

    /// All of it in memory, to be expanded or written otherwise.
    pub fn to_table(&self) -> VectorTable {
        let numbers =
            |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x)).collect();
        let all = |rows: Rows<'_>, count: usize| {
            let mut out = vec![0.0; count * self.dimension];
            out.chunks_exact_mut(self.dimension).enumerate().for_each(|(at, into)| rows.read(at, into));
            out
        };
        VectorTable {
            name: self.name.clone(),
            language: self.language(),
            trained: self.trained,
            terms: (0..self.terms).map(|row| self.term(row).to_owned()).collect(),
            counts: self.counts(),
            dimension: self.dimension,
            rows: all(self.rows(), self.terms),
            context: numbers(self.packed.at(&self.places.context)),
            subwords: self.subwords,
            buckets: all(self.buckets(), self.subwords.map_or(0, |subwords| subwords.buckets as usize)),
        }
    }

    /// The row of a term, as it is written here.
    pub fn find(&self, term: &str) -> Option<usize> {
        let order = self.packed.at(&self.places.order);
        let (mut low, mut high) = (0, self.terms);
        while low < high {
            let middle = low.midpoint(high);
            let row = u32_at(order, middle * 4) as usize;
            match self.term(row).cmp(term) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(row),
            }
        }
        None
    }

    /// How much a term of its own tells, in bits: by its count, or by its place in the order of
    /// frequency, after Zipf.
    fn information(&self, row: usize) -> f64 {
        if self.total > 0 {
            let count = u64_at(self.packed.at(&self.places.counts), row * 8).max(1);
            return (self.total as f64 / count as f64).log2().max(0.0);
        }
        let harmonic = (self.terms.max(1) as f64).ln() + 0.577;
        ((row + 1) as f64 * harmonic).log2().max(0.0)
    }

    /// The row of a term in one of the ways that it may be written here.
    fn find_written(&self, term: &str) -> Option<usize> {
        if self.trained {
            return self.find(&self.folding.term(term));
        }
        let either = |term: &str| {
            self.find(term).or_else(|| term.contains(' ').then(|| self.find(&term.replace(' ', "_")))?)
        };
        let term = term.trim();
        either(term).or_else(|| either(&term.to_lowercase())).or_else(|| either(&self.folding.term(term)))
    }

    /// The mean of the vectors of a term's sequences of letters.
    pub(super) fn by_subwords(&self, term: &str) -> Option<Vec<f32>> {
        let term = if self.trained { self.folding.term(term) } else { term.trim().to_owned() };
        let found = self.subwords?.of(&term);
        let rows = self.buckets();
        let mut sum = vec![0.0f32; self.dimension];
        let mut row = vec![0.0f32; self.dimension];
        for bucket in &found {
            rows.read(*bucket as usize, &mut row);
            sum.iter_mut().zip(&row).for_each(|(sum, x)| *sum += x);
        }
        let count = found.len() as f32;
        for x in &mut sum {
            *x /= count;
        }
        // Buckets that training never met say nothing.
        sum.iter().all(|x| x.is_finite()).then_some(sum).filter(|sum| sum.iter().any(|x| *x != 0.0))
    }

    /// The mean of the vectors of words, each of length one, weighed by information content. Stop words
    /// do not count, unless there are no others.
    fn compose(&self, text: &str) -> Option<(Vec<f32>, Vec<usize>)> {
        let all: Vec<&str> = words(text).map(|word| word.text).collect();
        let stops = |word: &&str| word.starts_with(char::is_lowercase) && is_stop_word(word, self.language());
        let only_stops = all.iter().all(stops);
        let rarest = self.information(self.terms.saturating_sub(1));
        let (mut sum, mut missing, mut any) = (vec![0.0f64; self.dimension], Vec::new(), false);
        for (at, word) in all.iter().enumerate().filter(|(_, word)| only_stops || !stops(word)) {
            let row = self.find_written(word);
            let vector = row.map(|row| self.vector(row)).or_else(|| self.by_subwords(word)).and_then(unit);
            let Some(vector) = vector else {
                missing.push(at);
                continue;
            };
            let weight = row.map_or(rarest, |row| self.information(row)).max(f64::EPSILON);
            sum.iter_mut().zip(&vector).for_each(|(sum, x)| *sum += weight * f64::from(*x));
            any = true;
        }
        #[allow(clippy::cast_possible_truncation)]
        let vector = any.then(|| unit(sum.iter().map(|x| *x as f32).collect()))??;
        Some((vector, missing))
    }

    fn look(&self, term: &str) -> Lookup {
        let whole = self.find_written(term).map(|row| self.vector(row));
        if let Some(vector) = whole.filter(|vector| vector.iter().any(|x| *x != 0.0)) {
            return Lookup::Found(Found { vector, how: How::Whole });
        }
        // Ours were trained on terms of several words, those of others on words.
        let several = words(term).nth(1).is_some();
        let composed = || {
            let (vector, missing) = several.then(|| self.compose(term))??;
            Some(Found { vector, how: How::Composed { missing } })
        };
        let subwords = || Some(Found { vector: self.by_subwords(term)?, how: How::Subwords });
        let found = if self.trained { subwords().or_else(composed) } else { composed().or_else(subwords) };
        found.map_or(Lookup::Unknown, Lookup::Found)
    }
}

impl Vectors for TermVectors {
    fn name(&self) -> String {
        format!("{}, {} terms, {} dimensions", self.name, self.terms, self.dimension)
    }

    fn fingerprint(&self) -> String {
        self.packed.fingerprint()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn lookup(&self, term: &str) -> Result<Lookup, Error> {
        Ok(self.look(term))
    }

    fn total(&self) -> Option<u64> {
        (self.trained && self.total > 0).then_some(self.total)
    }

    fn count(&self, term: &str) -> Count {
        if self.total().is_none() {
            return Count::Unknown;
        }
        let counts = self.packed.at(&self.places.counts);
        let terms = || (0..self.terms).map(|row| (self.term(row), u64_at(counts, row * 8)));
        let seen = self.heads.get_or_init(|| Heads::new(terms())).count(&self.folding.term(term));
        if seen > 0 { Count::Exact(seen) } else { Count::Unknown }
    }

    fn landmarks(&self) -> Option<usize> {
        Some(self.landmarks.get_or_init(|| Landmarks::new(self)).len())
    }

    fn landmarks_nearer(&self, vector: &[f32], than: f32, most: usize) -> usize {
        self.landmarks.get_or_init(|| Landmarks::new(self)).nearer(vector, than, most)
    }

    /// Trains a vector on the gloss if the file can be expanded; else composes it from the gloss's words.
    fn expand_from_gloss(&self, term: &str, gloss: &str) -> Result<Lookup, Error> {
        if self.can_expand()
            && let Some(vector) = expand::from_gloss(self, term, gloss)?
        {
            return Ok(Lookup::Found(Found { vector, how: How::Gloss }));
        }
        let composed = self.compose(gloss);
        Ok(composed.map_or(Lookup::Unknown, |(vector, _)| Lookup::Found(Found { vector, how: How::Gloss })))
    }
}

fn inconsistent() -> Error {
    Error::new(ErrorKind::Malformed, "the vector file is inconsistent").with_hint("build it again")
}
