//! The TOML form of a schema, before validation.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::{Parameters, Role, Step};
use crate::policy::{DenyFile, did_you_mean};
use crate::{EntityType, Error, ErrorKind};

/// A schema as it is written. Unknown keys are errors.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SchemaFile {
    /// The columns, in any order.
    pub columns: Vec<ColumnFile>,
    /// Words that stand for a missing value, besides nothing at all.
    pub missing: Vec<String>,
    /// The only types of entities that count in texts; all if there are none here.
    pub entities: Vec<EntityType>,
    /// Additional terms to detect in texts, with their types.
    pub terms: Vec<DenyFile>,
    /// Types that only a labeller of your own finds: else a column that names them is taken for a slip.
    pub types: Vec<EntityType>,
    /// The parameters of anonymization.
    pub protect: Parameters,
}

/// A column as it is written.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnFile {
    /// Its name in the table.
    pub name: String,
    /// The role of the column.
    pub role: Role,
    /// The kind of its values; a category by default.
    #[serde(default)]
    pub kind: Option<KindName>,
    /// The `strftime` format of its dates; ISO 8601 by default.
    #[serde(default)]
    pub format: Option<String>,
    /// The values of an ordered category, lowest first.
    #[serde(default)]
    pub order: Option<Vec<String>>,
    /// The generalization hierarchy.
    #[serde(default)]
    pub hierarchy: Option<HierarchyFile>,
    /// The types of entities in texts that may contain this column's value.
    #[serde(default)]
    pub entities: Vec<EntityType>,
    /// The weight of the attribute; 1 by default.
    #[serde(default)]
    pub weight: Option<f64>,
    /// Whether texts are searched for the column's values; `true` by default.
    #[serde(default)]
    pub in_texts: Option<bool>,
}

/// The kind of a column's values, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KindName {
    /// Numbers.
    Number,
    /// Dates.
    Date,
    /// Words without an order.
    Category,
    /// Words with an order.
    Ordered,
}

/// A hierarchy as it is written: `"taxonomy"`, `"calendar"`, or a table.
#[derive(Clone, Debug, PartialEq)]
pub enum HierarchyFile {
    /// The taxonomies that the program has.
    Taxonomy,
    /// Days, months, years: what dates have anyway.
    Calendar,
    /// `{ calendar = ["month", "quarter", "year", "decade"] }`: these steps only.
    Steps(Vec<Step>),
    /// `{ prefix = [4, 3, 2] }`: beginnings of these lengths.
    Prefix(Vec<usize>),
    /// `{ intervals = [5, 10, 20] }`: ranges of these widths.
    Intervals(Vec<f64>),
    /// `{ levels = [["Paris", "France", "Europe"]] }`: each value with what is above it.
    Levels(Vec<Vec<String>>),
    /// `{ file = "places.csv" }`: the same in a CSV file without a header.
    File(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HierarchyTable {
    intervals: Option<Vec<f64>>,
    levels: Option<Vec<Vec<String>>>,
    file: Option<String>,
    prefix: Option<Vec<usize>>,
    calendar: Option<Vec<Step>>,
}

impl<'de> Deserialize<'de> for HierarchyFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Hierarchy;
        impl<'de> Visitor<'de> for Hierarchy {
            type Value = HierarchyFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"taxonomy\", \"calendar\", { intervals = [5, 10] }, { file = \"levels.csv\" }, { levels = [[…]] }, { prefix = [4, 3] } or { calendar = [\"quarter\", \"year\"] }")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<HierarchyFile, E> {
                match name {
                    "taxonomy" => Ok(HierarchyFile::Taxonomy),
                    "calendar" => Ok(HierarchyFile::Calendar),
                    _ => Err(E::unknown_variant(name, &["taxonomy", "calendar"])),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HierarchyFile, A::Error> {
                let table = HierarchyTable::deserialize(MapAccessDeserializer::new(map))?;
                let HierarchyTable { intervals, levels, file, prefix, calendar } = table;
                let given = [
                    intervals.map(HierarchyFile::Intervals),
                    levels.map(HierarchyFile::Levels),
                    file.map(HierarchyFile::File),
                    prefix.map(HierarchyFile::Prefix),
                    calendar.map(HierarchyFile::Steps),
                ];
                let mut given = given.into_iter().flatten();
                match (given.next(), given.next()) {
                    (Some(hierarchy), None) => Ok(hierarchy),
                    _ => Err(de::Error::custom(
                        "a hierarchy must have exactly one of `intervals`, `levels`, `file`, `prefix` and `calendar`",
                    )),
                }
            }
        }
        deserializer.deserialize_any(Hierarchy)
    }
}

impl SchemaFile {
    /// Reads TOML. The error shows the line, and what was probably meant.
    pub fn from_toml(toml: &str) -> Result<Self, Error> {
        toml::from_str(toml).map_err(|error| {
            let own = Error::new(ErrorKind::Schema, format!("cannot read the schema: {error}"));
            match did_you_mean(error.message()) {
                Some(hint) => own.with_hint(hint),
                None => own.with_hint("`reticent table schema` writes an initial schema"),
            }
        })
    }
}
