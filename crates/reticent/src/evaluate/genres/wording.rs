//! Wordings: when two agree, which are bare labels, and the logical operators in them.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;

use super::super::released::is_space;
use super::super::words::is_word_char;

/// Negations, quantifiers, exclusives and hedges: words that must not get lost. In alphabetical order.
const OPERATORS: [&str; 17] = [
    "all",
    "alleged",
    "allegedly",
    "cannot",
    "every",
    "first",
    "former",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "only",
    "suspected",
    "without",
];

/// The form in which wordings are compared: case folded, with simple apostrophes and spaces, without punctuation around it
/// and without an article before it.
pub(super) fn agreed(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(fold_case).map(|c| if c == '’' { '\'' } else { c }).collect();
    let mut spaced = String::with_capacity(folded.len());
    for c in folded.chars() {
        if !is_space(c) {
            spaced.push(c);
        } else if !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    let plain = spaced.trim_matches([' ', '.', ',', ';', ':', '!', '?', '"', '\'', '“', '”', '‘', '(', ')']);
    let article = ["a ", "an ", "the "].into_iter().find_map(|article| plain.strip_prefix(article));
    article.unwrap_or(plain).to_owned()
}

/// Full case folding, up to the choice of the letter that stands for a pair. The dotless i is a letter of its own.
fn fold_case(c: char) -> impl Iterator<Item = char> {
    let upper = c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let (own, folded) = if c == 'ı' { (Some(c), None) } else { (None, Some(upper)) };
    own.into_iter().chain(folded.into_iter().flatten())
}

/// A replacement of nothing but bracketed placeholders.
pub(super) fn is_label(text: &str) -> bool {
    static LABEL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\A[\s\x1c-\x1f]*(?:\[[^\[\]]*\][\s\x1c-\x1f,;.]*)+\z").expect("a valid expression")
    });
    LABEL.is_match(text)
}

/// The "no" of a numbered thing ("NHS no. 943", "Case No: ZW24") at the start of a text.
pub(super) fn is_numero(text: &[char]) -> bool {
    static NUMERO: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\A(?i:no)(?:\.?:|\.?[\s\x1c-\x1f]+(?i:[A-Zıİ#]{0,4})[-/]?\d)")
            .expect("a valid expression")
    });
    matches!(text, ['n' | 'N', 'o' | 'O', ..]) && NUMERO.is_match(&text.iter().collect::<String>())
}

/// The operators of a span, with their places. All forms of *not* are one.
pub(super) fn operators(text: &[char], (start, end): (usize, usize)) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut at = start;
    while at < end {
        let is_start = is_word_char(text[at]) && (at == 0 || !is_word_char(text[at - 1]));
        if is_start {
            let length = text[at..end].iter().take_while(|c| is_word_char(**c)).count();
            if let Some(operator) = operator(&text[at..at + length]) {
                found.push((at, operator));
                at += length;
                continue;
            }
        }
        if let ['n' | 'N', '\'' | '’', 't' | 'T', rest @ ..] = &text[at..end]
            && !rest.first().is_some_and(|c| is_word_char(*c))
        {
            found.push((at, "not".to_owned()));
            at += 3;
            continue;
        }
        at += 1;
    }
    found
}

/// The operator that a whole word is.
fn operator(word: &[char]) -> Option<String> {
    // Letters that are equal to an ASCII one without regard to case.
    let plain: String = word
        .iter()
        .map(|c| match c {
            'ı' | 'İ' => 'i',
            'ſ' => 's',
            c => c.to_ascii_lowercase(),
        })
        .collect();
    if !OPERATORS.contains(&plain.as_str()) {
        return None;
    }
    let lower = word.iter().collect::<String>().to_lowercase();
    Some(if plain == "cannot" { "not".to_owned() } else { lower })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_agree_without_case_articles_and_punctuation() {
        for (one, other) in [
            ("The  Mayor.", "mayor"),
            ("(a\u{a0}town)", "town"),
            ("STRASSE", "straße"),
            ("it’s", "It's"),
            ("ﬁrm", "firm"),
            ("ΟΔΟΣ", "οδος"),
        ] {
            assert_eq!(agreed(one), agreed(other), "{one}");
        }
        for (one, other) in
            [("ı", "i"), ("a town", "towns"), ("atown", "town"), ("é", "e"), ("[town]", "town")]
        {
            assert_ne!(agreed(one), agreed(other), "{one}");
        }
    }

    #[test]
    fn labels_are_in_brackets() {
        assert!(is_label("[NAME]") && is_label(" [NAME 1], [sic]. ") && is_label("[]"));
        assert!(!is_label("") && !is_label("NAME") && !is_label("a [NAME]") && !is_label("[[x]]"));
    }

    fn found(text: &str) -> Vec<String> {
        let text: Vec<char> = text.chars().collect();
        operators(&text, (0, text.len())).into_iter().map(|(_, operator)| operator).collect()
    }

    #[test]
    fn operators_are_whole_words() {
        assert_eq!(found("NOT all, never-ending; no"), ["not", "all", "never", "no"]);
        assert_eq!(found("isn't DON’T cannot"), ["not", "not", "not"]);
        assert!(found("nothing notes knot ball an't1 firstly no_ 1no").is_empty());
        // A span that begins within a word has no whole word there; one that ends within a word has.
        let text: Vec<char> = "xno nothing".chars().collect();
        assert_eq!((operators(&text, (1, 3)).len(), operators(&text, (4, 6)).len()), (0, 1));
    }

    #[test]
    fn numbers_are_no_negations() {
        let numero = |text: &str| is_numero(&text.chars().collect::<Vec<char>>());
        assert!(
            numero("No. 943") && numero("no: x") && numero("No.: x") && numero("NO ZW-24") && numero("no #1")
        );
        assert!(
            !numero("no 'x")
                && !numero("no one")
                && !numero("not 1")
                && !numero("no.943")
                && !numero("no ABCDE1")
        );
    }
}
