//! The file of an index: what stands in which section.
//!
//! ```text
//! about     version of folding, language, unit, words, sources
//! words     all folded words, in the order of their bytes;   wordend  where each ends (u32)
//! postings  of each word, see `postings`;                    postend  where each ends (u64)
//! docs      the first unit of each document (u32), then the number of all units
//! ids       the id of each document;                         idend    where each ends (u64)
//! idorder   the documents in the order of their ids (u32)
//! ```

use reticent_text::Language;

use super::coding::{Reader, put, put_bytes};
use super::unit::Unit;
use crate::packed::Kind;
use crate::{Error, ErrorKind, Folding};

pub(super) const KIND: Kind = Kind { tag: *b"INDX", name: "index", version: 1 };

/// What an index was built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of the file.
    pub name: String,
    /// How many documents came from it.
    pub documents: u64,
    /// How many bytes of text.
    pub bytes: u64,
}

/// What an index says about itself.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) language: Language,
    pub(super) unit: Unit,
    /// How many words, each as often as it is written.
    pub(super) words: u64,
    pub(super) sources: Vec<Source>,
}

impl About {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(u64::from(Folding::VERSION), &mut bytes);
        put_bytes(self.language.code().as_bytes(), &mut bytes);
        put(Unit::ALL.iter().position(|unit| *unit == self.unit).unwrap_or_default() as u64, &mut bytes);
        put(self.words, &mut bytes);
        put(self.sources.len() as u64, &mut bytes);
        for source in &self.sources {
            put_bytes(source.name.as_bytes(), &mut bytes);
            put(source.documents, &mut bytes);
            put(source.bytes, &mut bytes);
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes);
        let folding = reader.number().ok_or_else(damaged)?;
        if folding != u64::from(Folding::VERSION) {
            return Err(Error::new(
                ErrorKind::Version,
                format!(
                    "the index uses version {folding} of term normalization, this program version {}",
                    Folding::VERSION
                ),
            )
            .with_hint("build the index again with this program"));
        }
        Self::read_rest(&mut reader).ok_or_else(damaged)
    }

    fn read_rest(reader: &mut Reader<'_>) -> Option<Self> {
        let language = Language::from_code(reader.string()?);
        let unit = *Unit::ALL.get(usize::try_from(reader.number()?).ok()?)?;
        let words = reader.number()?;
        let mut sources = Vec::new();
        for _ in 0..reader.number()? {
            let name = reader.string()?.to_owned();
            sources.push(Source { name, documents: reader.number()?, bytes: reader.number()? });
        }
        Some(Self { language, unit, words, sources })
    }
}

/// The checksum holds, but what the file says cannot be.
pub(super) fn damaged() -> Error {
    Error::new(ErrorKind::Malformed, "the index is damaged: its data is inconsistent")
        .with_hint("build it again, or obtain a new copy")
}
