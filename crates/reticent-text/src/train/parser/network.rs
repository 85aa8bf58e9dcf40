//! The network as it learns: see [`parse::network`](crate::parse) for how it is used.
//!
//! Tables of word features, two layers of a minimal gated recurrent network in both directions, and three readers of its
//! output: the steps of the parser, the relation of a word to its head, and the part of speech.

use super::numeric::{Chance, Matrix, add, multiply, multiply_transposed};
use super::oracle::{Gold, cheapest};
use crate::parse::network::{DISTANCES, PLACES, Sizes, distance, places};
use crate::parse::seen::{SHAPES, SUFFIXES, Seen, TAGS};
use crate::parse::transition::{NONE, State, Step};

/// A sentence to learn from.
pub(super) struct Lesson {
    pub(super) seen: Vec<Seen>,
    /// How likely the row of each word is left out, so that rare words are learnt by their other features.
    pub(super) rarity: Vec<f32>,
    pub(super) heads: Vec<usize>,
    pub(super) relations: Vec<usize>,
    pub(super) tags: Vec<usize>,
}

/// A linear map with a constant.
pub(super) struct Map {
    pub(super) weights: Matrix,
    pub(super) constant: Matrix,
    /// The weights by columns, as they are until the next step.
    turned: Vec<f32>,
}

impl Map {
    fn new(rows: usize, columns: usize, chance: &mut Chance) -> Self {
        let weights = Matrix::dense(rows, columns, chance);
        Self { turned: weights.transposed(), weights, constant: Matrix::zero(1, columns) }
    }

    fn apply(&self, input: &[f32]) -> Vec<f32> {
        let rows = input.len() / self.weights.rows;
        let mut out = self.constant.value.repeat(rows);
        multiply(input, &self.weights.value, self.weights.columns, &mut out);
        out
    }

    /// Adds to the slopes, and returns the slope of the input.
    fn back(&mut self, input: &[f32], slope: &[f32]) -> Vec<f32> {
        let Self { weights, constant, turned } = self;
        multiply_transposed(input, weights.rows, slope, weights.columns, &mut weights.slope);
        for row in slope.chunks_exact(weights.columns) {
            add(&mut constant.slope, row);
        }
        let mut out = vec![0.0; input.len()];
        multiply(slope, turned, weights.rows, &mut out);
        out
    }

    fn learn(&mut self, rate: f32, time: f32) {
        self.weights.learn(rate, time);
        self.constant.learn(rate, time);
        self.turned = self.weights.transposed();
    }
}

pub(super) struct Network {
    pub(super) sizes: Sizes,
    /// Vectors that are not learnt.
    pub(super) vectors: Vec<f32>,
    pub(super) words: Matrix,
    pub(super) suffixes: Matrix,
    pub(super) tags: Matrix,
    pub(super) shapes: Matrix,
    pub(super) layers: Vec<Map>,
    pub(super) places: Map,
    /// For each place what stands there if it is empty, or the root.
    pub(super) special: Matrix,
    pub(super) steps: Map,
    pub(super) head: Map,
    pub(super) dependent: Map,
    pub(super) root: Matrix,
    pub(super) distances: Matrix,
    pub(super) labels: Map,
    pub(super) tagger: Map,
    time: f32,
}

/// What was wrong in a sentence, and of how many.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mistakes {
    pub(super) steps: usize,
    pub(super) labels: usize,
    pub(super) tags: usize,
    pub(super) words: usize,
}

/// One layer's work on a sentence.
struct Layer {
    input: Vec<f32>,
    gates: Vec<f32>,
    cells: Vec<f32>,
    mask: Vec<f32>,
}

impl Network {
    pub(super) fn new(sizes: Sizes, vectors: Vec<f32>, words: usize, chance: &mut Chance) -> Self {
        let Sizes { hidden, step, label, .. } = sizes;
        let mut layers = Vec::new();
        for at in 0..sizes.layers {
            let mut layer = Map::new(if at == 0 { sizes.input() } else { 2 * hidden }, 4 * hidden, chance);
            // Gates begin open for what came before.
            for direction in 0..2 {
                let from = (2 * direction + 1) * hidden;
                layer.constant.value[from..from + hidden].fill(0.5);
            }
            layers.push(layer);
        }
        Self {
            vectors,
            words: Matrix::table(words, sizes.word, chance),
            suffixes: Matrix::table(SUFFIXES, sizes.suffix, chance),
            tags: Matrix::table(TAGS, sizes.tag, chance),
            shapes: Matrix::table(SHAPES, sizes.shape, chance),
            layers,
            places: Map::new(2 * hidden, PLACES * step, chance),
            special: Matrix::dense(2, PLACES * step, chance),
            steps: Map::new(step, 3, chance),
            head: Map::new(2 * hidden, label, chance),
            dependent: Map::new(2 * hidden, label, chance),
            root: Matrix::dense(1, label, chance),
            distances: Matrix::dense(DISTANCES, label, chance),
            labels: Map::new(label, sizes.labels, chance),
            tagger: Map::new(2 * hidden, sizes.tags, chance),
            sizes,
            time: 0.0,
        }
    }

    /// The features of all words; with chance, some of them are left out.
    fn input(&self, lesson: &Lesson, mut chance: Option<&mut Chance>) -> (Vec<f32>, Vec<bool>) {
        let width = self.sizes.vector;
        let mut input = Vec::with_capacity(lesson.seen.len() * self.sizes.input());
        let mut kept = Vec::with_capacity(lesson.seen.len() * 5);
        for (seen, rarity) in lesson.seen.iter().zip(&lesson.rarity) {
            let mut keep = |share: f32| chance.as_mut().is_none_or(|chance| chance.share() >= share);
            let mut part = |row: &[f32], keep: bool| {
                if keep {
                    input.extend_from_slice(row);
                } else {
                    input.resize(input.len() + row.len(), 0.0);
                }
                kept.push(keep);
            };
            let from = seen.vector as usize * width;
            part(&self.vectors[from..from + width], keep(0.05));
            part(self.words.row(seen.word as usize), keep(*rarity));
            part(self.suffixes.row(seen.suffix as usize), keep(0.1));
            part(self.tags.row(seen.tag as usize), keep(0.1));
            part(self.shapes.row(seen.shape as usize), keep(0.05));
        }
        (input, kept)
    }

    fn encode(
        &self,
        input: Vec<f32>,
        mut chance: Option<&mut Chance>,
        dropout: f32,
    ) -> (Vec<Layer>, Vec<f32>) {
        let hidden = self.sizes.hidden;
        let mut layers = Vec::new();
        let mut input = input;
        for layer in &self.layers {
            let mut gates = layer.apply(&input);
            let words = gates.len() / (4 * hidden);
            let mut cells = vec![0.0; words * 2 * hidden];
            for direction in 0..2 {
                let mut before = vec![0.0_f32; hidden];
                for at in 0..words {
                    let word = if direction == 0 { at } else { words - 1 - at };
                    let gates = &mut gates[word * 4 * hidden + direction * 2 * hidden..][..2 * hidden];
                    let (values, forget) = gates.split_at_mut(hidden);
                    let cells = &mut cells[word * 2 * hidden + direction * hidden..][..hidden];
                    for (((value, forget), cell), before) in
                        values.iter_mut().zip(forget).zip(cells).zip(&mut before)
                    {
                        *value = value.tanh();
                        *forget = 1.0 / (1.0 + (-*forget).exp());
                        *before = *forget * *before + (1.0 - *forget) * *value;
                        *cell = *before;
                    }
                }
            }
            let mask: Vec<f32> = match chance.as_mut() {
                Some(chance) => (0..2 * hidden)
                    .map(|_| if chance.share() < dropout { 0.0 } else { 1.0 / (1.0 - dropout) })
                    .collect(),
                None => vec![1.0; 2 * hidden],
            };
            let mut output = cells.clone();
            for row in output.chunks_exact_mut(2 * hidden) {
                row.iter_mut().zip(&mask).for_each(|(value, mask)| *value *= mask);
            }
            layers.push(Layer { input, gates, cells, mask });
            input = output;
        }
        (layers, input)
    }

    /// From the slope of the encoder's output to the slope of its input.
    fn encode_back(&mut self, layers: &[Layer], slope: Vec<f32>) -> Vec<f32> {
        let hidden = self.sizes.hidden;
        let mut slope = slope;
        for (layer, map) in layers.iter().zip(&mut self.layers).rev() {
            let words = layer.cells.len() / (2 * hidden);
            for row in slope.chunks_exact_mut(2 * hidden) {
                row.iter_mut().zip(&layer.mask).for_each(|(slope, mask)| *slope *= mask);
            }
            let mut back = vec![0.0; layer.gates.len()];
            for direction in 0..2 {
                let mut carried = vec![0.0_f32; hidden];
                for at in (0..words).rev() {
                    let word = if direction == 0 { at } else { words - 1 - at };
                    let before = match (at, direction) {
                        (0, _) => None,
                        (_, 0) => Some(word - 1),
                        _ => Some(word + 1),
                    };
                    let gates = &layer.gates[word * 4 * hidden + direction * 2 * hidden..][..2 * hidden];
                    let back = &mut back[word * 4 * hidden + direction * 2 * hidden..][..2 * hidden];
                    let own = &slope[word * 2 * hidden + direction * hidden..][..hidden];
                    for k in 0..hidden {
                        let (value, forget) = (gates[k], gates[hidden + k]);
                        let earlier = before
                            .map_or(0.0, |before| layer.cells[before * 2 * hidden + direction * hidden + k]);
                        let all = own[k] + carried[k];
                        back[k] = all * (1.0 - forget) * (1.0 - value * value);
                        back[hidden + k] = all * (earlier - value) * forget * (1.0 - forget);
                        carried[k] = all * forget;
                    }
                }
            }
            slope = map.back(&layer.input, &back);
        }
        slope
    }

    /// Learns from one sentence: adds to the slopes of all parameters.
    pub(super) fn study(
        &mut self,
        lesson: &Lesson,
        chance: &mut Chance,
        dropout: f32,
        explore: bool,
    ) -> Mistakes {
        let words = lesson.seen.len();
        let mut mistakes = Mistakes { words, ..Mistakes::default() };
        let (input, kept) = self.input(lesson, Some(chance));
        let (layers, output) = self.encode(input, Some(chance), dropout);
        let mut slope = self.study_tags(lesson, &output, &mut mistakes);
        add(&mut slope, &self.study_labels(lesson, &output, &mut mistakes));
        add(&mut slope, &self.study_steps(lesson, &output, chance, explore, &mut mistakes));
        let slope = self.encode_back(&layers, slope);
        let Sizes { vector, word, suffix, tag, shape, .. } = self.sizes;
        for ((seen, slope), kept) in
            lesson.seen.iter().zip(slope.chunks_exact(self.sizes.input())).zip(kept.chunks_exact(5))
        {
            let mut from = vector;
            for (table, row, width, kept) in [
                (&mut self.words, seen.word, word, kept[1]),
                (&mut self.suffixes, seen.suffix, suffix, kept[2]),
                (&mut self.tags, seen.tag, tag, kept[3]),
                (&mut self.shapes, seen.shape, shape, kept[4]),
            ] {
                if kept {
                    table.touch(row, &slope[from..from + width]);
                }
                from += width;
            }
        }
        mistakes
    }

    fn study_tags(&mut self, lesson: &Lesson, output: &[f32], mistakes: &mut Mistakes) -> Vec<f32> {
        let mut scores = self.tagger.apply(output);
        mistakes.tags += soft(&mut scores, self.sizes.tags, &lesson.tags);
        self.tagger.back(output, &scores)
    }

    fn study_labels(&mut self, lesson: &Lesson, output: &[f32], mistakes: &mut Mistakes) -> Vec<f32> {
        let width = self.sizes.label;
        let inner = self.label_inner(&lesson.heads, output);
        let mut scores = self.labels.apply(&inner);
        mistakes.labels += soft(&mut scores, self.sizes.labels, &lesson.relations);
        let mut back = self.labels.back(&inner, &scores);
        back.iter_mut().zip(&inner).filter(|(_, inner)| **inner <= 0.0).for_each(|(back, _)| *back = 0.0);
        let mut heads = vec![0.0; back.len()];
        for (word, &head) in lesson.heads.iter().enumerate() {
            let own = &back[word * width..(word + 1) * width];
            if head == lesson.heads.len() {
                add(&mut self.root.slope, own);
            } else {
                add(&mut heads[head * width..(head + 1) * width], own);
            }
            let row = distance(word, head, lesson.heads.len()) * width;
            add(&mut self.distances.slope[row..row + width], own);
        }
        let mut slope = self.dependent.back(output, &back);
        add(&mut slope, &self.head.back(output, &heads));
        slope
    }

    fn label_inner(&self, heads: &[usize], output: &[f32]) -> Vec<f32> {
        let width = self.sizes.label;
        let mut inner = self.dependent.apply(output);
        let above = self.head.apply(output);
        for (word, &head) in heads.iter().enumerate() {
            let inner = &mut inner[word * width..(word + 1) * width];
            if head == heads.len() {
                add(inner, &self.root.value);
            } else {
                add(inner, &above[head * width..(head + 1) * width]);
            }
            add(inner, self.distances.row(distance(word, head, heads.len())));
            rectify(inner);
        }
        inner
    }

    /// What the words in their places add up to, for one state.
    fn inner(&self, ready: &[f32], filled: [usize; PLACES], words: usize, inner: &mut [f32]) {
        let width = self.sizes.step;
        inner.fill(0.0);
        for (place, &word) in filled.iter().enumerate() {
            let row = match word {
                NONE => self.special.row(0),
                word if word == words => self.special.row(1),
                word => &ready[word * PLACES * width..(word + 1) * PLACES * width],
            };
            add(inner, &row[place * width..(place + 1) * width]);
        }
        rectify(inner);
    }

    fn scores(&self, inner: &[f32]) -> [f32; 3] {
        let mut scores: [f32; 3] = std::array::from_fn(|at| self.steps.constant.value[at]);
        multiply(inner, &self.steps.weights.value, 3, &mut scores);
        scores
    }

    fn study_steps(
        &mut self,
        lesson: &Lesson,
        output: &[f32],
        chance: &mut Chance,
        explore: bool,
        mistakes: &mut Mistakes,
    ) -> Vec<f32> {
        let (words, width) = (lesson.seen.len(), self.sizes.step);
        let ready = self.places.apply(output);
        let mut back = vec![0.0; ready.len()];
        let gold = Gold::new(&lesson.heads);
        let mut state = State::default();
        state.start(words);
        let mut inner = vec![0.0; width];
        while !state.is_done() {
            let filled = places(&state);
            self.inner(&ready, filled, words, &mut inner);
            let scores = self.scores(&inner);
            let allowed = state.allowed();
            let good = cheapest(gold.costs(&state), allowed);
            let (chances, best) = shares(scores, allowed);
            mistakes.steps += usize::from(!good[best as usize]);
            let right: f32 = (0..3).filter(|&at| good[at]).map(|at| chances[at]).sum();
            let wanted: [f32; 3] =
                std::array::from_fn(|at| if good[at] { chances[at] / right.max(1e-9) } else { 0.0 });
            let slope: [f32; 3] =
                std::array::from_fn(|at| if allowed[at] { chances[at] - wanted[at] } else { 0.0 });
            if slope.iter().any(|slope| slope.abs() > 1e-4) {
                self.steps_back(&inner, slope, filled, words, &mut back);
            }
            let pick = if explore { chances } else { wanted };
            let mut drawn = chance.share();
            let step = Step::ALL.into_iter().find(|step| {
                drawn -= pick[*step as usize];
                drawn < 0.0 && allowed[*step as usize]
            });
            state.take(step.unwrap_or(best));
        }
        self.places.back(output, &back)
    }

    fn steps_back(
        &mut self,
        inner: &[f32],
        slope: [f32; 3],
        filled: [usize; PLACES],
        words: usize,
        back: &mut [f32],
    ) {
        let width = self.sizes.step;
        multiply_transposed(inner, width, &slope, 3, &mut self.steps.weights.slope);
        add(&mut self.steps.constant.slope, &slope);
        let below: Vec<f32> = inner
            .iter()
            .zip(self.steps.weights.value.chunks_exact(3))
            .map(|(inner, row)| {
                let sum: f32 = row.iter().zip(&slope).map(|(weight, slope)| weight * slope).sum();
                if *inner > 0.0 { sum } else { 0.0 }
            })
            .collect();
        for (place, &word) in filled.iter().enumerate() {
            let into = match word {
                NONE => &mut self.special.slope[place * width..],
                word if word == words => &mut self.special.slope[(PLACES + place) * width..],
                word => &mut back[(word * PLACES + place) * width..],
            };
            add(&mut into[..width], &below);
        }
    }

    /// One step of all parameters down their slopes.
    pub(super) fn learn(&mut self, rate: f32) {
        self.time += 1.0;
        let time = self.time;
        for table in [&mut self.words, &mut self.suffixes, &mut self.tags, &mut self.shapes] {
            table.learn(rate, time);
        }
        for matrix in [&mut self.special, &mut self.root, &mut self.distances] {
            matrix.learn(rate, time);
        }
        for map in self.layers.iter_mut().chain([
            &mut self.places,
            &mut self.steps,
            &mut self.head,
            &mut self.dependent,
            &mut self.labels,
            &mut self.tagger,
        ]) {
            map.learn(rate, time);
        }
    }
}

/// Nothing below zero.
fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

/// Makes scores the slopes of the cross entropy, row by row, and counts the rows whose highest score is not the truth.
fn soft(scores: &mut [f32], columns: usize, truth: &[usize]) -> usize {
    let mut mistakes = 0;
    for (row, &truth) in scores.chunks_exact_mut(columns).zip(truth) {
        let highest = row.iter().copied().fold(f32::MIN, f32::max);
        mistakes += usize::from(row[truth] < highest);
        for score in row.iter_mut() {
            *score = (*score - highest).exp();
        }
        let sum: f32 = row.iter().sum();
        for score in row.iter_mut() {
            *score /= sum;
        }
        row[truth] -= 1.0;
    }
    mistakes
}

/// The probabilities of the steps that are possible, and the best of them.
fn shares(scores: [f32; 3], allowed: [bool; 3]) -> ([f32; 3], Step) {
    let mut best: Option<Step> = None;
    for step in Step::ALL.into_iter().filter(|step| allowed[*step as usize]) {
        if best.is_none_or(|best| scores[step as usize] > scores[best as usize]) {
            best = Some(step);
        }
    }
    let best = best.unwrap_or(Step::Left);
    let powers: [f32; 3] =
        std::array::from_fn(|at| if allowed[at] { (scores[at] - scores[best as usize]).exp() } else { 0.0 });
    let sum: f32 = powers.iter().sum();
    (powers.map(|power| power / sum), best)
}
