//! How text is written at a place of the source so that the source stays what it is.

use std::fmt::Write as _;

use crate::source::Around;
use crate::{Error, ErrorKind};

/// How text must be written at a place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Escape {
    /// As it is.
    None,
    /// Between tags of HTML or XML: `&`, `<` and `>` as entities.
    Markup,
    /// In a quoted attribute value of HTML or XML: quotes too.
    Attribute,
    /// In an attribute value of HTML without quotes: blanks too; nothing becomes one blank.
    Unquoted,
    /// In an address that must stay one, in an attribute of XML: `%5B` for `[`.
    Uri,
    /// In a name inside a tag, where no escapes exist: what would end the name becomes `-`.
    Name,
    /// In the name of a bookmark of Word: letters, digits and `_`, at most 40.
    Bookmark,
    /// In the initials of a person in Word: letters, digits and blanks, at most nine.
    Initials,
    /// In a comment of HTML or XML: what would end it is pulled apart.
    Comment,
    /// In an element of HTML that knows no entities: `<` becomes `&lt;` all the same.
    RawText,
    /// In a script or in JSON within one: `\u0022` and the like.
    Script,
    /// In a style sheet: `\22 ` and the like.
    Style,
    /// In a CDATA section of XML: its end is pulled apart.
    CData,
    /// In a JSON string.
    Json,
    /// In a quoted CSV field, whose quote this is: doubled.
    Quoted(u8),
    /// In Markdown prose.
    Markdown,
    /// In code within Markdown: no backticks and no line breaks.
    MarkdownCode,
    /// In the front matter of Markdown: what would end a YAML value becomes its like, `[` a `(`.
    FrontMatter,
    /// In the title or the label of a Markdown link: quotes and brackets too.
    MarkdownTitle,
    /// In the target of a Markdown link: blanks and brackets as `%20` and the like.
    LinkTarget,
    /// Where only a date and time can stand (`2026-01-31T00:00:00Z`): the year, month and day that
    /// the text tells, else 1900.
    DateTime,
    /// Where only a number can stand: the text if it is one, else 0.
    Number,
    /// In place of a number of JSON: a string; nothing becomes null.
    JsonNumber,
    /// Where no writing is possible without breaking the source (an unquoted CSV field gets only
    /// text without separators, quotes and line breaks).
    Bare,
    /// What can be taken away but not be written to: a tabulator or a line break that is an element.
    Erase,
}

impl Escape {
    /// Whether what stands here is written whole, also if an edit covers only a part of it.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::DateTime | Self::Number | Self::JsonNumber)
    }

    /// `text` as it is written here, between what is around it.
    pub(crate) fn write(self, text: &str, around: Around<'_>) -> Result<String, Error> {
        match self {
            Self::Markdown => return Ok(markdown(text, around)),
            Self::DateTime => return Ok(date_time(text)),
            Self::Number => return Ok(number(text)),
            Self::JsonNumber if text.is_empty() => return Ok("null".to_owned()),
            Self::JsonNumber => return Ok(format!("\"{}\"", Self::Json.write(text, around)?)),
            Self::Erase => return Ok(String::new()),
            Self::Unquoted if text.is_empty() => return Ok("&#32;".to_owned()),
            Self::Name if text.is_empty() => return Ok("-".to_owned()),
            Self::Bookmark => return Ok(bookmark(text, around)),
            Self::Initials => return Ok(initials(text)),
            Self::Comment => return Ok(comment(text, around)),
            Self::CData => return Ok(cdata(text, around)),
            _ => {}
        }
        let mut out = String::with_capacity(text.len());
        let mut chars = text.chars();
        if matches!(self, Self::Markup | Self::Attribute | Self::Unquoted) {
            match chars.clone().next().map_or_else(|| around.after.first().copied(), |c| u8::try_from(c).ok())
            {
                Some(byte) if would_begin_markup(self, around.before, byte) => match chars.next() {
                    Some(c) => numeric(c, &mut out),
                    None => out.push_str("&#32;"),
                },
                _ => {}
            }
        }
        for c in chars {
            self.write_char(c, &mut out)?;
        }
        Ok(out)
    }

    pub(crate) fn write_char(self, c: char, out: &mut String) -> Result<(), Error> {
        match (self, c) {
            (Self::Markup | Self::Attribute | Self::Unquoted | Self::Uri, '&') => out.push_str("&amp;"),
            (Self::Markup | Self::Attribute | Self::Unquoted | Self::RawText, '<') => out.push_str("&lt;"),
            (Self::Markup | Self::Attribute | Self::Unquoted, '>') => out.push_str("&gt;"),
            (Self::Attribute | Self::Unquoted, '"') => out.push_str("&quot;"),
            (Self::Attribute | Self::Unquoted, '\'') => out.push_str("&#39;"),
            (Self::Attribute, '\n' | '\r' | '\t') | (Self::Unquoted, '=' | '`') => numeric(c, out),
            (Self::Unquoted, c) if c.is_ascii_whitespace() => numeric(c, out),
            // XML cannot hold these at all, not even as entities.
            (Self::Markup | Self::Attribute | Self::Unquoted, c)
                if (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
                    || matches!(c, '\u{fffe}' | '\u{ffff}') =>
            {
                out.push(' ');
            }
            (Self::Name, '<' | '>' | '"' | '\'' | '=' | '/' | '&') | (Self::MarkdownCode, '~') => {
                out.push('-');
            }
            (Self::Name, c) if c.is_whitespace() || c.is_control() => out.push('-'),
            (
                Self::Script,
                '<' | '>' | '&' | '"' | '\'' | '\\' | '`' | '$' | '\n' | '\r' | '\u{2028}' | '\u{2029}',
            ) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            (Self::Style, '<' | '>' | '"' | '\'' | '\\' | '\n' | '\r' | '{' | '}' | ';' | '*') => {
                let _ = write!(out, "\\{:x} ", u32::from(c));
            }
            (Self::Json, '"' | '\\') => out.extend(['\\', c]),
            (Self::Json, '\n') => out.push_str("\\n"),
            (Self::Json, c) if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            (Self::Quoted(quote), c) if c == char::from(quote) => out.extend([c, c]),
            (Self::Bare, ',' | ';' | '\t' | '"' | '\n' | '\r') => {
                return Err(Error::new(ErrorKind::Edit, "a replacement would break an unquoted field"));
            }
            (Self::MarkdownTitle | Self::MarkdownCode | Self::FrontMatter, '\n' | '\r') => out.push(' '),
            (Self::MarkdownCode, '`') => out.push('\''),
            (Self::MarkdownCode, '|') => out.push('/'),
            (Self::FrontMatter, '[' | '{') => out.push('('),
            (Self::FrontMatter, ']' | '}') => out.push(')'),
            (Self::FrontMatter, '"') => out.push('”'),
            (Self::FrontMatter, '\'' | '`') => out.push('’'),
            (Self::FrontMatter, ':') => out.push('꞉'),
            (Self::FrontMatter, '*' | '&' | '!' | '|' | '>' | '%' | '@' | '\\' | '#') => out.push('•'),
            (Self::MarkdownTitle, c) if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '-' | '/') => {
                out.extend(['\\', c]);
            }
            (Self::Uri, c) if !(c.is_ascii_alphanumeric() || "-._~:/?#@!$()*+,;=%".contains(c)) => {
                percent(c, out);
            }
            (Self::LinkTarget, c)
                if c.is_whitespace()
                    || c.is_control()
                    || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '\\' | '"' | '|') =>
            {
                percent(c, out);
            }
            _ => out.push(c),
        }
        Ok(())
    }
}

/// Whether a stray `<` or `&` right before this byte would now be read as markup.
fn would_begin_markup(how: Escape, before: &[u8], byte: u8) -> bool {
    let tag = how == Escape::Markup
        && (before.ends_with(b"<") && (byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
            || before.ends_with(b"</"));
    let name = before
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
        .count();
    let reference = before.len() > name && before[before.len() - name - 1] == b'&';
    tag || (reference && (byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b';')))
}

fn percent(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let _ = write!(out, "%{byte:02X}");
    }
}

fn numeric(c: char, out: &mut String) {
    let _ = write!(out, "&#{};", u32::from(c));
}

/// Escapes what would be markup where it stands, and no more: `[PERSON]` stays readable unless a
/// `(`, `[` or `:` after it would make it a link.
fn markdown(text: &str, around: Around<'_>) -> String {
    let line_start = around
        .before
        .iter()
        .rev()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'>'))
        .is_none_or(|&byte| byte == b'\n' || byte == b'\r');
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        let after = text[at + c.len_utf8()..].bytes().next().or(around.after.first().copied());
        let before = text[..at].bytes().last().or(around.before.last().copied());
        let escaped = match c {
            '*' | '`' | '<' | '|' | '\\' | '~' | '&' => true,
            '_' => !(word(before.as_ref()) && word(after.as_ref())),
            '[' => {
                matches!(next, Some('^' | ' ' | 'x' | 'X' | ']'))
                    || before == Some(b'!')
                    || before == Some(b']')
            }
            ']' => matches!(after, Some(b'(' | b'[' | b':')),
            '!' => after == Some(b'['),
            '#' | '+' | '-' | '=' | ':' | '>' => line_start && at == 0,
            '\n' | '\r' => {
                out.push(' ');
                continue;
            }
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Every character that could be markup anywhere as an entity, and something even for nothing.
pub(crate) fn markdown_heavily(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for (at, c) in text.chars().enumerate() {
        match c {
            '\n' | '\r' => out.push(' '),
            c if c.is_ascii_punctuation() || at == 0 => numeric(c, &mut out),
            c => out.push(c),
        }
    }
    if out.trim().is_empty() {
        // An empty emphasis would show its stars.
        out.push_str("&#8203;");
    }
    out
}

fn comment(text: &str, around: Around<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = around.before.last().copied().unwrap_or(b' ');
    for c in text.chars() {
        if c == '>' {
            out.push_str("&gt;");
        } else {
            if c == '-' && before == b'-' {
                out.push(' ');
            }
            out.push(c);
        }
        before = if c == '-' { b'-' } else { b' ' };
    }
    let ends_in_hyphen =
        out.as_bytes().last().or(around.before.last()).is_some_and(|&byte| matches!(byte, b'-' | b'!'));
    if ends_in_hyphen && around.after.first().is_some_and(|&byte| matches!(byte, b'-' | b'>' | b'!')) {
        out.push(' ');
    }
    out
}

fn cdata(text: &str, around: Around<'_>) -> String {
    let mut out: String =
        text.replace(']', ")").chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
    if out.is_empty() && around.before.ends_with(b"]") {
        out.push(' ');
    }
    out
}

/// What is written stands after a letter, or begins with one.
fn bookmark(text: &str, around: Around<'_>) -> String {
    let text = text.trim_matches(['[', ']', '(', ')']);
    let name: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).take(40).collect();
    let begins = around.before.last().is_none_or(|byte| matches!(byte, b'"' | b'\''));
    let marked = begins && !name.starts_with(char::is_alphabetic);
    if marked { format!("B{name}") } else { name }
}

fn initials(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || *c == ' ').take(9).collect()
}

/// The year of a date that says no more than its year, as [`Escape::DateTime`] writes it; nothing
/// of 1900, which stands for no date at all.
pub(crate) fn neutral_year(text: &str) -> Option<&str> {
    let year = text.strip_suffix("-01-01T00:00:00Z")?;
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    is_year.then_some(if year == "1900" { "" } else { year })
}

fn date_time(text: &str) -> String {
    let digits = |at: usize, len: usize| {
        text.get(at..at + len).filter(|part| part.bytes().all(|b| b.is_ascii_digit()))
    };
    let year = (0..text.len()).find(|&at| {
        digits(at, 4).is_some() && digits(at + 4, 1).is_none() && (at == 0 || digits(at - 1, 1).is_none())
    });
    let Some(at) = year else { return "1900-01-01T00:00:00Z".to_owned() };
    let separated = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    let part = |at: usize, most: u8| {
        digits(at, 2)
            .filter(|part| separated(at - 1) && part.parse::<u8>().is_ok_and(|n| (1..=most).contains(&n)))
    };
    let month = part(at + 5, 12);
    let day = month.and_then(|_| part(at + 8, 28));
    format!("{}-{}-{}T00:00:00Z", &text[at..at + 4], month.unwrap_or("01"), day.unwrap_or("01"))
}

fn number(text: &str) -> String {
    let is_one = !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_one { text.to_owned() } else { "0".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(how: Escape, before: &str, text: &str, after: &str) -> String {
        how.write(text, Around { before: before.as_bytes(), after: after.as_bytes() }).unwrap()
    }

    #[test]
    fn keeps_labels_readable_in_markdown_unless_a_link_would_come_of_it() {
        for (before, after, expected) in [
            ("by ", " in", "[PERSON]"),
            ("by ", "(him)", "[PERSON\\]"),
            ("", ": he", "[PERSON\\]"),
            ("see ", "[1]", "[PERSON\\]"),
            ("hey!", " in", "\\[PERSON]"),
        ] {
            assert_eq!(write(Escape::Markdown, before, "[PERSON]", after), expected, "{before}_{after}");
        }
        assert_eq!(write(Escape::Markdown, "a ", "snake_case *x*", ""), "snake_case \\*x\\*");
        assert_eq!(write(Escape::Markdown, "\n", "- a", ""), "\\- a");
        assert_eq!(write(Escape::Markdown, "a ", "- a", ""), "- a");
    }

    #[test]
    fn ends_no_comment() {
        assert_eq!(write(Escape::Comment, "<!-- ", "-->", " -->"), "- -&gt;");
        assert_eq!(write(Escape::Comment, "<!-- -", "-", ">"), " - ");
        assert_eq!(write(Escape::Comment, "<!-- ", "[PERSON]", " -->"), "[PERSON]");
    }

    #[test]
    fn writes_a_date_where_only_a_date_can_stand() {
        for (text, expected) in [
            ("[DATE_TIME]", "1900-01-01T00:00:00Z"),
            ("", "1900-01-01T00:00:00Z"),
            ("March 2024", "2024-01-01T00:00:00Z"),
            ("2024-03", "2024-03-01T00:00:00Z"),
            ("2024-03-09T10:00:00Z", "2024-03-09T00:00:00Z"),
            ("12345", "1900-01-01T00:00:00Z"),
            ("é2024-3", "2024-01-01T00:00:00Z"),
        ] {
            assert_eq!(write(Escape::DateTime, "", text, ""), expected);
        }
        assert_eq!(write(Escape::Number, "", "[NUMBER]", ""), "0");
        assert_eq!(write(Escape::Bookmark, "=\"", "[PERSON 2]", "\""), "PERSON_2");
        assert_eq!(write(Escape::Bookmark, "=\"", "", "\""), "B");
        assert_eq!(write(Escape::Bookmark, "=\"a", "60 to 69", "\""), "60_to_69");
        assert_eq!(write(Escape::Initials, "=\"", "[PERSON 14]", "\""), "PERSON 14");
        assert_eq!(write(Escape::Number, "", "12", ""), "12");
    }

    #[test]
    fn leaves_plain_words_alone_everywhere() {
        for how in [
            Escape::None,
            Escape::Markup,
            Escape::Attribute,
            Escape::Unquoted,
            Escape::Uri,
            Escape::Name,
            Escape::Bookmark,
            Escape::Initials,
            Escape::Comment,
            Escape::RawText,
            Escape::Script,
            Escape::Style,
            Escape::CData,
            Escape::Json,
            Escape::Quoted(b'"'),
            Escape::Markdown,
            Escape::MarkdownCode,
            Escape::FrontMatter,
            Escape::MarkdownTitle,
            Escape::LinkTarget,
            Escape::Bare,
        ] {
            assert_eq!(write(how, "", "Ana", ""), "Ana", "{how:?}");
        }
    }
}
