//! Rules learnt from annotated data, as in `ReCRF`: regular expressions generalized from the values of a
//! kind and from what stands before them (`Nombre: Xxxxx.`, `Fecha de nacimiento: dd/mm/yyyy`).
//!
//! A rule is made from how a value is written in at least [`SUPPORT`] documents, so that its precision
//! on each document is that of a rule learnt without it. What the rules say is a feature; the field
//! decides.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regex::{Regex, RegexSet, RegexSetBuilder};
use serde::{Deserialize, Serialize};

use super::scheme::{Run, Scheme};
use super::table::{hash, mix};
use super::tokens::Tokens;
use crate::{Error, ErrorKind, Span};

/// A rule comes from at least so many documents.
pub const SUPPORT: usize = 4;
/// A rule is right at least so often.
pub const PRECISION: f64 = 0.9;
/// A rule finds at least so many values that better ones do not.
const NEW: usize = 3;
/// So many candidates are tried.
const CANDIDATES: usize = 800;

/// All rules together take no more memory, in bytes.
const LARGEST: usize = 64 << 20;

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// What it finds.
    pub kind: String,
    /// The expression; the group `v` is the value.
    pub regex: String,
    /// How often it was right.
    pub precision: f32,
    /// How many values it found.
    pub found: u32,
}

/// Rules that can be asked, the better ones first.
#[derive(Default)]
pub struct Rules {
    known: Vec<Rule>,
    compiled: Vec<(Regex, u64)>,
    set: Option<RegexSet>,
}

impl Rules {
    /// Makes rules ready.
    pub fn new(rules: Vec<Rule>) -> Result<Self, Error> {
        if rules.is_empty() {
            return Ok(Self::default());
        }
        let damaged =
            |_| Error::new(ErrorKind::Model, "a rule of the NER model is not a valid regular expression");
        let mut compiled = Vec::with_capacity(rules.len());
        for rule in &rules {
            compiled.push((Regex::new(&rule.regex).map_err(damaged)?, hash(rule.kind.as_bytes())));
        }
        let set = RegexSetBuilder::new(rules.iter().map(|rule| &rule.regex)).size_limit(LARGEST).build();
        let set = set.map_err(damaged)?;
        Ok(Self { known: rules, compiled, set: Some(set) })
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.known
    }

    pub(super) fn into_rules(self) -> Vec<Rule> {
        self.known
    }

    /// What the rules say of each token: the kind, and whether it is the first, a middle, the last or
    /// the only one. Zero where they say nothing.
    pub(super) fn values(&self, tokens: &Tokens<'_>) -> Vec<u64> {
        let mut values = vec![0; tokens.spans.len()];
        let Some(set) = &self.set else { return values };
        for sequence in tokens.sequences.iter().filter(|sequence| !sequence.is_empty()) {
            let line = line(tokens, sequence.clone());
            // The set is in the order of precision, and so are its matches.
            for rule in set.matches(line.of(tokens.text)) {
                let (regex, kind) = &self.compiled[rule];
                for value in matches(regex, tokens.text, line) {
                    let Some(covered) = tokens.covered(value) else { continue };
                    if values[covered.clone()].iter().any(|value| *value != 0) {
                        continue;
                    }
                    for token in covered.clone() {
                        let first = u64::from(token == covered.start);
                        let last = u64::from(token + 1 == covered.end);
                        values[token] = mix(*kind, 1 + first + 2 * last);
                    }
                }
            }
        }
        values
    }

    /// Learns rules from documents with their runs; also gives what they say of each document.
    pub(super) fn learn(
        documents: &[(Tokens<'_>, Vec<Run>)],
        scheme: &Scheme,
    ) -> Result<(Self, Vec<Vec<u64>>), Error> {
        let mut kept: Vec<Scored> = Vec::new();
        for (regex, kind) in candidates(documents) {
            let compiled = Regex::new(&regex).map_err(|_| {
                Error::new(ErrorKind::Model, "a generated rule is not a valid regular expression")
            })?;
            let scored = score(documents, &compiled, kind);
            if scored.precision() >= PRECISION {
                kept.push(Scored { regex, kind, ..scored });
            }
        }
        kept.sort_by(|a, b| {
            b.precision()
                .total_cmp(&a.precision())
                .then(b.right.len().cmp(&a.right.len()))
                .then(a.regex.cmp(&b.regex))
        });
        let mut known: BTreeSet<(usize, usize)> = BTreeSet::new();
        kept.retain(|rule| {
            let new = rule.right.iter().filter(|place| !known.contains(*place)).count();
            if new >= NEW {
                known.extend(&rule.right);
            }
            new >= NEW
        });
        let rules = kept.into_iter().map(|rule| {
            #[allow(clippy::cast_possible_truncation)]
            let precision = rule.precision() as f32;
            let found = u32::try_from(rule.right.len()).unwrap_or(u32::MAX);
            Rule { kind: scheme.kinds()[rule.kind].clone(), regex: rule.regex, precision, found }
        });
        let rules = Self::new(rules.collect())?;
        let verdicts = documents.iter().map(|(tokens, _)| rules.values(tokens)).collect();
        Ok((rules, verdicts))
    }
}

struct Scored {
    regex: String,
    kind: usize,
    /// Documents and tokens at which it was right.
    right: Vec<(usize, usize)>,
    matched: usize,
}

impl Scored {
    fn precision(&self) -> f64 {
        if self.matched == 0 { 0.0 } else { self.right.len() as f64 / self.matched as f64 }
    }
}

/// How often an expression finds exactly a value of its kind.
fn score(documents: &[(Tokens<'_>, Vec<Run>)], regex: &Regex, kind: usize) -> Scored {
    let mut scored = Scored { regex: String::new(), kind, right: Vec::new(), matched: 0 };
    for (number, (tokens, runs)) in documents.iter().enumerate() {
        let gold: HashMap<usize, &Run> = runs.iter().map(|run| (run.tokens.start, run)).collect();
        for sequence in tokens.sequences.iter().filter(|sequence| !sequence.is_empty()) {
            for value in matches(regex, tokens.text, line(tokens, sequence.clone())) {
                let Some(covered) = tokens.covered(value) else { continue };
                scored.matched += 1;
                if gold.get(&covered.start).is_some_and(|run| run.tokens == covered && run.kind == kind) {
                    scored.right.push((number, covered.start));
                }
            }
        }
    }
    scored
}

/// The text of a sequence.
fn line(tokens: &Tokens<'_>, sequence: std::ops::Range<usize>) -> Span {
    tokens.spans[sequence.start].join(tokens.spans[sequence.end - 1])
}

fn matches<'t>(regex: &'t Regex, text: &'t str, line: Span) -> impl Iterator<Item = Span> + 't {
    regex.captures_iter(line.of(text)).filter_map(move |found| {
        let value = found.name("v")?;
        Some(Span::new(line.start + value.start(), line.start + value.end()))
    })
}

/// Expressions made from values and what stands around them, those from the most documents first.
fn candidates(documents: &[(Tokens<'_>, Vec<Run>)]) -> Vec<(String, usize)> {
    let mut support: BTreeMap<(String, usize), BTreeSet<usize>> = BTreeMap::new();
    for (number, (tokens, runs)) in documents.iter().enumerate() {
        for run in runs {
            let sequence = tokens.sequences.iter().find(|sequence| sequence.contains(&run.tokens.start));
            let Some(sequence) = sequence else { continue };
            for exact in [true, false] {
                let value = value(tokens, run, exact);
                let after = after(tokens, run.tokens.end, sequence.end);
                for words in 0..=3 {
                    let Some(before) = before(tokens, sequence.start, run.tokens.start, words) else {
                        continue;
                    };
                    let regex = format!("{before}(?P<v>{value}){after}");
                    support.entry((regex, run.kind)).or_default().insert(number);
                }
            }
        }
    }
    let mut candidates: Vec<((String, usize), usize)> = support
        .into_iter()
        .map(|(rule, documents)| (rule, documents.len()))
        .filter(|(_, documents)| *documents >= SUPPORT)
        .collect();
    candidates.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    candidates.into_iter().take(CANDIDATES).map(|(rule, _)| rule).collect()
}

/// Not in the middle of a word. A sign is taken along, because a look at both sides (`\b`) is slow.
const APART_BEFORE: &str = "(?:^|[^A-Za-z0-9À-ɏ])";
const APART_AFTER: &str = "(?:$|[^A-Za-z0-9À-ɏ])";

/// The words before a value as they are written; nothing if there are not so many.
fn before(tokens: &Tokens<'_>, start: usize, value: usize, words: usize) -> Option<String> {
    let from = value.checked_sub(words).filter(|from| *from >= start)?;
    let mut regex = if words == 0 { APART_BEFORE.to_owned() } else { "(?i:".to_owned() };
    for token in from..value {
        regex.push_str(&regex::escape(tokens.word(token)));
        regex.push_str(r"\s*");
    }
    if words > 0 {
        regex.push(')');
    }
    Some(regex)
}

fn after(tokens: &Tokens<'_>, end: usize, line: usize) -> String {
    if end >= line {
        return "$".to_owned();
    }
    let next = tokens.word(end);
    if next.starts_with(char::is_alphanumeric) {
        APART_AFTER.to_owned()
    } else {
        format!(r"\s*{}", regex::escape(next))
    }
}

/// How a value is written: words by their shape, numbers by their digits, signs as they are. Small words
/// stay as they are where the form is exact.
fn value(tokens: &Tokens<'_>, run: &Run, exact: bool) -> String {
    const CAPITAL: &str = "[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ɏ]+";
    let mut regex = String::new();
    let mut last = "";
    for token in run.tokens.clone() {
        let word = tokens.word(token);
        let apart = token > run.tokens.start && tokens.spans[token - 1].end < tokens.spans[token].start;
        let first = word.chars().next().unwrap_or(' ');
        let piece: String = if first.is_numeric() {
            if exact { format!("[0-9]{{{}}}", word.chars().count()) } else { "[0-9]+".to_owned() }
        } else if first.is_uppercase() && word.chars().count() > 1 {
            CAPITAL.to_owned()
        } else if first.is_uppercase() {
            "[A-ZÀ-ÖØ-Þ]".to_owned()
        } else if first.is_alphabetic() {
            if exact { regex::escape(word) } else { "[a-zß-öø-ÿ]+".to_owned() }
        } else {
            regex::escape(word)
        };
        let several = format!(r"(?:\s{CAPITAL}){{0,4}}");
        if piece == CAPITAL && last == CAPITAL && apart {
            // One or more names: written once, they may be repeated.
            if !regex.ends_with(&several) {
                regex.push_str(&several);
            }
            continue;
        }
        if apart {
            regex.push_str(r"\s+");
        }
        regex.push_str(&piece);
        if piece == CAPITAL && !exact {
            regex.push_str(&several);
        }
        last = if piece == CAPITAL { CAPITAL } else { "" };
    }
    regex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tokens::Unit;
    use crate::{Document, Language, Layers};

    fn documents(texts: &[Document]) -> Vec<(Tokens<'_>, Vec<Run>)> {
        texts
            .iter()
            .map(|document| {
                let tokens = Tokens::new(document, &Layers::new(Language::Spanish), Unit::Line);
                // The name after `Nombre:`.
                let colon = tokens.spans.iter().position(|span| span.of(tokens.text) == ":").unwrap();
                let runs = vec![Run { tokens: colon + 1..tokens.spans.len() - 1, kind: 0 }];
                (tokens, runs)
            })
            .collect()
    }

    fn learn() -> Rules {
        let texts: Vec<Document> = ["Ana", "Ernesto", "Luis Miguel", "María Isabel", "Pedro", "Juan José"]
            .iter()
            .map(|name| Document::plain("d", format!("Nombre: {name}.")))
            .collect();
        let scheme = Scheme::new(["NAME".to_owned()]).unwrap();
        Rules::learn(&documents(&texts), &scheme).unwrap().0
    }

    #[test]
    fn learns_the_field_and_the_form() {
        let rules = learn();
        assert!(!rules.rules().is_empty());
        let document = Document::plain("d", "NOMBRE: Teresa.");
        let tokens = Tokens::new(&document, &Layers::new(Language::Spanish), Unit::Line);
        let values = rules.values(&tokens);
        assert!(values[2] != 0 && values[0] == 0 && values[3] == 0);
    }

    #[test]
    fn leaves_other_fields_alone() {
        let document = Document::plain("d", "Hospital: 3 camas, diagnóstico de lupus");
        let tokens = Tokens::new(&document, &Layers::new(Language::Spanish), Unit::Line);
        assert!(learn().values(&tokens).iter().all(|value| *value == 0));
    }

    #[test]
    fn refuses_a_rule_that_is_no_expression() {
        let rule = Rule { kind: "A".into(), regex: "(".into(), precision: 1.0, found: 1 };
        assert!(Rules::new(vec![rule]).is_err());
    }
}
