//! What the columns of a table are: the rules that an owner sets, checked.

use crate::EntityType;

/// What a column's values tell, in the terms of statistical disclosure control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Names one person: rows with the same value are one person. Never released.
    Identifier,
    /// Leads to a person together with others: generalized until enough people share it.
    QuasiIdentifier,
    /// What nobody should learn about a known person, and what the data are kept for.
    Sensitive,
    /// Prose, which is searched for what it tells of people.
    Text,
    /// Tells nothing about a person: released as it is.
    Insensitive,
}

/// How the values of a column compare.
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

/// What a column's values generalize to. Numbers have ranges and dates their calendar without one.
#[derive(Clone, Debug, PartialEq)]
pub enum Hierarchy {
    /// Each value with what is above it, most specific first: a column of values, then one for each level.
    Levels(Vec<Vec<String>>),
    /// Ranges of these widths, the narrowest first.
    Intervals(Vec<f64>),
    /// The taxonomies that the program was given, and those that ship.
    Taxonomy,
}

/// One column's rule.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRule {
    /// Its name in the table.
    pub name: String,
    /// What its values tell.
    pub role: Role,
    /// How they compare.
    pub kind: Kind,
    /// What they generalize to.
    pub hierarchy: Option<Hierarchy>,
    /// The types of entities in texts that may say this column's value.
    pub entities: Vec<EntityType>,
    /// How much it counts when attributes are weighed; 1 unless said.
    pub weight: f64,
}

/// The rules of all columns: valid by construction, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    columns: Vec<ColumnRule>,
}

impl Schema {
    #[cfg(test)]
    pub(crate) fn of(columns: Vec<ColumnRule>) -> Self {
        Self { columns }
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
}
