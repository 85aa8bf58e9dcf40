//! What the commands on tables have in common: the schema, what looks at texts, and what is asked of classes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reticent::Knowledge;
use reticent::table::{
    Cut, Diversity, Finder, Identifiers, Parameters, Partitioning, Requirement, Role, Schema, Strategy,
    Table, TableOptions, Wording,
};

use super::load::{self, ReadArgs};
use crate::failure::Failure;
use crate::runner;

/// What texts are searched by.
#[derive(Args, Debug, Clone)]
pub(crate) struct SearchArgs {
    /// What the columns are: `reticent table schema` writes one, to be edited
    #[arg(short, long, value_name = "FILE", default_value = "reticent-table.toml")]
    pub(crate) schema: PathBuf,
    /// A policy whose detectors search the texts instead of those that tables use; what it keeps is no term
    #[arg(short, long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// A labeller of your own that looks too, from `train labeller` (may be given several times)
    #[arg(short = 'm', long, value_name = "FILE")]
    labeller: Vec<PathBuf>,
    /// How many threads; one for each core if not given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl SearchArgs {
    /// What finds terms in texts.
    pub(crate) fn finder(&self, schema: &Schema) -> Result<Finder, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = self.jobs.map_or(cores, usize::from);
        let labellers = self.labeller.iter().map(|path| runner::labeller(path));
        let labellers = labellers.collect::<Result<Vec<_>, _>>()?;
        let policy = self.policy.as_deref().map(runner::policy_file).transpose()?;
        Ok(Finder::new(schema, policy, labellers, threads)?)
    }
}

/// What knows how things generalize.
#[derive(Args, Debug, Clone)]
pub(crate) struct KnowArgs {
    /// A taxonomy of your own, from `taxonomy import`, asked before those that ship (may be given several times)
    #[arg(long, value_name = "FILE")]
    taxonomy: Vec<PathBuf>,
    /// Do not generalize what texts say: keep it if a whole class says it, else tell its type, as the paper does
    #[arg(long)]
    no_taxonomy: bool,
}

impl KnowArgs {
    pub(crate) fn knowledge(&self) -> Result<Option<Knowledge>, Failure> {
        if self.no_taxonomy {
            return Ok(None);
        }
        runner::knowledge(&self.taxonomy).map(Some)
    }
}

/// What is asked of every class.
#[derive(Args, Debug, Clone)]
pub(crate) struct ModelArgs {
    /// How many persons a class has at least
    #[arg(short, long, value_name = "K")]
    pub(crate) k: Option<usize>,
    /// How many different values each sensitive column has in a class at least
    #[arg(short, long, value_name = "L")]
    l: Option<f64>,
    /// How these are counted
    #[arg(long, value_enum, value_name = "HOW", requires = "l")]
    diversity: Option<DiversityName>,
    /// How far the sensitive values of a class may be from those of all, between 0 and 1
    #[arg(short, long, value_name = "T")]
    t: Option<f64>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum DiversityName {
    Distinct,
    Entropy,
}

impl ModelArgs {
    /// On top of what the schema says.
    pub(crate) fn over(&self, base: Parameters) -> Result<Parameters, Failure> {
        let diversity = self.diversity.map(|name| match name {
            DiversityName::Distinct => Diversity::Distinct,
            DiversityName::Entropy => Diversity::Entropy,
        });
        let own = Parameters { k: self.k, l: self.l, diversity, t: self.t, ..Parameters::default() };
        let parameters = own.over(base);
        parameters.check()?;
        Ok(parameters)
    }
}

/// What these parameters ask of every class.
pub(crate) fn requirements(parameters: &Parameters, schema: &Schema) -> Result<Vec<Requirement>, Failure> {
    let mut asked: Vec<Requirement> = parameters.k.map(Requirement::KAnonymity).into_iter().collect();
    let sensitive: Vec<&str> = schema.of_role(Role::Sensitive).map(|rule| rule.name.as_str()).collect();
    if sensitive.is_empty() && (parameters.l.is_some() || parameters.t.is_some()) {
        return Err(Failure::new("the schema has no sensitive column, and l and t are about those")
            .hint("give a column `role = \"sensitive\"`, or leave -l and -t away"));
    }
    for column in sensitive {
        if let Some(l) = parameters.l {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            asked.push(match parameters.diversity.unwrap_or_default() {
                Diversity::Distinct => Requirement::DistinctDiversity(column.to_owned(), l.ceil() as usize),
                Diversity::Entropy => Requirement::EntropyDiversity(column.to_owned(), l),
            });
        }
        asked.extend(parameters.t.map(|t| Requirement::TCloseness(column.to_owned(), t)));
    }
    Ok(asked)
}

/// How classes are made and written.
#[derive(Args, Debug, Clone)]
pub(crate) struct WriteArgs {
    /// How much columns count beside texts when a class is cut in two: 1 only columns, 0 only texts
    #[arg(long, value_name = "SHARE")]
    lambda: Option<f64>,
    /// How classes are found
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Option<MethodName>,
    /// Let persons with the same value come into different classes, so that halves are halves
    #[arg(long)]
    relaxed: bool,
    /// What becomes of the column that identifies persons; pseudonyms if neither this nor the schema says
    #[arg(long, value_enum, value_name = "WHAT")]
    identifiers: Option<IdentifiersName>,
    /// How generalized values are written
    #[arg(long, value_enum, value_name = "HOW")]
    wording: Option<WordingName>,
    /// A table of the population, with the same quasi-identifiers: every class must fit at least --k-map persons of it
    #[arg(long, value_name = "FILE", requires = "k_map")]
    population: Option<PathBuf>,
    /// How many persons of the population a class must fit at least
    #[arg(long, value_name = "K", requires = "population")]
    k_map: Option<usize>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum MethodName {
    Mondrian,
    Gdf,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum IdentifiersName {
    Remove,
    Pseudonym,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum WordingName {
    Plain,
    Paper,
}

impl WriteArgs {
    pub(crate) fn options(
        &self,
        parameters: &Parameters,
        schema: &Schema,
        read: &ReadArgs,
    ) -> Result<TableOptions, Failure> {
        let own = Parameters {
            lambda: self.lambda,
            method: self.method.map(|name| match name {
                MethodName::Mondrian => Partitioning::Mondrian,
                MethodName::Gdf => Partitioning::Gdf,
            }),
            cut: self.relaxed.then_some(Cut::Relaxed),
            identifiers: self.identifiers.map(|name| match name {
                IdentifiersName::Remove => Identifiers::Remove,
                IdentifiersName::Pseudonym => Identifiers::Pseudonym,
            }),
            wording: self.wording.map(|name| match name {
                WordingName::Plain => Wording::Plain,
                WordingName::Paper => Wording::Paper,
            }),
            ..Parameters::default()
        };
        let parameters = own.over(*parameters);
        parameters.check()?;
        let mut requirements = requirements(&parameters, schema)?;
        if let (Some(path), Some(k)) = (&self.population, self.k_map) {
            let (population, _): (Table, _) = load::table(path, read, schema.missing())?;
            requirements.push(Requirement::KMap(k, population));
        }
        if requirements.is_empty() {
            return Err(Failure::new("it is not said how many persons a class must have")
                .hint("give --k 5, or `k = 5` below `[protect]` in the schema"));
        }
        let relaxed = parameters.cut.unwrap_or_default() == Cut::Relaxed;
        Ok(TableOptions {
            requirements,
            strategy: match parameters.method.unwrap_or_default() {
                Partitioning::Mondrian => {
                    Strategy::Mondrian { lambda: parameters.lambda.unwrap_or(0.5), relaxed }
                }
                Partitioning::Gdf => Strategy::Gdf,
            },
            wording: parameters.wording.unwrap_or_default(),
            identifiers: parameters.identifiers.unwrap_or(Identifiers::Pseudonym),
        })
    }
}
