//! Recognizes a replacement that restates what it replaces.

use reticent_text::{Language, fold, is_ordinary, is_stop_word};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Whether a replacement repeats a distinctive word or number of the original that the policy's own replacement does
/// not: in any order and case, with any signs between, and in any spelling that the folded view equates.
pub(super) fn restates(original: &str, replacement: &str, by_policy: &str, language: Language) -> bool {
    let (original, replacement, by_policy) = (plain(original), plain(replacement), plain(by_policy));
    let allowed: Vec<&str> = by_policy.split(' ').collect();
    let said: Vec<&str> = replacement.split(' ').collect();
    let common = |word: &str| is_ordinary(word, language) || is_stop_word(word, language);
    let distinctive = |word: &&str| {
        let digits = word.chars().filter(|c| c.is_numeric()).count();
        let letters = word.chars().count() - digits;
        digits >= 2 || letters >= 3 && !common(word) || letters > 0 && !word.is_ascii()
    };
    let mut words = original.split(' ').filter(distinctive).filter(|word| !allowed.contains(word));
    if words.any(|word| said.contains(&word)) {
        return true;
    }
    // Letters spelled apart, or words run together.
    let squeezed = |text: &str| text.replace(' ', "");
    let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
    let repeats = |whole: String, said: &str, policy: &str| {
        whole.chars().count() >= 4 && said.contains(&whole) && !policy.contains(&whole)
    };
    repeats(squeezed(&original), &squeezed(&replacement), &squeezed(&by_policy))
        || repeats(digits(&original), &digits(&replacement), &digits(&by_policy))
}

/// Folded words in lower case, without diacritics, with one blank between them.
fn plain(text: &str) -> String {
    let bare: String = fold(text).nfkd().filter(|c| !is_combining_mark(*c)).collect();
    let lower = bare.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(original: &str, replacement: &str, by_policy: &str) -> bool {
        restates(original, replacement, by_policy, Language::English)
    }

    #[test]
    fn finds_the_original_in_other_spellings() {
        for replacement in [
            "ana ruiz",
            "Ruiz, Ana",
            "A\u{200b}na Ru\u{ad}iz",
            "Ａｎａ Ｒｕｉｚ",
            "An\u{0430} R.",
            "the Ruiz family",
            "Ana Ruíz",
            "[ANA_RUIZ]",
            "a n a r u i z",
        ] {
            assert!(english("Ana Ruiz", replacement, "[PERSON]"), "{replacement}");
        }
        for replacement in ["94 347 65919", "９４３４７６５９１９", "9-4-3-4-7-6-5-9-1-9", "nr. 9434765919"]
        {
            assert!(english("943 476 5919", replacement, "[PHONE_NUMBER]"), "{replacement}");
        }
        assert!(english("3 July 1962", "July 1962", "1962"));
    }

    #[test]
    fn leaves_other_replacements_alone() {
        for replacement in ["a patient", "[PERSON]", "[PERSON 1]", "someone", "", "a woman from the north"] {
            assert!(!english("Ana Ruiz", replacement, "[PERSON]"), "{replacement}");
        }
        assert!(!english("3 July 1962", "around 1962", "1962"));
        assert!(!english("943 476 5919", "a number", "[PHONE_NUMBER]"));
        assert!(!english("Head of the Department", "one of the staff", "[JOB_TITLE]"));
    }
}
