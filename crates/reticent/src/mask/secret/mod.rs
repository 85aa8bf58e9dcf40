//! Masks that need a secret: keyed pseudonyms, hashes, encryption, secret offsets.
//!
//! From one [`Key`] a separate key is derived for each purpose, so that what is seen of one tells
//! nothing about another. The same name always gives the same code: names are compared without
//! regard to case, width, and kind or amount of white space.

mod encrypt;
mod key;

pub use encrypt::{decrypt, encrypt};
pub use key::Key;

use data_encoding::HEXLOWER;
use unicode_normalization::UnicodeNormalization;

use crate::EntityType;

/// Digits and capitals without those that are easily mistaken (I, L, O, U), as Crockford chose them.
const SYMBOLS: [char; 32] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'M',
    'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
];

/// The name of the `number`th entity of its type in a document: `[PERSON 1]`.
pub fn pseudonym(entity_type: &EntityType, number: usize) -> String {
    format!("[{entity_type} {number}]")
}

/// A name that is the same in all documents masked with the same key: `[PERSON 7QF2M8X1TB]`.
///
/// Its ten characters are 50 bits: among 100,000 persons, the chance that any two share a name is
/// below 1 in 200,000.
pub fn keyed_pseudonym(key: &Key, entity_type: &EntityType, surface: &str) -> String {
    let tag = key.tag("pseudonym", &[entity_type.as_str().as_bytes(), normalized(surface).as_bytes()]);
    // A byte has eight times as many values as there are symbols, so each is as likely.
    let code: String = tag[..10].iter().map(|byte| SYMBOLS[usize::from(byte % 32)]).collect();
    format!("[{entity_type} {code}]")
}

/// A keyed hash of the words (HMAC-SHA-256, 64 bits of it): `[PERSON #3f9a0c1b2d4e5f60]`.
/// Without the key nobody can try names out.
pub fn hash(key: &Key, entity_type: &EntityType, surface: &str) -> String {
    let tag = key.tag("hash", &[entity_type.as_str().as_bytes(), normalized(surface).as_bytes()]);
    format!("[{entity_type} #{}]", HEXLOWER.encode(&tag[..8]))
}

/// By how many days the dates of a person are moved: at most `max_days` either way, never 0.
pub fn shift_offset(key: &Key, person: &str, max_days: u32) -> i32 {
    // A century is more than any use needs, and keeps the sums in range.
    let max_days = i64::from(max_days.clamp(1, 36_500));
    let tag = key.tag("shift", &[normalized(person).as_bytes()]);
    let random = tag[..8].iter().fold(0u64, |sum, byte| (sum << 8) | u64::from(*byte));
    let choice = i64::try_from(random % (2 * max_days.unsigned_abs())).unwrap_or(0) - max_days;
    let offset = if choice >= 0 { choice + 1 } else { choice };
    i32::try_from(offset).unwrap_or(1)
}

/// The words in one form, whatever their case, width and white space.
fn normalized(surface: &str) -> String {
    let folded: String =
        surface.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> Key {
        Key::from_file_bytes(&[b'0'; 31].iter().copied().chain([1]).collect::<Vec<u8>>()).expect("32 bytes")
    }

    #[test]
    fn the_same_name_gives_the_same_code() {
        let person = EntityType::PERSON;
        for other in ["ana ruiz", "ANA  RUIZ", " Ana\u{a0}Ruiz\n", "Ａｎａ Ruiz"] {
            assert_eq!(hash(&key(), &person, "Ana Ruiz"), hash(&key(), &person, other));
            assert_eq!(keyed_pseudonym(&key(), &person, "Ana Ruiz"), keyed_pseudonym(&key(), &person, other));
        }
        for other in ["Ana Ruíz", "AnaRuiz", "Ana", ""] {
            assert_ne!(hash(&key(), &person, "Ana Ruiz"), hash(&key(), &person, other));
        }
        assert_ne!(hash(&key(), &person, "Ana")[8..], hash(&key(), &EntityType::NAME, "Ana")[6..]);
    }

    #[test]
    fn codes_do_not_change_between_versions() {
        // Computed with Python's hmac.
        assert_eq!(hash(&key(), &EntityType::PERSON, "Ana Ruiz"), "[PERSON #c69db5743967d323]");
        assert_eq!(keyed_pseudonym(&key(), &EntityType::PERSON, "Ana Ruiz"), "[PERSON AT8SMPTHAZ]");
        assert_eq!(shift_offset(&key(), "Ana Ruiz", 182), -37);
        assert_eq!(pseudonym(&EntityType::PERSON, 2), "[PERSON 2]");
    }

    #[test]
    fn another_key_gives_another_code() {
        let other = Key::generate().expect("randomness");
        assert_ne!(hash(&key(), &EntityType::PERSON, "Ana"), hash(&other, &EntityType::PERSON, "Ana"));
    }

    proptest! {
        #[test]
        fn offsets_are_never_zero(person in any::<String>(), max in any::<u32>()) {
            let offset = shift_offset(&key(), &person, max);
            prop_assert!(offset != 0);
            prop_assert!(offset.unsigned_abs() <= max.max(1));
            prop_assert_eq!(offset, shift_offset(&key(), &person, max));
        }
    }
}
