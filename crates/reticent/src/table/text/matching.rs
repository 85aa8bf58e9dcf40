//! Redundant terms: terms of a text that are also in the person's own row.
//!
//! `36 years old` and an age of 36 are one thing, and so are `thirty-six years old`, `14 May 2004` or `2004` and a
//! date of 2004-05-14, `sciences` and the topic Science. Such a term is no attribute of its own: in the text it
//! becomes what its column becomes.

use std::collections::{HashMap, HashSet};

use reticent_knowledge::Folding;
use reticent_text::{Language, Span, is_ordinary};

use super::value::{How, OwnValues};
use super::{Mention, Mentions, Taken, Term};
use crate::EntityType;
use crate::Error;
use crate::mask::age::{self, Amount};
use crate::resolve::surface::{is_distinctive, words};
use crate::table::person::{People, error};
use crate::table::{Column, Kind, Role, Schema, Table, calendar};

/// Where a term of a text belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It repeats the person's own value in this quasi-identifier.
    Column(usize, How),
    /// It names the person: the value of an identifying column, by its place among those.
    Identifier(usize),
    /// It is a term of its own, by its place in the vocabulary.
    Term(u32),
}

/// Knows which values each person has.
pub(crate) struct Matcher<'a> {
    people: &'a People,
    vocabulary: &'a [Term],
    folding: Folding,
    /// The columns that terms of a type may say.
    by_type: HashMap<EntityType, Vec<usize>>,
    /// For each column of words, its values by what they fold to; and by the parts between commas.
    whole: Vec<HashMap<String, Vec<u32>>>,
    parts: Vec<HashMap<String, Vec<u32>>>,
    values: OwnValues<'a>,
    identifiers: Vec<Identifier>,
}

/// What identifies a person directly, as words to look for.
struct Identifier {
    kind: EntityType,
    /// For each person, words in small letters, and whether they count only with a capital.
    of_person: Vec<Vec<(Vec<String>, bool)>>,
}

impl<'a> Matcher<'a> {
    /// `texts` are those of the table, each with its person.
    pub(crate) fn new(
        table: &Table,
        schema: &Schema,
        people: &'a People,
        vocabulary: &'a [Term],
        texts: &[(u32, &str)],
    ) -> Result<Self, Error> {
        let folding = Folding::new(Language::English);
        let mut matcher = Self {
            people,
            vocabulary,
            folding,
            by_type: HashMap::new(),
            whole: Vec::new(),
            parts: Vec::new(),
            values: OwnValues::new(people).with_contexts(texts),
            identifiers: Vec::new(),
        };
        for (column, attribute) in people.attributes.iter().enumerate() {
            for kind in &attribute.rule.entities {
                matcher.by_type.entry(kind.clone()).or_default().push(column);
            }
            let (mut whole, mut parts) = (HashMap::new(), HashMap::new());
            if attribute.rule.in_texts && matches!(attribute.rule.kind, Kind::Category | Kind::Ordered(_)) {
                for (value, text) in (0..).zip(attribute.values.iter().map(|value| value.text.as_str())) {
                    whole.entry(folding.term(text)).or_insert_with(Vec::new).push(value);
                    if text.contains(',') {
                        for piece in text.split(',').map(str::trim).filter(|piece| is_distinctive(piece)) {
                            parts.entry(folding.term(piece)).or_insert_with(Vec::new).push(value);
                        }
                    }
                }
            }
            matcher.whole.push(whole);
            matcher.parts.push(parts);
        }
        let identifying = schema.of_role(Role::Identifier).chain(schema.of_role(Role::Remove));
        for rule in identifying.filter(|rule| rule.in_texts) {
            let column = table.column(&rule.name).ok_or_else(|| error("a column is missing"))?;
            let kind = rule.entities.first().cloned().unwrap_or(EntityType::NAME);
            let of_person = identifiers(column, people, rule.entities.contains(&EntityType::PERSON));
            matcher.identifiers.push(Identifier { kind, of_person });
        }
        Ok(matcher)
    }

    /// The type of an identifying column.
    pub(crate) fn identifier(&self, at: usize) -> &EntityType {
        &self.identifiers[at].kind
    }

    /// What a text says when this person wrote it: spans in order, without overlaps, and where each belongs.
    pub(crate) fn places(&self, text: &str, mentions: &Mentions, person: u32) -> Vec<(Span, Place)> {
        let mentions = &mentions.mentions;
        let mut found: Vec<(Span, Place)> = self.named(text, person);
        let hits = self.values.find(text, person);
        found.extend(hits.into_iter().map(|hit| (hit.span, Place::Column(hit.column, hit.how))));
        // The longest first: of what identifies and what does not, what identifies.
        found.sort_by_key(|(span, place)| {
            (std::cmp::Reverse(span.len()), span.start, !matches!(place, Place::Identifier(_)))
        });
        let mut taken = Taken::default();
        let mut places: Vec<(Span, Place)> = Vec::with_capacity(found.len() + mentions.len());
        // A name of several words that only begins with a value is a name of its own. A number in a phrase that says
        // nothing else is the value.
        let mut inside: HashMap<usize, (Span, Place)> = HashMap::new();
        for (span, place) in found {
            let first = mentions.partition_point(|mention| mention.span.end <= span.start);
            let around = mentions[first..].iter().take_while(|mention| mention.span.start < span.end);
            let larger = around.clone().position(|mention| !span.contains(mention.span));
            match larger {
                None => {
                    if taken.take(span) {
                        places.push((span, place));
                    }
                }
                Some(at) => {
                    let mention = &mentions[first + at];
                    if !mention.span.contains(span) {
                        // A detector saw a part of it: both go together.
                        let joined = around.fold(span, |joined, mention| joined.join(mention.span));
                        let place = match place {
                            Place::Column(column, How::Number) => Place::Column(column, How::Number),
                            Place::Column(column, How::Date) => Place::Column(column, How::Date),
                            Place::Column(column, _) => Place::Column(column, How::Alias),
                            other => other,
                        };
                        if taken.take(joined) {
                            places.push((joined, place));
                        }
                        continue;
                    }
                    let counts = match place {
                        Place::Column(_, How::Date) => Some(mention.span),
                        Place::Column(_, How::Number | How::Age) => Some(span),
                        _ => None,
                    };
                    if let Some(counts) = counts.filter(|_| mention.span.contains(span))
                        && is_measured(&self.vocabulary[mention.term as usize].kind)
                    {
                        inside.entry(first + at).or_insert((counts, place));
                    }
                }
            }
        }
        for (at, Mention { span, term }) in mentions.iter().enumerate() {
            if taken.overlaps(*span) {
                continue;
            }
            let of_column = self.column_of(*term, span.of(text), person);
            places.push(match (of_column, inside.get(&at)) {
                (Some((column, how)), _) => (*span, Place::Column(column, how)),
                (None, Some(own)) => *own,
                (None, None) => (*span, Place::Term(*term)),
            });
        }
        places.sort_by_key(|(span, _)| *span);
        places
    }

    /// The column whose value a term says.
    fn column_of(&self, term: u32, surface: &str, person: u32) -> Option<(usize, How)> {
        let term = &self.vocabulary[term as usize];
        let mapped = self.by_type.get(&term.kind).into_iter().flatten();
        mapped.copied().find_map(|column| Some((column, self.says(column, term, surface, person)?)))
    }

    /// The types of what a column's values are in texts, if a place says it in that way.
    pub(crate) fn kind(&self, column: usize, how: How) -> Option<EntityType> {
        self.values.kind(column, how)
    }

    fn says(&self, column: usize, term: &Term, surface: &str, person: u32) -> Option<How> {
        let attribute = &self.people.attributes[column];
        let own = attribute.of(person).iter().map(|value| &attribute.values[*value as usize]);
        match &attribute.rule.kind {
            Kind::Number => number(term, surface)
                .is_some_and(|said| own.into_iter().any(|value| value.low.total_cmp(&said).is_eq()))
                .then_some(How::Number),
            Kind::Date { .. } => calendar::read(&term.value, None)
                .is_some_and(|(low, high)| {
                    own.into_iter().any(|value| f64::from(low) <= value.low && value.high <= f64::from(high))
                })
                .then_some(How::Date),
            Kind::Category | Kind::Ordered(_) => [surface, &term.value].into_iter().find_map(|said| {
                let folded = self.folding.term(said);
                if has_any(self.whole[column].get(&folded), attribute.of(person)) {
                    return Some(How::Words);
                }
                has_any(self.parts[column].get(&folded), attribute.of(person)).then_some(How::Part)
            }),
        }
    }

    /// Where a text names the person.
    fn named(&self, text: &str, person: u32) -> Vec<(Span, Place)> {
        let mut found = Vec::new();
        if self.identifiers.iter().all(|identifier| identifier.of_person[person as usize].is_empty()) {
            return found;
        }
        let folded = reticent_text::Folded::new(text);
        let view = folded.as_ref().map_or(text, reticent_text::Folded::text);
        let spans: Vec<Span> = words(view).collect();
        let lower: Vec<String> = spans.iter().map(|span| span.of(view).to_lowercase()).collect();
        for (column, identifier) in self.identifiers.iter().enumerate() {
            let mut by_first: HashMap<&str, Vec<&(Vec<String>, bool)>> = HashMap::new();
            for wanted in &identifier.of_person[person as usize] {
                if let Some(first) = wanted.0.first() {
                    by_first.entry(first).or_default().push(wanted);
                }
            }
            for at in 0..spans.len() {
                for (wanted, capital) in by_first.get(lower[at].as_str()).into_iter().flatten() {
                    let here = spans[at];
                    if lower[at..].starts_with(wanted)
                        && (!capital || !here.of(view).starts_with(char::is_lowercase))
                    {
                        let span = here.join(spans[at + wanted.len() - 1]);
                        let span = folded.as_ref().map_or(span, |folded| folded.original(span));
                        found.push((span, Place::Identifier(column)));
                    }
                }
            }
        }
        found
    }
}

/// What names each person, in small letters, as a column has it.
fn identifiers(column: &Column, people: &People, is_person: bool) -> Vec<Vec<(Vec<String>, bool)>> {
    let mut of_person = vec![Vec::new(); people.count()];
    let mut seen: HashSet<(u32, u32)> = HashSet::new();
    for (row, person) in people.rows.of_row.iter().enumerate() {
        let (Some(text), Some(code)) = (column.get(row), column.code(row)) else { continue };
        if !is_distinctive(text) || !seen.insert((*person, code)) {
            continue;
        }
        let own: &mut Vec<(Vec<String>, bool)> = &mut of_person[*person as usize];
        let all: Vec<String> = words(text).map(|word| word.of(text).to_lowercase()).collect();
        // A last name alone names the person too; a common word only with its capital: `Young`.
        let letters = all.iter().all(|word| word.chars().all(char::is_alphabetic));
        if all.len() > 1 && (is_person || letters) {
            let parts = all.iter().filter(|word| word.chars().count() > 2);
            own.extend(parts.map(|word| (vec![word.clone()], is_ordinary(word, Language::English))));
        }
        own.push((all, false));
    }
    of_person
}

/// Types whose mentions say a number or a date and nothing else.
fn is_measured(kind: &EntityType) -> bool {
    matches!(kind.as_str(), "AGE" | "MONEY" | "PERCENTAGE" | "DATE_TIME" | "QUANTITY" | "CARDINAL")
}

/// The number that a term says: in figures or in words.
fn number(term: &Term, surface: &str) -> Option<f64> {
    if let Ok(number) = term.value.parse::<f64>() {
        return Some(number);
    }
    if let Some(Amount::Exactly(years)) = age::amount(surface) {
        return Some(f64::from(years));
    }
    let figures: String = surface.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    figures.trim_end_matches('.').parse().ok()
}

fn has_any(values: Option<&Vec<u32>>, own: &[u32]) -> bool {
    values.is_some_and(|values| values.iter().any(|value| own.binary_search(value).is_ok()))
}
