//! Applying a plan and checking the result.

use std::collections::{HashMap, HashSet};

use arcstr::ArcStr;
use reticent_text::format::rows::Row;
use reticent_text::format::{self, FormatKind};
use reticent_text::{Document, Edit, OffsetUnit, Offsets, Region, RegionKind, Source, Span};
use serde::Serialize;
use serde_json::{Value, json};

use crate::detect::SubjectDetector;
use crate::mask;
use crate::plan::{Decision, Plan, Review};
use crate::resolve::surface::{Form, Surfaces};
use crate::{EntityType, Error, ErrorKind, Evidence, Finding, Identifies, Policy};

/// An anonymized text that satisfies its policy. Only `carry_out` creates one, and only a `Released` can be written.
pub struct Released {
    id: String,
    text: String,
    edits: Vec<ReleasedEdit>,
    /// The words that must not come back, for the check of the written bytes.
    masked: Vec<(String, bool)>,
    /// How often they stand in what we say ourselves and tell nothing: in marks, as ends of ranges.
    harmless: usize,
}

/// An edit of the original text.
#[derive(Clone)]
pub struct ReleasedEdit {
    /// The replaced span in the original text, including adjacent words that had to agree.
    pub span: Span,
    /// The masked span in the original text.
    pub masked: Span,
    /// The replacement. Equal replacements share their text: an identifier may be repeated a million times.
    pub replacement: ArcStr,
    /// The span of the replacement in the released text.
    pub placed: Span,
    /// The type of the entity.
    pub entity_type: EntityType,
    /// The kind of identifier.
    pub identifies: Identifies,
    /// The name of the detector.
    pub detector: ArcStr,
    /// The estimated precision of such a finding, between 0 and 1.
    pub score: f32,
    /// Whether a changed table says so.
    by_table: bool,
}

/// A change as JSONL rows tell it.
#[derive(Serialize)]
struct EditRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    start: usize,
    end: usize,
    replacement: &'a str,
    #[serde(rename = "type")]
    entity_type: &'a EntityType,
    identifies: Identifies,
    detector: &'a str,
    score: f64,
}

impl std::fmt::Debug for Released {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Released")
            .field("id", &self.id)
            .field("edits", &self.edits.len())
            .finish_non_exhaustive()
    }
}

impl Released {
    /// Returns the name of the document.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the released text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the edits in text order.
    pub fn edits(&self) -> &[ReleasedEdit] {
        &self.edits
    }

    /// Writes the released file in the format of its source. The bytes are read again and searched for masked text
    /// before they are returned.
    pub fn to_file(
        &self,
        kind: FormatKind,
        document: &Document,
        bytes: &[u8],
        policy: &Policy,
    ) -> Result<Vec<u8>, Error> {
        let written = format::encode(kind, document, bytes, &self.plain_edits())
            .map_err(|error| Error::from(error).in_document(&self.id))?;
        let again = format::decode(kind, &self.id, &written, policy.limits())
            .map_err(|error| Error::from(error).in_document(&self.id))?;
        let surfaces = Surfaces::new(self.masked.iter().map(|(words, exact)| Form { words, exact: *exact }));
        if surfaces.find(again.text()).len() <= self.harmless {
            return Ok(written);
        }
        let what = "masked text would reappear in the written file; nothing was released";
        Err(Error::new(ErrorKind::Violation, what).in_document(&self.id))
    }

    /// Writes the released row, with its changes under `edits` and the masked spans under `spans`: an edit may
    /// include adjacent words, such as an article. Outside the main text, an edit names its field.
    pub fn to_row(&self, row: &Row, unit: OffsetUnit) -> Result<Vec<u8>, Error> {
        let regions = row.document.regions();
        let several = regions.iter().filter(|region| region.kind == RegionKind::Body).count() > 1;
        let secret = self.masked_names(row);
        // Offsets of the main text, and those of other fields, which stand apart for readers that know only the text.
        let (mut edits, mut spans) =
            (Vec::with_capacity(self.edits.len()), Vec::with_capacity(self.edits.len()));
        let (mut field_edits, mut field_spans) = (Vec::new(), Vec::new());
        for region in regions {
            let after = self.edits.partition_point(|edit| edit.span.end <= region.span.start);
            let inside = self.edits[after..].iter().take_while(|edit| edit.span.start < region.span.end);
            let inside: Vec<&ReleasedEdit> = inside.collect();
            if inside.is_empty() {
                continue;
            }
            let offsets = Offsets::new(region.span.of(row.document.text()), unit);
            let base = region.span.start;
            // An edit may go on in the next field: `Ana` and `Ruiz` in two of them are one name.
            let outside = |span: Span| {
                let (start, end) = (span.start.max(base), span.end.min(region.span.end));
                offsets.outside(Span::new(start - base, end - base))
            };
            let field = (several || region.kind == RegionKind::Field)
                .then(|| secret.iter().fold(region.name.clone(), |name, secret| name.replace(secret, "{}")));
            let of_region = |edit: &&&ReleasedEdit| region.span.overlaps(edit.masked);
            let (edits, spans) = match region.kind {
                RegionKind::Field => (&mut field_edits, &mut field_spans),
                _ => (&mut edits, &mut spans),
            };
            spans.extend(inside.iter().filter(of_region).map(|edit| {
                let (start, end) = outside(edit.masked);
                let mut span = vec![json!(start), json!(end), json!(edit.entity_type)];
                span.extend(field.as_ref().map(|field| json!(field)));
                Value::Array(span)
            }));
            edits.extend(inside.iter().map(|edit| {
                let (start, end) = outside(edit.span);
                EditRow {
                    field: field.clone(),
                    start,
                    end,
                    replacement: &edit.replacement,
                    entity_type: &edit.entity_type,
                    identifies: edit.identifies,
                    detector: &edit.detector,
                    score: rounded(edit.score),
                }
            }));
        }
        let json = |edits: &[EditRow<'_>]| {
            serde_json::to_string(edits)
                .map_err(|error| Error::new(ErrorKind::Format, format!("cannot write the edits: {error}")))
        };
        let mut extra = vec![("spans", Value::Array(spans).to_string()), ("edits", json(&edits)?)];
        if !field_edits.is_empty() {
            extra.push(("field_spans", Value::Array(field_spans).to_string()));
            extra.push(("field_edits", json(&field_edits)?));
        }
        row.encode_release(&self.plain_edits(), &extra, self.subject(row))
            .map_err(|error| Error::from(error).in_document(&self.id))
    }

    /// Names of JSON members that were masked, which the names of fields must not repeat.
    fn masked_names<'r>(&self, row: &'r Row) -> Vec<&'r str> {
        let names = row.document.regions().iter().filter(|region| region.name.ends_with("{}"));
        let masked = names.filter(|region| self.edits.iter().any(|edit| region.span.overlaps(edit.span)));
        masked.map(|region| region.span.of(row.document.text())).collect()
    }

    /// What the text calls the subject of the row, for the field that names them; nothing if it does not.
    fn subject(&self, row: &Row) -> &str {
        let text = row.document.text();
        let names = || self.edits.iter().filter(|edit| edit.detector == SubjectDetector::NAME);
        let whole = names().find(|edit| Some(edit.masked.of(text)) == row.subject.as_deref());
        let found = whole.or_else(|| names().find(|edit| edit.masked == edit.span));
        found.map_or("", |edit| edit.replacement.as_str())
    }

    fn plain_edits(&self) -> Vec<Edit> {
        self.edits
            .iter()
            .map(|edit| Edit { span: edit.span, replacement: edit.replacement.to_string() })
            .collect()
    }

    /// The released text as a document, its regions where they are now.
    pub(crate) fn document(&self, original: &Document) -> Document {
        let regions = original.regions().iter().map(|region| {
            let span = Span::new(self.place(region.span.start), self.place(region.span.end));
            Region { span, ..region.clone() }
        });
        let mut document = Document::new(
            self.id.clone(),
            self.text.clone(),
            Source::identity(&self.text),
            regions.collect(),
        );
        document.set_language(original.language());
        document
    }

    /// Where a place of the original text is now.
    fn place(&self, at: usize) -> usize {
        let after = self.edits.partition_point(|edit| edit.span.end <= at);
        let (from, to) = match after.checked_sub(1).map(|last| &self.edits[last]) {
            Some(edit) => (edit.span.end, edit.placed.end),
            None => (0, 0),
        };
        match self.edits.get(after) {
            Some(edit) if edit.span.start < at => edit.placed.start,
            _ => to + (at - from),
        }
    }

    /// What stood where our own replacements in a released span stand, in the original text.
    pub(crate) fn replaced(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        let first = self.edits.partition_point(|edit| edit.placed.end <= span.start);
        self.edits[first..].iter().take_while(move |edit| edit.placed.start < span.end).map(|edit| edit.span)
    }

    /// What of a released span is not our own replacement, in the original text.
    pub(crate) fn untouched(&self, span: Span) -> Vec<Span> {
        let mut left = Vec::new();
        let first = self.edits.partition_point(|edit| edit.placed.end <= span.start);
        let (mut from, mut base, mut placed) = match first.checked_sub(1).map(|last| &self.edits[last]) {
            Some(edit) => (span.start, edit.span.end, edit.placed.end),
            None => (span.start, 0, 0),
        };
        for edit in self.edits[first..].iter().take_while(|edit| edit.placed.start < span.end) {
            if edit.placed.start > from {
                left.push(Span::new(base + (from - placed), base + (edit.placed.start - placed)));
            }
            (from, base, placed) = (edit.placed.end.max(from), edit.span.end, edit.placed.end);
        }
        if span.end > from {
            left.push(Span::new(base + (from - placed), base + (span.end - placed)));
        }
        left
    }
}

fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1000.0).round() / 1000.0
}

/// What a released text still tells against the policy.
pub(crate) struct Leftover {
    /// What it is, in the original text; an empty span if only our own replacements say it.
    pub(crate) finding: Finding,
}

/// Carries out a plan, and finds which masked words survive. The caller decides what to do about
/// those; it must not write anything while there are any.
pub(crate) fn carry_out(document: &Document, plan: &Plan) -> Result<(Released, Vec<Leftover>), Error> {
    let text = document.text();
    let count = plan.decisions.iter().flat_map(|decision| decision.edits.iter().flatten()).count();
    let mut edits = Vec::with_capacity(count);
    let mut shared: HashMap<&str, ArcStr> = HashMap::new();
    for decision in &plan.decisions {
        for (mention, edit) in decision.entity.mentions.iter().zip(&decision.edits) {
            let Some(edit) = edit else { continue };
            let replacement = shared.entry(&edit.replacement);
            edits.push(ReleasedEdit {
                span: edit.span,
                masked: mention.span,
                replacement: replacement.or_insert_with(|| edit.replacement.as_str().into()).clone(),
                placed: edit.span,
                entity_type: decision.entity.entity_type.clone(),
                identifies: decision.entity.identifies,
                detector: mention.detector.clone(),
                score: mention.score,
                by_table: decision.level == Decision::AS_IN_TABLE,
            });
        }
    }
    edits.sort_unstable_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in &mut edits {
        let kept = text.get(done..edit.span.start).ok_or_else(|| {
            Error::new(ErrorKind::Plan, "two edits of the plan overlap").in_document(document.id())
        })?;
        out.push_str(kept);
        let start = out.len();
        out.push_str(&edit.replacement);
        edit.placed = Span::new(start, out.len());
        done = edit.span.end;
    }
    out.push_str(&text[done..]);

    let kept = |decision: &&Decision| decision.keeps() && decision.review == Review::Approved;
    let approved: HashSet<&str> = plan
        .decisions
        .iter()
        .filter(kept)
        .flat_map(|decision| decision.entity.mentions.iter().map(|mention| mention.span.of(text)))
        .collect();
    // Each form once: an identifier may be repeated a million times.
    let mut seen: HashSet<(&str, bool)> = HashSet::new();
    let mut masked: Vec<(&Decision, Form<'_>)> = Vec::new();
    for decision in plan.decisions.iter().filter(|decision| !decision.keeps()) {
        for mention in &decision.entity.mentions {
            let words = mention.span.of(text);
            let form = Form::of(words, &decision.entity.entity_type);
            if !approved.contains(words) && seen.insert((form.words, form.exact)) {
                masked.push((decision, form));
            }
        }
    }
    let mut released = Released {
        id: document.id().to_owned(),
        text: out,
        edits,
        masked: masked.iter().map(|(_, form)| (form.words.to_owned(), form.exact)).collect(),
        harmless: 0,
    };
    let kept = kept_mentions(plan);
    let mut left = Vec::new();
    for (index, span) in Surfaces::new(masked.iter().map(|(_, form)| *form)).find(&released.text) {
        let near = released.edits.partition_point(|edit| edit.placed.end < span.end);
        let said = released.edits.get(near).filter(|edit| edit.placed.contains(span));
        // A mark such as [UK_NHS] names a type; it does not bring the word NHS back.
        let tells_nothing = said.is_some_and(|edit| {
            let decision = masked[index].0;
            // A table may say a set of values with the one in it that stood here.
            let by_table = edit.by_table && decision.level == Decision::AS_IN_TABLE;
            let start = edit.placed.start;
            let stretch = Span::new(span.start - start, span.end - start);
            mask::is_in_mark(&edit.replacement, stretch) && !edit.by_table
                || mask::may_end_a_range(&decision.entity.entity_type, &edit.entity_type)
                || by_table && decision.entity.entity_type == edit.entity_type
        });
        if tells_nothing {
            released.harmless += 1;
            continue;
        }
        let mut spans = released.untouched(span);
        let entity_type = &masked[index].0.entity.entity_type;
        let may_stay = |span: &Span| plan.is_approved(*span) || is_in_coarser(&kept, *span, entity_type);
        if !spans.is_empty() && spans.iter().all(may_stay) {
            released.harmless += 1;
            continue;
        }
        if spans.is_empty() {
            spans.push(Span::new(0, 0));
        }
        left.extend(spans.into_iter().map(|span| Leftover { finding: again(masked[index].0, span) }));
    }
    Ok((released, left))
}

/// The mentions that stay because what they say is coarse enough, in text order, with their types.
fn kept_mentions(plan: &Plan) -> Vec<(Span, &EntityType)> {
    let mut kept: Vec<(Span, &EntityType)> = plan
        .decisions
        .iter()
        .filter(|decision| decision.level != Decision::AS_WRITTEN && decision.level != Decision::AS_IN_TABLE)
        .flat_map(|decision| {
            let mentions = decision.entity.mentions.iter().zip(&decision.edits);
            let kept = mentions.filter(|(_, edit)| edit.is_none());
            kept.map(|(mention, _)| (mention.span, &decision.entity.entity_type))
        })
        .collect();
    kept.sort_unstable_by_key(|(span, _)| *span);
    kept
}

/// Whether a span is part of a longer mention of the same type that stays: masking the year `1990` does not forbid the
/// decade `1990's`.
fn is_in_coarser(kept: &[(Span, &EntityType)], span: Span, entity_type: &EntityType) -> bool {
    let before = kept.partition_point(|(mention, _)| mention.start <= span.start);
    kept[..before].last().is_some_and(|(mention, kept_type)| {
        mention.contains(span) && *mention != span && *kept_type == entity_type
    })
}

/// The same entity, found at another place.
fn again(decision: &Decision, span: Span) -> Finding {
    let first = &decision.entity.mentions[0];
    Finding {
        span,
        entity_type: decision.entity.entity_type.clone(),
        identifies: decision.entity.identifies,
        detector: first.detector.clone(),
        score: first.score,
        evidence: Evidence::SameAs { detector: first.detector.clone() },
    }
}
