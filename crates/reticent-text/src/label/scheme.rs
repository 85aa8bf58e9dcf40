//! States of a token: outside of anything, at the beginning of something, or inside it (BIO, IOB2).

use std::ops::Range;

use crate::{Error, ErrorKind};

/// The kinds of things that a labeller tells apart. State 0 is outside; kind `k` begins with state
/// `2k + 1` and goes on with `2k + 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    kinds: Vec<String>,
}

/// A run of tokens of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which tokens.
    pub tokens: Range<usize>,
    /// Which kind, as a number of the scheme.
    pub kind: usize,
}

impl Scheme {
    /// Outside.
    pub const OUTSIDE: usize = 0;

    /// Of these kinds, sorted and without doubles.
    pub fn new(kinds: impl IntoIterator<Item = String>) -> Result<Self, Error> {
        let mut kinds: Vec<String> = kinds.into_iter().collect();
        kinds.sort();
        kinds.dedup();
        if kinds.is_empty() {
            return Err(Error::new(ErrorKind::Model, "the training data has no entities"));
        }
        if kinds.len() > 120 {
            let message = format!("there are {} entity types; at most 120 are supported", kinds.len());
            return Err(Error::new(ErrorKind::Model, message));
        }
        Ok(Self { kinds })
    }

    /// The names of the kinds.
    #[must_use]
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// The number of a kind.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<usize> {
        self.kinds.binary_search_by(|kind| kind.as_str().cmp(name)).ok()
    }

    /// Returns the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        2 * self.kinds.len() + 1
    }

    /// The state at the beginning of a kind.
    #[must_use]
    pub fn begin(kind: usize) -> usize {
        2 * kind + 1
    }

    /// The state inside a kind.
    #[must_use]
    pub fn inside(kind: usize) -> usize {
        2 * kind + 2
    }

    /// Returns whether a state may follow another: nothing is inside that did not begin. Before the first
    /// token all is outside.
    #[must_use]
    pub fn may_follow(before: usize, state: usize) -> bool {
        state == Self::OUTSIDE || state % 2 == 1 || before == state || before + 1 == state
    }

    /// The states of `length` tokens with these runs, which do not overlap.
    #[must_use]
    pub fn states_of(length: usize, runs: &[Run]) -> Vec<u8> {
        let mut states = vec![0; length];
        for run in runs {
            for token in run.tokens.clone() {
                let state =
                    if token == run.tokens.start { Self::begin(run.kind) } else { Self::inside(run.kind) };
                states[token] = u8::try_from(state).unwrap_or(u8::MAX);
            }
        }
        states
    }

    /// The runs that states tell. A state inside that nothing began is taken to begin.
    #[must_use]
    pub fn runs(states: &[u8]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (token, state) in states.iter().map(|state| usize::from(*state)).enumerate() {
            if state == Self::OUTSIDE {
                continue;
            }
            let kind = (state - 1) / 2;
            match runs.last_mut() {
                Some(run) if state % 2 == 0 && run.tokens.end == token && run.kind == kind => {
                    run.tokens.end += 1;
                }
                _ => runs.push(Run { tokens: token..token + 1, kind }),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_is_inside_that_did_not_begin() {
        let (begin, inside, other) = (Scheme::begin(1), Scheme::inside(1), Scheme::inside(0));
        assert!(Scheme::may_follow(begin, inside) && Scheme::may_follow(inside, inside));
        assert!(!Scheme::may_follow(0, inside) && !Scheme::may_follow(begin, other));
        assert!(Scheme::may_follow(inside, 0) && Scheme::may_follow(inside, begin));
    }

    #[test]
    fn refuses_nothing_and_too_much() {
        assert!(Scheme::new([]).is_err());
        assert!(Scheme::new((0..121).map(|number| format!("k{number:03}"))).is_err());
    }

    proptest! {
        #[test]
        fn runs_come_back(lengths in prop::collection::vec((1usize..4, 0usize..3, 0usize..3), 0..8)) {
            let (mut runs, mut at) = (Vec::new(), 0);
            for (length, kind, gap) in lengths {
                at += gap;
                runs.push(Run { tokens: at..at + length, kind });
                at += length;
            }
            prop_assert_eq!(Scheme::runs(&Scheme::states_of(at + 1, &runs)), runs);
        }
    }
}
