//! The archive that a Word document is: opened with suspicion, written back as it was.

use std::io::{Cursor, Read as _, Write as _};

use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::format::Limits;
use crate::{Error, ErrorKind};

/// An open archive.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    names: Vec<String>,
}

fn broken(what: &str) -> Error {
    Error::new(ErrorKind::Malformed, format!("not a Word document, or a damaged one: {what}"))
        .with_hint("open it in a word processor and save it again as .docx")
}

/// What else this is, if its first bytes tell.
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
    Error::new(ErrorKind::Limit, "the document unpacks to more than the limits allow")
        .with_hint("raise the limits in the policy if you trust the file")
}

/// The error of the archive crate without what it may quote.
fn unreadable(error: &zip::result::ZipError) -> Error {
    match error {
        zip::result::ZipError::UnsupportedArchive(_) => {
            broken("the archive uses a method that is not supported")
        }
        zip::result::ZipError::CompressionMethodNotSupported(_) => {
            broken("a part is packed by an unknown method")
        }
        _ => broken("the archive is cut off or cannot be read"),
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
                "a Word document of the old kind (.doc), or one that is locked with a password",
            )
            .with_hint("open it in a word processor and save it as .docx without a password"));
        }
        if let Some(kind) = other_kind(bytes) {
            return Err(Error::new(ErrorKind::Malformed, format!("not a Word document, but {kind}"))
                .with_hint("give it its right extension, or save it as .docx in a word processor"));
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
        if zip.has_duplicate_names() {
            return Err(broken("two parts have the same name"));
        }
        if zip.offset() != 0 || zip.has_overlapping_entries().map_err(|error| unreadable(&error))? {
            return Err(broken("the archive hides bytes between its parts"));
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
        Ok(Self { zip, names })
    }

    /// The names of the parts, in the order of the archive.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the archive as a whole or one of its parts carries a comment.
    pub(super) fn has_comments(&self) -> bool {
        let commented = |index| self.zip.by_index_data(index).is_ok_and(|entry| !entry.comment().is_empty());
        !self.zip.comment().is_empty() || (0..self.names.len()).any(commented)
    }

    /// Refuses at once what says itself that it is too large.
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
            .map_err(|_| broken("a part cannot be unpacked"))?;
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        *spent = spent.saturating_add(bytes.len() as u64);
        Ok(bytes)
    }

    /// The archive with some parts changed: same order, same times, all else copied as packed.
    pub(super) fn write(mut self, changed: &[Option<Vec<u8>>]) -> Result<Vec<u8>, Error> {
        let failed = |_| Error::new(ErrorKind::Edit, "the document cannot be packed again");
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..self.names.len() {
            let entry = self.zip.by_index_raw(index).map_err(|error| unreadable(&error))?;
            let Some(Some(bytes)) = changed.get(index) else {
                writer.raw_copy_file(entry).map_err(failed)?;
                continue;
            };
            let method = entry.compression();
            let stored = method == CompressionMethod::Stored;
            let mut options = entry.options().compression_method(method);
            if !stored {
                options = options.compression_method(CompressionMethod::Deflated);
            }
            drop(entry);
            writer.start_file(self.names[index].as_str(), options).map_err(failed)?;
            writer
                .write_all(bytes)
                .map_err(|_| Error::new(ErrorKind::Edit, "the document cannot be packed again"))?;
        }
        writer.set_raw_comment(self.zip.comment().into()).map_err(failed)?;
        Ok(writer.finish().map_err(failed)?.into_inner())
    }
}
