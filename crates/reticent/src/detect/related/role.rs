//! Characters in works: whom someone plays, not who they are.

use reticent_text::{Layers, Pos, Span};

/// How many words before `as` are looked at.
const REACH: usize = 12;

/// Whether the words before a name say that it is a part which someone plays: `her role as`, `portrayed`, `starring as`.
pub(super) fn is_played(text: &str, layers: &Layers, name: Span) -> bool {
    let end = layers.tokens.partition_point(|token| token.span.start < name.start);
    let after = layers.sentences.partition_point(|sentence| sentence.start <= name.start);
    let start = layers.sentences[..after].last().map_or(0, |sentence| sentence.start);
    let before = layers.tokens[..end].iter().rev().take_while(|token| token.span.start >= start);
    let words: Vec<(String, Pos)> =
        before.take(REACH).map(|token| (token.span.of(text).to_lowercase(), token.tag.pos())).collect();
    let articles = words.iter().take_while(|(_, pos)| *pos == Pos::Determiner).count();
    match &words[articles..] {
        [(verb, _), ..] if plays(verb) => true,
        [(as_, _), rest @ ..] if as_ == "as" => rest.iter().any(|(word, _)| {
            plays(word)
                || ["role", "roles", "part", "starred", "starring", "cast", "appeared"]
                    .contains(&word.as_str())
        }),
        [(of, _), (noun, _), ..] if of == "of" => {
            ["role", "portrayal", "character", "voice"].contains(&noun.as_str())
        }
        _ => false,
    }
}

fn plays(word: &str) -> bool {
    [
        "portray",
        "portrays",
        "portrayed",
        "portraying",
        "played",
        "plays",
        "playing",
        "voiced",
        "voicing",
        "character",
    ]
    .contains(&word)
}

#[cfg(test)]
mod tests {
    use reticent_text::{Analyzer, Document};

    use super::*;

    fn played(text: &str, name: &str) -> bool {
        let document = Document::plain("t", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
        let start = text.find(name).unwrap();
        is_played(text, &layers, Span::new(start, start + name.len()))
    }

    #[test]
    fn finds_parts_that_are_played() {
        assert!(played("She rose to fame with her role as Hermione Granger.", "Hermione"));
        assert!(played("He portrayed Jason Todd in a film.", "Jason"));
        assert!(played("He is known for his portrayal of the Grinch.", "Grinch"));
    }

    #[test]
    fn leaves_people_alone() {
        assert!(!played("She married Brad Pitt.", "Brad"));
        assert!(!played("He worked as Ann's clerk.", "Ann"));
        assert!(!played("He was a part of The Whooliganz.", "The Whooliganz"));
        assert!(!played("The role was written by Jane Doe.", "Jane"));
    }
}
