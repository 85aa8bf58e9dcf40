//! Simpler forms of a phrase: what can be left out so that what stays is still true.
//!
//! Words before the head can go: a metastatic breast cancer is a breast cancer. So can what follows a
//! preposition: a university of technology is a university. What cannot go:
//! - words that deny or doubt: an alleged murderer is no murderer;
//! - the parts of a name: Tom Cruise is no cruise, unless the last word says what is named, as in
//!   `Mount Sinai Hospital`;
//! - one of two things that are joined: salt and vinegar is not vinegar.

use reticent_text::{Language, is_ordinary};

use crate::fold::{Folding, Word, words};

/// Phrases with more words are looked up by their last ones.
const LONGEST: usize = 12;

const PREPOSITIONS: [&str; 22] = [
    "about", "against", "among", "as", "at", "between", "by", "de", "del", "during", "for", "from", "in",
    "of", "off", "on", "over", "to", "under", "upon", "with", "without",
];

const JOINTS: [&str; 6] = ["and", "or", "&", "vs", "versus", "nor"];

/// What makes of a thing something that it is not, or may not be.
const DENYING: [&str; 38] = [
    "alleged",
    "almost",
    "anti",
    "apparent",
    "artificial",
    "aspiring",
    "attempted",
    "bogus",
    "counterfeit",
    "erstwhile",
    "ex",
    "fake",
    "false",
    "fictional",
    "fictitious",
    "former",
    "future",
    "imaginary",
    "imitation",
    "likely",
    "mock",
    "near",
    "never",
    "no",
    "non",
    "not",
    "past",
    "possible",
    "potential",
    "presumed",
    "probable",
    "pseudo",
    "purported",
    "putative",
    "quasi",
    "so-called",
    "suspected",
    "would-be",
];

/// What is named by a name that ends in it.
const NAMED: [&str; 84] = [
    "academy",
    "act",
    "agency",
    "airport",
    "association",
    "avenue",
    "award",
    "awards",
    "bank",
    "battle",
    "bay",
    "bureau",
    "cancer",
    "cathedral",
    "center",
    "centre",
    "championship",
    "championships",
    "church",
    "city",
    "clinic",
    "club",
    "college",
    "commission",
    "committee",
    "company",
    "conference",
    "corporation",
    "council",
    "county",
    "court",
    "department",
    "desert",
    "disease",
    "disorder",
    "district",
    "fever",
    "festival",
    "foundation",
    "games",
    "gallery",
    "hospital",
    "hotel",
    "institute",
    "institution",
    "island",
    "islands",
    "laboratory",
    "lake",
    "league",
    "library",
    "magazine",
    "medal",
    "ministry",
    "monastery",
    "mosque",
    "mountain",
    "mountains",
    "museum",
    "newspaper",
    "ocean",
    "office",
    "olympics",
    "orchestra",
    "parliament",
    "party",
    "prison",
    "prize",
    "province",
    "railway",
    "republic",
    "river",
    "road",
    "school",
    "society",
    "station",
    "street",
    "synagogue",
    "syndrome",
    "temple",
    "theater",
    "theatre",
    "university",
    "virus",
];

/// A phrase and its simpler forms.
pub(super) struct Phrase<'t> {
    /// The phrase itself, without stop words at its ends, and then its simpler forms, longest first.
    pub(super) forms: Vec<&'t str>,
    /// Its head, if that is a common word that can stand for the phrase though no taxonomy knows it.
    pub(super) head: Option<&'t str>,
}

impl<'t> Phrase<'t> {
    pub(super) fn new(term: &'t str, language: Language) -> Self {
        let none = Self { forms: Vec::new(), head: None };
        let all: Vec<Word<'t>> = words(term).collect();
        let core = Folding::new(language).core(&all);
        let (Some(first), Some(last)) = (core.first(), core.last()) else { return none };
        let whole = &term[first.start..last.start + last.text.len()];
        let tokens = tokens(whole);
        let apart = core.iter().skip(1).any(|word| word.apart);
        let joined = tokens.iter().any(|(_, token)| JOINTS.contains(&token.to_lowercase().as_str()));
        let mut forms = vec![whole];
        if language != Language::English || apart || joined || tokens.len() < 2 {
            return Self { forms, head: None };
        }
        let is_preposition = |(_, token): &(usize, &str)| PREPOSITIONS.contains(token);
        let head_end = tokens.iter().position(is_preposition).filter(|at| *at > 0);
        let ends = match head_end {
            Some(at) => vec![whole.len(), tokens[at - 1].0 + tokens[at - 1].1.len()],
            None => vec![whole.len()],
        };
        let heads = head_end.unwrap_or(tokens.len());
        let head = tokens[heads - 1].1;
        let mut open = true;
        for end in ends {
            open = true;
            for (at, (start, _)) in tokens[..heads].iter().enumerate() {
                open &= at == 0 || !denies(tokens[at - 1].1);
                let form = &whole[*start..end];
                let short = tokens.len() - at <= LONGEST || end < whole.len();
                if open && short && form != whole && drops_truly(&tokens[..at], head, heads - at) {
                    forms.push(form);
                }
            }
        }
        let common = head.starts_with(char::is_lowercase) && head.chars().all(char::is_alphabetic);
        Self { head: (open && common).then_some(head), forms }
    }
}

/// The words between spaces, and where they start.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let start = |token: &str| token.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(|token| (start(token), token)).collect()
}

fn denies(word: &str) -> bool {
    let word = word.to_lowercase();
    DENYING.contains(&word.as_str())
        || ["non-", "ex-", "pseudo-", "anti-"].iter().any(|start| word.starts_with(start))
}

/// Whether words can be dropped before a head with `left` words: common heads stay true, and names must say
/// what they name, or be a heading in which ordinary words have capitals.
fn drops_truly(dropped: &[(usize, &str)], head: &str, left: usize) -> bool {
    if !head.starts_with(char::is_uppercase) || NAMED.contains(&head.to_lowercase().as_str()) {
        return true;
    }
    left >= 2 && !dropped.is_empty() && dropped.iter().all(|(_, word)| is_ordinary(word, Language::English))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(term: &str) -> Vec<&str> {
        Phrase::new(term, Language::English).forms
    }

    #[test]
    fn drops_words_before_the_head() {
        assert_eq!(
            forms("the metastatic breast cancer"),
            ["metastatic breast cancer", "breast cancer", "cancer"]
        );
        assert_eq!(forms("Mount Sinai Hospital"), ["Mount Sinai Hospital", "Sinai Hospital", "Hospital"]);
        assert_eq!(forms("Irish actress"), ["Irish actress", "actress"]);
    }

    #[test]
    fn drops_what_follows_a_preposition() {
        assert_eq!(forms("University of Cambridge"), ["University of Cambridge", "University"]);
        assert_eq!(forms("cancer of the breast"), ["cancer of the breast", "cancer"]);
    }

    #[test]
    fn leaves_names_alone() {
        for name in ["Tom Cruise", "General Motors", "New York", "Minnie Driver", "Isle of Wight"] {
            assert_eq!(forms(name), [name]);
        }
    }

    #[test]
    fn leaves_what_would_not_be_true() {
        for phrase in ["former actress", "suspected influenza", "salt and vinegar", "Boston, Massachusetts"] {
            assert_eq!(forms(phrase), [phrase]);
        }
        assert_eq!(forms("old former actress"), ["old former actress", "former actress"]);
    }

    #[test]
    fn has_a_head_only_if_that_is_true() {
        let head = |term| Phrase::new(term, Language::English).head;
        assert_eq!(head("metastatic glioblastomatosis"), Some("glioblastomatosis"));
        assert_eq!(head("former zookeeperess"), None);
        assert_eq!(head("Tom Cruise"), None);
        assert_eq!(head(""), None);
    }

    #[test]
    fn lists_are_sorted() {
        assert!(PREPOSITIONS.is_sorted() && DENYING.is_sorted());
    }
}
