//! What several replacements tell together.
//!
//! Each of them is safe, and yet all may lead to a subject: an actor, a film, a submarine. Those of a sentence are taken
//! together, and those of the whole text.

use reticent_text::Document;

use crate::Entity;

/// Mentions that are taken together: of which entity, and which of its mentions.
pub(super) type Group = Vec<(usize, usize)>;

/// The mentions of each sentence that has any, and all of them at last if wanted.
pub(super) fn groups(document: &Document, entities: &[Entity], all_together: bool) -> Vec<Group> {
    let Some(layers) = document.layers() else { return Vec::new() };
    let mentions = entities.iter().enumerate().flat_map(|(entity, of)| {
        of.mentions.iter().enumerate().map(move |(at, mention)| (mention.span, (entity, at)))
    });
    let mut mentions: Vec<_> = mentions.collect();
    mentions.sort_unstable_by_key(|(span, _)| *span);
    let sentence = |start: usize| layers.sentences.partition_point(|sentence| sentence.end <= start);
    let sentences = mentions.chunk_by(|(one, _), (other, _)| sentence(one.start) == sentence(other.start));
    let group = |mentions: &[(_, (usize, usize))]| mentions.iter().map(|(_, mention)| *mention).collect();
    sentences.map(group).chain(all_together.then(|| group(&mentions))).collect()
}
