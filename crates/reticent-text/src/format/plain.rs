//! Plain text, and what every format of text begins with: UTF-8, its mark, and no binary.

use super::builder::{Block, Builder};
use crate::{Document, Error, ErrorKind, Escape, RegionKind};

/// The byte order mark of UTF-8, which stays in the source and is no text.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads plain text: one region, its own source.
pub(crate) fn decode(id: &str, bytes: &[u8]) -> Result<Document, Error> {
    let (start, text) = text(bytes)?;
    let mut block = Block::default();
    block.push(0, start, text, Escape::None);
    let mut builder = Builder::default();
    builder.add_after("", block, RegionKind::Body, "");
    Ok(builder.finish(id))
}

/// The bytes as text, and where it starts after the byte order mark.
pub(crate) fn text(bytes: &[u8]) -> Result<(usize, &str), Error> {
    let start = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    if let Some(label) = utf_16_mark(bytes) {
        return Err(Error::new(ErrorKind::Encoding, "the file is in UTF-16, not in UTF-8")
            .with_hint(format!("--encoding {label}")));
    }
    if memchr::memchr(0, bytes).is_some() {
        return Err(Error::new(ErrorKind::Malformed, "the file is binary: it contains NUL bytes")
            .with_hint("if it is UTF-16 text, use --encoding utf-16le"));
    }
    match std::str::from_utf8(&bytes[start..]) {
        Ok(text) => Ok((start, text)),
        Err(error) => {
            let at = start + error.valid_up_to();
            let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count();
            Err(not_utf_8(at).at_line(line as u64))
        }
    }
}

/// The error for bytes that are not UTF-8, at this offset.
pub(crate) fn not_utf_8(at: usize) -> Error {
    Error::new(ErrorKind::Encoding, format!("not UTF-8 at byte {at}"))
        .with_hint("set the encoding, for example --encoding windows-1252")
}

fn utf_16_mark(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, ..] => Some("utf-16le"),
        [0xfe, 0xff, ..] => Some("utf-16be"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_mark_out_of_the_text() {
        let document = decode("a", b"\xef\xbb\xbfAna").unwrap();
        assert_eq!(document.text(), "Ana");
        assert_eq!(document.source().pieces()[0].source, 3..6);
    }

    #[test]
    fn refuses_what_is_no_text_and_says_what_to_do() {
        let error = decode("a", b"one\nJos\xe9 Smith").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encoding);
        assert_eq!(error.to_string(), "not UTF-8 at byte 7 (line 2)");
        assert!(error.hint().unwrap().contains("--encoding windows-1252"));
        let error = decode("a", b"\xff\xfeA\0").unwrap_err();
        assert!(error.hint().unwrap().contains("utf-16le"));
        assert_eq!(decode("a", b"PK\0\0").unwrap_err().kind(), ErrorKind::Malformed);
    }

    #[test]
    fn takes_nothing_for_an_empty_document() {
        let document = decode("a", b"").unwrap();
        assert_eq!((document.text(), document.regions().len()), ("", 1));
    }
}
