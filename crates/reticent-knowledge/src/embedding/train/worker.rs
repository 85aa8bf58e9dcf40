//! What one thread does: its share of the sentences, window by window.

use std::sync::atomic::Ordering;

use super::Job;
use super::kernel::{BLOCK, Chunks, Step, step};
use super::matrix::Chunk;
use super::sample::Random;

/// So many middle terms are worked on before copies go back.
const STRETCH: usize = 64;

/// So many neighbours of a term share the terms drawn by chance: fewer would be slower, all lose recall.
const SHARED: usize = 5;

/// The learning rate never falls below this share of itself at the start.
const LEAST_RATE: f32 = 0.004;

pub(super) struct Worker<'a> {
    job: &'a Job<'a>,
    random: Random,
    /// The sentence without terms that are passed over.
    kept: Vec<u32>,
    /// The term that each copy is of.
    copied: Vec<u32>,
    /// For each term of the stretch, its copy.
    slots: Vec<usize>,
    /// Copies of input rows, as they were and as they are.
    before: Vec<Chunk>,
    now: Vec<Chunk>,
    outputs: Vec<Chunks>,
    window: Vec<usize>,
    gradients: Vec<[f32; BLOCK]>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(job: &'a Job<'a>, thread: u64) -> Self {
        Self {
            job,
            random: Random::new(
                job.options.seed.wrapping_add(1).wrapping_mul(0x1234_5678_9ABC).wrapping_add(thread),
            ),
            kept: Vec::new(),
            copied: Vec::new(),
            slots: Vec::new(),
            before: Vec::new(),
            now: Vec::new(),
            outputs: vec![[[0.0; 8]; BLOCK]; job.inputs.chunks()],
            window: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// All epochs over this thread's share of the sentences.
    pub(super) fn run(&mut self, thread: usize, threads: usize) {
        let stream = self.job.stream;
        let count = stream.ends.len();
        let (first, last) = (count * thread / threads, count * (thread + 1) / threads);
        let start_of = |sentence: usize| if sentence == 0 { 0 } else { stream.ends[sentence - 1] };
        let total = self.job.total() as f32;
        for _ in 0..self.job.options.epochs {
            for sentence in first..last {
                let terms = &stream.ids[start_of(sentence)..stream.ends[sentence]];
                let done = self.job.done.fetch_add(terms.len() as u64, Ordering::Relaxed);
                let left = 1.0 - done as f32 / total;
                self.sentence(terms, self.job.options.rate * left.max(LEAST_RATE));
            }
        }
    }

    fn sentence(&mut self, terms: &[u32], rate: f32) {
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        let stays = &self.job.stays;
        kept.extend(terms.iter().filter(|term| {
            stays.is_empty() || stays[**term as usize] >= 1.0 || self.random.unit() < stays[**term as usize]
        }));
        let reach = self.job.options.window;
        let mut first = 0;
        while first < kept.len() {
            let end = (first + STRETCH).min(kept.len());
            let (from, to) = (first.saturating_sub(reach), (end + reach).min(kept.len()));
            self.stretch(&kept[from..to], first - from..end - from, rate);
            first = end;
        }
        self.kept = kept;
    }

    /// Works on the windows around the middle terms, in copies of all input rows that take part.
    fn stretch(&mut self, terms: &[u32], middles: std::ops::Range<usize>, rate: f32) {
        let job = self.job;
        let frozen = |term: u32| (term as usize) < job.frozen;
        if terms.len() < 2 || terms.iter().all(|term| frozen(*term)) {
            return;
        }
        self.copy(terms);
        let most = u32::try_from(job.options.window).unwrap_or(u32::MAX);
        for middle in middles {
            let reach = 1 + self.random.below(most) as usize;
            let (from, to) = (middle.saturating_sub(reach), (middle + reach + 1).min(terms.len()));
            self.window.clear();
            for at in (from..to).filter(|at| *at != middle) {
                // Where neither side may change there is nothing to learn.
                if !(frozen(terms[at]) && frozen(terms[middle])) {
                    self.window.push(self.slots[at]);
                }
            }
            let window = std::mem::take(&mut self.window);
            for shared in window.chunks(SHARED) {
                self.learn(terms[middle], shared, rate);
            }
            self.window = window;
        }
        self.give_back();
    }

    /// The terms of the window against the middle one, and against some drawn by chance.
    fn learn(&mut self, middle: u32, window: &[usize], rate: f32) {
        let job = self.job;
        let mut left = job.options.negative + 1;
        let mut is_first = true;
        while left > 0 {
            let mut targets = [u32::MAX; BLOCK];
            let mut labels = [None; BLOCK];
            for at in 0..left.min(BLOCK) {
                let positive = is_first && at == 0;
                let target = if positive { middle } else { job.sampler.draw(&mut self.random) };
                // A term drawn twice, or the middle one itself, is left out.
                if !positive && (target == middle || targets[..at].contains(&target)) {
                    continue;
                }
                targets[at] = target;
                labels[at] = Some(if positive { 1.0 } else { 0.0 });
                job.outputs.read(target as usize, self.outputs.iter_mut().map(|chunks| &mut chunks[at]));
            }
            step(
                Step {
                    inputs: &mut self.now,
                    slots: window,
                    outputs: &mut self.outputs,
                    labels: &labels,
                    rate,
                    gradients: &mut self.gradients,
                },
                &job.sigmoid,
            );
            for (at, target) in targets.iter().enumerate() {
                if labels[at].is_some() && *target as usize >= job.frozen {
                    job.outputs.write(*target as usize, self.outputs.iter().map(|chunks| &chunks[at]));
                }
            }
            left -= left.min(BLOCK);
            is_first = false;
        }
    }

    /// Copies the input row of each term once.
    fn copy(&mut self, terms: &[u32]) {
        let chunks = self.job.inputs.chunks();
        self.copied.clear();
        self.slots.clear();
        for term in terms {
            let slot = self.copied.iter().position(|copied| copied == term).unwrap_or_else(|| {
                self.copied.push(*term);
                self.copied.len() - 1
            });
            self.slots.push(slot);
        }
        self.before.resize(self.copied.len() * chunks, [0.0; 8]);
        for (term, copy) in self.copied.iter().zip(self.before.chunks_exact_mut(chunks)) {
            self.job.inputs.read(*term as usize, copy.iter_mut());
            if let Some(parts) = self.job.subwords.get(*term as usize) {
                add_parts(self.job, parts, copy);
            }
        }
        self.now.clear();
        self.now.extend_from_slice(&self.before);
    }

    /// What changed in the copies goes to the rows.
    fn give_back(&mut self) {
        let chunks = self.job.inputs.chunks();
        let changes = self.before.chunks_exact(chunks).zip(self.now.chunks_exact(chunks));
        for (term, (before, now)) in self.copied.iter().zip(changes) {
            if (*term as usize) < self.job.frozen {
                continue;
            }
            self.job.inputs.add(*term as usize, before, now);
            for part in self.job.subwords.get(*term as usize).into_iter().flatten() {
                self.job.inputs.add(*part as usize, before, now);
            }
        }
    }
}

/// The mean of a term's own row and those of its sequences of letters.
fn add_parts(job: &Job<'_>, parts: &[u32], copy: &mut [Chunk]) {
    let mut row = vec![[0.0; 8]; copy.len()];
    for part in parts {
        job.inputs.read(*part as usize, row.iter_mut());
        copy.as_flattened_mut().iter_mut().zip(row.as_flattened()).for_each(|(sum, x)| *sum += x);
    }
    let count = (parts.len() + 1) as f32;
    for x in copy.as_flattened_mut() {
        *x /= count;
    }
}
