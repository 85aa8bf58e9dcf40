//! Nouns: `fight the infection` is `fight something`.

use reticent_text::{Language, Pos, Span, is_ordinary};

use super::{Around, Sort, Vague};
use crate::mask::date::names::capitalized;
use crate::mask::grammar::starts_with_vowel_sound;

/// Said of several, and of several that are not told: `these things`.
const OF_SEVERAL: [&str; 17] = [
    "these",
    "those",
    "all",
    "both",
    "some",
    "many",
    "several",
    "few",
    "other",
    "such",
    "most",
    "certain",
    "different",
    "two",
    "three",
    "more",
    "various",
];

/// What is said with these is not said of one thing or of some things, and of no other word is it known to be true.
const OF_ANY: [&str; 4] = ["no", "any", "every", "only"];

/// These can stand alone.
const OF_EACH: [&str; 3] = ["each", "either", "neither"];

/// Several of these are several of what they are of.
const KINDS: [&str; 7] = ["types", "kinds", "sorts", "forms", "classes", "varieties", "groups"];

/// How long is said otherwise: nobody lives for things.
const TIMES: [&str; 8] = ["seconds", "minutes", "hours", "days", "weeks", "months", "years", "decades"];

/// Whose it was is still told.
const WHOSE: [(&str, &str); 7] = [
    ("my", " of mine"),
    ("your", " of yours"),
    ("his", " of his"),
    ("her", " of hers"),
    ("our", " of ours"),
    ("their", " of theirs"),
    ("its", " of its own"),
];

pub(super) fn say(around: &Around<'_>, sort: Sort) -> Option<Vague> {
    if let Some(vague) = as_modifier(around, sort) {
        return Some(vague);
    }
    let head = around.head();
    let is_noun = head.tag.pos() == Pos::Noun || head.tag.name() == "VBG";
    let noun = head.span.of(around.text);
    let is_name = noun.starts_with(char::is_uppercase)
        && noun.chars().filter(|c| c.is_lowercase()).count() > 1
        && !around.starts(around.next - 1)
        && !is_ordinary(&noun.to_lowercase(), Language::English);
    // A name may be someone's, but hardly after an article.
    let article = around.first.checked_sub(1).map_or("", |at| around.word(at));
    let named = is_name && !["a", "an", "the", "The"].contains(&article);
    if named || !(is_noun || head.tag.pos() == Pos::ProperNoun || is_listed(around)) {
        return None;
    }
    let start = first_of_phrase(around);
    // A bracket that is opened or closed within belongs to more than this.
    let whole = Span::new(around.layers.tokens[start].span.start, around.span.end).of(around.text);
    if whole.contains(['(', ')', '"', '“', '”']) {
        return None;
    }
    let single = ["is", "was", "has"].contains(&around.word(around.next));
    let several = matches!(head.tag.name(), "NNS" | "NNPS") && !single;
    // `don't often affect healthy people`: some, at least.
    let narrowed = is_narrowed_under_not(around, start);
    if is_said_of_any(around, start) || narrowed && !several {
        return None;
    }
    let first = around.word(start).to_lowercase();
    if OF_EACH.contains(&first.as_str()) && start < around.first && sort != Sort::Person {
        let each = around.layers.tokens[start].span;
        return Some(Vague { span: each.join(around.span), words: each.of(around.text).to_owned() });
    }
    let of = around.word(around.next) == "of" && around.after(around.next - 1).is_some();
    // `five major types of medicines` are some medicines.
    if of && several && KINDS.contains(&noun) && around.tag(around.next + 1) == "NNS" {
        let end = around.layers.tokens[around.next].span.end;
        let words = if around.starts(start) { "Some" } else { "some" };
        let start = around.layers.tokens[start].span.start.min(around.span.start);
        return Some(Vague { span: Span::new(start, end), words: words.to_owned() });
    }
    let kept = several && start < around.first && OF_SEVERAL.contains(&first.as_str());
    // `many hours` are no many things.
    let kept = kept && (!TIMES.contains(&noun) || ["these", "those", "such"].contains(&first.as_str()));
    // `these women` are these.
    if kept && sort == Sort::Person {
        let these = around.layers.tokens[start].span;
        return Some(Vague { span: these.join(around.span), words: these.of(around.text).to_owned() });
    }
    let start = if kept { start + 1 } else { start };
    let whose =
        WHOSE.iter().find(|(word, _)| *word == first && sort != Sort::Person).map_or("", |(_, whose)| whose);
    let led = !narrowed
        && start.checked_sub(1).is_some_and(|at| {
            around.layers.tokens[at].tag.pos() == Pos::Preposition
                || OF_SEVERAL.contains(&around.word(at))
                || around.word(at) == ")"
        });
    let vague = match (sort, several) {
        (Sort::Person, false) => "someone",
        (Sort::Person, true) => "some",
        (_, false) => "something",
        (_, true) if !kept && TIMES.contains(&noun) => "a while",
        (_, true) if kept || led => "things",
        (_, true) => "some things",
    };
    let mut words = format!("{vague}{}", if of { " to do with" } else { whose });
    if around.starts(start) && around.word(start).starts_with(char::is_uppercase) {
        words = capitalized(&words);
    }
    let end = if of { around.layers.tokens[around.next].span.end } else { around.span.end };
    Some(Vague { span: Span::new(around.layers.tokens[start].span.start.min(around.span.start), end), words })
}

/// Whether what is said is said of none or of all of its kind: what is broader need not be true then.
pub(super) fn is_of_any(around: &Around<'_>) -> bool {
    let start = first_of_phrase(around);
    is_said_of_any(around, start) || is_narrowed_under_not(around, start) || is_narrowed_for(around, start)
}

/// Whoever should practice safe sex need not practice sex, and what prevents some infections does not prevent all.
fn is_narrowed_for(around: &Around<'_>, start: usize) -> bool {
    const NARROW: [&str; 9] = [
        "avoid",
        "avoids",
        "avoiding",
        "prevent",
        "prevents",
        "preventing",
        "practice",
        "practices",
        "practicing",
    ];
    let narrowed = (start..around.next).any(|at| around.layers.tokens[at].tag.pos() == Pos::Adjective);
    narrowed && start.checked_sub(1).is_some_and(|at| NARROW.contains(&around.word(at)))
}

fn is_said_of_any(around: &Around<'_>, start: usize) -> bool {
    let any = |at: usize| OF_ANY.contains(&around.word(at).to_lowercase().as_str());
    any(start) || start.checked_sub(1).is_some_and(any)
}

/// `don't often affect healthy people`: of all people it need not be true. What has no adjective is not narrowed by one.
fn is_narrowed_under_not(around: &Around<'_>, start: usize) -> bool {
    let narrowed = (start..around.next).any(|at| around.layers.tokens[at].tag.pos() == Pos::Adjective);
    narrowed && around.is_denied(start, CLAUSE, &ENDS_CLAUSE)
}

/// How far before a noun what denies it may stand, and what parts it from the noun.
const CLAUSE: usize = 8;
const ENDS_CLAUSE: [&str; 12] =
    [",", ";", ":", ".", "that", "which", "who", "but", "because", "until", "if", "("];

/// Whether it is one of several things, though the tagger takes it for an adjective: `the neck, underarm, and groin`.
fn is_listed(around: &Around<'_>) -> bool {
    let before = around.first.checked_sub(1).map_or("", |at| around.word(at));
    around.head().tag.pos() == Pos::Adjective && before == "," && around.word(around.next) == ","
}

/// Where the phrase begins that the stretch ends: with its article, its adjectives and whose it is.
fn first_of_phrase(around: &Around<'_>) -> usize {
    let mut start = around.first;
    while let Some(at) = start.checked_sub(1) {
        let token = around.layers.tokens[at];
        let beside = around.after(at).is_some();
        let described = matches!(around.layers.tokens[start].tag.pos(), Pos::Adjective | Pos::Adverb)
            || around.tag(start) == "VBN";
        let adverb = token.tag.pos() == Pos::Adverb
            && (token.span.of(around.text).ends_with("ly")
                || ["most", "more", "very", "too", "so"].contains(&around.word(at)));
        // `the red and purple patches`
        let joins = ["and", "or"].contains(&around.word(at))
            && around.layers.tokens[start].tag.pos() == Pos::Adjective
            && at.checked_sub(1).is_some_and(|other| is_one_phrase(around, other, start));
        let goes_on = match token.tag.pos() {
            Pos::Conjunction => joins,
            Pos::Adjective | Pos::Number | Pos::Noun | Pos::Possessive => true,
            Pos::Adverb => adverb && described,
            Pos::Determiner => token.tag.name() != "WDT" || start == around.first,
            _ => token.tag.name() == "PRP$",
        };
        if !(beside && goes_on) || token.tag.name().starts_with('W') {
            break;
        }
        start = at;
        if token.tag.pos() == Pos::Determiner || token.tag.name() == "PRP$" {
            break;
        }
    }
    start
}

/// Whether an adjective stands in the same noun phrase as another token.
fn is_one_phrase(around: &Around<'_>, adjective: usize, other: usize) -> bool {
    let (one, two) = (around.layers.tokens[adjective], around.layers.tokens[other]);
    let both = |phrase: &Span| phrase.contains(one.span) && phrase.contains(two.span);
    one.tag.pos() == Pos::Adjective && around.layers.noun_phrases.iter().any(both)
}

/// What only says something of a noun that follows is left out: `integrase inhibitors` are inhibitors, and `the body's
/// cells` are the cells.
fn as_modifier(around: &Around<'_>, sort: Sort) -> Option<Vague> {
    let next = around.after(around.next - 1)?;
    let tokens = &around.layers.tokens;
    let is_adjective = around.head().tag.pos() == Pos::Adjective || around.head().tag.name() == "VBN";
    // `colorless, watery fluid`
    let joins = |pos: Pos| pos == Pos::Adjective || (sort.is_done() && pos == Pos::Noun);
    if (is_adjective || sort.is_done())
        && next.span.of(around.text) == ","
        && let Some(other) = around.after(around.next).filter(|other| joins(other.tag.pos()))
    {
        return Some(Vague { span: Span::new(around.span.start, other.span.start), words: String::new() });
    }
    // `sudden and short-term, and chronic`
    if is_adjective
        && around.first.checked_sub(1).is_some_and(|at| around.word(at) == "and")
        && let Some(other) = around.first.checked_sub(2).map(|at| tokens[at])
        && other.tag.pos() == Pos::Adjective
        && matches!(next.tag.pos(), Pos::Punctuation)
    {
        return Some(Vague { span: Span::new(other.span.end, around.span.end), words: String::new() });
    }
    if next.tag.pos() == Pos::Possessive {
        let start = tokens[first_of_phrase(around)].span.start.min(around.span.start);
        let owned = around.after(around.next)?;
        let the = if around.starts(first_of_phrase(around)) { "The " } else { "the " };
        return Some(Vague { span: Span::new(start, owned.span.start), words: the.to_owned() });
    }
    let needs_to = around.tag(around.next + 1) == "TO" && matches!(next.tag.name(), "NNS" | "VBZ");
    let described = match next.tag.pos() {
        Pos::Noun => !needs_to,
        Pos::Adjective => is_adjective || around.head().tag.pos() == Pos::Verb,
        _ => false,
    };
    if !described || next.span.start == around.span.end {
        return None;
    }
    let article = around.first.checked_sub(1).filter(|at| ["a", "an", "A", "An"].contains(&around.word(*at)));
    Some(match article {
        Some(at) => {
            let an = if starts_with_vowel_sound(next.span.of(around.text)) { "an " } else { "a " };
            let words = if around.word(at).starts_with('A') { capitalized(an) } else { an.to_owned() };
            Vague { span: Span::new(tokens[at].span.start, next.span.start), words }
        }
        None => Vague { span: Span::new(around.span.start, next.span.start), words: String::new() },
    })
}
