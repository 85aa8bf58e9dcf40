//! Words encrypted in place, for whoever has the key.
//!
//! AES-256-SIV (RFC 5297): the same words give the same token, and no token can be changed
//! unnoticed. The type is authenticated with the words, and the words are padded to full blocks, so
//! that a token tells their length only roughly. A token is `[TYPE:r1…]` in letters, digits, `-` and
//! `_`, which every document format leaves alone.

use aes_siv::KeyInit;
use aes_siv::siv::Aes256Siv;
use data_encoding::BASE64URL_NOPAD;
use zeroize::Zeroizing;

use super::Key;
use crate::{EntityType, Error, ErrorKind};

/// Marks a token, and its version.
const MARK: &str = "r1";

/// The words have this many bytes, or a multiple.
const BLOCK: usize = 16;

/// Encrypts the words of an entity: `[PERSON:r1…]`.
pub fn encrypt(key: &Key, entity_type: &EntityType, surface: &str) -> Result<String, Error> {
    let mut padded = Zeroizing::new(surface.as_bytes().to_vec());
    padded.push(0x80);
    let length = padded.len().next_multiple_of(BLOCK);
    padded.resize(length, 0);
    let sealed = cipher(key).encrypt([entity_type.as_str().as_bytes()], &padded).map_err(|_| {
        Error::new(ErrorKind::Key, format!("a {} could not be encrypted", entity_type.words()))
    })?;
    Ok(format!("[{entity_type}:{MARK}{}]", BASE64URL_NOPAD.encode(&sealed)))
}

/// The text with all tokens decrypted. A token that was changed, cut, or made with another key is an
/// error that says at which byte it stands.
///
/// ```
/// use reticent::{EntityType, mask};
/// let key = mask::Key::generate()?;
/// let text = format!("Dear {},", mask::encrypt(&key, &EntityType::PERSON, "Ana Ruiz")?);
/// assert_eq!(mask::decrypt(&key, &text)?, "Dear Ana Ruiz,");
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn decrypt(key: &Key, text: &str) -> Result<String, Error> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        match token(rest) {
            None => {
                plain.push('[');
                rest = &rest[1..];
            }
            Some((entity_type, sealed)) => {
                let position = text.len() - rest.len();
                let (words, length) = open(key, entity_type, sealed).ok_or_else(|| {
                    Error::new(
                        ErrorKind::Key,
                        format!("the encrypted value at byte {position} cannot be decrypted"),
                    )
                    .with_hint("check that the text was encrypted with this key and has not been changed")
                })?;
                plain.push_str(&words);
                // `[`, the type, `:` and the mark stand before, `]` after.
                rest = &rest[entity_type.len() + MARK.len() + length + 3..];
            }
        }
    }
    plain.push_str(rest);
    Ok(plain)
}

/// If a token starts here: its type, and what follows its mark.
fn token(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?;
    // A longer name is none of ours; the limit keeps a text full of brackets linear.
    let name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let length = inside.bytes().take(100).take_while(name).count();
    let sealed = inside[length..].strip_prefix(':')?.strip_prefix(MARK)?;
    (length > 0).then_some((&inside[..length], sealed))
}

/// The words of a token, and how many characters they took.
fn open(key: &Key, entity_type: &str, sealed: &str) -> Option<(Zeroizing<String>, usize)> {
    let length = sealed.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')?;
    if !sealed[length..].starts_with(']') {
        return None;
    }
    let bytes = BASE64URL_NOPAD.decode(&sealed.as_bytes()[..length]).ok()?;
    let mut words = Zeroizing::new(cipher(key).decrypt([entity_type.as_bytes()], &bytes).ok()?);
    let end = words.iter().rposition(|byte| *byte != 0).filter(|end| words[*end] == 0x80)?;
    words.truncate(end);
    Some((Zeroizing::new(std::str::from_utf8(&words).ok()?.to_owned()), length))
}

fn cipher(key: &Key) -> Aes256Siv {
    let mut both = Zeroizing::new([0; 64]);
    both[..32].copy_from_slice(key.tag("encrypt", &[b"authentication"]).as_ref());
    both[32..].copy_from_slice(key.tag("encrypt", &[b"encryption"]).as_ref());
    Aes256Siv::new((&*both).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> Key {
        Key::from_file_bytes(&(0..32).collect::<Vec<u8>>()).expect("32 bytes")
    }

    fn token_of(words: &str) -> String {
        encrypt(&key(), &EntityType::PERSON, words).expect("encrypted")
    }

    #[test]
    fn leaves_other_brackets_alone() {
        for text in [
            "",
            "[PERSON]",
            "[PERSON 1]",
            "[NOTE: r1]",
            "[note:r1x]",
            "[[",
            "]",
            "[É:r1]",
            "[:r1]",
            "a[b](c)",
        ] {
            assert_eq!(decrypt(&key(), text).expect("no token"), text);
        }
    }

    #[test]
    fn a_changed_token_is_an_error_that_says_where() {
        let token = token_of("Ana Ruiz");
        let other = token.replace("PERSON", "NAME");
        let cut = &token[..token.len() - 1];
        let short = "[PERSON:r1]";
        for bad in [other.as_str(), cut, short, "[PERSON:r1AAAA]", "[PERSON:r1"] {
            let error = decrypt(&key(), &format!("Hi {bad}")).expect_err("changed");
            assert_eq!(error.kind(), ErrorKind::Key);
            assert!(error.to_string().contains("byte 3"), "{error}");
        }
        let stranger = Key::generate().expect("randomness");
        assert!(decrypt(&stranger, &token).is_err());
    }

    #[test]
    fn tokens_tell_length_only_roughly() {
        assert_eq!(token_of("Ana").len(), token_of("Ana Maria").len());
        assert_eq!(token_of("Ana"), token_of("Ana"));
        assert_ne!(token_of("Ana"), token_of("ana"));
    }

    proptest! {
        #[test]
        fn all_words_come_back(before in any::<String>(), words in any::<String>(), after in any::<String>()) {
            let text = format!("{before}{}{after}", token_of(&words));
            // Only random text that itself looks like a token could fail.
            prop_assert_eq!(decrypt(&key(), &text).expect("decrypted"), format!("{before}{words}{after}"));
        }

        #[test]
        fn any_change_is_noticed(words in any::<String>(), place in any::<prop::sample::Index>(), by in 1..64u8) {
            let token = token_of(&words);
            let symbols = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            let mut bytes = token.into_bytes();
            let (start, end) = ("[PERSON:r1".len(), bytes.len() - 1);
            let at = start + place.index(end - start);
            let old = symbols.iter().position(|symbol| *symbol == bytes[at]).expect("a symbol");
            bytes[at] = symbols[(old + usize::from(by)) % 64];
            let changed = String::from_utf8(bytes).expect("ASCII");
            prop_assert!(decrypt(&key(), &changed).is_err());
        }
    }
}
