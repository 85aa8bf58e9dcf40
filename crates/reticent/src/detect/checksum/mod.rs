//! Checksums, which distinguish assigned numbers from numbers that only look like them.
//!
//! To add a scheme: a function in the file of its theme that takes the value as it was found
//! (separators included) and says whether it holds, an entry in [`CHECKSUMS`] with a sentence of
//! documentation, and public test numbers, good and bad, in the tests of its file.

mod digits;
mod east;
mod finance;
mod iberia;
mod north;
mod us_uk;
mod vat;
mod west;

/// A scheme by which a number proves itself.
#[derive(Debug)]
pub struct Checksum {
    /// Its name in pattern files.
    pub name: &'static str,
    /// A one-sentence description.
    pub doc: &'static str,
    /// Returns whether a value satisfies the checksum. Separators are ignored.
    pub holds: fn(&str) -> bool,
}

/// All schemes.
pub static CHECKSUMS: &[Checksum] = &[
    Checksum { name: "luhn", doc: "Luhn's digit, mod 10: payment cards, IMEI.", holds: digits::luhn },
    Checksum {
        name: "iban",
        doc: "ISO 13616: mod 97 after moving the first four characters.",
        holds: finance::iban,
    },
    Checksum { name: "aba", doc: "US bank routing number: weights 3 7 1, mod 10.", holds: finance::aba },
    Checksum {
        name: "base58check",
        doc: "Bitcoin address: four bytes of double SHA-256.",
        holds: finance::base58check,
    },
    Checksum {
        name: "bech32",
        doc: "Bitcoin segwit address: the BCH code of BIP 173 or BIP 350.",
        holds: finance::bech32,
    },
    Checksum {
        name: "e164-length",
        doc: "Between 8 and 15 digits: an international number.",
        holds: digits::e164_length,
    },
    Checksum {
        name: "phone-length",
        doc: "Between 6 and 15 digits, as ITU E.164 allows.",
        holds: digits::phone_length,
    },
    Checksum {
        name: "vin",
        doc: "Vehicle identification number: the ninth character, mod 11.",
        holds: us_uk::vin,
    },
    Checksum {
        name: "dea",
        doc: "US prescriber number: sums of alternate digits, mod 10.",
        holds: us_uk::dea,
    },
    Checksum {
        name: "npi",
        doc: "US provider number: Luhn's digit with the prefix 80840.",
        holds: us_uk::npi,
    },
    Checksum { name: "nhs", doc: "UK NHS number: weights 10 to 2, mod 11.", holds: us_uk::nhs },
    Checksum { name: "es-nif", doc: "Spanish DNI and NIE: the letter, mod 23.", holds: iberia::nif },
    Checksum { name: "es-cif", doc: "Spanish company number: digit or letter.", holds: iberia::cif },
    Checksum { name: "es-nss", doc: "Spanish social security number: mod 97.", holds: iberia::nss },
    Checksum { name: "pt-nif", doc: "Portuguese tax number: weights 9 to 2, mod 11.", holds: iberia::pt_nif },
    Checksum { name: "fr-nir", doc: "French social security number: 97 minus mod 97.", holds: west::nir },
    Checksum {
        name: "de-tax-id",
        doc: "German tax identification number: ISO 7064 mod 11,10.",
        holds: west::tax_id,
    },
    Checksum {
        name: "de-id-card",
        doc: "German identity card: weights 7 3 1, mod 10.",
        holds: west::id_card,
    },
    Checksum {
        name: "it-codice-fiscale",
        doc: "Italian tax code: the last letter, mod 26.",
        holds: west::codice_fiscale,
    },
    Checksum {
        name: "nl-bsn",
        doc: "Dutch citizen number: weights 9 to 2 and -1, mod 11.",
        holds: west::bsn,
    },
    Checksum {
        name: "be-national",
        doc: "Belgian national number: 97 minus mod 97.",
        holds: west::be_national,
    },
    Checksum {
        name: "at-svnr",
        doc: "Austrian insurance number: weights 3 7 9 5 8 4 2 1 6, mod 11.",
        holds: west::svnr,
    },
    Checksum { name: "ch-ahv", doc: "Swiss insurance number: the digit of EAN-13.", holds: west::ahv },
    Checksum { name: "ie-pps", doc: "Irish public service number: the letter, mod 23.", holds: west::pps },
    Checksum {
        name: "se-personnummer",
        doc: "Swedish personal number: a date and Luhn's digit.",
        holds: north::personnummer,
    },
    Checksum { name: "fi-hetu", doc: "Finnish personal code: a date and mod 31.", holds: north::hetu },
    Checksum {
        name: "dk-cpr",
        doc: "Danish personal number: a date. Its mod 11 was given up in 2007.",
        holds: north::cpr,
    },
    Checksum { name: "no-fnr", doc: "Norwegian birth number: two digits, mod 11.", holds: north::fnr },
    Checksum {
        name: "ee-lt-code",
        doc: "Estonian and Lithuanian personal code: mod 11, two rounds.",
        holds: north::baltic,
    },
    Checksum { name: "pl-pesel", doc: "Polish PESEL: weights 1 3 7 9, mod 10.", holds: east::pesel },
    Checksum {
        name: "cz-rodne-cislo",
        doc: "Czech and Slovak birth number: divisible by 11.",
        holds: east::rodne_cislo,
    },
    Checksum { name: "ro-cnp", doc: "Romanian CNP: weights 279146358279, mod 11.", holds: east::cnp },
    Checksum { name: "bg-egn", doc: "Bulgarian EGN: weights 2 4 8 5 10 9 7 3 6, mod 11.", holds: east::egn },
    Checksum { name: "hr-oib", doc: "Croatian OIB: ISO 7064 mod 11,10.", holds: east::oib },
    Checksum { name: "si-emso", doc: "Slovenian EMŠO: weights 7 6 5 4 3 2, mod 11.", holds: east::emso },
    Checksum { name: "gr-amka", doc: "Greek AMKA: a date and Luhn's digit.", holds: east::amka },
    Checksum { name: "eu-vat", doc: "VAT numbers of the EU and the UK, by their country.", holds: vat::vat },
];

/// The scheme of that name.
pub fn named(name: &str) -> Option<&'static Checksum> {
    CHECKSUMS.iter().find(|checksum| checksum.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_unique() {
        for (index, checksum) in CHECKSUMS.iter().enumerate() {
            assert!(CHECKSUMS[..index].iter().all(|other| other.name != checksum.name), "{}", checksum.name);
        }
    }

    proptest! {
        #[test]
        fn never_panics(value in "\\PC{0,30}|[A-Z0-9 .-]{0,30}") {
            for checksum in CHECKSUMS {
                let _ = (checksum.holds)(&value);
            }
        }
    }
}
