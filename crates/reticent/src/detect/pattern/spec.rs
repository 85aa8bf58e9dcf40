//! The TOML form of a pattern.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{EntityType, Error, ErrorKind, Identifies};

/// A file of patterns, or the part of a policy that declares some.
///
/// ```
/// use reticent::detect::pattern::PatternFile;
/// let file = PatternFile::parse(
///     r#"
///     [[patterns]]
///     name = "badge"
///     type = "BADGE"
///     identifies = "directly"
///     regex = '\bB-[0-9]{5}\b'
///     score = 0.9
///     "#,
/// )?;
/// let patterns = file.validate()?;
/// assert_eq!(patterns[0].name(), "badge");
/// # Ok::<(), reticent::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternFile {
    /// Pieces of regular expressions, written `{{name}}` where they are used. The built-in ones
    /// (`month`, `name`, `space`, …) are there without being declared.
    #[serde(default)]
    pub define: BTreeMap<String, String>,
    /// The patterns.
    #[serde(default)]
    pub patterns: Vec<PatternSpec>,
}

/// One pattern as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternSpec {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// The type of its findings.
    #[serde(rename = "type")]
    pub entity_type: EntityType,
    /// The kind of identifier of its findings.
    pub identifies: Identifies,
    /// A regular expression in linear time. A group `(?P<value>…)` marks what to report, if the
    /// expression needs a label or other surroundings to be sure. Keep repetitions bounded
    /// (`{0,40}` instead of `*`): then the pattern runs only where it can match, which is faster.
    pub regex: String,
    /// The checksum that the value must satisfy, by its name in the list of checksums.
    #[serde(default)]
    pub checksum: Option<String>,
    /// The score if the checksum fails. Without it, a failed checksum means that nothing is found.
    #[serde(default)]
    pub score_without_checksum: Option<f32>,
    /// Words that go with it, in small letters; `licen*` stands for all that begins so.
    #[serde(default)]
    pub context: Vec<String>,
    /// The number of words before and after the value that are searched for context.
    #[serde(default = "six")]
    pub context_words: usize,
    /// `true` if a context word is required.
    #[serde(default)]
    pub require_context: bool,
    /// Values that are never reported, in small letters: `sir` after `Dear`.
    #[serde(default)]
    pub never: Vec<String>,
    /// Words that are no longer part of the value, in small letters: it ends before the first of
    /// them. For names that are followed by something else with a capital.
    #[serde(default)]
    pub cut: Vec<String>,
    /// Nothing is found where this expression ends right before the value.
    #[serde(default)]
    pub unless_before: Option<String>,
    /// Nothing is found where this expression begins right after the value.
    #[serde(default)]
    pub unless_after: Option<String>,
    /// The estimated precision of a finding, between 0 and 1.
    pub score: f32,
    /// The same where a context word stands near. Without it, `score`.
    #[serde(default)]
    pub score_with_context: Option<f32>,
    /// A one-sentence description.
    #[serde(default)]
    pub finds: String,
    /// The reason why it identifies a person.
    #[serde(default)]
    pub why: String,
    /// Known false positives.
    #[serde(default)]
    pub false_positives: String,
    /// An example to show.
    #[serde(default)]
    pub example: String,
    /// Texts in which it finds something.
    #[serde(default, rename = "match")]
    pub matches: Vec<Example>,
    /// Texts in which it finds nothing.
    #[serde(default)]
    pub no_match: Vec<String>,
}

/// A text, and all that the pattern finds in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The text.
    pub text: String,
    /// The expected match, exactly once.
    pub found: String,
}

fn six() -> usize {
    6
}

impl PatternFile {
    /// Reads TOML. Unknown keys are errors.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        toml::from_str(toml).map_err(|error| {
            let line = error.span().map_or(0, |span| toml[..span.start].matches('\n').count() + 1);
            Error::new(ErrorKind::Policy, format!("patterns, line {line}: {}", error.message()))
                .with_hint("the keys of a pattern are documented at PatternSpec")
        })
    }
}
