//! The report as a page that shows before and after side by side. The page is confidential.

use std::fmt::Write;

use reticent_text::{Document, Span};

use super::{Report, in_words};
use crate::plan::{Decision, Plan, Review, Why};
use crate::{Evidence, Identifies, Released};

/// One document to show.
pub struct Shown<'a> {
    /// The original.
    pub document: &'a Document,
    /// What was decided.
    pub plan: &'a Plan,
    /// What was released; nothing if a person must look first.
    pub released: Option<&'a Released>,
}

/// A self-contained page about these documents.
pub fn page(shown: &[Shown<'_>]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("<h1>What was released, and what was not</h1>\n");
    for (index, one) in shown.iter().enumerate() {
        section(&mut out, index, one);
    }
    out.push_str("</main></body></html>\n");
    out
}

fn section(out: &mut String, index: usize, shown: &Shown<'_>) {
    let report = Report::new(shown.plan, shown.document.language());
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<section><h2>{}</h2><p class=facts>policy <b>{}</b> · language {} · {} things found{}</p>",
        escaped(shown.document.id()),
        escaped(&report.policy),
        report.language,
        shown.plan.decisions.len(),
        match (report.review_required, report.review_suggested) {
            (0, 0) => String::new(),
            (0, n) => format!(" · <span class=warn>a look at {n} is suggested</span>"),
            (n, _) => format!(" · <span class=warn>{n} must be approved: nothing was released</span>"),
        }
    );
    for unknown in &report.unknown {
        let _ = writeln!(out, "<p class=warn>Unknown: {}</p>", escaped(&in_words(unknown)));
    }
    out.push_str("<div class=sides><div><h3>Before</h3><div class=text>");
    let text = shown.document.text();
    let mentions = shown.plan.decisions.iter().enumerate().flat_map(|(number, decision)| {
        decision.entity.mentions.iter().map(move |mention| (mention.span, number, decision))
    });
    marked(out, text, mentions.collect(), index);
    out.push_str("</div></div><div><h3>After</h3><div class=text>");
    match shown.released {
        Some(released) => {
            let placed = shown.plan.decisions.iter().enumerate().flat_map(|(number, decision)| {
                let spans = decision.edits.iter().flatten().filter_map(|edit| {
                    let at = released.edits().binary_search_by_key(&edit.span, |made| made.span).ok()?;
                    Some(released.edits()[at].placed)
                });
                spans.map(move |span| (span, number, decision))
            });
            marked(out, released.text(), placed.collect(), index);
        }
        None => out.push_str("<i>Not released.</i>"),
    }
    out.push_str("</div></div></div>\n<table><thead><tr><th>#<th>type<th>identifies<th>mentions<th>told as<th>instead<th>not told, because<th>evidence<th>score<th>review</tr></thead><tbody>\n");
    for (number, decision) in shown.plan.decisions.iter().enumerate() {
        row(out, index, number, decision);
    }
    out.push_str("</tbody></table></section>\n");
}

fn marked(out: &mut String, text: &str, mut marks: Vec<(Span, usize, &Decision)>, index: usize) {
    marks.sort_by_key(|(span, ..)| *span);
    let mut done = 0;
    for (span, number, decision) in marks {
        if span.start < done || !span.fits(text) {
            continue;
        }
        out.push_str(&escaped(&text[done..span.start]));
        let _ = write!(
            out,
            "<mark class=\"{}\" data-e=\"{index}-{number}\" title=\"{} · {}\">{}</mark>",
            class(decision),
            decision.entity.entity_type,
            escaped(&decision.level),
            escaped(span.of(text))
        );
        done = span.end;
    }
    out.push_str(&escaped(&text[done..]));
}

fn class(decision: &Decision) -> &'static str {
    match (decision.keeps(), decision.entity.identifies) {
        (true, _) => "kept",
        (_, Identifies::Directly) => "direct",
        (_, Identifies::InCombination) => "quasi",
        (_, Identifies::Confidential) => "secret",
    }
}

fn row(out: &mut String, index: usize, number: usize, decision: &Decision) {
    let entity = &decision.entity;
    let instead = decision.edits.iter().flatten().next().map_or("", |edit| edit.replacement.as_str());
    let rejected: Vec<String> = decision
        .rejected
        .iter()
        .map(|rejected| format!("{}: {}", rejected.level, why(rejected.why)))
        .collect();
    let mut evidence: Vec<String> =
        entity.mentions.iter().flat_map(|mention| &mention.evidence).map(evidence_in_words).collect();
    evidence.dedup();
    let _ = writeln!(
        out,
        "<tr data-e=\"{index}-{number}\"><td>{}<td><mark class={}>{}</mark><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.2}<td>{}</tr>",
        number + 1,
        class(decision),
        entity.entity_type,
        match entity.identifies {
            Identifies::Directly => "directly",
            Identifies::InCombination => "in combination",
            Identifies::Confidential => "confidential",
        },
        entity.mentions.len(),
        escaped(&decision.level),
        escaped(instead),
        escaped(&rejected.join("; ")),
        escaped(&evidence.join("; ")),
        entity.score(),
        match decision.review {
            Review::Automatic => "",
            Review::Approved => "approved",
            Review::Suggested => "suggested",
            Review::Required => "required",
        }
    );
}

fn why(why: Why) -> &'static str {
    match why {
        Why::FinerThanAllowed => "finer than the policy allows",
        Why::RepeatsWhatIsMasked => "repeats what is masked",
        Why::CannotBeShifted => "cannot be shifted exactly",
    }
}

fn evidence_in_words(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Pattern { pattern, checksum, context } => {
            let checksum = checksum.as_ref().map_or(String::new(), |name| format!(", checksum {name} holds"));
            format!("pattern {pattern}{checksum}{}", if *context { ", a telling word near" } else { "" })
        }
        Evidence::Listed => "the policy denies it".to_owned(),
        Evidence::Subject { whole: true, .. } => "the name of a subject".to_owned(),
        Evidence::Subject { whole: false, .. } => "a part of a subject's name".to_owned(),
        Evidence::Metadata { field } => format!("the file's property {field}"),
        Evidence::ProperNoun => "a proper noun that nothing places".to_owned(),
        Evidence::SameAs { detector } => format!("the same words as found by {detector}"),
        Evidence::Reviewer => "marked by a person".to_owned(),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

const HEAD: &str = include_str!("head.html");
