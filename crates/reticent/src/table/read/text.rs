//! From bytes to text, with how to go back.

use std::borrow::Cow;

use reticent_text::format::encoding::Encoding;

use crate::table::source::Coding;
use crate::{Error, ErrorKind};

const MARK: char = '\u{feff}';

/// The text of a file without its byte order mark. What is neither UTF-8 nor marked must be named by the
/// user: a guess that is wrong would hide names from the detectors.
pub(super) fn decode(bytes: &[u8], named: Option<Encoding>) -> Result<(Cow<'_, str>, Coding), Error> {
    let encoding = match bytes {
        [0xff, 0xfe, ..] => Some(Encoding::from_label("utf-16le")?),
        [0xfe, 0xff, ..] => Some(Encoding::from_label("utf-16be")?),
        [0xef, 0xbb, 0xbf, ..] => None,
        _ => named.filter(|encoding| encoding.name() != "UTF-8"),
    };
    let text = match encoding {
        Some(encoding) => Cow::Owned(encoding.decode(bytes)?),
        None => Cow::Borrowed(std::str::from_utf8(bytes).map_err(|error| not_utf_8(error.valid_up_to()))?),
    };
    if memchr::memchr(0, text.as_bytes()).is_some() {
        return Err(Error::new(ErrorKind::Format, "the file is binary, or UTF-16 without a byte order mark")
            .with_hint("set --input-format or --encoding"));
    }
    let mark = text.starts_with(MARK);
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix(MARK).unwrap_or(text)),
        Cow::Owned(mut text) => {
            if mark {
                text.drain(..MARK.len_utf8());
            }
            Cow::Owned(text)
        }
    };
    Ok((text, Coding { encoding, mark }))
}

fn not_utf_8(at: usize) -> Error {
    Error::new(ErrorKind::Format, format!("the file is not UTF-8 at byte {at}"))
        .with_hint("set the encoding, for example --encoding windows-1252")
}

/// The bytes of a text, as it was read.
pub(in crate::table) fn encode(mut text: String, coding: Coding) -> Result<Vec<u8>, Error> {
    if coding.mark {
        text.insert(0, MARK);
    }
    match coding.encoding {
        Some(encoding) => Ok(encoding.encode(&text)?),
        None => Ok(text.into_bytes()),
    }
}
