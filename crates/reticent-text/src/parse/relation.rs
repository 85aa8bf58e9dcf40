//! Universal Dependencies: relations and parts of speech.

use std::fmt;

/// A relation of Universal Dependencies: what a word is to its head.
///
/// ```
/// use reticent_text::parse::Relation;
/// let relation = Relation::from_name("nsubj:pass").unwrap();
/// assert_eq!((relation.name(), relation.universal()), ("nsubj:pass", "nsubj"));
/// assert!(relation.is("nsubj") && relation.is("nsubj:pass") && !relation.is("nsubj:outer"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation(u8);

impl Relation {
    /// The relation of a word without a head.
    pub const ROOT: Self = Self(0);
    /// A relation that could not be determined.
    pub const UNKNOWN: Self = Self(1);
    /// Punctuation.
    pub const PUNCTUATION: Self = Self(2);

    /// The relation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let at = RELATIONS.iter().position(|known| *known == name)?;
        u8::try_from(at).ok().map(Self)
    }

    /// Its name with its subtype: `nsubj:pass`.
    #[must_use]
    pub fn name(self) -> &'static str {
        RELATIONS[usize::from(self.0)]
    }

    /// Its name without a subtype: `nsubj`.
    #[must_use]
    pub fn universal(self) -> &'static str {
        self.name().split(':').next().unwrap_or_default()
    }

    /// Returns whether this is the relation of that name, or a subtype of it.
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        self.name() == name || (!name.contains(':') && self.universal() == name)
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// All relations of the treebanks. Models name theirs, so that this list may grow at its end.
const RELATIONS: &[&str] = &[
    "root",
    "dep",
    "punct",
    "acl",
    "acl:relcl",
    "advcl",
    "advcl:relcl",
    "advmod",
    "amod",
    "appos",
    "aux",
    "aux:pass",
    "case",
    "cc",
    "cc:preconj",
    "ccomp",
    "clf",
    "compound",
    "compound:prt",
    "conj",
    "cop",
    "csubj",
    "csubj:outer",
    "csubj:pass",
    "det",
    "det:predet",
    "discourse",
    "dislocated",
    "expl",
    "expl:pass",
    "expl:pv",
    "fixed",
    "flat",
    "goeswith",
    "iobj",
    "list",
    "mark",
    "nmod",
    "nmod:desc",
    "nmod:npmod",
    "nmod:poss",
    "nmod:tmod",
    "nmod:unmarked",
    "nsubj",
    "nsubj:outer",
    "nsubj:pass",
    "nummod",
    "obj",
    "obl",
    "obl:agent",
    "obl:arg",
    "obl:npmod",
    "obl:tmod",
    "obl:unmarked",
    "orphan",
    "parataxis",
    "reparandum",
    "vocative",
    "xcomp",
];

/// A part of speech of Universal Dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Upos {
    /// An adjective.
    Adj,
    /// A preposition or postposition.
    Adp,
    /// An adverb.
    Adv,
    /// An auxiliary verb.
    Aux,
    /// A coordinating conjunction.
    Cconj,
    /// A determiner.
    Det,
    /// An interjection.
    Intj,
    /// A common noun.
    Noun,
    /// A numeral.
    Num,
    /// A particle: `to`, `not`, `'s`.
    Part,
    /// A pronoun.
    Pron,
    /// A name.
    Propn,
    /// Punctuation.
    Punct,
    /// A subordinating conjunction.
    Sconj,
    /// A symbol.
    Sym,
    /// A verb.
    Verb,
    /// Anything else.
    X,
}

impl Upos {
    const ALL: [(Self, &'static str); 17] = [
        (Self::Adj, "ADJ"),
        (Self::Adp, "ADP"),
        (Self::Adv, "ADV"),
        (Self::Aux, "AUX"),
        (Self::Cconj, "CCONJ"),
        (Self::Det, "DET"),
        (Self::Intj, "INTJ"),
        (Self::Noun, "NOUN"),
        (Self::Num, "NUM"),
        (Self::Part, "PART"),
        (Self::Pron, "PRON"),
        (Self::Propn, "PROPN"),
        (Self::Punct, "PUNCT"),
        (Self::Sconj, "SCONJ"),
        (Self::Sym, "SYM"),
        (Self::Verb, "VERB"),
        (Self::X, "X"),
    ];

    /// The part of speech of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(upos, _)| *upos)
    }

    /// Its name: `NOUN`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(upos, _)| *upos == self).map_or("X", |(_, name)| name)
    }
}

impl fmt::Display for Upos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_out_and_back() {
        for (at, name) in RELATIONS.iter().enumerate() {
            let relation = Relation::from_name(name).unwrap();
            assert_eq!((relation.name(), usize::from(relation.0)), (*name, at));
        }
        for (upos, name) in Upos::ALL {
            assert_eq!((Upos::from_name(name), upos.name()), (Some(upos), name));
        }
        assert_eq!((Relation::from_name("nsub"), Upos::from_name("noun")), (None, None));
        assert_eq!(Relation::ROOT.name(), "root");
        assert_eq!(Relation::UNKNOWN.name(), "dep");
        assert_eq!(Relation::PUNCTUATION.name(), "punct");
    }
}
