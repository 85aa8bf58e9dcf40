//! The terms of a document and their possible replacements.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reticent_knowledge::corpus::{Count, Counts, WordFrequencies};
use reticent_knowledge::fold;
use reticent_knowledge::taxonomy::{Concept, ROOT, RungKind, Stack, StackSense, Taxonomy};
use reticent_text::{Document, Language, Layers, Pos, Span};

use super::parts::{Parts, tells};
use super::sanitize::{Disclosed, Sanitized, Sanitizer, Together};
use super::shape::{Shape, sort};
use super::{Corpus, Measure, Secret};
use crate::abbreviation::long_form;
use crate::mask::grammar::singular;
use crate::mask::vague::{self, Sort};
use crate::policy::{Disclosure, Scope, Subject};
use crate::resolve::surface::{Form, Surfaces};
use crate::{EntityType, Error, ErrorKind};

/// Broader things that are said of nearly everything read badly and tell nothing, by their bits in the taxonomy.
const TOO_BROAD: f64 = 5.3;

/// And these, wherever they lie.
const SAYS_NOTHING: [&str; 14] = [
    "agent",
    "appearance",
    "attribute",
    "being",
    "concept",
    "happening",
    "idea",
    "natural object",
    "part",
    "phenomenon",
    "process",
    "quality",
    "whole",
    "work",
];

/// This is said, however broad it is: an epidemic is an event. Not what someone does: a responsibility is none.
const STILL_SAID: &str = "event";
const DONE: &str = "act";

/// What is said of these is said of the state they are in: signs are swollen glands, and not glands.
const CHANGED: [&str; 12] = [
    "swollen",
    "enlarged",
    "inflamed",
    "weakened",
    "damaged",
    "broken",
    "impaired",
    "blocked",
    "thickened",
    "blurred",
    "reduced",
    "lowered",
];

/// A sense that is less probable than this is not built upon: a blood sample is no example.
const PROBABLE: f64 = 0.8;

/// What several persons are.
const PEOPLE: &str = "people";
const SOME_PEOPLE: &str = "some people";

/// A word is rare if fewer than one in so many words of its language is it: `transcriptase`, not `guitar`.
const RARE: u64 = 100_000;

/// A candidate for a term: the original, a generalization, or the empty replacement.
#[derive(Clone, Default, PartialEq)]
pub struct Rung {
    /// The text of the candidate.
    pub text: String,
    /// `true` if it is the term itself with words left out.
    pub is_form: bool,
    /// Its information content `IC`; that of its most informative part if the whole is unknown.
    pub bits: f64,
    /// `true` if it says with other words that something was there.
    pub(crate) is_vague: bool,
    /// What it is made of.
    pub(crate) parts: Vec<u32>,
}

/// A term of a document, at all its places.
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
#[derive(Clone, Default, PartialEq)]
pub struct Item {
    /// The spans of the term.
    pub spans: Vec<Span>,
    /// The candidates: the original first, then generalizations once they are needed, and the empty replacement last.
    pub rungs: Vec<Rung>,
    /// Whether it is a proper name, or has a word that is rare in the language.
    pub(crate) is_name_or_rare: bool,
    /// Whether nothing of it may be said, since what else is said around it cannot be changed.
    pub(crate) is_masked: bool,
    /// Whether not even words that stand for whatever was there may be said.
    pub(crate) is_blank: bool,
    /// What those words are made of, if there are any.
    pub(crate) vague: Option<Vec<u32>>,
    /// What is said of it where nothing is told.
    pub(crate) sort: Sort,
    /// Whether it is one thing, though it ends like several: `diabetes`.
    pub(crate) is_one: bool,
    /// Which secret it means, counted from 0.
    pub(crate) names: Option<usize>,
    /// At how many of its places not even that can be said.
    pub(crate) gaps: usize,
}

/// Input for term extraction besides the noun phrases.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Stretches that are terms too, whatever the tagger thinks.
    pub also: Vec<Span>,
    /// Masked spans.
    pub masked: Vec<Span>,
    /// Masked spans of which nothing is said.
    pub blank: Vec<Span>,
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
    /// The result of sanitization.
    pub sanitized: Sanitized,
}

impl Outcome {
    /// Where something else is said.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = Span> + '_ {
        let items = self.sanitized.disclosed.iter().map(|disclosed| &self.items[disclosed.item]);
        items.flat_map(|item| item.spans.iter().copied())
    }

    /// Where the other terms of the combination stand for which something is replaced.
    pub(crate) fn partners(&self, disclosed: &Disclosed) -> Vec<usize> {
        let own = &self.items[disclosed.item];
        let says = |item: &Item, part: &u32| item.rungs.iter().any(|rung| rung.parts.contains(part));
        let others = disclosed.risk.parts.iter().flatten().filter(|part| !says(own, part));
        let at = |part: &u32| {
            self.items.iter().find(|item| says(item, part))?.spans.first().map(|span| span.start)
        };
        others.filter_map(at).collect()
    }

    /// What is said instead of something and is masked elsewhere: `virus`, for one of two names.
    fn repeated(&self, text: &str) -> BTreeSet<String> {
        let surfaces = self.replaced().map(|span| Form::of(span.of(text), &EntityType::DETAIL));
        let surfaces = Surfaces::new(surfaces.collect::<Vec<_>>());
        let said = self.sanitized.disclosed.iter().map(|one| &self.items[one.item].rungs[one.rung].text);
        said.filter(|said| !surfaces.find(said).is_empty()).cloned().collect()
    }
}

/// How often other words are looked for where what is said would repeat what is masked elsewhere, and could not be released.
const TRIES: usize = 3;

/// Extracts the terms of a document and finds replacements for those that exceed the bound.
pub fn sanitize(
    document: &Document,
    corpus: &Corpus,
    subjects: &[Subject],
    settings: &Disclosure,
    look: &Look,
) -> Result<Outcome, Error> {
    let layers = document.layers().ok_or_else(|| {
        Error::new(ErrorKind::Detector, "the text was not analyzed, so its terms could not be counted")
    })?;
    corpus.check_language(layers.language)?;
    let asked = corpus.counts_for(document.id())?;
    let measure = corpus.measure_in(document, asked.counts(), subjects, settings)?;
    let mut parts = Parts::new(&measure, layers.language).with_taxonomy(corpus.taxonomy());
    let mut also = unphrased_names(document, layers, &measure);
    also.extend_from_slice(&look.also);
    let mut items = items(document, layers, &also, corpus.taxonomy(), &mut parts)?;
    let is_most =
        |secret: &Secret, term: &str| secret.at_most().is_some_and(|most| parts.key(most) == parts.key(term));
    for item in &mut items {
        let named = with_at_most(&item.rungs[0].text, &measure, &parts);
        item.names = named.filter(|named| named.said == named.most).map(|named| named.secret);
        // What may be told means the secret only where it is `the virus`.
        let the =
            |span: &Span| ["the ", "The "].iter().any(|the| document.text()[..span.start].ends_with(the));
        if measure.secrets().any(|secret| is_most(secret, &item.rungs[0].text)) && !item.spans.iter().all(the)
        {
            item.names = None;
        }
        let meets =
            |places: &[Span]| item.spans.iter().any(|span| places.iter().any(|place| place.overlaps(*span)));
        item.is_masked = meets(&look.masked);
        item.is_blank = meets(&look.blank);
    }
    let contexts = contexts(document, layers, &items, settings.context);
    let (mut unsaid, mut last, mut combined) = (BTreeSet::new(), None, Together::default());
    for _ in 0..TRIES {
        let mut tried = items.clone();
        let mut climb = |item: &Item, parts: &mut Parts<'_, '_>| {
            let mut rungs = said_instead(document, layers, item, corpus.taxonomy(), &measure, parts)?;
            rungs.retain(|rung| !unsaid.contains(&rung.text));
            Ok(rungs)
        };
        let sanitizer = Sanitizer::new(&mut parts, &mut tried, &mut combined, settings, &mut climb);
        let sanitized = sanitizer.run(&contexts)?;
        let outcome = Outcome { items: tried, sanitized };
        let repeated = outcome.repeated(document.text());
        if repeated.is_empty() {
            return Ok(outcome);
        }
        unsaid.extend(repeated);
        last = Some(outcome);
    }
    last.ok_or_else(|| Error::new(ErrorKind::Detector, "no combination was evaluated"))
}

/// What can be said instead of a term at all its places, most specific first.
fn said_instead(
    document: &Document,
    layers: &Layers,
    item: &Item,
    taxonomy: &Stack,
    measure: &Measure<'_>,
    parts: &mut Parts<'_, '_>,
) -> Result<Vec<Rung>, Error> {
    let term = &item.rungs[0].text;
    let denied = item.spans.iter().any(|span| vague::is_denied(document, *span));
    let mut found = if denied { Vec::new() } else { rungs(term, taxonomy, measure, parts)? };
    if found.is_empty()
        && !denied
        && let Some(long) = long_form(document.text(), term)
    {
        found = of_long_form(long, taxonomy, measure, parts)?;
    }
    let several = |span: &Span| layers.tokens_in(*span).last().is_some_and(|token| token.tag.name() == "NNS");
    // Of what is denied of a few, some people is all that is sure, and no article goes before it.
    let people = if denied { SOME_PEOPLE } else { PEOPLE };
    let fits = |span: &Span| several(span) && !(denied && is_determined(layers, *span));
    if item.sort == Sort::Person && item.spans.iter().all(fits) {
        let numbers = parts.of(people)?;
        // They tell no more than what they are broader than, however seldom a corpus writes of them.
        let bits = bits(people, &numbers, parts)?.min(found.last().unwrap_or(&item.rungs[0]).bits);
        found.push(Rung { text: people.to_owned(), is_form: true, bits, is_vague: false, parts: numbers });
    }
    Ok(found)
}

/// The terms of a document, what tells most first.
fn items(
    document: &Document,
    layers: &Layers,
    also: &[Span],
    taxonomy: &Stack,
    parts: &mut Parts<'_, '_>,
) -> Result<Vec<Item>, Error> {
    let text = document.text();
    let frequencies = frequencies(layers.language)?;
    let mut found: BTreeMap<String, Item> = BTreeMap::new();
    let shape = Shape::new(text, layers, taxonomy);
    let terms = layers.terms(text).into_iter().flat_map(|term| shape.terms_of(term.core));
    let mut spans: Vec<Span> = terms.chain(also.iter().copied()).map(|span| shape.whole(span)).collect();
    spans.extend(other_words(text, layers, &spans));
    for span in spans {
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
        let rung = Rung { text: surface.to_owned(), is_form: true, bits, is_vague: false, parts: numbers };
        let is_name_or_rare = rare || is_name(layers, span);
        let sort = sort(surface, taxonomy);
        let item = Item {
            spans: vec![span],
            rungs: vec![rung],
            is_name_or_rare,
            is_masked: false,
            is_blank: false,
            vague: None,
            sort,
            is_one: is_one(surface, taxonomy),
            names: None,
            gaps: 0,
        };
        found.insert(key, item);
    }
    let mut items: Vec<Item> = found.into_values().collect();
    // Of equals the order of their keys stays.
    items.sort_by(|a, b| b.rungs[0].bits.total_cmp(&a.rungs[0].bits));
    for item in &mut items {
        item.spans.sort_unstable();
        item.spans.dedup();
        let mut said = Vec::new();
        for span in &item.spans {
            match vague::say(document, *span, item.sort) {
                Some(vague) => said.extend(parts.of(&vague.words)?),
                None => item.gaps += 1,
            }
        }
        said.sort_unstable();
        said.dedup();
        item.vague = (item.gaps < item.spans.len()).then_some(said);
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

/// Words outside of all terms: what someone does, and how something is, tells too.
fn other_words(text: &str, layers: &Layers, terms: &[Span]) -> Vec<Span> {
    let mut terms = terms.to_vec();
    terms.sort_unstable();
    // What ends last of all that start before.
    let mut end = 0;
    let ends: Vec<usize> = terms
        .iter()
        .map(|term| {
            end = end.max(term.end);
            end
        })
        .collect();
    let mut found: Vec<Span> = Vec::new();
    for (at, token) in layers.tokens.iter().enumerate() {
        let word = token.span.of(text);
        let before = terms.partition_point(|term| term.start < token.span.end);
        let inside = before > 0 && ends[before - 1] > token.span.start;
        // `ca` of `can't` is no word.
        let denied = ["n't", "n’t"].iter().any(|not| text[token.span.end..].starts_with(not));
        if inside || denied || !word.contains(char::is_alphanumeric) {
            continue;
        }
        let number = at.checked_sub(1).map(|at| layers.tokens[at].span).filter(|number| {
            let beside = matches!(text.get(number.end..token.span.start), Some("" | " " | "-"));
            beside && number.of(text).chars().all(char::is_numeric)
        });
        let said = fold::words(word).any(|word| tells(word.text, layers.language));
        match number {
            // `37 years`, `5 g`: a number with what it counts.
            Some(number) if said || word.chars().count() <= 2 => found.push(number.join(token.span)),
            _ if said => found.push(token.span),
            _ => {}
        }
    }
    found
}

fn frequencies(language: Language) -> Result<Option<WordFrequencies>, Error> {
    Ok(match language {
        Language::Other => None,
        language => Some(WordFrequencies::new(language)?),
    })
}

fn is_common(word: &str, frequencies: &WordFrequencies) -> Result<bool, Error> {
    Ok(match frequencies.count(&[word])? {
        Count::Exact(count) | Count::AtMost(count) => count.saturating_mul(RARE) >= frequencies.total(),
        Count::Unknown => false,
    })
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
        if !is_common(word.text, frequencies)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn is_one(phrase: &str, stack: &Stack) -> bool {
    let noun = phrase.split_whitespace().next_back().unwrap_or(phrase);
    let known = |word: &str| !stack.senses(word).is_empty();
    let several =
        |end: &str, one: &str| noun.strip_suffix(end).is_some_and(|stem| known(&format!("{stem}{one}")));
    noun.ends_with('s') && known(noun) && !several("s", "") && !several("es", "") && !several("ies", "y")
}

fn is_determined(layers: &Layers, span: Span) -> bool {
    let at = layers.tokens.partition_point(|token| token.span.end <= span.start);
    let before = at.checked_sub(1).map(|at| layers.tokens[at].tag);
    before.is_some_and(|tag| tag.pos() == Pos::Determiner || tag.name() == "PRP$")
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
    let mut texts = broader(term, taxonomy, measure)?;
    let mut is_name = false;
    if let Some(Named { said, most, .. }) = with_at_most(term, measure, parts) {
        is_name = said == most;
        if is_name {
            // What may be told of a secret is true of its names, in the sense that is meant, and so is all above.
            texts = if parts.key(&said) == parts.key(term) { Vec::new() } else { vec![(said, false)] };
            let above = taxonomy.ladder(&most).rungs.into_iter();
            texts.extend(
                above.filter(|rung| rung.kind == RungKind::Hypernym).take(2).map(|rung| (rung.text, false)),
            );
        } else if texts.is_empty() {
            texts.push((said, true));
        }
    }
    if !term.contains(char::is_alphabetic) && term.contains(char::is_numeric) {
        texts.push(("number".to_owned(), false));
    }
    let own = parts.of(term)?;
    let mut most = bits(term, &own, parts)?;
    let mut rungs = Vec::with_capacity(texts.len());
    for (text, is_form) in texts {
        let numbers = parts.of(&text)?;
        let mut bits = bits(&text, &numbers, parts)?;
        if is_name {
            // A corpus writes `organism` less often than `virus`; it tells no more for that.
            bits = bits.min(most);
        }
        // What is rarer than what it is broader than is jargon: `pathological state`.
        if is_name || bits < most {
            most = bits;
            rungs.push(Rung { text, is_form, bits, is_vague: false, parts: numbers });
        }
    }
    Ok(rungs)
}

/// What can be said of an abbreviation that only its text explains: what is broader than its long form, of one of it.
fn of_long_form(
    long: &str,
    taxonomy: &Stack,
    measure: &Measure<'_>,
    parts: &mut Parts<'_, '_>,
) -> Result<Vec<Rung>, Error> {
    let mut rungs = rungs(long, taxonomy, measure, parts)?;
    for rung in rungs.iter_mut().filter(|rung| rung.is_form) {
        let one = singular(&rung.text).filter(|_| !is_one(&rung.text, taxonomy));
        rung.text = one.unwrap_or_else(|| rung.text.clone()).to_lowercase();
    }
    Ok(rungs)
}

/// Broader words for a term that can be said, most specific first, and whether they are a form of it.
fn broader(term: &str, stack: &Stack, measure: &Measure<'_>) -> Result<Vec<(String, bool)>, Error> {
    let ladder = stack.ladder(term);
    let Some(sense) = ladder.senses.first() else {
        let head = ladder.rungs.into_iter().filter(|rung| rung.kind == RungKind::Phrase);
        return Ok(head.map(|rung| (rung.text, true)).collect());
    };
    let known = &stack.members()[sense.taxonomy];
    // What happens to be called like an abbreviation is not what is meant: `cART` is no cart.
    let short = term.chars().skip(1).any(char::is_uppercase) && !term.contains(' ');
    let as_written = || known.synonyms(sense.concept).iter().any(|word| word == term);
    if (short && (known.holds_names() || !as_written())) || !names_a_thing(&**known, sense.concept) {
        return Ok(Vec::new());
    }
    let probable = sense.probability >= PROBABLE && !is_plural_of_another(term, sense, stack);
    // Swollen glands are what glands became, and no organs.
    let changed = |word: &str| !word.contains('-') && (word.ends_with("ed") || word.ends_with("en"));
    let became =
        term.split_once(' ').is_some_and(|(first, _)| changed(first)) && stack.senses(term).is_empty();
    let first = term.split(' ').next().unwrap_or_default().to_lowercase();
    let is_state = CHANGED.contains(&first.as_str());
    let done = ladder.rungs.iter().any(|rung| rung.text == DONE);
    let mut texts = Vec::new();
    for rung in ladder.rungs {
        let fits = match rung.kind {
            // `1` says nothing of `type 1`.
            RungKind::Phrase => rung.text.contains(char::is_alphabetic) && !is_state,
            RungKind::Root => false,
            RungKind::Hypernym => {
                probable
                    && !became
                    && ((rung.text == STILL_SAID && !done)
                        || rung.information_content.is_some_and(|bits| bits >= TOO_BROAD))
                    && !SAYS_NOTHING.contains(&rung.text.as_str())
                    // A phrase that nobody writes is jargon: `organic phenomenon`.
                    && measure.written(&[&rung.text])?.is_some()
            }
        };
        if fits {
            texts.push((rung.text, rung.kind == RungKind::Phrase));
        }
    }
    Ok(texts)
}

/// Whether one of what is called so is something else: night `sweats` are no sweatsuit.
fn is_plural_of_another(term: &str, sense: &StackSense, stack: &Stack) -> bool {
    let Some(one) = term.strip_suffix('s').filter(|one| !one.ends_with('s')) else { return false };
    let one = one.rsplit(' ').next().unwrap_or(one);
    let senses = stack.senses(one);
    let same = |other: &StackSense| (other.taxonomy, other.concept) == (sense.taxonomy, sense.concept);
    !senses.is_empty() && !senses.iter().any(same) && stack.senses(term).is_empty()
}

/// Not what someone does: `weakens`. Taxonomies without one root say nothing of that.
pub(super) fn names_a_thing(taxonomy: &dyn Taxonomy, concept: Concept) -> bool {
    let roots = taxonomy.senses(ROOT);
    roots.is_empty() || roots.iter().any(|root| taxonomy.contains(root.concept, concept))
}

/// A phrase that names a secret.
struct Named {
    /// With what may be told in the place of the name: `virus weakens` for `HIV/AIDS weakens`.
    said: String,
    /// What may be told.
    most: String,
    /// Which secret.
    secret: usize,
}

fn with_at_most(term: &str, measure: &Measure<'_>, parts: &Parts<'_, '_>) -> Option<Named> {
    let key = parts.key(term);
    for (at, secret) in measure.secrets().enumerate() {
        let Some(most) = secret.at_most() else { continue };
        let names: Vec<String> = secret.names().iter().map(|name| parts.key(name)).collect();
        // So is what may be told itself: where `virus` says too much, HIV and the virus are the same microorganism.
        if names.contains(&key) || parts.key(most) == key {
            return Some(Named { said: most.to_owned(), most: most.to_owned(), secret: at });
        }
        let says = |word: &str| word.split(['/', '-']).any(|part| names.contains(&parts.key(part)));
        if term.split(' ').any(says) {
            let words = term.split(' ').map(|word| if says(word) { most } else { word });
            let said = words.collect::<Vec<_>>().join(" ");
            return Some(Named { said, most: most.to_owned(), secret: at });
        }
    }
    None
}

/// Which items stand together.
fn contexts(document: &Document, layers: &Layers, items: &[Item], scope: Scope) -> Vec<Vec<usize>> {
    if scope == Scope::Document {
        return vec![(0..items.len()).collect()];
    }
    let stretches = stretches(document, layers, scope);
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

/// The stretches of a document within which terms are taken together, in order.
pub(crate) fn stretches(document: &Document, layers: &Layers, scope: Scope) -> Vec<Span> {
    match scope {
        Scope::Document => vec![Span::new(0, document.text().len())],
        Scope::Sentence => layers.sentences.clone(),
        Scope::Paragraph => paragraphs(document.text()),
    }
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
