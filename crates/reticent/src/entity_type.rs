//! What kind of thing a stretch of text names.

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
    /// A proper name of something that could not be told more exactly.
    NAME,
    /// A company, an institution, a body.
    ORGANIZATION,
    /// A place.
    LOCATION,
    /// The title of a work: a film, a book, a song.
    WORK,
    /// Someone in a work: whom an actor plays.
    CHARACTER,
    /// Words that tell something of whom the policy protects.
    DETAIL,
    /// A nationality, a religion or a political group.
    NRP,
    /// A law, a treaty, or a part of one. It gives nobody away.
    LAW,
    /// What someone does for a living, or an office.
    JOB_TITLE,
    /// A date, a time, or both.
    DATE_TIME,
    /// How long something took, or how long ago it was.
    DURATION,
    /// How old someone is.
    AGE,
    /// An amount of money.
    MONEY,
    /// A share.
    PERCENTAGE,
    /// A plain number.
    NUMBER,
    /// A postal code.
    POSTCODE,
}

impl EntityType {
    /// The type of that name, if it is one: capitals, digits and underscores.
    pub fn new(name: &str) -> Option<Self> {
        let valid = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        valid.then(|| Self(ArcStr::from(name)))
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its name as a reader would say it: `e-mail address` is `email address`, in small letters.
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
