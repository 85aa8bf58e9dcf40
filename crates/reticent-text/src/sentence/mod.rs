//! Sentences, headings and list items.
//!
//! Our own splitter and not the crate `sentencex`, which is nearly as fast (66 MB/s on court cases,
//! ours about 100) but joins a heading to the line below it, ends a sentence after `D.` in `D. Pedro`,
//! and draws a command-line parser into a library.

mod abbreviation;
mod line;

pub(crate) use abbreviation::{Abbreviation, is_abbreviated};

use crate::grapheme::{is_cut, is_separator, trim};
use crate::{Annotator, Document, Error, Layer, Layers, Span};

/// Splits the regions of a document into sentences.
///
/// A sentence never crosses the border of a region, nor a blank line. A line break ends it where the
/// author broke the line on purpose (headings, fields of a form, list items), not where a paragraph
/// was wrapped.
#[derive(Clone, Copy, Debug, Default)]
pub struct SentenceSplitter;

impl Annotator for SentenceSplitter {
    fn name(&self) -> &'static str {
        "sentences"
    }

    fn requires(&self) -> &'static [Layer] {
        &[]
    }

    fn provides(&self) -> &'static [Layer] {
        &[Layer::Sentences]
    }

    fn annotate(&self, document: &Document, layers: &mut Layers) -> Result<(), Error> {
        layers.sentences.clear();
        for region in document.regions() {
            split(document.text(), region.span, &mut layers.sentences);
        }
        Ok(())
    }
}

/// Splits one region.
pub(crate) fn split(text: &str, region: Span, out: &mut Vec<Span>) {
    let small = is_small(&text[region.start..region.end]);
    let mut block: Vec<Span> = Vec::new();
    let mut start = region.start;
    while start <= region.end {
        let rest = &text.as_bytes()[start..region.end];
        let end = start + rest.iter().position(|b| matches!(b, b'\n'..=b'\r')).unwrap_or(rest.len());
        let (from, to) = trim(text, start, end);
        // The line feed of a carriage return is not a blank line.
        let half = end < region.end
            && text.as_bytes()[end] == b'\n'
            && end > region.start
            && text.as_bytes()[end - 1] == b'\r'
            && start == end;
        if from < to {
            block.push(Span::new(from, to));
        } else if !half {
            split_block(text, &block, small, out);
            block.clear();
        }
        start = end + 1;
    }
    split_block(text, &block, small, out);
}

/// Splits lines that follow each other without a blank one.
fn split_block(text: &str, lines: &[Span], small: bool, out: &mut Vec<Span>) {
    let Some(first) = lines.first() else { return };
    let widest = lines.iter().map(|line| line.len()).max().unwrap_or(0);
    let mut start = first.start;
    for (at, line) in lines.iter().enumerate() {
        let mut from = line.start;
        while let Some(mark) = next_mark(text, from, line.end) {
            let (end, stops) = judge(text, mark, *line, small);
            if stops {
                push(text, start, end, out);
                start = end;
            }
            from = end;
        }
        let last = lines.get(at + 1).is_none_or(|next| line::breaks(text, *line, *next, widest));
        if last {
            push(text, start, line.end, out);
            start = lines.get(at + 1).map_or(line.end, |next| next.start);
        }
    }
}

fn push(text: &str, start: usize, end: usize, out: &mut Vec<Span>) {
    let (start, end) = trim(text, start, end);
    if start < end {
        out.push(Span::new(start, end));
    }
}

/// The next sign that may end a sentence.
fn next_mark(text: &str, from: usize, end: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..end];
    let mut at = from;
    while at < end {
        match bytes[at] {
            b'.' | b'!' | b'?' => return Some(at),
            // …, 。, ！, ？ and ؟, ।
            0xe2 | 0xe3 | 0xef | 0xd8 | 0xe0 => {
                let c = text[at..].chars().next()?;
                if is_mark(c) {
                    return Some(at);
                }
                at += c.len_utf8();
            }
            _ => at += 1,
        }
    }
    None
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || is_full_stop(c)
}

/// Stops that no space follows.
fn is_full_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '؟' | '।')
}

pub(crate) fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»' | '」' | '』')
}

fn is_opener(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '{' | '“' | '‘' | '«' | '¿' | '¡' | '`')
}

/// Where the sign at `mark` with its closing quotes ends, and whether a sentence ends there.
fn judge(text: &str, mark: usize, line: Span, small: bool) -> (usize, bool) {
    let rest = &text[mark..line.end];
    let marks = rest.find(|c| !is_mark(c)).unwrap_or(rest.len());
    let closers = rest[marks..].find(|c| !is_closer(c)).unwrap_or(rest.len() - marks);
    let end = mark + marks + closers;
    let sign = &rest[..marks];
    let Some(next) = text[end..line.end].chars().next() else {
        // What ends a line is judged by the line.
        return (end, false);
    };
    if sign.ends_with(is_full_stop) {
        return (end, is_cut(text, end));
    }
    if !is_separator(text, end, next) {
        return (end, sign == "." && closers == 0 && is_run_together(text, mark, line));
    }
    let after = text[end..line.end].trim_start();
    let after = after.trim_start_matches(is_opener);
    let Some(first) = after.chars().next() else { return (end, false) };
    let before = word_before(text, mark, line.start);
    let stops = match sign {
        // A title with its year: `Horton Hears a Who! (2008)`.
        "!" | "?" if is_year_in_brackets(&text[end..line.end]) => false,
        "." if is_kind_letter(text, mark, before, line.start) => !first.is_lowercase(),
        "." => stops_after(before, first, after, small),
        _ => !first.is_lowercase() || (small && !sign.starts_with(['.', '…'])),
    };
    (end, stops)
}

/// Whether a sentence ends at the full stop between `before` and `after`, which begins with `first`.
fn stops_after(before: &str, first: char, after: &str, small: bool) -> bool {
    let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match Abbreviation::of(before) {
        Some(Abbreviation::Title | Abbreviation::ListNumber) => false,
        Some(Abbreviation::Numbered) => !first.is_numeric() && !first.is_lowercase(),
        Some(Abbreviation::Ordinary | Abbreviation::Initial) => abbreviation::is_starter(word),
        None => small || !first.is_lowercase(),
    }
}

/// Whether two sentences have lost the space between them: `since 2009.Widely regarded`. Not in addresses and names of
/// files, which have more signs.
fn is_run_together(text: &str, mark: usize, line: Span) -> bool {
    let before = word_before(text, mark, line.start);
    let after = &text[mark + 1..line.end];
    // No word is longer.
    let after = &after[..after.floor_char_boundary(48)];
    let after = after.split(char::is_whitespace).next().unwrap_or_default();
    let year = before.len() == 4 && before.bytes().all(|byte| byte.is_ascii_digit());
    let word = before.len() > 2 && before.chars().all(char::is_lowercase);
    // `Captain Fantastic.Aside from acting`: a name, and what no file or host is called.
    let name = before.len() > 2
        && before.starts_with(char::is_uppercase)
        && before.chars().skip(1).all(char::is_lowercase)
        && abbreviation::is_starter(after.trim_end_matches(','));
    let mut letters = after.chars();
    let capital =
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
    let plain = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | ',' | '-');
    (year || word || name) && capital && after.chars().all(plain) && Abbreviation::of(before).is_none()
}

fn is_year_in_brackets(after: &str) -> bool {
    let year = after.trim_start().strip_prefix('(').and_then(|after| after.get(..5));
    year.is_some_and(|year| year.ends_with(')') && year.as_bytes()[..4].iter().all(u8::is_ascii_digit))
}

/// Whether a letter before a full stop tells a kind apart, and is no initial: `hepatitis C`.
fn is_kind_letter(text: &str, mark: usize, letter: &str, line: usize) -> bool {
    let is_letter = letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_uppercase());
    let before = is_letter.then(|| text[line..mark - 1].strip_suffix(' ')).flatten();
    before.is_some_and(|before| abbreviation::has_kinds(word_before(text, line + before.len(), line)))
}

/// The word that ends at `end`, without what opens it; the marker of a list if it begins the line.
fn word_before(text: &str, end: usize, line: usize) -> &str {
    // No abbreviation is longer.
    let from = text.ceil_char_boundary(end.saturating_sub(24).max(line));
    let word = &text[from..end];
    let begin = word.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let word = word.get(begin..).unwrap_or(word).trim_start_matches(is_opener);
    if from + begin == line && word.len() <= 3 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
    {
        return abbreviation::LIST_NUMBER;
    }
    word
}

/// Whether a text has (nearly) no capitals, so that a small letter may begin a sentence.
fn is_small(region: &str) -> bool {
    let sample = &region[..region.floor_char_boundary(4096)];
    let (mut letters, mut capitals) = (0, 0);
    for c in sample.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        capitals += usize::from(c.is_uppercase());
    }
    capitals * 200 < letters
}

#[cfg(test)]
mod tests;
