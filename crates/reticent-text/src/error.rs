//! The error type of this crate. Never contains text of a document.

/// The category of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are not text in the expected encoding.
    Encoding,
    /// The bytes are not of the format that they claim.
    Malformed,
    /// The input is larger, deeper or more expansive than the limits allow.
    Limit,
    /// A named field is not there.
    MissingField,
    /// An edit does not fit the document.
    Edit,
    /// A model cannot be read or used.
    Model,
}

/// An error with its category, message, line and hint for the user.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}{}", .line.map(|line| format!(" (line {line})")).unwrap_or_default())]
pub struct Error {
    kind: ErrorKind,
    message: String,
    line: Option<u64>,
    hint: Option<String>,
}

impl Error {
    /// An error of this kind. `message` must not contain text of the document.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: None, hint: None }
    }

    /// Adds what the user can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the line (from 1) at which it happened.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The line at which it happened, from 1.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the user can do, if that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}
