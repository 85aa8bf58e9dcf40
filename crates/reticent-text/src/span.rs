//! A stretch of one text.

use std::ops::Range;

/// A half-open range of *bytes* of one text, on character boundaries.
///
/// ```
/// use reticent_text::Span;
/// let span = Span::new(0, 3);
/// assert_eq!(span.of("Ana Ruiz"), "Ana");
/// assert!(span.overlaps(Span::new(2, 5)));
/// assert!(!span.overlaps(Span::new(3, 5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` to `end`.
    ///
    /// # Panics
    /// If `end` lies before `start`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        assert!(start <= end, "a span ends before it starts");
        Self { start, end }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether the span covers nothing.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether both spans share at least one byte.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns whether `other` lies wholly inside.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The text that the span covers.
    ///
    /// # Panics
    /// If the span does not lie in `text` on character boundaries.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// Returns whether the span lies in `text` on character boundaries.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        text.get(self.start..self.end).is_some()
    }

    /// The same stretch, moved `by` bytes to the right.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self::new(self.start + by, self.end + by)
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}
