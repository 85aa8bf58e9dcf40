//! Full stops that belong to a word.

/// What kind of abbreviation a word before a full stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Abbreviation {
    /// A name follows: `Dr.`, `Dña.`
    Title,
    /// A number follows: `no.`, `art.`
    Numbered,
    /// Anything may follow, a new sentence too: `Inc.`, `p.m.`, `U.S.`
    Ordinary,
    /// One letter: `J. K. Rowling`.
    Initial,
    /// The number of a list item.
    ListNumber,
}

/// Stands for the number of a list item, which is an abbreviation only at the start of a line.
pub(crate) const LIST_NUMBER: &str = "1";

/// No abbreviation has more bytes: longer words are not even looked at.
const LONGEST: usize = 16;

const TITLES: [&str; 48] = [
    "dr", "drs", "dra", "dras", "mr", "mrs", "ms", "mx", "prof", "profa", "sra", "sras", "sres", "srta",
    "dña", "dn", "st", "sta", "sto", "gen", "col", "lt", "sgt", "capt", "cmdr", "rev", "hon", "gov", "sen",
    "rep", "messrs", "mme", "mlle", "msgr", "supt", "fr", "ing", "lic", "vs", "e.g", "i.e", "cf", "viz",
    "approx", "avda", "ctra", "excmo", "ilmo",
];

const NUMBERED: [&str; 26] = [
    "no", "nos", "nº", "n.º", "n", "núm", "num", "art", "arts", "sec", "para", "paras", "p", "pp", "pág",
    "págs", "fig", "figs", "vol", "cap", "tel", "tlf", "tfno", "ext", "apt", "ref",
];

const ORDINARY: [&str; 46] = [
    "inc", "corp", "co", "cos", "ltd", "jr", "sr", "esq", "bros", "mfg", "dept", "univ", "assn", "est",
    "etc", "jan", "feb", "apr", "aug", "sep", "sept", "oct", "nov", "dec", "ave", "blvd", "rd", "hwy", "mt",
    "ft", "al", "ph.d", "cía", "depto", "ud", "uds", "aprox", "admón", "av", "pza", "pl", "prov", "izq",
    "dcha", "dto", "hnos",
];

/// Words that begin sentences and are no part of a name.
const STARTERS: [&str; 67] = [
    "Aside",
    "The",
    "A",
    "An",
    "It",
    "He",
    "She",
    "They",
    "We",
    "You",
    "In",
    "On",
    "At",
    "This",
    "That",
    "These",
    "Those",
    "But",
    "And",
    "If",
    "When",
    "As",
    "For",
    "After",
    "Before",
    "His",
    "Her",
    "Their",
    "There",
    "However",
    "By",
    "From",
    "With",
    "While",
    "Its",
    "Our",
    "My",
    "To",
    "What",
    "Who",
    "How",
    "No",
    "Not",
    "El",
    "La",
    "Los",
    "Las",
    "Un",
    "Una",
    "Se",
    "En",
    "Es",
    "Su",
    "Lo",
    "Al",
    "Por",
    "Con",
    "Como",
    "Tras",
    "Fue",
    "Para",
    "Ha",
    "Tiene",
    "Presenta",
    "Desde",
    "Actualmente",
    "Refiere",
];

impl Abbreviation {
    /// What a word (without its full stop) abbreviates, if it does.
    pub(crate) fn of(word: &str) -> Option<Self> {
        if word == LIST_NUMBER {
            return Some(Self::ListNumber);
        }
        if word.len() > LONGEST {
            return None;
        }
        let small = word.to_lowercase();
        let is = |known: &str| small == known;
        if TITLES.iter().any(|known| is(known)) || word == "D" {
            return Some(Self::Title);
        }
        if NUMBERED.iter().any(|known| is(known)) {
            return Some(Self::Numbered);
        }
        if ORDINARY.iter().any(|known| is(known)) || is_abbreviated(word) {
            return Some(Self::Ordinary);
        }
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(c), None) if c.is_uppercase() => Some(Self::Initial),
            // Initials that are written together: `J.-P.`
            (Some(c), Some('-')) if c.is_uppercase() && word.chars().count() == 3 => Some(Self::Initial),
            _ => None,
        }
    }
}

/// Whether a word has full stops between its letters, as `U.S` and `p.m` have.
pub(crate) fn is_abbreviated(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|part| {
            let letters = part.chars().count();
            (1..=2).contains(&letters) && part.chars().all(char::is_alphabetic)
        })
}

/// Things whose kinds have letters.
const WITH_KINDS: [&str; 28] = [
    "appendix",
    "arm",
    "block",
    "category",
    "clase",
    "class",
    "cohort",
    "diphtheria",
    "estadio",
    "exhibit",
    "factor",
    "grade",
    "group",
    "grupo",
    "hepatitis",
    "influenza",
    "part",
    "phase",
    "plan",
    "schedule",
    "section",
    "site",
    "stage",
    "table",
    "tipo",
    "type",
    "vitamin",
    "vitamina",
];

/// Whether a letter behind a word tells its kind: `vitamin D`, `grupo B`.
pub(crate) fn has_kinds(word: &str) -> bool {
    WITH_KINDS.contains(&word)
}

/// Whether a word begins sentences.
pub(crate) fn is_starter(word: &str) -> bool {
    STARTERS.contains(&word)
}
