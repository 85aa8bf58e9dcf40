//! Character references: `&eacute;`, `&#233;`, `&#xe9;`.

use std::borrow::Cow;
use std::ops::Range;

use htmlize::Context;

/// A stretch of HTML text: as it stands, or a reference and what it stands for.
pub(crate) enum Run<'a> {
    /// The bytes are the text.
    Plain(Range<usize>),
    /// A reference.
    Reference(Range<usize>, Cow<'a, str>),
}

/// The runs of `html`, in order and without gaps.
pub(crate) fn runs(html: &str, in_attribute: bool) -> Vec<Run<'_>> {
    let context = if in_attribute { Context::Attribute } else { Context::General };
    let mut runs = Vec::new();
    let mut done = 0;
    for at in memchr::memchr_iter(b'&', html.as_bytes()) {
        let rest = &html[at + 1..];
        let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '#').unwrap_or(rest.len());
        // What follows tells whether a reference without semicolon counts in an attribute.
        let follows = rest[name..].chars().next().filter(|c| matches!(c, ';' | '='));
        let candidate = &html[at..at + 1 + name + follows.map_or(0, char::len_utf8)];
        let decoded = htmlize::unescape_in(candidate, context);
        if decoded == candidate {
            continue;
        }
        // Only the head of the candidate may be a reference: `&notit;` is `¬it;`.
        let tail = candidate.bytes().rev().zip(decoded.bytes().rev()).take_while(|(a, b)| a == b).count();
        let tail = tail.min(candidate.len() - 2).min(decoded.len() - 1);
        let tail = (0..=tail).rev().find(|&tail| decoded.is_char_boundary(decoded.len() - tail)).unwrap_or(0);
        let end = at + candidate.len() - tail;
        if at > done {
            runs.push(Run::Plain(done..at));
        }
        let text = match decoded {
            Cow::Borrowed(text) => Cow::Borrowed(&text[..text.len() - tail]),
            Cow::Owned(mut text) => {
                text.truncate(text.len() - tail);
                Cow::Owned(text)
            }
        };
        runs.push(Run::Reference(at..end, text));
        done = end;
    }
    if done < html.len() {
        runs.push(Run::Plain(done..html.len()));
    }
    runs
}

/// The whole text with its references resolved.
#[cfg(test)]
pub(crate) fn decoded(html: &str, in_attribute: bool) -> String {
    runs(html, in_attribute)
        .into_iter()
        .map(|run| match run {
            Run::Plain(range) => Cow::Borrowed(&html[range]),
            Run::Reference(_, text) => text,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_what_is_a_reference() {
        for (html, expected) in [
            ("Jos&eacute; &#233;&#xE9;&nbsp;x", "José éé\u{a0}x"),
            ("&notit;", "¬it;"),
            ("&ampamp;", "&amp;"),
            ("&amp;amp;", "&amp;"),
            ("&euml&euml;", "ëë"),
            ("&amp", "&"),
        ] {
            assert_eq!(decoded(html, false), expected, "{html}");
        }
    }

    #[test]
    fn leaves_alone_what_is_none() {
        for html in ["a & b", "&", "&;", "&unknown;", "R&D", "&#;", "&#x;"] {
            assert_eq!(decoded(html, false), html);
        }
        assert_eq!(decoded("?a=1&copy=2&regid", true), "?a=1&copy=2&regid");
    }
}
