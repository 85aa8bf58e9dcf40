//! How far an operator reaches.

use std::ops::Range;

use super::rule::Over;
use crate::parse::{Tree, Upos, is_predicate};

/// The words that a part of a rule's scope holds. `top` is the operator's highest word, `own` all of its words.
pub(super) fn words_of(
    tree: &Tree,
    over: Over,
    relations: &[String],
    top: usize,
    own: Range<usize>,
    forms: &[String],
) -> Vec<usize> {
    let is = |at: usize| relations.iter().any(|name| tree.word(at).relation.is(name));
    match over {
        Over::Predicate => match tree.word(top).head {
            Some(head) => predicate(tree, head, Some(own.start), forms),
            None => below(tree, top),
        },
        Over::Introduced => match tree.word(top).head {
            // A preposition or conjunction that the parser made the head of what it introduces.
            None => below(tree, top),
            Some(_) if !tree.word(top).relation.is("case") && has_object(tree, top) => below(tree, top),
            Some(head) => {
                let from = introduced(tree, head, top);
                let apart: Vec<Range<usize>> = joined_apart(tree, head);
                let inside = |word: &usize| *word >= from && !apart.iter().any(|range| range.contains(word));
                below(tree, head).into_iter().filter(inside).collect()
            }
        },
        Over::Phrase => phrase(tree, anchor(tree, top), forms),
        Over::Body => body(tree, anchor(tree, top), forms),
        Over::Quantity => phrase(tree, quantity(tree, own.end, top), forms),
        Over::QuantityBody => body(tree, quantity(tree, own.end, top), forms),
        Over::Subject => {
            let subjects = tree.children_as(anchor(tree, top), "nsubj");
            subjects.filter(|child| *child >= own.end).flat_map(|child| tree.range(child)).collect()
        }
        Over::Dependents => tree
            .children(top)
            .iter()
            .filter(|child| is(**child))
            .flat_map(|&child| tree.range(child))
            .collect(),
        Over::HeadDependents => {
            let children = tree.word(top).head.map_or(&[][..], |head| tree.children(head));
            children.iter().filter(|child| is(**child)).flat_map(|&child| tree.range(child)).collect()
        }
        Over::Following => {
            let end = (own.end..tree.len()).find(|&at| forms[at] == ",").unwrap_or(tree.len());
            (own.end..end).collect()
        }
        Over::Segment => (0..tree.len()).collect(),
        Over::Itself => own.collect(),
    }
}

fn below(tree: &Tree, at: usize) -> Vec<usize> {
    tree.range(at).collect()
}

fn has_object(tree: &Tree, at: usize) -> bool {
    ["obj", "obl", "nmod", "advcl", "ccomp", "xcomp"]
        .iter()
        .any(|name| tree.children_as(at, name).next().is_some())
}

/// Where what a word introduces begins: at the word, or, before a phrase, at the phrase.
fn introduced(tree: &Tree, head: usize, top: usize) -> usize {
    if top < head { top } else { tree.range(head).start }
}

/// Other clauses that are merely joined to a head.
fn joined_apart(tree: &Tree, head: usize) -> Vec<Range<usize>> {
    let apart = |child: &usize| {
        let relation = tree.word(*child).relation;
        relation.is("parataxis") || (relation.is("conj") && has_subject(tree, *child))
    };
    tree.children(head).iter().copied().filter(apart).map(|child| tree.range(child)).collect()
}

fn has_subject(tree: &Tree, at: usize) -> bool {
    ["nsubj", "csubj", "expl"].iter().any(|name| tree.children_as(at, name).next().is_some())
}

/// The word that a determiner, a number or another modifier belongs to in the end.
pub(super) fn anchor(tree: &Tree, at: usize) -> usize {
    let mut at = at;
    // Chains of modifiers are short; a longer one is no phrase.
    for _ in 0..8 {
        let word = tree.word(at);
        let noun = matches!(word.upos, Upos::Noun | Upos::Propn | Upos::Pron);
        let inner = ["advmod", "nummod", "det", "amod", "case", "fixed", "cc:preconj", "cc", "discourse"];
        match word.head {
            Some(head)
                if inner.iter().any(|name| word.relation.is(name)) && (!noun || word.relation.is("det")) =>
            {
                at = head;
            }
            _ => break,
        }
    }
    at
}

/// The phrase with the number after an operator.
fn quantity(tree: &Tree, after: usize, top: usize) -> usize {
    if after >= tree.len() {
        return anchor(tree, top);
    }
    let at = match tree.word(after).upos {
        Upos::Num | Upos::Det => after,
        _ => top,
    };
    anchor(tree, at)
}

/// A head with what belongs to it, but not a conjunct with a determiner of its own.
fn phrase(tree: &Tree, head: usize, forms: &[String]) -> Vec<usize> {
    let mut out = vec![head];
    let predicate = is_predicate(tree, head);
    for &child in tree.children(head) {
        let relation = tree.word(child).relation;
        let outside = predicate
            && ["nsubj", "cop", "aux", "advcl", "csubj", "expl", "punct"]
                .iter()
                .any(|name| relation.is(name));
        let joined = relation.is("conj")
            && (is_determined(tree, child)
                || is_predicate(tree, child)
                || has_negation(tree, child, forms)
                || matches!(conjunction(tree, child, forms), "nor" | "but"));
        if !outside && !joined && !relation.is("parataxis") {
            out.extend(tree.range(child));
        }
    }
    out.sort_unstable();
    out
}

fn is_determined(tree: &Tree, at: usize) -> bool {
    tree.children_as(at, "det").next().is_some() || tree.children_as(at, "nmod:poss").next().is_some()
}

fn conjunction<'f>(tree: &Tree, at: usize, forms: &'f [String]) -> &'f str {
    tree.children_as(at, "cc").next().map_or("", |cc| forms[cc].as_str())
}

/// The rest of the clause of which a phrase is a subject, an object or an adverbial.
fn body(tree: &Tree, anchor: usize, forms: &[String]) -> Vec<usize> {
    let word = tree.word(anchor);
    let (Some(head), own) = (word.head, tree.range(anchor)) else { return Vec::new() };
    let argument = ["nsubj", "obj", "obl", "iobj", "csubj", "advmod"];
    if !argument.iter().any(|name| word.relation.is(name)) {
        return Vec::new();
    }
    predicate(tree, head, None, forms).into_iter().filter(|word| !own.contains(word)).collect()
}

const CONTRAST: [&str; 7] = ["although", "though", "because", "since", "while", "whereas", "as"];

/// A predicate with what it rules, but its subject. What comes before the operator is not in its scope.
fn predicate(tree: &Tree, head: usize, operator: Option<usize>, forms: &[String]) -> Vec<usize> {
    let mut out = vec![head];
    for &child in tree.children(head) {
        let relation = tree.word(child).relation;
        let outside = [
            "nsubj",
            "csubj",
            "expl",
            "vocative",
            "discourse",
            "parataxis",
            "dislocated",
            "punct",
            "cc",
            "mark",
        ];
        let before = operator.is_some_and(|operator| tree.range(child).end <= operator)
            && ["obl", "advcl", "advmod"].iter().any(|name| relation.is(name));
        let contrast = relation.is("advcl")
            && tree
                .children_as(child, "mark")
                .any(|mark| CONTRAST.contains(&forms[mark].as_str()) || forms[mark] == "if");
        let joined = relation.is("conj") && !shares(tree, child, forms);
        if !(outside.iter().any(|name| relation.is(name)) || before || contrast || joined) {
            out.extend(tree.range(child));
        }
    }
    out.sort_unstable();
    out
}

/// Tells whether what is joined to a predicate lies in the scope of what modifies the first: `did not smoke or drink`.
fn shares(tree: &Tree, conjunct: usize, forms: &[String]) -> bool {
    let finite = matches!(tree.word(conjunct).tag.name(), "VBD" | "VBZ" | "VBP")
        || ["aux", "cop"].iter().any(|name| tree.children_as(conjunct, name).next().is_some());
    match conjunction(tree, conjunct, forms) {
        "or" | "nor" => !has_subject(tree, conjunct),
        "but" => false,
        _ => !finite && !has_subject(tree, conjunct) && !has_negation(tree, conjunct, forms),
    }
}

fn has_negation(tree: &Tree, at: usize, forms: &[String]) -> bool {
    tree.children(at).iter().any(|&child| matches!(forms[child].as_str(), "no" | "not" | "never" | "n't"))
}
