//! Limitations of verification.

use serde::Serialize;

use crate::policy::Policy;
use crate::{EntityType, Operator};

/// A limitation: something that verification does not check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotChecked {
    /// A machine-readable kind.
    pub kind: &'static str,
    /// A description for people.
    pub text: String,
}

impl NotChecked {
    /// Creates a limitation. `text` must not contain text of a document.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// Lists everything that [`super::verify`] does not check under a policy.
pub fn not_checked(policy: &Policy) -> Vec<NotChecked> {
    let mut list = Vec::new();
    let text = "names other than those of subjects, denied terms and names after a title: no NER model is used, so people, places, organizations and other names are not detected";
    list.push(NotChecked::new("names", text));
    let text = "quasi-identifiers, sensitive attributes and risky combinations that have no fixed form";
    list.push(NotChecked::new("quasi_identifiers", text));
    if policy.keeps_by_default() {
        list.push(NotChecked::new("kept_types", "types without a mask of their own, which the policy keeps"));
    }
    let mut kept: Vec<&str> = policy.kept_types().map(EntityType::as_str).collect();
    kept.sort_unstable();
    kept.dedup();
    if !kept.is_empty() {
        let text = format!("types that the policy keeps or ignores: {}", kept.join(", "));
        list.push(NotChecked::new("kept_types", text));
    }
    if matches!(policy.operator(&EntityType::DATE_TIME), Operator::Shift { .. }) {
        let text = "dates, which the policy shifts: this cannot be checked without the original";
        list.push(NotChecked::new("shifted_dates", text));
    }
    let allowed = policy.allow().entries();
    if allowed > 0 {
        let text = format!("terms that the policy allows: {allowed} entries of its allow list");
        list.push(NotChecked::new("allow_list", text));
    }
    list
}
