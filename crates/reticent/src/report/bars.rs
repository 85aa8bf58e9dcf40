//! Bar charts of the disclosure of each term against its limit.

use std::fmt::Write;

use reticent_text::Document;

use super::html::escaped;
use crate::Evidence;
use crate::plan::{Decision, Plan, Why};

/// A bar: the disclosure of a term and its limit.
struct Bar {
    what: String,
    /// `None` if the term is unknown to the corpus.
    bits: Option<f32>,
    bound: f32,
    terms: usize,
}

/// Writes a table of bars, one for each term that exceeds its limit and for each rejected generalization; nothing if
/// there are none.
pub(super) fn bars(out: &mut String, index: usize, document: &Document, plan: &Plan) {
    let told: Vec<(usize, &Decision, Vec<Bar>)> = plan
        .decisions
        .iter()
        .enumerate()
        .map(|(number, decision)| (number, decision, of(decision)))
        .filter(|(.., bars)| !bars.is_empty())
        .collect();
    let all = told.iter().flat_map(|(.., bars)| bars);
    let longest = all.flat_map(|bar| [bar.bound, bar.bits.unwrap_or(0.0)]).fold(0.0, f32::max);
    if told.is_empty() {
        return;
    }
    // Writing to a String cannot fail.
    out.push_str("<h3>Disclosure in bits</h3><div class=\"frame bits\" tabindex=\"0\" role=\"region\" aria-label=\"Disclosure in bits\"><table><caption>Disclosure of each term and of its generalizations. The line marks the limit; candidates above it were rejected.</caption><thead><tr><th scope=\"col\">no.<th scope=\"col\">term<th scope=\"col\">candidate<th scope=\"col\">bits<th scope=\"col\">limit<th scope=\"col\"></tr></thead><tbody>\n");
    for (number, decision, bars) in told {
        let span = decision.entity.mentions.first().map(|mention| mention.span);
        let term = span.filter(|span| span.fits(document.text())).map_or("", |span| span.of(document.text()));
        for (at, bar) in bars.iter().enumerate() {
            let _ = match at {
                0 => write!(
                    out,
                    "<tr class=\"term\"><td class=\"number\"><a href=\"#d{index}-{number}\">{}</a><th scope=\"row\" dir=\"auto\">{}",
                    number + 1,
                    escaped(term)
                ),
                _ => write!(out, "<tr><td><td>"),
            };
            let together =
                if bar.terms > 1 { format!(", with {} more", bar.terms - 1) } else { String::new() };
            let _ = write!(out, "<td>{}{together}", escaped(&bar.what));
            let line = percent(bar.bound, longest);
            let _ = match bar.bits {
                Some(bits) => writeln!(
                    out,
                    "<td class=\"number\">{bits:.1}<td class=\"number\">{:.1}<td><div class=\"bar\"><i style=\"width:{:.1}%\"></i><b style=\"left:{line:.1}%\"></b></div></tr>",
                    bar.bound,
                    percent(bits, longest),
                ),
                None => writeln!(
                    out,
                    "<td class=\"number\">?<td class=\"number\">{:.1}<td><div class=\"bar\">unknown to the corpus<b style=\"left:{line:.1}%\"></b></div></tr>",
                    bar.bound,
                ),
            };
        }
    }
    out.push_str("</tbody></table></div>\n");
}

/// The bars of one decision: the term as it was written, then the rungs that were rejected.
fn of(decision: &Decision) -> Vec<Bar> {
    let mut evidence = decision.entity.mentions.iter().flat_map(|mention| &mention.evidence);
    let written = evidence.find_map(|evidence| {
        let (bits, bound, terms) = match *evidence {
            Evidence::Disclosure { bits, bound, terms, .. } => (bits, bound, terms),
            Evidence::Correlated { bits, bound, terms, .. } => (Some(bits), bound, terms),
            _ => return None,
        };
        Some(Bar { what: in_words(Decision::AS_WRITTEN), bits: known(bits), bound: shown(bound), terms })
    });
    let Some(written) = written else { return Vec::new() };
    let rungs = decision.rejected.iter().filter(|rejected| rejected.level != Decision::AS_WRITTEN);
    let rungs = rungs.filter_map(|rejected| match rejected.why {
        Why::TellsTooMuch { bits, bound, terms, .. } => {
            Some(Bar { what: in_words(&rejected.level), bits: known(bits), bound: shown(bound), terms })
        }
        _ => None,
    });
    std::iter::once(written).chain(rungs).collect()
}

fn in_words(level: &str) -> String {
    level.replace('_', " ")
}

/// A plan may have been edited: only numbers that can be drawn are.
fn known(bits: Option<f32>) -> Option<f32> {
    bits.filter(|bits| bits.is_finite())
}

fn shown(bound: f32) -> f32 {
    if bound.is_finite() { bound.max(0.0) } else { 0.0 }
}

/// How far along the longest bar.
fn percent(bits: f32, longest: f32) -> f32 {
    if longest > 0.0 { (100.0 * bits / longest).clamp(0.0, 100.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::Rejected;
    use crate::{Policy, Protector};

    /// A plan of a letter in which this is the evidence, and these rungs were rejected.
    fn drawn(text: &str, evidence: Evidence, rejected: Vec<Rejected>) -> String {
        let protector = Protector::new(Policy::preset("basic").unwrap(), None).unwrap();
        let mut document = Document::plain("letter", text);
        let mut plan = protector.plan(&mut document, b"", &[]).unwrap();
        plan.decisions.truncate(1);
        plan.decisions[0].entity.mentions[0].evidence = vec![evidence];
        plan.decisions[0].rejected = rejected;
        let mut out = String::new();
        bars(&mut out, 0, &document, &plan);
        out
    }

    fn rejected(level: &str, bits: Option<f32>) -> Rejected {
        Rejected {
            level: level.to_owned(),
            why: Why::TellsTooMuch { subject: 0, bits, bound: 2.0, terms: 1 },
        }
    }

    fn disclosure(bits: Option<f32>, terms: usize) -> Evidence {
        Evidence::Disclosure { subject: 0, bits, bound: 2.0, terms, with: Vec::new() }
    }

    const LETTER: &str = "Write to a.b@example.org today.";

    #[test]
    fn draws_the_term_its_rungs_and_the_bound() {
        let rungs = vec![rejected(Decision::AS_WRITTEN, Some(8.0)), rejected("broader_1", Some(4.0))];
        let out = drawn(LETTER, disclosure(Some(8.0), 2), rungs);
        assert!(out.contains("<th scope=\"row\" dir=\"auto\">a.b@example.org"), "{out}");
        assert!(out.contains("as written, with 1 more") && out.contains("broader 1"), "{out}");
        assert!(out.contains("width:100.0%") && out.contains("width:50.0%"), "{out}");
        assert_eq!(out.matches("left:25.0%").count(), 2, "{out}");
        assert_eq!(out.matches("as written").count(), 1, "the term is drawn once: {out}");
    }

    #[test]
    fn draws_what_gives_away_what_is_masked() {
        let evidence =
            Evidence::Correlated { bits: 5.0, bound: 2.5, terms: 1, gives_away: 0, with: Vec::new() };
        let out = drawn(LETTER, evidence, Vec::new());
        assert!(out.contains("width:100.0%") && out.contains("left:50.0%"), "{out}");
    }

    #[test]
    fn draws_no_bar_of_what_is_not_known() {
        let out = drawn(LETTER, disclosure(None, 1), Vec::new());
        assert!(out.contains("unknown to the corpus") && !out.contains("width:"), "{out}");
    }

    #[test]
    fn draws_nothing_of_what_was_found_otherwise() {
        assert_eq!(drawn(LETTER, Evidence::Listed, vec![rejected("broader_1", Some(4.0))]), "");
    }

    #[test]
    fn a_level_of_an_edited_plan_cannot_write_to_the_page() {
        let out = drawn(LETTER, disclosure(Some(3.0), 1), vec![rejected("<script>", Some(4.0))]);
        assert!(out.contains("&lt;script&gt;") && !out.contains("<script"), "{out}");
    }

    proptest! {
        #[test]
        fn bars_stay_in_their_cell(bits in proptest::num::f32::ANY, bound in proptest::num::f32::ANY) {
            let evidence = Evidence::Disclosure { subject: 0, bits: Some(bits), bound, terms: 1, with: Vec::new() };
            let out = drawn(LETTER, evidence, Vec::new());
            for value in out.split("%\"").filter_map(|part| part.rsplit(':').next()?.parse::<f32>().ok()) {
                prop_assert!((0.0..=100.0).contains(&value), "{}", out);
            }
        }
    }
}
