//! Phrases: a word with what belongs to it.

use std::ops::Range;

use super::{Tree, Upos};

/// What a phrase is, by its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConstituentKind {
    /// A noun, a name, a pronoun or a number with its determiner and modifiers.
    Noun,
    /// A verb with its objects and adverbials.
    Verb,
    /// An adjective with its modifiers.
    Adjective,
    /// An adverb with its modifiers.
    Adverb,
    /// Anything else.
    Other,
}

/// Grammatical number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// One.
    Singular,
    /// More than one.
    Plural,
}

/// A phrase: a head with its dependents, in one piece.
///
/// Its range never holds another conjunct, an apposition or another statement, and begins and ends with a word and not a sign;
/// prepositions and conjunctions before it do not belong to it. A phrase may therefore be shorter than what hangs on its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constituent {
    /// What it is.
    pub kind: ConstituentKind,
    /// Its head.
    pub head: usize,
    /// Its words.
    pub range: Range<usize>,
    /// Its article, possessive or other determiner.
    pub determiner: Option<usize>,
    /// The heads of its other dependents in the range, without signs.
    pub modifiers: Vec<usize>,
    /// The preposition or conjunction that introduces it.
    pub marker: Option<usize>,
    /// Its number, if it is a noun phrase whose number shows.
    pub number: Option<Number>,
}

/// What hangs on a head and yet is no part of its phrase.
const APART: [&str; 10] = [
    "conj",
    "cc",
    "appos",
    "parataxis",
    "list",
    "discourse",
    "vocative",
    "dislocated",
    "reparandum",
    "punct",
];

impl Constituent {
    /// The phrase of a word.
    ///
    /// # Panics
    /// If there is no such word.
    #[must_use]
    pub fn of(tree: &Tree, head: usize) -> Self {
        let kind = match tree.word(head).upos {
            Upos::Noun | Upos::Propn | Upos::Pron | Upos::Num => ConstituentKind::Noun,
            Upos::Verb | Upos::Aux => ConstituentKind::Verb,
            Upos::Adj => ConstituentKind::Adjective,
            Upos::Adv => ConstituentKind::Adverb,
            _ => ConstituentKind::Other,
        };
        let children = tree.children(head);
        let split = children.partition_point(|child| *child < head);
        let mut range = head..head + 1;
        let marks = |child: usize| ["case", "mark"].iter().any(|name| tree.word(child).relation.is(name));
        let of_predicate = kind == ConstituentKind::Noun
            && children.iter().any(|&child| tree.word(child).relation.is("cop"));
        let apart = |child: usize| {
            let relation = tree.word(child).relation;
            APART.iter().any(|name| relation.is(name))
                || (of_predicate
                    && ["nsubj", "cop", "aux", "advcl", "csubj", "expl"].iter().any(|name| relation.is(name)))
        };
        let mut reach = range.start;
        for &child in children[..split].iter().rev() {
            let own = tree.range(child);
            if own.end != reach || marks(child) || (apart(child) && !tree.word(child).relation.is("punct")) {
                break;
            }
            reach = own.start;
            if !apart(child) {
                range.start = reach;
            }
        }
        reach = range.end;
        for &child in &children[split..] {
            let own = tree.range(child);
            let after_word = marks(child) && !tree.word(child).span.is_empty();
            if own.start != reach
                || (after_word && kind != ConstituentKind::Noun)
                || (apart(child) && !tree.word(child).relation.is("punct"))
            {
                break;
            }
            reach = own.end;
            if !apart(child) {
                range.end = reach;
            }
        }
        let inside = |child: &usize| range.contains(child) && !apart(*child);
        let determiner = children
            .iter()
            .copied()
            .filter(inside)
            .find(|&child| ["det", "nmod:poss"].iter().any(|name| tree.word(child).relation.is(name)));
        let modifiers =
            children.iter().copied().filter(inside).filter(|child| Some(*child) != determiner).collect();
        let marker = children.iter().copied().find(|&child| child < head && marks(child));
        let number = if kind == ConstituentKind::Noun { number(tree, head) } else { None };
        Self { kind, head, range, determiner, modifiers, marker, number }
    }

    /// The phrases of all words that have a meaning of their own, in the order of their heads.
    #[must_use]
    pub fn all(tree: &Tree) -> Vec<Self> {
        let inner = ["compound", "flat", "fixed", "goeswith", "det", "aux", "cop", "nummod"];
        (0..tree.len())
            .filter(|&at| {
                let word = tree.word(at);
                matches!(
                    word.upos,
                    Upos::Noun | Upos::Propn | Upos::Pron | Upos::Num | Upos::Verb | Upos::Adj | Upos::Adv
                ) && !inner.iter().any(|name| word.relation.is(name))
            })
            .map(|at| Self::of(tree, at))
            .collect()
    }
}

fn number(tree: &Tree, head: usize) -> Option<Number> {
    if tree.children_as(head, "conj").next().is_some() {
        return Some(Number::Plural);
    }
    match tree.word(head).tag.name() {
        "NNS" | "NNPS" => Some(Number::Plural),
        "NN" | "NNP" => Some(Number::Singular),
        _ => None,
    }
}

/// Phrases that are joined: `the clerk, her brother and I`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordination {
    /// The heads of what is joined, the first one first.
    pub conjuncts: Vec<usize>,
    /// The conjunctions.
    pub conjunctions: Vec<usize>,
}

impl Coordination {
    /// All coordinations of a tree.
    #[must_use]
    pub fn all(tree: &Tree) -> Vec<Self> {
        let mut out = Vec::new();
        for head in 0..tree.len() {
            let mut conjuncts = vec![head];
            conjuncts.extend(tree.children_as(head, "conj"));
            if conjuncts.len() > 1 {
                let conjunctions =
                    conjuncts.iter().flat_map(|&conjunct| tree.children_as(conjunct, "cc")).collect();
                out.push(Self { conjuncts, conjunctions });
            }
        }
        out
    }
}

/// Two phrases for one thing: `Ana Ruiz, the clerk`. The second one explains the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apposition {
    /// The head of the first phrase.
    pub first: usize,
    /// The head of the second phrase.
    pub second: usize,
}

impl Apposition {
    /// All appositions of a tree.
    #[must_use]
    pub fn all(tree: &Tree) -> Vec<Self> {
        (0..tree.len())
            .flat_map(|first| tree.children_as(first, "appos").map(move |second| Self { first, second }))
            .collect()
    }
}
