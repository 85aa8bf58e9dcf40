//! Content of a page that cannot be examined: code, encoded data, markup within comments.

use std::ops::Range;

/// The kind of content in an attribute that cannot be examined, if it is one.
pub(super) fn attribute(name: &str, value: &str) -> Option<&'static str> {
    if name == "srcdoc" {
        return Some("page within an attribute");
    }
    if name.starts_with("on") && name.len() > 3 && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Some("script in an attribute");
    }
    if has_scheme(value, "javascript:") || has_scheme(value, "vbscript:") {
        return Some("script in an address");
    }
    if has_data(value) {
        return Some("data: address");
    }
    (name == "style" && is_encoded(value)).then_some("style with encoded data")
}

/// The kind of a comment that cannot be examined, if it is one.
pub(super) fn comment(text: &str) -> Option<&'static str> {
    if text.starts_with("?xml ") {
        return None;
    }
    if text.starts_with('?') {
        return Some("processing instruction");
    }
    if text.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("[cdata[")) {
        return Some("CDATA section");
    }
    // Tags and entities may cut a name in two.
    let is_markup = text.contains('&') || text.contains('<') || text.trim_start().starts_with("[if");
    is_markup.then_some("comment with markup")
}

/// A comment with its delimiters.
pub(super) fn whole_comment(html: &str, inside: &Range<usize>) -> Range<usize> {
    let from = html[..inside.start].rfind('<').unwrap_or(inside.start);
    let to = html[inside.end..].find('>').map_or(html.len(), |found| inside.end + found + 1);
    from..to
}

/// Whether a style sheet holds escapes, or data in an address.
pub(super) fn is_encoded(css: &str) -> bool {
    css.contains('\\') || css.contains("/*") && css.contains('<') || has_data(css)
}

/// Whether an address has a scheme. Browsers skip blanks and control characters within it.
fn has_scheme(value: &str, scheme: &str) -> bool {
    let mut letters = value.chars().filter(|c| !c.is_whitespace() && !c.is_control());
    scheme.chars().all(|expected| letters.next().is_some_and(|c| c.eq_ignore_ascii_case(&expected)))
}

/// Whether a text holds an address that is itself data: `data:image/png;base64,…`.
pub(crate) fn has_data(text: &str) -> bool {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    plain.match_indices("data:").any(|(at, _)| {
        let rest = &plain[at + "data:".len()..];
        let head = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "/+.;=-_%\"".contains(c)));
        head.is_some_and(|end| rest[end..].starts_with(',') && (end == 0 || rest[..end].contains(['/', ';'])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_code_and_encoded_data() {
        for (name, value) in [
            ("onclick", "go()"),
            ("href", " java\nscript:go()"),
            ("src", "data:image/png;base64,AAAA"),
            ("srcset", "a.png 1x, DATA:image/png;base64,AAAA 2x"),
            ("data-src", "data:,Ana"),
            ("srcdoc", "<p>x"),
            ("style", "content:'\\41 na'"),
        ] {
            assert!(attribute(name, value).is_some(), "{name}={value}");
        }
        for text in ["[if IE]>x<![endif]", " <p>Ana <b>Ruiz</b> ", "?php echo 1 ?", "[CDATA[x]]", "a &amp; b"]
        {
            assert!(comment(text).is_some(), "{text}");
        }
    }

    #[test]
    fn leaves_alone_what_can_be_examined() {
        for (name, value) in [
            ("title", "Data: 5, 6"),
            ("href", "https://x.org/data:5"),
            ("on", "x"),
            ("style", "color: red; background: url(a.png)"),
            ("alt", "javascript and more"),
        ] {
            assert_eq!(attribute(name, value), None, "{name}={value}");
        }
        assert_eq!(comment(" by Ana - 2024 "), None);
        assert_eq!(comment("?xml version=\"1.0\"?"), None);
    }
}
