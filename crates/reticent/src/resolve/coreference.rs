//! Mentions of one thing, brought together by name.

use std::collections::{BTreeMap, HashMap};

use reticent_text::{Document, Pos, Span};

use crate::entity::Mention;
use crate::resolve::overlap::is_kept;
use crate::resolve::surface::{self, Form, Surfaces};
use crate::resolve::title::without_title;
use crate::{Entity, EntityType, Evidence, Finding, Operator, Policy};

/// Groups settled findings into entities, and adds the places where their words stand again.
pub(super) fn gather(document: &Document, findings: &[Finding], policy: &Policy) -> Vec<Entity> {
    let text = document.text();
    let mut groups = Groups::default();
    for finding in findings {
        groups.add(text, finding, is_kept(finding, policy));
    }
    groups.join_parts_of_names();
    let mut entities = groups.entities;
    repeat(document, &mut entities, policy);
    entities.retain(|entity| !entity.mentions.is_empty());
    for entity in &mut entities {
        entity.mentions.sort_unstable_by_key(|mention| mention.span);
        entity.mentions.shrink_to_fit();
    }
    entities.sort_by_key(|entity| entity.mentions[0].span);
    entities
}

#[derive(Default)]
struct Groups {
    entities: Vec<Entity>,
    /// The highest score of each entity's mentions.
    scores: Vec<f32>,
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    by_subject: HashMap<usize, usize>,
}

impl Groups {
    fn add(&mut self, text: &str, finding: &Finding, kept: bool) {
        let surface = finding.span.of(text);
        let mut name = surface::folded(without_title(surface));
        // What is kept shares no entity with what is masked by the same words: it would take that along.
        if kept || !surface::is_distinctive(surface) {
            name = format!("{} {name}", finding.entity_type);
        }
        let subject = match finding.evidence {
            Evidence::Subject { subject, .. } => Some(subject),
            _ => None,
        };
        let known =
            subject.and_then(|subject| self.by_subject.get(&subject)).or_else(|| self.by_name.get(&name));
        let index = known.copied().unwrap_or_else(|| {
            self.entities.push(Entity {
                entity_type: finding.entity_type.clone(),
                identifies: finding.identifies,
                subject,
                mentions: Vec::new(),
            });
            self.names.push(name.clone());
            self.scores.push(0.0);
            self.entities.len() - 1
        });
        self.by_name.insert(name, index);
        if let Some(subject) = subject {
            self.by_subject.insert(subject, index);
        }
        let (entity, score) = (&mut self.entities[index], &mut self.scores[index]);
        let surer = finding.score > *score && entity.subject.is_none();
        *score = score.max(finding.score);
        if surer || subject.is_some() {
            entity.entity_type = finding.entity_type.clone();
        }
        entity.subject = entity.subject.or(subject);
        entity.identifies = entity.identifies.min(finding.identifies);
        entity.mentions.push(Mention::from_finding(finding));
    }

    /// `Smith` is `John Smith` if only one person here is called so.
    fn join_parts_of_names(&mut self) {
        let is_person = |entity: &Entity| entity.entity_type == EntityType::PERSON;
        let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, name) in self.names.iter().enumerate() {
            if is_person(&self.entities[index]) && name.contains(' ') {
                for word in name.split(' ') {
                    owners.entry(word).or_default().push(index);
                }
            }
        }
        let mut moves = Vec::new();
        for (index, name) in self.names.iter().enumerate() {
            let named =
                is_person(&self.entities[index]) || self.entities[index].entity_type == EntityType::NAME;
            if named
                && !name.contains(' ')
                && let Some([owner]) = owners.get(name.as_str()).map(Vec::as_slice)
            {
                moves.push((index, *owner));
            }
        }
        for (from, to) in moves {
            let mentions = std::mem::take(&mut self.entities[from].mentions);
            let subject = self.entities[from].subject;
            self.entities[to].mentions.extend(mentions);
            self.entities[to].subject = self.entities[to].subject.or(subject);
        }
    }
}

/// Adds every place where the words of a masked mention, or a part of a person's name, stand again.
fn repeat(document: &Document, entities: &mut [Entity], policy: &Policy) {
    let text = document.text();
    let is_kept =
        |entity: &Entity| *policy.operator(&entity.entity_type) == Operator::Keep && entity.subject.is_none();
    // What is kept takes no place: `100 Norwegian kroner` does not shield `Norwegian`.
    let mut taken: BTreeMap<usize, usize> = entities
        .iter()
        .filter(|entity| !is_kept(entity))
        .flat_map(|entity| &entity.mentions)
        .map(|mention| (mention.span.start, mention.span.end))
        .collect();
    // Whole surfaces first, parts of names after them, and within each the longest first.
    let mut wanted: Vec<(bool, String, usize)> = Vec::new();
    for (index, entity) in entities.iter().enumerate() {
        if is_kept(entity) {
            continue;
        }
        let mut forms: Vec<&str> =
            entity.mentions.iter().map(|mention| without_title(mention.span.of(text))).collect();
        forms.sort_unstable();
        forms.dedup();
        wanted.extend(forms.iter().map(|form| (false, (*form).to_owned(), index)));
        if entity.entity_type == EntityType::PERSON {
            let parts = forms.iter().filter(|form| form.contains(char::is_whitespace));
            let parts = parts.flat_map(|form| surface::words(form).map(|word| word.of(form)));
            wanted.extend(parts.filter(|part| is_name_part(part)).map(|part| (true, part.to_owned(), index)));
        }
    }
    wanted.sort_by(|a, b| (a.0, b.1.len(), &a.1, a.2).cmp(&(b.0, a.1.len(), &b.1, b.2)));
    wanted.dedup_by(|a, b| a.0 == b.0 && a.1 == b.1);

    let forms = wanted.iter().map(|(_, form, entity)| Form::of(form, &entities[*entity].entity_type));
    let surfaces = Surfaces::new(forms);
    let mut found = surfaces.find(text);
    found.sort_by_key(|(index, span)| (*index, span.start));
    for (index, span) in found {
        let (part, _, entity) = &wanted[index];
        let covered = taken.range(..span.end).next_back().is_some_and(|(_, end)| *end > span.start);
        if covered || (*part && !reads_as_a_name(document, span)) {
            continue;
        }
        taken.insert(span.start, span.end);
        let mentions = &mut entities[*entity].mentions;
        let first = &mentions[0];
        let mention = Mention {
            span,
            detector: first.detector.clone(),
            score: first.score,
            evidence: vec![Evidence::SameAs { detector: first.detector.clone() }],
        };
        mentions.push(mention);
    }
}

/// Words of a name by which a person may be called: not particles, not initials.
fn is_name_part(word: &str) -> bool {
    const PARTICLES: &[&str] = &["Van", "Von", "Del", "Las", "Los", "Der", "Den", "Bin", "The", "And"];
    word.chars().count() >= 3 && word.starts_with(char::is_uppercase) && !PARTICLES.contains(&word)
}

/// Whether a part of a name is used as a name here: `Will` in `Will Jones said`, not in `Will he`.
fn reads_as_a_name(document: &Document, span: Span) -> bool {
    if !span.of(document.text()).starts_with(char::is_uppercase) {
        return false;
    }
    let Some(layers) = document.layers() else { return true };
    let after = layers.tokens.partition_point(|token| token.span.start <= span.start);
    layers.tokens[..after].last().is_none_or(|token| {
        !token.span.contains(span)
            || matches!(token.tag.pos(), Pos::ProperNoun | Pos::Noun | Pos::Foreign | Pos::Other)
    })
}
