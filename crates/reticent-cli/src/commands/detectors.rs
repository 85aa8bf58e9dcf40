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

/// What a term tells of what is protected.
fn explain_term(args: &ExplainArgs, corpus: &Corpus) -> Result<Outcome, Failure> {
    let policy = runner::policy(&args.policy, false)?;
    let language = policy.language().unwrap_or(Language::Other);
    let told = disclosure::explain(corpus, policy.subjects(), policy.disclosure(), &args.detector, language)?;
    let text = if args.json {
        let json = serde_json::to_string(&told);
        json.map_err(|error| Failure::new(format!("this cannot be written as JSON: {error}")))? + "\n"
    } else {
        in_words(&told)
    };
    output::write_all(&Target::Standard, text.as_bytes())?;
    Ok(Outcome::Done)
}

fn in_words(told: &Explanation) -> String {
    let bits =
        |bits: Option<f64>| bits.map_or_else(|| "unknown".to_owned(), |bits| format!("{bits:.2} bits"));
    let mut out =
        format!("# {}\n\nin {} documents, IC {}\n", told.term, told.documents.unwrap_or(0), bits(told.ic));
    // Writing to a String cannot fail.
    for subject in &told.subjects {
        let _ = writeln!(out, "{}", telling(subject));
    }
    if !told.rungs.is_empty() {
        out.push_str("\n## What could be said instead\n");
    }
    for (at, rung) in told.rungs.iter().enumerate() {
        let mark = if told.chosen == Some(at) { "*" } else { "-" };
        let _ = writeln!(out, "{mark} {} (IC {})", rung.text, bits(rung.ic));
        for subject in &rung.subjects {
            let _ = writeln!(out, "    {}", telling(subject));
        }
    }
    out
}

fn telling(telling: &Telling) -> String {
    let bits = match telling.bits {
        _ if telling.unknown && telling.bits.is_none() => "is unknown to the corpus".to_owned(),
        Some(bits) => format!("tells {bits:.2} bits"),
        None => "tells nothing".to_owned(),
    };
    let verdict = if telling.risky { "too much" } else { "allowed" };
    let most = telling.at_most.as_ref().map_or_else(String::new, |most| format!(" as `{most}` does"));
    format!("{bits} of {}, at most {:.2}{most}: {verdict}", telling.subject, telling.bound)
}

fn kind(entry: &Entry) -> String {
    entry.entity_type.as_ref().map_or_else(|| "by the policy".to_owned(), ToString::to_string)
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}
