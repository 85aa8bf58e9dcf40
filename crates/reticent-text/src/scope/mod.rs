//! Operators, their scope, and the polarity of each word.
//!
//! An operator is a word that decides how far a statement holds: a negation, a quantifier, an exclusive (*only*, *first*), a
//! hedge, a modal, a comparative, a conditional. In its scope a broader word may make a true statement false: *has HIV* entails
//! *has a virus*, *has never had HIV* does not entail *has never had a virus*. [`Polarity`] says for each word which it is (van
//! Benthem 1986; `MacCartney` and Manning 2009).
//!
//! The rules are data: `operators.toml`, whose records hold their own tests.

mod find;
mod reach;
mod rule;

use crate::parse::Tree;
use crate::{Error, Language};

/// What kind of operator it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OperatorKind {
    /// `not`, `no`, `without`, `deny`.
    Negation,
    /// `every`, `few`, `at most three`.
    Quantifier,
    /// `only`, `first`, `former`, superlatives.
    Exclusive,
    /// `alleged`, `probably`.
    Hedge,
    /// `may`, `must`.
    Modal,
    /// `than`, `too … to`.
    Comparative,
    /// `if`, `unless`, `whether`.
    Conditional,
    /// A question asserts nothing.
    Question,
}

impl OperatorKind {
    /// Its name: `negation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Negation => "negation",
            Self::Quantifier => "quantifier",
            Self::Exclusive => "exclusive",
            Self::Hedge => "hedge",
            Self::Modal => "modal",
            Self::Comparative => "comparative",
            Self::Conditional => "conditional",
            Self::Question => "question",
        }
    }
}

/// Which replacements of a word keep a statement true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Polarity {
    /// A broader word does: `has a dog` entails `has an animal`.
    #[default]
    Upward,
    /// A narrower word does: `has no animal` entails `has no dog`.
    Downward,
    /// Neither does for certain: `the only doctor in the village`.
    NonMonotone,
}

impl Polarity {
    /// Its name: `upward`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Upward => "upward",
            Self::Downward => "downward",
            Self::NonMonotone => "non-monotone",
        }
    }

    /// The polarity of a place of this polarity inside a context of another.
    #[must_use]
    pub fn within(self, context: Self) -> Self {
        match (self, context) {
            (Self::NonMonotone, _) | (_, Self::NonMonotone) => Self::NonMonotone,
            (one, other) if one == other => Self::Upward,
            _ => Self::Downward,
        }
    }
}

/// An operator of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// What it is.
    pub kind: OperatorKind,
    /// The rule that found it.
    pub rule: &'static str,
    /// Its words.
    pub words: std::ops::Range<usize>,
    /// The words in its scope, in order, each with the polarity that the operator gives it.
    pub scope: Vec<(usize, Polarity)>,
}

/// The operators of a tree, and the polarity of its words.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// The operators in the order of the text.
    pub operators: Vec<Operator>,
    /// The polarity of each word, all operators taken together.
    pub polarity: Vec<Polarity>,
}

impl Scopes {
    /// The operators and polarities of the tree of a segment. There are rules for English only: in any other language no
    /// operator is known, and every word is [`Polarity::NonMonotone`]. So is every word of a segment of more than 512 words, whose
    /// operators have no scope.
    ///
    /// ```
    /// use reticent_text::parse::Syntax;
    /// use reticent_text::scope::{Polarity, Scopes};
    /// use reticent_text::{Analyzer, Document};
    /// let document = Document::plain("note", "He has never had a stroke.");
    /// let layers = Analyzer::shipped()?.analyze(&document, None)?;
    /// let syntax = Syntax::new(&document, &layers)?;
    /// let tree = syntax.tree(0).unwrap();
    /// let scopes = Scopes::of(tree, document.text(), layers.language)?;
    /// assert_eq!(scopes.polarity[5], Polarity::Downward);
    /// assert_eq!(scopes.polarity[0], Polarity::Upward);
    /// # Ok::<(), reticent_text::Error>(())
    /// ```
    pub fn of(tree: &Tree, text: &str, language: Language) -> Result<Self, Error> {
        if language != Language::English {
            return Ok(Self { operators: Vec::new(), polarity: vec![Polarity::NonMonotone; tree.len()] });
        }
        Ok(find::scopes(rule::rules()?, tree, text))
    }
}

#[cfg(test)]
mod tests;
