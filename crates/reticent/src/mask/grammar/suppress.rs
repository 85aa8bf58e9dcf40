//! What is left when words are taken out.

use reticent_text::Span;

use super::around::Around;
use super::english::article_before;
use super::{Fitted, Language, says};

/// Signs that no space goes before.
const CLOSING: [char; 12] = [',', '.', ';', ':', '!', '?', ')', ']', '}', '”', '»', '…'];

const PAIRS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('“', '”'), ('«', '»'), ('"', '"')];

/// Takes a stretch out without a trace: no doubled space, no space before a comma, no empty
/// brackets, no article or preposition that leads nowhere.
pub(super) fn suppress(around: &Around<'_>, language: Language) -> Fitted {
    let text = around.text;
    let (mut start, mut end) = (around.span.start, around.span.end);
    // `an American actor` without American is `an actor`.
    if language == Language::English
        && let (Some(left), Some(right)) = (&around.left, around.right_word())
        && let Some(article) = article_before(around, right)
    {
        let replacement =
            if left.is_capitalized() { super::capitalized(article) } else { article.to_owned() };
        return Fitted { span: Span::new(left.start, end), replacement };
    }
    if let Some((open, close)) = brackets(around) {
        (start, end) = (start - open.len_utf8(), end + close.len_utf8());
    } else if let Some(left) = &around.left
        && dangles(around, &left.lower(), language)
    {
        start = left.start;
    }
    let before = &text[..start];
    let after = &text[end..];
    let spaces = before.len() - before.trim_end_matches(is_space).len();
    let line_start =
        before[..before.len() - spaces].is_empty() || before[..before.len() - spaces].ends_with('\n');
    let line_end = after.is_empty() || after.starts_with(['\n', '\r']);
    let next = after.chars().next();
    if line_start || spaces == 0 && before.ends_with(['(', '[', '“', '«', '\n']) {
        // The indentation of a line stays; no line starts with a comma.
        end += usize::from(line_start && next == Some(','));
        end += text[end..].chars().next().filter(|c| is_space(*c)).map_or(0, char::len_utf8);
    } else if line_end || next.is_some_and(|c| is_space(c) || CLOSING.contains(&c)) {
        start -= spaces;
        // `Cork, Ireland, is` leaves one comma, `Cork, Ireland.` none.
        let comma_before = text[..start].ends_with([',', ';']);
        match next {
            Some(',' | ';') if comma_before => end += 1,
            Some('.' | '!' | '?' | ')') if comma_before => start -= 1,
            _ => {}
        }
    }
    Fitted { span: Span::new(start, end), replacement: String::new() }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}')
}

/// The brackets or quotation marks that would be left empty.
fn brackets(around: &Around<'_>) -> Option<(char, char)> {
    let (open, close) = (around.before().chars().next_back()?, around.after().chars().next()?);
    PAIRS.contains(&(open, close)).then_some((open, close))
}

/// Whether the word on the left would lead nowhere.
fn dangles(around: &Around<'_>, left: &str, language: Language) -> bool {
    let (articles, prepositions): (&[&str], &[&str]) = match language {
        Language::English => {
            (&["a", "an", "the"], &["on", "in", "at", "of", "from", "by", "with", "for", "to"])
        }
        Language::Spanish => {
            (&["el", "la", "los", "las", "un", "una", "del", "al"], &["de", "en", "a", "con", "por"])
        }
        Language::Other => return false,
    };
    if !articles.contains(&left) && !prepositions.contains(&left) {
        return false;
    }
    // The preposition of a date goes with it, whatever follows.
    if says(around.surface(), language).is_some() && !matches!(left, "a" | "an") {
        return true;
    }
    match around.right_word().map(str::to_lowercase).as_deref() {
        Some(right) => {
            prepositions.contains(&right) || ["and", "or", "but", "y", "o", "pero"].contains(&right)
        }
        None => !around.after().starts_with(|c: char| c.is_alphanumeric() || c == '-'),
    }
}
