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

pub(crate) mod concept;
pub mod correlated;
pub(crate) mod evidence;
pub mod explain;
mod hubs;
pub mod measure;
pub mod parts;
pub mod sanitize;
mod shape;
pub mod terms;

use std::sync::{Arc, Mutex};

use reticent_knowledge::corpus::{Count, Counts, Index, Without};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Document, Language};

pub use explain::{Explanation, explain};
pub use measure::{Measure, Secret, Standing, Tally, Told};
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
    /// The subjects that were asked for, with all their names.
    secrets: Arc<Mutex<Vec<(Subject, Secret)>>>,
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
        Self {
            counts,
            index: Some(index),
            leaves_out: false,
            taxonomy: Arc::new(taxonomy),
            secrets: Arc::default(),
        }
    }

    /// Another source of counts, for texts of any language.
    pub fn of_counts(counts: Arc<dyn Counts>, taxonomy: Stack) -> Self {
        Self { counts, index: None, leaves_out: false, taxonomy: Arc::new(taxonomy), secrets: Arc::default() }
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
        self.measured(counts, subjects, &secrets.collect::<Result<Vec<_>, _>>()?, settings)
    }

    /// The same with the abbreviations that a document explains.
    pub(crate) fn measure_in<'k>(
        &self,
        document: &Document,
        counts: &'k dyn Counts,
        subjects: &[Subject],
        settings: &Disclosure,
    ) -> Result<Measure<'k>, Error> {
        let secrets = subjects.iter().map(|subject| {
            self.secret(subject, settings).map(|secret| concept::with_abbreviations(secret, document))
        });
        self.measured(counts, subjects, &secrets.collect::<Result<Vec<_>, _>>()?, settings)
    }

    fn measured<'k>(
        &self,
        counts: &'k dyn Counts,
        subjects: &[Subject],
        secrets: &[Secret],
        settings: &Disclosure,
    ) -> Result<Measure<'k>, Error> {
        let measure = Measure::new(counts, secrets.to_vec(), settings.probabilities);
        let measure = measure.map_err(|error| self.suggest(error, counts, subjects, secrets))?;
        Ok(measure.judged_by(settings))
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

    /// A subject as a concept, found once.
    pub(crate) fn secret(&self, subject: &Subject, settings: &Disclosure) -> Result<Secret, Error> {
        let mut names = subject.names();
        if let Some(most) = subject.at_most()
            && !settings.force
            && !names.any(|name| self.taxonomy.generalizes(most, name))
        {
            return Err(Error::new(
                ErrorKind::Policy,
                "the --at-most term is not a known generalization of the protected term",
            )
            .with_hint("`reticent taxonomy ladder TERM` lists the generalizations of a term; add a taxonomy with --taxonomy, or use --force-at-most"));
        }
        let lost = || {
            Error::new(ErrorKind::Knowledge, "the names of a protected term were lost in an internal error")
        };
        let known = self.secrets.lock().map_err(|_| lost())?;
        if let Some((_, secret)) = known.iter().find(|(known, _)| known == subject) {
            return Ok(secret.clone());
        }
        drop(known);
        let secret = concept::secret(&self.taxonomy, subject);
        self.secrets.lock().map_err(|_| lost())?.push((subject.clone(), secret.clone()));
        Ok(secret)
    }

    /// An error with what could be told at most instead, where what is asked for tells too much.
    fn suggest(&self, error: Error, counts: &dyn Counts, subjects: &[Subject], secrets: &[Secret]) -> Error {
        if error.message() != measure::TOO_INFORMATIVE {
            return error;
        }
        let count = |terms: &[&str]| match counts.count(terms) {
            Ok(Count::Exact(count)) => Some(count),
            _ => None,
        };
        let mut lists = Vec::new();
        for (subject, secret) in subjects.iter().zip(secrets) {
            let names: Vec<&str> = secret.names().iter().map(String::as_str).collect();
            let Ok(Count::Exact(least)) = counts.count_with_any(&names, &[]) else { continue };
            let told = secret.at_most().and_then(|most| count(&[most]));
            if told.is_none_or(|told| told <= least) {
                lists.extend(concept::bounds(&self.taxonomy, subject, |word| count(&[word]), least));
            }
        }
        error.with_hint(if lists.is_empty() {
            "no known generalization is frequent enough in the index: omit --at-most, or use an index of more texts".to_owned()
        } else {
            format!("generalizations that are frequent enough: {}", lists.join(", "))
        })
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
