//! From documents to a table, and back into the documents.
//!
//! A collection of documents is a sparse table: a row for each document, a column for each type of
//! entity that any of them mentions, with its [`Role`] in disclosure control. Methods for tables
//! (k-anonymity, microaggregation, ours or others') change it, and what they made of each value is
//! written in the place of each of its mentions.
//!
//! ```text
//! documents ─extract→ table + schema + map ─(any table method)→ changed table
//! documents + map + changed table ─write back→ released documents
//! ```
//!
//! **A cell is a set.** Several values of a type in one document stand in one cell, distinct, in the
//! order of their first mention, joined with ` | ` (an array in JSONL). Numbered columns would line up
//! the second date of one document with the second of another, which have nothing to do with each
//! other; a set is what joint anonymity of tables and texts compares. An empty cell: not mentioned.
//!
//! **Values compare.** Dates are written as `1962-07-03`, `1962-07`, `1962` or `1960s`, ages as whole
//! years; what cannot be read for sure, and all else, is written as the document has it. Mentions of
//! one thing (by case, spacing, or a part of a name) are one value, and so are two ways of writing one
//! date.
//!
//! **Rows are bound to documents.** A row is named by a keyed fingerprint of its document, whose key only the
//! map holds: a table of another run, or one whose rows were renumbered, is refused as a whole.
//!
//! **Fail closed.** A changed table says what is released. A row that it lacks is a document that is
//! not released; a cell that is empty or `*` is suppressed; a column that it lacks is suppressed
//! everywhere. Identifiers are suppressed unless the table says other words for them. What does not fit
//! is refused, by row and column, never by value.

pub(crate) mod cell;
mod changed;
pub(crate) mod map;
mod said;
mod schema;
mod table;
pub(crate) mod value;
mod write_back;

use std::collections::{BTreeMap, BTreeSet};

use reticent_text::{Document, Span};

pub use changed::{ChangedRow, ChangedTable};
pub use map::{Map, MapRow};
pub use schema::{Column, Kind, Schema};
pub use table::{Table, TableFormat};

use crate::detect::registry;
use crate::policy::{Role, Subject};
use crate::protect::sha256;
use crate::resolve::is_learnt_of_figures;
use crate::{Entity, EntityType, Error, ErrorKind, Finding, Protector};

/// Reads the values out of documents, and writes others back. Made once, used for many documents.
///
/// ```
/// use reticent::extract::{Extractor, Table, TableFormat};
/// use reticent::{Policy, Protector};
/// use reticent_text::Document;
///
/// let extractor = Extractor::new(Protector::new(Policy::preset("basic")?, None)?);
/// let text = "Write to ana@example.org, born on 3 July 1962, aged 61.";
/// let mut letter = Document::plain("letter", text);
/// let extract = extractor.extract("letter", &mut letter, text.as_bytes(), &[])?;
/// let table = Table::new(vec![extract], &extractor)?;
/// let csv = table.to_text(TableFormat::Csv)?;
/// assert!(csv.starts_with("id,EMAIL_ADDRESS,AGE,DATE_TIME\n"));
/// assert!(csv.ends_with(",ana@example.org,61,1962-07-03\n"));
/// # Ok::<(), reticent::Error>(())
/// ```
pub struct Extractor {
    protector: Protector,
    roles: BTreeMap<EntityType, Role>,
}

/// The values extracted from one document, by type.
#[derive(Clone)]
pub struct Extract {
    /// The name of the document, which is the name of its row.
    pub id: String,
    /// The SHA-256 of its source, in hexadecimal.
    pub sha256: String,
    /// Its values, in the order of their first mention.
    pub values: Vec<Value>,
}

/// One value and where it is mentioned.
#[derive(Clone)]
pub struct Value {
    /// The type.
    pub entity_type: EntityType,
    /// As tables compare it.
    pub text: String,
    /// Where it is mentioned, in code points of the text.
    pub mentions: Vec<(usize, usize)>,
}

/// Shows how many, not what.
impl std::fmt::Debug for Extract {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Extract")
            .field("id", &self.id)
            .field("values", &self.values.len())
            .finish_non_exhaustive()
    }
}

/// Shows the type, not the text.
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Value").field("type", &self.entity_type).finish_non_exhaustive()
    }
}

/// A value with the entities that say it.
struct Said {
    entity_type: EntityType,
    text: String,
    entities: Vec<Entity>,
}

impl Extractor {
    /// With the policy's detectors and roles.
    pub fn new(protector: Protector) -> Self {
        Self { protector, roles: BTreeMap::new() }
    }

    /// The same with other roles for these types than the policy's. A type that nothing finds is
    /// refused.
    pub fn with_roles(mut self, roles: BTreeMap<EntityType, Role>) -> Result<Self, Error> {
        let types = self.types();
        if let Some(unknown) = roles.keys().find(|kind| !types.contains(*kind)) {
            let error = Error::new(ErrorKind::Policy, format!("no detector finds the type `{unknown}`"));
            let near = crate::policy::closest(unknown.as_str(), types.iter().map(EntityType::as_str));
            return Err(match near {
                Some(best) => error.with_hint(format!("did you mean `{best}`?")),
                None => error.with_hint("`reticent detectors` lists the types; an NER model can add its own"),
            });
        }
        self.roles.extend(roles);
        Ok(self)
    }

    /// The policy with its detectors.
    pub fn protector(&self) -> &Protector {
        &self.protector
    }

    /// What values of a type are.
    pub fn role(&self, entity_type: &EntityType) -> Role {
        let own = self.roles.get(entity_type).copied();
        own.unwrap_or_else(|| self.protector.policy().role(entity_type))
    }

    /// Extracts the values of a document, by type. `id` names its row; `source` holds its bytes.
    pub fn extract(
        &self,
        id: &str,
        document: &mut Document,
        source: &[u8],
        subjects: &[Subject],
    ) -> Result<Extract, Error> {
        let said = self.said(document, subjects)?;
        let values = said.iter().filter(|said| self.role(&said.entity_type) != Role::Insensitive);
        let offsets = reticent_text::Offsets::new(document.text(), reticent_text::OffsetUnit::Chars);
        let values = values.map(|said| Value {
            entity_type: said.entity_type.clone(),
            text: said.text.clone(),
            mentions: said.spans().into_iter().map(|span| offsets.outside(span)).collect(),
        });
        Ok(Extract { id: id.to_owned(), sha256: sha256(source), values: values.collect() })
    }

    /// The values of a document, in the order of their first mention.
    fn said(&self, document: &mut Document, subjects: &[Subject]) -> Result<Vec<Said>, Error> {
        let (mut entities, findings) = self.protector.found(document, subjects)?;
        let text = document.text();
        self.identifiers_first(text, &mut entities, &findings);
        let mut said: Vec<Said> = Vec::new();
        let mut known: BTreeMap<(EntityType, String), usize> = BTreeMap::new();
        for entity in entities {
            let value = value::of(&entity, text, document.language());
            let key = (entity.entity_type.clone(), value::folded(&value));
            if let Some(at) = known.get(&key) {
                said[*at].entities.push(entity);
                continue;
            }
            known.insert(key, said.len());
            said.push(Said { entity_type: entity.entity_type.clone(), text: value, entities: vec![entity] });
        }
        Ok(said)
    }

    /// Findings that overlap are one entity, of the type of the more certain. Where an identifier sticks out
    /// of what made it a quasi-identifier (`Ana Ruiz May 1970`, a name and a date), it is an identifier:
    /// else a table that keeps the date would keep the name.
    fn identifiers_first(&self, text: &str, entities: &mut [Entity], findings: &[Finding]) {
        let counts = |finding: &&Finding| finding.score >= self.protector.policy().min_score();
        let named = |finding: &&Finding| {
            self.role(&finding.entity_type) == Role::Identifier && !is_learnt_of_figures(text, finding)
        };
        let identifiers: Vec<&Finding> = findings.iter().filter(counts).filter(named).collect();
        for entity in entities.iter_mut().filter(|entity| self.role(&entity.entity_type) != Role::Identifier)
        {
            let own = findings.iter().filter(|finding| finding.entity_type == entity.entity_type);
            let own: Vec<Span> = own.map(|finding| finding.span).collect();
            let sticks_out = |finding: &Finding| {
                let overlaps = |span: Span| span.start < finding.span.end && finding.span.start < span.end;
                entity.mentions.iter().any(|mention| overlaps(mention.span))
                    && !own.iter().any(|span| span.contains(finding.span))
            };
            let strongest = identifiers
                .iter()
                .filter(|finding| sticks_out(finding))
                .max_by(|a, b| a.score.total_cmp(&b.score).then_with(|| b.entity_type.cmp(&a.entity_type)));
            if let Some(identifier) = strongest {
                entity.entity_type = identifier.entity_type.clone();
                entity.identifies = identifier.identifies;
            }
        }
    }

    fn types(&self) -> BTreeSet<EntityType> {
        let policy = self.protector.policy();
        let patterns = policy.patterns().iter().map(|pattern| pattern.entity_type().clone());
        let denied = policy.deny().iter().map(|deny| deny.entity_type().clone());
        let subjects = policy.subjects().iter().map(|subject| subject.entity_type().clone());
        let labelled = self.protector.labellers().iter().flat_map(|labeller| labeller.types());
        registry::types().into_iter().chain(patterns).chain(denied).chain(subjects).chain(labelled).collect()
    }
}

impl Said {
    fn spans(&self) -> Vec<Span> {
        let mentions = self.entities.iter().flat_map(|entity| &entity.mentions);
        let mut spans: Vec<Span> = mentions.map(|mention| mention.span).collect();
        spans.sort_unstable();
        spans
    }
}
