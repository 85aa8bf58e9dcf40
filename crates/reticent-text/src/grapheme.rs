//! Where a text may be cut: between what a reader sees as characters.

use unicode_segmentation::UnicodeSegmentation;

/// Whether the white space `c` at `at` stands for itself: not if a combining mark sits on it, nor if
/// the sign before reaches over it.
pub(crate) fn is_separator(text: &str, at: usize, c: char) -> bool {
    if !c.is_whitespace() {
        return false;
    }
    let after = at + c.len_utf8();
    // Nothing below U+0300 joins its neighbours, and line breaks never do.
    let next = text[after..].chars().next().filter(|&next| next >= '\u{300}');
    let before = text[..at].chars().next_back().filter(|&before| before >= '\u{300}');
    if c.is_control() || (next.is_none() && before.is_none()) {
        return true;
    }
    let glued = |from: usize, to: usize| text[from..to].graphemes(true).nth(1).is_none();
    !(next.is_some_and(|next| glued(at, after + next.len_utf8()))
        || before.is_some_and(|before| glued(at - before.len_utf8(), after)))
}

/// Whether the text may be cut between the character before `at` and the one after it, if that
/// does not depend on what stands further left.
pub(crate) fn is_cut(text: &str, at: usize) -> bool {
    let (Some(before), Some(next)) = (text[..at].chars().next_back(), text[at..].chars().next()) else {
        return true;
    };
    let (from, to) = (at - before.len_utf8(), at + next.len_utf8());
    (before < '\u{300}' && next < '\u{300}') || text[from..to].graphemes(true).nth(1).is_some()
}

/// The text without separators at its ends: where it begins and ends.
pub(crate) fn trim(text: &str, mut start: usize, mut end: usize) -> (usize, usize) {
    while let Some(c) = text[start..end].chars().next().filter(|&c| is_separator(text, start, c)) {
        start += c.len_utf8();
    }
    while let Some(c) = text[start..end].chars().next_back() {
        if !is_separator(text, end - c.len_utf8(), c) {
            break;
        }
        end -= c.len_utf8();
    }
    (start, end)
}
