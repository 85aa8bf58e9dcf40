//! Settings for quasi-identifiers of subjects.

use serde::{Deserialize, Serialize};

use crate::{Error, ErrorKind};

/// The method for finding quasi-identifiers of a subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By the topic of each sentence and the information content of its words: facts about others stay.
    #[default]
    About,
    /// By the similarity of word vectors alone.
    Similar,
    /// None: only the names of subjects are found.
    Names,
}

/// The settings as written in a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RelatedFile {
    /// The method.
    pub method: Option<Method>,
    /// The minimum cosine of word vectors for a term to be a quasi-identifier of a subject.
    pub threshold: Option<f32>,
    /// The minimum information content of a quasi-identifier, in bits: more common phrases identify nobody.
    pub bits: Option<f32>,
    /// The same for descriptions of a subject: `a singer`.
    pub description_bits: Option<f32>,
    /// The maximum information content of a replacement, in bits.
    pub said_bits: Option<f32>,
    /// The maximum information content of replacements for places and nationalities, in bits: about 7 for a country,
    /// 4 for a continent.
    pub said_place_bits: Option<f32>,
    /// The minimum anonymity set, as a share of all terms: the replacements of a sentence, or of the text, must be
    /// closer to at least this share of terms than to a subject.
    pub crowd: Option<f32>,
    /// If set, quasi-identifiers (dates, places, amounts) are masked only in sentences about a subject.
    pub only_subjects: Option<bool>,
}

/// The validated settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Related {
    /// The method.
    pub method: Method,
    /// The minimum cosine for a term to be a quasi-identifier of a subject.
    pub threshold: f32,
    /// The minimum information content of a quasi-identifier, in bits.
    pub bits: f64,
    /// The same for descriptions of a subject.
    pub description_bits: f64,
    /// The maximum information content of a replacement, in bits.
    pub said_bits: f64,
    /// The maximum information content of replacements for places and nationalities, in bits.
    pub said_place_bits: f64,
    /// The minimum anonymity set of the replacements, as a share of all terms.
    pub crowd: f64,
    /// `true` if quasi-identifiers are masked only in sentences about a subject.
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
