//! Arguments shared by the table commands: schema, detection in texts, privacy models.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reticent::Knowledge;
use reticent::table::{
    Cut, Diversity, Finder, Identifiers, Parameters, Partitioning, Requirement, Role, RowOrder, Schema,
    Strategy, Table, TableOptions, Wording,
};

use super::load::{self, ReadArgs};
use crate::failure::Failure;
use crate::output;
use crate::runner;

/// The schema, and detection in texts.
#[derive(Args, Debug, Clone)]
pub(crate) struct SearchArgs {
    /// Schema with the role of each column, from `reticent table schema`
    #[arg(short, long, value_name = "FILE", default_value = "reticent-table.toml", help_heading = "Policy")]
    pub(crate) schema: PathBuf,
    /// Policy whose detectors are used in texts instead of the default ones; entity types that it keeps are ignored
    #[arg(short, long, value_name = "FILE", help_heading = "Policy")]
    policy: Option<PathBuf>,
    /// NER model to use in addition, from `reticent train labeller` (repeatable)
    #[arg(short = 'm', long, value_name = "FILE", help_heading = "Models")]
    labeller: Vec<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Performance")]
    jobs: Option<u16>,
}

impl SearchArgs {
    /// The finder of terms in texts.
    pub(crate) fn finder(&self, schema: &Schema) -> Result<Finder, Failure> {
        let threads = self.threads();
        let labellers = self.labeller.iter().map(|path| runner::labeller(path));
        let labellers = labellers.collect::<Result<Vec<_>, _>>()?;
        let policy = self.policy.as_deref().map(runner::policy_file).transpose()?;
        Ok(Finder::new(schema, policy, labellers, threads)?)
    }
}

impl SearchArgs {
    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.map_or(cores, usize::from)
    }
}

/// The taxonomies.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Models")]
pub(crate) struct KnowArgs {
    /// Taxonomy from `reticent taxonomy import`; takes precedence over the built-in ones (repeatable)
    #[arg(long, value_name = "FILE")]
    taxonomy: Vec<PathBuf>,
    /// Do not generalize terms in texts: keep a term if all of its class share it, else replace it with its type, as rx-anon does
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

/// The privacy models.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Privacy models")]
pub(crate) struct ModelArgs {
    /// Treat the number of rows of a person as a quasi-identifier: rows beyond the fewest of a class are not released
    #[arg(long)]
    pub(crate) rows_per_person: bool,
    /// k-anonymity: smallest number of persons in an equivalence class [default: as in the schema]
    #[arg(short, long, value_name = "K")]
    pub(crate) k: Option<usize>,
    /// l-diversity: smallest number of values of each sensitive column in a class
    #[arg(short, long, value_name = "L")]
    l: Option<f64>,
    /// Variant of l-diversity
    #[arg(long, value_enum, value_name = "HOW", requires = "l")]
    diversity: Option<DiversityName>,
    /// t-closeness: largest distance between the distribution of sensitive values in a class and in the table, from 0 to 1
    #[arg(short, long, value_name = "T")]
    t: Option<f64>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum DiversityName {
    Distinct,
    Entropy,
}

impl ModelArgs {
    /// The schema, with the number of rows as a quasi-identifier if that was asked for.
    pub(crate) fn schema(&self, schema: Schema) -> Schema {
        if self.rows_per_person { schema.with_rows_per_person() } else { schema }
    }

    /// These parameters, completed by those of the schema.
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

/// The requirements on every class that the parameters express.
pub(crate) fn requirements(parameters: &Parameters, schema: &Schema) -> Result<Vec<Requirement>, Failure> {
    let mut asked: Vec<Requirement> = parameters.k.map(Requirement::KAnonymity).into_iter().collect();
    let sensitive: Vec<&str> = schema.of_role(Role::Sensitive).map(|rule| rule.name.as_str()).collect();
    if sensitive.is_empty() && (parameters.l.is_some() || parameters.t.is_some()) {
        return Err(Failure::new("-l and -t require a sensitive column, but the schema has none")
            .hint("set `role = \"sensitive\"` for a column, or omit -l and -t"));
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

/// Options for building and writing equivalence classes.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Generalization")]
pub(crate) struct WriteArgs {
    /// Weight of columns against texts when a class is split: 1 for columns only, 0 for texts only [default: as in the schema, else 0.5]
    #[arg(long, value_name = "SHARE")]
    lambda: Option<f64>,
    /// Algorithm for building classes [default: as in the schema, else mondrian]
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Option<MethodName>,
    /// Relaxed partitioning: persons with the same value may be in different classes, for more even splits
    #[arg(long)]
    relaxed: bool,
    /// Treatment of the identifier column [default: as in the schema, else pseudonym; keep for a schema from `reticent extract`]
    #[arg(long, value_enum, value_name = "WHAT")]
    identifiers: Option<IdentifiersName>,
    /// Keep the order of the rows, which may tell who is who [default: sort rows by what is released]
    #[arg(long, visible_alias = "no-shuffle")]
    keep_order: bool,
    /// Notation of generalized values
    #[arg(long, value_enum, value_name = "HOW")]
    wording: Option<WordingName>,
    /// Release texts in languages without tools, which are withheld otherwise: values of columns are replaced in them, and nothing else is examined (exit code 1)
    #[arg(long)]
    pub(crate) keep_unsupported_languages: bool,
    /// Table of the population with the same quasi-identifiers, for --k-map
    #[arg(long, value_name = "FILE", requires = "k_map", help_heading = "Privacy models")]
    population: Option<PathBuf>,
    /// k-map: smallest number of persons in --population that match each class
    #[arg(long, value_name = "K", requires = "population", help_heading = "Privacy models")]
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
    /// Keep the row fingerprints of a table from `reticent extract`
    Keep,
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
                IdentifiersName::Keep => Identifiers::Keep,
            }),
            wording: self.wording.map(|name| match name {
                WordingName::Plain => Wording::Plain,
                WordingName::Paper => Wording::Paper,
            }),
            keep_order: self.keep_order.then_some(true),
            ..Parameters::default()
        };
        let parameters = own.over(*parameters);
        parameters.check()?;
        if parameters.k == Some(1) && !output::is_forced() {
            return Err(Failure::new("k = 1 does not protect anyone: every person may be alone in a class")
                .hint("use -k 2 or more, or pass --force"));
        }
        let mut requirements = requirements(&parameters, schema)?;
        if let (Some(path), Some(k)) = (&self.population, self.k_map) {
            let (population, _): (Table, _) = load::table(path, read, schema.missing())?;
            requirements.push(Requirement::KMap(k, population));
        }
        if requirements.is_empty() {
            return Err(Failure::new("no privacy model is specified")
                .hint("pass -k 5, or set `k = 5` under `[protect]` in the schema"));
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
            identifiers: parameters.identifiers.unwrap_or(if schema.is_extracted() {
                Identifiers::Keep
            } else {
                Identifiers::Pseudonym
            }),
            order: if parameters.keep_order == Some(true) { RowOrder::Kept } else { RowOrder::Sorted },
            unsupported_languages: self.keep_unsupported_languages,
        })
    }
}
