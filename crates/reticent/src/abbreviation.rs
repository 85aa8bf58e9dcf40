//! Abbreviations that a text explains itself: `opportunistic infections (OIs)`.

/// What stands between an abbreviation and what it is said to stand for.
const STANDS_FOR: &str = " stands for ";

/// More words than this are not looked through for a long form, beyond one for each letter.
const MORE_WORDS: usize = 2;

/// Whether a word in capitals has the letters of other words in their order: `CMV`, `cytomegalovirus`.
pub(crate) fn abbreviates(short: &str, words: &str) -> bool {
    let capitals = short.chars().filter(|c| c.is_uppercase()).count();
    if capitals < 2 || !short.chars().all(char::is_alphanumeric) {
        return false;
    }
    let words = words.to_lowercase();
    let mut left = words.trim_start_matches("the ").chars();
    let short = without_plural(short).to_lowercase();
    words.trim_start_matches("the ").chars().next() == short.chars().next()
        && short.chars().all(|letter| left.any(|c| c == letter))
}

/// What a text says that an abbreviation stands for: the fewest words before its bracket that have its letters, or those
/// that it is said to stand for. One of several is the same: `an STD` after `(STDs)`.
pub(crate) fn long_form<'t>(text: &'t str, short: &str) -> Option<&'t str> {
    let short = without_plural(short);
    let bracket = || {
        let at = [")", "s)"].iter().find_map(|end| text.find(&format!(" ({short}{end}")))?;
        let most = short.len() + MORE_WORDS;
        let starts = text[..at].rmatch_indices([' ', '\n', '(']).map(|(blank, _)| blank + 1).chain([0]);
        starts.take(most).map(|start| &text[start..at]).find(|words| abbreviates(short, words))
    };
    let said = || {
        let at = text.find(&format!("{short}{STANDS_FOR}"))? + short.len() + STANDS_FOR.len();
        let words = text[at..].split(['.', ',', ';', '(', '\n']).next()?.trim_end();
        Some(words).filter(|words| abbreviates(short, words))
    };
    bracket().or_else(said).filter(|words| !words.contains(['.', ',', ';', ':', '(', '\n']))
}

fn without_plural(short: &str) -> &str {
    short.strip_suffix('s').filter(|one| one.ends_with(char::is_uppercase)).unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_in_their_order() {
        assert!(abbreviates("CMV", "cytomegalovirus") && abbreviates("OIs", "opportunistic infections"));
        assert!(!abbreviates("CMV", "a doctor") && !abbreviates("OIs", "infections"));
        assert!(!abbreviates("A", "a") && !abbreviates("flu", "fluid"));
    }

    #[test]
    fn a_text_says_what_its_abbreviations_stand_for() {
        let text = "Many get opportunistic infections (OIs). AIDS stands for acquired immunodeficiency syndrome. (KS) is one.";
        assert_eq!(long_form(text, "OIs"), Some("opportunistic infections"));
        assert_eq!(long_form(text, "OI"), Some("opportunistic infections"));
        assert_eq!(long_form(text, "AIDS"), Some("acquired immunodeficiency syndrome"));
    }

    #[test]
    fn what_is_not_explained_stands_for_nothing() {
        let text =
            "He took it, see the clinic (PML), and a plan for cancer: an antibiotic (of GI) stands for it.";
        for short in ["PML", "GI", "OIs", "the", ""] {
            assert_eq!(long_form(text, short), None, "{short}");
        }
        assert_eq!(long_form("Éa (ÉA) é", "É"), None);
    }
}
