//! The independent check of a released table: it shares nothing with partitioning and recoding.
//!
//! It reads the released table as an attacker would. Rows of one person are those with one identifier. What texts
//! say is found by the detectors, which it has in common with protecting: nothing else could tell what a term is.
//! Where a term was found in the text of one person, the texts of all who have the same columns are searched for its
//! words, so that a detector that sees it in one sentence and misses it in the next does not tell persons apart. What
//! the person's own cells say, and marks such as `[PERSON]`, are no terms.

mod cell;
mod figures;
mod original;
mod population;
mod survivors;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reticent_knowledge::taxonomy::Stack;
use reticent_text::Language;
use serde::Serialize;

use cell::OwnWords;
pub use figures::SensitiveFigures;
pub(crate) use original::Original;
pub use original::{Originals, ValueSurvivors};
pub use population::{Population, PopulationFigures};
use survivors::Members;
pub use survivors::Survivor;

use super::model::Requirement;
use super::text::{CommonWords, Finder, Least, in_order};
use super::{Column, ColumnRule, Role, Schema, Table, counted};
use crate::resolve::surface::{Form, Surfaces, folded};
use crate::{EntityType, Error, ErrorKind};

/// The requirements that a table is checked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The minimum number of persons in a class.
    pub k: Option<usize>,
    /// The minimum number of distinct values of a sensitive column.
    pub distinct: Vec<(String, usize)>,
    /// The minimum entropy diversity of a sensitive column.
    pub entropy: Vec<(String, f64)>,
    /// The maximum distance of the distribution in a class from that of the table.
    pub closeness: Vec<(String, f64)>,
    /// The minimum number of persons of the population that match a class.
    pub k_map: Option<usize>,
    /// The most rows of a person: where the identifier was removed, so many rows may be one person's.
    pub most_rows: Option<usize>,
    /// Whether texts in languages without tools may be there.
    pub unexamined: bool,
}

impl Wanted {
    /// Converts requirements.
    pub fn new(requirements: &[Requirement]) -> Self {
        let mut wanted = Self::default();
        for requirement in requirements {
            match requirement {
                Requirement::KAnonymity(k) => wanted.k = Some(*k),
                Requirement::DistinctDiversity(column, l) => wanted.distinct.push((column.clone(), *l)),
                Requirement::EntropyDiversity(column, l) => wanted.entropy.push((column.clone(), *l)),
                Requirement::TCloseness(column, t) => wanted.closeness.push((column.clone(), *t)),
                Requirement::KMap(k, _) => wanted.k_map = Some(*k),
            }
        }
        wanted
    }
}

/// The result of verifying a released table.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// The number of rows.
    pub rows: usize,
    /// The number of persons.
    pub persons: usize,
    /// `true` if an identifier distinguishes persons; if not, each row is treated as a person.
    pub persons_known: bool,
    /// The number of classes: persons with the same columns and the same terms in their texts.
    pub classes: usize,
    /// The number of persons in the smallest class.
    pub k: usize,
    /// The sizes of the smallest classes, and the first row of each.
    pub smallest: Vec<SmallClass>,
    /// The figures of each sensitive column.
    pub sensitive: Vec<SensitiveFigures>,
    /// The figures of the population, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationFigures>,
    /// Column values that texts reveal more precisely than the column.
    pub survivors: Vec<Survivor>,
    /// For each text column, how many texts are in a language without tools: no detector examined them.
    pub unexamined: BTreeMap<String, usize>,
    /// What of the original survives, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Originals>,
    /// For each class, the first row of each of its persons, and what its texts say.
    #[serde(skip)]
    groups: Vec<Group>,
}

/// A class that is small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SmallClass {
    /// The number of persons.
    pub persons: usize,
    /// One of its rows, counted from 1.
    pub row: usize,
}

#[derive(Clone, Debug)]
struct Group {
    /// The first rows of its persons.
    rows: Vec<usize>,
    says: BTreeSet<String>,
}

impl Verification {
    /// Returns the violated requirements in words, without values of the table.
    pub fn problems(&self, wanted: &Wanted) -> Vec<String> {
        let mut problems = Vec::new();
        // Rows that no identifier tells apart may be one person's.
        let persons = |rows: usize| match wanted.most_rows.filter(|_| !self.persons_known) {
            Some(most) => rows.div_ceil(most),
            None => rows,
        };
        if let Some(k) = wanted.k.filter(|k| persons(self.k) < *k) {
            let small = self.groups.iter().filter(|group| persons(group.rows.len()) < k).count();
            let small = counted(small, "class has", "classes have");
            problems.push(format!(
                "{small} fewer than {k} persons, the smallest {} (row {})",
                persons(self.k),
                self.smallest.first().map_or(0, |small| small.row)
            ));
        }
        for figures in &self.sensitive {
            problems.extend(figures.problems(wanted));
        }
        match (wanted.k_map, &self.population) {
            (Some(k), Some(figures)) if figures.k < k => problems.push(format!(
                "a class matches {} persons of the population, fewer than {k} (row {})",
                figures.k, figures.row
            )),
            (Some(_), None) => problems.push("a k-map requires the population".to_owned()),
            _ => {}
        }
        for (column, count) in self.unexamined.iter().filter(|_| !wanted.unexamined) {
            problems.push(format!(
                "`{column}`: {} in a language without tools, so nothing examined what is mentioned there",
                counted(*count, "text is", "texts are")
            ));
        }
        problems.extend(self.original.iter().flat_map(Originals::problems));
        for survivor in self.survivors.iter().filter(|survivor| survivor.is_error).take(5) {
            problems.push(format!(
                "row {}: the text in `{}` reveals the value of `{}` more precisely than the column",
                survivor.row, survivor.text, survivor.column
            ));
        }
        problems
    }

    /// Tells rows by their places in another order: for each new row the former.
    pub(crate) fn reorder(&mut self, former: &[usize]) {
        let mut place = vec![0; former.len()];
        former.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let moved = |row: usize| row.checked_sub(1).and_then(|row| place.get(row)).map_or(row, |row| row + 1);
        self.survivors.iter_mut().for_each(|survivor| survivor.row = moved(survivor.row));
        self.survivors.sort_by(|a, b| (!a.is_error, a.row, &a.column).cmp(&(!b.is_error, b.row, &b.column)));
        if let Some(population) = &mut self.population {
            population.row = moved(population.row);
        }
        for group in &mut self.groups {
            group.rows.iter_mut().for_each(|row| *row = place[*row]);
            group.rows.sort_unstable();
        }
        self.groups.sort_by_key(|group| (group.rows.len(), group.rows.first().copied()));
        self.smallest = smallest(&self.groups);
    }

    /// What the reader must know besides the figures, in words.
    pub fn remarks(&self) -> Vec<String> {
        let alone = self.sensitive.iter().filter(|figures| figures.distinct == 1 && self.k > 1);
        let remark = |figures: &SensitiveFigures| {
            format!(
                "in a class all have the same value of `{}`: whoever knows that a person is in it learns the value (-l 2 prevents it)",
                figures.column
            )
        };
        alone.map(remark).collect()
    }

    /// The numbers of persons in classes, and how many classes have so many.
    pub fn sizes(&self) -> BTreeMap<usize, usize> {
        let mut sizes = BTreeMap::new();
        self.groups.iter().for_each(|group| *sizes.entry(group.rows.len()).or_default() += 1);
        sizes
    }

    /// The first rows of the persons in classes that are too small.
    pub(crate) fn too_few(&self, wanted: &Wanted) -> Vec<usize> {
        self.small(wanted).flat_map(|group| group.rows.iter().copied()).collect()
    }

    fn small(&self, wanted: &Wanted) -> impl Iterator<Item = &Group> {
        let k = wanted.k.unwrap_or(1);
        self.groups.iter().filter(move |group| group.rows.len() < k)
    }

    /// What the texts of persons in small classes say: the first row of the person, and the words, folded; and what
    /// survives in texts.
    pub(crate) fn offenders(&self, wanted: &Wanted) -> Vec<(usize, String)> {
        let said = self.small(wanted).flat_map(|group| {
            group.rows.iter().flat_map(|row| group.says.iter().map(move |words| (*row, words.clone())))
        });
        let survivors = self.survivors.iter().filter(|survivor| survivor.is_error);
        said.chain(survivors.map(|survivor| (survivor.row - 1, survivor.words.clone()))).collect()
    }

    /// As a table to be read.
    pub fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut out = String::new();
        let persons = match (self.persons_known, self.persons) {
            (false, _) => "rows, each treated as a person",
            (true, 1) => "person",
            (true, _) => "persons",
        };
        let classes = counted(self.classes, "class", "classes");
        let _ = writeln!(out, "k = {}: {classes} of {} {persons}", self.k, self.persons);
        let sizes: Vec<String> =
            self.smallest.iter().map(|small| format!("{} (row {})", small.persons, small.row)).collect();
        let _ = writeln!(out, "smallest classes: {}", sizes.join(", "));
        for figures in &self.sensitive {
            let _ = writeln!(
                out,
                "`{}`: at least {} in a class, entropy diversity {:.2}, t = {:.3}",
                figures.column,
                counted(figures.distinct, "value", "values"),
                figures.entropy,
                figures.t
            );
        }
        if let Some(population) = &self.population {
            let _ = writeln!(out, "k-map: {}, journalist's risk {:.4}", population.text(), population.risk());
        }
        for (column, count) in &self.unexamined {
            let _ = writeln!(out, "`{column}`: {count} in languages without tools");
        }
        if let Some(original) = &self.original {
            let rows: usize = original.values.iter().map(|survivors| survivors.rows).sum();
            let _ = writeln!(
                out,
                "compared with the original: {} in texts",
                counted(rows, "value survives", "values survive")
            );
            for column in &original.not_searched {
                let _ = writeln!(
                    out,
                    "`{column}`: its values are not searched for in texts, as the schema has it"
                );
            }
        }
        for survivor in &self.survivors {
            let kind = if survivor.is_error { "survives" } else { "may survive" };
            let _ = writeln!(
                out,
                "row {}: a value of `{}` {kind} in `{}`",
                survivor.row, survivor.column, survivor.text
            );
        }
        out
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// The smallest classes.
fn smallest(groups: &[Group]) -> Vec<SmallClass> {
    let small = groups.iter().take(5).map(|group| SmallClass {
        persons: group.rows.len(),
        row: group.rows.iter().min().map_or(0, |row| row + 1),
    });
    small.collect()
}

/// Counts on a released table; and how many persons of a population each of its classes fits, if one is given.
pub fn verify(
    table: &Table,
    schema: &Schema,
    finder: &Finder,
    population: Option<Population<'_>>,
) -> Result<Verification, Error> {
    verify_persons(table, schema, finder, None, population)
}

/// Compares a released table with its original: which values of persons survive in their texts, and which rows no row
/// of the original can have become. The taxonomies tell what released cells cover.
pub fn compare(
    released: &Table,
    original: &Table,
    schema: &Schema,
    taxonomy: Option<&Stack>,
    threads: usize,
) -> Result<Originals, Error> {
    original::compare(released, original, schema, taxonomy, threads)
}

/// The same where the person of each row is known otherwise.
pub(crate) fn verify_persons(
    table: &Table,
    schema: &Schema,
    finder: &Finder,
    persons: Option<&[u32]>,
    population: Option<Population<'_>>,
) -> Result<Verification, Error> {
    let lacking = |name: &str| {
        Error::new(ErrorKind::Table, format!("the released table has no column `{name}`")).with_hint(
            "use the schema that the table was anonymized with, and all tables that were released together",
        )
    };
    let mut quasi = Vec::new();
    for rule in schema.of_role(Role::QuasiIdentifier) {
        quasi.push((rule, table.column(&rule.name).ok_or_else(|| lacking(&rule.name))?));
    }
    let mut texts = Vec::new();
    for rule in schema.of_role(Role::Text) {
        texts.push(table.column(&rule.name).ok_or_else(|| lacking(&rule.name))?);
    }
    let identifier = schema.of_role(Role::Identifier).next();
    let column = identifier.and_then(|rule| table.column(&rule.name));
    let persons_known = persons.is_some() || identifier.is_none() || column.is_some();
    // The rows of each person, by whatever names them.
    let mut rows_of: BTreeMap<(u8, u64), Vec<usize>> = BTreeMap::new();
    for row in 0..table.rows() {
        let name = match (persons, column) {
            (Some(persons), _) => (0, u64::from(persons[row])),
            (None, Some(column)) => match column.code(row) {
                Some(code) => (0, u64::from(code)),
                None => {
                    return Err(Error::new(
                        ErrorKind::Table,
                        format!(
                            "column `{}`: row {}: the person's identifier is missing",
                            column.name(),
                            row + 1
                        ),
                    ));
                }
            },
            (None, None) => (1, row as u64),
        };
        rows_of.entry(name).or_default().push(row);
    }
    let people: Vec<Vec<usize>> = rows_of.into_values().collect();

    let counts_rows = schema.parameters().rows_per_person == Some(true);
    // Persons with the same columns; then, of those, the ones whose texts say the same.
    let mut alike: HashMap<Vec<Vec<Option<u32>>>, Vec<usize>> = HashMap::new();
    for (person, rows) in people.iter().enumerate() {
        let mut cells: Vec<Vec<Option<u32>>> =
            rows.iter().map(|row| quasi.iter().map(|(_, column)| column.code(*row)).collect()).collect();
        // The number of rows, where it is a quasi-identifier: it stands before what they say.
        let count = cells.len();
        cells.sort_unstable();
        cells.dedup();
        if counts_rows {
            cells.insert(0, vec![u32::try_from(count).ok()]);
        }
        alike.entry(cells).or_default().push(person);
    }
    let mut alike: Vec<Vec<usize>> = alike.into_values().collect();
    alike.sort_unstable();
    let all: Vec<&str> = texts.iter().flat_map(|column| column.distinct()).map(|text| &**text).collect();
    let common = CommonWords::count(&all, finder, Least::Released)?;
    let reader = Reader { quasi: &quasi, texts: &texts, people: &people, finder, common: &common };
    let read = in_order(&alike, finder.threads(), |persons| reader.classes(persons))?;
    let mut unexamined: BTreeMap<String, usize> = BTreeMap::new();
    for column in &texts {
        let rows: Vec<usize> = (0..table.rows()).collect();
        let other = in_order(&rows, finder.threads(), |row| {
            let Some(text) = column.get(*row).filter(|text| *text != super::protect::WITHHELD) else {
                return Ok(0);
            };
            Ok(usize::from(finder.find(text)?.language == Language::Other))
        })?;
        let count: usize = other.into_iter().sum();
        if count > 0 {
            unexamined.insert(column.name().to_owned(), count);
        }
    }
    let (groups, survivors): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let mut survivors: Vec<Survivor> = survivors.into_iter().flatten().collect();
    survivors.sort_by(|a, b| (!a.is_error, a.row, &a.column).cmp(&(!b.is_error, b.row, &b.column)));
    let classes: Vec<(BTreeSet<String>, Vec<usize>)> = groups.into_iter().flatten().collect();
    let sensitive = figures::count(table, schema, &people, &classes)?;
    let population = population.map(|population| {
        let rows = |persons: &Vec<usize>| persons.iter().map(|person| people[*person].as_slice()).collect();
        population::count(population, &quasi, alike.iter().map(rows))
    });
    let population = population.transpose()?;
    let mut groups: Vec<Group> = classes
        .into_iter()
        .map(|(says, persons)| Group {
            rows: persons.iter().map(|person| people[*person][0]).collect(),
            says,
        })
        .collect();
    groups.sort_by_key(|group| (group.rows.len(), group.rows.first().copied()));
    let smallest = smallest(&groups);
    Ok(Verification {
        rows: table.rows(),
        persons: people.len(),
        persons_known,
        classes: groups.len(),
        k: groups.first().map_or(0, |group| group.rows.len()),
        smallest,
        sensitive,
        population,
        survivors,
        unexamined,
        original: None,
        groups,
    })
}

/// Reads what the texts of persons say.
struct Reader<'a> {
    quasi: &'a [(&'a ColumnRule, &'a Column)],
    texts: &'a [&'a Column],
    people: &'a [Vec<usize>],
    finder: &'a Finder,
    /// Words that identify nobody.
    common: &'a CommonWords,
}

/// What a row's own cells say.
struct Own {
    cells: Vec<Option<u32>>,
    words: OwnWords,
    members: Members,
}

/// What the texts of some persons say, with the persons of each class.
type SaidBy = Vec<(BTreeSet<String>, Vec<usize>)>;

impl Reader<'_> {
    /// The classes of persons who have the same columns, and what survives in their texts.
    fn classes(&self, persons: &[usize]) -> Result<(SaidBy, Vec<Survivor>), Error> {
        let mut survivors = Vec::new();
        let mut said: BTreeMap<String, EntityType> = BTreeMap::new();
        let mut says: Vec<BTreeSet<String>> = vec![BTreeSet::new(); persons.len()];
        // Rows of persons with the same columns have the same cells, mostly.
        let mut last: Option<Own> = None;
        for (says, person) in says.iter_mut().zip(persons) {
            for row in &self.people[*person] {
                let own = self.own(*row, &mut last);
                for column in self.texts {
                    let Some(text) = column.get(*row) else { continue };
                    let findings = self.finder.find(text)?;
                    let ours = own.words.spans(text);
                    for found in findings.found.iter().filter(|found| !ours.covers(found.span)) {
                        if self.common.has(found, text) {
                            continue;
                        }
                        if own.words.say(&found.value, found.span.of(text)) {
                            continue;
                        }
                        for span in ours.beside(text, found.span) {
                            says.insert(folded(span.of(text)));
                            said.insert(span.of(text).to_owned(), found.kind.clone());
                        }
                    }
                    survivors.extend(survivors::look(
                        *row,
                        column.name(),
                        text,
                        (self.quasi, &own.members),
                        &findings,
                        &ours,
                    ));
                }
            }
        }
        let spread = said.iter().filter(|(words, kind)| super::text::spreads(words, kind));
        let forms: Vec<Form<'_>> = spread.map(|(words, kind)| super::text::form(words, kind)).collect();
        if !forms.is_empty() {
            let surfaces = Surfaces::new(forms);
            for (says, person) in says.iter_mut().zip(persons) {
                for row in &self.people[*person] {
                    let own = self.own(*row, &mut last);
                    for text in self.texts.iter().filter_map(|column| column.get(*row)) {
                        let ours = own.words.spans(text);
                        let found = surfaces.find(text).into_iter().filter(|(_, span)| !ours.covers(*span));
                        says.extend(found.map(|(_, span)| folded(span.of(text))));
                    }
                }
            }
        }
        let mut classes: BTreeMap<BTreeSet<String>, Vec<usize>> = BTreeMap::new();
        for (says, person) in says.into_iter().zip(persons) {
            classes.entry(says).or_default().push(*person);
        }
        Ok((classes.into_iter().collect(), survivors))
    }

    fn own<'l>(&self, row: usize, last: &'l mut Option<Own>) -> &'l Own {
        let cells = || self.quasi.iter().map(|(_, column)| column.code(row));
        if last.as_ref().is_none_or(|known| !known.cells.iter().copied().eq(cells())) {
            *last = None;
        }
        last.get_or_insert_with(|| {
            let said: Vec<&str> = self.quasi.iter().filter_map(|(_, column)| column.get(row)).collect();
            let members = survivors::members(row, self.quasi);
            Own { cells: cells().collect(), words: OwnWords::new(&said), members }
        })
    }
}
