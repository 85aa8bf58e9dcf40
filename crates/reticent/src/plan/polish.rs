//! Makes what was chosen read well in English, one step after another.
//!
//! What is chosen repeats nothing that is masked. A step may put words together that do (`some men` where `some men` are masked
//! elsewhere), and planning again would not help: such a step is not taken in this document.

use reticent_text::{Document, Edit, Span};

use super::{Decision, beside, gaps, unsaid, works};
use crate::mask;
use crate::resolve::surface::{Form, Surfaces};

type Step = fn(&Document, &mut [Decision]);

/// Lists, words beside, gaps, and, where things are described, what can be left out.
pub(super) fn polish(document: &Document, decisions: &mut [Decision], described: bool) {
    let steps: &[Step] = &[works::collapse, beside::fit, gaps::fit, unsaid::leave_out];
    let steps = if described { steps } else { &steps[..steps.len() - 1] };
    let chosen = edits(decisions);
    for step in steps {
        step(document, decisions);
    }
    if repeated(document, decisions) == 0 {
        return;
    }
    restore(decisions, chosen);
    let mut most = repeated(document, decisions);
    for step in steps {
        let before = edits(decisions);
        step(document, decisions);
        let now = repeated(document, decisions);
        if now > most {
            restore(decisions, before);
        } else {
            most = now;
        }
    }
}

fn edits(decisions: &[Decision]) -> Vec<Vec<Option<Edit>>> {
    decisions.iter().map(|decision| decision.edits.clone()).collect()
}

fn restore(decisions: &mut [Decision], edits: Vec<Vec<Option<Edit>>>) {
    for (decision, edits) in decisions.iter_mut().zip(edits) {
        decision.edits = edits;
    }
}

/// How often what is masked is said again where something is replaced.
fn repeated(document: &Document, decisions: &[Decision]) -> usize {
    let text = document.text();
    let masked = decisions.iter().filter(|decision| !decision.keeps()).flat_map(|decision| {
        let of = |span: Span| Form::of(span.of(text), &decision.entity.entity_type);
        decision.entity.mentions.iter().map(move |mention| of(mention.span))
    });
    let mut edits: Vec<&Edit> =
        decisions.iter().flat_map(|decision| decision.edits.iter().flatten()).collect();
    edits.sort_by_key(|edit| edit.span);
    let (mut said, mut placed, mut done) = (String::with_capacity(text.len()), Vec::new(), 0);
    for edit in edits {
        let Some(kept) = text.get(done..edit.span.start) else { continue };
        said.push_str(kept);
        let start = said.len();
        said.push_str(&edit.replacement);
        placed.push((Span::new(start, said.len()), edit.replacement.as_str()));
        done = edit.span.end;
    }
    said.push_str(&text[done..]);
    let ours = |span: Span| {
        let near = placed.partition_point(|(place, _)| place.end <= span.start);
        let Some((place, replacement)) = placed.get(near) else { return false };
        let in_mark =
            || mask::is_in_mark(replacement, Span::new(span.start - place.start, span.end - place.start));
        place.overlaps(span) && !(place.contains(span) && in_mark())
    };
    Surfaces::new(masked).find(&said).into_iter().filter(|(_, span)| ours(*span)).count()
}

#[cfg(test)]
mod tests {
    use reticent_text::{Analyzer, Language};

    use super::*;
    use crate::entity::Mention;
    use crate::plan::Review;
    use crate::{Entity, EntityType, Evidence, Identifies, Operator};

    fn decision(text: &str, words: &str, said: &str) -> Decision {
        let start = text.find(words).unwrap();
        let span = Span::new(start, start + words.len());
        let mention =
            Mention { span, detector: "test".into(), score: 1.0, evidence: vec![Evidence::Labelled] };
        Decision {
            entity: Entity {
                entity_type: EntityType::DETAIL,
                identifies: Identifies::InCombination,
                subject: None,
                mentions: vec![mention],
            },
            operator: Operator::Generalize { finest: None, top: None },
            level: "kind_1".to_owned(),
            rejected: Vec::new(),
            review: Review::Automatic,
            edits: vec![Some(Edit { span, replacement: said.to_owned() })],
        }
    }

    /// What is said instead of the first words.
    fn polished(text: &str, replaced: &[(&str, &str)]) -> String {
        let mut document = Document::plain("d", text);
        document
            .set_layers(Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap());
        let mut decisions: Vec<Decision> =
            replaced.iter().map(|(words, said)| decision(text, words, said)).collect();
        polish(&document, &mut decisions, true);
        decisions[0].edits[0].as_ref().unwrap().replacement.clone()
    }

    #[test]
    fn a_step_that_repeats_what_is_masked_is_not_taken() {
        let text = "He was the greatest actor. She met an actor there.";
        assert_eq!(polished(text, &[("greatest actor", "actor")]), "an actor");
        let both = [("greatest actor", "actor"), ("met an actor", "[DETAIL]")];
        assert_eq!(polished(text, &both), "an actor");
        let both = [("greatest actor", "actor"), ("an actor there", "[DETAIL]")];
        assert_eq!(polished(text, &both), "an actor");
        let text = "He was the greatest actor there. She met an actor there.";
        let both = [("greatest actor", "actor"), ("an actor there", "[DETAIL]")];
        assert_eq!(polished(text, &both), "actor");
    }
}
