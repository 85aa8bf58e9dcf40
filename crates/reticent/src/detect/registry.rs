//! The list of all detectors, from which help, `reticent detectors` and `reticent explain` are made.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::EntityType;
use crate::detect::pattern::{Pattern, builtin};
use crate::detect::{
    CorrelatedDetector, DisclosureDetector, InstitutionDetector, ListedDetector, MetadataDetector,
    NamesDetector, ProperNameDetector, RelatedDetector, SubjectDetector,
};

/// What there is to know of a detector.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The type that it finds; nothing where the policy decides.
    pub entity_type: Option<EntityType>,
    /// What it finds.
    pub finds: &'static str,
    /// Why that gives someone away.
    pub why: &'static str,
    /// What it takes for one wrongly.
    pub false_positives: &'static str,
    /// An example.
    pub example: &'static str,
}

const CODED: &[Entry] = &[
    Entry {
        name: SubjectDetector::NAME,
        entity_type: None,
        finds: "The names of the policy's subjects, in any case; for people also the parts of the name where they are capitalized, and the initial with the last name.",
        why: "It names whom the policy protects.",
        false_positives: "Another person with the same last name; a word that is also a name, at the start of a sentence.",
        example: "With the subject Tom Cruise: `Cruise`, `T. Cruise`, `TOM CRUISE`.",
    },
    Entry {
        name: ListedDetector::NAME,
        entity_type: None,
        finds: "The texts and expressions under `detect.deny` of the policy.",
        why: "The owner of the document said so.",
        false_positives: "None, unless an expression matches more than was meant.",
        example: "deny = [{ text = \"Project Falcon\", type = \"PROJECT\" }]",
    },
    Entry {
        name: MetadataDetector::NAME,
        entity_type: None,
        finds: "Author, last editor, manager and company in the properties of a file, in its comments and in its tracked changes, and the dates that go with them.",
        why: "Such a field names a person or an organization by its nature.",
        false_positives: "An author called `Administrator`.",
        example: "docProps/core.xml of a DOCX: <dc:creator>Ana Ruiz</dc:creator>",
    },
    Entry {
        name: NamesDetector::NAME,
        entity_type: None,
        finds: "People, places, organizations, durations, nationalities, religions and political groups, job titles and other names, by what was learnt from annotated English and Spanish texts.",
        why: "Names lead to a person; what someone is and does leads there together with other things.",
        false_positives: "A name of another kind (a company for a person), generic bodies such as `the Council`, names of laws and products.",
        example: "`Mr John Smith`, `London` and `actress`, in `Mr John Smith met a London actress`.",
    },
    Entry {
        name: InstitutionDetector::NAME,
        entity_type: Some(EntityType::ORGANIZATION),
        finds: "English names of institutions, whole, by the word that says what they are; and in brackets behind it what they are called in another language.",
        why: "A court, a prison or a hospital leads to a place, and to the people who were there.",
        false_positives: "Institutions that everyone knows.",
        example: "`Lublin Remand Centre`; `kammarrätten` in `the Court of Appeal (kammarrätten)`.",
    },
    Entry {
        name: ProperNameDetector::NAME,
        entity_type: Some(EntityType::NAME),
        finds: "Runs of proper nouns that no other detector could place.",
        why: "A name of a person, a place or an institution, alone or together with others, leads to a person.",
        false_positives: "Products, drugs, laws, and capitalized words at the start of a sentence.",
        example: "`Boston` in `She moved to Boston`.",
    },
    Entry {
        name: RelatedDetector::NAME,
        entity_type: None,
        finds: "What tells something of the policy's subjects. By the method `about`: names, numbers, what the subject is said to be, and phrases that are not common, in sentences about the subject. By `similar`: phrases whose vector is similar to that of the subject.",
        why: "Who knows the subject recognizes them by what they did, where and when, without any name.",
        false_positives: "Phrases that are rare but say nothing; sentences that do not tell whom they are about.",
        example: "With the subject Tom Cruise: `July 3, 1962`, `Top Gun (1986)` and `producer`; what is said of another actor in the same text stays.",
    },
    Entry {
        name: DisclosureDetector::NAME,
        entity_type: Some(EntityType::DETAIL),
        finds: "With an index of a corpus: terms, alone or together, that tell more of the policy's subjects than their `at_most` does. What is said instead is the most telling generalization that does not.",
        why: "Who knows the corpus infers the subject from its treatments, symptoms and companions.",
        false_positives: "Terms that are rare in the corpus and by chance stand with the subject.",
        example: "With the subject HIV and at most `virus`: `AIDS`, `antiretroviral therapy`; `month` stays.",
    },
    Entry {
        name: CorrelatedDetector::NAME,
        entity_type: Some(EntityType::DETAIL),
        finds: "With an index of a corpus: terms, alone or together, that tell more of what other detectors or another tool masked than was worth masking.",
        why: "What is masked is inferred from what stands around it.",
        false_positives: "Common words, if something very common was masked.",
        example: "With `acquired immunodeficiency syndrome` and `immune system` masked: `influenza` and `blood transfusion`.",
    },
];

/// All detectors: those of code first, then the patterns.
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

/// The detector whose name is most like this, if one is like it at all.
pub fn closest(name: &str) -> Option<&'static str> {
    crate::policy::closest(name, names())
}
