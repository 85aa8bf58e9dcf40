//! The United States, the United Kingdom, and vehicles.

use super::digits::{compact, digits, luhn_sum, weighted};

/// Vehicle identification number: the ninth character, as North America demands.
pub(super) fn vin(value: &str) -> bool {
    let bytes = compact(value);
    if bytes.len() != 17 {
        return false;
    }
    let worth = |byte: u8| match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0')),
        b'A'..=b'H' => Some(u32::from(byte - b'A') + 1),
        b'J'..=b'N' => Some(u32::from(byte - b'J') + 1),
        b'P' => Some(7),
        b'R' => Some(9),
        b'S'..=b'Z' => Some(u32::from(byte - b'S') + 2),
        _ => None,
    };
    let Some(worths) = bytes.iter().map(|byte| worth(*byte)).collect::<Option<Vec<u32>>>() else {
        return false;
    };
    let sum = weighted(&worths, &[8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    let check = if sum == 10 { b'X' } else { b'0' + u8::try_from(sum).unwrap_or(0) };
    bytes[8] == check && bytes[0] != bytes[16]
}

/// US prescriber number of the Drug Enforcement Administration.
pub(super) fn dea(value: &str) -> bool {
    let digits = digits(value);
    // A second letter may be a 9, the initial of a business without a name.
    let digits = &digits[digits.len().saturating_sub(7)..];
    digits.len() == 7 && {
        let sum = digits[0] + digits[2] + digits[4] + 2 * (digits[1] + digits[3] + digits[5]);
        sum % 10 == digits[6]
    }
}

/// US national provider identifier.
pub(super) fn npi(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 10 && luhn_sum(&[&[8, 0, 8, 4, 0], digits.as_slice()].concat()).is_multiple_of(10)
}

/// UK National Health Service number.
pub(super) fn nhs(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 10 || digits.iter().all(|digit| *digit == digits[0]) {
        return false;
    }
    let check = 11 - weighted(&digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    (if check == 11 { 0 } else { check }) == digits[9]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vin_tells_vehicles() {
        assert!(vin("1HGBH41JXMN109186"));
        assert!(vin("1M8GDM9AXKP042788"));
        assert!(!vin("1HGBH41J0MN109186"));
        assert!(!vin("1HGBH41JXMN10918I"));
    }

    #[test]
    fn dea_and_npi_tell_prescribers() {
        assert!(dea("AP5836727"));
        assert!(dea("BB1388568"));
        assert!(!dea("AP5836728"));
        assert!(!dea("é58367"));
        assert!(npi("1234567893"));
        assert!(!npi("1234567890"));
    }

    #[test]
    fn nhs_tells_patients() {
        assert!(nhs("943 476 5919"));
        assert!(nhs("9876543210"));
        assert!(!nhs("943 476 5918"));
        assert!(!nhs("0000000000"));
    }
}
