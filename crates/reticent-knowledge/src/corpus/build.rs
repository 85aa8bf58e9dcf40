//! Building an index, in parallel and in little memory.
//!
//! Documents are taken in batches of a few megabytes; each becomes a segment on disk, in any order. The
//! segments are then joined in the order of the documents. How they were cut does not show in the result:
//! the same documents give the same bytes, whatever the number of threads, and whether all at once or
//! some later.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::iter::{ParallelBridge, ParallelIterator};
use reticent_text::{Document, Language};

use super::coding::Reader;
use super::file::{About, KIND, Source, damaged};
use super::index::Index;
use super::postings::{Part, join};
use super::segment::{Described, Segment, too_many};
use super::unit::Unit;
use crate::packed::write;
use crate::{Error, ErrorKind, Folding};

/// A batch is full at so many bytes of text, or so many documents.
const BATCH_BYTES: usize = 4 << 20;
const BATCH_DOCUMENTS: usize = 1 << 16;

/// How an index is built.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is counted.
    pub unit: Unit,
    /// Whose rules fold terms; that of most documents if it is not said.
    pub language: Option<Language>,
    /// Where files without a name may lie for the time of building: best where the index will be. The
    /// system's own folder for such files if it is not said.
    pub scratch: Option<PathBuf>,
}

/// A document, and from which of the sources it came.
pub struct Item {
    source: usize,
    id: String,
    size: usize,
    load: Load,
}

type Load = Box<dyn FnOnce() -> Option<Document> + Send>;

impl Item {
    /// A document of the source with this number.
    pub fn new(source: usize, document: Document) -> Self {
        Self {
            source,
            id: document.id().to_owned(),
            size: document.text().len(),
            load: Box::new(move || Some(document)),
        }
    }

    /// A document of about so many bytes that one of the threads is to read. If it cannot be read, `load`
    /// remembers why and gives nothing; the others go on.
    pub fn later(
        source: usize,
        id: impl Into<String>,
        size: usize,
        load: impl FnOnce() -> Option<Document> + Send + 'static,
    ) -> Self {
        Self { source, id: id.into(), size, load: Box::new(load) }
    }

    /// The same document under another id: what [`Index::without`] knows it by.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    fn read(self) -> Option<Loaded> {
        Some(Loaded { source: self.source, id: self.id, document: (self.load)()? })
    }
}

/// A document that was read.
pub(super) struct Loaded {
    pub(super) source: usize,
    pub(super) id: String,
    pub(super) document: Document,
}

/// What was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The number of documents.
    pub documents: u64,
    /// The number of units.
    pub units: u64,
    /// How many words, each as often as it is written.
    pub words: u64,
    /// How many bytes of text.
    pub bytes: u64,
    /// Whose rules fold its terms.
    pub language: Language,
    /// The language that most of a sample of the new documents are in. If it is another, terms of that
    /// language are folded badly.
    pub spoken: Language,
}

/// Builds an index of documents and writes it. Uses the threads of the rayon pool that it is called in.
pub fn build<I>(
    sources: &[String],
    items: I,
    options: &Options,
    into: &mut impl Write,
) -> Result<Built, Error>
where
    I: Iterator<Item = Item> + Send,
{
    let mut batches = Batches { items: items.fuse() };
    let first = batches.next().map(Batch::read);
    let language = options.language.unwrap_or_else(|| majority(first.iter().flatten()));
    let batches = first.into_iter().map(Batch::Read).chain(batches);
    let whole = Whole::new(sources, options.unit, language, options.scratch.as_deref())?;
    let whole = whole.read(batches)?;
    if options.language.is_none() && whole.spoken() != language {
        return Err(Error::new(
            ErrorKind::Inconsistent,
            format!("the corpus starts in `{language}`, but most of it is in `{}`", whole.spoken()),
        )
        .with_hint("set the language with --language, or build one index per language"));
    }
    whole.write(None, into)
}

/// Builds an index of what another holds and of more documents, and writes it. It is the index that
/// [`build`] would make of all of them.
pub fn add<I>(
    index: &Index,
    sources: &[String],
    items: I,
    scratch: Option<&Path>,
    into: &mut impl Write,
) -> Result<Built, Error>
where
    I: Iterator<Item = Item> + Send,
{
    let whole = Whole::new(sources, index.unit(), index.language(), scratch)?;
    whole.read(Batches { items: items.fuse() })?.write(Some(index), into)
}

/// The language that most of these are in.
fn majority<'d>(batch: impl Iterator<Item = &'d Loaded>) -> Language {
    let documents = batch.map(|loaded| loaded.document.text());
    let with_words = documents.filter(|text| text.contains(char::is_alphabetic));
    most(with_words.take(256).map(Language::detect), Language::English)
}

/// What occurs most; `first` if others do not occur more often.
fn most(languages: impl Iterator<Item = Language>, first: Language) -> Language {
    let all: Vec<Language> = languages.collect();
    let times = |language| all.iter().filter(|found| **found == language).count();
    let others = [Language::English, Language::Spanish, Language::Other];
    others.into_iter().fold(first, |best, next| if times(next) > times(best) { next } else { best })
}

/// Documents that follow each other.
enum Batch {
    Read(Vec<Loaded>),
    ToRead(Vec<Item>),
}

impl Batch {
    fn read(self) -> Vec<Loaded> {
        match self {
            Self::Read(documents) => documents,
            Self::ToRead(items) => items.into_iter().filter_map(Item::read).collect(),
        }
    }
}

/// Documents in batches, cut by their size alone.
struct Batches<I> {
    items: I,
}

impl<I: Iterator<Item = Item>> Iterator for Batches<I> {
    type Item = Batch;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while bytes < BATCH_BYTES && batch.len() < BATCH_DOCUMENTS {
            let Some(item) = self.items.next() else { break };
            bytes += item.size;
            batch.push(item);
        }
        (!batch.is_empty()).then_some(Batch::ToRead(batch))
    }
}

/// What is known of all documents, with their segments in a file.
struct Whole {
    sources: Vec<Source>,
    unit: Unit,
    language: Language,
    scratch: PathBuf,
    file: File,
    written: u64,
    segments: Vec<Known>,
}

/// A segment whose words are in the file.
struct Known {
    number: usize,
    start: u64,
    length: u64,
    segment: Segment,
}

impl Whole {
    fn new(
        sources: &[String],
        unit: Unit,
        language: Language,
        scratch: Option<&Path>,
    ) -> Result<Self, Error> {
        let scratch = scratch.map_or_else(std::env::temp_dir, Path::to_owned);
        let sources = sources.iter().map(|name| Source { name: name.clone(), documents: 0, bytes: 0 });
        let file = temporary(&scratch)?;
        Ok(Self {
            sources: sources.collect(),
            unit,
            language,
            scratch,
            file,
            written: 0,
            segments: Vec::new(),
        })
    }

    /// Reads all documents, with all threads.
    fn read(self, batches: impl Iterator<Item = Batch> + Send) -> Result<Self, Error> {
        let (unit, folding) = (self.unit, Folding::new(self.language));
        let whole = Mutex::new(self);
        batches.enumerate().par_bridge().try_for_each(|(number, batch)| {
            let segment = Segment::new(&batch.read(), unit, folding)?;
            whole.lock().unwrap_or_else(PoisonError::into_inner).keep(number, segment)
        })?;
        let mut whole = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
        whole.segments.sort_by_key(|known| known.number);
        for described in whole.segments.iter().flat_map(|known| &known.segment.documents) {
            let source = whole
                .sources
                .get_mut(described.source)
                .ok_or_else(|| Error::new(ErrorKind::Argument, "a document refers to an unnamed source"))?;
            source.documents += 1;
            source.bytes += described.bytes;
        }
        if whole.segments.iter().all(|known| known.segment.words == 0) {
            return Err(Error::new(ErrorKind::Empty, "the corpus contains no text")
                .with_hint("use files with text; for rows, set the field with --text-field"));
        }
        Ok(whole)
    }

    fn keep(&mut self, number: usize, mut segment: Segment) -> Result<(), Error> {
        let bytes = std::mem::take(&mut segment.bytes);
        self.file.write_all(&bytes)?;
        let length = bytes.len() as u64;
        self.segments.push(Known { number, start: self.written, length, segment });
        self.written += length;
        Ok(())
    }

    fn spoken(&self) -> Language {
        most(self.segments.iter().flat_map(|known| known.segment.languages.iter().copied()), self.language)
    }

    /// Joins what another index holds, if there is one, and all segments.
    fn write(self, before: Option<&Index>, into: &mut impl Write) -> Result<Built, Error> {
        let documents = Documents::new(before, &self.segments)?;
        let map = mapped(&self.file)?;
        let mut parts: Vec<Stream<'_>> = Vec::new();
        if let Some(index) = before {
            parts.push(Stream { base: 0, parts: Box::new(index.parts()) });
        }
        let mut base = before.map_or(0, Index::units);
        for known in &self.segments {
            let bytes = known.bytes(&map).ok_or_else(damaged)?;
            parts.push(Stream { base, parts: Box::new(segment_parts(bytes)) });
            base = base.checked_add(known.segment.units).ok_or_else(too_many)?;
        }
        let joined = Joined::new(parts, &self.scratch)?;
        let postings = mapped(&joined.file)?;

        let words = self.segments.iter().map(|known| known.segment.words).sum::<u64>();
        let spoken = self.spoken();
        let bytes = self.sources.iter().map(|source| source.bytes).sum();
        let mut sources = before.map_or_else(Vec::new, |index| index.sources().to_vec());
        sources.extend(self.sources);
        let words = words.saturating_add(before.map_or(0, Index::words));
        let about = About { language: self.language, unit: self.unit, words, sources };
        write(
            KIND,
            &[
                ("about", &about.write()),
                ("words", &joined.words),
                ("wordend", &joined.word_ends),
                ("postings", &postings),
                ("postend", &joined.posting_ends),
                ("docs", &documents.first_units),
                ("ids", &documents.ids),
                ("idend", &documents.id_ends),
                ("idorder", &documents.order()),
            ],
            into,
        )?;
        Ok(Built {
            documents: documents.id_ends.len() as u64 / 8,
            units: u64::from(base),
            words,
            bytes,
            language: self.language,
            spoken,
        })
    }
}

impl Known {
    fn bytes<'m>(&self, map: &'m [u8]) -> Option<&'m [u8]> {
        let start = usize::try_from(self.start).ok()?;
        map.get(start..start.checked_add(usize::try_from(self.length).ok()?)?)
    }
}

type Parts<'m> = Box<dyn Iterator<Item = Result<(&'m [u8], Part<'m>), Error>> + 'm>;

/// Words in order with their postings, whose units are counted from `base`.
struct Stream<'m> {
    base: u32,
    parts: Parts<'m>,
}

fn segment_parts(bytes: &[u8]) -> impl Iterator<Item = Result<(&[u8], Part<'_>), Error>> {
    let mut reader = Reader::new(bytes);
    let words = reader.number().unwrap_or(0);
    (0..words).map(move |_| {
        let word = reader.bytes().ok_or_else(damaged)?;
        Ok((word, Part::read(&mut reader).ok_or_else(damaged)?))
    })
}

/// All words in order; their postings are in a file.
struct Joined {
    words: Vec<u8>,
    word_ends: Vec<u8>,
    posting_ends: Vec<u8>,
    file: File,
}

impl Joined {
    fn new(mut streams: Vec<Stream<'_>>, scratch: &Path) -> Result<Self, Error> {
        let mut joined = Self {
            words: Vec::new(),
            word_ends: Vec::new(),
            posting_ends: Vec::new(),
            file: temporary(scratch)?,
        };
        let mut file = BufWriter::with_capacity(1 << 20, joined.file.try_clone()?);
        // What each stream has next; equal words come in the order of the streams.
        let mut next: BinaryHeap<Reverse<(&[u8], usize)>> = BinaryHeap::new();
        let mut parts: Vec<Option<Part<'_>>> = vec![None; streams.len()];
        for (at, stream) in streams.iter_mut().enumerate() {
            if let Some(first) = stream.parts.next() {
                let (word, part) = first?;
                parts[at] = Some(part);
                next.push(Reverse((word, at)));
            }
        }
        let (mut same, mut bytes, mut written) = (Vec::new(), Vec::new(), 0u64);
        while let Some(Reverse((word, mut at))) = next.pop() {
            loop {
                let part = parts[at].take().ok_or_else(damaged)?;
                same.push((streams[at].base, part));
                if let Some(following) = streams[at].parts.next() {
                    let (word, part) = following?;
                    parts[at] = Some(part);
                    next.push(Reverse((word, at)));
                }
                match next.peek() {
                    Some(Reverse((other, _))) if *other == word => {
                        let Some(Reverse((_, other))) = next.pop() else { break };
                        at = other;
                    }
                    _ => break,
                }
            }
            join(&same, &mut bytes).ok_or_else(damaged)?;
            file.write_all(&bytes)?;
            written += bytes.len() as u64;
            joined.words.extend_from_slice(word);
            let end = u32::try_from(joined.words.len()).map_err(|_| {
                Error::new(ErrorKind::Limit, "an index supports at most 4 GB of distinct words")
            })?;
            joined.word_ends.extend(end.to_le_bytes());
            joined.posting_ends.extend(written.to_le_bytes());
            same.clear();
            bytes.clear();
        }
        file.flush()?;
        Ok(joined)
    }
}

/// The documents of the whole.
#[derive(Default)]
struct Documents {
    first_units: Vec<u8>,
    ids: Vec<u8>,
    id_ends: Vec<u8>,
}

impl Documents {
    fn new(before: Option<&Index>, segments: &[Known]) -> Result<Self, Error> {
        let mut documents = Self::default();
        let mut unit = 0u32;
        if let Some(index) = before {
            for document in 0..index.documents() {
                let units = index.units_of(document);
                documents.push(index.id(document)?, &mut unit, units.end - units.start)?;
            }
        }
        for Described { id, units, .. } in segments.iter().flat_map(|known| &known.segment.documents) {
            documents.push(id, &mut unit, *units)?;
        }
        documents.first_units.extend(unit.to_le_bytes());
        if documents.id_ends.len() / 8 > u32::MAX as usize {
            return Err(too_many());
        }
        Ok(documents)
    }

    fn push(&mut self, id: &str, unit: &mut u32, units: u32) -> Result<(), Error> {
        self.first_units.extend(unit.to_le_bytes());
        *unit = unit.checked_add(units).ok_or_else(too_many)?;
        self.ids.extend_from_slice(id.as_bytes());
        self.id_ends.extend((self.ids.len() as u64).to_le_bytes());
        Ok(())
    }

    /// The numbers of the documents in the order of their ids.
    fn order(&self) -> Vec<u8> {
        let mut ids: Vec<(&[u8], u32)> = Vec::with_capacity(self.id_ends.len() / 8);
        let mut start = 0;
        for (number, end) in (0u32..).zip(self.id_ends.chunks_exact(8)) {
            let end = usize::try_from(crate::packed::u64_at(end, 0)).unwrap_or(start);
            ids.push((&self.ids[start..end], number));
            start = end;
        }
        ids.sort_unstable();
        ids.iter().flat_map(|(_, number)| number.to_le_bytes()).collect()
    }
}

/// A file without a name, gone when it is closed, whatever happens.
fn temporary(folder: &Path) -> Result<File, Error> {
    tempfile::tempfile_in(folder).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot write to {}: {error}", folder.display()))
            .with_hint("choose a directory with enough free space")
    })
}

fn mapped(mut file: &File) -> Result<memmap2::Mmap, Error> {
    file.seek(SeekFrom::Start(0))?;
    // Sound because the file has no name: no one else can change it.
    #[allow(unsafe_code)]
    Ok(unsafe { memmap2::Mmap::map(file) }?)
}
