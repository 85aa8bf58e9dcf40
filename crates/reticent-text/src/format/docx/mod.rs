//! Word documents (DOCX), edited in place: an archive of XML parts, of which only text changes.
//!
//! Read are the body with its tables and text boxes, then headers, footers, notes and comments,
//! then everything that a reader does not see at once: tracked deletions, field codes, addresses of
//! links, alternative text, who wrote and changed what, and the properties of the file. The
//! characters of every XML part are in some region; parts that are no XML (pictures, embedded
//! files) are named by [`Document::unscanned`].

mod archive;
mod names;
mod part;

use self::archive::Archive;
use self::names::Role;
use self::part::Scan;
use super::Limits;
use super::builder::Builder;
use crate::{Document, Edit, Error, ErrorKind};

/// Reads a Word document.
pub(crate) fn decode(id: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Error> {
    let mut archive = Archive::open(bytes)?;
    archive.check_size(limits)?;
    let names = archive.names().to_vec();
    if !names.iter().any(|name| name == "word/document.xml" || name.starts_with("word/")) {
        return Err(Error::new(
            ErrorKind::Malformed,
            "not a Word document: the archive has no `word` folder",
        )
        .with_hint("check the extension of the file"));
    }
    let mut builder = Builder::default();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&index| (Role::of(&names[index]).rank(), index));
    let (mut asides, mut spent) = (Vec::new(), 0);
    for index in order {
        let name = &names[index];
        if name.ends_with('/') {
            continue;
        }
        let role = Role::of(name);
        if role == Role::Binary {
            builder.unscanned(name);
            continue;
        }
        let part = archive.read(index, limits, &mut spent)?;
        let scan = Scan::read(index, role, &part, limits.max_depth)?;
        for main in scan.main {
            builder.add(main.block, main.kind, &main.name);
        }
        asides.extend(scan.asides);
    }
    for aside in asides {
        builder.add(aside.block, aside.kind, &aside.name);
    }
    if archive.has_comments() {
        builder.unscanned("comment of the archive");
    }
    Ok(builder.finish(id))
}

/// Writes a Word document. The limits have been checked when it was read.
pub(crate) fn encode(document: &Document, bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Error> {
    let mut archive = Archive::open(bytes)?;
    let count = archive.names().len();
    let mut touched = vec![false; count];
    for edit in edits {
        let pieces = document.source().pieces();
        let first = pieces.partition_point(|piece| piece.text.end <= edit.span.start);
        for piece in pieces[first..].iter().take_while(|piece| piece.text.start < edit.span.end) {
            *touched
                .get_mut(piece.part)
                .ok_or_else(|| Error::new(ErrorKind::Edit, "the document is another than was read"))? = true;
        }
    }
    let unlimited = Limits { max_expanded: u64::MAX, max_ratio: u64::MAX, ..Limits::default() };
    let mut parts = vec![Vec::new(); count];
    let mut spent = 0;
    for index in (0..count).filter(|&index| touched[index]) {
        parts[index] = archive.read(index, &unlimited, &mut spent)?;
    }
    let slices: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let spliced = document.source().splice(&slices, edits)?;
    let changed: Vec<Option<Vec<u8>>> =
        spliced.into_iter().zip(&parts).map(|(new, old)| (new != *old).then_some(new)).collect();
    archive.write(&changed)
}

#[cfg(test)]
mod tests;
