//! One error type for all of privacy. It carries the document's name, never its text.

use std::fmt;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The policy is not valid, or contradicts itself.
    Policy,
    /// The document could not be read or written in its format.
    Format,
    /// A detector could not do its work: the document is refused.
    Detector,
    /// The plan does not belong to this document, or is not valid.
    Plan,
    /// A key is needed and was not given, or is the wrong one.
    Key,
    /// Knowledge could not be opened or asked: the document is refused.
    Knowledge,
    /// The released text would not satisfy the policy.
    Violation,
    /// What is measured or attacked cannot be read, or does not belong together.
    Measure,
    /// The schema of a table is not valid, or the table is not what it says.
    Schema,
    /// A table cannot be protected as asked.
    Table,
}

impl ErrorKind {
    /// A stable code, such as rows and reports give as the reason why a document was withheld.
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

    /// Whether every document would fail in the same way, since the cause is not in the document.
    pub fn concerns_all(self) -> bool {
        matches!(self, Self::Policy | Self::Key | Self::Measure | Self::Schema | Self::Table)
    }
}

/// What happened, to which document, and what to do.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    document: Option<String>,
    hint: Option<String>,
}

impl Error {
    /// An error of this kind. `message` must not contain text of a document.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), document: None, hint: None }
    }

    /// Adds what the user can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds which document it happened to.
    #[must_use]
    pub fn in_document(mut self, id: impl Into<String>) -> Self {
        self.document.get_or_insert(id.into());
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The document it happened to, if it is known.
    pub fn document(&self) -> Option<&str> {
        self.document.as_deref()
    }

    /// What the user can do, if that is known.
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
