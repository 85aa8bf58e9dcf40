//! The contents of a policy file, before validation.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::detect::pattern::PatternSpec;
use crate::policy::{DisclosureFile, RelatedFile, Role};
use crate::{EntityType, Error, ErrorKind, Operator};

/// A policy as written. Unknown keys are errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolicyFile {
    /// The preset that it extends; `basic` by default.
    pub extends: Option<String>,
    /// The name of the policy in plans and reports.
    pub name: Option<String>,
    /// The language of the documents (`en`, `es`); detected by default.
    pub language: Option<String>,
    /// The subjects to protect.
    pub subjects: Vec<SubjectFile>,
    /// Detection settings.
    pub detect: DetectFile,
    /// Settings for quasi-identifiers of subjects.
    pub related: RelatedFile,
    /// Settings for measuring disclosure in a corpus.
    #[serde(skip_serializing_if = "DisclosureFile::is_empty")]
    pub disclosure: DisclosureFile,
    /// Custom patterns.
    pub patterns: Vec<PatternSpec>,
    /// The operator for each type; `default` for all others.
    pub masks: BTreeMap<String, Mask>,
    /// The roles of types in a table extracted from documents, where they differ from the default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<EntityType, Role>,
    /// Review settings.
    pub review: ReviewFile,
    /// Limits on the size of the input.
    pub limits: LimitsFile,
}

/// A subject as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectFile {
    /// Its full name.
    pub name: String,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The most specific generalization that may be revealed, which replaces its names.
    #[serde(default)]
    pub at_most: Option<String>,
    /// Terms that do not count as the subject, although a taxonomy lists them under it or they nearly always occur with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<String>,
    /// The type; `PERSON` by default.
    #[serde(default, rename = "type")]
    pub entity_type: Option<EntityType>,
}

/// Detection settings as written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetectFile {
    /// The names of disabled detectors.
    pub disable: Vec<String>,
    /// Types to ignore, regardless of the detector.
    pub ignore_types: Vec<EntityType>,
    /// If given, the only types to detect, besides the policy's subjects and its deny list.
    pub only_types: Vec<EntityType>,
    /// The minimum score: findings with a lower score are dropped.
    pub min_score: Option<f32>,
    /// The treatment of proper names that no detector can classify.
    pub unplaced_names: Option<UnplacedNames>,
    /// Terms that are never masked.
    pub allow: Vec<String>,
    /// Regular expressions of text that is never masked.
    pub allow_regex: Vec<String>,
    /// Terms that are always masked.
    pub deny: Vec<DenyFile>,
}

/// The treatment of a proper name that cannot be classified as a person, a place or a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnplacedNames {
    /// Mask it as `NAME`: safe, but sometimes more than needed.
    #[default]
    Mask,
    /// Require review: nothing is released before approval.
    Review,
    /// Keep it.
    Keep,
}

/// A term or regular expression that is always masked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DenyFile {
    /// The exact text, case-insensitive.
    #[serde(default)]
    pub text: Option<String>,
    /// The regular expression, instead of `text`.
    #[serde(default)]
    pub regex: Option<String>,
    /// The type of the entity.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
}

/// Review settings as written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewFile {
    /// The score below which review is suggested.
    pub suggest_below: Option<f32>,
    /// Types that require review.
    pub require_types: Vec<EntityType>,
}

/// Limits on the size of the input, as written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsFile {
    /// The largest file, in bytes; rows of JSONL and CSV are streamed and do not count.
    pub max_bytes: Option<u64>,
    /// The largest row, in bytes.
    pub max_row_bytes: Option<usize>,
    /// The maximum nesting depth of markup.
    pub max_depth: Option<usize>,
    /// The maximum decompressed size of an archive, in bytes.
    pub max_expanded: Option<u64>,
    /// The maximum compression ratio of an archive.
    pub max_ratio: Option<u64>,
    /// The maximum length of a reviewer's replacement, in characters; 200 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_replacement_chars: Option<usize>,
}

/// An operator as written: `"label"`, or a table with settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Mask(pub Operator);

impl SubjectFile {
    /// Creates a person with that name.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            aliases: Vec::new(),
            at_most: None,
            declined: Vec::new(),
            entity_type: None,
        }
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
    /// Reads TOML. The error contains the line and a suggestion.
    pub fn from_toml(toml: &str) -> Result<Self, Error> {
        toml::from_str(toml).map_err(|error| {
            let own = Error::new(ErrorKind::Policy, format!("cannot read the policy: {error}"));
            match did_you_mean(error.message()) {
                Some(hint) => own.with_hint(hint),
                None => own,
            }
        })
    }

    /// Merges this policy over `base`: its values take precedence, its lists are added.
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
