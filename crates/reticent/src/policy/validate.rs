//! Validation of policy files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use reticent_text::Language;
use reticent_text::format::Limits;
use sha2::{Digest, Sha256};

use crate::detect::pattern::{Pattern, PatternFile};
use crate::detect::{ListedDetector, SubjectDetector, registry};
use crate::mask::levels_of;
use crate::policy::{Allow, Deny, Policy, PolicyFile, Role, Subject, closest};
use crate::{EntityType, Error, ErrorKind, Operator};

pub(super) fn check(file: PolicyFile) -> Result<Policy, Error> {
    let rules_fingerprint = fingerprint(&without_names(file.clone()))?;
    let fingerprint = fingerprint(&file)?;
    let patterns = own_patterns(&file)?;
    check_names(&file, &patterns)?;
    let subjects: Vec<Subject> =
        file.subjects.iter().cloned().map(Subject::from_file).collect::<Result<_, _>>()?;
    let allow = Allow::new(&file.detect.allow, &file.detect.allow_regex)?;
    let deny: Vec<Deny> = file.detect.deny.iter().map(Deny::new).collect::<Result<_, _>>()?;
    check_contradictions(&file, &subjects, &allow)?;

    let types = known_types(&file, &patterns);
    let mut masks = BTreeMap::new();
    let mut default_mask = Operator::Label;
    for (name, mask) in file.masks {
        if name == "default" {
            let settings = matches!(
                mask.0,
                Operator::Generalize { finest: Some(_), .. } | Operator::Generalize { top: Some(_), .. }
            );
            if settings || matches!(mask.0, Operator::Shift { .. }) {
                return Err(Error::new(ErrorKind::Policy, "the default mask must apply to every type")
                    .with_hint("choose label, suppress, pseudonym, hash, encrypt, characters or keep"));
            }
            default_mask = mask.0;
            continue;
        }
        let entity_type = known_type(&name, &types)?;
        check_operator(&entity_type, &mask.0)?;
        masks.insert(entity_type, mask.0);
    }
    let detect = &file.detect;
    for entity_type in file.review.require_types.iter().chain(&detect.ignore_types).chain(&detect.only_types)
    {
        known_type(entity_type.as_str(), &types)?;
    }
    for entity_type in file.roles.keys() {
        check_role(entity_type, &types)?;
    }
    let related = file.related.check()?;
    let disclosure = file.disclosure.check()?;
    let defaults = Limits::default();
    Ok(Policy {
        name: file.name.unwrap_or_else(|| "unnamed".to_owned()),
        language: file.language.as_deref().map(language).transpose()?,
        subjects,
        disabled: file.detect.disable.into_iter().collect(),
        ignored: file.detect.ignore_types.into_iter().collect(),
        only: file.detect.only_types.into_iter().collect(),
        min_score: share("detect.min_score", file.detect.min_score, 0.4)?,
        unplaced_names: file.detect.unplaced_names.unwrap_or_default(),
        allow,
        deny,
        related,
        disclosure,
        patterns,
        masks,
        default_mask,
        roles: file.roles,
        suggest_below: share("review.suggest_below", file.review.suggest_below, 0.6)?,
        require_types: file.review.require_types.into_iter().collect(),
        limits: Limits {
            max_bytes: file.limits.max_bytes.unwrap_or(defaults.max_bytes),
            max_row_bytes: file.limits.max_row_bytes.unwrap_or(defaults.max_row_bytes),
            max_depth: file.limits.max_depth.unwrap_or(defaults.max_depth),
            max_expanded: file.limits.max_expanded.unwrap_or(defaults.max_expanded),
            max_ratio: file.limits.max_ratio.unwrap_or(defaults.max_ratio),
        },
        max_replacement_chars: file.limits.max_replacement_chars.unwrap_or(200),
        fingerprint,
        rules_fingerprint,
    })
}

fn fingerprint(file: &PolicyFile) -> Result<String, Error> {
    let canonical = serde_json::to_vec(file)
        .map_err(|error| Error::new(ErrorKind::Policy, format!("cannot hash the policy: {error}")))?;
    Ok(crate::hex(&Sha256::digest(canonical)))
}

/// The same rules for subjects that are not named.
fn without_names(mut file: PolicyFile) -> PolicyFile {
    for subject in &mut file.subjects {
        subject.name.clear();
        subject.aliases.clear();
        subject.declined.clear();
    }
    file
}

/// The policy's patterns, compiled and held against their own examples.
fn own_patterns(file: &PolicyFile) -> Result<Vec<Arc<Pattern>>, Error> {
    let specs = PatternFile { patterns: file.patterns.clone(), ..PatternFile::default() };
    let patterns = specs.validate()?;
    for pattern in &patterns {
        pattern.compile()?;
        pattern.check_examples()?;
    }
    Ok(patterns)
}

fn check_names(file: &PolicyFile, patterns: &[Arc<Pattern>]) -> Result<(), Error> {
    let own: BTreeSet<&str> = patterns.iter().map(|pattern| pattern.name()).collect();
    if registry::names().any(|name| own.contains(name)) {
        return Err(Error::new(ErrorKind::Policy, "two patterns have the same name")
            .with_hint("`reticent detectors` lists the names in use"));
    }
    for name in &file.detect.disable {
        if [SubjectDetector::NAME, ListedDetector::NAME].contains(&name.as_str()) {
            return Err(Error::new(ErrorKind::Policy, format!("the detector `{name}` cannot be disabled"))
                .with_hint("remove its entries from `subjects` or `detect.deny`"));
        }
        if !own.contains(name.as_str()) && !registry::names().any(|known| known == name) {
            let error =
                Error::new(ErrorKind::Policy, format!("unknown detector `{name}` in `detect.disable`"));
            return Err(match closest(name, registry::names()) {
                Some(best) => error.with_hint(format!("did you mean `{best}`?")),
                None => error.with_hint("`reticent detectors` lists them all"),
            });
        }
    }
    Ok(())
}

fn check_contradictions(file: &PolicyFile, subjects: &[Subject], allow: &Allow) -> Result<(), Error> {
    let whole = |text: &str| allow.spans(text).iter().any(|span| span.len() == text.len());
    if file.detect.deny.iter().filter_map(|deny| deny.text.as_deref()).any(whole) {
        return Err(Error::new(ErrorKind::Policy, "the policy both allows and denies the same text")
            .with_hint("remove it from `detect.allow` or `detect.deny`"));
    }
    if subjects.iter().flat_map(Subject::names).any(whole) {
        return Err(Error::new(ErrorKind::Policy, "the policy protects a subject and allows its name")
            .with_hint("remove the name from `detect.allow`, or the subject"));
    }
    for entity_type in &file.review.require_types {
        if file.detect.ignore_types.contains(entity_type) {
            return Err(Error::new(
                ErrorKind::Policy,
                format!("the policy both ignores {entity_type} and requires its review"),
            ));
        }
    }
    Ok(())
}

fn known_types(file: &PolicyFile, patterns: &[Arc<Pattern>]) -> BTreeSet<EntityType> {
    let own = patterns.iter().map(|pattern| pattern.entity_type().clone());
    let denied = file.detect.deny.iter().map(|deny| deny.entity_type.clone());
    let subjects = file.subjects.iter().filter_map(|subject| subject.entity_type.clone());
    registry::types().into_iter().chain(own).chain(denied).chain(subjects).collect()
}

fn known_type(name: &str, types: &BTreeSet<EntityType>) -> Result<EntityType, Error> {
    if let Some(known) = types.iter().find(|known| known.as_str() == name) {
        return Ok(known.clone());
    }
    let error = Error::new(ErrorKind::Policy, format!("no detector finds the type `{name}`"));
    Err(match closest(name, types.iter().map(EntityType::as_str)) {
        Some(best) => error.with_hint(format!("did you mean `{best}`?")),
        None => error.with_hint("`reticent detectors` lists the types"),
    })
}

/// A labeller that is given later may find any type; what is almost a known one is a slip.
fn check_role(entity_type: &EntityType, types: &BTreeSet<EntityType>) -> Result<(), Error> {
    let name = entity_type.as_str();
    let usual = Role::usual(entity_type) != Role::Identifier;
    match closest(name, types.iter().map(EntityType::as_str)) {
        Some(best) if !usual && !types.contains(entity_type) => {
            Err(Error::new(ErrorKind::Policy, format!("no detector finds the type `{name}`"))
                .with_hint(format!("did you mean `{best}`?")))
        }
        _ => Ok(()),
    }
}

fn check_operator(entity_type: &EntityType, operator: &Operator) -> Result<(), Error> {
    match operator {
        Operator::Generalize { finest, top } => {
            let levels = levels_of(entity_type);
            if levels.is_empty() {
                return Err(Error::new(ErrorKind::Policy, format!("{entity_type} cannot be generalized"))
                    .with_hint("choose label, suppress, pseudonym, hash, encrypt, characters or keep"));
            }
            if let Some(finest) = finest
                && !levels.contains(&finest.as_str())
            {
                return Err(Error::new(ErrorKind::Policy, format!("{entity_type} has no level `{finest}`"))
                    .with_hint(format!("valid levels: {}", levels.join(", "))));
            }
            if top.is_some() && *entity_type != EntityType::AGE {
                return Err(Error::new(
                    ErrorKind::Policy,
                    format!("`top` applies to AGE only, not to {entity_type}"),
                ));
            }
        }
        Operator::Shift { max_days } => {
            if *entity_type != EntityType::DATE_TIME {
                return Err(Error::new(
                    ErrorKind::Policy,
                    format!("only DATE_TIME can be shifted, not {entity_type}"),
                ));
            }
            if *max_days == 0 {
                return Err(Error::new(ErrorKind::Policy, "`max_days` is 0: dates would not move")
                    .with_hint("use \"keep\" if dates may stay"));
            }
        }
        _ => {}
    }
    Ok(())
}

fn share(key: &str, given: Option<f32>, default: f32) -> Result<f32, Error> {
    match given.unwrap_or(default) {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err(Error::new(ErrorKind::Policy, format!("`{key}` must be between 0 and 1"))),
    }
}

fn language(code: &str) -> Result<Language, Error> {
    let plausible = (2..=3).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase());
    if plausible {
        return Ok(Language::from_code(code));
    }
    Err(Error::new(ErrorKind::Policy, format!("`{code}` is not a language code"))
        .with_hint("use \"en\", \"es\" or another two-letter code"))
}
