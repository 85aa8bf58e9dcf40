//! E-mail and web addresses, which are one token whatever signs they hold.

use std::ops::Range;

use super::Unit;

/// The first address in `units[from..]`.
pub(super) fn find(units: &[Unit], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    while at < units.len() {
        let found = match units[at].first {
            '@' => mail(units, from, at),
            ':' if follows(units, at, "://") => {
                let name = left(units, from, at, |c| c.is_ascii_alphabetic());
                (name < at).then(|| name..web_end(units, at + 3))
            }
            'w' | 'W'
                if (at == from || !units[at - 1].first.is_alphanumeric()) && follows(units, at, "www.") =>
            {
                Some(at..web_end(units, at + 4))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at += 1;
    }
    None
}

fn mail(units: &[Unit], from: usize, at: usize) -> Option<Range<usize>> {
    let start = left(units, from, at, |c| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-'));
    let start = (start..at).find(|&start| units[start].first.is_alphanumeric())?;
    let mut end = at + 1;
    while end < units.len() && (units[end].first.is_alphanumeric() || matches!(units[end].first, '.' | '-')) {
        end += 1;
    }
    while !units[end - 1].first.is_alphanumeric() {
        end -= 1;
    }
    (end > at + 1).then_some(start..end)
}

fn left(units: &[Unit], from: usize, at: usize, fits: impl Fn(char) -> bool) -> usize {
    at - units[from..at].iter().rev().take_while(|unit| fits(unit.first)).count()
}

fn follows(units: &[Unit], at: usize, expected: &str) -> bool {
    let mut rest = units[at..].iter().map(|unit| unit.first.to_ascii_lowercase());
    expected.chars().all(|c| rest.next() == Some(c))
}

fn web_end(units: &[Unit], from: usize) -> usize {
    let mut end = from;
    while end < units.len() && !matches!(units[end].first, '<' | '>' | '"' | '“' | '”' | '«' | '»') {
        end += 1;
    }
    let last = |end: usize| units[end - 1].first;
    while end > from
        && matches!(last(end), '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '}' | '\'' | '’' | '*')
    {
        end -= 1;
    }
    end
}
