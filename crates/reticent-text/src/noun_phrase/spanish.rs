//! Spanish noun phrases by a regular grammar over tags.
//!
//! ```text
//! phrase  = opening* core+
//! opening = determiner | number
//! core    = (adjective | number | participle after a noun)* noun …
//! ```
//! In words: the longest row of determiners, numbers, adjectives, nouns and names that has a noun, a
//! name or a number, or an article with an adjective (`los heridos`). A determiner begins a new
//! phrase. The corpus that our tagger learns from tags many names as verbs (`Daryl`: VMI), so a word
//! with a capital inside a sentence counts as a name whatever its tag.

use std::ops::Range;

use crate::{Pos, Tag, Token};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Opening,
    Noun,
    Name,
    Adjective,
    Number,
    Participle,
    None,
}

/// Gives the tag of a name to every word of one sentence that is one by its capital.
pub(crate) fn tag_names(tokens: &mut [Token], text: &str) {
    let Some(name) = Tag::from_name("NP") else { return };
    // From the right: what stands before a name may be one because of it.
    for at in (0..tokens.len()).rev() {
        let unlikely = !matches!(tokens[at].tag.pos(), Pos::Noun | Pos::Adjective);
        if unlikely && role(tokens, at, text) == Role::Name {
            tokens[at].tag = name;
        }
    }
}

/// The phrases of one sentence, as ranges of its tokens.
pub fn find(tokens: &[Token], text: &str) -> Vec<Range<usize>> {
    let roles: Vec<Role> = (0..tokens.len()).map(|at| role(tokens, at, text)).collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < roles.len() {
        let end = phrase_end(&roles, at);
        if let Some(end) = end {
            // The name of a field ends what stands before it: `70 años Sexo: H`.
            let last = tokens[end - 1].span.of(text);
            let field = tokens.get(end).is_some_and(|next| next.span.of(text) == ":");
            let cut = end - usize::from(field && end - at > 1 && last.starts_with(char::is_uppercase));
            out.push(at..cut);
            if cut < end {
                out.push(cut..end);
            }
            at = end;
        } else {
            at += 1;
        }
    }
    out
}

/// Where the phrase that begins at `begin` ends, if one does.
fn phrase_end(roles: &[Role], begin: usize) -> Option<usize> {
    let openings = roles[begin..].iter().take_while(|role| **role == Role::Opening).count();
    let mut end = begin + openings;
    let (mut head, mut adjective) = (false, false);
    while let Some(role) = roles.get(end) {
        match role {
            Role::Noun | Role::Name | Role::Number => head = true,
            Role::Adjective => adjective = true,
            // `pacientes operados`, `los operados`
            Role::Participle if head || openings > 0 => adjective = true,
            _ => break,
        }
        end += 1;
    }
    (head || (adjective && openings > 0)).then_some(end)
}

fn role(tokens: &[Token], at: usize, text: &str) -> Role {
    let token = tokens[at];
    let word = token.span.of(text);
    let capital = word.starts_with(char::is_uppercase);
    match token.tag.pos() {
        Pos::Determiner if capital && at > 0 && is_name(tokens, at + 1, text) => Role::Name,
        Pos::Determiner => Role::Opening,
        Pos::ProperNoun => Role::Name,
        Pos::Number => Role::Number,
        Pos::Noun | Pos::Adjective if capital => Role::Name,
        Pos::Noun => Role::Noun,
        Pos::Adjective => Role::Adjective,
        _ if capital && at > 0 && is_like_name(token) => Role::Name,
        // The first word of a sentence has a capital anyway; before a name it is one.
        Pos::Verb if capital && is_name(tokens, at + 1, text) && !token.tag.name().starts_with("VA") => {
            Role::Name
        }
        Pos::Verb if token.tag.name() == "VMP" && follows_noun(tokens, at) => Role::Participle,
        _ => Role::None,
    }
}

/// Tags that the corpus gives to names it does not know.
fn is_like_name(token: Token) -> bool {
    matches!(token.tag.pos(), Pos::Verb | Pos::Foreign | Pos::Other | Pos::Adverb)
}

fn is_name(tokens: &[Token], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| {
        token.span.of(text).starts_with(char::is_uppercase)
            && (is_like_name(*token)
                || matches!(token.tag.pos(), Pos::Noun | Pos::ProperNoun | Pos::Adjective))
    })
}

fn follows_noun(tokens: &[Token], at: usize) -> bool {
    at > 0
        && matches!(tokens[at - 1].tag.pos(), Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Determiner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    /// `word/TAG` to phrases.
    fn phrases(tagged: &str) -> Vec<String> {
        let mut text = String::new();
        let mut tokens = Vec::new();
        for pair in tagged.split(' ') {
            let (word, tag) = pair.rsplit_once('/').unwrap();
            let start = text.len();
            text.push_str(word);
            tokens.push(Token { span: Span::new(start, text.len()), tag: Tag::from_name(tag).unwrap() });
            text.push(' ');
        }
        let find = find(&tokens, &text);
        find.into_iter()
            .map(|range| text[tokens[range.start].span.start..tokens[range.end - 1].span.end].into())
            .collect()
    }

    #[test]
    fn finds_phrases() {
        for (tagged, expected) in [
            (
                "una/DI hematuria/NC macroscópica/AQ persistente/AQ",
                &["una hematuria macroscópica persistente"][..],
            ),
            ("el/DA doctor/NC Daryl/VMI Williams/NC habló/VMI", &["el doctor Daryl Williams"]),
            ("dos/DN millones/NC de/SP euros/NC", &["dos millones", "euros"]),
            ("los/DA heridos/AQ llegaron/VMI", &["los heridos"]),
            ("todos/DI los/DA pacientes/NC operados/VMP", &["todos los pacientes operados"]),
            ("Calle/NC Miguel/NC Benitez/VMI 90/Z ./Fp", &["Calle Miguel Benitez 90"]),
            ("70/Z años/NC Sexo/NC :/Fd H/NC", &["70 años", "Sexo", "H"]),
            ("su/DP madre/NC ,/Fc la/DA enfermera/NC", &["su madre", "la enfermera"]),
        ] {
            assert_eq!(phrases(tagged), expected);
        }
    }

    #[test]
    fn leaves_the_rest_alone() {
        for tagged in [
            "ha/VAI venido/VMP ayer/RG ./Fp",
            "que/PR se/P0 lo/PP dijo/VMI",
            "es/VSI grande/AQ ./Fp",
            "Dijo/VMI que/CS no/RN",
            "fue/VSI operado/VMP",
        ] {
            assert!(phrases(tagged).is_empty(), "{tagged}");
        }
    }
}
