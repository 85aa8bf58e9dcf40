//! What stands beside words that are told less of: its article, its number, and what belonged to words that are gone.

use reticent_text::{Layers, Pos, Span, Tag, Token};

use super::Said;
use crate::mask::date::names::capitalized;
use crate::mask::grammar::{singular, starts_with_vowel_sound};
use crate::mask::plural;

/// After these a noun goes without an article: `types of cancer`.
const KINDS: [&str; 8] =
    ["types of ", "type of ", "kinds of ", "kind of ", "forms of ", "form of ", "sorts of ", "sort of "];

/// An article and a number as what stands around asks for: `types of cancer`, `cancers are`, `stage II cancer`, and the capitals of
/// a name.
pub(super) fn agree(text: &str, layers: &Layers, mention: Span, said: &mut Said) {
    let at = layers.tokens.partition_point(|token| token.span.end <= mention.start);
    let next = layers.tokens.partition_point(|token| token.span.start < mention.end);
    let word =
        |at: Option<usize>| at.and_then(|at| layers.tokens.get(at)).map_or("", |token| token.span.of(text));
    let article = ["a ", "an ", "A ", "An "].iter().find_map(|article| said.words.strip_prefix(article));
    // What was called so before: `the cancer`.
    let article = article.or_else(|| said.words.strip_prefix("the ")).map(str::to_owned);
    let is_bare = article.is_none();
    if let Some(noun) = article {
        let before = &text[..said.span.start];
        let led = |token: &Token| matches!(token.tag.pos(), Pos::ProperNoun | Pos::Number);
        let beside = before.ends_with(' ') && said.span.start == mention.start;
        let numbered = beside && at.checked_sub(1).is_some_and(|at| led(&layers.tokens[at]));
        let subject = at.checked_sub(1).is_none_or(|at| layers.tokens[at].tag.pos() != Pos::Preposition);
        if subject && ["are", "were", "have"].contains(&word(Some(next))) {
            said.words = plural(&noun);
        } else if numbered
            || text[said.span.end..].starts_with('-')
            || KINDS.iter().any(|kind| before.ends_with(kind))
        {
            said.words = noun;
        }
    }
    if is_bare
        && ["is", "was", "has"].contains(&word(Some(next)))
        && let Some(one) = singular(&said.words)
        && !mention.of(text).ends_with(&said.words)
        && said.span.start == mention.start
    {
        let one = one.to_lowercase();
        said.words = format!("{} {one}", if starts_with_vowel_sound(&one) { "an" } else { "a" });
    }
    let joint = ["and", "of", "for"].contains(&word(at.checked_sub(1)));
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let title = |word: &str| capital(word) && word.chars().skip(1).all(char::is_lowercase);
    let named = at.checked_sub(2).is_some_and(|at| layers.tokens[at].tag.pos() == Pos::ProperNoun);
    if joint && named && mention.of(text).split(' ').all(title) {
        let bare = said.words.strip_prefix("a ").or(said.words.strip_prefix("an ")).unwrap_or(&said.words);
        said.words = bare.split(' ').map(capitalized).collect::<Vec<_>>().join(" ");
    }
}

/// What belonged to words that are left out: a comma or an `and` after another adjective, the `at` of `at least`, and `than`.
pub(super) fn beside(text: &str, layers: &Layers, mention: Span, said: &mut Said) {
    let tokens = layers.tokens_in(mention);
    let Some(first) = tokens.first().filter(|first| first.span.start == mention.start) else { return };
    let word = first.span.of(text).to_lowercase();
    if said.words.to_lowercase().split(' ').any(|said| said == word) || said.words.starts_with('[') {
        return;
    }
    let before = &text[..said.span.start];
    let at = layers.tokens.partition_point(|token| token.span.end <= mention.start);
    let tag = |back: usize| at.checked_sub(back).map(|at| layers.tokens[at].tag);
    let adjective = |tag: Tag| tag.pos() == Pos::Adjective || matches!(tag.name(), "RBR" | "RB" | "VBN");
    // `longer, healthier lives`, `red and purple patches`
    let joint =
        [(", and ", 3), (" and ", 2), (", ", 2)].into_iter().find(|(joint, _)| before.ends_with(joint));
    // Who is `tired and old men` is no one.
    let one_phrase = |back: usize| {
        let other = at.checked_sub(back).map(|at| layers.tokens[at].span);
        let both =
            |phrase: &&Span| phrase.contains(first.span) && other.is_some_and(|other| phrase.contains(other));
        layers.noun_phrases.iter().any(|phrase| both(&phrase))
    };
    if let Some((joint, back)) = joint
        && adjective(first.tag)
        && tag(back).is_some_and(adjective)
        && (joint == ", " || one_phrase(back))
        && tokens.len() > 1
    {
        said.span = Span::new(said.span.start - joint.len(), said.span.end);
        said.words.insert(0, ' ');
    } else if matches!(word.as_str(), "least" | "most") && before.ends_with(" at ") {
        said.span = Span::new(said.span.start - 3, said.span.end);
    }
    // `too much glucose`
    let much = first.tag.pos() == Pos::Adjective && tokens.len() > 1;
    if let Some(degree) =
        ["too ", "so ", "very "].iter().find(|degree| before.ends_with(&format!(" {degree}")))
        && much
    {
        said.span = Span::new(said.span.start - degree.len(), said.span.end);
    }
    let rest = text[said.span.end..].split(['.', ',', ';', ':', '\n']).next().unwrap_or_default();
    let compares = first.tag.name() == "JJR" || word == "more" || word == "less";
    if compares && rest.split(' ').any(|word| word == "than") {
        let article = ["a ", "an "].iter().find(|article| before.ends_with(&format!(" {article}")));
        said.words = match said.words.split_once(' ') {
            Some(("a" | "an", rest)) => format!("another {rest}"),
            _ if article.is_some() => format!("another {}", said.words),
            _ => format!("other {}", said.words),
        };
        let article = article.map_or(0, |article| article.len());
        said.span = Span::new(said.span.start - article, said.span.end);
    }
}
