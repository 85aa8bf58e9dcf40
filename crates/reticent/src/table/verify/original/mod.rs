//! What of the original survives in a released table: values of columns that texts still say, and rows that say
//! something else than the original's.
//!
//! This is code of its own. Protecting reads texts and asks what they say; here every value of a person is written in
//! each of its forms, and each is looked for in the person's texts. Only the lexicon is shared.

mod align;
mod chance;
mod form;
mod number;
pub(super) mod speech;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reticent_knowledge::taxonomy::Stack;
use reticent_text::Span;
use serde::Serialize;

use super::cell::{Cell, OwnWords};
use crate::table::lexicon::lexicon;
use crate::table::parallel::in_order;
use crate::table::schema::value;
use crate::table::{Column, ColumnRule, Kind, Role, Schema, Table, counted};
use crate::{Error, ErrorKind};
use chance::Chance;
use form::{Form, Origin};
use speech::Speech;

/// What of the original survives in a released table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Originals {
    /// Values that texts still say although their column does not.
    pub values: Vec<ValueSurvivors>,
    /// Columns whose values texts were not searched for, as the schema has it.
    pub not_searched: Vec<String>,
    /// The first rows, counted from 1, that say what no row of the original can have become.
    pub changed: Vec<usize>,
    /// How many such rows there are.
    pub changed_rows: usize,
}

/// Values of a column that texts still say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueSurvivors {
    /// The column of the values.
    pub column: String,
    /// The text column.
    pub text: String,
    /// The number of rows.
    pub rows: usize,
    /// The first of them, counted from 1.
    pub first: Vec<usize>,
}

impl Originals {
    /// The violations in words, without values of the table.
    pub fn problems(&self) -> Vec<String> {
        let mut problems: Vec<String> = Vec::new();
        if self.changed_rows > 0 {
            let rows: Vec<String> = self.changed.iter().map(ToString::to_string).collect();
            problems.push(format!(
                "{} of no row of the original (rows {}): a cell was changed, or the tables do not belong together",
                counted(self.changed_rows, "row is an anonymization", "rows are anonymizations"),
                rows.join(", ")
            ));
        }
        for survivors in &self.values {
            let rows: Vec<String> = survivors.first.iter().map(ToString::to_string).collect();
            problems.push(format!(
                "`{}`: {} the person's own value of `{}`, which the column no longer has (rows {})",
                survivors.text,
                counted(survivors.rows, "text contains", "texts contain"),
                survivors.column,
                rows.join(", ")
            ));
        }
        problems
    }
}

/// A value of the original that a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Survival {
    /// The row of the released table.
    pub(crate) row: usize,
    /// The text column, by its place in the schema's texts.
    pub(crate) text: usize,
    /// The column of the value, by its place among those that are searched for.
    pub(crate) column: usize,
}

/// An original, prepared for looking for its values in texts.
pub(crate) struct Original<'a> {
    table: &'a Table,
    schema: &'a Schema,
    /// The columns whose values are looked for.
    columns: Vec<Searched<'a>>,
    /// The rows of the person of each row.
    rows_of: Vec<Vec<usize>>,
    person_of: Vec<usize>,
    texts: Vec<String>,
    chance: Chance,
}

struct Searched<'a> {
    rule: &'a ColumnRule,
    column: &'a Column,
    /// The forms of each distinct cell.
    forms: Vec<Vec<Form>>,
}

impl<'a> Original<'a> {
    pub(crate) fn new(table: &'a Table, schema: &'a Schema) -> Result<Self, Error> {
        let lacking = |name: &str| {
            Error::new(ErrorKind::Table, format!("the original has no column `{name}`"))
                .with_hint("pass the table that was anonymized, and the schema that it was anonymized with")
        };
        let mut columns = Vec::new();
        for rule in schema.columns().iter().filter(|rule| is_searched(rule)) {
            let column = table.column(&rule.name).ok_or_else(|| lacking(&rule.name))?;
            let forms = column.distinct().iter().map(|cell| {
                let values = schema.values(cell);
                values.iter().flat_map(|value| form::forms(value.trim(), rule)).collect()
            });
            columns.push(Searched { rule, column, forms: forms.collect() });
        }
        let texts = schema.of_role(Role::Text).map(|rule| rule.name.clone()).collect();
        let mut rows_of: Vec<Vec<usize>> = Vec::new();
        let mut person_of = Vec::with_capacity(table.rows());
        let identifier = schema.of_role(Role::Identifier).next().and_then(|rule| table.column(&rule.name));
        let mut known: HashMap<u32, usize> = HashMap::new();
        for row in 0..table.rows() {
            let person = match identifier.and_then(|column| column.code(row)) {
                Some(code) => *known.entry(code).or_insert(rows_of.len()),
                None => rows_of.len(),
            };
            if person == rows_of.len() {
                rows_of.push(Vec::new());
            }
            rows_of[person].push(row);
            person_of.push(person);
        }
        let mut original =
            Self { table, schema, columns, rows_of, person_of, texts, chance: Chance::default() };
        original.chance = original.chances();
        Ok(original)
    }

    /// The name of a column that is searched for, by its place.
    pub(crate) fn column(&self, at: usize) -> &str {
        &self.columns[at].rule.name
    }

    /// Which values stand in texts by chance, counted on the original's texts.
    fn chances(&self) -> Chance {
        let mut chance = Chance::default();
        let rows: Vec<usize> = (0..self.table.rows()).collect();
        let persons = self.rows_of.len();
        for row in rows.iter().step_by(rows.len().div_ceil(chance::SAMPLE).max(1)) {
            for text in self.texts.iter().filter_map(|name| self.table.column(name)?.get(*row)) {
                let speech = Speech::new(text);
                for said in &speech.numbers {
                    let hit = form::Hit::words(said.first, said.last);
                    speech.beside(&hit).for_each(|word| chance.number(word));
                }
                let own = self.person_of[*row];
                let asked = (0..=chance::OTHERS)
                    .map(|at| (own + persons * at / (chance::OTHERS + 1)) % persons.max(1));
                for (at, person) in asked.enumerate() {
                    for (column, searched) in self.columns.iter().enumerate() {
                        if matches!(searched.rule.role, Role::Identifier | Role::Remove) {
                            continue;
                        }
                        for form in self.forms_of(column, person) {
                            form.find(&speech, &mut |hit| {
                                for word in speech.beside(&hit) {
                                    chance.count((column, form.key(), word), at == 0);
                                }
                            });
                        }
                    }
                }
            }
        }
        chance.decide();
        chance
    }

    /// The forms of a person's values in a column, each once.
    fn forms_of(&self, column: usize, person: usize) -> impl Iterator<Item = &Form> {
        let searched = &self.columns[column];
        let rows = &self.rows_of[person];
        let mut codes: Vec<u32> = rows.iter().filter_map(|row| searched.column.code(*row)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().flat_map(|code| &searched.forms[code as usize])
    }

    /// Looks for the values of each row's person in its texts. `rows` has the original's row of each released row.
    pub(crate) fn survivals(
        &self,
        released: &Table,
        rows: &[Option<usize>],
        threads: usize,
    ) -> Result<Vec<Survival>, Error> {
        let texts: Vec<Option<&Column>> = self.texts.iter().map(|name| released.column(name)).collect();
        let all: Vec<usize> = (0..released.rows()).collect();
        let found = in_order(&all, threads, |row| {
            let mut found = Vec::new();
            let Some(origin) = rows.get(*row).copied().flatten() else { return Ok(found) };
            let hidden = self.hidden(released, *row, origin);
            if hidden.is_empty() {
                return Ok(found);
            }
            let derived = self.derived(released, *row, origin);
            let cells: Vec<&str> = self
                .schema
                .of_role(Role::QuasiIdentifier)
                .filter_map(|rule| released.column(&rule.name)?.get(*row))
                .collect();
            let mut own: Option<OwnWords> = None;
            for (text, column) in texts.iter().enumerate() {
                let Some(content) = column.and_then(|column| column.get(*row)) else { continue };
                let speech = Speech::new(content);
                let mut ours: Option<Vec<Span>> = None;
                let stated = hidden.iter().flat_map(|(at, forms)| forms.iter().map(move |form| (*at, *form)));
                for (at, form) in stated.chain(derived.iter().map(|(at, form)| (*at, form))) {
                    let mut survives = false;
                    form.find(&speech, &mut |hit| {
                        if survives
                            || speech.beside(&hit).any(|word| self.chance.is_chance((at, form.key(), word)))
                        {
                            return;
                        }
                        let ours = ours.get_or_insert_with(|| {
                            let own = own.get_or_insert_with(|| OwnWords::new(&cells));
                            speech.ours(own)
                        });
                        let span = speech.span(&hit);
                        let before = ours.partition_point(|ours| ours.start <= span.start);
                        let covered = before.checked_sub(1).is_some_and(|last| ours[last].end >= span.end);
                        survives = !covered && !self.is_told(at, form, released, *row, &hit);
                    });
                    if survives {
                        found.push(Survival { row: *row, text, column: at });
                    }
                }
            }
            found.dedup();
            Ok(found)
        })?;
        let mut found: Vec<Survival> = found.into_iter().flatten().collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The forms of the values that a released row hides, by their columns.
    fn hidden(&self, released: &Table, row: usize, origin: usize) -> Vec<(usize, Vec<&Form>)> {
        let person = self.person_of[origin];
        let mut hidden = Vec::new();
        for (at, searched) in self.columns.iter().enumerate() {
            let cell = released.column(&searched.rule.name).and_then(|column| column.get(row));
            let mut forms = Vec::new();
            let mut codes: Vec<u32> =
                self.rows_of[person].iter().take(256).filter_map(|row| searched.column.code(*row)).collect();
            codes.sort_unstable();
            codes.dedup();
            for code in codes {
                let own = &searched.column.distinct()[code as usize];
                // What the column still says may be said.
                let said = searched.rule.role != Role::Identifier
                    && cell.is_some_and(|cell| cell.trim() == own.trim());
                if !said {
                    forms.extend(&searched.forms[code as usize]);
                }
            }
            if !forms.is_empty() {
                hidden.push((at, forms));
            }
        }
        hidden
    }

    /// What follows from values that a row hides: ages from dates of birth, years of birth from ages.
    fn derived(&self, released: &Table, row: usize, origin: usize) -> Vec<(usize, Form)> {
        let person = self.person_of[origin];
        let lexicon = lexicon();
        let own = |searched: &Searched<'_>| {
            let rows = self.rows_of[person].iter().take(8);
            rows.filter_map(|row| searched.column.get(*row)).map(str::to_owned).collect::<Vec<_>>()
        };
        let hides = |searched: &Searched<'_>, value: &str| {
            let cell = released.column(&searched.rule.name).and_then(|column| column.get(row));
            cell.is_none_or(|cell| cell.trim() != value.trim())
        };
        let days = |searched: &Searched<'_>, text: &str| match &searched.rule.kind {
            Kind::Date { format } => {
                value::days(text, format.as_deref()).filter(|(first, last)| first == last)
            }
            _ => None,
        };
        let mut derived = Vec::new();
        let is_told = |age: i16| {
            self.columns.iter().any(|other| {
                lexicon.dimension(other.rule) == Some("years")
                    && released
                        .column(&other.rule.name)
                        .and_then(|column| column.get(row))
                        .is_some_and(|cell| cell.trim() == age.to_string())
            })
        };
        for (at, searched) in self.columns.iter().enumerate() {
            let is_birth = lexicon.is_named(searched.rule, "birth");
            let is_age =
                searched.rule.kind == Kind::Number && lexicon.dimension(searched.rule) == Some("years");
            if !is_birth && !is_age {
                continue;
            }
            for text in own(searched).iter().filter(|text| hides(searched, text)) {
                for other in self.columns.iter().filter(|other| other.rule.name != searched.rule.name) {
                    for (day, _) in own(other).iter().filter_map(|text| days(other, text)) {
                        if let Some((born, _)) = days(searched, text).filter(|_| is_birth) {
                            let before = (day.month(), day.day()) < (born.month(), born.day());
                            let age = day.year() - born.year() - i16::from(before);
                            if age > 0 && age < 130 && !is_told(age) {
                                derived
                                    .push((at, form::derived(Origin::Number(f64::from(age)), searched.rule)));
                            }
                        } else if let Some(age) = value::number(text).filter(|_| is_age) {
                            #[allow(clippy::cast_possible_truncation)]
                            let year = day.year() - age as i16;
                            for year in [year - 1, year] {
                                derived.push((at, form::derived(Origin::BirthYear(year), searched.rule)));
                            }
                        }
                    }
                }
            }
        }
        derived
    }

    /// Whether the released cell of the column tells as much.
    fn is_told(&self, column: usize, form: &Form, released: &Table, row: usize, hit: &form::Hit) -> bool {
        let rule = self.columns[column].rule;
        let Some(cell) = released.column(&rule.name).and_then(|column| column.get(row)) else { return false };
        if rule.role == Role::Identifier || cell == "*" {
            return false;
        }
        match (&form.origin, &rule.kind) {
            (Origin::Date(_), Kind::Date { format }) => {
                let days =
                    |text: &str| value::days(text, None).or_else(|| value::days(text, format.as_deref()));
                let told = match Cell::read(cell) {
                    Cell::Range(first, last) => {
                        days(first).zip(days(last)).map(|(first, last)| (first.0, last.1))
                    }
                    _ => days(cell),
                };
                told.zip(hit.days()).is_some_and(|((first, last), (from, to))| from <= first && last <= to)
            }
            (Origin::Words(words), _) => {
                let members: Vec<String> = match Cell::read(cell) {
                    Cell::Among(members) => members.iter().map(ToString::to_string).collect(),
                    _ => vec![cell.to_owned()],
                };
                members.iter().all(|member| {
                    let member = Speech::new(member);
                    member.positions(words).next().is_some()
                })
            }
            _ => false,
        }
    }

    /// What survives, by columns, and which rows are of no row of the original.
    pub(crate) fn report(&self, survivals: &[Survival], changed: &[usize]) -> Originals {
        let mut by_column: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
        for survival in survivals {
            by_column.entry((survival.column, survival.text)).or_default().insert(survival.row);
        }
        let values = by_column.into_iter().map(|((column, text), rows)| ValueSurvivors {
            column: self.columns[column].rule.name.clone(),
            text: self.texts[text].clone(),
            rows: rows.len(),
            first: rows.iter().take(5).map(|row| row + 1).collect(),
        });
        let kept_out = self.schema.columns().iter().filter(|rule| !rule.in_texts && rule.role != Role::Text);
        Originals {
            values: values.collect(),
            not_searched: kept_out.map(|rule| rule.name.clone()).collect(),
            changed: changed.iter().take(5).map(|row| row + 1).collect(),
            changed_rows: changed.len(),
        }
    }
}

/// Whether texts are searched for a column's values.
fn is_searched(rule: &ColumnRule) -> bool {
    rule.in_texts && matches!(rule.role, Role::QuasiIdentifier | Role::Identifier | Role::Remove)
}

/// Compares a released table with its original: which rows are of none of its rows, and which values of the persons
/// survive in their texts.
pub(super) fn compare(
    released: &Table,
    original: &Table,
    schema: &Schema,
    taxonomy: Option<&Stack>,
    threads: usize,
) -> Result<Originals, Error> {
    let prepared = Original::new(original, schema)?;
    let rows = align::align(released, original, schema, taxonomy)?;
    let changed: Vec<usize> = (0..released.rows()).filter(|row| rows[*row].is_none()).collect();
    let survivals = prepared.survivals(released, &rows, threads)?;
    Ok(prepared.report(&survivals, &changed))
}
