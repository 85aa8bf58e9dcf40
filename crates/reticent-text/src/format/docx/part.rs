//! One XML part: its paragraphs, and its attributes that may hold words.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};

use super::inert;
use super::names::{self, Role};
use crate::escape::neutral_year;
use crate::format::address;
use crate::format::builder::{Aside, Block};
use crate::{Error, ErrorKind, Escape, RegionKind};

/// What a part says.
pub(super) struct Scan<'a> {
    part: usize,
    role: Role,
    xml: &'a str,
    /// Where the XML starts in the part, after its byte order mark.
    start: usize,
    /// What is read as prose, in order.
    pub(super) main: Vec<Aside>,
    /// What is carried along.
    pub(super) asides: Vec<Aside>,
    /// The elements that are open, without prefixes.
    elements: Vec<&'a str>,
    /// Paragraphs, deletions and other stretches that are open: a text box holds paragraphs within
    /// a paragraph.
    open: Vec<Open<'a>>,
    /// A field code, which may be split over runs.
    field: Block,
}

struct Open<'a> {
    element: &'a str,
    depth: usize,
    block: Block,
}

pub(super) fn malformed() -> Error {
    Error::new(ErrorKind::Malformed, "a part of the document is not well-formed XML").with_hint(SAVE_AGAIN)
}

const SAVE_AGAIN: &str = "open it in a word processor and save it again as .docx";

pub(super) fn too_deep() -> Error {
    Error::new(ErrorKind::Limit, "a part of the document is nested too deeply")
        .with_hint("raise `limits.max_depth` in the policy if you trust the file")
}

/// The XML of a part and where it starts, after its byte order mark.
pub(super) fn xml(bytes: &[u8]) -> Result<(usize, &str), Error> {
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let xml = std::str::from_utf8(&bytes[start..]).map_err(|_| {
        Error::new(ErrorKind::Encoding, "a part of the document is not UTF-8").with_hint(SAVE_AGAIN)
    })?;
    Ok((start, xml))
}

impl<'a> Scan<'a> {
    pub(super) fn read(part: usize, role: Role, bytes: &'a [u8], max_depth: usize) -> Result<Self, Error> {
        let (start, xml) = xml(bytes)?;
        let mut scan = Self {
            part,
            role,
            xml,
            start,
            main: Vec::new(),
            asides: Vec::new(),
            elements: Vec::new(),
            open: Vec::new(),
            field: Block::default(),
        };
        let mut reader = Reader::from_str(xml);
        let mut before = 0;
        loop {
            let event = reader.read_event().map_err(|_| malformed())?;
            let after = usize::try_from(reader.buffer_position()).map_err(|_| malformed())?;
            let range = before..after;
            before = after;
            if let Event::Eof = event {
                break;
            }
            scan.event(event, range)?;
            if scan.elements.len() > max_depth {
                return Err(too_deep());
            }
        }
        if !scan.elements.is_empty() {
            return Err(malformed());
        }
        scan.flush_field();
        Ok(scan)
    }

    fn event(&mut self, event: Event<'a>, range: Range<usize>) -> Result<(), Error> {
        match event {
            Event::Start(tag) => {
                self.attributes(&tag)?;
                let name = self.local_name(range.start + 1, tag.name().into_inner());
                self.begin(name);
            }
            Event::Empty(tag) => {
                self.attributes(&tag)?;
                let name = self.local_name(range.start + 1, tag.name().into_inner());
                self.empty(name, &tag, range);
            }
            Event::End(_) => self.end()?,
            Event::Text(_) => {
                let xml = self.xml;
                self.text(range.clone(), &xml[range], false, Escape::Markup);
            }
            Event::GeneralRef(_) => {
                let xml = self.xml;
                let decoded = reference(&xml[range.clone()])?;
                self.text(range, decoded.encode_utf8(&mut [0; 4]), true, Escape::Markup);
            }
            Event::CData(_) => {
                let inside = range.start + "<![CDATA[".len()..range.end - "]]>".len();
                let xml = self.xml;
                self.text(inside.clone(), &xml[inside], false, Escape::CData);
            }
            Event::Comment(_) => self.verbatim(range.start + 4..range.end - 3, RegionKind::Note, "comment"),
            Event::PI(_) => self.verbatim(range.start + 2..range.end - 2, RegionKind::Code, "instruction"),
            Event::Decl(declaration) => {
                check_declaration(&self.xml[range])?;
                let encoding = declaration.encoding().transpose().map_err(|_| malformed())?;
                if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case("utf-8")) {
                    return Err(Error::new(
                        ErrorKind::Encoding,
                        "a part of the document is not declared as UTF-8",
                    )
                    .with_hint(SAVE_AGAIN));
                }
            }
            Event::DocType(_) => {
                return Err(Error::new(
                    ErrorKind::Malformed,
                    "a part of the document declares custom entities",
                )
                .with_hint(SAVE_AGAIN));
            }
            Event::Eof => {}
        }
        Ok(())
    }

    /// The name at this place without its prefix, as a slice of the part.
    fn local_name(&self, at: usize, name: &str) -> &'a str {
        let name = &self.xml[at..at + name.len()];
        name.rsplit(':').next().unwrap_or(name)
    }

    fn parent(&self, up: usize) -> &'a str {
        self.elements.len().checked_sub(up).and_then(|at| self.elements.get(at)).copied().unwrap_or("")
    }

    fn begin(&mut self, name: &'a str) {
        let deletion = matches!(name, "del" | "moveFrom") && self.parent(1) != "rPr";
        // What stands beside the text or for it must not come between its letters.
        let beside = matches!(name, "rt" | "Fallback");
        self.elements.push(name);
        if name == "p" || deletion || beside {
            self.open.push(Open { element: name, depth: self.elements.len(), block: Block::default() });
        }
    }

    fn empty(&mut self, name: &'a str, tag: &BytesStart<'_>, range: Range<usize>) {
        if name == "fldChar" {
            self.flush_field();
            return;
        }
        if self.parent(1) != "r" && !(name == "br" && self.parent(1) == "p") {
            return;
        }
        let mut symbol = [0; 4];
        let text = match name {
            "tab" | "ptab" => "\t",
            "br" | "cr" => "\n",
            "noBreakHyphen" => "-",
            "sym" => &*symbol_of(tag).encode_utf8(&mut symbol),
            _ => return,
        };
        let source = self.start + range.start..self.start + range.end;
        let part = self.part;
        if let Some(open) = self.open.last_mut() {
            open.block.push_atomic(part, source, text, Escape::Erase);
        }
    }

    fn end(&mut self) -> Result<(), Error> {
        let depth = self.elements.len();
        let name = self.elements.pop().ok_or_else(malformed)?;
        if name == "fldChar" {
            self.flush_field();
        }
        if self.open.last().is_some_and(|open| open.depth == depth)
            && let Some(open) = self.open.pop()
        {
            if open.element == "p" {
                self.flush_field();
                let (kind, name) = match self.role {
                    Role::Note(name) => (RegionKind::Note, name),
                    _ => (RegionKind::Body, ""),
                };
                self.main.push(Aside { block: open.block, kind, name: name.to_owned() });
            } else {
                let (kind, name) = match open.element {
                    "rt" => (RegionKind::Body, "ruby"),
                    "Fallback" => (RegionKind::Body, "alternative"),
                    _ => (RegionKind::Note, "deleted"),
                };
                self.asides.push(Aside { block: open.block, kind, name: name.to_owned() });
            }
        }
        Ok(())
    }

    /// A field or its paragraph begins or ends here: its code is whole.
    fn flush_field(&mut self) {
        let mut block = std::mem::take(&mut self.field);
        block.skip(names::instruction(block.text()));
        if !block.is_blank() {
            self.asides.push(Aside { block, kind: RegionKind::Attribute, name: "field".to_owned() });
        }
    }

    fn text(&mut self, range: Range<usize>, text: &str, atomic: bool, escape: Escape) {
        let element = self.parent(1);
        let source = self.start + range.start..self.start + range.end;
        let prose = matches!(element, "t" | "delText");
        if prose && let Some(open) = self.open.last_mut() {
            push(&mut open.block, self.part, source, text, atomic, escape);
            return;
        }
        if matches!(element, "instrText" | "delInstrText") {
            push(&mut self.field, self.part, source, text, atomic, escape);
            return;
        }
        if names::is_program(self.role, element, text) {
            return;
        }
        let (kind, name, typed) = names::text(self.role, element, self.parent(2), self.parent(3));
        let escape = if typed == Escape::Markup { escape } else { typed };
        // A text with an entity comes in three events: it is one block.
        if let Some(last) = self.main.last_mut()
            && last.name == name
            && last.block.sources().last().is_some_and(|last| last.end == source.start)
        {
            push(&mut last.block, self.part, source, text, atomic, escape);
            return;
        }
        let mut block = Block::default();
        push(&mut block, self.part, source, text, atomic, escape);
        if block.text().chars().any(char::is_alphanumeric) || atomic {
            self.main.push(Aside { block, kind, name });
        }
    }

    fn verbatim(&mut self, range: Range<usize>, kind: RegionKind, name: &str) {
        let mut block = Block::default();
        block.push(self.part, self.start + range.start, &self.xml[range], Escape::Comment);
        if block.text().chars().any(char::is_alphanumeric) {
            self.asides.push(Aside { block, kind, name: name.to_owned() });
        }
    }

    fn attributes(&mut self, tag: &BytesStart<'_>) -> Result<(), Error> {
        let element = tag.local_name();
        let element = element.into_inner();
        // Sanitizing gives the parts of a package standard names: only targets outside it are text.
        let external = self.role != Role::Relations
            || attributes_of(tag).flatten().any(|attribute| {
                attribute.key.local_name().into_inner() == "TargetMode" && attribute.value == "External"
            });
        let parent = self.parent(1);
        for attribute in attributes_of(tag) {
            let attribute = attribute.map_err(|_| malformed())?;
            let (key, value) = (attribute.key, attribute.value.as_ref());
            if !external || !value.contains(char::is_alphanumeric) {
                continue;
            }
            let local = key.local_name().into_inner();
            let found = if key.as_namespace_binding().is_some() {
                let named = (RegionKind::Code, "namespace".to_owned(), Escape::Attribute);
                (!inert::is_namespace(value)).then_some(named)
            } else {
                names::attribute(self.role, (parent, element), local, value)
            };
            let Some((kind, name, escape)) = found else {
                continue;
            };
            // The value is a slice of the part: its address tells where.
            let at = value.as_ptr().addr().wrapping_sub(self.xml.as_ptr().addr());
            if self.xml.get(at..at + value.len()) != Some(value) {
                return Err(malformed());
            }
            let mut block = Block::default();
            self.value(&mut block, at, value, escape)?;
            if (element, local) == ("fldSimple", "instr") {
                block.skip(names::instruction(block.text()));
            }
            self.asides.push(Aside { block, kind, name });
        }
        Ok(())
    }

    fn value(&self, block: &mut Block, at: usize, value: &str, escape: Escape) -> Result<(), Error> {
        let mut from = 0;
        while let Some(found) = memchr::memchr(b'&', &value.as_bytes()[from..]) {
            let open = from + found;
            let close = value[open..].find(';').map(|end| open + end + 1).ok_or_else(malformed)?;
            self.plain_value(block, at + from, &value[from..open], value, escape);
            let decoded = reference(&value[open..close])?;
            let source = self.start + at + open..self.start + at + close;
            block.push_atomic(self.part, source, decoded.encode_utf8(&mut [0; 4]), escape);
            from = close;
        }
        self.plain_value(block, at + from, &value[from..], value, escape);
        Ok(())
    }

    fn plain_value(&self, block: &mut Block, at: usize, plain: &str, whole: &str, escape: Escape) {
        let source = self.start + at..self.start + at + plain.len();
        match escape {
            Escape::Uri => address::push(block, self.part, source.start, plain, whole, escape),
            _ => push(block, self.part, source, plain, false, escape),
        }
    }
}

/// The attributes of a tag. Doubled ones are read both: to look for them takes quadratic time.
pub(super) fn attributes_of<'t>(tag: &'t BytesStart<'_>) -> Attributes<'t> {
    let mut attributes = tag.attributes();
    attributes.with_checks(false);
    attributes
}

fn push(block: &mut Block, part: usize, source: Range<usize>, text: &str, atomic: bool, escape: Escape) {
    if atomic || escape.is_whole() {
        let text = if escape == Escape::DateTime { neutral_year(text).unwrap_or(text) } else { text };
        block.push_atomic(part, source, text, escape);
    } else {
        block.push(part, source.start, text, escape);
    }
}

/// The character that a `sym` element shows. Symbol fonts keep their letters in a private area.
fn symbol_of(tag: &BytesStart<'_>) -> char {
    let code =
        attributes_of(tag).flatten().find(|attribute| attribute.key.local_name().into_inner() == "char");
    let code = code.and_then(|code| u32::from_str_radix(&code.value, 16).ok()).unwrap_or(0xfffc);
    let code = if (0xf020..=0xf0ff).contains(&code) { code - 0xf000 } else { code };
    char::from_u32(code).filter(|c| !c.is_control()).unwrap_or('\u{fffc}')
}

/// A value with its entities resolved.
pub(super) fn unescaped(value: &str) -> Result<String, Error> {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(open) = rest.find('&') {
        let close = rest[open..].find(';').map(|end| open + end + 1).ok_or_else(malformed)?;
        out.push_str(&rest[..open]);
        out.push(reference(&rest[open..close])?);
        rest = &rest[close..];
    }
    out.push_str(rest);
    Ok(out)
}

/// The character of `&amp;` or `&#233;`.
fn reference(entity: &str) -> Result<char, Error> {
    let name = entity.strip_prefix('&').and_then(|rest| rest.strip_suffix(';')).ok_or_else(malformed)?;
    let number = name.strip_prefix('#').map(|digits| match digits.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    });
    match (name, number) {
        (_, Some(number)) => number.ok().and_then(char::from_u32).ok_or_else(malformed),
        ("amp", _) => Ok('&'),
        ("lt", _) => Ok('<'),
        ("gt", _) => Ok('>'),
        ("quot", _) => Ok('"'),
        ("apos", _) => Ok('\''),
        _ => Err(malformed()),
    }
}

/// Refuses an XML declaration with anything but a version, an encoding and `standalone`: it is kept as it stands.
pub(super) fn check_declaration(declaration: &str) -> Result<(), Error> {
    let inside =
        declaration.strip_prefix("<?xml").and_then(|rest| rest.strip_suffix("?>")).ok_or_else(malformed)?;
    let known = |attribute: &str| {
        let attribute = attribute.replace('\'', "\"").to_ascii_lowercase();
        matches!(
            attribute.as_str(),
            "version=\"1.0\""
                | "version=\"1.1\""
                | "encoding=\"utf-8\""
                | "standalone=\"yes\""
                | "standalone=\"no\""
        ) || attribute.starts_with("encoding=\"")
            && attribute.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"=\"._-".contains(&byte))
    };
    if inside.split_ascii_whitespace().all(known) { Ok(()) } else { Err(malformed()) }
}
