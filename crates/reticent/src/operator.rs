//! What is done to an entity.

use serde::{Deserialize, Serialize};

/// What is told instead of an entity. A policy names one for each type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operator", rename_all = "snake_case", deny_unknown_fields)]
pub enum Operator {
    /// Nothing at all.
    Suppress,
    /// Its type: `[PERSON]`.
    Label,
    /// The most specific true thing that is not finer than allowed: `July 3, 1962` by `1962`.
    Generalize {
        /// The finest level that may be told (`month`, `year`, `decade`, …); the levels belong to
        /// the type. Without one, the first level above what is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finest: Option<String>,
        /// Ages above this are told only as being above it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        top: Option<u32>,
    },
    /// The same invented name for the same entity: `[PERSON 1]`; across documents with a key.
    Pseudonym,
    /// A keyed hash: the same for the same words, not reversible: `[PERSON #3f9a…]`.
    Hash,
    /// Encrypted with the key, to be decrypted by whoever has it.
    Encrypt,
    /// Its characters covered, some kept: `****-1234`.
    Characters {
        /// The character to cover with.
        #[serde(default = "star")]
        with: char,
        /// How many letters or digits to keep at the start.
        #[serde(default)]
        keep_first: usize,
        /// How many letters or digits to keep at the end.
        #[serde(default)]
        keep_last: usize,
    },
    /// Dates moved by one secret offset per person, so that the time between them stays.
    Shift {
        /// The largest offset, in days either way.
        #[serde(default = "half_a_year")]
        max_days: u32,
    },
    /// As it is.
    Keep,
}

impl Operator {
    /// Its name in a policy.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Suppress => "suppress",
            Self::Label => "label",
            Self::Generalize { .. } => "generalize",
            Self::Pseudonym => "pseudonym",
            Self::Hash => "hash",
            Self::Encrypt => "encrypt",
            Self::Characters { .. } => "characters",
            Self::Shift { .. } => "shift",
            Self::Keep => "keep",
        }
    }

    /// Whether it cannot work without a key. A pseudonym can: it then holds within its document.
    pub fn needs_key(&self) -> bool {
        matches!(self, Self::Hash | Self::Encrypt | Self::Shift { .. })
    }
}

fn star() -> char {
    '*'
}

fn half_a_year() -> u32 {
    182
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_policy() {
        for text in [
            r#"{"operator":"suppress"}"#,
            r#"{"operator":"label"}"#,
            r#"{"operator":"generalize","finest":"year","top":89}"#,
            r#"{"operator":"pseudonym"}"#,
            r#"{"operator":"hash"}"#,
            r#"{"operator":"encrypt"}"#,
            r#"{"operator":"characters","with":"x","keep_first":0,"keep_last":4}"#,
            r#"{"operator":"shift","max_days":30}"#,
            r#"{"operator":"keep"}"#,
        ] {
            let operator: Operator = serde_json::from_str(text).expect("an operator");
            assert!(text.contains(&format!("\"{}\"", operator.name())), "{text}");
            assert_eq!(serde_json::to_string(&operator).expect("JSON"), text);
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        for text in [
            r#"{"operator":"generalize","coarsest":"year"}"#,
            r#"{"operator":"shift","days":3}"#,
            r#"{"operator":"hide"}"#,
        ] {
            assert!(serde_json::from_str::<Operator>(text).is_err(), "{text}");
        }
    }
}
