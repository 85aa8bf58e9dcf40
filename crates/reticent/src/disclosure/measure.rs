//! Measures the disclosure of terms about a secret in a corpus.

use reticent_knowledge::Folding;
use reticent_knowledge::corpus::{Count, Counts};
use reticent_text::Language;

use crate::policy::Probabilities;
use crate::{Error, ErrorKind};

/// A secret: its names, and the most specific generalization that may be revealed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    names: Vec<String>,
    at_most: Option<String>,
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secret").field("names", &self.names.len()).finish_non_exhaustive()
    }
}

impl Secret {
    /// A thing of these names, the first being how it is called.
    pub fn new(names: Vec<String>, at_most: Option<String>) -> Self {
        let folding = Folding::new(Language::English);
        let mut seen = std::collections::HashSet::new();
        let names = names.into_iter().filter(|name| seen.insert(folding.term(name))).collect();
        Self { names, at_most }
    }

    /// Its names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the most specific generalization that may be revealed.
    pub fn at_most(&self) -> Option<&str> {
        self.at_most.as_deref()
    }
}

/// The counts of terms, with and without a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// In how many documents they all are: `n(T)`, or `n(T,g)`.
    pub terms: u64,
    /// In how many of these the secret is too: `n(c,T)`, or `n(c,g,T)`.
    pub with_secret: u64,
    /// In how many the secret is: `n(c)`, or `n(c,g)`.
    pub secret: u64,
    /// Of how many: `N`, or `n(g)`.
    pub of: u64,
}

/// The disclosure of terms about a secret.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    /// So many bits; minus infinity if they are known and never written with it.
    Bits {
        /// `PMI(c; T)`.
        bits: f64,
        /// Whether that is more than may be told.
        too_much: bool,
    },
    /// The terms are unknown to the corpus.
    Unknown,
}

/// A corpus with the counts of the secrets.
pub struct Measure<'k> {
    counts: &'k dyn Counts,
    total: u64,
    secrets: Vec<Counted>,
}

/// A secret and how often it is written.
struct Counted {
    secret: Secret,
    /// Of its names, those that the corpus knows.
    known: Vec<String>,
    /// What must be written too where terms are counted.
    within: Option<String>,
    /// What must be written too where the secret is counted.
    sense: Option<String>,
    /// `n(c)`.
    written: u64,
    /// `n(c,g)`, where that is asked for.
    written_within: u64,
    /// `n(g)`; nothing if all may be told but the secret itself.
    limit: Option<u64>,
}

impl<'k> Measure<'k> {
    /// Counts the secrets. One that the corpus does not know cannot be protected by it.
    ///
    /// Without a word on probabilities they are contextual where something may be told at most.
    pub fn new(
        counts: &'k dyn Counts,
        secrets: Vec<Secret>,
        probabilities: Option<Probabilities>,
    ) -> Result<Self, Error> {
        let total = counts.total();
        let secrets = secrets.into_iter().map(|secret| Counted::new(counts, secret, probabilities));
        Ok(Self { counts, total, secrets: secrets.collect::<Result<_, _>>()? })
    }

    /// Returns the secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.secrets.iter().map(|counted| &counted.secret)
    }

    /// Returns the number of secrets.
    pub fn len(&self) -> usize {
        self.secrets.len()
    }

    /// Returns whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The corpus.
    pub fn counts(&self) -> &'k dyn Counts {
        self.counts
    }

    /// Returns the maximum disclosure about a secret in bits: `IC(g)`, or `IC(c)`, which must not be reached.
    pub fn bound(&self, secret: usize) -> f64 {
        let counted = &self.secrets[secret];
        (self.total as f64 / counted.limit.unwrap_or(counted.written) as f64).log2()
    }

    /// In how many documents these are written; nothing if none, or if that is not known.
    pub fn written(&self, terms: &[&str]) -> Result<Option<u64>, Error> {
        Ok(match self.counts.count(terms)? {
            Count::Exact(count) if count > 0 => Some(count),
            _ => None,
        })
    }

    /// Returns the joint information content of these terms in bits: `IC(T)`.
    pub fn ic(&self, terms: &[&str]) -> Result<Option<f64>, Error> {
        Ok(self.written(terms)?.map(|count| (self.total as f64 / count as f64).log2()))
    }

    /// Returns the counts of one term, with and without the secret; `None` if it is unknown to the corpus.
    pub fn tally_one(&self, secret: usize, term: &str) -> Result<Option<Tally>, Error> {
        let within = self.tally(secret, &[term])?;
        if within.is_some() || self.secrets[secret].within.is_none() {
            return Ok(within);
        }
        self.tally_among_all(secret, &[term])
    }

    /// The same of several terms together, where probabilities are taken.
    pub fn tally(&self, secret: usize, terms: &[&str]) -> Result<Option<Tally>, Error> {
        let counted = &self.secrets[secret];
        let Some(within) = &counted.within else {
            let (terms_and, base) = match &counted.sense {
                Some(_) => (counted.sense.as_deref(), counted.written_within),
                None => (None, counted.written),
            };
            return self.tally_of(counted, terms, terms_and, base, self.total);
        };
        let all: Vec<&str> = terms.iter().copied().chain([within.as_str()]).collect();
        let of = counted.limit.unwrap_or(self.total);
        self.tally_of(counted, &all, None, counted.written_within, of)
    }

    fn tally_among_all(&self, secret: usize, terms: &[&str]) -> Result<Option<Tally>, Error> {
        let counted = &self.secrets[secret];
        self.tally_of(counted, terms, None, counted.written, self.total)
    }

    fn tally_of(
        &self,
        counted: &Counted,
        terms: &[&str],
        sense: Option<&str>,
        secret: u64,
        of: u64,
    ) -> Result<Option<Tally>, Error> {
        let Some(written) = self.written(terms)? else { return Ok(None) };
        let names: Vec<&str> = counted.known.iter().map(String::as_str).collect();
        let all: Vec<&str> = terms.iter().copied().chain(sense).collect();
        let Count::Exact(with_secret) = self.counts.count_with_any(&names, &all)? else { return Ok(None) };
        Ok(Some(Tally { terms: written, with_secret, secret, of }))
    }

    /// In how many documents the secret is written with all of these, where probabilities are taken.
    pub(crate) fn with_secret(&self, secret: usize, terms: &[&str]) -> Result<u64, Error> {
        let counted = &self.secrets[secret];
        let names: Vec<&str> = counted.known.iter().map(String::as_str).collect();
        let all: Vec<&str> = terms.iter().copied().chain(counted.sense.as_deref()).collect();
        Ok(match self.counts.count_with_any(&names, &all)? {
            Count::Exact(count) | Count::AtMost(count) => count,
            Count::Unknown => 0,
        })
    }

    /// Returns whether terms with these counts exceed the bound, compared in integers.
    pub fn is_too_much(&self, secret: usize, tally: Tally) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        match self.secrets[secret].limit {
            Some(limit) => product(tally.with_secret, limit) > product(tally.secret, tally.terms),
            None => tally.with_secret == tally.terms,
        }
    }

    /// `PMI(c; T)` in bits.
    pub fn bits(&self, tally: Tally) -> f64 {
        // So that both bounds are met exactly, not only up to rounding.
        if tally.with_secret == tally.secret {
            return (self.total as f64 / tally.terms as f64).log2();
        }
        let share = tally.with_secret as f64 / tally.terms as f64;
        (self.total as f64 / tally.secret as f64 * share).log2()
    }

    /// Returns the disclosure of these terms about a secret.
    pub fn told(&self, secret: usize, terms: &[&str]) -> Result<Told, Error> {
        let tally = match terms {
            [one] => self.tally_one(secret, one)?,
            several => self.tally(secret, several)?,
        };
        Ok(tally.map_or(Told::Unknown, |tally| Told::Bits {
            bits: self.bits(tally),
            too_much: self.is_too_much(secret, tally),
        }))
    }

    /// Returns whether terms with known single counts could exceed the bound in combination.
    ///
    /// Let `m` be the smallest `n(c,t)` of the terms `t` of `T`, and of the documents without `c`, `R = of - n(c)`
    /// in number, let each term be in `r(t) = n(t) - n(c,t)`. Then `n(c,T) ≤ m`; and at least
    /// `L = max(0, Σ r(t) - (|T| - 1) · R)` documents without `c` have all terms, since each term is absent from
    /// `R - r(t)` of them. So `n(c,T) / n(T) ≤ n(c,T) / (n(c,T) + L) ≤ m / (m + L)`, and if not even that is too much,
    /// nothing is. No count of several terms is needed, and no risky set is ever missed.
    pub fn can_be_too_much(&self, secret: usize, singles: &[Tally]) -> bool {
        let Some(first) = singles.first() else { return false };
        let most = singles.iter().map(|tally| tally.with_secret).min().unwrap_or(0);
        if most == 0 {
            return false;
        }
        let without: u128 =
            singles.iter().map(|tally| u128::from(tally.terms.saturating_sub(tally.with_secret))).sum();
        let rest = u128::from(first.of.saturating_sub(first.secret));
        let least = without.saturating_sub((singles.len() as u128 - 1) * rest);
        let most = u128::from(most);
        match self.secrets[secret].limit {
            // n(c,T) · n(g) > n(c) · n(T), at its highest.
            Some(limit) => most * u128::from(limit) > u128::from(first.secret) * (most + least),
            None => least == 0,
        }
    }

    /// Whether a folded term is a name of a secret, which is never told.
    pub(crate) fn names(&self, folding: Folding) -> Vec<(String, usize)> {
        let of = |(at, counted): (usize, &Counted)| {
            counted.secret.names.iter().map(|name| (folding.term(name), at)).collect::<Vec<_>>()
        };
        self.secrets.iter().enumerate().flat_map(of).collect()
    }
}

impl Counted {
    fn new(counts: &dyn Counts, secret: Secret, probabilities: Option<Probabilities>) -> Result<Self, Error> {
        let exact = |terms: &[&str]| match counts.count(terms)? {
            Count::Exact(count) => Ok(count),
            Count::AtMost(0) | Count::Unknown => Ok::<u64, Error>(0),
            Count::AtMost(_) => Err(inexact()),
        };
        let mut known = Vec::new();
        for name in &secret.names {
            if exact(&[name])? > 0 {
                known.push(name.clone());
            }
        }
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        let union = |terms: &[&str]| match counts.count_with_any(&names, terms)? {
            Count::Exact(count) => Ok::<u64, Error>(count),
            _ => Err(inexact()),
        };
        let written = if known.is_empty() { 0 } else { union(&[])? };
        if written == 0 {
            return Err(Error::new(
                ErrorKind::Knowledge,
                "the protected term does not occur in the index, so disclosure cannot be measured",
            )
            .with_hint("check the spelling, or use an index of texts that mention it"));
        }
        let Some(most) = secret.at_most.clone() else {
            if matches!(probabilities, Some(Probabilities::Within | Probabilities::Contextual)) {
                return Err(Error::new(
                    ErrorKind::Policy,
                    "contextual probabilities require a value for --at-most",
                )
                .with_hint("add --at-most, or use --probabilities standard"));
            }
            return Ok(Self {
                secret,
                known,
                within: None,
                sense: None,
                written,
                written_within: 0,
                limit: None,
            });
        };
        let limit = exact(&[&most])?;
        if limit == 0 {
            return Err(Error::new(ErrorKind::Knowledge, "the --at-most term does not occur in the index")
                .with_hint("choose a term that occurs in the indexed texts"));
        }
        let standard = probabilities == Some(Probabilities::Standard);
        let written_within = union(&[&most])?;
        if !standard && written_within == 0 {
            return Err(Error::new(
                ErrorKind::Knowledge,
                "the protected term and its --at-most term never co-occur in the index",
            )
            .with_hint("choose another --at-most, or use --probabilities standard"));
        }
        if standard && limit <= written {
            return Err(Error::new(
                ErrorKind::Knowledge,
                "in the index, the --at-most term is no more frequent than the protected term, so no term could ever exceed the bound",
            )
            .with_hint("use --probabilities contextual, or a more common --at-most"));
        }
        let within = (probabilities == Some(Probabilities::Within)).then(|| most.clone());
        let sense = (!standard).then_some(most);
        Ok(Self { secret, known, within, sense, written, written_within, limit: Some(limit) })
    }
}

fn inexact() -> Error {
    Error::new(ErrorKind::Knowledge, "the counts of this source are not exact enough for a guarantee")
        .with_hint("use an index built with `reticent index build`")
}
