//! Operators that replace an entity.

use serde::{Deserialize, Serialize};

/// The kind of replacement for an entity. A policy chooses one for each type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operator", rename_all = "snake_case", deny_unknown_fields)]
pub enum Operator {
    /// Removes the entity.
    Suppress,
    /// A placeholder with its type: `[PERSON]`.
    Label,
    /// The most specific generalization that the policy allows: `July 3, 1962` becomes `1962`.
    Generalize {
        /// The finest level allowed (`month`, `year`, `decade`, …); the levels depend on the type. If `None`, the
        /// first level above the original.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finest: Option<String>,
        /// The top code: ages above it are replaced by `over` this age.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        top: Option<u32>,
    },
    /// A pseudonym, the same for each mention of an entity: `[PERSON 1]`; consistent across documents with a key.
    Pseudonym,
    /// A keyed hash, the same for the same text and not reversible: `[PERSON #3f9a…]`.
    Hash,
    /// The text, encrypted with the key and reversible for its holder.
    Encrypt,
    /// The text with its characters masked, some kept: `****-1234`.
    Characters {
        /// The masking character.
        #[serde(default = "star")]
        with: char,
        /// The number of letters or digits to keep at the start.
        #[serde(default)]
        keep_first: usize,
        /// The number of letters or digits to keep at the end.
        #[serde(default)]
        keep_last: usize,
    },
    /// Dates shifted by one secret offset per person, which preserves the intervals between them.
    Shift {
        /// The largest offset, in days either way.
        #[serde(default = "half_a_year")]
        max_days: u32,
    },
    /// The original, unchanged.
    Keep,
}

impl Operator {
    /// Returns its name in a policy.
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

    /// Returns whether it requires a key. A pseudonym does not: without a key it is consistent within its document
    /// only.
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
