//! What counts as telling something of a subject.

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// How what tells something of a subject is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By who a sentence is about, and how much its words tell: what is said of others stays.
    #[default]
    About,
    /// By the similarity of word vectors alone.
    Similar,
    /// Not at all: only the names of subjects are found.
    Names,
}

/// The same as it is written in a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RelatedFile {
    /// How it is found.
    pub method: Option<Method>,
    /// Terms at least as similar to a subject as this tell something of it: the cosine of their vectors.
    pub threshold: Option<f32>,
    /// Phrases that tell less than this many bits are too common to tell anything of anyone.
    pub bits: Option<f32>,
    /// The same for what a subject is said to be: `a singer`.
    pub description_bits: Option<f32>,
    /// What is said instead tells at most this many bits.
    pub said_bits: Option<f32>,
    /// Places and nationalities are told at most so exactly, in bits: about 7 are a country, 4 a continent.
    pub said_place_bits: Option<f32>,
    /// What things are called instead in a sentence, or in all of the text, together leads to at least this share of all
    /// terms sooner than to a subject.
    pub crowd: Option<f32>,
    /// Whether what leads to people only together with other things (dates, places, amounts) counts only where it is
    /// said of a subject.
    pub only_subjects: Option<bool>,
}

/// The same, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Related {
    /// How it is found.
    pub method: Method,
    /// Terms at least as similar to a subject as this tell something of it.
    pub threshold: f32,
    /// Phrases that tell less than this are too common to tell anything of anyone.
    pub bits: f64,
    /// The same for what a subject is said to be.
    pub description_bits: f64,
    /// What is said instead tells at most this.
    pub said_bits: f64,
    /// Places and nationalities are told at most so exactly.
    pub said_place_bits: f64,
    /// What is said instead together leads to at least this share of all terms sooner than to a subject.
    pub crowd: f64,
    /// Whether dates, places and amounts count only where they are said of a subject.
    pub only_subjects: bool,
}

impl RelatedFile {
    pub(super) fn over(self, base: Self) -> Self {
        Self {
            method: self.method.or(base.method),
            threshold: self.threshold.or(base.threshold),
            bits: self.bits.or(base.bits),
            description_bits: self.description_bits.or(base.description_bits),
            said_bits: self.said_bits.or(base.said_bits),
            said_place_bits: self.said_place_bits.or(base.said_place_bits),
            crowd: self.crowd.or(base.crowd),
            only_subjects: self.only_subjects.or(base.only_subjects),
        }
    }

    pub(super) fn check(&self) -> Result<Related, Error> {
        let threshold = self.threshold.unwrap_or(0.25);
        if !(-1.0..=1.0).contains(&threshold) {
            return Err(Error::new(ErrorKind::Policy, "the threshold must be between -1 and 1").with_hint(
                "it is a cosine: a lower threshold masks more; the method was published with 0.25",
            ));
        }
        let bits = |key: &str, given: Option<f32>, default: f32| match given.unwrap_or(default) {
            bits if (0.0..=64.0).contains(&bits) => Ok(f64::from(bits)),
            _ => Err(Error::new(ErrorKind::Policy, format!("`related.{key}` must be between 0 and 64"))),
        };
        let crowd = self.crowd.unwrap_or(0.01);
        if !(0.0..=1.0).contains(&crowd) {
            return Err(Error::new(ErrorKind::Policy, "`related.crowd` must be between 0 and 1").with_hint(
                "it is a share of all terms: a larger value requires more general replacements; 0.01 requires one term in a hundred",
            ));
        }
        Ok(Related {
            method: self.method.unwrap_or_default(),
            threshold,
            bits: bits("bits", self.bits, 13.0)?,
            description_bits: bits("description_bits", self.description_bits, 8.0)?,
            said_bits: bits("said_bits", self.said_bits, 11.0)?,
            said_place_bits: bits("said_place_bits", self.said_place_bits, 4.0)?,
            crowd: f64::from(crowd),
            only_subjects: self.only_subjects.unwrap_or(false),
        })
    }
}
