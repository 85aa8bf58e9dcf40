//! Training a chunker.

use super::perceptron::{Counter, Perceptron, shuffle};
use super::{Corpus, Options, Passed};
use crate::noun_phrase::{Decoder, OUTSIDE, edges, tag_features, tags_around, word_features};
use crate::tag::{OUR_DOMAIN, Room, Word};
use crate::{Error, NounPhraseModel, Tag, Tagger};

struct Lesson {
    words: Vec<Word>,
    tags: Vec<Tag>,
    labels: Vec<u8>,
    domain: u8,
    weight: u8,
}

/// Trains a chunker on corpora with their weights and on tags that `tagger` finds: it must learn to
/// live with the tagger's mistakes.
pub fn chunker(
    corpora: &[(Corpus, u8)],
    tagger: &Tagger,
    options: &Options,
    passed: &mut Passed<'_>,
) -> Result<Vec<u8>, Error> {
    let mut lessons = Vec::new();
    let mut room = Room::default();
    for (domain, (corpus, weight)) in (0..).zip(corpora).filter(|(_, (corpus, _))| corpus.has_phrases()) {
        for sentence in &corpus.sentences {
            tagger.tag_into(sentence.words(), &mut room);
            lessons.push(Lesson {
                words: room.words.words.clone(),
                tags: room.labels.iter().map(|&label| tagger.tag_of(label)).collect(),
                labels: sentence.labels.clone(),
                domain,
                weight: *weight,
            });
        }
    }
    let mut perceptron = Perceptron::new(frequent(&lessons, options.rarest), 3);
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    let mut decoder = Decoder::default();
    for epoch in 1..=options.epochs {
        shuffle(&mut order, epoch as u64);
        let mut mistakes = 0;
        for &at in &order {
            mistakes += usize::from(learn(&mut perceptron, &lessons[at], &mut decoder));
        }
        passed(epoch, options.epochs, mistakes);
    }
    Ok(NounPhraseModel::write(&perceptron.rows(), options.phrase_weights))
}

/// Whether the sentence had a mistake.
fn learn(perceptron: &mut Perceptron, lesson: &Lesson, decoder: &mut Decoder) -> bool {
    let Lesson { words, tags, labels, domain, weight } = lesson;
    let add = |feature, scores: &mut [i32; 3]| perceptron.add(feature, scores);
    let guess = decoder.decode(words, tags, *domain, add).to_vec();
    perceptron.tick();
    if guess == *labels {
        return false;
    }
    let weight = i32::from(*weight);
    for at in 0..words.len() {
        let before = |labels: &[u8]| if at == 0 { OUTSIDE } else { labels[at - 1] };
        let (was, is) = (before(&guess), before(labels));
        if guess[at] == labels[at] && was == is {
            continue;
        }
        let around = tags_around(tags, at);
        if guess[at] != labels[at] {
            let tagged = tag_features(around, *domain).into_iter();
            for feature in tagged.chain(word_features(words, tags, at, *domain)) {
                perceptron.change(feature, labels[at], weight);
                perceptron.change(feature, guess[at], -weight);
            }
        }
        for feature in edges(around, *domain, is) {
            perceptron.change(feature, labels[at], weight);
        }
        for feature in edges(around, *domain, was) {
            perceptron.change(feature, guess[at], -weight);
        }
    }
    true
}

fn frequent(lessons: &[Lesson], rarest: u8) -> Counter {
    let mut counter = Counter::new(rarest);
    for Lesson { words, tags, labels, domain, weight } in lessons {
        let mut before = OUTSIDE;
        for (at, &label) in labels.iter().enumerate() {
            let around = tags_around(tags, at);
            let all = |domain| {
                let tagged = tag_features(around, domain).into_iter().chain(edges(around, domain, before));
                tagged.chain(word_features(words, tags, at, domain))
            };
            for (feature, ours) in all(*domain).zip(all(OUR_DOMAIN)) {
                counter.count(feature, *weight, feature == ours);
            }
            before = label;
        }
    }
    counter
}
