//! Banks and wallets.

use sha2::{Digest, Sha256};

use super::digits::{compact, digits, weighted};

/// ISO 13616.
pub(super) fn iban(value: &str) -> bool {
    let bytes = compact(value);
    if !(15..=34).contains(&bytes.len()) {
        return false;
    }
    let moved = bytes[4..].iter().chain(&bytes[..4]);
    let rest = moved.fold(0u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    });
    rest == 1
}

/// US bank routing number.
pub(super) fn aba(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 9
        && digits.iter().any(|digit| *digit != 0)
        && weighted(&digits, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10)
}

const BASE58: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Bitcoin address of the old kinds (1… and 3…): 21 bytes and the start of their double hash.
pub(super) fn base58check(value: &str) -> bool {
    let mut bytes = [0u8; 25];
    for symbol in value.bytes() {
        let Some(digit) = BASE58.iter().position(|known| *known == symbol) else { return false };
        let mut carry = digit;
        for byte in bytes.iter_mut().rev() {
            carry += usize::from(*byte) * 58;
            *byte = carry.to_le_bytes()[0];
            carry >>= 8;
        }
        if carry != 0 {
            return false;
        }
    }
    let hash = Sha256::digest(Sha256::digest(&bytes[..21]));
    value.len() >= 25 && hash[..4] == bytes[21..]
}

const BECH32: &[u8] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

/// Bitcoin segwit address (bc1…).
pub(super) fn bech32(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let Some((prefix, data)) = value.rsplit_once('1') else { return false };
    let polymod = |checksum: u32, symbol: u32| {
        let top = checksum >> 25;
        let shifted = ((checksum & 0x01ff_ffff) << 5) ^ symbol;
        let mixed = |mix: u32, (bit, generator): (usize, &u32)| {
            if top >> bit & 1 == 1 { mix ^ generator } else { mix }
        };
        GENERATOR.iter().enumerate().fold(shifted, mixed)
    };
    let mut checksum = 1;
    for byte in prefix.bytes() {
        checksum = polymod(checksum, u32::from(byte >> 5));
    }
    checksum = polymod(checksum, 0);
    for byte in prefix.bytes() {
        checksum = polymod(checksum, u32::from(byte & 31));
    }
    for byte in data.bytes() {
        let Some(symbol) = (0u32..).zip(BECH32).find(|(_, known)| **known == byte) else { return false };
        checksum = polymod(checksum, symbol.0);
    }
    !prefix.is_empty() && data.len() >= 6 && (checksum == 1 || checksum == 0x2bc8_30a3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iban_tells_accounts() {
        for good in [
            "GB82 WEST 1234 5698 7654 32",
            "ES9121000418450200051332",
            "de89370400440532013000",
            "NO9386011117947",
        ] {
            assert!(iban(good), "{good}");
        }
        for bad in ["GB82 WEST 1234 5698 7654 33", "ES9121000418450200051323", "GB82", ""] {
            assert!(!iban(bad), "{bad}");
        }
    }

    #[test]
    fn aba_tells_banks() {
        assert!(aba("021000021"));
        assert!(aba("011401533"));
        assert!(!aba("021000022"));
        assert!(!aba("000000000"));
    }

    #[test]
    fn wallets_prove_themselves() {
        assert!(base58check("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"));
        assert!(base58check("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"));
        assert!(!base58check("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"));
        assert!(!base58check("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNL0"));
        assert!(bech32("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"));
        assert!(bech32("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"));
        assert!(!bech32("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp"));
        assert!(!bech32("bc1"));
    }
}
