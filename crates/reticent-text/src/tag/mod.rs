//! Part-of-speech tags, the model that finds them, and the words it sees.
//!
//! English has the tags of the Penn Treebank, Spanish those of CoNLL-2002 (EAGLES). Both share
//! one small type, [`Tag`], whose [`Pos`] is the same for both.

mod features;
mod repair;
mod tagger;
pub(crate) mod weights;
mod words;

pub(crate) use features::{ROOM as FEATURE_ROOM, features};
pub use tagger::Tagger;
pub(crate) use tagger::{Lexicon, OUR_DOMAIN, Reader, Room, Writer, best};
pub(crate) use words::{Case, Word, Words, written};

use std::fmt;

/// What a word does in its sentence, whatever the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pos {
    /// A common noun.
    Noun,
    /// A name.
    ProperNoun,
    /// An adjective.
    Adjective,
    /// A number in figures or words.
    Number,
    /// A word of another language.
    Foreign,
    /// A verb or an auxiliary.
    Verb,
    /// An article or another determiner, possessives included.
    Determiner,
    /// A pronoun.
    Pronoun,
    /// A preposition.
    Preposition,
    /// A conjunction.
    Conjunction,
    /// An adverb or a particle.
    Adverb,
    /// The possessive ending.
    Possessive,
    /// Punctuation, brackets, quotes.
    Punctuation,
    /// A currency or another sign.
    Symbol,
    /// Anything else, and every word of a language without a model.
    Other,
}

/// A part-of-speech tag.
///
/// ```
/// use reticent_text::{Pos, Tag};
/// let tag = Tag::from_name("NNP").unwrap();
/// assert_eq!((tag.name(), tag.pos()), ("NNP", Pos::ProperNoun));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(u8);

impl Tag {
    /// What a word has that no model has looked at.
    pub const UNKNOWN: Self = Self(0);

    /// The tag of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let at = TAGS.iter().position(|(known, _)| *known == name)?;
        u8::try_from(at).ok().map(Self)
    }

    /// Its name in its tag set: `NNP`, `NC`.
    #[must_use]
    pub fn name(self) -> &'static str {
        TAGS[usize::from(self.0)].0
    }

    /// Its number, as a value of a feature.
    pub(crate) fn number(self) -> u8 {
        self.0
    }

    /// What it means.
    #[must_use]
    pub fn pos(self) -> Pos {
        TAGS[usize::from(self.0)].1
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Both tag sets. A name that both have (`CC`, `DT`) means the same in both.
const TAGS: &[(&str, Pos)] = &[
    ("X", Pos::Other),
    ("CC", Pos::Conjunction),
    ("CD", Pos::Number),
    ("DT", Pos::Determiner),
    ("EX", Pos::Pronoun),
    ("FW", Pos::Foreign),
    ("IN", Pos::Preposition),
    ("JJ", Pos::Adjective),
    ("JJR", Pos::Adjective),
    ("JJS", Pos::Adjective),
    ("LS", Pos::Other),
    ("MD", Pos::Verb),
    ("NN", Pos::Noun),
    ("NNP", Pos::ProperNoun),
    ("NNPS", Pos::ProperNoun),
    ("NNS", Pos::Noun),
    ("PDT", Pos::Determiner),
    ("POS", Pos::Possessive),
    ("PRP", Pos::Pronoun),
    ("PRP$", Pos::Determiner),
    ("RB", Pos::Adverb),
    ("RBR", Pos::Adverb),
    ("RBS", Pos::Adverb),
    ("RP", Pos::Adverb),
    ("SYM", Pos::Symbol),
    ("TO", Pos::Preposition),
    ("UH", Pos::Other),
    ("VB", Pos::Verb),
    ("VBD", Pos::Verb),
    ("VBG", Pos::Verb),
    ("VBN", Pos::Verb),
    ("VBP", Pos::Verb),
    ("VBZ", Pos::Verb),
    ("WDT", Pos::Determiner),
    ("WP", Pos::Pronoun),
    ("WP$", Pos::Determiner),
    ("WRB", Pos::Adverb),
    ("#", Pos::Symbol),
    ("$", Pos::Symbol),
    ("''", Pos::Punctuation),
    ("``", Pos::Punctuation),
    ("(", Pos::Punctuation),
    (")", Pos::Punctuation),
    (",", Pos::Punctuation),
    (".", Pos::Punctuation),
    (":", Pos::Punctuation),
    ("AO", Pos::Adjective),
    ("AQ", Pos::Adjective),
    ("CS", Pos::Conjunction),
    ("DA", Pos::Determiner),
    ("DD", Pos::Determiner),
    ("DE", Pos::Determiner),
    ("DI", Pos::Determiner),
    ("DN", Pos::Number),
    ("DP", Pos::Determiner),
    ("Faa", Pos::Punctuation),
    ("Fat", Pos::Punctuation),
    ("Fc", Pos::Punctuation),
    ("Fd", Pos::Punctuation),
    ("Fe", Pos::Punctuation),
    ("Fg", Pos::Punctuation),
    ("Fh", Pos::Punctuation),
    ("Fia", Pos::Punctuation),
    ("Fit", Pos::Punctuation),
    ("Fp", Pos::Punctuation),
    ("Fpa", Pos::Punctuation),
    ("Fpt", Pos::Punctuation),
    ("Fs", Pos::Punctuation),
    ("Ft", Pos::Punctuation),
    ("Fx", Pos::Punctuation),
    ("Fz", Pos::Symbol),
    ("I", Pos::Other),
    ("NC", Pos::Noun),
    ("NP", Pos::ProperNoun),
    ("P0", Pos::Pronoun),
    ("PD", Pos::Pronoun),
    ("PI", Pos::Pronoun),
    ("PN", Pos::Number),
    ("PP", Pos::Pronoun),
    ("PR", Pos::Pronoun),
    ("PT", Pos::Pronoun),
    ("PX", Pos::Pronoun),
    ("RG", Pos::Adverb),
    ("RN", Pos::Adverb),
    ("SP", Pos::Preposition),
    ("VAG", Pos::Verb),
    ("VAI", Pos::Verb),
    ("VAM", Pos::Verb),
    ("VAN", Pos::Verb),
    ("VAP", Pos::Verb),
    ("VAS", Pos::Verb),
    ("VMG", Pos::Verb),
    ("VMI", Pos::Verb),
    ("VMM", Pos::Verb),
    ("VMN", Pos::Verb),
    ("VMP", Pos::Verb),
    ("VMS", Pos::Verb),
    ("VSG", Pos::Verb),
    ("VSI", Pos::Verb),
    ("VSM", Pos::Verb),
    ("VSN", Pos::Verb),
    ("VSP", Pos::Verb),
    ("VSS", Pos::Verb),
    ("Y", Pos::Noun),
    ("Z", Pos::Number),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_tag() {
        for (name, pos) in TAGS {
            let tag = Tag::from_name(name).unwrap();
            assert_eq!((tag.name(), tag.pos()), (*name, *pos));
        }
        assert_eq!(Tag::from_name("HYPH"), None);
    }
}
