//! The disclosure certificate of a released text, as text and as JSON.

use std::fmt::Write;

use reticent::Policy;
use reticent::disclosure::Corpus;
use reticent::policy::Criterion;
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
        let certificate = certify(
            &document,
            asked.counts(),
            &self.claims,
            self.corpus.taxonomy(),
            self.policy.disclosure(),
        )?;
        Ok(Certified { document, certificate })
    }
}

impl Certified {
    /// Anything that could not be counted requires review.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.certificate.verdict() {
            Verdict::Violated | Verdict::NotAllCounted => Outcome::Unresolved,
            Verdict::Safe => Outcome::Done,
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
                "criterion": of.criterion, "confidence": of.confidence, "names": of.names,
                "without_context": of.without_context, "counted": of.counted, "pairs": of.pairs,
                "never_together": of.never_together, "max_unseen": of.max_unseen, "by_parts": of.by_parts,
                "excluded": of.excluded,
                "unknown": of.unknown.iter().map(|unknown| places(&unknown.places)).collect::<Vec<_>>(), "worst": list(&of.worst), "violations": list(&of.violations),
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
        for unknown in &of.unknown {
            let at: Vec<String> =
                places(&unknown.places).iter().map(|(start, end)| format!("{start}-{end}")).collect();
            let _ = writeln!(out, "{name}:{}: too little is known to the corpus", at.join(" with "));
        }
        let _ = writeln!(
            out,
            "{name}: {} terms, {} combinations of up to {} counted in {} ({})",
            of.terms, of.counted, of.max_terms, of.corpus, of.knowledge
        );
        let criterion = match of.criterion {
            Criterion::Confident => format!("confident ({} %)", of.confidence * 100.0),
            Criterion::Literal => "literal".to_owned(),
        };
        let names: Vec<String> = of.names.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            out,
            "{name}: criterion {criterion}; names of the protected terms: {}; {} combinations judged by their parts; {} of {} pairs never occur together in the corpus (up to {} % allowed)",
            names.join(", "),
            of.by_parts,
            of.never_together,
            of.pairs,
            of.max_unseen * 100.0
        );
        for claim in &of.without_context {
            let _ = writeln!(
                out,
                "{name}: subject {} and its --at-most term hardly ever occur together: standard probabilities only",
                claim + 1
            );
        }
        let left = of.excluded;
        let _ = writeln!(
            out,
            "{name}: not counted as terms: {} function words, {} single letters, {} numbers below 1,000 that stand alone, {} placeholders",
            left.function_words, left.letters, left.numbers, left.placeholders
        );
        let _ = match verdict {
            Verdict::Safe => {
                writeln!(
                    out,
                    "{name}: safe: all that is counted as a term was measured, and no combination exceeds the limit"
                )
            }
            Verdict::Violated => {
                writeln!(out, "{name}: not safe: {} combinations exceed the limit", of.violations.len())
            }
            Verdict::NotAllCounted => writeln!(
                out,
                "{name}: unresolved: no counted combination exceeds the limit, but of {} terms and combinations the corpus says too little{}",
                of.unknown.len(),
                if of.has_unseen() { ", and too many pairs never occur together" } else { "" }
            ),
        };
        out
    }
}
