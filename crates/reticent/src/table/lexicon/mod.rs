//! Words that searching texts for values needs: units, months, numbers, codes. Data only, which searching and verifying
//! share; what they do with it is written twice.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::ColumnRule;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    function_words: Vec<String>,
    generic: Vec<String>,
    equivalents: Vec<Vec<String>>,
    before_sex: Vec<String>,
    states: Vec<Vec<String>>,
    nations: Vec<Vec<String>>,
    before_birth: Vec<String>,
    before_age: Vec<String>,
    no_plural: Vec<String>,
    units: BTreeMap<String, Vec<String>>,
    names: BTreeMap<String, Vec<String>>,
    months: BTreeMap<String, Vec<String>>,
    numbers: BTreeMap<String, Vec<String>>,
    foreign: BTreeMap<String, Vec<String>>,
}

/// The lexicon.
pub(super) struct Lexicon {
    function: HashSet<String>,
    generic: HashSet<String>,
    /// Sets of words for one value; entries in capitals are codes.
    pub(super) equivalents: Vec<Vec<String>>,
    /// States with their codes.
    pub(super) states: Vec<Vec<String>>,
    before_sex: HashSet<String>,
    before_birth: HashSet<String>,
    before_age: HashSet<String>,
    no_plural: HashSet<String>,
    units: HashMap<String, String>,
    names: HashMap<String, Vec<String>>,
    months: HashMap<String, i8>,
    numbers: HashMap<String, u32>,
    /// Which languages have a word; English and Spanish are none of them.
    foreign: HashMap<String, Vec<usize>>,
    languages: usize,
}

/// The lexicon that ships.
pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let file: File =
            toml::from_str(include_str!("lexicon.toml")).expect("the lexicon that ships is valid");
        Lexicon::new(file)
    })
}

impl Lexicon {
    fn new(file: File) -> Self {
        let set = |words: Vec<String>| words.into_iter().collect::<HashSet<_>>();
        let by_word = |groups: BTreeMap<String, Vec<String>>| {
            let pairs = groups.into_iter().flat_map(|(name, words)| {
                words.into_iter().map(move |word| (word, name.clone())).collect::<Vec<_>>()
            });
            pairs.collect::<HashMap<String, String>>()
        };
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        for (name, words) in file.names {
            for word in words {
                names.entry(word).or_default().push(name.clone());
            }
        }
        let mut foreign: HashMap<String, Vec<usize>> = HashMap::new();
        let languages = file.foreign.len();
        for (at, words) in file.foreign.into_values().enumerate() {
            for word in words {
                foreign.entry(word).or_default().push(at);
            }
        }
        let mut equivalents = file.equivalents;
        equivalents.extend(file.nations);
        Self {
            function: set(file.function_words),
            generic: set(file.generic),
            equivalents,
            states: file.states,
            before_sex: set(file.before_sex),
            before_birth: set(file.before_birth),
            before_age: set(file.before_age),
            no_plural: set(file.no_plural),
            units: by_word(file.units),
            names,
            months: by_word(file.months)
                .into_iter()
                .filter_map(|(word, month)| Some((word, month.parse().ok()?)))
                .collect(),
            numbers: by_word(file.numbers)
                .into_iter()
                .filter_map(|(word, number)| Some((word, number.parse().ok()?)))
                .collect(),
            foreign,
            languages,
        }
    }

    /// Whether a word says nothing about its neighbour.
    pub(super) fn is_function(&self, word: &str) -> bool {
        self.function.contains(word)
    }

    /// Whether a value means nothing without the name of its column.
    pub(super) fn is_generic(&self, word: &str) -> bool {
        self.generic.contains(word)
    }

    /// Whether the letter of a sex may follow.
    pub(super) fn is_before_sex(&self, word: &str) -> bool {
        self.before_sex.contains(word)
    }

    /// Whether a year of birth may follow.
    pub(super) fn is_before_birth(&self, word: &str) -> bool {
        self.before_birth.contains(word)
    }

    /// Whether a number that follows is someone's age.
    pub(super) fn is_before_age(&self, word: &str) -> bool {
        self.before_age.contains(word)
    }

    /// Whether a word looks like a plural and is none.
    pub(super) fn is_no_plural(&self, word: &str) -> bool {
        self.no_plural.contains(word)
    }

    /// What a unit measures.
    pub(super) fn unit(&self, word: &str) -> Option<&str> {
        self.units.get(word).map(String::as_str)
    }

    /// The month of a name.
    pub(super) fn month(&self, word: &str) -> Option<i8> {
        self.months.get(word).copied()
    }

    /// The number of a word.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The words of a number, for numbers that have one of their own.
    pub(super) fn words_of(&self, number: u32) -> impl Iterator<Item = &str> {
        self.numbers.iter().filter(move |(_, own)| **own == number).map(|(word, _)| word.as_str())
    }

    /// Whether the name of a column says that it is of a sort: `birth`, `sex`, `state`, or a dimension of units.
    pub(super) fn is_named(&self, rule: &ColumnRule, sort: &str) -> bool {
        name_words(&rule.name)
            .any(|word| self.names.get(&word).is_some_and(|sorts| sorts.iter().any(|own| own == sort)))
    }

    /// What the numbers of a column measure, as far as its types and its name tell.
    pub(super) fn dimension(&self, rule: &ColumnRule) -> Option<&str> {
        const SORTS: [&str; 7] = ["years", "mass", "length", "money", "temperature", "pressure", "rate"];
        let by_type = rule.entities.iter().find_map(|kind| match kind.as_str() {
            "AGE" => Some("years"),
            "MONEY" => Some("money"),
            "PERCENTAGE" => Some("percent"),
            _ => None,
        });
        let by_name = || SORTS.into_iter().find(|sort| self.is_named(rule, sort));
        let by_unit =
            || name_words(&rule.name).filter(|word| word.len() > 1).find_map(|word| self.unit(&word));
        by_type.or_else(by_name).or_else(by_unit)
    }

    /// Whether a text is in a language without tools: it has several different words of such a language that ours do not
    /// have, and more than function words of ours.
    pub(super) fn is_foreign(&self, text: &str) -> bool {
        let mut plain = String::new();
        let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut is_told = |word: &str| {
            plain.clear();
            push_plain(word, &mut plain);
            self.foreign.contains_key(plain.as_str()) && !self.function.contains(plain.as_str())
        };
        // Most texts have no such word.
        if words.by_ref().filter(|word| is_told(word)).take(2).count() < 2 {
            return false;
        }
        let mut counts = vec![0usize; self.languages];
        let mut ours = 0;
        let mut seen: HashSet<String> = HashSet::new();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let mut plain = String::new();
            push_plain(word, &mut plain);
            if seen.contains(&plain) {
                continue;
            }
            if self.function.contains(&plain) {
                ours += 1;
            } else if let Some(languages) = self.foreign.get(&plain) {
                for language in languages {
                    counts[*language] += 1;
                }
            }
            seen.insert(plain);
        }
        counts.into_iter().max().is_some_and(|most| most >= 2 && most > ours)
    }
}

/// The words of a column's name: `weight_kg` is `weight` and `kg`, `birthDate` is `birth` and `date`.
pub(super) fn name_words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && small) {
            words.push(String::new());
        }
        small = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            push_plain(c.encode_utf8(&mut [0; 4]), last);
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// Small letters without diacritics.
pub(super) fn push_plain(word: &str, out: &mut String) {
    if word.is_ascii() {
        let start = out.len();
        out.push_str(word);
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(word.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_languages_without_tools() {
        for text in [
            "Patient ist 34 Jahre alt und wohnt in Bonn.",
            "Die Patientin wohnt seit 2019 in Kiel und hat keine Beschwerden.",
            "Elle a 34 ans et habite à Lyon.",
            "Il est marié et vit avec sa femme dans une maison.",
        ] {
            assert!(lexicon().is_foreign(text), "{text}");
        }
    }

    #[test]
    fn leaves_our_languages() {
        for text in [
            "Pt c/o fatigue, hx HTN.",
            "She is 34 and lives in Lyon with her husband.",
            "Paciente de 34 años, casada, vive en Zúrich.",
            "El paciente acude con dolor en el pecho y tos desde hace tres días.",
            "BP 120/80, HR 72.",
            "Has gone to Des Moines for the war.",
            "",
        ] {
            assert!(!lexicon().is_foreign(text), "{text}");
        }
    }

    #[test]
    fn names_of_columns_tell_units() {
        let words = |name| name_words(name).collect::<Vec<_>>();
        assert_eq!(words("weight_kg"), ["weight", "kg"]);
        assert_eq!(words("birthDate"), ["birth", "date"]);
        assert_eq!(words("HbA1c"), ["hb", "a1c"]);
    }
}
