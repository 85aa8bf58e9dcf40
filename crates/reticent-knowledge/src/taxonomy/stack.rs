//! Several taxonomies as one: the user's first.

use std::path::Path;
use std::sync::Arc;

use reticent_text::{Language, is_stop_word};

use super::key::key;
use super::{Concept, Ladder, PackedTaxonomy, ROOT, Sense, Taxonomy, nationalities, places, wordnet};
use crate::Error;

/// The language of phrases: that of WordNet.
pub(super) const LANGUAGE: Language = Language::English;

/// Taxonomies in the order in which they are asked.
#[derive(Clone)]
pub struct Stack {
    members: Vec<Arc<dyn Taxonomy>>,
}

/// One of the things that a term may mean, and by which taxonomy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackSense {
    /// The index of the taxonomy in [`Stack::members`].
    pub taxonomy: usize,
    /// The concept.
    pub concept: Concept,
    /// The probability of the sense in that taxonomy.
    pub probability: f64,
    /// The count of the term in that sense.
    pub count: u32,
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self.members.iter().map(|member| member.name()).collect();
        f.debug_tuple("Stack").field(&names).finish()
    }
}

impl Stack {
    /// Opens the built-in taxonomies: nationalities, places, WordNet.
    pub fn standard() -> Result<Self, Error> {
        Ok(Self { members: vec![Arc::new(nationalities()?), Arc::new(places()?), Arc::new(wordnet()?)] })
    }

    /// Files of the user, the first asked first, and then what ships with the program.
    pub fn with_files<P: AsRef<Path>>(paths: &[P]) -> Result<Self, Error> {
        let mut stack = Self::standard()?;
        for path in paths.iter().rev() {
            let path = path.as_ref();
            let taxonomy = PackedTaxonomy::open(path).map_err(|error| error.in_file(path))?;
            stack = stack.over(Arc::new(taxonomy));
        }
        Ok(stack)
    }

    /// The same with another taxonomy that is asked first.
    #[must_use]
    pub fn over(mut self, first: Arc<dyn Taxonomy>) -> Self {
        self.members.insert(0, first);
        self
    }

    /// The taxonomies, in the order in which they are asked.
    pub fn members(&self) -> &[Arc<dyn Taxonomy>] {
        &self.members
    }

    pub(super) fn member(&self, at: usize) -> &dyn Taxonomy {
        &*self.members[at]
    }

    /// Returns the senses of a term, most probable first, in the first taxonomy that contains it.
    ///
    /// With one exception: a taxonomy of names yields to a later one that knows the term as a common word and
    /// not as a name. Paris is a place first, since WordNet knows it as a name too; a University is not a
    /// suburb of Orlando, since WordNet only knows it in small letters. Stop words are no names.
    pub fn senses(&self, term: &str) -> Vec<StackSense> {
        let mut known: Option<(usize, Vec<Sense>)> = None;
        for (at, member) in self.members.iter().enumerate() {
            if member.holds_names() && (known.is_some() || is_stop_word(term, LANGUAGE)) {
                continue;
            }
            let senses = member.senses(term);
            if senses.is_empty() {
                continue;
            }
            let common = !senses.iter().any(|sense| sense.exact);
            if known.is_none() || common {
                known = Some((at, senses));
            }
            if !member.holds_names() {
                break;
            }
        }
        let (taxonomy, senses) = known.unwrap_or_default();
        let sense = |Sense { concept, probability, count, .. }: Sense| StackSense {
            taxonomy,
            concept,
            probability,
            count,
        };
        senses.into_iter().map(sense).collect()
    }

    /// Returns the generalizations of a term.
    pub fn ladder(&self, term: &str) -> Ladder {
        Ladder::new(self, term)
    }

    /// Returns whether `general` is a generalization of `specific` in one of its senses, or equal to it. This is for
    /// terms in a policy, whose author knows which sense is meant.
    ///
    /// ```
    /// use reticent_knowledge::taxonomy::Stack;
    /// let stack = Stack::standard()?;
    /// assert!(stack.generalizes("virus", "HIV"));
    /// assert!(stack.generalizes("Europe", "Dublin"));
    /// assert!(!stack.generalizes("HIV", "virus"));
    /// assert!(!stack.generalizes("bacterium", "HIV"));
    /// # Ok::<(), reticent_knowledge::Error>(())
    /// ```
    pub fn generalizes(&self, general: &str, specific: &str) -> bool {
        let wanted = key(general);
        if wanted == key(specific) {
            return true;
        }
        let ladder = self.ladder(specific);
        if ladder.rungs.iter().any(|rung| key(&rung.text) == wanted) {
            return true;
        }
        // What is broader is not only what the ladder went by.
        let form = ladder.form.as_deref().unwrap_or(specific);
        self.members.iter().any(|taxonomy| {
            let broader = taxonomy.senses(general);
            taxonomy
                .senses(form)
                .iter()
                .any(|sense| broader.iter().any(|broader| taxonomy.contains(broader.concept, sense.concept)))
        })
    }

    /// The concept that the last rung means, in the last taxonomy that has it.
    pub(super) fn root(&self) -> Option<(usize, Concept)> {
        self.members.iter().enumerate().rev().find_map(|(at, member)| {
            let senses = member.senses(ROOT);
            let root = senses.first().filter(|sense| member.broader(sense.concept).is_empty());
            root.map(|sense| (at, sense.concept))
        })
    }
}
