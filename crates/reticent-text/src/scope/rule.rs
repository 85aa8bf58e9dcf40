//! The records of `operators.toml`.

use std::collections::HashMap;
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;

use super::{OperatorKind, Polarity};
use crate::{Error, ErrorKind};

/// A rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) kind: OperatorKind,
    /// Words or phrases, in small letters.
    #[serde(default)]
    words: Vec<String>,
    /// Words whose inflected forms count too.
    #[serde(default)]
    stems: Vec<String>,
    /// Beginnings of words.
    #[serde(default)]
    pub(super) prefixes: Vec<String>,
    /// Tags, instead of words.
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default)]
    pub(super) when: When,
    #[serde(default)]
    pub(super) scope: Vec<Reach>,
    /// Sentences with the operator in asterisks, and the polarity of some words: `He has *no* fever/-.`
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for the tests"))]
    pub(super) matches: Vec<String>,
    /// Sentences in which the rule finds nothing.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for the tests"))]
    pub(super) leaves_alone: Vec<String>,
}

/// Conditions, all of which must hold.
#[expect(clippy::struct_excessive_bools, reason = "they are keys of a file, and independent")]
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct When {
    /// Tags of the first word.
    pub(super) tag: Vec<String>,
    /// What the operator is to its head.
    pub(super) relation: Vec<String>,
    pub(super) not_relation: Vec<String>,
    /// What its head is to its own.
    pub(super) head_relation: Vec<String>,
    /// The word after it.
    pub(super) next: Vec<String>,
    pub(super) not_next: Vec<String>,
    /// The part of speech of the word after it.
    pub(super) next_upos: Vec<String>,
    pub(super) not_next_upos: Vec<String>,
    /// The part of speech of the word before it.
    pub(super) not_after_upos: Vec<String>,
    /// One of the four words before it.
    pub(super) after: Vec<String>,
    /// It is the first word, or the last one.
    pub(super) first: bool,
    pub(super) last: bool,
    /// The segment does not end with a question mark.
    pub(super) no_question: bool,
    /// It stands where nothing else makes the polarity other than upward.
    pub(super) upward: bool,
}

/// A part of the scope.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reach {
    pub(super) over: Over,
    pub(super) polarity: Polarity,
    /// For dependents: which.
    #[serde(default)]
    pub(super) relations: Vec<String>,
}

/// Which words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Over {
    /// The predicate that the operator modifies, without its subject and what comes before.
    Predicate,
    /// What the operator introduces: its head and all below that.
    Introduced,
    /// The phrase that the operator determines or modifies.
    Phrase,
    /// The rest of the clause of which that phrase is a subject or object.
    Body,
    /// The subject after the operator, if that modifies the predicate.
    Subject,
    /// The phrase with the number after the operator.
    Quantity,
    /// The rest of its clause.
    QuantityBody,
    /// Dependents of the operator.
    Dependents,
    /// Dependents of its head.
    HeadDependents,
    /// Everything up to the next comma.
    Following,
    /// The whole segment.
    Segment,
    /// The operator itself.
    Itself,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    operator: Vec<Rule>,
}

/// All rules, and which of them to try at a word.
pub(super) struct Rules {
    pub(super) all: Vec<Rule>,
    words: HashMap<String, Vec<usize>>,
    stems: HashMap<String, Vec<usize>>,
    tags: HashMap<String, Vec<usize>>,
    prefixes: Vec<(String, usize)>,
}

/// The shipped rules, read when they are first asked for.
pub(super) fn rules() -> Result<&'static Rules, Error> {
    static RULES: OnceLock<Result<Rules, Error>> = OnceLock::new();
    let rules = RULES.get_or_init(|| Rules::read(include_str!("operators.toml")));
    rules.as_ref().map_err(Clone::clone)
}

pub(super) fn stem(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

impl Rules {
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        let file: File = toml::from_str(text).map_err(|error| {
            Error::new(ErrorKind::Model, format!("the rules of operators are malformed: {error}"))
        })?;
        let empty = HashMap::new;
        let mut rules =
            Self { all: file.operator, words: empty(), stems: empty(), tags: empty(), prefixes: Vec::new() };
        for (at, rule) in rules.all.iter().enumerate() {
            for words in &rule.words {
                let first = words.split(' ').next().unwrap_or_default();
                rules.words.entry(first.to_owned()).or_default().push(at);
            }
            for word in &rule.stems {
                rules.stems.entry(stem(word)).or_default().push(at);
            }
            for tag in &rule.tags {
                rules.tags.entry(tag.clone()).or_default().push(at);
            }
            rules.prefixes.extend(rule.prefixes.iter().map(|prefix| (prefix.clone(), at)));
        }
        Ok(rules)
    }

    /// The rules to try at a word, in the order of the file, each with the number of words that it takes.
    pub(super) fn at(&self, forms: &[String], at: usize, tag: &str) -> Vec<(usize, usize)> {
        let form = forms[at].as_str();
        let mut out = Vec::new();
        for &rule in self.words.get(form).into_iter().flatten() {
            let longest = self.all[rule].words.iter().filter_map(|words| takes(words, &forms[at..])).max();
            out.extend(longest.map(|length| (rule, length)));
        }
        let stems = self.stems.get(&stem(form));
        let tags = self.tags.get(tag);
        out.extend(stems.into_iter().chain(tags).flatten().map(|&rule| (rule, 1)));
        let prefixed =
            self.prefixes.iter().filter(|(prefix, _)| form.len() > prefix.len() && form.starts_with(prefix));
        out.extend(prefixed.map(|&(_, rule)| (rule, 1)));
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The number of words of a phrase if the forms begin with it.
fn takes(words: &str, forms: &[String]) -> Option<usize> {
    let mut count = 0;
    for word in words.split(' ') {
        if forms.get(count)? != word {
            return None;
        }
        count += 1;
    }
    Some(count)
}
