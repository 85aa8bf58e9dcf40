//! The network that parses: tables of word features, a recurrent encoder, and readers of its output.
//!
//! Weights have 8 bits. Products are computed in integers, which is fast without special instructions, and everything else
//! with basic operations on numbers of 32 bits: the same text has the same tree on every machine.

use std::collections::HashMap;

use super::matrix::{Map, Table, floats, quantize};
use super::seen::{SHAPES, SUFFIXES, Seen, TAGS};
use super::transition::{NONE, State, Step};
use crate::tag::{Reader, Writer};
use crate::{Error, ErrorKind};

/// Places whose words decide on the next step: three of the stack, the next word, and outer children of the last two.
pub(crate) const PLACES: usize = 6;
/// Buckets of distances between a word and its head.
pub(crate) const DISTANCES: usize = 16;

/// Widths of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) vector: usize,
    pub(crate) word: usize,
    pub(crate) suffix: usize,
    pub(crate) tag: usize,
    pub(crate) shape: usize,
    /// Of the encoder, in each direction.
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    pub(crate) step: usize,
    pub(crate) label: usize,
    pub(crate) labels: usize,
    pub(crate) tags: usize,
}

/// No layer of a model is wider, so that sums of products fit into 32 bits.
const WIDEST: usize = 256;
const WIDEST_INPUT: usize = 512;

impl Sizes {
    pub(crate) fn input(&self) -> usize {
        self.vector + self.word + self.suffix + self.tag + self.shape
    }

    fn all(self) -> [usize; 11] {
        let Self { vector, word, suffix, tag, shape, hidden, layers, step, label, labels, tags } = self;
        [vector, word, suffix, tag, shape, hidden, layers, step, label, labels, tags]
    }

    pub(crate) fn write(self, out: &mut Writer) {
        self.all().into_iter().for_each(|size| out.length(size));
    }

    pub(crate) fn read(bytes: &mut Reader<'_>) -> Result<Self, Error> {
        let mut sizes = [0; 11];
        for size in &mut sizes {
            *size = bytes.length(0)?;
        }
        let [vector, word, suffix, tag, shape, hidden, layers, step, label, labels, tags] = sizes;
        let found = Self { vector, word, suffix, tag, shape, hidden, layers, step, label, labels, tags };
        let impossible = sizes.iter().any(|size| !(1..=WIDEST).contains(size));
        if impossible || layers > 8 || found.input() > WIDEST_INPUT {
            return Err(Error::new(ErrorKind::Model, "a parser model has a layer of impossible size"));
        }
        Ok(found)
    }
}

/// The words in the places that decide on the next step.
#[inline]
pub(crate) fn places(state: &State) -> [usize; PLACES] {
    let (top, next) = (state.stack(0), state.next());
    [state.stack(2), state.stack(1), top, next, state.outer(top, 1), state.outer(next, 0)]
}

/// The bucket of the distance between a word and its head, which may be the root.
pub(crate) fn distance(word: usize, head: usize, words: usize) -> usize {
    if head == words {
        return 0;
    }
    let length = word.abs_diff(head);
    let bucket = match length {
        0..=4 => length,
        5..=7 => 5,
        8..=15 => 6,
        _ => 7,
    };
    if word < head { bucket } else { bucket + 8 }
}

/// Unit of the input, which lies between -16 and 16.
const INPUT_UNIT: f32 = 2047.0;
/// Unit of what the encoder puts out, which lies between -1 and 1.
const CELL_UNIT: f32 = 8191.0;
/// Unit of what lies before the labels, between 0 and 64.
const INNER_UNIT: f32 = 511.0;

/// A rational function: the same on every machine, and within 0.0001 of the real one.
#[inline]
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-4.97, 4.97);
    let s = x * x;
    x * (135_135.0 + s * (17_325.0 + s * (378.0 + s)))
        / (135_135.0 + s * (62_370.0 + s * (3_150.0 + s * 28.0)))
}

#[inline]
fn logistic(x: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * x)
}

/// The network, ready to parse.
pub(crate) struct Network {
    sizes: Sizes,
    vectors: Table,
    words: Table,
    suffixes: Table,
    tags: Table,
    shapes: Table,
    layers: Vec<Map>,
    places: Map,
    special: Vec<f32>,
    /// Three columns.
    steps: Vec<f32>,
    steps_constant: Vec<f32>,
    head: Map,
    dependent: Map,
    root: Vec<f32>,
    distances: Vec<f32>,
    labels: Map,
    tagger: Map,
}

/// Room for one sentence after the other, and what the first layer made of the words so far.
#[derive(Default)]
pub(crate) struct Room {
    known: HashMap<Seen, usize>,
    known_gates: Vec<f32>,
    floats: Vec<f32>,
    codes: Vec<i16>,
    gates: Vec<f32>,
    cells: Vec<f32>,
    ready: Vec<f32>,
    state: State,
    inner: Vec<f32>,
    above: Vec<f32>,
    pub(crate) heads: Vec<usize>,
    pub(crate) relations: Vec<usize>,
    pub(crate) tags: Vec<usize>,
}

/// Words whose first layer is remembered.
const REMEMBERED: usize = 4096;

impl Network {
    pub(crate) fn read(
        bytes: &mut Reader<'_>,
        sizes: Sizes,
        vectors: usize,
        words: usize,
    ) -> Result<Self, Error> {
        let Sizes { hidden, step, label, .. } = sizes;
        let vectors = Table::read(bytes, vectors, sizes.vector)?;
        let words = Table::read(bytes, words, sizes.word)?;
        let suffixes = Table::read(bytes, SUFFIXES, sizes.suffix)?;
        let tags = Table::read(bytes, TAGS, sizes.tag)?;
        let shapes = Table::read(bytes, SHAPES, sizes.shape)?;
        let mut layers = Vec::new();
        for at in 0..sizes.layers {
            layers.push(Map::read(bytes, if at == 0 { sizes.input() } else { 2 * hidden }, 4 * hidden)?);
        }
        Ok(Self {
            vectors,
            words,
            suffixes,
            tags,
            shapes,
            layers,
            places: Map::read(bytes, 2 * hidden, PLACES * step)?,
            special: floats(bytes, 2 * PLACES * step)?,
            steps: floats(bytes, 3 * step)?,
            steps_constant: floats(bytes, 3)?,
            head: Map::read(bytes, 2 * hidden, label)?,
            dependent: Map::read(bytes, 2 * hidden, label)?,
            root: floats(bytes, label)?,
            distances: floats(bytes, DISTANCES * label)?,
            labels: Map::read(bytes, label, sizes.labels)?,
            tagger: Map::read(bytes, 2 * hidden, sizes.tags)?,
            sizes,
        })
    }

    /// Finds the heads, relations and tags of the words of one sentence.
    pub(crate) fn run(&self, seen: &[Seen], room: &mut Room) {
        self.encode(seen, room);
        quantize(&room.cells, CELL_UNIT, &mut room.codes);
        room.floats.clear();
        self.tagger.apply(&room.codes, CELL_UNIT, &mut room.floats);
        room.tags.clear();
        room.tags.extend(room.floats.chunks_exact(self.sizes.tags).map(best));
        self.find_heads(seen.len(), room);
        self.find_relations(room);
    }

    fn encode(&self, seen: &[Seen], room: &mut Room) {
        let hidden = self.sizes.hidden;
        if room.known.len() > REMEMBERED {
            room.known.clear();
            room.known_gates.clear();
        }
        let width = 4 * hidden;
        room.gates.clear();
        for seen in seen {
            let from = match room.known.get(seen) {
                Some(&from) => from,
                None => self.first_gates(*seen, room),
            };
            room.gates.extend_from_slice(&room.known_gates[from..from + width]);
        }
        self.recur(room);
        for layer in self.layers.iter().skip(1) {
            quantize(&room.cells, CELL_UNIT, &mut room.codes);
            room.gates.clear();
            layer.apply(&room.codes, CELL_UNIT, &mut room.gates);
            self.recur(room);
        }
    }

    fn first_gates(&self, seen: Seen, room: &mut Room) -> usize {
        room.floats.clear();
        self.vectors.add_to(seen.vector, &mut room.floats);
        self.words.add_to(seen.word, &mut room.floats);
        self.suffixes.add_to(seen.suffix, &mut room.floats);
        self.tags.add_to(seen.tag, &mut room.floats);
        self.shapes.add_to(seen.shape, &mut room.floats);
        quantize(&room.floats, INPUT_UNIT, &mut room.codes);
        let from = room.known_gates.len();
        self.layers[0].apply(&room.codes, INPUT_UNIT, &mut room.known_gates);
        room.known.insert(seen, from);
        from
    }

    /// From gates to cells, in both directions.
    fn recur(&self, room: &mut Room) {
        let hidden = self.sizes.hidden;
        let words = room.gates.len() / (4 * hidden);
        for gates in room.gates.chunks_exact_mut(2 * hidden) {
            let (values, forget) = gates.split_at_mut(hidden);
            for value in values {
                *value = tanh(*value);
            }
            for forget in forget {
                *forget = logistic(*forget);
            }
        }
        room.cells.clear();
        room.cells.resize(words * 2 * hidden, 0.0);
        let mut before = vec![0.0_f32; hidden];
        for direction in 0..2 {
            before.fill(0.0);
            for at in 0..words {
                let word = if direction == 0 { at } else { words - 1 - at };
                let gates = &room.gates[word * 4 * hidden + direction * 2 * hidden..][..2 * hidden];
                let (values, forget) = gates.split_at(hidden);
                let cells = &mut room.cells[word * 2 * hidden + direction * hidden..][..hidden];
                for (((value, forget), cell), before) in values.iter().zip(forget).zip(cells).zip(&mut before)
                {
                    *before = forget * *before + (1.0 - forget) * value;
                    *cell = *before;
                }
            }
        }
    }

    /// `room.codes` holds the cells.
    fn find_heads(&self, words: usize, room: &mut Room) {
        let width = self.sizes.step;
        room.ready.clear();
        self.places.apply(&room.codes, CELL_UNIT, &mut room.ready);
        room.state.start(words);
        room.inner.resize(width, 0.0);
        while !room.state.is_done() {
            let inner = &mut room.inner[..width];
            inner.fill(0.0);
            for (place, word) in places(&room.state).into_iter().enumerate() {
                let row = match word {
                    NONE => &self.special[place * width..],
                    word if word == words => &self.special[(PLACES + place) * width..],
                    word => &room.ready[(word * PLACES + place) * width..],
                };
                let row = &row[..width];
                for at in 0..width {
                    inner[at] += row[at];
                }
            }
            let mut scores = [0.0_f32; 3];
            for (score, (weights, constant)) in
                scores.iter_mut().zip(self.steps.chunks_exact(width).zip(&self.steps_constant))
            {
                *score = *constant + product(inner, weights);
            }
            let allowed = room.state.allowed();
            let mut choice: Option<Step> = None;
            for step in Step::ALL.into_iter().filter(|step| allowed[*step as usize]) {
                if choice.is_none_or(|best| scores[step as usize] > scores[best as usize]) {
                    choice = Some(step);
                }
            }
            // One step is always possible until the end.
            let Some(step) = choice else { break };
            room.state.take(step);
        }
        std::mem::swap(&mut room.heads, &mut room.state.heads);
    }

    fn find_relations(&self, room: &mut Room) {
        let width = self.sizes.label;
        room.inner.clear();
        self.dependent.apply(&room.codes, CELL_UNIT, &mut room.inner);
        room.above.clear();
        self.head.apply(&room.codes, CELL_UNIT, &mut room.above);
        let words = room.heads.len();
        for (word, &head) in room.heads.iter().enumerate() {
            let inner = &mut room.inner[word * width..(word + 1) * width];
            let above =
                if head == words { &self.root[..] } else { &room.above[head * width..(head + 1) * width] };
            let row = distance(word, head, words) * width;
            for ((inner, above), by) in inner.iter_mut().zip(above).zip(&self.distances[row..]) {
                *inner = (*inner + above + by).max(0.0);
            }
        }
        quantize(&room.inner, INNER_UNIT, &mut room.codes);
        room.floats.clear();
        self.labels.apply(&room.codes, INNER_UNIT, &mut room.floats);
        room.relations.clear();
        room.relations.extend(room.floats.chunks_exact(self.sizes.labels).map(best));
        room.inner.clear();
    }
}

/// A sum of products of what is above zero, in four parts, so that it is fast and always the same.
#[inline]
fn product(one: &[f32], other: &[f32]) -> f32 {
    let (first, rest) = one.as_chunks::<4>();
    let (second, left) = other.as_chunks::<4>();
    let mut sums = [0.0_f32; 4];
    for (one, other) in first.iter().zip(second) {
        for at in 0..4 {
            sums[at] += one[at].max(0.0) * other[at];
        }
    }
    for (one, other) in rest.iter().zip(left) {
        sums[0] += one.max(0.0) * other;
    }
    sums[0] + sums[1] + sums[2] + sums[3]
}

/// The first of the highest.
fn best(scores: &[f32]) -> usize {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approximates_tanh() {
        for at in -800_i16..=800 {
            let x = f32::from(at) / 100.0;
            assert!((tanh(x) - x.tanh()).abs() < 2e-4, "{x}");
            assert!((0.0..=1.0).contains(&logistic(x)));
        }
    }
}
