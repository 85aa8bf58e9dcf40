//! A row of JSONL: where its members stand, and its strings as text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Fields, Row, Shape, missing, shifted};
use crate::format::builder::{Block, Builder};
use crate::format::plain;
use crate::source::Cut;
use crate::{Error, ErrorKind, Escape, RegionKind};

/// The members of a row.
pub(super) struct Object {
    members: Vec<Member>,
    /// Where the closing brace stands.
    close: usize,
    /// Whether a blank follows colons and commas.
    spaced: bool,
}

struct Member {
    name: String,
    value: Range<usize>,
}

/// Reads a row. `raw` is the line, perhaps with blank lines before it.
pub(super) fn row(raw: Vec<u8>, fields: &Fields, line: u64) -> Result<Row, Error> {
    let text = std::str::from_utf8(&raw).map_err(|error| plain::not_utf_8(error.valid_up_to()))?;
    let object = Object::read(text)?;
    let mut builder = Builder::default();
    for field in &fields.text {
        let value = object.value(field)?.ok_or_else(|| missing(field))?;
        match text.as_bytes()[value.start] {
            b'"' => {
                let mut block = Block::default();
                string(text, value.start + 1..value.end - 1, 0, Escape::Json, &mut block)
                    .ok_or_else(|| half_pair(field))?;
                builder.add_after("\n\n", block, RegionKind::Body, field);
            }
            b'n' => {}
            _ => {
                return Err(Error::new(ErrorKind::Malformed, format!("the field `{field}` is not a string")));
            }
        }
    }
    let id = fields.id.as_deref().map(|field| object.name(text, field, true)).transpose()?.flatten();
    let subject =
        fields.subject.as_deref().map(|field| object.name(text, field, false)).transpose()?.flatten();
    let document = builder.finish(&id.unwrap_or_else(|| format!("line {line}")));
    Ok(Row { document, line, subject, raw, shape: Shape::Json(object) })
}

fn half_pair(field: &str) -> Error {
    Error::new(
        ErrorKind::Encoding,
        format!("the field `{field}` has half a surrogate pair, which is no text"),
    )
}

impl Object {
    fn read(text: &str) -> Result<Self, Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let members = deserializer.deserialize_map(Members { base: text.as_ptr().addr() });
        let members = members.and_then(|members| deserializer.end().map(|()| members));
        let members = members.map_err(|error| {
            // The message of the parser may quote the row: only the place is told.
            if error.to_string().starts_with("recursion limit") {
                Error::new(ErrorKind::Limit, "the row nests deeper than 128 levels")
            } else if error.is_data() {
                Error::new(ErrorKind::Malformed, "the row is not a JSON object")
            } else {
                Error::new(
                    ErrorKind::Malformed,
                    format!("the row is not valid JSON at column {}", error.column()),
                )
                .with_hint("JSONL has one JSON object on each line")
            }
        })?;
        let close = text.trim_ascii_end().len() - 1;
        let spaced = members.first().is_some_and(|first| text.as_bytes()[first.value.start - 1] == b' ');
        Ok(Self { members, close, spaced })
    }

    fn value(&self, name: &str) -> Result<Option<Range<usize>>, Error> {
        let mut found = self.members.iter().filter(|member| member.name == name);
        let value = found.next().map(|member| member.value.clone());
        if found.next().is_some() {
            return Err(Error::new(ErrorKind::Malformed, format!("the field `{name}` occurs twice")));
        }
        Ok(value)
    }

    /// A field that names something: a string, perhaps a number; null and none are the same.
    fn name(&self, text: &str, field: &str, numbers: bool) -> Result<Option<String>, Error> {
        let Some(value) = self.value(field)? else { return Ok(None) };
        match text.as_bytes()[value.start] {
            b'"' => {
                let mut block = Block::default();
                string(text, value.start + 1..value.end - 1, 0, Escape::Json, &mut block)
                    .ok_or_else(|| half_pair(field))?;
                Ok(Some(block.text().to_owned()).filter(|name| !name.is_empty()))
            }
            b'n' => Ok(None),
            b'-' | b'0'..=b'9' if numbers => Ok(Some(text[value].to_owned())),
            _ => Err(Error::new(ErrorKind::Malformed, format!("the field `{field}` is not a name"))),
        }
    }

    /// What adding members changes.
    pub(super) fn extra(&self, extra: &[(&str, String)]) -> Vec<Cut> {
        let mut cuts = Vec::new();
        let mut added = String::new();
        for (name, value) in extra {
            let before = cuts.len();
            let same = self.members.iter().filter(|member| member.name == *name);
            cuts.extend(same.map(|member| (member.value.clone(), value.clone())));
            if cuts.len() > before {
                continue;
            }
            let blank = if self.spaced { " " } else { "" };
            if !self.members.is_empty() || !added.is_empty() {
                added.push(',');
                added.push_str(blank);
            }
            let name = serde_json::Value::from(*name).to_string();
            added.push_str(&name);
            added.push(':');
            added.push_str(blank);
            added.push_str(value);
        }
        if !added.is_empty() {
            let at = self.members.last().map_or(self.close, |last| last.value.end);
            cuts.push((at..at, added));
        }
        cuts
    }
}

/// Adds the inside of a JSON string to a block, `text` being at `base` of the source; nothing if it
/// is no text.
pub(crate) fn string(
    text: &str,
    inside: Range<usize>,
    base: usize,
    how: Escape,
    block: &mut Block,
) -> Option<()> {
    let mut at = inside.start;
    while at < inside.end {
        let rest = &text.as_bytes()[at..inside.end];
        let plain = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
        block.push(0, base + at, &text[at..at + plain], how);
        at += plain;
        if at == inside.end {
            break;
        }
        let (c, len) = escape(&text.as_bytes()[at..inside.end])?;
        block.push_atomic(0, shifted(&(0..len), base + at), c.encode_utf8(&mut [0; 4]), how);
        at += len;
    }
    Some(())
}

/// The character of an escape and its length in bytes.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let c = match bytes.get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => {
            let high = unit(bytes, 0)?;
            if let Some(c) = char::from_u32(high) {
                return Some((c, 6));
            }
            let low = unit(bytes, 6)?;
            let pair = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
            return char::decode_utf16(pair).next()?.ok().map(|c| (c, 12));
        }
        &byte => char::from(byte),
    };
    Some((c, 2))
}

fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Reads an object without reading its values.
struct Members {
    /// Where the row lies in memory, so that a value tells its place.
    base: usize,
}

impl<'de> Visitor<'de> for Members {
    type Value = Vec<Member>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key::<Name<'de>>()? {
            let raw: &'de RawValue = map.next_value()?;
            let start = raw.get().as_ptr().addr() - self.base;
            members.push(Member { name: name.into_owned(), value: start..start + raw.get().len() });
        }
        Ok(members)
    }
}

#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);
