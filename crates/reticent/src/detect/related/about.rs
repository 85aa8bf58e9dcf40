//! By whom a sentence is about, and how much its words tell.

use std::ops::Range;

use reticent_knowledge::taxonomy::RungKind;
use reticent_text::{Language, Pos, Span, Term};

use super::expression::{Cover, Expression};
use super::title::Piece;
use super::{Look, RelatedDetector, SubjectVector, identifies};
use super::{people, role, title};
use crate::detect::SubjectDetector;
use crate::finding::short;
use crate::mask::describe::{award, near};
use crate::policy::Subject;
use crate::{Because, Detector, EntityType, Error, Evidence, Finding, mask};

/// In sentences about the subject: names and numbers, what it is said to be, and phrases that are similar to it and
/// not common.
pub(super) fn detect(look: &Look<'_>, at: usize, subject: &Subject) -> Result<Vec<Finding>, Error> {
    let (text, layers) = (look.text(), look.layers);
    let terms = layers.terms(text);
    let own =
        SubjectVector::new(look.knowledge.vectors(), subject, terms.iter().map(|term| term.core.of(text)))?;
    let person = *subject.entity_type() == EntityType::PERSON;
    let all: Vec<Range<usize>> = layers.sentence_tokens().collect();
    let sentences = if person { people::sentences_about(look, subject)? } else { all };
    let descriptions = if person { people::descriptions(look, &sentences, subject)? } else { Vec::new() };

    // Of a thing, only what is similar to it tells something; of a person, all that is said where they are spoken of.
    let mut cover = Cover::new(text, layers, if person { &sentences } else { &[] });
    let names = SubjectDetector::new(std::slice::from_ref(subject)).detect(look.document)?;
    let mut told: Vec<Told> = Vec::new();
    for term in terms.iter().filter(|term| lies_in(term, layers.tokens.as_slice(), &sentences)) {
        let named = cover.touches(term);
        // Of `age 21` only the number tells something.
        if person && is_age(term.core.of(text)) {
            continue;
        }
        // `Watson split her time`: what the chunker takes for one phrase is a name and a verb.
        let after = names.partition_point(|name| name.span.end <= term.span.start);
        if person && names.get(after).is_some_and(|name| name.span.overlaps(term.span)) {
            continue;
        }
        // Of `English actress` only the first word tells something, of `actor Brad Pitt` only the name.
        if person && named && (is_people_and_common(look, term)? || is_common_and_person(look, term)?) {
            continue;
        }
        let why = Told::of(look, &own, &descriptions, term)?;
        cover.cover_term(term, why.tells(look));
        if !named && why.tells(look) {
            told.push(why);
        }
    }
    for found in look.found.iter().filter(|found| FIGURES.contains(&found.entity_type)) {
        cover.cover_found(found.span);
    }
    let people = names.iter().map(|name| name.span).chain(look.people());
    cover.keep_apart(people);
    cover.join_titles(&sentences, |span| match look.type_of(span) {
        Some(kind) if kind == EntityType::PERSON => Piece::Person,
        Some(kind) if [EntityType::LOCATION, EntityType::ORGANIZATION].contains(&kind) => Piece::Place,
        _ => Piece::Other,
    });
    let expressions = cover.expressions(&sentences);
    let mut findings = Vec::with_capacity(expressions.len());
    for expression in expressions {
        findings.push(finding(look, at, subject, &own, &expression, &told)?);
    }
    Ok(findings)
}

/// What is told in figures.
const FIGURES: [EntityType; 4] =
    [EntityType::DATE_TIME, EntityType::MONEY, EntityType::AGE, EntityType::PERCENTAGE];

/// `age 21`, perhaps with what the chunker takes in behind it: `age 21 opposite Jim Carrey`.
fn is_age(words: &str) -> bool {
    let number = words.strip_prefix("age ").or_else(|| words.strip_prefix("aged "));
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// A people and a noun that is common: `American actor`.
fn is_people_and_common(look: &Look<'_>, term: &Term) -> Result<bool, Error> {
    let Some((people, noun)) = term.core.of(look.text()).split_once(' ') else { return Ok(false) };
    let small = noun.starts_with(char::is_lowercase) && !noun.contains(char::is_uppercase);
    let common = look.bits(noun)?.is_some_and(|bits| bits < look.related.description_bits);
    Ok(small && common && look.knowledge.is_people(people))
}

/// Words that are common, and who is called so: `her father John Aniston`.
fn is_common_and_person(look: &Look<'_>, term: &Term) -> Result<bool, Error> {
    let words = term.core.of(look.text());
    let Some(name) = words.find(char::is_uppercase).filter(|at| *at > 0) else { return Ok(false) };
    let name = Span::new(term.core.start + name, term.core.end);
    if look.type_of(name) != Some(EntityType::PERSON) {
        return Ok(false);
    }
    let before = Span::new(term.core.start, name.start).of(look.text()).trim_end();
    // No nouns, though the chunker takes them in.
    if ["opposite", "alongside", "fellow", "then", "former", "late"].contains(&before) {
        return Ok(true);
    }
    Ok(look.bits(before)?.is_some_and(|bits| bits < look.related.bits))
}

fn lies_in(term: &Term, tokens: &[reticent_text::Token], sentences: &[Range<usize>]) -> bool {
    let at = tokens.partition_point(|token| token.span.start < term.core.start);
    let sentence = sentences.partition_point(|sentence| sentence.end <= at);
    sentences.get(sentence).is_some_and(|sentence| sentence.contains(&at))
}

/// What is known of a phrase.
struct Told {
    span: Span,
    bits: Option<f64>,
    cosine: Option<f32>,
    description: bool,
}

impl Told {
    fn of(look: &Look<'_>, own: &SubjectVector, descriptions: &[Span], term: &Term) -> Result<Self, Error> {
        let core = term.core.of(look.text());
        Ok(Self {
            span: term.core,
            bits: look.bits(core)?,
            cosine: own.cosine(&look.knowledge.vectors().lookup(core)?),
            description: descriptions.iter().any(|span| span.contains(term.core)),
        })
    }

    /// Whether it tells something: it is not common, and not known to have nothing to do with the subject.
    fn tells(&self, look: &Look<'_>) -> bool {
        let least = if self.description { look.related.description_bits } else { look.related.bits };
        let rare = self.bits.is_none_or(|bits| bits >= least);
        let similar = self.cosine.is_none_or(|cosine| cosine >= look.related.threshold);
        rare && (similar || self.description)
    }

    fn because(&self) -> Because {
        match (self.description, self.bits) {
            (true, _) => Because::Description,
            (false, Some(_)) => Because::Rare,
            (false, None) => Because::Unknown,
        }
    }
}

fn finding(
    look: &Look<'_>,
    at: usize,
    subject: &Subject,
    own: &SubjectVector,
    expression: &Expression,
    told: &[Told],
) -> Result<Finding, Error> {
    let text = look.text();
    let surface = expression.span.of(text);
    let first = told.partition_point(|told| told.span.end <= expression.span.start);
    let phrase = told[first..].first().filter(|told| expression.span.contains(told.span));
    let because = match phrase {
        _ if expression.named => Because::Name,
        _ if expression.numbered => Because::Number,
        Some(told) => told.because(),
        None => Because::Rare,
    };
    let (bits, cosine) = match phrase {
        Some(told) => (told.bits, told.cosine),
        None => (look.bits(surface)?, own.cosine(&look.knowledge.vectors().lookup(surface)?)),
    };
    Ok(Finding {
        span: expression.span,
        entity_type: what(look, expression),
        identifies: identifies(subject),
        detector: RelatedDetector::NAME.into(),
        score: score(because),
        evidence: Evidence::Related { subject: at, because, cosine, bits: bits.map(short) },
    })
}

/// What an expression is: as other detectors say, or a title if a year in brackets follows.
fn what(look: &Look<'_>, expression: &Expression) -> EntityType {
    let text = look.text();
    let kind = look.type_of(expression.span);
    if expression.named && expression.numbered && expression.span.of(text).ends_with(')') {
        let person = is_lifetime(expression.span.of(text)) || is_in_office(look, expression.span);
        return if person { EntityType::PERSON } else { EntityType::WORK };
    }
    // `in Michael Mann's series`: he is none.
    let owns = ["'s", "’s"].iter().any(|sign| text[expression.span.end..].starts_with(sign));
    if expression.named && owns && kind == Some(EntityType::PERSON) {
        return EntityType::PERSON;
    }
    if expression.named && role::is_played(text, look.layers, expression.span) {
        return EntityType::CHARACTER;
    }
    let place = kind.as_ref().is_some_and(|kind| *kind == EntityType::LOCATION);
    let organization = kind.as_ref().is_some_and(|kind| *kind == EntityType::ORGANIZATION);
    if expression.named && !place && !organization && role::is_acted_in(text, look.layers, expression.span) {
        return EntityType::WORK;
    }
    if expression.named && role::is_played_in(text, look.layers, expression.span) {
        // Hamlet may be played in London, and Batman in Gotham: nobody can tell.
        return if place { EntityType::NAME } else { EntityType::WORK };
    }
    if expression.named && title::shares_year(text, look.layers, expression.span) {
        return EntityType::WORK;
    }
    if look.knowledge.is_people(expression.span.of(text)) {
        return EntityType::NRP;
    }
    let tokens = look.layers.tokens_in(expression.span);
    // What it is stands before the first preposition: `a host of the Tony Awards` is a host.
    let is_joint = |token: &reticent_text::Token| {
        token.tag.pos() == Pos::Preposition && token.span.of(text).starts_with(char::is_lowercase)
    };
    let head = tokens.iter().position(is_joint).filter(|at| *at > 0).unwrap_or(tokens.len());
    let ends_in_noun = tokens[..head].last().is_some_and(|token| {
        token.tag.pos() == Pos::Noun && token.span.of(text).starts_with(char::is_lowercase)
    });
    let known = kind.filter(|kind| {
        // `Tony Award` is no person, whatever the labeller says: its last word tells what it is.
        let taxonomy = look.knowledge.taxonomy();
        let is_phrase = || {
            let ladder = taxonomy.ladder(expression.span.of(text));
            ladder.rungs.first().is_some_and(|rung| rung.kind == RungKind::Phrase)
        };
        *kind != EntityType::PERSON
            || !(is_phrase()
                || is_title(text, expression.span)
                || award::named(text, look.layers, expression.span, taxonomy).is_some())
    });
    // `10 years of age` is no kind of years.
    if let Some(figures) = known.as_ref().filter(|kind| FIGURES.contains(kind)) {
        return figures.clone();
    }
    if expression.numbered && !expression.named && is_date(expression.span.of(text), look.layers.language) {
        return EntityType::DATE_TIME;
    }
    known.filter(|_| !ends_in_noun).unwrap_or(if expression.named && !ends_in_noun {
        EntityType::NAME
    } else {
        EntityType::DETAIL
    })
}

/// Whether the years in brackets are those of someone's life: no series runs so long.
fn is_lifetime(words: &str) -> bool {
    let years = words.rsplit('(').next().unwrap_or_default().trim_end_matches(')');
    let mut years = years.split(['–', '-', '—']).map(|year| year.trim().parse::<i32>());
    let (Some(Ok(from)), Some(Ok(to)), None) = (years.next(), years.next(), years.next()) else {
        return false;
    };
    (20..=120).contains(&(to - from))
}

/// Whether the years in brackets are those in which someone did something: `replacing Eric Bauza (2003–2012)`.
fn is_in_office(look: &Look<'_>, span: Span) -> bool {
    const BEFORE: [&str; 9] =
        ["by", "with", "opposite", "alongside", "replacing", "replaced", "succeeding", "succeeded", "actor"];
    let text = look.text();
    let Some(bracket) = span.of(text).rfind(" (") else { return false };
    let years = &span.of(text)[bracket..];
    let name = Span::new(span.start, span.start + bracket);
    let before = text[..span.start].trim_end().rsplit(' ').next().unwrap_or_default();
    BEFORE.contains(&before)
        && years.contains(['–', '-', '—'])
        && look.type_of(name) == Some(EntityType::PERSON)
}

/// Whether a text speaks of films of this name: then `the success of Harry Potter` is no person's.
fn is_title(text: &str, span: Span) -> bool {
    let (name, near) = (span.of(text), near(text, span));
    let film = |kind: &str| near.contains(&format!("{name} {kind}"));
    name.contains(' ') && ["film", "series", "franchise", "movie", "trilogy"].into_iter().any(film)
}

/// A year or more of them that no pattern found: `early 2000s`.
fn is_date(words: &str, language: Language) -> bool {
    let context = mask::Context { language, ..mask::Context::default() };
    // `1850's` would stay as it is, with the year in it.
    !words.contains(['\'', '’'])
        && mask::ladder(&EntityType::DATE_TIME, words, &context).rung("decade").is_some()
}

/// How often such a finding is right: measured on the development set of annotated biographies.
fn score(because: Because) -> f32 {
    match because {
        Because::Name => 0.97,
        Because::Number => 0.95,
        Because::Description => 0.85,
        _ => 0.65,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_are_longer_than_series() {
        assert!(is_lifetime("Wendell Corey (1914–1968)") && is_lifetime("Ann Lee (1914 - 1968)"));
        assert!(!is_lifetime("The Mentalist (2008–15)") && !is_lifetime("Love of Life (1961–67)"));
        assert!(!is_lifetime("Hannibal (2013–2015)") && !is_lifetime("1984 (1956)"));
    }
}
