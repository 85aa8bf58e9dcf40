//! From inflected words to their base forms, as WordNet's `morphy` does: exceptions first, then endings
//! that are detached. What comes out are guesses; only those that a taxonomy knows count.

use std::sync::OnceLock;

use reticent_text::Language;

use super::embedded;
use crate::fold::Folding;

/// A part of speech, as the packed WordNet numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

impl Part {
    pub(super) fn from_number(number: u8) -> Option<Self> {
        [Self::Noun, Self::Verb, Self::Adjective, Self::Adverb].get(usize::from(number)).copied()
    }

    pub(super) fn letter(self) -> char {
        match self {
            Self::Noun => 'n',
            Self::Verb => 'v',
            Self::Adjective => 'a',
            Self::Adverb => 'r',
        }
    }
}

/// Endings and what stands for them in the base form.
const NOUN: [(&str, &str); 8] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
];
const VERB: [(&str, &str); 8] =
    [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")];
const ADJECTIVE: [(&str, &str); 4] = [("er", ""), ("est", ""), ("er", "e"), ("est", "e")];

/// How words of a language are brought to their base forms.
pub(super) struct Morphology {
    language: Language,
}

impl Morphology {
    pub(super) fn of(language: Language) -> Self {
        Self { language }
    }

    /// Base forms that a key may have, most certain first, each with the part of speech that it would be.
    pub(super) fn bases(&self, key: &str) -> Vec<(Part, String)> {
        match self.language {
            Language::English => english(key),
            Language::Spanish => vec![(Part::Noun, Folding::new(Language::Spanish).term(key))],
            Language::Other => Vec::new(),
        }
    }
}

fn english(key: &str) -> Vec<(Part, String)> {
    let mut found = Vec::new();
    for (part, endings) in [(Part::Noun, &NOUN[..]), (Part::Verb, &VERB), (Part::Adjective, &ADJECTIVE)] {
        let mut add = |form: String| {
            if form != key && !found.contains(&(part, form.clone())) {
                found.push((part, form));
            }
        };
        for base in irregular(part, key) {
            add(base.to_owned());
        }
        // The last word of a phrase carries the number, and the first of `mothers in law`.
        let (before, last) = key.rsplit_once(' ').map_or(("", key), |(before, last)| (before, last));
        for base in bases_of_word(part, last, endings) {
            add(if before.is_empty() { base } else { format!("{before} {base}") });
        }
        if part != Part::Adjective
            && let Some((first, rest)) = key.split_once(' ')
        {
            for base in bases_of_word(part, first, endings) {
                add(format!("{base} {rest}"));
            }
        }
    }
    found
}

fn bases_of_word(part: Part, word: &str, endings: &[(&str, &str)]) -> Vec<String> {
    let mut bases: Vec<String> = irregular(part, word).map(str::to_owned).collect();
    // Words in -ss and words of two letters are no plurals.
    if word.ends_with("ss") || word.len() <= 2 {
        return bases;
    }
    // `boxesful`: the number is within.
    let (stem, tail) = match word.strip_suffix("ful") {
        Some(stem) if part == Part::Noun => (stem, "ful"),
        _ => (word, ""),
    };
    for (ending, instead) in endings {
        if let Some(rest) = stem.strip_suffix(ending).filter(|rest| !rest.is_empty()) {
            bases.push(format!("{rest}{instead}{tail}"));
        }
    }
    bases
}

/// The base forms of words that no rule makes.
fn irregular(part: Part, word: &str) -> impl Iterator<Item = &'static str> {
    static LINES: OnceLock<Vec<&'static str>> = OnceLock::new();
    let lines = LINES.get_or_init(|| {
        embedded::wordnet().map_or_else(|_| Vec::new(), |wn| wn.irregular().lines().collect())
    });
    let wanted = format!("{}{word}\t", part.letter());
    let first = lines.partition_point(|line| *line < wanted.as_str());
    lines[first..].iter().map_while(move |line| line.strip_prefix(wanted.as_str()))
}
