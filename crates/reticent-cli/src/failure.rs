//! Errors of a command or a file, and exit codes.

use std::path::Path;
use std::process::ExitCode;

/// An error: what happened, in which file, and how to fix it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// A stable code, if the error concerns one document only and others can be processed.
    pub(crate) reason: Option<&'static str>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, reason: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Marks the error as one of a single document.
    pub(crate) fn of_document(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// An error of reading or writing a file.
    pub(crate) fn io(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        Self::new(format!("{}: cannot {doing}: {error}", path.display()))
    }

    /// Prefixes the name of the file, unless it is there already.
    pub(crate) fn in_file(mut self, name: &str) -> Self {
        if !self.message.starts_with(name) {
            self.message = format!("{name}: {}", self.message);
        }
        self
    }
}

impl From<reticent::Error> for Failure {
    fn from(error: reticent::Error) -> Self {
        let kind = error.kind();
        Self {
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            reason: (!kind.concerns_all()).then(|| kind.code()),
        }
    }
}

impl From<reticent_knowledge::Error> for Failure {
    fn from(error: reticent_knowledge::Error) -> Self {
        reticent::Error::from(error).into()
    }
}

impl From<reticent_text::Error> for Failure {
    fn from(error: reticent_text::Error) -> Self {
        reticent::Error::from(error).into()
    }
}

/// The outcome of a command, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was examined and the policy holds.
    Done,
    /// The run finished, but something needs review, was withheld or is unresolved.
    Unresolved,
    /// At least one file failed.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Done => 0,
            Outcome::Unresolved => 1,
            Outcome::Failed => 2,
        })
    }
}
