//! What `reticent.toml` says, before it is checked.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::detect::pattern::PatternSpec;
use crate::policy::{DisclosureFile, RelatedFile, Role};
use crate::{EntityType, Error, ErrorKind, Operator};

/// A policy as it is written. Unknown keys are errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolicyFile {
    /// The preset on which it builds; `basic` if nothing is said.
    pub extends: Option<String>,
    /// What the policy is called in plans and reports.
    pub name: Option<String>,
    /// The language of the documents (`en`, `es`); detected if nothing is said.
    pub language: Option<String>,
    /// Whom or what to protect by name.
    pub subjects: Vec<SubjectFile>,
    /// What to look for.
    pub detect: DetectFile,
    /// What tells something of a subject.
    pub related: RelatedFile,
    /// How much may be told of subjects, counted in a corpus.
    #[serde(skip_serializing_if = "DisclosureFile::is_empty")]
    pub disclosure: DisclosureFile,
    /// Patterns of the user's own.
    pub patterns: Vec<PatternSpec>,
    /// What to say instead, by type; `default` for all others.
    pub masks: BTreeMap<String, Mask>,
    /// What types are in a table made of documents, where they are not what they usually are.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<EntityType, Role>,
    /// When a person must look.
    pub review: ReviewFile,
    /// How large input may be.
    pub limits: LimitsFile,
}

/// A subject as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectFile {
    /// Its full name.
    pub name: String,
    /// Other names for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What may be told of it at most: said instead of its names.
    #[serde(default)]
    pub at_most: Option<String>,
    /// What it is; a person if nothing is said.
    #[serde(default, rename = "type")]
    pub entity_type: Option<EntityType>,
}

/// What to look for, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetectFile {
    /// Detectors to leave out, by name.
    pub disable: Vec<String>,
    /// Types to leave out, whoever finds them.
    pub ignore_types: Vec<EntityType>,
    /// If given, the only types that count. What the policy itself names, its subjects and what it
    /// denies, counts all the same.
    pub only_types: Vec<EntityType>,
    /// Findings that are right less often than this are dropped.
    pub min_score: Option<f32>,
    /// What to do with proper names that no detector can place.
    pub unplaced_names: Option<UnplacedNames>,
    /// Texts that are never masked.
    pub allow: Vec<String>,
    /// The same, by regular expression.
    pub allow_regex: Vec<String>,
    /// Texts that are always masked.
    pub deny: Vec<DenyFile>,
}

/// What to do with a proper name when nothing tells whether it is a person, a place or a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnplacedNames {
    /// Mask it as `NAME`: safe, and sometimes more than needed.
    #[default]
    Mask,
    /// Leave it to a person: nothing is released until someone has looked.
    Review,
    /// Leave it in the text. The report counts what was left.
    Keep,
}

/// A text or an expression that is always masked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DenyFile {
    /// The exact text (case does not matter).
    #[serde(default)]
    pub text: Option<String>,
    /// Or a regular expression.
    #[serde(default)]
    pub regex: Option<String>,
    /// What it is.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
}

/// When a person must look, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewFile {
    /// Suggest a look at findings that are right less often than this.
    pub suggest_below: Option<f32>,
    /// Types that are never released without a person's approval.
    pub require_types: Vec<EntityType>,
}

/// How large input may be, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsFile {
    /// The largest file, in bytes; rows of JSONL and CSV are streamed and do not count.
    pub max_bytes: Option<u64>,
    /// The largest row, in bytes.
    pub max_row_bytes: Option<usize>,
    /// How deep markup may nest.
    pub max_depth: Option<usize>,
    /// How large an archive may become when it is opened, in bytes.
    pub max_expanded: Option<u64>,
    /// How many times larger than itself an archive may become.
    pub max_ratio: Option<u64>,
    /// The longest replacement that a reviewer may write into a plan, in characters; 200 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_replacement_chars: Option<usize>,
}

/// An operator as it is written: `"label"`, or a table with settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Mask(pub Operator);

impl SubjectFile {
    /// A person of that name.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), aliases: Vec::new(), at_most: None, entity_type: None }
    }
}

impl<'de> Deserialize<'de> for Mask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OperatorVisitor;
        impl<'de> Visitor<'de> for OperatorVisitor {
            type Value = Operator;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an operator such as \"label\", or a table such as { operator = \"generalize\", finest = \"year\" }")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Operator, E> {
                let pair = std::iter::once(("operator", name));
                Operator::deserialize(de::value::MapDeserializer::new(pair))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Operator, A::Error> {
                Operator::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(OperatorVisitor).map(Self)
    }
}

impl PolicyFile {
    /// Reads TOML. The error shows the line, and what was probably meant.
    pub fn from_toml(toml: &str) -> Result<Self, Error> {
        toml::from_str(toml).map_err(|error| {
            let own = Error::new(ErrorKind::Policy, format!("cannot read the policy: {error}"));
            match did_you_mean(error.message()) {
                Some(hint) => own.with_hint(hint),
                None => own,
            }
        })
    }

    /// This policy on top of another: what it says wins, its lists are added.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        let Self {
            extends: _,
            name,
            language,
            subjects,
            detect,
            related,
            disclosure,
            patterns,
            masks,
            roles,
            review,
            limits,
        } = self;
        let joined = |mut base: Vec<_>, own: Vec<_>| {
            base.extend(own);
            base
        };
        Self {
            extends: None,
            name: name.or(base.name),
            language: language.or(base.language),
            subjects: base.subjects.into_iter().chain(subjects).collect(),
            detect: DetectFile {
                disable: joined(base.detect.disable, detect.disable),
                only_types: if detect.only_types.is_empty() {
                    base.detect.only_types
                } else {
                    detect.only_types
                },
                ignore_types: base.detect.ignore_types.into_iter().chain(detect.ignore_types).collect(),
                min_score: detect.min_score.or(base.detect.min_score),
                unplaced_names: detect.unplaced_names.or(base.detect.unplaced_names),
                allow: joined(base.detect.allow, detect.allow),
                allow_regex: joined(base.detect.allow_regex, detect.allow_regex),
                deny: base.detect.deny.into_iter().chain(detect.deny).collect(),
            },
            related: related.over(base.related),
            disclosure: disclosure.over(base.disclosure),
            patterns: base.patterns.into_iter().chain(patterns).collect(),
            masks: base.masks.into_iter().chain(masks).collect(),
            roles: base.roles.into_iter().chain(roles).collect(),
            review: ReviewFile {
                suggest_below: review.suggest_below.or(base.review.suggest_below),
                require_types: base.review.require_types.into_iter().chain(review.require_types).collect(),
            },
            limits: LimitsFile {
                max_bytes: limits.max_bytes.or(base.limits.max_bytes),
                max_row_bytes: limits.max_row_bytes.or(base.limits.max_row_bytes),
                max_depth: limits.max_depth.or(base.limits.max_depth),
                max_expanded: limits.max_expanded.or(base.limits.max_expanded),
                max_ratio: limits.max_ratio.or(base.limits.max_ratio),
                max_replacement_chars: limits.max_replacement_chars.or(base.limits.max_replacement_chars),
            },
        }
    }
}

/// From "unknown field `subjcts`, expected one of `name`, `subjects`" to what was meant.
pub(crate) fn did_you_mean(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let given = quoted.next().filter(|_| message.starts_with("unknown"))?;
    closest(given, quoted).map(|best| format!("did you mean `{best}`?"))
}

/// The name most like `given`, if one is like it at all.
pub(crate) fn closest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&given.to_lowercase(), &name.to_lowercase()), name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().max(3) / 3)
        .map(|(_, name)| name)
}
