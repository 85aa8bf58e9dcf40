//! Names, numbers and phrases as stretches that are masked as one.

use std::collections::HashSet;
use std::ops::Range;

use reticent_text::{Layers, Pos, Span, Term, Token};

use super::title::{Piece, Sentence};

/// Words that belong to a name when they stand between two parts of it: `The Lord of the Rings`.
const IN_NAMES: [&str; 25] = [
    "of", "the", "a", "an", "on", "with", "at", "vs", "vs.", "&", ":", "-", "–", "'s", "’s", "'", "’", "!",
    "over", "n't", "n’t", "'re", "’re", "'ll", "'m",
];

/// Words that join two masked phrases into one: `victim of an assault`, `the world's end`.
const JOINING: [&str; 6] = ["of", "'s", "’s", "the", "a", "an"];

/// Words that would no longer be true of what is said instead: `all eight films` are not `all films`.
const QUANTIFIERS: [&str; 4] = ["all", "both", "every", "each"];

const ARTICLES: [&str; 3] = ["the", "a", "an"];

/// At most so many words are left between two parts of one stretch.
const GAP: usize = 3;

/// The tokens of a document, and which of them belong to something that is masked.
pub(super) struct Cover<'a> {
    text: &'a str,
    layers: &'a Layers,
    /// Which tokens are names or have digits.
    names: Vec<bool>,
    covered: Vec<bool>,
    /// Which tokens name someone.
    people: Vec<bool>,
}

/// A stretch that is masked as one.
pub(super) struct Expression {
    pub(super) span: Span,
    /// Whether there is a name in it.
    pub(super) named: bool,
    /// Whether there is a number in figures in it.
    pub(super) numbered: bool,
}

impl<'a> Cover<'a> {
    /// Covers the names and numbers of these sentences.
    pub(super) fn new(text: &'a str, layers: &'a Layers, sentences: &[Range<usize>]) -> Self {
        let count = layers.tokens.len();
        let mut cover = Self {
            text,
            layers,
            names: vec![false; count],
            covered: vec![false; count],
            people: vec![false; count],
        };
        for sentence in sentences {
            for at in sentence.clone() {
                cover.names[at] = cover.is_name(at, sentence.start) || cover.has_digit(at);
                cover.covered[at] = cover.names[at];
            }
            cover.join(sentence.clone(), |word| IN_NAMES.contains(&word), |_| true);
            cover.cover_calls(sentence.clone());
            cover.cover_genitives(sentence.clone());
        }
        cover
    }

    /// A title may end in a sign that ends no sentence: `American Dad! and`.
    fn cover_calls(&mut self, sentence: Range<usize>) {
        for at in sentence.clone().skip(1).filter(|at| at + 1 < sentence.end) {
            let goes_on = self.word(at + 1).starts_with(|c: char| c.is_lowercase() || c == ',' || c == '(');
            if self.covered[at - 1] && matches!(self.word(at), "!" | "?") && goes_on {
                self.covered[at] = true;
            }
        }
    }

    /// What owns nothing ends in its `'s`: `Breakfast at Tiffany's in`.
    fn cover_genitives(&mut self, sentence: Range<usize>) {
        for at in sentence.clone().skip(1).filter(|at| at + 1 < sentence.end) {
            let next = self.token(at + 1).tag.pos();
            let owns_nothing = matches!(next, Pos::Preposition | Pos::Punctuation | Pos::Conjunction)
                && !matches!(self.word(at + 1), "\"" | "“" | "'" | "‘" | "(" | "[");
            if self.covered[at - 1] && matches!(self.word(at), "'s" | "’s") && owns_nothing {
                self.covered[at] = true;
            }
        }
    }

    fn word(&self, at: usize) -> &'a str {
        self.layers.tokens[at].span.of(self.text)
    }

    fn token(&self, at: usize) -> &Token {
        &self.layers.tokens[at]
    }

    fn has_digit(&self, at: usize) -> bool {
        self.word(at).contains(|c: char| c.is_numeric())
    }

    /// A word with a capital, unless it has one because a sentence begins with it.
    fn is_name(&self, at: usize, first: usize) -> bool {
        let word = self.word(at);
        // `the I, Claudius miniseries`
        let called = at > first && word == "I" && ["the", "of", "in"].contains(&self.word(at - 1));
        if !word.starts_with(char::is_uppercase) || word == "I" && !called {
            return false;
        }
        let begins = at == first || matches!(self.word(at - 1), "\"" | "“" | "'" | "‘" | "." | "•" | "-");
        let tag = self.token(at).tag.pos();
        !begins || matches!(tag, Pos::ProperNoun | Pos::Adjective | Pos::Foreign) && !is_closed(word)
    }

    /// The tokens of a term's core.
    fn tokens_of(&self, term: &Term) -> Range<usize> {
        let first = self.layers.tokens.partition_point(|token| token.span.start < term.core.start);
        let end = self.layers.tokens.partition_point(|token| token.span.end <= term.core.end);
        first..end.max(first)
    }

    /// Covers a term whole if a part of it is, or if `tells` says that it tells something.
    pub(super) fn cover_term(&mut self, term: &Term, tells: bool) {
        let tokens = self.tokens_of(term);
        if tells || self.touches(term) {
            self.covered[tokens].fill(true);
        }
    }

    /// Covers what other detectors found whole if a part of it is: `March 1, 1978`.
    pub(super) fn cover_found(&mut self, span: Span) {
        let first = self.layers.tokens.partition_point(|token| token.span.end <= span.start);
        let end = self.layers.tokens.partition_point(|token| token.span.start < span.end);
        if first < end && self.covered[first..end].contains(&true) {
            self.covered[first..end].fill(true);
        }
    }

    /// Keeps the names of people apart from what stands beside them: `in 2008 Stewart`, `Stewart's first roles`.
    pub(super) fn keep_apart(&mut self, people: impl Iterator<Item = Span>) {
        for person in people {
            let first = self.layers.tokens.partition_point(|token| token.span.start < person.start);
            let end = self.layers.tokens.partition_point(|token| token.span.end <= person.end);
            self.people[first..end.max(first)].fill(true);
            // `named Stewart the Best Actor`.
            let article = end.max(first);
            if article < self.names.len() && !self.names[article] && ARTICLES.contains(&self.word(article)) {
                self.covered[article] = false;
            }
        }
    }

    /// Covers what lies between pieces of one title, and where the title stands again.
    pub(super) fn join_titles(&mut self, sentences: &[Range<usize>], what: impl Fn(Span) -> Piece) {
        let mut known = HashSet::new();
        for tokens in sentences {
            let sentence = self.sentence(tokens);
            let piece = |piece: Range<usize>| {
                let (first, last) = (tokens.start + piece.start, tokens.start + piece.end - 1);
                if self.people[first..=last].contains(&true) {
                    return Piece::Person;
                }
                what(self.token(first).span.join(self.token(last).span))
            };
            let joints = sentence.joints(piece);
            known.extend(joints.iter().map(|joint| sentence.around(joint)));
            self.cover_joints(tokens, &joints);
        }
        for tokens in sentences.iter().filter(|_| !known.is_empty()) {
            let again = self.sentence(tokens).again(&known);
            self.cover_joints(tokens, &again);
        }
    }

    fn sentence(&self, tokens: &Range<usize>) -> Sentence<'a> {
        let words = tokens.clone().map(|at| self.word(at)).collect();
        Sentence { words, covered: self.covered[tokens.clone()].to_vec() }
    }

    fn cover_joints(&mut self, tokens: &Range<usize>, joints: &[Range<usize>]) {
        for joint in joints {
            self.covered[tokens.start + joint.start..tokens.start + joint.end].fill(true);
        }
    }

    /// Whether a part of a term is covered.
    pub(super) fn touches(&self, term: &Term) -> bool {
        self.covered[self.tokens_of(term)].contains(&true)
    }

    /// Covers what lies between two covered stretches of a sentence if it only joins them.
    fn join(
        &mut self,
        sentence: Range<usize>,
        joins: impl Fn(&str) -> bool,
        enough: impl Fn(&[&str]) -> bool,
    ) {
        let mut last: Option<usize> = None;
        for at in sentence {
            if !self.covered[at] {
                continue;
            }
            if let Some(before) = last
                && (2..=GAP + 1).contains(&(at - before))
            {
                let between: Vec<String> = (before + 1..at).map(|at| self.word(at).to_lowercase()).collect();
                let words: Vec<&str> = between.iter().map(String::as_str).collect();
                let one_line =
                    !self.text[self.token(before).span.end..self.token(at).span.start].contains('\n');
                let owns = self.people[before] && words.iter().any(|word| ["'s", "’s"].contains(word));
                // `the grosses of Diaz's films`
                let apart = owns || self.people[at] && !self.people[before] && words.contains(&"of");
                if one_line && !apart && words.iter().all(|word| joins(word)) && enough(&words) {
                    self.covered[before + 1..at].fill(true);
                }
            }
            last = Some(at);
        }
    }

    /// The covered stretches: phrases that `of` joins are one, and so are a title and its year.
    pub(super) fn expressions(mut self, sentences: &[Range<usize>]) -> Vec<Expression> {
        let mut out = Vec::new();
        for sentence in sentences {
            self.join(
                sentence.clone(),
                |word| JOINING.contains(&word),
                |words| words.iter().any(|word| !ARTICLES.contains(word)),
            );
            for at in sentence.clone().skip(1) {
                let superlative =
                    matches!(self.token(at - 1).tag.name(), "JJS" | "RBS") && at > sentence.start;
                if self.covered[at] && superlative {
                    self.covered[at - 1] = true;
                }
            }
            for at in sentence.clone().skip(1) {
                let bracketed = at >= 2 && self.word(at - 2) == "(" && self.has_digit(at);
                let quantified = QUANTIFIERS.contains(&self.word(at - 1)) && !bracketed;
                if self.covered[at] && quantified {
                    self.covered[at - 1] = true;
                }
            }
            let mut at = sentence.start;
            while at < sentence.end {
                if !self.covered[at] {
                    at += 1;
                    continue;
                }
                let mut end = at;
                while end < sentence.end
                    && (end == at || !(self.people[end] && !self.people[end - 1] && self.has_digit(end - 1)))
                    && (self.covered[end] || self.brackets_year(end, sentence.clone()))
                {
                    end += 1;
                }
                out.push(self.expression(at..end));
                at = end;
            }
        }
        out
    }

    /// Whether this is one of the brackets of `Top Gun (1986)`.
    fn brackets_year(&self, at: usize, sentence: Range<usize>) -> bool {
        let is_year = |at: usize| {
            let word = self.word(at);
            word.len() >= 4 && word.as_bytes()[..4].iter().all(u8::is_ascii_digit) && self.covered[at]
        };
        let opens = |at: usize| {
            let title =
                at > sentence.start && (self.covered[at - 1] || matches!(self.word(at - 1), "!" | "?"));
            // `(2010–present)` is no year of a title.
            let closed = at + 2 < sentence.end && self.word(at + 2) == ")";
            self.word(at) == "(" && title && closed && is_year(at + 1)
        };
        let calls = matches!(self.word(at), "!" | "?") && at + 1 < sentence.end && opens(at + 1);
        calls || opens(at) || (self.word(at) == ")" && at >= sentence.start + 2 && opens(at - 2))
    }

    fn expression(&self, tokens: Range<usize>) -> Expression {
        let span = self.token(tokens.start).span.join(self.token(tokens.end - 1).span);
        Expression {
            span,
            named: tokens.clone().any(|at| self.names[at] && !self.has_digit(at)),
            numbered: tokens.clone().any(|at| self.has_digit(at)),
        }
    }
}

/// Pronouns, articles and the like, which begin sentences and are no names there.
fn is_closed(word: &str) -> bool {
    const CLOSED: [&str; 24] = [
        "he", "she", "his", "her", "him", "hers", "it", "its", "they", "their", "them", "we", "our", "my",
        "your", "you", "this", "that", "these", "those", "the", "a", "an", "both",
    ];
    CLOSED.contains(&word.to_lowercase().as_str())
}
