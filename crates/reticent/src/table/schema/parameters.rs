//! How a table is to be protected, as far as its schema says.

use serde::Deserialize;

use crate::{Error, ErrorKind};

/// What `[protect]` in a schema says. What is not said is left to the caller, and the command line says it
/// louder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// How many persons a class has at least.
    pub k: Option<usize>,
    /// How many different values each sensitive column has in a class at least.
    pub l: Option<f64>,
    /// How these are counted.
    pub diversity: Option<Diversity>,
    /// How far the sensitive values of a class may be from those of all, between 0 and 1.
    pub t: Option<f64>,
    /// How much columns count beside texts when a class is cut in two: 1 only columns, 0 only texts.
    pub lambda: Option<f64>,
    /// How classes are found.
    pub method: Option<Partitioning>,
    /// Whether persons with the same value may come into different classes.
    pub cut: Option<Cut>,
    /// What becomes of identifiers.
    pub identifiers: Option<Identifiers>,
    /// How generalized values are written.
    pub wording: Option<Wording>,
}

/// How different values are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Diversity {
    /// By their number.
    #[default]
    Distinct,
    /// By their entropy, which a frequent value lowers: it must reach the logarithm of l.
    Entropy,
}

/// How classes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partitioning {
    /// Cut in two at the median of the widest attribute, again and again.
    #[default]
    Mondrian,
    /// Cut by who has the most frequent term, again and again.
    Gdf,
}

/// What may be done with persons whose value is the median itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// They stay together.
    #[default]
    Strict,
    /// They may be divided, so that both halves are alike in size.
    Relaxed,
}

/// What becomes of identifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identifiers {
    /// Their columns are left out.
    #[default]
    Remove,
    /// Each becomes a pseudonym, the same wherever it stood.
    Pseudonym,
}

/// How generalized values are written.
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
    /// These on top of others: what they say wins.
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
        }
    }

    /// Refuses what cannot be.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::new(ErrorKind::Schema, what));
        if self.k == Some(0) {
            return wrong("`k` must be at least 1");
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
