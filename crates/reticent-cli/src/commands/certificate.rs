//! The disclosure certificate of a released text, as text and as JSON.

use std::fmt::Write;

use reticent::Policy;
use reticent::disclosure::Corpus;
use reticent::verify::disclosure::{Certificate, Claim, Remaining, Verdict, certify};
use reticent_text::{Analyzer, Document, OffsetUnit, Offsets, Span};
use serde_json::{Value, json};

use crate::failure::{Failure, Outcome};

/// The requirements on released texts.
pub(crate) struct Held<'a> {
    corpus: &'a Corpus,
    policy: &'a Policy,
    claims: Vec<Claim>,
    analyzer: Analyzer,
}

/// A released text and its certificate.
pub(crate) struct Certified {
    document: Document,
    certificate: Certificate,
}

impl<'a> Held<'a> {
    pub(crate) fn new(corpus: &'a Corpus, policy: &'a Policy) -> Result<Self, Failure> {
        // Rejects subjects that cannot be protected.
        corpus.measure(corpus.counts(), policy.subjects(), policy.disclosure())?;
        let taxonomy = corpus.taxonomy();
        let claims: Vec<Claim> =
            policy.subjects().iter().map(|subject| Claim::of(subject, taxonomy)).collect();
        if claims.is_empty() {
            return Err(Failure::new("no protected term is given, so nothing can be certified")
                .hint("pass the same --protect and --at-most as to `reticent protect`"));
        }
        Ok(Self { corpus, policy, claims, analyzer: Analyzer::shipped()? })
    }

    pub(crate) fn certify(&self, mut document: Document) -> Result<Certified, Failure> {
        let layers = self.analyzer.analyze(&document, self.policy.language())?;
        self.corpus.check_language(layers.language)?;
        document.set_language(layers.language);
        document.set_layers(layers);
        let asked = self.corpus.counts_for(document.id())?;
        let certificate = certify(&document, asked.counts(), &self.claims, self.policy.disclosure())?;
        Ok(Certified { document, certificate })
    }
}

impl Certified {
    /// Anything that could not be counted requires review.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.certificate.verdict() {
            Verdict::Violated => Outcome::Unresolved,
            Verdict::NotAllCounted if !self.certificate.unknown.is_empty() => Outcome::Unresolved,
            Verdict::NotAllCounted | Verdict::Safe => Outcome::Done,
        }
    }

    pub(crate) fn render(&self, as_json: bool, unit: OffsetUnit) -> String {
        let offsets = Offsets::new(self.document.text(), unit);
        let places = |spans: &[Span]| -> Vec<(usize, usize)> {
            spans.iter().map(|span| offsets.outside(*span)).collect()
        };
        let of = &self.certificate;
        let verdict = of.verdict();
        if as_json {
            let remaining = |remaining: &Remaining| {
                let mut value = json!(remaining);
                value["places"] = json!(places(&remaining.places));
                value
            };
            let list = |all: &[Remaining]| -> Vec<Value> { all.iter().map(remaining).collect() };
            let row = json!({
                "document": self.document.id(), "offsets": unit.name(), "verdict": verdict,
                "knowledge": of.knowledge, "max_terms": of.max_terms, "terms": of.terms,
                "counted": of.counted, "never_together": of.never_together,
                "unknown": places(&of.unknown), "worst": list(&of.worst), "violations": list(&of.violations),
            });
            return format!("{row}\n");
        }
        let name = self.document.id();
        let mut out = String::new();
        let rendered = |remaining: &Remaining| {
            let at: Vec<String> =
                places(&remaining.places).iter().map(|(start, end)| format!("{start}-{end}")).collect();
            format!(
                "{} discloses {:.2} bits about subject {}; the limit is {:.2}",
                at.join(" with "),
                remaining.bits,
                remaining.subject + 1,
                remaining.bound
            )
        };
        // Writing to a String cannot fail.
        for violation in &of.violations {
            let _ = writeln!(out, "{name}: violation: {}", rendered(violation));
        }
        for worst in &of.worst {
            let _ = writeln!(out, "{name}: highest remaining disclosure: {}", rendered(worst));
        }
        for (start, end) in places(&of.unknown) {
            let _ = writeln!(out, "{name}:{start}-{end}: unknown to the corpus");
        }
        let _ = writeln!(
            out,
            "{name}: {} terms, {} combinations of up to {} counted in {} ({})",
            of.terms, of.counted, of.max_terms, of.corpus, of.knowledge
        );
        let _ = match verdict {
            Verdict::Safe => {
                writeln!(out, "{name}: safe: everything was counted, and no combination exceeds the limit")
            }
            Verdict::Violated => {
                writeln!(out, "{name}: not safe: {} combinations exceed the limit", of.violations.len())
            }
            Verdict::NotAllCounted => writeln!(
                out,
                "{name}: unresolved: no counted combination exceeds the limit, but {} terms are unknown to the corpus and {} pairs never occur together",
                of.unknown.len(),
                of.never_together
            ),
        };
        out
    }
}
