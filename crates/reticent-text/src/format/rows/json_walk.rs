//! The strings, numbers and names in a JSON value, with their places.
//!
//! The value was checked by a parser before, so that nothing here needs to look for errors.

use std::ops::Range;

use crate::{Error, ErrorKind};

/// How deep values may nest.
const MAX_DEPTH: usize = 128;

/// Something in a JSON value that can hold text.
pub(super) enum Leaf {
    /// The inside of a string.
    String(Range<usize>),
    /// A number.
    Number(Range<usize>),
    /// The inside of a member's name, in the object of this number.
    Key(Range<usize>, usize),
}

/// An object or array that is open.
struct Open {
    /// The number of the object; nothing for an array.
    object: Option<usize>,
    /// How long the path of the value itself is.
    path: usize,
}

/// Calls `visit` with everything in `value` that can hold text, in order, and its path such as `visits[].note`.
/// `objects` counts the objects.
pub(super) fn walk(
    text: &str,
    value: Range<usize>,
    path: &mut String,
    objects: &mut usize,
    mut visit: impl FnMut(&str, Leaf) -> Result<(), Error>,
) -> Result<(), Error> {
    let bytes = text.as_bytes();
    let mut stack: Vec<Open> = Vec::new();
    let mut at = value.start;
    let mut expects_key = false;
    while at < value.end {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                let inside = at + 1..end - 1;
                at = end;
                match stack.last() {
                    Some(Open { object: Some(object), path: own }) if expects_key => {
                        path.truncate(*own);
                        visit(path, Leaf::Key(inside.clone(), *object))?;
                        if !path.is_empty() {
                            path.push('.');
                        }
                        // A name with escapes is not a path that anyone would write.
                        let plain = !text[inside.clone()].contains('\\');
                        path.push_str(if plain { &text[inside] } else { "{}" });
                        expects_key = false;
                    }
                    _ => visit(path, Leaf::String(inside))?,
                }
            }
            b'-' | b'0'..=b'9' => {
                let number = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
                let len = bytes[at..value.end].iter().take_while(|byte| number(byte)).count();
                visit(path, Leaf::Number(at..at + len))?;
                at += len;
            }
            open @ (b'{' | b'[') => {
                if stack.len() == MAX_DEPTH {
                    return Err(Error::new(
                        ErrorKind::Limit,
                        format!("the row is nested deeper than {MAX_DEPTH} levels"),
                    ));
                }
                let own = path.len();
                expects_key = open == b'{';
                let object = expects_key.then_some(*objects);
                *objects += usize::from(expects_key);
                if !expects_key {
                    path.push_str("[]");
                }
                stack.push(Open { object, path: own });
                at += 1;
            }
            b'}' | b']' => {
                if let Some(open) = stack.pop() {
                    path.truncate(open.path);
                }
                expects_key = false;
                at += 1;
            }
            b',' => {
                expects_key = stack.last().is_some_and(|open| open.object.is_some());
                at += 1;
            }
            // White space, colons, and the letters of true, false and null.
            _ => at += 1,
        }
    }
    Ok(())
}

/// Where the string that begins at a quote ends, with its quotes.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(json: &str) -> Vec<(String, String)> {
        let mut all = Vec::new();
        walk(json, 0..json.len(), &mut String::new(), &mut 0, |path, leaf| {
            let (mark, range) = match leaf {
                Leaf::String(range) => ('s', range),
                Leaf::Number(range) => ('n', range),
                Leaf::Key(range, _) => ('k', range),
            };
            all.push((path.to_owned(), format!("{mark}{}", &json[range])));
            Ok(())
        })
        .unwrap();
        all
    }

    #[test]
    fn visits_everything_with_its_path() {
        let json = r#"{"a":"x","b":[1,{"c":"y"},[-2e3]],"d":{"e":{"f":"z"},"g":true},"h":null,"i\"":""}"#;
        let expected = [
            ("", "ka"),
            ("a", "sx"),
            ("", "kb"),
            ("b[]", "n1"),
            ("b[]", "kc"),
            ("b[].c", "sy"),
            ("b[][]", "n-2e3"),
            ("", "kd"),
            ("d", "ke"),
            ("d.e", "kf"),
            ("d.e.f", "sz"),
            ("d", "kg"),
            ("", "kh"),
            ("", "ki\\\""),
            ("{}", "s"),
        ];
        let expected: Vec<(String, String)> =
            expected.iter().map(|(path, leaf)| ((*path).to_owned(), (*leaf).to_owned())).collect();
        assert_eq!(leaves(json), expected);
    }

    #[test]
    fn refuses_what_nests_too_deep() {
        let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
        let error = walk(&deep, 0..deep.len(), &mut String::new(), &mut 0, |_, _| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
    }
}
