//! Makes sentences of what is left where something tells too much: nothing is said twice, and nothing stays that belonged
//! to what is gone.
//!
//! First each gap gets the words that stand for whatever was there (`mask/vague`); then what lies side by side becomes
//! one: `conditions and conditions` are conditions, and a bracket that says the same again is left out; and at last goes what says
//! nothing any more: `something` beside other things of a list, names that are not told, and sentences without a word that tells.

mod beside;
mod join;
mod leave;
mod lists;
mod same;

use reticent_text::{Document, Edit, Layers, Span};

use super::Decision;
use crate::detect::disclosure::PLACEHOLDER;
use crate::mask;
use crate::mask::vague::{self, Sort};
use crate::{EntityType, Evidence};

/// One or several changes side by side that are said as one.
#[derive(Clone)]
struct Said {
    span: Span,
    words: String,
    /// Which changes, in order.
    members: Vec<usize>,
    /// Whether nothing is told of it.
    gap: bool,
    /// Whether it may be said in other words: what is not ours stays as it is.
    ours: bool,
}

/// Fills the gaps of an English text.
pub(super) fn fit(document: &Document, decisions: &mut [Decision]) {
    let Some(layers) = document.layers().filter(|layers| !layers.fallback) else { return };
    let mut edits: Vec<Change<'_>> = Vec::new();
    for decision in decisions.iter_mut() {
        let counted = |evidence: &Evidence| matches!(evidence, Evidence::Disclosure { .. });
        let ours = decision.entity.mentions.iter().any(|mention| mention.evidence.iter().any(counted));
        // A label that was chosen since other words would repeat what is masked is a gap, too.
        let sort = (ours && decision.level != PLACEHOLDER)
            .then(|| Sort::of_level(&decision.level).unwrap_or_default());
        for (mention, edit) in decision.entity.mentions.iter().zip(&mut decision.edits) {
            edits.extend(edit.as_mut().map(|edit| (mention.span, ours, sort, edit)));
        }
    }
    if !edits.iter().any(|(_, ours, ..)| *ours) {
        return;
    }
    edits.sort_by_key(|(mention, ..)| *mention);
    fill(document, layers, &mut edits);
}

/// Where something is mentioned, whether it tells too much, what it is if nothing is told of it, and what is said there.
type Change<'a> = (Span, bool, Option<Sort>, &'a mut Edit);

fn fill(document: &Document, layers: &Layers, edits: &mut [Change<'_>]) {
    let text = document.text();
    let label = mask::label(&EntityType::DETAIL);
    let mut said: Vec<Said> = Vec::with_capacity(edits.len());
    for (at, (mention, ours, sort, edit)) in edits.iter().enumerate() {
        let sort = sort.filter(|_| edit.replacement == label);
        let mut next = Said {
            span: edit.span,
            words: edit.replacement.clone(),
            members: vec![at],
            gap: sort.is_some(),
            ours: *ours,
        };
        let free = edits.get(at + 1).map_or(text.len(), |(mention, ..)| mention.start);
        match sort
            .and_then(|sort| vague::say(document, *mention, sort))
            .filter(|vague| vague.span.end <= free)
        {
            Some(vague) => (next.span, next.words) = (vague.span.join(edit.span), vague.words),
            None if *ours && edit.replacement != label => {
                beside::agree(text, layers, *mention, &mut next);
                beside::beside(text, layers, *mention, &mut next);
            }
            None => {}
        }
        add(text, &mut said, next, *mention);
    }
    let said = join::join(text, layers, said);
    let said = lists::shorten(text, layers, said);
    let said = leave::leave_out(text, layers, said);
    for one in &said {
        write(one, edits);
    }
}

/// Adds what is said, and takes in what it covers.
fn add(text: &str, said: &mut Vec<Said>, mut next: Said, mention: Span) {
    while let Some(last) = said.last() {
        if last.span.end <= next.span.start {
            break;
        }
        if !(last.ours && next.ours && next.span.contains(last.span)) {
            // What is said before goes as far as it did.
            next.span = Span::new(last.span.end.min(mention.start), next.span.end);
            break;
        }
        let mut members = last.members.clone();
        members.extend(&next.members);
        next.members = members;
        said.pop();
    }
    debug_assert!(next.span.fits(text));
    said.push(next);
}

/// The first change says the words, the others nothing; together they cover the stretch, each its own mention.
fn write(said: &Said, edits: &mut [Change<'_>]) {
    let mut start = said.span.start;
    for (place, &at) in said.members.iter().enumerate() {
        let (mention, _, _, edit) = &mut edits[at];
        let last = place + 1 == said.members.len();
        let end = if last { said.span.end } else { mention.end };
        let replacement = if place == 0 { said.words.clone() } else { String::new() };
        **edit = Edit { span: Span::new(start, end), replacement };
        start = end;
    }
}

#[cfg(test)]
mod tests;
