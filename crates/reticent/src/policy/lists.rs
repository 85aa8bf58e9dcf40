//! Allow and deny lists.

use regex::{Regex, RegexBuilder};
use reticent_text::Span;

use crate::policy::DenyFile;
use crate::{EntityType, Error, ErrorKind};

/// The allow list: terms that are never masked.
#[derive(Clone, Debug, Default)]
pub struct Allow {
    expressions: Vec<Regex>,
}

impl Allow {
    pub(super) fn new(texts: &[String], expressions: &[String]) -> Result<Self, Error> {
        let exact = texts.iter().map(|text| literal(text));
        let given = expressions.iter().map(|expression| compile("allow_regex", expression));
        Ok(Self { expressions: exact.chain(given).collect::<Result<_, _>>()? })
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> usize {
        self.expressions.len()
    }

    /// Returns the spans of allowed terms in a text.
    pub fn spans(&self, text: &str) -> Vec<Span> {
        self.expressions.iter().flat_map(|re| re.find_iter(text)).map(|found| found.range().into()).collect()
    }
}

/// A deny-list entry: a term that is always masked.
#[derive(Clone, Debug)]
pub struct Deny {
    expression: Regex,
    entity_type: EntityType,
}

impl Deny {
    pub(crate) fn new(file: &DenyFile) -> Result<Self, Error> {
        let expression = match (&file.text, &file.regex) {
            (Some(text), None) => literal(text)?,
            (None, Some(expression)) => compile("deny", expression)?,
            _ => {
                return Err(Error::new(
                    ErrorKind::Policy,
                    "an entry of `deny` must have either `text` or `regex`",
                )
                .with_hint("for example: { text = \"Project Falcon\", type = \"PROJECT\" }"));
            }
        };
        Ok(Self { expression, entity_type: file.entity_type.clone() })
    }

    /// Returns its type.
    pub fn entity_type(&self) -> &EntityType {
        &self.entity_type
    }

    /// Returns its spans in a text.
    pub fn spans<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Span> + 't {
        self.expression.find_iter(text).filter(|found| !found.is_empty()).map(|found| found.range().into())
    }
}

/// A text as an expression: whole words, any case, any white space between them.
fn literal(text: &str) -> Result<Regex, Error> {
    let words: Vec<_> = text.split_whitespace().map(regex::escape).collect();
    if words.is_empty() {
        return Err(Error::new(ErrorKind::Policy, "a text in `allow` or `deny` is empty"));
    }
    let edge = |c: Option<char>| if c.is_some_and(|c| c.is_alphanumeric() || c == '_') { r"\b" } else { "" };
    let (first, last) = (edge(text.trim().chars().next()), edge(text.trim().chars().next_back()));
    compile("allow or deny", &format!("(?i){first}{}{last}", words.join(r"\s+")))
}

fn compile(key: &str, expression: &str) -> Result<Regex, Error> {
    let compiled = RegexBuilder::new(expression).size_limit(1 << 20).build();
    let regex = compiled.map_err(|error| {
        Error::new(ErrorKind::Policy, format!("invalid regular expression in `{key}`: {error}")).with_hint(
            "look-around and backreferences are not supported: they cannot be matched in linear time",
        )
    })?;
    if regex.is_match("") {
        return Err(Error::new(
            ErrorKind::Policy,
            format!("a regular expression in `{key}` matches the empty string"),
        )
        .with_hint("it would match everywhere; require at least one character"));
    }
    Ok(regex)
}
