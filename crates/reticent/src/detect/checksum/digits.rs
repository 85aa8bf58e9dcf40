//! Arithmetic on the digits of a number.

/// The digits of a value, whatever stands between them.
pub(super) fn digits(value: &str) -> Vec<u32> {
    value.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Letters and digits of a value in capitals.
pub(super) fn compact(value: &str) -> Vec<u8> {
    value.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_uppercase()).collect()
}

/// The number that ASCII digits write; nothing if they are others or too many.
pub(super) fn number(bytes: &[u8]) -> Option<u64> {
    std::str::from_utf8(bytes).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()
}

/// The sum of digits times weights, as far as both go.
pub(super) fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Luhn's digit: every second digit from the right doubled.
pub(super) fn luhn(value: &str) -> bool {
    let digits = digits(value);
    digits.len() > 1 && digits.iter().any(|digit| *digit != 0) && luhn_sum(&digits).is_multiple_of(10)
}

/// The sum of Luhn's scheme.
pub(super) fn luhn_sum(digits: &[u32]) -> u32 {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit })
        .sum()
}

/// ISO 7064 mod 11,10, whose last digit is the check.
pub(super) fn mod_11_10(digits: &[u32]) -> bool {
    let Some((check, rest)) = digits.split_last() else { return false };
    let product = rest.iter().fold(10, |product, digit| {
        let sum = (product + digit) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == *check
}

/// Whether a month and a day can be.
pub(super) fn is_day(month: u32, day: u32) -> bool {
    let longest = match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=longest).contains(&day)
}

/// Two digits as a number.
pub(super) fn pair(digits: &[u32], at: usize) -> u32 {
    digits[at] * 10 + digits[at + 1]
}

/// What a telephone number with its country can be in length.
pub(super) fn e164_length(value: &str) -> bool {
    phone_length(value) && digits(value).len() >= 8
}

/// What a telephone number can be in length.
pub(super) fn phone_length(value: &str) -> bool {
    let main = value.split(['x', 'X', 'e', '#']).next().unwrap_or_default();
    (6..=15).contains(&digits(main).len())
}

/// Checks a scheme on numbers that it must accept and refuse.
#[cfg(test)]
pub(super) fn all(holds: fn(&str) -> bool, good: &[&str], bad: &[&str]) {
    for value in good {
        assert!(holds(value), "{value}");
    }
    for value in bad {
        assert!(!holds(value), "{value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luhn_tells_cards() {
        assert!(luhn("4111 1111 1111 1111"));
        assert!(luhn("378282246310005"));
        assert!(!luhn("4111 1111 1111 1112"));
        assert!(!luhn("0000 0000 0000 0000"));
        assert!(!luhn(""));
    }

    #[test]
    fn phone_numbers_have_a_length() {
        assert!(phone_length("+34 93 693 29 05"));
        assert!(phone_length("001-748-088-2851x81899"));
        assert!(!phone_length("12 34"));
        assert!(!e164_length("+3.00 -2.00"));
        assert!(!phone_length("1234 5678 9012 3456"));
    }
}
