//! Lines as the network reads them: many at once, without padding.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::operations::Neighbours;
use super::vocabulary::Vocabulary;

/// How the rows of a batch lie: the longest line first; the first tokens of all lines, then all second
/// ones, and so on. So the lines that have a token at a step are always the first ones.
pub(super) struct Steps {
    lengths: Vec<usize>,
    /// Where the rows of each step begin, and where the last end.
    starts: Vec<usize>,
}

impl Steps {
    /// Of lines with so many tokens, the longest first; none is empty.
    pub(super) fn new(lengths: Vec<usize>) -> Self {
        let mut starts = vec![0];
        let mut active = lengths.len();
        for step in 0..lengths.first().copied().unwrap_or(0) {
            while lengths[active - 1] <= step {
                active -= 1;
            }
            starts.push(starts[step] + active);
        }
        Self { lengths, starts }
    }

    /// How many steps.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many lines.
    pub(super) fn lines(&self) -> usize {
        self.lengths.len()
    }

    /// How many tokens.
    pub(super) fn count(&self) -> usize {
        self.starts[self.len()]
    }

    /// The rows of a step.
    pub(super) fn rows(&self, step: usize) -> Range<usize> {
        self.starts[step]..self.starts[step + 1]
    }

    /// How many lines have a token at both steps.
    pub(super) fn shared(&self, one: usize, other: usize) -> usize {
        self.rows(one).len().min(self.rows(other).len())
    }

    /// The rows of a line's tokens.
    pub(super) fn rows_of(&self, line: usize) -> Vec<usize> {
        (0..self.lengths[line]).map(|step| self.starts[step] + line).collect()
    }
}

/// A batch, ready to be read.
pub(super) struct Batch {
    pub(super) steps: Arc<Steps>,
    /// Which line of those given stands at which place.
    pub(super) order: Vec<usize>,
    /// The different words, as rows of the vocabulary, and which of them each token is.
    pub(super) words: Vec<u32>,
    pub(super) word_of: Vec<u32>,
    /// The characters of all different tokens, which belong to which, and which of them each token is.
    pub(super) characters: Vec<u32>,
    pub(super) spelling: Arc<Vec<Range<usize>>>,
    pub(super) beside: Arc<Neighbours>,
    pub(super) spelling_of: Vec<u32>,
    /// Which tokens stand beside each other.
    pub(super) around: Arc<Neighbours>,
}

impl Batch {
    /// Of lines that are not empty. `word` says which row of the vocabulary a token is.
    pub(super) fn new(lines: &[&[&str]], vocabulary: &Vocabulary, mut word: impl FnMut(&str) -> u32) -> Self {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|line| std::cmp::Reverse(lines[*line].len()));
        let steps = Steps::new(order.iter().map(|line| lines[*line].len()).collect());
        let count = steps.count();
        let mut batch = Self {
            words: Vec::new(),
            word_of: vec![0; count],
            characters: Vec::new(),
            spelling: Arc::default(),
            beside: Arc::new(Neighbours { before: Vec::new(), after: Vec::new() }),
            spelling_of: vec![0; count],
            around: Arc::new(Neighbours { before: vec![None; count], after: vec![None; count] }),
            steps: Arc::new(steps),
            order,
        };
        let mut known_words: HashMap<u32, u32> = HashMap::new();
        let mut known_spellings: HashMap<&str, u32> = HashMap::new();
        let mut spelling: Vec<Range<usize>> = Vec::new();
        let mut around = Neighbours { before: vec![None; count], after: vec![None; count] };
        for (place, line) in batch.order.iter().enumerate() {
            let rows = batch.steps.rows_of(place);
            for pair in rows.windows(2) {
                around.after[pair[0]] = Some(pair[1]);
                around.before[pair[1]] = Some(pair[0]);
            }
            for (row, token) in rows.into_iter().zip(lines[*line]) {
                let word = word(token);
                let next = u32::try_from(batch.words.len()).unwrap_or(u32::MAX);
                batch.word_of[row] = *known_words.entry(word).or_insert_with(|| {
                    batch.words.push(word);
                    next
                });
                let next = u32::try_from(spelling.len()).unwrap_or(u32::MAX);
                batch.spelling_of[row] = *known_spellings.entry(*token).or_insert_with(|| {
                    let start = batch.characters.len();
                    vocabulary.spell(token, &mut batch.characters);
                    spelling.push(start..batch.characters.len());
                    next
                });
            }
        }
        let characters = batch.characters.len();
        let mut beside = Neighbours { before: vec![None; characters], after: vec![None; characters] };
        for at in spelling.iter().flat_map(|range| range.start + 1..range.end) {
            beside.before[at] = Some(at - 1);
            beside.after[at - 1] = Some(at);
        }
        batch.spelling = Arc::new(spelling);
        batch.beside = Arc::new(beside);
        batch.around = Arc::new(around);
        batch
    }
}
