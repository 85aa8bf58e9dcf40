//! HTML as tokens with exact byte ranges, after the tokenizer of the WHATWG standard.
//!
//! Our own because no crate tells where things stand: `html5gum` gives decoded text with one span
//! around it, and `lol_html` gives no ranges of attribute values. It is checked against `html5gum`
//! in the tests. Unlike a browser it drops nothing: an unfinished tag at the end of the file still
//! has its attributes read, and of a repeated attribute each value is.

use std::ops::Range;

/// One token and the bytes it stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Text between tags.
    Text { range: Range<usize>, content: Content },
    /// A start tag, or an end tag.
    Tag { name: Range<usize>, end: bool, attributes: Vec<Attribute> },
    /// The inside of a comment, of a declaration or of anything else that browsers do not show.
    Comment(Range<usize>),
}

/// An attribute of a tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    /// The value without its quotes, and whether it had some.
    pub(super) value: Option<(Range<usize>, bool)>,
}

/// What may stand in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Tags and entities.
    Markup,
    /// Entities, no tags: `title` and `textarea`.
    Entities,
    /// Neither.
    Raw,
    /// Neither: a script.
    Script,
    /// Neither: a style sheet.
    Style,
}

impl Content {
    fn of(element: &str) -> Self {
        match element {
            "title" | "textarea" => Self::Entities,
            "script" => Self::Script,
            "style" => Self::Style,
            "xmp" | "iframe" | "noembed" | "noframes" | "plaintext" => Self::Raw,
            _ => Self::Markup,
        }
    }
}

/// The tokens of a page.
pub(super) struct Tokenizer<'a> {
    html: &'a str,
    at: usize,
    /// The element whose content is no markup, if we are in one.
    within: Option<(String, Content)>,
}

impl<'a> Tokenizer<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { html, at: 0, within: None }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.html.as_bytes().get(at).copied()
    }

    fn starts_with(&self, at: usize, word: &str) -> bool {
        self.html
            .as_bytes()
            .get(at..at + word.len())
            .is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Where `needle` next stands, or the end.
    fn place_of(&self, from: usize, needle: u8) -> usize {
        memchr::memchr(needle, &self.html.as_bytes()[from..]).map_or(self.html.len(), |found| from + found)
    }

    fn text(&mut self, end: usize, content: Content) -> Token {
        let range = self.at..end;
        self.at = end;
        Token::Text { range, content }
    }

    fn markup(&mut self) -> Token {
        let mut from = self.at;
        loop {
            let open = self.place_of(from, b'<');
            if open == self.html.len() {
                return self.text(open, Content::Markup);
            }
            let starts = match self.byte(open + 1) {
                Some(b'!' | b'?') => true,
                Some(b'/') => open + 2 < self.html.len(),
                Some(byte) => byte.is_ascii_alphabetic(),
                None => false,
            };
            if !starts {
                from = open + 1;
                continue;
            }
            if open > self.at {
                return self.text(open, Content::Markup);
            }
            return match (self.byte(open + 1), self.byte(open + 2)) {
                (Some(b'!'), _) => self.declaration(open + 2),
                (Some(b'/'), Some(byte)) if byte.is_ascii_alphabetic() => self.tag(open + 2, true),
                (Some(b'/'), _) => self.comment_until(open + 2, ">"),
                (Some(b'?'), _) => self.comment_until(open + 1, ">"),
                _ => self.tag(open + 1, false),
            };
        }
    }

    fn declaration(&mut self, at: usize) -> Token {
        if !self.html[at..].starts_with("--") {
            return self.comment_until(at, ">");
        }
        let at = at + 2;
        for abrupt in [">", "->"] {
            if self.html[at..].starts_with(abrupt) {
                self.at = at + abrupt.len();
                return Token::Comment(at..at);
            }
        }
        let mut from = at;
        loop {
            let hyphen = self.place_of(from, b'-');
            for end in ["-->", "--!>"] {
                if self.html[hyphen..].starts_with(end) {
                    self.at = hyphen + end.len();
                    return Token::Comment(at..hyphen);
                }
            }
            if hyphen == self.html.len() {
                self.at = hyphen;
                return Token::Comment(at..hyphen);
            }
            from = hyphen + 1;
        }
    }

    fn comment_until(&mut self, at: usize, end: &str) -> Token {
        let close = self.html[at..].find(end).map_or(self.html.len(), |found| at + found);
        self.at = (close + end.len()).min(self.html.len());
        Token::Comment(at..close)
    }

    fn tag(&mut self, at: usize, end: bool) -> Token {
        let name_end = self.until(at, |byte| is_blank(byte) || matches!(byte, b'/' | b'>'));
        let name = at..name_end;
        let attributes = self.attributes(name_end);
        if !end {
            let element = self.html[name.clone()].to_ascii_lowercase();
            let content = Content::of(&element);
            self.within = (content != Content::Markup).then_some((element, content));
        }
        Token::Tag { name, end, attributes }
    }

    fn until(&self, from: usize, stop: impl Fn(u8) -> bool) -> usize {
        let rest = &self.html.as_bytes()[from..];
        rest.iter().position(|&byte| stop(byte)).map_or(self.html.len(), |found| from + found)
    }

    fn attributes(&mut self, mut at: usize) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        loop {
            at = self.until(at, |byte| !is_blank(byte) && byte != b'/');
            match self.byte(at) {
                None => break,
                Some(b'>') => {
                    at += 1;
                    break;
                }
                Some(_) => {}
            }
            // The first character belongs to the name even if it is `=`.
            let name = at..self.until(at + 1, |byte| is_blank(byte) || matches!(byte, b'/' | b'>' | b'='));
            let equals = self.until(name.end, |byte| !is_blank(byte));
            at = name.end;
            let mut value = None;
            if self.byte(equals) == Some(b'=') {
                let start = self.until(equals + 1, |byte| !is_blank(byte));
                match self.byte(start) {
                    Some(quote @ (b'"' | b'\'')) => {
                        let close = self.place_of(start + 1, quote);
                        value = Some((start + 1..close, true));
                        at = (close + 1).min(self.html.len());
                    }
                    None | Some(b'>') => at = start,
                    Some(_) => {
                        let close = self.until(start, |byte| is_blank(byte) || byte == b'>');
                        value = Some((start..close, false));
                        at = close;
                    }
                }
            }
            attributes.push(Attribute { name, value });
        }
        self.at = at;
        attributes
    }

    /// The content of an element without markup, up to its end tag.
    fn opaque(&mut self, element: &str, content: Content) -> Token {
        let mut from = self.at;
        let mut script = Script::Plain;
        let end = loop {
            let stop = if content == Content::Script {
                self.until(from, |byte| matches!(byte, b'<' | b'-'))
            } else {
                self.place_of(from, b'<')
            };
            if stop == self.html.len() || element == "plaintext" {
                break self.html.len();
            }
            from = stop + 1;
            if content == Content::Script && script != Script::Plain && self.html[stop..].starts_with("-->") {
                script = Script::Plain;
            } else if content == Content::Script
                && script == Script::Plain
                && self.html[stop..].starts_with("<!--")
            {
                script = Script::Commented;
                // `<!-->` and `<!--->` end at once.
                from = stop + 2;
            } else if script == Script::Commented && self.names(stop + 1, "script") {
                script = Script::Nested;
            } else if self.byte(stop) == Some(b'<')
                && self.byte(stop + 1) == Some(b'/')
                && self.names(stop + 2, element)
            {
                if script != Script::Nested {
                    break stop;
                }
                script = Script::Commented;
            }
        };
        self.within = None;
        self.text(end, content)
    }

    /// Whether the name of a tag stands here, and ends.
    fn names(&self, at: usize, element: &str) -> bool {
        self.starts_with(at, element)
            && self.byte(at + element.len()).is_some_and(|byte| is_blank(byte) || matches!(byte, b'/' | b'>'))
    }
}

/// Where in a script we are, which may hold comments that hold scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Plain,
    Commented,
    Nested,
}

impl Iterator for Tokenizer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.at == self.html.len() {
            return None;
        }
        if let Some((element, content)) = self.within.take() {
            let token = self.opaque(&element, content);
            if !matches!(&token, Token::Text { range, .. } if range.is_empty()) {
                return Some(token);
            }
        }
        (self.at < self.html.len()).then(|| self.markup())
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

#[cfg(test)]
mod tests {
    use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
    use proptest::prelude::*;

    use super::super::entities;
    use super::*;

    /// Text, attribute values and comments, as a list of words: what must be the same in both.
    fn ours(html: &str) -> (String, Vec<String>) {
        let (mut text, mut values) = (String::new(), Vec::new());
        for token in Tokenizer::new(html) {
            match token {
                Token::Text { range, content: Content::Markup | Content::Entities } => {
                    text.push_str(&entities::decoded(&html[range], false));
                }
                Token::Text { range, .. } => text.push_str(&html[range]),
                Token::Tag { attributes, .. } => {
                    let decoded = attributes.iter().filter_map(|attribute| attribute.value.clone());
                    values.extend(
                        decoded
                            .map(|(range, _)| entities::decoded(&html[range], true))
                            .filter(|v| !v.is_empty()),
                    );
                }
                Token::Comment(_) => {}
            }
        }
        (text, values)
    }

    fn theirs(html: &str) -> (String, Vec<String>) {
        let (mut text, mut values) = (Vec::new(), Vec::new());
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: html5gum::Span<()>| {
            match event {
                CallbackEvent::String { value } => text.extend_from_slice(value),
                CallbackEvent::AttributeValue { value } => {
                    values.push(String::from_utf8_lossy(value).into_owned());
                }
                _ => {}
            }
            None::<std::convert::Infallible>
        });
        emitter.naively_switch_states(true);
        assert_eq!(html5gum::Tokenizer::new_with_emitter(html, emitter).count(), 0);
        (String::from_utf8_lossy(&text).into_owned(), values)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn reads_as_the_standard_does(parts in prop::collection::vec(prop::sample::select(vec![
            "<", ">", "/", "</", "<!--", "-->", "--!>", "-", "!", "<a", "<p ", "a", " ", "=", "\"", "'", "title",
            "<title>", "</title>", "<script>", "</script", "</script>", "<style>", "</style>", "&amp;", "&eacute", "&#233;",
            "&", "<!doctype html>", "<?", "<![CDATA[", "]]>", "é", "<textarea>", "</textarea >", "<xmp>", "</xmp>", "\n",
            "<script", "&notit;", "x=y", "&lt",
        ]), 0..14)) {
            // An end closes what is open, so that nothing is dropped at the end of the file.
            let html = parts.concat() + "\"'>--></title></textarea></xmp></style></script>-->\"'></script>";
            prop_assert_eq!(ours(&html), theirs(&html), "{}", html);
        }
    }

    #[test]
    fn reads_what_a_browser_drops() {
        let html = "<a title=\"Ana";
        let tokens: Vec<Token> = Tokenizer::new(html).collect();
        let Token::Tag { attributes, .. } = &tokens[0] else { panic!("a tag") };
        assert_eq!(attributes[0].value, Some((10..13, true)));
    }
}
