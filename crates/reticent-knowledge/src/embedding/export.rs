//! Vectors as other programs read them.

use std::io::Write;

use super::TermVectors;
use crate::Error;

/// Writes a binary word2vec file, with `_` for the spaces of a term, as most programs expect.
///
/// ```
/// use reticent_knowledge::embedding::{export, import, Precision, TermVectors};
/// use reticent_text::Language;
/// let imported = import(&b"film_star 0.5 -1\n"[..], None, "words", Language::English)?;
/// let vectors = TermVectors::from_table(&imported.table, Precision::Full)?;
/// let mut file = Vec::new();
/// export::word2vec(&vectors, &mut file)?;
/// assert!(file.starts_with(b"1 2\nfilm_star "));
/// # Ok::<(), reticent_knowledge::Error>(())
/// ```
pub fn word2vec(vectors: &TermVectors, into: &mut impl Write) -> Result<(), Error> {
    writeln!(into, "{} {}", vectors.len(), vectors.width())?;
    for row in 0..vectors.len() {
        into.write_all(vectors.term(row).replace(' ', "_").as_bytes())?;
        into.write_all(b" ")?;
        for number in vectors.vector(row) {
            into.write_all(&number.to_le_bytes())?;
        }
        into.write_all(b"\n")?;
    }
    Ok(())
}
