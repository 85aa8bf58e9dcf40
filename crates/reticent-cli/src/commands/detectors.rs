//! `reticent detectors` and `reticent explain`.

use std::fmt::Write;

use reticent::detect::registry::{self, Entry};
use reticent::disclosure::explain::Telling;
use reticent::disclosure::{self, Corpus, Explanation};
use reticent_text::Language;
use serde_json::json;

use crate::args::{DetectorsArgs, ExplainArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Target};
use crate::runner;

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
    if let Some(corpus) = crate::disclosure::corpus(&args.policy)? {
        return explain_term(args, &corpus);
    }
    let Some(entry) = registry::entry(&args.detector) else {
        let failure = Failure::new(format!("unknown detector `{}`", args.detector));
        return Err(match registry::closest(&args.detector) {
            Some(best) => failure.hint(format!("did you mean `{best}`?")),
            None => failure.hint("run `reticent detectors` for a list"),
        });
    };
    let text = format!(
        "# {}\n\nType: {}\n\n## Detects\n{}\n\n## Why it identifies\n{}\n\n## Example\n{}\n\n## False positives\n{}\n",
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

/// Explains how much a term discloses about the protected terms.
fn explain_term(args: &ExplainArgs, corpus: &Corpus) -> Result<Outcome, Failure> {
    let policy = runner::policy(&args.policy, false)?;
    let language = policy.language().unwrap_or(Language::Other);
    let explanation = disclosure::explain(
        corpus,
        policy.subjects(),
        policy.disclosure(),
        &args.detector,
        &args.with,
        language,
    )?;
    let text = if args.json {
        let json = serde_json::to_string(&explanation);
        json.map_err(|error| Failure::new(format!("cannot write JSON: {error}")))? + "\n"
    } else {
        rendered(&explanation)
    };
    output::write_all(&Target::Standard, text.as_bytes())?;
    Ok(Outcome::Done)
}

fn rendered(explanation: &Explanation) -> String {
    let bits =
        |bits: Option<f64>| bits.map_or_else(|| "unknown".to_owned(), |bits| format!("{bits:.2} bits"));
    let mut out = format!(
        "# {}\n\nin {} documents, IC {}\n",
        explanation.term,
        explanation.documents.unwrap_or(0),
        bits(explanation.ic)
    );
    // Writing to a String cannot fail.
    for subject in &explanation.subjects {
        let _ = writeln!(out, "{}", disclosure_of(subject));
    }
    for subject in explanation.subjects.iter().filter(|subject| subject.names.len() > 1) {
        let _ = writeln!(out, "\ncounted as {}: {}", subject.subject, subject.names[1..].join(", "));
    }
    if !explanation.rungs.is_empty() {
        out.push_str("\n## Generalizations\n");
    }
    for (at, rung) in explanation.rungs.iter().enumerate() {
        let mark = if explanation.chosen == Some(at) { "*" } else { "-" };
        let _ = writeln!(out, "{mark} {} (IC {})", rung.text, bits(rung.ic));
        for subject in &rung.subjects {
            let _ = writeln!(out, "    {}", disclosure_of(subject));
        }
    }
    out
}

fn disclosure_of(telling: &Telling) -> String {
    let bits = match telling.bits {
        _ if telling.unknown && telling.bits.is_none() => "is unknown to the corpus".to_owned(),
        Some(bits) => format!("discloses {bits:.2} bits"),
        None => "discloses nothing".to_owned(),
    };
    let verdict = match telling {
        Telling { named: true, .. } => {
            "too high: it names the protected term, a kind of it, or hardly ever occurs without it"
        }
        Telling { risky: true, .. } => "too high",
        Telling { unknown: true, .. } => "unknown: too few documents of the corpus have it",
        _ => "allowed",
    };
    let bits = match telling.combination.as_slice() {
        [] => bits,
        words => format!("{} {bits}", words.join(" with ")),
    };
    let most = telling.at_most.as_ref().map_or_else(String::new, |most| format!(" (`{most}`)"));
    format!("{bits} about {}, limit {:.2}{most}: {verdict}", telling.subject, telling.bound)
}

fn kind(entry: &Entry) -> String {
    entry.entity_type.as_ref().map_or_else(|| "set by policy".to_owned(), ToString::to_string)
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}
