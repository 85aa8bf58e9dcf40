//! Measures: what protecting a table loses, what its classes are like, and what an attacker's chances are.

mod page;
mod sweep;

use std::collections::BTreeMap;

use serde::Serialize;

pub use sweep::{Sweep, SweepPoint, SweepSettings};

use super::Dependence;
use super::counted;
use super::partition::{Dimension, Partition, Strategy};
use super::person::{Attribute, People};
use super::protect::{ClassPlan, PreparedTable};
use super::recode::Said;

/// The information loss and the risk of an anonymized table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// A description of the partitioning.
    pub strategy: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of persons.
    pub persons: usize,
    /// The number and sizes of classes.
    pub classes: Classes,
    /// The information loss.
    pub loss: Loss,
    /// The number of cuts by columns and by texts.
    pub cuts: CutCounts,
    /// The treatment of terms in texts.
    pub terms: TermCounts,
    /// For each column of texts, how many are withheld whole; nothing before they are written.
    pub withheld: BTreeMap<String, usize>,
    /// Of those, how many for their language, which has no tools.
    pub unsupported: BTreeMap<String, usize>,
    /// Of those, how many because a value of a column could not be replaced in them.
    pub unreplaced: BTreeMap<String, usize>,
    /// The re-identification risk.
    pub risk: Risk,
    /// What the number of rows of a person tells.
    pub rows_per_person: RowCounts,
    /// Columns that are released unchanged and reveal generalized ones.
    pub dependences: Vec<Dependence>,
    /// For each column, of how many persons a value could not be read as the column's kind: it is suppressed.
    pub unread: BTreeMap<String, usize>,
}

/// What the number of rows of a person tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowCounts {
    /// The most rows of a person.
    pub most: usize,
    /// `true` if the number is a quasi-identifier, so that all of a class have the same.
    pub is_protected: bool,
    /// The persons whose number of rows fewer than k of their class have.
    pub singled_out: usize,
    /// The rows that are not released, so that all of a class have the same number.
    pub withheld: usize,
}

impl RowCounts {
    pub(crate) fn new(people: &People, partition: &Partition, k: usize) -> Self {
        let count = |person: u32| people.rows.of(person as usize).len();
        let most = (0..people.count()).map(|person| people.rows.of(person).len()).max().unwrap_or(0);
        let mut counts = Self { most, ..Self::default() };
        counts.is_protected = people.attributes.iter().any(Attribute::is_count);
        if counts.is_protected || most < 2 {
            return counts;
        }
        let mut with: BTreeMap<usize, usize> = BTreeMap::new();
        for class in partition.classes() {
            with.clear();
            for person in class {
                *with.entry(count(*person)).or_default() += 1;
            }
            counts.singled_out += with.values().filter(|persons| **persons < k).sum::<usize>();
        }
        counts
    }
}

/// The number and sizes of equivalence classes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Classes {
    /// The number of classes.
    pub count: usize,
    /// Persons in the smallest.
    pub smallest: usize,
    /// Persons in the largest.
    pub largest: usize,
    /// Persons in a class, on average.
    pub average: f64,
    /// The discernibility metric: the sum of the squares of the sizes.
    pub discernibility: u64,
}

/// The normalized certainty penalty (NCP): 0 if nothing changed, 1 if everything is lost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Loss {
    /// Columns and texts together, each counting the same.
    pub total: f64,
    /// Of the quasi-identifiers; nothing if there is none.
    pub columns: Option<f64>,
    /// The loss of text terms, over the persons with terms in their texts; `None` if there are none.
    pub texts: Option<f64>,
    /// Of each quasi-identifier.
    pub by_column: BTreeMap<String, f64>,
    /// Of each type of term, over the persons whose texts have one.
    pub by_type: BTreeMap<String, f64>,
}

/// The number of cuts by kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CutCounts {
    /// By columns.
    pub columns: usize,
    /// The number of cuts by text terms.
    pub texts: usize,
    /// By each column, and by each type of term.
    pub by: BTreeMap<String, usize>,
}

/// The treatment of terms, counted once for each person.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TermCounts {
    /// The number of terms kept.
    pub kept: usize,
    /// The number of terms generalized.
    pub generalized: usize,
    /// The number of terms replaced by their type.
    pub suppressed: usize,
}

/// The re-identification risk for an attacker who knows all quasi-identifiers of a person and the terms of their
/// texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Risk {
    /// Of an attacker who knows that their target is in the table: for the person who is worst off.
    pub prosecutor: f64,
    /// Of an attacker who does not know: one of those of the population whom the class fits. Without a population the same
    /// as the prosecutor's, since the table is all that is known.
    pub journalist: f64,
    /// Of an attacker who wants as many as possible: the expected share of persons found.
    pub marketer: f64,
}

impl Measures {
    pub(crate) fn new(
        prepared: &PreparedTable<'_>,
        partition: &Partition,
        plans: &[ClassPlan],
        strategy: Strategy,
    ) -> Self {
        let people = &prepared.people;
        let sizes: Vec<usize> = partition.classes().map(<[u32]>::len).collect();
        let (smallest, largest) =
            (sizes.iter().min().copied().unwrap_or(0), sizes.iter().max().copied().unwrap_or(0));
        let persons = people.count().max(1) as f64;
        let risk = if smallest > 0 { 1.0 / smallest as f64 } else { 0.0 };
        let (loss, terms) = loss(prepared, partition, plans);
        let kinds = prepared.kinds();
        let mut cuts = CutCounts::default();
        for (by, count) in &partition.cuts {
            let name = match by {
                Dimension::Column(at) => {
                    cuts.columns += count;
                    people.attributes[*at].rule.name.clone()
                }
                Dimension::Terms(at) => {
                    cuts.texts += count;
                    kinds[*at].to_string()
                }
            };
            *cuts.by.entry(name).or_default() += count;
        }
        Self {
            strategy: name(strategy),
            rows: people.rows.of_row.len(),
            persons: people.count(),
            classes: Classes {
                count: sizes.len(),
                smallest,
                largest,
                average: people.count() as f64 / sizes.len().max(1) as f64,
                discernibility: sizes.iter().map(|size| (*size as u64).pow(2)).sum(),
            },
            loss,
            cuts,
            terms,
            withheld: BTreeMap::new(),
            unsupported: BTreeMap::new(),
            unreplaced: BTreeMap::new(),
            risk: Risk { prosecutor: risk, journalist: risk, marketer: sizes.len() as f64 / persons },
            rows_per_person: RowCounts::default(),
            dependences: Vec::new(),
            unread: BTreeMap::new(),
        }
    }

    /// As a table to be read.
    pub fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut out = String::new();
        let some = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{share:.4}"));
        let Classes { count, smallest, largest, average, discernibility } = &self.classes;
        let _ = writeln!(out, "{} persons in {} rows, {}", self.persons, self.rows, self.strategy);
        let _ = writeln!(
            out,
            "classes          {count}, of {smallest} to {largest} persons, {average:.2} on average"
        );
        let _ = writeln!(out, "discernibility   {discernibility}");
        let _ = writeln!(
            out,
            "loss (NCP)       {:.4}: columns {}, texts {}",
            self.loss.total,
            some(self.loss.columns),
            some(self.loss.texts)
        );
        for (name, loss) in self.loss.by_column.iter().chain(&self.loss.by_type) {
            let _ = writeln!(out, "  {name:<20} {loss:.4}");
        }
        let _ =
            writeln!(out, "cuts             {} by columns, {} by texts", self.cuts.columns, self.cuts.texts);
        let TermCounts { kept, generalized, suppressed } = &self.terms;
        let _ = writeln!(
            out,
            "text terms       {kept} kept, {generalized} generalized, {suppressed} replaced by type"
        );
        for (column, count) in &self.withheld {
            let language = self
                .unsupported
                .get(column)
                .map_or_else(String::new, |own| format!(", {own} of them in a language without tools"));
            let _ = writeln!(out, "texts withheld   {count} in `{column}`{language}");
        }
        for (column, count) in &self.unreplaced {
            let _ =
                writeln!(out, "                 {count} because a value of `{column}` could not be replaced");
        }
        let Risk { prosecutor, journalist, marketer } = &self.risk;
        let _ = writeln!(
            out,
            "risk             prosecutor {prosecutor:.4}, journalist {journalist:.4}, marketer {marketer:.4}"
        );
        for remark in self.remarks() {
            let _ = writeln!(out, "note             {remark}");
        }
        out
    }

    /// What the reader must know besides the figures, in words.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let rows = &self.rows_per_person;
        if rows.singled_out > 0 {
            remarks.push(format!(
                "{} can be singled out in their class by whoever knows how many rows they have (--rows-per-person)",
                counted(rows.singled_out, "person", "persons")
            ));
        }
        if rows.withheld > 0 {
            remarks.push(format!(
                "{} not released, so that all of a class have as many",
                counted(rows.withheld, "row is", "rows are")
            ));
        }
        for Dependence { released, reveals, strength, singled_out } in &self.dependences {
            remarks.push(format!(
                "`{released}` is released unchanged and reveals `{reveals}` (strength {strength:.2}): {} can be singled out by it; make `{released}` a quasi-identifier or remove it, or make `{reveals}` sensitive",
                counted(*singled_out, "person", "persons")
            ));
        }
        for (column, count) in &self.unread {
            remarks.push(format!(
                "`{column}`: {} could not be read as the column's kind and are suppressed",
                counted(*count, "person's values", "persons' values")
            ));
        }
        remarks
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// As a page.
    pub fn html(&self) -> String {
        page::of_measures(self)
    }
}

fn name(strategy: Strategy) -> String {
    match strategy {
        Strategy::Mondrian { lambda, relaxed: false } => format!("Mondrian, lambda {lambda}"),
        Strategy::Mondrian { lambda, relaxed: true } => format!("relaxed Mondrian, lambda {lambda}"),
        Strategy::Gdf => "GDF".to_owned(),
    }
}

fn loss(prepared: &PreparedTable<'_>, partition: &Partition, plans: &[ClassPlan]) -> (Loss, TermCounts) {
    let people = &prepared.people;
    let persons = people.count().max(1) as f64;
    let mut by_column = vec![0.0; people.attributes.len()];
    let weights: f64 = people.attributes.iter().map(|attribute| attribute.rule.weight).sum();
    let kinds = prepared.kinds();
    let mut by_type: Vec<(f64, usize)> = vec![(0.0, 0); kinds.len()];
    let (mut texts, mut with_terms, mut total) = (0.0, 0usize, 0.0);
    let mut terms = TermCounts::default();
    let mut of_type: BTreeMap<u16, (f64, usize)> = BTreeMap::new();
    let both = people.terms.vocabulary() > 0;
    for (class, plan) in partition.classes().zip(plans) {
        let mut columns = 0.0;
        for (at, coded) in plan.columns.iter().enumerate() {
            by_column[at] += coded.loss * class.len() as f64;
            columns += coded.loss * people.attributes[at].rule.weight;
        }
        let columns = if weights > 0.0 { columns / weights } else { 0.0 };
        for person in class {
            let own = people.terms.of(*person);
            let mut lost = 0.0;
            of_type.clear();
            for term in own {
                let one = match plan.terms.said(*term) {
                    Said::Kept => {
                        terms.kept += 1;
                        0.0
                    }
                    Said::Rung(_, loss) => {
                        terms.generalized += 1;
                        *loss
                    }
                    Said::Type => {
                        terms.suppressed += 1;
                        1.0
                    }
                };
                lost += one;
                let of_kind = of_type.entry(people.terms.type_of[*term as usize]).or_default();
                *of_kind = (of_kind.0 + one, of_kind.1 + 1);
            }
            for (kind, (lost, count)) in &of_type {
                let all = &mut by_type[usize::from(*kind)];
                *all = (all.0 + lost / *count as f64, all.1 + 1);
            }
            let lost = if own.is_empty() { 0.0 } else { lost / own.len() as f64 };
            if !own.is_empty() {
                texts += lost;
                with_terms += 1;
            }
            total += match (weights > 0.0, both) {
                (true, true) => f64::midpoint(columns, lost),
                (true, false) => columns,
                (false, _) => lost,
            };
        }
    }
    let columns =
        by_column.iter().zip(&people.attributes).map(|(loss, of)| loss * of.rule.weight).sum::<f64>();
    let named = people.attributes.iter().map(|attribute| attribute.rule.name.clone());
    let loss = Loss {
        total: total / persons,
        columns: (weights > 0.0).then(|| columns / weights / persons),
        texts: (with_terms > 0).then(|| texts / with_terms as f64),
        by_column: named.zip(by_column.iter().map(|loss| loss / persons)).collect(),
        by_type: kinds
            .iter()
            .zip(&by_type)
            .filter(|(_, (_, count))| *count > 0)
            .map(|(kind, (lost, count))| (kind.to_string(), lost / *count as f64))
            .collect(),
    };
    (loss, terms)
}
