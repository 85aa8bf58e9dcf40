//! A secret as a concept: all that names it, or names a kind or an instance of it.
//!
//! The paper counts a concept with its synonyms and all its specializations (Eq. 5), since who reads of gonorrhea reads of
//! a sexually transmitted disease. A name is taken only in the sense that is meant: below what may be told, or the most
//! probable one; and another word only where it mostly means that.

use std::collections::HashSet;

use reticent_knowledge::Folding;
use reticent_knowledge::taxonomy::{Concept, RungKind, Stack, Taxonomy};
use reticent_text::{Document, Language};

use super::measure::Secret;
use crate::abbreviation::long_form;
use crate::policy::Subject;

/// A word whose probability to mean that is lower is no name: few who write `dose` mean a disease.
const PROBABLE: f64 = 0.5;

/// Bounds that are suggested.
const SUGGESTED: usize = 5;

/// Returns the secret that a subject is, with all its names.
pub(super) fn secret(stack: &Stack, subject: &Subject) -> Secret {
    let folding = Folding::new(Language::English);
    let at_most = subject.at_most();
    let own: Vec<String> = subject.names().map(str::to_owned).collect();
    let mut names = own.clone();
    for name in &own {
        for (at, taxonomy) in stack.members().iter().enumerate() {
            // A taxonomy of names says nothing of what another knows as a common word.
            let of_names = stack.senses(name).first().is_some_and(|sense| sense.taxonomy == at);
            if taxonomy.holds_names() && !of_names {
                continue;
            }
            let Some(concept) = meant(&**taxonomy, name, at_most) else { continue };
            if !taxonomy.holds_names() {
                names.extend(
                    taxonomy.synonyms(concept).into_iter().filter(|word| means(&**taxonomy, word, concept)),
                );
            }
            names.extend(below(&**taxonomy, concept));
        }
    }
    let broader = at_most.map_or_else(Vec::new, |most| broader(stack, most));
    let told: HashSet<String> =
        broader.iter().map(String::as_str).chain(at_most).map(|word| folding.term(word)).collect();
    let declined: HashSet<String> = subject.declined().iter().map(|word| folding.term(word)).collect();
    let given: HashSet<String> = own.iter().map(|name| folding.term(name)).collect();
    names.retain(|name| {
        let key = folding.term(name);
        given.contains(&key) || !(told.contains(&key) || declined.contains(&key))
    });
    Secret::new(names, at_most.map(str::to_owned)).with_others(broader, subject.declined().to_vec())
}

/// A term with all that names it, its kinds or its instances.
pub(crate) fn names(stack: &Stack, term: &str) -> Vec<String> {
    let mut names = vec![term.to_owned()];
    let senses = stack.senses(term);
    if let Some(sense) = senses.first().filter(|sense| sense.probability >= PROBABLE) {
        let taxonomy = &*stack.members()[sense.taxonomy];
        // The places in a town are not its names.
        if !taxonomy.holds_names() {
            names.extend(taxonomy.synonyms(sense.concept));
            names.extend(below(taxonomy, sense.concept));
        }
    }
    let folding = Folding::new(Language::English);
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(folding.term(name)));
    names
}

/// The sense of a name that is meant: one below what may be told, or else the first.
fn meant(taxonomy: &dyn Taxonomy, name: &str, at_most: Option<&str>) -> Option<Concept> {
    let above = at_most.map(|most| taxonomy.senses(most)).unwrap_or_default();
    let senses = taxonomy.senses(name);
    let falls = |concept| above.iter().any(|most| taxonomy.contains(most.concept, concept));
    let meant = senses.iter().find(|sense| falls(sense.concept)).or_else(|| senses.first());
    meant.map(|sense| sense.concept)
}

/// Whether a word mostly means a concept.
fn means(taxonomy: &dyn Taxonomy, word: &str, concept: Concept) -> bool {
    let senses = taxonomy.senses(word);
    senses.iter().any(|sense| sense.concept == concept && sense.probability >= PROBABLE)
}

/// The words for all that is narrower than a concept.
fn below(taxonomy: &dyn Taxonomy, concept: Concept) -> Vec<String> {
    let mut seen = HashSet::from([concept]);
    let mut open = taxonomy.narrower(concept);
    let mut words = Vec::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        words.extend(taxonomy.synonyms(next).into_iter().filter(|word| means(taxonomy, word, next)));
        open.extend(taxonomy.narrower(next));
    }
    words.sort_unstable();
    words
}

/// What is broader than a term, most specific first.
fn broader(stack: &Stack, term: &str) -> Vec<String> {
    let rungs = stack.ladder(term).rungs.into_iter();
    rungs.filter(|rung| rung.kind != RungKind::Phrase).map(|rung| rung.text).collect()
}

/// The same secret with what a text says that its names stand for, and with what it says to stand for them.
pub(super) fn with_abbreviations(secret: Secret, document: &Document) -> Secret {
    let text = document.text();
    let folding = Folding::new(Language::English);
    let names: HashSet<String> = secret.names().iter().map(|name| folding.term(name)).collect();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let short: HashSet<&str> =
        words.filter(|word| word.chars().filter(|c| c.is_uppercase()).count() > 1).collect();
    let mut more: Vec<String> = Vec::new();
    for short in short {
        let Some(long) = long_form(text, short) else { continue };
        if names.contains(&folding.term(long)) {
            more.push(short.to_owned());
        } else if names.contains(&folding.term(short)) {
            more.push(long.to_owned());
        }
    }
    more.sort_unstable();
    secret.with_names(more)
}

/// Generalizations of a subject that could be told at most, the most specific first: those of at least so many documents.
pub(super) fn bounds(
    stack: &Stack,
    subject: &Subject,
    count: impl Fn(&str) -> Option<u64>,
    least: u64,
) -> Vec<String> {
    let mut found: Vec<(u64, String)> = Vec::new();
    for taxonomy in stack.members() {
        let mut open: Vec<Concept> =
            subject.names().flat_map(|name| taxonomy.senses(name)).map(|sense| sense.concept).collect();
        let mut seen = HashSet::new();
        while let Some(concept) = open.pop() {
            if !seen.insert(concept) {
                continue;
            }
            let broader = taxonomy.broader(concept);
            for word in broader.iter().map(|broader| taxonomy.label(*broader)) {
                if let Some(count) = count(&word).filter(|count| *count > least) {
                    found.push((count, word));
                }
            }
            open.extend(broader);
        }
    }
    found.sort();
    found.dedup();
    found.into_iter().map(|(_, word)| word).take(SUGGESTED).collect()
}
