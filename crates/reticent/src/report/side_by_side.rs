//! The original and the released text side by side, line by line.

use reticent_text::{RegionKind, Span};

use super::Shown;

/// A line of the original and of the released text.
pub(super) struct Line<'a> {
    /// The kind of its region.
    pub(super) kind: RegionKind,
    /// The name of that region.
    pub(super) part: &'a str,
    /// The original.
    pub(super) before: Vec<Stretch<'a>>,
    /// The released text; `None` if nothing was released.
    pub(super) after: Option<Vec<Stretch<'a>>>,
}

/// A span of text and the number of its decision, if any.
pub(super) struct Stretch<'a> {
    pub(super) text: &'a str,
    pub(super) decision: Option<usize>,
}

/// The lines of a document. A line ends where the original has a line break that no change covers.
pub(super) fn lines<'a>(shown: &Shown<'a>) -> Vec<Line<'a>> {
    let text = shown.document.text();
    let mut mentions: Vec<(Span, usize)> = shown
        .plan
        .decisions
        .iter()
        .enumerate()
        .flat_map(|(number, decision)| decision.entity.mentions.iter().map(move |m| (m.span, number)))
        .filter(|(span, _)| span.fits(text))
        .collect();
    mentions.sort_unstable();
    // The changes as they were made: where they were, where they are, and whose they are.
    let mut changes: Vec<(Span, Span, usize)> = Vec::new();
    if let Some(released) = shown.released {
        for (number, decision) in shown.plan.decisions.iter().enumerate() {
            changes.extend(decision.edits.iter().flatten().filter_map(|edit| {
                let at = released.edits().binary_search_by_key(&edit.span, |made| made.span).ok()?;
                Some((edit.span, released.edits()[at].placed, number))
            }));
        }
    }
    changes.sort_unstable();
    let replacements: Vec<(Span, usize)> =
        changes.iter().map(|&(_, placed, number)| (placed, number)).collect();

    let regions = shown.document.regions();
    let (mut lines, mut start, mut placed_start) = (Vec::new(), 0, 0);
    for end in line_ends(text, &mentions, &changes) {
        let after = changes.partition_point(|(span, ..)| span.end <= end);
        let placed_end = match after.checked_sub(1).map(|last| changes[last]) {
            Some((span, placed, _)) => placed.end + (end - span.end),
            None => end,
        };
        let region = regions[..regions.partition_point(|region| region.span.start <= start)].last();
        let before = Span::new(start, end);
        let placed = Span::new(placed_start, placed_end);
        lines.push(Line {
            kind: region.map_or(RegionKind::Body, |region| region.kind),
            part: region.map_or("", |region| region.name.as_str()),
            before: stretches(text, before, &mentions),
            after: shown.released.map(|released| stretches(released.text(), placed, &replacements)),
        });
        (start, placed_start) = (end, placed_end);
    }
    lines
}

/// Where lines end: after line breaks, but not within a mention or a change, and at the end.
fn line_ends(text: &str, mentions: &[(Span, usize)], changes: &[(Span, Span, usize)]) -> Vec<usize> {
    let mut ends: Vec<usize> = text
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .filter(|&end| end < text.len() && !text[end..].starts_with('\n'))
        .filter(|&end| {
            let mention = mentions.partition_point(|(span, _)| span.start < end);
            let change = changes.partition_point(|(span, ..)| span.start < end);
            mentions[..mention].last().is_none_or(|(span, _)| span.end <= end)
                && changes[..change].last().is_none_or(|(span, ..)| span.end <= end)
        })
        .collect();
    if !text.is_empty() {
        ends.push(text.len());
    }
    ends
}

/// A line cut at its marks. White space at its end is left out: it shows nothing.
fn stretches<'a>(text: &'a str, line: Span, marks: &[(Span, usize)]) -> Vec<Stretch<'a>> {
    let Some(whole) = text.get(line.start..line.end) else { return Vec::new() };
    let end = line.start + whole.trim_end().len();
    let (mut out, mut done) = (Vec::new(), line.start);
    let first = marks.partition_point(|(span, _)| span.start < line.start);
    for &(span, number) in marks[first..].iter().take_while(|(span, _)| span.start < line.end) {
        if span.start < done || span.end > line.end {
            continue;
        }
        if span.start > done {
            out.push(Stretch { text: &text[done..span.start], decision: None });
        }
        out.push(Stretch { text: span.of(text), decision: Some(number) });
        done = span.end;
    }
    if end > done {
        out.push(Stretch { text: &text[done..end], decision: None });
    }
    out
}
