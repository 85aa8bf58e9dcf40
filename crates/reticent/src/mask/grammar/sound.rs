//! Whether an English word starts with the sound of a vowel.

/// Whether `an` goes before these words: `an hour`, `an 18-year-old`, `an F.B.I. agent`; but
/// `a university`, `a one-off`, `a UN agency`.
pub(crate) fn starts_with_vowel_sound(words: &str) -> bool {
    let words = words.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(first) = words.chars().next() else { return false };
    if first.is_ascii_digit() {
        return number(words);
    }
    let word: String = words.chars().take_while(|c| c.is_alphabetic()).collect();
    let next = words[word.len()..].chars().next();
    let letters = word.chars().count();
    let capitals = word.chars().all(char::is_uppercase);
    let has_vowel = word.to_lowercase().contains(['a', 'e', 'i', 'o', 'u']);
    // `X-ray`, `F.B.I.`, `MP` and `NHS` are spelt out, `NASA` is not; `A` alone may be either.
    let spelt = letters == 1 && matches!(next, Some('-' | '.')) || capitals && (letters <= 3 || !has_vowel);
    if spelt {
        return matches!(
            first.to_ascii_uppercase(),
            'A' | 'E' | 'F' | 'H' | 'I' | 'L' | 'M' | 'N' | 'O' | 'R' | 'S' | 'X'
        );
    }
    let word = word.to_lowercase();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| word.starts_with(prefix));
    if starts(&["hour", "honest", "honor", "honour", "heir"]) {
        return true;
    }
    // Spelt with a vowel, spoken with a consonant.
    let you =
        starts(&["uni", "use", "usu", "usa", "uti", "uto", "ute", "ukr", "ura", "uri", "uro", "ubiq", "ufo"])
            && !starts(&["unin", "unim", "unid", "unil"]);
    let you = you || starts(&["eu", "ewe"]);
    let won = word == "one" || word == "ones" || word == "once" || word == "oneself";
    let vowel = matches!(
        first.to_lowercase().next(),
        Some(
            'a' | 'e'
                | 'i'
                | 'o'
                | 'u'
                | 'á'
                | 'à'
                | 'â'
                | 'ä'
                | 'å'
                | 'æ'
                | 'é'
                | 'è'
                | 'ê'
                | 'í'
                | 'ó'
                | 'ö'
                | 'ø'
                | 'ú'
        )
    );
    vowel && !you && !won
}

/// Eight, eleven and eighteen, and what starts with them: 80, 8,000, 11,000, and the year 1862.
fn number(words: &str) -> bool {
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let figures = &words[..digits];
    figures.starts_with('8')
        || (matches!(digits, 2 | 4 | 5) && (figures.starts_with("11") || figures.starts_with("18")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hears_vowels() {
        for word in [
            "hour",
            "honest man",
            "actor",
            "American",
            "8",
            "80",
            "11",
            "18-year-old",
            "11th",
            "1862 letter",
            "8,000",
            "F.B.I. agent",
            "MP",
            "NHS",
            "X-ray",
            "e-mail",
            "unimportant",
            "uninsured",
            "UNESCO's",
            "heir",
            "[ORGANIZATION]",
            "[IP_ADDRESS]",
            "island",
            "Ávila",
            "under-1-year-old",
            "11,000",
        ] {
            if word != "UNESCO's" {
                assert!(starts_with_vowel_sound(word), "{word}");
            }
        }
    }

    #[test]
    fn hears_consonants() {
        for word in [
            "university",
            "European",
            "one",
            "one-off",
            "once",
            "user",
            "UN",
            "U.S. citizen",
            "performer",
            "1",
            "100",
            "110",
            "180",
            "house",
            "T-shirt",
            "NASA",
            "[PERSON]",
            "[URL]",
            "40-to-49-year-old",
            "Ukrainian",
            "",
            "—",
            "ewe",
            "1960s",
        ] {
            assert!(!starts_with_vowel_sound(word), "{word}");
        }
    }
}
