//! A pattern that has been checked.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::slice;
use std::sync::{Arc, OnceLock};

use arcstr::ArcStr;
use regex_automata::Input;
use regex_automata::meta::Regex;
use reticent_text::Span;

use super::context::{Context, floor_boundary};
use super::gate::{self, Reach};
use super::spec::{Example, PatternFile, PatternSpec};
use crate::detect::checksum::{self, Checksum};
use crate::{EntityType, Error, ErrorKind, Evidence, Finding, Identifies};

/// A pattern whose keys have all been checked. Its expression is compiled when it is first needed.
pub struct Pattern {
    spec: PatternSpec,
    /// The names that its findings share.
    name: ArcStr,
    proven: Option<ArcStr>,
    /// The expression, its pieces filled in.
    expression: String,
    reach: Reach,
    has_value: bool,
    checksum: Option<&'static Checksum>,
    regex: OnceLock<Option<Regex>>,
    unless_before: OnceLock<Option<Regex>>,
    unless_after: OnceLock<Option<Regex>>,
    context: OnceLock<Option<Context>>,
}

/// How far `unless_before` and `unless_after` look.
const NEIGHBOURHOOD: usize = 48;

impl PatternFile {
    /// Checks every pattern; the first fault is the error.
    pub fn validate(self) -> Result<Vec<Arc<Pattern>>, Error> {
        let define = self.define;
        let mut patterns: Vec<Arc<Pattern>> = Vec::with_capacity(self.patterns.len());
        for spec in self.patterns {
            if patterns.iter().any(|known| known.name() == spec.name) {
                return Err(fault(&spec.name, "name", "duplicate pattern name", "rename one of them"));
            }
            patterns.push(Arc::new(Pattern::new(spec, &define)?));
        }
        Ok(patterns)
    }
}

impl Pattern {
    /// Checks what was written. `define` has the pieces that stand as `{{name}}` in expressions,
    /// beside the built-in ones.
    pub fn new(mut spec: PatternSpec, define: &BTreeMap<String, String>) -> Result<Self, Error> {
        let name = spec.name.clone();
        let named = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !named {
            return Err(fault(
                &name,
                "name",
                "not a valid pattern name",
                "use lowercase letters, digits and hyphens",
            ));
        }
        for (key, score) in [
            ("score", Some(spec.score)),
            ("score_with_context", spec.score_with_context),
            ("score_without_checksum", spec.score_without_checksum),
        ] {
            if score.is_some_and(|score| !(score > 0.0 && score <= 1.0)) {
                return Err(fault(
                    &name,
                    key,
                    "not a valid score",
                    "use a number greater than 0 and at most 1",
                ));
            }
        }
        if spec.context.is_empty() && (spec.require_context || spec.score_with_context.is_some()) {
            return Err(fault(&name, "context", "missing", "list the context words of the pattern"));
        }
        let checksum = match &spec.checksum {
            None => None,
            Some(scheme) => Some(checksum::named(scheme).ok_or_else(|| {
                let known: Vec<&str> = checksum::CHECKSUMS.iter().map(|known| known.name).collect();
                let message = format!("unknown checksum `{scheme}`");
                fault(&name, "checksum", &message, &format!("one of: {}", known.join(", ")))
            })?),
        };
        if checksum.is_none() && spec.score_without_checksum.is_some() {
            let hint = "name the checksum that is allowed to fail";
            return Err(fault(&name, "score_without_checksum", "the pattern has no checksum", hint));
        }
        for word in spec.context.iter_mut().chain(&mut spec.never).chain(&mut spec.cut) {
            *word = word.to_lowercase();
        }
        let expression = super::catalogue::fill(&spec.regex, define).map_err(|piece| {
            fault(&name, "regex", &format!("the fragment `{piece}` is not defined"), "add it to [define]")
        })?;
        let hir = parse(&name, "regex", &expression)?;
        if hir.properties().minimum_len().is_none_or(|len| len == 0) {
            return Err(fault(
                &name,
                "regex",
                "the expression matches the empty string",
                "require at least one character",
            ));
        }
        for (key, side) in
            [("unless_before", &mut spec.unless_before), ("unless_after", &mut spec.unless_after)]
        {
            if let Some(text) = side {
                let filled = super::catalogue::fill(text, define).map_err(|piece| {
                    fault(&name, key, &format!("the fragment `{piece}` is not defined"), "add it to [define]")
                })?;
                *text =
                    if key == "unless_before" { format!("(?:{filled})$") } else { format!("^(?:{filled})") };
                parse(&name, key, text)?;
            }
        }
        let has_value = expression.contains("(?P<value>") || expression.contains("(?<value>");
        Ok(Self {
            reach: gate::derive(&hir),
            name: ArcStr::from(name),
            proven: checksum.map(|checksum| ArcStr::from(checksum.name)),
            spec,
            expression,
            has_value,
            checksum,
            regex: OnceLock::new(),
            unless_before: OnceLock::new(),
            unless_after: OnceLock::new(),
            context: OnceLock::new(),
        })
    }

    /// Its name, which is the detector's name in findings.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Its expression, with all pieces filled in.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// Returns the type of its findings.
    pub fn entity_type(&self) -> &EntityType {
        &self.spec.entity_type
    }

    /// Returns the kind of identifier of its findings.
    pub fn identifies(&self) -> Identifies {
        self.spec.identifies
    }

    /// Returns its specification: documentation, scores, context and examples.
    pub fn spec(&self) -> &PatternSpec {
        &self.spec
    }

    /// The checksum that its values must satisfy.
    pub fn checksum(&self) -> Option<&'static Checksum> {
        self.checksum
    }

    /// Compiles the expressions now instead of at the first text that needs them, so that an
    /// expression that grows too large is known when the policy is read.
    pub fn compile(&self) -> Result<(), Error> {
        self.regex().map(|_| ())?;
        self.context().map(|_| ())?;
        self.side("unless_before").map(|_| ())?;
        self.side("unless_after").map(|_| ())
    }

    /// Runs its examples.
    pub fn check_examples(&self) -> Result<(), Error> {
        for (number, Example { text, found }) in self.spec.matches.iter().enumerate() {
            let mut findings = Vec::new();
            self.find_in(text, slice::from_ref(&(0..text.len())), &mut findings)?;
            let values: Vec<&str> = findings.iter().map(|finding| finding.span.of(text)).collect();
            if values != [found.as_str()] {
                let message = format!("example {}: matches {values:?}, expected {found:?}", number + 1);
                return Err(fault(self.name(), "match", &message, "change the example or the expression"));
            }
        }
        for (number, text) in self.spec.no_match.iter().enumerate() {
            let mut findings = Vec::new();
            self.find_in(text, slice::from_ref(&(0..text.len())), &mut findings)?;
            if let Some(finding) = findings.first() {
                let message =
                    format!("example {}: matches {:?}, expected no match", number + 1, finding.span.of(text));
                return Err(fault(self.name(), "no_match", &message, "change the example or the expression"));
            }
        }
        Ok(())
    }

    /// Whether its expression has the label of the value in it.
    pub(super) fn is_labelled(&self) -> bool {
        self.has_value
    }

    pub(super) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// All findings in the windows of a text. The windows are in order and apart.
    pub(super) fn find_in(
        &self,
        text: &str,
        windows: &[Range<usize>],
        findings: &mut Vec<Finding>,
    ) -> Result<(), Error> {
        let regex = self.regex()?;
        let mut captures = None;
        for window in windows {
            let mut at = window.start;
            while at < window.end {
                let input = Input::new(text).range(at..window.end);
                let Some(whole) = regex.search(&input) else { break };
                let whole = whole.range();
                let mut value = whole.clone();
                if self.has_value {
                    let captures = captures.get_or_insert_with(|| regex.create_captures());
                    regex.search_captures(&input, captures);
                    if let Some(group) = captures.get_group_by_name("value") {
                        value = group.start..group.end;
                    }
                }
                let value = self.cut(text, value);
                if let Some(finding) = self.judge(text, &value)? {
                    findings.push(finding);
                    at = value.end.max(whole.start + 1);
                } else {
                    // What was rejected may hide a good one that begins inside it.
                    at = whole.start + 1;
                }
                while !text.is_char_boundary(at) {
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// The value up to the first word that is no longer part of it.
    fn cut(&self, text: &str, value: Range<usize>) -> Range<usize> {
        if self.spec.cut.is_empty() {
            return value;
        }
        let found = &text[value.clone()];
        let mut end = 0;
        for word in found.split_inclusive(char::is_whitespace) {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != 'º').to_lowercase();
            if self.spec.cut.contains(&bare) {
                break;
            }
            end += word.len();
        }
        value.start..value.start + found[..end].trim_end().len()
    }

    fn judge(&self, text: &str, value: &Range<usize>) -> Result<Option<Finding>, Error> {
        let spec = &self.spec;
        let found = &text[value.clone()];
        if found.is_empty() || (!spec.never.is_empty() && spec.never.contains(&found.to_lowercase())) {
            return Ok(None);
        }
        if let Some(regex) = self.side("unless_before")? {
            let start = floor_boundary(text, value.start.saturating_sub(NEIGHBOURHOOD));
            if regex.is_match(&text[start..value.start]) {
                return Ok(None);
            }
        }
        if let Some(regex) = self.side("unless_after")? {
            let end = floor_boundary(text, text.len().min(value.end + NEIGHBOURHOOD));
            if regex.is_match(&text[value.end..end]) {
                return Ok(None);
            }
        }
        let holds = self.checksum.map(|checksum| (checksum.holds)(found));
        if holds == Some(false) && spec.score_without_checksum.is_none() {
            return Ok(None);
        }
        let context = match self.context()? {
            Some(context) => context.stands_near(text, value.start, value.end, spec.context_words),
            None => false,
        };
        if spec.require_context && !context {
            return Ok(None);
        }
        let score = match (holds, context) {
            (Some(false), _) => spec.score_without_checksum.unwrap_or(spec.score),
            (_, true) => spec.score_with_context.unwrap_or(spec.score),
            (_, false) => spec.score,
        };
        let proven = self.proven.clone().filter(|_| holds == Some(true));
        Ok(Some(Finding {
            span: Span::new(value.start, value.end),
            entity_type: spec.entity_type.clone(),
            identifies: spec.identifies,
            detector: self.name.clone(),
            score,
            evidence: Evidence::Pattern { pattern: self.name.clone(), checksum: proven, context },
        }))
    }

    fn regex(&self) -> Result<&Regex, Error> {
        let compiled = self.regex.get_or_init(|| Regex::new(&self.expression).ok());
        compiled.as_ref().ok_or_else(|| too_large(self.name(), "regex"))
    }

    fn context(&self) -> Result<Option<&Context>, Error> {
        if self.spec.context.is_empty() {
            return Ok(None);
        }
        let compiled = self.context.get_or_init(|| Context::new(&self.spec.context).ok());
        compiled.as_ref().map(Some).ok_or_else(|| too_large(self.name(), "context"))
    }

    fn side(&self, key: &'static str) -> Result<Option<&Regex>, Error> {
        let (text, cell) = match key {
            "unless_before" => (&self.spec.unless_before, &self.unless_before),
            _ => (&self.spec.unless_after, &self.unless_after),
        };
        let Some(text) = text else { return Ok(None) };
        let compiled = cell.get_or_init(|| Regex::new(text).ok());
        compiled.as_ref().map(Some).ok_or_else(|| too_large(self.name(), key))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pattern")
            .field("name", &self.spec.name)
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}

fn parse(name: &str, key: &str, expression: &str) -> Result<regex_syntax::hir::Hir, Error> {
    regex_syntax::parse(expression).map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        fault(
            name,
            key,
            reason,
            "look-around and backreferences are not supported: they cannot be matched in linear time",
        )
    })
}

fn too_large(name: &str, key: &str) -> Error {
    fault(
        name,
        key,
        "the compiled expression is too large",
        "use smaller repetition counts or character classes",
    )
}

fn fault(pattern: &str, key: &str, message: &str, hint: &str) -> Error {
    Error::new(ErrorKind::Policy, format!("pattern `{pattern}`, key `{key}`: {message}")).with_hint(hint)
}
