//! Ladders: the generalizations of a term, from the most specific to `entity`.

use std::collections::HashSet;

use super::key::key;
use super::phrase::Phrase;
use super::stack::LANGUAGE;
use super::{Concept, ROOT, Stack, StackSense};

/// The relation of a rung to the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RungKind {
    /// The term itself with words left out.
    Phrase,
    /// Something broader.
    Hypernym,
    /// The root concept.
    Root,
}

/// A generalization of a term.
#[derive(Clone, PartialEq)]
pub struct Rung {
    /// The text, in the singular unless it is a form of the term.
    pub text: String,
    /// The relation to the term.
    pub kind: RungKind,
    /// Which of the stack's taxonomies it is from, and what it means there; nothing if none knows it.
    pub concept: Option<(usize, Concept)>,
    /// The information content in bits; `None` if unknown to the taxonomies, which must not be treated as safe.
    pub information_content: Option<f64>,
}

/// The generalizations of a term, most specific first, each once, `entity` last.
#[derive(Clone, PartialEq)]
pub struct Ladder {
    /// The term.
    pub term: String,
    /// The longest form of it that a taxonomy knows.
    pub form: Option<String>,
    /// The senses of that form, most probable first; the rungs belong to the first.
    pub senses: Vec<StackSense>,
    /// The generalizations.
    pub rungs: Vec<Rung>,
}

// Terms are text of documents, which must not get into logs.
impl std::fmt::Debug for Rung {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rung")
            .field("kind", &self.kind)
            .field("information_content", &self.information_content)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Ladder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ladder").field("rungs", &self.rungs).finish_non_exhaustive()
    }
}

impl Ladder {
    pub(super) fn new(stack: &Stack, term: &str) -> Self {
        let phrase = Phrase::new(term, LANGUAGE);
        let mut ladder = Self { term: term.to_owned(), form: None, senses: Vec::new(), rungs: Vec::new() };
        let mut said = HashSet::from([key(term)]);
        let found = phrase.forms.iter().enumerate().find_map(|(at, form)| {
            let senses = stack.senses(form);
            (!senses.is_empty()).then_some((at, senses))
        });
        if let Some((at, senses)) = found {
            ladder.form = Some(phrase.forms[at].to_owned());
            ladder.climb(stack, &phrase.forms[at..], senses[0], &mut said);
            ladder.senses = senses;
        } else if let Some(head) = phrase.head {
            ladder.say(head.to_owned(), RungKind::Phrase, None, &mut said);
        }
        match ladder.rungs.last_mut() {
            Some(last) if last.text == ROOT => last.kind = RungKind::Root,
            _ => {
                let concept = stack.root();
                ladder.rungs.push(Rung {
                    text: ROOT.to_owned(),
                    kind: RungKind::Root,
                    concept,
                    information_content: Some(0.0),
                });
            }
        }
        ladder
    }

    /// From the first of these forms up, by one sense of it.
    fn climb(&mut self, stack: &Stack, forms: &[&str], sense: StackSense, said: &mut HashSet<String>) {
        let taxonomy = stack.member(sense.taxonomy);
        let mut chain = vec![sense.concept];
        while let Some(broader) = chain.last().and_then(|last| taxonomy.broader(*last).first().copied()) {
            chain.push(broader);
        }
        // A shorter form is true if it can mean the same or something broader: a breast cancer is a cancer,
        // but a hot dog is no dog.
        let mut shorter: Vec<(Concept, &str)> = Vec::new();
        for form in &forms[1..] {
            let senses = taxonomy.senses(form);
            let broader = senses.iter().find(|other| taxonomy.contains(other.concept, sense.concept));
            shorter.extend(broader.map(|broader| (broader.concept, *form)));
        }
        let content = |concept| taxonomy.information_content(concept);
        for (at, concept) in chain.iter().enumerate() {
            if at == 0 {
                let own = Some((sense.taxonomy, *concept, content(*concept)));
                self.say(forms[0].to_owned(), RungKind::Phrase, own, said);
            }
            let next = chain.get(at + 1).map_or(0.0, |next| content(*next));
            let label = taxonomy.label(*concept);
            let own = Some((sense.taxonomy, *concept, content(*concept)));
            if at > 0 && !shorter.iter().any(|(known, _)| known == concept) {
                self.say(label, RungKind::Hypernym, own, said);
            }
            shorter.retain(|(known, form)| {
                let here = known == concept || (!chain.contains(known) && content(*known) > next);
                if here {
                    let own = Some((sense.taxonomy, *known, content(*known)));
                    self.say((*form).to_owned(), RungKind::Phrase, own, said);
                }
                !here
            });
        }
    }

    fn say(
        &mut self,
        text: String,
        kind: RungKind,
        source: Option<(usize, Concept, f64)>,
        said: &mut HashSet<String>,
    ) {
        if said.insert(key(&text)) {
            self.rungs.push(Rung {
                text,
                kind,
                concept: source.map(|(taxonomy, concept, _)| (taxonomy, concept)),
                information_content: source.map(|(_, _, content)| content),
            });
        }
    }
}
