//! The report as a page that shows before and after side by side. The page is confidential.
//!
//! All that comes from a document goes through [`escaped`]; and should something slip through, the
//! page's own rules let a browser run no other script than ours and load nothing.

use std::fmt::Write;

use data_encoding::BASE64;
use reticent_text::{Document, RegionKind};
use sha2::{Digest, Sha256};

use super::side_by_side::{self, Line};
use super::{Report, bars, deviation_in_words, in_words};
use crate::plan::{Decision, Plan, Review, Why};
use crate::{Because, Evidence, Identifies, Released};

/// One document to show.
pub struct Shown<'a> {
    /// The original.
    pub document: &'a Document,
    /// What was decided.
    pub plan: &'a Plan,
    /// What was released; nothing if a person must look first.
    pub released: Option<&'a Released>,
}

const HEAD: &str = include_str!("head.html");
const SCRIPT: &str = include_str!("page.js");

/// A self-contained page about these documents.
pub fn page(shown: &[Shown<'_>]) -> String {
    let hash = BASE64.encode(&Sha256::digest(SCRIPT));
    let mut out = HEAD.replace("SCRIPT_HASH", &hash).replace("SCRIPT", SCRIPT);
    out.push_str("<h1>What was released, and what was not</h1>\n");
    out.push_str("<p class=\"key\">The original is marked where it <mark class=\"direct\">identifies directly</mark>, <mark class=\"quasi\">identifies in combination</mark>, <mark class=\"secret\">is confidential</mark> or <mark class=\"kept\">was kept</mark>. The small numbers lead to the decisions.</p>\n");
    if shown.len() > 1 {
        out.push_str("<nav aria-label=\"Documents\"><ol>\n");
        for (index, one) in shown.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "<li><a href=\"#s{index}\">{}</a>", escaped(one.document.id()));
        }
        out.push_str("</ol></nav>\n");
    }
    for (index, one) in shown.iter().enumerate() {
        section(&mut out, index, one);
    }
    out.push_str("</main></body></html>\n");
    out
}

fn section(out: &mut String, index: usize, shown: &Shown<'_>) {
    let report = Report::new(shown.plan, shown.document.language());
    let _ = writeln!(
        out,
        "<section id=\"s{index}\"><h2>{}</h2><p class=\"facts\">policy <b>{}</b> (fingerprint {}) · language {} · {} found</p>",
        escaped(shown.document.id()),
        escaped(&report.policy),
        escaped(&report.policy_sha256),
        escaped(report.language),
        match shown.plan.decisions.len() {
            0 => "nothing".to_owned(),
            1 => "one thing".to_owned(),
            n => format!("{n} things"),
        },
    );
    if report.review_required > 0 {
        let _ = writeln!(
            out,
            "<p class=\"warn\">{} must be approved by a person: nothing was released.</p>",
            report.review_required
        );
    }
    if report.review_suggested > 0 {
        let _ = writeln!(
            out,
            "<p class=\"warn\">{} are uncertain and were masked meanwhile: a look is suggested.</p>",
            report.review_suggested
        );
    }
    for deviation in &report.approved_deviations {
        let _ = writeln!(
            out,
            "<p class=\"warn\">Approved deviation from the policy: {}</p>",
            escaped(&deviation_in_words(deviation))
        );
    }
    for unknown in &report.unknown {
        let _ = writeln!(out, "<p class=\"warn\">Unknown: {}</p>", escaped(&in_words(unknown)));
    }
    let _ = writeln!(
        out,
        "<div class=\"frame sides\" tabindex=\"0\" role=\"region\" aria-label=\"Before and after\"><table><colgroup><col class=\"what\"><col><col></colgroup><thead><tr><th scope=\"col\">part<th scope=\"col\">before<th scope=\"col\">after</tr></thead><tbody>"
    );
    let mut linked = vec![false; shown.plan.decisions.len()];
    let mut part = None;
    for line in side_by_side::lines(shown) {
        let new = part.as_ref() != Some(&(line.kind, line.part));
        part = Some((line.kind, line.part));
        row(out, index, shown, &line, new, &mut linked);
    }
    out.push_str("</tbody></table></div>\n");
    decisions(out, index, shown.plan);
    bars::bars(out, index, shown.document, shown.plan);
    out.push_str("</section>\n");
}

/// One line of the text, before and after.
fn row(out: &mut String, index: usize, shown: &Shown<'_>, line: &Line<'_>, new: bool, linked: &mut [bool]) {
    let kind = match line.kind {
        RegionKind::Body | RegionKind::Code => "",
        RegionKind::Field => "field",
        RegionKind::Note => "note",
        RegionKind::Attribute => "attribute",
        RegionKind::Metadata => "property",
        _ => "other",
    };
    let label = match (kind, line.part) {
        _ if !new => String::new(),
        ("", "") => "text".to_owned(),
        ("", part) | (part, "") => escaped(part),
        (kind, part) => format!("{kind}: {}", escaped(part)),
    };
    let _ = write!(
        out,
        "<tr{}><th scope=\"row\">{label}<td dir=\"auto\" data-side=\"before\">",
        if new { " class=\"part\"" } else { "" }
    );
    for stretch in &line.before {
        let Some(number) = stretch.decision else {
            out.push_str(&escaped(stretch.text));
            continue;
        };
        // The first mention is where the table of decisions leads back to.
        let id = if std::mem::replace(&mut linked[number], true) {
            String::new()
        } else {
            format!(" id=\"m{index}-{number}\"")
        };
        mark(out, index, number, &shown.plan.decisions[number], stretch.text, &id);
    }
    out.push_str("<td dir=\"auto\" data-side=\"after\">");
    match &line.after {
        None => out.push_str("<i>not released</i>"),
        Some(after) => {
            for stretch in after {
                match stretch.decision {
                    None => out.push_str(&escaped(stretch.text)),
                    Some(number) => {
                        mark(out, index, number, &shown.plan.decisions[number], stretch.text, "");
                    }
                }
            }
        }
    }
    out.push_str("</tr>\n");
}

fn mark(out: &mut String, index: usize, number: usize, decision: &Decision, text: &str, id: &str) {
    let _ = write!(
        out,
        "<a href=\"#d{index}-{number}\"{id}><mark class=\"{}\" data-e=\"{index}-{number}\" data-n=\"{}\" title=\"{} · {}\">{}</mark></a>",
        class(decision),
        number + 1,
        escaped(decision.entity.entity_type.as_str()),
        escaped(&decision.level),
        escaped(text)
    );
}

fn class(decision: &Decision) -> &'static str {
    match (decision.keeps(), decision.entity.identifies) {
        (true, _) => "kept",
        (_, Identifies::Directly) => "direct",
        (_, Identifies::InCombination) => "quasi",
        (_, Identifies::Confidential) => "secret",
    }
}

fn decisions(out: &mut String, index: usize, plan: &Plan) {
    if plan.decisions.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h3>Decisions</h3><div class=\"frame decisions\"><table><caption>What was found, what is told instead, and why nothing finer.</caption><thead><tr><th scope=\"col\">no.<th scope=\"col\">type<th scope=\"col\">identifies<th scope=\"col\">mentions<th scope=\"col\">told as<th scope=\"col\">instead<th scope=\"col\">not told, because<th scope=\"col\">evidence<th scope=\"col\">score<th scope=\"col\">review</tr></thead><tbody>"
    );
    for (number, decision) in plan.decisions.iter().enumerate() {
        decision_row(out, index, number, decision);
    }
    out.push_str("</tbody></table></div>\n");
}

fn decision_row(out: &mut String, index: usize, number: usize, decision: &Decision) {
    let entity = &decision.entity;
    let instead = decision.edits.iter().flatten().next().map_or("", |edit| edit.replacement.as_str());
    let rejected: Vec<String> = decision
        .rejected
        .iter()
        .map(|rejected| format!("{}: {}", rejected.level, why(rejected.why)))
        .collect();
    let mut evidence: Vec<String> =
        entity.mentions.iter().flat_map(|mention| &mention.evidence).map(evidence_in_words).collect();
    evidence.sort_unstable();
    evidence.dedup();
    let _ = writeln!(
        out,
        "<tr id=\"d{index}-{number}\" data-e=\"{index}-{number}\"><td class=\"number\"><a href=\"#m{index}-{number}\">{}</a><td><mark class=\"{}\">{}</mark><td>{}<td class=\"number\">{}<td>{}<td dir=\"auto\">{}<td>{}<td>{}<td class=\"number\">{:.2}<td>{}</tr>",
        number + 1,
        class(decision),
        escaped(entity.entity_type.as_str()),
        match entity.identifies {
            Identifies::Directly => "directly",
            Identifies::InCombination => "in combination",
            Identifies::Confidential => "confidential",
        },
        entity.mentions.len(),
        escaped(&decision.level.replace('_', " ")),
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

fn why(why: Why) -> String {
    match why {
        Why::FinerThanAllowed => "finer than the policy allows".to_owned(),
        Why::RepeatsWhatIsMasked => "repeats what is masked".to_owned(),
        Why::TellsTooMuchTogether => "leads to a subject, with what else is said".to_owned(),
        Why::CannotBeShifted => "cannot be shifted exactly".to_owned(),
        Why::TellsTooMuch { bits, bound, terms, .. } => told_too_much(bits, bound, terms),
    }
}

/// `tells 7.2 bits of a subject, at most 3.1 may be told`.
fn told_too_much(bits: Option<f32>, bound: f32, terms: usize) -> String {
    let together = if terms > 1 { format!(" together with {} others", terms - 1) } else { String::new() };
    match bits {
        Some(bits) => format!("tells {bits:.1} bits of a subject{together}, at most {bound:.1} may be told"),
        None => "not known to the corpus, so that it cannot be called safe".to_owned(),
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
        Evidence::Labelled => "recognized by what was learnt from examples".to_owned(),
        Evidence::Related { because, cosine, bits, .. } => {
            let because = match because {
                Because::Name => "a name where a subject is spoken of",
                Because::Number => "a number where a subject is spoken of",
                Because::Description => "what a subject is said to be",
                Because::Rare => "rarely said, where a subject is spoken of",
                Because::Similar => "similar to a subject",
                Because::Unknown => "unknown, so that it cannot be called safe",
            };
            let cosine = cosine.map_or(String::new(), |cosine| format!(", cosine {cosine:.2}"));
            let bits = bits.map_or(String::new(), |bits| format!(", {bits:.1} bits"));
            format!("{because}{cosine}{bits}")
        }
        Evidence::Disclosure { bits, bound, terms, .. } => told_too_much(*bits, *bound, *terms),
        Evidence::Correlated { bits, bound, .. } => {
            format!("tells {bits:.1} bits of what is masked elsewhere, where {bound:.1} were worth masking")
        }
        Evidence::Given => "found by another tool".to_owned(),
        Evidence::ProperNoun => "a proper noun that nothing places".to_owned(),
        Evidence::SameAs { detector } => format!("the same words as found by {detector}"),
        Evidence::Reviewer => "marked by a person".to_owned(),
    }
}

/// Text as it can stand between tags and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed on a page: shown as what it is.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
