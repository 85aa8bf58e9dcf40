//! The secret that masks are made with.

use std::fmt;

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER_PERMISSIVE};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::{Error, ErrorKind};

/// 32 secret bytes. Wiped from memory when dropped, and never shown.
///
/// ```
/// use reticent::mask::Key;
/// let key = Key::from_file_bytes(&[b"0f1e".repeat(16), b"\n".to_vec()].concat())?;
/// assert_eq!(format!("{key:?}"), "Key(..)");
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone)]
pub struct Key(Zeroizing<[u8; 32]>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// A new key from the randomness of the operating system.
    pub fn generate() -> Result<Self, Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut()).map_err(|_| {
            Error::new(ErrorKind::Key, "the operating system provided no random bytes for a key")
        })?;
        Ok(Self(bytes))
    }

    /// The key that a file holds: 64 hexadecimal digits, or 32 bytes in base64, either with white
    /// space around; or 32 bytes as they are.
    pub fn from_file_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let text = bytes.trim_ascii();
        let unpadded = text.strip_suffix(b"=").unwrap_or(text);
        let decoded = if let Ok(raw) = <[u8; 32]>::try_from(bytes) {
            Some(Zeroizing::new(raw.to_vec()))
        } else {
            [(64, HEXLOWER_PERMISSIVE), (43, BASE64_NOPAD), (43, BASE64URL_NOPAD)]
                .iter()
                .filter(|(length, _)| unpadded.len() == *length)
                .find_map(|(_, encoding)| encoding.decode(unpadded).ok())
                .map(Zeroizing::new)
        };
        let mut key = Zeroizing::new([0; 32]);
        match decoded {
            Some(decoded) if decoded.len() == 32 => key.copy_from_slice(&decoded),
            _ => {
                let message = format!("a file of {} bytes is not a valid key", bytes.len());
                return Err(Error::new(ErrorKind::Key, message)
                    .with_hint("a key is 64 hexadecimal digits, or 32 bytes, raw or in base64"));
            }
        }
        if key.iter().all(|byte| *byte == key[0]) {
            return Err(Error::new(ErrorKind::Key, "a key of 32 identical bytes is not secret")
                .with_hint("generate a random key, for example with: openssl rand -hex 32"));
        }
        Ok(Self(key))
    }

    /// The key as 64 hexadecimal digits, to be written to a file that only its owner can read.
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(HEXLOWER_PERMISSIVE.encode(self.0.as_ref()))
    }

    /// HMAC-SHA-256 of the parts, under a key derived for `purpose`.
    pub(crate) fn tag(&self, purpose: &str, parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
        let derived = hmac(&self.0, &[b"reticent 1", purpose.as_bytes()]);
        hmac(&derived, parts)
    }
}

/// Each part goes in with its length, so that no two lists of parts look the same.
fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    // HMAC fills a key up to a block with zeros; so do we, and need no check of its length.
    let mut block = Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new((&*block).into());
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    Zeroizing::new(mac.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_all_notations_of_one_key() {
        let raw: Vec<u8> = (0..32).collect();
        let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F\n";
        let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        for bytes in [raw.as_slice(), hex.as_bytes(), base64.as_bytes(), &base64.as_bytes()[..43]] {
            let key = Key::from_file_bytes(bytes).expect("a key");
            assert_eq!(key.0.as_slice(), raw);
            assert_eq!(key.to_hex().as_str(), hex.trim().to_lowercase());
        }
    }

    #[test]
    fn refuses_what_is_no_key() {
        for bytes in [&b""[..], b"secret", &[7; 32], &[b'g'; 64], &[1; 33], b"===="] {
            let error = Key::from_file_bytes(bytes).expect_err("no key");
            assert_eq!(error.kind(), ErrorKind::Key);
            assert!(error.hint().is_some());
            assert!(!error.to_string().contains("secret") || bytes.len() == 32);
        }
    }

    proptest! {
        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = Key::from_file_bytes(&bytes);
        }
    }
}
