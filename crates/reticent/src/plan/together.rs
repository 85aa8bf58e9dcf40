//! What several replacements of one sentence tell together.
//!
//! Each is unlike the subject, and yet all of them may point to it: an actor, a film, a submarine. A sentence's
//! replacements are taken together as the mean of their vectors, which is held to the same threshold as each alone.

use reticent_text::{Document, Span};

use crate::Error;
use crate::mask::describe::Describer;

/// Something that is said instead, and where.
pub(super) struct Saying<'a> {
    /// Which of the entities.
    pub(super) entity: usize,
    pub(super) span: Span,
    pub(super) words: &'a str,
}

/// The entity that tells most in the first sentence that tells too much.
pub(super) fn tells_too_much(
    document: &Document,
    said: &[Saying<'_>],
    describer: &Describer<'_>,
) -> Result<Option<usize>, Error> {
    let Some(layers) = document.layers() else { return Ok(None) };
    let sentence =
        |saying: &Saying<'_>| layers.sentences.partition_point(|sentence| sentence.end <= saying.span.start);
    let mut sorted: Vec<&Saying<'_>> = said.iter().collect();
    sorted.sort_by_key(|saying| saying.span);
    for together in sorted.chunk_by(|one, other| sentence(one) == sentence(other)) {
        let words: Vec<&str> = together.iter().map(|saying| saying.words).collect();
        if let Some(most) = describer.tells_together(&words)? {
            return Ok(Some(together[most].entity));
        }
    }
    Ok(None)
}
