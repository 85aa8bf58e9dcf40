//! Subjects: the people and things that a policy protects.

use crate::policy::SubjectFile;
use crate::{EntityType, Error, ErrorKind};

/// A subject to protect: its names, and the most specific generalization that may be revealed.
///
/// ```
/// use reticent::policy::Subject;
/// let subject = Subject::named("Tom Cruise")?;
/// assert_eq!(subject.names().collect::<Vec<_>>(), ["Tom Cruise"]);
/// assert!(Subject::named("  ").is_err());
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    name: String,
    aliases: Vec<String>,
    at_most: Option<String>,
    declined: Vec<String>,
    entity_type: EntityType,
}

impl Subject {
    /// Creates a person with that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::from_file(SubjectFile::named(name))
    }

    pub(super) fn from_file(file: SubjectFile) -> Result<Self, Error> {
        let named = |name: &String| name.chars().any(char::is_alphanumeric);
        if !named(&file.name) || !file.aliases.iter().all(named) {
            return Err(Error::new(ErrorKind::Policy, "a subject has an empty name")
                .with_hint("each subject and alias needs a name with letters or digits"));
        }
        if file.at_most.as_ref().is_some_and(|most| most.trim().is_empty()) {
            return Err(Error::new(ErrorKind::Policy, "a subject's `at_most` is empty")
                .with_hint("omit `at_most` to mask the subject according to its type"));
        }
        Ok(Self {
            name: file.name.trim().to_owned(),
            aliases: file.aliases.iter().map(|alias| alias.trim().to_owned()).collect(),
            at_most: file.at_most,
            declined: file.declined,
            entity_type: file.entity_type.unwrap_or(EntityType::PERSON),
        })
    }

    /// Returns its name and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }

    /// Returns the replacement for its names, if the policy sets it.
    pub fn at_most(&self) -> Option<&str> {
        self.at_most.as_deref()
    }

    /// Returns the terms that do not count as the subject.
    pub fn declined(&self) -> &[String] {
        &self.declined
    }

    /// Returns its type.
    pub fn entity_type(&self) -> &EntityType {
        &self.entity_type
    }
}
