//! Spain and Portugal.

use super::digits::{compact, digits, number, weighted};

const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// Spanish DNI (eight digits) and NIE (X, Y or Z and seven digits), with their letter.
pub(super) fn nif(value: &str) -> bool {
    let mut bytes = compact(value);
    let Some(letter) = bytes.pop() else { return false };
    match bytes.first_mut() {
        Some(first @ b'X'..=b'Z') => *first = *first - b'X' + b'0',
        // K, L and M: Spaniards under 14, those abroad, and foreigners without NIE.
        Some(first @ b'K'..=b'M') => *first = b'0',
        _ => {}
    }
    bytes.len() == 8
        && number(&bytes)
            .and_then(|number| usize::try_from(number % 23).ok())
            .is_some_and(|rest| LETTERS[rest] == letter)
}

/// Spanish company number.
pub(super) fn cif(value: &str) -> bool {
    let bytes = compact(value);
    let ([kind, body @ .., check], 9) = (bytes.as_slice(), bytes.len()) else { return false };
    if !body.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let sum: u32 = (0..)
        .zip(body)
        .map(|(at, byte)| {
            let digit = u32::from(byte - b'0');
            let odd = digit * 2;
            if at % 2 == 0 { odd / 10 + odd % 10 } else { digit }
        })
        .sum();
    let control = (10 - sum % 10) % 10;
    let as_digit = u32::from(*check) == u32::from(b'0') + control;
    let as_letter = b"JABCDEFGHI"[control as usize] == *check;
    match kind {
        b'A' | b'B' | b'E' | b'H' => as_digit,
        b'N' | b'P' | b'Q' | b'R' | b'S' | b'W' => as_letter,
        b'C' | b'D' | b'F' | b'G' | b'J' | b'U' | b'V' => as_digit || as_letter,
        _ => false,
    }
}

/// Spanish social security number: province, serial, and the rest mod 97.
pub(super) fn nss(value: &str) -> bool {
    let digits: Vec<u64> = digits(value).into_iter().map(u64::from).collect();
    if digits.len() != 12 {
        return false;
    }
    let join = |digits: &[u64]| digits.iter().fold(0, |number, digit| number * 10 + digit);
    let (province, serial, check) = (join(&digits[..2]), join(&digits[2..10]), join(&digits[10..]));
    // Serials below ten million were written with one digit less when the check was computed.
    let number = if serial < 10_000_000 { serial + province * 10_000_000 } else { join(&digits[..10]) };
    (1..=66).contains(&province) && number % 97 == check
}

/// Portuguese tax number.
pub(super) fn pt_nif(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 9 || digits[0] == 0 {
        return false;
    }
    let rest = weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    (if rest < 2 { 0 } else { 11 - rest }) == digits[8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nif_has_a_letter() {
        for good in ["12345678Z", "12345678-z", "X1234567L", "Y-1234567-X", "Z1234567R", "K0867756N"] {
            assert!(nif(good), "{good}");
        }
        for bad in ["12345678A", "X1234567Z", "1234567Z", "", "ÑÑÑ"] {
            assert!(!nif(bad), "{bad}");
        }
    }

    #[test]
    fn cif_has_a_digit_or_a_letter() {
        for good in ["A58818501", "B-64717838", "J99216582", "P4900000C"] {
            assert!(cif(good), "{good}");
        }
        for bad in ["A58818502", "A5881850", "Z58818501", "A5881850A"] {
            assert!(!cif(bad), "{bad}");
        }
    }

    #[test]
    fn nss_is_divided_by_97() {
        assert!(nss("28 12345678 40"));
        assert!(!nss("28 12345678 41"));
        assert!(!nss("99 12345678 40"));
    }

    #[test]
    fn pt_nif_has_a_digit() {
        assert!(pt_nif("123456789"));
        assert!(pt_nif("501 964 843"));
        assert!(!pt_nif("123456780"));
        assert!(!pt_nif("012345678"));
    }
}
