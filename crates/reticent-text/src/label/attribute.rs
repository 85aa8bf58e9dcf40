//! What a token shows: its word, its shape, what stands before it, which lists know it.
//!
//! A value is a hash; zero means that there is nothing to show.

use std::cell::OnceCell;

use super::lists::{Found, Lists};
use super::surroundings;
use super::table::{hash, mix};
use super::tokens::Tokens;
use crate::Language;

/// Something that a token shows, by the name that templates use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// `word`: as it is written.
    Word,
    /// `lower`: in small letters.
    Lower,
    /// `stem`: without endings (Snowball).
    Stem,
    /// `tag`: its part of speech.
    Tag,
    /// `shape`: `Xxxx`, `99`, with runs kept up to four.
    Shape,
    /// `brief`: the same with runs as one.
    Brief,
    /// `case`: capitalized, all upper, all lower, mixed, none.
    Case,
    /// `prefix3`: the first letters, in small letters.
    Prefix(usize),
    /// `suffix3`: the last letters, in small letters.
    Suffix(usize),
    /// `length`: in characters.
    Length,
    /// `ends_with_s`.
    EndsWithS,
    /// `has_letter`.
    HasLetter,
    /// `has_digit`.
    HasDigit,
    /// `field`: the words before the last colon of the line.
    Field,
    /// `field_distance`: how far that colon is.
    FieldDistance,
    /// `line`: the how many-th sequence it is in, from the start up to 20.
    Line,
    /// `line_from_end`: the same from the end, up to 6.
    LineFromEnd,
    /// `first`: the first word of its sequence.
    First,
    /// `number`: what a number may be by its size: a day, a year, a postal code.
    Number,
    /// `date`: it is in what is written as a date.
    Date,
    /// `phone`: it is in what is written as a phone number.
    Phone,
    /// `postcode`: it is in what is written as a postal code.
    Postcode,
    /// `glued`: nothing blank stands before it.
    Glued,
    /// `piece`: the shape of all that stands between two blanks, such as an e-mail address or a date.
    Piece,
    /// `bracket`: it stands in brackets.
    Bracket,
    /// `above`: the first words of the line above.
    Above,
    /// `below`: the first words of the line below.
    Below,
    /// `elsewhere`: the field that the same word stands in at another place of the document.
    Elsewhere,
    /// `cluster4`: which words it is used like, by so many bits.
    Cluster(u32),
    /// `list:NAME`: whether a list knows it, alone or with its neighbours.
    List(String),
    /// `lists`: all lists that know it.
    AllLists,
    /// `after:NAME+NAME`: the nearest word before it that one of these lists knows.
    After(Vec<String>),
    /// `since:NAME+NAME`: how far that is.
    Since(Vec<String>),
    /// `before:NAME+NAME`: the nearest word behind it that one of these lists knows.
    Before(Vec<String>),
    /// `until:NAME+NAME`: how far that is.
    Until(Vec<String>),
    /// `rule`: what the learnt rules say.
    Rule,
}

impl Attribute {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let number = |prefix: &str| name.strip_prefix(prefix).and_then(|n| n.parse::<usize>().ok());
        Some(match name {
            "word" => Self::Word,
            "lower" => Self::Lower,
            "stem" => Self::Stem,
            "tag" => Self::Tag,
            "shape" => Self::Shape,
            "brief" => Self::Brief,
            "case" => Self::Case,
            "length" => Self::Length,
            "ends_with_s" => Self::EndsWithS,
            "has_letter" => Self::HasLetter,
            "has_digit" => Self::HasDigit,
            "field" => Self::Field,
            "field_distance" => Self::FieldDistance,
            "line" => Self::Line,
            "line_from_end" => Self::LineFromEnd,
            "first" => Self::First,
            "number" => Self::Number,
            "date" => Self::Date,
            "phone" => Self::Phone,
            "postcode" => Self::Postcode,
            "glued" => Self::Glued,
            "piece" => Self::Piece,
            "bracket" => Self::Bracket,
            "above" => Self::Above,
            "below" => Self::Below,
            "elsewhere" => Self::Elsewhere,
            "lists" => Self::AllLists,
            "rule" => Self::Rule,
            _ => {
                if let Some((kind, lists)) = name.split_once(':') {
                    let several = || lists.split('+').map(str::to_owned).collect();
                    return match kind {
                        "list" => Some(Self::List(lists.to_owned())),
                        "after" => Some(Self::After(several())),
                        "since" => Some(Self::Since(several())),
                        "before" => Some(Self::Before(several())),
                        "until" => Some(Self::Until(several())),
                        _ => None,
                    };
                }
                if let Some(bits) = number("cluster") {
                    return u32::try_from(bits).ok().filter(|b| (1..=16).contains(b)).map(Self::Cluster);
                }
                let affix = |n: &usize| (1..=8).contains(n);
                return number("prefix")
                    .filter(affix)
                    .map(Self::Prefix)
                    .or_else(|| number("suffix").filter(affix).map(Self::Suffix));
            }
        })
    }
}

impl Attribute {
    /// Whether it depends on nothing outside of the token's sequence.
    pub(crate) fn stays_in_sequence(&self) -> bool {
        match self {
            Self::Line
            | Self::LineFromEnd
            | Self::Date
            | Self::Phone
            | Self::Postcode
            | Self::Glued
            | Self::Above
            | Self::Below
            | Self::Elsewhere
            | Self::Rule => false,
            Self::Word
            | Self::Lower
            | Self::Stem
            | Self::Tag
            | Self::Shape
            | Self::Brief
            | Self::Case
            | Self::Prefix(_)
            | Self::Suffix(_)
            | Self::Length
            | Self::EndsWithS
            | Self::HasLetter
            | Self::HasDigit
            | Self::Field
            | Self::FieldDistance
            | Self::First
            | Self::Number
            | Self::Piece
            | Self::Bracket
            | Self::Cluster(_)
            | Self::List(_)
            | Self::AllLists
            | Self::After(_)
            | Self::Since(_)
            | Self::Before(_)
            | Self::Until(_) => true,
        }
    }
}

/// What computing values needs besides the tokens.
pub(crate) struct Sources<'s> {
    pub(crate) language: Language,
    pub(crate) lists: &'s Lists,
    /// What the rules say of each token; zero is nothing.
    pub(crate) rules: &'s [u64],
    /// What the lists know, looked up when first asked for.
    found: OnceCell<Vec<Found>>,
}

impl<'s> Sources<'s> {
    /// For one document: lists are looked up once.
    pub(crate) fn new(language: Language, lists: &'s Lists, rules: &'s [u64]) -> Self {
        Self { language, lists, rules, found: OnceCell::new() }
    }

    fn found(&self, tokens: &Tokens<'_>) -> impl Iterator<Item = Found> {
        self.found.get_or_init(|| self.lists.values(tokens)).iter().copied()
    }
}

/// The values of an attribute for all tokens of a document.
pub(crate) fn values(attribute: &Attribute, tokens: &Tokens<'_>, sources: &Sources<'_>) -> Vec<u64> {
    let each = |value: &dyn Fn(&str) -> u64| -> Vec<u64> {
        tokens.spans.iter().map(|span| value(span.of(tokens.text))).collect()
    };
    match attribute {
        Attribute::Word => each(&|word| hash(word.as_bytes())),
        Attribute::Lower => each(&|word| hash_lower(word)),
        Attribute::Stem => stems(tokens, sources.language),
        Attribute::Tag => tokens.tags.iter().map(|tag| hash(tag.name().as_bytes())).collect(),
        Attribute::Shape => each(&|word| shape(word, 4)),
        Attribute::Brief => each(&|word| shape(word, 1)),
        Attribute::Case => each(&|word| case(word)),
        Attribute::Prefix(length) => each(&|word| affix(word, *length, false)),
        Attribute::Suffix(length) => each(&|word| affix(word, *length, true)),
        Attribute::Length => each(&|word| word.chars().count() as u64 + 1),
        Attribute::EndsWithS => each(&|word| u64::from(word.ends_with(['s', 'S']))),
        Attribute::HasLetter => each(&|word| u64::from(word.contains(char::is_alphabetic))),
        Attribute::HasDigit => each(&|word| u64::from(word.contains(|c: char| c.is_ascii_digit()))),
        Attribute::Field => fields(tokens).into_iter().map(|(field, _)| field).collect(),
        Attribute::FieldDistance => fields(tokens).into_iter().map(|(_, distance)| distance).collect(),
        Attribute::Line => places(tokens, |at, _| at.min(20) as u64 + 1),
        Attribute::LineFromEnd => places(tokens, |at, all| (all - at).min(7) as u64 + 1),
        Attribute::First => {
            let mut values = vec![0; tokens.spans.len()];
            tokens.sequences.iter().filter(|s| !s.is_empty()).for_each(|s| values[s.start] = 1);
            values
        }
        Attribute::Number => each(&number),
        Attribute::Date => super::dates::dates(tokens),
        Attribute::Phone => super::figures::phones(tokens),
        Attribute::Postcode => super::figures::postcodes(tokens),
        Attribute::Glued => {
            let before = tokens.spans.iter().zip(tokens.spans.iter().skip(1));
            std::iter::once(0).chain(before.map(|(a, b)| u64::from(a.end == b.start))).collect()
        }
        Attribute::Piece => surroundings::pieces(tokens),
        Attribute::Bracket => surroundings::brackets(tokens),
        Attribute::Above => surroundings::neighbours(tokens, true),
        Attribute::Below => surroundings::neighbours(tokens, false),
        Attribute::Elsewhere => surroundings::elsewhere(tokens, &fields(tokens)),
        Attribute::Cluster(bits) => each(&|word| sources.lists.cluster(hash_lower(word), *bits)),
        Attribute::List(name) => {
            let Some(bit) = sources.lists.bit(name) else { return vec![0; tokens.spans.len()] };
            sources.found(tokens).map(|found| found.of(bit)).collect()
        }
        Attribute::AllLists => sources.found(tokens).map(Found::all).collect(),
        Attribute::After(names) => surroundings::nearest(tokens, &known(tokens, sources, names), true).0,
        Attribute::Since(names) => surroundings::nearest(tokens, &known(tokens, sources, names), true).1,
        Attribute::Before(names) => surroundings::nearest(tokens, &known(tokens, sources, names), false).0,
        Attribute::Until(names) => surroundings::nearest(tokens, &known(tokens, sources, names), false).1,
        Attribute::Rule => sources.rules.to_vec(),
    }
}

/// The tokens at which an entry of one of these lists begins.
fn known(tokens: &Tokens<'_>, sources: &Sources<'_>, names: &[String]) -> Vec<bool> {
    let bits: Vec<u32> = names.iter().filter_map(|name| sources.lists.bit(name)).collect();
    let begins = |found: Found| bits.iter().any(|bit| found.of(*bit) & 1 == 1);
    sources.found(tokens).map(begins).collect()
}

/// The hash of a word in small letters.
pub(crate) fn hash_lower(word: &str) -> u64 {
    if word.is_ascii() && word.len() <= 32 {
        let mut small = [0; 32];
        let small = &mut small[..word.len()];
        small.copy_from_slice(word.as_bytes());
        small.make_ascii_lowercase();
        hash(small)
    } else {
        hash(word.to_lowercase().as_bytes())
    }
}

fn stems(tokens: &Tokens<'_>, language: Language) -> Vec<u64> {
    let algorithm = match language {
        Language::English => rust_stemmers::Algorithm::English,
        Language::Spanish => rust_stemmers::Algorithm::Spanish,
        Language::Other => {
            return tokens.spans.iter().map(|span| hash_lower(span.of(tokens.text))).collect();
        }
    };
    let stemmer = rust_stemmers::Stemmer::create(algorithm);
    let stem = |word: &str| hash(stemmer.stem(&word.to_lowercase()).as_bytes());
    tokens.spans.iter().map(|span| stem(span.of(tokens.text))).collect()
}

/// What a number may be by its size; nothing for other words.
fn number(word: &str) -> u64 {
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    match (word.len(), word.parse::<u64>().unwrap_or(u64::MAX)) {
        (1 | 2, 0) => 3,
        (1 | 2, 1..=12) => 4,
        (1 | 2, 13..=31) => 5,
        (1 | 2, _) => 6,
        (3, 0..=120) => 7,
        (4, 1900..=2039) => 8,
        (4, _) => 9,
        (5, 1000..=52999) => 10,
        (9, 600_000_000..) => 11,
        (length, _) => 12 + length.min(16) as u64,
    }
}

fn class(c: char) -> u64 {
    match c {
        _ if c.is_lowercase() => 1,
        _ if c.is_uppercase() => 2,
        _ if c.is_alphabetic() => 3,
        _ if c.is_numeric() => 4,
        _ => u64::from(c) + 8,
    }
}

/// Runs of a class count up to `most`.
pub(crate) fn shape(word: &str, most: u32) -> u64 {
    let (mut value, mut last, mut run) = (11, 0, 0);
    for c in word.chars().take(64) {
        let class = class(c);
        run = if class == last { run + 1 } else { 1 };
        last = class;
        if run <= most {
            value = mix(value, class);
        }
    }
    value
}

fn case(word: &str) -> u64 {
    let letters = word.chars().filter(|c| c.is_alphabetic());
    let (mut upper, mut lower) = (0, 0);
    letters.for_each(|c| if c.is_uppercase() { upper += 1 } else { lower += 1 });
    match (upper, lower, word.starts_with(char::is_uppercase)) {
        (0, 0, _) => 1,
        (0, _, _) => 2,
        (_, 0, _) => 3,
        (1, _, true) => 4,
        _ => 5,
    }
}

/// Nothing for words that are not longer than the affix.
fn affix(word: &str, length: usize, end: bool) -> u64 {
    if word.len() <= length {
        return 0;
    }
    let at = if end {
        word.char_indices().rev().nth(length - 1).map_or(0, |(at, _)| at)
    } else {
        word.char_indices().nth(length).map_or(word.len(), |(at, _)| at)
    };
    let part = if end { &word[at..] } else { &word[..at] };
    if part.len() == word.len() { 0 } else { hash_lower(part) }
}

/// The up to three words before the last colon of the sequence, and how far it is.
fn fields(tokens: &Tokens<'_>) -> Vec<(u64, u64)> {
    let mut values = vec![(0, 0); tokens.spans.len()];
    for sequence in &tokens.sequences {
        let mut field = (0, 0);
        for token in sequence.clone() {
            if field.0 != 0 {
                let distance = (token - field.1) as u64;
                values[token] =
                    (field.0, if distance <= 6 { distance } else { 7 + u64::from(distance > 15) });
            }
            if tokens.word(token) == ":" {
                let from = token.saturating_sub(3).max(sequence.start);
                let words = (from..token).rev().map(|at| tokens.word(at));
                let words = words.take_while(|word| !matches!(*word, "." | "," | ":" | ";"));
                field = (words.fold(17, |value, word| mix(value, hash_lower(word))), token);
            }
        }
    }
    values
}

fn places(tokens: &Tokens<'_>, value: impl Fn(usize, usize) -> u64) -> Vec<u64> {
    let mut values = vec![0; tokens.spans.len()];
    let full: Vec<_> = tokens.sequences.iter().filter(|sequence| !sequence.is_empty()).collect();
    for (at, sequence) in full.iter().enumerate() {
        values[(*sequence).clone()].fill(value(at, full.len()));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_attributes_by_their_names() {
        assert_eq!(Attribute::parse("list:kin"), Some(Attribute::List("kin".to_owned())));
        let both = vec!["street".to_owned(), "ward".to_owned()];
        assert_eq!(Attribute::parse("after:street+ward"), Some(Attribute::After(both.clone())));
        assert_eq!(Attribute::parse("until:street+ward"), Some(Attribute::Until(both)));
        assert_eq!(Attribute::parse("postcode"), Some(Attribute::Postcode));
    }

    #[test]
    fn leaves_other_names_alone() {
        for name in ["", "after", "near:kin", "phones", "prefix", "cluster17", "Word"] {
            assert_eq!(Attribute::parse(name), None, "{name}");
        }
    }
}
