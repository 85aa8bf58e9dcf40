//! A dependency tree.

use std::ops::Range;

use super::{Relation, Upos};
use crate::{Span, Tag};

/// A word of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The span. Words follow each other; a token with a hyphen may hold several.
    pub span: Span,
    /// The part of speech of Universal Dependencies.
    pub upos: Upos,
    /// The tag of the language's tag set, as the parser sees it: it may differ from the token's.
    pub tag: Tag,
    /// The word that it depends on; `None` for the root.
    pub head: Option<usize>,
    /// What it is to its head.
    pub relation: Relation,
}

/// The dependency tree of a sentence, or of a part of one that stands for itself.
///
/// A tree has one root, no cycles and no crossing relations, so that each word and all below it lie in one range.
#[derive(Clone)]
pub struct Tree {
    words: Vec<Word>,
    /// All children, word by word, each in the order of the text.
    children: Vec<usize>,
    /// For each word where its children begin, and at the end how many there are.
    first_child: Vec<usize>,
    /// The range that each word and all below it take.
    ranges: Vec<(usize, usize)>,
    root: usize,
}

impl Tree {
    /// From words that form a tree without crossing relations, as a parser makes them.
    pub(crate) fn new(words: Vec<Word>) -> Self {
        let mut first_child = vec![0; words.len() + 1];
        for head in words.iter().filter_map(|word| word.head) {
            first_child[head + 1] += 1;
        }
        for at in 0..words.len() {
            first_child[at + 1] += first_child[at];
        }
        let mut next = first_child.clone();
        let mut children = vec![0; first_child[words.len()]];
        for (at, head) in words.iter().enumerate().filter_map(|(at, word)| Some((at, word.head?))) {
            children[next[head]] = at;
            next[head] += 1;
        }
        let root = words.iter().position(|word| word.head.is_none()).unwrap_or(0);
        let mut tree = Self { children, first_child, ranges: Vec::new(), root, words };
        let mut ranges: Vec<(usize, usize)> = (0..tree.words.len()).map(|at| (at, at + 1)).collect();
        for at in tree.bottom_up() {
            if let Some(head) = tree.words[at].head {
                ranges[head].0 = ranges[head].0.min(ranges[at].0);
                ranges[head].1 = ranges[head].1.max(ranges[at].1);
            }
        }
        tree.ranges = ranges;
        tree
    }

    /// The words in the order of the text.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// A word.
    ///
    /// # Panics
    /// If there is no such word.
    #[must_use]
    pub fn word(&self, at: usize) -> &Word {
        &self.words[at]
    }

    /// Returns the number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The word without a head.
    #[must_use]
    pub fn root(&self) -> usize {
        self.root
    }

    /// The words whose head is this one, in the order of the text.
    #[must_use]
    pub fn children(&self, at: usize) -> &[usize] {
        &self.children[self.first_child[at]..self.first_child[at + 1]]
    }

    /// The children with a relation, or a subtype of it.
    pub fn children_as<'a>(&'a self, at: usize, relation: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.children(at).iter().copied().filter(move |&child| self.words[child].relation.is(relation))
    }

    /// The range of a word and all below it.
    #[must_use]
    pub fn range(&self, at: usize) -> Range<usize> {
        self.ranges[at].0..self.ranges[at].1
    }

    /// Returns whether a word lies below another, or is it.
    #[must_use]
    pub fn is_below(&self, at: usize, above: usize) -> bool {
        self.range(above).contains(&at)
    }

    /// The heads of a word, from its own up to the root.
    pub fn above(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.words.get(at).and_then(|word| word.head), |&at| self.words[at].head)
    }

    /// The span of a range of words.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        match (self.words.get(range.start), range.end.checked_sub(1).and_then(|at| self.words.get(at))) {
            (Some(first), Some(last)) => first.span.join(last.span),
            _ => Span::new(0, 0),
        }
    }

    /// All words, each after its children.
    pub(crate) fn bottom_up(&self) -> Vec<usize> {
        let mut order = self.top_down();
        order.reverse();
        order
    }

    /// All words, each before its children.
    pub(crate) fn top_down(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.words.len());
        if self.words.is_empty() {
            return order;
        }
        order.push(self.root);
        let mut at = 0;
        while at < order.len() {
            order.extend_from_slice(self.children(order[at]));
            at += 1;
        }
        order
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("words", &self.words.len()).finish_non_exhaustive()
    }
}
