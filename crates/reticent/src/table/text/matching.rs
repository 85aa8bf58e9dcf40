//! Redundant terms: terms of a text that are also in the person's own row.
//!
//! `36 years old` and an age of 36 are one thing, and so are `thirty-six years old`, `14 May 2004` or `2004` and a
//! date of 2004-05-14, `sciences` and the topic Science. Such a term is no attribute of its own: in the text it
//! becomes what its column becomes.

use std::collections::HashMap;

use reticent_knowledge::Folding;
use reticent_text::{Language, Span};

use super::{Mention, Mentions, Taken, Term};
use crate::EntityType;
use crate::Error;
use crate::mask::age::{self, Amount};
use crate::resolve::surface::{is_distinctive, words};
use crate::table::person::{People, error};
use crate::table::{Kind, Role, Schema, Table, calendar};

/// Where a term of a text belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It repeats the person's own value in this quasi-identifier.
    Column(usize),
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
    /// Values to look for in texts, by their first words.
    searched: HashMap<String, Vec<Searched>>,
    /// Columns of dates whose years are looked for.
    years: Vec<usize>,
    /// Columns of ages, whose numbers are looked for where nothing is counted with them.
    ages: Vec<usize>,
    identifiers: Vec<Identifier>,
}

struct Searched {
    column: usize,
    value: u32,
    words: Vec<String>,
}

/// What identifies a person directly, as words to look for.
struct Identifier {
    kind: EntityType,
    of_person: Vec<Vec<Vec<String>>>,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(
        table: &Table,
        schema: &Schema,
        people: &'a People,
        vocabulary: &'a [Term],
    ) -> Result<Self, Error> {
        let folding = Folding::new(Language::English);
        let mut matcher = Self {
            people,
            vocabulary,
            folding,
            by_type: HashMap::new(),
            whole: Vec::new(),
            parts: Vec::new(),
            searched: HashMap::new(),
            years: Vec::new(),
            ages: Vec::new(),
            identifiers: Vec::new(),
        };
        for (column, attribute) in people.attributes.iter().enumerate() {
            for kind in &attribute.rule.entities {
                matcher.by_type.entry(kind.clone()).or_default().push(column);
            }
            let wished = !attribute.rule.entities.is_empty();
            if wished && matches!(attribute.rule.kind, Kind::Date { .. }) {
                matcher.years.push(column);
            }
            if attribute.rule.kind == Kind::Number && attribute.rule.entities.contains(&EntityType::AGE) {
                matcher.ages.push(column);
            }
            let (mut whole, mut parts) = (HashMap::new(), HashMap::new());
            if matches!(attribute.rule.kind, Kind::Category | Kind::Ordered(_)) {
                for (value, text) in (0..).zip(attribute.values.iter().map(|value| value.text.as_str())) {
                    let folded = folding.term(text);
                    whole.entry(folded).or_insert_with(Vec::new).push(value);
                    let pieces = text.split(',').map(str::trim).filter(|piece| is_distinctive(piece));
                    let several = text.contains(',');
                    for piece in pieces {
                        if several {
                            parts.entry(folding.term(piece)).or_insert_with(Vec::new).push(value);
                        }
                        if wished {
                            matcher.search_for(column, value, piece);
                        }
                    }
                }
            }
            matcher.whole.push(whole);
            matcher.parts.push(parts);
        }
        for rule in schema.of_role(Role::Identifier).chain(schema.of_role(Role::Remove)) {
            let column = table.column(&rule.name).ok_or_else(|| error("a column is missing"))?;
            let kind = rule.entities.first().cloned().unwrap_or(EntityType::NAME);
            let person = rule.entities.contains(&EntityType::PERSON);
            let mut of_person = vec![Vec::new(); people.count()];
            for (row, person_) in people.rows.of_row.iter().enumerate() {
                let own: &mut Vec<Vec<String>> = &mut of_person[*person_ as usize];
                let Some(text) = column.get(row).filter(|text| is_distinctive(text)) else { continue };
                let all: Vec<String> = words(text).map(|word| word.of(text).to_lowercase()).collect();
                if own.contains(&all) {
                    continue;
                }
                // A last name alone names the person too.
                if person && all.len() > 1 {
                    own.extend(
                        all.iter().filter(|word| word.chars().count() > 2).map(|word| vec![word.clone()]),
                    );
                }
                own.insert(0, all);
            }
            matcher.identifiers.push(Identifier { kind, of_person });
        }
        Ok(matcher)
    }

    fn search_for(&mut self, column: usize, value: u32, piece: &str) {
        let words: Vec<String> = words(piece).map(|word| self.folding.word(word.of(piece))).collect();
        if let Some(first) = words.first().cloned() {
            self.searched.entry(first).or_default().push(Searched { column, value, words });
        }
    }

    /// The type of an identifying column.
    pub(crate) fn identifier(&self, at: usize) -> &EntityType {
        &self.identifiers[at].kind
    }

    /// What a text says when this person wrote it: spans in order, without overlaps, and where each belongs.
    pub(crate) fn places(&self, text: &str, mentions: &Mentions, person: u32) -> Vec<(Span, Place)> {
        let mut places: Vec<(Span, Place)> = self.own_values(text, person);
        let mut taken = Taken::default();
        // A name of several words that only begins with a value is a name of its own.
        places.retain(|(span, _)| {
            !mentions
                .mentions
                .iter()
                .any(|mention| mention.span.overlaps(*span) && !span.contains(mention.span))
                && taken.take(*span)
        });
        for Mention { span, term } in &mentions.mentions {
            if !taken.overlaps(*span) {
                let place =
                    self.column_of(*term, span.of(text), person).map_or(Place::Term(*term), Place::Column);
                places.push((*span, place));
            }
        }
        places.sort_by_key(|(span, _)| *span);
        places
    }

    /// The column whose value a term says.
    fn column_of(&self, term: u32, surface: &str, person: u32) -> Option<usize> {
        let term = &self.vocabulary[term as usize];
        let mapped = self.by_type.get(&term.kind).into_iter().flatten();
        let mapped = mapped.copied().find(|column| self.says(*column, term, surface, person));
        mapped.or_else(|| {
            // A detector may take a value for something else: a sign of the zodiac for a company.
            let folded = self.folding.term(surface);
            (0..self.whole.len())
                .find(|column| has_any(self.whole[*column].get(&folded), self.values(*column, person)))
        })
    }

    fn values(&self, column: usize, person: u32) -> &[u32] {
        self.people.attributes[column].of(person)
    }

    fn says(&self, column: usize, term: &Term, surface: &str, person: u32) -> bool {
        let attribute = &self.people.attributes[column];
        let own = attribute.of(person).iter().map(|value| &attribute.values[*value as usize]);
        match &attribute.rule.kind {
            Kind::Number => number(term, surface)
                .is_some_and(|said| own.into_iter().any(|value| value.low.total_cmp(&said).is_eq())),
            Kind::Date { .. } => calendar::read(&term.value, None).is_some_and(|(low, high)| {
                own.into_iter().any(|value| f64::from(low) <= value.low && value.high <= f64::from(high))
            }),
            Kind::Category | Kind::Ordered(_) => [surface, &term.value].into_iter().any(|said| {
                let folded = self.folding.term(said);
                has_any(self.whole[column].get(&folded), attribute.of(person))
                    || has_any(self.parts[column].get(&folded), attribute.of(person))
            }),
        }
    }

    /// The person's own values that stand in a text as words, in any inflection, and what identifies them.
    fn own_values(&self, text: &str, person: u32) -> Vec<(Span, Place)> {
        let named =
            self.identifiers.iter().any(|identifier| !identifier.of_person[person as usize].is_empty());
        if self.searched.is_empty() && self.years.is_empty() && self.ages.is_empty() && !named {
            return Vec::new();
        }
        let spans: Vec<Span> = words(text).collect();
        let mut found: Vec<(Span, Place)> = Vec::new();
        if named {
            let lower: Vec<String> = spans.iter().map(|span| span.of(text).to_lowercase()).collect();
            for at in 0..spans.len() {
                for (column, identifier) in self.identifiers.iter().enumerate() {
                    for wanted in &identifier.of_person[person as usize] {
                        if lower[at..].starts_with(wanted) {
                            let span = spans[at].join(spans[at + wanted.len() - 1]);
                            found.push((span, Place::Identifier(column)));
                        }
                    }
                }
            }
        }
        if !self.searched.is_empty() {
            let folded: Vec<String> = spans.iter().map(|span| self.folding.word(span.of(text))).collect();
            for (at, first) in folded.iter().enumerate() {
                for one in self.searched.get(first).into_iter().flatten() {
                    if folded[at..].starts_with(&one.words)
                        && self.values(one.column, person).binary_search(&one.value).is_ok()
                    {
                        let span = spans[at].join(spans[at + one.words.len() - 1]);
                        found.push((span, Place::Column(one.column)));
                    }
                }
            }
        }
        for column in &self.years {
            let attribute = &self.people.attributes[*column];
            for span in &spans {
                let word = span.of(text);
                if word.len() != 4 {
                    continue;
                }
                let Some((low, high)) = calendar::read(word, None) else { continue };
                let own = attribute.of(person).iter().map(|value| &attribute.values[*value as usize]);
                if own.into_iter().any(|value| f64::from(low) <= value.low && value.high <= f64::from(high)) {
                    found.push((*span, Place::Column(*column)));
                }
            }
        }
        for span in spans.iter().filter(|_| !self.ages.is_empty()) {
            let word = span.of(text);
            let figures = (2..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
            let Some(said) = word.parse::<f64>().ok().filter(|_| figures && counts_nothing(text, *span))
            else {
                continue;
            };
            for column in &self.ages {
                let attribute = &self.people.attributes[*column];
                let mut own = attribute.of(person).iter().map(|value| &attribute.values[*value as usize]);
                if own.any(|value| value.low.total_cmp(&said).is_eq()) {
                    found.push((*span, Place::Column(*column)));
                }
            }
        }
        // The longest first: of what identifies and what does not, what identifies.
        found.sort_by_key(|(span, place)| {
            (std::cmp::Reverse(span.len()), span.start, !matches!(place, Place::Identifier(_)))
        });
        found
    }
}

/// Whether a number stands by itself: `He is 36.`, `Engineer, 39, from Cork`; not `36 km`, `36/80` or `$36`.
fn counts_nothing(text: &str, number: Span) -> bool {
    let (before, after) = (&text[..number.start], &text[number.end..]);
    let glued = |c: char| matches!(c, '$' | '€' | '£' | '#' | '%' | '/' | '-' | '–' | ':' | '+' | '°');
    let part = |sign: Option<char>, next: Option<char>| {
        sign.is_some_and(glued)
            || sign.is_some_and(|c| matches!(c, '.' | ',')) && next.is_some_and(|c| c.is_ascii_digit())
    };
    let (mut back, mut forth) = (before.chars().rev(), after.chars());
    if part(back.next(), back.next()) || part(forth.next(), forth.next()) {
        return false;
    }
    let next = after.strip_prefix(' ').and_then(|rest| words(rest).next().map(|word| (word, rest)));
    let beside = next.filter(|(word, _)| word.start == 0).map(|(word, rest)| word.of(rest).to_lowercase());
    beside.is_none_or(|word| {
        const JOINTS: [&str; 16] = [
            "and", "or", "but", "now", "today", "who", "with", "when", "male", "female", "from", "in", "at",
            "last", "this", "next",
        ];
        JOINTS.contains(&word.as_str())
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stands_alone(text: &str) -> bool {
        let start = text.find("36").expect("the number");
        counts_nothing(text, Span::new(start, start + 2))
    }

    #[test]
    fn a_number_by_itself_may_be_an_age() {
        for text in [
            "He is 36.",
            "Engineer, 36, from Cork",
            "I turned 36 last week",
            "36",
            "she (36) left",
            "He is 36 and well",
        ] {
            assert!(stands_alone(text), "{text}");
        }
    }

    #[test]
    fn leaves_what_is_counted_alone() {
        for text in [
            "36 km",
            "36/80",
            "$36",
            "1.36",
            "36.5 degrees",
            "36% of them",
            "10:36",
            "36 people came",
            "3-36",
        ] {
            assert!(!stands_alone(text), "{text}");
        }
    }
}
