//! Offsets as others count them. Inside, everything is bytes; at the border, the unit is named.

use crate::Span;

/// The unit of offsets in input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffsetUnit {
    /// Unicode code points, as Python counts.
    #[default]
    Chars,
    /// UTF-8 bytes, as Rust and Go count.
    Bytes,
    /// UTF-16 code units, as Java and JavaScript count.
    Utf16,
}

impl OffsetUnit {
    /// The name on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chars => "chars",
            Self::Bytes => "bytes",
            Self::Utf16 => "utf16",
        }
    }

    /// The unit of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Chars, Self::Bytes, Self::Utf16].into_iter().find(|unit| unit.name() == name)
    }

    fn width(self, c: char) -> usize {
        match self {
            Self::Chars => 1,
            Self::Bytes => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// Turns byte offsets of one text into another unit and back, in logarithmic time.
///
/// ```
/// use reticent_text::{OffsetUnit, Offsets, Span};
/// let offsets = Offsets::new("né à Metz", OffsetUnit::Chars);
/// assert_eq!(offsets.outside(Span::new(7, 11)), (5, 9));
/// assert_eq!(offsets.inside(5, 9), Some(Span::new(7, 11)));
/// ```
pub struct Offsets {
    marks: Vec<Mark>,
    bytes: usize,
}

/// A character whose width differs between the units; the first stands for the start of the text.
struct Mark {
    /// Where it begins, in bytes.
    start: usize,
    /// Where it ends, in bytes.
    end: usize,
    /// Where it ends, in the outer unit.
    outside: usize,
}

impl Offsets {
    /// Reads `text` once.
    #[must_use]
    pub fn new(text: &str, unit: OffsetUnit) -> Self {
        let mut marks = vec![Mark { start: 0, end: 0, outside: 0 }];
        if unit != OffsetUnit::Bytes && !text.is_ascii() {
            let mut outside = 0;
            for (start, c) in text.char_indices() {
                outside += unit.width(c);
                if unit.width(c) != c.len_utf8() {
                    marks.push(Mark { start, end: start + c.len_utf8(), outside });
                }
            }
        }
        Self { marks, bytes: text.len() }
    }

    /// A byte span in the outer unit.
    #[must_use]
    pub fn outside(&self, span: Span) -> (usize, usize) {
        (self.out(span.start), self.out(span.end))
    }

    /// A span in the outer unit in bytes; nothing if it does not lie in the text on character
    /// boundaries.
    #[must_use]
    pub fn inside(&self, start: usize, end: usize) -> Option<Span> {
        let (start, end) = (self.byte(start)?, self.byte(end)?);
        (start <= end).then(|| Span::new(start, end))
    }

    fn out(&self, byte: usize) -> usize {
        let after = self.marks.partition_point(|mark| mark.end <= byte);
        let mark = &self.marks[after - 1];
        mark.outside + (byte - mark.end)
    }

    fn byte(&self, offset: usize) -> Option<usize> {
        let after = self.marks.partition_point(|mark| mark.outside <= offset);
        let mark = &self.marks[after - 1];
        let byte = mark.end + (offset - mark.outside);
        // Beyond the start of the next mark lies the inside of its character.
        let limit = self.marks.get(after).map_or(self.bytes, |next| next.start);
        (byte <= limit).then_some(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn goes_out_and_back(text in "\\PC{0,40}", unit in 0..3usize) {
            let unit = [OffsetUnit::Chars, OffsetUnit::Bytes, OffsetUnit::Utf16][unit];
            let offsets = Offsets::new(&text, unit);
            let mut outside = 0;
            for (at, c) in text.char_indices() {
                let span = Span::new(at, at + c.len_utf8());
                let told = offsets.outside(span);
                prop_assert_eq!(told, (outside, outside + unit.width(c)));
                prop_assert_eq!(offsets.inside(told.0, told.1), Some(span));
                outside += unit.width(c);
            }
            prop_assert_eq!(offsets.inside(0, outside + 1), None);
        }
    }

    #[test]
    fn refuses_half_a_surrogate_pair() {
        let offsets = Offsets::new("a😀b", OffsetUnit::Utf16);
        assert_eq!(offsets.inside(1, 2), None);
        assert_eq!(offsets.inside(1, 3), Some(Span::new(1, 5)));
    }
}
