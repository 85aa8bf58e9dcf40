//! Training a parser: from treebanks to a model, the same bytes each time.

mod network;
mod numeric;
mod oracle;
mod score;
mod shipped;
mod treebank;
mod vectors;
mod write;

pub use score::{ParseScore, score};
pub use shipped::{TrainedParser, train_shipped};
pub use treebank::{GoldSentence, GoldWord, read_treebank};
pub use vectors::WordVectors;

use std::collections::HashMap;

use self::network::{Lesson, Mistakes, Network};
use self::numeric::Chance;
use crate::parse::network::Sizes;
use crate::parse::seen::{Vocabulary, key};
use crate::parse::{Parser, Relation};
use crate::{Error, ErrorKind, Language, Tag};

/// How to train a parser.
#[derive(Clone, Copy, Debug)]
pub struct ParserOptions {
    /// How often all sentences are seen.
    pub epochs: usize,
    /// Width of the encoder in each direction.
    pub hidden: usize,
    /// Words with vectors, besides those of the training set.
    pub vectors: usize,
}

impl Default for ParserOptions {
    fn default() -> Self {
        Self { epochs: 24, hidden: 80, vectors: 45_000 }
    }
}

/// How far training is.
#[derive(Clone, Debug)]
pub struct ParserProgress {
    /// How often all sentences have been seen.
    pub epoch: usize,
    /// How often they will be.
    pub epochs: usize,
    /// The share of wrong steps.
    pub steps: f64,
    /// The share of wrong relations.
    pub relations: f64,
    /// The share of wrong tags.
    pub tags: f64,
    /// What the model scores on the development set.
    pub score: Option<ParseScore>,
}

/// Words that are as rare are left out as often as not.
const RARE: f32 = 0.5;
/// Words of a batch.
const BATCH: usize = 320;
/// The share of what the encoder puts out that is left out.
const DROPOUT: f32 = 0.15;
const RATE: f32 = 0.0025;
/// Of so many sentences one is learnt again in small letters, and one without its last sign.
const SMALL_COPY: usize = 12;

/// Trains a parser.
///
/// The words of the treebank get the tags that the shipped tagger gives them, as they will when the model is used.
pub fn train_parser(
    train: &[GoldSentence],
    develop: &[GoldSentence],
    language: Language,
    vectors: &WordVectors,
    options: &ParserOptions,
    progress: &mut dyn FnMut(ParserProgress),
) -> Result<Vec<u8>, Error> {
    let mut names = Names::default();
    for word in train.iter().flat_map(|sentence| &sentence.words) {
        names.relations.push(word.relation.name());
    }
    for sentence in train {
        names.tags.extend(sentence.words.iter().map(|word| label_name(word, &sentence.text)));
    }
    names.relations.sort_unstable();
    names.relations.dedup();
    names.tags.sort_unstable();
    names.tags.dedup();
    if train.is_empty() || names.tags.len() > 250 {
        return Err(Error::new(ErrorKind::Model, "the treebank is empty, or has too many tags"));
    }
    let (known, rarities) = frequent(train);
    let (vector_keys, vector_rows) = choose_vectors(train, vectors, options.vectors);
    let sizes = Sizes {
        vector: VECTOR,
        word: 32,
        suffix: 16,
        tag: 16,
        shape: 8,
        hidden: options.hidden,
        layers: 2,
        step: 64,
        label: 64,
        labels: names.relations.len(),
        tags: names.tags.len(),
    };
    let vocabulary = Vocabulary::new(vector_keys.iter().copied(), known.iter().copied());
    let lessons = lessons(train, language, &vocabulary, &rarities, &names)?;
    let mut chance = Chance::new(7);
    let mut network = Network::new(sizes, vector_rows, known.len() + 1, &mut chance);
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    let all: usize = lessons.iter().map(|lesson| lesson.seen.len()).sum();
    let batches = (all / BATCH).max(1) * options.epochs;
    let mut done = 0;
    for epoch in 1..=options.epochs {
        chance.shuffle(&mut order);
        let mut total = Mistakes::default();
        let mut batch = 0;
        for &at in &order {
            let mistakes = network.study(&lessons[at], &mut chance, DROPOUT, epoch > 1);
            total.steps += mistakes.steps;
            total.labels += mistakes.labels;
            total.tags += mistakes.tags;
            total.words += mistakes.words;
            batch += mistakes.words;
            if batch >= BATCH {
                let left = 1.0 - done as f32 / batches as f32;
                network.learn(RATE * left.max(0.02));
                (batch, done) = (0, done + 1);
            }
        }
        let last = epoch == options.epochs;
        let score = if develop.is_empty() || !(last || epoch % 6 == 0) {
            None
        } else {
            let model = write::model(&network, &names, &vector_keys, &known);
            Some(score::score(&Parser::read(&model)?, develop, language)?.0)
        };
        let share = |count: usize| count as f64 / total.words.max(1) as f64;
        progress(ParserProgress {
            epoch,
            epochs: options.epochs,
            steps: share(total.steps) / 2.0,
            relations: share(total.labels),
            tags: share(total.tags),
            score,
        });
    }
    Ok(write::model(&network, &names, &vector_keys, &known))
}

/// Width of the vectors of words.
const VECTOR: usize = 64;

/// The labels of a model, in order.
#[derive(Default)]
struct Names {
    relations: Vec<&'static str>,
    tags: Vec<String>,
}

/// Our name of a word's tag, empty if its treebank has none.
fn tag_name(word: &GoldWord, text: &str) -> &'static str {
    let name = super::corpus::our_name(word.span.of(text), &word.xpos);
    let name = match name {
        "GW" => "FW",
        name => name,
    };
    Tag::from_name(name).map_or("", Tag::name)
}

fn label_name(word: &GoldWord, text: &str) -> String {
    format!("{}/{}", word.upos, tag_name(word, text))
}

/// The words that occur more than once, and for each how likely it is left out.
fn frequent(train: &[GoldSentence]) -> (Vec<u32>, HashMap<u32, f32>) {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for sentence in train {
        for word in &sentence.words {
            *counts.entry(key(word.span.of(&sentence.text))).or_default() += 1;
        }
    }
    let mut known: Vec<u32> = counts.iter().filter(|(_, count)| **count > 1).map(|(key, _)| *key).collect();
    known.sort_unstable();
    let rarities = counts.into_iter().map(|(key, count)| (key, RARE / (RARE + count as f32))).collect();
    (known, rarities)
}

/// The vectors of the most frequent words and of those of the treebank, with a first row of zeros.
fn choose_vectors(train: &[GoldSentence], vectors: &WordVectors, most: usize) -> (Vec<u32>, Vec<f32>) {
    let used: std::collections::HashSet<u32> = train
        .iter()
        .flat_map(|sentence| sentence.words.iter().map(|word| key(word.span.of(&sentence.text))))
        .collect();
    let projected = vectors.projected(VECTOR);
    let (mut keys, mut rows) = (Vec::new(), vec![0.0; VECTOR]);
    let mut taken = std::collections::HashSet::new();
    for (at, (word, row)) in vectors.words.iter().zip(projected.chunks_exact(VECTOR)).enumerate() {
        let key = key(word);
        if (at < most || used.contains(&key)) && taken.insert(key) {
            keys.push(key);
            rows.extend_from_slice(row);
        }
    }
    (keys, rows)
}

fn lessons(
    train: &[GoldSentence],
    language: Language,
    vocabulary: &Vocabulary,
    rarities: &HashMap<u32, f32>,
    names: &Names,
) -> Result<Vec<Lesson>, Error> {
    let mut out = Vec::new();
    for (at, sentence) in train.iter().enumerate() {
        let tags: Vec<usize> = sentence
            .words
            .iter()
            .map(|word| names.tags.binary_search(&label_name(word, &sentence.text)).unwrap_or(0))
            .collect();
        let mut heads: Vec<usize> = sentence.words.iter().map(|word| word.head).collect();
        oracle::lift(&mut heads);
        let relation = |word: &GoldWord| names.relations.binary_search(&word.relation.name()).unwrap_or(0);
        let mut relations: Vec<usize> = sentence.words.iter().map(relation).collect();
        let mut teach = |text: &str, heads: Vec<usize>, relations: Vec<usize>, tags: Vec<usize>| {
            let pieces = score::own_pieces(text, language)?;
            let mut seen = Vec::with_capacity(heads.len());
            let mut rarity = Vec::with_capacity(heads.len());
            for (at, word) in sentence.words[..heads.len()].iter().enumerate() {
                // The tag of our token where the word begins.
                let place = pieces.partition_point(|piece| piece.span.end <= word.span.start);
                let tag = pieces.get(place).map_or(Tag::UNKNOWN, |piece| piece.tag);
                let form = word.span.of(text);
                seen.push(vocabulary.look(form, tag, at == 0));
                rarity.push(rarities.get(&key(form)).copied().unwrap_or(RARE));
            }
            out.push(Lesson { seen, rarity, heads, relations, tags });
            Ok::<(), Error>(())
        };
        teach(&sentence.text, heads.clone(), relations.clone(), tags.clone())?;
        if at % SMALL_COPY == 3 {
            let small = sentence.text.to_ascii_lowercase();
            teach(&small, heads.clone(), relations.clone(), tags.clone())?;
        }
        let words = heads.len();
        let last = sentence.words.last();
        let stops = last.is_some_and(|word| word.relation == Relation::PUNCTUATION);
        if at % SMALL_COPY == 7 && stops && words > 2 && !heads.contains(&(words - 1)) {
            // The root is the number of words.
            heads.pop();
            heads.iter_mut().filter(|head| **head == words).for_each(|head| *head = words - 1);
            relations.pop();
            let text = &sentence.text[..sentence.words[words - 2].span.end];
            teach(text, heads, relations, tags[..words - 1].to_vec())?;
        }
    }
    Ok(out)
}
