//! Measures the disclosure of terms about a secret in a corpus.

use reticent_knowledge::Folding;
use reticent_knowledge::corpus::{Count, Counts};
use reticent_text::Language;

use super::evidence::{shows_at_most, upper};
use crate::policy::{Criterion, Disclosure, Probabilities};
use crate::{Error, ErrorKind};

/// A secret: its names, and the most specific generalization that may be revealed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret {
    names: Vec<String>,
    at_most: Option<String>,
    /// What is broader than `at_most`: it is true wherever that is.
    broader: Vec<String>,
    declined: Vec<String>,
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secret").field("names", &self.names.len()).finish_non_exhaustive()
    }
}

impl Secret {
    /// A thing of these names, the first being how it is called.
    pub fn new(names: Vec<String>, at_most: Option<String>) -> Self {
        Self { names, at_most, ..Self::default() }.with_names(Vec::new())
    }

    /// The same with more names.
    #[must_use]
    pub fn with_names(mut self, more: Vec<String>) -> Self {
        let folding = Folding::new(Language::English);
        let mut seen = std::collections::HashSet::new();
        self.names.extend(more);
        self.names.retain(|name| seen.insert(folding.term(name)));
        self
    }

    /// The same with what is broader than what may be revealed, and what is not the secret though it seems so.
    pub(super) fn with_others(self, broader: Vec<String>, declined: Vec<String>) -> Self {
        Self { broader, declined, ..self }
    }

    /// Its names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the most specific generalization that may be revealed.
    pub fn at_most(&self) -> Option<&str> {
        self.at_most.as_deref()
    }

    /// Returns what is broader than that.
    pub fn broader(&self) -> &[String] {
        &self.broader
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

/// What counts show of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// They reveal no more than allowed.
    Safe,
    /// They may reveal more: too few documents have them.
    Unknown,
    /// They reveal more.
    Risky,
}

/// By how much the odds of a secret rise, as a logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lift {
    estimate: f64,
    /// The upper bound at the confidence asked for.
    upper: f64,
}

impl Lift {
    pub(crate) const UNKNOWN: Self = Self { estimate: f64::INFINITY, upper: f64::INFINITY };

    /// The upper bound of a sum, from those of its terms, by the method of variance estimates recovery (Zou and Donner
    /// 2008): not all terms are at their bounds at once.
    pub(crate) fn upper_of_sum(lifts: impl IntoIterator<Item = Self>) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for lift in lifts {
            if lift.upper.is_infinite() {
                return f64::INFINITY;
            }
            sum += lift.estimate;
            squares += (lift.upper - lift.estimate).powi(2);
        }
        sum + squares.sqrt()
    }

    /// A lift that is known to be no higher than this.
    pub(crate) fn at_most(self, upper: f64) -> Self {
        Self { estimate: self.estimate.min(upper), upper: self.upper.min(upper) }
    }

    /// Whether the odds may rise at all.
    pub(crate) fn may_raise(self) -> bool {
        self.upper > 0.0
    }
}

/// By what terms are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    criterion: Criterion,
    /// The error probability of a bound.
    alpha: f64,
    /// The share from which on a term counts as the secret.
    co_occurrence: f64,
}

impl Rule {
    const LITERAL: Self = Self { criterion: Criterion::Literal, alpha: 0.05, co_occurrence: 1.0 };

    fn is_confident(self) -> bool {
        self.criterion == Criterion::Confident
    }
}

impl From<&Disclosure> for Rule {
    fn from(settings: &Disclosure) -> Self {
        Self {
            criterion: settings.criterion,
            alpha: 1.0 - settings.confidence,
            co_occurrence: settings.co_occurrence,
        }
    }
}

/// A corpus with the counts of the secrets, one for each kind of probability by which a secret is measured.
pub struct Measure<'k> {
    counts: &'k dyn Counts,
    total: u64,
    secrets: Vec<Secret>,
    views: Vec<View>,
    rule: Rule,
}

/// A secret as one kind of probability counts it.
struct View {
    /// Which secret, counted from 0.
    secret: usize,
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
    /// The documents that count as the secret's, if the corpus can list them.
    units: Option<Vec<u32>>,
}

/// Fewer documents than these with both a secret and what may be told of it do not say how often they go together.
const LEAST_CONTEXT: u64 = 5;

impl<'k> Measure<'k> {
    /// Counts the secrets, and judges literally. One that the corpus does not know cannot be protected by it.
    ///
    /// Without a word on probabilities they are standard and contextual where something may be told at most.
    pub fn new(
        counts: &'k dyn Counts,
        secrets: Vec<Secret>,
        probabilities: Option<Probabilities>,
    ) -> Result<Self, Error> {
        let total = counts.total();
        let mut views = Vec::new();
        for (at, secret) in secrets.iter().enumerate() {
            views.extend(View::all(counts, at, secret, probabilities)?);
        }
        Ok(Self { counts, total, secrets, views, rule: Rule::LITERAL })
    }

    /// Judges by a policy's criterion.
    #[must_use]
    pub fn judged_by(self, settings: &Disclosure) -> Self {
        Self { rule: settings.into(), ..self }
    }

    /// Returns the secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.secrets.iter()
    }

    /// Returns the number of views: of secrets, each by one kind of probability.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Returns whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// Returns which secret a view is of, counted from 0.
    pub fn secret(&self, view: usize) -> usize {
        self.views[view].secret
    }

    /// Returns whether a view counts a secret only where what may be told of it occurs too.
    pub fn is_contextual(&self, view: usize) -> bool {
        self.views[view].sense.is_some()
    }

    /// The corpus.
    pub fn counts(&self) -> &'k dyn Counts {
        self.counts
    }

    /// Returns the maximum disclosure in a view in bits: `IC(g)`, or `IC(c)`, which must not be reached.
    pub fn bound(&self, view: usize) -> f64 {
        let view = &self.views[view];
        (self.total as f64 / view.limit.unwrap_or(view.written) as f64).log2()
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
        Ok(self.written(terms)?.map(|count| self.ic_of(count)))
    }

    pub(super) fn ic_of(&self, count: u64) -> f64 {
        (self.total as f64 / count as f64).log2()
    }

    /// Returns the counts of one term, with and without the secret; `None` if it is unknown to the corpus.
    pub fn tally_one(&self, view: usize, term: &str) -> Result<Option<Tally>, Error> {
        let within = self.tally(view, &[term])?;
        if within.is_some() || self.views[view].within.is_none() {
            return Ok(within);
        }
        self.tally_among_all(view, &[term])
    }

    /// The same of several terms together, where probabilities are taken.
    pub fn tally(&self, view: usize, terms: &[&str]) -> Result<Option<Tally>, Error> {
        let view = &self.views[view];
        let Some(within) = &view.within else {
            let (terms_and, base) = match &view.sense {
                Some(_) => (view.sense.as_deref(), view.written_within),
                None => (None, view.written),
            };
            return self.tally_of(view, terms, terms_and, base, self.total);
        };
        let all: Vec<&str> = terms.iter().copied().chain([within.as_str()]).collect();
        let of = view.limit.unwrap_or(self.total);
        self.tally_of(view, &all, None, view.written_within, of)
    }

    fn tally_among_all(&self, view: usize, terms: &[&str]) -> Result<Option<Tally>, Error> {
        let view = &self.views[view];
        self.tally_of(view, terms, None, view.written, self.total)
    }

    fn tally_of(
        &self,
        view: &View,
        terms: &[&str],
        sense: Option<&str>,
        secret: u64,
        of: u64,
    ) -> Result<Option<Tally>, Error> {
        let Some(written) = self.written(terms)? else { return Ok(None) };
        let names: Vec<&str> = view.known.iter().map(String::as_str).collect();
        let all: Vec<&str> = terms.iter().copied().chain(sense).collect();
        let Count::Exact(with_secret) = self.counts.count_with_any(&names, &all)? else { return Ok(None) };
        Ok(Some(Tally { terms: written, with_secret, secret, of }))
    }

    /// In how many documents the secret is written with all of these, where probabilities are taken.
    pub(crate) fn with_secret(&self, view: usize, terms: &[&str]) -> Result<u64, Error> {
        let view = &self.views[view];
        let names: Vec<&str> = view.known.iter().map(String::as_str).collect();
        let all: Vec<&str> = terms.iter().copied().chain(view.sense.as_deref()).collect();
        Ok(match self.counts.count_with_any(&names, &all)? {
            Count::Exact(count) | Count::AtMost(count) => count,
            Count::Unknown => 0,
        })
    }

    /// The documents that count as a secret's, if terms are counted in all documents and the corpus can list them.
    pub(crate) fn units(&self, view: usize) -> Option<&[u32]> {
        self.views[view].units.as_deref()
    }

    /// The counts of terms of which these were counted: their documents, and those with the secret.
    pub(crate) fn tally_from(&self, view: usize, terms: u64, with_secret: u64) -> Tally {
        let view = &self.views[view];
        let secret = if view.sense.is_some() { view.written_within } else { view.written };
        Tally { terms, with_secret, secret, of: self.total }
    }

    /// Returns whether terms with these counts exceed the bound, compared in integers.
    pub fn is_too_much(&self, view: usize, tally: Tally) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        match self.views[view].limit {
            Some(limit) => product(tally.with_secret, limit) > product(tally.secret, tally.terms),
            None => tally.with_secret == tally.terms,
        }
    }

    /// The number of documents from which on terms in so many of the secret's are not too much.
    pub(crate) fn enough(&self, view: usize, with_secret: u64) -> u64 {
        let of = &self.views[view];
        let secret = if of.sense.is_some() { of.written_within } else { of.written };
        match of.limit {
            // Rounded up: of so many it is n(c,T) · n(g) <= n(c) · n(T).
            Some(limit) => with_secret.saturating_mul(limit).div_ceil(secret.max(1)),
            None => with_secret + 1,
        }
    }

    /// The largest share of a term's documents that may be the secret's.
    fn share(&self, view: usize) -> f64 {
        let view = &self.views[view];
        let secret = if view.sense.is_some() { view.written_within } else { view.written };
        match view.limit {
            Some(limit) => (secret as f64 / limit as f64).min(self.rule.co_occurrence),
            None => self.rule.co_occurrence,
        }
    }

    /// What these counts of one term show. `is_exempt`: only the criterion as published is applied.
    pub(crate) fn standing(&self, view: usize, tally: Tally, is_exempt: bool) -> Standing {
        if self.is_too_much(view, tally) {
            return Standing::Risky;
        }
        if !self.rule.is_confident() || is_exempt {
            return Standing::Safe;
        }
        if tally.with_secret as f64 >= self.rule.co_occurrence * tally.terms as f64 {
            return Standing::Risky;
        }
        if self.shows(view, tally) { Standing::Safe } else { Standing::Unknown }
    }

    /// Whether counts show, at the confidence asked for, that no more is revealed than allowed.
    pub(crate) fn shows(&self, view: usize, tally: Tally) -> bool {
        shows_at_most(tally.with_secret, tally.terms, self.share(view), self.rule.alpha)
    }

    /// By how much a term raises the odds of the secret.
    pub(crate) fn lift(&self, tally: Tally) -> Lift {
        let base = tally.secret as f64 / tally.of as f64;
        if base >= 1.0 {
            return Lift { estimate: 0.0, upper: 0.0 };
        }
        let log = |share: f64| ((share / (1.0 - share)) / (base / (1.0 - base))).ln();
        // Half a document more, so that none is not minus infinity.
        let share = (tally.with_secret as f64 + 0.5) / (tally.terms as f64 + 1.0);
        let upper = upper(tally.with_secret, tally.terms, self.rule.alpha);
        let upper = if upper < 1.0 { log(upper) } else { f64::INFINITY };
        Lift { estimate: log(share).min(upper), upper }
    }

    /// The largest lift with which terms are still safe together, as far as their parts tell: documents with the secret are
    /// taken to have each term independently of the others, and so are those without.
    pub(crate) fn most_lift(&self, view: usize) -> f64 {
        let of = &self.views[view];
        let secret = if of.sense.is_some() { of.written_within } else { of.written };
        let base = secret as f64 / self.total as f64;
        let share = self.share(view);
        if share >= 1.0 || base >= 1.0 {
            return f64::INFINITY;
        }
        ((share / (1.0 - share)) / (base / (1.0 - base))).ln()
    }

    /// Returns whether terms are judged by what counts show rather than by what they estimate.
    pub(crate) fn is_confident(&self) -> bool {
        self.rule.is_confident()
    }

    /// The share from which on a term counts as the secret; nothing where terms are judged literally.
    pub(crate) fn co_occurrence(&self) -> Option<f64> {
        self.rule.is_confident().then_some(self.rule.co_occurrence)
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

    /// Returns the disclosure of these terms in a view.
    pub fn told(&self, view: usize, terms: &[&str]) -> Result<Told, Error> {
        let tally = match terms {
            [one] => self.tally_one(view, one)?,
            several => self.tally(view, several)?,
        };
        Ok(tally.map_or(Told::Unknown, |tally| Told::Bits {
            bits: self.bits(tally),
            too_much: self.is_too_much(view, tally),
        }))
    }

    /// Returns whether terms with known single counts could exceed the bound in combination.
    ///
    /// Let `m` be the smallest `n(c,t)` of the terms `t` of `T`, and of the documents without `c`, `R = of - n(c)`
    /// in number, let each term be in `r(t) = n(t) - n(c,t)`. Then `n(c,T) ≤ m`; and at least
    /// `L = max(0, Σ r(t) - (|T| - 1) · R)` documents without `c` have all terms, since each term is absent from
    /// `R - r(t)` of them. So `n(c,T) / n(T) ≤ n(c,T) / (n(c,T) + L) ≤ m / (m + L)`, and if not even that is too much,
    /// nothing is. No count of several terms is needed, and no risky set is ever missed.
    pub fn can_be_too_much(&self, view: usize, singles: &[Tally]) -> bool {
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
        match self.views[view].limit {
            // n(c,T) · n(g) > n(c) · n(T), at its highest.
            Some(limit) => most * u128::from(limit) > u128::from(first.secret) * (most + least),
            None => least == 0,
        }
    }

    /// The folded names of the secrets, each with its secret: they are never told.
    pub(crate) fn names(&self, folding: Folding) -> Vec<(String, usize)> {
        self.folded(folding, |secret| &secret.names)
    }

    /// The same of what may be told of each secret, and of what is broader: it is judged as published, since it lies at
    /// the bound by definition.
    pub(crate) fn allowed(&self, folding: Folding) -> Vec<(String, usize)> {
        let mut all = self.folded(folding, |secret| &secret.broader);
        let most = self.secrets.iter().enumerate();
        all.extend(most.filter_map(|(at, secret)| Some((folding.term(secret.at_most()?), at))));
        all
    }

    /// The same of what the user says is not the secret.
    pub(crate) fn declined(&self, folding: Folding) -> Vec<(String, usize)> {
        self.folded(folding, |secret| &secret.declined)
    }

    fn folded(&self, folding: Folding, of: impl Fn(&Secret) -> &Vec<String>) -> Vec<(String, usize)> {
        let all = self.secrets.iter().enumerate();
        all.flat_map(|(at, secret)| of(secret).iter().map(move |name| (folding.term(name), at))).collect()
    }
}

impl View {
    /// A secret by all kinds of probability that are asked for.
    fn all(
        counts: &dyn Counts,
        at: usize,
        secret: &Secret,
        probabilities: Option<Probabilities>,
    ) -> Result<Vec<Self>, Error> {
        use Probabilities::{Both, Contextual, Standard, Within};
        let mut known = Vec::new();
        for name in &secret.names {
            if exact(counts, &[name])? > 0 {
                known.push(name.clone());
            }
        }
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        let union = |terms: &[&str]| match counts.count_with_any(&names, terms)? {
            Count::Exact(count) => Ok::<u64, Error>(count),
            _ => Err(inexact()),
        };
        let units = |terms: &[&str]| counts.units_with_any(&names, terms);
        let written = if known.is_empty() { 0 } else { union(&[])? };
        if written == 0 {
            return Err(Error::new(
                ErrorKind::Knowledge,
                "the protected term does not occur in the index, so disclosure cannot be measured",
            )
            .with_hint("check the spelling, or use an index of texts that mention it"));
        }
        let view = |within, sense, written_within, limit, units| Self {
            secret: at,
            known: known.clone(),
            within,
            sense,
            written,
            written_within,
            limit,
            units,
        };
        let Some(most) = secret.at_most.clone() else {
            if matches!(probabilities, Some(Within | Contextual | Both)) {
                return Err(Error::new(
                    ErrorKind::Policy,
                    "contextual probabilities require a value for --at-most",
                )
                .with_hint("add --at-most, or use --probabilities standard"));
            }
            return Ok(vec![view(None, None, 0, None, units(&[])?)]);
        };
        let limit = exact(counts, &[&most])?;
        if limit == 0 {
            return Err(Error::new(ErrorKind::Knowledge, "the --at-most term does not occur in the index")
                .with_hint("choose a term that occurs in the indexed texts"));
        }
        if limit < written {
            return Err(too_informative());
        }
        let kind = probabilities.unwrap_or(Both);
        let written_within = union(&[&most])?;
        if written_within == 0 && matches!(kind, Contextual | Within) {
            return Err(Error::new(
                ErrorKind::Knowledge,
                "the protected term and its --at-most term never co-occur in the index",
            )
            .with_hint("choose another --at-most, or use --probabilities standard"));
        }
        let mut views = Vec::new();
        if matches!(kind, Both | Standard) {
            views.push(view(None, None, 0, Some(limit), units(&[])?));
        }
        if kind == Contextual || (kind == Both && written_within >= LEAST_CONTEXT) {
            views.push(view(None, Some(most.clone()), written_within, Some(limit), units(&[&most])?));
        }
        if kind == Within {
            views.push(view(Some(most.clone()), Some(most), written_within, Some(limit), None));
        }
        // At the same frequency standard probabilities alone allow everything.
        if limit == written && views.iter().all(|view| view.sense.is_none()) {
            return Err(too_informative());
        }
        Ok(views)
    }
}

fn exact(counts: &dyn Counts, terms: &[&str]) -> Result<u64, Error> {
    match counts.count(terms)? {
        Count::Exact(count) => Ok(count),
        Count::AtMost(0) | Count::Unknown => Ok(0),
        Count::AtMost(_) => Err(inexact()),
    }
}

/// What may be told but tells more than the secret does.
pub(super) const TOO_INFORMATIVE: &str = "in the index, the --at-most term is no more frequent than the protected term with all its names: it is more informative than the term that it is to protect";

fn too_informative() -> Error {
    Error::new(ErrorKind::Knowledge, TOO_INFORMATIVE)
}

fn inexact() -> Error {
    Error::new(ErrorKind::Knowledge, "the counts of this source are not exact enough for a guarantee")
        .with_hint("use an index built with `reticent index build`")
}
