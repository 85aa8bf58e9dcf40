//! The verdict of `reticent verify`, with a list of everything that was not checked.

use std::collections::BTreeSet;

use reticent::Policy;
use reticent::verify::{NotChecked, not_checked};
use reticent_text::Document;
use serde_json::json;

use crate::args::VerifyArgs;
use crate::failure::Outcome;
use crate::input::{InputFile, Kind};
use crate::messages;
use crate::policy_record::short;

/// Collects the basis of the verdict on a file.
#[derive(Default)]
pub(crate) struct Verdict {
    documents: usize,
    unscanned: BTreeSet<String>,
}

impl Verdict {
    pub(crate) fn add(&mut self, document: &Document) {
        self.documents += 1;
        self.unscanned.extend(document.unscanned().iter().cloned());
    }

    fn not_checked(&self, args: &VerifyArgs, policy: &Policy, file: &InputFile) -> Vec<NotChecked> {
        let mut list = not_checked(policy);
        if args.original.is_none() {
            let text = "differences from the original, and other occurrences of replaced terms: these require --original and --plan";
            list.push(NotChecked::new("original", text));
        }
        let kept: Vec<&str> =
            args.input.keep_field.iter().chain(&args.input.id_field).map(String::as_str).collect();
        if matches!(file.kind, Kind::Rows(_)) && !kept.is_empty() {
            list.push(NotChecked::new("fields", format!("kept fields: {}", kept.join(", "))));
        }
        list.extend(self.unscanned.iter().map(|part| NotChecked::new("part", format!("{part} (not text)"))));
        list
    }

    /// Prints the verdict, and returns it as a JSON line with `--json`.
    pub(crate) fn print(
        &self,
        args: &VerifyArgs,
        policy: &Policy,
        file: &InputFile,
        outcome: Outcome,
    ) -> String {
        let (name, documents) = (file.path.display().to_string(), self.documents);
        let of_policy =
            format!("policy {} (fingerprint {}…)", policy.name(), short(policy.rules_fingerprint()));
        let holds = outcome == Outcome::Done;
        if holds {
            messages::note(&format!("{name}: {documents} checked: {of_policy} holds for what was checked"));
        } else {
            messages::warn(&format!(
                "{name}: {documents} checked: {of_policy} does not hold, or could not be confirmed"
            ));
        }
        let not_checked = self.not_checked(args, policy, file);
        for item in &not_checked {
            messages::note(&format!("  not checked: {}", item.text));
        }
        if !args.json {
            return String::new();
        }
        let verdict = if holds { "holds" } else { "does_not_hold" };
        let policy = json!({
            "name": policy.name(), "sha256": policy.rules_fingerprint(), "subjects": policy.subjects().len(),
        });
        let row = json!({
            "file": name, "documents": documents, "policy": policy, "policy_verdict": verdict,
            "not_checked": not_checked,
        });
        format!("{row}\n")
    }
}
