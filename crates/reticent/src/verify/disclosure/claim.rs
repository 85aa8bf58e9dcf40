//! Claims: what a released text must not reveal.

use std::collections::BTreeSet;

use reticent_knowledge::taxonomy::{RungKind, Stack, Taxonomy};

use super::plain;
use crate::policy::Subject;

/// A term that a released text must not reveal.
#[derive(Clone, PartialEq, Eq)]
pub struct Claim {
    /// The names of the term, of its kinds and of its instances.
    pub names: Vec<String>,
    /// The most specific generalization that may be revealed.
    pub at_most: Option<String>,
    /// What is broader than that.
    pub broader: Vec<String>,
    /// What does not count as the term, by the user's word.
    pub declined: Vec<String>,
}

/// The share of the uses of a word that must have a sense.
const MOSTLY: f64 = 0.5;

impl Claim {
    /// Creates the claim of a subject with its synonyms and hyponyms from taxonomies: in the sense below `at_most`, or in
    /// the first sense if there is none.
    pub fn of(subject: &Subject, taxonomies: &Stack) -> Self {
        let at_most = subject.at_most().map(str::to_owned);
        let own: Vec<String> = subject.names().map(str::to_owned).collect();
        let mut others: BTreeSet<String> = BTreeSet::new();
        for (number, taxonomy) in taxonomies.members().iter().enumerate() {
            for name in &own {
                let first = taxonomies.senses(name).first().map(|sense| sense.taxonomy);
                if !taxonomy.holds_names() || first == Some(number) {
                    others.extend(named(&**taxonomy, name, at_most.as_deref()));
                }
            }
        }
        let ladder = at_most.as_deref().map(|most| taxonomies.ladder(most).rungs).unwrap_or_default();
        let broader: Vec<String> =
            ladder.into_iter().filter(|rung| rung.kind != RungKind::Phrase).map(|rung| rung.text).collect();
        let not_it: Vec<String> =
            broader.iter().chain(&at_most).chain(subject.declined()).map(|word| plain(word)).collect();
        others.retain(|word| !not_it.contains(&plain(word)));
        let names = own.into_iter().chain(others).collect();
        Self { names, at_most, broader, declined: subject.declined().to_vec() }
    }
}

/// The words for what a name means, and for all below that.
fn named(taxonomy: &dyn Taxonomy, name: &str, at_most: Option<&str>) -> BTreeSet<String> {
    let told = at_most.map_or_else(Vec::new, |most| taxonomy.senses(most));
    let senses = taxonomy.senses(name);
    let mut meant = senses
        .iter()
        .map(|sense| sense.concept)
        .filter(|concept| told.iter().any(|most| taxonomy.contains(most.concept, *concept)));
    let Some(meant) = meant.next().or_else(|| senses.first().map(|sense| sense.concept)) else {
        return BTreeSet::new();
    };
    let mostly = |word: &String, concept| {
        taxonomy.senses(word).iter().any(|sense| sense.concept == concept && sense.probability >= MOSTLY)
    };
    let mut words = BTreeSet::new();
    if !taxonomy.holds_names() {
        words.extend(taxonomy.synonyms(meant).into_iter().filter(|word| mostly(word, meant)));
    }
    let mut done = BTreeSet::from([meant]);
    let mut level = taxonomy.narrower(meant);
    while !level.is_empty() {
        let mut next = Vec::new();
        for concept in level {
            if done.insert(concept) {
                words.extend(taxonomy.synonyms(concept).into_iter().filter(|word| mostly(word, concept)));
                next.extend(taxonomy.narrower(concept));
            }
        }
        level = next;
    }
    words
}
