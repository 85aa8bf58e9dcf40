//! Finds the values of persons in their texts by value, not by type.
//!
//! Whatever a column has of a person is looked for in all of their texts: numbers in any notation and in words, dates
//! in any form, words in any inflection, in parts (`Zurich` of `Zurich, Switzerland`), under other names (`MA` for
//! Massachusetts), and what follows from them (the age from a date of birth). A detector that does not know what a
//! number means cannot miss it.
//!
//! The same words may mean something else. Where they stand beside a word beside which most persons have *other*
//! values (`white blood cells`, `sodium 138`), they say nothing about the person and stay; that is counted on the
//! table itself, and only if enough persons use the word.

mod context;
mod date;
mod form;
mod number;
mod view;

use std::collections::HashMap;

use context::Contexts;
pub(crate) use date::{DateText, Moment, dates};
pub(crate) use form::parts;
use form::{Guard, forms};
pub(crate) use number::{Numeral, figures, in_words};
use reticent_text::Span;
use view::is_gap;
pub(crate) use view::stems;
pub(crate) use view::{Token, View};

use crate::EntityType;
use crate::table::lexicon::{lexicon, name_words};
use crate::table::person::{Attribute, People};
use crate::table::{Kind, calendar};

/// How a text says a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// As the column does, but for case and inflection.
    Words,
    /// A part of it.
    Part,
    /// Another word for it.
    Alias,
    /// A number.
    Number,
    /// A date, or as much of it as it says.
    Date,
    /// An age that follows from a date of birth.
    Age,
    /// A year of birth that follows from an age.
    BirthYear,
}

/// Where a text says a value of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) span: Span,
    /// The quasi-identifier, by its place.
    pub(crate) column: usize,
    pub(crate) how: How,
}

/// Finds values; made once for a table.
pub(crate) struct OwnValues<'a> {
    people: &'a People,
    /// Words of values by their stems, joined by blanks.
    words: HashMap<String, Vec<Entry>>,
    /// How many words the values have that begin with a stem.
    lengths: HashMap<String, Vec<usize>>,
    numbers: Vec<NumberColumn>,
    dates: Vec<usize>,
    /// Dates of birth, and ages.
    births: Vec<usize>,
    ages: Vec<usize>,
    /// Stems of the names of columns.
    names: Vec<Vec<String>>,
    contexts: Contexts,
}

/// Values of a column that the same words say.
struct Entry {
    column: usize,
    how: How,
    guard: Guard,
    /// In order.
    values: Vec<u32>,
}

struct NumberColumn {
    column: usize,
    /// What it measures.
    dimension: Option<&'static str>,
}

/// Something that stands in a text and is a value of someone.
struct Candidate {
    span: Span,
    column: usize,
    how: How,
    /// The tokens that it takes.
    first: usize,
    last: usize,
    /// For which of the persons that were asked about it is a value: the first bit for the first.
    owners: u8,
}

/// So many other persons are tried for what chance would do.
const OTHERS: u32 = 4;
/// So many texts are enough to count contexts on.
const SAMPLE: usize = 10_000;

impl<'a> OwnValues<'a> {
    /// Without knowledge of contexts: every value of the person counts wherever it stands.
    pub(crate) fn new(people: &'a People) -> Self {
        let lexicon = lexicon();
        let mut own = Self {
            people,
            words: HashMap::new(),
            lengths: HashMap::new(),
            numbers: Vec::new(),
            dates: Vec::new(),
            births: Vec::new(),
            ages: Vec::new(),
            names: Vec::new(),
            contexts: Contexts::default(),
        };
        for (column, attribute) in people.attributes.iter().enumerate() {
            own.names
                .push(name_words(&attribute.rule.name).map(|word| view::stem(&word).to_owned()).collect());
            if !attribute.rule.in_texts {
                continue;
            }
            match &attribute.rule.kind {
                Kind::Number => {
                    let dimension = lexicon.dimension(&attribute.rule);
                    own.numbers.push(NumberColumn { column, dimension });
                    if dimension == Some("years") {
                        own.ages.push(column);
                    }
                }
                Kind::Date { .. } => {
                    own.dates.push(column);
                    if lexicon.is_named(&attribute.rule, "birth") {
                        own.births.push(column);
                    }
                }
                Kind::Category | Kind::Ordered(_) => own.add_words(column, attribute),
            }
        }
        own
    }

    /// With contexts, as the table's own texts have them: each text with the person whose it is.
    pub(crate) fn with_contexts(mut self, texts: &[(u32, &str)]) -> Self {
        let mut contexts = Contexts::default();
        let persons = u32::try_from(self.people.count()).unwrap_or(u32::MAX);
        let step = texts.len().div_ceil(SAMPLE).max(1);
        for (person, text) in texts.iter().step_by(step) {
            let view = View::new(text);
            let tokens = view.tokens();
            let other = |at: u32| {
                let far = u64::from(persons) * u64::from(at) / u64::from(OTHERS + 1);
                u32::try_from((u64::from(*person) + far) % u64::from(persons.max(1))).unwrap_or(*person)
            };
            let asked = [*person, other(1), other(2), other(3), other(4)];
            self.candidates(view.text(), &tokens, &asked, &mut |candidate| {
                let form = Self::form(candidate, &tokens);
                for word in Self::beside(&tokens, candidate, view.text()) {
                    let (is_own, others) = (candidate.owners & 1 > 0, (candidate.owners >> 1).count_ones());
                    contexts.count((candidate.column, form, word), is_own, others, OTHERS);
                }
            });
        }
        contexts.decide();
        self.contexts = contexts;
        self
    }

    fn add_words(&mut self, column: usize, attribute: &Attribute) {
        let lexicon = lexicon();
        for (value, text) in (0..).zip(attribute.values.iter().map(|value| value.text.as_str())) {
            for form in forms(text, &attribute.rule, lexicon) {
                let stems = form.stems;
                let Some(first) = stems.first().cloned() else { continue };
                let lengths = self.lengths.entry(first).or_default();
                if !lengths.contains(&stems.len()) {
                    lengths.push(stems.len());
                    lengths.sort_unstable_by(|a, b| b.cmp(a));
                }
                let entries = self.words.entry(stems.join(" ")).or_default();
                let alike = |entry: &&mut Entry| {
                    entry.column == column && entry.how == form.how && entry.guard == form.guard
                };
                match entries.iter_mut().find(alike) {
                    Some(entry) => {
                        if entry.values.last() != Some(&value) {
                            entry.values.push(value);
                        }
                    }
                    None => {
                        entries.push(Entry { column, how: form.how, guard: form.guard, values: vec![value] });
                    }
                }
            }
        }
    }

    /// The values of a person that a text says, in order; of those that overlap, the longest.
    pub(crate) fn find(&self, text: &str, person: u32) -> Vec<Hit> {
        let view = View::new(text);
        let tokens = view.tokens();
        let mut hits: Vec<Hit> = Vec::new();
        self.candidates(view.text(), &tokens, &[person], &mut |candidate| {
            if candidate.owners > 0 && !self.means_other(&tokens, candidate, view.text()) {
                hits.push(Hit {
                    span: view.original(candidate.span),
                    column: candidate.column,
                    how: candidate.how,
                });
            }
        });
        hits.sort_by_key(|hit| {
            (std::cmp::Reverse(hit.span.len()), hit.span.start, hit.how as u8, hit.column)
        });
        let mut taken = super::Taken::default();
        hits.retain(|hit| taken.take(hit.span));
        hits.sort_by_key(|hit| hit.span);
        hits
    }

    /// The words beside a candidate that tell what it means.
    fn beside<'v>(tokens: &[Token<'v>], candidate: &Candidate, text: &str) -> impl Iterator<Item = &'v str> {
        let close = |from: usize, to: usize| {
            let gap = &text[from..to];
            gap.chars().count() <= 2 && !gap.contains(['.', '!', '?', ';', '\n', ','])
        };
        let telling = |word: &&str| {
            word.len() > 1 && !lexicon().is_function(word) && !word.starts_with(|c: char| c.is_ascii_digit())
        };
        let before = candidate.first.checked_sub(1).map(|at| tokens[at]);
        let before =
            before.filter(|token| close(token.span.end, candidate.span.start)).map(|token| token.stem);
        let after = tokens.get(candidate.last + 1);
        let after = after.filter(|token| close(candidate.span.end, token.span.start)).map(|token| token.stem);
        [before, after].into_iter().flatten().filter(telling)
    }

    /// What a candidate says: words by themselves, numbers and dates as such.
    fn form<'v>(candidate: &Candidate, tokens: &[Token<'v>]) -> &'v str {
        match candidate.how {
            How::Words | How::Part | How::Alias => tokens[candidate.first].stem,
            _ => "",
        }
    }

    /// Whether it stands beside a word beside which most persons have other values.
    fn means_other(&self, tokens: &[Token<'_>], candidate: &Candidate, text: &str) -> bool {
        !self.contexts.is_empty()
            && Self::beside(tokens, candidate, text)
                .any(|word| self.contexts.is_by_chance(candidate.column, Self::form(candidate, tokens), word))
    }

    fn candidates(&self, text: &str, tokens: &[Token<'_>], persons: &[u32], add: &mut dyn FnMut(&Candidate)) {
        self.worded(text, tokens, persons, add);
        let figures_there = text.bytes().any(|byte| byte.is_ascii_digit());
        let mut sure: Vec<Span> = Vec::new();
        if !self.dates.is_empty()
            && (figures_there || tokens.iter().any(|token| lexicon().month(token.plain).is_some()))
        {
            for date in dates(text, tokens) {
                if date.is_sure {
                    sure.push(date.span);
                }
                self.dated(&date, tokens, persons, add);
            }
        }
        if self.numbers.is_empty() && self.dates.is_empty() {
            return;
        }
        let mut numerals = if figures_there { figures(text) } else { Vec::new() };
        let mut at = 0;
        while at < tokens.len() {
            at += match lexicon().number(tokens[at].plain).and_then(|_| in_words(text, tokens, at)) {
                Some((numeral, taken)) => {
                    numerals.push(numeral);
                    taken
                }
                None => 1,
            };
        }
        for numeral in &numerals {
            let after = sure.partition_point(|date| date.end <= numeral.span.start);
            if sure.get(after).is_none_or(|date| !date.overlaps(numeral.span)) {
                self.numbered(text, tokens, numeral, persons, add);
            }
        }
    }

    fn values(&self, column: usize, person: u32) -> &[u32] {
        self.people.attributes[column].of(person)
    }

    fn worded(&self, text: &str, tokens: &[Token<'_>], persons: &[u32], add: &mut dyn FnMut(&Candidate)) {
        let mut key = String::new();
        for (at, token) in tokens.iter().enumerate() {
            let Some(lengths) = self.lengths.get(token.stem) else { continue };
            for length in lengths {
                let Some(here) = tokens.get(at..at + length) else { continue };
                if here.windows(2).any(|pair| !is_gap(&text[pair[0].span.end..pair[1].span.start])) {
                    continue;
                }
                let entries = if *length == 1 {
                    self.words.get(token.stem)
                } else {
                    key.clear();
                    for token in here {
                        if !key.is_empty() {
                            key.push(' ');
                        }
                        key.push_str(token.stem);
                    }
                    self.words.get(key.as_str())
                };
                let span = token.span.join(here[length - 1].span);
                for entry in entries.into_iter().flatten() {
                    let has = |person: u32| {
                        self.values(entry.column, person)
                            .iter()
                            .any(|value| entry.values.binary_search(value).is_ok())
                    };
                    let owners = owners(persons, has);
                    if entry.guard.allows(text, tokens, at, *length, &self.names[entry.column]) {
                        add(&Candidate {
                            span,
                            column: entry.column,
                            how: entry.how,
                            first: at,
                            last: at + length - 1,
                            owners,
                        });
                    }
                }
            }
        }
    }

    fn dated(&self, date: &DateText, tokens: &[Token<'_>], persons: &[u32], add: &mut dyn FnMut(&Candidate)) {
        let first = tokens.partition_point(|token| token.span.end <= date.span.start);
        let last = tokens.partition_point(|token| token.span.start < date.span.end).saturating_sub(1);
        for column in &self.dates {
            let attribute = &self.people.attributes[*column];
            #[allow(clippy::cast_possible_truncation)]
            let says = |value: &u32| {
                let value = &attribute.values[*value as usize];
                date.moments.iter().any(|moment: &Moment| moment.is(value.low as i32, value.high as i32))
            };
            let owners = owners(persons, |person| attribute.of(person).iter().any(says));
            add(&Candidate { span: date.span, column: *column, how: How::Date, first, last, owners });
        }
    }

    fn numbered(
        &self,
        text: &str,
        tokens: &[Token<'_>],
        numeral: &Numeral,
        persons: &[u32],
        add: &mut dyn FnMut(&Candidate),
    ) {
        let first = tokens.partition_point(|token| token.span.end <= numeral.span.start);
        let last =
            tokens.partition_point(|token| token.span.start < numeral.span.end).saturating_sub(1).max(first);
        let sexed = tokens.get(last).filter(|token| {
            token.span.start <= numeral.span.start
                && matches!(token.span.end.checked_sub(numeral.span.end), Some(1))
                && token.plain.ends_with(['f', 'm'])
        });
        let beside = Beside::new(text, tokens, numeral, first, last);
        let candidate = |column: usize, how: How, owners: u8| Candidate {
            span: numeral.span,
            column,
            how,
            first,
            last,
            owners,
        };
        let aged = |column: usize, how: How, owners: u8| Candidate {
            // `75M`: the letter of a sex goes with the age.
            span: sexed.map_or(numeral.span, |token| numeral.span.join(token.span)),
            ..candidate(column, how, owners)
        };
        for number in &self.numbers {
            let attribute = &self.people.attributes[number.column];
            let says = |value: &u32| numeral.readings.is(attribute.values[*value as usize].low);
            let owners = owners(persons, |person| attribute.of(person).iter().any(says));
            if (owners > 0 || persons.len() > 1)
                && beside.may_be(number.dimension, &self.names[number.column])
            {
                let years = number.dimension == Some("years");
                add(&if years {
                    aged(number.column, How::Number, owners)
                } else {
                    candidate(number.column, How::Number, owners)
                });
            }
        }
        let Some(said) =
            numeral.readings.first().filter(|said| said.fract() == 0.0 && *said > 0.0 && *said < 2200.0)
        else {
            return;
        };
        // A year by itself.
        #[allow(clippy::cast_possible_truncation)]
        let said = said as i16;
        if said >= 1000 && numeral.span.len() == 4 && !beside.is_counted() {
            let moment = Moment { year: Some(said), month: None, day: None };
            for column in &self.dates {
                let attribute = &self.people.attributes[*column];
                #[allow(clippy::cast_possible_truncation)]
                let says = |value: &u32| {
                    let value = &attribute.values[*value as usize];
                    moment.is(value.low as i32, value.high as i32)
                };
                let owners = owners(persons, |person| attribute.of(person).iter().any(says));
                add(&candidate(*column, How::Date, owners));
            }
            let born = (1..=3).any(|back| {
                first.checked_sub(back).is_some_and(|at| lexicon().is_before_birth(tokens[at].plain))
            });
            for column in self.ages.iter().filter(|_| born) {
                let has =
                    |person| self.birth_years(*column, person).any(|(from, to)| from <= said && said <= to);
                add(&candidate(*column, How::BirthYear, owners(persons, has)));
            }
        }
        if said < 130 && beside.may_be(Some("years"), &[]) {
            for column in &self.births {
                let has = |person| self.ages_of(*column, person).any(|age| age == said);
                add(&aged(*column, How::Age, owners(persons, has)));
            }
        }
    }

    /// How old the person was on the other dates of their rows.
    fn ages_of(&self, birth: usize, person: u32) -> impl Iterator<Item = i16> {
        self.pairs(birth, person).filter_map(|(born, day)| {
            let (born, day) = (calendar::date(born)?, calendar::date(day)?);
            let before = (day.month(), day.day()) < (born.month(), born.day());
            Some(day.year() - born.year() - i16::from(before))
        })
    }

    /// The date of birth with each other date.
    fn pairs(&self, birth: usize, person: u32) -> impl Iterator<Item = (i32, i32)> {
        #[allow(clippy::cast_possible_truncation)]
        let days = move |column: usize| {
            let attribute = &self.people.attributes[column];
            let values = attribute.of(person).iter().map(|value| &attribute.values[*value as usize]);
            values.filter(|value| value.high - value.low < 1.0).map(|value| value.low as i32)
        };
        let others = self.dates.iter().filter(move |column| **column != birth);
        others.flat_map(move |other| {
            days(birth).flat_map(move |born| days(*other).map(move |day| (born, day))).take(64)
        })
    }

    /// The years in which the person may be born, by their age and the dates of their rows.
    fn birth_years(&self, age: usize, person: u32) -> impl Iterator<Item = (i16, i16)> {
        let ages = &self.people.attributes[age];
        let others = self.dates.iter().flat_map(move |column| {
            let attribute = &self.people.attributes[*column];
            attribute.of(person).iter().map(move |value| &attribute.values[*value as usize]).take(8)
        });
        #[allow(clippy::cast_possible_truncation)]
        others.flat_map(move |value| {
            let year = calendar::date(value.low as i32).map(jiff::civil::Date::year);
            let own = ages.of(person).iter().map(|value| ages.values[*value as usize].low as i16).take(8);
            own.filter_map(move |age| Some((year? - age - 1, year? - age)))
        })
    }

    /// The type of what a column says, if its schema names one.
    pub(crate) fn kind(&self, column: usize, how: How) -> Option<EntityType> {
        match how {
            How::Age => Some(EntityType::AGE),
            How::BirthYear => Some(EntityType::DATE_TIME),
            _ => self.people.attributes[column].rule.entities.first().cloned(),
        }
    }
}

/// Which of the persons have it, as bits.
fn owners(persons: &[u32], has: impl Fn(u32) -> bool) -> u8 {
    persons.iter().rev().fold(0, |bits, person| bits << 1 | u8::from(has(*person)))
}

/// What stands around a number.
struct Beside<'v> {
    before: Option<&'v str>,
    /// The word or the sign behind, as a unit.
    after: Option<&'v str>,
    /// Whether the word behind is directly at the number.
    glued: bool,
    /// The sign before the number, and behind it, with whether a figure follows that.
    signs: (Option<char>, Option<char>),
    joined: bool,
    size: Option<f64>,
    currency: bool,
}

impl<'v> Beside<'v> {
    fn new(text: &'v str, tokens: &[Token<'v>], numeral: &Numeral, first: usize, last: usize) -> Self {
        let (left, right) = (&text[..numeral.span.start], &text[numeral.span.end..]);
        let before = first.checked_sub(1).map(|at| tokens[at]);
        let close = |gap: &str| {
            gap.chars().count() <= 2
                && gap.chars().all(|c| c.is_whitespace() || matches!(c, '-' | ':' | '=' | '’' | '\''))
        };
        let before = before.filter(|token| close(&text[token.span.end..numeral.span.start]));
        // `82.5kg`: the token of the number holds the unit, too.
        let own =
            tokens.get(last).map(|token| token.plain).filter(|_| right.starts_with(char::is_alphabetic));
        let letters = own.map(|plain| plain.trim_start_matches(|c: char| !c.is_alphabetic()));
        let next = tokens.get(last + 1).filter(|token| {
            token.span.start >= numeral.span.end && close(&text[numeral.span.end..token.span.start])
        });
        let trimmed = right.trim_start_matches(' ');
        let sign = trimmed.chars().next().filter(|c| matches!(c, '%' | '°' | '$' | '€' | '£'));
        let sign = sign.map(|sign| &trimmed[..sign.len_utf8()]);
        let (back, forth) = (left.chars().next_back(), right.chars().next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let joint = |c: Option<char>| c.is_some_and(|c| matches!(c, '/' | '-' | '–' | ':' | '.' | ','));
        let joined =
            joint(back) && digit(left.chars().rev().nth(1)) || joint(forth) && digit(right.chars().nth(1));
        Self {
            before: before.map(|token| token.plain),
            after: letters.or(sign).or(next.map(|token| token.plain)),
            glued: letters.is_some(),
            signs: (back, forth),
            joined,
            size: numeral.readings.first(),
            currency: left.trim_end().ends_with(['$', '€', '£', '¥'])
                || numeral.span.of(text).starts_with(['$', '€', '£', '¥']),
        }
    }

    /// Whether the number may be of a column that measures this and has this name.
    fn may_be(&self, dimension: Option<&str>, name: &[String]) -> bool {
        let lexicon = lexicon();
        // `34F`: the letter of a sex, not of a unit.
        if dimension == Some("years")
            && self.glued
            && self.after.is_some_and(|word| matches!(word, "f" | "m"))
        {
            return !self.joined;
        }
        let unit = self.after.and_then(|word| lexicon.unit(word));
        let named = |word: &str| name.iter().any(|own| own == view::stem(word));
        // A time of the day.
        if self.joined && (self.signs.0 == Some(':') || self.signs.1 == Some(':')) {
            return false;
        }
        if dimension == Some("years") {
            let glued =
                |c: Option<char>| c.is_some_and(|c| matches!(c, '$' | '€' | '£' | '#' | '%' | '°' | '+'));
            if self.joined || self.currency || glued(self.signs.0) || glued(self.signs.1) {
                return false;
            }
        }
        if let (Some(unit), Some(own)) = (unit, dimension)
            && unit != own
        {
            // Something else is measured; a column's own name may be a unit, too.
            return self.after.is_some_and(named);
        }
        if self.currency && dimension.is_some_and(|own| own != "money") {
            return false;
        }
        let small = self.size.is_none_or(|size| size < 100.0 && size.fract() == 0.0);
        if self.glued && small && unit.is_none() {
            // `3rd`, `5x`; but `34F`.
            return self.after.is_some_and(|word| matches!(word, "f" | "m" | "yof" | "yom"));
        }
        !(small && unit != dimension.filter(|_| unit.is_some()) && self.is_counted())
            && !(small && self.is_counted() && !self.after.is_some_and(named) && unit.is_none())
    }

    /// Whether something in the plural follows that is no unit: `36 people`, `2 tablets`.
    fn is_counted(&self) -> bool {
        let lexicon = lexicon();
        let Some(word) = self.after else { return false };
        if self.before.is_some_and(|before| lexicon.is_before_age(before)) {
            return false;
        }
        let plural = word.len() >= 4
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("us")
            && !word.ends_with("is")
            || word == "people";
        plural && word.is_ascii() && !lexicon.is_no_plural(word) && lexicon.unit(word) != Some("years")
    }
}
