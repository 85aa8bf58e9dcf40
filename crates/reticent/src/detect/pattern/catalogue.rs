//! The built-in patterns.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::compiled::Pattern;
use super::spec::PatternFile;

/// The files, by theme. `pieces.toml` has only definitions, which all others may use.
const FILES: &[(&str, &str)] = &[
    ("contact", include_str!("../patterns/contact.toml")),
    ("phone", include_str!("../patterns/phone.toml")),
    ("network", include_str!("../patterns/network.toml")),
    ("finance", include_str!("../patterns/finance.toml")),
    ("dates", include_str!("../patterns/dates.toml")),
    ("dates-es", include_str!("../patterns/dates-es.toml")),
    ("quantities", include_str!("../patterns/quantities.toml")),
    ("ages", include_str!("../patterns/ages.toml")),
    ("places", include_str!("../patterns/places.toml")),
    ("people", include_str!("../patterns/people.toml")),
    ("labelled", include_str!("../patterns/labelled.toml")),
    ("health", include_str!("../patterns/health.toml")),
    ("vehicles", include_str!("../patterns/vehicles.toml")),
    ("identity-us", include_str!("../patterns/identity-us.toml")),
    ("identity-uk", include_str!("../patterns/identity-uk.toml")),
    ("identity-es", include_str!("../patterns/identity-es.toml")),
    ("identity-eu", include_str!("../patterns/identity-eu.toml")),
];

/// All built-in patterns, in the order of their files.
///
/// # Panics
/// If a shipped file is not valid, which the tests exclude.
pub fn builtin() -> &'static [Arc<Pattern>] {
    static PATTERNS: OnceLock<Vec<Arc<Pattern>>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let mut patterns = Vec::new();
        for (theme, toml) in FILES {
            let mut file = PatternFile::parse(toml).unwrap_or_else(|error| panic!("{theme}: {error}"));
            for spec in &mut file.patterns {
                spec.regex = ascii_boundaries(&spec.regex);
            }
            file.define.values_mut().for_each(|piece| *piece = ascii_boundaries(piece));
            patterns.extend(file.validate().unwrap_or_else(|error| panic!("{theme}: {error}")));
        }
        patterns
    })
}

/// The built-in pattern of that name.
pub fn builtin_named(name: &str) -> Option<&'static Arc<Pattern>> {
    builtin().iter().find(|pattern| pattern.name() == name)
}

fn pieces() -> &'static BTreeMap<String, String> {
    static PIECES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    PIECES.get_or_init(|| {
        PatternFile::parse(include_str!("../patterns/pieces.toml"))
            .unwrap_or_else(|error| panic!("pieces: {error}"))
            .define
            .into_iter()
            .map(|(name, piece)| (name, ascii_boundaries(&piece)))
            .collect()
    })
}

/// Makes `\b` mean ASCII words, with which the fast engine also reads texts beyond ASCII. None of
/// the built-in expressions begins or ends a word with another letter.
fn ascii_boundaries(expression: &str) -> String {
    expression.replace(r"\b", r"(?-u:\b)")
}

/// How deep pieces may stand in pieces.
const DEPTH: usize = 8;

/// Fills in the pieces `{{name}}` of an expression. The error is the name that is not known.
pub(super) fn fill(expression: &str, define: &BTreeMap<String, String>) -> Result<String, String> {
    let mut filled = expression.to_owned();
    for _ in 0..DEPTH {
        let Some(first) = filled.find("{{") else { return Ok(filled) };
        let mut next = filled[..first].to_owned();
        let mut rest = &filled[first..];
        while let Some(start) = rest.find("{{") {
            next.push_str(&rest[..start]);
            let Some(length) = rest[start..].find("}}") else { return Err(rest[start..].to_owned()) };
            let name = &rest[start + 2..start + length];
            let piece = define.get(name).or_else(|| pieces().get(name)).ok_or_else(|| name.to_owned())?;
            next.push_str("(?:");
            next.push_str(piece);
            next.push(')');
            rest = &rest[start + length + 2..];
        }
        next.push_str(rest);
        filled = next;
    }
    Err(filled.split("{{").nth(1).and_then(|rest| rest.split("}}").next()).unwrap_or_default().to_owned())
}
