//! Text that is not UTF-8: read strictly, written back in the same encoding.
//!
//! A file in another encoding is turned into UTF-8, goes its way as such, and is turned back. What
//! cannot be turned back byte for byte is refused at once.
//!
//! ```
//! use reticent_text::format::encoding::Encoding;
//! let latin = Encoding::from_label("windows-1252")?;
//! let text = latin.decode(b"Jos\xe9")?;
//! assert_eq!(text, "José");
//! assert_eq!(latin.encode(&text)?, b"Jos\xe9");
//! assert!(latin.encode("Łukasz").is_err());
//! # Ok::<(), reticent_text::Error>(())
//! ```

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE};

use crate::{Error, ErrorKind};

/// A character encoding, by one of its names on the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The encoding of that name: `windows-1252`, `latin1`, `utf-16le`, `shift_jis`, …
    pub fn from_label(label: &str) -> Result<Self, Error> {
        let unknown = || {
            Error::new(ErrorKind::Encoding, "unknown encoding")
                .with_hint("use a name from the WHATWG Encoding Standard: utf-8, windows-1252, utf-16le, …")
        };
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).ok_or_else(unknown)?;
        // The standard's stand-in for encodings that must not be read.
        if encoding == encoding_rs::REPLACEMENT { Err(unknown()) } else { Ok(Self(encoding)) }
    }

    /// Its proper name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The text of these bytes. A byte order mark stays, as the character U+FEFF.
    pub fn decode(self, bytes: &[u8]) -> Result<String, Error> {
        let text = self
            .0
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(Cow::into_owned)
            .ok_or_else(|| {
                Error::new(ErrorKind::Encoding, format!("the file is not valid {}", self.name()))
            })?;
        if self.encode(&text)? != bytes {
            return Err(Error::new(
                ErrorKind::Encoding,
                format!("the file cannot be written back unchanged in {}", self.name()),
            )
            .with_hint("convert the file to UTF-8 first"));
        }
        Ok(text)
    }

    /// The bytes of this text; an error if a character does not exist in the encoding.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Error> {
        if self.0 == UTF_16LE {
            return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        }
        if self.0 == UTF_16BE {
            return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        }
        let (bytes, _, unwritable) = self.0.encode(text);
        if unwritable {
            return Err(Error::new(
                ErrorKind::Encoding,
                format!("a replacement has a character that cannot be encoded in {}", self.name()),
            )
            .with_hint("use replacements in plain letters, or convert the file to UTF-8 first"));
        }
        Ok(bytes.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn goes_there_and_back() {
        for (label, bytes) in [
            ("utf-16le", b"\xff\xfeA\0\xe9\0".as_slice()),
            ("utf-16be", b"\xfe\xff\0A"),
            ("latin1", b"Jos\xe9\r\n"),
            ("shift_jis", b"\x93\x8c\x8b\x9e"),
            ("utf-8", "é".as_bytes()),
        ] {
            let encoding = Encoding::from_label(label).unwrap();
            assert_eq!(encoding.encode(&encoding.decode(bytes).unwrap()).unwrap(), bytes, "{label}");
        }
    }

    #[test]
    fn refuses_what_it_cannot_read_or_write() {
        assert!(Encoding::from_label("klingon").is_err());
        assert!(Encoding::from_label("iso-2022-kr").is_err());
        let utf_16 = Encoding::from_label("utf-16le").unwrap();
        assert!(utf_16.decode(b"A").is_err());
        assert!(utf_16.decode(b"\0\xd8A\0").is_err());
    }

    proptest! {
        #[test]
        fn never_changes_bytes(bytes in prop::collection::vec(any::<u8>(), 0..40), at in 0..6usize) {
            let label = ["windows-1252", "utf-16le", "shift_jis", "gb18030", "iso-2022-jp", "big5"][at];
            let encoding = Encoding::from_label(label).unwrap();
            if let Ok(text) = encoding.decode(&bytes) {
                prop_assert_eq!(encoding.encode(&text).unwrap(), bytes);
            }
        }
    }
}
