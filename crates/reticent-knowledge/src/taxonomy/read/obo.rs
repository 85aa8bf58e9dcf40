//! OBO: stanzas of tags and values. Of `[Term]` we read `id`, `name`, `def`, `synonym`, `is_a` and
//! `is_obsolete`; other stanzas and tags are left alone.
//!
//! Synonyms count if they are exact or narrow: what they name is what the concept is. Broad and related ones
//! would make a ladder untrue.

use std::io::BufRead;

use super::lines::Lines;
use crate::taxonomy::Draft;
use crate::{Error, ErrorKind};

#[derive(Default)]
struct Term {
    id: String,
    name: String,
    gloss: String,
    synonyms: Vec<String>,
    broader: Vec<String>,
    obsolete: bool,
    line: u64,
}

pub(super) fn read(input: impl BufRead, draft: &mut Draft) -> Result<(), Error> {
    let mut lines = Lines::new(input);
    let mut term: Option<Term> = None;
    loop {
        let line = lines.next()?.map(|line| line.trim().to_owned());
        let number = lines.number();
        let Some(line) = line else {
            return term.map_or(Ok(()), |term| add(&term, draft));
        };
        if line.starts_with('[') {
            if let Some(done) = term.take() {
                add(&done, draft)?;
            }
            if line == "[Term]" {
                term = Some(Term { line: number, ..Term::default() });
            }
            continue;
        }
        let Some(term) = &mut term else { continue };
        let Some((tag, value)) = line.split_once(':').filter(|_| !line.starts_with('!')) else {
            if line.is_empty() || line.starts_with('!') {
                continue;
            }
            return Err(
                Error::new(ErrorKind::Malformed, "a line is not of the form `tag: value`").at_line(number)
            );
        };
        let value = value.trim();
        let unquoted = || {
            quoted(value).ok_or_else(|| {
                Error::new(ErrorKind::Malformed, format!("the text of `{tag}` is not in quotes"))
                    .at_line(number)
            })
        };
        match tag {
            "id" => term.id = plain(value),
            "name" => term.name = plain(value),
            "def" => term.gloss = unquoted()?.0,
            "synonym" => {
                let (text, rest) = unquoted()?;
                if matches!(rest.split_whitespace().next(), Some("EXACT" | "NARROW")) {
                    term.synonyms.push(text);
                }
            }
            "is_a" => term.broader.push(plain(value)),
            "is_obsolete" => term.obsolete = plain(value) == "true",
            _ => {}
        }
    }
}

fn add(term: &Term, draft: &mut Draft) -> Result<(), Error> {
    if term.obsolete {
        return Ok(());
    }
    let line = term.line;
    if term.id.is_empty() {
        return Err(Error::new(ErrorKind::Malformed, "a term has no id").at_line(line));
    }
    let mut fill = || {
        let id = draft.concept(&term.id)?;
        draft.word(id, &term.name, 0)?;
        draft.gloss(id, &term.gloss);
        for synonym in &term.synonyms {
            draft.word(id, synonym, 0)?;
        }
        for broader in &term.broader {
            let broader = draft.mention(broader)?;
            draft.broader(id, broader)?;
        }
        Ok(())
    };
    fill().map_err(|error: Error| error.at_line(line))
}

/// A value without its comment and its modifiers, and without escapes.
fn plain(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().map(unescaped)),
            '!' if text.is_empty() || text.ends_with(' ') => break,
            '{' if text.ends_with(' ') => break,
            _ => text.push(c),
        }
    }
    text.trim().to_owned()
}

/// The text in quotes at the start of a value, and what follows it.
fn quoted(value: &str) -> Option<(String, &str)> {
    let value = value.strip_prefix('"')?;
    let mut text = String::with_capacity(value.len());
    let mut chars = value.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().map(|(_, c)| unescaped(c))),
            '"' => return Some((text, &value[at + 1..])),
            _ => text.push(c),
        }
    }
    None
}

fn unescaped(c: char) -> char {
    match c {
        'n' | 'W' | 't' => ' ',
        _ => c,
    }
}
