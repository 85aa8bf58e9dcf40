//! The Nordic and Baltic countries.

use super::digits::{compact, digits, is_day, luhn_sum, number, pair, weighted};

/// Swedish personal number; the day may be raised by 60 (coordination number).
pub(super) fn personnummer(value: &str) -> bool {
    let mut digits = digits(value);
    if digits.len() == 12 {
        digits.drain(..2);
    }
    digits.len() == 10 && {
        let day = pair(&digits, 4);
        is_day(pair(&digits, 2), if day > 60 { day - 60 } else { day })
            && luhn_sum(&digits).is_multiple_of(10)
    }
}

/// Finnish personal code.
pub(super) fn hetu(value: &str) -> bool {
    let bytes = compact(value);
    // The sign of the century may be a letter, which `compact` keeps, or `-` or `+`.
    let bytes: Vec<u8> = if bytes.len() == 11 { [&bytes[..6], &bytes[7..]].concat() } else { bytes };
    if bytes.len() != 10 {
        return false;
    }
    let Some(body) = number(&bytes[..9]) else { return false };
    let digits = digits(value);
    let check = b"0123456789ABCDEFHJKLMNPRSTUVWXY"[usize::try_from(body % 31).unwrap_or(0)];
    is_day(pair(&digits, 2), pair(&digits, 0)) && check == bytes[9]
}

/// Danish personal number: only its date can be checked.
pub(super) fn cpr(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 10 && is_day(pair(&digits, 2), pair(&digits, 0))
}

/// Norwegian birth number; the day may be raised by 40 (D number).
pub(super) fn fnr(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 11 {
        return false;
    }
    let day = pair(&digits, 0);
    let check = |weights: &[u32]| (11 - weighted(&digits, weights) % 11) % 11;
    is_day(pair(&digits, 2), if day > 40 { day - 40 } else { day })
        && check(&[3, 7, 6, 1, 8, 9, 4, 5, 2]) == digits[9]
        && check(&[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) == digits[10]
}

/// Estonian and Lithuanian personal code.
pub(super) fn baltic(value: &str) -> bool {
    let digits = digits(value);
    if digits.len() != 11 || !(1..=8).contains(&digits[0]) || !is_day(pair(&digits, 3), pair(&digits, 5)) {
        return false;
    }
    let first = weighted(&digits, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
    let second = weighted(&digits, &[3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
    let check = if first < 10 { first } else { second % 10 };
    check == digits[10]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweden() {
        assert!(personnummer("811218-9876"));
        assert!(personnummer("19811218-9876"));
        assert!(!personnummer("811218-9877"));
        assert!(!personnummer("811318-9876"));
    }

    #[test]
    fn finland() {
        assert!(hetu("131052-308T"));
        assert!(hetu("131052A308T"));
        assert!(!hetu("131052-308U"));
        assert!(!hetu("321352-308T"));
    }

    #[test]
    fn denmark() {
        assert!(cpr("070761-4285"));
        assert!(!cpr("071361-4285"));
    }

    #[test]
    fn norway() {
        assert!(fnr("15108695088"));
        assert!(!fnr("15108695077"));
        assert!(!fnr("1510869508"));
    }

    #[test]
    fn baltics() {
        assert!(baltic("37605030299"));
        assert!(baltic("38703181745"));
        assert!(!baltic("37605030298"));
        assert!(!baltic("97605030299"));
    }
}
