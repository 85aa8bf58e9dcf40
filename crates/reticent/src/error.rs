//! The error type of this crate. It carries the document's name, never its text.

use std::fmt;

/// The category of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The policy is not valid, or contradicts itself.
    Policy,
    /// The document could not be read or written in its format.
    Format,
    /// A detector failed: the document is refused.
    Detector,
    /// The plan does not belong to this document, or is not valid.
    Plan,
    /// A key is required and missing, or is the wrong one.
    Key,
    /// Background knowledge could not be opened or queried: the document is refused.
    Knowledge,
    /// The released text would not satisfy the policy.
    Violation,
    /// The input of an evaluation or attack cannot be read, or does not match.
    Measure,
    /// The schema of a table is not valid, or does not match the table.
    Schema,
    /// A table cannot be anonymized as requested.
    Table,
}

impl ErrorKind {
    /// Returns a stable code, which rows and reports give as the reason why a document was withheld.
    pub fn code(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Format => "format",
            Self::Detector => "detector",
            Self::Plan => "plan",
            Self::Key => "key",
            Self::Knowledge => "knowledge",
            Self::Violation => "violation",
            Self::Measure => "measure",
            Self::Schema => "schema",
            Self::Table => "table",
        }
    }

    /// Returns whether every document would fail in the same way, because the cause is not in the document.
    pub fn concerns_all(self) -> bool {
        matches!(self, Self::Policy | Self::Key | Self::Measure | Self::Schema | Self::Table)
    }
}

/// An error with its category, the document it concerns and a hint for the user.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    document: Option<String>,
    hint: Option<String>,
}

impl Error {
    /// Creates an error. `message` must not contain text of a document.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), document: None, hint: None }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Adds a hint for the user.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the name of the document.
    #[must_use]
    pub fn in_document(mut self, id: impl Into<String>) -> Self {
        self.document.get_or_insert(id.into());
        self
    }

    /// Returns the category.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the name of the document, if known.
    pub fn document(&self) -> Option<&str> {
        self.document.as_deref()
    }

    /// Returns the hint for the user, if any.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.document {
            Some(id) => write!(f, "{id}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

impl From<reticent_knowledge::Error> for Error {
    fn from(error: reticent_knowledge::Error) -> Self {
        let own = Self::new(ErrorKind::Knowledge, error.to_string());
        match error.hint() {
            Some(hint) => own.with_hint(hint),
            None => own,
        }
    }
}

impl From<reticent_text::Error> for Error {
    fn from(error: reticent_text::Error) -> Self {
        let own = Self::new(ErrorKind::Format, error.to_string());
        match error.hint() {
            Some(hint) => own.with_hint(hint),
            None => own,
        }
    }
}
