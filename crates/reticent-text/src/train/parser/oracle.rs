//! What the right steps are, from any state: the dynamic oracle of Goldberg and Nivre (2013) for arc-hybrid.

use crate::parse::transition::{NONE, State, Step};

/// A tree as a teacher sees it: the head of each word, the number of words being the root.
pub(super) struct Gold<'a> {
    heads: &'a [usize],
    /// The words whose head is this one, for each word and the root.
    children: Vec<Vec<usize>>,
}

impl<'a> Gold<'a> {
    pub(super) fn new(heads: &'a [usize]) -> Self {
        let mut children = vec![Vec::new(); heads.len() + 1];
        for (word, &head) in heads.iter().enumerate() {
            children[head].push(word);
        }
        Self { heads, children }
    }

    /// How many relations each step would make impossible.
    pub(super) fn costs(&self, state: &State) -> [usize; 3] {
        let (top, second, next) = (state.stack(0), state.stack(1), state.next());
        let shift = if next < self.heads.len() {
            let head = self.heads[next];
            let lost = usize::from(head != top && state.waiting().contains(&head));
            lost + self.children[next].iter().filter(|child| state.waiting().contains(child)).count()
        } else {
            usize::MAX
        };
        if top == NONE {
            return [shift, usize::MAX, usize::MAX];
        }
        let head = self.heads[top];
        let children = self.children[top].iter().filter(|child| **child >= next).count();
        let left = usize::from(head != next && (head == second || head > next)) + children;
        let right = usize::from(head != second && head >= next) + children;
        [shift, left, right]
    }
}

/// Lifts words whose relation crosses another to the head of their head, until none crosses. Returns how many were lifted.
pub(super) fn lift(heads: &mut [usize]) -> usize {
    let root = heads.len();
    let mut lifted = 0;
    loop {
        let mut crossing: Option<(usize, usize)> = None;
        for word in 0..root {
            let head = heads[word];
            if head == root {
                continue;
            }
            let (low, high) = (word.min(head), word.max(head));
            let inside = (low + 1..high).all(|between| {
                let mut at = between;
                // A tree: the way up ends at the root.
                while at != root && at != head {
                    at = heads[at];
                }
                at == head
            });
            if !inside && crossing.is_none_or(|(_, length)| high - low < length) {
                crossing = Some((word, high - low));
            }
        }
        let Some((word, _)) = crossing else { return lifted };
        heads[word] = heads[heads[word]];
        lifted += 1;
    }
}

/// The step with the lowest cost among those that are possible.
pub(super) fn cheapest(costs: [usize; 3], allowed: [bool; 3]) -> [bool; 3] {
    let least =
        Step::ALL.iter().filter(|step| allowed[**step as usize]).map(|step| costs[*step as usize]).min();
    std::array::from_fn(|at| allowed[at] && Some(costs[at]) == least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_steps_give_the_tree() {
        // «She said that he left» and others; 5 or 4 is the root.
        for heads in [vec![1, 5, 4, 4, 1], vec![5, 0, 1, 2, 3], vec![1, 2, 3, 4, 5], vec![1, 4, 3, 1]] {
            let gold = Gold::new(&heads);
            let mut state = State::default();
            state.start(heads.len());
            while !state.is_done() {
                let good = cheapest(gold.costs(&state), state.allowed());
                let step = Step::ALL.into_iter().find(|step| good[*step as usize]).unwrap();
                assert_eq!(gold.costs(&state)[step as usize], 0);
                state.take(step);
            }
            assert_eq!(state.heads, heads);
        }
    }

    #[test]
    fn costs_are_what_is_lost() {
        // From every state that can be reached, the cost of a step is the difference of what can still be right.
        fn best(state: &State, gold: &[usize]) -> usize {
            if state.is_done() {
                return state.heads.iter().zip(gold).filter(|(found, gold)| found == gold).count();
            }
            let allowed = state.allowed();
            Step::ALL
                .into_iter()
                .filter(|step| allowed[*step as usize])
                .map(|step| best(&after(state, step), gold))
                .max()
                .unwrap()
        }
        fn after(state: &State, step: Step) -> State {
            let mut copy = state.copied();
            copy.take(step);
            copy
        }
        let heads = [1, 5, 4, 4, 1];
        let gold = Gold::new(&heads);
        let mut start = State::default();
        start.start(5);
        let mut waiting = vec![start];
        while let Some(state) = waiting.pop() {
            let (now, allowed) = (best(&state, &heads), state.allowed());
            let (costs, root_free) = (gold.costs(&state), state.next() < 5);
            for step in Step::ALL.into_iter().filter(|step| allowed[*step as usize]) {
                let next = after(&state, step);
                if root_free {
                    // At the end, the one root is taken by what is left, which costs do not count.
                    assert!(now - best(&next, &heads) >= usize::from(costs[step as usize] > 0), "{step:?}");
                }
                waiting.push(next);
            }
        }
    }

    #[test]
    fn lifts_what_crosses() {
        let mut heads = vec![2, 3, 4, 2];
        assert_eq!(lift(&mut heads), 1);
        assert_eq!(heads, [2, 2, 4, 2]);
        let mut plain = vec![1, 2, 3];
        assert_eq!(lift(&mut plain), 0);
    }
}
