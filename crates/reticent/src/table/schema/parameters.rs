//! The parameters of anonymization in a schema.

use serde::Deserialize;

use crate::{Error, ErrorKind};

/// The `[protect]` section of a schema. The caller sets defaults, and the command line takes precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The minimum number of persons in a class.
    pub k: Option<usize>,
    /// The minimum number of distinct values of each sensitive column in a class.
    pub l: Option<f64>,
    /// The kind of l-diversity.
    pub diversity: Option<Diversity>,
    /// The maximum distance of the sensitive values of a class from those of the table, between 0 and 1.
    pub t: Option<f64>,
    /// The weight of columns against texts when a class is split: 1 is columns only, 0 is texts only.
    pub lambda: Option<f64>,
    /// The partitioning algorithm.
    pub method: Option<Partitioning>,
    /// The treatment of persons with the same value.
    pub cut: Option<Cut>,
    /// The treatment of identifiers.
    pub identifiers: Option<Identifiers>,
    /// The format of generalized values.
    pub wording: Option<Wording>,
    /// `true` if rows stay in their order, which may tell who is who.
    pub keep_order: Option<bool>,
    /// `true` if the number of rows of a person is a quasi-identifier.
    pub rows_per_person: Option<bool>,
    /// The most rows that a person has. It lets a table without identifiers be verified: a class of so many rows has
    /// at least so many persons.
    pub most_rows: Option<usize>,
}

/// The kind of l-diversity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Diversity {
    /// By their number.
    #[default]
    Distinct,
    /// By their entropy, which a frequent value lowers: it must reach the logarithm of l.
    Entropy,
}

/// The partitioning algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partitioning {
    /// Cut in two at the median of the widest attribute, again and again.
    #[default]
    Mondrian,
    /// Cut by who has the most frequent term, again and again.
    Gdf,
}

/// The treatment of persons whose value is the median.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// They stay together.
    #[default]
    Strict,
    /// They may be divided, so that both halves are alike in size.
    Relaxed,
}

/// The treatment of identifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identifiers {
    /// Their columns are left out.
    #[default]
    Remove,
    /// Each becomes a pseudonym, the same wherever it stood.
    Pseudonym,
    /// They stay: for the fingerprints of an extracted table, which tell nothing without its map.
    Keep,
}

/// The format of generalized values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wording {
    /// So that they read well.
    #[default]
    Plain,
    /// As the paper on rx-anon writes them: `[24-36]`, `(male|female)`.
    Paper,
}

impl Parameters {
    /// Merges these parameters over `base`; these take precedence.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        Self {
            k: self.k.or(base.k),
            l: self.l.or(base.l),
            diversity: self.diversity.or(base.diversity),
            t: self.t.or(base.t),
            lambda: self.lambda.or(base.lambda),
            method: self.method.or(base.method),
            cut: self.cut.or(base.cut),
            identifiers: self.identifiers.or(base.identifiers),
            wording: self.wording.or(base.wording),
            keep_order: self.keep_order.or(base.keep_order),
            rows_per_person: self.rows_per_person.or(base.rows_per_person),
            most_rows: self.most_rows.or(base.most_rows),
        }
    }

    /// Refuses what cannot be.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::new(ErrorKind::Schema, what));
        if self.k == Some(0) {
            return wrong("`k` must be at least 1");
        }
        if self.most_rows == Some(0) {
            return wrong("`most_rows` must be at least 1");
        }
        if self.l.is_some_and(|l| !l.is_finite() || l < 1.0) {
            return wrong("`l` must be at least 1");
        }
        if self.t.is_some_and(|t| !(0.0..=1.0).contains(&t)) {
            return wrong("`t` must be between 0 and 1");
        }
        if self.lambda.is_some_and(|lambda| !(0.0..=1.0).contains(&lambda)) {
            return wrong("`lambda` must be between 0 and 1");
        }
        if self.diversity.is_some() && self.l.is_none() {
            return wrong("`diversity` requires `l`");
        }
        Ok(())
    }
}
