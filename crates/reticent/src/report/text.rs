//! The report as text for a terminal.

use std::fmt::Write;

use super::{Report, deviation_in_words, in_words};
use crate::Identifies;

/// A report as lines of text.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{}: policy {} (fingerprint {}), language {}",
        report.document, report.policy, report.policy_sha256, report.language
    );
    if report.types.is_empty() {
        let _ = writeln!(out, "  nothing was found");
    }
    for found in &report.types {
        let how = match found.identifies {
            Identifies::Directly => "identifies directly",
            Identifies::InCombination => "identifies in combination",
            Identifies::Confidential => "confidential",
        };
        let _ = writeln!(
            out,
            "  {:<22} {:>4} found, {:>4} times; {how}; told as {}; by {}",
            found.entity_type.as_str(),
            found.entities,
            found.mentions,
            joined(&found.told),
            joined(&found.detectors),
        );
    }
    if report.review_suggested > 0 {
        let _ =
            writeln!(out, "  {} uncertain, masked meanwhile: a look is suggested", report.review_suggested);
    }
    if report.review_required > 0 {
        let _ = writeln!(out, "  {} must be approved by a person before release", report.review_required);
    }
    for deviation in &report.approved_deviations {
        let _ = writeln!(out, "  approved deviation from the policy: {}", deviation_in_words(deviation));
    }
    for (kind, count) in &report.removed {
        let _ = writeln!(out, "  removed, since it cannot be examined: {kind} ({count})");
    }
    for unknown in &report.unknown {
        let _ = writeln!(out, "  unknown: {}", in_words(unknown));
    }
    out
}

fn joined(counts: &std::collections::BTreeMap<String, usize>) -> String {
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    parts.join(", ")
}
