//! Removal of what cannot be examined from an XML part: elements that show an opaque part, data in
//! encoded form, foreign vocabularies; and new names for identifiers that a person may have chosen.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::inert;
use super::part::{attributes_of, malformed, unescaped, xml};
use crate::Error;
use crate::format::sanitize::outermost;
use crate::source::{Cut, apply};

/// The fate of a relationship, by its identifier.
pub(super) enum RelationFate {
    /// It stays as it is.
    Keep,
    /// It stays under a new identifier.
    Rename(String),
    /// It goes, with the element that shows its target.
    Remove,
}

/// New identifiers of styles, the same in all parts.
#[derive(Default)]
pub(super) struct Styles {
    renamed: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Styles {
    /// Notes an identifier that stays.
    fn keep(&mut self, id: &str) {
        self.taken.insert(id.to_owned());
    }

    fn new_id(&mut self, id: &str) -> String {
        if let Some(new) = self.renamed.get(id) {
            return new.clone();
        }
        let mut number = self.renamed.len() + 1;
        while self.taken.contains(&format!("Style{number}")) {
            number += 1;
        }
        let new = format!("Style{number}");
        self.taken.insert(new.clone());
        self.renamed.insert(id.to_owned(), new.clone());
        new
    }

    /// Reads which identifiers of a part stay, so that no new one equals them.
    pub(super) fn survey(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (_, text) = xml(bytes)?;
        let mut reader = Reader::from_str(text);
        loop {
            match reader.read_event().map_err(|_| malformed())? {
                Event::Eof => return Ok(()),
                Event::Start(tag) | Event::Empty(tag) => {
                    for attribute in attributes_of(&tag) {
                        let attribute = attribute.map_err(|_| malformed())?;
                        if attribute.value.starts_with("Style") {
                            self.keep(&attribute.value);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Elements that hold or lead to what cannot be examined, with or without a relationship.
const REMOVED: [&str; 12] = [
    "altChunk",
    "object",
    "control",
    "subDoc",
    "attachedTemplate",
    "mailMerge",
    "fldData",
    "binData",
    "binaryData",
    "dataBinding",
    "saveThroughXslt",
    "movie",
];

/// Attributes that hold data in encoded form.
const ENCODED: [&str; 6] = ["gfxdata", "hash", "salt", "hashValue", "saltValue", "equationxml"];

/// Elements that refer to a style by its identifier.
const STYLE_REFERENCES: [&str; 10] = [
    "pStyle",
    "rStyle",
    "tblStyle",
    "basedOn",
    "next",
    "link",
    "styleLink",
    "numStyleLink",
    "clickAndTypeStyle",
    "defaultTableStyle",
];

struct Open<'a> {
    prefix: &'a str,
    local: &'a str,
    start: usize,
    /// What replaces the whole element, if it goes.
    replaced: Option<String>,
}

struct Cleaner<'a, 's> {
    text: &'a str,
    start: usize,
    relations: &'s HashMap<String, RelationFate>,
    styles: &'s mut Styles,
    namespaces: HashMap<&'a str, Namespace>,
    open: Vec<Open<'a>>,
    cuts: Vec<Cut>,
    /// Bullets that are pictures, and where levels refer to them.
    removed_bullets: bool,
    bullet_references: Vec<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Known,
    Word,
    Relations,
    Foreign,
}

impl Namespace {
    fn of(uri: &str) -> Self {
        if !inert::is_namespace(uri) {
            return Self::Foreign;
        }
        match uri {
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
            | "http://purl.oclc.org/ooxml/wordprocessingml/main" => Self::Word,
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
            | "http://purl.oclc.org/ooxml/officeDocument/relationships" => Self::Relations,
            _ => Self::Known,
        }
    }
}

/// The part without what cannot be examined.
pub(super) fn clean(
    bytes: &[u8],
    relations: &HashMap<String, RelationFate>,
    styles: &mut Styles,
    max_depth: usize,
) -> Result<Vec<u8>, Error> {
    let (start, text) = xml(bytes)?;
    let mut cleaner = Cleaner {
        text,
        start,
        relations,
        styles,
        namespaces: HashMap::new(),
        open: Vec::new(),
        cuts: Vec::new(),
        removed_bullets: false,
        bullet_references: Vec::new(),
    };
    let mut reader = Reader::from_str(text);
    let mut before = 0;
    loop {
        let event = reader.read_event().map_err(|_| malformed())?;
        let after = usize::try_from(reader.buffer_position()).map_err(|_| malformed())?;
        let range = std::mem::replace(&mut before, after)..after;
        match event {
            Event::Eof => break,
            Event::Start(tag) => {
                cleaner.begin(&tag, range.clone())?;
                if cleaner.open.len() > max_depth {
                    return Err(super::part::too_deep());
                }
            }
            Event::Empty(tag) => {
                cleaner.begin(&tag, range.clone())?;
                cleaner.end(range.end)?;
            }
            Event::End(_) => cleaner.end(range.end)?,
            _ => {}
        }
    }
    if !cleaner.open.is_empty() {
        return Err(malformed());
    }
    if cleaner.removed_bullets {
        let references = std::mem::take(&mut cleaner.bullet_references);
        cleaner.cuts.extend(references.into_iter().map(|range| (range, String::new())));
    }
    apply(bytes, outermost(cleaner.cuts))
}

fn split(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

impl Cleaner<'_, '_> {
    fn cut(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.cuts.push((self.start + range.start..self.start + range.end, text.into()));
    }

    fn namespace(&self, prefix: &str) -> Namespace {
        match prefix {
            "xml" => Namespace::Known,
            // Without a declaration a prefix says nothing, and a default is the known one.
            "" => self.namespaces.get("").copied().unwrap_or(Namespace::Known),
            prefix => self.namespaces.get(prefix).copied().unwrap_or(Namespace::Foreign),
        }
    }

    fn begin(&mut self, tag: &BytesStart<'_>, range: Range<usize>) -> Result<(), Error> {
        let text = self.text;
        let name = text.get(range.start + 1..range.start + 1 + tag.name().into_inner().len());
        let (prefix, local) = split(name.ok_or_else(malformed)?);
        let mut attributes = Vec::new();
        for attribute in attributes_of(tag) {
            let attribute = attribute.map_err(|_| malformed())?;
            let (key, value) = (self.slice(attribute.key.into_inner())?, self.slice(&attribute.value)?);
            attributes.push((key.clone(), value.clone()));
            let (key, value) = (&text[key], &text[value]);
            let declared = key.strip_prefix("xmlns:").or_else(|| (key == "xmlns").then_some(""));
            if let Some(declared) = declared {
                let found = Namespace::of(&unescaped(value)?);
                // A prefix that is foreign anywhere is foreign everywhere: names are not scoped here.
                let known = self.namespaces.entry(declared).or_insert(found);
                if found == Namespace::Foreign || *known != found {
                    *known = Namespace::Foreign;
                }
            }
        }
        self.open.push(Open { prefix, local, start: range.start, replaced: None });
        if self.namespace(prefix) == Namespace::Foreign || (REMOVED.contains(&local) && self.open.len() > 1) {
            if self.open.len() == 1 {
                return Err(malformed());
            }
            self.remove(self.open.len() - 1);
        }
        if local == "lvlPicBulletId" {
            let shifted = self.start + range.start..self.start + range.end;
            self.bullet_references.push(shifted);
        }
        for (key, value) in attributes {
            self.attribute(prefix, local, key, value)?;
        }
        Ok(())
    }

    /// Where in the text a slice of it stands.
    fn slice(&self, part: &str) -> Result<Range<usize>, Error> {
        let at = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        match self.text.get(at..at.saturating_add(part.len())) {
            Some(found) if found == part => Ok(at..at + part.len()),
            _ => Err(malformed()),
        }
    }

    fn attribute(
        &mut self,
        element_prefix: &str,
        element: &str,
        key: Range<usize>,
        value: Range<usize>,
    ) -> Result<(), Error> {
        let text = self.text;
        let (name, written) = (&text[key.clone()], &text[value.clone()]);
        let (prefix, local) = split(name);
        if prefix == "xmlns" || name == "xmlns" {
            let bound = if prefix.is_empty() { "" } else { local };
            if self.namespace(bound) == Namespace::Foreign && !bound.is_empty() {
                self.cut_attribute(key, &value);
            }
            return Ok(());
        }
        let namespace = if prefix.is_empty() { Namespace::Known } else { self.namespace(prefix) };
        if namespace == Namespace::Foreign || ENCODED.contains(&local) {
            self.cut_attribute(key, &value);
            return Ok(());
        }
        if local == "Ignorable" || local == "ProcessContent" || local == "MustUnderstand" {
            let kept: Vec<&str> = written
                .split_ascii_whitespace()
                .filter(|word| self.namespace(word.split(':').next().unwrap_or(word)) != Namespace::Foreign)
                .collect();
            if kept.len() != written.split_ascii_whitespace().count() {
                self.cut(value, kept.join(" "));
            }
            return Ok(());
        }
        let is_reference = namespace == Namespace::Relations || (local == "relid" && prefix == "o");
        if is_reference && !written.is_empty() {
            match self.relations.get(&unescaped(written)?) {
                Some(RelationFate::Keep) => {}
                Some(RelationFate::Rename(new)) => self.cut(value, new.clone()),
                Some(RelationFate::Remove) | None => match element {
                    // The words of a link stay.
                    "hyperlink" => self.cut_attribute(key, &value),
                    "hlinkClick" | "hlinkHover" | "hlinkMouseOver" => self.cut(value, ""),
                    _ => self.remove_around(),
                },
            }
            return Ok(());
        }
        let in_word = self.namespace(element_prefix) == Namespace::Word;
        let is_style = in_word
            && ((element == "style" && local == "styleId")
                || (local == "val" && STYLE_REFERENCES.contains(&element)));
        if is_style && !inert::is_style_id(written) {
            let new = self.styles.new_id(&unescaped(written)?);
            self.cut(value, new);
        }
        Ok(())
    }

    /// Removes an attribute with the blank before it and its closing quote.
    fn cut_attribute(&mut self, key: Range<usize>, value: &Range<usize>) {
        let before = self.text[..key.start].trim_end().len();
        self.cut(before..value.end + 1, "");
    }

    /// Removes the element at this depth when it ends.
    fn remove(&mut self, at: usize) {
        let parent = at.checked_sub(1).map(|parent| &self.open[parent]);
        let in_run =
            parent.is_some_and(|parent| parent.local == "r" && parent.prefix == self.open[at].prefix);
        let is_deleted = self.open[..at].iter().any(|open| matches!(open.local, "del" | "moveFrom"));
        let element = &self.open[at];
        let what = match element.local {
            "drawing" | "pict" => "[picture removed]",
            "object" | "control" => "[object removed]",
            _ => "",
        };
        let colon = if element.prefix.is_empty() { "" } else { ":" };
        let replaced = match element.local {
            "blipFill" => format!("<{}{colon}noFill/>", element.prefix),
            _ if in_run && !what.is_empty() => {
                let name = if is_deleted { "delText" } else { "t" };
                let name = format!("{}{colon}{name}", element.prefix);
                format!("<{name}>{what}</{name}>")
            }
            _ => String::new(),
        };
        self.removed_bullets |= element.local == "numPicBullet";
        self.open[at].replaced = Some(replaced);
    }

    /// Removes the element that shows the target of a relationship: the nearest one that can go
    /// without making the part invalid.
    fn remove_around(&mut self) {
        let last = self.open.len() - 1;
        let nearest = |names: &[&str]| self.open.iter().rposition(|open| names.contains(&open.local));
        let shown = nearest(&["drawing", "pict", "object", "background"]);
        let at = match shown {
            Some(at) if at > 0 && self.open[at - 1].local == "numPicBullet" => at - 1,
            Some(at) => at,
            None => nearest(&["numPicBullet", "blipFill", "buBlip", "contentPart"]).unwrap_or(last),
        };
        if at > 0 {
            self.remove(at);
        }
    }

    fn end(&mut self, end: usize) -> Result<(), Error> {
        let open = self.open.pop().ok_or_else(malformed)?;
        if let Some(replaced) = open.replaced {
            self.cut(open.start..end, replaced);
        }
        Ok(())
    }
}
