//! Signs that are written by a code or a word: `&#64;`, `\u0040`, `=40`, `%40`, `(at)`.

/// The end of what is written for other signs at this place, and those signs.
pub(super) fn at(text: &str, at: usize) -> Option<(usize, String)> {
    match text.as_bytes()[at] {
        b'&' => entity(text, at),
        b'\\' => backslash(text, at),
        b'=' | b'%' => hexadecimal(text, at),
        b' ' | b'(' | b'[' | b'{' => bracketed(text, at),
        _ => None,
    }
}

fn entity(text: &str, at: usize) -> Option<(usize, String)> {
    const NAMED: &[(&str, char)] = &[
        ("nbsp", ' '),
        ("ensp", ' '),
        ("emsp", ' '),
        ("thinsp", ' '),
        ("commat", '@'),
        ("period", '.'),
        ("hyphen", '-'),
        ("dash", '-'),
        ("ndash", '-'),
        ("mdash", '-'),
        ("minus", '-'),
        ("lowbar", '_'),
        ("colon", ':'),
        ("sol", '/'),
        ("plus", '+'),
        ("lpar", '('),
        ("rpar", ')'),
        ("num", '#'),
        ("shy", '\u{ad}'),
        ("zwj", '\u{200d}'),
        ("zwnj", '\u{200c}'),
        ("ZeroWidthSpace", '\u{200b}'),
    ];
    let rest = &text.as_bytes()[at + 1..];
    let length = rest.iter().take(16).position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
    let name = &text[at + 1..at + 1 + length.unwrap_or(rest.len().min(16))];
    let end = at + 1 + name.len();
    let end = if text[end..].starts_with(';') { end + 1 } else { end };
    let decoded = match name.strip_prefix('#') {
        Some(code) => {
            let code = match code.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => code.parse().ok()?,
            };
            char::from_u32(code)?
        }
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((end, decoded.to_string()))
}

fn backslash(text: &str, at: usize) -> Option<(usize, String)> {
    let digits = match text.as_bytes().get(at + 1)? {
        b'u' => 4,
        b'x' => 2,
        _ => return None,
    };
    let end = at + 2 + digits;
    let code = text.get(at + 2..end).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((end, char::from_u32(u32::from_str_radix(code, 16).ok()?)?.to_string()))
}

/// `ana=40example.org` and `ana%40example.org`; not `n=40` and `50%`, which nothing follows, and only signs of
/// addresses and numbers.
fn hexadecimal(text: &str, at: usize) -> Option<(usize, String)> {
    let code = text.get(at + 1..at + 3).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let decoded = char::from(u8::from_str_radix(code, 16).ok()?);
    let before = text[..at].chars().next_back()?;
    let after = text[at + 3..].chars().next()?;
    let joins = matches!(decoded, '@' | '.' | '-' | '_' | '+' | ' ');
    let letters = before.is_alphanumeric() && (after.is_alphabetic() || after.is_numeric() && decoded != '@');
    (joins && letters).then(|| (at + 3, decoded.to_string()))
}

/// `(at)`, `[at]`, `(dot)`, `[.]` between words, with the blanks around.
fn bracketed(text: &str, at: usize) -> Option<(usize, String)> {
    const WRITTEN: &[(&str, &str)] =
        &[("at", "@"), ("@", "@"), ("dot", "."), (".", "."), ("punto", "."), ("arroba", "@")];
    if !text[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let open = text[at..].find(|c| c != ' ').filter(|blanks| *blanks <= 2)? + at;
    let close = match text.as_bytes()[open] {
        b'(' => ')',
        b'[' => ']',
        b'{' => '}',
        _ => return None,
    };
    let inside = &text[open + 1..];
    let length = inside.char_indices().take(10).find(|(_, c)| *c == close)?.0;
    let word = inside[..length].trim().to_lowercase();
    let (_, stands_for) = WRITTEN.iter().find(|(written, _)| *written == word)?;
    let after = open + 1 + length + 1;
    let end = after + text[after..].len() - text[after..].trim_start_matches(' ').len();
    text[end..].starts_with(char::is_alphanumeric).then(|| (end, (*stands_for).to_owned()))
}
