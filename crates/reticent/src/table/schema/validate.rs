//! Validation of schema files.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    ColumnFile, ColumnRule, Hierarchy, HierarchyFile, Kind, KindName, Role, Schema, SchemaFile, Step,
};
use super::{levels, value};
use crate::detect::registry;
use crate::policy::{self, Deny, closest};
use crate::{EntityType, Error, ErrorKind};

pub(super) fn check(
    file: SchemaFile,
    mut open: impl FnMut(&str) -> Result<Vec<u8>, Error>,
) -> Result<Schema, Error> {
    file.protect.check()?;
    for term in &file.terms {
        Deny::new(term)?;
    }
    let columns = file.columns.into_iter().map(|column| rule(column, &mut open)).collect::<Result<_, _>>()?;
    let schema = Schema {
        columns,
        missing: file.missing,
        separator: None,
        only: file.entities,
        terms: file.terms,
        parameters: file.protect,
    };
    rules(schema, &file.types)
}

/// Checks the rules, alone and together. `types` are known besides those of the program.
pub(super) fn rules(schema: Schema, types: &[EntityType]) -> Result<Schema, Error> {
    if schema.columns.is_empty() {
        return Err(Error::new(ErrorKind::Schema, "the schema has no columns")
            .with_hint("`reticent table schema` proposes columns for a table"));
    }
    let mut known = registry::types();
    known.extend(types.iter().chain(schema.terms.iter().map(|term| &term.entity_type)).cloned());
    let mut roles: HashMap<&str, Role> = HashMap::new();
    for rule in &schema.columns {
        if rule.name.trim().is_empty() {
            return Err(Error::new(ErrorKind::Schema, "a column of the schema has no name"));
        }
        if let Some(other) = roles.insert(&rule.name, rule.role) {
            return Err(twice(&rule.name, other, rule.role));
        }
        one(rule, &known)?;
    }
    for entity_type in &schema.only {
        known_type(entity_type, &known).map_err(|error| error.in_document("entities"))?;
    }
    if !schema.columns.iter().any(|rule| matches!(rule.role, Role::QuasiIdentifier | Role::Text)) {
        return Err(Error::new(ErrorKind::Schema, "no column is a quasi-identifier or a text")
            .with_hint("k-anonymity needs quasi-identifiers: assign one of these roles to a column"));
    }
    Ok(schema)
}

fn twice(name: &str, a: Role, b: Role) -> Error {
    let (a, b) = (a.min(b), a.max(b));
    let what = if a == b {
        format!("the column `{name}` has two rules")
    } else {
        format!("the column `{name}` is {} and {} at once", a.a(), b.a())
    };
    Error::new(ErrorKind::Schema, what).with_hint("a column has exactly one role: remove the other rule")
}

fn rule(
    file: ColumnFile,
    open: &mut impl FnMut(&str) -> Result<Vec<u8>, Error>,
) -> Result<ColumnRule, Error> {
    let name = file.name;
    if file.role == Role::Text
        && (file.kind.is_some() || file.hierarchy.is_some() || !file.entities.is_empty())
    {
        return Err(wrong(&name, "is a text, which cannot have a kind, hierarchy or entities"));
    }
    let kind_name = file.kind.unwrap_or(KindName::Category);
    if file.format.is_some() && kind_name != KindName::Date {
        return Err(wrong(&name, "has a `format`, which requires the kind date"));
    }
    if file.order.is_some() && kind_name != KindName::Ordered {
        return Err(wrong(&name, "has an `order`, which requires the kind ordered"));
    }
    let kind = match (kind_name, file.order) {
        (KindName::Number, _) => Kind::Number,
        (KindName::Date, _) => Kind::Date { format: file.format },
        (KindName::Category, _) => Kind::Category,
        (KindName::Ordered, Some(order)) => Kind::Ordered(order),
        (KindName::Ordered, None) => {
            return Err(wrong(&name, "is ordered but has no `order`")
                .with_hint("for example order = [\"low\", \"medium\", \"high\"], lowest first"));
        }
    };
    let hierarchy = match file.hierarchy {
        None => None,
        Some(HierarchyFile::Calendar) if kind_name == KindName::Date => None,
        Some(HierarchyFile::Calendar) => {
            return Err(wrong(&name, "has the hierarchy calendar, which requires the kind date"));
        }
        Some(HierarchyFile::Taxonomy) => Some(Hierarchy::Taxonomy),
        Some(HierarchyFile::Steps(steps)) => Some(Hierarchy::Calendar(steps)),
        Some(HierarchyFile::Prefix(lengths)) => Some(Hierarchy::Prefix(lengths)),
        Some(HierarchyFile::Intervals(widths)) => Some(Hierarchy::Intervals(widths)),
        Some(HierarchyFile::Levels(levels)) => Some(Hierarchy::Levels(levels)),
        Some(HierarchyFile::File(path)) => Some(Hierarchy::Levels(levels::read(&name, &open(&path)?)?)),
    };
    let weight = file.weight.unwrap_or(1.0);
    Ok(ColumnRule {
        name,
        role: file.role,
        kind,
        hierarchy,
        entities: file.entities,
        weight,
        in_texts: file.in_texts.unwrap_or(true),
    })
}

/// Checks one rule.
fn one(rule: &ColumnRule, known: &BTreeSet<EntityType>) -> Result<(), Error> {
    let name = &rule.name;
    if !rule.weight.is_finite() || rule.weight <= 0.0 {
        return Err(wrong(name, "has a weight that is not positive")
            .with_hint("to exclude a column, make it insensitive"));
    }
    match &rule.kind {
        Kind::Ordered(order) => {
            let mut seen = HashSet::new();
            if order.len() < 2 || order.iter().any(String::is_empty) {
                return Err(wrong(name, "needs at least two values in its order, none of them empty"));
            }
            if let Some(at) = order.iter().position(|value| !seen.insert(value)) {
                return Err(wrong(
                    name,
                    &format!("has a duplicate value in its order, at position {}", at + 1),
                ));
            }
        }
        Kind::Date { format: Some(format) } if !value::is_date_format(format) => {
            return Err(wrong(name, "has a date format without day, month and year")
                .with_hint("use strftime syntax, such as \"%d/%m/%Y\" or \"%d,%B,%Y\""));
        }
        _ => {}
    }
    match (&rule.hierarchy, &rule.kind) {
        (Some(Hierarchy::Intervals(widths)), Kind::Number) => intervals(name, widths)?,
        (Some(Hierarchy::Intervals(_)), _) => {
            return Err(wrong(name, "has intervals, which require the kind number"));
        }
        (Some(Hierarchy::Calendar(steps)), Kind::Date { .. }) => calendar(name, steps)?,
        (Some(Hierarchy::Calendar(_)), _) => {
            return Err(wrong(name, "has the hierarchy calendar, which requires the kind date"));
        }
        (Some(Hierarchy::Prefix(lengths)), Kind::Category) => prefixes(name, lengths)?,
        (Some(Hierarchy::Prefix(_)), _) => {
            return Err(wrong(name, "has prefixes, which require the kind category"));
        }
        (Some(_), Kind::Date { .. }) => {
            return Err(wrong(name, "is a date, whose hierarchy must be the calendar"));
        }
        (Some(Hierarchy::Taxonomy), Kind::Number) => {
            return Err(wrong(name, "is a number, which cannot have a taxonomy as its hierarchy"));
        }
        (Some(Hierarchy::Levels(given)), _) => levels::check(name, given)?,
        _ => {}
    }
    for entity_type in &rule.entities {
        known_type(entity_type, known).map_err(|error| error.in_document(format!("column `{name}`")))?;
    }
    Ok(())
}

/// Steps must become coarser.
fn calendar(name: &str, steps: &[Step]) -> Result<(), Error> {
    if steps.is_empty() || steps.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(wrong(name, "needs steps of the calendar, the narrowest first")
            .with_hint("use some of month, quarter, year and decade, in this order"));
    }
    Ok(())
}

/// Prefixes must become shorter.
fn prefixes(name: &str, lengths: &[usize]) -> Result<(), Error> {
    if lengths.is_empty() || lengths.contains(&0) || lengths.windows(2).any(|pair| pair[0] <= pair[1]) {
        return Err(wrong(name, "needs the lengths of prefixes, the longest first")
            .with_hint("such as prefix = [4, 3, 2]"));
    }
    Ok(())
}

/// Widths must nest: a range of one lies in one range of the next.
fn intervals(name: &str, widths: &[f64]) -> Result<(), Error> {
    if widths.is_empty() || widths.iter().any(|width| !width.is_finite() || *width <= 0.0) {
        return Err(wrong(name, "needs intervals with positive widths"));
    }
    for pair in widths.windows(2) {
        if pair[1] <= pair[0] {
            return Err(
                wrong(name, "has intervals that are not increasing").with_hint("list the narrowest first")
            );
        }
        let times = pair[1] / pair[0];
        if (times - times.round()).abs() > 1e-9 {
            return Err(wrong(name, "has intervals that are not nested")
                .with_hint("each width must be a multiple of the previous one, such as [5, 10, 20]"));
        }
    }
    Ok(())
}

fn known_type(entity_type: &EntityType, known: &BTreeSet<EntityType>) -> Result<(), Error> {
    // Names that labellers commonly have for what they find.
    let usual = policy::Role::usual(entity_type) != policy::Role::Identifier;
    if usual || known.contains(entity_type) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::Schema, format!("no detector finds the type `{entity_type}`"));
    Err(match closest(entity_type.as_str(), known.iter().map(EntityType::as_str)) {
        Some(best) => error.with_hint(format!("did you mean `{best}`?")),
        None => error
            .with_hint("`reticent detectors` lists the types; add those of your own NER model to `types`"),
    })
}

fn wrong(column: &str, what: &str) -> Error {
    Error::new(ErrorKind::Schema, format!("the column `{column}` {what}"))
}
