//! Ways to write a sign in ASCII: entities, escapes of other formats, and the habits of people who hide an address.

use crate::Span;

/// The span of an escape that begins at `at` and what it stands for. The span takes in spaces around `(at)` and
/// `[dot]`, but nothing before `floor`.
pub(super) fn at(text: &str, at: usize, floor: usize) -> Option<(Span, String)> {
    let rest = &text[at..];
    match rest.as_bytes()[0] {
        b'&' => entity(rest).map(|(length, decoded)| (Span::new(at, at + length), decoded)),
        b'\\' => unicode_escape(rest).map(|(length, c)| (Span::new(at, at + length), c.into())),
        b'%' => percent(text, at),
        b'=' => quoted_printable(text, at),
        _ => spelled(text, at, floor),
    }
}

/// `&nbsp;`, `&#64;`, `&#x40;`.
fn entity(rest: &str) -> Option<(usize, String)> {
    const LONGEST: usize = 33;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b';')? + 1;
    let name = rest.get(1..end - 1)?;
    // Without this, `R&D ... &amp;` would be decoded as one sign, across lines and regions.
    if !name.strip_prefix('#').unwrap_or(name).bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let entity = rest.get(..end)?;
    let decoded = htmlize::unescape(entity);
    (decoded != entity).then(|| (end, decoded.into_owned()))
}

/// `\u0040`, `\u{40}`, `\U00000040`, `\x40`.
fn unicode_escape(rest: &str) -> Option<(usize, char)> {
    let digits = |from: usize, count: usize| {
        let digits =
            rest.get(from..from + count).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?).filter(|c| !c.is_control())?;
        Some((from + count, c))
    };
    match rest.as_bytes().get(1)? {
        b'u' if rest.as_bytes().get(2) == Some(&b'{') => {
            let end = rest.bytes().take(11).position(|byte| byte == b'}')?;
            digits(3, end.checked_sub(3).filter(|count| *count > 0)?).map(|(end, c)| (end + 1, c))
        }
        b'u' => digits(2, 4),
        b'U' => digits(2, 8),
        b'x' => digits(2, 2),
        _ => None,
    }
}

/// `%40`, and several of them that are one sign in UTF-8. After a number, a percent sign is one.
fn percent(text: &str, at: usize) -> Option<(Span, String)> {
    let bytes = text.as_bytes();
    let hex = |at: usize| {
        let digits = bytes.get(at..at + 3).filter(|escape| escape[0] == b'%')?;
        u8::from_str_radix(std::str::from_utf8(&digits[1..]).ok().filter(|d| !d.starts_with('+'))?, 16).ok()
    };
    let first = hex(at)?;
    let length = match first {
        0x20..=0x7e => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let mut sign = Vec::with_capacity(length);
    for index in 0..length {
        sign.push(hex(at + 3 * index)?);
    }
    let decoded = String::from_utf8(sign).ok()?;
    let end = at + 3 * length;
    let after_number = text[..at].ends_with(|c: char| c.is_ascii_digit());
    let before_word = text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '%');
    (!after_number || before_word && first != b' ').then(|| (Span::new(at, end), decoded))
}

/// `ana=40example.org`: the sign of an address in quoted-printable, where an address goes on. `n=40` is a number.
fn quoted_printable(text: &str, at: usize) -> Option<(Span, String)> {
    let sign = match text.get(at + 1..at + 3)? {
        "40" => "@",
        "2E" | "2e" => ".",
        "2D" | "2d" => "-",
        "5F" | "5f" => "_",
        _ => return None,
    };
    let end = at + 3;
    let word = |c: char| c.is_alphanumeric();
    if !text[..at].ends_with(word) || !text[end..].starts_with(word) {
        return None;
    }
    if sign == "@" {
        goes_on_as_domain(&text[end..]).then_some(())?;
    }
    Some((Span::new(at, end), sign.to_owned()))
}

/// `(at)`, `[dot]`, `[.]`, `{@}` between words, with a space before and after at most.
fn spelled(text: &str, at: usize, floor: usize) -> Option<(Span, String)> {
    let rest = &text[at..];
    let close = match rest.as_bytes()[0] {
        b'(' => ')',
        b'[' => ']',
        _ => '}',
    };
    let end = rest.bytes().take(6).position(|byte| byte == close as u8)?;
    let sign = match rest.get(1..end)?.trim().to_ascii_lowercase().as_str() {
        "at" | "@" => "@",
        "dot" | "." | "punkt" | "punto" => ".",
        _ => return None,
    };
    let before = text[..at].strip_suffix(' ').map_or(at, str::len);
    let end = at + end + 1;
    let after = end + usize::from(text[end..].starts_with(' '));
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let between = text[..before].ends_with(word) && text[after..].starts_with(word);
    let addressed = sign == "." || goes_on_as_domain(&text[after..]);
    (between && addressed).then(|| (Span::new(before.max(floor), after), sign.to_owned()))
}

/// Whether a label and then a point follows, however the point is written.
fn goes_on_as_domain(rest: &str) -> bool {
    let label = rest.chars().take(64).take_while(|c| c.is_alphanumeric() || *c == '-');
    let label: usize = label.map(char::len_utf8).sum();
    let rest = &rest[label..];
    let point = |c: char| matches!(c, '(' | '[' | '{' | '%' | '=' | '&');
    rest.strip_prefix('.').is_some_and(|top| top.starts_with(char::is_alphanumeric))
        || rest.strip_prefix(' ').unwrap_or(rest).starts_with(point)
}
