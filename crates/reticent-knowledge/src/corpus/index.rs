//! The index of a corpus: in which units each word stands, and where there.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use reticent_text::Language;
use roaring::RoaringBitmap;

use super::cache::Cache;
use super::file::{About, KIND, Source, damaged};
use super::phrase::Phrase;
use super::postings::{APART, NEXT, Part, Places, Postings};
use super::unit::Unit;
use super::without::Without;
use super::{Count, Counts, with_commas};
use crate::packed::{Packed, u32_at, u64_at};
use crate::{Error, ErrorKind, Folding};

/// An index, opened: exact counts of terms and of any conjunction of them.
///
/// A term is its folded words in a row, without stop words at its ends. Asking again for a term is fast:
/// the set of its units is remembered, and a conjunction is an intersection of sets.
///
/// ```
/// use reticent_knowledge::corpus::{self, Count, Counts, Index, Item, Options};
/// use reticent_text::Document;
///
/// let texts = ["He got a blood transfusion.", "Blood transfusions can transmit HIV.", "HIV is a virus."];
/// let items = texts.iter().enumerate().map(|(at, text)| Item::new(0, Document::plain(format!("d{at}"), *text)));
/// let mut bytes = Vec::new();
/// corpus::build(&["example".to_owned()], items, &Options::default(), &mut bytes)?;
///
/// let index = Index::from_bytes(bytes)?;
/// assert_eq!(index.count(&["the blood transfusion"])?, Count::Exact(2));
/// assert_eq!(index.count(&["blood transfusion", "HIV"])?, Count::Exact(1));
/// assert_eq!(index.without("d1")?.count(&["blood transfusion"])?, Count::Exact(1));
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub struct Index {
    packed: Packed,
    about: About,
    at: Sections,
    cache: Cache,
}

/// Where the sections lie.
struct Sections {
    words: Range<usize>,
    word_ends: Range<usize>,
    postings: Range<usize>,
    posting_ends: Range<usize>,
    documents: Range<usize>,
    ids: Range<usize>,
    id_ends: Range<usize>,
    id_order: Range<usize>,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("unit", &self.unit())
            .field("units", &self.units())
            .finish_non_exhaustive()
    }
}

impl Index {
    /// Maps an index into memory and checks it. The file must not be changed while it is open.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::new(Packed::open(KIND, path)?)
    }

    /// The same from bytes in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::new(Packed::from_bytes(KIND, bytes)?)
    }

    fn new(packed: Packed) -> Result<Self, Error> {
        let about = About::read(packed.section("about")?)?;
        let at = Sections {
            words: packed.range("words")?,
            word_ends: packed.range("wordend")?,
            postings: packed.range("postings")?,
            posting_ends: packed.range("postend")?,
            documents: packed.range("docs")?,
            ids: packed.range("ids")?,
            id_ends: packed.range("idend")?,
            id_order: packed.range("idorder")?,
        };
        let index = Self { packed, about, at, cache: Cache::default() };
        if index.is_sound() { Ok(index) } else { Err(damaged()) }
    }

    /// Whether all ends lie in order and within what they are the ends of.
    fn is_sound(&self) -> bool {
        let ends = |range: &Range<usize>, width, of: &Range<usize>| {
            let bytes = self.packed.at(range);
            let number = |at: &[u8]| if width == 4 { u64::from(u32_at(at, 0)) } else { u64_at(at, 0) };
            bytes.len().is_multiple_of(width)
                && bytes.chunks_exact(width).map(number).is_sorted()
                && bytes.chunks_exact(width).next_back().map_or(0, number) == of.len() as u64
        };
        let documents = self.packed.at(&self.at.documents);
        let order = self.packed.at(&self.at.id_order);
        let count = order.len() / 4;
        ends(&self.at.word_ends, 4, &self.at.words)
            && ends(&self.at.posting_ends, 8, &self.at.postings)
            && ends(&self.at.id_ends, 8, &self.at.ids)
            && self.at.posting_ends.len() == 2 * self.at.word_ends.len()
            && order.len().is_multiple_of(4)
            && self.at.id_ends.len() == 8 * count
            && documents.len() == 4 * (count + 1)
            && documents.chunks_exact(4).map(|at| u32_at(at, 0)).is_sorted()
            && order.chunks_exact(4).all(|at| (u32_at(at, 0) as usize) < count)
    }

    /// Whose rules fold its terms.
    pub fn language(&self) -> Language {
        self.about.language
    }

    /// What it counts.
    pub fn unit(&self) -> Unit {
        self.about.unit
    }

    /// How many units it counts.
    pub fn units(&self) -> u32 {
        let documents = self.packed.at(&self.at.documents);
        u32_at(documents, documents.len() - 4)
    }

    /// How many documents it was built from.
    pub fn documents(&self) -> usize {
        self.at.id_order.len() / 4
    }

    /// How many words were read, each as often as it is written.
    pub fn words(&self) -> u64 {
        self.about.words
    }

    /// How many different words it knows, folded.
    pub fn different_words(&self) -> usize {
        self.at.word_ends.len() / 4
    }

    /// What it was built from.
    pub fn sources(&self) -> &[Source] {
        &self.about.sources
    }

    /// The ids of its documents, in the order in which they were read.
    pub fn ids(&self) -> impl Iterator<Item = Result<&str, Error>> {
        (0..self.documents()).map(|document| self.id(document))
    }

    /// The same knowledge without the documents of this id.
    ///
    /// What is known of a person must not come from the document that is to be protected.
    pub fn without(&self, id: &str) -> Result<Without<'_>, Error> {
        let first = self.partition(|found| found < id)?;
        let end = self.partition(|found| found <= id)?;
        let mut removed = RoaringBitmap::new();
        for at in first..end {
            removed.insert_range(self.units_of(self.in_order(at)));
        }
        if first == end {
            return Err(Error::new(ErrorKind::Argument, "the index has no document with that id")
                .with_hint("`reticent index show --ids` lists them"));
        }
        Ok(Without::new(self, id, removed))
    }

    /// How many ids, in their order, come before the first for which `before` does not hold.
    fn partition(&self, before: impl Fn(&str) -> bool) -> Result<usize, Error> {
        let (mut low, mut high) = (0, self.documents());
        while low < high {
            let middle = usize::midpoint(low, high);
            if before(self.id(self.in_order(middle))?) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn in_order(&self, at: usize) -> usize {
        u32_at(self.packed.at(&self.at.id_order), 4 * at) as usize
    }

    pub(super) fn units_of(&self, document: usize) -> Range<u32> {
        let documents = self.packed.at(&self.at.documents);
        u32_at(documents, 4 * document)..u32_at(documents, 4 * document + 4)
    }

    pub(super) fn id(&self, document: usize) -> Result<&str, Error> {
        let ends = self.packed.at(&self.at.id_ends);
        let start = if document == 0 { 0 } else { u64_at(ends, 8 * document - 8) };
        let end = u64_at(ends, 8 * document);
        self.piece(&self.at.ids, start, end).and_then(|id| std::str::from_utf8(id).ok()).ok_or_else(damaged)
    }

    fn piece(&self, section: &Range<usize>, start: u64, end: u64) -> Option<&[u8]> {
        self.packed.at(section).get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    fn word(&self, number: usize) -> &[u8] {
        let ends = self.packed.at(&self.at.word_ends);
        let start = if number == 0 { 0 } else { u32_at(ends, 4 * number - 4) };
        &self.packed.at(&self.at.words)[start as usize..u32_at(ends, 4 * number) as usize]
    }

    fn postings(&self, number: usize) -> Result<Postings<'_>, Error> {
        let ends = self.packed.at(&self.at.posting_ends);
        let start = if number == 0 { 0 } else { u64_at(ends, 8 * number - 8) };
        let end = u64_at(ends, 8 * number);
        self.piece(&self.at.postings, start, end).and_then(Postings::read).ok_or_else(damaged)
    }

    /// All words in order, with their postings.
    pub(super) fn parts(&self) -> impl Iterator<Item = Result<(&[u8], Part<'_>), Error>> {
        (0..self.different_words()).map(|number| {
            let part = self.postings(number)?.as_part().ok_or_else(damaged)?;
            Ok((self.word(number), part))
        })
    }

    fn number(&self, word: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.different_words());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.word(middle).cmp(word.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// The units in which a term is written; nothing if it has no word.
    pub(super) fn set(&self, term: &str) -> Result<Option<Arc<RoaringBitmap>>, Error> {
        if let Some(set) = self.cache.get(term) {
            return Ok(Some(set));
        }
        let Some(phrase) = Phrase::new(term, Folding::new(self.language())) else { return Ok(None) };
        let units = self.find(&phrase)?;
        if units.last().is_some_and(|last| *last >= self.units()) {
            return Err(damaged());
        }
        let set = RoaringBitmap::from_sorted_iter(units).map_err(|_| damaged())?;
        let set = Arc::new(set);
        self.cache.put(term, &set);
        Ok(Some(set))
    }

    /// The units in which a phrase is written, in order.
    fn find(&self, phrase: &Phrase) -> Result<Vec<u32>, Error> {
        let mut numbers = Vec::with_capacity(phrase.words.len());
        for word in &phrase.words {
            let Some(number) = self.number(&word.folded) else { return Ok(Vec::new()) };
            numbers.push(number);
        }
        let mut different = numbers.clone();
        different.sort_unstable();
        different.dedup();
        let mut postings = different
            .into_iter()
            .map(|number| Ok((number, self.postings(number)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        // Rarest first, so that most units are out at once.
        postings.sort_by_key(|(number, postings)| (postings.units(), *number));
        let mut units: Option<Vec<u32>> = None;
        for (_, postings) in &postings {
            let list = postings.list().ok_or_else(damaged)?;
            let left = match units {
                None => list,
                Some(units) => common(units, &list),
            };
            if left.is_empty() {
                return Ok(left);
            }
            units = Some(left);
        }
        let units = units.unwrap_or_default();
        if numbers.len() == 1 {
            return Ok(units);
        }
        let places = postings
            .iter()
            .map(|(number, postings)| Ok((*number, postings.places(&units).ok_or_else(damaged)?)))
            .collect::<Result<Vec<(usize, Places)>, Error>>()?;
        let of = |number: usize| places.iter().find(|(known, _)| *known == number).map(|(_, places)| places);
        let in_row: Vec<(&Places, bool)> = numbers
            .iter()
            .zip(&phrase.words)
            .map(|(number, word)| Some((of(*number)?, word.apart)))
            .collect::<Option<_>>()
            .ok_or_else(damaged)?;
        let written = units.iter().enumerate().filter(|(at, _)| stand_in_row(&in_row, *at));
        Ok(written.map(|(_, unit)| *unit).collect())
    }

    /// The units with all of some terms and one of the names of something; nothing if one has no word.
    pub(super) fn set_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Option<RoaringBitmap>, Error> {
        let Some(sets) = self.sets(terms)? else { return Ok(None) };
        let mut found = RoaringBitmap::new();
        for name in any {
            let Some(set) = self.set(name)? else { return Ok(None) };
            found |= match sets.as_slice() {
                [] => (*set).clone(),
                [one, rest @ ..] => intersection(one, &set, rest),
            };
        }
        Ok(Some(found))
    }

    /// The sets of some terms, smallest first; nothing if one of them has no word.
    pub(super) fn sets(&self, terms: &[&str]) -> Result<Option<Vec<Arc<RoaringBitmap>>>, Error> {
        let mut sets = Vec::with_capacity(terms.len());
        for term in terms {
            let Some(set) = self.set(term)? else { return Ok(None) };
            sets.push(set);
        }
        sets.sort_by_key(|set| set.len());
        Ok(Some(sets))
    }
}

/// What two lists in order have in common.
fn common(mut units: Vec<u32>, other: &[u32]) -> Vec<u32> {
    let mut at = 0;
    units.retain(|unit| {
        while other.get(at).is_some_and(|next| next < unit) {
            at += 1;
        }
        other.get(at) == Some(unit)
    });
    units
}

/// Whether the words stand in a row somewhere in the unit at this position.
fn stand_in_row(words: &[(&Places, bool)], unit: usize) -> bool {
    let Some(((first, _), rest)) = words.split_first() else { return false };
    let mut ends: Vec<u32> = first.of(unit).to_vec();
    for (places, apart) in rest {
        let mut at = 0;
        let mut next = Vec::new();
        for &place in places.of(unit) {
            while ends.get(at).is_some_and(|end| end.saturating_add(APART) < place) {
                at += 1;
            }
            // One word never stands at two places that are less than two steps from here.
            let gap = ends.get(at).and_then(|end| place.checked_sub(*end));
            if gap == Some(NEXT) || (*apart && gap == Some(APART)) {
                next.push(place);
            }
        }
        ends = next;
        if ends.is_empty() {
            return false;
        }
    }
    true
}

impl Counts for Index {
    fn name(&self) -> String {
        let units = u64::from(self.units());
        format!("index of {} {}{}", with_commas(units), self.unit(), if units == 1 { "" } else { "s" })
    }

    fn fingerprint(&self) -> String {
        self.packed.fingerprint()
    }

    fn total(&self) -> u64 {
        u64::from(self.units())
    }

    fn count(&self, terms: &[&str]) -> Result<Count, Error> {
        let Some(sets) = self.sets(terms)? else { return Ok(Count::Unknown) };
        Ok(Count::Exact(match sets.as_slice() {
            [] => self.total(),
            [one] => one.len(),
            [one, two] => one.intersection_len(two),
            [one, two, rest @ ..] => intersection(one, two, rest).len(),
        }))
    }

    fn count_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Count, Error> {
        Ok(self.set_with_any(any, terms)?.map_or(Count::Unknown, |set| Count::Exact(set.len())))
    }

    fn units_with_any(&self, any: &[&str], terms: &[&str]) -> Result<Option<Vec<u32>>, Error> {
        Ok(self.set_with_any(any, terms)?.map(|set| set.iter().collect()))
    }
}

/// What sets have in common.
pub(super) fn intersection(
    one: &RoaringBitmap,
    two: &RoaringBitmap,
    rest: &[Arc<RoaringBitmap>],
) -> RoaringBitmap {
    let mut common = one & two;
    for set in rest {
        common &= &**set;
    }
    common
}
