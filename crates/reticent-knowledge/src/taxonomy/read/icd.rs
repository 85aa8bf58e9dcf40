//! ICD-10, in the forms that it is given out in:
//! - `ClaML`: `Class` with a code, `SuperClass`, and a `Rubric` of the kind `preferred`;
//! - nested XML: `chapter`, `section`, `diag` or `item`, each with a `name` and a `desc` or `description`;
//! - a table of codes and titles, where A00.1 is below A00, and A00 below the range A00-A09.

use std::collections::BTreeSet;
use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::parents;
use crate::taxonomy::Draft;
use crate::{Error, ErrorKind};

/// Deeper than any classification nests.
const DEEPEST: usize = 64;

pub(super) fn read(mut input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let start = input.fill_buf()?;
    let start = start.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(start);
    if start.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<') {
        xml(input, draft)
    } else {
        table(input, draft)
    }
}

/// An entry whose end has not come yet.
#[derive(Default)]
struct Open {
    code: String,
    title: String,
    words: Vec<String>,
    broader: Vec<String>,
}

fn xml(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let mut lines = Counted { input, lines: 1 };
    let mut reader = Reader::from_reader(&mut lines);
    let mut buffer = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut preferred = false;
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        let event = match event {
            Ok(event) => event.into_owned(),
            Err(error) => {
                let error = Error::new(ErrorKind::Malformed, format!("not valid XML: {error}"));
                return Err(error.at_line(lines.lines));
            }
        };
        let line = reader.get_ref().lines;
        let malformed = |message: &str| Error::new(ErrorKind::Malformed, message).at_line(line);
        match event {
            Event::Eof => {
                return if open.is_empty() && path.is_empty() {
                    Ok(())
                } else {
                    Err(malformed("the file ends in the middle of an entry"))
                };
            }
            Event::Start(start) => {
                if path.len() >= DEEPEST {
                    let message = format!("elements are nested deeper than {DEEPEST} levels");
                    return Err(Error::new(ErrorKind::Limit, message).at_line(line));
                }
                let name = start.local_name().as_ref().to_owned();
                text.clear();
                match name.as_str() {
                    "Class" => open.push(Open { code: attribute(&start, "code"), ..Open::default() }),
                    "section" => open.push(Open { code: attribute(&start, "id"), ..Open::default() }),
                    "chapter" | "diag" | "item" => open.push(Open::default()),
                    "Rubric" => preferred = attribute(&start, "kind") == "preferred",
                    _ => {}
                }
                path.push(name);
            }
            Event::Empty(empty) => {
                if empty.local_name().as_ref() == "SuperClass"
                    && let Some(entry) = open.last_mut()
                {
                    entry.broader.push(attribute(&empty, "code"));
                }
            }
            Event::Text(part) => {
                text.push_str(&part);
            }
            Event::GeneralRef(name) => {
                text.push_str(quick_xml::escape::resolve_xml_entity(&name).unwrap_or(" "));
            }
            Event::CData(part) => {
                text.push_str(&part);
            }
            Event::End(_) => {
                let Some(name) = path.pop() else { continue };
                let parent = path.last().map(String::as_str).unwrap_or_default();
                let direct = matches!(parent, "chapter" | "section" | "diag" | "item");
                let entry = open.last_mut();
                match (name.as_str(), entry) {
                    ("name", Some(entry)) if direct && entry.code.is_empty() => {
                        text.trim().clone_into(&mut entry.code);
                    }
                    ("desc" | "description", Some(entry)) if direct => {
                        text.trim().clone_into(&mut entry.title);
                    }
                    ("note", Some(entry)) if parent == "inclusionTerm" => {
                        entry.words.push(text.trim().to_owned());
                    }
                    ("Label", Some(entry)) if preferred && entry.title.is_empty() => {
                        text.trim().clone_into(&mut entry.title);
                    }
                    ("Class" | "chapter" | "section" | "diag" | "item", Some(_)) => {
                        if let Some(done) = open.pop() {
                            let above = open.last().map(|above| above.code.as_str());
                            close(&done, above, draft).map_err(|error| error.at_line(line))?;
                        }
                    }
                    _ => {}
                }
                text.clear();
            }
            _ => {}
        }
    }
}

fn close(entry: &Open, above: Option<&str>, draft: &mut Draft) -> Result<(), Error> {
    if entry.code.is_empty() {
        return Err(Error::new(ErrorKind::Malformed, "an entry has no code"));
    }
    let id = draft.concept(&entry.code)?;
    if !entry.title.is_empty() {
        draft.label(id, &entry.title)?;
    }
    for word in &entry.words {
        draft.word(id, word, 0)?;
    }
    let above = above.into_iter().filter(|above| *above != entry.code);
    for broader in entry.broader.iter().map(String::as_str).chain(above).filter(|code| !code.is_empty()) {
        let broader = draft.mention(broader)?;
        draft.broader(id, broader)?;
    }
    Ok(())
}

fn attribute(start: &BytesStart<'_>, name: &str) -> String {
    let value = start.try_get_attribute(name).ok().flatten();
    value.map(|value| value.value.trim().to_owned()).unwrap_or_default()
}

/// Counts the lines that were read, so that errors can tell them.
struct Counted<R> {
    input: R,
    lines: u64,
}

impl<R: BufRead> std::io::Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let Ok(available) = self.input.fill_buf() {
            self.lines += available.iter().take(count).filter(|byte| **byte == b'\n').count() as u64;
        }
        self.input.consume(count);
    }
}

fn table(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let mut codes = BTreeSet::new();
    parents::rows(input, &mut |mut row| {
        // Without a heading the second column is the title.
        if row.label.is_empty() {
            row.label = row.parent.take().unwrap_or_default();
        }
        let id = parents::fill(&row, draft).map_err(|error| error.at_line(row.line))?;
        codes.insert(row.code.clone());
        if let Some(parent) = &row.parent {
            let parent = draft.mention(parent)?;
            draft.broader(id, parent)?;
        }
        Ok(())
    })?;
    let ranges: Vec<(&str, &str, &str)> = codes
        .iter()
        .filter_map(|code| {
            code.split_once(['-', '–']).map(|(from, to)| (code.as_str(), from.trim(), to.trim()))
        })
        .collect();
    for code in &codes {
        if let Some(parent) = by_prefix(code, &codes).or_else(|| by_range(code, &ranges)) {
            let (id, parent) = (draft.concept(code)?, draft.concept(&parent)?);
            draft.broader(id, parent)?;
        }
    }
    Ok(())
}

/// The longest shorter code of the table that a code begins with.
fn by_prefix(code: &str, codes: &BTreeSet<String>) -> Option<String> {
    if code.contains(['-', '–']) {
        return None;
    }
    let ends = code.char_indices().map(|(at, _)| at).filter(|at| *at >= 3).rev();
    for end in ends {
        let prefix = code[..end].trim_end_matches('.');
        if codes.contains(prefix) {
            return Some(prefix.to_owned());
        }
        // Tables without points have A000 below A00; with them, A00.01 is below A00.0.
    }
    None
}

/// The narrowest range that holds a code or a range, and is not it.
fn by_range(code: &str, ranges: &[(&str, &str, &str)]) -> Option<String> {
    let (from, to) = code.split_once(['-', '–']).map_or((code, code), |(from, to)| (from.trim(), to.trim()));
    let holds = |(known, low, high): &&(&str, &str, &str)| {
        *known != code && *low <= from && head(to, high.len()) <= *high && (*low, *high) != (from, to)
    };
    let narrowest = ranges.iter().filter(holds).max_by(|a, b| a.1.cmp(b.1).then(b.2.cmp(a.2)));
    narrowest.map(|(known, _, _)| (*known).to_owned())
}

fn head(code: &str, length: usize) -> &str {
    code.get(..length).unwrap_or(code)
}
