//! What is called the same as what is said of it: `an antibiotic, an antibiotic, is used`.

use reticent_text::{Layers, Pos, Span};

use super::Said;

/// Words without their article, in small letters.
pub(super) fn bare(words: &str) -> String {
    let words = words.to_lowercase();
    let article = ["a ", "an ", "the ", "some "].iter().find_map(|article| words.strip_prefix(article));
    article.unwrap_or(&words).to_owned()
}

/// Takes in what the text itself says next, if it is the same again: `Penicillin, an antibiotic, is used`, and `sarcoma is a cancer
/// that grows`.
pub(super) fn said_again(text: &str, said: &mut Said) {
    if said.gap || said.words.is_empty() || said.words.starts_with('[') {
        return;
    }
    let noun = bare(&said.words);
    let after = &text[said.span.end..];
    for article in ["a", "an"] {
        let again = format!(", {article} {noun}");
        let more = match after.strip_prefix(&again) {
            Some(rest) if rest.starts_with(", ") => again.len() + 1,
            Some(rest) if rest.starts_with('.') || rest.starts_with(" that ") => again.len(),
            _ => match after.strip_prefix(&format!(" is {article} {noun}")) {
                Some(rest) if rest.starts_with(" that ") => after.len() - rest.len() + " that".len(),
                _ => continue,
            },
        };
        said.span = Span::new(said.span.start, said.span.end + more);
    }
}

/// What is left of `a disorder is primarily a disorder caused by it`, and where that ends.
pub(super) fn is_itself(
    text: &str,
    layers: &Layers,
    one: &Said,
    between: &str,
    two: &Said,
) -> Option<(String, usize)> {
    let is = between.strip_suffix(" a ").or(between.strip_suffix(" an ")).unwrap_or(between.trim_end());
    let adverb = is.strip_prefix(" is")?;
    if !(adverb.is_empty() || adverb.ends_with("ly") && !adverb.trim_start().contains(' ')) {
        return None;
    }
    let after = &text[two.span.end..];
    if adverb.is_empty() && after.starts_with(" that ") {
        return Some((one.words.clone(), two.span.end + " that".len()));
    }
    let next = layers.tokens.partition_point(|token| token.span.start < two.span.end);
    let done = layers.tokens.get(next).is_some_and(|token| token.tag.name() == "VBN");
    (done && after.starts_with(' ')).then(|| (format!("{}{is}", one.words), two.span.end))
}

/// Whether a name or a description of the last of several follows it: `flu and a related disease, Mycobacterium avium complex`.
pub(super) fn is_named_next(text: &str, layers: &Layers, end: usize) -> bool {
    let next = layers.tokens.partition_point(|token| token.span.start < end + 1);
    let token = layers.tokens.get(next).filter(|_| text[end..].starts_with(", "));
    token
        .is_some_and(|token| token.tag.pos() == Pos::ProperNoun || ["a", "an"].contains(&token.span.of(text)))
}
