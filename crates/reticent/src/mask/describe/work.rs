//! What kind of work a title names: the sentence says it before.

use reticent_text::{Layers, Pos, Span, Token};

/// Nouns for works, in the singular. What a sentence calls a list of titles, each of them is.
const WORKS: [&str; 34] = [
    "adaptation",
    "album",
    "biopic",
    "blockbuster",
    "book",
    "comedy",
    "documentary",
    "drama",
    "epic",
    "feature",
    "film",
    "franchise",
    "memoir",
    "miniseries",
    "movie",
    "musical",
    "novel",
    "opera",
    "picture",
    "play",
    "production",
    "programme",
    "remake",
    "revival",
    "romance",
    "sequel",
    "series",
    "show",
    "sitcom",
    "song",
    "thriller",
    "trilogy",
    "video",
    "western",
];

/// How many words before the title are looked at.
const REACH: usize = 60;

/// How far before a title the noun may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Anywhere in the sentence, up to a verb: something with a year in brackets is a work.
    Sentence,
    /// At the head of a list of names: what is named there may be anything else.
    List,
    /// Nowhere.
    Nothing,
}

/// The noun for a work that stands before the title in its sentence, in the singular, unless a verb stands between:
/// then it may be about something else. A noun in the singular speaks of the title behind it, and of no other: after `the
/// thriller Prisoners and` anything may come.
pub(super) fn kind_before(text: &str, layers: &Layers, title: Span, reach: Reach) -> Option<String> {
    if reach == Reach::Nothing {
        return None;
    }
    let after = layers.sentences.partition_point(|sentence| sentence.start <= title.start);
    let sentence = layers.sentences[..after].last()?;
    // `musical The Greatest Showman`: what is written small is not of the title.
    let is_small = |token: &Token| token.span.of(text).starts_with(char::is_lowercase);
    let end = layers.tokens.partition_point(|token| token.span.start < title.start);
    let small = layers.tokens[end..].iter().take_while(|token| is_small(token) && token.span.end < title.end);
    let end = end + small.count();
    let start = layers.tokens.partition_point(|token| token.span.start < sentence.start);
    for at in (start..end).rev().take(REACH) {
        let token = layers.tokens[at];
        let word = token.span.of(text);
        // `such as` goes on with a list, `as` alone does not.
        let such = (start..at).rev().take(2).any(|at| layers.tokens[at].span.of(text) == "such");
        let well = at > start + 1 && layers.tokens[at - 1].span.of(text) == "well"
            || layers.tokens.get(at + 1).is_some_and(|next| next.span.of(text) == "well");
        if word == "as" && !such && !well {
            return None;
        }
        // `roles such as`: what is listed is no work.
        let is_work = |at: usize| singular(layers.tokens[at].span.of(text)).is_some();
        let follows = |word: &str| layers.tokens.get(at + 1).is_some_and(|next| next.span.of(text) == word);
        if word == "such" && follows("as") && at > start && !is_work(at - 1) {
            return None;
        }
        let is_sign = |token: &Token| !token.span.of(text).contains(char::is_alphanumeric);
        // `his first album, The Return of Bruno`; but in `the Parents trilogy, Tropic Thunder` it is another's.
        let named = at > start && !is_small(&layers.tokens[at - 1]);
        let behind = || {
            let between = &layers.tokens[at + 1..end];
            between.iter().all(is_sign) && !(named && between.iter().any(|token| token.span.of(text) == ","))
        };
        if let Some(kind) = singular(word).filter(|kind| !word.ends_with(kind) || behind()) {
            // A soap opera is no opera.
            let soap = kind == "opera" && at > start && layers.tokens[at - 1].span.of(text) == "soap";
            return Some(if soap { format!("soap {kind}") } else { kind.to_owned() });
        }
        let verb = token.tag.pos() == Pos::Verb && word.starts_with(char::is_lowercase);
        let listed = !word.starts_with(char::is_lowercase)
            || singular(word).is_some()
            || ["and", "or", "such", "as", "including", "the", "a", "of", "like", "'s"].contains(&word);
        if (verb && !["including", "starring"].contains(&word)) || (reach == Reach::List && !listed) {
            return None;
        }
    }
    None
}

/// Whether a word is a noun for one work.
pub(crate) fn is_work(word: &str) -> bool {
    WORKS.contains(&word)
}

/// What kind of work a word names, in the singular; a `comedy-drama` is a drama.
pub(crate) fn singular(word: &str) -> Option<&'static str> {
    let word = word.rsplit('-').next().unwrap_or(word);
    let is = |kind: &&str| {
        word == *kind
            || word.strip_suffix('s') == Some(*kind)
            || kind.strip_suffix('y').is_some_and(|stem| word.strip_prefix(stem) == Some("ies"))
    };
    WORKS.iter().copied().find(|kind| is(kind))
}

#[cfg(test)]
mod tests {
    use reticent_text::{Analyzer, Document};

    use super::*;

    fn kind(text: &str, title: &str) -> Option<String> {
        let document = Document::plain("t", text);
        let layers = Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
        let start = text.find(title).unwrap();
        kind_before(text, &layers, Span::new(start, start + title.len()), Reach::Sentence)
    }

    #[test]
    fn the_sentence_says_what_a_title_names() {
        let text = "She is known for films such as Top Gun (1986), Cocktail (1988) and Rain Man.";
        assert_eq!(kind(text, "Top Gun").as_deref(), Some("film"));
        assert_eq!(kind(text, "Rain Man").as_deref(), Some("film"));
        assert_eq!(kind("He starred in the comedies Dumb and Dumber.", "Dumb").as_deref(), Some("comedy"));
    }

    #[test]
    fn one_noun_speaks_of_one_title() {
        let text =
            "He is known for the thriller Prisoners (2013), and the musical The Greatest Showman (2017).";
        assert_eq!(kind(text, "Prisoners").as_deref(), Some("thriller"));
        assert_eq!(kind(text, "musical The Greatest Showman").as_deref(), Some("musical"));
        assert_eq!(
            kind("Her role as the video game heroine Lara Croft in Tomb Raider (2001).", "Tomb"),
            None
        );
        assert_eq!(kind("He was in the Pirates series, and Paris in Troy (2004).", "Troy"), None);
        assert_eq!(
            kind("They saw films like the drama Cake and Troy (2004).", "Troy").as_deref(),
            Some("film")
        );
    }

    #[test]
    fn a_list_of_others_says_nothing_of_works() {
        let text = "He made films, as Xavier in the series and in roles such as Avery Bullock in Dad (2005).";
        assert_eq!(kind(text, "Dad"), None);
        assert_eq!(kind("Her films, as Ripley in Alien (1979).", "Alien"), None);
        let text = "She made films such as Alpha (1979), as well as Beta (1990).";
        assert_eq!(kind(text, "Beta").as_deref(), Some("film"));
        let text = "He was in such films as Alpha (1979) and Beta (1990).";
        assert_eq!(kind(text, "Beta").as_deref(), Some("film"));
        let text = "He is known for the romantic-comedy fantasy Kate (2001) and Beta (1990).";
        assert_eq!(kind(text, "Beta"), None);
        assert_eq!(singular("comedy-drama"), Some("drama"));
        let text = "She starred in the soap opera, Love of Life (1961).";
        assert_eq!(kind(text, "Love").as_deref(), Some("soap opera"));
    }

    #[test]
    fn says_nothing_where_nothing_is_said() {
        assert_eq!(kind("He starred in Top Gun (1986).", "Top Gun"), None);
        assert_eq!(kind("Her films failed. She wrote Emma.", "Emma"), None);
        assert_eq!(kind("The film failed and he founded Acme.", "Acme"), None);
    }
}
