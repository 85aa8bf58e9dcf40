//! The layers of a document as text: CoNLL-U and JSON, a segment per block.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::parse::{Clauses, Constituent, Coordination, SegmentKind, Syntax, Tree};
use crate::scope::{Polarity, Scopes};
use crate::{Error, ErrorKind, Offsets, Span};

fn kind_name(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Prose => "prose",
        SegmentKind::Fragment => "fragment",
        SegmentKind::Marker => "marker",
        SegmentKind::Label => "label",
    }
}

fn tree<'s>(syntax: &'s Syntax<'_>, segment: usize) -> Result<&'s Tree, Error> {
    syntax
        .tree(segment)
        .ok_or_else(|| Error::new(ErrorKind::Model, "there is no parser for the language of the text"))
}

/// A segment in CoNLL-U. Polarity (`Polarity=Downward`) and operators (`Operator=negation:no`) stand in the last column; lemmas
/// and morphological features are not known.
pub fn conllu(syntax: &Syntax<'_>, segment: usize) -> Result<String, Error> {
    let (tree, text) = (tree(syntax, segment)?, syntax.text());
    let scopes = Scopes::of(tree, text, syntax.language())?;
    let found = &syntax.segments()[segment];
    let mut out = format!("# sent_id = {}\n", segment + 1);
    let _ = writeln!(out, "# kind = {}", kind_name(found.kind));
    let _ = writeln!(out, "# text = {}", in_one_line(found.span.of(text)));
    for (at, word) in tree.words().iter().enumerate() {
        let mut notes: Vec<String> = Vec::new();
        for operator in scopes.operators.iter().filter(|operator| operator.words.contains(&at)) {
            notes.push(format!("Operator={}:{}", operator.kind.name(), operator.rule));
        }
        match scopes.polarity[at] {
            Polarity::Upward => {}
            Polarity::Downward => notes.push("Polarity=Downward".to_owned()),
            Polarity::NonMonotone => notes.push("Polarity=NonMonotone".to_owned()),
        }
        if tree.words().get(at + 1).is_some_and(|next| next.span.start == word.span.end) {
            notes.push("SpaceAfter=No".to_owned());
        }
        let notes = if notes.is_empty() { "_".to_owned() } else { notes.join("|") };
        let tag = if word.tag == crate::Tag::UNKNOWN { "_" } else { word.tag.name() };
        let _ = writeln!(
            out,
            "{}\t{}\t_\t{}\t{tag}\t_\t{}\t{}\t_\t{notes}",
            at + 1,
            in_one_line(word.span.of(text)),
            word.upos,
            word.head.map_or(0, |head| head + 1),
            word.relation,
        );
    }
    out.push('\n');
    Ok(out)
}

/// Line breaks and tabs would end a column.
fn in_one_line(text: &str) -> String {
    text.split(char::is_whitespace).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A segment as JSON: words, phrases, clauses, coordinations and operators. Words are counted from 0.
pub fn json(syntax: &Syntax<'_>, segment: usize, offsets: &Offsets) -> Result<Value, Error> {
    let (tree, text) = (tree(syntax, segment)?, syntax.text());
    let scopes = Scopes::of(tree, text, syntax.language())?;
    let found = &syntax.segments()[segment];
    let place = |span: Span| -> [usize; 2] { offsets.outside(span).into() };
    let whole = place(found.span);
    let mut words = Vec::with_capacity(tree.len());
    for (word, polarity) in tree.words().iter().zip(&scopes.polarity) {
        let [start, end] = place(word.span);
        words.push(json!({
            "text": word.span.of(text), "start": start, "end": end,
            "upos": word.upos.name(), "xpos": word.tag.name(),
            "head": word.head, "deprel": word.relation.name(), "polarity": polarity.name(),
        }));
    }
    let phrases: Vec<Value> = Constituent::all(tree)
        .into_iter()
        .map(|phrase| {
            json!({
                "kind": format!("{:?}", phrase.kind).to_lowercase(), "head": phrase.head,
                "first": phrase.range.start, "last": phrase.range.end - 1,
                "determiner": phrase.determiner, "modifiers": phrase.modifiers, "marker": phrase.marker,
                "number": phrase.number.map(|number| format!("{number:?}").to_lowercase()),
            })
        })
        .collect();
    let clauses = Clauses::of(tree);
    let clause_of = clauses.clause_of;
    let clauses: Vec<Value> = clauses
        .clauses
        .into_iter()
        .map(|clause| {
            json!({
                "kind": format!("{:?}", clause.kind).to_lowercase(), "predicate": clause.predicate,
                "subject": clause.subject, "marker": clause.marker, "finite": clause.is_finite,
            })
        })
        .collect();
    let coordinations: Vec<Value> = Coordination::all(tree)
        .into_iter()
        .map(|found| json!({ "conjuncts": found.conjuncts, "conjunctions": found.conjunctions }))
        .collect();
    let operators: Vec<Value> = scopes
        .operators
        .iter()
        .map(|operator| {
            let scope: Vec<Value> =
                operator.scope.iter().map(|(word, polarity)| json!([word, polarity.name()])).collect();
            json!({
                "kind": operator.kind.name(), "rule": operator.rule,
                "first": operator.words.start, "last": operator.words.end - 1, "scope": scope,
            })
        })
        .collect();
    Ok(json!({
        "segment": segment, "sentence": found.sentence, "kind": kind_name(found.kind),
        "start": whole[0], "end": whole[1], "words": words, "phrases": phrases, "clauses": clauses,
        "clause_of": clause_of, "coordinations": coordinations, "operators": operators,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyzer, Document, Language, OffsetUnit};

    #[test]
    fn writes_a_block_for_each_segment() {
        let text = "He has no\tfever.";
        let document = Document::plain("text", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let syntax = Syntax::new(&document, &layers).unwrap();
        let first = conllu(&syntax, 0).unwrap();
        assert!(
            first.starts_with("# sent_id = 1\n")
                && first.contains("# text = He has no\n")
                && first.ends_with("\n\n")
        );
        assert!(first.contains("Operator=negation:no"));
        assert!(
            first
                .lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty())
                .all(|line| line.split('\t').count() == 10)
        );
        assert!(conllu(&syntax, 1).unwrap().contains("SpaceAfter=No"));
        assert!(conllu(&syntax, 2).is_err());
        let value = json(&syntax, 1, &Offsets::new(text, OffsetUnit::Chars)).unwrap();
        assert_eq!((value["start"].as_u64(), value["words"][0]["text"].as_str()), (Some(10), Some("fever")));
    }
}
