//! What the owner of a document decided: whom to protect, what to look for, what to say instead.
//!
//! [`PolicyFile`] is what the TOML says; [`Policy`] is what was found valid. Only the second is
//! accepted by anything that acts.

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

pub use disclosure::{Disclosure, DisclosureFile, Probabilities, Scope, UnknownTerms, Yields};
pub use file::{DenyFile, DetectFile, LimitsFile, Mask, PolicyFile, ReviewFile, SubjectFile, UnplacedNames};
pub(crate) use file::{closest, did_you_mean};
pub use lists::{Allow, Deny};
pub use preset::{PRESETS, Preset};
pub use related::{Method, Related, RelatedFile};
pub use role::Role;
pub use subject::Subject;

use crate::detect::pattern::Pattern;
use crate::{EntityType, Error, Operator};

/// A policy that was checked: it names no unknown detector, type or level, and does not contradict
/// itself.
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
    /// The fingerprint of its rules, which reports hold.
    pub rules_sha256: String,
    /// The number of its subjects.
    pub subjects: usize,
}

impl Policy {
    /// Reads and checks a policy. It builds on the preset that it `extends`, or on `basic`.
    pub fn from_toml(toml: &str) -> Result<Self, Error> {
        Self::from_file(PolicyFile::from_toml(toml)?)
    }

    /// Checks what a file says, on top of the preset that it extends.
    pub fn from_file(file: PolicyFile) -> Result<Self, Error> {
        let base = preset::named(file.extends.as_deref().unwrap_or("basic"))?;
        validate::check(file.over(base))
    }

    /// The preset of that name, as it is.
    pub fn preset(name: &str) -> Result<Self, Error> {
        validate::check(preset::named(name)?)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A hash of everything it says: two policies that say the same have the same.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// A hash of its rules without the names of its subjects, for reports: a name could be guessed by hashing
    /// candidates.
    pub fn rules_fingerprint(&self) -> &str {
        &self.rules_fingerprint
    }

    /// Its name and fingerprints.
    pub fn id(&self) -> PolicyId {
        PolicyId {
            name: self.name.clone(),
            sha256: self.fingerprint.clone(),
            rules_sha256: self.rules_fingerprint.clone(),
            subjects: self.subjects.len(),
        }
    }

    /// The types that it keeps as they are written, or ignores.
    pub fn kept_types(&self) -> impl Iterator<Item = &EntityType> {
        let kept = self.masks.iter().filter(|(_, operator)| **operator == Operator::Keep);
        kept.map(|(entity_type, _)| entity_type).chain(&self.ignored)
    }

    /// Whether everything is kept that it has no mask for.
    pub fn keeps_by_default(&self) -> bool {
        self.default_mask == Operator::Keep
    }

    /// The language of the documents, if the policy fixes it.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Whom to protect by name.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// The same policy that also protects these.
    #[must_use]
    pub fn with_subjects(&self, more: impl IntoIterator<Item = Subject>) -> Self {
        let mut policy = self.clone();
        policy.subjects.extend(more);
        policy
    }

    /// Whether the detector of that name is to run.
    pub fn enables(&self, detector: &str) -> bool {
        !self.disabled.contains(detector)
    }

    /// Whether findings of that type count at all.
    pub fn heeds(&self, entity_type: &EntityType) -> bool {
        !self.ignored.contains(entity_type)
    }

    /// Whether that type is looked for: all are, unless the policy names the only ones.
    pub fn looks_for(&self, entity_type: &EntityType) -> bool {
        self.only.is_empty() || self.only.contains(entity_type)
    }

    /// Findings that are right less often than this are dropped.
    pub fn min_score(&self) -> f32 {
        self.min_score
    }

    /// What to do with proper names that no detector can place.
    pub fn unplaced_names(&self) -> UnplacedNames {
        self.unplaced_names
    }

    /// What is never masked.
    pub fn allow(&self) -> &Allow {
        &self.allow
    }

    /// What is always masked.
    pub fn deny(&self) -> &[Deny] {
        &self.deny
    }

    /// What tells something of a subject.
    pub fn related(&self) -> &Related {
        &self.related
    }

    /// How much may be told of subjects, counted in a corpus.
    pub fn disclosure(&self) -> &Disclosure {
        &self.disclosure
    }

    /// The patterns that the policy adds.
    pub fn patterns(&self) -> &[Arc<Pattern>] {
        &self.patterns
    }

    /// What is done to an entity of that type.
    pub fn operator(&self, entity_type: &EntityType) -> &Operator {
        self.masks.get(entity_type).unwrap_or(&self.default_mask)
    }

    /// What entities of that type are in a table made of documents: as the policy says; else
    /// insensitive, if it keeps them; else what they usually are.
    pub fn role(&self, entity_type: &EntityType) -> Role {
        match self.roles.get(entity_type) {
            Some(role) => *role,
            None if *self.operator(entity_type) == Operator::Keep => Role::Insensitive,
            None => Role::usual(entity_type),
        }
    }

    /// Whether anything in the policy needs a key.
    pub fn needs_key(&self) -> bool {
        self.masks.values().chain([&self.default_mask]).any(Operator::needs_key)
    }

    /// A look is suggested at findings that are right less often than this.
    pub fn suggest_below(&self) -> f32 {
        self.suggest_below
    }

    /// Whether entities of that type are released only with a person's approval.
    pub fn requires_review(&self, entity_type: &EntityType) -> bool {
        self.require_types.contains(entity_type)
    }

    /// The longest replacement that a reviewer may write into a plan, in characters.
    pub fn max_replacement_chars(&self) -> usize {
        self.max_replacement_chars
    }

    /// How large input may be.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}
