//! Clauses: a predicate with its arguments.

use super::{Tree, Upos};

/// What a clause is to the one that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClauseKind {
    /// It stands for itself, or beside another main clause.
    Main,
    /// Subject or object of another clause: `that he left`.
    Complement,
    /// An adverbial: `when he left`.
    Adverbial,
    /// It tells of a noun: `who left`, `written by her`.
    Relative,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// The verb, or the noun or adjective of a clause with *be*.
    pub predicate: usize,
    /// The head of its subject.
    pub subject: Option<usize>,
    /// The conjunction that introduces it.
    pub marker: Option<usize>,
    /// Tells whether its verb is finite.
    pub is_finite: bool,
}

/// The clauses of a tree, and to which each word belongs.
#[derive(Clone, Debug)]
pub struct Clauses {
    /// The clauses, in the order of their predicates.
    pub clauses: Vec<Clause>,
    /// For each word its clause, as a place in `clauses`. There is a border where two words that follow each other have
    /// different ones.
    pub clause_of: Vec<usize>,
}

impl Clauses {
    /// The clauses of a tree. What has no verb is one clause.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let mut clauses = Vec::new();
        let mut clause_at: Vec<Option<usize>> = vec![None; tree.len()];
        for (at, own) in clause_at.iter_mut().enumerate() {
            if let Some(kind) = kind_of(tree, at) {
                *own = Some(clauses.len());
                clauses.push(clause(tree, at, kind));
            }
        }
        let mut clause_of = vec![0; tree.len()];
        for at in tree.top_down() {
            let above = tree.word(at).head.map_or(0, |head| clause_of[head]);
            clause_of[at] = clause_at[at].unwrap_or(above);
        }
        Self { clauses, clause_of }
    }

    /// The clause that holds another.
    #[must_use]
    pub fn above(&self, tree: &Tree, clause: usize) -> Option<usize> {
        let head = tree.word(self.clauses.get(clause)?.predicate).head?;
        Some(self.clause_of[head])
    }
}

fn kind_of(tree: &Tree, at: usize) -> Option<ClauseKind> {
    let word = tree.word(at);
    match word.relation.universal() {
        "root" => Some(ClauseKind::Main),
        "parataxis" if is_predicate(tree, at) => Some(ClauseKind::Main),
        "ccomp" | "xcomp" | "csubj" => Some(ClauseKind::Complement),
        "advcl" => Some(ClauseKind::Adverbial),
        "acl" => Some(ClauseKind::Relative),
        "conj" if is_predicate(tree, at) => {
            let first = word.head?;
            Some(kind_of(tree, first).unwrap_or(ClauseKind::Main))
        }
        _ => None,
    }
}

/// Tells whether a word is a verb, or has a subject or a form of *be*.
pub(crate) fn is_predicate(tree: &Tree, at: usize) -> bool {
    matches!(tree.word(at).upos, Upos::Verb | Upos::Aux)
        || tree.children(at).iter().any(|&child| {
            ["nsubj", "csubj", "cop", "expl"].iter().any(|name| tree.word(child).relation.is(name))
        })
}

fn clause(tree: &Tree, predicate: usize, kind: ClauseKind) -> Clause {
    let child = |names: &[&str]| {
        tree.children(predicate)
            .iter()
            .copied()
            .find(|&child| names.iter().any(|name| tree.word(child).relation.is(name)))
    };
    let finite = |at: usize| matches!(tree.word(at).tag.name(), "VBD" | "VBZ" | "VBP" | "MD");
    let is_finite = finite(predicate)
        || tree.children(predicate).iter().any(|&child| {
            ["aux", "cop"].iter().any(|name| tree.word(child).relation.is(name)) && finite(child)
        });
    let subject = child(&["nsubj", "csubj"]).or_else(|| {
        // What is joined to a predicate shares its subject.
        let first = tree.word(predicate).head.filter(|_| tree.word(predicate).relation.is("conj"))?;
        tree.children(first).iter().copied().find(|&child| tree.word(child).relation.is("nsubj"))
    });
    Clause { kind, predicate, subject, marker: child(&["mark"]), is_finite }
}
