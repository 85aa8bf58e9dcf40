//! `reticent detectors` and `reticent explain`.

use std::fmt::Write;

use reticent::detect::registry::{self, Entry};
use serde_json::json;

use crate::args::{DetectorsArgs, ExplainArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};

pub(crate) fn list(args: &DetectorsArgs) -> Result<Outcome, Failure> {
    let mut out = String::new();
    for entry in registry::entries() {
        // Writing to a String cannot fail.
        let _ = if args.json {
            let row = json!({
                "name": entry.name, "type": entry.entity_type, "finds": entry.finds, "why": entry.why,
                "false_positives": entry.false_positives, "example": entry.example,
            });
            writeln!(out, "{row}")
        } else {
            writeln!(out, "{:<26} {:<20} {}", entry.name, kind(&entry), first_sentence(entry.finds))
        };
    }
    output::write_all(&Target::Standard, out.as_bytes())?;
    Ok(Outcome::Done)
}

pub(crate) fn explain(args: &ExplainArgs) -> Result<Outcome, Failure> {
    let Some(entry) = registry::entry(&args.detector) else {
        let failure = Failure::new(format!("there is no detector `{}`", args.detector));
        return Err(match registry::closest(&args.detector) {
            Some(best) => failure.hint(format!("did you mean `{best}`?")),
            None => failure.hint("`reticent detectors` lists them all"),
        });
    };
    let text = format!(
        "# {}\n\nType: {}\n\n## What it finds\n{}\n\n## Why it identifies\n{}\n\n## Example\n{}\n\n## False positives\n{}\n",
        entry.name,
        kind(&entry),
        entry.finds,
        entry.why,
        entry.example,
        entry.false_positives
    );
    output::write_all(&Target::Standard, text.as_bytes())?;
    Ok(Outcome::Done)
}

fn kind(entry: &Entry) -> String {
    entry.entity_type.as_ref().map_or_else(|| "by the policy".to_owned(), ToString::to_string)
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}
