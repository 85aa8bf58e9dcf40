//! The report as an HTML page with the original and the output side by side. The page is confidential.
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

/// A document to include in the page.
pub struct Shown<'a> {
    /// The original.
    pub document: &'a Document,
    /// The plan of the document.
    pub plan: &'a Plan,
    /// The released document; `None` if it requires review.
    pub released: Option<&'a Released>,
}

const HEAD: &str = include_str!("head.html");
const SCRIPT: &str = include_str!("page.js");

/// Renders a self-contained page about these documents.
pub fn page(shown: &[Shown<'_>]) -> String {
    let hash = BASE64.encode(&Sha256::digest(SCRIPT));
    let mut out = HEAD.replace("SCRIPT_HASH", &hash).replace("SCRIPT", SCRIPT);
    out.push_str("<h1>Anonymization report</h1>\n");
    out.push_str("<p class=\"key\">Marks in the original: <mark class=\"direct\">direct identifier</mark>, <mark class=\"quasi\">quasi-identifier</mark>, <mark class=\"secret\">sensitive attribute</mark>, <mark class=\"kept\">kept</mark>. The small numbers link to the decisions.</p>\n");
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
            0 => "no entities".to_owned(),
            1 => "1 entity".to_owned(),
            n => format!("{n} entities"),
        },
    );
    if report.review_required > 0 {
        let _ = writeln!(
            out,
            "<p class=\"warn\">Entities that require review: {}. Nothing was released.</p>",
            report.review_required
        );
    }
    if report.review_suggested > 0 {
        let _ = writeln!(
            out,
            "<p class=\"warn\">Uncertain entities that were masked: {}. Review is suggested.</p>",
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
        "<h3>Decisions</h3><div class=\"frame decisions\"><table><caption>Entities, their replacements, and why no more specific replacement was chosen.</caption><thead><tr><th scope=\"col\">no.<th scope=\"col\">type<th scope=\"col\">identifier<th scope=\"col\">mentions<th scope=\"col\">level<th scope=\"col\">replacement<th scope=\"col\">rejected<th scope=\"col\">evidence<th scope=\"col\">score<th scope=\"col\">review</tr></thead><tbody>"
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
            Identifies::Directly => "direct",
            Identifies::InCombination => "quasi",
            Identifies::Confidential => "sensitive",
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
        Why::FinerThanAllowed => "more specific than the policy allows".to_owned(),
        Why::RepeatsWhatIsMasked => "repeats masked text".to_owned(),
        Why::TellsTooMuchTogether => "identifies a subject in combination".to_owned(),
        Why::CannotBeShifted => "cannot be shifted exactly".to_owned(),
        Why::TellsTooMuch { bits, bound, terms, .. } => too_much(bits, bound, terms),
    }
}

/// `discloses 7.2 bits about a subject, limit 3.1`.
fn too_much(bits: Option<f32>, bound: f32, terms: usize) -> String {
    let together =
        if terms > 1 { format!(" in combination with {} other terms", terms - 1) } else { String::new() };
    match bits {
        Some(bits) => format!("discloses {bits:.1} bits about a subject{together}, limit {bound:.1}"),
        None => "unknown to the corpus, so not considered safe".to_owned(),
    }
}

fn evidence_in_words(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Pattern { pattern, checksum, context } => {
            let checksum = checksum.as_ref().map_or(String::new(), |name| format!(", valid checksum {name}"));
            format!("pattern {pattern}{checksum}{}", if *context { ", context word nearby" } else { "" })
        }
        Evidence::Listed => "in the deny list".to_owned(),
        Evidence::Subject { whole: true, .. } => "the name of a subject".to_owned(),
        Evidence::Subject { whole: false, .. } => "part of a subject's name".to_owned(),
        Evidence::Metadata { field } => format!("file property {field}"),
        Evidence::Labelled => "found by an NER model".to_owned(),
        Evidence::Related { because, cosine, bits, .. } => {
            let because = match because {
                Because::Name => "name in a sentence about a subject",
                Because::Number => "number in a sentence about a subject",
                Because::Description => "description of a subject",
                Because::Rare => "uncommon phrase in a sentence about a subject",
                Because::Similar => "similar to a subject",
                Because::Unknown => "unknown term, so not considered safe",
            };
            let cosine = cosine.map_or(String::new(), |cosine| format!(", cosine {cosine:.2}"));
            let bits = bits.map_or(String::new(), |bits| format!(", {bits:.1} bits"));
            format!("{because}{cosine}{bits}")
        }
        Evidence::Disclosure { bits, bound, terms, with, .. } => {
            format!("{}{}", too_much(*bits, *bound, *terms), partners(with))
        }
        Evidence::Correlated { bits, bound, with, .. } => {
            format!("discloses {bits:.1} bits about a masked term, limit {bound:.1}{}", partners(with))
        }
        Evidence::Given => "external span".to_owned(),
        Evidence::ProperNoun => "unclassified proper noun".to_owned(),
        Evidence::SameAs { detector } => format!("same text as a mention found by {detector}"),
        Evidence::Reviewer => "added by a reviewer".to_owned(),
    }
}

/// Where the other terms of a combination stand.
fn partners(with: &[usize]) -> String {
    if with.is_empty() {
        return String::new();
    }
    let places: Vec<String> = with.iter().map(ToString::to_string).collect();
    format!(", with the term at byte {}", places.join(" and "))
}

/// Escapes text for element content and quoted attributes.
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
