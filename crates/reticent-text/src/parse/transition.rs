//! The arc-hybrid transition system: a tree is built by 2n - 1 steps, each of constant cost.

/// A step of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Moves the next word onto the stack.
    Shift,
    /// Makes the next word the head of the topmost one, and removes that.
    Left,
    /// Makes the second word of the stack the head of the topmost one, and removes that.
    Right,
}

impl Step {
    pub(crate) const ALL: [Self; 3] = [Self::Shift, Self::Left, Self::Right];
}

/// No word: an empty place of the stack.
pub(crate) const NONE: usize = usize::MAX;

/// How far a parse is. The root stands after the last word.
#[derive(Default)]
pub(crate) struct State {
    words: usize,
    stack: Vec<usize>,
    next: usize,
    /// The head of each word; [`NONE`] if it has none yet, the number of words for the root.
    pub(crate) heads: Vec<usize>,
    /// The last child that each word has got on its left and on its right, the outermost one.
    outer: Vec<[usize; 2]>,
}

impl State {
    pub(crate) fn start(&mut self, words: usize) {
        self.words = words;
        self.stack.clear();
        self.next = 0;
        self.heads.clear();
        self.heads.resize(words, NONE);
        self.outer.clear();
        self.outer.resize(words + 1, [NONE; 2]);
    }

    /// The word at a depth of the stack, the topmost one being 0.
    pub(crate) fn stack(&self, depth: usize) -> usize {
        self.stack.len().checked_sub(depth + 1).map_or(NONE, |at| self.stack[at])
    }

    /// The outermost child that a word has on its left (0) or right (1) so far.
    pub(crate) fn outer(&self, word: usize, side: usize) -> usize {
        self.outer.get(word).map_or(NONE, |outer| outer[side])
    }

    /// The words that wait on the stack, the topmost one last.
    pub(crate) fn waiting(&self) -> &[usize] {
        &self.stack
    }

    /// The next word, or the root.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    #[cfg(test)]
    pub(crate) fn copied(&self) -> Self {
        let (stack, heads, outer) = (self.stack.clone(), self.heads.clone(), self.outer.clone());
        Self { words: self.words, stack, next: self.next, heads, outer }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.next == self.words && self.stack.is_empty()
    }

    /// Tells which steps are possible. At least one is, until the parse is done. A tree has one root only.
    pub(crate) fn allowed(&self) -> [bool; 3] {
        let at_end = self.next == self.words;
        let left = if at_end { self.stack.len() == 1 } else { !self.stack.is_empty() };
        [!at_end, left, self.stack.len() >= 2]
    }

    pub(crate) fn take(&mut self, step: Step) {
        match step {
            Step::Shift => {
                self.stack.push(self.next);
                self.next += 1;
            }
            Step::Left => {
                if let Some(word) = self.stack.pop() {
                    self.heads[word] = self.next;
                    self.outer[self.next][0] = word;
                }
            }
            Step::Right => {
                let head = self.stack(1);
                if let Some(word) = self.stack.pop() {
                    self.heads[word] = head;
                    self.outer[head][1] = word;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_steps_end_with_one_root_and_no_crossing() {
        for seed in 0..200_u64 {
            let words = 1 + (seed % 12) as usize;
            let (mut state, mut chance, mut steps) = (State::default(), seed * 2_654_435_761 + 1, 0);
            state.start(words);
            while !state.is_done() {
                let allowed = state.allowed();
                let possible: Vec<_> = Step::ALL.into_iter().filter(|step| allowed[*step as usize]).collect();
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                state.take(possible[(chance >> 33) as usize % possible.len()]);
                steps += 1;
            }
            assert_eq!(steps, 2 * words);
            assert_eq!(state.heads.iter().filter(|head| **head == words).count(), 1);
            for (one, &head) in state.heads.iter().enumerate() {
                let (low, high) = (one.min(head), one.max(head));
                for other in low + 1..high {
                    assert!((low..=high).contains(&state.heads[other]), "{:?}", state.heads);
                }
            }
        }
    }
}
