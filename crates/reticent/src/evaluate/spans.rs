//! Detection against gold spans.

use std::collections::{BTreeMap, HashMap};

use super::error;
use super::figures::{f1, mean, share, variation};
use super::rows::{Marked, MarkedSpan};
use super::words::{Covered, WordPlaces};
use crate::Error;

/// How well spans were found, as the embeddings paper counts.
///
/// A span that was found is right if it has any gold word in it; a gold mention is found only if all of its
/// words are. Precision, recall and F1 are averages over documents. Words are counted over all documents
/// together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanScores {
    /// The number of documents.
    pub documents: usize,
    /// The share of predicted spans that are correct.
    pub term_precision: f64,
    /// The share of gold mentions that are found whole. 1 in a document without any.
    pub entity_recall: f64,
    /// The mean of the documents' F1 (not the F1 of the means).
    pub f1: f64,
    /// The share of words found that are gold.
    pub word_precision: f64,
    /// The share of gold words that are found.
    pub word_recall: f64,
    /// F1 of the two.
    pub word_f1: f64,
    /// Coefficient of variation over documents: variance over mean.
    pub cv_precision: f64,
    /// The same of recall.
    pub cv_recall: f64,
    /// The same of F1.
    pub cv_f1: f64,
}

impl SpanScores {
    /// All figures but the number of documents, by name and in the order of the reference scorer.
    pub fn figures(&self) -> [(&'static str, f64); 9] {
        [
            ("term_precision", self.term_precision),
            ("entity_recall", self.entity_recall),
            ("f1", self.f1),
            ("word_precision", self.word_precision),
            ("word_recall", self.word_recall),
            ("word_f1", self.word_f1),
            ("cv_precision", self.cv_precision),
            ("cv_recall", self.cv_recall),
            ("cv_f1", self.cv_f1),
        ]
    }
}

/// The same for one document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentScores {
    /// The name of the document.
    pub id: String,
    /// The number of gold mentions, and how many of them are found.
    pub gold: (usize, usize),
    /// The number of predicted spans, and how many of them are correct.
    pub found: (usize, usize),
    /// The share of predicted spans that are correct.
    pub precision: f64,
    /// The share of gold mentions that are found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

/// The scores of one type over all documents. The types of gold and predictions are counted separately and need not
/// have the same names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeScores {
    /// The number of gold mentions of the type, and how many of them are found.
    pub gold: (usize, usize),
    /// The number of predicted spans of the type, and how many of them are correct.
    pub found: (usize, usize),
}

impl TypeScores {
    /// Returns the share of its gold mentions that are found; `None` if there are none.
    pub fn recall(&self) -> Option<f64> {
        (self.gold.0 > 0).then(|| share(self.gold.1, self.gold.0))
    }

    /// Returns the share of its predicted spans that are correct; `None` if there are none.
    pub fn precision(&self) -> Option<f64> {
        (self.found.0 > 0).then(|| share(self.found.1, self.found.0))
    }
}

/// The result of comparing predictions with gold.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanReport {
    /// Of all documents.
    pub scores: SpanScores,
    /// Of each document, in the order of the gold.
    pub documents: Vec<DocumentScores>,
    /// Of each type; spans without one have none here.
    pub types: BTreeMap<String, TypeScores>,
    /// The number of gold documents without predictions, which count as empty.
    pub missing: usize,
    /// The number of predicted documents without gold, which are ignored.
    pub extra: usize,
}

/// Compares predictions with gold.
///
/// ```
/// use reticent::evaluate::{read_rows, score_spans};
/// let gold = read_rows(r#"{"id": 1, "text": "Ana Ruiz left Metz", "spans": [[0, 8], [14, 18]]}"#, None)?;
/// let found = read_rows(r#"{"id": 1, "spans": [[0, 3], [14, 18]]}"#, None)?;
/// let scores = score_spans(&gold, &found)?.scores;
/// assert_eq!((scores.term_precision, scores.entity_recall), (1.0, 0.5)); // half a name is not the name
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn score_spans(gold: &[Marked], found: &[Marked]) -> Result<SpanReport, Error> {
    let pairs = pair(gold, found)?;
    let missing = pairs.iter().filter(|pair| pair.found.is_none()).count();
    let known: std::collections::HashSet<&str> = gold.iter().map(|one| one.id.as_str()).collect();
    let extra = found.iter().filter(|one| !known.contains(one.id.as_str())).count();
    let (mut counts, mut documents) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
    let mut types: BTreeMap<String, TypeScores> = BTreeMap::new();
    for pair in &pairs {
        let scorer = Scorer::new(pair);
        let count = scorer.count(|_| true);
        scorer.add_types(&mut types);
        documents.push(DocumentScores {
            id: pair.gold.id.clone(),
            gold: count.gold,
            found: count.found,
            precision: count.precision(),
            recall: count.recall(),
            f1: f1(count.precision(), count.recall()),
        });
        counts.push(count);
    }
    Ok(SpanReport { scores: summarize(&counts), documents, types, missing, extra })
}

/// A gold document, with where its words are, and what was found in it.
pub(super) struct Pair<'a> {
    gold: &'a Marked,
    pub(super) found: Option<&'a Marked>,
    words: WordPlaces,
}

/// Joins gold and what was found by name, and checks that all spans lie in their text.
pub(super) fn pair<'a>(gold: &'a [Marked], found: &'a [Marked]) -> Result<Vec<Pair<'a>>, Error> {
    if gold.is_empty() {
        return Err(error("the gold file has no documents"));
    }
    let mut by_id: HashMap<&str, &Marked> = HashMap::with_capacity(found.len());
    for one in found {
        if let Some(before) = by_id.insert(&one.id, one) {
            return Err(error(format!(
                "duplicate `id` in rows {} and {} of the predictions",
                before.row, one.row
            )));
        }
    }
    let pairs: Result<Vec<Pair<'_>>, Error> = gold
        .iter()
        .map(|one| {
            let at = |error: Error| error.in_document(format!("row {}", one.row));
            let text = one.text.as_deref().ok_or_else(|| at(error("the gold document has no `text`")))?;
            let words = WordPlaces::new(text);
            check(one, &words).map_err(at)?;
            let found = by_id.get(one.id.as_str()).copied();
            if let Some(found) = found {
                check(found, &words)
                    .map_err(|error| error.in_document(format!("row {} of the predictions", found.row)))?;
            }
            Ok(Pair { gold: one, found, words })
        })
        .collect();
    let pairs = pairs?;
    if pairs.iter().all(|pair| pair.found.is_none()) && !found.is_empty() {
        return Err(error("the gold file and the predictions have no document in common")
            .with_hint("documents are matched by `id` or by file name"));
    }
    Ok(pairs)
}

fn check(one: &Marked, words: &WordPlaces) -> Result<(), Error> {
    match (1..).zip(&one.spans).find(|(_, span)| span.end > words.len() || span.start > span.end) {
        None => Ok(()),
        Some((at, span)) => Err(error(format!(
            "span {at} ends at {}, outside the text of {} code points",
            span.end,
            words.len()
        ))
        .with_hint("offsets are Unicode code points of the original text, not bytes or UTF-16, and not of the released text")),
    }
}

/// What is counted in one document.
#[derive(Clone, Copy)]
pub(super) struct DocumentCount {
    /// Gold mentions, and those of them that are found.
    gold: (usize, usize),
    /// Spans found, and those of them that are right.
    pub(super) found: (usize, usize),
    /// Words in both, only in gold, and only in what was found.
    words: (usize, usize, usize),
}

impl DocumentCount {
    fn precision(&self) -> f64 {
        share(self.found.1, self.found.0)
    }

    fn recall(&self) -> f64 {
        if self.gold.0 == 0 { 1.0 } else { share(self.gold.1, self.gold.0) }
    }
}

/// Compares one document, perhaps several times.
pub(super) struct Scorer<'p> {
    pair: &'p Pair<'p>,
    gold_words: Covered,
    all_words: Covered,
}

fn place(span: &MarkedSpan) -> (usize, usize) {
    (span.start, span.end)
}

impl<'p> Scorer<'p> {
    pub(super) fn new(pair: &'p Pair<'p>) -> Self {
        let gold_words = pair.words.cover(pair.gold.spans.iter().map(place));
        let all_words = pair.words.cover(std::iter::once((0, pair.words.len())));
        Self { pair, gold_words, all_words }
    }

    /// What was found.
    pub(super) fn found(&self) -> impl Iterator<Item = &'p MarkedSpan> {
        self.pair.found.into_iter().flat_map(|found| &found.spans)
    }

    fn is_right(&self, span: &MarkedSpan) -> bool {
        self.pair.words.any(place(span), &self.gold_words)
    }

    fn is_hit(&self, span: &MarkedSpan, found: &Covered) -> bool {
        self.pair.words.all(place(span), found, &self.all_words)
    }

    /// Counts the spans that are kept of those found.
    pub(super) fn count(&self, keeps: impl Fn(&MarkedSpan) -> bool) -> DocumentCount {
        let words = self.pair.words.cover(self.found().filter(|span| keeps(span)).map(place));
        let gold = &self.pair.gold.spans;
        let kept = || self.found().filter(|span| keeps(span));
        DocumentCount {
            gold: (gold.len(), gold.iter().filter(|span| self.is_hit(span, &words)).count()),
            found: (kept().count(), kept().filter(|span| self.is_right(span)).count()),
            words: self.gold_words.compare(&words),
        }
    }

    /// Counts each type.
    fn add_types(&self, types: &mut BTreeMap<String, TypeScores>) {
        let words = self.pair.words.cover(self.found().map(place));
        for span in self.found() {
            add(types, span, |scores| &mut scores.found, self.is_right(span));
        }
        for span in &self.pair.gold.spans {
            add(types, span, |scores| &mut scores.gold, self.is_hit(span, &words));
        }
    }
}

fn add(
    types: &mut BTreeMap<String, TypeScores>,
    span: &MarkedSpan,
    side: fn(&mut TypeScores) -> &mut (usize, usize),
    good: bool,
) {
    if let Some(kind) = &span.kind {
        let side = side(types.entry(kind.clone()).or_default());
        *side = (side.0 + 1, side.1 + usize::from(good));
    }
}

/// The figures of all documents together.
pub(super) fn summarize(counts: &[DocumentCount]) -> SpanScores {
    let p: Vec<f64> = counts.iter().map(DocumentCount::precision).collect();
    let r: Vec<f64> = counts.iter().map(DocumentCount::recall).collect();
    let f: Vec<f64> = p.iter().zip(&r).map(|(p, r)| f1(*p, *r)).collect();
    let words = counts.iter().map(|count| count.words);
    let (both, gold, found) = words.fold((0, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2));
    let (word_precision, word_recall) = (share(both, both + found), share(both, both + gold));
    SpanScores {
        documents: counts.len(),
        term_precision: mean(&p),
        entity_recall: mean(&r),
        f1: mean(&f),
        word_precision,
        word_recall,
        word_f1: f1(word_precision, word_recall),
        cv_precision: variation(&p),
        cv_recall: variation(&r),
        cv_f1: variation(&f),
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::super::read_rows;
    use super::*;

    fn report(gold: &str, found: &str) -> Result<SpanReport, Error> {
        score_spans(&read_rows(gold, None).unwrap(), &read_rows(found, None).unwrap())
    }

    #[test]
    fn averages_over_documents() {
        let gold = "{\"id\":1,\"text\":\"Ana Ruiz left\",\"spans\":[[0,8,\"PERSON\"]]}\n{\"id\":2,\"text\":\"no one\",\"spans\":[]}";
        let found = "{\"id\":1,\"spans\":[[0,8,\"NAME\"],[9,13,\"VERB\"]]}\n{\"id\":2,\"spans\":[]}\n{\"id\":3,\"spans\":[]}";
        let report = report(gold, found).unwrap();
        let scores = &report.scores;
        assert_eq!((scores.term_precision, scores.entity_recall), (0.25, 1.0));
        assert_eq!((scores.word_precision, scores.word_recall), (2.0 / 3.0, 1.0));
        // Variance of .5 and 0 over their mean.
        assert_eq!((scores.cv_precision, scores.cv_recall), (0.25, 0.0));
        assert_eq!((report.missing, report.extra), (0, 1));
        assert_eq!(report.types["PERSON"], TypeScores { gold: (1, 1), found: (0, 0) });
        assert_eq!((report.types["VERB"].precision(), report.types["VERB"].recall()), (Some(0.0), None));
    }

    #[test]
    fn a_document_that_is_missing_counts_as_nothing_found() {
        let gold =
            "{\"id\":1,\"text\":\"Ana\",\"spans\":[[0,3]]}\n{\"id\":2,\"text\":\"Ana\",\"spans\":[[0,3]]}";
        let report = report(gold, "{\"id\":2,\"spans\":[[0,3]]}").unwrap();
        assert_eq!((report.scores.entity_recall, report.missing), (0.5, 1));
    }

    #[test]
    fn refuses_what_does_not_belong_together() {
        let gold = "{\"id\":1,\"text\":\"né\",\"spans\":[[0,2]]}";
        for (gold, found, says) in [
            (
                gold,
                "{\"id\":1,\"spans\":[[0,3]]}",
                "row 1 of the predictions: span 1 ends at 3, outside the text of 2",
            ),
            (gold, "{\"id\":9,\"spans\":[]}", "no document in common"),
            (gold, "{\"id\":1,\"spans\":[]}\n{\"id\":1,\"spans\":[]}", "rows 1 and 2"),
            ("{\"id\":1,\"text\":\"né\",\"spans\":[[0,9]]}", "{\"id\":1,\"spans\":[]}", "row 1: span 1"),
            ("{\"id\":1,\"spans\":[]}", "{\"id\":1,\"spans\":[]}", "row 1: the gold document has no `text`"),
            ("", "{\"id\":1,\"spans\":[]}", "gold file has no documents"),
        ] {
            let error = report(gold, found).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(report(gold, "").unwrap().scores.entity_recall, 0.0);
    }
}
