//! What the corpus knows of claims and of words.

use std::collections::{HashMap, HashSet};

use reticent_knowledge::corpus::{Count, Counts};
use reticent_knowledge::taxonomy::Stack;

use super::binomial::{bound, refutes};
use super::claim::Claim;
use super::{cannot_count, plain};
use crate::Error;
use crate::policy::{Criterion, Disclosure, Probabilities};

/// Claims with fewer documents beside their `at_most` are not measured among these.
const ENOUGH: u64 = 5;

/// Larger corpora are asked for each combination.
const SMALL: u32 = 1 << 18;

/// A claim, as one kind of probability counts it.
pub(super) struct Held<'a> {
    /// Which claim.
    pub(super) claim: usize,
    names: Vec<&'a str>,
    pub(super) within: Option<&'a str>,
    sense: Option<&'a str>,
    /// `n(c)`, and what is counted as that here.
    written: u64,
    secret: u64,
    limit: Option<u64>,
    /// The largest share of documents with a term that may be the claim's.
    share: f64,
    alpha: f64,
    /// The number of each of the claim's documents, if the corpus lists them.
    units: Option<HashMap<u32, u32>>,
}

impl Held<'_> {
    pub(super) fn is_too_much(&self, with: u64, all: u64) -> bool {
        match self.limit {
            Some(limit) => u128::from(with) * u128::from(limit) > u128::from(self.secret) * u128::from(all),
            None => with > 0 && with == all,
        }
    }

    /// The number of documents from which on so many with the claim are not too much.
    pub(super) fn enough(&self, with: u64) -> f64 {
        match self.limit {
            Some(limit) => with as f64 * limit as f64 / self.secret as f64,
            None => with as f64,
        }
    }

    pub(super) fn refutes(&self, with: u64, all: u64) -> bool {
        refutes(with, all, self.share, self.alpha)
    }
}

/// What is shown of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Safe,
    Unknown,
    Risky,
}

/// A word or a run of words, counted.
pub(super) struct Entry {
    text: String,
    /// In how many documents it is.
    pub(super) written: u64,
    /// Which claim it names.
    pub(super) names: Option<usize>,
    /// For each claim as held: how often with it, and at all.
    pub(super) counts: Vec<(u64, u64)>,
    pub(super) judged: Vec<Judged>,
    /// The logarithm of the factor by which it raises the odds, and that of the largest that is not refuted.
    odds: Vec<(f64, f64)>,
    at_bound: Vec<bool>,
    units: Option<Vec<u64>>,
    with: Vec<Option<Vec<u64>>>,
}

impl Entry {
    pub(super) fn is_unknown(&self) -> bool {
        self.written == 0 || self.judged.contains(&Judged::Unknown)
    }
}

/// The corpus, and all claims in it.
pub(super) struct Knowledge<'a> {
    counts: &'a dyn Counts,
    total: u64,
    pub(super) held: Vec<Held<'a>>,
    folded: Vec<HashSet<String>>,
    at_bound: Vec<HashSet<String>>,
    declined: Vec<HashSet<String>>,
    taxonomies: &'a Stack,
    confident: bool,
    together: f64,
    /// The most words that a name has.
    pub(super) longest: usize,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(
        counts: &'a dyn Counts,
        claims: &'a [Claim],
        taxonomies: &'a Stack,
        settings: &Disclosure,
        text: &str,
    ) -> Result<Self, Error> {
        let mut held = Vec::new();
        for (at, claim) in claims.iter().enumerate() {
            hold(counts, at, claim, settings, &mut held)?;
        }
        let keys = |words: &[String]| words.iter().map(|word| plain(word)).collect::<HashSet<_>>();
        let mut folded: Vec<HashSet<String>> = claims.iter().map(|claim| keys(&claim.names)).collect();
        for (short, long) in abbreviations(text) {
            for names in &mut folded {
                if names.contains(&long) || names.contains(&short) {
                    names.extend([short.clone(), long.clone()]);
                }
            }
        }
        let at_bound = claims.iter().map(|claim| {
            let mut all = keys(&claim.broader);
            all.extend(claim.at_most.as_deref().map(plain));
            all
        });
        let longest = folded.iter().flatten().map(|name| name.split(' ').count()).max().unwrap_or(1);
        Ok(Self {
            counts,
            total: counts.total(),
            held,
            folded,
            at_bound: at_bound.collect(),
            declined: claims.iter().map(|claim| keys(&claim.declined)).collect(),
            taxonomies,
            confident: settings.criterion == Criterion::Confident,
            together: settings.co_occurrence,
            longest,
        })
    }

    /// Whether a claim should be measured in context and cannot be.
    pub(super) fn lacks_context(&self, claim: usize, settings: &Disclosure) -> bool {
        let asked = matches!(settings.probabilities, None | Some(Probabilities::Both));
        let bounded = self.held.iter().any(|held| held.claim == claim && held.limit.is_some());
        asked && bounded && !self.held.iter().any(|held| held.claim == claim && held.sense.is_some())
    }

    pub(super) fn is_name(&self, key: &str) -> bool {
        self.folded.iter().any(|names| names.contains(key))
    }

    pub(super) fn is_known(&self, text: &str) -> Result<bool, Error> {
        Ok(exact(self.counts, &[text])? > 0)
    }

    pub(super) fn bound(&self, held: &Held<'_>) -> f64 {
        (self.total as f64 / held.limit.unwrap_or(held.written) as f64).log2()
    }

    /// The number of documents with words of which so many are a claim's, where these tell so many bits.
    pub(super) fn documents_at(&self, held: &Held<'_>, with: u64, bits: f64) -> f64 {
        self.total as f64 / held.secret as f64 * with as f64 / bits.exp2()
    }

    pub(super) fn bits(&self, held: &Held<'_>, with: u64, all: u64) -> f64 {
        if with == 0 || all == 0 {
            return f64::NEG_INFINITY;
        }
        (self.total as f64 / held.secret as f64 * (with as f64 / all as f64)).log2()
    }

    /// Counts a word, and judges it by itself.
    pub(super) fn entry(&self, text: &str, key: &str) -> Result<Entry, Error> {
        let written = exact(self.counts, &[text])?;
        let units = if written > 0 { self.counts.units_with_any(&[text], &[])? } else { None };
        let mut entry = Entry {
            text: text.to_owned(),
            written,
            names: (0..self.folded.len()).find(|claim| self.folded[*claim].contains(key)),
            counts: Vec::new(),
            judged: Vec::new(),
            odds: Vec::new(),
            at_bound: Vec::new(),
            units: None,
            with: Vec::new(),
        };
        for held in &self.held {
            let listed = units.as_ref().zip(held.units.as_ref());
            let set = listed.map(|(units, numbers)| {
                let mut set = vec![0_u64; numbers.len() / 64 + 1];
                units.iter().filter_map(|unit| numbers.get(unit)).for_each(|number| {
                    set[*number as usize / 64] |= 1 << (number % 64);
                });
                set
            });
            let (with, all) = match &set {
                Some(set) => (set.iter().map(|bits| u64::from(bits.count_ones())).sum(), written),
                None => self.single(held, text, written)?,
            };
            let at_bound = self.at_bound[held.claim].contains(key);
            let declined = self.declined[held.claim].contains(key);
            let judged = match () {
                () if all == 0 => Judged::Unknown,
                () if held.is_too_much(with, all) => Judged::Risky,
                () if !self.confident || at_bound || declined => Judged::Safe,
                () if with as f64 >= self.together * all as f64 => Judged::Risky,
                () if held.refutes(with, all) => Judged::Safe,
                () => Judged::Unknown,
            };
            entry.odds.push(self.odds(held, with, all));
            entry.counts.push((with, all));
            entry.judged.push(judged);
            entry.at_bound.push(at_bound);
            entry.with.push(set);
        }
        if entry.names.is_none() && self.confident {
            entry.names = self.named_as(text, key)?;
        }
        entry.units = units.filter(|units| units.last().is_none_or(|last| *last < SMALL)).map(|units| {
            let mut set = vec![0_u64; units.last().map_or(0, |last| *last as usize / 64 + 1)];
            for unit in &units {
                set[*unit as usize / 64] |= 1 << (unit % 64);
            }
            set
        });
        Ok(entry)
    }

    /// How often a word is written with a claim and at all: among all documents if never with what may be told.
    fn single(&self, held: &Held<'_>, text: &str, written: u64) -> Result<(u64, u64), Error> {
        if let Some(most) = held.sense {
            let terms = [text, most];
            let all = if held.within.is_some() { exact(self.counts, &terms)? } else { written };
            if all > 0 {
                return Ok((any(self.counts, &held.names, &terms)?, all));
            }
        }
        Ok((any(self.counts, &held.names, &[text])?, written))
    }

    fn odds(&self, held: &Held<'_>, with: u64, all: u64) -> (f64, f64) {
        let base = held.secret as f64 / self.total as f64;
        if base >= 1.0 {
            return (0.0, 0.0);
        }
        let share = if all == 0 { 1.0 } else { bound(with, all, held.alpha) };
        if share >= 1.0 {
            return (f64::INFINITY, f64::INFINITY);
        }
        let logit = |share: f64| share.ln() - (-share).ln_1p();
        let most = logit(share) - logit(base);
        // Counted with half a document more on either side.
        let estimate = (with as f64 + 0.5).ln() - ((all - with) as f64 + 0.5).ln() - logit(base);
        (estimate.min(most), most)
    }

    /// Which claim the thing that a word names is hardly ever written without, under any of its names.
    fn named_as(&self, text: &str, key: &str) -> Result<Option<usize>, Error> {
        let senses = self.taxonomies.senses(text);
        let Some(sense) = senses.first().filter(|sense| sense.probability >= 0.5) else { return Ok(None) };
        let words = self.taxonomies.members()[sense.taxonomy].synonyms(sense.concept);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words.len() < 2 {
            return Ok(None);
        }
        let Some(units) = self.counts.units_with_any(&words, &[])? else { return Ok(None) };
        for held in self.held.iter().filter(|held| held.sense.is_none()) {
            let left = self.at_bound[held.claim].contains(key) || self.declined[held.claim].contains(key);
            let Some(numbers) = held.units.as_ref().filter(|_| !left) else { continue };
            let both = units.iter().filter(|unit| numbers.contains_key(unit)).count();
            if both > 0 && both as f64 >= self.together * units.len() as f64 {
                return Ok(Some(held.claim));
            }
        }
        Ok(None)
    }

    /// Judges a run of words by these where the corpus says too little of it; true if that helped.
    pub(super) fn back_off(&self, entry: &mut Entry, parts: &[Entry]) -> bool {
        if entry.written == 0 {
            return false;
        }
        let parts: Vec<&Entry> = parts.iter().collect();
        let mut helped = false;
        for view in 0..self.held.len() {
            let odds = joint(&parts, view);
            if entry.judged[view] == Judged::Unknown && self.allows(&self.held[view], odds) {
                entry.judged[view] = Judged::Safe;
                entry.odds[view] = (entry.odds[view].0.min(odds), entry.odds[view].1.min(odds));
                helped = true;
            }
        }
        helped
    }

    /// Whether odds raised by a factor, given as a logarithm, are still within a claim's share.
    fn allows(&self, held: &Held<'_>, factor: f64) -> bool {
        let base = held.secret as f64 / self.total as f64;
        if held.share >= 1.0 || base >= 1.0 {
            return true;
        }
        // With the tolerance of rounding.
        (base / (1.0 - base)).ln() + factor <= (held.share / (1.0 - held.share)).ln() + 1e-7
    }

    /// Whether words, independent of each other, tell too little to be risky together.
    pub(super) fn tells_little(&self, view: usize, entries: &[&Entry]) -> bool {
        let at_bound = entries.iter().any(|entry| entry.at_bound[view]);
        !self.confident || at_bound || self.allows(&self.held[view], joint(entries, view))
    }

    /// Whether two words never stand in one document.
    pub(super) fn are_apart(&self, entries: &[&Entry]) -> Result<bool, Error> {
        if let [one, two] = entries
            && let (Some(a), Some(b)) = (&one.units, &two.units)
        {
            return Ok(a.iter().zip(b).all(|(a, b)| a & b == 0));
        }
        Ok(self.all(entries, 0.0)? == 0)
    }

    /// In how many documents all of these are; once there are `enough`, no more are counted.
    pub(super) fn all(&self, entries: &[&Entry], enough: f64) -> Result<u64, Error> {
        if let [one, two] = entries
            && let (Some(a), Some(b)) = (&one.units, &two.units)
        {
            let mut count = 0;
            for (a, b) in a.chunks(16).zip(b.chunks(16)) {
                count += a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>();
                if count as f64 > enough {
                    break;
                }
            }
            return Ok(count);
        }
        exact(self.counts, &texts(entries))
    }

    /// The same where what may be told is, too.
    pub(super) fn all_within(&self, view: usize, entries: &[&Entry]) -> Result<u64, Error> {
        let terms: Vec<&str> = texts(entries).into_iter().chain(self.held[view].within).collect();
        exact(self.counts, &terms)
    }

    /// In how many documents all of these are with a claim.
    pub(super) fn with(&self, view: usize, entries: &[&Entry]) -> Result<u64, Error> {
        if let [one, two] = entries
            && let (Some(a), Some(b)) = (&one.with[view], &two.with[view])
        {
            return Ok(a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum());
        }
        let held = &self.held[view];
        let terms: Vec<&str> = texts(entries).into_iter().chain(held.sense).collect();
        any(self.counts, &held.names, &terms)
    }
}

/// The largest factor by which words raise the odds together that is not refuted, as a logarithm: the distances of the
/// single bounds from their estimates add up like standard errors.
fn joint(entries: &[&Entry], view: usize) -> f64 {
    let estimate: f64 = entries.iter().map(|entry| entry.odds[view].0).sum();
    let distance = |entry: &&Entry| entry.odds[view].1 - entry.odds[view].0;
    if entries.iter().any(|entry| entry.odds[view].1 == f64::INFINITY) {
        return f64::INFINITY;
    }
    estimate + entries.iter().map(|entry| distance(entry).powi(2)).sum::<f64>().sqrt()
}

fn texts<'e>(entries: &[&'e Entry]) -> Vec<&'e str> {
    entries.iter().map(|entry| entry.text.as_str()).collect()
}

fn exact(counts: &dyn Counts, terms: &[&str]) -> Result<u64, Error> {
    Ok(match counts.count(terms)? {
        Count::Exact(count) => count,
        Count::AtMost(_) | Count::Unknown => 0,
    })
}

/// How often one of several names is written with all of some terms.
fn any(counts: &dyn Counts, names: &[&str], terms: &[&str]) -> Result<u64, Error> {
    match counts.count_with_any(names, terms)? {
        Count::Exact(count) => Ok(count),
        _ => Err(cannot_count()),
    }
}

/// A claim by each kind of probability that a policy asks for.
fn hold<'a>(
    counts: &dyn Counts,
    at: usize,
    claim: &'a Claim,
    settings: &Disclosure,
    into: &mut Vec<Held<'a>>,
) -> Result<(), Error> {
    let mut names = Vec::new();
    for name in &claim.names {
        if exact(counts, &[name])? > 0 {
            names.push(name.as_str());
        }
    }
    let written = any(counts, &names, &[])?;
    let most = claim.at_most.as_deref();
    let limit = most.map(|most| exact(counts, &[most])).transpose()?;
    if written == 0 || limit.is_some_and(|limit| limit < written) {
        return Err(cannot_count());
    }
    let beside = most.map_or(Ok(0), |most| any(counts, &names, &[most]))?;
    let kind = settings.probabilities.unwrap_or(Probabilities::Both);
    let standard = most.is_none() || matches!(kind, Probabilities::Both | Probabilities::Standard);
    let least = if kind == Probabilities::Both { ENOUGH } else { 1 };
    let contextual = most.filter(|_| kind != Probabilities::Standard && beside >= least);
    if !standard && contextual.is_none() {
        return Err(cannot_count());
    }
    let within = most.filter(|_| kind == Probabilities::Within);
    let mut held = |sense: Option<&'a str>, secret: u64| -> Result<(), Error> {
        let share = limit.map_or(1.0, |limit| secret as f64 / limit as f64).min(settings.co_occurrence);
        let listed = if within.is_some() {
            None
        } else {
            counts.units_with_any(&names, &sense.into_iter().collect::<Vec<_>>())?
        };
        into.push(Held {
            claim: at,
            names: names.clone(),
            within,
            sense,
            written,
            secret,
            limit,
            share,
            alpha: 1.0 - settings.confidence,
            units: listed.map(|units| units.into_iter().zip(0..).collect()),
        });
        Ok(())
    };
    if standard {
        held(None, written)?;
    }
    if contextual.is_some() {
        held(contextual, beside)?;
    }
    Ok(())
}

/// Abbreviations in brackets whose letters begin the words before them, with these words.
fn abbreviations(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('(') {
        let Some((short, _)) = text[at + 1..].split_once(')') else { continue };
        let capitals: Vec<char> =
            short.chars().filter(|c| c.is_uppercase()).flat_map(char::to_lowercase).collect();
        if capitals.len() < 2 || !short.chars().all(char::is_alphanumeric) {
            continue;
        }
        let before: Vec<&str> = text[..at].split_whitespace().rev().take(capitals.len()).collect();
        let starts = before.iter().rev().map(|word| word.to_lowercase().chars().next());
        if before.len() == capitals.len() && starts.eq(capitals.iter().map(|c| Some(*c))) {
            let long: Vec<&str> = before.into_iter().rev().collect();
            found.push((plain(short), plain(&long.join(" "))));
        }
    }
    found
}
