//! Articles and number.

use crate::mask::grammar::starts_with_vowel_sound;

/// How a description must look to stand where the words stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// Whether one thing is meant that needs an article: a name stood there without one.
    pub(super) article: bool,
    /// Whether several are meant.
    pub(super) plural: bool,
    /// How many there were said to be, if a number stood before.
    pub(super) many: Option<Many>,
}

/// A number that is no longer told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Many {
    Two,
    More,
}

impl Form {
    /// A description with what it needs before it. Names of places need nothing.
    pub(super) fn fit(self, said: &str) -> String {
        let name = said.starts_with(char::is_uppercase) || said.starts_with("the ");
        match self.many {
            _ if name => said.to_owned(),
            Some(Many::Two) if self.plural => format!("some {said}"),
            Some(Many::More) if self.plural => format!("several {said}"),
            _ if self.article && !self.plural => {
                format!("{} {said}", if starts_with_vowel_sound(said) { "an" } else { "a" })
            }
            _ => said.to_owned(),
        }
    }

    /// A noun in the singular, in the number that is needed.
    pub(super) fn number(self, noun: &str) -> String {
        if self.plural { plural(noun) } else { noun.to_owned() }
    }
}

/// What is not counted and needs no article.
const MASSES: [&str; 14] = [
    "behavior",
    "blood",
    "care",
    "energy",
    "equipment",
    "food",
    "health",
    "information",
    "medicine",
    "music",
    "sex",
    "tissue",
    "treatment",
    "water",
];

/// Whether a noun is said without an article: `ill health`.
pub(super) fn is_mass(noun: &str) -> bool {
    noun.rsplit(' ').next().is_some_and(|last| MASSES.contains(&last))
}

/// The plural of an English noun, by the common rules.
pub(crate) fn plural(noun: &str) -> String {
    for (one, many) in [("man", "men"), ("person", "people"), ("child", "children")] {
        if let Some(stem) = noun.strip_suffix(one) {
            return format!("{stem}{many}");
        }
    }
    if noun.ends_with("series") {
        return noun.to_owned();
    }
    let vowel_before_y = ["ay", "ey", "oy", "uy"].iter().any(|end| noun.ends_with(end));
    if noun.ends_with('y') && !vowel_before_y {
        return format!("{}ies", &noun[..noun.len() - 1]);
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    format!("{noun}{}", if hisses { "es" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_stood_alone_get_an_article() {
        let form = Form { article: true, plural: false, many: None };
        assert_eq!(form.fit("city"), "a city");
        assert_eq!(form.fit("award"), "an award");
    }

    #[test]
    fn masses_are_not_counted() {
        assert!(is_mass("ill health") && is_mass("blood"));
        assert!(!is_mass("condition") && !is_mass("blood vessel"));
    }

    #[test]
    fn places_and_what_has_an_article_get_none() {
        let form = Form { article: true, plural: false, many: None };
        assert_eq!(form.fit("France"), "France");
        assert_eq!(form.fit("the United States"), "the United States");
        assert_eq!(Form { article: false, ..form }.fit("city"), "city");
    }

    #[test]
    fn several_are_several() {
        let form = Form { article: true, plural: true, many: Some(Many::More) };
        assert_eq!(form.fit("films"), "several films");
        assert_eq!(form.number("city"), "cities");
        assert_eq!(form.number("church"), "churches");
        assert_eq!(form.number("woman"), "women");
        assert_eq!(form.number("play"), "plays");
    }
}
