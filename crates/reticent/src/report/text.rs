//! The report as plain text for a terminal.

use std::fmt::Write;

use super::{Report, deviation_in_words, in_words};
use crate::Identifies;

/// Formats a report as lines of plain text.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{}: policy {} (fingerprint {}), language {}",
        report.document, report.policy, report.policy_sha256, report.language
    );
    if report.types.is_empty() {
        let _ = writeln!(out, "  no entities found");
    }
    for found in &report.types {
        let how = match found.identifies {
            Identifies::Directly => "direct identifier",
            Identifies::InCombination => "quasi-identifier",
            Identifies::Confidential => "sensitive attribute",
        };
        let _ = writeln!(
            out,
            "  {}: {}, {}; {how}; replaced by {}; detected by {}",
            found.entity_type,
            counted(found.entities, "entity", "entities"),
            counted(found.mentions, "mention", "mentions"),
            joined(&found.replaced_by),
            joined(&found.detectors),
        );
    }
    if report.review_suggested > 0 {
        let _ = writeln!(out, "  {} uncertain and masked: review is suggested", report.review_suggested);
    }
    if report.review_required > 0 {
        let _ = writeln!(out, "  {} require review before release", report.review_required);
    }
    for deviation in &report.approved_deviations {
        let _ = writeln!(out, "  approved deviation from the policy: {}", deviation_in_words(deviation));
    }
    for (kind, count) in &report.removed {
        let _ = writeln!(out, "  removed because it cannot be examined: {kind} ({count})");
    }
    for unknown in &report.unknown {
        let _ = writeln!(out, "  unknown: {}", in_words(unknown));
    }
    out
}

fn joined(counts: &std::collections::BTreeMap<String, usize>) -> String {
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} ({count})")).collect();
    parts.join(", ")
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
