//! A document as terms, and what may be said instead of each.

use std::collections::{BTreeMap, HashMap};

use reticent_knowledge::corpus::{Count, Counts, WordFrequencies};
use reticent_knowledge::fold;
use reticent_knowledge::taxonomy::{RungKind, Stack};
use reticent_text::{Document, Language, Layers, Pos, Span};

use super::parts::{Parts, tells};
use super::sanitize::{Sanitized, Sanitizer};
use super::{Corpus, Measure, Secret};
use crate::policy::{Disclosure, Scope, Subject};
use crate::resolve::surface::{Form, Surfaces};
use crate::{Error, ErrorKind};

/// Broader things that are said of nearly everything read badly and tell nothing.
const TOO_BROAD: f64 = 4.0;

/// A sense that is less probable than this is not built upon.
const PROBABLE: f64 = 0.5;

/// A word is rare if fewer than one in so many words of its language is it.
const RARE: u64 = 1_000_000;

/// One thing that can be said: as it is written, something broader, or nothing.
#[derive(Clone, Default, PartialEq)]
pub struct Rung {
    /// What is said.
    pub text: String,
    /// Whether it is the term itself with words left out.
    pub is_form: bool,
    /// How much it tells: `IC`, of its most telling part where the whole is not known.
    pub bits: f64,
    /// What it is made of.
    pub(crate) parts: Vec<u32>,
}

/// A term of a document, at all its places.
#[derive(Clone, PartialEq)]
pub struct Item {
    /// Where it stands.
    pub spans: Vec<Span>,
    /// What can be said, as it is written first; broader rungs once they were needed, and nothing at last.
    pub rungs: Vec<Rung>,
    /// Whether it is a proper name, or has a word that is rare in the language.
    pub(crate) is_name_or_rare: bool,
    /// Whether nothing of it may be said, since what else is said around it cannot be changed.
    pub(crate) is_masked: bool,
}

/// What to look at besides the noun phrases.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Stretches that are terms too, whatever the tagger thinks.
    pub also: Vec<Span>,
    /// Stretches of which nothing may be said.
    pub masked: Vec<Span>,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("spans", &self.spans).finish_non_exhaustive()
    }
}

/// A document taken apart, and what became of its terms.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its terms.
    pub items: Vec<Item>,
    /// What became of them.
    pub sanitized: Sanitized,
}

/// Takes a document apart and finds what to say instead of what tells too much.
pub fn sanitize(
    document: &Document,
    corpus: &Corpus,
    subjects: &[Subject],
    settings: &Disclosure,
    look: &Look,
) -> Result<Outcome, Error> {
    let layers = document.layers().ok_or_else(|| {
        Error::new(ErrorKind::Detector, "the text was not analyzed, so that nothing could be counted")
    })?;
    corpus.check_language(layers.language)?;
    let asked = corpus.counts_for(document.id());
    let measure = corpus.measure(asked.counts(), subjects, settings)?;
    let mut parts = Parts::new(&measure, layers.language);
    let mut also = unphrased_names(document, layers, &measure);
    also.extend_from_slice(&look.also);
    let mut items = items(document, layers, &also, &mut parts)?;
    for item in &mut items {
        item.is_masked =
            item.spans.iter().any(|span| look.masked.iter().any(|masked| masked.overlaps(*span)));
    }
    let contexts = contexts(document, layers, &items, settings.context);
    let mut climb = |item: &Item, parts: &mut Parts<'_, '_>| {
        rungs(&item.rungs[0].text, corpus.taxonomy(), &measure, parts)
    };
    let sanitizer = Sanitizer::new(&mut parts, &mut items, settings.max_terms, settings.unknown, &mut climb);
    let sanitized = sanitizer.run(&contexts)?;
    Ok(Outcome { items, sanitized })
}

/// The terms of a document, what tells most first.
fn items(
    document: &Document,
    layers: &Layers,
    also: &[Span],
    parts: &mut Parts<'_, '_>,
) -> Result<Vec<Item>, Error> {
    let text = document.text();
    let frequencies = match layers.language {
        Language::Other => None,
        language => Some(WordFrequencies::new(language)?),
    };
    let mut found: BTreeMap<String, Item> = BTreeMap::new();
    let terms = layers.terms(text).into_iter().map(|term| term.core);
    for span in terms.chain(also.iter().copied()) {
        let surface = span.of(text);
        let key = parts.key(surface);
        if let Some(item) = found.get_mut(&key) {
            item.spans.push(span);
            item.is_name_or_rare |= is_name(layers, span);
            continue;
        }
        let numbers = parts.of(surface)?;
        if numbers.is_empty() {
            continue;
        }
        let rare = is_rare(surface, frequencies.as_ref(), layers.language, parts)?;
        let bits = bits(surface, &numbers, parts)?;
        let rung = Rung { text: surface.to_owned(), is_form: true, bits, parts: numbers };
        let is_name_or_rare = rare || is_name(layers, span);
        found.insert(key, Item { spans: vec![span], rungs: vec![rung], is_name_or_rare, is_masked: false });
    }
    let mut items: Vec<Item> = found.into_values().collect();
    // Of equals the order of their keys stays.
    items.sort_by(|a, b| b.rungs[0].bits.total_cmp(&a.rungs[0].bits));
    for item in &mut items {
        item.spans.sort_unstable();
        item.spans.dedup();
    }
    Ok(items)
}

/// Where a secret is named outside of any noun phrase.
fn unphrased_names(document: &Document, layers: &Layers, measure: &Measure<'_>) -> Vec<Span> {
    let text = document.text();
    let names = measure.secrets().flat_map(Secret::names);
    // AIDS is not aids.
    let forms = names.map(|name| Form { words: name, exact: !name.contains(char::is_lowercase) });
    let surfaces = Surfaces::new(forms.collect::<Vec<_>>());
    let phrases = layers.terms(text);
    let found = surfaces.find(text).into_iter().map(|(_, span)| span);
    found.filter(|span| !phrases.iter().any(|term| term.core.overlaps(*span))).collect()
}

fn is_name(layers: &Layers, span: Span) -> bool {
    layers.tokens_in(span).iter().any(|token| token.tag.pos() == Pos::ProperNoun)
}

/// Whether a word that the corpus does not know is rare in the language too.
fn is_rare(
    surface: &str,
    frequencies: Option<&WordFrequencies>,
    language: Language,
    parts: &Parts<'_, '_>,
) -> Result<bool, Error> {
    let Some(frequencies) = frequencies else { return Ok(true) };
    for word in fold::words(surface).filter(|word| tells(word.text, language)) {
        if parts.measure.written(&[word.text])?.is_some() {
            continue;
        }
        let common = match frequencies.count(&[word.text])? {
            Count::Exact(count) | Count::AtMost(count) => count.saturating_mul(RARE) >= frequencies.total(),
            Count::Unknown => false,
        };
        if !common {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How much a phrase tells.
fn bits(phrase: &str, numbers: &[u32], parts: &Parts<'_, '_>) -> Result<f64, Error> {
    if let Some(bits) = parts.measure.ic(&[phrase])? {
        return Ok(bits);
    }
    let known = numbers.iter().map(|part| parts.get(*part).ic);
    Ok(known.map(|bits| bits.unwrap_or(f64::INFINITY)).fold(0.0, f64::max))
}

/// What can be said instead, most specific first.
pub(crate) fn rungs(
    term: &str,
    taxonomy: &Stack,
    measure: &Measure<'_>,
    parts: &mut Parts<'_, '_>,
) -> Result<Vec<Rung>, Error> {
    let ladder = taxonomy.ladder(term);
    let probable = ladder.senses.first().is_some_and(|sense| sense.probability >= PROBABLE);
    let said = ladder.rungs.into_iter().filter(|rung| match rung.kind {
        RungKind::Phrase => true,
        RungKind::Hypernym => probable && rung.information_content.is_some_and(|bits| bits >= TOO_BROAD),
        RungKind::Root => false,
    });
    let mut texts: Vec<(String, bool)> =
        said.map(|rung| (rung.text, rung.kind == RungKind::Phrase)).collect();
    // What may be told of a secret is true of its names, in the sense that is meant.
    let key = parts.key(term);
    for secret in measure.secrets() {
        let named = secret.names().iter().any(|name| parts.key(name) == key);
        if let Some(most) = secret.at_most().filter(|_| named) {
            texts = vec![(most.to_owned(), false)];
        }
    }
    let own = parts.of(term)?;
    let mut most = bits(term, &own, parts)?;
    let mut rungs = Vec::with_capacity(texts.len());
    for (text, is_form) in texts {
        let numbers = parts.of(&text)?;
        let bits = bits(&text, &numbers, parts)?;
        // What is rarer than what it is broader than is jargon: `pathological state`.
        if bits < most {
            most = bits;
            rungs.push(Rung { text, is_form, bits, parts: numbers });
        }
    }
    Ok(rungs)
}

/// Which items stand together.
fn contexts(document: &Document, layers: &Layers, items: &[Item], scope: Scope) -> Vec<Vec<usize>> {
    let stretches = match scope {
        Scope::Document => return vec![(0..items.len()).collect()],
        Scope::Sentence => layers.sentences.clone(),
        Scope::Paragraph => paragraphs(document.text()),
    };
    let mut within: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        for span in &item.spans {
            let stretch = stretches.partition_point(|stretch| stretch.end <= span.start);
            let together = within.entry(stretch).or_default();
            if together.last() != Some(&at) {
                together.push(at);
            }
        }
    }
    let mut contexts: Vec<(usize, Vec<usize>)> = within.into_iter().collect();
    contexts.sort_unstable();
    let mut contexts: Vec<Vec<usize>> = contexts.into_iter().map(|(_, items)| items).collect();
    // By what they hold, not by where they stand.
    contexts.sort();
    contexts.dedup();
    contexts
}

/// What blank lines separate.
fn paragraphs(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            spans.push(Span::new(start, at));
            start = at;
        }
    }
    spans.push(Span::new(start, text.len()));
    spans
}
