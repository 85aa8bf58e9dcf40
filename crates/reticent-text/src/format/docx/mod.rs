//! Word documents (DOCX), edited in place: an archive of XML parts, of which only text changes.
//!
//! Read are the body with its tables and text boxes, then headers, footers, notes and comments,
//! then everything that a reader does not see at once: tracked deletions, field codes, addresses of
//! links, alternative text, who wrote and changed what, and the properties of the file. Attribute
//! values are examined too, unless [`inert`] knows them to carry no text. Parts that cannot be
//! examined (pictures, embedded files, custom data) are removed by [`sanitize`], or else named by
//! [`Document::unscanned`].

mod archive;
mod clean;
mod inert;
mod names;
mod package;
mod part;
mod sanitize;

pub(crate) use self::sanitize::{repacked, sanitize};

use self::archive::Archive;
use self::names::Role;
use self::package::{Fate, Package};
use self::part::Scan;
use super::Limits;
use super::builder::Builder;
use crate::{Document, Edit, Error, ErrorKind};

/// Opens a Word document within the limits.
fn open<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Archive<'a>, Error> {
    let archive = Archive::open(bytes)?;
    archive.check_size(limits)?;
    if !archive.names().iter().any(|name| name.starts_with("word/")) {
        return Err(Error::new(
            ErrorKind::Malformed,
            "not a Word document: the archive has no `word` folder",
        )
        .with_hint("check the extension of the file"));
    }
    Ok(archive)
}

/// Reads a Word document.
pub(crate) fn decode(id: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Error> {
    let mut archive = open(bytes, limits)?;
    let names = archive.names().to_vec();
    let mut spent = 0;
    let package = Package::read(&mut archive, limits, &mut spent)?;
    let mut builder = Builder::default();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&index| (Role::of(&names[index]).rank(), index));
    let mut asides = Vec::new();
    for index in order {
        let name = &names[index];
        if name.ends_with('/') {
            continue;
        }
        let role = Role::of(name);
        match package.fates[index] {
            Fate::Opaque(kind) => builder.unscanned(unscanned(kind, name)),
            Fate::Part(kind) if !kind.is_standard_name(name) => builder.unscanned("name of a part"),
            _ => {}
        }
        if role == Role::Binary {
            if !matches!(package.fates[index], Fate::Opaque(_)) {
                builder.unscanned(unscanned("part of an unknown kind", name));
            }
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
    if !archive.is_tidy() {
        builder.unscanned("data of the archive outside its parts");
    }
    Ok(builder.finish(id))
}

/// A part in the list of what was not examined: with its name if the name identifies nobody.
fn unscanned(kind: &str, name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem {
        "word/media/image"
        | "docProps/thumbnail"
        | "word/vbaProject"
        | "word/fonts/font"
        | "customXml/item"
        | "customXml/itemProps" => format!("{kind} {name}"),
        _ => kind.to_owned(),
    }
}

/// Writes a Word document. The limits have been checked when it was read.
pub(crate) fn encode(document: &Document, bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Error> {
    let mut archive = Archive::open(bytes)?;
    let unlimited = Limits { max_expanded: u64::MAX, max_ratio: u64::MAX, ..Limits::default() };
    let names = archive.names().to_vec();
    let mut parts = Vec::with_capacity(names.len());
    for index in 0..names.len() {
        parts.push(archive.read(index, &unlimited, &mut 0)?);
    }
    let slices: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let spliced = document.source().splice(&slices, edits)?;
    archive::pack(names.iter().map(String::as_str).zip(spliced.iter().map(Vec::as_slice)))
}

#[cfg(test)]
mod tests;
