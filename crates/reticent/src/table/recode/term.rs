//! What texts may still say in a class: what all of its persons say, or the most specific thing that is true of
//! what each of them says.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{PoisonError, RwLock};

use reticent_knowledge::taxonomy::{RungKind, Stack};

use crate::mask::{self, Context, LABEL, SUPPRESSED};
use crate::resolve::surface::folded;
use crate::table::person::TermSets;
use crate::table::text::Term;
use crate::{EntityType, Knowledge};

/// A sense that is less probable than this is not built upon.
const SURE_SENSE: f64 = 0.8;
/// What is said of all places, and of all who work: no more than the type says.
const SAYS_NOTHING: [&str; 4] = ["place", "person", "entity", "adult"];

/// What is said of a term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// As it is written.
    Kept,
    /// Something broader, and how much of the way up to nothing that is.
    Rung(String, f64),
    /// Its type.
    Type,
}

/// What is said of the terms of a class.
#[derive(Default)]
pub(crate) struct TermPlan {
    said: BTreeMap<u32, Said>,
}

impl TermPlan {
    /// What is said of a term that one of the class says.
    pub(crate) fn said(&self, term: u32) -> &Said {
        self.said.get(&term).unwrap_or(&Said::Type)
    }

    /// What stays, folded: terms as they are written, and what broader ones are called.
    pub(crate) fn stays(&self, vocabulary: &[Term]) -> BTreeSet<String> {
        let said = self.said.iter().filter_map(|(term, said)| match said {
            Said::Kept => Some(vocabulary[*term as usize].folded.clone()),
            Said::Rung(text, _) => Some(folded(text)),
            Said::Type => None,
        });
        said.collect()
    }

    /// Decides for a class.
    pub(crate) fn new(terms: &TermSets, persons: &[u32], vocabulary: &[Term], ladders: &Ladders<'_>) -> Self {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        let mut with: Vec<usize> = vec![0; terms.types];
        for person in persons {
            let mut last = None;
            for term in terms.of(*person) {
                if terms.may_stay[*term as usize] {
                    *counts.entry(*term).or_default() += 1;
                    let kind = terms.type_of[*term as usize];
                    if last != Some(kind) {
                        with[usize::from(kind)] += 1;
                        last = Some(kind);
                    }
                }
            }
        }
        let mut plan = Self::default();
        for (kind, with) in with.iter().enumerate() {
            // Who says nothing of a type would be told from the others by whatever stayed of it.
            if *with == persons.len() {
                let of_kind = |term: &&u32| {
                    usize::from(terms.type_of[**term as usize]) == kind && terms.may_stay[**term as usize]
                };
                let own =
                    persons.iter().map(|person| terms.of(*person).iter().filter(of_kind).copied().collect());
                plan.decide(&own.collect::<Vec<Vec<u32>>>(), &counts, persons.len(), vocabulary, ladders);
            }
        }
        plan
    }

    /// Decides for the terms of one type, given for each person.
    fn decide(
        &mut self,
        own: &[Vec<u32>],
        counts: &HashMap<u32, usize>,
        persons: usize,
        vocabulary: &[Term],
        ladders: &Ladders<'_>,
    ) {
        let known: BTreeSet<u32> = own.iter().flatten().copied().collect();
        if known.iter().all(|term| counts[term] == persons) {
            self.said.extend(known.into_iter().map(|term| (term, Said::Kept)));
            return;
        }
        let chains: BTreeMap<u32, Vec<(String, String)>> = known
            .iter()
            .map(|term| {
                let term_ = &vocabulary[*term as usize];
                let rungs = ladders.rungs(term_).into_iter().map(|text| (folded(&text), text));
                (*term, std::iter::once((term_.folded.clone(), String::new())).chain(rungs).collect())
            })
            .collect();
        let reach = |terms: &Vec<u32>| -> BTreeSet<&str> {
            terms.iter().flat_map(|term| chains[term].iter().map(|(key, _)| key.as_str())).collect()
        };
        let mut shared = own.first().map(reach).unwrap_or_default();
        for terms in own.iter().skip(1) {
            if shared.is_empty() {
                return;
            }
            let reached = reach(terms);
            shared.retain(|key| reached.contains(key));
        }
        // What each person would say must be the same for all of them: what only some would choose goes, the
        // most specific first, so that the broader ones get their chance.
        loop {
            let chosen = |term: &u32| chains[term].iter().position(|(key, _)| shared.contains(key.as_str()));
            let said = |terms: &Vec<u32>| -> BTreeSet<&str> {
                terms.iter().filter_map(|term| Some(chains[term][chosen(term)?].0.as_str())).collect()
            };
            let mut how_many: BTreeMap<&str, usize> = BTreeMap::new();
            for terms in own {
                for key in said(terms) {
                    *how_many.entry(key).or_default() += 1;
                }
            }
            let height = |key: &str| {
                let left = chains.values().filter_map(|chain| {
                    chain.iter().position(|(other, _)| other == key).map(|at| chain.len() - at)
                });
                left.max()
            };
            let uneven = how_many.iter().filter(|(_, count)| **count < own.len()).map(|(key, _)| *key);
            let Some(goes) = uneven.max_by_key(|key| (height(key), *key)) else { break };
            shared.remove(goes);
        }
        for (term, chain) in &chains {
            let said = match chain.iter().position(|(key, _)| shared.contains(key.as_str())) {
                Some(0) => Said::Kept,
                Some(at) => Said::Rung(chain[at].1.clone(), at as f64 / chain.len() as f64),
                None => Said::Type,
            };
            self.said.insert(*term, said);
        }
    }
}

/// What is broader than terms, remembered.
pub(crate) struct Ladders<'a> {
    knowledge: Option<&'a Knowledge>,
    known: RwLock<HashMap<(EntityType, String), Vec<String>>>,
}

impl<'a> Ladders<'a> {
    /// By these taxonomies; without any, nothing is broader but by the calendar and by numbers.
    pub(crate) fn new(knowledge: Option<&'a Knowledge>) -> Self {
        Self { knowledge, known: RwLock::default() }
    }

    /// What can be said instead of a term, most specific first; all of it says more than the type.
    pub(crate) fn rungs(&self, term: &Term) -> Vec<String> {
        let key = (term.kind.clone(), term.value.clone());
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let rungs = match self.knowledge {
            Some(knowledge) if is_worded(&term.kind) => by_taxonomy(knowledge.taxonomy(), term),
            _ => by_reading(term),
        };
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(key, rungs.clone());
        rungs
    }
}

/// Types whose words taxonomies know. A nationality is often a language, of which what is broader is not true.
fn is_worded(kind: &EntityType) -> bool {
    [EntityType::LOCATION, EntityType::JOB_TITLE].contains(kind)
}

fn by_taxonomy(stack: &Stack, term: &Term) -> Vec<String> {
    let ladder = stack.ladder(&term.value);
    let Some(sense) = ladder.senses.first() else { return Vec::new() };
    let names = stack.members()[sense.taxonomy].holds_names();
    // A job is a common word, the others are names.
    if names == (term.kind == EntityType::JOB_TITLE) || (!names && sense.probability < SURE_SENSE) {
        return Vec::new();
    }
    let mut rungs = Vec::new();
    for rung in ladder.rungs {
        let says_nothing = SAYS_NOTHING.contains(&rung.text.as_str());
        if rung.kind == RungKind::Root || says_nothing {
            break;
        }
        let known = rung.concept.is_some_and(|(taxonomy, _)| taxonomy == sense.taxonomy);
        if known && (rung.kind == RungKind::Hypernym || !names) {
            rungs.push(rung.text);
        }
    }
    rungs
}

/// By the calendar and by numbers.
fn by_reading(term: &Term) -> Vec<String> {
    let context = Context::default();
    let ladder = mask::ladder(&term.kind, &term.surface, &context);
    let told = ladder.rungs.iter().skip(1).filter(|rung| ![LABEL, SUPPRESSED].contains(&rung.level.as_str()));
    let told = told.filter(|rung| rung.text.contains(|c: char| c.is_numeric()));
    told.map(|rung| rung.text.clone()).collect()
}
