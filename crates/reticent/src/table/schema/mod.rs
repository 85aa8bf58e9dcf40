//! What the columns of a table are: the rules that an owner sets, checked.
//!
//! [`SchemaFile`] is what the TOML says; [`Schema`] is what was found valid. Only the second is accepted by
//! anything that acts, and [`Schema::check`] holds a table against it.

mod check;
mod extracted;
mod file;
mod levels;
mod names;
mod parameters;
mod propose;
mod rx_anon;
mod validate;
pub(crate) mod value;

use std::borrow::Cow;

use serde::Deserialize;

pub use file::{ColumnFile, HierarchyFile, KindName, SchemaFile};
pub use parameters::{Cut, Diversity, Identifiers, Parameters, Partitioning, Wording};
pub use propose::{Confidence, Proposal, Proposed};

use crate::policy::DenyFile;
use crate::{EntityType, Error, ErrorKind};

/// The role of a column in the terms of statistical disclosure control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names one person: rows with the same value are one person. Never released.
    Identifier,
    /// Leads to a person together with others: generalized until enough people share it.
    #[serde(alias = "quasi_identifier")]
    QuasiIdentifier,
    /// A sensitive attribute, which must not be linked to a person.
    #[serde(alias = "confidential")]
    Sensitive,
    /// Free text, which is searched for terms about people.
    Text,
    /// Tells nothing about a person: released as it is.
    Insensitive,
    /// Left out of the release, and searched for in texts like an identifier: what another column says anyway.
    Remove,
}

/// The kind of a column's values.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Dates.
    Date {
        /// How they are written, as `strftime` says it (`%d,%B,%Y`); nothing means ISO 8601.
        format: Option<String>,
    },
    /// Words without an order.
    Category,
    /// Words with an order, lowest first.
    Ordered(Vec<String>),
}

/// The generalization hierarchy of a column. Numbers use ranges and dates the calendar by default.
#[derive(Clone, Debug, PartialEq)]
pub enum Hierarchy {
    /// Each value with what is above it, most specific first: a column of values, then one for each level.
    Levels(Vec<Vec<String>>),
    /// Ranges of these widths, the narrowest first.
    Intervals(Vec<f64>),
    /// The taxonomies that the program was given, and those that ship.
    Taxonomy,
    /// Beginnings of these lengths, the longest first: `8908*`, `89***`.
    Prefix(Vec<usize>),
    /// Steps of the calendar, the narrowest first.
    Calendar(Vec<Step>),
}

/// A step of the calendar, to which a date is generalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// `2004-05`.
    Month,
    /// `2004-Q2`.
    Quarter,
    /// `2004`.
    Year,
    /// `2000s`.
    Decade,
}

/// One column's rule.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRule {
    /// Its name in the table.
    pub name: String,
    /// The role of the column.
    pub role: Role,
    /// The kind of its values.
    pub kind: Kind,
    /// The generalization hierarchy.
    pub hierarchy: Option<Hierarchy>,
    /// The types of entities in texts that may contain this column's value.
    pub entities: Vec<EntityType>,
    /// The weight of the attribute; 1 by default.
    pub weight: f64,
    /// Whether texts are searched for the column's values; `true` by default.
    pub in_texts: bool,
}

/// The rules of all columns: valid by construction, in the order of the file.
///
/// ```
/// use reticent::table::{Kind, Role, Schema};
/// let schema = Schema::from_toml(
///     r#"
///     missing = ["?"]
///     columns = [
///       { name = "id", role = "identifier" },
///       { name = "age", role = "quasi-identifier", kind = "number", entities = ["AGE"] },
///       { name = "text", role = "text" },
///     ]
///     [protect]
///     k = 5
///     "#,
/// )?;
/// assert_eq!(schema.column("age").map(|rule| &rule.kind), Some(&Kind::Number));
/// assert_eq!(schema.of_role(Role::Text).count(), 1);
/// assert_eq!(schema.parameters().k, Some(5));
/// let twice = "columns = [{ name = 'id', role = 'identifier' }, { name = 'id', role = 'quasi-identifier' }]";
/// assert_eq!(
///     Schema::from_toml(twice).unwrap_err().to_string(),
///     "the column `id` is an identifier and a quasi-identifier at once"
/// );
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    columns: Vec<ColumnRule>,
    missing: Vec<String>,
    separator: Option<String>,
    only: Vec<EntityType>,
    terms: Vec<DenyFile>,
    parameters: Parameters,
}

impl Schema {
    /// A schema of these rules and nothing else.
    pub fn new(columns: Vec<ColumnRule>) -> Result<Self, Error> {
        let schema = Self {
            columns,
            missing: Vec::new(),
            separator: None,
            only: Vec::new(),
            terms: Vec::new(),
            parameters: Parameters::default(),
        };
        validate::rules(schema, &[])
    }

    /// Reads `reticent-table.toml`, or the schema that `reticent extract` writes. Files that it names are refused.
    pub fn from_toml(toml: &str) -> Result<Self, Error> {
        Self::from_toml_with(toml, |_| {
            Err(Error::new(ErrorKind::Schema, "the schema refers to a file, which cannot be opened here"))
        })
    }

    /// The same; `open` reads a file that the schema names, such as the levels of a hierarchy.
    pub fn from_toml_with(
        toml: &str,
        open: impl FnMut(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<Self, Error> {
        if let Some(schema) = extracted::read(toml)? {
            return Ok(schema);
        }
        validate::check(SchemaFile::from_toml(toml)?, open)
    }

    /// Validates a schema file; `open` reads the files that it refers to.
    pub fn from_file(
        file: SchemaFile,
        open: impl FnMut(&str) -> Result<Vec<u8>, Error>,
    ) -> Result<Self, Error> {
        validate::check(file, open)
    }

    /// The rules, in their order.
    pub fn columns(&self) -> &[ColumnRule] {
        &self.columns
    }

    /// The rule of that column.
    pub fn column(&self, name: &str) -> Option<&ColumnRule> {
        self.columns.iter().find(|rule| rule.name == name)
    }

    /// The columns of that role, in their order.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &ColumnRule> {
        self.columns.iter().filter(move |rule| rule.role == role)
    }

    /// Words that stand for a missing value, besides nothing at all.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns the separator of the values in a cell, if cells are sets.
    pub fn separator(&self) -> Option<&str> {
        self.separator.as_deref()
    }

    /// The values of a cell: one, unless cells are sets.
    pub fn values<'c>(&self, cell: &'c str) -> Vec<Cow<'c, str>> {
        match self.separator {
            None => vec![Cow::Borrowed(cell)],
            Some(_) => crate::extract::cell::split(cell, &[]).into_iter().flatten().map(Cow::Owned).collect(),
        }
    }

    /// Returns whether `reticent extract` wrote the schema: rows are documents, named by fingerprints, and values
    /// that cannot be read as their kind are suppressed.
    pub fn is_extracted(&self) -> bool {
        self.separator.is_some()
    }

    /// The same schema, with the number of rows of a person as a quasi-identifier.
    #[must_use]
    pub fn with_rows_per_person(mut self) -> Self {
        self.parameters.rows_per_person = Some(true);
        self
    }

    /// The only types of entities that count in texts; all if there are none here.
    pub fn only_types(&self) -> &[EntityType] {
        &self.only
    }

    /// Returns the additional terms to detect in texts, in the form of `detect.deny`.
    pub fn terms(&self) -> &[DenyFile] {
        &self.terms
    }

    /// Returns the parameters of anonymization.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

impl Role {
    /// Its name in a schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::QuasiIdentifier => "quasi-identifier",
            Self::Sensitive => "sensitive",
            Self::Text => "text",
            Self::Insensitive => "insensitive",
            Self::Remove => "remove",
        }
    }

    /// With its article.
    fn a(self) -> &'static str {
        match self {
            Self::Identifier => "an identifier",
            Self::QuasiIdentifier => "a quasi-identifier",
            Self::Sensitive => "sensitive",
            Self::Text => "a text",
            Self::Insensitive => "insensitive",
            Self::Remove => "to be removed",
        }
    }
}

#[cfg(test)]
mod tests;
