//! Names that must not be there.

use reticent_text::{Document, RegionKind, Span};

use super::view::{View, key};
use super::{Problem, Severity, keeps, token};
use crate::EntityType;
use crate::policy::{Policy, Subject};

const TITLES: &[&str] = &["mr", "mrs", "ms", "miss", "dr", "prof", "sr", "sra", "dra", "herr", "frau", "mme"];
const NAMING: &[&str] =
    &["author", "last_modified_by", "manager", "initials", "creator", "company", "publisher"];

/// Looks for names in the folded text.
pub(super) fn check(text: &str, policy: &Policy, subjects: &[Subject], problems: &mut Vec<Problem>) {
    let words = words(text);
    let mut keys: Vec<String> = Vec::new();
    if !policy.subjects().is_empty() || !subjects.is_empty() {
        keys.extend(words.iter().map(|word| key(word.of(text))));
    }
    for subject in policy.subjects().iter().chain(subjects) {
        for name in subject.names() {
            let name = View::of(name);
            let wanted: Vec<String> =
                self::words(name.text()).iter().map(|word| key(word.of(name.text()))).collect();
            let places = keys.windows(wanted.len()).zip(words.windows(wanted.len()));
            let found = places.filter(|(keys, _)| *keys == wanted).map(|(_, here)| here);
            let span = |here: &[Span]| here[0].join(here[here.len() - 1]);
            problems.extend(found.map(|here| {
                let kind = subject.entity_type().clone();
                Problem::at(Severity::Violation, span(here), kind, "the name of a subject")
            }));
        }
    }
    for deny in policy.deny() {
        let what = "a denied term";
        let found = deny.spans(text);
        problems.extend(
            found.map(|span| Problem::at(Severity::Violation, span, deny.entity_type().clone(), what)),
        );
    }
    if !keeps(policy, "PERSON") {
        problems.extend(titled(text, &words));
    }
}

/// Looks for properties of the file that name someone.
pub(super) fn check_properties(released: &Document, policy: &Policy, problems: &mut Vec<Problem>) {
    if !keeps(policy, "PERSON") {
        problems.extend(properties(released));
    }
}

/// `Dr. Ruiz`: a title with a capitalized word after it.
fn titled<'t>(text: &'t str, words: &'t [Span]) -> impl Iterator<Item = Problem> + 't {
    words.windows(2).filter_map(move |pair| {
        let (title, name) = (pair[0].of(text), pair[1].of(text));
        let gap = &text[pair[0].end..pair[1].start];
        let is_title =
            title.starts_with(char::is_uppercase) && TITLES.contains(&title.to_lowercase().as_str());
        let is_name = name.starts_with(char::is_uppercase) && name.chars().count() > 1;
        (is_title && is_name && matches!(gap, " " | ". " | "."))
            .then(|| Problem::at(Severity::Violation, pair[1], EntityType::PERSON, "a name after a title"))
    })
}

/// Properties of the file that name someone, and are neither empty nor our mark.
fn properties(released: &Document) -> Vec<Problem> {
    let text = released.text();
    let ours = token::spans(text);
    let named = released.regions().iter().filter(|region| {
        region.kind == RegionKind::Metadata
            && NAMING.contains(&region.name.as_str())
            && region.span.of(text).contains(char::is_alphanumeric)
            && !ours.iter().any(|own| own.contains(region.span))
            && !is_bare_mark(region.span.of(text))
    });
    let what = "a file property that names a person";
    named.map(|region| Problem::at(Severity::Violation, region.span, EntityType::PERSON, what)).collect()
}

/// A mark without its brackets, where a file has no room for them: the initials of a comment.
fn is_bare_mark(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_');
    text.len() - rest.len() >= 4 && rest.chars().all(|c| c == ' ' || c.is_ascii_digit())
}

fn words(text: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        match spans.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = at + c.len_utf8(),
            None => spans.push(Span::new(at, at + c.len_utf8())),
        }
    }
    spans
}
