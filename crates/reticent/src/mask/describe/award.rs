//! Awards that are called by a name alone: `a Golden Globe`, `three Primetime Emmys`.

use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Layers, Pos, Span, Token};

use super::near;
use crate::knowledge::can_be;

/// What one does with awards only, if a name follows.
const WON: [&str; 4] = ["won", "win", "wins", "winning"];

/// What one may do with others too, unless it is said for what.
const GIVEN: [&str; 6] = ["received", "receive", "earned", "earning", "receiving", "garnered"];

/// For what an award is given.
const FOR: [&str; 6] = ["his", "her", "their", "the", "Best", "Outstanding"];

/// Whether a stretch names awards, and if so, whether several.
pub(crate) fn named(text: &str, layers: &Layers, span: Span, taxonomy: &Stack) -> Option<Many> {
    let tokens = layers.tokens_in(span);
    let first = tokens.iter().position(|token| token.span.of(text).starts_with(char::is_uppercase))?;
    let name = &tokens[first..];
    let capital = |token: &Token| token.span.of(text).starts_with(char::is_uppercase);
    // `a host of the Tony Awards` is none.
    let counts =
        |token: &Token| matches!(token.tag.pos(), Pos::Number | Pos::Adjective | Pos::Determiner | Pos::Verb);
    if !name.iter().all(capital) || !tokens[..first].iter().all(counts) {
        return None;
    }
    let words = name[0].span.join(name[name.len() - 1].span).of(text);
    let at = layers.tokens.partition_point(|token| token.span.start < span.start);
    let number = first > 0 && tokens[0].tag.pos() == Pos::Number;
    let before = at.checked_sub(1).map(|at| layers.tokens[at]);
    let number = number || before.is_some_and(|token| token.tag.pos() == Pos::Number);
    let one = words.strip_suffix('s').filter(|one| !one.ends_with('s'));
    let forms = || one.into_iter().chain([words]);
    // Who gives awards may be called as they are, but is not counted: `AVN` and `the AVN Awards`.
    let article = before.map_or("", |token| token.span.of(text));
    let counted = number || first > 0 || ["a", "an"].contains(&article) || one.is_some();
    let known = forms().any(|form| {
        let last = form.rsplit(' ').next().unwrap_or(form);
        let given = || near(text, span).contains(&format!("{form} Award")) && !words.contains("Award");
        can_be(taxonomy, last, &["award"]) || counted && given()
    });
    let many = || if number || one.is_some_and(|_| known) { Many::Several } else { Many::One };
    (known || is_won(text, layers, at, span) || is_among(text, layers, span)).then(many)
}

/// One award, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    One,
    Several,
}

/// Whether the verb before says that someone got it: `won a`, `nominated for two`.
fn is_won(text: &str, layers: &Layers, at: usize, span: Span) -> bool {
    let word = |at: usize| layers.tokens.get(at).map_or("", |token| token.span.of(text));
    let mut verb = at;
    // Awards are counted; `won the Royal Rumble` may be anything.
    let counted = |at: usize| {
        ["a", "an", "both"].contains(&word(at))
            || layers.tokens.get(at).is_some_and(|token| token.tag.pos() == Pos::Number)
    };
    let inside = layers.tokens_in(span).first().is_some_and(|token| token.tag.pos() == Pos::Number);
    if let Some(before) = at.checked_sub(1).filter(|before| counted(*before)) {
        verb = before;
    } else if !inside && word(at) != "both" {
        return false;
    }
    let Some(verb) = verb.checked_sub(1) else { return false };
    let next = layers.tokens.partition_point(|token| token.span.start < span.end);
    let told = word(next) == "for" && FOR.contains(&word(next + 1));
    let nominated = word(verb) == "for" && verb > 0 && ["nominated", "nominations"].contains(&word(verb - 1));
    nominated || WON.contains(&word(verb)) || told && GIVEN.contains(&word(verb))
}

/// Whether awards follow in the same list: `a Golden Globe, two Emmy Awards and`.
fn is_among(text: &str, layers: &Layers, span: Span) -> bool {
    let next = layers.tokens.partition_point(|token| token.span.start < span.end);
    let rest = layers.tokens[next..].iter().take(FAR);
    let mut words = rest.map(|token| (token.span.of(text), token.tag.pos()));
    if !words.next().is_some_and(|(word, _)| [",", "and"].contains(&word)) {
        return false;
    }
    let in_list = |(word, pos): &(&str, Pos)| {
        word.starts_with(char::is_uppercase)
            || [",", "and", "a", "an", "'s", "’s"].contains(word)
            || *pos == Pos::Number
    };
    words.take_while(in_list).any(|(word, _)| ["Award", "Awards"].contains(&word))
}

/// How many words behind a name its list may go on.
const FAR: usize = 8;

#[cfg(test)]
mod tests {
    use reticent_text::{Analyzer, Document};

    use super::*;

    fn award(text: &str, name: &str) -> Option<Many> {
        let document = Document::plain("t", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
        let start = text.find(name).unwrap();
        let taxonomy = crate::Knowledge::shipped().unwrap();
        named(text, &layers, Span::new(start, start + name.len()), taxonomy.taxonomy())
    }

    #[test]
    fn finds_awards() {
        assert_eq!(award("She has an Emmy.", "Emmy"), Some(Many::One));
        assert_eq!(award("He has three Primetime Emmys.", "three Primetime Emmys"), Some(Many::Several));
        assert_eq!(
            award("Her Golden Globe Award and two Golden Globes.", "Golden Globes"),
            Some(Many::Several)
        );
        assert_eq!(award("She received a Silver Lark for the role.", "Silver Lark"), Some(Many::One));
        assert_eq!(award("He was nominated for two Silver Larks.", "two Silver Larks"), Some(Many::Several));
        assert_eq!(award("She won a Silver Lark in May.", "Silver Lark"), Some(Many::One));
        assert_eq!(award("She has a Silver Lark, two Emmy Awards and more.", "Silver Lark"), Some(Many::One));
    }

    #[test]
    fn leaves_other_names_alone() {
        assert_eq!(award("He won the Royal Rumble.", "Royal Rumble"), None);
        assert_eq!(award("She received a Ford from him.", "Ford"), None);
        assert_eq!(award("He was nominated for Bear Creek.", "Bear Creek"), None);
        assert_eq!(award("She met a Silver Lark in May.", "Silver Lark"), None);
        assert_eq!(award("He won a small sum.", "small sum"), None);
        assert_eq!(award("He played Silver Lark, and he has two Emmy Awards.", "Silver Lark"), None);
        assert_eq!(award("The guild (SLG) gives Silver SLG Awards and SLG Awards.", "SLG"), None);
        assert_eq!(award("He is a host of the Emmys.", "host of the Emmys"), None);
    }
}
