//! The ZIP archive of a Word document: opened with suspicion, written afresh.

use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::format::Limits;
use crate::{Error, ErrorKind};

/// An open archive.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    bytes: &'a [u8],
    names: Vec<String>,
}

pub(super) fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Malformed, format!("not a Word document, or a damaged one: {what}"))
        .with_hint("open it in a word processor and save it again as .docx")
}

/// Another format that the first bytes identify.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let html = |tag: &str| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag.as_bytes()));
    match start {
        [b'%', b'P', b'D', b'F', ..] => Some("a PDF"),
        [b'{', b'\\', b'r', b't', b'f', ..] => Some("rich text (RTF)"),
        _ if html("<!doctype html") || html("<html") => Some("a web page"),
        _ => None,
    }
}

fn too_large() -> Error {
    Error::new(ErrorKind::Limit, "the decompressed document exceeds the limits")
        .with_hint("raise the limits in the policy if you trust the file")
}

/// The error of the archive crate without anything it may quote.
fn unreadable(error: &zip::result::ZipError) -> Error {
    match error {
        zip::result::ZipError::UnsupportedArchive(_) => broken("the archive uses an unsupported method"),
        zip::result::ZipError::CompressionMethodNotSupported(_) => {
            broken("a part uses an unknown compression method")
        }
        _ => broken("the archive is truncated or unreadable"),
    }
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            return Err(broken("the file is empty"));
        }
        if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
            return Err(Error::new(
                ErrorKind::Malformed,
                "a legacy (.doc) or password-protected Word document",
            )
            .with_hint("open it in a word processor and save it as .docx without a password"));
        }
        if let Some(kind) = other_kind(bytes) {
            return Err(Error::new(ErrorKind::Malformed, format!("not a Word document, but {kind}"))
                .with_hint("correct its extension, or save it as .docx in a word processor"));
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
        if zip.has_duplicate_names() {
            return Err(broken("two parts have the same name"));
        }
        if zip.has_overlapping_entries().map_err(|error| unreadable(&error))? {
            return Err(broken("parts of the archive overlap"));
        }
        let mut names = Vec::with_capacity(zip.len());
        for index in 0..zip.len() {
            let entry = zip.by_index_data(index).map_err(|error| unreadable(&error))?;
            if entry.encrypted() {
                return Err(Error::new(ErrorKind::Malformed, "the document is encrypted")
                    .with_hint("save it without a password first"));
            }
            names.push(entry.name().map_err(|error| unreadable(&error))?.into_owned());
        }
        // Names that differ only in their case are the same part to a word processor.
        let mut folded: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        folded.sort_unstable();
        if folded.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(broken("two parts have the same name"));
        }
        Ok(Self { zip, bytes, names })
    }

    /// The names of the parts, in the order of the archive.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the archive holds nothing besides its parts: no comments, no extra fields, and no
    /// bytes before, between or after the entries.
    pub(super) fn is_tidy(&self) -> bool {
        const LOCAL_HEADER: u64 = 30;
        let end = self.bytes.len().checked_sub(22).and_then(|at| self.bytes.get(at..at + 4));
        if end != Some(b"PK\x05\x06") || !self.zip.comment().is_empty() {
            return false;
        }
        let mut entries = Vec::with_capacity(self.names.len());
        for index in 0..self.names.len() {
            let Ok(entry) = self.zip.by_index_data(index) else { return false };
            let start = entry.header_start();
            let word = |header: u64, at: usize| {
                let at = usize::try_from(header).ok()?.checked_add(at)?;
                Some(u16::from_le_bytes(self.bytes.get(at..at + 2)?.try_into().ok()?))
            };
            // Flags, lengths of extra fields and of the comment.
            let central = entry.central_header_start();
            let (Some(flags), Some(0), Some(0), Some(0), Some(name)) =
                (word(start, 6), word(start, 28), word(central, 30), word(central, 32), word(start, 26))
            else {
                return false;
            };
            if flags & 8 != 0 {
                return false;
            }
            entries.push((start, start + LOCAL_HEADER + u64::from(name) + entry.compressed_size()));
        }
        entries.sort_unstable();
        let mut done = 0;
        entries.iter().all(|&(start, end)| std::mem::replace(&mut done, end) == start)
            && done == self.zip.central_directory_start()
    }

    /// Whether there are comments, or bytes before or after the archive. Extra fields hold times and
    /// padding, as all programs write them, and are not worth a word.
    pub(super) fn has_comments(&self) -> bool {
        let commented = |index| self.zip.by_index_data(index).is_ok_and(|entry| !entry.comment().is_empty());
        let end = self.bytes.len().checked_sub(22).and_then(|at| self.bytes.get(at..at + 4));
        end != Some(b"PK\x05\x06") || self.zip.offset() != 0 || (0..self.names.len()).any(commented)
    }

    /// Refuses an archive whose own directory exceeds the limits.
    pub(super) fn check_size(&self, limits: &Limits) -> Result<(), Error> {
        let mut total = 0_u64;
        for index in 0..self.names.len() {
            let entry = self.zip.by_index_data(index).map_err(|error| unreadable(&error))?;
            total = total.saturating_add(entry.size());
        }
        if total > limits.max_expanded { Err(too_large()) } else { Ok(()) }
    }

    /// Unpacks a part; `spent` counts what has been unpacked so far.
    pub(super) fn read(&mut self, index: usize, limits: &Limits, spent: &mut u64) -> Result<Vec<u8>, Error> {
        let entry = self.zip.by_index(index).map_err(|error| unreadable(&error))?;
        // Small parts may be packed very well; a bomb is not small.
        let by_ratio = entry.compressed_size().saturating_mul(limits.max_ratio).max(1 << 20);
        let left = limits.max_expanded.saturating_sub(*spent);
        let most = left.min(by_ratio);
        if entry.size() > most {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        entry
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|_| broken("a part cannot be decompressed"))?;
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        *spent = spent.saturating_add(bytes.len() as u64);
        Ok(bytes)
    }
}

/// Packs parts into a new archive: the same bytes every time, without comments, extra fields or
/// times of change.
pub(super) fn pack<'p>(parts: impl IntoIterator<Item = (&'p str, &'p [u8])>) -> Result<Vec<u8>, Error> {
    let failed = || Error::new(ErrorKind::Edit, "cannot compress the document");
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(name, options).map_err(|_| failed())?;
        writer.write_all(bytes).map_err(|_| failed())?;
    }
    Ok(writer.finish().map_err(|_| failed())?.into_inner())
}
