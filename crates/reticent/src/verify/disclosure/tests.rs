use reticent_text::Language;

use super::words::counts_as_word;
use crate::disclosure::parts::tells;

/// Both have rules of their own, and must mean the same.
#[test]
fn what_is_no_word_here_is_none_for_the_finder() {
    let none = ["few", "the", "The", "She", "12", "x"];
    let words = ["something", "Someone", "things", "people", "sad", "AIDS", "IT", "Will", "1984", "B12"];
    for word in none {
        assert!(!counts_as_word(word, Language::English) && !tells(word, Language::English), "{word}");
    }
    for word in words {
        assert!(counts_as_word(word, Language::English) && tells(word, Language::English), "{word}");
    }
    assert!(counts_as_word("the", Language::Spanish) && tells("the", Language::Spanish));
}
