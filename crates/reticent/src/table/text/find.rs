//! Terms of texts, by the detectors; and where else the same words stand.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use reticent_knowledge::taxonomy::Taxonomy;
use reticent_text::{Document, Language, Span, is_ordinary};

use super::{CommonWords, Mention, Mentions, OccupationDetector, Taken, Term};
use crate::detect::LabelledDetector;
use crate::extract::value;
use crate::policy::{PolicyFile, Role};
use crate::resolve::surface::{Form, Surfaces, folded, words};
use crate::table::Schema;
use crate::table::lexicon::lexicon;
use crate::table::parallel::in_order;
use crate::{EntityType, Error, Policy, Protector};

/// What finds terms in the texts of a table: the detectors of a policy, and words for what people do.
///
/// A term counts wherever its words stand, in whichever text of the table it was found: a labeller that sees a
/// name in one text and misses it in another would else leave it there.
pub struct Finder {
    protector: Protector,
    threads: usize,
    /// What texts said, by two hashes of them: a text is searched once, however often it is asked for.
    known: RwLock<HashMap<(u64, u64), Arc<Findings>>>,
}

/// What one text says.
pub(crate) struct Findings {
    pub(crate) language: Language,
    pub(crate) found: Vec<Found>,
}

/// One thing that a text says.
pub(crate) struct Found {
    pub(crate) span: Span,
    pub(crate) kind: EntityType,
    pub(crate) value: String,
}

impl Finder {
    /// With the detectors of a policy (without one, those that tables use), with labellers, and with what the schema
    /// says of texts. What the policy keeps is no term.
    pub fn new(
        schema: &Schema,
        policy: Option<PolicyFile>,
        labellers: Vec<LabelledDetector>,
        threads: usize,
    ) -> Result<Self, Error> {
        let mut file = match policy {
            Some(file) => file,
            None => PolicyFile::from_toml(include_str!("terms.toml"))?,
        };
        file.detect.only_types.extend_from_slice(schema.only_types());
        file.detect.deny.extend_from_slice(schema.terms());
        let mut protector = Protector::new(Policy::from_file(file)?, None)?.for_short_texts()?;
        for labeller in labellers {
            protector = protector.with_labeller(labeller);
        }
        let protector = protector.with_detector(Box::new(OccupationDetector::new()?));
        Ok(Self { protector, threads: threads.max(1), known: RwLock::default() })
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    fn role(&self, kind: &EntityType) -> Role {
        self.protector.policy().role(kind)
    }

    /// Whether a term of a type may be told if all of a class say it. Names may: those of public figures are said by
    /// many. Numbers that belong to one person never may.
    pub(crate) fn may_stay(&self, kind: &EntityType) -> bool {
        [EntityType::PERSON, EntityType::NAME].contains(kind) || self.role(kind) != Role::Identifier
    }

    /// What one text says.
    pub(crate) fn find(&self, text: &str) -> Result<Arc<Findings>, Error> {
        let key = (hash(0, text), hash(1, text));
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let findings = Arc::new(self.search(text)?);
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&findings));
        Ok(findings)
    }

    fn search(&self, text: &str) -> Result<Findings, Error> {
        let mut document = Document::plain("text", text);
        let entities = self.protector.detect(&mut document, &[])?;
        let mut found = Vec::new();
        for entity in entities.iter().filter(|entity| self.role(&entity.entity_type) != Role::Insensitive) {
            if entity.mentions.iter().all(|mention| is_no_name(mention.span.of(text), &entity.entity_type)) {
                continue;
            }
            let value = value::of(entity, text, document.language());
            found.extend(entity.mentions.iter().map(|mention| Found {
                span: mention.span,
                kind: entity.entity_type.clone(),
                value: value.clone(),
            }));
        }
        found.sort_by_key(|found| found.span);
        // Short texts are taken for English unless their words tell otherwise.
        let language = if lexicon().is_foreign(text) { Language::Other } else { document.language() };
        Ok(Findings { language, found })
    }
}

/// The vocabulary of all texts, and where each of them says which of its terms.
pub(crate) fn find_all(
    texts: &[&str],
    finder: &Finder,
    common: &CommonWords,
) -> Result<(Vec<Term>, Vec<Mentions>), Error> {
    let findings = in_order(texts, finder.threads, |text| finder.find(text))?;
    let (vocabulary, mut said) = number(texts, findings, finder, common);
    spread(texts, &vocabulary, &mut said, finder.threads)?;
    Ok((vocabulary, said))
}

/// Numbers terms by their order, so that the same texts give the same numbers whatever their order.
fn number(
    texts: &[&str],
    findings: Vec<Arc<Findings>>,
    finder: &Finder,
    common: &CommonWords,
) -> (Vec<Term>, Vec<Mentions>) {
    let mut known: HashMap<(EntityType, String), u32> = HashMap::new();
    let mut terms: Vec<Term> = Vec::new();
    let mut said = Vec::with_capacity(findings.len());
    for (text, findings) in texts.iter().zip(findings) {
        let mut mentions = Vec::with_capacity(findings.found.len());
        for found in findings.found.iter().filter(|found| !common.has(found, text)) {
            let surface = found.span.of(text);
            let key = (found.kind.clone(), folded(&found.value));
            let next = u32::try_from(terms.len()).unwrap_or(u32::MAX);
            let term = *known.entry(key).or_insert_with_key(|(kind, folded)| {
                terms.push(Term {
                    kind: kind.clone(),
                    value: found.value.clone(),
                    folded: folded.clone(),
                    surface: surface.to_owned(),
                    may_stay: finder.may_stay(kind),
                });
                next
            });
            let known = &mut terms[term as usize];
            if surface < known.surface.as_str() {
                surface.clone_into(&mut known.surface);
            }
            if found.value < known.value {
                known.value.clone_from(&found.value);
            }
            mentions.push(Mention { span: found.span, term });
        }
        said.push(Mentions { language: findings.language, mentions: mentions.into_boxed_slice() });
    }
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_by(|a, b| (&terms[*a].kind, &terms[*a].folded).cmp(&(&terms[*b].kind, &terms[*b].folded)));
    let mut place = vec![0; terms.len()];
    for (at, old) in (0..).zip(&order) {
        place[*old] = at;
    }
    for text in &mut said {
        text.mentions.iter_mut().for_each(|mention| mention.term = place[mention.term as usize]);
    }
    let vocabulary = order.into_iter().map(|old| terms[old].clone()).collect();
    (vocabulary, said)
}

/// Adds mentions where the words of a term stand in a text in which it was not found.
fn spread(texts: &[&str], vocabulary: &[Term], said: &mut [Mentions], threads: usize) -> Result<(), Error> {
    let mut forms: Vec<(&str, u32)> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for (text, mentions) in texts.iter().zip(said.iter()) {
        for mention in &mentions.mentions {
            let surface = mention.span.of(text);
            if spreads(surface, &vocabulary[mention.term as usize].kind) && seen.insert(surface) {
                forms.push((surface, mention.term));
            }
        }
    }
    // The same words may be terms of two types: the first of the vocabulary counts.
    forms.sort_unstable_by_key(|(surface, term)| (*surface, *term));
    let surfaces =
        Surfaces::new(forms.iter().map(|(surface, term)| form(surface, &vocabulary[*term as usize].kind)));
    let work: Vec<(&str, &Mentions)> = texts.iter().copied().zip(said.iter()).collect();
    let more = in_order(&work, threads, |(text, mentions)| {
        let mut more: Vec<Mention> = Vec::new();
        let mut places = surfaces.find(text);
        // The longest first, so that a part of a name does not hide the whole.
        places.sort_by_key(|(form, span)| (std::cmp::Reverse(span.len()), span.start, *form));
        let mut taken = Taken::default();
        for mention in &mentions.mentions {
            taken.take(mention.span);
        }
        for (form, span) in places {
            if taken.take(span) {
                more.push(Mention { span, term: forms[form].1 });
            }
        }
        Ok(more)
    })?;
    for (mentions, more) in said.iter_mut().zip(more) {
        if !more.is_empty() {
            let mut all = mentions.mentions.to_vec();
            all.extend(more);
            all.sort_by_key(|mention| mention.span);
            mentions.mentions = all.into_boxed_slice();
        }
    }
    Ok(())
}

/// Whether words that a labeller calls a name or an address are but common words and abbreviations, in small letters:
/// `grey hair`, `c/o fatigue`.
fn is_no_name(surface: &str, kind: &EntityType) -> bool {
    (is_name(kind) || kind.as_str() == "ADDRESS")
        && !surface.contains(|c: char| c.is_uppercase() || c.is_numeric())
        && words(surface).all(|word| {
            let word = word.of(surface);
            word.chars().count() < 2
                || is_ordinary(word, Language::English)
                || (kind.as_str() == "ADDRESS" && is_common_noun(word))
        })
}

/// Whether WordNet knows a word as a common one.
fn is_common_noun(word: &str) -> bool {
    reticent_knowledge::taxonomy::wordnet().is_ok_and(|wordnet| !wordnet.senses(word).is_empty())
}

fn is_name(kind: &EntityType) -> bool {
    [EntityType::PERSON, EntityType::LOCATION, EntityType::ORGANIZATION, EntityType::NAME].contains(kind)
}

/// Whether finding these words elsewhere means finding the term. Of names in small letters only a labeller knows
/// that they are some.
pub(crate) fn spreads(surface: &str, kind: &EntityType) -> bool {
    !is_name(kind) || surface.contains(|c: char| c.is_uppercase() || c.is_numeric())
}

/// Words to look for. A name of ordinary words is one only with its capitals: `Reading` is a town.
pub(crate) fn form<'s>(surface: &'s str, kind: &EntityType) -> Form<'s> {
    let form = Form::of(surface, kind);
    let common = words(form.words).all(|word| {
        let word = word.of(form.words);
        word.chars().all(char::is_numeric) || is_ordinary(&word.to_lowercase(), Language::English)
    });
    let capital = form.words.starts_with(char::is_uppercase);
    Form { exact: form.exact || (common && capital), ..form }
}

fn hash(seed: u8, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, text).hash(&mut hasher);
    hasher.finish()
}
