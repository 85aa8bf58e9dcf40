//! Roles of entity types in a table extracted from documents.

use serde::{Deserialize, Serialize};

use crate::{EntityType, Error, ErrorKind, Identifies};

/// The role of a type in the terms of statistical disclosure control.
///
/// ```
/// use reticent::EntityType;
/// use reticent::policy::Role;
/// assert_eq!(Role::usual(&EntityType::PERSON), Role::Identifier);
/// assert_eq!(Role::usual(&EntityType::AGE), Role::QuasiIdentifier);
/// assert_eq!(Role::usual(&EntityType::new("DISEASE").unwrap()), Role::Confidential);
/// assert_eq!(Role::from_name("quasi-identifier")?, Role::QuasiIdentifier);
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A direct identifier: never released.
    Identifier,
    /// A quasi-identifier: generalized until enough people share it.
    QuasiIdentifier,
    /// A sensitive attribute: the information of interest, which must not be linked to a person.
    Confidential,
    /// Not related to a person: no column, and kept in the text.
    Insensitive,
}

/// Types that lead to a person only together with others. Where labellers of the same kind of thing
/// call it differently, each name is here.
const QUASI_IDENTIFIERS: &[&str] = &[
    "AGE",
    "CITY",
    "COUNTRY",
    "DATE",
    "DATE_TIME",
    "DEMOGRAPHIC",
    "DURATION",
    "EDUCATION",
    "ETHNICITY",
    "EVENT",
    "FACILITY",
    "FAMILY",
    "GENDER",
    "JOB",
    "JOB_TITLE",
    "LANGUAGE",
    "LOCATION",
    "MARITAL_STATUS",
    "MISC",
    "MONEY",
    "NATIONALITY",
    "NRP",
    "NUMBER",
    "OCCUPATION",
    "ORGANIZATION",
    "PERCENTAGE",
    "POLITICS",
    "POSTCODE",
    "PROFESSION",
    "QUANTITY",
    "RELIGION",
    "SEX",
    "TIME",
    "TITLE",
];

/// Types that are themselves what must not be told.
const CONFIDENTIAL: &[&str] =
    &["DIAGNOSIS", "DISEASE", "DRUG", "INCOME", "MEDICATION", "PROCEDURE", "SALARY", "SYMPTOM", "TREATMENT"];

impl Role {
    /// Returns the default role of a type. An unknown type is an identifier, and therefore suppressed.
    pub fn usual(entity_type: &EntityType) -> Self {
        let name = entity_type.as_str();
        if QUASI_IDENTIFIERS.contains(&name) {
            Self::QuasiIdentifier
        } else if CONFIDENTIAL.contains(&name) {
            Self::Confidential
        } else if *entity_type == EntityType::LAW {
            Self::Insensitive
        } else {
            Self::Identifier
        }
    }

    /// Returns the role of that name, with hyphens or underscores.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        match name.replace('-', "_").as_str() {
            "identifier" => Ok(Self::Identifier),
            "quasi_identifier" => Ok(Self::QuasiIdentifier),
            "confidential" => Ok(Self::Confidential),
            "insensitive" => Ok(Self::Insensitive),
            _ => Err(Error::new(ErrorKind::Policy, format!("unknown role `{name}`"))
                .with_hint("valid roles: identifier, quasi-identifier, confidential, insensitive")),
        }
    }

    /// Returns the kind of identifier for this role.
    pub fn identifies(self) -> Identifies {
        match self {
            Self::Identifier => Identifies::Directly,
            Self::QuasiIdentifier | Self::Insensitive => Identifies::InCombination,
            Self::Confidential => Identifies::Confidential,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_disjoint() {
        assert!(QUASI_IDENTIFIERS.is_sorted() && CONFIDENTIAL.is_sorted());
        assert!(!QUASI_IDENTIFIERS.iter().any(|name| CONFIDENTIAL.contains(name)));
        assert!(QUASI_IDENTIFIERS.iter().chain(CONFIDENTIAL).all(|name| EntityType::new(name).is_some()));
    }

    #[test]
    fn what_is_unknown_is_an_identifier() {
        for name in ["EMAIL_ADDRESS", "PHONE_NUMBER", "UK_NHS", "WARD", "NAME"] {
            assert_eq!(Role::usual(&EntityType::new(name).expect("a type")), Role::Identifier, "{name}");
        }
    }

    #[test]
    fn other_words_are_no_roles() {
        assert!(Role::from_name("Identifier").is_err() && Role::from_name("keep").is_err());
    }
}
