//! HTML: what a page shows, and what it carries without showing it.
//!
//! The body is read as it is seen: inline elements do not break words, block elements and `br`
//! begin a new region, runs of white space are one blank. Then follow, each a region of its own,
//! attribute values that may hold words, comments, scripts and style sheets.

pub(crate) mod entities;
mod json;
mod names;
pub(crate) mod opaque;
mod tokenizer;

use std::ops::Range;

use self::entities::Run;
use self::tokenizer::{Attribute, Content, Token, Tokenizer};
use super::builder::{Aside, Block, Builder, Removal};
use super::{address, plain};
use crate::{Document, Error, Escape, RegionKind};

/// Reads a page.
pub(crate) fn decode(id: &str, bytes: &[u8]) -> Result<Document, Error> {
    Ok(scan(bytes)?.finish(id))
}

/// Reads a page, and which of its content cannot be examined.
pub(crate) fn scan(bytes: &[u8]) -> Result<Builder, Error> {
    let (start, html) = plain::text(bytes)?;
    let mut page = Page::new(html, start);
    page.read();
    let mut builder = Builder::default();
    page.finish(&mut builder);
    Ok(builder)
}

/// A page, or a stretch of HTML in another format.
pub(crate) struct Page<'a> {
    html: &'a str,
    /// Where the HTML starts in the source.
    start: usize,
    open: Block,
    /// How many elements are open that keep their white space.
    preformatted: usize,
    body: Vec<Block>,
    asides: Vec<Aside>,
    removals: Vec<Removal>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(html: &'a str, start: usize) -> Self {
        Self {
            html,
            start,
            open: Block::default(),
            preformatted: 0,
            body: Vec::new(),
            asides: Vec::new(),
            removals: Vec::new(),
        }
    }

    pub(crate) fn read(&mut self) {
        let mut element = String::new();
        let mut kind_of_script = "script".to_owned();
        for token in Tokenizer::new(self.html) {
            match token {
                Token::Text { range, content: Content::Markup } => self.prose(range),
                Token::Text { range, content: Content::Entities } => {
                    let mut block = Block::default();
                    self.words(&mut block, range, Escape::Markup, false);
                    let kind = if element == "title" { RegionKind::Metadata } else { RegionKind::Body };
                    self.aside(block, kind, &element);
                }
                Token::Text { range, content } => {
                    let escape = match content {
                        Content::Script => Escape::Script,
                        Content::Style => Escape::Style,
                        _ => Escape::RawText,
                    };
                    let name = if content == Content::Script { kind_of_script.as_str() } else { &element };
                    if name == "json" && self.json(&range) {
                        continue;
                    }
                    let text = &self.html[range.clone()];
                    match content {
                        Content::Script => self.removable("script", range.clone()),
                        Content::Style if opaque::is_encoded(text) => {
                            self.removable("style sheet with encoded data", range.clone());
                        }
                        // Markup that browsers do not show may cut a name in two.
                        Content::Raw if name != "xmp" && name != "plaintext" && text.contains(['<', '&']) => {
                            self.removable("hidden markup", range.clone());
                        }
                        _ => {}
                    }
                    self.verbatim(range, escape, RegionKind::Code, name);
                }
                Token::Comment(range) if names::is_doctype(&self.html[range.clone()]) => {}
                Token::Comment(range) => {
                    let doctype = self.html[range.clone()]
                        .get(..7)
                        .is_some_and(|word| word.eq_ignore_ascii_case("doctype"));
                    let kind = if doctype { RegionKind::Code } else { RegionKind::Note };
                    let name = if doctype { "doctype" } else { "comment" };
                    if let Some(kind) = opaque::comment(&self.html[range.clone()]) {
                        let whole = opaque::whole_comment(self.html, &range);
                        self.removable(kind, whole);
                    }
                    self.verbatim(range, Escape::Comment, kind, name);
                }
                Token::Tag { name, end, attributes } => {
                    let tag = self.html[name.clone()].to_ascii_lowercase();
                    if !end && tag == "script" {
                        kind_of_script = self.script_kind(&attributes);
                    }
                    self.tag(&tag, &name, end, &attributes);
                    element = tag;
                }
            }
        }
        self.break_block();
    }

    pub(crate) fn finish(self, builder: &mut Builder) {
        for block in self.body {
            builder.add(block, RegionKind::Body, "");
        }
        for aside in self.asides {
            builder.add(aside.block, aside.kind, &aside.name);
        }
        builder.removable(self.removals);
    }

    /// Its blocks, for a format that holds HTML.
    pub(crate) fn into_blocks(self) -> (Vec<Block>, Vec<Aside>, Vec<Removal>) {
        (self.body, self.asides, self.removals)
    }

    fn tag(&mut self, tag: &str, name: &Range<usize>, end: bool, attributes: &[Attribute]) {
        if names::breaks(tag) {
            self.break_block();
        }
        if matches!(tag, "pre" | "listing") {
            self.preformatted = if end { self.preformatted.saturating_sub(1) } else { self.preformatted + 1 };
        }
        if !names::is_element(tag) {
            // Text such as `<Ana Smith>` reads as a tag, and browsers hide it.
            self.verbatim(name.clone(), Escape::Name, RegionKind::Attribute, "tag");
        }
        // What a `meta` is about, which names its content.
        let property = (tag == "meta").then(|| self.property(attributes));
        for attribute in attributes {
            self.attribute(attribute, property.as_deref());
        }
    }

    fn attribute(&mut self, attribute: &Attribute, property: Option<&str>) {
        let name = self.html[attribute.name.clone()].to_ascii_lowercase();
        let is_known = names::is_attribute(&name);
        if !is_known {
            self.verbatim(attribute.name.clone(), Escape::Name, RegionKind::Attribute, "attribute");
        }
        let Some((range, quoted)) = attribute.value.clone() else { return };
        let value = &self.html[range.clone()];
        if name == "type" && names::is_json(value) {
            // How the script is read must not change.
            return;
        }
        let escape = if quoted { Escape::Attribute } else { Escape::Unquoted };
        let mut block = Block::default();
        if names::is_address(&name) {
            self.address(&mut block, range.clone(), escape);
        } else {
            self.words(&mut block, range.clone(), escape, true);
        }
        if let Some(kind) = opaque::attribute(&name, block.text()) {
            // From the blank before the name to the closing quote.
            let from = self.html[..attribute.name.start].trim_ascii_end().len();
            let to = (range.end + usize::from(quoted)).min(self.html.len());
            self.removable(kind, from..to);
        }
        if let (Some(property), "content") = (property, name.as_str()) {
            self.aside(block, RegionKind::Metadata, property);
            return;
        }
        // Words for the style sheet are searched for whoever is to be protected, and are no prose.
        let kind = if names::is_style(&name) { RegionKind::Code } else { RegionKind::Attribute };
        let is_named = is_known && names::is_plain(&name) && !name.starts_with("data-");
        self.aside(block, kind, if is_named { &name } else { "attribute" });
    }

    /// Notes content that cannot be examined.
    fn removable(&mut self, kind: &'static str, range: Range<usize>) {
        if self.html[range.clone()].contains(char::is_alphanumeric) {
            let range = self.start + range.start..self.start + range.end;
            self.removals.push(Removal { kind, cut: (range, String::new()) });
        }
    }

    fn property(&self, attributes: &[Attribute]) -> String {
        let property = self.value_of(attributes, "name").or_else(|| self.value_of(attributes, "property"));
        let property = property.map(|property| property.trim().to_ascii_lowercase());
        property.filter(|property| names::is_plain(property)).unwrap_or_else(|| "content".to_owned())
    }

    fn value_of(&self, attributes: &[Attribute], name: &str) -> Option<&'a str> {
        let found = attributes
            .iter()
            .find(|attribute| self.html[attribute.name.clone()].eq_ignore_ascii_case(name))?;
        Some(&self.html[found.value.clone()?.0])
    }

    fn script_kind(&self, attributes: &[Attribute]) -> String {
        let kind = self.value_of(attributes, "type").unwrap_or_default();
        if names::is_json(kind) { "json" } else { "script" }.to_owned()
    }

    fn prose(&mut self, range: Range<usize>) {
        let mut open = std::mem::take(&mut self.open);
        if self.preformatted > 0 {
            self.words(&mut open, range, Escape::Markup, false);
        } else {
            let html = &self.html[range.clone()];
            for run in entities::runs(html, false) {
                match run {
                    Run::Plain(run) => self.collapsed(&mut open, range.start + run.start, &html[run]),
                    Run::Reference(run, text) => {
                        let source = self.start + range.start + run.start..self.start + range.start + run.end;
                        open.push_atomic(0, source, &text, Escape::Markup);
                    }
                }
            }
        }
        self.open = open;
    }

    /// Text in which each run of white space is one blank.
    fn collapsed(&self, block: &mut Block, at: usize, text: &str) {
        let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        let bytes = text.as_bytes();
        let mut from = 0;
        while from < bytes.len() {
            let is_blank = blank(bytes[from]);
            let len =
                bytes[from..].iter().position(|&byte| blank(byte) != is_blank).unwrap_or(bytes.len() - from);
            let (source, run) = (self.start + at + from, &text[from..from + len]);
            from += len;
            if !is_blank || (run == " " && !block.text().is_empty() && !block.text().ends_with(' ')) {
                block.push(0, source, run, Escape::Markup);
            } else if !block.text().is_empty() && !block.text().ends_with(' ') {
                block.push_atomic(0, source..source + len, " ", Escape::Markup);
            }
        }
    }

    fn words(&self, block: &mut Block, range: Range<usize>, escape: Escape, in_attribute: bool) {
        let html = &self.html[range.clone()];
        for run in entities::runs(html, in_attribute) {
            match run {
                Run::Plain(run) => block.push(0, self.start + range.start + run.start, &html[run], escape),
                Run::Reference(run, text) => {
                    let source = self.start + range.start + run.start..self.start + range.start + run.end;
                    block.push_atomic(0, source, &text, escape);
                }
            }
        }
    }

    fn address(&self, block: &mut Block, range: Range<usize>, escape: Escape) {
        let html = &self.html[range.clone()];
        for run in entities::runs(html, true) {
            match run {
                Run::Plain(run) => {
                    let at = self.start + range.start + run.start;
                    address::push(block, 0, at, &html[run], html, escape);
                }
                Run::Reference(run, text) => {
                    let source = self.start + range.start + run.start..self.start + range.start + run.end;
                    block.push_atomic(0, source, &text, escape);
                }
            }
        }
    }

    /// Reads JSON string by string; tells whether it is JSON.
    fn json(&mut self, range: &Range<usize>) -> bool {
        let Some(blocks) = json::blocks(&self.html[range.clone()], self.start + range.start) else {
            return false;
        };
        for (block, name) in blocks {
            self.aside(block, RegionKind::Code, name);
        }
        true
    }

    fn verbatim(&mut self, range: Range<usize>, escape: Escape, kind: RegionKind, name: &str) {
        let mut block = Block::default();
        block.push(0, self.start + range.start, &self.html[range], escape);
        self.aside(block, kind, name);
    }

    fn aside(&mut self, block: Block, kind: RegionKind, name: &str) {
        if block.text().chars().any(char::is_alphanumeric) {
            self.asides.push(Aside { block, kind, name: name.to_owned() });
        }
    }

    fn break_block(&mut self) {
        let mut block = std::mem::take(&mut self.open);
        block.trim_end();
        if !block.is_blank() {
            self.body.push(block);
        }
    }
}

#[cfg(test)]
mod tests;
