//! VAT numbers of the European Union and the United Kingdom.

use super::digits::{compact, luhn_sum, mod_11_10, number, weighted};
use super::{east, iberia, west};

/// Whether a VAT number with its country holds. Latvia and Cyprus publish no scheme that we could
/// verify: their form is all that is checked.
pub(super) fn vat(value: &str) -> bool {
    let bytes = compact(value);
    if bytes.len() < 4 {
        return false;
    }
    let (country, body) = bytes.split_at(2);
    let text = String::from_utf8_lossy(body).into_owned();
    let digits: Vec<u32> = body.iter().filter(|b| b.is_ascii_digit()).map(|b| u32::from(b - b'0')).collect();
    let plain = digits.len() == body.len();
    match country {
        b"AT" => body[0] == b'U' && digits.len() == 8 && austria(&digits),
        b"BE" => plain && digits.len() == 10 && digits[0] < 2 && belgium(body),
        b"BG" => plain && (digits.len() == 10 || (digits.len() == 9 && bulgaria(&digits))),
        b"CY" => digits.len() == 8 && body.len() == 9 && body[8].is_ascii_uppercase(),
        b"CZ" => plain && (digits.len() != 8 || czechia(&digits)) && (8..=10).contains(&digits.len()),
        b"DE" => plain && digits.len() == 9 && mod_11_10(&digits),
        b"DK" => {
            plain && digits.len() == 8 && weighted(&digits, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
        }
        b"EE" => {
            plain && digits.len() == 9 && weighted(&digits, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10)
        }
        b"EL" | b"GR" => plain && digits.len() == 9 && greece(&digits),
        b"ES" => iberia::nif(&text) || iberia::cif(&text),
        b"FI" => {
            plain && digits.len() == 8 && weighted(&digits, &[7, 9, 10, 5, 8, 4, 2, 1]).is_multiple_of(11)
        }
        b"FR" => body.len() == 11 && france(body),
        b"GB" | b"XI" => plain && (digits.len() == 9 || digits.len() == 12) && britain(&digits),
        b"HR" => plain && east::oib(&text),
        b"HU" => {
            plain && digits.len() == 8 && weighted(&digits, &[9, 7, 3, 1, 9, 7, 3, 1]).is_multiple_of(10)
        }
        b"IE" => west::pps(&text),
        b"IT" => plain && digits.len() == 11 && luhn_sum(&digits).is_multiple_of(10),
        b"LT" => plain && ((digits.len() == 9 && digits[7] == 1) || digits.len() == 12) && lithuania(&digits),
        b"LU" => plain && body.len() == 8 && number(&body[..6]).map(|n| n % 89) == number(&body[6..]),
        b"LV" => plain && digits.len() == 11,
        b"MT" => {
            plain && digits.len() == 8 && weighted(&digits, &[3, 4, 6, 7, 8, 9, 10, 1]).is_multiple_of(37)
        }
        b"NL" => body.len() == 12 && body[9] == b'B' && netherlands(&bytes, &text),
        b"PL" => {
            plain && digits.len() == 10 && weighted(&digits, &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == digits[9]
        }
        b"PT" => plain && iberia::pt_nif(&text),
        b"RO" => plain && (2..=10).contains(&digits.len()) && romania(&digits),
        b"SE" => plain && digits.len() == 12 && luhn_sum(&digits[..10]).is_multiple_of(10),
        b"SI" => plain && digits.len() == 8 && slovenia(&digits),
        b"SK" => plain && digits.len() == 10 && number(body).is_some_and(|number| number.is_multiple_of(11)),
        _ => false,
    }
}

fn austria(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 =
        digits[..7].iter().enumerate().map(|(at, d)| if at % 2 == 1 { doubled(*d) } else { *d }).sum();
    (96 - sum) % 10 == digits[7]
}

fn belgium(body: &[u8]) -> bool {
    match (number(&body[..8]), number(&body[8..])) {
        (Some(number), Some(check)) => 97 - number % 97 == check,
        _ => false,
    }
}

fn bulgaria(digits: &[u32]) -> bool {
    let first = weighted(digits, &[1, 2, 3, 4, 5, 6, 7, 8]) % 11;
    let second = weighted(digits, &[3, 4, 5, 6, 7, 8, 9, 10]) % 11 % 10;
    (if first < 10 { first } else { second }) == digits[8]
}

fn czechia(digits: &[u32]) -> bool {
    let check = 11 - weighted(digits, &[8, 7, 6, 5, 4, 3, 2]) % 11;
    check % 10 == digits[7]
}

fn greece(digits: &[u32]) -> bool {
    weighted(digits, &[256, 128, 64, 32, 16, 8, 4, 2]) % 11 % 10 == digits[8]
}

/// The key before the SIREN; keys with letters are of a newer kind without a public scheme.
fn france(body: &[u8]) -> bool {
    match (number(&body[..2]), number(&body[2..])) {
        (Some(key), Some(siren)) => (12 + 3 * (siren % 97)) % 97 == key,
        (None, Some(_)) => true,
        _ => false,
    }
}

fn britain(digits: &[u32]) -> bool {
    let sum = weighted(digits, &[8, 7, 6, 5, 4, 3, 2]) + digits[7] * 10 + digits[8];
    sum.is_multiple_of(97) || (sum + 55).is_multiple_of(97)
}

fn lithuania(digits: &[u32]) -> bool {
    let body = digits.len() - 1;
    let turn = |from: u32| -> Vec<u32> { (0..).take(body).map(|at: u32| (at + from - 1) % 9 + 1).collect() };
    let first = weighted(&digits[..body], &turn(1)) % 11;
    let second = weighted(&digits[..body], &turn(3)) % 11 % 10;
    (if first < 10 { first } else { second }) == digits[body]
}

/// The old kind is a citizen number, the new one mod 97 over all of it.
fn netherlands(bytes: &[u8], text: &str) -> bool {
    let rest = bytes.iter().fold(0u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    });
    west::bsn(&text[..9]) || rest == 1
}

fn romania(digits: &[u32]) -> bool {
    let body = digits.len() - 1;
    let weights = [7, 5, 3, 2, 1, 7, 5, 3, 2];
    weighted(digits, &weights[9 - body..]) * 10 % 11 % 10 == digits[body]
}

fn slovenia(digits: &[u32]) -> bool {
    let check = 11 - weighted(digits, &[8, 7, 6, 5, 4, 3, 2]) % 11;
    check != 11 && check % 10 == digits[7]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_for_public_numbers() {
        for good in [
            "ATU13585627",
            "BE0428759497",
            "BG175074752",
            "CZ25123891",
            "DE136695976",
            "DK13585628",
            "EE100931558",
            "EL094259216",
            "ES A58818501",
            "FI20774740",
            "FR40303265045",
            "GB980780684",
            "HR33392005961",
            "HU12892312",
            "IE6433435F",
            "IT00743110157",
            "LT119511515",
            "LU15027442",
            "MT11679112",
            "NL004495445B01",
            "PL8567346215",
            "PT501964843",
            "RO18547290",
            "SE123456789701",
            "SI50223054",
            "SK2022749619",
        ] {
            assert!(vat(good), "{good}");
        }
    }

    #[test]
    fn fails_for_altered_numbers() {
        for bad in [
            "ATU13585626",
            "BE0428759498",
            "BG175074751",
            "CZ25123890",
            "DE136695978",
            "DK13585627",
            "EE100931557",
            "EL094259215",
            "ES A58818502",
            "FI20774741",
            "FR84323140391",
            "GB802311781",
            "HR33392005962",
            "HU12892313",
            "IE6433435E",
            "IT00743110158",
            "LT100001919018",
            "LU15027443",
            "MT11679113",
            "NL123456790B90",
            "PL8567346216",
            "PT501964842",
            "RO18547291",
            "SE123456789101",
            "SI50223055",
            "SK2022749618",
            "XX123456789",
            "ES",
            "NLééééééB01",
        ] {
            assert!(!vat(bad), "{bad}");
        }
    }
}
