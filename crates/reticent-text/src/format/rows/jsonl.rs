//! A row of JSONL: where its members stand, and its strings as text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::json_walk::{Leaf, walk};
use super::{Fields, Hidden, Key, Row, SEPARATOR, Shape, missing, shifted};
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
    /// Where the name stands, without its quotes.
    key: Range<usize>,
    value: Range<usize>,
}

/// Reads a row. `raw` is the line, perhaps with blank lines before it.
pub(super) fn row(raw: Vec<u8>, fields: &Fields, line: u64) -> Result<Row, Error> {
    let text = std::str::from_utf8(&raw).map_err(|error| plain::not_utf_8(error.valid_up_to()))?;
    let object = Object::read(text)?;
    let mut builder = Builder::default();
    for field in &fields.text {
        let value = match object.value(field)? {
            Some(value) => value,
            None if fields.text_may_miss => continue,
            None => return Err(missing(field)),
        };
        match text.as_bytes()[value.start] {
            b'"' => {
                let block = read_string(text, value.start + 1..value.end - 1, field)?;
                builder.add_after(SEPARATOR, block, RegionKind::Body, field);
            }
            b'n' => {}
            // Among the others.
            _ if fields.text_may_miss => {}
            _ => {
                return Err(Error::new(ErrorKind::Malformed, format!("the field `{field}` is not a string")));
            }
        }
    }
    let mut keys = Vec::new();
    if fields.all {
        others(text, &object, fields, &mut builder, &mut keys)?;
    }
    let named = |field: &Option<String>, numbers| {
        field.as_deref().map(|field| object.name(text, field, numbers)).transpose().map(Option::flatten)
    };
    let (id, subject, person) =
        (named(&fields.id, true)?, named(&fields.subject, false)?, named(&fields.person, true)?);
    let hidden = fields.hidden().filter_map(|(field, names_subject)| {
        let members = object.members.iter().find(|member| member.name == field)?;
        Some(Hidden { value: members.value.clone(), names_subject })
    });
    let hidden = hidden.collect();
    let document = builder.finish(&id.unwrap_or_else(|| format!("line {line}"))).with_person(person);
    Ok(Row { document, line, subject, raw, hidden, keys, shape: Shape::Json(object) })
}

/// Adds all strings, numbers and names beside the main text.
fn others(
    text: &str,
    object: &Object,
    fields: &Fields,
    builder: &mut Builder,
    keys: &mut Vec<Key>,
) -> Result<(), Error> {
    let (mut path, mut objects) = (String::new(), 1);
    for member in &object.members {
        if fields.is_apart(&member.name) {
            continue;
        }
        let is_text = fields.text.contains(&member.name);
        if !is_text && !is_schema(&member.name) {
            let block = read_string(text, member.key.clone(), "{}")?;
            let region = builder.add_after(SEPARATOR, block, RegionKind::Field, "{}");
            keys.push(Key { region, object: 0 });
        }
        if is_text && text.as_bytes()[member.value.start] == b'"' {
            continue;
        }
        path.clear();
        path.push_str(&member.name);
        walk(text, member.value.clone(), &mut path, &mut objects, |path, leaf| {
            if fields.keeps(path) {
                return Ok(());
            }
            match leaf {
                Leaf::String(inside) if !inside.is_empty() => {
                    let block = read_string(text, inside, path)?;
                    builder.add_after(SEPARATOR, block, RegionKind::Field, path);
                }
                Leaf::Number(range) => {
                    let mut block = Block::default();
                    block.push_atomic(0, range.clone(), &text[range], Escape::JsonNumber);
                    builder.add_after(SEPARATOR, block, RegionKind::Field, path);
                }
                Leaf::Key(inside, object) if !is_schema(&text[inside.clone()]) => {
                    let name = format!("{path}{{}}");
                    let block = read_string(text, inside, &name)?;
                    let region = builder.add_after(SEPARATOR, block, RegionKind::Field, &name);
                    keys.push(Key { region, object });
                }
                Leaf::String(_) | Leaf::Key(..) => {}
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Whether a member's name is written as programs write them: `visit_date`, `patientName`, `icd10`. Other names may be
/// data, such as a person's.
fn is_schema(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            && digits <= 4
}

fn read_string(text: &str, inside: Range<usize>, field: &str) -> Result<Block, Error> {
    let mut block = Block::default();
    string(text, inside, 0, Escape::Json, &mut block).ok_or_else(|| half_pair(field))?;
    Ok(block)
}

/// Names the field only if its name cannot be text of the document.
fn half_pair(field: &str) -> Error {
    let field =
        if field.split('.').all(is_schema) { format!("the field `{field}`") } else { "a field".to_owned() };
    Error::new(ErrorKind::Encoding, format!("{field} has an unpaired surrogate"))
}

impl Object {
    fn read(text: &str) -> Result<Self, Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let members = deserializer.deserialize_map(Members { base: text.as_ptr().addr() });
        let members = members.and_then(|members| deserializer.end().map(|()| members));
        let members = members.map_err(|error| {
            // The message of the parser may quote the row: only the place is told.
            if error.to_string().starts_with("recursion limit") {
                Error::new(ErrorKind::Limit, "the row is nested deeper than 128 levels")
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
        let mut members = members;
        let (mut at, bytes) = (0, text.as_bytes());
        for member in &mut members {
            // Between two members stand only white space and signs: the next quote opens the name.
            let start = at + memchr::memchr(b'"', &bytes[at..]).map_or(0, |quote| quote + 1);
            let colon = text[..member.value.start].trim_ascii_end().len().saturating_sub(1);
            let end = text[..colon].trim_ascii_end().len().saturating_sub(1);
            member.key = start..end.max(start);
            at = member.value.end;
        }
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
                let block = read_string(text, value.start + 1..value.end - 1, field)?;
                Ok(Some(block.text().to_owned()).filter(|name| !name.is_empty()))
            }
            b'n' => Ok(None),
            b'-' | b'0'..=b'9' if numbers => Ok(Some(text[value].to_owned())),
            _ => Err(Error::new(ErrorKind::Malformed, format!("`{field}` is not a valid field name"))),
        }
    }

    /// The values of members that have one of these names.
    pub(super) fn values<'o>(
        &'o self,
        extra: &'o [(&str, String)],
    ) -> impl Iterator<Item = &'o Range<usize>> {
        let same = |member: &&Member| extra.iter().any(|(name, _)| member.name == *name);
        self.members.iter().filter(same).map(|member| &member.value)
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
            let value = start..start + raw.get().len();
            members.push(Member { name: name.into_owned(), key: 0..0, value });
        }
        Ok(members)
    }
}

#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);
