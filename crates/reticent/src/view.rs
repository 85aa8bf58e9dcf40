//! The folded view that detectors read, and the way back from what they found to the original.

use reticent_text::{Document, Folded, OffsetUnit, Offsets, Span};

use crate::plan::{Plan, PlanFile};
use crate::{Entity, Error, ErrorKind, Evidence, Finding};

/// The folded view of a document.
pub(crate) struct View {
    /// The folded document, which everything is found and decided in.
    pub(crate) document: Document,
    folded: Folded,
}

impl View {
    /// The folded view; nothing if the text is its own.
    pub(crate) fn of(document: &Document) -> Option<Self> {
        let folded = Folded::new(document.text())?;
        Some(Self { document: folded.document(document), folded })
    }

    /// Gives the original the language and layers of its view.
    pub(crate) fn annotate(&self, original: &mut Document) {
        original.set_language(self.document.language());
        if let Some(layers) = self.document.layers() {
            original.set_layers(self.folded.layers(layers));
        }
    }

    /// A span of the view in the original.
    pub(crate) fn span(&self, span: Span) -> Span {
        self.folded.original(span)
    }

    /// Findings in the view as findings in the original.
    pub(crate) fn findings(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let back = |mut finding: Finding| {
            finding.span = self.span(finding.span);
            self.evidence(&mut finding.evidence);
            finding
        };
        findings.into_iter().map(back).collect()
    }

    /// Entities in the view as entities in the original.
    pub(crate) fn entities(&self, mut entities: Vec<Entity>) -> Vec<Entity> {
        for entity in &mut entities {
            self.entity(entity);
        }
        entities
    }

    /// A plan for the view as a plan for the original.
    pub(crate) fn plan(&self, mut plan: Plan) -> Plan {
        for decision in &mut plan.decisions {
            self.entity(&mut decision.entity);
            for edit in decision.edits.iter_mut().flatten() {
                edit.span = self.span(edit.span);
            }
        }
        for deviation in &mut plan.deviations {
            deviation.span = self.span(deviation.span);
        }
        // Two changes that meet inside one sign, such as a ligature, both take all of it: the first keeps it.
        let mut edits: Vec<_> =
            plan.decisions.iter_mut().flat_map(|decision| decision.edits.iter_mut().flatten()).collect();
        edits.sort_by_key(|edit| edit.span);
        let mut end = 0;
        for edit in edits {
            edit.span = Span::new(edit.span.start.max(end), edit.span.end.max(end));
            end = edit.span.end;
        }
        plan
    }

    /// A plan file for the original as one for the view.
    pub(crate) fn plan_file(&self, mut file: PlanFile, original: &Document) -> Result<PlanFile, Error> {
        let unit = OffsetUnit::from_name(&file.offsets).ok_or_else(|| {
            Error::new(ErrorKind::Plan, "the plan's `offsets` must be chars, bytes or utf16")
        })?;
        let offsets = Offsets::new(original.text(), unit);
        let place = |start: &mut usize, end: &mut usize| {
            if let Some(span) = offsets.inside(*start, *end) {
                let span = self.folded.folded(span);
                (*start, *end) = (span.start, span.end);
                Ok(())
            } else {
                Err(Error::new(ErrorKind::Plan, "a mention of the plan lies outside the text"))
            }
        };
        for mention in file.entities.iter_mut().flat_map(|entity| &mut entity.mentions) {
            place(&mut mention.start, &mut mention.end)?;
            if let Some(edit) = &mut mention.edit {
                place(&mut edit.start, &mut edit.end)?;
            }
        }
        OffsetUnit::Bytes.name().clone_into(&mut file.offsets);
        Ok(file)
    }

    fn entity(&self, entity: &mut Entity) {
        for mention in &mut entity.mentions {
            mention.span = self.span(mention.span);
            mention.evidence.iter_mut().for_each(|evidence| self.evidence(evidence));
        }
    }

    fn evidence(&self, evidence: &mut Evidence) {
        let own = |at: &mut usize| *at = self.span(Span::new(*at, *at)).start;
        match evidence {
            Evidence::Correlated { gives_away, with, .. } => {
                own(gives_away);
                with.iter_mut().for_each(own);
            }
            Evidence::Disclosure { with, .. } => with.iter_mut().for_each(own),
            _ => {}
        }
    }
}
