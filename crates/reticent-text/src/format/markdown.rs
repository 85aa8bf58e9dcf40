//! Markdown: prose without its markup, then everything else that has letters or digits.
//!
//! Inline markup vanishes (`**John** Smith` reads `John Smith`), each block is a region. What the
//! parser does not tell as text (targets and titles of links, definitions, numbers of lists, names
//! of code) is found as the gaps between what it does tell, so that nothing can be forgotten.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::builder::{Aside, Block, Builder, Removal};
use super::html::{Page, opaque};
use super::{address, plain};
use crate::escape::markdown_heavily;
use crate::source::{Around, Bearer, apply};
use crate::{Document, Edit, Error, ErrorKind, Escape, RegionKind};

/// Reads Markdown.
pub(crate) fn decode(id: &str, bytes: &[u8]) -> Result<Document, Error> {
    Ok(scan(bytes)?.finish(id))
}

/// Reads Markdown, and which of its content cannot be examined.
pub(crate) fn scan(bytes: &[u8]) -> Result<Builder, Error> {
    let (start, text) = plain::text(bytes)?;
    let mut reader = Reader::new(text, start);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let parser = Parser::new_ext(text, options);
    reader.links.extend(parser.reference_definitions().iter().map(|(_, definition)| definition.span.clone()));
    for (event, range) in parser.into_offset_iter() {
        reader.event(event, range);
    }
    Ok(reader.finish())
}

/// Writes Markdown, and makes sure that it still reads as meant: where the light escapes of a
/// replacement do not suffice, it is written in entities.
pub(crate) fn encode(document: &Document, bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Error> {
    let meant = seen_after(document, edits);
    let heavily = |escape: Escape, text: &str, around: Around<'_>| match escape {
        Escape::Markdown => Ok(markdown_heavily(text)),
        _ => escape.write(text, around),
    };
    let source = document.source();
    let mut attempts = Vec::new();
    for attempt in 0..4 {
        // Emphasis that loses its text shows its stars: another piece may bear the replacement.
        let bearer = if attempt % 2 == 0 { Bearer::FirstOfWeight } else { Bearer::First };
        let cuts = match attempt {
            0 | 1 => source.cuts(&[bytes], edits, bearer, Escape::write)?,
            _ => source.cuts(&[bytes], edits, bearer, heavily)?,
        };
        let out = apply(bytes, cuts.into_iter().flatten().collect())?;
        let seen = seen_after(&decode(document.id(), &out)?, &[]);
        if seen == meant {
            return Ok(out);
        }
        attempts.push((out, seen));
    }
    // A link whose label was replaced shows its brackets: no word is lost or told.
    let words = |seen: &str| seen.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    for (out, seen) in attempts {
        if words(&seen) == words(&meant) {
            return Ok(out);
        }
    }
    Err(Error::new(ErrorKind::Edit, "the edits would change the surrounding Markdown structure")
        .with_hint("use replacements without Markdown syntax"))
}

/// What a reader sees after the edits, but for white space.
fn seen_after(document: &Document, edits: &[Edit]) -> String {
    let mut seen = String::new();
    let mut edits = edits.iter().peekable();
    for region in document.regions().iter().filter(|region| region.kind == RegionKind::Body) {
        let mut at = region.span.start;
        while let Some(edit) = edits.next_if(|edit| edit.span.start < region.span.end) {
            if edit.span.end <= region.span.start {
                continue;
            }
            seen.push_str(&document.text()[at..edit.span.start.max(at)]);
            seen.push_str(&edit.replacement);
            at = edit.span.end;
        }
        seen.push_str(&document.text()[at.min(region.span.end)..region.span.end]);
    }
    seen.retain(|c| !c.is_whitespace() && c != '\u{200b}');
    seen
}

/// Ranges in order, those that overlap made one.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

struct Reader<'a> {
    text: &'a str,
    start: usize,
    open: Block,
    body: Vec<Block>,
    asides: Vec<Aside>,
    removals: Vec<Removal>,
    /// What has been read of the source, in the order of reading.
    read: Vec<Range<usize>>,
    /// Where links, images and definitions stand.
    links: Vec<Range<usize>>,
    /// Where code blocks stand.
    code: Vec<Range<usize>>,
    /// HTML that has not been read yet: lines that follow each other are read together.
    html: Option<Range<usize>>,
    /// A line break within a paragraph, whose end is not known yet.
    soft_break: Option<Range<usize>>,
    within: Within,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Prose,
    CodeBlock,
    FrontMatter,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        Self {
            text,
            start,
            open: Block::default(),
            body: Vec::new(),
            asides: Vec::new(),
            removals: Vec::new(),
            read: Vec::new(),
            links: Vec::new(),
            code: Vec::new(),
            html: None,
            soft_break: None,
            within: Within::Prose,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if !matches!(event, Event::Html(_)) {
            self.flush_html();
        }
        if let Some(line_break) = self.soft_break.take() {
            self.line_break(line_break, range.start);
        }
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(end) => self.end(end),
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.words(&text, range);
            }
            Event::Code(text) => {
                // The code lies within its backticks.
                let Some(source) = self.text.get(range.clone()) else { return };
                let inside = source.trim_matches('`');
                let at = range.start + source.bytes().take_while(|&byte| byte == b'`').count();
                self.words_as(&text, at..at + inside.len(), Escape::MarkdownCode);
            }
            Event::Html(_) => match &mut self.html {
                Some(html) if html.end == range.start => html.end = range.end,
                _ => {
                    self.flush_html();
                    self.html = Some(range);
                }
            },
            Event::InlineHtml(_) => self.markup(range),
            Event::SoftBreak | Event::HardBreak => self.soft_break = Some(range),
            Event::FootnoteReference(_) | Event::Rule | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { .. } | Tag::Image { .. } => self.links.push(range),
            Tag::CodeBlock(_) => {
                self.break_block();
                self.code.push(range);
                self.within = Within::CodeBlock;
            }
            Tag::MetadataBlock(_) => {
                self.break_block();
                self.within = Within::FrontMatter;
            }
            _ => self.break_block(),
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => {}
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => {
                let block = std::mem::take(&mut self.open);
                let (kind, name) = if self.within == Within::CodeBlock {
                    (RegionKind::Code, "code")
                } else {
                    (RegionKind::Metadata, "front_matter")
                };
                self.aside(block, kind, name);
                self.within = Within::Prose;
            }
            _ => self.break_block(),
        }
    }

    fn words(&mut self, text: &str, range: Range<usize>) {
        let escape = match self.within {
            Within::Prose => Escape::Markdown,
            Within::CodeBlock => Escape::MarkdownCode,
            Within::FrontMatter => Escape::FrontMatter,
        };
        let before = range.start.wrapping_sub(1);
        let unread = self.read.last().is_none_or(|read| read.end <= before);
        if self.within == Within::Prose && self.text.as_bytes().get(before) == Some(&b'\\') && unread {
            // The backslash belongs to what it escapes: alone it would escape the replacement.
            if let Some(c) = text.chars().next().filter(char::is_ascii_punctuation) {
                let source = self.start + before..self.start + range.start + 1;
                self.open.push_atomic(0, source, c.encode_utf8(&mut [0; 4]), escape);
                self.read.push(before..range.start + 1);
                self.words_as(&text[1..], range.start + 1..range.end, escape);
                return;
            }
        }
        self.words_as(text, range, escape);
    }

    /// Text and the source it comes from. They are the same but for entities, and for the marks at
    /// the beginning of lines, which the text has not. What cannot be aligned is left to the gaps.
    fn words_as(&mut self, text: &str, range: Range<usize>, escape: Escape) {
        let Some(source) = self.text.get(range.clone()) else { return };
        let at = self.start + range.start;
        if source == text {
            self.open.push(0, at, text, escape);
            self.read.push(range);
            return;
        }
        let (mut from, mut rest) = (0, text);
        while !rest.is_empty() && from < source.len() {
            let tail = &source[from..];
            let same: usize =
                tail.chars().zip(rest.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
            self.open.push(0, at + from, &rest[..same], escape);
            self.read.push(range.start + from..range.start + from + same);
            from += same;
            rest = &rest[same..];
            let tail = &source[from..];
            let marks = tail.len() - tail.trim_start_matches([' ', '\t', '\r', '\n', '>']).len();
            let escaped =
                tail.strip_prefix('\\').zip(rest.chars().next()).filter(|(tail, c)| tail.starts_with(*c));
            if let Some((_, c)) = escaped {
                // `\|` in the code of a table cell.
                let len = 1 + c.len_utf8();
                self.open.push_atomic(0, at + from..at + from + len, &rest[..c.len_utf8()], escape);
                self.read.push(range.start + from..range.start + from + len);
                from += len;
                rest = &rest[c.len_utf8()..];
                continue;
            }
            match rest.strip_prefix([' ', '\n']) {
                Some(after) if marks > 0 => {
                    self.open.push_atomic(0, at + from..at + from + marks, &rest[..1], escape);
                    rest = after;
                }
                _ if marks > 0 => {}
                _ if from == 0 || same == 0 => {
                    // An entity, or something else that stands for the whole of the rest.
                    if !rest.is_empty() {
                        self.open.push_atomic(0, at + from..at + source.len(), rest, escape);
                        self.read.push(range.start + from..range.end);
                    }
                    return;
                }
                _ => {}
            }
            from += marks;
        }
    }

    /// A line break, together with the marks that the next line begins with.
    fn line_break(&mut self, line_break: Range<usize>, next: usize) {
        let between = self.text.get(line_break.end..next);
        let marks =
            between.is_some_and(|between| between.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>')));
        let end = if marks { next } else { line_break.end };
        self.open.push_atomic(0, self.start + line_break.start..self.start + end, " ", Escape::Markdown);
    }

    fn flush_html(&mut self) {
        if let Some(range) = self.html.take() {
            self.break_block();
            self.markup(range);
        }
    }

    fn markup(&mut self, range: Range<usize>) {
        let mut page = Page::new(&self.text[range.clone()], self.start + range.start);
        page.read();
        let (body, asides, removals) = page.into_blocks();
        let blocks = body.iter().chain(asides.iter().map(|aside| &aside.block));
        self.read.extend(blocks.flat_map(Block::sources).map(|r| r.start - self.start..r.end - self.start));
        self.body.extend(body);
        self.asides.extend(asides);
        self.removals.extend(removals);
    }

    fn break_block(&mut self) {
        self.soft_break = None;
        let mut block = std::mem::take(&mut self.open);
        block.trim_end();
        if !block.is_blank() {
            self.body.push(block);
        }
    }

    fn aside(&mut self, block: Block, kind: RegionKind, name: &str) {
        self.asides.push(Aside { block, kind, name: name.to_owned() });
    }

    /// Whatever has not been read and has letters or digits.
    fn gaps(&mut self) {
        let mut read = std::mem::take(&mut self.read);
        read.sort_by_key(|range| (range.start, range.end));
        self.links = joined(std::mem::take(&mut self.links));
        self.code = joined(std::mem::take(&mut self.code));
        let mut done = 0;
        read.push(self.text.len()..self.text.len());
        for range in read {
            if range.start > done {
                // A definition may touch the line before it.
                let mut from = done;
                for line in self.text[done..range.start].split_inclusive('\n') {
                    self.gap(from..from + line.len());
                    from += line.len();
                }
            }
            done = done.max(range.end);
        }
    }

    fn gap(&mut self, range: Range<usize>) {
        let gap = &self.text[range.clone()];
        let Some(first) = gap.find(char::is_alphanumeric) else { return };
        let last = gap.rfind(char::is_alphanumeric).unwrap_or(first);
        let last = last + gap[last..].chars().next().map_or(0, char::len_utf8);
        let (range, gap) = (range.start + first..range.start + last, &gap[first..last]);
        let inside = |ranges: &[Range<usize>]| {
            let after = ranges.partition_point(|r| r.start < range.end);
            ranges[..after].last().is_some_and(|r| range.start < r.end)
        };
        let mut block = Block::default();
        let at = self.start + range.start;
        if inside(&self.code) {
            block.push(0, at, gap, Escape::LinkTarget);
            self.aside(block, RegionKind::Code, "code");
        } else if inside(&self.links) {
            // A title begins with a quote or a bracket after a blank.
            let quotes = gap.match_indices(['"', '\'', '(']).map(|(at, _)| at);
            let target =
                quotes.into_iter().find(|&at| gap[..at].ends_with(char::is_whitespace)).unwrap_or(gap.len());
            if opaque::has_data(&gap[..target]) {
                self.removals.push(Removal { kind: "data: address", cut: (at..at + target, String::new()) });
            }
            address::push(&mut block, 0, at, &gap[..target], &gap[..target], Escape::LinkTarget);
            block.push(0, at + target, &gap[target..], Escape::MarkdownTitle);
            self.aside(block, RegionKind::Attribute, "link");
        } else {
            block.push(0, at, gap, Escape::MarkdownTitle);
            self.aside(block, RegionKind::Code, "markup");
        }
    }

    fn finish(mut self) -> Builder {
        self.flush_html();
        self.break_block();
        self.gaps();
        let mut builder = Builder::default();
        for block in self.body {
            builder.add(block, RegionKind::Body, "");
        }
        for aside in self.asides {
            builder.add(aside.block, aside.kind, &aside.name);
        }
        builder.removable(self.removals);
        builder
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
