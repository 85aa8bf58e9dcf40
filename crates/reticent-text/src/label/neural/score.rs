//! How good a network is: what it finds in lines, beside what is there.

use std::collections::HashSet;

use super::labeller::Reader;
use super::lines::Line;
use crate::label::scheme::Scheme;
use crate::label::train::Example;
use crate::{Error, Span};

/// Something found: document, place, kind, probability.
pub(super) type Found = (usize, Span, usize, f32);

pub(super) fn found(reader: &Reader, lines: &[&Line<'_>]) -> Result<Vec<Found>, Error> {
    let words: Vec<Vec<&str>> = lines.iter().map(|line| line.tokens.clone()).collect();
    let mut found = Vec::new();
    for (line, runs) in lines.iter().zip(reader.label(&words)?) {
        for (run, probability) in runs {
            let span = line.spans[run.tokens.start].join(line.spans[run.tokens.end - 1]);
            found.push((line.document, span, run.kind, probability));
        }
    }
    Ok(found)
}

/// The entities of all examples by document, place and kind.
fn truth(examples: &[Example]) -> HashSet<(usize, Span, &str)> {
    let all = examples.iter().enumerate();
    all.flat_map(|(document, example)| {
        example.entities.iter().map(move |(span, kind)| (document, *span, kind.as_str()))
    })
    .collect()
}

pub(super) fn f1(found: &[Found], examples: &[Example], scheme: &Scheme) -> f64 {
    let truth = truth(examples);
    let right = found.iter().filter(|(document, span, kind, _)| {
        truth.contains(&(*document, *span, scheme.kinds()[*kind].as_str()))
    });
    2.0 * right.count() as f64 / (found.len() + truth.len()).max(1) as f64
}

/// How probable what was found is, and whether it was right.
pub(super) fn points(found: &[Found], examples: &[Example], scheme: &Scheme) -> Vec<(f32, bool)> {
    let truth = truth(examples);
    let point = |(document, span, kind, probability): &Found| {
        (*probability, truth.contains(&(*document, *span, scheme.kinds()[*kind].as_str())))
    };
    found.iter().map(point).collect()
}
