//! Releases of everyday texts: what was masked, what was kept, and what the replacements say.
//!
//! Gold marks four kinds of spans: `direct` identifiers, `disclosive` facts about the subject, `harmless` text that is tempting to
//! mask, and facts about `others` that need no masking. For disclosive spans it may list acceptable wordings (`say`).
//!
//! - Recall: [`direct_recall`](GenreCounts::figures) is the share of direct identifiers with every word edited;
//!   `disclosive_all` and `disclosive_any` are the shares of disclosive spans with all, or any, of their content words edited, or
//!   with a replacement that agrees with `say`; `disclosive_words` counts these words.
//! - Retention: `harmless_kept`, `prose_kept` (the same without headings, numbering and codes: `furniture`) and `others_kept`
//!   are the shares of spans with no word edited.
//! - Precision: `changed_precision` is the share of edited words that lie in direct or disclosive spans; `words_edited` is the share
//!   of all words that were edited.
//! - Truth: `operators_lost` is the number of negations, quantifiers and hedges inside edits that the replacement lacks, per edit;
//!   `operators_lost_outside` counts only those outside direct and disclosive spans.
//! - Utility: `bare_labels` is the share of edits that are only a placeholder, `say_agreement` the share of disclosive spans whose
//!   replacement is one of the acceptable wordings.

mod document;
mod wording;

use super::figures::share;
use super::objects;
use super::released::{Release, Row};
use crate::Error;

/// The counts of one genre, or of all texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenreCounts {
    /// Gold texts.
    pub texts: usize,
    /// Gold texts that were not released: they count as released unchanged.
    pub missing: usize,
    /// Texts whose edits do not give the released text.
    pub mismatched: usize,
    /// Edits.
    pub edits: usize,
    direct: Part,
    disclosive_all: Part,
    disclosive_any: Part,
    disclosive_words: Part,
    harmless: Part,
    prose: Part,
    others: Part,
    changed: Part,
    words: Part,
    operators_lost: usize,
    operators_lost_outside: usize,
    bare_labels: usize,
    say: Part,
}

/// A part of a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    part: usize,
    whole: usize,
}

impl Part {
    fn add(&mut self, hit: bool) {
        self.part += usize::from(hit);
        self.whole += 1;
    }

    fn join(&mut self, other: Self) {
        self.part += other.part;
        self.whole += other.whole;
    }

    fn share(self) -> Option<f64> {
        (self.whole > 0).then(|| share(self.part, self.whole))
    }
}

impl GenreCounts {
    /// All shares by name, in the order of the reference scorer; nothing where there is nothing to count.
    pub fn figures(&self) -> [(&'static str, Option<f64>); 13] {
        let of_edits = |part| Part { part, whole: self.edits }.share();
        [
            ("direct_recall", self.direct.share()),
            ("disclosive_all", self.disclosive_all.share()),
            ("disclosive_any", self.disclosive_any.share()),
            ("disclosive_words", self.disclosive_words.share()),
            ("harmless_kept", self.harmless.share()),
            ("prose_kept", self.prose.share()),
            ("others_kept", self.others.share()),
            ("changed_precision", self.changed.share()),
            ("words_edited", self.words.share()),
            ("operators_lost", of_edits(self.operators_lost)),
            ("operators_lost_outside", of_edits(self.operators_lost_outside)),
            ("bare_labels", of_edits(self.bare_labels)),
            ("say_agreement", self.say.share()),
        ]
    }

    fn join(&mut self, other: &Self) {
        let pairs = [
            (&mut self.direct, other.direct),
            (&mut self.disclosive_all, other.disclosive_all),
            (&mut self.disclosive_any, other.disclosive_any),
            (&mut self.disclosive_words, other.disclosive_words),
            (&mut self.harmless, other.harmless),
            (&mut self.prose, other.prose),
            (&mut self.others, other.others),
            (&mut self.changed, other.changed),
            (&mut self.words, other.words),
            (&mut self.say, other.say),
        ];
        for (mine, other) in pairs {
            mine.join(other);
        }
        self.texts += other.texts;
        self.mismatched += other.mismatched;
        self.edits += other.edits;
        self.operators_lost += other.operators_lost;
        self.operators_lost_outside += other.operators_lost_outside;
        self.bare_labels += other.bare_labels;
    }
}

/// The counts of all texts and of each genre.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenreScores {
    /// Of all texts.
    pub total: GenreCounts,
    /// Of each genre, in the order of the gold.
    pub genres: Vec<(String, GenreCounts)>,
}

/// Scores a release against gold spans of everyday texts.
///
/// Gold is JSONL with `id`, `genre`, `text`, the lists of spans `direct`, `disclosive`, `harmless` and `others`
/// (`[[start, end], …]`), and perhaps `furniture` (some of the harmless ones) and `say` (`"start-end"` to acceptable wordings). The
/// release has `id`, `text` and `edits`.
///
/// ```
/// use reticent::evaluate::{Release, score_genres};
/// let gold = r#"{"id": 1, "genre": "memo", "text": "Ana has no cat", "direct": [[0, 3]], "disclosive": [], "harmless": [[7, 14]], "others": []}"#;
/// let release = r#"{"id": 1, "text": "[NAME] a cat", "edits": [{"start": 0, "end": 10, "replacement": "[NAME] a"}]}"#;
/// let scores = score_genres(gold, &Release::read(release)?)?;
/// let figures: std::collections::BTreeMap<_, _> = scores.total.figures().into_iter().collect();
/// assert_eq!((figures["direct_recall"], figures["harmless_kept"], figures["operators_lost"]), (Some(1.0), Some(0.0), Some(1.0)));
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn score_genres(gold: &str, release: &Release) -> Result<GenreScores, Error> {
    let mut scores = GenreScores::default();
    for object in objects(gold) {
        let (row, value) = object?;
        let (id, gold) = Row::gold(row, &value)?;
        let released = release.get(&id);
        let counts = document::score(&gold, released.as_ref())?;
        scores.total.missing += usize::from(released.is_none());
        scores.total.join(&counts);
        let genre = gold.string("genre")?;
        let at = scores.genres.iter().position(|(name, _)| name == genre).unwrap_or_else(|| {
            scores.genres.push((genre.to_owned(), GenreCounts::default()));
            scores.genres.len() - 1
        });
        scores.genres[at].1.join(&counts);
    }
    super::released::require_common(scores.total.texts - scores.total.missing)?;
    Ok(scores)
}
