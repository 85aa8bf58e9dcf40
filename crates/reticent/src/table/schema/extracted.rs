//! The schema that `reticent extract` writes beside a table made of documents.

use super::{ColumnRule, Kind, Parameters, Role, Schema, validate};
use crate::{Error, extract, policy};

/// What every such schema says first.
const FORMAT: &str = "reticent-schema/";

/// Reads such a schema; nothing if it is none.
pub(super) fn read(toml: &str) -> Result<Option<Schema>, Error> {
    let Ok(table) = toml.parse::<toml::Table>() else { return Ok(None) };
    if !table.get("format").and_then(toml::Value::as_str).is_some_and(|format| format.starts_with(FORMAT)) {
        return Ok(None);
    }
    let given = extract::Schema::from_toml(toml)?;
    let mut columns = vec![ColumnRule {
        name: given.row_id,
        role: Role::Identifier,
        kind: Kind::Category,
        hierarchy: None,
        entities: Vec::new(),
        weight: 1.0,
        in_texts: true,
    }];
    for column in given.columns {
        columns.push(ColumnRule {
            name: column.name,
            role: match column.role {
                policy::Role::Identifier => Role::Identifier,
                policy::Role::QuasiIdentifier => Role::QuasiIdentifier,
                policy::Role::Confidential => Role::Sensitive,
                policy::Role::Insensitive => Role::Insensitive,
            },
            kind: match column.kind {
                extract::Kind::Number => Kind::Number,
                extract::Kind::Date => Kind::Date { format: None },
                extract::Kind::Category => Kind::Category,
            },
            hierarchy: None,
            entities: vec![column.entity_type],
            weight: 1.0,
            in_texts: true,
        });
    }
    let types: Vec<_> = columns.iter().flat_map(|rule| rule.entities.clone()).collect();
    let schema = Schema {
        columns,
        missing: Vec::new(),
        separator: Some(given.separator),
        only: Vec::new(),
        terms: Vec::new(),
        parameters: Parameters::default(),
    };
    validate::rules(schema, &types).map(Some)
}
