//! Whom each sentence is about.
//!
//! A text may speak of several people. A sentence is about whom it names before its verb; where it names nobody, a
//! pronoun tells the sex, and the sentences around tell the rest: how often this text goes from one person to another
//! is learnt from the sentences that are clear ([`chain`](super::chain)).

use std::collections::BTreeMap;
use std::ops::Range;

use reticent_text::{Pos, Span, Token};

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
/// The text speaks of a person whom it introduces, or names so often before a verb.
const SPOKEN_OF: usize = 2;
/// Of others than the subject, so many are told apart.
const MOST_OTHERS: usize = 8;
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
    if people.count == 1 || !people.subject_is_named {
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
            matches!(word(*at), "is" | "was" | "are" | "were")
                && matches!(word(at + 1), "a" | "an" | "the" | "one")
        }) else {
            continue;
        };
        let before = Span::new(tokens[0].span.start, tokens[copula].span.start);
        if !named.iter().any(|finding| before.contains(finding.span)) {
            continue;
        }
        let rest = &tokens[copula + 1..];
        let ends = |token: &&Token| {
            let other =
                matches!(token.tag.pos(), Pos::Verb | Pos::Pronoun) || token.tag.name().starts_with('W');
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
struct People {
    /// How many there are.
    count: usize,
    /// Whether the text names the subject.
    subject_is_named: bool,
    /// Of each sentence, whom it names first, before its verb or else anywhere.
    named: Vec<Option<usize>>,
    /// Of each sentence, the sex that its first pronoun tells.
    pronouns: Vec<Option<Sex>>,
    sexes: Vec<Option<Sex>>,
}

/// A sentence as far as it matters here.
struct Sentence {
    whole: Span,
    /// Up to its first verb.
    head: Span,
}

impl People {
    fn new(look: &Look<'_>, sentences: &[Range<usize>], subject: &Subject) -> Result<Self, Error> {
        let (text, tokens) = (look.text(), &look.layers.tokens);
        let parts: Vec<Sentence> =
            sentences.iter().map(|range| Sentence::new(&tokens[range.clone()])).collect();
        let own: Vec<Span> = SubjectDetector::new(std::slice::from_ref(subject))
            .detect(look.document)?
            .iter()
            .map(|finding| finding.span)
            .collect();
        let mut by_last: BTreeMap<String, Vec<Span>> = BTreeMap::new();
        for finding in look.found {
            let labelled =
                finding.detector == NamesDetector::NAME && finding.entity_type == EntityType::PERSON;
            if !labelled || overlaps_any(&own, finding.span) {
                continue;
            }
            let name = without_title(finding.span.of(text));
            if let Some(last) = surface::words(name).last() {
                by_last.entry(last.of(name).to_lowercase()).or_default().push(finding.span);
            }
        }
        let mut others: Vec<(usize, Vec<Span>)> = by_last
            .into_values()
            .map(|mentions| {
                (mentions.iter().map(|mention| spoken_of(text, &parts, *mention)).sum(), mentions)
            })
            .filter(|(led, _)| *led >= SPOKEN_OF)
            .collect();
        others.sort_by_key(|(led, mentions)| (std::cmp::Reverse(*led), mentions[0]));
        others.truncate(MOST_OTHERS);

        let subject_is_named = !own.is_empty();
        let everyone = std::iter::once(own).chain(others.into_iter().map(|(_, mentions)| mentions));
        let mut mentions: Vec<(Span, usize)> = everyone
            .enumerate()
            .flat_map(|(person, mentions)| mentions.into_iter().map(move |mention| (mention, person)))
            .collect();
        mentions.sort_unstable();
        let count = mentions.iter().map(|(_, person)| person + 1).max().unwrap_or(1);
        let mut heads = vec![None; parts.len()];
        let mut anywhere = vec![None; parts.len()];
        for (mention, person) in mentions {
            let Some(at) = sentence_of(&parts, mention) else { continue };
            anywhere[at].get_or_insert(person);
            if parts[at].head.contains(mention) {
                heads[at].get_or_insert(person);
            }
        }
        let pronouns: Vec<Option<Sex>> = sentences
            .iter()
            .map(|range| tokens[range.clone()].iter().find_map(|token| sex_of(token.span.of(text))))
            .collect();
        let sexes = (0..count).map(|person| sex(person, &heads, &pronouns)).collect();
        let named = heads.into_iter().zip(anywhere).map(|(head, anywhere)| head.or(anywhere)).collect();
        Ok(Self { count, subject_is_named, named, pronouns, sexes })
    }

    /// How probable it is that each sentence is about each person.
    ///
    /// Where a person's sex is not told, both are tried, and what makes the text more likely is believed.
    fn about(&self) -> Vec<Vec<f64>> {
        let open: Vec<usize> =
            (0..self.sexes.len()).filter(|person| self.sexes[*person].is_none()).take(MOST_OPEN).collect();
        let tried = (0..1usize << open.len()).map(|which| {
            let mut sexes = self.sexes.clone();
            for (bit, person) in open.iter().enumerate() {
                sexes[*person] = Some(if which >> bit & 1 == 0 { Sex::Female } else { Sex::Male });
            }
            let seen: Vec<Vec<Likelihood>> =
                (0..self.named.len()).map(|at| self.likelihoods(at, &sexes)).collect();
            let chain = Chain::learn(&seen);
            (chain.log_likelihood(&seen), seen, chain)
        });
        let best = tried.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, seen, chain)| chain.probabilities(&seen)).unwrap_or_default()
    }

    /// How likely a sentence is to be as it is if it is about each person.
    fn likelihoods(&self, sentence: usize, sexes: &[Option<Sex>]) -> Vec<Likelihood> {
        if let Some(named) = self.named[sentence] {
            let other = (1.0 - NAMED) / (self.count - 1).max(1) as f64;
            return (0..self.count).map(|person| if person == named { NAMED } else { other }).collect();
        }
        let Some(sex) = self.pronouns[sentence] else { return vec![1.0; self.count] };
        let fits = |person: usize| sexes[person].is_none_or(|own| own == sex);
        (0..self.count).map(|person| if fits(person) { PRONOUN } else { 1.0 - PRONOUN }).collect()
    }
}

impl Sentence {
    fn new(tokens: &[Token]) -> Self {
        let verb = tokens.iter().position(|token| token.tag.pos() == Pos::Verb).unwrap_or(tokens.len());
        let span = |tokens: &[Token]| match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.span.join(last.span),
            _ => Span::new(0, 0),
        };
        Self { whole: span(tokens), head: span(&tokens[..verb]) }
    }
}

fn sentence_of(sentences: &[Sentence], span: Span) -> Option<usize> {
    let at = sentences.partition_point(|sentence| sentence.whole.end <= span.start);
    sentences.get(at).filter(|sentence| sentence.whole.contains(span)).map(|_| at)
}

fn overlaps_any(sorted: &[Span], span: Span) -> bool {
    let at = sorted.partition_point(|other| other.end <= span.start);
    sorted.get(at).is_some_and(|other| other.overlaps(span))
}

/// How much a mention says that the text speaks of a person, rather than naming them beside another: they stand before
/// the verb, or are introduced (`Jane Doe (born …`, `Jane Doe is …`).
fn spoken_of(text: &str, sentences: &[Sentence], mention: Span) -> usize {
    let Some(sentence) = sentence_of(sentences, mention).map(|at| &sentences[at]) else { return 0 };
    if !sentence.head.contains(mention) {
        return 0;
    }
    let after = text[mention.end..].trim_start();
    let introduced = ["(", "is a", "was a"].iter().any(|sign| after.starts_with(sign));
    if introduced && sentence.whole.start == mention.start { SPOKEN_OF } else { 1 }
}

/// The sex that the pronouns tell in sentences which name only that person before the verb.
fn sex(person: usize, heads: &[Option<usize>], pronouns: &[Option<Sex>]) -> Option<Sex> {
    let told =
        heads.iter().zip(pronouns).filter(|(head, _)| **head == Some(person)).filter_map(|(_, sex)| *sex);
    let (female, male): (Vec<Sex>, Vec<Sex>) = told.partition(|sex| *sex == Sex::Female);
    match (female.len(), male.len()) {
        (female, male) if female > 2 * male => Some(Sex::Female),
        (female, male) if male > 2 * female => Some(Sex::Male),
        _ => None,
    }
}

fn sex_of(word: &str) -> Option<Sex> {
    match word.to_lowercase().as_str() {
        "she" | "her" | "hers" | "herself" | "actress" | "ella" => Some(Sex::Female),
        "he" | "his" | "him" | "himself" | "él" => Some(Sex::Male),
        _ => None,
    }
}
