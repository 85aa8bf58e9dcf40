//! Finding operators, and adding up what they do.

use super::reach::words_of;
use super::rule::{Rule, Rules, When};
use super::{Operator, Polarity, Scopes};
use crate::parse::Tree;

/// More words are no sentence: their operators have no scope that could be told, so that time stays linear.
const LONGEST: usize = 512;

pub(super) fn scopes(rules: &'static Rules, tree: &Tree, text: &str) -> Scopes {
    let forms: Vec<String> = tree.words().iter().map(|word| plain(word.span.of(text))).collect();
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < forms.len() {
        let next = first_rule(rules, tree, &forms, at);
        if let Some((rule, length)) = next {
            found.push((rule, at, length));
        }
        at += next.map_or(1, |(_, length)| length);
    }
    let mut scopes = Scopes { operators: Vec::new(), polarity: vec![Polarity::Upward; tree.len()] };
    let long = tree.len() > LONGEST;
    if long {
        scopes.polarity.fill(Polarity::NonMonotone);
    }
    // Those that depend on what others do come last.
    for late in [false, true] {
        for &(rule, at, length) in found.iter().filter(|(rule, ..)| rules.all[*rule].when.upward == late) {
            let rule = &rules.all[rule];
            let head = top(tree, at, length);
            let free = !late || anchor_polarity(tree, head, &scopes.polarity) == Polarity::Upward;
            let scope = if free && !long { reach(tree, rule, at, length, &forms) } else { Vec::new() };
            for &(word, polarity) in &scope {
                scopes.polarity[word] = polarity.within(scopes.polarity[word]);
            }
            scopes.operators.push(Operator {
                kind: rule.kind,
                rule: &rule.id,
                words: at..at + length,
                scope,
            });
        }
    }
    scopes.operators.sort_by_key(|operator| operator.words.start);
    scopes
}

/// A form in small letters with a plain apostrophe.
fn plain(form: &str) -> String {
    form.chars().flat_map(char::to_lowercase).map(|c| if matches!(c, '’' | '‘') { '\'' } else { c }).collect()
}

/// The first rule that holds at a word, with the number of words that it takes.
fn first_rule(rules: &Rules, tree: &Tree, forms: &[String], at: usize) -> Option<(usize, usize)> {
    let tag = tree.word(at).tag.name();
    rules
        .at(forms, at, tag)
        .into_iter()
        .find(|&(rule, length)| holds(&rules.all[rule].when, tree, forms, at, length))
}

fn holds(when: &When, tree: &Tree, forms: &[String], at: usize, length: usize) -> bool {
    let head = top(tree, at, length);
    let relation = tree.word(head).relation;
    let above = tree.word(head).head.map(|above| tree.word(above).relation);
    let next = forms.get(at + length).map_or("", String::as_str);
    let next_upos = if at + length < tree.len() { tree.word(at + length).upos.name() } else { "" };
    let before = at.checked_sub(1).map_or("", |before| tree.word(before).upos.name());
    let has = |list: &[String], value: &str| list.iter().any(|known| known == value);
    let is = |list: &[String]| list.iter().any(|name| relation.is(name));
    let earlier = &forms[at.saturating_sub(4)..at];
    (when.tag.is_empty() || has(&when.tag, tree.word(at).tag.name()))
        && (when.relation.is_empty() || is(&when.relation))
        && !is(&when.not_relation)
        && (when.head_relation.is_empty()
            || above.is_some_and(|above| when.head_relation.iter().any(|name| above.is(name))))
        && (when.next.is_empty() || has(&when.next, next))
        && !has(&when.not_next, next)
        && (when.next_upos.is_empty() || has(&when.next_upos, next_upos))
        && !has(&when.not_next_upos, next_upos)
        && !has(&when.not_after_upos, before)
        && (when.after.is_empty() || earlier.iter().any(|form| has(&when.after, form)))
        && (!when.first || at == 0)
        && (!when.last || at + length == tree.len())
        && (!when.no_question || forms.last().is_none_or(|last| !last.ends_with('?')))
}

/// The word of a phrase whose head lies outside of it.
fn top(tree: &Tree, at: usize, length: usize) -> usize {
    let range = at..at + length;
    range.clone().find(|&word| tree.word(word).head.is_none_or(|head| !range.contains(&head))).unwrap_or(at)
}

fn anchor_polarity(tree: &Tree, at: usize, polarity: &[Polarity]) -> Polarity {
    polarity[super::reach::anchor(tree, at)]
}

fn reach(tree: &Tree, rule: &Rule, at: usize, length: usize, forms: &[String]) -> Vec<(usize, Polarity)> {
    let head = top(tree, at, length);
    let mut scope: Vec<(usize, Polarity)> = Vec::new();
    let mut taken = vec![false; tree.len()];
    for reach in &rule.scope {
        for word in words_of(tree, reach.over, &reach.relations, head, at..at + length, forms) {
            let own = (at..at + length).contains(&word) && reach.over != super::rule::Over::Itself;
            if !own && !std::mem::replace(&mut taken[word], true) {
                scope.push((word, reach.polarity));
            }
        }
    }
    scope.sort_unstable_by_key(|(word, _)| *word);
    scope
}
