//! Writing what a changed table says into a document.

use std::collections::HashMap;

use reticent_text::{Document, OffsetUnit, Offsets};

use super::changed::ChangedRow;
use super::{Extractor, MapRow, Said, said};
use crate::plan::choose::{self, Wish};
use crate::plan::{Plan, PlanFile};
use crate::policy::{Role, Subject};
use crate::protect::{self, ROUNDS, sha256};
use crate::release::{self, Released};
use crate::verify::{Against, Severity, against_original};
use crate::{Entity, EntityType, Error, ErrorKind, Evidence};

impl Extractor {
    /// Releases a document in which each mention says what the changed table says of its value.
    ///
    /// `row` is what the map keeps of the document, `changed` what the table now says. The document is
    /// searched again, and refused if it is not the one that was extracted.
    pub fn write_back(
        &self,
        document: &mut Document,
        source: &[u8],
        subjects: &[Subject],
        row: &MapRow,
        changed: &ChangedRow,
    ) -> Result<(Released, Plan), Error> {
        let checksum = sha256(source);
        if checksum != row.sha256 {
            return Err(refused("the document has changed since the table was extracted", document));
        }
        let values = self.said(document, subjects)?;
        if !self.is_same(&values, row, document) {
            return Err(refused(
                "the entities found in the document differ from those in the extracted table",
                document,
            ));
        }
        let (base, document) = (self.wishes(values, changed, document), &*document);
        let policy = self.protector.policy();
        let subjects = self.protector.all_subjects(subjects);
        let settings = self.protector.settings(document, &subjects)?;
        let mut more: Vec<Entity> = Vec::new();
        let mut left = Vec::new();
        for _ in 0..ROUNDS {
            let besides = more.iter().map(|entity| (entity.clone(), self.unforeseen(entity)));
            let wishes = base.iter().map(|(entity, wish)| (entity.clone(), wish.clone())).chain(besides);
            let plan = Plan {
                document: document.id().to_owned(),
                sha256: checksum.clone(),
                policy: policy.id(),
                unknown: self.protector.unknown(document, &subjects)?,
                decisions: choose::as_wished(document, wishes.collect(), &settings)
                    .map_err(|error| error.in_document(document.id()))?,
                deviations: Vec::new(),
            };
            if plan.needs_review() {
                let what = "the policy requires review of some identifiers in this document";
                return Err(Error::new(ErrorKind::Violation, what)
                    .with_hint("remove their types from `review.require_types`, and set `detect.unplaced_names = \"mask\"`")
                    .in_document(document.id()));
            }
            let (released, found) = release::carry_out(document, &plan)?;
            left = self.protector.leftovers(document, &plan, &released, found, &subjects)?;
            if left.is_empty() {
                check(document, &plan, &released)?;
                return Ok((released, plan));
            }
            let new = left.iter().filter(|left| !left.finding.span.is_empty());
            more.extend(new.map(|left| Entity::of(&left.finding)));
        }
        Err(protect::violation(document, &left))
    }

    /// Whether the document says the same, at the same places, as when the table was made.
    fn is_same(&self, values: &[Said], row: &MapRow, document: &Document) -> bool {
        let offsets = Offsets::new(document.text(), OffsetUnit::Chars);
        let values = values.iter().filter(|said| self.role(&said.entity_type) != Role::Insensitive);
        let now = values.map(|said| {
            let spans: Vec<(usize, usize)> =
                said.spans().into_iter().map(|span| offsets.outside(span)).collect();
            (said.entity_type.clone(), spans)
        });
        now.eq(row.values.iter().cloned())
    }

    /// What the table wants said of each entity.
    fn wishes(&self, values: Vec<Said>, changed: &ChangedRow, document: &Document) -> Vec<(Entity, Wish)> {
        let (text, language) = (document.text(), document.language());
        let mut counts: HashMap<EntityType, usize> = HashMap::new();
        let mut wishes = Vec::new();
        for value in values {
            let count = counts.entry(value.entity_type.clone()).or_default();
            let at = *count;
            *count += 1;
            let role = self.role(&value.entity_type);
            let told = changed.said(&value.entity_type, at);
            let kept = told.is_some_and(|told| said::same(&value.entity_type, &value.text, told, language));
            for entity in value.entities {
                let wish = match (role, told) {
                    (Role::Insensitive, _) if !is_wanted_masked(&entity) => Wish::AsWritten,
                    (Role::Identifier | Role::Insensitive, None) => Wish::Masked,
                    (Role::QuasiIdentifier | Role::Confidential, None) => Wish::Suppressed,
                    (Role::QuasiIdentifier | Role::Confidential, Some(_))
                        if kept && !is_wanted_masked(&entity) =>
                    {
                        Wish::AsWritten
                    }
                    (_, Some(_)) if kept => Wish::Masked,
                    (_, Some(told)) => Wish::Words(
                        entity
                            .mentions
                            .iter()
                            .map(|mention| {
                                said::words(&value.entity_type, text, mention.span, told, language)
                            })
                            .collect(),
                    ),
                };
                wishes.push((entity, wish));
            }
        }
        wishes.sort_by_key(|(entity, _)| entity.mentions[0].span);
        wishes
    }

    /// What no table speaks of, because it was found only in the changed text.
    fn unforeseen(&self, entity: &Entity) -> Wish {
        if self.role(&entity.entity_type) == Role::Identifier { Wish::Masked } else { Wish::Suppressed }
    }
}

/// Whether the policy asks for it by name: no table keeps it.
fn is_wanted_masked(entity: &Entity) -> bool {
    let evidence = entity.mentions.iter().flat_map(|mention| &mention.evidence);
    evidence.into_iter().any(|why| matches!(why, Evidence::Subject { .. } | Evidence::Listed))
}

/// The independent look: only planned spans changed, and nothing masked stands elsewhere.
fn check(document: &Document, plan: &Plan, released: &Released) -> Result<(), Error> {
    let file = PlanFile::new(plan, document, OffsetUnit::Bytes);
    let again = Document::plain(document.id(), released.text());
    let against =
        Against { original: document, plan: &file, max_replacement_chars: usize::MAX, by_table: true };
    let problems = against_original(&again, &against)?;
    if problems.iter().any(|problem| problem.severity == Severity::Violation) {
        let what =
            "the changed text would still contain values that the table suppresses; nothing was released";
        return Err(Error::new(ErrorKind::Violation, what).in_document(document.id()));
    }
    Ok(())
}

fn refused(what: &str, document: &Document) -> Error {
    Error::new(ErrorKind::Plan, what).with_hint("extract the table again").in_document(document.id())
}
