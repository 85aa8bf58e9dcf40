//! What the columns of a table are, for those who change it.

use serde::{Deserialize, Serialize};

use super::cell;
use crate::policy::Role;
use crate::{EntityType, Error, ErrorKind};

const FORMAT: &str = "reticent-schema/1";

/// How the values of a column compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Whole numbers, where they could be read.
    Number,
    /// Dates in ISO 8601, possibly partial.
    Date,
    /// Words.
    Category,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name in the table.
    pub name: String,
    /// The type of the entities in it.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    /// The role of the column.
    pub role: Role,
    /// How its values compare.
    pub kind: Kind,
    /// In how many documents it has a value.
    pub documents: usize,
    /// How many values a cell has at most; a column of more than one is a column of sets.
    pub most_values: usize,
}

/// What stands beside a table, with no value of it in it: it may go with the changed table.
///
/// ```
/// use reticent::extract::Schema;
/// let schema = Schema::from_toml(
///     r#"
///     format = "reticent-schema/1"
///     row_id = "id"
///     separator = " | "
///     documents = 2
///
///     [[columns]]
///     name = "AGE"
///     type = "AGE"
///     role = "quasi_identifier"
///     kind = "number"
///     documents = 2
///     most_values = 1
///     "#,
/// )?;
/// assert_eq!(schema.columns[0].name, "AGE");
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The kind of file and its version.
    pub format: String,
    /// The column that names the documents.
    pub row_id: String,
    /// What stands between the values of a cell.
    pub separator: String,
    /// The number of rows.
    pub documents: usize,
    /// The other columns, in their order.
    pub columns: Vec<Column>,
}

impl Schema {
    /// The name of the column that names the documents.
    pub const ROW_ID: &'static str = "id";

    pub(super) fn new(documents: usize, columns: Vec<Column>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            row_id: Self::ROW_ID.to_owned(),
            separator: cell::SEPARATOR.to_owned(),
            documents,
            columns,
        }
    }

    /// As TOML.
    pub fn to_toml(&self) -> Result<String, Error> {
        let toml = toml::to_string(self)
            .map_err(|error| Error::new(ErrorKind::Format, format!("cannot write the schema: {error}")))?;
        Ok(format!("# Columns of a table extracted from documents. This file contains no values.\n{toml}"))
    }

    /// Reads TOML.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        let schema: Self = toml::from_str(text)
            .map_err(|error| Error::new(ErrorKind::Format, format!("cannot read the schema: {error}")))?;
        if schema.format == FORMAT {
            return Ok(schema);
        }
        Err(Error::new(ErrorKind::Format, format!("the schema does not have the format {FORMAT}"))
            .with_hint("create it again with `reticent extract`"))
    }
}

impl Kind {
    pub(super) fn of(entity_type: &EntityType) -> Self {
        if *entity_type == EntityType::DATE_TIME {
            Self::Date
        } else if *entity_type == EntityType::AGE {
            Self::Number
        } else {
            Self::Category
        }
    }
}
