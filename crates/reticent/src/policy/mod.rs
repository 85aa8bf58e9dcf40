//! Policies: the subjects to protect, the types to detect and their replacements.
//!
//! [`PolicyFile`] is the parsed TOML; [`Policy`] is the validated policy, which everything else requires.

mod disclosure;
mod file;
mod lists;
mod preset;
mod related;
mod role;
mod subject;
mod validate;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use reticent_text::Language;
use reticent_text::format::Limits;

pub use disclosure::{Criterion, Disclosure, DisclosureFile, Probabilities, Scope, UnknownTerms, Yields};
pub use file::{DenyFile, DetectFile, LimitsFile, Mask, PolicyFile, ReviewFile, SubjectFile, UnplacedNames};
pub(crate) use file::{closest, did_you_mean};
pub use lists::{Allow, Deny};
pub use preset::{PRESETS, Preset};
pub use related::{Method, Related, RelatedFile};
pub use role::Role;
pub use subject::Subject;

use crate::detect::pattern::Pattern;
use crate::{EntityType, Error, Operator};

/// A validated policy: it refers to no unknown detector, type or level, and does not contradict itself.
///
/// ```
/// use reticent::{EntityType, Operator, Policy};
/// let policy = Policy::from_toml(r#"
///     extends = "basic"
///     [masks]
///     EMAIL_ADDRESS = "suppress"
/// "#)?;
/// assert_eq!(policy.operator(&EntityType::new("EMAIL_ADDRESS").unwrap()), &Operator::Suppress);
/// assert!(Policy::from_toml("subjcts = []").unwrap_err().hint().unwrap().contains("subjects"));
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    name: String,
    language: Option<Language>,
    subjects: Vec<Subject>,
    disabled: BTreeSet<String>,
    ignored: BTreeSet<EntityType>,
    only: BTreeSet<EntityType>,
    min_score: f32,
    unplaced_names: UnplacedNames,
    allow: Allow,
    deny: Vec<Deny>,
    related: Related,
    disclosure: Disclosure,
    patterns: Vec<Arc<Pattern>>,
    masks: BTreeMap<EntityType, Operator>,
    default_mask: Operator,
    roles: BTreeMap<EntityType, Role>,
    suggest_below: f32,
    require_types: BTreeSet<EntityType>,
    limits: Limits,
    max_replacement_chars: usize,
    fingerprint: String,
    rules_fingerprint: String,
}

/// Identifies a policy in plans and reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyId {
    /// Its name.
    pub name: String,
    /// Its fingerprint.
    pub sha256: String,
    /// The fingerprint of its rules, for reports.
    pub rules_sha256: String,
    /// The number of its subjects.
    pub subjects: usize,
}

impl Policy {
    /// Reads and validates a policy. It extends the preset named in `extends`, or `basic`.
    pub fn from_toml(toml: &str) -> Result<Self, Error> {
        Self::from_file(PolicyFile::from_toml(toml)?)
    }

    /// Validates a policy file together with the preset that it extends.
    pub fn from_file(file: PolicyFile) -> Result<Self, Error> {
        let base = preset::named(file.extends.as_deref().unwrap_or("basic"))?;
        validate::check(file.over(base))
    }

    /// Returns the preset of that name.
    pub fn preset(name: &str) -> Result<Self, Error> {
        validate::check(preset::named(name)?)
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a hash of its content: equal policies have equal fingerprints.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns a hash of its rules without the names of its subjects, for reports: a name could be guessed by hashing
    /// candidates.
    pub fn rules_fingerprint(&self) -> &str {
        &self.rules_fingerprint
    }

    /// Returns its name and fingerprints.
    pub fn id(&self) -> PolicyId {
        PolicyId {
            name: self.name.clone(),
            sha256: self.fingerprint.clone(),
            rules_sha256: self.rules_fingerprint.clone(),
            subjects: self.subjects.len(),
        }
    }

    /// Returns the types that it keeps or ignores.
    pub fn kept_types(&self) -> impl Iterator<Item = &EntityType> {
        let kept = self.masks.iter().filter(|(_, operator)| **operator == Operator::Keep);
        kept.map(|(entity_type, _)| entity_type).chain(&self.ignored)
    }

    /// Returns whether types without a mask are kept.
    pub fn keeps_by_default(&self) -> bool {
        self.default_mask == Operator::Keep
    }

    /// Returns the language of the documents, if the policy sets it.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Returns the subjects to protect.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// Returns the policy with additional subjects.
    #[must_use]
    pub fn with_subjects(&self, more: impl IntoIterator<Item = Subject>) -> Self {
        let mut policy = self.clone();
        policy.subjects.extend(more);
        policy
    }

    /// Returns whether the detector of that name is enabled.
    pub fn enables(&self, detector: &str) -> bool {
        !self.disabled.contains(detector)
    }

    /// Returns whether findings of that type are used.
    pub fn heeds(&self, entity_type: &EntityType) -> bool {
        !self.ignored.contains(entity_type)
    }

    /// Returns whether that type is detected: every type is, unless the policy sets `only_types`.
    pub fn looks_for(&self, entity_type: &EntityType) -> bool {
        self.only.is_empty() || self.only.contains(entity_type)
    }

    /// Returns the minimum score: findings with a lower score are dropped.
    pub fn min_score(&self) -> f32 {
        self.min_score
    }

    /// Returns the treatment of proper names that no detector can classify.
    pub fn unplaced_names(&self) -> UnplacedNames {
        self.unplaced_names
    }

    /// Returns the allow list, which is never masked.
    pub fn allow(&self) -> &Allow {
        &self.allow
    }

    /// Returns the deny list, which is always masked.
    pub fn deny(&self) -> &[Deny] {
        &self.deny
    }

    /// Returns the settings for quasi-identifiers of subjects.
    pub fn related(&self) -> &Related {
        &self.related
    }

    /// Returns the settings for measuring disclosure in a corpus.
    pub fn disclosure(&self) -> &Disclosure {
        &self.disclosure
    }

    /// Returns the patterns defined by the policy.
    pub fn patterns(&self) -> &[Arc<Pattern>] {
        &self.patterns
    }

    /// Returns the operator for entities of that type.
    pub fn operator(&self, entity_type: &EntityType) -> &Operator {
        self.masks.get(entity_type).unwrap_or(&self.default_mask)
    }

    /// Returns the role of that type in a table extracted from documents: as set in the policy, else insensitive if
    /// the policy keeps the type, else the usual role.
    pub fn role(&self, entity_type: &EntityType) -> Role {
        match self.roles.get(entity_type) {
            Some(role) => *role,
            None if *self.operator(entity_type) == Operator::Keep => Role::Insensitive,
            None => Role::usual(entity_type),
        }
    }

    /// Returns whether the policy requires a key.
    pub fn needs_key(&self) -> bool {
        self.masks.values().chain([&self.default_mask]).any(Operator::needs_key)
    }

    /// Returns the score below which review is suggested.
    pub fn suggest_below(&self) -> f32 {
        self.suggest_below
    }

    /// Returns whether entities of that type require review.
    pub fn requires_review(&self, entity_type: &EntityType) -> bool {
        self.require_types.contains(entity_type)
    }

    /// Returns the maximum length of a reviewer's replacement, in characters.
    pub fn max_replacement_chars(&self) -> usize {
        self.max_replacement_chars
    }

    /// Returns the limits on the size of the input.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}
