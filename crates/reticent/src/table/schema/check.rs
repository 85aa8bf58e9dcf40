//! Checks a table against its schema. Errors name columns and rows, never values.

use std::collections::HashSet;

use super::{ColumnRule, Hierarchy, Kind, Role, Schema, value};
use crate::policy::closest;
use crate::table::{Column, Table};
use crate::{Error, ErrorKind};

impl Schema {
    /// Holds a table against the schema: it must have all columns and no others, and every value must be one
    /// that its column's kind and hierarchy know. Rows are counted from 1.
    pub fn check(&self, table: &Table) -> Result<(), Error> {
        for rule in &self.columns {
            if table.column(&rule.name).is_none() {
                let what = format!(
                    "the table has no column `{}`, which the schema declares as {}",
                    rule.name,
                    rule.role.a()
                );
                let error = Error::new(ErrorKind::Schema, what);
                return Err(match closest(&rule.name, table.columns().iter().map(Column::name)) {
                    Some(best) => error.with_hint(format!("did you mean `{best}`?")),
                    None => error.with_hint(
                        "remove it from the schema, or use the table that the schema was made for",
                    ),
                });
            }
        }
        if let Some(column) = table.columns().iter().find(|column| self.column(column.name()).is_none()) {
            let what = format!("the schema has no rule for the column `{}`", column.name());
            return Err(Error::new(ErrorKind::Schema, what)
                .with_hint("assign a role: insensitive if it may be released unchanged"));
        }
        if table.rows() == 0 {
            return Err(Error::new(ErrorKind::Schema, "the table has no rows"));
        }
        let identifier = self.of_role(Role::Identifier).next().and_then(|rule| table.column(&rule.name));
        if let Some(column) = identifier
            && let Some(row) = (0..column.len()).find(|row| column.get(*row).is_none())
        {
            return Err(at(
                row,
                column,
                "the identifier is missing, so the row cannot be assigned to a person",
            ));
        }
        let columns = self.columns.iter().filter_map(|rule| Some((rule, table.column(&rule.name)?)));
        columns.into_iter().try_for_each(|(rule, column)| self.check_column(rule, column))
    }

    fn check_column(&self, rule: &ColumnRule, column: &Column) -> Result<(), Error> {
        if !matches!(rule.role, Role::QuasiIdentifier | Role::Sensitive) {
            return Ok(());
        }
        if column.distinct().is_empty() && !column.is_empty() {
            let what = format!("the column `{}` has no value in any row", column.name());
            return Err(Error::new(ErrorKind::Schema, what)
                .with_hint("make it insensitive, or remove it from the table"));
        }
        let known: Option<HashSet<&str>> = match (&rule.kind, &rule.hierarchy) {
            (Kind::Ordered(order), _) => Some(order.iter().map(String::as_str).collect()),
            _ => None,
        };
        let levels: Option<HashSet<&str>> = match &rule.hierarchy {
            Some(Hierarchy::Levels(levels)) => Some(levels.iter().map(|row| row[0].as_str()).collect()),
            _ => None,
        };
        // What `extract` could not read for sure is suppressed.
        let lenient = self.is_extracted() && rule.role == Role::QuasiIdentifier;
        let wrong = |text: &str| match &rule.kind {
            Kind::Number | Kind::Date { .. } if lenient => None,
            Kind::Number if value::number(text).is_none() => Some("the value is not a number"),
            Kind::Date { format } if value::days(text, format.as_deref()).is_none() => {
                Some("the value is not a recognized date")
            }
            _ if known.as_ref().is_some_and(|known| !known.contains(text)) => {
                Some("the value is not in the column's `order`")
            }
            _ if levels.as_ref().is_some_and(|known| !known.contains(text)) => {
                Some("the value is not in the column's hierarchy")
            }
            _ => None,
        };
        // Distinct values lie in the order of their first rows: the first that is wrong is the first row's.
        for (code, cell) in (0..).zip(column.distinct()) {
            if let Some(what) = self.values(cell).iter().find_map(|text| wrong(text)) {
                return Err(at(column.first_row(code).unwrap_or_default(), column, what)
                    .with_hint(hint(&rule.kind, what)));
            }
        }
        Ok(())
    }
}

fn hint(kind: &Kind, what: &str) -> &'static str {
    match kind {
        _ if what.starts_with("the order") => {
            "add it to `order`, or to `missing` if it denotes a missing value"
        }
        _ if what.starts_with("the hierarchy") => {
            "add it to the hierarchy, or to `missing` if it denotes a missing value"
        }
        Kind::Date { .. } => "set the `format` of the column's dates, or add the value to `missing`",
        _ => "make the column a category, or add the value to `missing` if it denotes a missing value",
    }
}

fn at(row: usize, column: &Column, what: &str) -> Error {
    Error::new(ErrorKind::Schema, format!("row {}, column `{}`: {what}", row + 1, column.name()))
}
