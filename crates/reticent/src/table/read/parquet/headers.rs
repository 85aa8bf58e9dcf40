//! What a Parquet file says about itself, looked at before the crate `parquet` is let near it.
//!
//! That crate makes errors or panics of most damage, but it believes how deep a schema is nested and how large
//! a page becomes; a false number there would end the program. Headers are written in Thrift's compact
//! protocol, of which this understands as much as it takes to step over what it does not need.

/// How deep headers may be nested; the format's own go half as deep.
const DEPTH: u8 = 16;

const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// What is wrong with a schema.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It cannot be read.
    Broken,
    /// The column of that name has columns in it.
    Nested(String),
}

/// The file's metadata, at its end.
pub(super) fn footer(file: &[u8]) -> Option<&[u8]> {
    let body = file.strip_prefix(b"PAR1")?.strip_suffix(b"PAR1")?;
    let (body, length) = body.split_last_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    body.get(body.len().checked_sub(length)?..)
}

/// Checks that the schema is one group of columns that have none in them.
pub(super) fn check_flat(footer: &[u8]) -> Result<(), Wrong> {
    let mut metadata = Thrift { rest: footer };
    let mut id = 0;
    while let Some(kind) = metadata.field(&mut id).ok_or(Wrong::Broken)? {
        if (id, kind) == (2, LIST) {
            check_elements(&mut metadata)?;
        } else {
            metadata.skip(kind, DEPTH).ok_or(Wrong::Broken)?;
        }
    }
    Ok(())
}

fn check_elements(metadata: &mut Thrift<'_>) -> Result<(), Wrong> {
    let (size, kind) = metadata.list().ok_or(Wrong::Broken)?;
    if kind != STRUCT {
        return Err(Wrong::Broken);
    }
    let mut all_in_first = true;
    for place in 0..size {
        let (name, children) = metadata.element().ok_or(Wrong::Broken)?;
        // The first stands for the table, and all others are in it.
        if place == 0 {
            all_in_first = u64::try_from(children).ok() == Some(size - 1);
        } else if children != 0 {
            return Err(Wrong::Nested(String::from_utf8_lossy(name).into_owned()));
        }
    }
    if !all_in_first {
        return Err(Wrong::Broken);
    }
    Ok(())
}

/// How large the pages of a column are when they are unpacked, as their headers say: no page becomes larger
/// than its header says.
pub(super) fn unpacked(chunk: &[u8]) -> Option<u64> {
    let mut pages = Thrift { rest: chunk };
    let mut all: u64 = 0;
    while !pages.rest.is_empty() {
        let (mut id, mut unpacked, mut packed) = (0, 0, 0);
        while let Some(kind) = pages.field(&mut id)? {
            match (id, kind) {
                (2, 5) => unpacked = u64::try_from(pages.integer()?).ok()?,
                (3, 5) => packed = usize::try_from(pages.integer()?).ok()?,
                _ => pages.skip(kind, DEPTH)?,
            }
        }
        all = all.checked_add(unpacked)?;
        pages.rest = pages.rest.get(packed..)?;
    }
    Some(all)
}

/// What is left to read. Each function gives nothing if that ends too early.
struct Thrift<'b> {
    rest: &'b [u8],
}

impl<'b> Thrift<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn bytes(&mut self, count: u64) -> Option<&'b [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(usize::try_from(count).ok()?)?;
        self.rest = rest;
        Some(bytes)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number whose lowest bit is its sign.
    fn integer(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// The type of the next field of a struct, and its number in `id`, which was the last one's; no type at
    /// the end of the struct.
    #[allow(clippy::option_option, reason = "trailing bytes after a struct")]
    fn field(&mut self, id: &mut i64) -> Option<Option<u8>> {
        let head = self.byte()?;
        if head == 0 {
            return Some(None);
        }
        *id = match head >> 4 {
            0 => self.integer()?,
            more => id.checked_add(i64::from(more))?,
        };
        Some(Some(head & 15))
    }

    /// How many a list holds, and of which type.
    fn list(&mut self) -> Option<(u64, u8)> {
        let head = self.byte()?;
        let size = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
        Some((size, head & 15))
    }

    /// The name of a schema's element, and how many it says are in it.
    fn element(&mut self) -> Option<(&'b [u8], i64)> {
        let (mut id, mut name, mut children) = (0, &[][..], 0);
        while let Some(kind) = self.field(&mut id)? {
            match (id, kind) {
                (4, 8) => {
                    let length = self.number()?;
                    name = self.bytes(length)?;
                }
                (5, 5) => children = self.integer()?,
                _ => self.skip(kind, DEPTH)?,
            }
        }
        Some((name, children))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            // The truth of a field stands in its type.
            1 | 2 => {}
            3 => {
                self.byte()?;
            }
            4..=6 => {
                self.number()?;
            }
            7 => {
                self.bytes(8)?;
            }
            8 => {
                let length = self.number()?;
                self.bytes(length)?;
            }
            LIST | 10 => {
                let (size, kind) = self.list()?;
                for _ in 0..size {
                    self.skip_element(kind, depth)?;
                }
            }
            11 => {
                let size = self.number()?;
                if size > 0 {
                    let kinds = self.byte()?;
                    for _ in 0..size {
                        self.skip_element(kinds >> 4, depth)?;
                        self.skip_element(kinds & 15, depth)?;
                    }
                }
            }
            STRUCT => {
                let mut id = 0;
                while let Some(kind) = self.field(&mut id)? {
                    self.skip(kind, depth)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// In lists and maps, truth takes a byte.
    fn skip_element(&mut self, kind: u8, depth: u8) -> Option<()> {
        if matches!(kind, 1 | 2) { self.byte().map(|_| ()) } else { self.skip(kind, depth) }
    }
}
