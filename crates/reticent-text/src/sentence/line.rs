//! Line breaks: made on purpose, or where the paper ended.

use super::{Abbreviation, is_closer};
use crate::Span;

/// Wider lines than this are not wrapped by anyone: each break in them is on purpose.
const WIDE: usize = 200;
/// Lines in a block as narrow as this are a list or a form.
const NARROW: usize = 30;

/// Whether the break between two lines of a block, whose widest line is `widest`, ends a sentence.
pub(super) fn breaks(text: &str, line: Span, next: Span, widest: usize) -> bool {
    let (above, below) = (line.of(text), next.of(text));
    if is_list_item(below) || is_field(below) {
        return true;
    }
    let first = below.split_whitespace().next().map_or(0, str::len);
    let wrapped = line.len() + 1 + first > widest && (NARROW..=WIDE).contains(&widest);
    let end = above.trim_end_matches(is_closer);
    if let Some(body) = end.strip_suffix('.') {
        let word = body.rsplit(char::is_whitespace).next().unwrap_or_default();
        return !wrapped || (Abbreviation::of(word).is_none() && !below.starts_with(char::is_lowercase));
    }
    if end.ends_with([':', '!', '?', '…', '。', '！', '？', '؟', '।']) {
        return true;
    }
    if is_heading(above) != is_heading(below) {
        return true;
    }
    !wrapped && !below.starts_with(char::is_lowercase)
}

/// `- bread`, `• milk`, `2. eggs`, `b) salt`
fn is_list_item(line: &str) -> bool {
    let Some((marker, _)) = line.split_once(char::is_whitespace) else { return false };
    if ["-", "*", "•", "–", "—", "·", "▪", "◦", "‣", "+", ">"].contains(&marker) {
        return true;
    }
    let Some(number) = marker.strip_suffix(['.', ')']) else { return false };
    let number = number.strip_prefix('(').unwrap_or(number);
    !number.is_empty()
        && ((number.len() <= 3 && number.bytes().all(|b| b.is_ascii_digit()))
            || (number.len() == 1 && marker.ends_with(')'))
            || (number.len() <= 4 && number.bytes().all(|b| matches!(b, b'I' | b'V' | b'X'))))
}

/// `Nombre: Pedro`, `PAST MEDICAL HISTORY:`
fn is_field(line: &str) -> bool {
    let head = &line[..line.floor_char_boundary(48)];
    let Some((label, _)) = head.split_once(':') else { return false };
    label.starts_with(char::is_uppercase)
        && !label.contains(['.', ',', ';', '(', '"'])
        && label.split_whitespace().count() <= 5
}

/// A line in capitals.
fn is_heading(line: &str) -> bool {
    let mut capitals = 0;
    for c in line.chars().filter(|c| c.is_alphabetic()) {
        if !c.is_uppercase() {
            return false;
        }
        capitals += 1;
    }
    capitals >= 3
}
