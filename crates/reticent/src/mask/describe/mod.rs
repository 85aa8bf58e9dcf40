//! What can be said of words that name or describe something: what kind of thing it is.
//!
//! `the Harry Potter film series` is a film series, `Top Gun (1986)` a film from the 1980s, `Paris` in Europe,
//! `an energetic slapstick performance` a performance. Each rung is true of what it replaces: it is made of words that
//! stand there, or comes from a taxonomy that knows the words for sure, or from a noun that the sentence itself puts
//! before the name.

pub(crate) mod award;
mod form;
mod phrase;
mod work;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use reticent_knowledge::embedding::{Found, How, Lookup};
use reticent_knowledge::taxonomy::{RungKind, StackSense};
use reticent_text::{Document, Language, Layers, Pos, Span};

pub(crate) use self::form::plural;
use self::phrase::Phrase;
pub(crate) use self::work::{is_work, singular as work_of};
use super::vague::{self, Sort};
use super::{Context, Rung};
use crate::detect::related::SubjectVector;
use crate::knowledge::{can_be, senses_below};
use crate::policy::{Method, Related, Subject};
use crate::{EntityType, Error, Knowledge, mask};

/// A sense that is less probable than this is not built upon: a `model` need not be a description.
const SURE_SENSE: f64 = 0.8;

/// One that was seen more seldom must be surer still: four tallies in baseball do not make every `tally` one.
const OFTEN_SEEN: u32 = 10;
const SURER_SENSE: f64 = 0.9;

/// A word is read in a sense that it has at least so often.
const THOUGHT_OF: f64 = 0.15;

/// Words before what someone is said to be: of whom it is said that they are a person, nothing is.
const IS: [&str; 7] = ["as", "As", "is", "was", "are", "were", "became"];

/// What the levels of descriptions begin with.
const KIND: &str = "kind_";

/// The level of what a label says too, in words: `a work`.
const TYPE: &str = "type";

/// Whether a level is a description, which is followed by coarser ones.
pub(crate) fn is_kind(level: &str) -> bool {
    level.starts_with(KIND)
}

/// Says of words of one document what kind of thing they name, as exactly as is safe.
pub(crate) struct Describer<'a> {
    knowledge: &'a Knowledge,
    related: &'a Related,
    subjects: Vec<SubjectVector>,
    /// What was said before: plans are made again until nothing is left.
    said: RefCell<HashMap<(Span, EntityType), Vec<Rung>>>,
}

impl<'a> Describer<'a> {
    /// Says nothing that tells more of these subjects than the policy allows.
    pub(crate) fn new(
        knowledge: &'a Knowledge,
        related: &'a Related,
        subjects: &[Subject],
    ) -> Result<Self, Error> {
        let vector = |subject| SubjectVector::new(knowledge.vectors(), subject, std::iter::empty());
        let subjects = subjects.iter().map(vector).collect::<Result<_, _>>()?;
        Ok(Self { knowledge, related, subjects, said: RefCell::default() })
    }

    /// What can be said instead of a stretch, most specific first; nothing if nothing is known to be true and safe.
    pub(crate) fn rungs(
        &self,
        document: &Document,
        span: Span,
        entity_type: &EntityType,
        context: &Context,
    ) -> Result<Vec<Rung>, Error> {
        let key = (span, entity_type.clone());
        if let Some(rungs) = self.said.borrow().get(&key) {
            return Ok(rungs.clone());
        }
        let rungs = self.all_rungs(document, span, entity_type, context)?;
        self.said.borrow_mut().insert(key, rungs.clone());
        Ok(rungs)
    }

    fn all_rungs(
        &self,
        document: &Document,
        span: Span,
        entity_type: &EntityType,
        context: &Context,
    ) -> Result<Vec<Rung>, Error> {
        let Some(layers) = document.layers() else { return Ok(Vec::new()) };
        // Taxonomies and grammar are English.
        if *entity_type == EntityType::PERSON || layers.language != Language::English {
            return Ok(Vec::new());
        }
        let phrase = Phrase::new(document.text(), layers, span);
        let decade = phrase.year.and_then(|year| decade(year.of(document.text()), context));
        let mut rungs: Vec<Rung> = Vec::new();
        let mut add = |said: String, is_type: bool| {
            for text in decade.iter().map(|decade| format!("{said} from {decade}")).chain([said.clone()]) {
                // That something is a work is told by its label too.
                let level = if is_type && text == said {
                    TYPE.to_owned()
                } else {
                    format!("{KIND}{}", rungs.len() + 1)
                };
                rungs.push(Rung::new(&level, text));
            }
        };
        let mut said = self.of_phrase(layers, &phrase, entity_type)?;
        let mut form = phrase.form;
        let named = [EntityType::NAME, EntityType::DETAIL].contains(entity_type);
        if said.is_empty()
            && named
            && !phrase.modifies
            && let Some(many) = award::named(document.text(), layers, span, self.knowledge.taxonomy())
            && self.is_safe("award", None, layers)?
        {
            form = phrase.form_of(many == award::Many::Several);
            said.push(form.number("award"));
        }
        let nothing = said.is_empty();
        for said in said {
            add(form.fit(&said), false);
        }
        // What a label says too is last, should all that is more exact be too much together with the rest.
        let plain = !phrase.modifies && !phrase.is_apposed(layers);
        let titled = nothing || *entity_type == EntityType::WORK;
        if let Some(kind) = kind(entity_type).filter(|_| titled && plain) {
            add(phrase.form_of_one().fit(kind), true);
        }
        let unnamed = [EntityType::NAME, EntityType::DETAIL].contains(entity_type);
        if let Some(form) = phrase.works(layers).filter(|_| nothing && unnamed) {
            add(form.fit(&form.number("work")), true);
        } else if nothing
            && *entity_type == EntityType::DETAIL
            && let Some(said) =
                self.vague(document, layers, &phrase).or_else(|| self.someone(layers, &phrase))
        {
            add(said, true);
        }
        Ok(rungs)
    }

    /// Words that tell nothing, where a verb says what is done with it: `won something`. People are no things.
    fn vague(&self, document: &Document, layers: &Layers, phrase: &Phrase<'_>) -> Option<String> {
        let (text, span) = (document.text(), phrase.span);
        let before = layers.tokens.partition_point(|token| token.span.end <= span.start).checked_sub(1)?;
        let before = layers.tokens[before];
        let word = before.span.of(text);
        let free = before.tag.pos() == Pos::Verb || ["in", "about", "of"].contains(&word);
        let stack = self.knowledge.taxonomy();
        let can_be = |words: &str| can_be(stack, words, &["person", "group"]);
        if !free || can_be(phrase.head.of(text)) || phrase.noun(layers).is_some_and(can_be) {
            return None;
        }
        let vague = vague::say(document, span, Sort::Thing)?;
        // `a number of things`, but no `victim of something`.
        let fits = word != "of" || vague.words == "things";
        (vague::is_nothing(&vague.words) && fits && vague.span == span).then_some(vague.words)
    }

    /// `a person`, `people`: what all people are, where an article does not make it one of them.
    fn someone(&self, layers: &Layers, phrase: &Phrase<'_>) -> Option<String> {
        let stack = self.knowledge.taxonomy();
        let noun = phrase.noun(layers)?;
        let people = senses_below(stack, noun, &["person"]).map(|sense| sense.probability).sum::<f64>();
        let (before, article) = phrase.before(layers);
        let fits =
            if phrase.form.plural { article.is_empty() } else { article == "a" && !IS.contains(&before) };
        (people >= SURE_SENSE && fits && !phrase.modifies).then(|| {
            let person = phrase.form.number("person");
            if phrase.form.plural { phrase.form.fit(&person) } else { person }
        })
    }

    /// Safe descriptions, without article.
    fn of_phrase(
        &self,
        layers: &Layers,
        phrase: &Phrase<'_>,
        entity_type: &EntityType,
    ) -> Result<Vec<String>, Error> {
        // `theatre and film director`: who is meant is no theatre.
        let stack = self.knowledge.taxonomy();
        let person = |words: &str| can_be(stack, words, &["person"]);
        if let (Some(last), Some(first)) = (phrase.joined, phrase.noun(layers))
            && person(last)
            && !person(first)
        {
            return Ok(if self.is_safe(last, None, layers)? { vec![last.to_owned()] } else { Vec::new() });
        }
        let mut said = Vec::new();
        // What stands there itself, with less and less before the noun.
        let forms = phrase.plain_forms();
        let whole = |form: &&&str| form.contains(' ') && !stack.senses(form).is_empty();
        let known = phrase.plain_words().filter(|words| whole(&words)).or(forms.iter().find(whole).copied());
        for form in forms {
            // A soap opera is no opera.
            let broader =
                known.is_none_or(|known| form.len() >= known.len() || can_be(stack, known, &[form]));
            if broader && self.is_safe(form, None, layers)? {
                said.extend(self.people_of(phrase).map(|people| format!("{people} {form}")));
                said.push(form.to_owned());
            }
        }
        let title = match entity_type {
            kind if *kind == EntityType::WORK => work::Reach::Sentence,
            kind if *kind == EntityType::NAME && phrase.is_name() => work::Reach::List,
            _ => work::Reach::Nothing,
        };
        // A trilogy is no film, though films are listed.
        if said.is_empty() && phrase.works(layers).is_none() {
            said.extend(work::kind_before(phrase.text, layers, phrase.span, title));
        }
        // A title says nothing of what it names: `Top Gun` is no gun.
        let invented = [EntityType::WORK, EntityType::CHARACTER].contains(entity_type);
        if said.is_empty() && !invented {
            said.extend(self.by_taxonomy(layers, phrase, entity_type)?);
        }
        Ok(said)
    }

    /// What a nationality before the noun generalizes to: `British` in `English actress`.
    fn people_of(&self, phrase: &Phrase<'_>) -> Option<String> {
        let stack = self.knowledge.taxonomy();
        let people = phrase.nationality().filter(|word| self.knowledge.is_people(word))?;
        stack.ladder(people).rungs.into_iter().find_map(|rung| {
            let names = rung.concept.is_some_and(|(taxonomy, _)| stack.members()[taxonomy].holds_names());
            let coarse = rung.information_content.is_some_and(|bits| bits <= self.related.said_place_bits);
            (rung.kind == RungKind::Hypernym && names && coarse).then_some(rung.text)
        })
    }

    fn by_taxonomy(
        &self,
        layers: &Layers,
        phrase: &Phrase<'_>,
        entity_type: &EntityType,
    ) -> Result<Vec<String>, Error> {
        let place = [EntityType::LOCATION, EntityType::NRP].contains(entity_type);
        let stack = self.knowledge.taxonomy();
        let ladder = stack.ladder(phrase.head.of(phrase.text));
        let sure = self.is_sure(&ladder.senses) || self.is_sure_person(layers, phrase, &ladder.senses);
        let mut said = Vec::new();
        // `accolades` are awards: what the same is called more often.
        if let Some(sense) = ladder.senses.first().filter(|_| sure && !phrase.is_name() && !phrase.modifies) {
            let label = stack.members()[sense.taxonomy].label(sense.concept);
            let one = phrase.form.number(&label);
            let other = label.chars().all(char::is_lowercase) && one != phrase.head.of(phrase.text);
            let thought_of = stack.senses(&label).into_iter().any(|of| {
                (of.taxonomy, of.concept) == (sense.taxonomy, sense.concept) && of.probability >= THOUGHT_OF
            });
            if other && thought_of && self.is_safe(&label, None, layers)? {
                said.push(one);
            }
        }
        for rung in ladder.rungs {
            let names = rung.concept.is_some_and(|(taxonomy, _)| stack.members()[taxonomy].holds_names());
            let safe = match rung.kind {
                RungKind::Root => false,
                // A part of a name tells whose it is, unless it is its last word: `Academy Awards`.
                RungKind::Phrase if has_name(&rung.text) => false,
                // `2` says nothing of `Die Hard 2`.
                RungKind::Phrase if !rung.text.contains(char::is_alphabetic) => false,
                // `Belle` is no belle; and what only says something of another noun has no kind of its own.
                RungKind::Hypernym if !sure || (!names && (phrase.is_name() || phrase.modifies)) => false,
                // There is an Antony in France, but he is none.
                RungKind::Hypernym if names => {
                    place && rung.information_content.is_some_and(|bits| bits <= self.related.said_place_bits)
                }
                RungKind::Phrase | RungKind::Hypernym => {
                    // Only what has no vector is told by its gloss, and unpacking that takes time.
                    let needed = self.related.method == Method::Similar;
                    let gloss = rung
                        .concept
                        .filter(|_| needed)
                        .and_then(|(taxonomy, concept)| stack.members()[taxonomy].gloss(concept));
                    self.is_safe(&rung.text, gloss.as_deref(), layers)?
                }
            };
            if safe {
                let text = if names { rung.text } else { rung.text.to_lowercase() };
                said.push(if rung.kind == RungKind::Hypernym && !names {
                    phrase.form.number(&text)
                } else {
                    text
                });
            }
        }
        Ok(said)
    }

    /// Whether it is known which of its senses a term has.
    fn is_sure(&self, senses: &[StackSense]) -> bool {
        let Some(first) = senses.first() else { return false };
        let enough = if first.count >= OFTEN_SEEN { SURE_SENSE } else { SURER_SENSE };
        self.knowledge.taxonomy().members()[first.taxonomy].holds_names() || first.probability >= enough
    }

    /// Whether the words must mean a person, and can mean one in one way only: nobody has fame as a door knocker.
    fn is_sure_person(&self, layers: &Layers, phrase: &Phrase<'_>, senses: &[StackSense]) -> bool {
        let (before, article) = phrase.before(layers);
        let mut people = senses_below(self.knowledge.taxonomy(), phrase.head.of(phrase.text), &["person"]);
        let first = people.next();
        let best =
            first.is_some_and(|person| senses.first().is_some_and(|sense| sense.concept == person.concept));
        best && people.next().is_none() && article == "a" && IS.contains(&before)
    }

    /// Whether what is said in all of the text is taken together too, and not only in each sentence.
    pub(crate) fn takes_all_together(&self) -> bool {
        self.related.method != Method::Similar
    }

    /// Which of several descriptions tells most, if together they lead to a subject.
    pub(crate) fn tells_together(&self, said: &[&str]) -> Result<Option<usize>, Error> {
        let vectors = self.knowledge.vectors();
        let mut known: Vec<(usize, Found)> = Vec::new();
        let mut seen = HashSet::new();
        for (at, words) in said.iter().enumerate() {
            if seen.insert(bare(words))
                && let Lookup::Found(found) = vectors.lookup(bare(words))?
            {
                known.push((at, found));
            }
        }
        if known.len() < 2 {
            return Ok(None);
        }
        let mut sum = vec![0.0; vectors.dimension()];
        for (_, found) in &known {
            let length = found.vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            sum.iter_mut().zip(&found.vector).for_each(|(sum, x)| *sum += x / length.max(f32::MIN_POSITIVE));
        }
        let together = Found { vector: sum, how: How::Composed { missing: Vec::new() } };
        for subject in &self.subjects {
            if self.leads_to(subject, &together, known.len()) {
                let alike = |found: &Found| subject.cosine(&Lookup::Found(found.clone())).unwrap_or(-1.0);
                let most = known.iter().max_by(|one, two| alike(&one.1).total_cmp(&alike(&two.1)));
                return Ok(most.map(|(at, _)| *at));
            }
        }
        Ok(None)
    }

    /// By the method `similar` words may not be as similar to a subject together as they may not be alone. Else all
    /// that is said of an actor is similar to actors; it may not lead to this one sooner than to many others, of which the
    /// words themselves are none.
    fn leads_to(&self, subject: &SubjectVector, together: &Found, words: usize) -> bool {
        let Some(cosine) = subject.cosine(&Lookup::Found(together.clone())) else { return false };
        let vectors = self.knowledge.vectors();
        match vectors.landmarks().filter(|_| self.related.method != Method::Similar) {
            Some(landmarks) => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let crowd = words + (self.related.crowd * landmarks as f64).ceil() as usize;
                vectors.landmarks_nearer(&together.vector, cosine, crowd) < crowd
            }
            None => cosine >= self.related.threshold,
        }
    }

    /// Whether a description tells little enough: by the method `about` it must be common, by `similar` unlike the
    /// subjects. What has no vector gets one from what the taxonomy says of it; what is still unknown is not safe.
    fn is_safe(&self, said: &str, gloss: Option<&str>, layers: &Layers) -> Result<bool, Error> {
        if self.related.method == Method::Similar {
            let vectors = self.knowledge.vectors();
            let mut found = vectors.lookup(said)?;
            if let Some(gloss) = gloss.filter(|_| found.is_unknown()) {
                found = vectors.expand_from_gloss(said, gloss)?;
            }
            let unlike = |subject: &SubjectVector| {
                subject.cosine(&found).is_some_and(|cosine| cosine < self.related.threshold)
            };
            return Ok(self.subjects.iter().all(unlike));
        }
        let bits = self.knowledge.bits(said, layers.language)?;
        Ok(bits.is_some_and(|bits| bits <= self.related.said_bits))
    }
}

/// So far around a name a text is searched for the same name, so that a long text takes no longer for each of its names.
const NEAR: usize = 8192;

/// The text around a name.
pub(crate) fn near(text: &str, span: Span) -> &str {
    let start = text.ceil_char_boundary(span.start.saturating_sub(NEAR));
    let end = text.floor_char_boundary((span.end + NEAR).min(text.len()));
    &text[start..end]
}

/// Words without what grammar puts before them.
fn bare(said: &str) -> &str {
    let article =
        ["a ", "an ", "some ", "several ", "the "].iter().find_map(|article| said.strip_prefix(article));
    article.unwrap_or(said)
}

/// A description in the form in which it can stand where the words of a stretch stood; a noun also in their number.
pub(crate) fn fitted(document: &Document, span: Span, said: &str, is_noun: bool) -> String {
    match document.layers() {
        Some(layers) if !layers.fallback => {
            let phrase = Phrase::new(document.text(), layers, span);
            if is_noun { phrase.form_for(said).fit(&phrase.form.number(said)) } else { phrase.form.fit(said) }
        }
        _ => said.to_owned(),
    }
}

fn has_name(form: &str) -> bool {
    form.contains(' ') && form.contains(char::is_uppercase)
}

/// What can be said of everything of a type.
fn kind(entity_type: &EntityType) -> Option<&'static str> {
    match entity_type {
        kind if *kind == EntityType::WORK => Some("work"),
        kind if *kind == EntityType::CHARACTER => Some("character"),
        kind if *kind == EntityType::LOCATION => Some("place"),
        kind if *kind == EntityType::ORGANIZATION => Some("organization"),
        _ => None,
    }
}

/// The decade of a year: `the 1980s`.
fn decade(year: &str, context: &Context) -> Option<String> {
    let ladder = mask::ladder(&EntityType::DATE_TIME, year, context);
    ladder.rung("decade").map(|rung| rung.text.clone())
}

#[cfg(test)]
mod tests;
