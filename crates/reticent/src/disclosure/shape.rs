//! Which words of a sentence are one term, and of what sort.

use std::collections::BTreeSet;

use reticent_knowledge::taxonomy::{Stack, StackSense};
use reticent_text::{Layers, Pos, Span, Token};

use super::parts::tells;
use super::terms::names_a_thing;
use crate::abbreviation::long_form;
use crate::knowledge::senses_below;
use crate::mask::vague::Sort;

/// Cuts noun phrases into terms, by what a text and taxonomies know to be one thing.
pub(super) struct Shape<'a> {
    text: &'a str,
    layers: &'a Layers,
    stack: &'a Stack,
    /// What abbreviations of the text stand for.
    long_forms: BTreeSet<&'a str>,
}

impl<'a> Shape<'a> {
    pub(super) fn new(text: &'a str, layers: &'a Layers, stack: &'a Stack) -> Self {
        let words = layers.tokens.iter().map(|token| token.span.of(text));
        let short: BTreeSet<&str> =
            words.filter(|word| word.chars().filter(|c| c.is_uppercase()).count() > 1).collect();
        let long_forms = short.into_iter().filter_map(|short| long_form(text, short)).collect();
        Self { text, layers, stack, long_forms }
    }

    /// The terms that a noun phrase is made of.
    pub(super) fn terms_of(&self, core: Span) -> Vec<Span> {
        let parts = conjuncts(self.layers, core).into_iter();
        let parts = parts.flat_map(|span| within_brackets(self.text, self.layers, span));
        let parts = parts.map(|span| without_verb(self.text, self.layers, span, self.stack));
        let parts = parts.map(|span| without_first_verb(self.text, self.layers, span));
        parts.collect()
    }

    /// A term with the words before it that belong to it.
    pub(super) fn whole(&self, span: Span) -> Span {
        let span = with_first_word(self.text, self.layers, span, self.stack);
        self.with_last_word(self.with_long_form(span))
    }

    /// All of a long form, though the tagger took its first word for another: who has `acquired immunodeficiency syndrome (AIDS)`
    /// did not acquire it.
    fn with_long_form(&self, span: Span) -> Span {
        let starts = self.long_forms.iter().filter_map(|long| {
            let start = span.end.checked_sub(long.len())?;
            let first = self.text.get(start..span.start)?;
            let tokens = self.layers.tokens_in(Span::new(start, span.start));
            let part = |token: &Token| {
                matches!(token.tag.pos(), Pos::Verb | Pos::Adverb | Pos::Adjective | Pos::Noun)
            };
            let own = first.ends_with(' ') && tokens.iter().all(part);
            (own && self.text.get(start..span.end)? == *long).then_some(start)
        });
        Span::new(starts.min().unwrap_or(span.start), span.end)
    }

    /// A phrase with the noun after it that the tagger took for a verb, if it is never one: `AIDS clinicians`.
    fn with_last_word(&self, span: Span) -> Span {
        let at = self.layers.tokens.partition_point(|token| token.span.start < span.end);
        let Some(next) = self.layers.tokens.get(at).filter(|next| next.tag.name() == "VBZ") else {
            return span;
        };
        let senses = self.stack.senses(next.span.of(self.text));
        let thing = |sense: &StackSense| names_a_thing(&*self.stack.members()[sense.taxonomy], sense.concept);
        let beside = self.text.get(span.end..next.span.start) == Some(" ");
        if beside && !senses.is_empty() && senses.iter().all(thing) { span.join(next.span) } else { span }
    }
}

/// What `and` and `or` join, each by itself: `infections and cancers` are two terms.
fn conjuncts(layers: &Layers, core: Span) -> Vec<Span> {
    let tokens = layers.tokens_in(core);
    let joins = |token: &Token| matches!(token.tag.pos(), Pos::Conjunction);
    if layers.fallback || !tokens.iter().any(joins) {
        return vec![core];
    }
    let says = |token: &&Token| {
        !matches!(token.tag.pos(), Pos::Determiner | Pos::Pronoun | Pos::Punctuation | Pos::Adverb)
    };
    let parts = tokens.split(joins).filter_map(|part| {
        let first = part.iter().find(says)?;
        let last = part.iter().rev().find(says)?;
        Some(first.span.join(last.span))
    });
    parts.collect()
}

/// What a bracket cuts that opens or ends in a phrase, each by itself: `(higher than normal) amount`.
fn within_brackets(text: &str, layers: &Layers, span: Span) -> Vec<Span> {
    let words = span.of(text);
    if words.matches('(').count() == words.matches(')').count() {
        return vec![span];
    }
    let parts = layers.tokens_in(span).split(|token| ["(", ")"].contains(&token.span.of(text)));
    parts.filter_map(|part| Some(part.first()?.span.join(part.last()?.span))).collect()
}

/// A phrase without what the tagger took for its noun: `HIV/AIDS` of `HIV/AIDS weakens`.
fn without_verb(text: &str, layers: &Layers, span: Span, stack: &Stack) -> Span {
    let [.., before, last] = layers.tokens_in(span) else { return span };
    let senses = stack.senses(last.span.of(text));
    let things = senses.iter().any(|sense| names_a_thing(&*stack.members()[sense.taxonomy], sense.concept));
    if senses.is_empty() || things { span } else { Span::new(span.start, before.span.end) }
}

/// A phrase without the verb that the tagger took for its first noun: `cells`, of what `targets cells`.
fn without_first_verb(text: &str, layers: &Layers, span: Span) -> Span {
    let [first, next, ..] = layers.tokens_in(span) else { return span };
    let at = layers.tokens.partition_point(|token| token.span.end <= span.start);
    let before = at.checked_sub(1).map_or("", |at| layers.tokens[at].span.of(text));
    let verb = first.tag.name() == "NNS" && ["that", "which", "who"].contains(&before);
    if verb { Span::new(next.span.start, span.end) } else { span }
}

/// A phrase with the word before it that the tagger took for another, if both are one known thing: `Reverse transcriptase`.
fn with_first_word(text: &str, layers: &Layers, span: Span, stack: &Stack) -> Span {
    let at = layers.tokens.partition_point(|token| token.span.end <= span.start);
    let Some(before) = at.checked_sub(1).map(|at| layers.tokens[at]) else { return span };
    let word = before.span.of(text);
    let beside = text.get(before.span.end..span.start) == Some(" ") && tells(word, layers.language);
    let whole = before.span.join(span);
    if beside && !stack.senses(whole.of(text)).is_empty() { whole } else { span }
}

/// A single word that is known and names no thing is what someone does.
pub(super) fn sort(phrase: &str, stack: &Stack) -> Sort {
    let mut senses = stack.senses(phrase).into_iter().peekable();
    let known = senses.peek().is_some();
    let thing = senses.any(|sense| names_a_thing(&*stack.members()[sense.taxonomy], sense.concept));
    match () {
        () if known && !thing && !phrase.contains(' ') && is_change(phrase, stack) => Sort::Change,
        () if known && !thing && !phrase.contains(' ') => Sort::Deed,
        () if is_person(phrase, stack) => Sort::Person,
        () => Sort::Thing,
    }
}

/// Whether a verb mostly means that something is made different by it: `weakens`.
fn is_change(verb: &str, stack: &Stack) -> bool {
    const MOSTLY: f64 = 0.5;
    senses_below(stack, verb, &["modify"]).map(|sense| sense.probability).sum::<f64>() > MOSTLY
}

/// Whether the noun of a phrase means people more often than not: a `contact` seldom is one, and a `lump` neither.
fn is_person(phrase: &str, stack: &Stack) -> bool {
    const MORE_OFTEN: f64 = 0.5;
    let noun = phrase.split_whitespace().next_back().unwrap_or(phrase).to_lowercase();
    let noun = match noun.as_str() {
        // What taxonomies take for a group, or a work force.
        "people" => "person",
        "men" => "man",
        "women" => "woman",
        noun => noun,
    };
    let people = senses_below(stack, noun, &["person"]);
    people.map(|sense| sense.probability).sum::<f64>() > MORE_OFTEN
}
