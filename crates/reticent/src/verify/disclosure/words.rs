//! The words of a released text, and those that are not counted.

use std::collections::{BTreeMap, HashSet};

use reticent_text::{Document, Language, Layers, Span, is_stop_word};
use serde::Serialize;

use super::held::Knowledge;
use super::plain;
use crate::policy::Scope;
use crate::verify::token;
use crate::{Error, ErrorKind};

/// What these join are two things, not one.
const JOINING: [&str; 8] = ["and", "or", "nor", "y", "e", "o", "u", "ni"];

/// Function words that are names where they have a capital.
const NAMES: [&str; 4] = ["Don", "Ma", "Will", "Won"];

/// How many words of a text were not counted as terms, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Function words: articles, pronouns, prepositions, auxiliaries.
    pub function_words: usize,
    /// Single letters.
    pub letters: usize,
    /// Numbers of up to three digits that stand by themselves.
    pub numbers: usize,
    /// Placeholders, such as `[DETAIL]`.
    pub placeholders: usize,
}

/// A word or a run of words that remains.
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) place: Span,
}

/// All words of a text, by what stands together.
pub(super) struct Words<'t> {
    pub(super) contexts: Vec<Vec<Word<'t>>>,
    pub(super) excluded: Excluded,
}

/// Takes a released text apart.
pub(super) fn of<'t>(
    released: &'t Document,
    knowledge: &Knowledge<'_>,
    scope: Scope,
) -> Result<Words<'t>, Error> {
    let layers = released.layers().ok_or_else(|| {
        Error::new(ErrorKind::Detector, "the released text was not analyzed: nothing is certified")
    })?;
    let (text, language) = (released.text(), released.language());
    let marks = token::spans(text);
    let all = singles(text, Span::new(0, text.len()));
    let (in_marks, all): (Vec<Span>, Vec<Span>) =
        all.into_iter().partition(|word| marks.iter().any(|mark| mark.contains(*word)));
    let mut excluded = Excluded { placeholders: marks.len(), ..Excluded::default() };
    let mut contexts: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    let mut place = places(text, layers, scope);
    let phrases: Vec<Span> = layers.terms(text).into_iter().map(|term| term.core).collect();
    for phrase in &phrases {
        contexts.entry(place(*phrase)).or_default().push(*phrase);
    }
    for (at, word) in all.iter().enumerate() {
        let number = at.checked_sub(1).map(|at| all[at]).filter(|number| {
            let beside = matches!(&text[number.end..word.start], "" | " " | "-");
            beside && is_number(number.of(text)) && !is_number(word.of(text))
        });
        let said = counts_as_word(word.of(text), language);
        if !said {
            match () {
                () if is_number(word.of(text)) => excluded.numbers += 1,
                () if word.of(text).chars().count() == 1 => excluded.letters += 1,
                () => excluded.function_words += 1,
            }
        }
        let next = phrases.partition_point(|phrase| phrase.end <= word.start);
        if phrases.get(next).is_some_and(|phrase| phrase.overlaps(*word)) {
            continue;
        }
        match number {
            Some(number) if said || word.of(text).chars().count() <= 2 => {
                contexts.entry(place(*word)).or_default().push(number.join(*word));
            }
            _ if said => contexts.entry(place(*word)).or_default().push(*word),
            _ => {}
        }
    }
    let hidden: HashSet<Span> = in_marks.into_iter().collect();
    let contexts = contexts.into_values().map(|spans| runs(text, language, &spans, &hidden, knowledge));
    Ok(Words { contexts: contexts.collect::<Result<_, _>>()?, excluded })
}

/// Which context a place is in.
fn places(text: &str, layers: &Layers, scope: Scope) -> impl FnMut(Span) -> usize {
    let ends: Vec<usize> = match scope {
        Scope::Document => Vec::new(),
        Scope::Sentence => layers.sentences.iter().map(|sentence| sentence.end).collect(),
        Scope::Paragraph => {
            let mut at = 0;
            let lines = text.split_inclusive('\n').map(|line| {
                at += line.len();
                (at, line.trim().is_empty())
            });
            lines.filter(|(_, blank)| *blank).map(|(at, _)| at).collect()
        }
    };
    move |span| ends.partition_point(|end| *end <= span.start)
}

/// The words and known runs of words of some stretches, each once.
fn runs<'t>(
    text: &'t str,
    language: Language,
    spans: &[Span],
    hidden: &HashSet<Span>,
    knowledge: &Knowledge<'_>,
) -> Result<Vec<Word<'t>>, Error> {
    let longest = knowledge.longest.max(4);
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for span in spans {
        let single: Vec<Span> =
            singles(text, *span).into_iter().filter(|word| !hidden.contains(word)).collect();
        for first in 0..single.len() {
            for last in first..single.len().min(first + longest) {
                if JOINING.contains(&single[last].of(text)) {
                    break;
                }
                let place = single[first].join(single[last]);
                let run = place.of(text);
                let (start, end) = (single[first].of(text), single[last].of(text));
                let counted = first < last;
                let starts = counts_as_word(start, language) || (counted && is_number(start));
                let unit = counted && is_number(start) && end.chars().count() <= 2;
                let ends = counts_as_word(end, language) || (counted && is_number(end)) || unit;
                if !starts || !ends {
                    continue;
                }
                let name = plain(run);
                if seen.contains(&name) {
                    continue;
                }
                if first == last || knowledge.is_name(&name) || knowledge.is_known(run)? {
                    seen.insert(name);
                    found.push(Word { text: run, place });
                }
            }
        }
    }
    Ok(found)
}

/// The words of a stretch: runs of letters and digits.
fn singles(text: &str, span: Span) -> Vec<Span> {
    let mut words: Vec<Span> = Vec::new();
    for (offset, c) in span.of(text).char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let at = span.start + offset;
        match words.last_mut().filter(|word| word.end == at) {
            Some(word) => word.end = at + c.len_utf8(),
            None => words.push(Span::new(at, at + c.len_utf8())),
        }
    }
    words
}

fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// Whether a part of a run may say something of it.
pub(super) fn is_word(part: &str) -> bool {
    !part.is_empty() && !is_stop_word(part, Language::English)
}

/// Function words, single letters and small numbers tell nothing by themselves.
pub(super) fn counts_as_word(word: &str, language: Language) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let lower = !word.chars().skip(1).any(char::is_uppercase);
    let function = lower && !NAMES.contains(&word) && is_stop_word(word, language);
    !function && (letters > 1 || digits > 3 || (letters == 1 && digits > 0))
}
