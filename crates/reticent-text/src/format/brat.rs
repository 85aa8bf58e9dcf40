//! Standoff annotations for brat: one line for each entity, in code points.

use std::fmt::Write as _;

use crate::{OffsetUnit, Offsets, Span};

/// Writes an `.ann` file: `T1\tPERSON 5 8\tAna`. Line breaks in the text are shown as blanks.
///
/// ```
/// use reticent_text::{Span, format::brat};
/// let ann = brat::write("né à Metz", &[("LOCATION", Span::new(7, 11))]);
/// assert_eq!(ann, "T1\tLOCATION 5 9\tMetz\n");
/// ```
///
/// # Panics
/// If a span does not lie in `text` on character boundaries.
#[must_use]
pub fn write(text: &str, entities: &[(&str, Span)]) -> String {
    let offsets = Offsets::new(text, OffsetUnit::Chars);
    let mut out = String::new();
    for (number, (entity_type, span)) in entities.iter().enumerate() {
        let (start, end) = offsets.outside(*span);
        let words = span.of(text).replace(['\n', '\r', '\t'], " ");
        let _ = writeln!(out, "T{}\t{entity_type} {start} {end}\t{words}", number + 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_line_breaks_as_blanks_and_counts_code_points() {
        let text = "Ana\r\nLópez, 😀 Metz";
        let metz = text.find("Metz").unwrap();
        let ann = write(text, &[("PERSON", Span::new(0, 11)), ("LOCATION", Span::new(metz, metz + 4))]);
        assert_eq!(ann, "T1\tPERSON 0 10\tAna  López\nT2\tLOCATION 14 18\tMetz\n");
    }

    #[test]
    fn writes_nothing_for_nothing() {
        assert_eq!(write("Ana", &[]), "");
    }
}
