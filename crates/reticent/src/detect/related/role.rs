//! Characters in works: whom someone plays, not who they are.

use reticent_text::{Layers, Pos, Span};

use super::title::is_year;

/// How many words before `as` are looked at, and how many where several parts are listed.
const REACH: usize = 12;
const LIST: usize = 60;

/// How far before `is` the roles stand which it speaks of: `One of his roles is Hobbs in`.
const LIST_HEAD: usize = 3;

/// Whether the words before a name say that it is a part which someone plays: `her role as`, `portrayed`, `starring as`,
/// or the next of several: `as Eric Brady in Days of Our Lives and Jason Teague in Smallville`.
pub(super) fn is_played(text: &str, layers: &Layers, name: Span) -> bool {
    let end = layers.tokens.partition_point(|token| token.span.start < name.start);
    let after = layers.sentences.partition_point(|sentence| sentence.start <= name.start);
    let start = layers.sentences[..after].last().map_or(0, |sentence| sentence.start);
    let before = layers.tokens[..end].iter().rev().take_while(|token| token.span.start >= start);
    let words: Vec<(String, Pos)> =
        before.take(LIST).map(|token| (token.span.of(text).to_lowercase(), token.tag.pos())).collect();
    let articles = words.iter().take_while(|(_, pos)| *pos == Pos::Determiner).count();
    // `Wes Craven's Vampire` is a work.
    let owned =
        |sign: &str| name.of(text).split_once(sign).is_some_and(|(_, of)| of.starts_with(char::is_uppercase));
    if owned("'s ") || owned("’s ") {
        return false;
    }
    let near = |rest: &[(String, Pos)], reach: usize| {
        rest.iter().take(reach).any(|(word, _)| plays(word) || PARTS.contains(&word.as_str()))
    };
    let next = layers.tokens.partition_point(|token| token.span.start < name.end);
    let is_in = layers.tokens.get(next).is_some_and(|token| ["in", "on"].contains(&token.span.of(text)));
    match &words[articles..] {
        [(verb, _), ..] if plays(verb) => true,
        // `films such as Balian in Kingdom of Heaven (2005)`: a slip, but he is in it.
        [(as_, _), (such, _), ..]
            if as_ == "as" && such == "such" && is_in && is_dated(text, layers, next) =>
        {
            true
        }
        // `such colleagues as`, `series such as`: only roles are played.
        [(as_, _), (noun, _), (such, _), ..] | [(as_, _), (such, _), (noun, _), ..]
            if as_ == "as" && such == "such" =>
        {
            ["role", "roles", "parts", "characters"].contains(&noun.as_str())
        }
        [(as_, _), (comma, _), rest @ ..]
            if as_ == "as" && is_in && [",", "and"].contains(&comma.as_str()) =>
        {
            near(rest, LIST)
        }
        [(as_, _), rest @ ..] if as_ == "as" => near(rest, REACH),
        // `as manager Scott Lavin`
        [(_, Pos::Noun), (as_, _), rest @ ..] if as_ == "as" => near(rest, REACH),
        [(is, _), rest @ ..] if is_in && ["is", "was", "are", "were"].contains(&is.as_str()) => {
            rest.iter().take(LIST_HEAD).any(|(word, _)| ["role", "roles"].contains(&word.as_str()))
        }
        [(of, _), (noun, _), ..] if of == "of" => {
            ["role", "portrayal", "character", "voice"].contains(&noun.as_str())
        }
        [(include, _), rest @ ..]
            if is_in && ["include", "included", "including"].contains(&include.as_str()) =>
        {
            rest.iter().take(REACH).any(|(word, _)| ["role", "roles"].contains(&word.as_str()))
        }
        [(and, _), rest @ ..] if is_in && [",", "and"].contains(&and.as_str()) => {
            let rest = if rest.first().is_some_and(|(word, _)| word == ",") { &rest[1..] } else { rest };
            near(rest, LIST)
        }
        _ => false,
    }
}

/// Whether a year in brackets follows before the next of a list.
fn is_dated(text: &str, layers: &Layers, from: usize) -> bool {
    let words = layers.tokens[from..].iter().map(|token| token.span.of(text));
    let mut rest = words.take(REACH).skip_while(|word| !["(", ",", "and", "."].contains(word));
    rest.next() == Some("(") && rest.next().is_some_and(is_year)
}

/// Whether a name is that of what a character is in: `as Jason Teague in Smallville`.
pub(super) fn is_played_in(text: &str, layers: &Layers, name: Span) -> bool {
    let mut at = layers.tokens.partition_point(|token| token.span.start < name.start);
    let word = |at: usize| layers.tokens.get(at).map_or("", |token| token.span.of(text));
    if at > 0 && word(at - 1) == "the" {
        at -= 1;
    }
    // `as the Man in Black in the series`: he is in that.
    let next = layers.tokens.partition_point(|token| token.span.start < name.end);
    if at == 0 || word(at - 1) != "in" || word(next) == "in" && ["the", "a"].contains(&word(next + 1)) {
        return false;
    }
    let end = at - 1;
    let is_name = |at: &usize| word(*at).starts_with(|c: char| c.is_uppercase() || c == '-');
    let Some(start) = (0..end).rev().take_while(is_name).last() else { return false };
    is_played(text, layers, layers.tokens[start].span.join(layers.tokens[end - 1].span))
}

/// Whether a name is that of what someone acts in: `made her debut in`, `was cast in`. In whose affairs someone has a role
/// nobody can tell, unless the sentence speaks of acting.
pub(super) fn is_acted_in(text: &str, layers: &Layers, name: Span) -> bool {
    let at = layers.tokens.partition_point(|token| token.span.start < name.start);
    let word = |back: usize| at.checked_sub(back).map_or("", |at| layers.tokens[at].span.of(text));
    if !["in", "with"].contains(&word(1)) {
        return false;
    }
    let acts = |word: &str| ["starred", "starring", "cast", "debut", "debuted"].contains(&word);
    // Who starred with someone did not act in them.
    if word(1) == "with" {
        return word(2) == "debut";
    }
    if acts(word(2)) || acts(word(3)) && word(2) == "was" {
        return true;
    }
    let part = ["role", "roles", "parts", "performance", "performances", "star"].contains(&word(2))
        || ["role", "roles"].contains(&word(3)) && ["was", "were", "is"].contains(&word(2));
    let after = layers.sentences.partition_point(|sentence| sentence.start <= name.start);
    let sentence = layers.sentences[..after].last().map_or("", |sentence| sentence.of(text));
    let speaks = |word: &str| ACTING.iter().any(|acting| word.eq_ignore_ascii_case(acting));
    part && sentence.split(|c: char| !c.is_alphabetic()).any(speaks)
}

/// Words of sentences that speak of acting.
const ACTING: [&str; 12] = [
    "film",
    "films",
    "theatre",
    "actor",
    "actress",
    "acting",
    "award",
    "nomination",
    "nominated",
    "starring",
    "supporting",
    "stage",
];

/// Words that speak of parts.
const PARTS: [&str; 17] = [
    "role",
    "roles",
    "part",
    "starred",
    "co-starred",
    "starring",
    "stars",
    "cast",
    "appeared",
    "appears",
    "appearance",
    "appearances",
    "portrayal",
    "performance",
    "performances",
    "breakthrough",
    "debut",
];

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
        assert!(played("After his breakthrough as Legolas he rose to fame.", "Legolas"));
        assert!(played("He has a recurring role as manager Scott Lavin.", "Scott"));
        assert!(played("He made films such as Balian in Heaven (2005) and Rome (2006).", "Balian"));
        assert!(!played("He made films such as Gladiator in Heaven and Rome.", "Gladiator"));
        assert!(played("One of his roles is Luke Hobbs in the series.", "Luke Hobbs"));
    }

    #[test]
    fn finds_the_next_of_several() {
        let text =
            "He appeared as Dean Winchester in a series, Eric Brady in Lives and Jason Teague in Ohio.";
        assert!(played(text, "Eric Brady") && played(text, "Jason Teague"));
        assert!(played("His roles include Legolas in The Hobbit, and Paris in Troy.", "Legolas"));
        assert!(played("His roles include Legolas in The Hobbit, and Paris in Troy.", "Paris"));
        assert!(!played("He played the king in a film, and Ann Lee wrote it.", "Ann Lee"));
        assert!(!played("He lives in Rome, and Ann Lee in London.", "Ann Lee"));
    }

    #[test]
    fn finds_what_a_character_is_in() {
        let of = |text: &str, name: &str| {
            let document = Document::plain("t", text);
            let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
            let start = text.find(name).unwrap();
            is_played_in(text, &layers, Span::new(start, start + name.len()))
        };
        assert!(of("He starred as Jason Teague in Smallville.", "Smallville"));
        assert!(of("He portrayed Jason Todd in the Hooded Man.", "Hooded"));
        assert!(!of("He met Jason Teague in Smallville.", "Smallville"));
        assert!(!of("He was born in Smallville.", "Smallville"));
        assert!(!of("He stars as the Man in Black in the series.", "Black"));
    }

    #[test]
    fn finds_what_someone_acts_in() {
        let of = |text: &str, name: &str| {
            let document = Document::plain("t", text);
            let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
            let start = text.find(name).unwrap();
            is_acted_in(text, &layers, Span::new(start, start + name.len()))
        };
        assert!(of("She made her debut in Alpha.", "Alpha"));
        assert!(of("She was cast in Alpha.", "Alpha"));
        assert!(of("He won an award for his role in Alpha.", "Alpha"));
        assert!(of("His first film role was in Alpha.", "Alpha"));
        assert!(!of("He was jailed for his role in Watergate.", "Watergate"));
        assert!(!of("She was born in Alpha.", "Alpha"));
        assert!(!of("She made films in Alpha.", "Alpha"));
        assert!(of("She made her debut with Alpha.", "Alpha"));
        assert!(!of("She starred with Alpha.", "Alpha"));
    }

    #[test]
    fn leaves_people_alone() {
        assert!(!played("She married Brad Pitt.", "Brad"));
        assert!(!played("He worked as Ann's clerk.", "Ann"));
        assert!(!played("He was a part of The Whooliganz.", "The Whooliganz"));
        assert!(!played("The role was written by Jane Doe.", "Jane"));
        assert!(!played("The director of her roles is Jane Doe.", "Jane"));
        assert!(!played("He works as manager of Ann Lee.", "Ann"));
        assert!(!played("In her roles she played alongside such colleagues as Judi Dench.", "Judi"));
        assert!(!played("She appeared in series such as Emergency Ward.", "Emergency"));
        assert!(played("He had roles such as Avery Bullock in a series.", "Avery Bullock"));
        let text = "He played roles in Alpha, Ann Lee's Vampire in Rome, and more.";
        assert!(!played(text, "Ann Lee's Vampire"));
    }
}
