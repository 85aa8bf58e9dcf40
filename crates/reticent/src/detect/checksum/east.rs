//! Poland, the Czech lands, Slovakia, Romania, Bulgaria, Croatia, Slovenia and Greece.

use super::digits::{digits, is_day, luhn_sum, mod_11_10, pair, weighted};

/// Polish PESEL; the month tells the century.
pub(super) fn pesel(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 11
        && is_day(pair(&digits, 2) % 20, pair(&digits, 4))
        && weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
}

/// Czech and Slovak birth number; the month of women is raised by 50, of late ones by 20.
pub(super) fn rodne_cislo(value: &str) -> bool {
    let digits = digits(value);
    let number = digits.iter().fold(0u64, |number, digit| number * 10 + u64::from(*digit));
    digits.len() == 10 && is_day(pair(&digits, 2) % 50 % 20, pair(&digits, 4)) && number.is_multiple_of(11)
}

/// Romanian personal code.
pub(super) fn cnp(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 13 && digits[0] != 0 && is_day(pair(&digits, 3), pair(&digits, 5)) && {
        let rest = weighted(&digits, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
        (if rest == 10 { 1 } else { rest }) == digits[12]
    }
}

/// Bulgarian personal number; the month tells the century.
pub(super) fn egn(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 10
        && is_day(pair(&digits, 2) % 20, pair(&digits, 4))
        && weighted(&digits, &[2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11 % 10 == digits[9]
}

/// Croatian personal number.
pub(super) fn oib(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 11 && mod_11_10(&digits)
}

/// Slovenian personal number.
pub(super) fn emso(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 13 && is_day(pair(&digits, 2), pair(&digits, 0)) && {
        let rest = weighted(&digits, &[7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
        rest != 1 && (11 - rest) % 11 == digits[12]
    }
}

/// Greek social security number.
pub(super) fn amka(value: &str) -> bool {
    let digits = digits(value);
    digits.len() == 11 && is_day(pair(&digits, 2), pair(&digits, 0)) && luhn_sum(&digits).is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::super::digits::all;
    use super::*;

    #[test]
    fn poland() {
        all(pesel, &["44051401359", "02070803628"], &["44051401358", "44131401359"]);
    }

    #[test]
    fn czech_lands() {
        all(rodne_cislo, &["710319/2745", "736028/5163"], &["710319/2746", "711319/2745"]);
    }

    #[test]
    fn romania_and_bulgaria() {
        all(cnp, &["1800101221144"], &["1800101221145", "0800101221144"]);
        all(egn, &["7523169263", "8032056031"], &["7523169264", "7553169263"]);
    }

    #[test]
    fn croatia_and_slovenia() {
        all(oib, &["33392005961", "69435151530"], &["33392005962"]);
        all(emso, &["0101006500006"], &["0101006500007", "0113006500006"]);
    }

    #[test]
    fn greece() {
        all(amka, &["01013099997"], &["01013099998", "01133099997"]);
    }
}
