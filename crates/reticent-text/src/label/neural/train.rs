//! From annotated documents to a network.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use candle_core::{Tensor, Var};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::adam::{Adam, Gradients};
use super::batch::Batch;
use super::chain::improbability;
use super::failed;
use super::file::{self, Header};
use super::labeller::Reader;
use super::lines::{Line, lines, tokens};
use super::network::{Dropout, Network};
use super::operations::cross_entropy;
use super::options::Options;
use super::random::Random;
use super::score::{Found, f1, found, points};
use super::vocabulary::{Seen, UNKNOWN_WORD, Vocabulary, fold};
use super::weights::{Weights, shapes};
use crate::label::calibrate::curve;
use crate::label::labeller::Calibration;
use crate::label::scheme::Scheme;
use crate::label::train::Example;
use crate::{Error, ErrorKind};

/// How far training is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// So many batches of all of an epoch.
    Batch {
        /// The epoch, from 1.
        epoch: usize,
        /// How many batches are done.
        done: usize,
        /// Of how many.
        of: usize,
        /// Tokens that were learnt from in a second.
        words_per_second: f64,
    },
    /// An epoch is done.
    Epoch(Epoch),
}

/// What an epoch brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Epoch {
    /// Which, from 1.
    pub number: usize,
    /// The mean loss of a line.
    pub loss: f64,
    /// F1 of exact spans and kinds on the held-out examples, if there are any.
    pub f1: Option<f64>,
    /// `true` if this is the best so far.
    pub best: bool,
    /// Tokens that were learnt from in a second.
    pub words_per_second: f64,
    /// Seconds until the last epoch is done, if none is spared.
    pub seconds_left: f64,
}

/// A trained network, and what could not be used.
pub struct Trained {
    /// The file.
    pub bytes: Vec<u8>,
    /// Entities that were left out because another covers a part of them, or because they cross lines.
    pub left_out: usize,
}

/// Trains a network on examples. After each epoch it is tried on `held_out`, and the best one is kept; without
/// held-out examples, the last. Probabilities are calibrated on them too.
pub fn train(
    examples: &[Example],
    held_out: &[Example],
    options: &Options,
    mut seen: impl FnMut(Progress),
) -> Result<Trained, Error> {
    let kinds = examples.iter().flat_map(|example| &example.entities).map(|(_, kind)| kind.clone());
    let scheme = Scheme::new(kinds)?;
    let mut left_out = 0;
    let (own_tokens, held_tokens) = (tokens(examples), tokens(held_out));
    let lines = lines(&own_tokens, examples, &scheme, &mut left_out);
    let held_lines = self::lines(&held_tokens, held_out, &scheme, &mut 0);
    let mut trainer = Trainer::new(&lines, &scheme, options)?;
    let mut best: Option<(f64, Weights)> = None;
    let mut since = 0;
    let began = Instant::now();
    for number in 1..=options.epochs {
        let (loss, words_per_second) = trainer.epoch(&lines, number, &mut seen)?;
        let f1 = if held_out.is_empty() {
            None
        } else {
            Some(f1(&trainer.label(&held_lines)?, held_out, &scheme))
        };
        let better = best.as_ref().is_none_or(|(before, _)| f1.is_none_or(|f1| f1 > *before));
        since = if better { 0 } else { since + 1 };
        if better {
            best = Some((f1.unwrap_or(0.0), trainer.weights.clone()));
        }
        let seconds_left = began.elapsed().as_secs_f64() / number as f64 * (options.epochs - number) as f64;
        seen(Progress::Epoch(Epoch { number, loss, f1, best: better, words_per_second, seconds_left }));
        if since >= options.patience && !held_out.is_empty() {
            break;
        }
    }
    if let Some((_, weights)) = best {
        trainer.weights = weights;
    }
    let points = points(&trainer.label(&held_lines)?, held_out, &scheme);
    let calibration = if held_out.is_empty() { Calibration::default() } else { curve(&points) };
    let header = Header { calibration, ..trainer.header };
    Ok(Trained { bytes: file::write(&header, &trainer.weights)?, left_out })
}

struct Trainer<'o> {
    options: &'o Options,
    scheme: &'o Scheme,
    header: Header,
    vocabulary: Vocabulary,
    /// How often each row of the vocabulary occurs.
    counts: Vec<u32>,
    weights: Weights,
    adam: Adam,
    random: Random,
    /// One for each thread, so that products within stay on it.
    pools: Vec<ThreadPool>,
    steps: usize,
}

impl<'o> Trainer<'o> {
    fn new(lines: &[Line<'_>], scheme: &'o Scheme, options: &'o Options) -> Result<Self, Error> {
        let mut seen = Seen::default();
        lines.iter().flat_map(|line| &line.tokens).for_each(|token| seen.add(token));
        let mut random = Random::new(options.seed);
        let mut sizes = options.sizes.clone();
        let (words, rows) = if let Some(vectors) = &options.vectors {
            sizes.word = vectors.dimension;
            known_words(vectors)?
        } else {
            // A word that occurs once teaches what an unknown word is like.
            let often = seen.words.iter().filter(|(_, count)| **count > 1);
            let words: Vec<String> = often.map(|(word, _)| word.clone()).collect();
            let bound = (3.0 / sizes.word as f32).sqrt();
            let rows = (0..(words.len() + 1) * sizes.word).map(|_| random.around(bound)).collect();
            (words, rows)
        };
        let header = Header {
            language: options.language.code().to_owned(),
            kinds: scheme.kinds().to_vec(),
            sizes,
            characters: seen.alphabet(),
            words,
            calibration: Calibration::default(),
            trained_on: options.trained_on.clone(),
        };
        let vocabulary = header.vocabulary();
        let counts = std::iter::once(0)
            .chain(header.words.iter().map(|word| seen.words.get(word).copied().unwrap_or(0)))
            .collect();
        let shapes = shapes(&header.sizes, vocabulary.characters(), scheme.states());
        let weights = Weights::new(shapes, rows, &mut random);
        let adam = Adam::new(&weights, header.sizes.word);
        let pool = |_| ThreadPoolBuilder::new().num_threads(1).build();
        let pools = (0..options.threads.max(1)).map(pool).collect::<Result<_, _>>();
        let pools = pools.map_err(|_| Error::new(ErrorKind::Model, "cannot start threads"))?;
        Ok(Self { options, scheme, header, vocabulary, counts, weights, adam, random, pools, steps: 0 })
    }

    /// Lines in batches of like length, in a new order each time.
    fn batches(&mut self, lines: &[Line<'_>]) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        let empty = self.options.empty;
        order.retain(|line| {
            empty >= 1.0 || lines[*line].states.iter().any(|s| *s != 0) || self.random.share() < empty
        });
        self.random.shuffle(&mut order);
        // Of lines of equal length chance decides which are together.
        order.sort_by_key(|line| lines[*line].tokens.len());
        let mut batches: Vec<Vec<usize>> =
            order.chunks(self.options.batch.max(1)).map(<[usize]>::to_vec).collect();
        self.random.shuffle(&mut batches);
        batches
    }

    /// Goes through the lines once. Gives the mean loss of a line, and tokens in a second.
    fn epoch(
        &mut self,
        lines: &[Line<'_>],
        epoch: usize,
        seen: &mut impl FnMut(Progress),
    ) -> Result<(f64, f64), Error> {
        let batches = self.batches(lines);
        let began = Instant::now();
        let (mut loss, mut read, mut words) = (0.0, 0, 0);
        for (done, batch) in (1..).zip(&batches) {
            let all = (self.options.epochs * batches.len()) as f32;
            let pace = (1.0 - self.steps as f32 / all).max(0.02);
            loss += self.learn(lines, batch, self.options.rate * pace)? * batch.len() as f64;
            if !loss.is_finite() {
                return Err(Error::new(ErrorKind::Model, "training failed: the loss is not a number")
                    .with_hint("use a lower learning rate"));
            }
            self.steps += 1;
            read += batch.len();
            words += batch.iter().map(|line| lines[*line].tokens.len()).sum::<usize>();
            let words_per_second = words as f64 / began.elapsed().as_secs_f64().max(1e-9);
            seen(Progress::Batch { epoch, done, of: batches.len(), words_per_second });
        }
        Ok((
            loss / f64::from(u32::try_from(read.max(1)).unwrap_or(u32::MAX)),
            words as f64 / began.elapsed().as_secs_f64().max(1e-9),
        ))
    }

    /// One step. Gives the mean loss of a line.
    fn learn(&mut self, lines: &[Line<'_>], batch: &[usize], rate: f32) -> Result<f64, Error> {
        let variables: candle_core::Result<Vec<Var>> = self.weights.variables();
        let variables = variables.map_err(|error| failed(&error))?;
        let tensors: Vec<Tensor> = variables.iter().map(|variable| variable.as_tensor().clone()).collect();
        let count = self.pools.len().min(batch.len());
        let shards: Vec<(Vec<&Line<'_>>, Random)> = (0..count)
            .map(|shard| {
                let own = batch.iter().skip(shard).step_by(count).map(|line| &lines[*line]).collect();
                (own, Random::new(self.random.next()))
            })
            .collect();
        let share = 1.0 / batch.len() as f64;
        let this = &*self;
        let results: Vec<candle_core::Result<(f64, Gradients)>> = std::thread::scope(|scope| {
            let tensors = &tensors;
            let threads: Vec<_> = shards
                .into_iter()
                .zip(&this.pools)
                .map(|((own, random), pool)| {
                    scope.spawn(move || pool.install(|| this.shard(&own, tensors, random, share)))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| {
                    thread.join().unwrap_or_else(|_| candle_core::bail!("a thread stopped unexpectedly"))
                })
                .collect()
        });
        let mut sum: Option<(f64, Gradients)> = None;
        for result in results {
            let (loss, gradients) = result.map_err(|error| failed(&error))?;
            match &mut sum {
                None => sum = Some((loss, gradients)),
                Some(sum) => {
                    sum.0 += loss;
                    sum.1.add(gradients);
                }
            }
        }
        let Some((loss, gradients)) = sum else { return Ok(0.0) };
        self.adam.step(&mut self.weights, &gradients, rate);
        Ok(loss)
    }

    /// The loss of some lines and its derivatives.
    fn shard(
        &self,
        lines: &[&Line<'_>],
        tensors: &[Tensor],
        mut random: Random,
        share: f64,
    ) -> candle_core::Result<(f64, Gradients)> {
        let words: Vec<&[&str]> = lines.iter().map(|line| line.tokens.as_slice()).collect();
        let learns_words = self.options.vectors.is_none();
        let batch = Batch::new(&words, &self.vocabulary, |token| {
            let row = self.vocabulary.word(token);
            let count = self.counts[row as usize] as f32;
            // The rarer a word, the more often it is taken for an unknown one.
            if learns_words && random.share() < 0.5 / (0.5 + count) { UNKNOWN_WORD } else { row }
        });
        let mut states = vec![0; batch.steps.count()];
        for (place, line) in batch.order.iter().enumerate() {
            for (row, state) in batch.steps.rows_of(place).into_iter().zip(&lines[*line].states) {
                states[row] = *state;
            }
        }
        let network = Network::new(tensors)?;
        let word = self.header.sizes.word;
        let words = self.weights.some_words(&batch.words, word)?;
        let words = if learns_words { Var::from_tensor(&words)?.into_inner() } else { words };
        let dropout = Dropout { share: self.options.dropout, random };
        let said = network.read(&batch, &words, Some(dropout))?;
        let sensitive: Vec<bool> = states.iter().map(|state| *state != 0).collect();
        let one = cross_entropy(&said.sensitivity, Arc::new(sensitive))?;
        let other = improbability(&batch.steps, &said.scores, network.transitions, Arc::new(states))?;
        let loss = ((one + other)? * share)?;
        let mut found = loss.backward()?;
        let mut parts = Vec::with_capacity(tensors.len());
        for tensor in tensors {
            let gradient = found.remove(tensor).map(|gradient| gradient.flatten_all()?.to_vec1::<f32>());
            parts.push(gradient.transpose()?.unwrap_or_else(|| vec![0.0; tensor.elem_count()]));
        }
        let mut of_words = BTreeMap::new();
        if let Some(gradient) = found.remove(&words) {
            let gradient = gradient.flatten_all()?.to_vec1::<f32>()?;
            of_words
                .extend(batch.words.iter().copied().zip(gradient.chunks_exact(word).map(<[f32]>::to_vec)));
        }
        Ok((f64::from(loss.to_scalar::<f32>()?), Gradients { parts, words: of_words }))
    }

    /// What the network finds in lines.
    fn label(&self, lines: &[Line<'_>]) -> Result<Vec<Found>, Error> {
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let vocabulary = self.header.vocabulary();
        let reader = Reader::new(vocabulary, self.weights.clone(), self.header.sizes.word, self.scheme)?;
        let count = self.pools.len();
        let results: Vec<Result<Vec<Found>, Error>> = std::thread::scope(|scope| {
            let reader = &reader;
            let threads: Vec<_> = self
                .pools
                .iter()
                .enumerate()
                .map(|(shard, pool)| {
                    let own: Vec<&Line<'_>> = lines.iter().skip(shard).step_by(count).collect();
                    scope.spawn(move || pool.install(|| found(reader, &own)))
                })
                .collect();
            let stopped = |_| Err(Error::new(ErrorKind::Model, "a thread stopped unexpectedly"));
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(stopped)).collect()
        });
        let mut all = Vec::new();
        for result in results {
            all.extend(result?);
        }
        Ok(all)
    }
}

/// The words of given vectors, the first of those that fold alike, with their rows; an unknown word is zero.
fn known_words(vectors: &super::WordVectors) -> Result<(Vec<String>, Vec<f32>), Error> {
    let size = vectors.dimension;
    if size == 0 || size > 1 << 14 || vectors.rows.len() != vectors.words.len() * size {
        return Err(Error::new(
            ErrorKind::Model,
            "the number or dimension of the vectors does not match the header",
        ));
    }
    // As large as vectors that are learnt.
    let square: f64 = vectors.rows.iter().map(|number| f64::from(*number).powi(2)).sum();
    let mean = (square / vectors.rows.len().max(1) as f64).sqrt();
    #[allow(clippy::cast_possible_truncation)]
    let scale = if mean.is_finite() && mean > 0.0 { (0.2 / mean) as f32 } else { 1.0 };
    let mut taken = HashSet::new();
    let (mut words, mut rows) = (Vec::new(), vec![0.0; size]);
    for (word, row) in vectors.words.iter().zip(vectors.rows.chunks_exact(size)) {
        let word = fold(word);
        if taken.insert(word.clone()) {
            words.push(word);
            rows.extend(row.iter().map(|number| number * scale));
        }
    }
    Ok((words, rows))
}
