//! Entity types.

use std::fmt;

use arcstr::ArcStr;
use serde::{Deserialize, Serialize};

/// A type of entity, in capitals: `PERSON`, `EMAIL_ADDRESS`, `DATE_TIME`.
///
/// An open set, since policies may add their own. The constants are the types that the program
/// itself treats in a special way; where Presidio has a name for a type, ours is the same.
///
/// ```
/// use reticent::EntityType;
/// assert_eq!(EntityType::new("DATE_TIME"), Some(EntityType::DATE_TIME));
/// assert_eq!(EntityType::new("date"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct EntityType(ArcStr);

macro_rules! entity_types {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        impl EntityType {
            $($(#[$doc])* pub const $name: Self = Self(arcstr::literal!(stringify!($name)));)*
        }
    };
}

entity_types! {
    /// A person's name.
    PERSON,
    /// A proper name that could not be classified.
    NAME,
    /// A company, an institution, a body.
    ORGANIZATION,
    /// A place.
    LOCATION,
    /// The title of a work: a film, a book, a song.
    WORK,
    /// A character in a work: the role of an actor.
    CHARACTER,
    /// A quasi-identifier of a subject of the policy.
    DETAIL,
    /// A nationality, a religion or a political group.
    NRP,
    /// A law, a treaty, or a part of one. It identifies nobody.
    LAW,
    /// A profession or an office.
    JOB_TITLE,
    /// A date, a time, or both.
    DATE_TIME,
    /// A duration, or the time since an event.
    DURATION,
    /// A person's age.
    AGE,
    /// An amount of money.
    MONEY,
    /// A percentage.
    PERCENTAGE,
    /// A plain number.
    NUMBER,
    /// A postal code.
    POSTCODE,
}

impl EntityType {
    /// Returns the type of that name, if it is valid: capital letters, digits and underscores.
    pub fn new(name: &str) -> Option<Self> {
        let valid = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        valid.then(|| Self(ArcStr::from(name)))
    }

    /// Returns the name of the type.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name in lowercase words: `EMAIL_ADDRESS` is `email address`.
    pub fn words(&self) -> String {
        self.0.to_lowercase().replace('_', " ")
    }
}

impl fmt::Display for EntityType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for EntityType {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::new(&name).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "`{name}` is not a valid entity type: use capital letters, as in PERSON"
            ))
        })
    }
}
