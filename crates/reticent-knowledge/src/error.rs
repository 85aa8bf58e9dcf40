//! What can go wrong with knowledge. Never carries text of a corpus.

/// The category of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be opened, read or written.
    Io,
    /// A file is not what it claims to be, or was damaged.
    Malformed,
    /// A file was written by a newer version of the program.
    Version,
    /// There is nothing to build from: an empty corpus, a taxonomy without concepts.
    Empty,
    /// The input contradicts itself: a cycle, vectors of several dimensions.
    Inconsistent,
    /// The input is larger than the limits allow.
    Limit,
    /// A source outside of this program did not answer, so nothing is known.
    Unreachable,
    /// An argument is invalid.
    Argument,
}

/// One error type: what kind, what happened, where, and what to do about it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}{}", .line.map(|line| format!(" (line {line})")).unwrap_or_default())]
pub struct Error {
    kind: ErrorKind,
    message: String,
    line: Option<u64>,
    in_file: bool,
    hint: Option<String>,
}

impl Error {
    /// An error of this kind. `message` must not contain text of a document.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: None, in_file: false, hint: None }
    }

    /// Adds what the user can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the file, unless one is set.
    #[must_use]
    pub fn in_file(mut self, path: &std::path::Path) -> Self {
        if !self.in_file {
            self.message = format!("{}: {}", path.display(), self.message);
            self.in_file = true;
        }
        self
    }

    /// Adds the line (from 1) at which it happened.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Returns the category.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the hint for the user, if any.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(ErrorKind::Io, error.to_string())
    }
}
