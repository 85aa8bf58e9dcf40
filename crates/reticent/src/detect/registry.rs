//! The list of all detectors: the source of `reticent detectors` and `reticent explain`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::EntityType;
use crate::detect::pattern::{Pattern, builtin};
use crate::detect::{
    CorrelatedDetector, DisclosureDetector, InstitutionDetector, ListedDetector, MetadataDetector,
    NamesDetector, ProperNameDetector, RelatedDetector, SubjectDetector,
};

/// The documentation of a detector.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// The entity type that it finds, unless the policy decides.
    pub entity_type: Option<EntityType>,
    /// A description of its findings.
    pub finds: &'static str,
    /// The reason why they identify a person.
    pub why: &'static str,
    /// Typical false positives.
    pub false_positives: &'static str,
    /// An example.
    pub example: &'static str,
}

const CODED: &[Entry] = &[
    Entry {
        name: SubjectDetector::NAME,
        entity_type: None,
        finds: "The names of the policy's subjects, in upper or lower case; for people also capitalized parts of the name, and the initial with the last name.",
        why: "A direct identifier of a person or thing that the policy protects.",
        false_positives: "Another person with the same last name; an ordinary word that is also a name, at the start of a sentence.",
        example: "With the subject Tom Cruise: `Cruise`, `T. Cruise`, `TOM CRUISE`.",
    },
    Entry {
        name: ListedDetector::NAME,
        entity_type: None,
        finds: "The strings and regular expressions listed under `detect.deny` in the policy.",
        why: "The policy requires it.",
        false_positives: "None, unless an expression matches more than intended.",
        example: "deny = [{ text = \"Project Falcon\", type = \"PROJECT\" }]",
    },
    Entry {
        name: MetadataDetector::NAME,
        entity_type: None,
        finds: "Author, last editor, manager and company in the properties, comments and tracked changes of a file, and the dates recorded with them.",
        why: "These fields name a person or an organization by definition.",
        false_positives: "Generic authors such as `Administrator`.",
        example: "docProps/core.xml of a DOCX: <dc:creator>Ana Ruiz</dc:creator>",
    },
    Entry {
        name: NamesDetector::NAME,
        entity_type: None,
        finds: "People, places, organizations, durations, nationalities, religions and political groups, job titles and other names, found by NER models trained on annotated English and Spanish texts.",
        why: "A name is a direct identifier; nationality, occupation, place and employer are quasi-identifiers.",
        false_positives: "Names of the wrong type (a company tagged as a person), generic bodies such as `the Council`, names of statutes and products.",
        example: "`Mr John Smith`, `London` and `actress`, in `Mr John Smith met a London actress`.",
    },
    Entry {
        name: InstitutionDetector::NAME,
        entity_type: Some(EntityType::ORGANIZATION),
        finds: "English names of institutions, in full, recognized by their head noun; and the name in another language in parentheses after it.",
        why: "Quasi-identifier: a court, a prison or a hospital reveals a place and the people who were there.",
        false_positives: "Well-known institutions that identify nobody.",
        example: "`Lublin Remand Centre`; `kammarrätten` in `the Court of Appeal (kammarrätten)`.",
    },
    Entry {
        name: ProperNameDetector::NAME,
        entity_type: Some(EntityType::NAME),
        finds: "Sequences of proper nouns that no other detector could classify.",
        why: "The name of a person, a place or an institution identifies a person, alone or in combination.",
        false_positives: "Products, drugs, statutes, and capitalized words at the start of a sentence.",
        example: "`Boston` in `She moved to Boston`.",
    },
    Entry {
        name: RelatedDetector::NAME,
        entity_type: None,
        finds: "Quasi-identifiers of the policy's subjects. Method `about`: names, numbers, descriptions of the subject, and uncommon phrases, in sentences about the subject. Method `similar`: phrases whose word vector is similar to the subject's.",
        why: "A reader who knows the subject recognizes them by their actions, places and dates, without any name.",
        false_positives: "Phrases that are rare but not identifying; sentences whose topic is unclear.",
        example: "With the subject Tom Cruise: `July 3, 1962`, `Top Gun (1986)` and `producer`; facts about another actor in the same text stay.",
    },
    Entry {
        name: DisclosureDetector::NAME,
        entity_type: Some(EntityType::DETAIL),
        finds: "Requires a corpus index. Terms that, alone or in combination, reveal more about the policy's subjects than their `at_most` does. Each is replaced by the most specific generalization that does not.",
        why: "A reader who knows the corpus infers the subject from related terms, such as treatments and symptoms.",
        false_positives: "Terms that are rare in the corpus and co-occur with the subject by chance.",
        example: "With the subject HIV and at most `virus`: `AIDS`, `antiretroviral therapy`; `month` stays.",
    },
    Entry {
        name: CorrelatedDetector::NAME,
        entity_type: Some(EntityType::DETAIL),
        finds: "Requires a corpus index. Terms that, alone or in combination, reveal what other detectors or another tool have masked.",
        why: "A masked term can be inferred from the terms around it.",
        false_positives: "Common words, if a very common term was masked.",
        example: "With `acquired immunodeficiency syndrome` and `immune system` masked: `influenza` and `blood transfusion`.",
    },
];

/// All detectors: those written in Rust first, then the patterns.
pub fn entries() -> impl Iterator<Item = Entry> {
    CODED.iter().cloned().chain(builtin().iter().map(from_pattern))
}

/// The detector of that name.
pub fn entry(name: &str) -> Option<Entry> {
    entries().find(|entry| entry.name == name)
}

/// The names of all detectors.
pub fn names() -> impl Iterator<Item = &'static str> {
    CODED.iter().map(|entry| entry.name).chain(builtin().iter().map(|pattern| pattern.name()))
}

/// Every type that a detector can find.
pub fn types() -> BTreeSet<EntityType> {
    let coded = [
        EntityType::PERSON,
        EntityType::NAME,
        EntityType::ORGANIZATION,
        EntityType::LOCATION,
        EntityType::NRP,
        EntityType::WORK,
        EntityType::CHARACTER,
        EntityType::DETAIL,
        EntityType::JOB_TITLE,
        EntityType::LAW,
        EntityType::DURATION,
    ];
    coded.into_iter().chain(builtin().iter().map(|pattern| pattern.entity_type().clone())).collect()
}

fn from_pattern(pattern: &'static Arc<Pattern>) -> Entry {
    Entry {
        name: pattern.name(),
        entity_type: Some(pattern.entity_type().clone()),
        finds: &pattern.spec().finds,
        why: &pattern.spec().why,
        false_positives: &pattern.spec().false_positives,
        example: &pattern.spec().example,
    }
}

/// The detector with the most similar name, if any is similar.
pub fn closest(name: &str) -> Option<&'static str> {
    crate::policy::closest(name, names())
}
