//! From a table to a released table.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reticent_text::{Language, Span, is_ordinary};

use super::measure::{Measures, RowCounts};
use super::model::{PrivacyModel, Requirement};
use super::partition::{self, Partition, Strategy};
use super::person::{Attribute, People, TermSets, error};
use super::recode::{Coded, Ladders, Recoded, Said, SaidValue, TermPlan, in_text, recode};
use super::text::{
    Change, CommonWords, Finder, Least, Matcher, Mentions, Place, Rewritten, Term, find_all, in_order,
    rewrite,
};
use super::verify::{self, Population, Verification, Wanted};
use super::{
    Column, ColumnBuilder, Dependence, Identifiers, Role, RowOrder, Schema, Table, Wording, dependence, order,
};
use crate::extract::{cell, map};
use crate::resolve::surface::{Form, Surfaces, folded, words};
use crate::{EntityType, Error, ErrorKind, Knowledge, mask};

/// Options for anonymizing a table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The requirements for every class.
    pub requirements: Vec<Requirement>,
    /// The partitioning algorithm.
    pub strategy: Strategy,
    /// How replacements are written: in texts as a sentence would have it (`24 to 36`, `Student or Education`, and
    /// `[PERSON]` for a type), or as the paper's Table 4 (`[24-36]`, `(Student,Education)`, `person`; persons numbered
    /// by their rows).
    pub wording: Wording,
    /// What becomes of the column that identifies persons: a number for each, the same in all their rows, or nothing,
    /// and then whoever counts the released table counts rows. Other identifying columns are always removed.
    pub identifiers: Identifiers,
    /// The order of the released rows.
    pub order: RowOrder,
    /// Whether texts in languages without tools are released. Values of the person's columns are replaced in them, and
    /// nothing else: what they mention besides was not examined.
    pub unsupported_languages: bool,
}

impl TableOptions {
    /// k-anonymity, as rx-anon does it without a wish.
    pub fn k_anonymity(k: usize) -> Self {
        Self {
            requirements: vec![Requirement::KAnonymity(k)],
            strategy: Strategy::Mondrian { lambda: 0.5, relaxed: false },
            wording: Wording::Plain,
            identifiers: Identifiers::Pseudonym,
            order: RowOrder::Sorted,
            unsupported_languages: false,
        }
    }
}

/// A table that satisfies what was asked, counted on the table itself.
pub struct ProtectedTable {
    /// The anonymized table.
    pub table: Table,
    /// The information loss and the classes.
    pub measures: Measures,
    /// The result of verification.
    pub verification: Verification,
    /// The row of the original that each released row was.
    pub origins: Vec<usize>,
}

/// How often a text is looked at again after it was changed.
const ROUNDS: usize = 4;

/// A table that was searched: made once, protected or measured with as many settings as wanted.
///
/// ```
/// use reticent::table::{Finder, Format, PreparedTable, ReadOptions, Schema, TableOptions, read};
/// let file = b"age,note\n31,I live in Lyon.\n34,I moved to Paris.\n";
/// let (table, _) = read(file, &ReadOptions::new(Format::Csv))?;
/// let schema = Schema::from_toml(
///     r#"
///     columns = [
///       { name = "age", role = "quasi-identifier", kind = "number" },
///       { name = "note", role = "text" },
///     ]
///     "#,
/// )?;
/// let finder = Finder::new(&schema, None, Vec::new(), 1)?;
/// let prepared = PreparedTable::new(&table, &schema, &finder, None)?;
/// let released = prepared.protect(&TableOptions::k_anonymity(2))?;
/// assert_eq!(released.table.columns()[0].get(0), Some("[31-34]"));
/// assert_eq!(released.table.columns()[1].get(0), Some("I live in [LOCATION]."));
/// assert_eq!(released.verification.k, 2);
/// # Ok::<(), reticent::Error>(())
/// ```
pub struct PreparedTable<'a> {
    table: &'a Table,
    schema: &'a Schema,
    finder: &'a Finder,
    knowledge: Option<&'a Knowledge>,
    pub(crate) people: People,
    pub(crate) vocabulary: Vec<Term>,
    /// For each text column, its place and what each of its texts says.
    texts: Vec<(usize, Vec<Mentions>)>,
    /// Columns that are released unchanged and say what generalized ones hide.
    dependences: Vec<Dependence>,
    /// Words that identify nobody.
    common: CommonWords,
}

/// What is said of a class.
pub(crate) struct ClassPlan {
    pub(crate) columns: Vec<Coded>,
    pub(crate) terms: TermPlan,
}

impl<'a> PreparedTable<'a> {
    /// Searches a table: who its persons are, what their texts say, and what of it their columns say anyway.
    /// Without knowledge, terms of texts are not generalized by what they mean.
    pub fn new(
        table: &'a Table,
        schema: &'a Schema,
        finder: &'a Finder,
        knowledge: Option<&'a Knowledge>,
    ) -> Result<Self, Error> {
        schema.check(table)?;
        let mut people = People::new(table, schema, knowledge.map(Knowledge::taxonomy))?;
        let mut texts = Vec::new();
        let mut all: Vec<&str> = Vec::new();
        for rule in schema.of_role(Role::Text) {
            let place = table.columns().iter().position(|column| column.name() == rule.name);
            let place = place.ok_or_else(|| error(format!("the table has no column `{}`", rule.name)))?;
            all.extend(table.columns()[place].distinct().iter().map(|text| &**text));
            texts.push((place, Vec::new()));
        }
        let common = CommonWords::count(&all, finder, Least::Original)?;
        let (vocabulary, mut said) = find_all(&all, finder, &common)?;
        for (place, own) in texts.iter_mut().rev() {
            let rest = said.len() - table.columns()[*place].distinct().len();
            *own = said.split_off(rest);
        }
        let matcher = Matcher::new(table, schema, &people, &vocabulary, &own_texts(table, &people, &texts))?;
        let rows: Vec<usize> = (0..table.rows()).collect();
        let pairs = in_order(&rows, finder.threads(), |row| {
            let person = people.rows.of_row[*row];
            let mut pairs = Vec::new();
            for (place, said) in &texts {
                let column = &table.columns()[*place];
                if let (Some(code), Some(text)) = (column.code(*row), column.get(*row)) {
                    let places = matcher.places(text, &said[code as usize], person);
                    pairs.extend(places.iter().filter_map(|(_, place)| match place {
                        Place::Term(term) => Some((person, *term)),
                        _ => None,
                    }));
                }
            }
            Ok(pairs)
        })?;
        let pairs: Vec<(u32, u32)> = pairs.into_iter().flatten().collect();
        let mut kinds: Vec<&EntityType> = vocabulary.iter().map(|term| &term.kind).collect();
        kinds.dedup();
        let kind_of =
            |term: &Term| kinds.binary_search(&&term.kind).ok().and_then(|at| u16::try_from(at).ok());
        let type_of = vocabulary.iter().map(|term| kind_of(term).unwrap_or(0)).collect();
        let may_stay = vocabulary.iter().map(|term| term.may_stay).collect();
        people.terms = TermSets::new(people.count(), pairs, type_of, may_stay);
        let dependences = dependence::find(table, schema);
        Ok(Self { table, schema, finder, knowledge, people, vocabulary, texts, dependences, common })
    }

    /// Returns the number of persons in the table.
    pub fn persons(&self) -> usize {
        self.people.count()
    }

    /// The types of the terms that texts say, in the order of their numbers.
    pub(crate) fn kinds(&self) -> Vec<EntityType> {
        let mut kinds: Vec<EntityType> = self.vocabulary.iter().map(|term| term.kind.clone()).collect();
        kinds.dedup();
        kinds
    }

    fn partition(&self, options: &TableOptions) -> Result<(Partition, Vec<ClassPlan>), Error> {
        if options.requirements.is_empty() {
            return Err(error("no privacy model was requested").with_hint("use for example --k 5"));
        }
        let models: Vec<Box<dyn PrivacyModel>> = options
            .requirements
            .iter()
            .map(|requirement| requirement.model(&self.people, self.schema))
            .collect::<Result<_, _>>()?;
        let threads = self.finder.threads();
        let partition = partition::partition(&self.people, &models, options.strategy, threads)?;
        let ladders = Ladders::new(self.knowledge);
        let classes: Vec<&[u32]> = partition.classes().collect();
        let plans = in_order(&classes, threads, |persons| {
            Ok(ClassPlan {
                columns: self.people.attributes.iter().map(|attribute| recode(attribute, persons)).collect(),
                terms: TermPlan::new(&self.people.terms, persons, &self.vocabulary, &ladders),
            })
        })?;
        Ok((partition, plans))
    }

    /// Measures the information loss and the classes without writing anything.
    pub fn measure(&self, options: &TableOptions) -> Result<Measures, Error> {
        let (partition, plans) = self.partition(options)?;
        Ok(Measures::new(self, &partition, &plans, options.strategy))
    }

    /// The rows that are released: all, or of each person as many as all of the class have, where the number of rows
    /// is a quasi-identifier.
    fn released_rows(&self, partition: &Partition) -> Vec<usize> {
        let rows = &self.people.rows;
        if !self.people.attributes.iter().any(Attribute::is_count) {
            return (0..self.table.rows()).collect();
        }
        let mut released = Vec::new();
        for class in partition.classes() {
            let least = class.iter().map(|person| rows.of(*person as usize).len()).min().unwrap_or(0);
            for person in class {
                released.extend(rows.of(*person as usize)[..least].iter().map(|row| *row as usize));
            }
        }
        released.sort_unstable();
        released
    }

    /// The released rows in the order that was asked for, and the numbers of their persons; and the former place of
    /// each row.
    fn ordered(&self, table: Table, person: &[u32], options: &TableOptions) -> (Table, Vec<usize>) {
        if options.order == RowOrder::Kept {
            let rows = (0..table.rows()).collect();
            return (table, rows);
        }
        let identifier = self.schema.of_role(Role::Identifier).next();
        let numbered = identifier.filter(|_| options.identifiers == Identifiers::Pseudonym);
        if let Some(rule) = numbered {
            return order::renumbered(table, &rule.name, person);
        }
        let rows = order::sorted(&table, None);
        (table.into_rows(&rows), rows)
    }

    /// What is measured of the released table besides its classes.
    fn measured(
        &self,
        (partition, plans): (&Partition, &[ClassPlan]),
        options: &TableOptions,
        released: usize,
    ) -> Measures {
        let mut measures = Measures::new(self, partition, plans, options.strategy);
        let k = options.requirements.iter().find_map(|requirement| match requirement {
            Requirement::KAnonymity(k) => Some(*k),
            _ => None,
        });
        let k = k.unwrap_or(2);
        measures.dependences.clone_from(&self.dependences);
        let coded = |class: usize, at: usize| &plans[class].columns[at];
        let both = (&self.people, partition);
        dependence::count(&mut measures.dependences, self.table, both, coded, k);
        measures.rows_per_person = RowCounts::new(&self.people, partition, k);
        if options.identifiers == Identifiers::Remove {
            // Nobody knows which rows are one person's.
            measures.rows_per_person.singled_out = 0;
        }
        measures.rows_per_person.withheld = self.table.rows() - released;
        for attribute in self.people.attributes.iter().filter(|attribute| !attribute.unread.is_empty()) {
            measures.unread.insert(attribute.rule.name.clone(), attribute.unread.len());
        }
        measures
    }

    /// Protects the table and counts on the result whether it holds; a table that does not is not given away.
    pub fn protect(&self, options: &TableOptions) -> Result<ProtectedTable, Error> {
        self.check_identifiers(options)?;
        let (partition, mut plans) = self.partition(options)?;
        let of_person = partition.of_person();
        let rows = self.released_rows(&partition);
        let persons: Vec<u32> = rows.iter().map(|row| self.people.rows.of_row[*row]).collect();
        let texts = own_texts(self.table, &self.people, &self.texts);
        let matcher = Matcher::new(self.table, self.schema, &self.people, &self.vocabulary, &texts)?;
        let wanted =
            Wanted { unexamined: options.unsupported_languages, ..Wanted::new(&options.requirements) };
        // What survives is looked for in the table as it is released, by code that shares nothing with the matcher.
        let original = verify::Original::new(self.table, self.schema)?;
        let row_of: Vec<Option<usize>> = rows.iter().copied().map(Some).collect();
        let population = options.requirements.iter().find_map(|requirement| match requirement {
            Requirement::KMap(_, population) => {
                Some(Population { table: population, taxonomy: self.knowledge.map(Knowledge::taxonomy) })
            }
            _ => None,
        });
        let mut also: HashMap<u32, BTreeSet<String>> = HashMap::new();
        let mut last = None;
        // Classes whose texts only name types, and those whose texts are withheld.
        let (mut plain, mut silent) = (BTreeSet::new(), BTreeSet::new());
        // Texts in which a value survives: the row, and the place of the column among the texts.
        let mut surviving: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut unreplaced: BTreeMap<String, usize> = BTreeMap::new();
        for _ in 0..3 * ROUNDS {
            let writer = Writer {
                prepared: self,
                matcher: &matcher,
                plans: &plans,
                of_person: &of_person,
                silent: &silent,
                surviving: &surviving,
                options,
            };
            let (table, withheld) = writer.write(&partition, &also)?;
            let table = if rows.len() < table.rows() { table.into_rows(&rows) } else { table };
            let mut survivals = original.survivals(&table, &row_of, self.finder.threads())?;
            let before = surviving.len();
            for survival in &survivals {
                if surviving.insert((rows[survival.row], survival.text)) {
                    *unreplaced.entry(original.column(survival.column).to_owned()).or_default() += 1;
                }
            }
            if surviving.len() > before {
                continue;
            }
            let known = (options.identifiers == Identifiers::Remove).then_some(&*persons);
            let mut verification =
                verify::verify_persons(&table, self.schema, self.finder, known, population)?;
            let problems = verification.problems(&wanted);
            if problems.is_empty() {
                let mut measures = self.measured((&partition, &plans), options, rows.len());
                // What merely may survive was compared with the original.
                verification.survivors.retain(|survivor| survivor.is_error);
                measures.withheld = withheld.all;
                measures.unsupported = withheld.unsupported;
                measures.unreplaced = unreplaced;
                if let Some(population) = &verification.population {
                    measures.risk.journalist = population.risk();
                }
                let (table, places) = self.ordered(table, &persons, options);
                verification.reorder(&places);
                let mut moved = vec![0; places.len()];
                places.iter().enumerate().for_each(|(place, former)| moved[*former] = place);
                for survival in &mut survivals {
                    survival.row = moved[survival.row];
                }
                verification.original = Some(original.report(&survivals, &[]));
                let origins = places.into_iter().map(|place| rows[place]).collect();
                return Ok(ProtectedTable { table, measures, verification, origins });
            }
            // What some of a class still say and others do not is masked too.
            let before: usize = also.values().map(BTreeSet::len).sum();
            for (row, said) in verification.offenders(&wanted) {
                also.entry(persons[row]).or_default().insert(said);
            }
            let masked: usize = also.values().map(BTreeSet::len).sum();
            last = Some(problems);
            if masked > before {
                continue;
            }
            // Detectors read a text otherwise once words around them changed: its class then tells less.
            let mut less = false;
            for row in verification.too_few(&wanted) {
                let class = of_person[persons[row] as usize];
                if plain.insert(class) {
                    plans[class as usize].terms = TermPlan::default();
                    less = true;
                } else {
                    less |= silent.insert(class);
                }
            }
            if !less {
                break;
            }
        }
        let problems = last.unwrap_or_default();
        Err(Error::new(
            ErrorKind::Violation,
            format!(
                "the anonymized table would not satisfy the privacy model: {}; nothing was released",
                problems.join("; ")
            ),
        )
        .with_hint("relax the requirement, or check the named columns and texts"))
    }
}

impl PreparedTable<'_> {
    /// Refuses to keep identifiers that are no fingerprints of extracted documents.
    fn check_identifiers(&self, options: &TableOptions) -> Result<(), Error> {
        if options.identifiers != Identifiers::Keep {
            return Ok(());
        }
        let identifier = self.schema.of_role(Role::Identifier).next();
        let column = identifier.and_then(|rule| self.table.column(&rule.name));
        let kept = column.is_none_or(|column| column.distinct().iter().all(|id| map::is_fingerprint(id)));
        if self.schema.is_extracted() && kept {
            return Ok(());
        }
        Err(error("the identifiers are not fingerprints of a table that `reticent extract` made, so they cannot be kept")
            .with_hint("extract the table again, or replace them with --identifiers pseudonym"))
    }
}

/// The texts of a table with the persons whose they are.
fn own_texts<'t>(table: &'t Table, people: &People, texts: &[(usize, Vec<Mentions>)]) -> Vec<(u32, &'t str)> {
    let of = |(place, _): &(usize, Vec<Mentions>)| {
        let column = &table.columns()[*place];
        (0..column.len())
            .filter_map(|row| Some((people.rows.of_row[row], column.get(row)?)))
            .collect::<Vec<_>>()
    };
    texts.iter().flat_map(of).collect()
}

/// What stands for a text that is not told at all.
pub(super) const WITHHELD: &str = "[TEXT]";

/// What becomes of a text.
enum Written {
    AsItWas,
    Changed(String),
    Withheld,
    /// Withheld because its language has no tools.
    Unsupported,
}

/// How many texts of each column are withheld whole, and how many of those for their language.
#[derive(Default)]
struct Withheld {
    all: BTreeMap<String, usize>,
    unsupported: BTreeMap<String, usize>,
}

/// Writes the released table.
struct Writer<'p> {
    prepared: &'p PreparedTable<'p>,
    matcher: &'p Matcher<'p>,
    plans: &'p [ClassPlan],
    of_person: &'p [u32],
    silent: &'p BTreeSet<u32>,
    surviving: &'p BTreeSet<(usize, usize)>,
    options: &'p TableOptions,
}

impl Writer<'_> {
    /// The table, and how many texts of each column are withheld whole.
    fn write(
        &self,
        partition: &Partition,
        also: &HashMap<u32, BTreeSet<String>>,
    ) -> Result<(Table, Withheld), Error> {
        let (table, schema, people) = (self.prepared.table, self.prepared.schema, &self.prepared.people);
        let mut columns: Vec<Column> = Vec::new();
        let mut withheld = Withheld::default();
        let person = schema.of_role(Role::Identifier).next().map(|rule| rule.name.as_str());
        for (place, column) in table.columns().iter().enumerate() {
            let role = schema.column(column.name()).map_or(Role::Identifier, |rule| rule.role);
            match role {
                Role::Identifier if person == Some(column.name()) => match self.options.identifiers {
                    Identifiers::Pseudonym => columns.push(self.numbers(column.name(), partition)),
                    Identifiers::Keep => columns.push(column.clone()),
                    Identifiers::Remove => {}
                },
                Role::Identifier | Role::Remove => {}
                Role::Sensitive | Role::Insensitive => columns.push(column.clone()),
                Role::QuasiIdentifier => {
                    let at = people.attributes.iter().position(|attribute| attribute.column == place);
                    columns.extend(at.map(|at| self.recoded(column.name(), at)));
                }
                Role::Text => {
                    let (texts, all, unsupported) = self.texts(place, also)?;
                    columns.push(texts);
                    withheld.all.insert(column.name().to_owned(), all);
                    if unsupported > 0 {
                        withheld.unsupported.insert(column.name().to_owned(), unsupported);
                    }
                }
            }
        }
        let table = Table::new(columns).ok_or_else(|| error("the anonymized table is inconsistent"))?;
        Ok((table, withheld))
    }

    /// A number for each person, which tells nothing of who they were: in the order of the classes.
    fn numbers(&self, name: &str, partition: &Partition) -> Column {
        let people = &self.prepared.people;
        let mut number: Vec<usize> = (1..=people.count()).collect();
        if self.options.wording == Wording::Plain {
            let mut next = 1;
            for class in partition.classes() {
                let mut class = class.to_vec();
                class.sort_unstable();
                for person in class {
                    number[person as usize] = next;
                    next += 1;
                }
            }
        }
        let mut column = ColumnBuilder::new(name);
        people.rows.of_row.iter().for_each(|person| column.push(Some(&number[*person as usize].to_string())));
        column.finish()
    }

    fn recoded(&self, name: &str, attribute: usize) -> Column {
        let bars = self.prepared.schema.is_extracted();
        let cells = self.plans.iter().map(|plan| {
            let value = &plan.columns[attribute].value;
            match (value, value.cell(self.options.wording)) {
                // A bar parts the values of a cell.
                (Recoded::Same(text), _) if bars => Some(cell::join([text.as_str()])),
                (Recoded::Among(_) | Recoded::Range(..), Some(said)) if bars => {
                    Some(cell::join([said.as_str()]))
                }
                (_, said) => said,
            }
        });
        let cells: Vec<Option<String>> = cells.collect();
        let mut column = ColumnBuilder::new(name);
        for person in &self.prepared.people.rows.of_row {
            column.push(cells[self.of_person[*person as usize] as usize].as_deref());
        }
        column.finish()
    }

    /// A column of texts, how many of them are withheld whole, and of those how many for their language.
    fn texts(
        &self,
        place: usize,
        also: &HashMap<u32, BTreeSet<String>>,
    ) -> Result<(Column, usize, usize), Error> {
        let prepared = self.prepared;
        let column = &prepared.table.columns()[place];
        let said = prepared.texts.iter().find(|(at, _)| *at == place).map(|(_, said)| said);
        let said = said.ok_or_else(|| error("a text column was not searched"))?;
        let texts = prepared.schema.of_role(Role::Text);
        let order = texts.enumerate().find(|(_, rule)| rule.name == column.name()).map_or(0, |(at, _)| at);
        let rows: Vec<usize> = (0..column.len()).collect();
        let written = in_order(&rows, prepared.finder.threads(), |row| {
            let (Some(code), Some(text)) = (column.code(*row), column.get(*row)) else { return Ok(None) };
            let person = prepared.people.rows.of_row[*row];
            let said = &said[code as usize];
            if said.language == Language::Other && !self.options.unsupported_languages {
                return Ok(Some(Written::Unsupported));
            }
            if self.surviving.contains(&(*row, order)) {
                return Ok(Some(Written::Withheld));
            }
            self.text(text, said, person, also.get(&person)).map(Some)
        })?;
        let (mut out, mut withheld, mut unsupported) = (ColumnBuilder::new(column.name()), 0, 0);
        for (row, written) in written.into_iter().enumerate() {
            match written {
                None => out.push(None),
                Some(Written::AsItWas) => out.push(column.get(row)),
                Some(Written::Changed(text)) => out.push(Some(&text)),
                Some(own @ (Written::Withheld | Written::Unsupported)) => {
                    withheld += 1;
                    unsupported += usize::from(matches!(own, Written::Unsupported));
                    out.push(Some(WITHHELD));
                }
            }
        }
        Ok((out.finish(), withheld, unsupported))
    }

    /// What a person's text becomes.
    fn text(
        &self,
        text: &str,
        mentions: &Mentions,
        person: u32,
        also: Option<&BTreeSet<String>>,
    ) -> Result<Written, Error> {
        let class = self.of_person[person as usize];
        if self.silent.contains(&class) {
            return Ok(Written::Withheld);
        }
        let plan = &self.plans[class as usize];
        let mut places = self.matcher.places(text, mentions, person);
        let mut hidden: Vec<(Span, EntityType)> = Vec::new();
        if let Some(also) = also {
            let forms = also.iter().map(|words| Form { words, exact: false });
            let kind = |span: Span| {
                let first = places.partition_point(|(place, _)| place.end <= span.start);
                let of = places.get(first).filter(|(place, _)| place.overlaps(span));
                let of = of.and_then(|(_, place)| match place {
                    Place::Term(term) => Some(self.prepared.vocabulary[*term as usize].kind.clone()),
                    Place::Column(column, how) => self.matcher.kind(*column, *how),
                    Place::Identifier(at) => Some(self.matcher.identifier(*at).clone()),
                });
                of.unwrap_or(EntityType::NAME)
            };
            let found = Surfaces::new(forms).find(text);
            // What goes takes the whole of a value or a term that it is a part of: no other part of it may stay.
            let whole = |span: Span| {
                let first = places.partition_point(|(place, _)| place.end <= span.start);
                let touched = places[first..].iter().take_while(|(place, _)| place.start < span.end);
                touched.fold(span, |whole, (place, _)| whole.join(*place))
            };
            hidden.extend(found.into_iter().map(|(_, span)| (whole(span), kind(span))));
            hidden.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        }
        let mut taken = super::text::Taken::default();
        hidden.retain(|(span, _)| taken.take(*span));
        places.retain(|(span, _)| !taken.overlaps(*span));
        let stays = plan.terms.stays(&self.prepared.vocabulary);
        let mut kept: Vec<Span> = Vec::new();
        let mut changes: BTreeMap<Span, Change> = BTreeMap::new();
        for (span, place) in &places {
            match self.say(text, *span, *place, mentions.language, plan) {
                Some(mut change) => {
                    // A rung that others of the class say in other words: `educators`, not `educator`.
                    if let Place::Term(term) = place
                        && also.is_some_and(|also| also.contains(&folded(&change.said)))
                    {
                        change.said = self.type_word(&self.prepared.vocabulary[*term as usize].kind);
                    }
                    // Of an age only the number changes.
                    if change.span != *span {
                        kept.push(*span);
                    }
                    changes.insert(change.span, change);
                }
                None => kept.push(*span),
            }
        }
        for _ in 0..ROUNDS {
            for (span, kind) in hidden.drain(..) {
                let change = Change { span, said: self.type_word(&kind), exact: false };
                // Changes do not overlap: those that this one touches are neighbours.
                let end = Span::new(span.end, span.end);
                let touched = changes.range(..end).rev().take_while(|(other, _)| other.end > span.start);
                let touched: Vec<Span> =
                    touched.map(|(other, _)| *other).filter(|other| other.overlaps(span)).collect();
                for other in touched {
                    changes.remove(&other);
                }
                changes.insert(span, change);
            }
            if changes.is_empty() {
                return Ok(Written::AsItWas);
            }
            let ordered: Vec<Change> = std::mem::take(&mut changes).into_values().collect();
            let new = rewrite(text, &ordered, mentions.language);
            changes = ordered.into_iter().map(|change| (change.span, change)).collect();
            hidden = self.leftovers(text, &new, &kept, &stays)?;
            if hidden.is_empty() {
                return Ok(Written::Changed(new.text));
            }
        }
        // Something is found in it however often it is changed: it is not told at all.
        Ok(Written::Withheld)
    }

    /// What the detectors find in a changed text that is neither ours nor may stay, as spans of the original.
    fn leftovers(
        &self,
        text: &str,
        new: &Rewritten,
        kept: &[Span],
        stays: &BTreeSet<String>,
    ) -> Result<Vec<(Span, EntityType)>, Error> {
        let mut left = Vec::new();
        for found in &self.prepared.finder.find(&new.text)?.found {
            let value = folded(&found.value);
            if self.prepared.common.has(found, &new.text)
                || stays.contains(&value)
                || stays.contains(&folded(found.span.of(&new.text)))
            {
                continue;
            }
            let pieces = new.original(found.span);
            let whole = pieces.iter().map(|piece| piece.len()).sum::<usize>() == found.span.len();
            for span in pieces {
                let first = kept.partition_point(|kept| kept.end <= span.start);
                let is_kept = kept.get(first).is_some_and(|kept| kept.overlaps(span));
                let bare = trimmed(text, span);
                // Beside our words a detector takes in what is no name: `My [PERSON]`.
                if !is_kept && !bare.is_empty() && (whole || tells(bare.of(text))) {
                    left.push((bare, found.kind.clone()));
                }
            }
        }
        left.dedup_by(|a, b| a.0.overlaps(b.0));
        Ok(left)
    }

    /// What is written instead of a term; nothing if it stays.
    fn say(
        &self,
        text: &str,
        span: Span,
        place: Place,
        language: Language,
        plan: &ClassPlan,
    ) -> Option<Change> {
        let people = &self.prepared.people;
        match place {
            Place::Identifier(at) => {
                let said = self.type_word(self.matcher.identifier(at));
                Some(Change { span, said, exact: false })
            }
            Place::Term(term) => {
                let kind = &self.prepared.vocabulary[term as usize].kind;
                match plan.terms.said(term) {
                    Said::Kept => None,
                    Said::Rung(rung, _) => {
                        let plural = span.of(text).ends_with('s')
                            && rung.starts_with(char::is_lowercase)
                            && *kind == EntityType::JOB_TITLE
                            && !self.prepared.vocabulary[term as usize].value.ends_with("ss");
                        let said = if plural { mask::plural(rung) } else { rung.clone() };
                        Some(Change { span, said, exact: false })
                    }
                    Said::Type => Some(Change { span, said: self.type_word(kind), exact: false }),
                }
            }
            Place::Column(at, how) => {
                let (attribute, coded) = (&people.attributes[at], &plan.columns[at]);
                let said = SaidValue { text, span, how, language };
                in_text(said, attribute, coded, self.matcher.kind(at, how).as_ref(), self.options.wording)
            }
        }
    }

    fn type_word(&self, kind: &EntityType) -> String {
        match (self.options.wording, kind.as_str()) {
            (Wording::Plain, _) => mask::label(kind),
            (Wording::Paper, "JOB_TITLE") => "job".to_owned(),
            (Wording::Paper, "DATE_TIME" | "DURATION") => "date".to_owned(),
            (Wording::Paper, _) => kind.words(),
        }
    }
}

/// Whether words next to ours say something by themselves: a number, or a name.
fn tells(text: &str) -> bool {
    words(text).any(|word| {
        let word = word.of(text);
        let name = word.starts_with(char::is_uppercase) && !is_ordinary(word, Language::English);
        name || word.contains(char::is_numeric)
    })
}

/// A span without what is no letter and no digit at its ends.
fn trimmed(text: &str, span: Span) -> Span {
    let words = span.of(text);
    let is_sign = |c: char| !c.is_alphanumeric();
    let start = words.len() - words.trim_start_matches(is_sign).len();
    let end = words.trim_end_matches(is_sign).len().max(start);
    Span::new(span.start + start, span.start + end)
}
