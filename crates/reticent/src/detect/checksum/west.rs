//! France, Germany, Italy, the Low Countries, Austria, Switzerland and Ireland.

use super::digits::{compact, digits, is_day, mod_11_10, number, pair, weighted};

/// French social security number: 13 digits (2A and 2B for Corsica) and a key.
pub(super) fn nir(value: &str) -> bool {
    let mut bytes = compact(value);
    if bytes.len() != 15 {
        return false;
    }
    let corsica = match &bytes[5..7] {
        b"2A" => 1_000_000,
        b"2B" => 2_000_000,
        _ => 0,
    };
    if corsica > 0 {
        bytes[6] = b'0';
    }
    match (number(&bytes[..13]), number(&bytes[13..])) {
        (Some(body), Some(key)) => 97 - (body - corsica) % 97 == key,
        _ => false,
    }
}

/// German tax identification number: one digit stands twice or thrice, not all once.
pub(super) fn tax_id(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 11 || digits[0] == 0 {
        return false;
    }
    let most = (0..10).map(|digit| digits[..10].iter().filter(|known| **known == digit).count()).max();
    matches!(most, Some(2 | 3)) && mod_11_10(&digits)
}

fn letter_or_digit(byte: u8) -> u32 {
    if byte.is_ascii_digit() { u32::from(byte - b'0') } else { u32::from(byte - b'A') + 10 }
}

/// German identity card or passport: nine characters and a digit.
pub(super) fn id_card(value: &str) -> bool {
    let bytes = compact(value);
    if bytes.len() != 10 || !bytes[9].is_ascii_digit() {
        return false;
    }
    let worths: Vec<u32> = bytes[..9].iter().map(|byte| letter_or_digit(*byte)).collect();
    weighted(&worths, &[7, 3, 1, 7, 3, 1, 7, 3, 1]) % 10 == u32::from(bytes[9] - b'0')
}

/// What a character at an odd place of the Italian code counts.
const ODD: [u32; 26] =
    [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/// Italian tax code.
pub(super) fn codice_fiscale(value: &str) -> bool {
    let bytes = compact(value);
    if bytes.len() != 16 {
        return false;
    }
    let index = |byte: u8| usize::from(if byte.is_ascii_digit() { byte - b'0' } else { byte - b'A' });
    let sum: usize = bytes[..15]
        .iter()
        .enumerate()
        .map(|(at, byte)| if at % 2 == 0 { ODD[index(*byte)] as usize } else { index(*byte) })
        .sum();
    usize::from(bytes[15]) == usize::from(b'A') + sum % 26
}

/// Dutch citizen number.
pub(super) fn bsn(value: &str) -> bool {
    let digits = digits(value);
    if !(8..=9).contains(&digits.len()) || digits.iter().all(|digit| *digit == 0) {
        return false;
    }
    let padded = [vec![0; 9 - digits.len()], digits].concat();
    let sum = weighted(&padded, &[9, 8, 7, 6, 5, 4, 3, 2]);
    sum % 11 == padded[8] && sum > 0
}

/// Belgian national number: a date of birth, a serial, and 97 minus the rest; from 2000 on, with a
/// 2 in front.
pub(super) fn be_national(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 11 {
        return false;
    }
    let join = |digits: &[u32]| digits.iter().fold(0u64, |number, digit| number * 10 + u64::from(*digit));
    let (body, check) = (join(&digits[..9]), join(&digits[9..]));
    // Month and day may be 0 if unknown, the month raised by 20 or 40 in other registers.
    let month = pair(&digits, 2) % 20;
    month <= 12
        && pair(&digits, 4) <= 31
        && [body, body + 2_000_000_000].iter().any(|body| 97 - body % 97 == check)
}

/// Austrian insurance number: the fourth digit checks the serial and the date of birth.
pub(super) fn svnr(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 10 || digits[0] == 0 {
        return false;
    }
    let sum = weighted(&digits, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]);
    let (day, month) = (pair(&digits, 4), pair(&digits, 6));
    sum % 11 == digits[3] && (is_day(month, day) || month >= 13)
}

/// Swiss insurance number (756…).
pub(super) fn ahv(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 13 && digits[..3] == [7, 5, 6] && {
        let sum = weighted(&digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]);
        (10 - sum % 10) % 10 == digits[12]
    }
}

/// Irish public service number: seven digits and one or two letters.
pub(super) fn pps(value: &str) -> bool {
    let bytes = compact(value);
    if !(8..=9).contains(&bytes.len()) || number(&bytes[..7]).is_none() {
        return false;
    }
    let digits: Vec<u32> = bytes[..7].iter().map(|byte| u32::from(byte - b'0')).collect();
    let second = match bytes.get(8) {
        None | Some(b'W' | b'T') => 0,
        Some(letter @ b'A'..=b'I') => u32::from(letter - b'A') + 1,
        Some(_) => return false,
    };
    let rest = (weighted(&digits, &[8, 7, 6, 5, 4, 3, 2]) + second * 9) % 23;
    b"WABCDEFGHIJKLMNOPQRSTUV"[rest as usize] == bytes[7]
}

#[cfg(test)]
mod tests {
    use super::super::digits::all;
    use super::*;

    #[test]
    fn france() {
        all(nir, &["2 55 08 14 168 025 38", "255081416802538"], &["255081416802539", "25508141680253"]);
    }

    #[test]
    fn germany() {
        all(tax_id, &["65929970489", "26954371827"], &["65929970488", "12345678901", "06592997048"]);
        all(id_card, &["T220001293", "L01X00T471"], &["T220001294", "T22000129A"]);
    }

    #[test]
    fn italy() {
        all(
            codice_fiscale,
            &["MRTMTT91D08F205J", "RSSMRA85T10A562S"],
            &["MRTMTT91D08F205K", "RSSMRA85T10A562"],
        );
    }

    #[test]
    fn low_countries() {
        all(bsn, &["111222333", "123456782"], &["123456789", "000000000", "12345"]);
        all(be_national, &["85.07.30-033 28", "93051822361"], &["85.07.30-033 29", "85073003"]);
    }

    #[test]
    fn alps() {
        all(svnr, &["1237 010180"], &["1238 010180", "0237 010180"]);
        all(ahv, &["756.9217.0769.85"], &["756.9217.0769.84", "755.9217.0769.85"]);
    }

    #[test]
    fn ireland() {
        all(pps, &["1234567T", "1234567FA"], &["1234567A", "1234567TZ", "123456T"]);
    }
}
