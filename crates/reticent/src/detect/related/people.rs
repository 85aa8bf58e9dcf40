//! Whom each sentence is about.
//!
//! A text may speak of several people. A sentence is about whom it names before its verb; where it names nobody, a
//! pronoun tells the sex, and the sentences around tell the rest: how often this text goes from one person to another
//! is learnt from the sentences that are clear ([`chain`](super::chain)).

use std::collections::BTreeMap;
use std::ops::Range;

use reticent_text::{Layers, Pos, Span};

use super::Look;
use super::chain::{Chain, Likelihood};
use crate::detect::{NamesDetector, SubjectDetector};
use crate::policy::Subject;
use crate::resolve::surface;
use crate::resolve::title::without_title;
use crate::{Detector, EntityType, Error};

/// A sentence is another's only if that is at least so probable.
const SURE: f64 = 0.6;

/// How sure a name before the verb makes.
const NAMED: f64 = 0.98;
/// The sexes of so many people are tried out.
const MOST_OPEN: usize = 4;

/// How sure a pronoun makes that only fits one.
const PRONOUN: f64 = 0.95;

/// The sentences that are not clearly about somebody else, as tokens.
///
/// If the text never names the subject, all are: what cannot be told apart is protected.
pub(super) fn sentences_about(look: &Look<'_>, subject: &Subject) -> Result<Vec<Range<usize>>, Error> {
    let sentences: Vec<Range<usize>> = look.layers.sentence_tokens().collect();
    let people = People::new(look, &sentences, subject)?;
    if people.others() == 0 || !people.is_named(0) {
        return Ok(sentences);
    }
    let about = people.about();
    let about_others = |at: usize| about[at][1..].iter().sum::<f64>() >= SURE;
    Ok((0..sentences.len()).filter(|at| !about_others(*at)).map(|at| sentences[at].clone()).collect())
}

/// What the subject is said to be: what follows `is a` where the subject is named before it.
pub(super) fn descriptions(
    look: &Look<'_>,
    sentences: &[Range<usize>],
    subject: &Subject,
) -> Result<Vec<Span>, Error> {
    let text = look.text();
    let named = SubjectDetector::new(std::slice::from_ref(subject)).detect(look.document)?;
    let mut spans = Vec::new();
    for sentence in sentences {
        let tokens = &look.layers.tokens[sentence.clone()];
        let word = |at: usize| tokens.get(at).map_or("", |token| token.span.of(text));
        let Some(copula) = (0..tokens.len()).find(|at| {
            matches!(word(*at), "is" | "was" | "are" | "were") && matches!(word(at + 1), "a" | "an" | "the" | "one")
        }) else {
            continue;
        };
        let before = Span::new(tokens[0].span.start, tokens[copula].span.start);
        if !named.iter().any(|finding| before.contains(finding.span)) {
            continue;
        }
        let rest = &tokens[copula + 1..];
        let ends = |token: &&reticent_text::Token| {
            let other = matches!(token.tag.pos(), Pos::Verb | Pos::Pronoun) || token.tag.name().starts_with('W');
            other || (token.tag.pos() == Pos::Preposition && token.span.of(text) != "of")
        };
        let length = rest.iter().position(|token| ends(&token)).unwrap_or(rest.len());
        if let (Some(first), Some(last)) = (rest.first(), rest[..length].last()) {
            spans.push(first.span.join(last.span));
        }
    }
    Ok(spans)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sex {
    Female,
    Male,
}

/// Those whom a text is about: the subject first.
struct People<'a> {
    text: &'a str,
    layers: &'a Layers,
    sentences: &'a [Range<usize>],
    /// Of each person, where they are named.
    mentions: Vec<Vec<Span>>,
    sexes: Vec<Option<Sex>>,
}

impl<'a> People<'a> {
    fn new(look: &'a Look<'_>, sentences: &'a [Range<usize>], subject: &Subject) -> Result<Self, Error> {
        let (text, layers) = (look.text(), look.layers);
        let own: Vec<Span> = SubjectDetector::new(std::slice::from_ref(subject))
            .detect(look.document)?
            .iter()
            .map(|finding| finding.span)
            .collect();
        let mut by_last: BTreeMap<String, Vec<Span>> = BTreeMap::new();
        for finding in look.found {
            let labelled = finding.detector == NamesDetector::NAME && finding.entity_type == EntityType::PERSON;
            if !labelled || own.iter().any(|span| span.overlaps(finding.span)) {
                continue;
            }
            let name = without_title(finding.span.of(text));
            if let Some(last) = surface::words(name).last() {
                by_last.entry(last.of(name).to_lowercase()).or_default().push(finding.span);
            }
        }
        let mut people =
            Self { text, layers, sentences, mentions: vec![own], sexes: Vec::new() };
        for mentions in by_last.into_values() {
            if people.is_spoken_of(&mentions) {
                people.mentions.push(mentions);
            }
        }
        people.sexes = (0..people.mentions.len()).map(|person| people.sex(person)).collect();
        Ok(people)
    }

    fn others(&self) -> usize {
        self.mentions.len() - 1
    }

    fn is_named(&self, person: usize) -> bool {
        !self.mentions[person].is_empty()
    }

    fn span(&self, sentence: usize) -> Option<Span> {
        let tokens = &self.layers.tokens[self.sentences[sentence].clone()];
        Some(tokens.first()?.span.join(tokens.last()?.span))
    }

    /// The part of a sentence before its first verb.
    fn head(&self, sentence: usize) -> Option<Span> {
        let tokens = &self.layers.tokens[self.sentences[sentence].clone()];
        let verb = tokens.iter().position(|token| token.tag.pos() == Pos::Verb).unwrap_or(tokens.len());
        Some(tokens.first()?.span.join(tokens[..verb].last()?.span))
    }

    /// Whether a text speaks of a person, rather than naming them beside another: they stand before the verb of
    /// several sentences, or are introduced (`Jane Doe (born …`, `Jane Doe is …`).
    fn is_spoken_of(&self, mentions: &[Span]) -> bool {
        let mut led = 0;
        for sentence in 0..self.sentences.len() {
            let Some(head) = self.head(sentence) else { continue };
            let Some(first) = mentions.iter().find(|mention| head.contains(**mention)) else { continue };
            let tokens = &self.layers.tokens[self.sentences[sentence].clone()];
            let starts = tokens.first().is_some_and(|token| token.span.start == first.start);
            let after = self.text[first.end..].trim_start();
            let introduced = starts && ["(", "is a", "was a"].iter().any(|sign| after.starts_with(sign));
            led += if introduced { 2 } else { 1 };
        }
        led >= 2
    }

    /// The first of those spoken of in a stretch.
    fn first_in(&self, stretch: Span) -> Option<usize> {
        let inside = |mentions: &Vec<Span>| mentions.iter().find(|mention| stretch.contains(**mention)).copied();
        let named = self.mentions.iter().enumerate().filter_map(|(person, mentions)| Some((inside(mentions)?, person)));
        named.min_by_key(|(span, _)| span.start).map(|(_, person)| person)
    }

    /// The sex that the pronouns tell in sentences which name only that person before the verb.
    fn sex(&self, person: usize) -> Option<Sex> {
        let (mut female, mut male) = (0, 0);
        for sentence in 0..self.sentences.len() {
            let named = self.head(sentence).and_then(|head| self.first_in(head)) == Some(person);
            match self.pronoun(sentence).filter(|_| named) {
                Some(Sex::Female) => female += 1,
                Some(Sex::Male) => male += 1,
                None => {}
            }
        }
        match (female, male) {
            (female, male) if female > 2 * male => Some(Sex::Female),
            (female, male) if male > 2 * female => Some(Sex::Male),
            _ => None,
        }
    }

    /// The sex that the first word of a sentence tells which has one.
    fn pronoun(&self, sentence: usize) -> Option<Sex> {
        let tokens = self.layers.tokens[self.sentences[sentence].clone()].iter();
        tokens.filter_map(|token| sex_of(token.span.of(self.text))).next()
    }

    /// How probable it is that each sentence is about each person.
    ///
    /// Where a person's sex is not told, both are tried, and what makes the text more likely is believed.
    fn about(&self) -> Vec<Vec<f64>> {
        let open: Vec<usize> = (0..self.sexes.len()).filter(|person| self.sexes[*person].is_none()).take(MOST_OPEN).collect();
        let tried = (0..1usize << open.len()).map(|which| {
            let mut sexes = self.sexes.clone();
            for (bit, person) in open.iter().enumerate() {
                sexes[*person] = Some(if which >> bit & 1 == 0 { Sex::Female } else { Sex::Male });
            }
            let seen: Vec<Vec<Likelihood>> =
                (0..self.sentences.len()).map(|at| self.likelihoods(at, &sexes)).collect();
            let chain = Chain::learn(&seen);
            (chain.log_likelihood(&seen), seen, chain)
        });
        let best = tried.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, seen, chain)| chain.probabilities(&seen)).unwrap_or_default()
    }

    /// How likely a sentence is to be as it is if it is about each person.
    fn likelihoods(&self, sentence: usize, sexes: &[Option<Sex>]) -> Vec<Likelihood> {
        let count = self.mentions.len();
        let only = |who: usize, sure: f64| {
            let other = (1.0 - sure) / (count - 1) as f64;
            (0..count).map(|person| if person == who { sure } else { other }).collect()
        };
        let named = self.head(sentence).and_then(|head| self.first_in(head));
        if let Some(person) = named.or_else(|| self.span(sentence).and_then(|span| self.first_in(span))) {
            return only(person, NAMED);
        }
        let Some(sex) = self.pronoun(sentence) else { return vec![1.0; count] };
        let fits = |person: usize| sexes[person].is_none_or(|own| own == sex);
        (0..count).map(|person| if fits(person) { PRONOUN } else { 1.0 - PRONOUN }).collect()
    }
}

fn sex_of(word: &str) -> Option<Sex> {
    match word.to_lowercase().as_str() {
        "she" | "her" | "hers" | "herself" | "actress" | "ella" => Some(Sex::Female),
        "he" | "his" | "him" | "himself" | "él" => Some(Sex::Male),
        _ => None,
    }
}
