//! Verbs: what `weakens your body` `has something to do with your body`, and what matures `does something`.

use reticent_text::{Pos, Span};

use super::{Around, Sort, Vague};

/// Whether a single word is a verb where it stands.
pub(super) fn is_verb(around: &Around<'_>, sort: Sort) -> bool {
    if around.next != around.first + 1 || around.starts(around.first) {
        return false;
    }
    let before = around.first.checked_sub(1).map(|at| around.layers.tokens[at]);
    let tag = around.tag(around.first);
    match around.head().tag.pos() {
        // `during breastfeeding` is no verb; `have weakened systems` need not be one.
        Pos::Verb if tag == "VBG" => {
            has_object(around)
                || before
                    .is_none_or(|token| matches!(token.tag.pos(), Pos::Verb | Pos::Adverb | Pos::Conjunction))
        }
        Pos::Verb => tag != "VBN" || !is_described(around),
        // The tagger errs: no noun is known, or `which` goes before.
        Pos::Noun => {
            let which = before.is_some_and(|token| {
                token.tag.name() == "WDT" || ["that", "which", "who"].contains(&token.span.of(around.text))
            });
            sort.is_done() || (tag == "NNS" && which)
        }
        _ => false,
    }
}

/// Whether a noun follows that an adjective may belong to.
fn is_described(around: &Around<'_>) -> bool {
    let next = around.after(around.next - 1);
    next.is_some_and(|next| matches!(next.tag.pos(), Pos::Noun | Pos::Adjective))
}

fn has_object(around: &Around<'_>) -> bool {
    let next = around.after(around.next - 1);
    let object = [Pos::Determiner, Pos::Noun, Pos::ProperNoun, Pos::Adjective, Pos::Number, Pos::Pronoun];
    next.is_some_and(|next| object.contains(&next.tag.pos()))
}

/// How far before a verb `not` may stand, and what ends its clause.
const CLAUSE: usize = 6;
const ENDS_CLAUSE: [&str; 6] = [".", ",", ";", ":", "!", "?"];

/// True of all that can be done to something: it has to do with it; and of all that changes it: it affects it.
pub(super) fn say(around: &Around<'_>, sort: Sort) -> Option<Vague> {
    let before = around.first.checked_sub(1);
    let helper = before.map_or("", |at| around.word(at));
    let word = around.span.of(around.text);
    let active = before.is_some_and(|at| {
        let pos = around.layers.tokens[at].tag.pos();
        matches!(pos, Pos::Noun | Pos::ProperNoun | Pos::Pronoun | Pos::Adverb) || around.tag(at) == "WDT"
    });
    let (has, does, affects) = match around.tag(around.first) {
        "VBZ" => ("has", "does", "affects"),
        "NN" | "NNS" | "NNP" | "NNPS" if word.ends_with('s') => ("has", "does", "affects"),
        "VB" | "VBP" => ("have", "do", "affect"),
        "VBD" if active => ("had", "did", "affected"),
        "VBN" if matches!(helper, "have" | "has" | "had" | "having") => ("had", "done", "affected"),
        "VBG" => ("having", "doing", "affecting"),
        // Of `are classified` nothing is true of all that can be done.
        _ => return None,
    };
    let next = around.after(around.next - 1);
    // `attach to them`, not `help to treat them`.
    let to =
        next.is_some_and(|next| next.tag.name() == "TO") && !around.tag(around.next + 1).starts_with('V');
    let led = to || next.is_some_and(|next| next.tag.pos() == Pos::Preposition && next.tag.name() != "TO");
    let end = if led { around.layers.tokens[around.next].span.end } else { around.span.end };
    let object = led || has_object(around);
    // What does not harm something may still have to do with it.
    let words = match (object, around.is_denied(around.first, CLAUSE, &ENDS_CLAUSE)) {
        (true, false) if sort == Sort::Change && !led => affects.to_owned(),
        (true, false) => format!("{has} something to do with"),
        (true, true) => format!("{does} something to"),
        (false, _) => format!("{does} something"),
    };
    Some(Vague { span: Span::new(around.span.start, end), words })
}
