//! Titles that a sentence seems to cut into pieces: `Dumb and Dumber (1994)`, `Niagara, Niagara (1997)`.
//!
//! A piece by itself would be taken for something else, such as a place. Where it is not sure that two pieces are one title,
//! they may be taken for one all the same: then what is said of the last is true, and of the others nothing is said.

use std::collections::HashSet;
use std::ops::Range;

use reticent_text::{Layers, Span};

use crate::mask::describe::{is_work, work_of};

/// Words and signs that titles have between names; at most [`LONGEST`] of them stand together.
const JOINTS: [&str; 17] =
    ["and", "&", "or", ",", "in", "on", "to", "from", "at", "for", "with", "by", "the", "a", "of", "'", "’"];
const LONGEST: usize = 3;

/// What a piece of a title would be if it were none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The name of a person, which no title takes in.
    Person,
    /// The name of a place or an organization.
    Place,
    /// Anything else.
    Other,
}

/// Whether a year behind it is that of several titles: `Cherish and August (both 2002)`.
pub(super) fn shares_year(text: &str, layers: &Layers, name: Span) -> bool {
    let at = layers.tokens.partition_point(|token| token.span.start < name.end);
    let words = layers.tokens[at..].iter().map(|token| token.span.of(text));
    let mut rest =
        words.take(FAR).skip_while(|word| word.starts_with(char::is_uppercase) || BESIDE.contains(word));
    let opens = rest.next() == Some("(") && rest.next().is_some_and(|word| ["both", "all"].contains(&word));
    let mut rest = rest.skip_while(|word| *word == "in");
    opens && rest.next().is_some_and(is_year)
}

pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// What stands in titles and between those of a list.
const BESIDE: [&str; 10] = [",", "and", "or", "of", "the", "a", "'s", "’s", "!", "?"];

/// How many words of other titles may stand between a title and its year.
const FAR: usize = 16;

/// The words of a sentence, and which of them are covered as names or numbers.
pub(super) struct Sentence<'a> {
    pub(super) words: Vec<&'a str>,
    pub(super) covered: Vec<bool>,
}

impl Sentence<'_> {
    /// The stretches that lie between pieces of one title. `what` says what a piece would be by itself.
    pub(super) fn joints(&self, what: impl Fn(Range<usize>) -> Piece) -> Vec<Range<usize>> {
        let mut joints = Vec::new();
        for bracket in 1..self.words.len() {
            if let Some(close) = self.year(bracket) {
                joints.extend(self.before_year(bracket, close, &what));
            }
        }
        joints.extend(self.behind_kind(&what));
        joints.extend(self.by_preposition(&what));
        joints.sort_by_key(|joint| joint.start);
        joints.dedup();
        joints
    }

    /// Stretches with the same words around them as others that lie between pieces of one title.
    pub(super) fn again(&self, known: &HashSet<[String; 3]>) -> Vec<Range<usize>> {
        let joints =
            (1..self.words.len()).flat_map(|from| (from + 1..=from + LONGEST).map(move |to| from..to));
        joints
            .filter(|joint| joint.end < self.words.len() && JOINTS.contains(&self.word(joint.start)))
            .filter(|joint| known.contains(&self.around(joint)))
            .collect()
    }

    /// A stretch with the word before and the one after it.
    pub(super) fn around(&self, joint: &Range<usize>) -> [String; 3] {
        [
            self.word(joint.start - 1).to_owned(),
            self.words[joint.clone()].join(" "),
            self.word(joint.end).to_owned(),
        ]
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn is_name(&self, at: usize) -> bool {
        self.covered.get(at) == Some(&true) && self.word(at).starts_with(char::is_uppercase)
    }

    /// Whether a year in brackets stands here, perhaps that of several: where the bracket closes.
    fn year(&self, at: usize) -> Option<usize> {
        let several = usize::from(["both", "all"].contains(&self.word(at + 1)));
        let year = self.word(at + 1 + several);
        let digits = year.len() >= 4 && year.as_bytes()[..4].iter().all(u8::is_ascii_digit);
        let close = at + 2 + several;
        (self.word(at) == "(" && digits && self.word(close) == ")").then_some(close)
    }

    /// Where what is covered up to here begins.
    fn start(&self, end: usize) -> usize {
        (0..end).rev().take_while(|at| self.covered[*at]).last().unwrap_or(end)
    }

    /// From the last piece to the first.
    fn before_year(
        &self,
        bracket: usize,
        close: usize,
        what: &impl Fn(Range<usize>) -> Piece,
    ) -> Vec<Range<usize>> {
        let mut joints = Vec::new();
        let mut start = self.start(bracket);
        // `Alpha (1994), Beta (1995)`, `Alpha (1994) and Beta`.
        let next = close + 1;
        // Of several that share a year, nothing tells where one ends.
        let several = close > bracket + 2;
        let is_covered = |at: usize| self.covered.get(at) == Some(&true);
        let more = |at: usize| is_covered(at) || ["the", "a"].contains(&self.word(at)) && is_covered(at + 1);
        let goes_on = match self.word(next) {
            "," if self.word(next + 1) == "and" => more(next + 2),
            "," | "and" => more(next + 1),
            _ => false,
        };
        let clause_follows = self.word(next).starts_with(char::is_lowercase);
        while start < bracket && start > 0 {
            let joint = (0..start).rev().take(LONGEST).take_while(|at| JOINTS.contains(&self.word(*at)));
            let Some(from) = joint.last().filter(|from| *from > 0 && self.is_name(*from - 1)) else { break };
            let piece = self.start(from)..from;
            let kind = what(piece.clone());
            let before = piece.start.checked_sub(1).map_or("", |at| self.word(at));
            let has = |words: &[&str]| self.words[from..start].iter().any(|word| words.contains(word));
            let one = if has(&["'", "’"]) {
                // `Lookin' to Get Out`: nobody owns what a preposition begins.
                true
            } else if kind == Piece::Person {
                false
            } else if has(&["and", "&", "or"]) {
                // The last two of a list need an `and`; what goes on has its own.
                goes_on && kind == Piece::Other && !several
            } else if has(&[","]) {
                let last = ["and", "or"].contains(&before);
                let told_of_place = kind == Piece::Place && clause_follows;
                (!goes_on || last) && !told_of_place && !several
            } else {
                let in_list =
                    [",", "and"].contains(&before) && self.word(piece.start.saturating_sub(2)) == ")";
                let free = before == "in" || before == "for" && has(&["to", "from"]);
                kind == Piece::Other && (free || in_list || self.kind_in(piece.clone()))
            };
            if !one {
                break;
            }
            joints.push(from..start);
            start = piece.start;
        }
        joints
    }

    /// Whether a noun in the singular says that one work is meant: `film The Hitchhiker's Guide`.
    fn kind_in(&self, piece: Range<usize>) -> bool {
        self.noun_in(piece, is_work)
    }

    /// Whether a noun says that works are meant, one or several: `the films Gorillas in the Mist`.
    fn works_in(&self, piece: Range<usize>) -> bool {
        self.noun_in(piece, |word| work_of(word).is_some())
    }

    /// Whether such a noun stands before a word with a capital.
    fn noun_in(&self, mut piece: Range<usize>, is_kind: impl Fn(&str) -> bool) -> bool {
        let begins = |at: usize| self.word(at).starts_with(char::is_uppercase);
        piece.any(|at| begins(at) && at.checked_sub(1).is_some_and(|noun| is_kind(self.word(noun))))
    }

    /// `the musical How to Succeed in Business`, `The Boy from Oz`: a preposition between what a noun or its article says to be
    /// titles.
    fn by_preposition(&self, what: &impl Fn(Range<usize>) -> Piece) -> Vec<Range<usize>> {
        let mut joints: Vec<Range<usize>> = Vec::new();
        for at in 1..self.words.len() {
            let next = at + 1 + usize::from(["the", "a"].contains(&self.word(at + 1)));
            let word = self.word(at);
            if !["in", "to", "from", "at"].contains(&word) || !self.is_name(at - 1) || !self.is_name(next) {
                continue;
            }
            // What a title has taken in already is a part of it.
            let start = match joints.last() {
                Some(last) if self.start(at) == last.end => self.start(last.start),
                _ => self.start(at),
            };
            let end = (next..self.words.len()).take_while(|at| self.covered[*at]).last().unwrap_or(next) + 1;
            let article = ["The", "A"].contains(&self.word(start)) && start > 0;
            let titled = self.works_in(start..at) || article && ["from", "to"].contains(&word);
            let years = self.words[next..end].iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
            let free = |piece: Range<usize>| what(piece) == Piece::Other;
            if titled && !years && free(self.start(at)..at) && free(next..end) {
                joints.push(at..next);
            }
        }
        joints
    }

    /// `the film Beauty and the Beast`, `The Fast and the Furious franchise`.
    fn behind_kind(&self, what: &impl Fn(Range<usize>) -> Piece) -> Vec<Range<usize>> {
        let mut joints = Vec::new();
        for and in 1..self.words.len() {
            let next = and + 1 + usize::from(["the", "a"].contains(&self.word(and + 1)));
            if self.word(and) != "and" || !self.is_name(and - 1) || !self.is_name(next) {
                continue;
            }
            let before = self.start(and)..and;
            let end = (next..self.words.len()).take_while(|at| self.covered[*at]).last().unwrap_or(next) + 1;
            let all_names = self.words[next..end].iter().all(|word| word.starts_with(char::is_uppercase));
            let closes = !self.word(end).contains(char::is_alphanumeric) && self.word(end) != "(";
            let ends_in_kind = is_work(self.word(end - 1)) && ["The", "A"].contains(&self.word(before.start));
            let one = self.kind_in(before.clone()) && all_names && closes || ends_in_kind;
            if one && what(before) == Piece::Other && what(next..end) == Piece::Other {
                joints.push(and..next);
            }
        }
        joints
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words in `_`, or of which the first letter is a capital, are covered; returns what lies between pieces.
    fn joints(text: &str, people: &[&str], places: &[&str]) -> Vec<String> {
        let words: Vec<&str> = text.split(' ').map(|word| word.trim_matches('_')).collect();
        let covered = text.split(' ').map(|word| word.starts_with(|c: char| c.is_uppercase() || c == '_'));
        let sentence = Sentence { covered: covered.collect(), words };
        let what = |piece: Range<usize>| match sentence.words[piece].join(" ").as_str() {
            name if people.contains(&name) => Piece::Person,
            name if places.contains(&name) => Piece::Place,
            _ => Piece::Other,
        };
        sentence.joints(what).into_iter().map(|joint| sentence.words[joint].join(" ")).collect()
    }

    #[test]
    fn an_and_inside_of_a_list_belongs_to_a_title() {
        let text = "he was in Alpha ( 1994 ) , Dumb and Dumber ( 1994 ) , and Beta ( 1995 ) .";
        assert_eq!(joints(text, &[], &[]), ["and"]);
        assert_eq!(joints("with Blood and Honey ( 2011 ) and Beta ( 2014 ) .", &[], &[]), ["and"]);
        let last = "he was in Alpha ( 1994 ) , Supernova and Beta ( 2000 ) .";
        assert!(joints(last, &[], &[]).is_empty());
        assert!(joints("with Ann and Honey ( 2011 ) and Beta ( 2014 ) .", &["Ann"], &[]).is_empty());
    }

    #[test]
    fn a_comma_without_a_list_belongs_to_a_title() {
        assert_eq!(joints("acting in Niagara , Niagara ( 1997 ) .", &[], &["Niagara"]), [","]);
        assert_eq!(joints("in the _drama_ Girl , Interrupted ( 1999 ) .", &[], &[]), [","]);
        let last = "in Alpha ( 2010 ) , and Crazy , Stupid , Love ( 2011 ) , and won";
        assert_eq!(joints(last, &[], &[]), [",", ","]);
        assert!(joints("In London , Hamlet ( 2003 ) was shown .", &[], &["In London", "London"]).is_empty());
        assert!(joints("with Ann , Hamlet ( 2003 ) .", &["Ann"], &[]).is_empty());
        assert!(joints("include Alpha , Beta ( 2003 ) , Gamma ( 2004 ) .", &[], &[]).is_empty());
    }

    #[test]
    fn a_preposition_may_belong_to_a_title() {
        assert_eq!(joints("his debut was in Living in Oblivion ( 1995 ) .", &[], &[]), ["in"]);
        assert_eq!(joints("her debut was in Tales from the Darkside ( 1990 ) .", &[], &[]), ["from the"]);
        assert_eq!(joints("for Alpha ( 1999 ) , Far from Heaven ( 2002 ) .", &[], &[]), ["from"]);
        assert_eq!(joints("the _film_ The Guide to the Galaxy ( 2005 ) ,", &[], &[]), ["to the"]);
        assert_eq!(joints("named for Maps to the Stars ( both 2014 ) .", &[], &[]), ["to the"]);
        assert!(joints("known for Alpha in Oblivion ( 1995 ) .", &[], &[]).is_empty());
        assert!(joints("in Cherish and August ( both 2002 ) , and Beta ( 2003 )", &[], &[]).is_empty());
        assert!(joints("he was seen as Legolas in Alpha ( 2002 ) .", &[], &[]).is_empty());
        assert!(joints("he was seen in London in Alpha ( 2002 ) .", &[], &["London"]).is_empty());
        assert_eq!(joints("the _horror_ _film_ The Woman in Black ( 2012 ) ,", &[], &[]), ["in"]);
        assert_eq!(joints("was in Lookin ' to Get Out ( 1982 ) .", &["Lookin"], &[]), ["' to"]);
    }

    #[test]
    fn a_noun_or_an_article_says_that_a_title_goes_on() {
        assert_eq!(joints("the _musical_ How to Succeed in Business .", &[], &[]), ["to", "in"]);
        assert_eq!(joints("the _films_ Gorillas in the Mist .", &[], &[]), ["in the"]);
        assert_eq!(joints("his role in The Boy from Oz .", &[], &[]), ["from"]);
        assert!(joints("the _film_ Hulk in Norway .", &[], &["Norway"]).is_empty());
        assert!(joints("the _film_ Hulk in 2003 .", &[], &[]).is_empty());
        assert!(joints("his role in The Boy in Alpha .", &[], &[]).is_empty());
        assert!(joints("he went from Hulk to Thor .", &[], &[]).is_empty());
        assert!(joints("The Boy from Oz left .", &[], &[]).is_empty());
    }

    #[test]
    fn a_year_may_be_of_several_titles() {
        let shares = |text: &str| {
            let document = reticent_text::Document::plain("t", text);
            let layers = reticent_text::Analyzer::shipped().unwrap().analyze(&document, None).unwrap();
            let start = text.find("Cherish").unwrap();
            shares_year(text, &layers, Span::new(start, start + "Cherish".len()))
        };
        assert!(shares("She was in Cherish, The Lives of Dentists (both 2002), and August."));
        assert!(shares("She was in Cherish and August (both 2002)."));
        assert!(shares("She was in Cherish and August (both in 2002)."));
        assert!(!shares("She was in Cherish before she won both (both 2002)."));
        assert!(!shares("She was in Cherish and August (2002)."));
    }

    #[test]
    fn a_title_is_known_again() {
        let sentence = |text: &'static str| {
            let words: Vec<&str> = text.split(' ').collect();
            let covered = words.iter().map(|word| word.starts_with(char::is_uppercase)).collect();
            Sentence { words, covered }
        };
        let first = sentence("in Dumb and Dumber ( 1994 ) and Beta ( 1995 ) .");
        let known: HashSet<_> =
            first.joints(|_| Piece::Other).iter().map(|joint| first.around(joint)).collect();
        let again = sentence("in Dumb and Dumber To ( 2014 ) .");
        assert_eq!(again.again(&known).iter().map(|joint| joint.start).collect::<Vec<_>>(), [2]);
        assert!(sentence("in Dumb and Gamma ( 2014 ) .").again(&known).is_empty());
    }

    #[test]
    fn a_noun_says_that_one_work_is_meant() {
        assert_eq!(joints("in the _film_ Beauty and the Beast .", &[], &[]), ["and the"]);
        assert_eq!(joints("is in The Fast and the Furious _franchise_ .", &[], &[]), ["and the"]);
        assert!(joints("in the _film_ Beauty and Ann .", &["Ann"], &[]).is_empty());
        assert!(joints("in the _films_ Beauty and the Beast .", &[], &[]).is_empty());
        assert!(joints("she met Beauty and the Beast .", &[], &[]).is_empty());
    }
}
