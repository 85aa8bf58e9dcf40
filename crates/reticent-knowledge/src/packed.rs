//! The file that all knowledge is kept in: named sections, checked when opened, mapped into memory.
//!
//! ```text
//! "RETICENT" | kind (4 bytes) | version u32 | sections u32 | reserved u32 | blake3 of all the rest
//! then for each section: name (8 bytes) | start u64 | length u64
//! then the sections, each at a multiple of 64 bytes
//! ```
//! Numbers are little-endian. The hash is the checksum and the fingerprint in one.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use crate::{Error, ErrorKind};

const MAGIC: &[u8; 8] = b"RETICENT";
const HASH_AT: usize = 24;
const TABLE_AT: usize = HASH_AT + blake3::OUT_LEN;
const ENTRY: usize = 24;
const ALIGNMENT: usize = 64;

/// What a file holds, and the newest version of it that this program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Four letters.
    pub tag: [u8; 4],
    /// What users call it.
    pub name: &'static str,
    /// The version that is written, and the newest that is read.
    pub version: u32,
}

enum Bytes {
    Embedded(&'static [u8]),
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// An opened file.
///
/// ```
/// use reticent_knowledge::packed::{Kind, Packed, write};
/// const KIND: Kind = Kind { tag: *b"DEMO", name: "demonstration", version: 1 };
/// let mut bytes = Vec::new();
/// write(KIND, &[("words", b"one two")], &mut bytes)?;
/// let packed = Packed::from_bytes(KIND, bytes.clone())?;
/// assert_eq!(packed.section("words")?, b"one two");
///
/// *bytes.last_mut().unwrap() ^= 1;
/// assert!(Packed::from_bytes(KIND, bytes).unwrap_err().to_string().contains("damaged"));
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub struct Packed {
    bytes: Bytes,
    version: u32,
    sections: Vec<(String, Range<usize>)>,
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packed")
            .field("version", &self.version)
            .field("sections", &self.sections)
            .finish_non_exhaustive()
    }
}

impl Packed {
    /// Maps a file into memory and checks it.
    pub fn open(kind: Kind, path: &Path) -> Result<Self, Error> {
        let refuse = |error: std::io::Error| {
            Error::new(ErrorKind::Io, format!("cannot open the {} {}: {error}", kind.name, path.display()))
        };
        let file = File::open(path).map_err(refuse)?;
        if file.metadata().map_err(refuse)?.len() == 0 {
            return Err(not_ours(kind));
        }
        // Sound as long as no one changes the file while it is open, which its users are told.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(refuse)?;
        Self::checked(kind, Bytes::Mapped(map))
    }

    /// The same from bytes in memory.
    pub fn from_bytes(kind: Kind, bytes: Vec<u8>) -> Result<Self, Error> {
        Self::checked(kind, Bytes::Owned(bytes))
    }

    /// The same from bytes that ship with the program; their hash is checked by a test, not here.
    pub fn embedded(kind: Kind, bytes: &'static [u8]) -> Result<Self, Error> {
        Self::read(kind, Bytes::Embedded(bytes))
    }

    fn checked(kind: Kind, bytes: Bytes) -> Result<Self, Error> {
        let packed = Self::read(kind, bytes)?;
        let all = packed.all();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&all[..HASH_AT]).update(&all[TABLE_AT..]);
        if hasher.finalize().as_bytes()[..] != all[HASH_AT..TABLE_AT] {
            return Err(damaged(kind));
        }
        Ok(packed)
    }

    fn read(kind: Kind, bytes: Bytes) -> Result<Self, Error> {
        let mut packed = Self { bytes, version: 0, sections: Vec::new() };
        let all = packed.all();
        if all.len() < TABLE_AT || all[..8] != MAGIC[..] || all[8..12] != kind.tag {
            return Err(not_ours(kind));
        }
        let version = u32_at(all, 12);
        if version == 0 || version > kind.version {
            return Err(Error::new(
                ErrorKind::Version,
                format!(
                    "the {} has version {version}; this program supports up to {}",
                    kind.name, kind.version
                ),
            )
            .with_hint("use a newer version of reticent, or build the file again with this one"));
        }
        let count = u32_at(all, 16) as usize;
        let table = all.get(TABLE_AT..).and_then(|rest| rest.get(..count.checked_mul(ENTRY)?));
        let table = table.ok_or_else(|| damaged(kind))?;
        let mut sections = Vec::with_capacity(count);
        for entry in table.chunks_exact(ENTRY) {
            let name = entry[..8].iter().map(|byte| char::from(*byte)).take_while(|c| *c != '\0').collect();
            let number = |at| usize::try_from(u64_at(entry, at)).ok();
            let range = number(8).and_then(|start| Some(start..start.checked_add(number(16)?)?));
            let range = range.filter(|range| range.end <= all.len()).ok_or_else(|| damaged(kind))?;
            sections.push((name, range));
        }
        packed.version = version;
        packed.sections = sections;
        Ok(packed)
    }

    fn all(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Embedded(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(bytes) => bytes,
        }
    }

    /// The bytes of a section.
    pub fn section(&self, name: &str) -> Result<&[u8], Error> {
        Ok(&self.all()[self.range(name)?])
    }

    /// Where a section lies, to be handed to [`Packed::at`] without looking it up again.
    pub fn range(&self, name: &str) -> Result<Range<usize>, Error> {
        let found = self.sections.iter().find(|(known, _)| known == name);
        found.map(|(_, range)| range.clone()).ok_or_else(|| {
            Error::new(ErrorKind::Malformed, format!("the file has no section `{name}`"))
                .with_hint("build it again")
        })
    }

    /// The bytes of a range that [`Packed::range`] gave.
    pub fn at(&self, range: &Range<usize>) -> &[u8] {
        &self.all()[range.clone()]
    }

    /// The version that the file has.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// A hash of all that the file holds: what a certificate names it by.
    pub fn fingerprint(&self) -> String {
        let mut hash = [0; blake3::OUT_LEN];
        hash.copy_from_slice(&self.all()[HASH_AT..TABLE_AT]);
        blake3::Hash::from_bytes(hash).to_hex()[..32].to_owned()
    }
}

/// Writes sections as a file. Names have at most eight ASCII letters.
pub fn write(kind: Kind, sections: &[(&str, &[u8])], into: &mut impl Write) -> Result<(), Error> {
    let mut table = Vec::with_capacity(sections.len() * ENTRY);
    let mut at = (TABLE_AT + sections.len() * ENTRY).next_multiple_of(ALIGNMENT);
    for (name, bytes) in sections {
        debug_assert!(name.len() <= 8 && name.is_ascii());
        let mut field = [0; 8];
        field[..name.len()].copy_from_slice(name.as_bytes());
        table.extend(field);
        table.extend((at as u64).to_le_bytes());
        table.extend((bytes.len() as u64).to_le_bytes());
        at = (at + bytes.len()).next_multiple_of(ALIGNMENT);
    }
    let mut pieces: Vec<&[u8]> = vec![&table];
    let padding = [0; ALIGNMENT];
    let mut length = TABLE_AT + table.len();
    for (_, bytes) in sections {
        pieces.push(&padding[..length.next_multiple_of(ALIGNMENT) - length]);
        pieces.push(bytes);
        length = length.next_multiple_of(ALIGNMENT) + bytes.len();
    }
    let count =
        u32::try_from(sections.len()).map_err(|_| Error::new(ErrorKind::Limit, "too many sections"))?;
    let mut head = [MAGIC.as_slice(), &kind.tag].concat();
    head.extend([kind.version, count, 0].iter().flat_map(|number| number.to_le_bytes()));
    let mut hasher = blake3::Hasher::new();
    hasher.update(&head);
    for piece in &pieces {
        hasher.update(piece);
    }
    into.write_all(&head)?;
    into.write_all(hasher.finalize().as_bytes())?;
    for piece in pieces {
        into.write_all(piece)?;
    }
    Ok(())
}

/// The number at a place of a section; the caller knows that it is inside.
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(number)
}

/// The number at a place of a section; the caller knows that it is inside.
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
}

fn not_ours(kind: Kind) -> Error {
    Error::new(ErrorKind::Malformed, format!("the file is not a reticent {}", kind.name))
        .with_hint("use a file built by reticent")
}

fn damaged(kind: Kind) -> Error {
    Error::new(ErrorKind::Malformed, format!("the {} is damaged: checksum mismatch", kind.name))
        .with_hint("build it again, or obtain a new copy")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KIND: Kind = Kind { tag: *b"TEST", name: "test file", version: 2 };

    fn packed(sections: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(KIND, sections, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn refuses_what_is_newer_or_other() {
        let mut bytes = packed(&[]);
        bytes[12] = 3;
        assert_eq!(Packed::from_bytes(KIND, bytes.clone()).unwrap_err().kind(), ErrorKind::Version);
        bytes[8] = b'X';
        assert_eq!(Packed::from_bytes(KIND, bytes).unwrap_err().kind(), ErrorKind::Malformed);
        assert_eq!(Packed::from_bytes(KIND, Vec::new()).unwrap_err().kind(), ErrorKind::Malformed);
        assert!(Packed::from_bytes(KIND, packed(&[])).unwrap().section("none").is_err());
    }

    proptest! {
        #[test]
        fn reads_what_was_written(one in any::<Vec<u8>>(), two in any::<Vec<u8>>()) {
            let packed = Packed::from_bytes(KIND, packed(&[("one", &one), ("longname", &two)])).unwrap();
            prop_assert_eq!(packed.section("one").unwrap(), &one);
            prop_assert_eq!(packed.section("longname").unwrap(), &two);
            prop_assert!(packed.range("one").unwrap().start.is_multiple_of(ALIGNMENT));
        }

        #[test]
        fn refuses_any_changed_or_missing_byte(content in any::<Vec<u8>>(), at in any::<prop::sample::Index>(), bit in 0..8u8) {
            let good = packed(&[("one", &content)]);
            let mut bad = good.clone();
            let at = at.index(bad.len());
            bad[at] ^= 1u8 << bit;
            prop_assert!(Packed::from_bytes(KIND, bad).is_err());
            prop_assert!(Packed::from_bytes(KIND, good[..at].to_vec()).is_err());
        }

        #[test]
        fn anything_can_be_opened_or_refused(bytes in any::<Vec<u8>>()) {
            let mut bytes = [MAGIC.as_slice(), &KIND.tag, &[1, 0, 0, 0], &bytes].concat();
            bytes.resize(bytes.len() + 40, 0);
            let _ = Packed::read(KIND, Bytes::Owned(bytes));
        }
    }
}
