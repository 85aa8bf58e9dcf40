//! The report of a run: a summary on standard error, and a file on request.

use std::path::{Path, PathBuf};

use reticent::report::{self, Report, Shown};
use reticent::{Plan, Released};
use reticent_text::Document;
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use crate::input::{InputFile, has_extension};
use crate::messages;
use crate::output::{self, Target};
use crate::policy_record::{PolicyRecord, REPORT_FORMAT};

/// The largest number of documents on an HTML page that browsers can handle.
const MOST_SHOWN: usize = 200;

enum Form {
    Text,
    Json,
    Page,
}

/// A document to show: the original, the plan, and the anonymized text, if there is one.
pub(crate) type Kept = (Document, Plan, Option<Released>);

/// Reports collected during a run.
pub(crate) struct Reports {
    to: Option<(PathBuf, Form)>,
    policy: Option<PolicyRecord>,
    total: Option<Report>,
    documents: usize,
    all: Vec<Report>,
    shown: Vec<Kept>,
    withheld: Vec<WithheldRow>,
}

/// A row that was not released.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct WithheldRow {
    file: String,
    line: u64,
    reason: &'static str,
}

impl Reports {
    /// Reports of documents that are released under this policy.
    pub(crate) fn under(mut self, policy: PolicyRecord) -> Self {
        self.policy = Some(policy);
        self
    }

    pub(crate) fn new(path: Option<&Path>) -> Result<Self, Failure> {
        let to = match path {
            None => None,
            Some(path) if has_extension(path, "txt") => Some((path.to_owned(), Form::Text)),
            Some(path) if has_extension(path, "json") => Some((path.to_owned(), Form::Json)),
            Some(path) if has_extension(path, "html") => Some((path.to_owned(), Form::Page)),
            Some(path) => {
                return Err(Failure::new(format!(
                    "{}: a report must be .txt, .json or .html",
                    path.display()
                )));
            }
        };
        output::check(path)?;
        Ok(Self {
            to,
            policy: None,
            total: None,
            documents: 0,
            all: Vec::new(),
            shown: Vec::new(),
            withheld: Vec::new(),
        })
    }

    /// True if documents are shown, and must be kept until the end.
    pub(crate) fn shows(&self) -> bool {
        matches!(self.to, Some((_, Form::Page)))
    }

    pub(crate) fn add(&mut self, report: Report, shown: Option<Kept>) {
        self.documents += 1;
        match &mut self.total {
            Some(total) => total.add(&report),
            None => self.total = Some(report.clone()),
        }
        match (&self.to, shown) {
            (Some((_, Form::Page)), Some(shown)) if self.shown.len() < MOST_SHOWN => self.shown.push(shown),
            (Some((_, Form::Text | Form::Json)), _) => self.all.push(report),
            _ => {}
        }
    }

    /// Notes a row that was not released.
    pub(crate) fn withheld(&mut self, file: &InputFile, line: u64, reason: &'static str) {
        if self.to.is_some() {
            self.withheld.push(WithheldRow { file: file.path.display().to_string(), line, reason });
        }
    }

    /// Prints the summary and writes the file.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if let Some(total) = &mut self.total {
            if self.documents > 1 {
                total.document = format!("{} documents", self.documents);
            }
            messages::note(report::text(total).trim_end());
        }
        let Some((path, form)) = self.to else { return Ok(()) };
        self.all.sort_by(|a, b| a.document.cmp(&b.document));
        self.shown.sort_by(|a, b| a.0.id().cmp(b.0.id()));
        self.withheld.sort();
        let content = match form {
            Form::Text => {
                let withheld = self
                    .withheld
                    .iter()
                    .map(|row| format!("{} (line {}): withheld: {}\n", row.file, row.line, row.reason));
                self.all.iter().map(report::text).chain(withheld).collect::<String>()
            }
            Form::Json => {
                let report = json!({
                    "format": REPORT_FORMAT, "policy": self.policy, "documents": self.all, "withheld": self.withheld,
                });
                serde_json::to_string_pretty(&report)
                    .map_err(|error| Failure::new(format!("cannot write the report: {error}")))?
            }
            Form::Page => {
                if self.documents > self.shown.len() {
                    messages::warn(&format!(
                        "the HTML report shows {MOST_SHOWN} of {} documents",
                        self.documents
                    ));
                }
                messages::warn(&format!(
                    "{} contains the original text: keep it confidential",
                    path.display()
                ));
                let shown: Vec<Shown<'_>> = self
                    .shown
                    .iter()
                    .map(|(document, plan, released)| Shown { document, plan, released: released.as_ref() })
                    .collect();
                report::page(&shown)
            }
        };
        match form {
            Form::Page => output::write_private(&Target::File(path), content.as_bytes()),
            Form::Text | Form::Json => output::write_all(&Target::File(path), content.as_bytes()),
        }
    }
}
