//! Words beside a replacement that belonged to what is gone: `over sixty films` are `several films`, not `over several
//! films`, and who was born in San Diego, California, was born in North America once.

use reticent_text::{Document, Edit, Layers, Pos, Span, Token};

use super::Decision;
use crate::mask::date::names::capitalized;
use crate::mask::grammar::starts_with_vowel_sound;

/// Words for a number that is not exact, which say nothing once the number is gone.
const ABOUT: [&str; 9] = [
    "more than ",
    "at least ",
    "up to ",
    "approximately ",
    "almost ",
    "nearly ",
    "around ",
    "about ",
    "over ",
];

/// Words after which a number is left out rather than said vaguely: no `the several films`.
const DETERMINERS: [&str; 9] = ["the", "these", "those", "his", "her", "its", "their", "my", "our"];

/// Words that say how much of an adverb is meant.
const DEGREES: [&str; 3] = ["most", "more", "very"];

/// What is said instead of a number.
const VAGUE: [&str; 2] = ["several ", "some "];

/// What may stand between two places of which one is in the other, or which are in the same region.
const BETWEEN: [&str; 3] = [", ", " and ", ", and "];

/// Makes what stands beside English replacements fit them.
pub(super) fn fit(document: &Document, decisions: &mut [Decision]) {
    let Some(layers) = document.layers() else { return };
    let text = document.text();
    let mut edits: Vec<&mut Edit> =
        decisions.iter_mut().flat_map(|decision| decision.edits.iter_mut().flatten()).collect();
    edits.sort_by_key(|edit| edit.span);
    for at in 0..edits.len() {
        let (before, rest) = edits.split_at_mut(at);
        let edit = &mut *rest[0];
        let free = before.last().map_or(0, |edit| edit.span.end);
        if edit.span.start < free || edit.replacement.is_empty() {
            continue;
        }
        drop_about(text, free, edit);
        drop_adverb(text, layers, free, edit);
        drop_number(text, edit);
        both_from(text, edit);
        of_decade(text, edit);
        one_of_several(text, layers, free, edit);
        say_kind_once(text, free, edit);
        if let Some(last) = before.iter_mut().rev().find(|edit| !edit.replacement.is_empty()) {
            say_place_once(text, free, last, edit);
            born_in(text, last, edit);
            of_one_only(text, last, edit);
        }
    }
}

/// `more than fifty films`, said as `several films`.
fn drop_about(text: &str, free: usize, edit: &mut Edit) {
    if !VAGUE.iter().any(|vague| edit.replacement.starts_with(vague)) {
        return;
    }
    let before = &text[free..edit.span.start];
    let about = ABOUT.iter().find(|about| {
        let start = before.len().checked_sub(about.len());
        start.is_some_and(|start| {
            before.is_char_boundary(start)
                && before[start..].eq_ignore_ascii_case(about)
                && !before[..start].ends_with(char::is_alphanumeric)
        })
    });
    if let Some(about) = about {
        widen(text, edit, edit.span.start - about.len());
    }
}

/// `critically acclaimed films`, said as `films`: an adverb goes with its adjective.
fn drop_adverb(text: &str, layers: &Layers, free: usize, edit: &mut Edit) {
    let at = layers.tokens.partition_point(|token| token.span.start < edit.span.start);
    let Some(first) = layers.tokens.get(at) else { return };
    let Some(adverb) = at.checked_sub(1).map(|at| layers.tokens[at]) else { return };
    let described = first.tag.pos() == Pos::Adjective || matches!(first.tag.name(), "VBN" | "VBG" | "VBD");
    let gone = !edit.replacement.starts_with(first.span.of(text)) && !edit.replacement.starts_with('[');
    let beside = text[..edit.span.start].strip_suffix(' ').is_some_and(|text| text.len() == adverb.span.end);
    let word = adverb.span.of(text);
    let is_adverb = adverb.tag.pos() == Pos::Adverb && (word.ends_with("ly") || DEGREES.contains(&word));
    if !(is_adverb && described && gone && beside && adverb.span.start >= free) {
        return;
    }
    let mut start = adverb.span.start;
    if let Some(degree) = last_word(&text[free..start]).filter(|word| DEGREES.contains(word)) {
        start -= degree.len() + 1;
    }
    widen(text, edit, start);
    if let Some(bare) = ["a ", "an "].iter().find_map(|article| edit.replacement.strip_prefix(article))
        && is_determined(text, edit)
    {
        edit.replacement = bare.to_owned();
    }
}

/// `one of the 100 people`, said as `one of the people`.
fn drop_number(text: &str, edit: &mut Edit) {
    if let Some(rest) = VAGUE.iter().find_map(|vague| edit.replacement.strip_prefix(vague))
        && is_determined(text, edit)
    {
        edit.replacement = rest.to_owned();
    }
}

/// `born Julie Smith; December 3, 1960`, said as `born [PERSON 2] in the 1960s`.
fn born_in(text: &str, last: &Edit, edit: &mut Edit) {
    let between = text.get(last.span.end..edit.span.start);
    let born = text[..last.span.start].ends_with("born ") && last.replacement.starts_with("[PERSON");
    if born && edit.replacement.starts_with("the ") && between.is_some_and(|it| ["; ", ", "].contains(&it)) {
        *edit = Edit {
            span: Span::new(last.span.end, edit.span.end),
            replacement: format!(" in {}", edit.replacement),
        };
    }
}

/// `(both 2000)`, said as `(both from the 2000s)`.
fn both_from(text: &str, edit: &mut Edit) {
    let before = &text[..edit.span.start];
    let shared = ["(both ", "(all "].iter().any(|both| before.ends_with(both));
    if shared && edit.replacement.starts_with("the ") && edit.replacement.ends_with("0s") {
        edit.replacement.insert_str(0, "from ");
    }
}

/// `1904's music`, said as `1900s music`.
fn of_decade(text: &str, edit: &mut Edit) {
    let said = edit.replacement.strip_prefix("in ").unwrap_or(&edit.replacement);
    let decade = said.strip_prefix("the ").unwrap_or(said);
    let is_decade = decade.len() == 5 && decade.ends_with("0s");
    let sign = ["'s ", "’s "].into_iter().find(|sign| text[edit.span.end..].starts_with(sign));
    if let Some(sign) = sign.filter(|_| is_decade) {
        let end = edit.span.end + sign.len() - 1;
        *edit = Edit { span: Span::new(edit.span.start, end), replacement: decade.to_owned() };
    }
}

/// `San Diego, California`, said as one region.
fn say_place_once(text: &str, free: usize, last: &Edit, edit: &mut Edit) {
    let between = text.get(last.span.end..edit.span.start);
    let is_place = edit.replacement.starts_with(char::is_uppercase);
    if free == last.span.end
        && is_place
        && last.replacement == edit.replacement
        && between.is_some_and(|between| BETWEEN.contains(&between))
    {
        *edit = Edit { span: Span::new(last.span.end, edit.span.end), replacement: String::new() };
    }
}

/// `a German mother and American father`, said as `a mother and father`: what is told of the first alone would be read of
/// both.
fn of_one_only(text: &str, last: &mut Edit, edit: &Edit) {
    let joined =
        text.get(last.span.end..edit.span.start).is_some_and(|between| [" and ", " or "].contains(&between));
    let described = |edit: &Edit| {
        let words = edit.span.of(text);
        let words = ["a ", "an "].iter().find_map(|article| words.strip_prefix(article)).unwrap_or(words);
        words.starts_with(char::is_uppercase) && words.contains(' ')
    };
    let small = |words: &str| !words.contains(|c: char| c.is_uppercase() || c == '[');
    let articled = ["a ", "an "].iter().find_map(|article| last.replacement.strip_prefix(article));
    let said = articled.unwrap_or(&last.replacement);
    let Some(at) = said.rfind(' ') else { return };
    let (people, noun) = (&said[..at], &said[at + 1..]);
    let told = people.starts_with(char::is_uppercase) && small(noun);
    if joined && described(last) && described(edit) && told && small(&edit.replacement) {
        let article = if starts_with_vowel_sound(noun) { "an " } else { "a " };
        last.replacement = format!("{}{noun}", articled.map_or("", |_| article));
    }
}

/// `the world's highest-paid actor`, said as `an actor`: there is not only one.
fn one_of_several(text: &str, layers: &Layers, free: usize, edit: &mut Edit) {
    let said = &edit.replacement;
    let tokens = layers.tokens_in(edit.span);
    let noun = tokens.iter().rfind(|token| matches!(token.tag.name(), "NN" | "NNP" | "NNS" | "NNPS"));
    // What it is stands before a preposition: `the highest-paid actor of 2016`.
    let joint = tokens.iter().position(|token| token.tag.pos() == Pos::Preposition).unwrap_or(tokens.len());
    let head = tokens[..joint].iter().rfind(|token| token.tag.pos() == Pos::Noun).or(noun);
    let one = head.is_some_and(|head| matches!(head.tag.name(), "NN" | "NNP"));
    let plain = !said.is_empty() && said.chars().all(|c| c.is_lowercase() || c == ' ');
    let articled =
        ["a ", "an ", "some ", "several ", "such "].iter().any(|article| said.starts_with(article));
    let most = |token: &Token| {
        let word = token.span.of(text);
        let most = matches!(token.tag.name(), "JJS" | "RBS")
            || word.split_once('-').is_some_and(|(first, _)| first.ends_with("est"))
            || ORDINALS.contains(&word);
        most && !said.split(' ').any(|said| said == word)
    };
    let before = &text[free..edit.span.start];
    let the = ["the world's ", "the world’s ", "the ", "The "]
        .into_iter()
        .find(|the| before.strip_suffix(the).is_some_and(|before| !before.ends_with(char::is_alphanumeric)));
    if let Some(the) = the.filter(|_| one && plain && !articled && tokens.iter().any(most)) {
        let article = if starts_with_vowel_sound(said) { "an" } else { "a" };
        edit.replacement = format!("{article} {said}");
        widen(text, edit, edit.span.start - the.len());
    }
}

/// Words for the one of several that is meant.
const ORDINALS: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "last", "only"];

/// `comedies and romantic comedies`, said as `comedies`.
fn say_kind_once(text: &str, free: usize, edit: &mut Edit) {
    let before = &text[free..edit.span.start];
    let said = edit.replacement.as_str();
    let Some(kind) = before.strip_suffix(" and ").filter(|before| before.ends_with(said)) else { return };
    let whole = !kind[..kind.len() - said.len()].ends_with(char::is_alphanumeric);
    if whole && said.chars().all(char::is_lowercase) && said.ends_with('s') {
        *edit = Edit { span: Span::new(free + kind.len(), edit.span.end), replacement: String::new() };
    }
}

/// Whether an article or the like stands right before, perhaps with a word that tells which: `her following`.
fn is_determined(text: &str, edit: &Edit) -> bool {
    let before = &text[..edit.span.start];
    let which = last_word(before).filter(|word| ["following", "next", "last", "other"].contains(word));
    let before = which.map_or(before, |which| &before[..before.len() - which.len() - 1]);
    last_word(before).is_some_and(|word| DETERMINERS.contains(&word.to_lowercase().as_str()))
}

fn widen(text: &str, edit: &mut Edit, start: usize) {
    if text[start..].starts_with(char::is_uppercase) {
        edit.replacement = capitalized(&edit.replacement);
    }
    edit.span = Span::new(start, edit.span.end);
}

/// The word right before, with one blank between.
fn last_word(before: &str) -> Option<&str> {
    let before = before.strip_suffix(' ')?;
    let start = before.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| at + 1);
    before.get(start..)
}

#[cfg(test)]
mod tests {
    use reticent_text::{Analyzer, Language};

    use super::*;

    /// Replaces words and makes what stands beside them fit.
    fn told(text: &str, said: &[(&str, &str)]) -> String {
        let document = Document::plain("d", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, Some(Language::English)).unwrap();
        let mut done: Vec<Edit> = Vec::new();
        for (words, said) in said {
            let free = done.last().map_or(0, |edit| edit.span.end);
            let start = free + text[free..].find(words).unwrap();
            let span = Span::new(start, start + words.len());
            let mut edit = Edit { span, replacement: (*said).to_owned() };
            drop_about(text, free, &mut edit);
            drop_adverb(text, &layers, free, &mut edit);
            drop_number(text, &mut edit);
            both_from(text, &mut edit);
            of_decade(text, &mut edit);
            one_of_several(text, &layers, free, &mut edit);
            say_kind_once(text, free, &mut edit);
            if let Some(last) = done.last_mut() {
                say_place_once(text, free, last, &mut edit);
                born_in(text, last, &mut edit);
                of_one_only(text, last, &edit);
            }
            done.push(edit);
        }
        let (mut out, mut from) = (String::new(), 0);
        for edit in &done {
            out.push_str(&text[from..edit.span.start]);
            out.push_str(&edit.replacement);
            from = edit.span.end;
        }
        out + &text[from..]
    }

    #[test]
    fn what_said_a_number_was_not_exact_goes_with_it() {
        let films = [("sixty films", "several films")];
        assert_eq!(told("He was in over sixty films.", &films), "He was in several films.");
        assert_eq!(told("More than sixty films made him rich.", &films), "Several films made him rich.");
        assert_eq!(told("He made moreover sixty films.", &films), "He made moreover several films.");
        assert_eq!(told("He was over the films.", &[("films", "works")]), "He was over the works.");
    }

    #[test]
    fn an_adverb_goes_with_its_adjective() {
        let text = "She starred in the critically acclaimed films of that year.";
        assert_eq!(told(text, &[("acclaimed films", "films")]), "She starred in the films of that year.");
        let text = "It is the most advanced stage of it.";
        assert_eq!(told(text, &[("advanced stage", "stage")]), "It is a stage of it.");
        let text = "Her most critically acclaimed roles were small.";
        assert_eq!(told(text, &[("acclaimed roles", "roles")]), "Her roles were small.");
        let text = "She starred in the critically acclaimed film Alpha that year.";
        assert_eq!(told(text, &[("acclaimed film Alpha", "a film")]), "She starred in the film that year.");
    }

    #[test]
    fn other_adverbs_stay() {
        let text = "She quickly made films.";
        assert_eq!(told(text, &[("films", "works")]), "She quickly made works.");
        let text = "She has a critically acclaimed film.";
        assert_eq!(told(text, &[("acclaimed film", "[DETAIL]")]), "She has a critically [DETAIL].");
        assert_eq!(
            told(text, &[("acclaimed film", "acclaimed work")]),
            "She has a critically acclaimed work."
        );
    }

    #[test]
    fn a_number_after_an_article_is_left_out() {
        let text = "one of the 100 people of the year";
        assert_eq!(told(text, &[("100 people", "several people")]), "one of the people of the year");
        let text = "one of 100 people of the year";
        assert_eq!(told(text, &[("100 people", "several people")]), "one of several people of the year");
    }

    #[test]
    fn what_is_of_a_year_is_of_its_decade() {
        let decade = [("1904", "in the 1900s")];
        assert_eq!(told("He liked 1904's music.", &decade), "He liked 1900s music.");
        assert_eq!(told("the 1904's music", &[("1904", "1900s")]), "the 1900s music");
        assert_eq!(told("He liked it in 1904.", &[("1904", "the 1900s")]), "He liked it in the 1900s.");
        assert_eq!(told("Ann's film.", &[("Ann", "the actor")]), "the actor's film.");
    }

    #[test]
    fn a_year_of_several_works_is_when_they_are_from() {
        let decade = [("2000", "the 2000s")];
        assert_eq!(told("Alpha and Beta (both 2000).", &decade), "Alpha and Beta (both from the 2000s).");
        assert_eq!(told("Alpha (both in 2000).", &decade), "Alpha (both in the 2000s).");
        assert_eq!(told("Alpha (both 2000).", &[("2000", "[DETAIL]")]), "Alpha (both [DETAIL]).");
    }

    #[test]
    fn someone_is_born_in_a_decade() {
        let said = [("Julie Smith", "[PERSON 2]"), ("May 3, 1960", "the 1960s")];
        assert_eq!(told("(born Julie Smith; May 3, 1960)", &said), "(born [PERSON 2] in the 1960s)");
        let other = told("(met Julie Smith; May 3, 1960)", &said);
        assert_eq!(other, "(met [PERSON 2]; the 1960s)");
    }

    #[test]
    fn what_was_the_most_is_one_of_many() {
        let text = "He was the world's highest-paid actor of 2016.";
        assert_eq!(told(text, &[("highest-paid actor of 2016", "actor")]), "He was an actor.");
        let text = "She was named the most beautiful woman there.";
        assert_eq!(told(text, &[("most beautiful woman", "woman")]), "She was named a woman there.");
        let text = "She is one of the greatest actresses there.";
        assert_eq!(told(text, &[("greatest actresses", "actresses")]), "She is one of the actresses there.");
        let text = "The earliest operation failed.";
        assert_eq!(told(text, &[("earliest operation", "operation")]), "An operation failed.");
        let text = "It is the most advanced stage of it.";
        let kept = told(text, &[("advanced stage", "advanced phase")]);
        assert_eq!(kept, "It is the most advanced phase of it.");
        assert_eq!(told("The first signs are rare.", &[("first signs", "signs")]), "The signs are rare.");
        let text = "He left the tall actor there.";
        assert_eq!(told(text, &[("tall actor", "actor")]), "He left the actor there.");
        let text = "He is the greatest wrestler there.";
        assert_eq!(told(text, &[("greatest wrestler", "[DETAIL]")]), "He is the [DETAIL] there.");
    }

    #[test]
    fn a_kind_is_said_once() {
        let text = "a number of comedies and romantic comedies of hers";
        assert_eq!(told(text, &[("romantic comedies", "comedies")]), "a number of comedies of hers");
        let text = "a number of tragicomedies and romantic comedies of hers";
        assert_eq!(
            told(text, &[("romantic comedies", "comedies")]),
            "a number of tragicomedies and comedies of hers"
        );
        let text = "a number of plays and romantic comedies of hers";
        assert_eq!(
            told(text, &[("romantic comedies", "comedies")]),
            "a number of plays and comedies of hers"
        );
        let text = "Her following two projects failed.";
        assert_eq!(told(text, &[("two projects", "some works")]), "Her following works failed.");
    }

    #[test]
    fn what_is_told_of_one_is_not_told_of_two() {
        let said = [("German mother", "European mother"), ("American father", "father")];
        assert_eq!(told("born to a German mother and American father", &said), "born to a mother and father");
        let said = [("a Thai aunt", "an Asian aunt"), ("Greek uncle", "uncle")];
        assert_eq!(told("with a Thai aunt and Greek uncle", &said), "with an aunt and uncle");
        let both = [("German mother", "European mother"), ("American father", "North American father")];
        let text = "born to a German mother and American father";
        assert_eq!(told(text, &both), "born to a European mother and North American father");
        let text = "born to a German mother and tall father";
        let said = [("German mother", "European mother"), ("tall father", "father")];
        assert_eq!(told(text, &said), "born to a European mother and father");
    }

    #[test]
    fn a_region_is_said_once() {
        let text = "Born in San Diego, California, she lives in Ohio.";
        let said =
            [("San Diego", "North America"), ("California", "North America"), ("Ohio", "North America")];
        assert_eq!(told(text, &said), "Born in North America, she lives in North America.");
        let text = "Born in Paris, Texas.";
        let said = [("Paris", "Europe"), ("Texas", "North America")];
        assert_eq!(told(text, &said), "Born in Europe, North America.");
    }
}
