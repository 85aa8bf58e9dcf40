//! What phrases are made of: words, and the runs of them that the corpus knows.

use std::collections::{HashMap, HashSet};

use reticent_knowledge::Folding;
use reticent_knowledge::corpus::Count;
use reticent_knowledge::fold::{self, Word};
use reticent_knowledge::taxonomy::Stack;
use reticent_text::{Language, is_stop_word};

use super::measure::{Lift, Measure, Standing, Tally};
use crate::Error;

/// Runs of more words than this are hardly ever written twice.
const LONGEST: usize = 4;

/// A sense that is less probable than this does not say what a term means.
const PROBABLE: f64 = 0.5;

/// A word or a run of words, counted once for all phrases that have it.
#[derive(Default)]
pub(crate) struct Part {
    /// As it was first written.
    pub(crate) text: String,
    /// `IC`; nothing if the corpus does not know it.
    pub(crate) ic: Option<f64>,
    /// Whether it is a name of this secret, or hardly ever written without it.
    pub(crate) names: Option<usize>,
    /// For each view, how often it is written with the secret.
    pub(crate) tallies: Vec<Option<Tally>>,
    /// The same strictly where probabilities are taken: for combinations.
    pub(crate) within: Vec<Option<Tally>>,
    /// For each view, what that shows.
    standing: Vec<Standing>,
    /// For each view, by how much it may raise the odds of the secret.
    lift: Vec<Lift>,
    /// For each view, whether it is what may be told or broader than that.
    allowed: Vec<bool>,
    /// For each view, which of the secret's documents have it, if the corpus can list them.
    documents: Vec<Option<Set>>,
    /// All documents that have it, if the corpus can list them and is small enough.
    units: Option<Set>,
}

/// Documents, each a bit.
type Set = Box<[u64]>;

/// The documents of larger corpora are not kept for each part: they are asked for.
const MOST_UNITS: u32 = 1 << 18;

impl Part {
    /// Whether it may be in a combination that tells something: it is known, and says more than that a text is one.
    pub(crate) fn may_combine(&self) -> bool {
        self.ic.is_some()
            && (self.within.iter().flatten().any(|tally| tally.with_secret > 0)
                || self.lift.iter().any(|lift| lift.may_raise()))
    }

    /// What is shown of it alone, in the worst view, with that.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (usize, Standing, Option<Tally>)> + '_ {
        let standing = self.standing.iter().zip(&self.tallies).enumerate();
        standing.map(|(view, (standing, tally))| (view, *standing, *tally))
    }
}

/// All parts of a document's terms and of what may be said instead, by number.
pub(crate) struct Parts<'m, 'k> {
    pub(crate) measure: &'m Measure<'k>,
    folding: Folding,
    names: HashMap<String, usize>,
    allowed: HashSet<(String, usize)>,
    declined: HashSet<(String, usize)>,
    taxonomy: Option<&'m Stack>,
    longest: usize,
    known: HashMap<String, Option<u32>>,
    pub(crate) all: Vec<Part>,
    /// For each view, at which place in order a document of the secret stands.
    places: Vec<Option<HashMap<u32, u32>>>,
}

impl<'m, 'k> Parts<'m, 'k> {
    pub(crate) fn new(measure: &'m Measure<'k>, language: Language) -> Self {
        let folding = Folding::new(language);
        let names: HashMap<String, usize> = measure.names(folding).into_iter().collect();
        let longest = names.keys().map(|name| name.split(' ').count()).max().unwrap_or(1).max(LONGEST);
        let places = (0..measure.len()).map(|view| {
            let units = measure.units(view)?;
            Some(units.iter().copied().zip(0_u32..).collect())
        });
        Self {
            measure,
            folding,
            names,
            allowed: measure.allowed(folding).into_iter().collect(),
            declined: measure.declined(folding).into_iter().collect(),
            taxonomy: None,
            longest,
            known: HashMap::new(),
            all: Vec::new(),
            places: places.collect(),
        }
    }

    /// The same, with taxonomies to tell what else a term is called.
    pub(crate) fn with_taxonomy(self, taxonomy: &'m Stack) -> Self {
        Self { taxonomy: Some(taxonomy), ..self }
    }

    /// A term without what does not make it another.
    pub(crate) fn key(&self, term: &str) -> String {
        self.folding.term(term)
    }

    /// The parts of a phrase, each once, in order of their numbers.
    pub(crate) fn of(&mut self, phrase: &str) -> Result<Vec<u32>, Error> {
        let language = self.folding.language();
        let words: Vec<Word<'_>> = fold::words(phrase).collect();
        let mut parts = Vec::new();
        for first in 0..words.len() {
            for end in first + 1..=words.len().min(first + self.longest) {
                if end - first > 1 && words[end - 1].apart {
                    break;
                }
                let last = words[end - 1];
                let single = end - first == 1;
                // A number says something with what it counts: `37 years`, `5 g`, `type 2`.
                let measured = !single && is_number(words[first].text);
                let begins = tells(words[first].text, language) || measured;
                let counted = !single && (is_number(last.text) || (measured && is_unit(last.text)));
                let ends = tells(last.text, language) || counted;
                if !begins || !ends {
                    continue;
                }
                let run = &phrase[words[first].start..last.start + last.text.len()];
                parts.extend(self.number(run, single)?);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        Ok(parts)
    }

    /// The number of a run. Longer runs count only if the corpus knows them, or if they name a secret.
    fn number(&mut self, run: &str, single: bool) -> Result<Option<u32>, Error> {
        let key = self.folding.term(run);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let written = self.measure.written(&[run])?;
        let named = self.names.get(&key).copied();
        if !single && written.is_none() && named.is_none() {
            self.known.insert(key, None);
            return Ok(None);
        }
        let mut part = self.counted(run, &key, written)?;
        part.names = match named {
            Some(secret) => Some(secret),
            None => self.as_good_as(run, &key)?,
        };
        if !single {
            self.back_off(&mut part, run)?;
        }
        self.all.push(part);
        let number = u32::try_from(self.all.len() - 1).ok();
        self.known.insert(key, number);
        Ok(number)
    }

    fn counted(&self, run: &str, key: &str, written: Option<u64>) -> Result<Part, Error> {
        let measure = self.measure;
        let mut part =
            Part { text: run.to_owned(), ic: written.map(|count| measure.ic_of(count)), ..Part::default() };
        let listed = self.places.iter().any(Option::is_some) && written.is_some();
        let units = if listed { measure.counts().units_with_any(&[run], &[])? } else { None };
        for view in 0..measure.len() {
            let (within, documents) = match (&units, &self.places[view]) {
                (Some(units), Some(places)) => {
                    let documents = documents(units, places);
                    let with = documents.iter().map(|word| u64::from(word.count_ones())).sum();
                    (Some(measure.tally_from(view, units.len() as u64, with)), Some(documents))
                }
                _ => (measure.tally(view, &[run])?, None),
            };
            let tally = match within {
                Some(tally) => Some(tally),
                None => measure.tally_one(view, run)?,
            };
            let secret = measure.secret(view);
            let allowed = self.allowed.contains(&(key.to_owned(), secret));
            let exempt = allowed || self.declined.contains(&(key.to_owned(), secret));
            let standing = tally.map_or(Standing::Unknown, |tally| measure.standing(view, tally, exempt));
            part.within.push(within);
            part.tallies.push(tally);
            part.standing.push(standing);
            part.lift.push(within.map_or(Lift::UNKNOWN, |tally| measure.lift(tally)));
            part.allowed.push(allowed);
            part.documents.push(documents);
        }
        part.units = units
            .filter(|units| units.last().is_none_or(|last| *last < MOST_UNITS))
            .map(|units| as_set(&units));
        Ok(part)
    }

    /// A run of which the corpus says too little is judged by its words, if they tell too little together.
    fn back_off(&mut self, part: &mut Part, run: &str) -> Result<(), Error> {
        if !part.standing.contains(&Standing::Unknown) {
            return Ok(());
        }
        let language = self.folding.language();
        let words: Vec<&str> = fold::words(run).map(|word| word.text).collect();
        let mut numbers = Vec::new();
        for word in words {
            if tells(word, language) || is_number(word) || is_unit(word) {
                numbers.extend(self.number(word, true)?);
            }
        }
        for view in 0..part.standing.len() {
            if part.standing[view] == Standing::Unknown {
                let lift = Lift::upper_of_sum(numbers.iter().map(|number| self.get(*number).lift[view]));
                if lift <= self.measure.most_lift(view) {
                    part.standing[view] = Standing::Safe;
                    part.lift[view] = part.lift[view].at_most(lift);
                }
            }
        }
        Ok(())
    }

    /// Which secret a term is as good as: one that its concept, under all its names, is hardly ever written without.
    fn as_good_as(&self, run: &str, key: &str) -> Result<Option<usize>, Error> {
        let (Some(share), Some(taxonomy)) = (self.measure.co_occurrence(), self.taxonomy) else {
            return Ok(None);
        };
        let senses = taxonomy.senses(run);
        let Some(sense) = senses.first().filter(|sense| sense.probability >= PROBABLE) else {
            return Ok(None);
        };
        let names = taxonomy.members()[sense.taxonomy].synonyms(sense.concept);
        if names.len() < 2 {
            return Ok(None);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Some(units) = self.measure.counts().units_with_any(&names, &[])? else { return Ok(None) };
        for view in (0..self.measure.len()).filter(|view| !self.measure.is_contextual(*view)) {
            let secret = self.measure.secret(view);
            let known = (key.to_owned(), secret);
            if self.allowed.contains(&known) || self.declined.contains(&known) {
                continue;
            }
            let Some(places) = &self.places[view] else { continue };
            let with = units.iter().filter(|unit| places.contains_key(unit)).count();
            if with > 0 && with as f64 >= share * units.len() as f64 {
                return Ok(Some(secret));
            }
        }
        Ok(None)
    }

    pub(crate) fn get(&self, number: u32) -> &Part {
        &self.all[number as usize]
    }

    /// By how much several parts may raise the odds of a secret; nothing if one of them is what may be told of it, which
    /// lies at the bound with whatever stands beside it.
    pub(crate) fn lift(&self, view: usize, numbers: &[u32]) -> Option<f64> {
        let allowed = numbers.iter().any(|number| self.get(*number).allowed[view]);
        (!allowed).then(|| Lift::upper_of_sum(numbers.iter().map(|number| self.get(*number).lift[view])))
    }

    /// In how many of a secret's documents several parts are together.
    pub(crate) fn with_secret(&self, view: usize, numbers: &[u32]) -> Result<u64, Error> {
        match common(numbers, u64::MAX, |number| self.get(number).documents[view].as_deref()) {
            Some(count) => Ok(count),
            None => self.measure.with_secret(view, &self.texts(numbers)),
        }
    }

    /// The counts of several parts together; nothing if they never are. Documents are not counted beyond `enough`.
    pub(crate) fn tally(
        &self,
        view: usize,
        numbers: &[u32],
        with: u64,
        enough: u64,
    ) -> Result<Option<Tally>, Error> {
        if self.places[view].is_none() {
            return self.measure.tally(view, &self.texts(numbers));
        }
        let count = match common(numbers, enough, |number| self.get(number).units.as_deref()) {
            Some(count) => count,
            None => match self.measure.counts().count(&self.texts(numbers))? {
                Count::Exact(count) => count,
                Count::AtMost(_) | Count::Unknown => 0,
            },
        };
        Ok((count > 0).then(|| self.measure.tally_from(view, count, with)))
    }

    /// Whether terms can be combined without asking the corpus.
    pub(crate) fn is_listed(&self, view: usize) -> bool {
        self.places[view].is_some()
    }

    fn texts(&self, numbers: &[u32]) -> Vec<&str> {
        numbers.iter().map(|number| self.get(*number).text.as_str()).collect()
    }
}

/// Which of a secret's documents are among some, as a set.
fn documents(units: &[u32], places: &HashMap<u32, u32>) -> Set {
    let mut set = vec![0_u64; places.len().div_ceil(64)];
    for place in units.iter().filter_map(|unit| places.get(unit)) {
        set[*place as usize / 64] |= 1 << (place % 64);
    }
    set.into_boxed_slice()
}

fn as_set(units: &[u32]) -> Set {
    let mut set = vec![0_u64; units.last().map_or(0, |last| *last as usize / 64 + 1)];
    for unit in units {
        set[*unit as usize / 64] |= 1 << (unit % 64);
    }
    set.into_boxed_slice()
}

/// How many documents two or three sets have in common, counted until there are `enough`; nothing if a set is not there.
fn common<'a>(numbers: &[u32], enough: u64, set: impl Fn(u32) -> Option<&'a [u64]>) -> Option<u64> {
    /// Blocks that are counted before it is asked whether that is enough.
    const STEP: usize = 16;
    let (one, two) = (set(*numbers.first()?)?, set(*numbers.get(1)?)?);
    let third = numbers.get(2).map(|three| set(*three).ok_or(())).transpose().ok()?;
    let length = one.len().min(two.len()).min(third.map_or(usize::MAX, <[u64]>::len));
    let mut count = 0;
    for start in (0..length).step_by(STEP) {
        let end = length.min(start + STEP);
        let both = one[start..end].iter().zip(&two[start..end]);
        count += match third {
            Some(three) => both
                .zip(&three[start..end])
                .map(|((a, b), c)| u64::from((a & b & c).count_ones()))
                .sum::<u64>(),
            None => both.map(|(a, b)| u64::from((a & b).count_ones())).sum(),
        };
        if count >= enough {
            break;
        }
    }
    Some(count)
}

/// Stop words that are names, too: these say something where they have a capital.
const ALSO_NAMES: [&str; 4] = ["Don", "Ma", "Will", "Won"];

/// Whether a word says something: no stop word, no single letter, no small number.
pub(crate) fn tells(word: &str, language: Language) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    // `The` begins a sentence; `IT` is none.
    let first_only = word.chars().skip(1).all(|c| !c.is_uppercase()) && !ALSO_NAMES.contains(&word);
    !(first_only && is_stop_word(word, language))
        && (letters > 1 || digits > 3 || (letters == 1 && digits > 0))
}

fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// Whether a word may be what is counted: `g`, `mg`.
fn is_unit(word: &str) -> bool {
    word.chars().count() <= 2 && word.chars().all(char::is_alphabetic)
}
