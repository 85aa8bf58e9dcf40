//! The counts of one text.

use serde_json::Value;

use super::super::released::{Edit, Row, number};
use super::super::words::is_word_char;
use super::wording::{agreed, is_label, is_numero, operators};
use super::{GenreCounts, Part};
use crate::Error;

/// Words without content of their own. In alphabetical order, and those of the reference scorer.
const STOP: [&str; 64] = [
    "a", "after", "am", "an", "and", "are", "as", "at", "be", "been", "before", "but", "by", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "his", "i", "if", "in", "is", "it", "its",
    "my", "no", "not", "of", "on", "or", "our", "s", "she", "since", "so", "t", "than", "that", "the",
    "their", "then", "there", "these", "they", "this", "those", "to", "was", "we", "were", "when", "where",
    "which", "while", "who", "with", "you", "your",
];

type Span = (usize, usize);

/// To which kind of gold span a letter belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gold {
    None,
    Direct,
    Disclosive,
    Harmless,
    Others,
}

/// Counts one text; one that was not released counts as released unchanged.
pub(super) fn score(gold: &Row<'_>, released: Option<&Row<'_>>) -> Result<GenreCounts, Error> {
    let source = gold.string("text")?;
    let text: Vec<char> = source.chars().collect();
    let mut edits = match released {
        None => Vec::new(),
        Some(row) => row.edits(text.len())?.ok_or_else(|| row.error("`edits` is not a list"))?,
    };
    edits.sort();
    let mut counts = GenreCounts { texts: 1, edits: edits.len(), ..GenreCounts::default() };
    if let Some(row) = released {
        counts.mismatched = usize::from(replace(&text, &edits, (0, text.len())) != row.string("text")?);
    }
    let mut edited = vec![false; text.len()];
    for edit in &edits {
        edited[edit.start..edit.end].fill(true);
    }
    let is_edited = |word: &Span| edited[word.0..word.1].contains(&true);

    let [direct, disclosive, harmless, others] =
        ["direct", "disclosive", "harmless", "others"].map(|name| spans(gold, name, text.len()));
    let (direct, disclosive, harmless, others) = (direct?, disclosive?, harmless?, others?);
    let mut kinds = vec![Gold::None; text.len()];
    for (kind, spans) in [
        (Gold::Direct, &direct),
        (Gold::Disclosive, &disclosive),
        (Gold::Harmless, &harmless),
        (Gold::Others, &others),
    ] {
        for &(start, end) in spans {
            kinds[start..end].fill(kind);
        }
    }

    for &span in &direct {
        let words = some(words(&text, span)).unwrap_or_else(|| vec![span]);
        counts.direct.add(words.iter().all(|&(start, end)| !edited[start..end].contains(&false)));
    }
    for &span in &disclosive {
        let all = words(&text, span);
        let content = |&(start, end): &Span| {
            let word = text[start..end].iter().collect::<String>().to_lowercase();
            STOP.binary_search(&word.as_str()).is_err()
        };
        let telling = some(all.iter().copied().filter(content).collect());
        let words = telling.or_else(|| some(all)).unwrap_or_else(|| vec![span]);
        let hits = words.iter().filter(|word| is_edited(word)).count();
        let say = wordings(gold, span)?;
        let agrees = !say.is_empty() && agrees(&text, &edits, span, &say);
        counts.disclosive_all.add(agrees || hits == words.len());
        counts.disclosive_any.add(agrees || hits > 0);
        counts.disclosive_words.join(Part { part: hits, whole: words.len() });
        if !say.is_empty() {
            counts.say.add(agrees);
        }
    }
    let furniture = match &gold.value["furniture"] {
        Value::Null => Vec::new(),
        _ => spans(gold, "furniture", text.len())?,
    };
    for span in &harmless {
        let kept = !words(&text, *span).iter().any(is_edited);
        counts.harmless.add(kept);
        if !furniture.contains(span) {
            counts.prose.add(kept);
        }
    }
    for span in others {
        counts.others.add(!words(&text, span).iter().any(is_edited));
    }
    let identifies = |kind: &Gold| matches!(kind, Gold::Direct | Gold::Disclosive);
    for word in words(&text, (0, text.len())) {
        counts.words.add(is_edited(&word));
        if is_edited(&word) {
            counts.changed.add(kinds[word.0..word.1].iter().any(identifies));
        }
    }
    for edit in &edits {
        counts.bare_labels += usize::from(is_label(&edit.replacement));
        let replacement: Vec<char> = edit.replacement.chars().collect();
        let mut said: Vec<String> = operators(&replacement, (0, replacement.len()))
            .into_iter()
            .map(|(_, operator)| operator)
            .collect();
        for (at, operator) in operators(&text, (edit.start, edit.end)) {
            if kinds[at] == Gold::Direct || is_numero(&text[at..]) {
                continue;
            }
            if let Some(found) = said.iter().position(|one| *one == operator) {
                said.swap_remove(found);
                continue;
            }
            counts.operators_lost += 1;
            counts.operators_lost_outside += usize::from(!identifies(&kinds[at]));
        }
    }
    Ok(counts)
}

fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

/// A list of gold spans.
fn spans(gold: &Row<'_>, field: &str, length: usize) -> Result<Vec<Span>, Error> {
    let list = gold.value[field].as_array().ok_or_else(|| gold.error(format!("`{field}` is not a list")))?;
    let read = (1..).zip(list).map(|(at, span)| {
        let what = format!("span {at} of `{field}`");
        let (Some(start), Some(end)) = (number(&span[0]), number(&span[1])) else {
            return Err(gold.error(format!("{what} has no valid start and end (in code points)")));
        };
        gold.check(&what, (start, end), length)?;
        Ok((start, end))
    });
    read.collect()
}

/// The acceptable wordings of a disclosive span.
fn wordings<'v>(gold: &Row<'v>, (start, end): Span) -> Result<Vec<&'v str>, Error> {
    let list = match &gold.value["say"][format!("{start}-{end}")] {
        Value::Null => return Ok(Vec::new()),
        list => list,
    };
    let read = list.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
    read.ok_or_else(|| gold.error(format!("`say` has no list of replacements for {start}-{end}")))
}

/// The words of a span, apostrophes between letters included. A span that begins within a word has the rest of it as its
/// first word.
fn words(text: &[char], (start, end): Span) -> Vec<Span> {
    let mut words: Vec<Span> = Vec::new();
    let mut at = start;
    while at < end {
        if !is_word_char(text[at]) {
            at += 1;
            continue;
        }
        let first = at;
        while at < end
            && (is_word_char(text[at])
                || (matches!(text[at], '\'' | '’') && at + 1 < end && is_word_char(text[at + 1])))
        {
            at += 1;
        }
        words.push((first, at));
    }
    words
}

/// Part of a text with its edits applied. Edits are sorted; of overlapping ones each gives its whole replacement.
fn replace(text: &[char], edits: &[Edit], (start, end): Span) -> String {
    let mut out = String::new();
    let mut at = start;
    for edit in edits {
        out.extend(text.get(at..edit.start).unwrap_or_default());
        out.push_str(&edit.replacement);
        at = edit.end;
    }
    out.extend(text.get(at..end).unwrap_or_default());
    out
}

/// Whether the release says one of the acceptable wordings in the place of a span, which is widened to the edits that it touches.
fn agrees(text: &[char], edits: &[Edit], (start, end): Span, say: &[&str]) -> bool {
    let touching: Vec<Edit> =
        edits.iter().filter(|edit| edit.start < end && edit.end > start).cloned().collect();
    let (Some(first), Some(last)) = (touching.first(), touching.last()) else { return false };
    let (from, to) = (start.min(first.start), end.max(last.end));
    let released = agreed(&replace(text, &touching, (from, to)));
    let around = |range: std::ops::Range<usize>| text[range].iter().collect::<String>();
    let (before, after) = (around(from..start), around(end..to));
    say.iter().any(|wording| agreed(&format!("{before}{wording}{after}")) == released)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::released::Release;
    use super::super::score_genres;
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.is_sorted());
    }

    #[test]
    fn words_keep_their_apostrophes() {
        let of = |text: &str| {
            let text: Vec<char> = text.chars().collect();
            words(&text, (0, text.len()))
                .iter()
                .map(|&(a, b)| text[a..b].iter().collect())
                .collect::<Vec<String>>()
        };
        assert_eq!(of("Ana's o’clock, 'no' n''x y'"), ["Ana's", "o’clock", "no", "n", "x", "y"]);
        let text: Vec<char> = "Ana's".chars().collect();
        assert_eq!((words(&text, (1, 4)), words(&text, (3, 5))), (vec![(1, 3)], vec![(4, 5)]));
    }

    /// The figures of one text with some edits.
    fn figures(
        gold: &Value,
        edits: &Value,
        text: &str,
    ) -> std::collections::BTreeMap<&'static str, Option<f64>> {
        let release = json!({"id": 1, "text": text, "edits": edits}).to_string();
        let scores = score_genres(&gold.to_string(), &Release::read(&release).unwrap()).unwrap();
        assert_eq!(scores.total.mismatched, 0);
        assert_eq!(scores.genres, [("memo".to_owned(), scores.total.clone())]);
        scores.total.figures().into_iter().collect()
    }

    fn gold() -> Value {
        json!({"id": 1, "genre": "memo", "text": "Ana Ruiz was the mayor of Metz. See No. 12, not ill.",
            "direct": [[0, 8]], "disclosive": [[13, 30]], "harmless": [[32, 42], [44, 51]], "others": [],
            "furniture": [[32, 42]], "say": {"13-30": ["a politician", "a mayor"]}})
    }

    #[test]
    fn what_is_masked_kept_and_said_counts() {
        let edits = json!([
            {"start": 0, "end": 8, "replacement": "[NAME 1]"},
            {"start": 13, "end": 30, "replacement": "The politician"},
        ]);
        let found = figures(&gold(), &edits, "[NAME 1] was The politician. See No. 12, not ill.");
        for (name, value) in [
            ("direct_recall", 1.0),
            ("disclosive_all", 1.0),
            ("say_agreement", 1.0),
            ("harmless_kept", 1.0),
            ("prose_kept", 1.0),
            ("changed_precision", 1.0),
            ("bare_labels", 0.5),
            ("operators_lost", 0.0),
            ("words_edited", 0.5),
        ] {
            assert_eq!(found[name], Some(value), "{name}");
        }
        assert_eq!(found["others_kept"], None);
    }

    #[test]
    fn half_a_name_is_not_masked_and_lost_operators_count() {
        let edits = json!([
            {"start": 0, "end": 3, "replacement": "[NAME 1]"},
            {"start": 17, "end": 22},
            {"start": 32, "end": 51, "replacement": "[sic]"},
        ]);
        let found = figures(&gold(), &edits, "[NAME 1] Ruiz was the  of Metz. [sic].");
        for (name, value) in [
            ("direct_recall", 0.0),
            ("disclosive_all", 0.0),
            ("disclosive_any", 1.0),
            ("disclosive_words", 0.5),
            ("say_agreement", 0.0),
            ("harmless_kept", 0.0),
            // "No. 12" is a number, "not" is an operator.
            ("operators_lost", 1.0 / 3.0),
            ("operators_lost_outside", 1.0 / 3.0),
            ("bare_labels", 2.0 / 3.0),
            ("changed_precision", 2.0 / 7.0),
        ] {
            assert_eq!(found[name], Some(value), "{name}");
        }
    }

    #[test]
    fn a_missing_text_counts_as_unchanged() {
        let gold = format!("{}\n{}", gold(), gold().to_string().replace("\"id\":1", "\"id\":2"));
        let release = Release::read("{\"id\":2,\"text\":\"x\",\"edits\":[]}").unwrap();
        let scores = score_genres(&gold, &release).unwrap();
        assert_eq!((scores.total.texts, scores.total.missing, scores.total.mismatched), (2, 1, 1));
        assert_eq!((scores.genres[0].1.missing, scores.total.figures()[0].1), (0, Some(0.0)));
    }

    #[test]
    fn refuses_by_row_and_tells_no_text() {
        let good = gold().to_string();
        for (gold, released) in [
            (good.replace("\"direct\"", "\"secret\""), json!({"id": 1, "text": "secret", "edits": []})),
            (good.replace("[13,30]", "[13,99]"), json!({"id": 1, "text": "secret", "edits": []})),
            (good.replace("\"genre\"", "\"secret\""), json!({"id": 1, "text": "secret", "edits": []})),
            (good.clone(), json!({"id": 1, "text": "secret"})),
            (good.clone(), json!({"id": 1, "edits": []})),
            (good.clone(), json!({"id": 2, "text": "secret", "edits": []})),
        ] {
            let release = Release::read(&released.to_string()).unwrap();
            let says = score_genres(&gold, &release).unwrap_err().to_string();
            assert!(!says.contains("secret"), "{says}");
        }
    }
}
