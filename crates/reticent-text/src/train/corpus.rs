//! Annotated text in columns, and the differences between those who annotated it.

use std::io::BufRead;

use super::Role;
use crate::noun_phrase::{BEGIN, INSIDE, OUTSIDE};
use crate::{Error, ErrorKind, Pos, Tag};

/// Whose idea of a noun phrase a set follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guidelines {
    /// CoNLL-2000: `B-NP`, `I-NP`, and other phrases that do not count.
    Conll2000,
    /// spaCy: `B`, `I`, `O`; possessives inside, no phrases for dates, times and lone determiners.
    Spacy,
    /// Phrases of any kind with two words or more: `B`, `I`, `O`.
    AnyPhrase,
}

/// Which column is what.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// What stands between columns.
    pub separator: char,
    /// The column of the token, from 0.
    pub token: usize,
    /// The column of the tag.
    pub tag: usize,
    /// The column of the phrase, and what it means.
    pub phrase: Option<(usize, Guidelines)>,
}

impl Layout {
    /// `conll2000-*`: token, tag, chunk.
    pub const CONLL2000: Self =
        Self { separator: ' ', token: 0, tag: 1, phrase: Some((2, Guidelines::Conll2000)) };
    /// `conll2002-esp.*`: token, tag, entity.
    pub const CONLL2002: Self = Self { separator: ' ', token: 0, tag: 1, phrase: None };
    /// `wikiactors-silver`: token, tag, chunk of any kind.
    pub const WIKIACTORS: Self =
        Self { separator: '\t', token: 0, tag: 1, phrase: Some((2, Guidelines::AnyPhrase)) };
    /// `mixed-silver`: token, tag, noun phrase, entity.
    pub const MIXED: Self = Self { separator: '\t', token: 0, tag: 1, phrase: Some((2, Guidelines::Spacy)) };
}

/// One annotated sentence.
#[derive(Clone, Default)]
pub struct Sentence {
    pub(crate) tokens: Vec<String>,
    pub(crate) tags: Vec<Tag>,
    /// Label of each token; empty if the set has no phrases.
    pub(crate) labels: Vec<u8>,
}

impl Sentence {
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> + Clone {
        self.tokens.iter().map(String::as_str)
    }
}

/// Annotated sentences.
#[derive(Default)]
pub struct Corpus {
    pub(crate) sentences: Vec<Sentence>,
}

/// So many sentences that follow each other are held out together, as they may be of one text.
const BLOCK: usize = 50;

impl Corpus {
    /// Reads columns; blank lines end sentences.
    pub fn read(input: &mut dyn BufRead, layout: Layout) -> Result<Self, Error> {
        let mut corpus = Self::default();
        let mut rows: Vec<Row> = Vec::new();
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let read = input.read_line(&mut line).map_err(|_| {
                Error::new(ErrorKind::Encoding, "cannot read the training data").at_line(number)
            })?;
            let row = line.trim_end_matches(['\n', '\r']);
            if !row.is_empty() {
                rows.push(Row::read(row, layout).ok_or_else(|| {
                    Error::new(ErrorKind::Malformed, "the training data has too few columns").at_line(number)
                })?);
            } else if !rows.is_empty() {
                let sentence = sentence(&mut rows, layout)
                    .ok_or_else(|| Error::new(ErrorKind::Malformed, "an unknown tag").at_line(number))?;
                corpus.sentences.push(sentence);
            }
            if read == 0 {
                break;
            }
        }
        Ok(corpus)
    }

    /// Returns the number of tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.sentences.iter().map(|sentence| sentence.tokens.len()).sum()
    }

    /// Returns whether there are phrases to learn from.
    #[must_use]
    pub fn has_phrases(&self) -> bool {
        self.sentences.first().is_some_and(|sentence| !sentence.labels.is_empty())
    }

    /// What to train on and what to measure on.
    pub(crate) fn divide(self, role: Role) -> (Self, Self) {
        match role {
            Role::Train => (self, Self::default()),
            Role::Measure => (Self::default(), self),
            Role::MeasureHeldOut => (Self::default(), self.divide(Role::TrainAndMeasure).1),
            Role::TrainAndMeasure => {
                let (mut train, mut held) = (Self::default(), Self::default());
                for (at, sentence) in self.sentences.into_iter().enumerate() {
                    let into = if at / BLOCK % 20 == 19 { &mut held } else { &mut train };
                    into.sentences.push(sentence);
                }
                (train, held)
            }
        }
    }
}

struct Row {
    token: String,
    tag: String,
    chunk: String,
}

impl Row {
    fn read(line: &str, layout: Layout) -> Option<Self> {
        let columns: Vec<&str> = line.split(layout.separator).collect();
        let column = |at: usize| columns.get(at).map(|text| (*text).to_owned());
        let chunk = layout.phrase.map_or(Some(String::new()), |(at, _)| column(at))?;
        Some(Self { token: column(layout.token)?, tag: column(layout.tag)?, chunk })
    }
}

fn sentence(rows: &mut Vec<Row>, layout: Layout) -> Option<Sentence> {
    let guidelines = layout.phrase.map(|(_, guidelines)| guidelines);
    let mut rows = std::mem::take(rows);
    if guidelines == Some(Guidelines::Spacy) {
        rows = join_hyphens(rows);
    }
    let mut out = Sentence::default();
    for row in &rows {
        out.tags.push(Tag::from_name(our_name(&row.token, &row.tag))?);
        match guidelines {
            Some(Guidelines::Conll2000) => out.labels.push(match row.chunk.as_str() {
                "B-NP" => BEGIN,
                "I-NP" => INSIDE,
                _ => OUTSIDE,
            }),
            Some(_) => out.labels.push(match row.chunk.as_str() {
                "B" => BEGIN,
                "I" => INSIDE,
                _ => OUTSIDE,
            }),
            None => {}
        }
    }
    out.tokens = rows.into_iter().map(|row| row.token).collect();
    match guidelines {
        Some(Guidelines::Spacy) => as_conll2000(&mut out),
        Some(Guidelines::AnyPhrase) => {
            drop_other_phrases(&mut out);
            as_conll2000(&mut out);
        }
        _ => {}
    }
    Some(out)
}

/// The treebank's name for a tag of a newer tag set.
pub(super) fn our_name<'a>(token: &str, tag: &'a str) -> &'a str {
    match tag {
        "-LRB-" => "(",
        "-RRB-" => ")",
        "HYPH" | "NFP" => ":",
        "ADD" => "NN",
        "XX" => "FW",
        "AFX" => "JJ",
        "IN" if token.eq_ignore_ascii_case("to") => "TO",
        _ => tag,
    }
}

/// spaCy cuts `terry-cloth` in three; we and the treebank do not.
fn join_hyphens(rows: Vec<Row>) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    let mut rows = rows.into_iter().peekable();
    while let Some(row) = rows.next() {
        let joins = row.tag == "HYPH"
            && row.token == "-"
            && out.last().is_some_and(|row| row.token.ends_with(char::is_alphanumeric))
            && rows.peek().is_some_and(|row| row.token.starts_with(char::is_alphanumeric));
        match (joins, out.last_mut()) {
            (true, Some(last)) => {
                let Some(next) = rows.next() else { break };
                last.token = format!("{}-{}", last.token, next.token);
                let before_noun =
                    rows.peek().is_some_and(|row| row.tag.starts_with("NN") || row.tag == "HYPH");
                last.tag = match next.tag.as_str() {
                    tag if tag.starts_with("NNP") || tag == "CD" => next.tag,
                    _ if before_noun => "JJ".to_owned(),
                    tag if tag.starts_with("VB") => "JJ".to_owned(),
                    tag if tag.starts_with("NN") || tag.starts_with("JJ") => next.tag,
                    _ => last.tag.clone(),
                };
                if last.chunk == "O" {
                    last.chunk = if next.chunk == "I" { "B".to_owned() } else { next.chunk };
                }
            }
            _ => out.push(row),
        }
    }
    out
}

/// A phrase whose last word is no noun is of another kind.
fn drop_other_phrases(sentence: &mut Sentence) {
    for phrase in crate::noun_phrase::phrases(&sentence.labels) {
        let last = sentence.tags[phrase.end - 1].pos();
        if !matches!(last, Pos::Noun | Pos::ProperNoun | Pos::Pronoun | Pos::Number) {
            sentence.labels[phrase].fill(OUTSIDE);
        }
    }
}

/// Brings phrases closer to CoNLL-2000, where a possessive begins a phrase and every noun, number
/// and pronoun has one.
fn as_conll2000(sentence: &mut Sentence) {
    let (tags, labels) = (&sentence.tags, &mut sentence.labels);
    for at in 1..tags.len() {
        let before = tags[at - 1].pos();
        if tags[at].pos() == Pos::Possessive {
            labels[at] = BEGIN;
            if at + 1 < tags.len() && labels[at + 1] == BEGIN && may_be_inside(tags[at + 1]) {
                labels[at + 1] = INSIDE;
            }
        }
        // `9 November 2011`
        if labels[at] == OUTSIDE
            && tags[at].pos() == Pos::Number
            && before == Pos::ProperNoun
            && labels[at - 1] != OUTSIDE
        {
            labels[at] = INSIDE;
        }
    }
    let mut at = 0;
    while at < tags.len() {
        let end =
            at + (at..tags.len()).take_while(|&i| labels[i] == OUTSIDE && may_be_inside(tags[i])).count();
        if let Some(last) = (at..end).rev().find(|&i| is_head(tags[i])) {
            labels[at] = BEGIN;
            labels[at + 1..=last].fill(INSIDE);
        } else if labels[at] == OUTSIDE && stands_alone(tags, at) {
            labels[at] = BEGIN;
        }
        at = end.max(at + 1);
    }
}

fn may_be_inside(tag: Tag) -> bool {
    matches!(tag.pos(), Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Number)
        || matches!(tag.name(), "DT" | "PDT" | "PRP$" | "$" | "WP$")
}

fn is_head(tag: Tag) -> bool {
    matches!(tag.pos(), Pos::Noun | Pos::ProperNoun | Pos::Number)
}

/// Pronouns, and determiners right before a verb: `this can damage`.
fn stands_alone(tags: &[Tag], at: usize) -> bool {
    match tags[at].name() {
        "PRP" | "EX" | "WP" => true,
        "DT" | "WDT" => tags.get(at + 1).is_some_and(|next| next.pos() == Pos::Verb),
        _ => false,
    }
}
