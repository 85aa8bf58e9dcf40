//! Replacements against the generalizations that people chose.
//!
//! For each gold mention people chose one or more generalizations, often from a ladder that was offered to them, the most specific
//! rung first. The replacement of a mention is that of the edit that covers most of it, and is compared without case, brackets,
//! articles, a final number or *s*, and words such as *date in* (`the 1950s` is `date in the 1950s`). It is
//!
//! - `same` as one of the choices; all bare labels (`[PERSON 1]`, `[DATE]`, `X`, `***`, nothing at all) are the same;
//! - only a `label` where people chose something that tells more;
//! - `above` or `below` every choice on the ladder: more general or more specific;
//! - `other`: none of these;
//! - `kept`: some word of the mention lies in no edit.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::figures::share;
use super::objects;
use super::released::{Edit, Release, Row, is_space, require_common};
use super::words::{WordPlaces, is_decimal_number, is_word_char};
use crate::Error;

/// Counts of mentions by how their replacement compares with the gold generalization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RungCounts {
    /// Replaced as people chose.
    pub same: usize,
    /// Replaced by a bare label where the gold generalization is more informative.
    pub label: usize,
    /// Replaced by something more general than every choice.
    pub above: usize,
    /// Replaced by something more specific than every choice.
    pub below: usize,
    /// Replaced by something that is not on the ladder.
    pub other: usize,
    /// Not, or not wholly, replaced.
    pub kept: usize,
}

impl RungCounts {
    /// Returns the number of mentions compared.
    pub fn mentions(&self) -> usize {
        self.counts().iter().map(|(_, count)| count).sum()
    }

    /// The shares of all mentions by name, in the order of the reference scorer.
    pub fn shares(&self) -> [(&'static str, f64); 6] {
        let all = self.mentions();
        self.counts().map(|(name, count)| (name, share(count, all)))
    }

    fn counts(&self) -> [(&'static str, usize); 6] {
        [
            ("same", self.same),
            ("label", self.label),
            ("above", self.above),
            ("below", self.below),
            ("other", self.other),
            ("kept", self.kept),
        ]
    }
}

/// The comparison of all documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RungScores {
    /// All mentions that people masked.
    pub all: RungCounts,
    /// Those whose gold generalization is more informative than a label.
    pub telling: RungCounts,
    /// Gold documents that were not released. They are not compared.
    pub missing: usize,
    /// Released documents without `edits`: nothing counts as replaced in them.
    pub without_edits: usize,
}

/// Compares replacements with people's choices.
///
/// Gold is JSONL with `id`, `text`, `generalizations` (`"start-end"` to a list of choices) and perhaps `offered` (the same
/// to a ladder); the release has `edits` with `start`, `end` and `replacement`.
///
/// ```
/// use reticent::evaluate::{Release, score_rungs};
/// let gold = r#"{"id": 1, "text": "born 7 May 1957", "generalizations": {"5-15": ["date in the 1950s"]}}"#;
/// let release = Release::read(r#"{"id": 1, "edits": [{"start": 5, "end": 15, "replacement": "the 1950s"}]}"#)?;
/// assert_eq!(score_rungs(gold, &release)?.all.same, 1);
/// # Ok::<(), reticent::Error>(())
/// ```
pub fn score_rungs(gold: &str, release: &Release) -> Result<RungScores, Error> {
    let mut scores = RungScores::default();
    let mut scored = 0;
    for object in objects(gold) {
        let (row, value) = object?;
        let (id, gold) = Row::gold(row, &value)?;
        let Some(released) = release.get(&id) else {
            scores.missing += 1;
            continue;
        };
        scored += 1;
        let places = WordPlaces::new(gold.string("text")?);
        let edits = released.edits(places.len())?;
        scores.without_edits += usize::from(edits.is_none());
        let edits = edits.unwrap_or_default();
        let covered = places.cover(edits.iter().map(|edit| (edit.start, edit.end)));
        let all = places.cover(std::iter::once((0, places.len())));
        for mention in mentions(&gold, places.len())? {
            if mention.chosen.is_empty() || !places.has_word(mention.span) {
                continue;
            }
            let telling: Vec<&str> = mention.chosen.iter().copied().filter(|one| !is_label(one)).collect();
            let covering =
                if places.all(mention.span, &covered, &all) { most_of(mention.span, &edits) } else { None };
            let add = |counts: &mut RungCounts| {
                *match covering {
                    None => &mut counts.kept,
                    Some(edit) => mention.compare(&telling, &edit.replacement, counts),
                } += 1;
            };
            add(&mut scores.all);
            if !telling.is_empty() {
                add(&mut scores.telling);
            }
        }
    }
    require_common(scored)?;
    Ok(scores)
}

/// A gold mention with what people chose, and the ladder they chose from.
struct Mention<'v> {
    span: (usize, usize),
    chosen: Vec<&'v str>,
    offered: Vec<&'v str>,
}

fn mentions<'v>(gold: &Row<'v>, length: usize) -> Result<Vec<Mention<'v>>, Error> {
    let all = gold.value["generalizations"]
        .as_object()
        .ok_or_else(|| gold.error("`generalizations` has no mentions"))?;
    let strings =
        |value: &'v Value| -> Option<Vec<&'v str>> { value.as_array()?.iter().map(Value::as_str).collect() };
    (1..)
        .zip(all)
        .map(|(at, (place, chosen))| {
            let bad = |what: &str| gold.error(format!("mention {at} of `generalizations` {what}"));
            let (start, end) =
                place.split_once('-').ok_or_else(|| bad("has a key that is not of the form start-end"))?;
            let (Ok(start), Ok(end)) = (start.parse(), end.parse()) else {
                return Err(bad("has a key that is not of the form start-end"));
            };
            gold.check(&format!("mention {at} of `generalizations`"), (start, end), length)?;
            let offered = match &gold.value["offered"][place] {
                Value::Null => Vec::new(),
                ladder => strings(ladder).ok_or_else(|| bad("lacks a list of strings in `offered`"))?,
            };
            let chosen = strings(chosen).ok_or_else(|| bad("is not a list of strings"))?;
            Ok(Mention { span: (start, end), chosen, offered })
        })
        .collect()
}

/// The edit that covers most of a span; of equals, the first.
fn most_of((start, end): (usize, usize), edits: &[Edit]) -> Option<&Edit> {
    let shared = |edit: &Edit| end.min(edit.end).saturating_sub(start.max(edit.start));
    edits.iter().rev().max_by_key(|edit| shared(edit))
}

impl Mention<'_> {
    /// The count that a replacement belongs to; `telling` are the choices that are no bare labels.
    fn compare<'c>(&self, telling: &[&str], replacement: &str, counts: &'c mut RungCounts) -> &'c mut usize {
        if is_label(replacement) {
            return if telling.len() < self.chosen.len() { &mut counts.same } else { &mut counts.label };
        }
        let new = normalize(replacement);
        let telling: Vec<String> = telling.iter().map(|one| normalize(one)).collect();
        if telling.contains(&new) {
            return &mut counts.same;
        }
        let ladder: Vec<String> = self.offered.iter().map(|one| normalize(one)).collect();
        let rung = |one: &String| ladder.iter().position(|other| other == one);
        match (rung(&new), telling.iter().filter_map(rung).min()) {
            (None, _) => &mut counts.other,
            (Some(new), Some(chosen)) if new >= chosen => &mut counts.above,
            (Some(_), _) => &mut counts.below,
        }
    }
}

/// The text without square brackets, and without white space around it.
fn bare(text: &str) -> String {
    text.replace(['[', ']'], "").trim_matches(is_space).to_owned()
}

/// A replacement that tells nothing but, perhaps, a type.
fn is_label(text: &str) -> bool {
    static LABEL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"\A(?:[^\p{L}\p{N}_]*|\$?X|mask(?:ed)?|redacted|suppressed|[A-Z_]{2,}(?:[\s\x1c-\x1f]*\d+)?)\z",
        )
        .expect("a valid expression")
    });
    LABEL.is_match(&bare(text))
}

/// The text in the form in which it is compared.
fn normalize(text: &str) -> String {
    static LEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\A(?:(?:an?|the|some|date|in|on|during)[\s\x1c-\x1f]+)+").expect("a valid expression")
    });
    let whole = bare(text).to_lowercase();
    let lead = LEAD.find(&whole).map_or(0, |found| found.end());
    let rest = &whole[lead..];
    // A number of up to three digits at the end, if it is a word of its own.
    let head = rest.trim_end_matches(is_decimal_number);
    let digits = rest[head.len()..].chars().count();
    if (1..=3).contains(&digits) && head.ends_with(is_space) {
        return head.trim_end_matches(is_space).to_owned();
    }
    // A plural s: the three letters before it may belong to what was cut off at the front.
    let before = whole.strip_suffix('s').filter(|before| before.len() >= lead);
    match before {
        Some(before) if before.chars().rev().take(3).filter(|c| is_word_char(*c)).count() == 3 => {
            before[lead..].to_owned()
        }
        _ => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn labels_tell_nothing() {
        for label in [
            "",
            "***",
            "[PERSON 1]",
            "[DATE]",
            "PERSON",
            "X",
            "$X",
            "masked",
            "mask",
            "[redacted]",
            "…",
            "ORG12",
        ] {
            assert!(is_label(label), "{label}");
        }
        for other in
            ["a person", "Person 1", "x", "XY z", "A", "[sic]", "1950s", "5", "PERSON 1 A", "maskeded"]
        {
            assert!(!is_label(other), "{other}");
        }
    }

    #[test]
    fn wordings_are_compared_without_what_does_not_matter() {
        for (text, plain) in [
            ("a date in the 1950s", "1950"),
            ("[The Actors]", "actor"),
            ("film 12", "film"),
            ("some  Films\u{1f}7", "films"),
            ("in the 5", "5"),
            ("the", "the"),
        ] {
            assert_eq!(normalize(text), plain);
        }
        for other in ["bus", "film 1234", "film12", "theatre", "12", "actor's", "s", "ins"] {
            assert_eq!(normalize(other), if other == "bus" { "bus" } else { other });
        }
    }

    fn kind(chosen: &[&str], offered: &[&str], replacement: &str) -> &'static str {
        let gold = json!({"id": 1, "text": "Ana Ruiz left", "generalizations": {"0-8": chosen}, "offered": {"0-8": offered}});
        let edits = json!([{"start": 0, "end": 8, "replacement": replacement}, {"start": 9, "end": 13, "replacement": "z"}]);
        let release = Release::read(&json!({"id": 1, "edits": edits}).to_string()).unwrap();
        let scores = score_rungs(&gold.to_string(), &release).unwrap();
        assert_eq!(scores.all.mentions(), 1);
        scores.all.shares().into_iter().find(|(_, share)| *share > 0.0).unwrap().0
    }

    #[test]
    fn replacements_are_placed_on_the_ladder() {
        let ladder = ["violinist", "musician", "artist", "person"];
        for (replacement, expected) in [
            ("an artist", "same"),
            ("musicians", "same"),
            ("a person", "above"),
            ("violinist", "below"),
            ("a baker", "other"),
            ("[PERSON 1]", "label"),
            ("", "label"),
        ] {
            assert_eq!(kind(&["artist", "musician"], &ladder, replacement), expected, "{replacement}");
        }
        // Where people chose a label, any label is the same, and all that tells more is below.
        assert_eq!(kind(&["***"], &ladder, "[NAME]"), "same");
        assert_eq!(kind(&["***"], &ladder, "a person"), "below");
        assert_eq!(kind(&["***", "artist"], &ladder, "[NAME]"), "same");
    }

    #[test]
    fn what_is_not_wholly_edited_is_kept() {
        let gold = json!({"id": 1, "text": "Ana Ruiz, left …", "generalizations":
            {"0-8": ["someone"], "5-7": ["PERSON 1"], "10-14": [], "15-16": ["x y"]}});
        let gold = format!("{gold}\n{}", json!({"id": 2, "text": "", "generalizations": {}}));
        let release =
            Release::read("{\"id\":1,\"edits\":[{\"start\":0,\"end\":3,\"replacement\":\"X\"}]}").unwrap();
        let scores = score_rungs(&gold, &release).unwrap();
        // Mentions without a choice, and mentions without a word, do not count; a part of a word does.
        assert_eq!((scores.all.kept, scores.all.mentions(), scores.telling.kept), (2, 2, 1));
        assert_eq!((scores.missing, scores.without_edits), (1, 0));
        let scores = score_rungs(&gold, &Release::read("{\"id\":1}").unwrap()).unwrap();
        assert_eq!((scores.all.kept, scores.without_edits), (2, 1));
    }

    #[test]
    fn refuses_by_row_and_tells_no_text() {
        let release = Release::read("{\"id\":1,\"edits\":[]}").unwrap();
        for bad in [
            json!({"id": 1, "text": "secret"}),
            json!({"id": 1, "text": "secret", "generalizations": {"secret": []}}),
            json!({"id": 1, "text": "secret", "generalizations": {"0-99": []}}),
            json!({"id": 1, "text": "secret", "generalizations": {"0-1": ["secret", 7]}}),
            json!({"id": 2, "text": "secret", "generalizations": {}}),
        ] {
            let says = score_rungs(&bad.to_string(), &release).unwrap_err().to_string();
            assert!(!says.contains("secret"), "{says}");
        }
    }
}
