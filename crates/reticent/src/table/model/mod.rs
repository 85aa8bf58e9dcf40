//! Privacy models: what every class of a released table must satisfy.

mod k_anonymity;
mod k_map;
mod l_diversity;
mod t_closeness;

pub use k_anonymity::KAnonymity;
pub use k_map::KMap;
pub use l_diversity::{DistinctDiversity, EntropyDiversity};
pub use t_closeness::TCloseness;

use super::person::{People, Sensitive, error};
use super::{Schema, Table};
use crate::Error;

/// A privacy model that every equivalence class must satisfy.
///
/// Partitioning asks every model about both sides of each cut, and cuts only where all of them allow it; a
/// table that does not satisfy them as a whole is refused. A model therefore answers about any group of
/// persons, and its answer depends on who they are, never on the order in which they are given.
///
/// To add one: a file in `table/model/` with a type that implements this trait, a variant of [`Requirement`]
/// from which it is made, and in `table/verify` the same figure counted on the released table, by code that
/// shares nothing with it.
pub trait PrivacyModel: Send + Sync {
    /// What it asks for, in a report: `5-anonymity`.
    fn name(&self) -> String;

    /// No class with fewer persons can satisfy it, which saves trying.
    fn least(&self) -> usize {
        1
    }

    /// Whether these persons may be a class.
    fn allows(&self, class: &Class<'_>) -> bool;
}

/// Some persons, as a model sees them.
pub struct Class<'a> {
    people: &'a People,
    persons: &'a [u32],
}

impl<'a> Class<'a> {
    pub(crate) fn new(people: &'a People, persons: &'a [u32]) -> Self {
        Self { people, persons }
    }

    /// Returns the number of persons.
    pub fn len(&self) -> usize {
        self.persons.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.persons.is_empty()
    }

    /// Returns the number of persons with each value of a sensitive column, by its index among those columns.
    pub fn counts(&self, sensitive: usize) -> Vec<usize> {
        let column = &self.people.sensitive[sensitive];
        let mut counts = vec![0; column.values];
        for person in self.persons {
            for value in column.of(*person) {
                counts[*value as usize] += 1;
            }
        }
        counts
    }

    /// From the lowest to the highest value of each quasi-identifier that lies on a line, and the values of
    /// each other; anything where some have a value and some have none.
    pub(crate) fn bounds(&self) -> Vec<Bounds> {
        self.people
            .attributes
            .iter()
            .map(|attribute| {
                let missing = self.persons.iter().filter(|person| attribute.of(**person).is_empty()).count();
                if missing == self.persons.len() {
                    return Bounds::Missing;
                }
                if missing > 0 {
                    return Bounds::Any;
                }
                if attribute.is_line() {
                    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
                    for person in self.persons {
                        let Some((first, rest)) = attribute.of(*person).split_first() else { continue };
                        low = low.min(attribute.values[*first as usize].low);
                        for value in rest.iter().chain([first]) {
                            high = high.max(attribute.values[*value as usize].high);
                        }
                    }
                    Bounds::Between(low, high)
                } else {
                    let mut among = vec![false; attribute.values.len()];
                    for person in self.persons {
                        for value in attribute.of(*person) {
                            among[*value as usize] = true;
                        }
                    }
                    Bounds::Among(among)
                }
            })
            .collect()
    }
}

/// What the recoded value of a class covers, in one attribute.
pub(crate) enum Bounds {
    Any,
    /// Nobody has a value, which the release says: it fits those alone of whom none is known either.
    Missing,
    Between(f64, f64),
    Among(Vec<bool>),
}

/// A privacy requirement for a table.
#[derive(Clone, Debug)]
pub enum Requirement {
    /// Every class has at least so many persons.
    KAnonymity(usize),
    /// Every class has at least so many different values of the sensitive column.
    DistinctDiversity(String, usize),
    /// The values of the sensitive column in every class are as spread as so many equally frequent ones.
    EntropyDiversity(String, f64),
    /// The maximum distance between the distribution of the sensitive column in a class and in the table.
    TCloseness(String, f64),
    /// Every class fits at least so many persons of a population.
    KMap(usize, Table),
}

impl Requirement {
    /// The model, made ready for a table.
    pub(crate) fn model(&self, people: &People, schema: &Schema) -> Result<Box<dyn PrivacyModel>, Error> {
        Ok(match self {
            Self::KAnonymity(k) => Box::new(KAnonymity::new(*k)?),
            Self::DistinctDiversity(column, l) => {
                Box::new(DistinctDiversity::new(column, sensitive(people, column)?.0, *l)?)
            }
            Self::EntropyDiversity(column, l) => {
                Box::new(EntropyDiversity::new(column, sensitive(people, column)?.0, *l)?)
            }
            Self::TCloseness(column, t) => {
                let (place, values) = sensitive(people, column)?;
                Box::new(TCloseness::new(column, place, values, people, *t)?)
            }
            Self::KMap(k, population) => Box::new(KMap::new(*k, population, schema, people)?),
        })
    }
}

fn sensitive<'p>(people: &'p People, name: &str) -> Result<(usize, &'p Sensitive), Error> {
    let found = people.sensitive.iter().enumerate().find(|(_, column)| column.name == name);
    found.ok_or_else(|| {
        error(format!("column `{name}` is not a sensitive column of the schema"))
            .with_hint("diversity and closeness apply to columns with the role `sensitive`")
    })
}
