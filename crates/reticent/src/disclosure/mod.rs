//! The disclosure of terms about a secret, in bits, measured in a corpus.
//!
//! With `n` documents that contain something, of `N` in all, a secret `c`, the most specific generalization `g` that
//! may be revealed, and a set of terms `T`:
//!
//! - plain: `T` is risky if it is never written without `c`, that is `PMI(c; T) = IC(c)`;
//! - with `g`: risky if `PMI(c; T) > IC(g)`, that is `n(c,T) · n(g) > n(c) · n(T)`;
//! - contextual: `c` counts only where `g` occurs too, which selects that sense; terms count everywhere:
//!   `n(c,g,T) · n(g) > n(c,g) · n(T)`;
//! - within: all is counted among the documents that also contain `g`, `n(c,g,T) · n(g) > n(c,g) · n(T,g)`. A term that
//!   is never written with `g` is judged among all documents, since there it is all that is known of it.
//!
//! Both of the latter make `PMI(c; g) = IC(g)`, whatever the counts. Within the documents of `g`, a term that is
//! independent of `c` discloses exactly `IC(g)`, so chance decides on ordinary words; contextually it discloses
//! nothing.
//!
//! All are compared in integers; bits are only for reports. A term that does not occur in the corpus is *unknown* and
//! never considered safe.
//!
//! [`measure`] queries the corpus, [`parts`] splits a phrase into its words, [`sanitize`] is the algorithm, `hubs`
//! chooses which term of a risky pair is generalized, [`terms`] extracts the terms of a document, `shape` determines
//! term boundaries, [`explain()`] explains one term, and [`correlated`] finds terms that reveal masked terms.

pub mod correlated;
pub mod explain;
mod hubs;
pub mod measure;
pub mod parts;
pub mod sanitize;
mod shape;
pub mod terms;

use std::sync::Arc;

use reticent_knowledge::corpus::{Counts, Index, Without};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::Language;

pub use explain::{Explanation, explain};
pub use measure::{Measure, Secret, Tally, Told};
pub use sanitize::{Disclosed, Risk, Sanitized};

use crate::policy::{Disclosure, Subject};
use crate::{Error, ErrorKind};

/// The counts available to an attacker, and the taxonomies for generalization.
#[derive(Clone)]
pub struct Corpus {
    counts: Arc<dyn Counts>,
    /// The same as an index, and whether a document is left out of what is counted for it.
    index: Option<Arc<Index>>,
    leaves_out: bool,
    taxonomy: Arc<Stack>,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus").field("counts", &self.counts.name()).finish_non_exhaustive()
    }
}

impl Corpus {
    /// An index, and taxonomies to generalize by.
    pub fn new(index: Index, taxonomy: Stack) -> Self {
        let index = Arc::new(index);
        let counts: Arc<dyn Counts> = Arc::<Index>::clone(&index);
        Self { counts, index: Some(index), leaves_out: false, taxonomy: Arc::new(taxonomy) }
    }

    /// Another source of counts, for texts of any language.
    pub fn of_counts(counts: Arc<dyn Counts>, taxonomy: Stack) -> Self {
        Self { counts, index: None, leaves_out: false, taxonomy: Arc::new(taxonomy) }
    }

    /// The same that leaves a document out of what is counted for it, if the index holds one of its id: what is known
    /// must not come from the text that is to be protected.
    #[must_use]
    pub fn leaving_out(self) -> Self {
        Self { leaves_out: true, ..self }
    }

    /// Returns the counts for a document.
    pub fn counts_for(&self, document: &str) -> Result<Asked<'_>, Error> {
        let without = self.index.as_deref().filter(|_| self.leaves_out).map(|index| index.without(document));
        match without {
            Some(Ok(without)) => Ok(Asked::Without(Box::new(without))),
            Some(Err(error)) if error.kind() != reticent_knowledge::ErrorKind::Argument => Err(error.into()),
            _ => Ok(Asked::All(&*self.counts)),
        }
    }

    /// Returns the counts.
    pub fn counts(&self) -> &dyn Counts {
        &*self.counts
    }

    /// Returns the taxonomies.
    pub fn taxonomy(&self) -> &Stack {
        &self.taxonomy
    }

    /// The secrets that subjects are, each with all its names, counted and found fit to be protected.
    pub fn measure<'k>(
        &self,
        counts: &'k dyn Counts,
        subjects: &[Subject],
        settings: &Disclosure,
    ) -> Result<Measure<'k>, Error> {
        let secrets = subjects.iter().map(|subject| self.secret(subject, settings));
        Measure::new(counts, secrets.collect::<Result<_, _>>()?, settings.probabilities)
    }

    /// A text of another language than the corpus cannot be counted in it.
    pub fn check_language(&self, language: Language) -> Result<(), Error> {
        match self.index.as_ref().map(|index| index.language()) {
            Some(own) if own != language && language != Language::Other && own != Language::Other => {
                Err(Error::new(
                    ErrorKind::Knowledge,
                    format!(
                        "language mismatch: the text is in `{}`, the index in `{}`",
                        language.code(),
                        own.code()
                    ),
                )
                .with_hint("use an index in the language of the text, or correct --language"))
            }
            _ => Ok(()),
        }
    }

    /// A subject with the words that taxonomies have for it.
    fn secret(&self, subject: &Subject, settings: &Disclosure) -> Result<Secret, Error> {
        let at_most = subject.at_most();
        let mut names: Vec<String> = subject.names().map(str::to_owned).collect();
        if let Some(most) = at_most
            && !settings.force
            && !names.iter().any(|name| self.taxonomy.generalizes(most, name))
        {
            return Err(Error::new(
                ErrorKind::Policy,
                "the --at-most term is not a known generalization of the protected term",
            )
            .with_hint("`reticent taxonomy ladder TERM` lists the generalizations of a term; add a taxonomy with --taxonomy, or use --force-at-most"));
        }
        for name in names.clone() {
            names.extend(self.synonyms(&name, at_most));
        }
        Ok(Secret::new(names, at_most.map(str::to_owned)))
    }

    /// Other words for a thing, in the sense that falls under what may be told of it.
    fn synonyms(&self, name: &str, at_most: Option<&str>) -> Vec<String> {
        let mut words = Vec::new();
        for taxonomy in self.taxonomy.members().iter().filter(|taxonomy| !taxonomy.holds_names()) {
            let above = at_most.map(|most| taxonomy.senses(most)).unwrap_or_default();
            let senses = taxonomy.senses(name);
            let falls = |concept| above.iter().any(|most| taxonomy.contains(most.concept, concept));
            let meant = senses.iter().find(|sense| falls(sense.concept)).or_else(|| senses.first());
            words.extend(meant.into_iter().flat_map(|sense| taxonomy.synonyms(sense.concept)));
        }
        words
    }
}

/// Whom is asked: the whole corpus, or all of it but one document.
pub enum Asked<'a> {
    /// All of it.
    All(&'a dyn Counts),
    /// All but one.
    Without(Box<Without<'a>>),
}

impl Asked<'_> {
    /// The counts.
    pub fn counts(&self) -> &dyn Counts {
        match self {
            Self::All(counts) => *counts,
            Self::Without(without) => &**without,
        }
    }
}

#[cfg(test)]
mod tests;
