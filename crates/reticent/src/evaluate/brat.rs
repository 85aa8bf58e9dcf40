//! The three counts of the MEDDOCAN task.

use std::collections::BTreeSet;

use reticent_text::Span;

use super::figures::Accuracy;
use super::words::is_word_char;

/// A text with its gold and predicted spans, as read by [`reticent_text::label::data::brat`].
#[derive(Clone, Copy)]
pub struct BratDocument<'a> {
    /// The text.
    pub text: &'a str,
    /// The gold spans.
    pub gold: &'a [(Span, String)],
    /// The predicted spans.
    pub found: &'a [(Span, String)],
}

/// Micro-averaged scores over all documents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BratScores {
    /// Same span and same kind.
    pub ner: Accuracy,
    /// Same span.
    pub spans: Accuracy,
    /// Same span, after merging spans separated only by punctuation and whitespace.
    pub merged: Accuracy,
}

/// Scores as the MEDDOCAN task does.
///
/// ```
/// use reticent::evaluate::{BratDocument, score_brat};
/// use reticent_text::label::data::brat;
/// let text = "Ana, Ruiz";
/// let (_, gold) = brat("d", text, "T1\tNAME 0 3\tAna\nT2\tNAME 5 9\tRuiz\n")?;
/// let (_, found) = brat("d", text, "T1\tNAME 0 9\tAna, Ruiz\n")?;
/// let scores = score_brat([BratDocument { text, gold: &gold, found: &found }]);
/// assert_eq!((scores.spans.f1, scores.merged.f1), (0.0, 1.0));
/// # Ok::<(), reticent_text::Error>(())
/// ```
pub fn score_brat<'a>(documents: impl IntoIterator<Item = BratDocument<'a>>) -> BratScores {
    let mut counts = [[0; 3]; 3];
    for BratDocument { text, gold, found } in documents {
        let kinds = |all: &'a [(Span, String)]| -> BTreeSet<(usize, usize, &'a str)> {
            all.iter().map(|(span, kind)| (span.start, span.end, kind.as_str())).collect()
        };
        let (gold, found) = (kinds(gold), kinds(found));
        add(&mut counts[0], &gold, &found);
        let spans = |all: &BTreeSet<(usize, usize, &str)>| -> BTreeSet<(usize, usize)> {
            all.iter().map(|(start, end, _)| (*start, *end)).collect()
        };
        let (gold, found) = (spans(&gold), spans(&found));
        add(&mut counts[1], &gold, &found);
        add(&mut counts[2], &merge(text, &gold), &merge(text, &found));
    }
    let [ner, spans, merged] = counts.map(|[right, found, gold]| Accuracy::of(right, found, gold));
    BratScores { ner, spans, merged }
}

fn add<T: Ord>(counts: &mut [usize; 3], gold: &BTreeSet<T>, found: &BTreeSet<T>) {
    counts[0] += gold.intersection(found).count();
    counts[1] += found.len();
    counts[2] += gold.len();
}

/// Joins spans that no letter or digit separates.
fn merge(text: &str, spans: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize)> {
    let mut merged: Vec<(usize, usize)> = Vec::with_capacity(spans.len());
    for &(start, end) in spans {
        match merged.last_mut() {
            Some(last) if !text.get(last.1..start).is_some_and(|gap| gap.contains(is_word_char)) => {
                last.1 = end.max(last.1);
            }
            _ => merged.push((start, end)),
        }
    }
    merged.into_iter().collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    fn marked(spans: &[(usize, usize, &str)]) -> Vec<(Span, String)> {
        spans.iter().map(|(start, end, kind)| (Span::new(*start, *end), (*kind).to_owned())).collect()
    }

    #[test]
    fn kinds_count_only_in_the_first() {
        let text = "Ana Ruiz de Lugo";
        let (gold, found) =
            (marked(&[(0, 8, "NAME"), (12, 16, "PLACE")]), marked(&[(0, 8, "NAME"), (12, 16, "NAME")]));
        let scores = score_brat([BratDocument { text, gold: &gold, found: &found }]);
        assert_eq!((scores.ner.f1, scores.spans.f1, scores.merged.f1), (0.5, 1.0, 1.0));
    }

    #[test]
    fn a_word_between_keeps_spans_apart() {
        let spans: BTreeSet<(usize, usize)> = [(0, 3), (4, 8), (12, 16), (13, 14)].into();
        assert_eq!(merge("Ana Ruiz de Lugo", &spans), [(0, 8), (12, 16)].into());
        assert!(merge("", &BTreeSet::new()).is_empty());
    }

    #[test]
    fn marking_twice_counts_once() {
        let (gold, found) = (marked(&[(0, 1, "A")]), marked(&[(0, 1, "A"), (0, 1, "A")]));
        assert_eq!(score_brat([BratDocument { text: "a", gold: &gold, found: &found }]).ner.precision, 1.0);
        assert_eq!(score_brat([]), BratScores::default());
    }
}
