//! k-map (Sweeney): classes are held against a population, of which the table is a sample.

use std::collections::HashMap;

use super::{Bounds, Class, PrivacyModel};
use crate::Error;
use crate::table::person::{People, error, in_column, key};
use crate::table::{Kind, Role, Schema, Table};

/// Every class fits at least k persons of a population: what is released of a class could be said of that many.
///
/// A class covers from its lowest to its highest value, or the values that its persons have. Recoding may cover
/// more (a whole year for some of its days), so that more fit than are counted here. Counting stops at k; a class
/// that fits few costs a look at the whole population.
pub struct KMap {
    k: usize,
    /// For each quasi-identifier, where each person of the population lies; nothing fits where nothing is known.
    population: Vec<Vec<Place>>,
    persons: usize,
}

#[derive(Clone, Copy)]
enum Place {
    Missing,
    Between(f64, f64),
    /// Its place among the table's values; nothing if the table lacks it.
    Value(Option<u32>),
}

impl KMap {
    pub(crate) fn new(k: usize, population: &Table, schema: &Schema, people: &People) -> Result<Self, Error> {
        if k == 0 {
            return Err(error("k of the k-map must be at least 1").with_hint("use 2 or more"));
        }
        let mut places = Vec::new();
        for (rule, attribute) in schema.of_role(Role::QuasiIdentifier).zip(&people.attributes) {
            let column = population.column(&rule.name).ok_or_else(|| {
                error(format!("the population has no column `{}`", rule.name)).with_hint(
                    "the population must have the quasi-identifiers of the schema, in columns with the same names",
                )
            })?;
            let known: HashMap<&str, u32> =
                (0..).zip(&attribute.values).map(|(at, value)| (value.text.as_str(), at)).collect();
            let mut of_code = Vec::new();
            for text in column.distinct() {
                let text = text.trim();
                let place = match &rule.kind {
                    Kind::Category => Some(Place::Value(known.get(text).copied())),
                    line => key(line, text).map(|(from, to)| Place::Between(from, to)),
                };
                of_code.push(place.ok_or_else(|| {
                    in_column(&rule.name, "a value of the population does not match the column's kind")
                })?);
            }
            let place = |row| column.code(row).map_or(Place::Missing, |code| of_code[code as usize]);
            places.push((0..population.rows()).map(place).collect());
        }
        Ok(Self { k, population: places, persons: population.rows() })
    }
}

impl PrivacyModel for KMap {
    fn name(&self) -> String {
        format!("{}-map", self.k)
    }

    fn allows(&self, class: &Class<'_>) -> bool {
        let bounds = class.bounds();
        let fits = |person: &usize| {
            bounds.iter().zip(&self.population).all(|(bounds, places)| match (bounds, places[*person]) {
                (Bounds::Any, _) | (Bounds::Missing, Place::Missing) => true,
                (Bounds::Between(low, high), Place::Between(from, to)) => *low <= from && to <= *high,
                (Bounds::Among(values), Place::Value(Some(value))) => values[value as usize],
                _ => false,
            })
        };
        (0..self.persons).filter(fits).take(self.k).count() >= self.k
    }
}
