//! What ends a command, or the work on one file.

use std::path::Path;
use std::process::ExitCode;

/// Something went wrong: what happened, to which file, and what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// A stable code, if only this document is affected and others can go on.
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

    /// The same, of one document among others.
    pub(crate) fn of_document(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// A file could not be read or written.
    pub(crate) fn io(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        Self::new(format!("{}: cannot {doing}: {error}", path.display()))
    }

    /// The same failure, with the file's name before it unless it is there.
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

/// How a command ended, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was done within the policy.
    Done,
    /// It ran, but a person must look or something is unresolved.
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
