//! Training a tagger.

use std::collections::HashMap;

use super::perceptron::{Counter, Perceptron, shuffle};
use super::{Corpus, Options, Passed, Sentence};
use crate::tag::weights::LABELS;
use crate::tag::{Case, Lexicon, OUR_DOMAIN, Words, best, features, written};
use crate::{Error, ErrorKind, Tag, Tagger};

/// A sentence with what the model sees of it.
struct Lesson {
    tokens: Vec<String>,
    words: Words,
    labels: Vec<u8>,
    domain: u8,
    weight: u8,
}

/// Every so many sentences one is also learnt without capitals, and as many in capitals only, so
/// that posts and headings are read as well.
const SMALL_COPY: usize = 10;
const CAPITAL_COPY: usize = 20;

/// Trains a tagger on corpora with their weights, the first one's guidelines being ours.
pub fn tagger(
    corpora: &[(Corpus, u8)],
    options: &Options,
    passed: &mut Passed<'_>,
) -> Result<Vec<u8>, Error> {
    let mut tags: Vec<Tag> =
        corpora.iter().flat_map(|(corpus, _)| &corpus.sentences).flat_map(|s| &s.tags).copied().collect();
    tags.sort();
    tags.dedup();
    let labels = u8::try_from(tags.len())
        .ok()
        .filter(|&labels| 0 < labels && usize::from(labels) <= LABELS)
        .ok_or_else(|| Error::new(ErrorKind::Model, "there are no tags, or too many"))?;
    let label = |tag: &Tag| tags.binary_search(tag).ok().and_then(|at| u8::try_from(at).ok()).unwrap_or(0);

    let entries = lexicon(corpora, &label, labels);
    let lexicon = Lexicon::new(&entries, u16::from(labels));
    let mut lessons = Vec::new();
    for (domain, (corpus, weight)) in (0..).zip(corpora) {
        for (at, sentence) in corpus.sentences.iter().enumerate() {
            let mut teach = |tokens: Vec<String>| {
                let mut words = Words::default();
                words.read(&lexicon, tokens.iter().map(String::as_str));
                let labels = sentence.tags.iter().map(label).collect();
                lessons.push(Lesson { tokens, words, labels, domain, weight: *weight });
            };
            teach(sentence.tokens.clone());
            if at % SMALL_COPY == 3 {
                teach(sentence.tokens.iter().map(|token| token.to_lowercase()).collect());
            }
            if at % CAPITAL_COPY == 7 {
                teach(sentence.tokens.iter().map(|token| token.to_uppercase()).collect());
            }
        }
    }
    let mut perceptron = Perceptron::new(frequent(&lessons, &lexicon, options.rarest), usize::from(labels));
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    for epoch in 1..=options.epochs {
        shuffle(&mut order, epoch as u64);
        let mut mistakes = 0;
        for &at in &order {
            mistakes += learn(&mut perceptron, &lexicon, &lessons[at], usize::from(labels));
        }
        passed(epoch, options.epochs, mistakes);
    }
    Ok(Tagger::write(&tags, &entries, &perceptron.rows(), options.tag_weights))
}

fn learn(perceptron: &mut Perceptron, lexicon: &Lexicon, lesson: &Lesson, labels: usize) -> usize {
    let mut mistakes = 0;
    let mut before = [u8::MAX; 2];
    let mut found = Vec::new();
    for (at, token) in lesson.tokens.iter().enumerate() {
        let label = if let Some(label) = lexicon.sure(lesson.words.words[at].entry) {
            label
        } else {
            features(&lesson.words, at, token, before, lesson.domain, &mut found);
            let mut scores = [0; LABELS];
            for &feature in &found {
                perceptron.add(feature, &mut scores);
            }
            let guess = best(&scores[..labels]);
            let truth = lesson.labels[at];
            perceptron.tick();
            if guess != truth {
                mistakes += 1;
                for &feature in &found {
                    perceptron.change(feature, truth, i32::from(lesson.weight));
                    perceptron.change(feature, guess, -i32::from(lesson.weight));
                }
            }
            guess
        };
        before = [label, before[0]];
    }
    mistakes
}

/// Features that occur often enough with the true tags.
fn frequent(lessons: &[Lesson], lexicon: &Lexicon, rarest: u8) -> Counter {
    let mut counter = Counter::new(rarest);
    let (mut found, mut ours) = (Vec::new(), Vec::new());
    for lesson in lessons {
        let mut before = [u8::MAX; 2];
        for (at, token) in lesson.tokens.iter().enumerate() {
            if lexicon.sure(lesson.words.words[at].entry).is_none() {
                features(&lesson.words, at, token, before, lesson.domain, &mut found);
                features(&lesson.words, at, token, before, OUR_DOMAIN, &mut ours);
                for (&feature, &ours) in found.iter().zip(&ours) {
                    counter.count(feature, lesson.weight, feature == ours);
                }
            }
            before = [lesson.labels[at], before[0]];
        }
    }
    counter
}

/// Rarer words are unknown: their endings tell more.
const KNOWN: u32 = 4;
/// A word is sure of its tag if it was seen often, and nearly always with that tag.
const SURE: u32 = 12;
const SURE_SHARE: f64 = 0.995;
/// Tags with a smaller share are left out of a word's set of tags.
const SHARE: f64 = 0.02;

/// What is known of each word: its tag, or the number of its set of tags.
fn lexicon(corpora: &[(Corpus, u8)], label: &dyn Fn(&Tag) -> u8, labels: u8) -> Vec<(u32, u16)> {
    let mut counts: HashMap<u32, Vec<(u8, u32)>> = HashMap::new();
    for (corpus, weight) in corpora {
        for sentence in &corpus.sentences {
            count(sentence, u32::from(*weight), label, &mut counts);
        }
    }
    let mut words: Vec<_> = counts.into_iter().collect();
    words.sort_unstable_by_key(|(key, _)| *key);
    let mut sets: Vec<u128> = Vec::new();
    let mut out = Vec::new();
    for (key, tags) in words {
        let total: u32 = tags.iter().map(|(_, count)| count).sum();
        let Some(&(top, most)) = tags.iter().max_by_key(|(label, count)| (*count, u8::MAX - label)) else {
            continue;
        };
        if total < KNOWN {
            continue;
        }
        if total >= SURE && f64::from(most) >= SURE_SHARE * f64::from(total) {
            out.push((key, u16::from(top)));
            continue;
        }
        let often = tags.iter().filter(|(_, count)| f64::from(*count) >= SHARE * f64::from(total));
        // The most frequent tag is told apart: the same set with another favourite is another set.
        let set =
            often.fold(1u128 << 127 | u128::from(top), |set, (label, _)| set | 1 << (*label + 7).min(126));
        let number = sets.iter().position(|&known| known == set).unwrap_or_else(|| {
            sets.push(set);
            sets.len() - 1
        });
        let entry = u16::from(labels) + u16::try_from(number).unwrap_or(u16::MAX - 128);
        out.push((key, entry));
    }
    out
}

fn count(
    sentence: &Sentence,
    weight: u32,
    label: &dyn Fn(&Tag) -> u8,
    counts: &mut HashMap<u32, Vec<(u8, u32)>>,
) {
    for ((_, hash, case), tag) in written(sentence.words()).zip(&sentence.tags) {
        let capital = match case {
            Case::Lower | Case::None => false,
            Case::Initial | Case::Upper | Case::Mixed => true,
            // The capital says nothing there.
            Case::First | Case::Flat => continue,
        };
        let tags = counts.entry(Lexicon::key(hash, capital)).or_default();
        let label = label(tag);
        match tags.iter_mut().find(|(known, _)| *known == label) {
            Some((_, count)) => *count += weight,
            None => tags.push((label, weight)),
        }
    }
}
