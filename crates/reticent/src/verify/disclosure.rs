//! The disclosure certificate: the disclosure of a released text, measured again from the file and the corpus alone.
//!
//! This shares no code with detection and replacement. It splits each noun phrase of the released text into its words
//! and the word sequences known to the corpus, and tests every combination against every claim by definition:
//! `PMI(c;T) > IC(g)`, or for a claim without `at_most`, `PMI(c;T) = IC(c)`.

use std::collections::{BTreeMap, HashSet};

use reticent_knowledge::corpus::{Count, Counts, WordFrequencies};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Document, Language, Span, is_stop_word};
use serde::Serialize;

use super::token;
use crate::policy::{Disclosure, Probabilities, Scope, Subject};
use crate::{Error, ErrorKind};

/// A term that a released text must not reveal.
#[derive(Clone, PartialEq, Eq)]
pub struct Claim {
    /// The names of the term.
    pub names: Vec<String>,
    /// The most specific generalization that may be revealed.
    pub at_most: Option<String>,
}

impl Claim {
    /// Creates the claim of a subject, with its synonyms from taxonomies: in the senses below `at_most`, or in the
    /// first sense if there is none.
    pub fn of(subject: &Subject, taxonomies: &Stack) -> Self {
        let at_most = subject.at_most().map(str::to_owned);
        let mut names: Vec<String> = subject.names().map(str::to_owned).collect();
        for taxonomy in taxonomies.members() {
            if taxonomy.holds_names() {
                continue;
            }
            let told = at_most.as_deref().map_or_else(Vec::new, |most| taxonomy.senses(most));
            for name in subject.names() {
                let senses = taxonomy.senses(name);
                let mut meant = senses
                    .iter()
                    .map(|sense| sense.concept)
                    .filter(|concept| told.iter().any(|most| taxonomy.contains(most.concept, *concept)));
                let meant = meant.next().or_else(|| senses.first().map(|sense| sense.concept));
                names.extend(meant.into_iter().flat_map(|concept| taxonomy.synonyms(concept)));
            }
        }
        Self { names, at_most }
    }
}

/// A combination of terms in the released text and its disclosure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remaining {
    /// The index of the claim, from 0.
    pub subject: usize,
    /// The spans of its terms, in bytes of the released text.
    #[serde(skip)]
    pub places: Vec<Span>,
    /// The number of terms.
    pub terms: usize,
    /// The disclosure in bits.
    pub bits: f64,
    /// The maximum disclosure allowed, in bits.
    pub bound: f64,
}

/// The result of measuring the disclosure of a released text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// The fingerprint of the corpus.
    pub knowledge: String,
    /// A description of the corpus.
    pub corpus: String,
    /// The maximum number of terms in a combination.
    pub max_terms: usize,
    /// The number of distinct terms in the released text.
    pub terms: usize,
    /// The number of combinations tested against the claims.
    pub counted: u64,
    /// The number of pairs of known terms that never co-occur in the corpus, whose disclosure is therefore unknown.
    pub never_together: u64,
    /// The terms unknown to the corpus: the span of their first occurrence, in bytes of the released text.
    #[serde(skip)]
    pub unknown: Vec<Span>,
    /// The combination with the highest disclosure, for each claim.
    pub worst: Vec<Remaining>,
    /// The combinations that exceed the bound.
    pub violations: Vec<Remaining>,
}

/// The verdict of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything was measured, and nothing exceeds the bound.
    Safe,
    /// Nothing measured exceeds the bound, but some terms could not be measured.
    NotAllCounted,
    /// A combination exceeds the bound.
    Violated,
}

impl Certificate {
    /// Returns the verdict. Terms that could not be measured are never considered safe.
    pub fn verdict(&self) -> Verdict {
        if !self.violations.is_empty() {
            Verdict::Violated
        } else if self.unknown.is_empty() && self.never_together == 0 {
            Verdict::Safe
        } else {
            Verdict::NotAllCounted
        }
    }
}

/// A claim with its counts.
struct Held<'a> {
    names: Vec<&'a str>,
    folded: HashSet<String>,
    within: Option<&'a str>,
    sense: Option<&'a str>,
    secret: u64,
    secret_within: u64,
    limit: Option<u64>,
}

/// A word is rare if fewer than one in so many words of its language is it.
const RARE: u64 = 100_000;

/// What these join are two things, not one.
const JOINING: [&str; 8] = ["and", "or", "nor", "y", "e", "o", "u", "ni"];

/// A word or a run of words that remains.
struct Word<'t> {
    text: &'t str,
    place: Span,
}

/// Measures the disclosure of a released text, which must be analyzed.
pub fn certify(
    released: &Document,
    counts: &dyn Counts,
    claims: &[Claim],
    settings: &Disclosure,
) -> Result<Certificate, Error> {
    let held: Vec<Held<'_>> =
        claims.iter().map(|claim| hold(counts, claim, settings)).collect::<Result<_, _>>()?;
    let mut check = Check {
        counts,
        total: counts.total(),
        held,
        seen: HashSet::new(),
        certificate: Certificate {
            knowledge: counts.fingerprint(),
            corpus: counts.name(),
            max_terms: settings.max_terms,
            terms: 0,
            counted: 0,
            never_together: 0,
            unknown: Vec::new(),
            worst: Vec::new(),
            violations: Vec::new(),
        },
    };
    for context in contexts(released, settings.context)? {
        check.context(released, &context, settings.max_terms)?;
    }
    Ok(check.certificate)
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

fn cannot_count() -> Error {
    Error::new(
        ErrorKind::Knowledge,
        "a protected term cannot be counted in this corpus: nothing is certified",
    )
}

fn hold<'a>(counts: &dyn Counts, claim: &'a Claim, settings: &Disclosure) -> Result<Held<'a>, Error> {
    let mut names = Vec::new();
    for name in &claim.names {
        if exact(counts, &[name])? > 0 {
            names.push(name.as_str());
        }
    }
    let secret = any(counts, &names, &[])?;
    let limit = claim.at_most.as_deref().map(|most| exact(counts, &[most])).transpose()?;
    let asked = settings.probabilities;
    let within = claim.at_most.as_deref().filter(|_| asked == Some(Probabilities::Within));
    let sense = claim.at_most.as_deref().filter(|_| asked != Some(Probabilities::Standard));
    let secret_within = sense.map_or(Ok(0), |most| any(counts, &names, &[most]))?;
    if secret == 0 || limit == Some(0) || (sense.is_some() && secret_within == 0) {
        return Err(cannot_count());
    }
    let folded = claim.names.iter().map(|name| plain(name)).collect();
    Ok(Held { names, folded, within, sense, secret, secret_within, limit })
}

fn plain(words: &str) -> String {
    let parts = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Where terms stand together.
fn contexts(released: &Document, scope: Scope) -> Result<Vec<Vec<Span>>, Error> {
    let layers = released.layers().ok_or_else(|| {
        Error::new(ErrorKind::Detector, "the released text was not analyzed: nothing is certified")
    })?;
    let text = released.text();
    let mut blank = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            blank.push(at);
        }
    }
    let place = |span: Span| match scope {
        Scope::Document => 0,
        Scope::Sentence => layers.sentences.partition_point(|sentence| sentence.end <= span.start),
        Scope::Paragraph => blank.partition_point(|end| *end <= span.start),
    };
    let mut contexts: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    let terms: Vec<Span> = layers.terms(text).into_iter().map(|term| term.core).collect();
    // The tagger may err: a rare word is a term wherever it stands.
    let frequencies = match layers.language {
        Language::Other => None,
        language => Some(WordFrequencies::new(language)?),
    };
    let mut rare = Vec::new();
    for token in &layers.tokens {
        let Some(frequencies) = &frequencies else { break };
        let next = terms.partition_point(|term| term.end <= token.span.start);
        if terms.get(next).is_some_and(|term| term.overlaps(token.span)) {
            continue;
        }
        let written = exact(frequencies, &[token.span.of(text)])?;
        if written.saturating_mul(RARE) < frequencies.total() {
            rare.push(token.span);
        }
    }
    for term in terms.into_iter().chain(rare) {
        contexts.entry(place(term)).or_default().push(term);
    }
    Ok(contexts.into_values().collect())
}

struct Check<'a> {
    counts: &'a dyn Counts,
    total: u64,
    held: Vec<Held<'a>>,
    seen: HashSet<String>,
    certificate: Certificate,
}

impl Check<'_> {
    fn context(&mut self, released: &Document, spans: &[Span], max_terms: usize) -> Result<(), Error> {
        let words = self.words(released, spans)?;
        let mut known = Vec::new();
        for word in &words {
            let written = exact(self.counts, &[word.text])?;
            if self.seen.insert(plain(word.text)) {
                self.certificate.terms += 1;
                if written == 0 {
                    self.certificate.unknown.push(word.place);
                }
            }
            if written > 0 {
                known.push(word);
            }
            for at in 0..self.held.len() {
                self.one(at, word, written)?;
            }
        }
        if max_terms < 2 {
            return Ok(());
        }
        for (at, one) in known.iter().enumerate() {
            for (next, two) in known.iter().enumerate().skip(at + 1) {
                if exact(self.counts, &[one.text, two.text])? == 0 {
                    self.certificate.never_together += 1;
                    continue;
                }
                let met = self.several(&[one, two])?;
                if max_terms < 3 || !met {
                    continue;
                }
                for three in &known[next + 1..] {
                    self.several(&[one, two, three])?;
                }
            }
        }
        Ok(())
    }

    /// The words and known runs of words of some phrases, each once, without our own marks.
    fn words<'t>(&self, released: &'t Document, spans: &[Span]) -> Result<Vec<Word<'t>>, Error> {
        let text = released.text();
        let language = released.language();
        let marks = token::spans(text);
        let longest = self.held.iter().flat_map(|held| &held.folded).map(|name| name.split(' ').count());
        let longest = longest.max().unwrap_or(1).max(4);
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for span in spans {
            let single: Vec<Span> = singles(text, *span)
                .into_iter()
                .filter(|word| !marks.iter().any(|mark| mark.contains(*word)))
                .collect();
            for first in 0..single.len() {
                for last in first..single.len().min(first + longest) {
                    if JOINING.contains(&single[last].of(text)) {
                        break;
                    }
                    let place = single[first].join(single[last]);
                    let run = place.of(text);
                    let ends = [single[first], single[last]];
                    if !ends.iter().all(|end| counts_as_word(end.of(text), language)) {
                        continue;
                    }
                    let name = plain(run);
                    let named = self.held.iter().any(|held| held.folded.contains(&name));
                    let fits = first == last || named || exact(self.counts, &[run])? > 0;
                    if fits && seen.insert(name) {
                        found.push(Word { text: run, place });
                    }
                }
            }
        }
        Ok(found)
    }

    /// A term by itself, among all documents if it is never written with what may be told.
    fn one(&mut self, at: usize, word: &Word<'_>, written: u64) -> Result<(), Error> {
        let held = &self.held[at];
        let named = held.folded.contains(&plain(word.text));
        let (mut with, mut all, mut secret) = (0, 0, held.secret_within);
        if let Some(most) = held.sense {
            let terms = [word.text, most];
            all = exact(self.counts, if held.within.is_some() { &terms } else { &terms[..1] })?;
            with = any(self.counts, &held.names, &terms)?;
        }
        if all == 0 {
            (all, secret) = (written, held.secret);
            with = any(self.counts, &held.names, &[word.text])?;
        }
        self.certificate.counted += u64::from(all > 0);
        self.tell(at, &[word.place], Counted { with, all, secret }, named);
        Ok(())
    }

    /// Several terms; whether they are ever written with a secret.
    fn several(&mut self, words: &[&Word<'_>]) -> Result<bool, Error> {
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        let places: Vec<Span> = words.iter().map(|word| word.place).collect();
        let mut met = false;
        for at in 0..self.held.len() {
            let held = &self.held[at];
            let terms: Vec<&str> = texts.iter().copied().chain(held.within).collect();
            let in_sense: Vec<&str> = texts.iter().copied().chain(held.sense).collect();
            let with = any(self.counts, &held.names, &in_sense)?;
            let secret = if held.sense.is_some() { held.secret_within } else { held.secret };
            if with > 0 {
                met = true;
                let all = exact(self.counts, &terms)?;
                self.tell(at, &places, Counted { with, all, secret }, false);
            }
        }
        self.certificate.counted += 1;
        Ok(met)
    }

    fn tell(&mut self, at: usize, places: &[Span], counted: Counted, named: bool) {
        let held = &self.held[at];
        let Counted { with, all, secret } = counted;
        let bound = (self.total as f64 / held.limit.unwrap_or(held.secret) as f64).log2();
        let bits = if with == 0 || all == 0 {
            f64::NEG_INFINITY
        } else {
            (self.total as f64 / secret as f64 * (with as f64 / all as f64)).log2()
        };
        let too_much = match held.limit {
            Some(limit) => u128::from(with) * u128::from(limit) > u128::from(secret) * u128::from(all),
            None => with > 0 && with == all,
        };
        let remaining = Remaining { subject: at, places: places.to_vec(), terms: places.len(), bits, bound };
        if too_much || named {
            self.certificate.violations.push(remaining.clone());
        }
        if !bits.is_finite() {
            return;
        }
        match self.certificate.worst.iter_mut().find(|worst| worst.subject == at) {
            Some(worst) if worst.bits >= bits => {}
            Some(worst) => *worst = remaining,
            None => self.certificate.worst.push(remaining),
        }
    }
}

/// How often terms are written with a secret, at all, and the secret itself.
#[derive(Clone, Copy)]
struct Counted {
    with: u64,
    all: u64,
    secret: u64,
}

/// The words of a stretch: runs of letters and digits.
fn singles(text: &str, span: Span) -> Vec<Span> {
    let mut words: Vec<Span> = Vec::new();
    for (offset, c) in span.of(text).char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let at = span.start + offset;
        match words.last_mut().filter(|word| word.end == at) {
            Some(word) => word.end = at + c.len_utf8(),
            None => words.push(Span::new(at, at + c.len_utf8())),
        }
    }
    words
}

/// Words that stand for whatever is meant and mean nothing of their own: a corpus writes them of everything. A released text does not
/// say who wrote them, so that the source's own are taken the same.
const PRONOUNS: [&str; 3] = ["someone", "something", "things"];

/// Stop words, single letters, small numbers and pronouns tell nothing.
fn counts_as_word(word: &str, language: Language) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let stop = word.starts_with(char::is_lowercase) && is_stop_word(word, language);
    let pronoun = PRONOUNS.iter().any(|pronoun| word.eq_ignore_ascii_case(pronoun));
    let nothing = stop || (language == Language::English && pronoun);
    !nothing && (letters > 1 || digits > 3 || (letters == 1 && digits > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disclosure::parts::tells;

    /// Both have lists of their own, and must mean the same.
    #[test]
    fn what_is_no_word_here_is_none_for_the_finder() {
        let none = ["something", "Someone", "Things", "few", "the", "12", "x"];
        let words = ["thing", "people", "many", "several", "two", "medicine", "1984", "B12", "AIDS"];
        for word in PRONOUNS.iter().chain(&none) {
            assert!(!counts_as_word(word, Language::English) && !tells(word, Language::English), "{word}");
        }
        for word in words {
            assert!(counts_as_word(word, Language::English) && tells(word, Language::English), "{word}");
        }
        assert!(counts_as_word("things", Language::Spanish) && tells("things", Language::Spanish));
    }
}
