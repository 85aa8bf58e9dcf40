//! Folding: when two ways of writing are one term.
//!
//! Case, number, accents, hyphens, possessives and stop words at the ends do not make another term:
//! `the Blood-Transfusions` and `blood transfusion` are one. What folds to the same is counted, looked
//! up and compared as the same, in an index as in a question to it; so a change here is a new
//! [`Folding::VERSION`], which files remember.
//!
//! A folded term is not to be folded again: it has lost the capitals by which `Williams` differs from
//! two of a `William`.

use reticent_text::{Language, is_ordinary, is_stop_word};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// How terms of a language are folded.
///
/// ```
/// use reticent_knowledge::Folding;
/// use reticent_text::Language;
/// let folding = Folding::new(Language::English);
/// assert_eq!(folding.term("the Blood-Transfusions"), "blood transfusion");
/// assert_eq!(folding.term("Parkinson’s disease"), "parkinson disease");
/// assert_eq!(folding.term("AIDS"), "aids");
/// assert_eq!(folding.term("hearing aids"), "hearing aid");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folding {
    language: Language,
}

/// A word of a text, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// As it is written.
    pub text: &'t str,
    /// Where it starts, in bytes.
    pub start: usize,
    /// `true` if a comma, a bracket or the like separates it from the word before: no term goes
    /// across.
    pub apart: bool,
}

impl Folding {
    /// What files remember, to refuse terms that were folded otherwise.
    pub const VERSION: u32 = 1;

    /// Folding as in that language. In a language that we do not know, number and stop words stay.
    pub fn new(language: Language) -> Self {
        Self { language }
    }

    /// Whose rules are used.
    pub fn language(self) -> Language {
        self.language
    }

    /// A term without what does not make it another. Empty if it has no letter and no digit.
    pub fn term(self, term: &str) -> String {
        let words: Vec<Word<'_>> = words(term).collect();
        let mut folded = String::with_capacity(term.len());
        for word in self.core(&words) {
            if !folded.is_empty() {
                folded.push(' ');
            }
            self.push_word(word.text, &mut folded);
        }
        folded
    }

    /// The words of a term without stop words at its ends; all of them if there are no others.
    pub fn core<'w, 't>(self, words: &'w [Word<'t>]) -> &'w [Word<'t>] {
        let keeps = |word: &Word<'_>| {
            !word.text.starts_with(char::is_lowercase) || !is_stop_word(word.text, self.language)
        };
        // `a` is too short to be known as a stop word, and in `vitamin a` it is none.
        let article = |word: &Word<'_>| self.language == Language::English && word.text == "a";
        let first = words.iter().position(|word| keeps(word) && !article(word));
        let last = words.iter().rposition(keeps);
        first.zip(last).map_or(words, |(first, last)| &words[first..=last])
    }

    /// One word, folded.
    pub fn word(self, word: &str) -> String {
        let mut folded = String::with_capacity(word.len());
        self.push_word(word, &mut folded);
        folded
    }

    fn push_word(self, word: &str, into: &mut String) {
        let start = into.len();
        if word.is_ascii() {
            into.push_str(word);
            into[start..].make_ascii_lowercase();
        } else {
            // Accents fold, but ñ is a letter of its own.
            for c in word.nfc().flat_map(char::to_lowercase) {
                if c == 'ñ' {
                    into.push(c);
                } else {
                    into.extend(std::iter::once(c).nfkd().filter(|c| !is_accent(*c) && !c.is_whitespace()));
                }
            }
            // An accent that stands alone as a letter is one.
            if into.len() == start {
                into.push_str(word);
            }
        }
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        // An acronym keeps its `s`: AIDS is not two of an aid.
        if capitals > 1 && word.len() <= 5 {
            return;
        }
        let before = (capitals > 0).then(|| into[start..].to_owned());
        match self.language {
            Language::English => english_singular(start, into),
            Language::Spanish => spanish_singular(start, into),
            Language::Other => {}
        }
        // So does a name: Williams is not two of a William.
        if let Some(before) = before
            && before != into[start..]
            && !is_ordinary(&before, self.language)
            && !is_ordinary(&into[start..], self.language)
        {
            into.truncate(start);
            into.push_str(&before);
        }
    }
}

/// The words of a text: runs of letters and digits, without the possessive 's.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    let mut first = true;
    std::iter::from_fn(move || {
        loop {
            let gap = text[at..].find(|c: char| c.is_alphanumeric() && !is_accent(c))?;
            let between = &text[at..at + gap];
            let start = at + gap;
            let rest = &text[start..];
            let length = rest.find(|c| !char::is_alphanumeric(c) && !is_combining_mark(c));
            let word = &rest[..length.unwrap_or(rest.len())];
            at = start + word.len();
            let possessive = !first && matches!(between, "'" | "’") && matches!(word, "s" | "S");
            if possessive {
                continue;
            }
            let apart = !first && between.contains(separates);
            first = false;
            return Some(Word { text: word, start, apart });
        }
    })
}

/// Accents of Latin, Greek and Cyrillic; the marks of other scripts are letters.
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&c)
}

/// Signs that no term goes across. Full stops are not among them: `St. Louis`.
fn separates(c: char) -> bool {
    !matches!(c, '-' | '\'' | '’' | '‘' | '"' | '“' | '”' | '.' | '/' | '&' | '_' | '‐' | '‑' | '·')
        && !c.is_whitespace()
}

/// Plurals that no rule makes, each with its singular.
const IRREGULAR: [(&str, &str); 43] = [
    ("alumni", "alumnus"),
    ("appendices", "appendix"),
    ("bacilli", "bacillus"),
    ("bacteria", "bacterium"),
    ("calves", "calf"),
    ("children", "child"),
    ("criteria", "criterion"),
    ("echoes", "echo"),
    ("feet", "foot"),
    ("foci", "focus"),
    ("fungi", "fungus"),
    ("ganglia", "ganglion"),
    ("geese", "goose"),
    ("halves", "half"),
    ("heroes", "hero"),
    ("hypotheses", "hypothesis"),
    ("indices", "index"),
    ("knives", "knife"),
    ("leaves", "leaf"),
    ("lice", "louse"),
    ("lives", "life"),
    ("loaves", "loaf"),
    ("matrices", "matrix"),
    ("men", "man"),
    ("mice", "mouse"),
    ("nuclei", "nucleus"),
    ("oases", "oasis"),
    ("ova", "ovum"),
    ("oxen", "ox"),
    ("parentheses", "parenthesis"),
    ("phenomena", "phenomenon"),
    ("potatoes", "potato"),
    ("shelves", "shelf"),
    ("stimuli", "stimulus"),
    ("teeth", "tooth"),
    ("thieves", "thief"),
    ("tomatoes", "tomato"),
    ("vertebrae", "vertebra"),
    ("vertices", "vertex"),
    ("wives", "wife"),
    ("wolves", "wolf"),
    ("women", "woman"),
    ("zeroes", "zero"),
];

/// Words in -s that are no plural, and of which no rule says so.
const SINGULAR: [&str; 37] = [
    "always",
    "atlas",
    "besides",
    "bias",
    "biceps",
    "canvas",
    "chaos",
    "christmas",
    "cosmos",
    "diabetes",
    "ethos",
    "gallows",
    "gas",
    "has",
    "herpes",
    "lens",
    "measles",
    "mumps",
    "news",
    "pancreas",
    "perhaps",
    "physics",
    "politics",
    "rabies",
    "rickets",
    "scabies",
    "series",
    "shingles",
    "species",
    "tennis",
    "thus",
    "towards",
    "trellis",
    "triceps",
    "was",
    "whereas",
    "yes",
];

/// Words in -e whose plural looks like that of a word in -us.
const IN_USE: [&str; 12] = [
    "abuses",
    "blouses",
    "causes",
    "clauses",
    "excuses",
    "fuses",
    "houses",
    "muses",
    "pauses",
    "spouses",
    "uses",
    "warehouses",
];

fn english_singular(start: usize, into: &mut String) {
    let word = &into[start..];
    if let Ok(at) = IRREGULAR.binary_search_by_key(&word, |(plural, _)| plural) {
        into.truncate(start);
        into.push_str(IRREGULAR[at].1);
        return;
    }
    let keeps = word.len() < 4 || !word.ends_with('s') || SINGULAR.binary_search(&word).is_ok();
    if keeps || ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return;
    }
    let (cut, add) = if word.ends_with("ies") && word.len() > 4 {
        (3, "y")
    } else if ["sses", "shes", "ches", "xes", "zzes"].iter().any(|end| word.ends_with(end)) {
        (2, "")
    } else if word.len() > 6
        && ["oses", "yses", "tases", "heses"].iter().any(|end| word.ends_with(end))
        && !["doses", "noses", "roses", "purposes", "databases"].contains(&word)
    {
        (2, "is")
    } else if word.len() > 5 && word.ends_with("uses") && IN_USE.binary_search(&word).is_err() {
        (2, "")
    } else if word.len() > 5 && word.ends_with("men") {
        (2, "an")
    } else {
        (1, "")
    };
    into.truncate(into.len() - cut);
    into.push_str(add);
}

/// Accents are gone by now: `transfusión` and `transfusiones` meet.
fn spanish_singular(start: usize, into: &mut String) {
    let word = &into[start..];
    if word.len() < 4 || !word.ends_with('s') {
        return;
    }
    let before = |end: &str| word.strip_suffix(end).and_then(|stem| stem.chars().next_back());
    let (cut, add) = if before("es") == Some('c') {
        (3, "z")
    } else if before("es").is_some_and(|c| "lrndjy".contains(c)) {
        (2, "")
    } else if before("s").is_some_and(|c| "aeo".contains(c)) {
        (1, "")
    } else {
        (0, "")
    };
    into.truncate(into.len() - cut);
    into.push_str(add);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn english(term: &str) -> String {
        Folding::new(Language::English).term(term)
    }

    #[test]
    fn lists_are_sorted() {
        assert!(IRREGULAR.is_sorted() && SINGULAR.is_sorted() && IN_USE.is_sorted());
    }

    #[test]
    fn folds_number() {
        for (plural, singular) in [
            ("viruses", "virus"),
            ("metastases", "metastasis"),
            ("diagnoses", "diagnosis"),
            ("biopsies", "biopsy"),
            ("boxes", "box"),
            ("classes", "class"),
            ("blood transfusions", "blood transfusion"),
            ("houses", "house"),
            ("causes", "cause"),
            ("doses", "dose"),
            ("women", "woman"),
            ("children", "child"),
            ("bacteria", "bacterium"),
            ("SYMPTOMS", "symptom"),
        ] {
            assert_eq!(english(plural), singular);
            assert_eq!(english(singular), singular);
        }
    }

    #[test]
    fn leaves_alone_what_is_no_plural() {
        for word in ["AIDS", "Williams", "diabetes", "virus", "sepsis", "loss", "gas", "bus", "James", "SARS"]
        {
            assert_eq!(english(word), word.to_lowercase());
        }
        assert_ne!(english("Williams"), english("William"));
        assert_ne!(english("AIDS"), english("aid"));
    }

    #[test]
    fn drops_stop_words_at_the_ends_only() {
        assert_eq!(english("the state of the art"), "state of the art");
        assert_eq!(english("The Who"), "the who");
        assert_eq!(english("of the"), "of the");
    }

    #[test]
    fn folds_accents_but_keeps_the_letter_ñ() {
        let spanish = |term: &str| Folding::new(Language::Spanish).term(term);
        assert_eq!(spanish("las transfusiones"), spanish("transfusión"));
        assert_eq!(spanish("voces"), spanish("voz"));
        assert_eq!(spanish("José"), "jose");
        assert_ne!(spanish("año"), spanish("ano"));
        assert_eq!(spanish("virus"), "virus");
    }

    #[test]
    fn a_word_never_folds_to_nothing() {
        assert_eq!(english("a:ͺ["), "ͺ");
        assert_eq!(english("[]"), "");
    }

    #[test]
    fn tells_where_words_are_apart() {
        let apart: Vec<bool> = words("St. Louis, (Missouri)").map(|word| word.apart).collect();
        assert_eq!(apart, [false, false, true]);
    }

    proptest! {
        #[test]
        fn any_text_folds_to_words_with_one_space_between(term in "\\PC{0,30}", language in select(vec![Language::English, Language::Spanish, Language::Other])) {
            let folded = Folding::new(language).term(&term);
            prop_assert_eq!(folded.is_empty(), !term.contains(|c: char| c.is_alphanumeric() && !is_accent(c)));
            prop_assert_eq!(folded.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), folded);
        }

        #[test]
        fn what_stands_around_and_between_does_not_matter(
            words in prop::collection::vec(select(vec!["blood", "symptom", "house", "Warsaw", "AIDS", "women", "Williams"]), 1..4),
            before in select(vec!["", "the ", "of a ", "“", " ", "his "]),
            after in select(vec!["", ".", "”", "’s", " of", "  "]),
            between in select(vec![" ", "-", "  ", "\n"]),
        ) {
            prop_assert_eq!(english(&format!("{before}{}{after}", words.join(between))), english(&words.join(" ")));
        }

        #[test]
        fn case_of_ordinary_words_does_not_matter(words in prop::collection::vec(select(vec!["blood", "symptom", "house", "patients", "treatments"]), 1..4)) {
            let term = words.join(" ");
            prop_assert_eq!(english(&term.to_uppercase()), english(&term));
        }

        #[test]
        fn words_are_exact(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert_eq!(&text[word.start..word.start + word.text.len()], word.text);
            }
        }
    }
}
